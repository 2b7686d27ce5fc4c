// Parses a Mustache template into a tree and renders it.
#include "emit/mustache.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "emit/text.hpp"

namespace s2f::emit {

namespace {

struct Tag {
  enum class Kind : std::uint8_t { text, variable, raw, section, inverted, partial } kind{};
  std::string_view name;   // or the text; both are parts of the template
  std::string_view indent; // of a partial that stands alone in its line
  std::vector<Tag> inside; // of a section
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

class Parser {
public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::expected<std::vector<Tag>, std::string> parse() {
    std::vector<std::vector<Tag>> open{{}};
    std::vector<std::pair<std::string_view, std::size_t>> names; // of open sections, and where
    std::vector<Tag> sections;
    while (at_ < text_.size()) {
      const std::size_t start = text_.find(open_, at_);
      if (start == std::string_view::npos) {
        add_text(open.back(), text_.substr(at_));
        break;
      }
      add_text(open.back(), text_.substr(at_, start - at_));
      const std::size_t inside = start + open_.size();
      const char sigil = inside < text_.size() ? text_[inside] : '\0';
      const std::string closing = sigil == '{'   ? "}" + close_
                                  : sigil == '=' ? "=" + close_
                                                 : close_;
      const std::size_t end = text_.find(closing, inside);
      if (end == std::string_view::npos) {
        return failure(start, "a tag is not closed");
      }
      const bool marked =
          std::string_view("{&#^/>!=").find(sigil) != std::string_view::npos && sigil != '\0';
      const std::string_view content =
          text_.substr(inside + (marked ? 1 : 0), end - inside - (marked ? 1 : 0));
      const std::string_view name = trimmed(content);
      at_ = end + closing.size();
      std::string_view indent;
      if (std::string_view("#^/>!=").find(sigil) != std::string_view::npos && sigil != '\0') {
        indent = stand_alone(open.back(), start);
      }
      switch (sigil) {
      case '!':
        break;
      case '=':
        if (!set_delimiters(content)) {
          return failure(start, "the delimiters are not two words");
        }
        break;
      case '#':
      case '^':
        sections.push_back({sigil == '#' ? Tag::Kind::section : Tag::Kind::inverted, name, {}, {}});
        names.emplace_back(name, start);
        open.emplace_back();
        break;
      case '/': {
        if (names.empty() || names.back().first != name) {
          return failure(start, fmt::format("the section \"{}\" ends but is not open", name));
        }
        names.pop_back();
        Tag section = std::move(sections.back());
        sections.pop_back();
        section.inside = std::move(open.back());
        open.pop_back();
        open.back().push_back(std::move(section));
        break;
      }
      case '>':
        open.back().push_back({Tag::Kind::partial, name, indent, {}});
        break;
      case '{':
      case '&':
        open.back().push_back({Tag::Kind::raw, name, {}, {}});
        break;
      default:
        open.back().push_back({Tag::Kind::variable, name, {}, {}});
        break;
      }
    }
    if (!names.empty()) {
      return failure(names.back().second,
                     fmt::format("the section \"{}\" is not closed", names.back().first));
    }
    return std::move(open.front());
  }

private:
  [[nodiscard]] std::unexpected<std::string> failure(std::size_t at, std::string_view what) const {
    const auto line = std::ranges::count(text_.substr(0, at), '\n') + 1;
    return std::unexpected(fmt::format("line {}: {}", line, what));
  }

  static void add_text(std::vector<Tag>& to, std::string_view text) {
    if (!text.empty()) {
      to.push_back({Tag::Kind::text, text, {}, {}});
    }
  }

  // A tag that stands alone in its line takes the line with it; gives the blanks before it.
  std::string_view stand_alone(std::vector<Tag>& before, std::size_t start) {
    const std::size_t newline = start == 0 ? std::string_view::npos : text_.rfind('\n', start - 1);
    const std::size_t line = newline == std::string_view::npos ? 0 : newline + 1;
    const std::string_view left = text_.substr(line, start - line);
    if (left.find_first_not_of(" \t") != std::string_view::npos) {
      return {};
    }
    std::size_t end = at_;
    while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t')) {
      ++end;
    }
    if (end < text_.size()) {
      if (text_.substr(end).starts_with("\r\n")) {
        end += 2;
      } else if (text_[end] == '\n') {
        end += 1;
      } else {
        return {};
      }
    }
    // What stands left of it is blanks, in the last text; or in none when the line begins with the
    // tag.
    if (!left.empty()) {
      before.back().name.remove_suffix(left.size());
    }
    at_ = end;
    return left;
  }

  bool set_delimiters(std::string_view content) {
    const std::string_view both = trimmed(content);
    const std::size_t gap = both.find_first_of(" \t\r\n");
    if (gap == std::string_view::npos) {
      return false;
    }
    open_ = both.substr(0, gap);
    close_ = trimmed(both.substr(gap));
    return close_.find_first_of(" \t\r\n") == std::string::npos;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string open_ = "{{";
  std::string close_ = "}}";
};

// A character that acts on an editor or a terminal is written by its number, so that a page means
// the same and does nothing; what is no character, or none that has a number there, as U+FFFD.
void append_unseen(std::string& out, const Decoded& one) {
  constexpr std::uint32_t last_of_latin_controls = 0x9F;
  const bool has_number =
      one.valid && (one.code > last_of_latin_controls || (one.code > 0 && one.code < 0x20));
  out += has_number ? fmt::format("&#x{:x};", one.code) : std::string("\xEF\xBF\xBD");
}

// What stands for itself on a page.
bool plain(char c) {
  return c >= ' ' && c <= '~' && c != '&' && c != '<' && c != '>' && c != '"' && c != '\'';
}

void append_escaped_for_html(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const auto end = std::ranges::find_if_not(text, plain);
    const auto length = static_cast<std::size_t>(end - text.begin());
    out += text.substr(0, length);
    text.remove_prefix(length);
    if (text.empty()) {
      return;
    }
    const Decoded one = decode(text);
    switch (const char c = text.front(); c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      if (c == '\n' || c == '\t' || (one.valid && visible(one.code))) {
        out += text.substr(0, one.length);
      } else {
        append_unseen(out, one);
      }
      break;
    }
    text.remove_prefix(one.length);
  }
}

class Renderer {
public:
  Renderer(const View& view, const PartialResolver& partials) : partials_(partials) {
    stack_.push_back(&view);
  }

  std::string out;
  std::optional<std::string> error;

  void render(const std::vector<Tag>& tags) {
    for (const Tag& tag : tags) {
      if (error) {
        return;
      }
      render(tag);
    }
  }

private:
  static constexpr int deepest = 100;

  void render(const Tag& tag) {
    switch (tag.kind) {
    case Tag::Kind::text:
      out += tag.name;
      break;
    case Tag::Kind::variable:
      if (const View& value = look_up(tag.name); value.text() != nullptr) {
        append_escaped_for_html(out, *value.text());
      } else {
        value.append_to(out);
      }
      break;
    case Tag::Kind::raw:
      look_up(tag.name).append_to(out);
      break;
    case Tag::Kind::inverted:
      if (look_up(tag.name).shows_nothing()) {
        render(tag.inside);
      }
      break;
    case Tag::Kind::section: {
      const View& value = look_up(tag.name);
      if (value.shows_nothing()) {
        break;
      }
      if (value.list() != nullptr) {
        for (const View& each : *value.list()) {
          within(each, tag.inside);
        }
      } else {
        within(value, tag.inside);
      }
      break;
    }
    case Tag::Kind::partial:
      partial(tag);
      break;
    }
  }

  void within(const View& value, const std::vector<Tag>& tags) {
    stack_.push_back(&value);
    render(tags);
    stack_.pop_back();
  }

  void partial(const Tag& tag) {
    std::optional<std::string> text = partials_ ? partials_(tag.name) : std::nullopt;
    if (!text) {
      return;
    }
    if (++depth_ > deepest) {
      error = fmt::format("the partial \"{}\" contains itself without end", tag.name);
      return;
    }
    if (!tag.indent.empty()) {
      text = indented(*text, tag.indent);
    }
    auto tags = Parser(*text).parse();
    if (tags) {
      render(*tags);
    } else {
      error = fmt::format("in the partial \"{}\": {}", tag.name, tags.error());
    }
    --depth_;
  }

  static std::string indented(std::string_view text, std::string_view indent) {
    std::string lines;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      lines += indent;
      lines += text.substr(0, end);
      text.remove_prefix(end);
    }
    return lines;
  }

  // "a.b": `a` is looked for outwards, `b` in it alone.
  const View& look_up(std::string_view name) const {
    static const View nothing;
    if (name == ".") {
      return *stack_.back();
    }
    const std::string_view first = name.substr(0, name.find('.'));
    const View* found = nullptr;
    for (auto context = stack_.rbegin(); context != stack_.rend() && found == nullptr; ++context) {
      found = (*context)->find(first);
    }
    while (found != nullptr && name.find('.') != std::string_view::npos) {
      name.remove_prefix(name.find('.') + 1);
      found = found->find(name.substr(0, name.find('.')));
    }
    return found == nullptr ? nothing : *found;
  }

  const PartialResolver& partials_;
  std::vector<const View*> stack_;
  int depth_ = 0;
};

} // namespace

std::expected<std::string, std::string> render(std::string_view text, const View& view,
                                               const PartialResolver& partials) {
  auto tags = Parser(text).parse();
  if (!tags) {
    return std::unexpected(tags.error());
  }
  Renderer renderer(view, partials);
  renderer.render(*tags);
  if (renderer.error) {
    return std::unexpected(*renderer.error);
  }
  return std::move(renderer.out);
}

} // namespace s2f::emit
