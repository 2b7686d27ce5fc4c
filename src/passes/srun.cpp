// Reads the options of srun, as far as the script tells them.
#include "passes/srun.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "generated/tables/srun_options.hpp"
#include "generated/tables/step_left_out.hpp"
#include "generated/tables/step_placement.hpp"
#include "passes/slurm_commands.hpp"
#include "slurm/gpus.hpp"

namespace s2f::passes {

namespace {

using Row = tables::SrunOptionsRow;
using Effect = tables::SrunOptionsEffect;
using Argument = tables::SrunOptionsArgument;

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

const Row* find_option(std::string_view name, bool is_short) {
  const auto* found = std::ranges::find_if(tables::srun_options, [&](const Row& row) {
    return is_short ? !row.short_.empty() && row.short_ == name : row.name == name;
  });
  if (found != std::end(tables::srun_options)) {
    return found;
  }
  if (is_short) {
    return nullptr;
  }
  // A unique prefix; among several the first, as they take a value alike.
  found = std::ranges::find_if(tables::srun_options,
                               [&](const Row& row) { return row.name.starts_with(name); });
  return found == std::end(tables::srun_options) ? nullptr : found;
}

constexpr const char* unknown_word =
    "whether an unquoted variable holds options of srun or its program is known only when the job "
    "runs";

bool spreads(const shell::Word& word) { // "$@", "${ARGS[@]}"
  const auto any = [](const std::vector<shell::WordPart>& parts) {
    return std::ranges::any_of(parts, [](const shell::WordPart& part) {
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      return parameter != nullptr &&
             (parameter->name == "@" || parameter->name == "*" || parameter->subscript);
    });
  };
  return any(word.parts) || std::ranges::any_of(word.parts, [&](const shell::WordPart& part) {
           const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value);
           return quoted != nullptr && any(quoted->parts);
         });
}

// Whether a word whose text is not known can only be a program: a path, `$(which python)`.
bool only_a_program(const shell::Word& word) {
  if (spreads(word)) {
    return false;
  }
  if (word.quoted()) {
    return true;
  }
  for (const shell::WordPart& part : word.parts) {
    if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
      if (literal->value.find('/') != std::string::npos) {
        return true;
      }
    } else if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      if (analysis::ambient_variable(parameter->name)) {
        return true;
      }
    } else if (const auto* inner = std::get_if<shell::CommandSubstitution>(&part.value)) {
      const auto* command =
          inner->body.size() == 1 ? shell::as_simple(inner->body.front()) : nullptr;
      const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
      if (name == "which" || name == "realpath" || name == "readlink" || name == "command") {
        return true;
      }
    }
  }
  return false;
}

std::string leading_text(const shell::Word& word) {
  std::string text;
  for (const shell::WordPart& part : word.parts) {
    const auto* piece = std::get_if<shell::Literal>(&part.value);
    if (piece == nullptr) {
      break;
    }
    text += piece->value;
  }
  return text;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = text.find_first_not_of(" \t\n", at);
    if (begin == std::string_view::npos) {
      break;
    }
    at = std::min(text.find_first_of(" \t\n", begin), text.size());
    words.emplace_back(text.substr(begin, at - begin));
  }
  return words;
}

class Reader {
public:
  Reader(const shell::SimpleCommand& command, std::size_t first, const ScriptValues& values)
      : words_(command.words.size()), tokens_(step_words(command, first + 1, values, true)) {}
  explicit Reader(std::vector<StepWord> tokens)
      : words_(tokens.size()), tokens_(std::move(tokens)) {}

  StepOptions read() {
    while (at_ < tokens_.size()) {
      const StepWord& token = tokens_[at_];
      if (only_options_without_effect(token)) {
        ++at_;
        continue;
      }
      if (!token.why.empty()) {
        options_.unknown = token.why;
      }
      if (token.program || token.start.size() < 2 || token.start[0] != '-') {
        break;
      }
      ++at_;
      if (token.text == "--") {
        break;
      }
      if (token.start.starts_with("--")) {
        long_option(token);
      } else {
        short_options(token);
      }
    }
    finish();
    return std::move(options_);
  }

private:
  // $RESUME, which is empty or `--auto-resume=1`: whatever it is, no number hangs on it.
  static bool only_options_without_effect(const StepWord& token) {
    return !token.choices.empty() &&
           std::ranges::all_of(token.choices, [](const std::string& text) {
             const bool long_one = text.starts_with("--") && text.size() > 2 &&
                                   text.find_first_of(" \t\n") == std::string::npos;
             const auto* row =
                 long_one ? find_option(std::string_view(text).substr(2, text.find('=') - 2), false)
                          : nullptr;
             const bool whole = row == nullptr || row->argument != Argument::required ||
                                text.find('=') != std::string::npos;
             return text.empty() ||
                    (long_one && whole && (row == nullptr || row->effect == Effect::none));
           });
  }

  void finish() {
    if (at_ >= tokens_.size()) {
      options_.program = words_;
      return;
    }
    options_.program = tokens_[at_].word;
    const bool inside = at_ > 0 && tokens_[at_ - 1].word == tokens_[at_].word;
    if (inside) { // one variable holds options and the program
      options_.unknown = "one variable holds options of srun and its program";
    }
    // `srun a : b` starts several programs as one step.
    for (std::size_t i = at_; i < tokens_.size(); ++i) {
      if (tokens_[i].text == ":") {
        options_.mpi = "srun with several programs";
      }
    }
  }

  std::optional<std::string> value_of_next() {
    if (at_ >= tokens_.size()) {
      return std::nullopt;
    }
    return tokens_[at_++].text;
  }

  void long_option(const StepWord& token) {
    const auto equals = token.start.find('=');
    const auto* row = find_option(
        token.start.substr(2, equals == std::string::npos ? equals : equals - 2), false);
    if (row == nullptr) {
      return;
    }
    if (equals != std::string::npos) {
      note(*row, token.text ? std::optional(token.text->substr(equals + 1)) : std::nullopt);
    } else if (row->argument == Argument::required) {
      note(*row, value_of_next());
    } else {
      note(*row, std::nullopt);
    }
  }

  void short_options(const StepWord& token) {
    for (std::size_t at = 1; at < token.start.size(); ++at) {
      const auto* row = find_option(std::string_view(token.start).substr(at, 1), true);
      if (row == nullptr) {
        continue;
      }
      if (row->argument == Argument::none) {
        note(*row, std::nullopt);
        continue;
      }
      if (at + 1 < token.start.size() || !token.text) {
        note(*row, token.text ? std::optional(token.text->substr(at + 1)) : std::nullopt);
      } else {
        note(*row, row->argument == Argument::required ? value_of_next() : std::nullopt);
      }
      break;
    }
  }

  void number(const Row& row, const std::optional<std::string>& value) {
    const auto count = value ? integer(*value) : std::nullopt;
    (row.effect == Effect::nodes ? options_.nodes
     : row.name == "ntasks"      ? options_.ntasks
                                 : options_.per_node) = count;
    if (!count) {
      (row.name == "ntasks" ? options_.unknown : options_.unknown_nodes) =
          fmt::format("--{} of srun is known only when the job runs", row.name);
    }
  }

  void note(const Row& row, const std::optional<std::string>& value) {
    switch (row.effect) {
    case Effect::ranks:
    case Effect::nodes:
      number(row, value);
      break;
    case Effect::mpi:
      options_.mpi = value == "none" ? "" : fmt::format("srun --{}", row.name);
      break;
    case Effect::interactive:
      options_.interactive = true;
      break;
    case Effect::container:
      options_.container = true;
      break;
    case Effect::directory:
      options_.directory = true;
      break;
    case Effect::output:
      stream(row, value);
      break;
    case Effect::environment:
      exports(value);
      break;
    case Effect::placement:
      placement(row, value);
      break;
    case Effect::component: // a job that is not heterogeneous has the first alone
      if (value != "0") {
        options_.unknown =
            fmt::format("--{} of srun names a component that the job does not have", row.name);
      }
      break;
    case Effect::cpus:
      options_.exact = true;
      options_.cpus = value ? integer(*value) : std::nullopt;
      break;
    case Effect::exact:
      options_.exact = true;
      break;
    case Effect::overlap:
      options_.overlap = true;
      break;
    case Effect::gpus:
      gpus(row, value);
      break;
    case Effect::left_out:
      options_.left_out.emplace_back(row.name, value.value_or(""));
      break;
    case Effect::none:
      options_.placed |= row.name == "nodelist" || row.name == "relative";
      break;
    }
  }

  void gpus(const Row& row, const std::optional<std::string>& value) {
    const bool gres = row.name == "gres";
    const auto count = !value ? std::nullopt
                       : gres ? slurm::gpus_of_gres(*value)
                              : slurm::gpus_of_count(*value);
    if (value && gres && !count) { // none, or of other things alone
      options_.asks_gpus |= *value == "none";
      options_.gpus = options_.asks_gpus ? std::optional<std::int64_t>(0) : std::nullopt;
      return;
    }
    options_.asks_gpus = true;
    options_.gpus_by_node |= row.name != "gpus";
    options_.gpus = count ? std::optional(count->count) : std::nullopt;
  }

  void placement(const Row& row, const std::optional<std::string>& value) {
    options_.placement.push_back(fmt::format("--{}", row.name));
    if (row.name == "gpu-bind") {
      options_.gpu_bind = value.value_or("");
    } else if (row.name == "gpus-per-task") { // 2, a100:2
      options_.gpus_per_task = true;
      options_.asks_gpus = true;
      options_.gpus_each = value ? integer(value->substr(value->rfind(':') + 1)) : std::nullopt;
    } else if (row.name == "ntasks-per-gpu") {
      options_.tasks_per_gpu = value ? integer(*value) : std::nullopt;
    }
  }

  void stream(const Row& row, const std::optional<std::string>& value) {
    if (row.name == "input") {
      options_.streams |= value != "none";
      options_.input |= value != "none";
      return;
    }
    if (options_.log.empty()) {
      options_.log = value.value_or(fmt::format("the file of --{}", row.name));
    }
    if (!value || value->find('%') != std::string::npos || value->empty() || value == "none" ||
        integer(*value)) {
      options_.streams = true;
    } else {
      (row.name == "output" ? options_.output : options_.error) = *value;
    }
  }

  void exports(const std::optional<std::string>& value) {
    std::string first = value ? value->substr(0, value->find(',')) : "";
    std::ranges::transform(first, first.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (first != "ALL") {
      options_.directory = true;
      return;
    }
    for (std::size_t at = value->find(','); at != std::string::npos;) {
      const std::size_t next = value->find(',', at + 1);
      const std::string item =
          value->substr(at + 1, next == std::string::npos ? next : next - at - 1);
      if (const auto equals = item.find('='); equals != std::string::npos) {
        options_.environment.emplace_back(item.substr(0, equals), item.substr(equals + 1));
      }
      at = next;
    }
  }

  std::size_t words_;
  std::vector<StepWord> tokens_;
  std::size_t at_ = 0;
  StepOptions options_;
};

// The words of NAME=(...), as far as they are known; false where there are none.
bool append_elements(const std::vector<shell::Word>& elements, std::size_t at,
                     const ScriptValues& values, std::vector<StepWord>& tokens) {
  std::vector<StepWord> words;
  for (const shell::Word& element : elements) {
    StepWord token;
    token.word = at;
    token.last_of_word = false;
    const auto texts = values.of(element);
    const bool one = element.literal() || (texts && texts->size() == 1);
    if (one) {
      const std::string text = element.literal() ? *element.literal() : texts->front();
      const auto pieces = element.literal() || element.quoted() ? std::vector{text} : split(text);
      for (const std::string& piece : pieces) {
        token.text = token.start = token.shape = piece;
        words.push_back(token);
      }
      continue;
    }
    token.shape = values.template_of(element).value_or("");
    token.start = leading_text(element);
    token.program = token.start.empty() ? only_a_program(element) : token.start[0] != '-';
    if (!token.program && token.start.empty()) {
      token.why = unknown_word;
    }
    words.push_back(std::move(token));
  }
  if (words.empty()) {
    return false;
  }
  words.back().last_of_word = true;
  tokens.insert(tokens.end(), words.begin(), words.end());
  return true;
}

} // namespace

std::vector<StepWord> step_words(const shell::SimpleCommand& command, std::size_t from,
                                 const ScriptValues& values, bool parts) {
  std::vector<StepWord> tokens;
  for (std::size_t i = from; i < command.words.size(); ++i) {
    const shell::Word& word = command.words[i];
    StepWord token;
    token.word = i;
    if (const auto literal = word.literal()) {
      token.text = token.start = token.shape = *literal;
      tokens.push_back(std::move(token));
      continue;
    }
    if (const auto* elements = values.elements_of(word); elements != nullptr) {
      // The shell splits an element where the array is set.
      if (append_elements(*elements, i, values, tokens)) {
        continue;
      }
    }
    const auto texts = values.of(word);
    token.start = leading_text(word);
    if (texts && texts->size() == 1) {
      const std::string& text = texts->front();
      if (word.quoted()) {
        token.text = token.start = token.shape = text;
        tokens.push_back(std::move(token));
        continue;
      }
      const auto pieces = split(text);
      for (const std::string& piece : pieces) {
        token.text = token.start = token.shape = piece;
        token.last_of_word = &piece == &pieces.back();
        tokens.push_back(token);
      }
      continue;
    }
    const auto known = parts && !texts && !word.quoted() && token.start.empty()
                           ? values.template_of(word)
                           : std::nullopt;
    if (const auto pieces = known ? split(*known) : std::vector<std::string>{}; pieces.size() > 1) {
      for (const std::string& piece : pieces) {
        const auto unknown = piece.find("${");
        token.shape = piece;
        token.text = unknown == std::string::npos ? std::optional(piece) : std::nullopt;
        token.start = piece.substr(0, unknown);
        token.last_of_word = &piece == &pieces.back();
        token.why = token.start.empty() ? unknown_word : "";
        tokens.push_back(token);
      }
      continue;
    }
    if (texts && token.start.empty()) {
      token.choices = *texts;
      token.program = std::ranges::all_of(*texts, [](const std::string& text) {
        const auto begin = text.find_first_not_of(" \t\n");
        return begin != std::string::npos && text[begin] != '-';
      });
    } else {
      token.program = token.start.empty() ? only_a_program(word) : token.start[0] != '-';
    }
    if (!token.program && token.start.empty()) {
      token.why = unknown_word;
    }
    token.shape = values.template_of(word).value_or("");
    tokens.push_back(std::move(token));
  }
  return tokens;
}

StepOptions read_step(const shell::SimpleCommand& command, std::size_t first,
                      const ScriptValues& values) {
  return Reader(command, first, values).read();
}

StepOptions read_step(std::vector<StepWord> words) {
  std::size_t at = 0;
  for (StepWord& word : words) {
    word.word = at++;
  }
  return Reader(std::move(words)).read();
}

std::optional<std::int64_t> gpus_of_step(const StepOptions& step) {
  return step.gpus_per_task ? step.gpus_each : step.gpus;
}

// Whether a step's --time ends it before the job's own does.
static bool ends_earlier(const std::string& time, const slurm::Component& component) {
  const auto own = slurm::parse_time(time);
  if (!own || !own->minutes) {
    return !own; // known only when the job runs; no limit
  }
  const auto& job = component.time;
  return !job || !job->minutes || *own->minutes < *job->minutes;
}

// --time, --epilog, --label: what nothing does.
static void say_left_out(PassContext& context, const StepOptions& step, const Span& span) {
  review::Finding finding;
  std::vector<std::string> names;
  for (const auto& [name, value] : step.left_out) {
    const auto* row = tables::find_step_left_out(name);
    if (row == nullptr || (name == "time" && !ends_earlier(value, context.component())) ||
        (name.ends_with("log") && value == "none")) {
      continue;
    }
    names.push_back(value.empty() ? "--" + name : fmt::format("--{}={}", name, value));
    finding.slurm_does += fmt::format("{}{}", finding.slurm_does.empty() ? "" : " ", row->slurm);
    finding.output_does += fmt::format("{}{}", finding.output_does.empty() ? "" : " ", row->output);
  }
  if (names.empty()) {
    return;
  }
  finding.rule = "S2F483";
  finding.span = span;
  finding.message = fmt::format("{} of srun {} left out.", fmt::join(names, ", "),
                                names.size() == 1 ? "is" : "are");
  context.findings.add(std::move(finding));
}

void say_placement(PassContext& context, const StepOptions& step, const Span& span) {
  say_left_out(context, step, span);
  if (step.placement.empty()) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F714";
  finding.span = span;
  finding.message = fmt::format("{} of srun: how the step lies on its node is left out.",
                                fmt::join(step.placement, ", "));
  const auto append = [](std::string& text, std::string_view sentence) {
    if (text.find(sentence) == std::string::npos) {
      text += fmt::format("{}{}", text.empty() ? "" : " ", sentence);
    }
  };
  for (const std::string& option : step.placement) {
    const auto* row = tables::find_step_placement(option.substr(2));
    append(finding.slurm_does, row != nullptr ? row->slurm : "It says where the processes lie.");
    append(finding.output_does, row != nullptr ? row->output : "The node's kernel decides.");
  }
  context.findings.add(std::move(finding));
}

std::optional<std::int64_t> copies_of(const StepOptions& step, const slurm::Component& component) {
  if (!step.unknown.empty()) {
    return std::nullopt;
  }
  if (step.ntasks) {
    return step.ntasks;
  }
  if (!step.unknown_nodes.empty()) {
    return std::nullopt;
  }
  const std::int64_t nodes = step.nodes.value_or(nodes_of(component));
  if (step.per_node) {
    return *step.per_node * nodes;
  }
  if (step.nodes && component.winner.find("ntasks") == component.winner.end()) {
    return nodes;
  }
  return component.resolved.ntasks;
}

} // namespace s2f::passes
