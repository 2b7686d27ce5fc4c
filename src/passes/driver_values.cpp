// Words of a driver to terms.
//
// before:  for n in $(seq 1 3); do x="run_$n"
// after:   range(1, 3); joined("run_", n)
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/secrets.hpp"
#include "flyte/program.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;

std::string python_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    out += std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128
               ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
               : '_';
  }
  while (!out.empty() && out.front() == '_') {
    out.erase(0, 1);
  }
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) != 0) {
    out = "value_" + out;
  }
  return flyte::reserved_python_name(out) ? out + "_" : out;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n') {
      if (!word.empty()) {
        words.push_back(std::exchange(word, {}));
      }
    } else {
      word += c;
    }
  }
  if (!word.empty()) {
    words.push_back(word);
  }
  return words;
}

bool number(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

// The elements of {a..b..step}: numbers, padded where a bound is, or letters.
std::vector<std::string> brace_range(const shell::BraceExpansion& braces) {
  constexpr std::int64_t most = 100000;
  const auto& [first, last] = *braces.range;
  std::vector<std::string> out;
  const auto step_text = braces.step.value_or("1");
  const auto a = terms::constant_integer(terms::text(first));
  const auto signless = [](const std::string& text) {
    return text.starts_with('-') ? text.substr(1) : text;
  };
  if (number(signless(first)) && number(signless(last))) {
    const std::int64_t from = std::stoll(first);
    const std::int64_t to = std::stoll(last);
    const std::int64_t step = std::max<std::int64_t>(1, std::abs(std::stoll(step_text)));
    const bool pad = (first.size() > 1 && signless(first)[0] == '0') ||
                     (last.size() > 1 && signless(last)[0] == '0');
    const std::size_t width = pad ? std::max(first.size(), last.size()) : 0;
    for (std::int64_t at = from; from <= to ? at <= to : at >= to;
         at += from <= to ? step : -step) {
      out.push_back(fmt::format("{:0{}}", at, width));
      if (static_cast<std::int64_t>(out.size()) > most) {
        return {};
      }
    }
  } else if (first.size() == 1 && last.size() == 1 && !a) {
    for (char c = first[0]; c <= last[0]; ++c) {
      out.emplace_back(1, c);
    }
  }
  return out;
}

// seq's words: a range of whole numbers, or a list.
Term sequence(std::vector<Term> words) {
  bool padded = false;
  std::erase_if(words, [&](const Term& word) {
    const auto text = terms::constant(word);
    padded |= text == "-w";
    return text && text->starts_with('-') && text->size() > 1 &&
           std::isdigit(static_cast<unsigned char>((*text)[1])) == 0;
  });
  if (words.empty() || words.size() > 3) {
    return terms::unknown("what seq prints");
  }
  const auto as_integer = [](const Term& term) {
    const auto value = terms::constant_integer(term);
    return value ? terms::integer(*value) : term;
  };
  Term first = words.size() == 1 ? terms::integer(1) : as_integer(words.front());
  Term last = as_integer(words.back());
  const auto step =
      words.size() == 3 ? terms::constant_integer(words[1]) : std::optional<std::int64_t>(1);
  const auto whole = [](const Term& term) {
    return term.type == Type::integer || terms::constant(term) == std::nullopt;
  };
  if (step && *step != 0 && whole(first) && whole(last)) {
    Term range = terms::make(Kind::range, Type::integers, {first, last}, {}, *step);
    return padded ? terms::unknown("numbers that seq pads") : range;
  }
  // Fractions: as seq prints them, with as many digits as the words have.
  const auto text = [&](std::size_t i) { return terms::constant(words[i]).value_or(""); };
  const std::string from = words.size() == 1 ? "1" : text(0);
  const std::string by = words.size() == 3 ? text(1) : "1";
  const std::string to = text(words.size() - 1);
  constexpr std::size_t most = 1000;
  std::size_t digits = 0;
  for (const std::string& each : {from, by}) {
    const auto dot = each.find('.');
    digits = std::max(digits, dot == std::string::npos ? 0 : each.size() - dot - 1);
    if (each.empty() || each.find_first_not_of("-.0123456789") != std::string::npos) {
      return terms::unknown("what seq prints");
    }
  }
  if (to.empty() || to.find_first_not_of("-.0123456789") != std::string::npos) {
    return terms::unknown("what seq prints");
  }
  const double step_value = std::stod(by);
  if (step_value <= 0) {
    return terms::unknown("what seq prints");
  }
  Term list = terms::list({});
  constexpr double slack = 1e-9;
  for (std::size_t i = 0; i < most; ++i) {
    const double value = std::stod(from) + static_cast<double>(i) * step_value;
    if (value > std::stod(to) + slack) {
      return list;
    }
    list.parts.push_back(terms::text(fmt::format("{:.{}f}", value, digits)));
  }
  return terms::unknown("a long sequence of fractions");
}

// Words with {a,b} or {1..3} as the words that they stand for.
std::vector<shell::Word> without_braces(const shell::Word& word) {
  const auto found = std::ranges::find_if(word.parts, [](const shell::WordPart& part) {
    return std::holds_alternative<shell::BraceExpansion>(part.value);
  });
  if (found == word.parts.end()) {
    return {word};
  }
  const auto& braces = std::get<shell::BraceExpansion>(found->value);
  std::vector<std::vector<shell::WordPart>> middles;
  if (braces.range) {
    for (const std::string& each : brace_range(braces)) {
      shell::Literal literal;
      literal.value = each;
      middles.push_back({{literal, found->span}});
    }
  } else {
    for (const shell::Word& each : braces.alternatives) {
      middles.push_back(each.parts);
    }
  }
  std::vector<shell::Word> out;
  for (const auto& middle : middles) {
    shell::Word one;
    one.span = word.span;
    one.parts.assign(word.parts.begin(), found);
    one.parts.insert(one.parts.end(), middle.begin(), middle.end());
    one.parts.insert(one.parts.end(), found + 1, word.parts.end());
    for (shell::Word& each : without_braces(one)) {
      out.push_back(std::move(each));
    }
  }
  return out;
}

} // namespace

bool DriverReader::is_secret(const shell::Word& word) const {
  return std::ranges::any_of(context_.secrets,
                             [&](const Span& secret) { return word.span.contains(secret); });
}

Term DriverReader::value_of(const shell::Word& word) {
  if (is_secret(word)) {
    return terms::unknown("a secret in plain text");
  }
  std::vector<Term> parts;
  for (const shell::WordPart& part : word.parts) {
    Term value = part_value(part, true);
    if (value.is_list() && !value.holds_jobs()) {
      // "${list[*]}" and "${list[@]}" in an assignment are one text.
      if (value.kind != Kind::list) {
        return terms::unknown("a list that is made one text");
      }
      for (std::size_t i = 0; i < value.parts.size(); ++i) {
        if (i > 0) {
          parts.push_back(terms::text(" "));
        }
        parts.push_back(value.parts[i]);
      }
      continue;
    }
    parts.push_back(std::move(value));
  }
  return terms::joined(std::move(parts));
}

std::vector<Term> DriverReader::fields_of(const std::vector<shell::Word>& words,
                                          std::size_t first) {
  std::vector<Term> out;
  for (std::size_t i = first; i < words.size(); ++i) {
    for (Term& field : fields_of(words[i])) {
      out.push_back(std::move(field));
    }
  }
  return out;
}

std::vector<Term> DriverReader::fields_of(const shell::Word& word) {
  static constexpr const char* splits = "a variable that the shell would split";
  if (is_secret(word)) {
    return {terms::unknown("a secret in plain text")};
  }
  std::vector<Term> fields;
  for (const shell::Word& one : without_braces(word)) {
    std::vector<Term> current;
    bool there = false; // a quoted empty text is a field too
    bool globs = false;
    const auto finish = [&] {
      if (!current.empty() || there) {
        Term field = terms::joined(std::move(current));
        if (const auto text = terms::constant(field); globs && text && text->starts_with('/')) {
          cluster_patterns_.try_emplace(*text, word.span);
        }
        if (globs && !state_.directory.empty()) {
          field = terms::unknown("a pattern in a directory that it goes to");
        }
        fields.push_back(globs ? terms::make(Kind::files, Type::texts, {std::move(field)}, {},
                                             state_.null_globs ? 1 : 0)
                               : std::move(field));
      }
      current.clear();
      there = false;
    };
    for (const shell::WordPart& part : one.parts) {
      const bool quoted = std::holds_alternative<shell::DoubleQuoted>(part.value) ||
                          std::holds_alternative<shell::SingleQuoted>(part.value) ||
                          std::holds_alternative<shell::AnsiQuoted>(part.value);
      const bool expands = std::holds_alternative<shell::Parameter>(part.value) ||
                           std::holds_alternative<shell::CommandSubstitution>(part.value);
      if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
        globs |= literal->globs;
      }
      Term value = part_value(part, quoted);
      const auto text = terms::constant(value);
      if (expands && text) {
        const auto pieces = split(*text);
        for (std::size_t i = 0; i < pieces.size(); ++i) {
          if (i > 0 || (!current.empty() && text->find_first_of(" \t\n") == 0)) {
            finish();
          }
          current.push_back(terms::text(pieces[i]));
        }
        continue;
      }
      if (value.is_list() && !value.holds_jobs()) {
        if (value.kind == Kind::list) {
          for (std::size_t i = 0; i < value.parts.size(); ++i) {
            if (i > 0) {
              finish();
            }
            const auto element = terms::constant(value.parts[i]);
            const auto pieces = expands && element ? split(*element) : std::vector<std::string>{};
            if (pieces.size() > 1) {
              for (std::size_t k = 0; k < pieces.size(); ++k) {
                if (k > 0) {
                  finish();
                }
                current.push_back(terms::text(pieces[k]));
              }
            } else {
              current.push_back(value.parts[i]);
            }
          }
          continue;
        }
        finish();
        fields.push_back(std::move(value));
        continue;
      }
      if (expands && value.kind == Kind::joined && !holds_job(value)) { // OPTIONS="--lr $lr --fast"
        for (const Term& part_ : value.parts) {
          const auto known = terms::constant(part_);
          if (!known) {
            const bool several = may_part(part_, false);
            needs_constants_ |= several;
            current.push_back(several ? terms::unknown(splits) : part_);
            continue;
          }
          const auto pieces = split(*known);
          const bool blank = known->find_first_of(" \t\n") == 0;
          if (known->find_first_of("*?[") != std::string::npos) {
            current.push_back(terms::unknown(splits));
          }
          for (std::size_t i = 0; i < pieces.size(); ++i) {
            if (i > 0 || (!current.empty() && blank)) {
              finish();
            }
            current.push_back(terms::text(pieces[i]));
          }
          if (!known->empty() && std::string_view(" \t\n").contains(known->back())) {
            finish();
          }
        }
        continue;
      }
      if (expands && !holds_job(value) && may_part(value)) {
        needs_constants_ = true;
        value = terms::unknown(splits);
      }
      there |= quoted;
      current.push_back(std::move(value));
    }
    finish();
  }
  return fields;
}

Term DriverReader::part_value(const shell::WordPart& part, bool quoted) {
  if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
    return terms::text(literal->value);
  }
  if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
    return terms::text(single->value);
  }
  if (const auto* ansi = std::get_if<shell::AnsiQuoted>(&part.value)) {
    return terms::text(ansi->value);
  }
  if (const auto* doubled = std::get_if<shell::DoubleQuoted>(&part.value)) {
    if (doubled->parts.size() == 1) {
      return part_value(doubled->parts.front(), true);
    }
    shell::Word inner;
    inner.parts = doubled->parts;
    return value_of(inner);
  }
  if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
    return parameter_value(*parameter);
  }
  if (const auto* substitution = std::get_if<shell::CommandSubstitution>(&part.value)) {
    return substitution_value(*substitution);
  }
  if (const auto* arithmetic = std::get_if<shell::Arithmetic>(&part.value)) {
    return arithmetic_value(*arithmetic);
  }
  (void)quoted;
  return terms::unknown("an expansion that only the shell can do");
}

Term DriverReader::variable(const std::string& name) {
  const auto found = state_.variables.find(name);
  if (found == state_.variables.end()) {
    return outer_variable(name, std::nullopt);
  }
  return found->second;
}

// A variable that the driver does not set: given to `main`.
Term DriverReader::outer_variable(const std::string& name,
                                  const std::optional<std::string>& default_) {
  if (keep_ambient_ && (name == "PWD" || name == "HOME" || name == "USER")) {
    return terms::text(name == "PWD" ? "${SLURM_SUBMIT_DIR}" : "${" + name + "}");
  }
  if (name == "PWD" && !state_.directory.empty()) {
    return terms::unknown("the directory that it goes to");
  }
  if (analysis::ambient_variable(name) || name.starts_with("SLURM_") || name == "PWD" ||
      name == "RANDOM" || name == "HOSTNAME") {
    return terms::unknown(fmt::format("${} of the shell that runs the driver", name));
  }
  if (name.empty() || (std::isalpha(static_cast<unsigned char>(name[0])) == 0 && name[0] != '_')) {
    return terms::unknown("a special variable of the shell");
  }
  if (analysis::names_secret(name)) { // what a run is given is kept with the run
    return keep_ambient_ ? terms::text("${" + name + "}")
                         : terms::secret(name, default_.value_or(""));
  }
  for (ir::Parameter& known : driver_.parameters) {
    if (known.origin == "$" + name) {
      return terms::make(Kind::parameter, Type::text, {}, known.name);
    }
  }
  ir::Parameter parameter;
  parameter.name = python_name(name);
  while (std::ranges::any_of(driver_.parameters,
                             [&](const auto& each) { return each.name == parameter.name; })) {
    parameter.name += "_";
  }
  parameter.origin = "$" + name;
  parameter.default_ = default_;
  if (const auto read = reads_.find(name); read != reads_.end()) {
    const std::uint32_t begin = read->second.front();
    const std::string& source = context_.sources[driver_.source].text;
    const auto close = source.compare(begin, 2, "${") == 0 ? source.find('}', begin) : begin;
    parameter.span = {driver_.source, begin,
                      close == begin || close == std::string::npos
                          ? begin + 1 + static_cast<std::uint32_t>(name.size())
                          : static_cast<std::uint32_t>(close + 1)};
  }
  driver_.parameters.push_back(parameter);
  return terms::make(Kind::parameter, Type::text, {}, parameter.name);
}

Term DriverReader::positional(int position, const std::optional<std::string>& default_) {
  if (!frames_.empty()) {
    const auto& frame = frames_.back();
    if (static_cast<std::size_t>(position) <= frame.size()) {
      const Term& given = frame[static_cast<std::size_t>(position) - 1];
      return default_ && terms::constant(given) == "" ? terms::text(*default_) : given;
    }
    return terms::text(default_.value_or(""));
  }
  position += driver_shift_;
  if (std::ranges::any_of(driver_.parameters, [](const ir::Parameter& each) {
        return each.type == ir::Type::text_list;
      })) {
    return terms::unknown("one of all arguments");
  }
  for (ir::Parameter& known : driver_.parameters) {
    if (known.position == position) {
      if (default_ && !known.default_) {
        known.default_ = default_;
      }
      return terms::make(Kind::parameter, Type::text, {}, known.name);
    }
  }
  ir::Parameter parameter;
  parameter.name = hint_.empty() ? fmt::format("arg{}", position) : python_name(hint_);
  while (std::ranges::any_of(driver_.parameters,
                             [&](const auto& each) { return each.name == parameter.name; })) {
    parameter.name += "_";
  }
  parameter.origin = fmt::format("${}", position);
  parameter.position = position;
  parameter.default_ = default_;
  driver_.parameters.push_back(parameter);
  return terms::make(Kind::parameter, Type::text, {}, parameter.name);
}

Term DriverReader::parameter_value(const shell::Parameter& parameter) {
  const std::string& name = parameter.name;
  if (parameter.indirect) {
    return terms::unknown("a variable that another one names");
  }
  if (ids_.find(name) != nullptr) {
    return id_value(name, parameter);
  }
  const bool defaults = parameter.op == ":-" || parameter.op == "-" || parameter.op == ":=";
  std::optional<std::string> fallback;
  if (defaults) {
    const Term value =
        parameter.arguments.empty() ? terms::text("") : value_of(parameter.arguments.front());
    fallback = terms::constant(value);
  }
  if (number(name) && name != "0") {
    if (defaults && !fallback) {
      return terms::unknown("a default that is computed");
    }
    Term value = positional(std::stoi(name), fallback);
    const bool plain =
        parameter.op.empty() || defaults || parameter.op == ":?" || parameter.op == "?";
    return plain ? value : edited_value(parameter, std::move(value));
  }
  if (name == "@" || name == "*") {
    return frames_.empty() ? all_arguments() : terms::list(frames_.back());
  }
  if (name == "#" && !frames_.empty()) {
    return terms::integer(static_cast<std::int64_t>(frames_.back().size()));
  }
  if (parameter.subscript) {
    const auto found = state_.variables.find(name);
    if (found == state_.variables.end() || !found->second.is_list()) {
      return terms::unknown(fmt::format("an element of {}", name));
    }
    const Term& list = found->second;
    const auto subscript = (*parameter.subscript)->literal();
    if (subscript == "@" || subscript == "*") {
      return parameter.length       ? terms::make(Kind::count, Type::integer, {list})
             : parameter.op.empty() ? list
                                    : terms::unknown("an operator on all elements of a list");
    }
    Term index = arithmetic_text(context_.sources.text((*parameter.subscript)->span));
    if (terms::first_unknown(index) != nullptr || parameter.length || !parameter.op.empty()) {
      return terms::unknown(fmt::format("an element of {}", name));
    }
    const auto at = terms::constant_integer(index);
    if (at && list.kind == Kind::list) {
      const auto size = static_cast<std::int64_t>(list.parts.size());
      const std::int64_t place = *at < 0 ? size + *at : *at;
      return place >= 0 && place < size ? list.parts[static_cast<std::size_t>(place)]
                                        : terms::text("");
    }
    return terms::make(Kind::item, list.type == Type::integers ? Type::integer : Type::text,
                       {list, std::move(index)});
  }
  const auto found = state_.variables.find(name);
  if (parameter.length) {
    const auto text = found != state_.variables.end() ? terms::constant(found->second)
                                                      : std::optional<std::string>();
    return text ? terms::integer(static_cast<std::int64_t>(text->size()))
                : terms::unknown("the length of a text");
  }
  if (found == state_.variables.end()) {
    return defaults && fallback ? outer_variable(name, fallback)
           : defaults || parameter.op == ":+" || parameter.op == "+"
               ? terms::unknown(fmt::format("whether ${} is set", name))
               : edited_value(parameter, outer_variable(name, std::nullopt));
  }
  Term value = found->second;
  if (value.is_list()) { // $list is its first element
    return value.kind == Kind::list && !value.parts.empty()
               ? value.parts.front()
               : terms::unknown("the first element of a list");
  }
  if (defaults || parameter.op == ":+" || parameter.op == "+") {
    const auto text = terms::constant(value);
    if (!text) {
      return defaults ? value : terms::unknown("whether a variable is empty");
    }
    const bool empty = text->empty();
    if (defaults) {
      return empty && parameter.op != "-" ? value_of(parameter.arguments.front()) : value;
    }
    return empty && parameter.op == ":+" ? terms::text("")
           : parameter.arguments.empty() ? terms::text("")
                                         : value_of(parameter.arguments.front());
  }
  return edited_value(parameter, std::move(value));
}

// What an operator makes of a value: folded, or said in Python where that is plain.
Term DriverReader::edited_value(const shell::Parameter& parameter, Term value) {
  if (parameter.op.empty() || parameter.op == ":?" || parameter.op == "?" ||
      terms::first_unknown(value) != nullptr) {
    const bool whole = parameter.op.empty() || parameter.op == ":?" || parameter.op == "?";
    return value.is_secret() && !whole ? terms::unknown(value.text) : value;
  }
  std::vector<std::string> arguments;
  bool known = true;
  for (const shell::Word& word : parameter.arguments) {
    std::string pattern; // `*` stands for itself here
    for (const shell::WordPart& part : word.parts) {
      const auto* literal = std::get_if<shell::Literal>(&part.value);
      const auto text = literal != nullptr ? std::optional(literal->value)
                                           : terms::constant(part_value(part, true));
      known &= text.has_value() && (literal == nullptr || !literal->escaped);
      pattern += text.value_or("");
    }
    arguments.push_back(pattern);
  }
  if (const auto text = terms::constant(value); text && known) {
    if (const auto result = edited(*text, parameter.op, arguments)) {
      return terms::text(*result);
    }
  }
  const bool plain = known && arguments.size() == 1;
  if (plain && parameter.op == "##" && arguments[0] == "*/") {
    return terms::make(Kind::base_name, Type::text, {std::move(value)});
  }
  if (plain && parameter.op == "%" && arguments[0] == "/*") {
    return terms::make(Kind::directory, Type::text, {std::move(value)});
  }
  if (plain && (parameter.op == "%" || parameter.op == "%%") && !arguments[0].empty() &&
      arguments[0].find_first_of("*?[") == std::string::npos) {
    return terms::make(Kind::trimmed, Type::text, {std::move(value)}, arguments[0]);
  }
  return terms::unknown("an operator on a variable");
}

Term DriverReader::arithmetic_value(const shell::Arithmetic& arithmetic) {
  if (arithmetic.assigns) {
    return terms::unknown("arithmetic that assigns");
  }
  return arithmetic_text(arithmetic.expression);
}

Term DriverReader::arithmetic_text(std::string_view text) {
  return arithmetic(text, [this](const std::string& name) -> Term {
    if (name.starts_with('#')) {
      const auto list = state_.variables.find(name.substr(1));
      return list == state_.variables.end() || !list->second.is_list() ? terms::unknown("a length")
             : list->second.kind == Kind::list
                 ? terms::integer(static_cast<std::int64_t>(list->second.parts.size()))
                 : terms::make(Kind::count, Type::integer, {list->second});
    }
    if (number(name)) {
      return positional(std::stoi(name), std::nullopt);
    }
    if (ids_.find(name) != nullptr) {
      return terms::unknown("arithmetic with a job's id");
    }
    return variable(name);
  });
}

Term DriverReader::substitution_value(const shell::CommandSubstitution& substitution) {
  if (ids_.gives_ids(substitution)) {
    return ids_in(substitution);
  }
  if (substitution.reads_file && substitution.body.size() == 1) {
    const auto& redirects = substitution.body.front().redirects;
    if (redirects.size() == 1) {
      Term file = located(value_of(redirects.front().target));
      looks_at(file, redirects.front().target.span);
      return terms::make(Kind::words, Type::texts, {std::move(file)});
    }
  }
  if (substitution.body.size() != 1) {
    return terms::unknown("the output of several commands");
  }
  const shell::Statement& statement = substitution.body.front();
  const auto* command = shell::as_simple(statement);
  if (const auto* pipeline = std::get_if<shell::Pipeline>(&statement.value)) {
    return sorted_value(*pipeline);
  }
  if (command == nullptr) {
    return terms::unknown("the output of a pipeline");
  }
  return command_value(*command, statement);
}

// find DIR -name PATTERN [-type f] [-maxdepth 1]: the files below a directory of the cluster.
static Term found_files(const std::vector<Term>& words) {
  const Term other = terms::unknown("the output of find");
  if (words.empty() || words.front().is_list()) {
    return other;
  }
  std::string pattern;
  bool deep = true;
  for (std::size_t i = 1; i < words.size(); i += 2) {
    const auto option = terms::constant(words[i]);
    const auto value = i + 1 < words.size() ? terms::constant(words[i + 1]) : std::nullopt;
    if (!option || !value) {
      return other;
    }
    if (*option == "-name" && pattern.empty() && value->find('/') == std::string::npos) {
      pattern = *value;
    } else if (*option == "-maxdepth" && *value == "1") {
      deep = false;
    } else if (*option != "-type" || *value != "f") {
      return other;
    }
  }
  const auto directory = terms::constant(words.front());
  const bool given = words.front().kind == Kind::parameter;
  if (pattern.empty() || (!given && (!directory || !directory->starts_with('/')))) {
    return other;
  }
  return terms::make(Kind::files, Type::texts,
                     {terms::joined({words.front(), terms::text("/" + pattern)})},
                     deep ? "deep" : "", 1);
}

// $(ls DIR/*.csv | sort): the names are sorted anyhow.
Term DriverReader::sorted_value(const shell::Pipeline& pipeline) {
  const Term other = terms::unknown("the output of a pipeline");
  const auto* first = shell::as_simple(pipeline.commands.front());
  if (pipeline.commands.size() != 2 || first == nullptr) {
    return other;
  }
  const auto* last = shell::as_simple(pipeline.commands.back());
  if (last == nullptr || last->words.size() != 1 || last->words.front().literal() != "sort" ||
      !pipeline.commands.back().redirects.empty()) {
    return other;
  }
  Term files = command_value(*first, pipeline.commands.front());
  return files.kind == Kind::files ? files : other;
}

Term DriverReader::command_value(const shell::SimpleCommand& command,
                                 const shell::Statement& statement) {
  const auto name = analysis::command_name(command);
  if (!name || !command.assignments.empty()) {
    return terms::unknown("the output of a command");
  }
  const auto words = [&] { return fields_of(command.words, 1); };
  if (*name == "seq") {
    return sequence(words());
  }
  if (*name == "echo") {
    std::vector<Term> parts;
    for (const Term& field : words()) {
      if (!parts.empty()) {
        parts.push_back(terms::text(" "));
      }
      if (field.is_list()) {
        return command.words.size() == 2 ? field : terms::unknown("the output of echo");
      }
      parts.push_back(field);
    }
    return terms::joined(std::move(parts));
  }
  if (*name == "basename" || *name == "dirname") {
    const auto given = words();
    if (given.empty() || given.size() > 2 || given[0].is_list()) {
      return terms::unknown(fmt::format("the output of {}", *name));
    }
    const auto text = terms::constant(given[0]);
    const auto suffix = given.size() == 2 ? terms::constant(given[1]) : std::string();
    if (!suffix) {
      return terms::unknown("the output of basename");
    }
    if (text && *name == "basename") {
      std::string base = text->substr(text->find_last_of('/') + 1);
      if (!suffix->empty() && base.ends_with(*suffix) && base != *suffix) {
        base.resize(base.size() - suffix->size());
      }
      return terms::text(base);
    }
    Term path = terms::make(*name == "basename" ? Kind::base_name : Kind::directory, Type::text,
                            {given[0]});
    return suffix->empty() ? path
                           : terms::make(Kind::trimmed, Type::text, {std::move(path)}, *suffix);
  }
  if (*name == "ls" && statement.redirects.empty()) {
    auto given = words();
    std::erase_if(given, [](const Term& word) { return terms::constant(word) == "-d"; });
    if (given.size() == 1 && given[0].kind == Kind::files) {
      Term files = given[0];
      files.number = 1; // it complains where there is none
      return files;
    }
    return terms::unknown("the output of ls");
  }
  if (*name == "pwd" && !state_.directory.empty()) {
    return terms::unknown("the directory that it goes to");
  }
  if (*name == "find" && statement.redirects.empty()) {
    return found_files(words());
  }
  if (*name == "cat" && command.words.size() == 2) {
    const Term file = located(value_of(command.words[1]));
    looks_at(file, command.words[1].span);
    return file.is_list() ? terms::unknown("the text of several files")
                          : terms::make(Kind::words, Type::texts, {file});
  }
  if (*name == "wc" && command.words.size() >= 2 && command.words[1].literal() == "-l" &&
      statement.redirects.size() == 1 && command.words.size() == 2 &&
      statement.redirects.front().kind == shell::RedirectKind::input) {
    Term file = located(value_of(statement.redirects.front().target));
    looks_at(file, statement.redirects.front().target.span);
    return terms::make(Kind::count, Type::integer,
                       {terms::make(Kind::lines, Type::texts, {std::move(file)})});
  }
  if (*name == "printf") {
    const auto given = words();
    const auto format = given.size() == 2 ? terms::constant(given[0]) : std::nullopt;
    if (format && format->size() >= 4 && format->starts_with("%0") && format->ends_with('d') &&
        number(format->substr(2, format->size() - 3))) {
      const std::int64_t width = std::stoll(format->substr(2, format->size() - 3));
      if (const auto value = terms::constant_integer(given[1])) {
        return terms::text(fmt::format("{:0{}}", *value, static_cast<std::size_t>(width)));
      }
      return terms::make(Kind::padded, Type::text, {given[1]}, {}, width);
    }
    return format == "%s" ? given[1] : terms::unknown("the output of printf");
  }
  return terms::unknown(fmt::format("the output of {}", *name));
}

// $id, ${ids[@]}, ${deps#:}, ${prev:+--dependency=afterok:$prev}
Term DriverReader::id_value(const std::string& name, const shell::Parameter& parameter) {
  const IdVariable& id = *ids_.find(name);
  if (parameter.op == ":+" || parameter.op == "+") {
    return parameter.arguments.empty() ? terms::text("") : value_of(parameter.arguments.front());
  }
  const auto now = state_.variables.find(name);
  if (now == state_.variables.end()) {
    return id.type == Type::job || id.type == Type::maybe_job
               ? terms::unknown(fmt::format("${} before any job gave it a value", name))
               : terms::text("");
  }
  if (parameter.length) {
    return terms::make(Kind::count, Type::integer, {now->second});
  }
  const auto subscript =
      parameter.subscript ? (*parameter.subscript)->literal() : std::optional<std::string>();
  const bool all = !parameter.subscript || subscript == "@" || subscript == "*";
  if (!all && (id.type == Type::jobs || id.type == Type::job_map)) {
    const std::string_view key = context_.sources.text((*parameter.subscript)->span);
    Term index = id.type == Type::jobs ? arithmetic_text(key) : map_key(**parameter.subscript);
    if (const Term* unknown = terms::first_unknown(index)) {
      return *unknown;
    }
    return terms::make(Kind::item, Type::job, {now->second, std::move(index)});
  }
  if (id.type != Type::jobs && state_.raw.contains(name) && parameter.op.empty() && all) {
    return terms::joined({terms::text("Submitted batch job "), now->second});
  }
  if (now->second.kind == Kind::unknown || id.type != Type::jobs) {
    return now->second;
  }
  std::vector<Term> parts;
  parts.push_back(terms::text(state_.heads[name] + state_.separators[name]));
  parts.push_back(now->second);
  return terms::joined(std::move(parts));
}

// All of the driver's own arguments: a list that `main` is given.
Term DriverReader::all_arguments() {
  for (const ir::Parameter& known : driver_.parameters) {
    if (known.position != 0) {
      return terms::unknown("the arguments that are left");
    }
    if (known.type == ir::Type::text_list) {
      return terms::make(Kind::parameter, Type::texts, {}, known.name);
    }
  }
  if (driver_shift_ != 0) {
    return terms::unknown("the arguments that are left");
  }
  ir::Parameter parameter;
  parameter.name = "arguments";
  parameter.type = ir::Type::text_list;
  parameter.origin = "$@";
  driver_.parameters.push_back(parameter);
  return terms::make(Kind::parameter, Type::texts, {}, parameter.name);
}

// The key of an element: a number where it can be, so that ids[0] and ids[$i] agree.
Term DriverReader::map_key(const shell::Word& word) {
  const Term text = value_of(word);
  if (const auto value = terms::constant_integer(text)) {
    return terms::integer(*value);
  }
  const Term number = arithmetic_text(context_.sources.text(word.span));
  if (number.type == Type::integer && terms::first_unknown(number) == nullptr) {
    return number;
  }
  return text;
}

// The ids that filters cut out of text: those of the variables that are mentioned.
Term DriverReader::ids_in(const shell::CommandSubstitution& substitution) {
  std::vector<Term> found;
  for (const shell::Statement& statement : substitution.body) {
    const auto look = [&](const shell::Statement& one) {
      const auto* command = shell::as_simple(one);
      for (std::size_t i = 1; command != nullptr && i < command->words.size(); ++i) {
        if (ids_.mentions(command->words[i])) {
          found.push_back(value_of(command->words[i]));
        }
      }
      for (const shell::Redirect& redirect : one.redirects) {
        if (redirect.kind == shell::RedirectKind::herestring && ids_.mentions(redirect.target)) {
          found.push_back(value_of(redirect.target));
        }
      }
    };
    if (const auto* pipeline = std::get_if<shell::Pipeline>(&statement.value)) {
      std::ranges::for_each(pipeline->commands, look);
    } else {
      look(statement);
    }
  }
  if (found.size() != 1) {
    return terms::unknown("text that is made of jobs' ids");
  }
  return found.front();
}

} // namespace s2f::passes
