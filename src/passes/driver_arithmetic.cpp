// Arithmetic of drivers, and ${name%...} of constants.
//
// before:  $(( (i + 1) * 4 ))
// after:   (i + 1) * 4 as a term; a number where i is one
#include <algorithm>
#include <cctype>

#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;

class Parser {
public:
  Parser(std::string_view text, const std::function<Term(const std::string&)>& value)
      : text_(text), value_(value) {}

  Term run() {
    Term term = binary(0);
    blanks();
    return at_ == text_.size() && sound_ ? std::move(term)
                                         : terms::unknown("arithmetic that is not read here");
  }

private:
  static constexpr int deepest = 64;

  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
      ++at_;
    }
  }

  // The operator that stands here, in Python's words, and how tightly it binds.
  std::pair<std::string, int> op() {
    blanks();
    static constexpr struct {
      std::string_view text, python;
      int level;
    } known[] = {{"||", "or", 1}, {"&&", "and", 2}, {"==", "==", 3}, {"!=", "!=", 3},
                 {"<=", "<=", 4}, {">=", ">=", 4},  {"<", "<", 4},   {">", ">", 4},
                 {"+", "+", 5},   {"-", "-", 5},    {"*", "*", 6},   {"/", "//", 6},
                 {"%", "%", 6}};
    for (const auto& each : known) {
      if (text_.substr(at_).starts_with(each.text)) {
        length_ = each.text.size();
        // `a += 1`, `a << 2`, `a ** 2` are something else.
        const char next = at_ + length_ < text_.size() ? text_[at_ + length_] : ' ';
        const bool other =
            (next == '=' && each.level > 3) || (next == each.text[0] && length_ == 1);
        return other ? std::pair<std::string, int>{"", 0}
                     : std::pair<std::string, int>{each.python, each.level};
      }
    }
    return {"", 0};
  }

  Term binary(int above) {
    if (++depth_ > deepest) {
      sound_ = false;
      return terms::unknown("arithmetic that is nested too deep");
    }
    Term left = primary();
    for (auto [name, level] = op(); sound_ && level > above; std::tie(name, level) = op()) {
      at_ += length_;
      Term right = binary(level);
      left = terms::binary(name, std::move(left), std::move(right));
    }
    --depth_;
    return left;
  }

  Term primary() {
    blanks();
    if (at_ >= text_.size()) {
      sound_ = false;
      return terms::integer(0);
    }
    const char c = text_[at_];
    if (c == '(') {
      ++at_;
      Term inner = binary(0);
      blanks();
      sound_ = sound_ && at_ < text_.size() && text_[at_] == ')';
      ++at_;
      return inner;
    }
    if (c == '-' || c == '+') {
      ++at_;
      Term operand = primary();
      return c == '+' ? operand : terms::binary("-", terms::integer(0), std::move(operand));
    }
    if (c == '!') {
      ++at_;
      return terms::negated(primary());
    }
    return atom();
  }

  Term atom() {
    const bool dollar = text_[at_] == '$';
    bool brace = false;
    if (dollar) {
      ++at_;
      brace = at_ < text_.size() && text_[at_] == '{';
      at_ += brace ? 1 : 0;
    }
    const bool length = brace && at_ < text_.size() && text_[at_] == '#';
    at_ += length ? 1 : 0;
    const std::size_t from = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) {
      ++at_;
    }
    std::string word(text_.substr(from, at_ - from));
    if (length) {
      word = "#" + word;
    }
    if (brace && text_.substr(at_).starts_with("[@]")) {
      at_ += 3;
    }
    if (brace) {
      sound_ = sound_ && at_ < text_.size() && text_[at_] == '}';
      ++at_;
    }
    if (word.empty()) {
      sound_ = false;
      return terms::integer(0);
    }
    if (!dollar && std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
      const auto value = terms::constant_integer(terms::text(word));
      sound_ = sound_ && value.has_value();
      return terms::integer(value.value_or(0));
    }
    Term term = value_(word);
    if (const auto value = terms::constant_integer(term)) {
      return terms::integer(*value);
    }
    sound_ = sound_ && !term.is_list() && terms::constant(term) == std::nullopt;
    return term;
  }

  std::string_view text_;
  const std::function<Term(const std::string&)>& value_;
  std::size_t at_ = 0;
  std::size_t length_ = 0;
  int depth_ = 0;
  bool sound_ = true;
};

// A glob of text and `*` only.
bool matches(std::string_view text, std::string_view pattern) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) {
    return text == pattern;
  }
  if (!text.starts_with(pattern.substr(0, star))) {
    return false;
  }
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t from = star; from <= text.size(); ++from) {
    if (matches(text.substr(from), rest)) {
      return true;
    }
  }
  return false;
}

std::optional<std::string> without(const std::string& value, const std::string& pattern, bool front,
                                   bool longest) {
  std::optional<std::string> found;
  for (std::size_t n = 0; n <= value.size(); ++n) {
    const std::size_t length = longest ? value.size() - n : n;
    const auto part = front ? std::string_view(value).substr(0, length)
                            : std::string_view(value).substr(value.size() - length);
    if (matches(part, pattern)) {
      return front ? value.substr(length) : value.substr(0, value.size() - length);
    }
  }
  return value;
}

} // namespace

ir::Term arithmetic(std::string_view expression,
                    const std::function<ir::Term(const std::string& name)>& value) {
  return Parser(expression, value).run();
}

std::optional<std::string> edited(const std::string& value, const std::string& op,
                                  const std::vector<std::string>& arguments) {
  constexpr std::size_t longest = 4096;
  const std::string pattern = arguments.empty() ? "" : arguments[0];
  if (value.size() > longest || pattern.find_first_of("?[\\") != std::string::npos) {
    return std::nullopt;
  }
  if (op == "#" || op == "##" || op == "%" || op == "%%") {
    return without(value, pattern, op[0] == '#', op.size() == 2);
  }
  if ((op == "/" || op == "//") && pattern.find('*') == std::string::npos && !pattern.empty()) {
    const std::string with = arguments.size() > 1 ? arguments[1] : "";
    std::string out;
    std::size_t from = 0;
    for (auto found = value.find(pattern); found != std::string::npos;
         found = value.find(pattern, from)) {
      out += value.substr(from, found - from) + with;
      from = found + pattern.size();
      if (op == "/") {
        break;
      }
    }
    return out + value.substr(from);
  }
  if (op == "^^" || op == ",,") {
    std::string out = value;
    std::ranges::transform(out, out.begin(), [&](unsigned char c) {
      return static_cast<char>(op == "^^" ? std::toupper(c) : std::tolower(c));
    });
    return pattern.empty() ? std::optional(out) : std::nullopt;
  }
  if (op == ":" && !arguments.empty()) {
    const auto from = ir::terms::constant_integer(ir::terms::text(arguments[0]));
    const auto length = arguments.size() > 1
                            ? ir::terms::constant_integer(ir::terms::text(arguments[1]))
                            : std::optional<std::int64_t>(value.size());
    if (!from || !length || *from < 0 || *length < 0 ||
        static_cast<std::size_t>(*from) > value.size()) {
      return std::nullopt;
    }
    return value.substr(static_cast<std::size_t>(*from), static_cast<std::size_t>(*length));
  }
  return std::nullopt;
}

} // namespace s2f::passes
