// Words to values.
#include "passes/scope.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "generated/tables/ambient_variables.hpp"
#include "generated/tables/slurm_variables.hpp"
#include "passes/brace_words.hpp"
#include "passes/names.hpp"

namespace s2f::passes {

namespace {

bool split_or_globbed(std::string_view text) {
  return text.find_first_of(" \t\n*?[") != std::string_view::npos;
}

// Whether blanks in it are meant to part words: somebody wrote them, or a program prints them.
bool splits(const ir::ValuePart& part) {
  if (const auto* computed = std::get_if<ir::Computed>(&part)) {
    const bool argument = computed->operation == ir::Operation::item_or_nothing &&
                          std::holds_alternative<ir::ParameterRef>(
                              computed->operands.front().parts.front()); // it may not be there
    return argument || computed->operation == ir::Operation::instead ||
           computed->operation == ir::Operation::joined || // ARGS="$@"
           (!computed->one_word && computed->operation != ir::Operation::now &&
            std::ranges::any_of(computed->operands, [](const ir::Value& operand) {
              return std::ranges::any_of(operand.parts, splits);
            }));
  }
  const auto* text = std::get_if<ir::Text>(&part);
  const auto* local = std::get_if<ir::Local>(&part);
  return std::holds_alternative<ir::Output>(part) || (local != nullptr && local->splits) ||
         (text != nullptr && split_or_globbed(text->text));
}

// A parameter that is meant to be several words, or none: OPTS=${1:-"-a 1 -b 2"}, $EXTRA_ARGS.
bool holds_words(const ir::ValuePart& part, const ir::Job& job) {
  const auto* reference = std::get_if<ir::ParameterRef>(&part);
  const auto parameter = reference == nullptr ? job.parameters.end()
                                              : std::ranges::find(job.parameters, reference->name,
                                                                  &ir::Parameter::name);
  if (parameter == job.parameters.end() || parameter->type != ir::Type::text) {
    return false;
  }
  if (parameter->origin.starts_with('$') &&
      job.given.contains(parameter->origin.substr(1) + "*")) { // as its driver says
    return true;
  }
  if (parameter->default_ && (split_or_globbed(*parameter->default_) ||
                              (parameter->default_->empty() && parameter->position == 0))) {
    return true;
  }
  static constexpr std::array plural{"args",  "arguments", "opts",    "options", "opt", "flags",
                                     "extra", "params",    "command", "cmd",     "list"};
  for (std::size_t at = 0; at < parameter->name.size();) {
    const std::size_t end = std::min(parameter->name.find('_', at), parameter->name.size());
    const std::string_view word = std::string_view(parameter->name).substr(at, end - at);
    if (std::ranges::find(plural, word) != plural.end()) {
      return true;
    }
    at = end + 1;
  }
  return false;
}

// Not `?`, `*` or another of the shell's own.
bool plain_name(std::string_view name) {
  return std::ranges::all_of(name,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; }) &&
         std::isdigit(static_cast<unsigned char>(name[0])) == 0 && name != "_";
}

// ---- patterns: as Python's glob has them

// A text within a pattern, so that nothing in it matches but itself.
std::string escaped_pattern(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '*' || c == '?' || c == '[') {
      result += {'[', c, ']'};
    } else {
      result += c;
    }
  }
  return result;
}

std::string python_pattern(std::string_view text) {
  std::string result(text);
  for (std::size_t at = result.find("[^"); at != std::string::npos; at = result.find("[^", at)) {
    result[at + 1] = '!';
  }
  return result;
}

// Whether a name of a path may be `.*` or one like it, which also finds . and ..
bool finds_dots(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('/', at), text.size());
    const std::string_view name = text.substr(at, end - at);
    if (name.starts_with(".*") && name.find_first_not_of(".*?") == std::string_view::npos) {
      return true;
    }
    at = end + 1;
  }
  return false;
}

// What Python has no pattern for: classes, extended patterns, and `.*`.
bool unlike_python(std::string_view text) {
  return text.find("[:") != std::string_view::npos || text.find("[=") != std::string_view::npos ||
         text.find("[.") != std::string_view::npos || text.find('(') != std::string_view::npos ||
         finds_dots(text);
}

// Whether there is anything in it that matches more than itself.
bool is_pattern(const ir::Value& value) {
  std::string text;
  for (const ir::ValuePart& part : value.parts) {
    const auto* piece = std::get_if<ir::Text>(&part);
    text += piece == nullptr ? "x" : piece->text;
  }
  // An address, or name=[1,2]: no file is called so.
  static constexpr std::array schemes{"http://", "https://", "ftp://", "s3://", "gs://"};
  const bool address =
      std::ranges::any_of(schemes, [&](const char* scheme) { return text.starts_with(scheme); });
  const auto bracket = text.find('[');
  const bool set = bracket != std::string::npos && text.find(']', bracket) != std::string::npos;
  if (text.find_first_of("*?") == std::string::npos) {
    return !address && set && text.find('=') > bracket;
  }
  return !address;
}

// A number as the shell and Python both read it, whatever the value turns out to be.
bool whole_number(const ir::Value& value) {
  if (const auto text = value.text()) {
    constexpr std::size_t longest = 18;
    return !text->empty() && text->size() <= longest && (*text == "0" || (*text)[0] != '0') &&
           text->find_first_not_of("0123456789") == std::string::npos;
  }
  const auto* local =
      value.parts.size() == 1 ? std::get_if<ir::Local>(&value.parts.front()) : nullptr;
  return (local != nullptr && (local->number || local->digits)) ||
         (value.parts.size() == 1 && std::holds_alternative<ir::Status>(value.parts.front()));
}

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

} // namespace

// What Slurm settles when the job starts, and a task of one container knows beforehand.
static void of_one_container(const ir::Job& job, ir::SlurmRead& read) {
  const slurm::Component& component = job.header.components.front();
  if (component.resolved.nodes_min > 1) {
    return;
  }
  if (read.name == "SLURM_NNODES" || read.name == "SLURM_JOB_NUM_NODES") {
    read.value = "1";
    read.how = "one container";
  } else if (read.name == "SLURM_GPUS_ON_NODE" && component.share.gpus) {
    read.value = fmt::format("{}", *component.share.gpus);
    read.how = component.share.gpus_how;
  } else if (read.name == "SLURM_TASKS_PER_NODE") {
    read.value = fmt::format("{}", component.share.tasks);
    read.how = "one container";
  }
}

const ir::SlurmRead* note_slurm_variable(ir::Job& job, const std::string& name) {
  const auto known = std::ranges::find_if(
      job.slurm_reads, [&](const ir::SlurmRead& read) { return read.name == name; });
  if (known != job.slurm_reads.end()) {
    return &*known;
  }
  const slurm::VariableValue value = slurm::variable_value(job.header.components.front(), name);
  if (value.unset) {
    // Not known of an array that only the command line made; it has an id and an index all the
    // same.
    if (!job.array || (name != "SLURM_ARRAY_JOB_ID" && name != "SLURM_ARRAY_TASK_ID")) {
      return nullptr;
    }
    job.slurm_reads.push_back({name, std::nullopt, {}});
    return &job.slurm_reads.back();
  }
  job.slurm_reads.push_back({name, value.value, value.how});
  ir::SlurmRead& read = job.slurm_reads.back();
  if (!read.value && !job.cluster) {
    of_one_container(job, read);
  }
  return &read;
}

std::set<std::string> slurm_names(std::string_view text) {
  std::set<std::string> names;
  for (auto at = text.find("SLURM_"); at != std::string_view::npos;
       at = text.find("SLURM_", at + 1)) {
    if (at > 0 &&
        (std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0 || text[at - 1] == '_')) {
      continue;
    }
    std::size_t end = at;
    while (end < text.size() &&
           (std::isupper(static_cast<unsigned char>(text[end])) != 0 ||
            std::isdigit(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) {
      ++end;
    }
    names.emplace(text.substr(at, end - at));
  }
  names.erase("SLURM_");
  return names;
}

std::set<std::string> slurm_names(const ir::Value& value) {
  std::set<std::string> names;
  for (const ir::ValuePart& part : value.parts) {
    if (const auto* text = std::get_if<ir::Text>(&part)) {
      names.merge(slurm_names(text->text));
    }
  }
  return names;
}

bool Scope::splits_apart(const ir::Value& value) {
  return value.parts.empty() || value.text() == "" || std::ranges::any_of(value.parts, splits);
}

ir::Binding Scope::set(const std::string& name, ir::Value value) {
  forgotten_.erase(name);
  unset_.erase(name);
  lists_.erase(name);
  ranges_.erase(local_of(name));
  below_.erase(local_of(name));
  ir::Binding binding{name, std::move(value), {}};
  if (binding.value.fixed() && !locals_.contains(name)) {
    values_[name] = binding.value;
    return binding;
  }
  if (job_->locals.contains(name)) {
    job_->changing_locals.insert(job_->locals[name]);
  }
  if (!is_number(binding.value, *job_)) {
    no_number(name);
  }
  const bool single = one_word(binding.value);
  (void)local(name, single, !single && std::ranges::any_of(binding.value.parts, splits),
              whole_number(binding.value));
  binding.local = job_->locals[name];
  made_of_[binding.local] = binding.value;
  return binding;
}

ir::Value Scope::local(const std::string& name, bool one_word, bool splits, bool digits) {
  forgotten_.erase(name);
  ranges_.erase(local_of(name));
  below_.erase(local_of(name));
  ir::Value value;
  const bool number = numbers_.names.contains(name);
  const std::string python = local_name(*job_, name);
  if (number) {
    job_->number_locals.insert(python);
  }
  value.append(ir::Local{python, one_word || number,
                         once_.contains(name) && !locals_.contains(name), splits && !number, number,
                         numbers_.naturals.contains(name), digits && !number});
  values_[name] = value;
  return value;
}

void Scope::no_number(const std::string& name) {
  numbers_.names.erase(name);
  numbers_.naturals.erase(name);
}

std::optional<Term> Scope::term_of(std::string_view expression,
                                   const std::vector<shell::WordPart>& expansions) {
  const ArithmeticNames names{[this](const std::string& name) {
                                shell::Parameter parameter;
                                parameter.name = name;
                                return this->parameter(parameter);
                              },
                              [this](const shell::WordPart& part) {
                                shell::Word word;
                                word.parts.push_back(part);
                                word.span = part.span;
                                return assigned(word);
                              }};
  return read_arithmetic(expression, expansions, names);
}

void Scope::join(const std::string& name, const std::vector<const Scope*>& ends) {
  bool single = true;
  bool several = false;
  bool number = true;
  for (const Scope* end : ends) {
    const ir::Value* value = end->find(name);
    number = number && value != nullptr && whole_number(*value);
    single = single && value != nullptr && one_word(*value);
    several = several || value == nullptr || std::ranges::any_of(value->parts, splits);
  }
  (void)local(name, single, several, number);
}

ir::Binding Scope::unset_from_here(const std::string& name) {
  ir::Binding binding = set(name, ir::Value{});
  unset_.insert(name);
  binding.unset = true;
  return binding;
}

std::string Scope::local_of(const std::string& name) const {
  const auto known = job_->locals.find(name);
  return known == job_->locals.end() ? "" : known->second;
}

void Scope::forget(const std::string& name) {
  values_.erase(name);
  lists_.erase(name);
  forgotten_.insert(name);
}

std::optional<std::vector<ir::Binding>> Scope::make_locals(const std::set<std::string>& names,
                                                           const std::set<std::string>& numbers) {
  std::vector<ir::Binding> bindings;
  for (const std::string& name : names) {
    const ir::Value* value = find(name);
    if (value == nullptr && !unset(name)) {
      return std::nullopt;
    }
    bindings.push_back({name, value == nullptr ? ir::Value{} : *value, {}});
  }
  std::vector<ir::Binding> made;
  for (ir::Binding& binding : bindings) {
    locals_.insert(binding.variable);
    const auto known = job_->locals.find(binding.variable);
    const bool is_local = known != job_->locals.end() && binding.value.parts.size() == 1 &&
                          std::holds_alternative<ir::Local>(binding.value.parts[0]);
    binding.local = local_name(*job_, binding.variable);
    job_->changing_locals.insert(binding.local);
    const bool number = numbers.contains(binding.variable) && whole_number(binding.value);
    (void)local(binding.variable, number, !number, number);
    if (!is_local) {
      made.push_back(std::move(binding));
    }
  }
  return made;
}

const ir::Value* Scope::find(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

bool Scope::unset(const std::string& name) const {
  return plain_name(name) && !values_.contains(name) && !lists_.contains(name) &&
         !forgotten_.contains(name) && !sourced_ && !left_out_ &&
         !analysis::ambient_variable(name) && !name.starts_with("SLURM") &&
         std::ranges::find(job_->secrets, name, &ir::Secret::variable) == job_->secrets.end() &&
         std::ranges::none_of(job_->parameters, [&](const ir::Parameter& parameter) {
           return parameter.origin == "$" + name;
         });
}

std::optional<ir::Value> Scope::all_arguments(const shell::Word& word) const {
  const auto list = std::ranges::find_if(job_->parameters, [](const ir::Parameter& parameter) {
    return parameter.type == ir::Type::text_list && parameter.origin == "$@";
  });
  if (list == job_->parameters.end() || shifted_ || word.parts.size() != 1) {
    return std::nullopt;
  }
  const shell::WordPart* part = &word.parts.front();
  const auto* quoted = std::get_if<shell::DoubleQuoted>(&part->value);
  if (quoted != nullptr && quoted->parts.size() == 1) {
    part = &quoted->parts.front();
  }
  const auto* parameter = std::get_if<shell::Parameter>(&part->value);
  if (parameter == nullptr || parameter->name != "@" || !parameter->op.empty() ||
      parameter->length || parameter->indirect || parameter->subscript) {
    return std::nullopt;
  }
  ir::Value value;
  value.span = word.span;
  value.unquoted = quoted == nullptr;
  value.append(ir::ParameterRef{list->name});
  return value;
}

bool Scope::one_word(const ir::Value& value) {
  if (value.parts.empty()) {
    return false;
  }
  return std::ranges::all_of(value.parts, [](const ir::ValuePart& part) {
    if (const auto* text = std::get_if<ir::Text>(&part)) {
      return !split_or_globbed(text->text);
    }
    const auto* local = std::get_if<ir::Local>(&part);
    const auto* computed = std::get_if<ir::Computed>(&part);
    return std::holds_alternative<ir::ArrayIndex>(part) ||
           std::holds_alternative<ir::Status>(part) ||
           std::holds_alternative<ir::SlurmVariable>(part) ||
           std::holds_alternative<ir::SubmitDirectory>(part) ||
           (local != nullptr && local->one_word) || (computed != nullptr && computed->one_word);
  });
}

// The words that come of one, while it is read from left to right.
struct Scope::Fields {
  std::vector<ir::Value> done;
  ir::Value current;
  ir::Value globbed; // the same as a pattern, in which what stood in quotes is escaped
  ir::Value unsplit; // the same before the shell splits it
  bool any = false;  // the current one is a word, if only an empty one in quotes
  bool pattern = false;
  bool several = false; // an expansion in it may be any number of words, by the script's doing
  bool meant = false;   // the same, by what the value is
  bool even = true;     // splitting all of it splits no more than the expansions
  bool one = false;     // a single word is asked for
  bool text = false;    // the same, and nothing is split
  bool apart = false;   // whatever is not in quotes is split
  bool patterns_differ = false;
  bool patterns_vanish = false;
  const ir::Job* job = nullptr;

  // What is in quotes, or holds nothing that the shell would expand.
  void append(ir::ValuePart part) {
    any = true;
    add_even(part);
    if (const auto* text = std::get_if<ir::Text>(&part)) {
      globbed.append(ir::Text{escaped_pattern(text->text)});
    } else if (ir::Value single; (single.append(part), one_word(single))) {
      globbed.append(part);
    } else {
      globbed.append(ir::Computed{ir::Operation::escaped, {std::move(single)}, false});
    }
    current.append(std::move(part));
  }

  void add_even(const ir::ValuePart& part) {
    ir::Value single;
    single.append(part);
    const auto* text = std::get_if<ir::Text>(&part);
    even =
        even && one_word(single) && (text == nullptr || text->text.find('\\') == std::string::npos);
    unsplit.append(part);
  }

  // Text of a pattern.
  void append_pattern(std::string_view text) {
    any = pattern = true;
    unsplit.append(ir::Text{python_pattern(text)});
    current.append(ir::Text{std::string(text)});
    globbed.append(ir::Text{python_pattern(text)});
  }

  void end() {
    if (!any) {
      return;
    }
    const bool alone = unsplit.parts.size() == 1;
    const bool splits = alone ? meant || (several && !one) : (several || meant) && even && !one;
    const bool words = splits || (pattern && is_pattern(globbed));
    if (words && patterns_differ) {
      current = {};
      current.append(ir::Unknown{"a pattern that shopt changes"});
    } else if (words) {
      ir::Value value;
      value.unquoted = current.unquoted && !splits;
      ir::Computed made{splits            ? ir::Operation::words
                        : patterns_vanish ? ir::Operation::matches
                                          : ir::Operation::pattern,
                        {std::move(splits ? unsplit : globbed)},
                        false};
      if (splits && patterns_vanish) {
        made.operands.push_back(ir::Value::of("nullglob"));
      }
      value.append(std::move(made));
      current = std::move(value);
    }
    done.push_back(std::move(current));
    current = globbed = unsplit = {};
    any = pattern = several = meant = false;
    even = true;
  }

  // What an expansion without quotes gives; `list`: the script gives it several words somewhere.
  void split(const ir::Value& value, bool list) {
    for (const ir::ValuePart& part : value.parts) {
      if (const auto* text = std::get_if<ir::Text>(&part)) {
        split_text(text->text);
        continue;
      }
      const auto* computed = std::get_if<ir::Computed>(&part);
      if (computed != nullptr && computed->operation == ir::Operation::items &&
          (apart || splits(part))) { // split, each of its words is the same in one text
        ir::Computed joined = *computed;
        joined.operation = ir::Operation::joined;
        any = meant = true;
        unsplit.append(std::move(joined));
        current.append(ir::Unknown{"a variable that the shell would split"});
        globbed.append(ir::Unknown{"a variable that the shell would split"});
        continue;
      }
      ir::Value single;
      single.append(part);
      const bool many = !one_word(single) && !single.many();
      const bool parameter = holds_words(part, *job);
      meant = meant || (many && (apart || parameter || (splits(part) && (list || !one))));
      several = several || (many && list);
      current.unquoted |= many || single.many();
      any = true;
      current.append(part);
      globbed.append(part);
      unsplit.append(part);
    }
  }

  void split_text(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end_of_word = std::min(text.find_first_of(" \t\n", at), text.size());
      const std::string_view word = text.substr(at, end_of_word - at);
      if (word.find('\\') != std::string_view::npos &&
          word.find_first_of("*?[") != std::string_view::npos) {
        append(ir::Unknown{"a variable that the shell would split"});
      } else if (word.find_first_of("*?[") != std::string_view::npos) {
        if (unlike_python(word)) {
          append(ir::Unknown{"a pattern of another form"});
        } else {
          append_pattern(word);
        }
      } else if (!word.empty()) {
        append(ir::Text{std::string(word)});
      }
      if (end_of_word < text.size()) {
        end();
      }
      at = end_of_word + 1;
    }
  }
};

std::vector<ir::Value> Scope::words_of(const shell::Word& word) { return fields_of(word, false); }

std::vector<ir::Value> Scope::words_apart(const shell::Word& word) {
  return fields_of(word, false, false, true);
}

ir::Value Scope::value_of(const shell::Word& word) {
  std::vector<ir::Value> fields = fields_of(word, false, true);
  if (fields.size() > 1 || (!fields.empty() && fields.front().many())) {
    ir::Value value;
    value.span = word.span;
    value.append(ir::Unknown{"a variable that the shell would split"});
    return value;
  }
  ir::Value none;
  none.span = word.span;
  return fields.empty() ? none : std::move(fields.front());
}

ir::Value Scope::assigned(const shell::Word& word) {
  std::vector<ir::Value> fields = fields_of(word, true);
  ir::Value none;
  none.span = word.span;
  return fields.empty() ? none : std::move(fields.front());
}

std::vector<ir::Value> Scope::fields_of(const shell::Word& word, bool quoted, bool one,
                                        bool apart) {
  Fields fields;
  fields.apart = apart;
  fields.job = job_;
  fields.one = one;
  fields.text = quoted;
  fields.patterns_differ = patterns_differ_;
  fields.patterns_vanish = patterns_vanish_;
  for (const source::Span& secret : job_->secret_spans) {
    if (word.span.contains(secret)) {
      fields.append(ir::Unknown{"a secret in plain text"});
      break;
    }
  }
  const bool braces = !quoted && job_->interpreter.language != ir::Interpreter::Language::sh;
  const auto words = braces ? without_braces(word) : std::nullopt;
  if (!fields.any && words) {
    for (const shell::Word& each : *words) {
      for (const shell::WordPart& part : each.parts) {
        add(part, quoted, fields);
      }
      fields.end();
    }
  } else if (!fields.any) {
    for (const shell::WordPart& part : word.parts) {
      add(part, quoted, fields);
    }
  }
  fields.end();
  for (ir::Value& value : fields.done) {
    value.span = word.span;
  }
  return std::move(fields.done);
}

void Scope::add(const shell::WordPart& part, bool quoted, Fields& fields) {
  const auto expansion = [&](const ir::Value& value, bool list = false) {
    if (!quoted) {
      fields.split(value, list);
      return;
    }
    fields.any = true;
    for (const ir::ValuePart& each : value.parts) {
      fields.append(each);
    }
  };
  if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
    if (literal->globs && !quoted) {
      if (literal->escaped || unlike_python(literal->value)) {
        fields.append(ir::Unknown{"a pattern of another form"});
      } else {
        fields.append_pattern(literal->value);
      }
    } else {
      fields.append(ir::Text{literal->value});
    }
  } else if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
    fields.append(ir::Text{single->value});
  } else if (const auto* ansi = std::get_if<shell::AnsiQuoted>(&part.value)) {
    fields.append(ir::Text{ansi->value});
  } else if (const auto* doubled = std::get_if<shell::DoubleQuoted>(&part.value)) {
    fields.any = true;
    fields.even = fields.even && !doubled->parts.empty();
    for (const shell::WordPart& inner : doubled->parts) {
      add(inner, true, fields);
    }
  } else if (add_arguments(part, quoted, fields) || add_keys(part, quoted, fields)) {
    return;
  } else if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
    ir::Value value = this->parameter(*parameter);
    auto* joined = value.parts.size() == 1 ? std::get_if<ir::Computed>(&value.parts[0]) : nullptr;
    if (joined != nullptr && joined->operation == ir::Operation::joined && !quoted) {
      joined->operation = ir::Operation::items; // without quotes ${a[*]} is ${a[@]}
    }
    expansion(value, several_ && several_(parameter->name));
  } else if (const auto* command = std::get_if<shell::CommandSubstitution>(&part.value)) {
    ir::Value value;
    value.append(ir::Unknown{"the output of a command"});
    expansion(substitution_ ? substitution_(*command) : value);
  } else if (const auto* sum = std::get_if<shell::Arithmetic>(&part.value)) {
    const auto term = sum->assigns ? std::nullopt : term_of(sum->expression, sum->expansions);
    ir::Value value;
    value.append(ir::Unknown{"arithmetic"});
    expansion(term ? number_of(*term, *job_, part.span) : value);
  } else if (const auto* tilde = std::get_if<shell::Tilde>(&part.value)) {
    const ir::Value* home = find("HOME");
    if (tilde->user.empty() && home == nullptr && !forgotten_.contains("HOME")) {
      fields.append(ir::Computed{ir::Operation::home, {}, true});
    } else if (tilde->user.empty() && home != nullptr && home->known() && !home->parts.empty()) {
      for (const ir::ValuePart& each : home->parts) {
        fields.append(each);
      }
    } else {
      fields.append(ir::Unknown{"a home directory"});
    }
  } else {
    fields.append(ir::Unknown{"an expansion of the shell"});
  }
}

// $@ and $* of a function that is being called.
bool Scope::add_arguments(const shell::WordPart& part, bool quoted, Fields& fields) {
  const auto* parameter = std::get_if<shell::Parameter>(&part.value);
  const bool all = parameter != nullptr && (parameter->name == "@" || parameter->name == "*");
  if (!all) {
    return false;
  }
  if (!arguments_) {
    return add_list(*parameter, quoted, fields);
  }
  const bool joined = quoted && parameter->name == "*";
  if (!parameter->op.empty() || parameter->length || parameter->indirect || parameter->subscript ||
      (quoted && !joined && arguments_->empty()) || values_.contains("IFS")) {
    fields.append(ir::Unknown{"all arguments in one word"});
    return true;
  }
  for (std::size_t i = 0; i < arguments_->size(); ++i) {
    if (i > 0 && joined) {
      fields.append(ir::Text{" "});
    } else if (i > 0) {
      fields.end();
    }
    if (!quoted) {
      fields.split((*arguments_)[i], false);
      continue;
    }
    fields.any = true;
    for (const ir::ValuePart& each : (*arguments_)[i].parts) {
      fields.append(each);
    }
  }
  return true;
}

// "${!list[@]}": its numbers are those below its size.
bool Scope::add_keys(const shell::WordPart& part, bool quoted, Fields& fields) {
  const auto* parameter = std::get_if<shell::Parameter>(&part.value);
  const List* known =
      parameter == nullptr || !parameter->indirect ? nullptr : list(parameter->name);
  const auto subscript =
      known == nullptr || !parameter->subscript ? std::nullopt : (*parameter->subscript)->literal();
  const bool all = subscript == "@" || (subscript == "*" && !quoted);
  if (!all || !known->size || *known->size == 0 || !parameter->op.empty() || parameter->length ||
      fields.text) {
    return false;
  }
  for (std::size_t i = 0; i < *known->size; ++i) {
    if (i > 0) {
      fields.end();
    }
    fields.append(ir::Text{fmt::format("{}", i)});
  }
  return true;
}

// The same of the script, where the task has them as a list.
bool Scope::add_list(const shell::Parameter& parameter, bool quoted, Fields& fields) {
  auto words = argument(parameter);
  if (!words) {
    return false;
  }
  fields.any = true;
  fields.even = false;
  fields.current.unquoted |= !quoted;
  auto& all = std::get<ir::Computed>(words->parts.front());
  if (fields.apart && !quoted) {
    all.operation = ir::Operation::joined;
    fields.meant = true;
  }
  if (fields.text || (quoted && parameter.name == "*")) {
    all.operation = ir::Operation::joined;
  }
  fields.current.append(all);
  fields.globbed.append(all);
  fields.unsplit.append(all);
  return true;
}

ir::Value Scope::parameter(const shell::Parameter& parameter) {
  ir::Value value;
  const std::string& name = parameter.name;
  if (name == "$" && parameter.op.empty()) {
    value.append(ir::Computed{ir::Operation::process_id, {}, true});
    return value;
  }
  if ((name == "SECONDS" || name == "EPOCHSECONDS") && parameter.op.empty() && !parameter.length &&
      !parameter.indirect && !parameter.subscript) {
    return clock(name);
  }
  if (const List* known = list(name); known != nullptr) {
    return list_parameter(parameter, *known);
  }
  const bool variable = plain_name(name) || (all_digits(name) && name != "0");
  if (parameter.length && variable && !parameter.indirect && !parameter.subscript) {
    return operated(parameter);
  }
  if (parameter.length || parameter.indirect || parameter.subscript) {
    value.append(ir::Unknown{"an expansion of the shell"});
    return value;
  }
  if (arguments_ && name == "#" && parameter.op.empty()) {
    return ir::Value::of(fmt::format("{}", arguments_->size()));
  }
  if (arguments_ && all_digits(name) && name != "0") {
    const std::size_t position = name.size() < 3 ? std::stoul(name) : 0;
    if (!parameter.op.empty()) {
      return operated(parameter);
    }
    if (position > 0 && position <= arguments_->size()) {
      return (*arguments_)[position - 1];
    }
    if (nounset_) {
      value.append(ir::Unknown{"a positional parameter"});
    }
    return value;
  }
  if (all_digits(name) && name != "0") {
    const bool asks =
        parameter.op == ":-" || parameter.op == "-" || parameter.op == ":?" || parameter.op == "?";
    if (!parameter.op.empty() && (!asks || argument_list() != nullptr)) {
      return operated(parameter);
    }
    const bool other = parameter.op == ":-" && !parameter.arguments.empty() && !shifted_ &&
                       std::ranges::any_of(job_->parameters, [&](const ir::Parameter& known) {
                         return fmt::format("{}", known.position) == name && known.default_ == "";
                       });
    if (other) { // it is not the parameter's own default
      return operated(parameter);
    }
    for (const ir::Parameter& known : job_->parameters) {
      if (known.position != 0 && !shifted_ && fmt::format("{}", known.position) == name) {
        value.append(ir::ParameterRef{known.name});
        return value;
      }
    }
    if (auto item = argument(parameter)) {
      return std::move(*item);
    }
    if (parameter.op.empty() && job_->given.contains("@") && !job_->given.contains(name) &&
        !shifted_ && !nounset_) {
      return value; // a driver that submits the job gives it none
    }
    value.append(ir::Unknown{"a positional parameter"});
    return value;
  }
  if (name == "0" && (parameter.op.empty() || parameter.op.starts_with('#'))) {
    return own_name(parameter);
  }
  if (name == "#" && parameter.op.empty()) {
    if (auto count = argument(parameter)) {
      return std::move(*count);
    }
  }
  if (name == "?" && parameter.op.empty() && status_) {
    return status_();
  }
  // A default never applies to a constant that is set and not empty.
  const ir::Value* constant = find(name);
  if (constant != nullptr &&
      (parameter.op.empty() ||
       ((parameter.op == ":-" || parameter.op == "-" || parameter.op == ":?") && constant->text() &&
        !constant->text()->empty()))) {
    return *constant;
  }
  if (constant == nullptr && parameter.op.empty() && !nounset_ && unset(name)) {
    return value;
  }
  const bool defaulted = parameter.op == ":-" || parameter.op == ":=";
  const auto given = std::ranges::find_if(job_->parameters, [&](const ir::Parameter& known) {
    return defaulted && constant == nullptr && !forgotten_.contains(name) && !sourced_ &&
           known.default_ && !known.default_->empty() && known.type == ir::Type::text &&
           known.position == 0 && known.origin == "$" + name;
  });
  if (given != job_->parameters.end()) { // the parameter has the default
    value.append(ir::ParameterRef{given->name});
    return value;
  }
  if (!parameter.op.empty()) {
    return operated(parameter);
  }
  if (name.starts_with("SLURM")) {
    add_slurm_variable(name, value);
    return value;
  }
  for (const ir::Parameter& known : job_->parameters) {
    if (known.origin == "$" + name && sourced_) { // it may have another value by now
      value.append(ir::Variable{name});
      return value;
    }
    if (known.origin == "$" + name && known.type == ir::Type::text_list) {
      value.append(ir::Unknown{"all arguments in one word"});
      return value;
    }
    if (known.origin == "$" + name) {
      value.append(ir::ParameterRef{known.name});
      return value;
    }
  }
  add_ambient(name, value);
  return value;
}

// $0, ${0##*/}: what stays Bash has it, too.
ir::Value Scope::own_name(const shell::Parameter& parameter) {
  if (!parameter.op.empty()) {
    return operated(parameter);
  }
  return ir::Value::of(job_->path.substr(job_->path.find_last_of('/') + 1));
}

ir::Value Scope::directory() const {
  ir::Value value;
  if (!directory_) {
    value.append(ir::Computed{ir::Operation::working_directory, {}, true});
    return value;
  }
  value.append(ir::SubmitDirectory{});
  if (!directory_->empty()) {
    value.append(ir::Text{"/" + *directory_});
  }
  return value;
}

// A variable that the environment of the task, or the shell itself, gives.
void Scope::add_ambient(const std::string& name, ir::Value& value) const {
  const auto* row = tables::find_ambient_variables(name);
  const bool secret =
      std::ranges::find(job_->secrets, name, &ir::Secret::variable) != job_->secrets.end();
  if (secret && !forgotten_.contains(name) && !sourced_) { // a flyte.Secret is there as one
    value.append(ir::EnvironmentVariable{name});
    return;
  }
  if (row == nullptr || forgotten_.contains(name) || sourced_) {
    value.append(ir::Variable{name});
    return;
  }
  using Is = tables::AmbientVariablesIs;
  const auto computed = [&](ir::Operation operation) {
    value.append(ir::Computed{operation, {}, true});
  };
  switch (row->is) {
  case Is::directory:
    value = directory();
    break;
  case Is::home:
    computed(ir::Operation::home);
    break;
  case Is::host:
    computed(ir::Operation::host_name);
    break;
  case Is::user:
    computed(ir::Operation::user_name);
    break;
  case Is::temporary:
    computed(ir::Operation::temporary_directory);
    break;
  case Is::random:
    computed(ir::Operation::random);
    break;
  case Is::inherited:
    value.append(ir::EnvironmentVariable{name});
    break;
  case Is::shell:
    value.append(ir::Unknown{fmt::format("${}, which the shell makes", name)});
    break;
  }
}

void Scope::add_slurm_variable(const std::string& name, ir::Value& value) {
  using Stand = tables::SlurmVariablesAtRunTime;
  const auto* row = tables::find_slurm_variables(name);
  const Stand stand = row == nullptr ? Stand::nothing : row->at_run_time;
  if (stand == Stand::here) {
    value.append(ir::SubmitDirectory{});
    return;
  }
  if (stand == Stand::index && job_->array) {
    job_->array->index_used = true;
    value.append(ir::ArrayIndex{});
    return;
  }
  if (stand == Stand::temporary) {
    (void)note_slurm_variable(*job_, name);
    value.append(ir::Computed{ir::Operation::temporary_directory, {}, true});
    return;
  }
  const ir::SlurmRead* read = note_slurm_variable(*job_, name);
  if (read == nullptr && job_->array && name.starts_with("SLURM_ARRAY_")) {
    value.append(ir::Unknown{fmt::format("${} of an array that the command line made", name)});
    return;
  }
  if (read == nullptr) { // Slurm does not set it
    if (nounset_) {
      value.append(ir::Unknown{fmt::format("${}, which Slurm does not set here", name)});
    }
    return;
  }
  if (read->value) {
    value.append(ir::Text{*read->value});
  } else if (stand != Stand::nothing && stand != Stand::index) {
    value.append(ir::SlurmVariable{name});
  } else if (nounset_ || job_->cluster) {
    value.append(ir::Unknown{fmt::format("${} is known only when the job runs", name)});
  } // else no task has it, so it is empty: S2F403 says so
}

} // namespace s2f::passes
