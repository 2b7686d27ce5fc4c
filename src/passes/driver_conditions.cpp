// Conditions of drivers.
//
// before:  if [ "$i" -gt 1 ] && [[ -n $prev ]]; then
// after:   i > 1 and prev
#include <algorithm>
#include <cctype>

#include "analysis/effects.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;

// What of a value is jobs: the value itself, or its part that is.
const Term* jobs_of(const Term& term) {
  if (term.holds_jobs()) {
    return &term;
  }
  for (const Term& part : term.parts) {
    if (const Term* found = jobs_of(part)) {
      return found;
    }
  }
  return nullptr;
}

Term whole(const Term& term) {
  if (const auto value = terms::constant_integer(term)) {
    return terms::integer(*value);
  }
  return term.type == Type::integer ? term : terms::make(Kind::whole, Type::integer, {term});
}

Term not_empty(const Term& term) {
  if (const Term* jobs = jobs_of(term)) {
    return jobs->type == Type::job ? terms::make(Kind::integer, Type::boolean, {}, {}, 1)
                                   : terms::make(Kind::set, Type::boolean, {*jobs});
  }
  return terms::binary("!=", term, terms::text(""));
}

// [ a -eq b ], [ -n a ], with !, -a, -o, && and ||.
class TestParser {
public:
  struct Token {
    Term value;
    std::string op; // as text, where it could be an operator
  };
  using Compare = std::function<Term(const std::string&, const Term&, const Term&)>;
  TestParser(std::vector<Token> tokens, Compare compare)
      : tokens_(std::move(tokens)), compare_(std::move(compare)) {}

  Term run() {
    Term term = any();
    return at_ == tokens_.size() && sound_ ? term : terms::unknown("a test that is not read here");
  }

private:
  [[nodiscard]] std::string op(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead].op : "";
  }

  Term any() {
    Term left = all();
    while (op() == "-o" || op() == "||") {
      ++at_;
      left = terms::binary("or", std::move(left), all());
    }
    return left;
  }

  Term all() {
    Term left = one();
    while (op() == "-a" || op() == "&&") {
      ++at_;
      left = terms::binary("and", std::move(left), one());
    }
    return left;
  }

  Term one() {
    static constexpr std::string_view binary = " = == != < > -eq -ne -lt -le -gt -ge =~ -nt -ot ";
    if (at_ >= tokens_.size()) {
      sound_ = false;
      return terms::text("");
    }
    const auto is_binary = [&](std::size_t ahead) {
      return !op(ahead).empty() && binary.find(" " + op(ahead) + " ") != std::string_view::npos;
    };
    if (op() == "!" && !is_binary(1)) {
      ++at_;
      return terms::negated(one());
    }
    if (op() == "(") {
      ++at_;
      Term inner = any();
      sound_ = sound_ && op() == ")";
      ++at_;
      return inner;
    }
    if (at_ + 2 < tokens_.size() && is_binary(1)) {
      const Term& left = tokens_[at_].value;
      const Term& right = tokens_[at_ + 2].value;
      const std::string name = op(1);
      at_ += 3;
      return compare_(name, left, right);
    }
    const std::string name = op();
    if (name.size() == 2 && name[0] == '-' && at_ + 1 < tokens_.size()) {
      const Term operand = tokens_[at_ + 1].value;
      at_ += 2;
      switch (name[1]) {
      case 'n':
        return not_empty(operand);
      case 'z':
        return terms::negated(not_empty(operand));
      case 's':
        return terms::unknown("a test of a file's size");
      case 'f':
      case 'e':
      case 'r':
      case 'd':
        return terms::make(Kind::exists, Type::boolean, {operand}, name.substr(1));
      default:
        return terms::unknown("a test of the shell that runs the driver");
      }
    }
    const Term operand = tokens_[at_].value;
    ++at_;
    return not_empty(operand);
  }

  std::vector<Token> tokens_;
  Compare compare_;
  std::size_t at_ = 0;
  bool sound_ = true;
};

} // namespace

Term DriverReader::comparison(const std::string& op, const Term& left, const Term& right) {
  static const std::map<std::string, std::string> numbers{
      {"-eq", "=="}, {"-ne", "!="}, {"-lt", "<"}, {"-le", "<="}, {"-gt", ">"}, {"-ge", ">="}};
  for (const Term* side : {&left, &right}) {
    if (jobs_of(*side) != nullptr) {
      const Term& other = side == &left ? right : left;
      if (terms::constant(other) == "" && (op == "=" || op == "==" || op == "!=")) {
        return op == "!=" ? not_empty(*side) : terms::negated(not_empty(*side));
      }
      return terms::unknown("a test of a job's id");
    }
    if (side->is_list()) {
      return terms::unknown("a test of a list");
    }
  }
  if (const auto known = numbers.find(op); known != numbers.end()) {
    return terms::binary(known->second, whole(left), whole(right));
  }
  if (op == "=" || op == "==" || op == "!=") {
    const auto as_text = [](const Term& term) {
      return term.kind == Kind::integer ? terms::text(*terms::constant(term)) : term;
    };
    // A number that `main` counts with is compared as one.
    const auto a = terms::constant_integer(left);
    const auto b = terms::constant_integer(right);
    const std::string python = op == "!=" ? "!=" : "==";
    if (left.type == Type::integer && left.kind != Kind::integer && b) {
      return terms::binary(python, left, terms::integer(*b));
    }
    if (right.type == Type::integer && right.kind != Kind::integer && a) {
      return terms::binary(python, terms::integer(*a), right);
    }
    return terms::binary(python, as_text(left), as_text(right));
  }
  return terms::unknown("a test that is not read here");
}

// The files that a test asks for, from where the driver is.
Term DriverReader::from_here(Term test) const {
  if (test.kind == Kind::exists) {
    test.parts.front() = located(std::move(test.parts.front()));
    return test;
  }
  for (Term& part : test.parts) {
    part = from_here(std::move(part));
  }
  return test;
}

Term DriverReader::test(const std::vector<Term>& words) {
  std::vector<TestParser::Token> tokens;
  tokens.reserve(words.size());
  for (const Term& word : words) {
    tokens.push_back({word, word.kind == Kind::text ? word.text : ""});
  }
  TestParser parser(std::move(tokens), [this](const std::string& op, const Term& a, const Term& b) {
    return comparison(op, a, b);
  });
  return from_here(parser.run());
}

Term DriverReader::double_bracket(const shell::Statement& statement, const shell::Test& test) {
  const std::string_view text = context_.sources.text(statement.span);
  const auto open = text.find("[[");
  const auto close = text.rfind("]]");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return terms::unknown("a test that is not read here");
  }
  std::vector<TestParser::Token> tokens;
  const auto base = statement.span.begin;
  for (std::size_t i = open + 2; i < close;) {
    if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
      continue;
    }
    const auto word = std::ranges::find_if(
        test.words, [&](const shell::Word& each) { return each.span.begin == base + i; });
    if (word != test.words.end() && word->span.end > word->span.begin) {
      const bool globs = std::ranges::any_of(word->parts, [](const shell::WordPart& part) {
        const auto* literal = std::get_if<shell::Literal>(&part.value);
        return literal != nullptr && literal->globs;
      });
      tokens.push_back({globs ? terms::unknown("a pattern in a test") : value_of(*word),
                        word->quoted() ? "" : word->literal().value_or("")});
      i = word->span.end - base;
      continue;
    }
    std::size_t end = i + 1;
    if (text[i] != '(' && text[i] != ')') {
      while (end < close && std::isspace(static_cast<unsigned char>(text[end])) == 0) {
        ++end;
      }
    }
    const std::string op(text.substr(i, end - i));
    tokens.push_back({terms::text(op), op});
    i = end;
  }
  TestParser parser(std::move(tokens), [this](const std::string& op, const Term& a, const Term& b) {
    return comparison(op, a, b);
  });
  return from_here(parser.run());
}

Term DriverReader::condition(const std::vector<shell::Statement>& statements) {
  return statements.size() == 1 ? condition(statements.front())
                                : terms::unknown("a condition of several commands");
}

Term DriverReader::condition(const shell::Statement& statement) {
  if (!statement.redirects.empty() || statement.background) {
    return terms::unknown("a condition that only the shell can tell");
  }
  const auto with_sign = [&](Term term) {
    return statement.negated ? terms::negated(std::move(term)) : term;
  };
  if (const auto* both = std::get_if<shell::AndOr>(&statement.value)) {
    return with_sign(terms::binary(both->is_and ? "and" : "or", condition(*both->left),
                                   condition(*both->right)));
  }
  if (const auto* test = std::get_if<shell::Test>(&statement.value)) {
    return with_sign(double_bracket(statement, *test));
  }
  if (const auto* command = std::get_if<shell::ArithmeticCommand>(&statement.value)) {
    if (command->arithmetic.assigns) {
      return terms::unknown("arithmetic that assigns");
    }
    Term value = arithmetic_text(command->arithmetic.expression);
    return with_sign(value.type == Type::boolean
                         ? std::move(value)
                         : terms::binary("!=", std::move(value), terms::integer(0)));
  }
  if (const auto* command = shell::as_simple(statement);
      command != nullptr && command->assignments.empty() && !command->words.empty()) {
    const auto name = analysis::command_name(*command);
    if (name == "true" || name == ":" || name == "false") {
      return with_sign(terms::make(Kind::integer, Type::boolean, {}, {}, name == "false" ? 0 : 1));
    }
    if (name == "[" || name == "test") {
      std::vector<Term> words;
      for (std::size_t i = 1; i < command->words.size(); ++i) {
        words.push_back(value_of(command->words[i]));
      }
      if (name == "[" && !words.empty()) {
        words.pop_back();
      }
      return with_sign(test(words));
    }
  }
  return terms::unknown("a condition that only the shell can tell");
}

} // namespace s2f::passes
