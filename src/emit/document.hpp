// The document algebra that the printer lays out: groups, indents and lines, as `ruff format` has
// them.
//
// The elements and the rules for what fits are those of ruff's own formatter, so that a module that
// is laid out here is left alone by it. Text is measured as ruff measures it: a trailing comment
// counts towards the width of its line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace s2f::emit {

inline constexpr std::uint32_t line_width = 88;
inline constexpr std::uint32_t indent_width = 4;

enum class GroupId : std::uint32_t { none = 0 };

struct Element {
  enum class Kind : std::uint8_t {
    text,
    comment, // own line, wrapped when it is printed
    soft_line,
    soft_line_or_space,
    hard_line,
    expand_parent,
    start_group,
    end_group,
    start_conditional_group, // a group only where group `id` has `mode`
    end_conditional_group,
    start_indent,
    end_indent,
    start_indent_if_breaks, // an indent only where group `id` is expanded
    end_indent_if_breaks,
    start_conditional, // there only where group `id` (none: the enclosing one) has `mode`
    end_conditional,
    start_line_suffix, // moves to the end of the line; `width` columns are reserved for it
    end_line_suffix,
    start_fits_expanded, // measured as if expanded where group `id` is flat
    end_fits_expanded,
    start_best_fit_parenthesize, // parentheses only where they make it fit
    end_best_fit_parenthesize,
    best_fitting, // the first of `variants` that fits, else the last
    start_piece,  // `piece` begins here
    end_piece,
  };
  enum class Mode : std::uint8_t { flat, expanded };

  Kind kind{};
  Mode mode = Mode::flat;
  bool expand = false;
  GroupId id = GroupId::none;
  std::uint32_t width = 0; // of a text; reserved by a line suffix
  std::uint32_t piece = 0;
  std::string text;
  std::vector<std::vector<Element>> variants;
};

// Builds a document. Each function that takes `inside` calls it to fill what it opens.
class Document {
public:
  using Kind = Element::Kind;
  using Mode = Element::Mode;

  void text(std::string_view text);
  void comment(std::string_view paragraph);
  void soft_line() { add(Kind::soft_line); }
  void soft_line_or_space() { add(Kind::soft_line_or_space); }
  void hard_line() { add(Kind::hard_line); }
  void expand_parent() { add(Kind::expand_parent); }
  // `  # text` at the end of the line that this stands in.
  void trailing_comment(std::string_view comment);

  template <typename Inside>
  void group(Inside inside, GroupId id = GroupId::none, bool expand = false) {
    Element& start = add(Kind::start_group);
    start.id = id;
    start.expand = expand;
    inside();
    add(Kind::end_group);
  }

  template <typename Inside> void indent(Inside inside) {
    add(Kind::start_indent);
    inside();
    add(Kind::end_indent);
  }

  // A line break, the content one level deeper, a line break; nothing but the content when it is
  // flat.
  template <typename Inside> void soft_block_indent(Inside inside) {
    indent([&] {
      soft_line();
      inside();
    });
    soft_line();
  }

  template <typename Inside> void indent_if_breaks(GroupId id, Inside inside) {
    add(Kind::start_indent_if_breaks).id = id;
    inside();
    add(Kind::end_indent_if_breaks);
  }

  template <typename Inside> void conditional(Mode mode, GroupId id, Inside inside) {
    Element& start = add(Kind::start_conditional);
    start.mode = mode;
    start.id = id;
    inside();
    add(Kind::end_conditional);
  }

  template <typename Inside> void if_breaks(Inside inside, GroupId id = GroupId::none) {
    conditional(Mode::expanded, id, inside);
  }

  template <typename Inside> void conditional_group(GroupId id, Inside inside) {
    Element& start = add(Kind::start_conditional_group);
    start.id = id;
    start.mode = Mode::expanded;
    inside();
    add(Kind::end_conditional_group);
  }

  template <typename Inside> void fits_expanded(GroupId id, Inside inside) {
    Element& start = add(Kind::start_fits_expanded);
    start.id = id;
    start.mode = Mode::flat;
    inside();
    add(Kind::end_fits_expanded);
  }

  template <typename Inside> void best_fit_parenthesize(GroupId id, Inside inside) {
    add(Kind::start_best_fit_parenthesize).id = id;
    inside();
    add(Kind::end_best_fit_parenthesize);
  }

  template <typename Inside> void piece(std::uint32_t number, Inside inside) {
    add(Kind::start_piece).piece = number;
    inside();
    add(Kind::end_piece).piece = number;
  }

  void best_fitting(std::vector<std::vector<Element>> variants) {
    add(Kind::best_fitting).variants = std::move(variants);
  }

  void append(const std::vector<Element>& elements) {
    elements_.insert(elements_.end(), elements.begin(), elements.end());
  }

  [[nodiscard]] GroupId new_group() { return static_cast<GroupId>(++groups_); }

  // What `inside` adds, apart from the document: a variant for best_fitting.
  template <typename Inside> [[nodiscard]] std::vector<Element> apart(Inside inside) {
    std::vector<Element> outer;
    outer.swap(elements_);
    inside();
    outer.swap(elements_);
    return outer;
  }

  [[nodiscard]] std::vector<Element>& elements() { return elements_; }

  [[nodiscard]] std::uint32_t groups() const { return groups_; }

private:
  Element& add(Kind kind) {
    Element& element = elements_.emplace_back();
    element.kind = kind;
    return element;
  }

  std::vector<Element> elements_;
  std::uint32_t groups_ = 0;
};

// Where a piece stands among the printed lines (0-based). Own-line comments of the piece belong to
// it, but `first` is the line of its first text.
struct PiecePlace {
  std::uint32_t from = 0; // with the comments above it
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  bool printed = false;
};

struct Printed {
  std::vector<std::string> lines; // without newlines
  std::vector<PiecePlace> pieces; // by number
};

// Lays the document out, `indent` levels deep. Pieces are numbered from 0 to `pieces` - 1.
[[nodiscard]] Printed print(Document document, std::uint32_t indent, std::uint32_t pieces = 0,
                            std::uint32_t width = line_width);

} // namespace s2f::emit
