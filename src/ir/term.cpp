// Building and folding of terms.
#include "ir/term.hpp"

#include <algorithm>
#include <charconv>

namespace s2f::ir::terms {

namespace {

using Kind = Term::Kind;
using Type = Term::Type;

Term boolean(bool value) { return make(Kind::integer, Type::boolean, {}, {}, value ? 1 : 0); }

std::optional<std::int64_t> folded(const std::string& op, std::int64_t left, std::int64_t right) {
  if (op == "+") {
    return left + right;
  }
  if (op == "-") {
    return left - right;
  }
  if (op == "*") {
    return left * right;
  }
  if ((op == "//" || op == "%") && right != 0) {
    return op == "%" ? left % right : left / right;
  }
  return std::nullopt;
}

std::optional<bool> compared(const std::string& op, const Term& left, const Term& right) {
  if (left.type == Type::integer || right.type == Type::integer) {
    const auto a = constant_integer(left);
    const auto b = constant_integer(right);
    if (!a || !b) {
      return std::nullopt;
    }
    return op == "=="   ? *a == *b
           : op == "!=" ? *a != *b
           : op == "<"  ? *a < *b
           : op == "<=" ? *a <= *b
           : op == ">"  ? *a > *b
           : op == ">=" ? std::optional(*a >= *b)
                        : std::nullopt;
  }
  const auto a = constant(left);
  const auto b = constant(right);
  if (!a || !b) {
    return std::nullopt;
  }
  return op == "==" ? *a == *b : op == "!=" ? std::optional(*a != *b) : std::nullopt;
}

} // namespace

Term text(std::string value) { return make(Kind::text, Type::text, {}, std::move(value)); }
Term integer(std::int64_t value) { return make(Kind::integer, Type::integer, {}, {}, value); }
Term name(std::string name, Term::Type type) { return make(Kind::name, type, {}, std::move(name)); }
Term unknown(std::string why) { return make(Kind::unknown, Type::text, {}, std::move(why)); }

Term secret(const std::string& variable, std::string otherwise) {
  return make(Kind::unknown, Type::text, {text(variable), text(std::move(otherwise))},
              "the secret $" + variable + " of the submitting shell");
}

Term make(Term::Kind kind, Term::Type type, std::vector<Term> parts, std::string text,
          std::int64_t number) {
  Term term;
  term.kind = kind;
  term.type = type;
  term.parts = std::move(parts);
  term.text = std::move(text);
  term.number = number;
  return term;
}

Term joined(std::vector<Term> parts) {
  std::vector<Term> flat;
  const auto add = [&](Term part) {
    if (part.kind == Kind::text && part.text.empty()) {
      return;
    }
    if (part.kind == Kind::integer && part.type == Type::integer && parts.size() > 1) {
      part = text(*constant(part));
    }
    if (part.kind == Kind::text && !flat.empty() && flat.back().kind == Kind::text) {
      flat.back().text += part.text;
    } else {
      flat.push_back(std::move(part));
    }
  };
  for (const Term& part : parts) {
    if (part.kind == Kind::joined) {
      std::ranges::for_each(part.parts, add);
    } else {
      add(part);
    }
  }
  if (flat.empty()) {
    return text("");
  }
  return flat.size() == 1 ? std::move(flat.front())
                          : make(Kind::joined, Type::text, std::move(flat));
}

Term list(std::vector<Term> parts) {
  const bool jobs = std::ranges::any_of(parts, [](const Term& part) { return part.holds_jobs(); });
  return make(Kind::list, jobs ? Type::jobs : Type::texts, std::move(parts));
}

Term binary(std::string op, Term left, Term right) {
  const bool arithmetic = op == "+" || op == "-" || op == "*" || op == "//" || op == "%";
  if (arithmetic) {
    const auto a = constant_integer(left);
    const auto b = constant_integer(right);
    if (const auto value = a && b ? folded(op, *a, *b) : std::nullopt) {
      return integer(*value);
    }
  } else if (op == "and" || op == "or") {
    const bool decides = op == "or";
    for (const bool first : {true, false}) {
      const auto value = constant_boolean(first ? left : right);
      if (value && *value == decides) {
        return boolean(decides);
      }
      if (value) {
        return first ? right : left;
      }
    }
  } else if (const auto value = compared(op, left, right)) {
    return boolean(*value);
  }
  return make(Kind::binary, arithmetic ? Type::integer : Type::boolean,
              {std::move(left), std::move(right)}, std::move(op));
}

Term negated(Term term) {
  if (const auto value = constant_boolean(term)) {
    return boolean(!*value);
  }
  if (term.kind == Kind::negated) {
    return std::move(term.parts.front());
  }
  if (term.kind == Kind::binary) {
    for (const auto& [op, other] : {std::pair{"==", "!="},
                                    {"!=", "=="},
                                    {"<", ">="},
                                    {">=", "<"},
                                    {">", "<="},
                                    {"<=", ">"}}) {
      if (term.text == op) {
        term.text = other;
        return term;
      }
    }
  }
  return make(Kind::negated, Type::boolean, {std::move(term)});
}

std::optional<std::string> constant(const Term& term) {
  if (term.kind == Kind::text) {
    return term.text;
  }
  if (term.kind == Kind::integer) {
    return std::to_string(term.number);
  }
  return std::nullopt;
}

std::optional<std::int64_t> constant_integer(const Term& term) {
  if (term.kind == Kind::integer) {
    return term.number;
  }
  if (term.kind != Kind::text) {
    return std::nullopt;
  }
  std::int64_t value = 0;
  const char* end = term.text.data() + term.text.size();
  const auto read = std::from_chars(term.text.data(), end, value);
  const bool octal = term.text.size() > 1 && term.text.front() == '0';
  return read.ec == std::errc() && read.ptr == end && !octal ? std::optional(value) : std::nullopt;
}

std::optional<bool> constant_boolean(const Term& term) {
  return term.kind == Kind::integer && term.type == Type::boolean ? std::optional(term.number != 0)
                                                                  : std::nullopt;
}

const Term* first_unknown(const Term& term) {
  if (term.kind == Kind::unknown) {
    return &term;
  }
  for (const Term& part : term.parts) {
    if (const Term* found = first_unknown(part)) {
      return found;
    }
  }
  return nullptr;
}

bool mentions(const Term& term, const std::string& variable) {
  return (term.kind == Kind::name && term.text == variable) ||
         std::ranges::any_of(term.parts,
                             [&](const Term& part) { return mentions(part, variable); });
}

} // namespace s2f::ir::terms
