// Lays out a document: decides which groups break, and prints the lines.
#include "emit/document.hpp"

#include <algorithm>
#include <cassert>

#include "emit/text.hpp"

namespace s2f::emit {

namespace {

using Kind = Element::Kind;
using Mode = Element::Mode;

// How far "does it fit?" looks.
enum class Measure : std::uint8_t {
  first_line,               // to the first line break in expanded mode
  all_lines,                // to the end
  all_lines_allow_overflow, // to the end; only what comes before and after has to fit
};

struct Args {
  std::uint32_t indent = 0;
  Mode mode = Mode::expanded;
  Measure measure = Measure::first_line;
};

struct Frame {
  Kind kind{};
  Args args;
};

struct Slice {
  const Element* next = nullptr;
  const Element* end = nullptr;
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end - next); }
};

Slice whole(const std::vector<Element>& elements) {
  return {elements.data(), elements.data() + elements.size()};
}

// What is still to be printed: a stack of slices.
class Queue {
public:
  void push(Slice slice) {
    if (slice.next != slice.end) {
      slices_.push_back(slice);
    }
  }

  void push(const Element& element) { push({&element, &element + 1}); }

  void drop_slice() { slices_.pop_back(); }

  const Element* pop() {
    if (slices_.empty()) {
      return nullptr;
    }
    Slice& top = slices_.back();
    const Element* element = top.next++;
    if (top.next == top.end) {
      slices_.pop_back();
    }
    return element;
  }

  // Up to and with the end of a tag whose start has been popped.
  void skip(Kind start, Kind end) {
    int depth = 1;
    while (depth > 0) {
      const Element* element = pop();
      assert(element != nullptr);
      if (element->kind == start) {
        ++depth;
      }
      if (element->kind == end) {
        --depth;
      }
    }
  }

  std::vector<Element> take_to(Kind end) {
    std::vector<Element> taken;
    for (const Element* element = pop(); element != nullptr && element->kind != end;
         element = pop()) {
      taken.push_back(*element);
    }
    return taken;
  }

private:
  std::vector<Slice> slices_;
};

class Stack {
public:
  Stack(Kind bottom, Args args) : frames_{{bottom, args}} {}

  [[nodiscard]] const Args& top() const { return frames_.back().args; }

  [[nodiscard]] Kind top_kind() const { return frames_.back().kind; }

  void push(Kind kind, Args args) { frames_.push_back({kind, args}); }

  void pop([[maybe_unused]] Kind kind) {
    assert(frames_.back().kind == kind);
    frames_.pop_back();
  }

private:
  std::vector<Frame> frames_;
};

Args with(Args args, Mode mode) {
  args.mode = mode;
  return args;
}

Args with(Args args, Measure measure) {
  args.measure = measure;
  return args;
}

Args deeper(Args args) {
  ++args.indent;
  return args;
}

Kind start_of(Kind end) {
  switch (end) {
  case Kind::end_group:
    return Kind::start_group;
  case Kind::end_conditional_group:
    return Kind::start_conditional_group;
  case Kind::end_indent:
    return Kind::start_indent;
  case Kind::end_indent_if_breaks:
    return Kind::start_indent_if_breaks;
  case Kind::end_conditional:
    return Kind::start_conditional;
  case Kind::end_line_suffix:
    return Kind::start_line_suffix;
  case Kind::end_fits_expanded:
    return Kind::start_fits_expanded;
  default:
    return end;
  }
}

Element make(Kind kind, std::string_view text = {}) {
  Element element;
  element.kind = kind;
  element.text = text;
  element.width = static_cast<std::uint32_t>(text.size());
  return element;
}

// A break that is certain breaks every group around it, up to what shields its surroundings.
bool propagate_expands(std::vector<Element>& elements) {
  struct Enclosing {
    Element* element = nullptr;
    bool expands_before = false;
  };
  std::vector<Enclosing> enclosing;
  bool expands = false;
  for (Element& element : elements) {
    bool here = false;
    switch (element.kind) {
    case Kind::start_group:
    case Kind::start_conditional_group:
      enclosing.push_back({&element, false});
      break;
    case Kind::start_fits_expanded:
      enclosing.push_back({&element, expands});
      break;
    case Kind::start_best_fit_parenthesize:
      enclosing.push_back({&element, expands});
      expands = false;
      continue;
    case Kind::end_group:
    case Kind::end_conditional_group:
      here = enclosing.back().element->expand;
      enclosing.pop_back();
      break;
    case Kind::end_fits_expanded:
    case Kind::end_best_fit_parenthesize:
      expands = enclosing.back().expands_before;
      enclosing.pop_back();
      continue;
    case Kind::best_fitting:
      for (auto& variant : element.variants) {
        propagate_expands(variant);
      }
      continue;
    case Kind::expand_parent:
    case Kind::comment:
    case Kind::hard_line:
      here = true;
      break;
    default:
      break;
    }
    if (here) {
      expands = true;
      if (!enclosing.empty()) {
        Element& parent = *enclosing.back().element;
        if (parent.kind != Kind::start_best_fit_parenthesize) {
          parent.expand = true;
        }
      }
    }
  }
  return expands;
}

class Printer {
public:
  Printer(std::uint32_t indent, std::uint32_t groups, std::uint32_t pieces, std::uint32_t width)
      : width_(width), stack_(Kind::text, Args{.indent = indent}), modes_(groups + 1, Mode::flat) {
    pending_indent_ = indent;
    printed_.lines.emplace_back();
    printed_.pieces.resize(pieces);
  }

  Printed print(const std::vector<Element>& elements) {
    queue_.push(whole(elements));
    while (true) {
      const Element* element = queue_.pop();
      if (element != nullptr) {
        print_element(*element);
      } else if (!flush_suffixes(nullptr)) {
        break;
      }
    }
    return std::move(printed_);
  }

private:
  void print_element(const Element& element);
  void print_comment(const Element& element);
  void print_best_fitting(const Element& element);
  void print_variant(const std::vector<Element>& variant, Mode mode);
  void start_best_fit(const Element& element);
  void end_best_fit();

  std::string& line() { return printed_.lines.back(); }

  [[nodiscard]] std::uint32_t line_number() const {
    return static_cast<std::uint32_t>(printed_.lines.size() - 1);
  }

  void print_text(std::string_view text, std::uint32_t width) {
    if (text.empty()) {
      return;
    }
    if (pending_indent_ > 0) {
      line().append(std::size_t{pending_indent_} * indent_width, ' ');
      used_ += pending_indent_ * indent_width;
      pending_indent_ = 0;
    }
    for (const std::uint32_t piece : waiting_) {
      printed_.pieces[piece].first = line_number();
      printed_.pieces[piece].printed = true;
    }
    waiting_.clear();
    line() += text;
    used_ += width;
    last_text_ = line_number();
  }

  void new_line() {
    if (!line().empty()) {
      printed_.lines.emplace_back();
      // Only what came up to the line break was measured.
      measured_ = false;
    }
    used_ = 0;
  }

  bool flush_suffixes(const Element* line_break) {
    if (suffixes_.empty()) {
      return false;
    }
    if (line_break != nullptr) {
      queue_.push(*line_break);
    }
    for (const std::string& suffix : suffixes_) {
      // The columns were reserved when the suffix was met.
      print_text(suffix, 0);
    }
    suffixes_.clear();
    return true;
  }

  Mode group_mode(Kind kind, GroupId id, Args args) {
    if (args.mode == Mode::flat && measured_) {
      return Mode::flat;
    }
    measured_ = true;
    if (id != GroupId::none) {
      mode_of(id) = Mode::flat;
    }
    stack_.push(kind, with(args, Mode::flat));
    const bool fits = this->fits();
    stack_.pop(kind);
    return fits ? Mode::flat : Mode::expanded;
  }

  Mode& mode_of(GroupId id) { return modes_[static_cast<std::size_t>(id)]; }

  [[nodiscard]] bool meets(const Element& element, Args args) {
    return element.mode == (element.id == GroupId::none ? args.mode : mode_of(element.id));
  }

  [[nodiscard]] bool fits();

  std::uint32_t width_;
  Queue queue_;
  Stack stack_;
  std::vector<Mode> modes_;
  std::vector<std::string> suffixes_;
  std::vector<std::uint32_t> waiting_; // pieces that have begun and have no text yet
  std::uint32_t pending_indent_ = 0;
  std::uint32_t used_ = 0; // columns of this line, reserved ones included
  std::uint32_t last_text_ = 0;
  bool measured_ = false; // an enclosing group was measured and fits
  Printed printed_;
};

const Element open_parenthesis = make(Kind::text, "(");
const Element close_parenthesis = make(Kind::text, ")");
const Element start_indent = make(Kind::start_indent);
const Element hard_break = make(Kind::hard_line);
// A best_fitting without variants ends the one that was chosen.
const Element end_of_variant = make(Kind::best_fitting);

void Printer::print_comment(const Element& element) {
  const std::uint32_t indent = stack_.top().indent;
  for (const std::string& wrapped : wrap_comment(element.text, width_ - indent * indent_width)) {
    line().append(std::size_t{pending_indent_} * indent_width, ' ');
    line() += wrapped;
    new_line();
    pending_indent_ = indent;
  }
}

void Printer::start_best_fit(const Element& element) {
  const Args args = stack_.top();
  const Kind kind = Kind::start_best_fit_parenthesize;
  Mode mode = group_mode(kind, element.id, args);
  if (mode == Mode::expanded) {
    // Only where the parentheses make it fit; else they are left out.
    mode_of(element.id) = Mode::expanded;
    stack_.push(kind, with(args, Measure::all_lines));
    const Queue saved = queue_;
    queue_.push(hard_break);
    queue_.push(start_indent);
    queue_.push(open_parenthesis);
    mode = fits() ? Mode::expanded : Mode::flat;
    queue_ = saved;
    stack_.pop(kind);
  }
  mode_of(element.id) = mode;
  if (mode == Mode::expanded) {
    queue_.push(hard_break);
    queue_.push(start_indent);
    queue_.push(open_parenthesis);
  }
  stack_.push(kind, with(args, mode));
}

void Printer::end_best_fit() {
  if (stack_.top().mode == Mode::expanded) {
    stack_.pop(Kind::start_indent);
    queue_.push(close_parenthesis);
    queue_.push(hard_break);
  }
  stack_.pop(Kind::start_best_fit_parenthesize);
}

void Printer::print_variant(const std::vector<Element>& variant, Mode mode) {
  stack_.push(Kind::best_fitting, with(stack_.top(), mode));
  queue_.push(end_of_variant);
  queue_.push(whole(variant));
}

void Printer::print_best_fitting(const Element& element) {
  const Args args = stack_.top();
  if (args.mode == Mode::flat && measured_) {
    queue_.push(whole(element.variants.front()));
    return;
  }
  measured_ = true;
  for (std::size_t i = 0; i + 1 < element.variants.size(); ++i) {
    const Queue saved = queue_;
    queue_.push(whole(element.variants[i]));
    stack_.push(Kind::best_fitting, with(args, Mode::flat));
    const bool fit = fits();
    stack_.pop(Kind::best_fitting);
    queue_ = saved;
    if (fit) {
      print_variant(element.variants[i], Mode::flat);
      return;
    }
  }
  print_variant(element.variants.back(), Mode::expanded);
}

void Printer::print_element(const Element& element) {
  const Args args = stack_.top();
  switch (element.kind) {
  case Kind::text:
    print_text(element.text, element.width);
    break;
  case Kind::comment:
    print_comment(element);
    break;
  case Kind::soft_line:
  case Kind::soft_line_or_space:
  case Kind::hard_line:
    if (args.mode == Mode::flat && element.kind != Kind::hard_line) {
      if (element.kind == Kind::soft_line_or_space) {
        print_text(" ", 1);
      }
    } else if (!flush_suffixes(&element)) {
      new_line();
      pending_indent_ = args.indent;
    }
    break;
  case Kind::expand_parent:
    break;
  case Kind::start_group: {
    const Mode mode = element.expand ? Mode::expanded : group_mode(element.kind, element.id, args);
    if (element.id != GroupId::none) {
      mode_of(element.id) = mode;
    }
    stack_.push(element.kind, with(args, mode));
    break;
  }
  case Kind::start_conditional_group:
    if (meets(element, args)) {
      const Mode mode =
          element.expand ? Mode::expanded : group_mode(element.kind, GroupId::none, args);
      stack_.push(element.kind, with(args, mode));
    } else {
      stack_.push(element.kind, args);
    }
    break;
  case Kind::start_indent:
    stack_.push(element.kind, deeper(args));
    break;
  case Kind::start_indent_if_breaks:
    stack_.push(element.kind, mode_of(element.id) == Mode::expanded ? deeper(args) : args);
    break;
  case Kind::start_conditional:
    if (meets(element, args)) {
      stack_.push(element.kind, args);
    } else {
      queue_.skip(Kind::start_conditional, Kind::end_conditional);
    }
    break;
  case Kind::start_line_suffix: {
    used_ += element.width;
    std::string suffix;
    for (const Element& part : queue_.take_to(Kind::end_line_suffix)) {
      suffix += part.text;
    }
    suffixes_.push_back(std::move(suffix));
    break;
  }
  case Kind::start_fits_expanded:
    // What is inside was measured as if expanded: it has to be measured again.
    if (meets(element, args)) {
      measured_ = false;
    }
    stack_.push(element.kind, args);
    break;
  case Kind::start_best_fit_parenthesize:
    start_best_fit(element);
    break;
  case Kind::end_best_fit_parenthesize:
    end_best_fit();
    break;
  case Kind::best_fitting:
    if (element.variants.empty()) {
      stack_.pop(Kind::best_fitting);
    } else {
      print_best_fitting(element);
    }
    break;
  case Kind::start_piece:
    printed_.pieces[element.piece].from = line_number();
    waiting_.push_back(element.piece);
    break;
  case Kind::end_piece:
    printed_.pieces[element.piece].last = last_text_;
    break;
  case Kind::end_group:
  case Kind::end_conditional_group:
  case Kind::end_indent:
  case Kind::end_indent_if_breaks:
  case Kind::end_conditional:
  case Kind::end_line_suffix:
  case Kind::end_fits_expanded:
    stack_.pop(start_of(element.kind));
    break;
  }
}

// Whether what is in the queue fits up to the next line break that is certain.
bool Printer::fits() {
  Queue queue = queue_;
  Stack stack = stack_;
  std::uint32_t pending = pending_indent_;
  std::uint32_t used = used_;

  const auto overflows = [&](std::uint32_t width, Args args) {
    used += pending * indent_width + width;
    pending = 0;
    return used > width_ && args.measure != Measure::all_lines_allow_overflow;
  };

  while (const Element* element = queue.pop()) {
    const Args args = stack.top();
    switch (element->kind) {
    case Kind::text:
      if (overflows(element->width, args)) {
        return false;
      }
      break;
    case Kind::comment:
      break;
    case Kind::soft_line:
    case Kind::soft_line_or_space:
    case Kind::hard_line:
      if (args.mode == Mode::flat) {
        if (element->kind == Kind::hard_line) {
          return true;
        }
        if (element->kind == Kind::soft_line_or_space && overflows(1, args)) {
          return false;
        }
      } else if (args.measure == Measure::first_line) {
        return true;
      } else {
        used = 0;
        pending = args.indent;
      }
      break;
    case Kind::expand_parent:
      break;
    case Kind::best_fitting:
      if (element->variants.empty()) {
        stack.pop(Kind::best_fitting);
        break;
      }
      stack.push(Kind::best_fitting,
                 args.mode == Mode::flat ? with(args, Measure::first_line) : args);
      queue.push(end_of_variant);
      queue.push(
          whole(args.mode == Mode::flat ? element->variants.front() : element->variants.back()));
      break;
    case Kind::start_group:
    case Kind::start_conditional_group:
      if (element->kind == Kind::start_conditional_group && !meets(*element, args)) {
        stack.push(element->kind, args);
      } else {
        const Mode mode = element->expand ? Mode::expanded : args.mode;
        stack.push(element->kind, with(args, mode));
        if (element->kind == Kind::start_group && element->id != GroupId::none) {
          mode_of(element->id) = mode;
        }
      }
      break;
    case Kind::start_indent:
      stack.push(element->kind, deeper(args));
      break;
    case Kind::start_indent_if_breaks:
      stack.push(element->kind, mode_of(element->id) == Mode::expanded ? deeper(args) : args);
      break;
    case Kind::start_conditional:
      if (meets(*element, args)) {
        stack.push(element->kind, args);
      } else {
        queue.skip(Kind::start_conditional, Kind::end_conditional);
      }
      break;
    case Kind::start_line_suffix:
      if (element->width > 0) {
        used += element->width;
        if (used > width_) {
          return false;
        }
      }
      queue.skip(Kind::start_line_suffix, Kind::end_line_suffix);
      break;
    case Kind::start_fits_expanded:
      if (args.mode == Mode::flat && meets(*element, args)) {
        stack.push(element->kind,
                   with(with(args, Measure::all_lines_allow_overflow), Mode::expanded));
      } else if (args.mode == Mode::flat && element->expand) {
        return false;
      } else {
        stack.push(element->kind, args);
      }
      break;
    case Kind::start_best_fit_parenthesize:
      mode_of(element->id) = args.mode;
      stack.push(element->kind, args);
      break;
    case Kind::end_best_fit_parenthesize:
      if (args.mode == Mode::expanded && stack.top_kind() == Kind::start_indent) {
        stack.pop(Kind::start_indent);
        const Args outer = stack.top();
        stack.pop(Kind::start_best_fit_parenthesize);
        used = 0;
        pending = outer.indent;
        if (overflows(1, outer)) {
          return false;
        }
      } else {
        stack.pop(Kind::start_best_fit_parenthesize);
      }
      break;
    case Kind::start_piece:
    case Kind::end_piece:
      break;
    case Kind::end_group:
    case Kind::end_conditional_group:
    case Kind::end_indent:
    case Kind::end_indent_if_breaks:
    case Kind::end_conditional:
    case Kind::end_line_suffix:
    case Kind::end_fits_expanded:
      stack.pop(start_of(element->kind));
      break;
    }
  }
  return true;
}

} // namespace

void Document::text(std::string_view text) {
  if (text.empty()) {
    return;
  }
  Element& element = add(Kind::text);
  element.text = text;
  element.width = display_width(text);
}

void Document::comment(std::string_view paragraph) { add(Kind::comment).text = paragraph; }

void Document::trailing_comment(std::string_view comment) {
  const std::string text = "  " + comment_line(comment);
  add(Kind::start_line_suffix).width = display_width(text);
  this->text(text);
  add(Kind::end_line_suffix);
  expand_parent();
}

Printed print(Document document, std::uint32_t indent, std::uint32_t pieces, std::uint32_t width) {
  propagate_expands(document.elements());
  return Printer(indent, document.groups(), pieces, width).print(document.elements());
}

} // namespace s2f::emit
