// Finds the texts that words can come to by the assignments of a script.
#include "passes/script_values.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "analysis/effects.hpp"
#include "analysis/walk_with.hpp"
#include "passes/slurm_commands.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

using Texts = ScriptValues::Texts;

constexpr std::size_t most_texts = 16;
constexpr int most_depth = 8;
constexpr std::size_t most_text = 20'000;

void add(Texts& texts, std::string text) {
  if (std::ranges::find(texts, text) == texts.end()) {
    texts.push_back(std::move(text));
  }
}

// Sums, products and parentheses over numbers and names, as Bash computes them.
class Sum {
public:
  using Lookup = std::optional<std::int64_t> (*)(const void*, std::string_view);

  Sum(std::string_view text, const void* self, Lookup lookup)
      : text_(text), self_(self), lookup_(lookup) {}

  std::optional<std::int64_t> read() {
    const std::int64_t value = sum(0);
    blanks();
    return failed_ || at_ != text_.size() ? std::nullopt : std::optional(value);
  }

private:
  static constexpr int most_nested = 20;
  static constexpr std::int64_t largest = 1'000'000'000;

  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
      ++at_;
    }
  }
  bool take(char c) {
    blanks();
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return true;
    }
    return false;
  }
  std::int64_t bounded(std::int64_t value) {
    failed_ |= value > largest || value < -largest;
    return failed_ ? 0 : value;
  }
  std::int64_t sum(int depth) {
    std::int64_t value = product(depth);
    while (!failed_) {
      if (take('+')) {
        value = bounded(value + product(depth));
      } else if (take('-')) {
        value = bounded(value - product(depth));
      } else {
        break;
      }
    }
    return value;
  }
  std::int64_t product(int depth) {
    std::int64_t value = atom(depth);
    while (!failed_) {
      const bool times = take('*');
      const bool over = !times && take('/');
      if (!times && !over && !take('%')) {
        break;
      }
      const std::int64_t other = atom(depth);
      if (!times && other == 0) {
        failed_ = true;
      } else if (!failed_) {
        value = times ? bounded(value * other) : over ? value / other : value % other;
      }
    }
    return value;
  }
  std::int64_t atom(int depth) {
    blanks();
    if (depth > most_nested || at_ >= text_.size()) {
      failed_ = true;
      return 0;
    }
    if (take('(')) {
      const std::int64_t value = sum(depth + 1);
      failed_ |= !take(')');
      return value;
    }
    if (take('-')) {
      return -atom(depth + 1);
    }
    (void)take('$');
    const bool braced = take('{');
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) {
      ++at_;
    }
    const std::string_view word = text_.substr(begin, at_ - begin);
    failed_ |= word.empty() || (braced && !take('}'));
    if (failed_) {
      return 0;
    }
    std::int64_t value = 0;
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      failed_ |= error != std::errc{} || end != word.data() + word.size();
      failed_ |= word.size() > 1 && word[0] == '0'; // octal
      return bounded(value);
    }
    const auto found = lookup_(self_, word);
    failed_ |= !found;
    return bounded(found.value_or(0));
  }

  std::string_view text_;
  const void* self_;
  Lookup lookup_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

// The command of a substitution, where it is one.
const shell::SimpleCommand* only_command(const shell::Word& word) {
  const shell::WordPart* part = word.parts.size() == 1 ? word.parts.data() : nullptr;
  if (const auto* quoted =
          part == nullptr ? nullptr : std::get_if<shell::DoubleQuoted>(&part->value)) {
    part = quoted->parts.size() == 1 ? quoted->parts.data() : nullptr;
  }
  const auto* inner =
      part == nullptr ? nullptr : std::get_if<shell::CommandSubstitution>(&part->value);
  return inner != nullptr && inner->body.size() == 1 ? shell::as_simple(inner->body.front())
                                                     : nullptr;
}

// eval "$(conda shell.bash hook)", which sets nothing that a script computes with.
bool hook(const shell::SimpleCommand& eval) {
  const auto* command = eval.words.size() == 2 ? only_command(eval.words[1]) : nullptr;
  const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
  if (!name) {
    return false;
  }
  const std::string base = program_name(*name);
  const bool tool = base == "conda" || base == "mamba" || base == "micromamba" || base == "pyenv" ||
                    base == "ssh-agent";
  return tool && std::ranges::all_of(command->words, [](const shell::Word& word) {
           return word.literal().has_value();
         });
}

// How many lines `scontrol show hostnames ... | wc -l` and `nvidia-smi -L | wc -l` print.
std::optional<std::int64_t> counted(const shell::CommandSubstitution& inner,
                                    const slurm::Component& component) {
  const auto* pipeline =
      inner.body.size() == 1 ? std::get_if<shell::Pipeline>(&inner.body.front().value) : nullptr;
  if (pipeline == nullptr || pipeline->commands.size() != 2) {
    return std::nullopt;
  }
  const auto* first = shell::as_simple(pipeline->commands[0]);
  const auto* second = shell::as_simple(pipeline->commands[1]);
  const auto is = [](const shell::SimpleCommand* command, std::size_t at, std::string_view text) {
    return command != nullptr && at < command->words.size() &&
           command->words[at].literal().value_or("").starts_with(text);
  };
  if (!is(second, 0, "wc") || !is(second, 1, "-l") || second->words.size() != 2) {
    return std::nullopt;
  }
  if (is(first, 0, "scontrol") && is(first, 1, "show") && is(first, 2, "hostname")) {
    const std::int64_t nodes = nodes_of(component);
    const bool settled = component.resolved.nodes_max.value_or(nodes) == nodes;
    return settled ? std::optional(nodes) : std::nullopt;
  }
  const bool lists = is(first, 0, "nvidia-smi") && first->words.size() == 2 &&
                     (is(first, 1, "-L") || is(first, 1, "--list-gpus"));
  return lists ? component.share.gpus : std::nullopt;
}

// `hostname -s`: prints one word.
bool one_word(const shell::CommandSubstitution& inner) {
  static constexpr std::array programs{"basename", "dirname",  "hostname", "id",   "pwd",
                                       "readlink", "realpath", "whoami",   "which"};
  const auto* command = inner.body.size() == 1 ? shell::as_simple(inner.body.front()) : nullptr;
  const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
  return name && std::ranges::find(programs, *name) != programs.end();
}

// $SLURM_NNODES, "${SLURM_GPUS_PER_NODE}"
std::string slurm_variable(const shell::Word& word) {
  const shell::WordPart* part = word.parts.size() == 1 ? word.parts.data() : nullptr;
  if (const auto* quoted =
          part == nullptr ? nullptr : std::get_if<shell::DoubleQuoted>(&part->value)) {
    part = quoted->parts.size() == 1 ? quoted->parts.data() : nullptr;
  }
  const auto* parameter = part == nullptr ? nullptr : std::get_if<shell::Parameter>(&part->value);
  const bool plain = parameter != nullptr && parameter->name.starts_with("SLURM_") &&
                     parameter->op.empty() && !parameter->subscript;
  return plain ? parameter->name : "";
}

} // namespace

ScriptValues::ScriptValues(const shell::Script* script, const slurm::Component& component)
    : component_(component) {
  if (script == nullptr) {
    return;
  }
  for (const shell::Statement& statement : script->statements) {
    note(statement);
  }
}

void ScriptValues::read_also(const shell::Script& script) {
  asked_.clear();
  for (const shell::Statement& statement : script.statements) {
    note(statement);
  }
}

bool ScriptValues::never(const shell::If& choice, std::size_t branch) const {
  // Whether a condition holds, where it asks for nothing but whether Slurm sets a variable.
  const auto holds = [&](const shell::IfBranch& each) -> std::optional<bool> {
    const shell::Word* word = nullptr;
    std::string asks;
    if (each.condition.size() == 1) {
      if (const auto* test = std::get_if<shell::Test>(&each.condition.front().value)) {
        if (test->tokens.size() == 2 && test->words.size() == 1 && test->tokens[1].op.empty()) {
          word = &test->words.front();
          asks = test->tokens[0].op;
        }
      } else if (const auto* command = shell::as_simple(each.condition.front());
                 command != nullptr && command->words.size() >= 3 &&
                 (command->words[0].literal() == "[" || command->words[0].literal() == "test")) {
        word = command->words.size() == (command->words[0].literal() == "[" ? 4U : 3U)
                   ? &command->words[2]
                   : nullptr;
        asks = command->words[1].literal().value_or("");
      }
    }
    const std::string name = word == nullptr ? "" : slurm_variable(*word);
    if (name.empty() || names_.contains(name) || (asks != "-z" && asks != "-n")) {
      return std::nullopt;
    }
    const slurm::VariableValue value = slurm::variable_value(component_, name);
    if (!value.unset && !value.value) {
      return std::nullopt;
    }
    return value.unset == (asks == "-z");
  };
  for (std::size_t i = 0; i < branch; ++i) {
    if (holds(choice.branches[i]) == true) {
      return true;
    }
  }
  return !choice.branches[branch].condition.empty() && holds(choice.branches[branch]) == false;
}

void ScriptValues::note(const shell::Statement& statement) {
  std::vector<Span> dead; // bodies of branches that are never taken
  const auto branches = [&](const shell::Statement& inner) {
    if (const auto* choice = std::get_if<shell::If>(&inner.value)) {
      for (std::size_t i = 0; i < choice->branches.size(); ++i) {
        if (never(*choice, i)) {
          dead.push_back(choice->branches[i].span);
        }
      }
    }
  };
  analysis::Sees choices{branches, [](const shell::Assignment&) {}};
  analysis::Walk(choices).statement(statement);
  const auto assignments = [&](const shell::Assignment& assignment) {
    Name& name = names_[assignment.name];
    if (std::ranges::any_of(dead,
                            [&](const Span& span) { return span.contains(assignment.span); })) {
      return;
    }
    if (assignment.array && !assignment.append && !assignment.subscript) {
      name.arrays.push_back(&*assignment.array);
    } else {
      name.only_arrays = false;
    }
    if (assignment.append || assignment.subscript || assignment.array) {
      name.other = true;
    } else if (assignment.value) {
      name.words.push_back(&*assignment.value);
    }
  };
  const auto statements = [&](const shell::Statement& inner) {
    if (const auto* loop = std::get_if<shell::For>(&inner.value)) {
      Name& name = names_[loop->variable];
      name.other |= !loop->in;
      for (const shell::Word& word : loop->words) {
        name.words.push_back(&word);
      }
      return;
    }
    const auto* command = shell::as_simple(inner);
    if (command == nullptr) {
      return;
    }
    const auto first = analysis::command_name(*command);
    opaque_ |= first == "eval" && !hook(*command);
    if (first == "read" || first == "mapfile" || first == "readarray" || first == "getopts" ||
        first == "let" || first == "printf") {
      for (const shell::Word& word : command->words) {
        if (const auto text = word.literal()) {
          names_[text->substr(0, text->find_first_of("+-*/%="))].other = true;
        }
      }
    }
  };
  analysis::Sees values{statements, assignments};
  analysis::Walk(values).statement(statement);
  const analysis::Effects effects = analysis::effects_of(statement);
  for (const std::string& name : effects.writes) {
    const auto known = names_.find(name);
    if (known == names_.end()) { // by (( )), ${x:=y}, a descriptor
      names_[name].other = true;
    }
  }
}

const std::vector<shell::Word>* ScriptValues::elements_of(const shell::Word& word) const {
  const shell::WordPart* part = word.parts.size() == 1 ? word.parts.data() : nullptr;
  if (const auto* quoted =
          part == nullptr ? nullptr : std::get_if<shell::DoubleQuoted>(&part->value)) {
    part = quoted->parts.size() == 1 ? quoted->parts.data() : nullptr;
  }
  const auto* parameter = part == nullptr ? nullptr : std::get_if<shell::Parameter>(&part->value);
  if (opaque_ || parameter == nullptr || !parameter->subscript || !parameter->op.empty() ||
      parameter->length || parameter->indirect || (*parameter->subscript)->literal() != "@") {
    return nullptr;
  }
  const auto known = names_.find(parameter->name);
  const bool once =
      known != names_.end() && known->second.only_arrays && known->second.arrays.size() == 1;
  return once ? known->second.arrays.front() : nullptr;
}

std::optional<Texts> ScriptValues::of(const shell::Word& word, int depth) const {
  return of_parts(word.parts, depth);
}

std::optional<Texts> ScriptValues::of_parts(const std::vector<shell::WordPart>& parts,
                                            int depth) const {
  Texts texts{""};
  for (const shell::WordPart& part : parts) {
    const auto more = of_part(part, depth);
    if (!more || texts.size() * more->size() > most_texts) {
      return std::nullopt;
    }
    Texts joined;
    for (const std::string& text : texts) {
      for (const std::string& tail : *more) {
        add(joined, text + tail);
      }
    }
    texts = std::move(joined);
  }
  return texts;
}

std::optional<Texts> ScriptValues::of_part(const shell::WordPart& part, int depth) const {
  if (depth > most_depth) {
    return std::nullopt;
  }
  if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
    return Texts{literal->value};
  }
  if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
    return Texts{single->value};
  }
  if (const auto* doubled = std::get_if<shell::DoubleQuoted>(&part.value)) {
    return of_parts(doubled->parts, depth);
  }
  if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
    return of_parameter(*parameter, depth);
  }
  if (const auto* arithmetic = std::get_if<shell::Arithmetic>(&part.value)) {
    const auto value = arithmetic->assigns ? std::nullopt : number(arithmetic->expression);
    return value ? std::optional(Texts{std::to_string(*value)}) : std::nullopt;
  }
  if (const auto* tilde = std::get_if<shell::Tilde>(&part.value)) {
    return Texts{"~" + tilde->user};
  }
  if (const auto* inner = std::get_if<shell::CommandSubstitution>(&part.value)) {
    const auto lines = counted(*inner, component_);
    return lines ? std::optional(Texts{std::to_string(*lines)}) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<Texts> ScriptValues::of_parameter(const shell::Parameter& parameter,
                                                int depth) const {
  if (parameter.length || parameter.indirect || parameter.subscript) {
    return std::nullopt;
  }
  const bool defaulted = parameter.op == ":-" || parameter.op == "-";
  if (!parameter.op.empty() && parameter.op != ":?" && parameter.op != "?" && !defaulted) {
    return std::nullopt;
  }
  auto texts = of_name(parameter.name, depth + 1);
  if (!defaulted || !texts) {
    return texts;
  }
  const auto empty = std::ranges::find(*texts, "");
  if (empty == texts->end()) {
    return texts;
  }
  texts->erase(empty);
  if (parameter.arguments.empty()) {
    add(*texts, "");
    return texts;
  }
  const auto otherwise = of(parameter.arguments.front(), depth + 1);
  if (!otherwise) {
    return std::nullopt;
  }
  for (const std::string& text : *otherwise) {
    add(*texts, text);
  }
  return texts;
}

std::optional<Texts> ScriptValues::of_name(const std::string& name, int depth) const {
  if (opaque_ || depth > most_depth) {
    return std::nullopt;
  }
  // A variable that is made of itself (`RANK=$((RANK+1))`) has no set of values; neither has what
  // is asked for while its own values are.
  const bool first = asked_.try_emplace(name).second;
  if (first) {
    auto values = values_of(name, depth);
    asked_[name] = std::move(values);
  }
  return asked_[name];
}

std::optional<Texts> ScriptValues::values_of(const std::string& name, int depth) const {
  const auto known = names_.find(name);
  const bool given = known != names_.end() && (known->second.other || !known->second.words.empty());
  if (!given) { // `export NAME` gives it no other value
    if (!name.starts_with("SLURM_")) {
      return std::nullopt;
    }
    const slurm::VariableValue value = slurm::variable_value(component_, name);
    if (value.unset) {
      return Texts{""};
    }
    // Tasks without a number of nodes fit on one, as one container has it.
    const bool nodes = name == "SLURM_NNODES" || name == "SLURM_JOB_NUM_NODES";
    if (!value.value && nodes && nodes_of(component_) == 1) {
      return Texts{"1"};
    }
    if (!value.value && name == "SLURM_GPUS_ON_NODE" && component_.share.gpus) {
      return Texts{std::to_string(*component_.share.gpus)};
    }
    return value.value ? std::optional(Texts{*value.value}) : std::nullopt;
  }
  if (known->second.other) {
    return std::nullopt;
  }
  Texts texts;
  for (const shell::Word* word : known->second.words) {
    const auto more = of(*word, depth + 1);
    if (!more || texts.size() + more->size() > most_texts) {
      return std::nullopt;
    }
    for (const std::string& text : *more) {
      add(texts, text);
    }
  }
  return texts;
}

std::optional<std::string> ScriptValues::template_of(const std::vector<shell::WordPart>& parts,
                                                     int depth) const {
  std::string text;
  for (const shell::WordPart& part : parts) {
    if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      const auto inner = template_of(quoted->parts, depth);
      if (!inner) {
        return std::nullopt;
      }
      text += *inner;
      continue;
    }
    const auto texts = of_part(part, depth);
    if (texts && texts->size() == 1) {
      text += texts->front();
      continue;
    }
    if (const auto* inner = std::get_if<shell::CommandSubstitution>(&part.value);
        inner != nullptr && one_word(*inner)) {
      text += "${_}"; // a name that no script exports
      continue;
    }
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    if (depth > most_depth || parameter == nullptr || !parameter->op.empty() || parameter->length ||
        parameter->indirect || parameter->subscript) {
      return std::nullopt;
    }
    const auto known = names_.find(parameter->name);
    const bool once =
        known != names_.end() && !known->second.other && known->second.words.size() == 1;
    const auto inner =
        once ? template_of(known->second.words.front()->parts, depth + 1) : std::nullopt;
    text += inner ? *inner : "${" + parameter->name + "}";
    if (text.size() > most_text) {
      return std::nullopt;
    }
  }
  return text;
}

std::optional<std::int64_t> ScriptValues::number(std::string_view expression) const {
  const auto lookup = [](const void* self, std::string_view name) -> std::optional<std::int64_t> {
    const auto texts = static_cast<const ScriptValues*>(self)->of_name(std::string(name), 1);
    std::int64_t value = 0;
    if (!texts || texts->size() != 1) {
      return std::nullopt;
    }
    const std::string& text = texts->front();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
      return std::nullopt;
    }
    return value;
  };
  return Sum(expression, this, lookup).read();
}

} // namespace s2f::passes
