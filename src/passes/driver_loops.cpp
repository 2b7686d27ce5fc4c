// Loops and choices of drivers.
//
// before:  for lr in 0.1 0.2; do sbatch train.sh $lr; done
// after:   Each{lr, ("0.1", "0.2"), {Submitted{0}}}; written out where an option or a script's
//          name depends on the variable
#include <algorithm>
#include <cctype>
#include <iterator>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;

constexpr std::size_t most_written_out = 64;

std::string trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
    text.remove_suffix(1);
  }
  return std::string(text);
}

bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(text,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// "i++", "i+=2", "i=i+1", "--i": the variable and by how much.
std::optional<std::pair<std::string, std::int64_t>> stepped(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  for (const auto& [mark, step] : {std::pair{"++", 1}, {"--", -1}}) {
    if (text.ends_with(mark) && is_name(text.substr(0, text.size() - 2))) {
      return std::pair{text.substr(0, text.size() - 2), step};
    }
    if (text.starts_with(mark) && is_name(text.substr(2))) {
      return std::pair{text.substr(2), step};
    }
  }
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return std::nullopt;
  }
  const char sign = text[equals - 1];
  std::string name = text.substr(0, equals);
  std::string by = text.substr(equals + 1);
  bool minus = sign == '-';
  if (sign == '+' || sign == '-') {
    name.pop_back();
  } else {
    for (const std::string& self : {name, "$" + name, "${" + name + "}"}) {
      if (by.starts_with(self + "+") || by.starts_with(self + "-")) {
        minus = by[self.size()] == '-';
        by.erase(0, self.size() + 1);
        break;
      }
      if (by.ends_with("+" + self)) {
        by.resize(by.size() - self.size() - 1);
        break;
      }
    }
  }
  const auto value = terms::constant_integer(terms::text(by));
  if (!is_name(name) || !value) {
    return std::nullopt;
  }
  return std::pair{name, minus ? -*value : *value};
}

// Those that may run or not, or several times.
std::vector<shell::Statement> compounds(const std::vector<shell::Statement>& statements) {
  std::vector<shell::Statement> out;
  for (const shell::Statement& statement : statements) {
    if (!std::holds_alternative<shell::SimpleCommand>(statement.value)) {
      out.push_back(statement);
    }
  }
  return out;
}

} // namespace

std::set<std::string>
DriverReader::written_in(const std::vector<shell::Statement>& statements) const {
  std::set<std::string> names;
  std::set<std::string> called;
  analysis::Visitor visitor;
  visitor.functions = false;
  visitor.assignment = [&](const shell::Assignment& assignment) { names.insert(assignment.name); };
  visitor.statement = [&](const shell::Statement& statement) {
    if (const auto* loop = std::get_if<shell::For>(&statement.value)) {
      names.insert(loop->variable);
    }
    if (const auto* command = shell::as_simple(statement)) {
      const auto name = analysis::command_name(*command);
      const auto function = name ? functions_.find(*name) : functions_.end();
      if (function != functions_.end() && called.insert(*name).second) {
        analysis::walk(*function->second, visitor);
      }
    }
    for (const std::string& name : analysis::effects_of(statement).writes) {
      names.insert(name);
    }
  };
  for (const shell::Statement& statement : statements) {
    analysis::walk(statement, visitor);
  }
  return names;
}

// Before a loop or a choice: what it changes becomes a variable of `main`.
void DriverReader::bind_before(const std::set<std::string>& written, const Span& span) {
  for (const std::string& name : written) {
    if (const IdVariable* id = ids_.find(name)) {
      if (state_.variables.contains(name)) {
        continue;
      }
      const bool list = id->type == Type::jobs || id->type == Type::job_map;
      if (list || read_outside(name, span)) {
        push(ir::Bind{name, list ? terms::make(Kind::list, id->type, {})
                                 : terms::make(Kind::no_job, Type::maybe_job, {})},
             span);
        state_.variables[name] = terms::name(name, list ? id->type : Type::maybe_job);
      }
      continue;
    }
    if (state_.bound.contains(name)) {
      continue;
    }
    const auto now = state_.variables.find(name);
    Term value = now == state_.variables.end() ? terms::text("") : now->second;
    state_.bound.insert(name);
    if (terms::first_unknown(value) != nullptr) {
      continue;
    }
    if (value.kind == Kind::text && is_integer(name)) {
      value = terms::constant_integer(value) ? terms::integer(*terms::constant_integer(value))
                                             : terms::integer(0);
    }
    state_.variables[name] = terms::name(name, value.type);
    push(ir::Bind{name, std::move(value)}, span);
  }
}

// Whether the variable is read outside of this place, or in it before it is written.
bool DriverReader::read_outside(const std::string& name, const Span& span) const {
  const auto reads = reads_.find(name);
  if (reads == reads_.end()) {
    return false;
  }
  const auto writes = writes_.find(name);
  return std::ranges::any_of(reads->second, [&](std::uint32_t at) {
    if (at < span.begin || at >= span.end) {
      return at >= span.end;
    }
    return writes != writes_.end() &&
           std::ranges::none_of(writes->second, [&](std::uint32_t written) {
             return written >= span.begin && written < at;
           });
  });
}

DriverReader::Why DriverReader::each(const Span& span, const std::string& variable, Term over,
                                     const std::vector<shell::Statement>& body) {
  if (const Term* unknown = terms::first_unknown(over)) {
    return fmt::format("a loop over {}", unknown->text);
  }
  if (over.kind == Kind::list && over.parts.empty()) {
    return {};
  }
  std::vector<Term> values;
  if (over.kind == Kind::list) {
    values = over.parts;
  } else if (over.kind == Kind::range) {
    const auto first = terms::constant_integer(over.parts[0]);
    const auto last = terms::constant_integer(over.parts[1]);
    if (first && last &&
        (*last - *first) / over.number < static_cast<std::int64_t>(most_written_out)) {
      for (std::int64_t at = *first; over.number > 0 ? at <= *last : at >= *last;
           at += over.number) {
        values.push_back(terms::integer(at));
      }
    }
  }
  const Term loop_pattern = over;
  const bool constant = !values.empty() && std::ranges::all_of(values, [](const Term& value) {
    return terms::constant(value).has_value();
  });
  std::vector<Term> directories = values.empty() ? there(loop_pattern) : std::vector<Term>();
  const Mark before = mark();
  const bool needed = std::exchange(needs_constants_, false);
  std::set<std::string> written = written_in(body);
  written.erase(variable);
  invalidate(variable, span);
  std::set<std::string> carried = written;
  std::set<std::string> sometimes = written_in(compounds(body));
  std::erase_if(sometimes, [&](const std::string& name) { return loop_variables_.contains(name); });
  std::erase_if(carried, [&](const std::string& name) {
    return ids_.find(name) == nullptr && !sometimes.contains(name) && !read_outside(name, span);
  });
  bind_before(carried, span);
  ir::Each loop;
  loop.variable = variable;
  const Type type = over.type == Type::integers ? Type::integer : Type::text;
  loop.over = std::move(over);
  if (loop.over.kind == Kind::lines || may_part(loop.over)) {
    parted_.insert(variable);
  } else {
    parted_.erase(variable);
  }
  state_.variables[variable] = terms::name(variable, type);
  state_.bound.erase(variable);
  std::vector<ir::DriverStep>* outer = std::exchange(out_, &loop.body);
  ++loops_;
  Why why = block(body);
  --loops_;
  out_ = outer;
  if (why.empty() && state_.directory != before.state.directory) {
    why = "a loop that goes on in another directory each time";
    needs_constants_ = true;
  }
  if (why.empty() && constant && adds_to_script(before.state)) {
    why = "a job script that a loop adds to";
    needs_constants_ = true;
  }
  if (why.empty()) {
    for (const std::string& name : written) {
      if (ids_.find(name) != nullptr) {
        continue;
      }
      const auto now = state_.variables.find(name);
      if (now != state_.variables.end() && terms::first_unknown(now->second) == nullptr) {
        state_.variables[name] = terms::name(name, now->second.type);
      } else {
        state_.variables[name] = terms::unknown(fmt::format("${} as a loop leaves it", name));
      }
    }
    state_.variables[variable] = terms::unknown(fmt::format("${} as a loop leaves it", variable));
    skip_rest_ = false;
    tear_added(before.state);
    push(std::move(loop), span);
  } else if (needs_constants_ && constant && unrolled_ + values.size() <= most_written_out) {
    back_to(before);
    needs_constants_ = false;
    why = unrolled(variable, values, body);
  } else if (needs_constants_ && !directories.empty() &&
             unrolled_ + directories.size() <= most_written_out) {
    back_to(before);
    needs_constants_ = false;
    why = unrolled(variable, directories, body);
    if (why.empty()) {
      say_there(loop_pattern, directories, span);
    }
  }
  needs_constants_ |= needed;
  return why;
}

// What a pattern matches beside the driver, as far as that is there.
std::vector<Term> DriverReader::there(const Term& pattern) const {
  std::vector<Term> found;
  const auto text =
      pattern.kind == Kind::files ? terms::constant(pattern.parts.front()) : std::nullopt;
  if (text && context_.beside && state_.directory.empty() && !text->starts_with('/')) {
    for (std::string& name : context_.beside(*text)) {
      found.push_back(terms::text(std::move(name)));
    }
  }
  return found;
}

void DriverReader::say_there(const Term& pattern, const std::vector<Term>& found,
                             const Span& span) {
  review::Finding finding;
  finding.rule = "S2F372";
  finding.span = span;
  finding.message = fmt::format("The driver goes through {}: {} that lie beside it.",
                                *terms::constant(pattern.parts.front()), found.size());
  finding.slurm_does = "It goes through what is there when it runs.";
  finding.output_does =
      "`main` has those that were there when it was converted, each with its own call.";
  finding.choices = {"these", "others: convert again when they have changed"};
  finding.default_ = finding.choices[0];
  context_.findings.add(std::move(finding));
}

// The body once for each value.
DriverReader::Why DriverReader::unrolled(const std::string& variable,
                                         const std::vector<Term>& values,
                                         const std::vector<shell::Statement>& body) {
  for (const Term& value : values) {
    ++unrolled_;
    state_.variables[variable] = value;
    if (Why why = block(body); !why.empty()) {
      return why;
    }
    if (std::exchange(skip_rest_, false) && !out_->empty()) {
      const auto* left = std::get_if<ir::LeaveEach>(&out_->back().value);
      const bool stop = left != nullptr && !left->next;
      if (left != nullptr) {
        out_->pop_back();
      }
      if (stop) {
        return {};
      }
    }
  }
  return {};
}

DriverReader::Why DriverReader::loop(const shell::Statement& statement, const shell::For& loop) {
  if (loop.select) {
    return "a menu that asks whoever runs the driver";
  }
  std::vector<Term> fields;
  if (loop.in) {
    fields = fields_of(loop.words);
  } else if (!frames_.empty()) {
    fields = frames_.back();
  } else {
    fields.push_back(all_arguments());
  }
  Term over =
      fields.size() == 1 && fields.front().is_list()
          ? fields.front()
          : terms::make(std::ranges::any_of(fields, &Term::is_list) ? Kind::together : Kind::list,
                        Type::texts, fields);
  if (over.kind == Kind::together) {
    for (const Term& part : fields) {
      if (part.type == Type::integers) {
        return "a loop over numbers and other words";
      }
    }
  }
  // Whole numbers one after another, as {1..5} gives them, are a range.
  if (over.kind == Kind::list && over.parts.size() > 2) {
    std::vector<std::int64_t> numbers;
    for (const Term& part : over.parts) {
      if (const auto value = terms::constant_integer(part);
          value && std::to_string(*value) == terms::constant(part)) {
        numbers.push_back(*value);
      }
    }
    const bool all = numbers.size() == over.parts.size();
    bool regular = all;
    for (std::size_t i = 1; all && i < numbers.size(); ++i) {
      regular &= numbers[i] - numbers[i - 1] == numbers[1] - numbers[0];
    }
    if (regular && numbers[1] != numbers[0]) {
      over = terms::make(Kind::range, Type::integers,
                         {terms::integer(numbers.front()), terms::integer(numbers.back())}, {},
                         numbers[1] - numbers[0]);
    }
  }
  return each(statement.span, loop.variable, std::move(over), loop.body);
}

DriverReader::Why DriverReader::loop(const shell::Statement& statement,
                                     const shell::ArithmeticFor& loop) {
  static const Why other = "a loop whose end is known only when the driver runs";
  const auto equals = loop.init.find('=');
  const auto step = stepped(loop.step);
  if (equals == std::string::npos || !step) {
    return other;
  }
  const std::string name = trim(std::string_view(loop.init).substr(0, equals));
  const Term first = arithmetic_text(std::string_view(loop.init).substr(equals + 1));
  const std::string condition = trim(loop.condition);
  if (step->first != name || !condition.starts_with(name) || step->second == 0) {
    return other;
  }
  std::string rest = trim(std::string_view(condition).substr(name.size()));
  const bool down = step->second < 0;
  if (rest.size() < 2 || rest[0] != (down ? '>' : '<') || written_in(loop.body).contains(name)) {
    return other;
  }
  const bool included = rest[1] == '=';
  Term last = arithmetic_text(rest.substr(included ? 2 : 1));
  if (!included) {
    last = terms::binary(down ? "+" : "-", std::move(last), terms::integer(1));
  }
  return each(statement.span, name,
              terms::make(Kind::range, Type::integers, {first, std::move(last)}, {}, step->second),
              loop.body);
}

DriverReader::Why DriverReader::loop(const shell::Statement& statement, const shell::While& loop) {
  static const Why other = "a loop whose end is known only when the driver runs";
  if (const auto names = polled(statement); !names.empty()) {
    return wait_for_polled(statement, names);
  }
  if (waits_for_file(statement)) {
    return wait_for_file(statement);
  }
  if (loop.condition.size() != 1) {
    return other;
  }
  // while read -r name; do ... done < file
  const auto* command = shell::as_simple(loop.condition.front());
  if (command != nullptr && !loop.until && analysis::command_name(*command) == "read") {
    if (statement.redirects.size() != 1 ||
        statement.redirects.front().kind != shell::RedirectKind::input ||
        statement.redirects.front().descriptor) {
      return "a loop that reads what a command prints";
    }
    std::vector<std::string> names;
    std::string how = "escapes"; // what read does besides
    for (std::size_t i = 1; i < command->words.size(); ++i) {
      const auto word = command->words[i].literal();
      if (word == "-r") {
        how.clear();
      } else if (!word || word->starts_with('-')) {
        return "a loop that reads a file in another form";
      } else {
        names.push_back(*word);
      }
    }
    for (const shell::Assignment& each : command->assignments) {
      if (each.name != "IFS" || !each.value || each.value->literal() != "") {
        return "a loop that splits the lines of a file";
      }
      how += how.empty() ? "blanks" : " blanks";
    }
    Term file = located(value_of(statement.redirects.front().target));
    if (names.empty() || terms::first_unknown(file) != nullptr) {
      return "a loop that reads a file whose name is not known";
    }
    looks_at(file, statement.redirects.front().target.span);
    Term lines = terms::make(Kind::lines, Type::texts, {std::move(file)}, how);
    if (names.size() == 1) {
      return each(statement.span, names.front(), std::move(lines), loop.body);
    }
    return "a loop that splits the lines of a file";
  }
  // while [ $i -le 10 ]; do ... i=$((i+1)); done
  Term test = condition(loop.condition.front());
  if (loop.until) {
    test = terms::negated(std::move(test));
  }
  if (const auto value = terms::constant_boolean(test); value && !*value) {
    return {};
  }
  if (loop.body.empty()) {
    return other;
  }
  const shell::Statement& last = loop.body.back();
  std::optional<std::pair<std::string, std::int64_t>> step;
  if (const auto* arithmetic = std::get_if<shell::ArithmeticCommand>(&last.value)) {
    step = stepped(arithmetic->arithmetic.expression);
  } else if (const auto* simple = shell::as_simple(last)) {
    if (simple->words.size() == 2 && analysis::command_name(*simple) == "let") {
      step = stepped(std::string(value_of(simple->words[1]).text));
    } else if (simple->words.empty() && simple->assignments.size() == 1) {
      std::string text(context_.sources.text(last.span));
      for (const std::string_view mark : {"$((", "))", "$[", "]", "`expr ", "`", "$(expr ", ")"}) {
        for (auto found = text.find(mark); found != std::string::npos; found = text.find(mark)) {
          text.erase(found, mark.size());
        }
      }
      step = stepped(text);
    }
  }
  if (!step || step->second == 0) {
    return other;
  }
  const auto now = state_.variables.find(step->first);
  const auto first =
      now == state_.variables.end() ? std::nullopt : terms::constant_integer(now->second);
  std::vector<shell::Statement> body(loop.body.begin(), loop.body.end() - 1);
  if (!first || written_in(body).contains(step->first)) {
    return other;
  }
  // The test with the variable as it is in the loop.
  const Term saved = now->second;
  state_.variables[step->first] = terms::name(step->first, Type::integer);
  Term inside = condition(loop.condition.front());
  if (loop.until) {
    inside = terms::negated(std::move(inside));
  }
  state_.variables[step->first] = saved;
  const bool down = step->second < 0;
  const bool known = inside.kind == Kind::binary && inside.parts[0].kind == Kind::name &&
                     inside.parts[0].text == step->first && !inside.text.empty() &&
                     inside.text[0] == (down ? '>' : '<') &&
                     !terms::mentions(inside.parts[1], step->first);
  bool continues = false;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& each) {
    const auto* simple = shell::as_simple(each);
    continues |= simple != nullptr && analysis::command_name(*simple) == "continue";
  };
  for (const shell::Statement& each : body) {
    analysis::walk(each, visitor);
  }
  if (!known || continues) {
    return other;
  }
  Term end = inside.parts[1];
  if (inside.text.size() == 1) {
    end = terms::binary(down ? "+" : "-", std::move(end), terms::integer(1));
  }
  return each(statement.span, step->first,
              terms::make(Kind::range, Type::integers, {terms::integer(*first), std::move(end)}, {},
                          step->second),
              body);
}

// Whether a test is of how many arguments there are, of one that is empty, of a call for help, or
// of how a submission ended. Which file or mode an argument names is another matter.
static bool asks_what_is_missing(std::string_view text) {
  const auto any = [&](std::initializer_list<std::string_view> signs) {
    return std::ranges::any_of(signs, [&](std::string_view sign) { return text.contains(sign); });
  };
  return any({"$#", "${#}", "$?", "-z", "\"\"", "''", "! $", "! \"$", "x$", "x\"$", "-h\"", "\"-h",
              "= -h", "=-h", "help"}) &&
         !any({" -f ", " -d ", " -e ", " -r ", " -s ", " -x "});
}

// if [ $# -lt 2 ]; then echo "usage: ..."; exit 1; fi: `flyte run` asks for the parameters.
bool DriverReader::checks_usage(const shell::IfBranch& branch) {
  bool about = false;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      about |= parameter->name == "#" || parameter->name == "1" || parameter->name == "2" ||
               parameter->name == "3" || parameter->name == "@" || parameter->name == "?";
    }
  };
  for (const shell::Statement& statement : branch.condition) {
    analysis::walk(statement, visitor);
    const std::string_view text = context_.sources.text(statement.span);
    about |= text.find("$#") != std::string_view::npos;
    about &= asks_what_is_missing(text);
  }
  if (!about || branch.body.empty()) {
    return false;
  }
  const auto* last = shell::as_simple(branch.body.back());
  const auto name = last != nullptr ? analysis::command_name(*last) : std::nullopt;
  std::vector<shell::Statement> before(branch.body.begin(), branch.body.end() - 1);
  return (name == "exit" || name == "usage" || name == "return") && only_prints(before);
}

DriverReader::Why DriverReader::choose(const shell::Statement& statement, const shell::If& choice) {
  if (const auto& branches = choice.branches;
      branches.size() <= 2 && branches.front().condition.size() == 1 &&
      branches.back().condition.empty() == (branches.size() == 2)) {
    if (auto chosen =
            chooses_by_end(branches.front().condition.front(), branches.front().body,
                           branches.size() == 2 ? &branches.back().body : nullptr, false)) {
      return *chosen;
    }
  }
  if (frames_.empty() && choice.branches.size() == 1 && checks_usage(choice.branches.front())) {
    dropped_ = "flyte run asks for what is missing";
    return {};
  }
  if (auto recovered = recover(statement, choice)) {
    return *recovered;
  }
  std::vector<std::pair<std::optional<Term>, const std::vector<shell::Statement>*>> list;
  for (const shell::IfBranch& branch : choice.branches) {
    if (branch.condition.empty()) {
      list.emplace_back(std::nullopt, &branch.body);
      continue;
    }
    Term test = condition(branch.condition);
    const auto value = terms::constant_boolean(test);
    if (value && !*value) {
      continue;
    }
    list.emplace_back(value ? std::nullopt : std::optional(std::move(test)), &branch.body);
    if (value) {
      break;
    }
  }
  return branches(statement.span, list);
}

DriverReader::Why DriverReader::choose(const shell::Statement& statement,
                                       const shell::Case& choice) {
  if (auto recovered = recover(statement, choice)) {
    return *recovered;
  }
  const Term subject = value_of(choice.subject);
  if (const Term* unknown = terms::first_unknown(subject)) {
    return fmt::format("a case on {}", unknown->text);
  }
  std::vector<std::pair<std::optional<Term>, const std::vector<shell::Statement>*>> list;
  for (const shell::CaseItem& item : choice.items) {
    if (item.terminator != ";;" && !item.terminator.empty()) {
      return "a case that goes on into the next";
    }
    std::optional<Term> test;
    bool otherwise = false;
    for (const shell::Word& pattern : item.patterns) {
      if (context_.sources.text(pattern.span) == "*") {
        otherwise = true;
        continue;
      }
      const auto text = pattern.literal();
      if (!text) {
        return "a case with patterns";
      }
      Term one = terms::binary("==", subject, terms::text(*text));
      test = test ? terms::binary("or", *test, std::move(one)) : std::move(one);
    }
    if (otherwise) {
      list.emplace_back(std::nullopt, &item.body);
      break;
    }
    const auto value = test ? terms::constant_boolean(*test) : std::nullopt;
    if (value && !*value) {
      continue;
    }
    list.emplace_back(value ? std::nullopt : test, &item.body);
    if (value) {
      break;
    }
  }
  return branches(statement.span, list);
}

DriverReader::Why DriverReader::branches(
    const Span& span,
    const std::vector<std::pair<std::optional<Term>, const std::vector<shell::Statement>*>>& list) {
  if (list.empty()) {
    return {};
  }
  if (!list.front().first) { // always
    return block(*list.front().second);
  }
  for (const auto& [test, body] : list) {
    if (const Term* unknown = test ? terms::first_unknown(*test) : nullptr) {
      return unknown->text;
    }
  }
  std::set<std::string> written;
  for (const auto& [test, body] : list) {
    written.merge(written_in(*body));
  }
  bind_before(written, span);
  ir::Choice choice;
  const State before = state_;
  std::vector<State> after;
  for (const auto& [test, body] : list) {
    state_ = before;
    choice.branches.push_back({test, {}});
    std::vector<ir::DriverStep>* outer = std::exchange(out_, &choice.branches.back().body);
    ++choices_;
    Why why = block(*body);
    --choices_;
    out_ = outer;
    if (!why.empty()) {
      return why;
    }
    if (!std::exchange(skip_rest_, false) && !std::exchange(state_.ended, false)) {
      if (state_.directory != before.directory) {
        return "a change of directory that depends on a condition";
      }
      after.push_back(state_);
    }
  }
  if (list.back().first) {
    after.push_back(before);
  }
  if (after.empty()) {
    skip_rest_ = true;
    state_ = before;
  } else {
    state_ = after.front();
  }
  for (const std::string& name : written) {
    for (const State& other : after) {
      const auto mine = state_.variables.find(name);
      const auto theirs = other.variables.find(name);
      if (mine == state_.variables.end() || theirs == other.variables.end()) {
        state_.variables[name] = terms::unknown(fmt::format("${} as an if leaves it", name));
      } else if (!(mine->second == theirs->second)) {
        const bool unknown = terms::first_unknown(mine->second) != nullptr ||
                             terms::first_unknown(theirs->second) != nullptr;
        const bool maybe =
            mine->second.type == Type::maybe_job || theirs->second.type == Type::maybe_job;
        state_.variables[name] =
            unknown ? terms::unknown(fmt::format("${} as an if leaves it", name))
                    : terms::name(name, maybe ? Type::maybe_job : mine->second.type);
      }
    }
  }
  for (const State& other : after) {
    for (const auto& [name, head] : other.heads) {
      if (!head.empty()) {
        state_.heads[name] = head;
      }
    }
    for (const auto& [name, separator] : other.separators) {
      if (!separator.empty()) {
        state_.separators[name] = separator;
      }
    }
  }
  for (const State& other : after) { // what only some of them export
    std::ranges::set_symmetric_difference(
        other.exported, before.exported,
        std::inserter(state_.maybe_exported, state_.maybe_exported.end()));
    state_.all_exported |= other.all_exported;
  }
  tear_files(after);
  push(std::move(choice), span);
  return {};
}

} // namespace s2f::passes
