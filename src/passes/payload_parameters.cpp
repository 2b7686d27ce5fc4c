// Literal option values of a Python payload become typed parameters of the task, with the same
// defaults.
//
// before:  Launch{python train.py --lr 3e-4 --name base}
// after:   Launch{python train.py --lr <lr> --name <name>}, parameters lr: float = 3e-4, name: str
// = "base"
//
// Where the value is a variable's, the other reads of the variable follow (parameter_reads).
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "flyte/program.hpp"
#include "ir/steps.hpp"
#include "passes/names.hpp"
#include "passes/parameter_reads.hpp"
#include "passes/payload_facts.hpp"
#include "passes/pipeline.hpp"
#include "payload/python.hpp"

namespace s2f::passes {

namespace {

struct Number {
  ir::Type type{};
  std::string literal; // as Python and ruff write it
  bool exact = true;   // Python prints it as the script wrote it
};

bool digits(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

// Python's repr of a float, for the numbers that a script writes.
std::string python_repr(double value) {
  // The shortest text that reads back, in Python's choice between fixed and scientific.
  char buffer[64];
  const double magnitude = std::fabs(value);
  const bool fixed = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
  const auto [end, error] =
      std::to_chars(std::begin(buffer), std::end(buffer), value,
                    fixed ? std::chars_format::fixed : std::chars_format::scientific);
  std::string text(std::begin(buffer), end);
  (void)error;
  if (fixed && text.find('.') == std::string::npos) {
    text += ".0";
  }
  return text;
}

std::optional<Number> number(std::string_view text, std::optional<payload::OptionType> declared) {
  std::string_view body = text;
  if (body.starts_with('-')) {
    body.remove_prefix(1);
  }
  if (body.empty()) {
    return std::nullopt;
  }
  const bool wants_real = declared == payload::OptionType::real;
  if (digits(body)) {
    if ((body.size() > 1 && body[0] == '0') || body.size() > 15) {
      return std::nullopt;
    } // an id, or a number with leading zeros
    if (wants_real) {
      return Number{ir::Type::real, std::string(text) + ".0", false};
    }
    return Number{ir::Type::integer, std::string(text), true};
  }
  if (declared == payload::OptionType::integer) {
    return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(body.data(), body.data() + body.size(), value);
  if (error != std::errc{} || end != body.data() + body.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  if (std::isdigit(static_cast<unsigned char>(body[0])) == 0 && body[0] != '.') {
    return std::nullopt;
  } // inf, nan
  std::string literal(body);
  std::ranges::transform(literal, literal.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (literal[0] == '.') {
    literal.insert(0, "0");
  }
  if (literal.back() == '.') {
    literal += "0";
  }
  if (const auto at = literal.find(".e"); at != std::string::npos) {
    literal.insert(at + 1, "0");
  }
  if (const auto at = literal.find("e+"); at != std::string::npos) {
    literal.erase(at + 1, 1);
  }
  // Python has no number with a leading zero before other digits.
  if (literal.size() > 1 && literal[0] == '0' &&
      std::isdigit(static_cast<unsigned char>(literal[1])) != 0) {
    return std::nullopt;
  }
  if (text.starts_with('-')) {
    literal.insert(0, "-");
    value = -value;
  }
  return Number{ir::Type::real, literal, python_repr(value) == text};
}

std::string flag_name(std::string_view flag) {
  std::string name;
  for (const char c : flag) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128
                ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
                : '_';
  }
  while (!name.empty() && name.front() == '_') {
    name.erase(0, 1);
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
    return {};
  }
  if (flyte::reserved_python_name(name)) {
    name += "_";
  }
  return name;
}

bool path_like(std::string_view value) {
  return value.empty() || value.find_first_of("/~") != std::string_view::npos ||
         value.find('.') != std::string_view::npos;
}

struct Candidate {
  ir::Launch* launch = nullptr;
  std::size_t word = 0;
  std::string flag;   // "lr"
  std::string prefix; // "--lr=" where value and option are one word
  std::string value;
  std::optional<payload::OptionType> declared;
  bool is_known = false; // the payload's declarations were read and have it
  Span span{};
};

const payload::Option* declared_option(const std::optional<payload::PythonFacts>& facts,
                                       const std::string& flag) {
  if (!facts) {
    return nullptr;
  }
  for (const payload::Option& option : facts->options) {
    if (std::ranges::find(option.flags, "--" + flag) != option.flags.end()) {
      return &option;
    }
  }
  return nullptr;
}

void collect(const PassContext& context, ir::Launch& launch, std::vector<Candidate>& found) {
  const auto path = launch.words[*launch.payload].text();
  const auto facts = path ? payload_facts(context, *path) : std::nullopt;
  for (std::size_t i = *launch.payload + 1; i < launch.words.size(); ++i) {
    const auto word = launch.words[i].text();
    if (!word || !word->starts_with("--") || word->size() < 3) {
      continue;
    }
    Candidate candidate;
    candidate.launch = &launch;
    const auto equals = word->find('=');
    if (equals != std::string::npos) {
      candidate.flag = word->substr(2, equals - 2);
      candidate.prefix = word->substr(0, equals + 1);
      candidate.value = word->substr(equals + 1);
      candidate.word = i;
    } else {
      if (i + 1 >= launch.words.size()) {
        continue;
      }
      candidate.flag = word->substr(2);
      const auto value = launch.words[i + 1].text();
      if (!value || (value->starts_with('-') && !number(*value, std::nullopt))) {
        continue;
      }
      // A second word behind it: the option takes a list, so no single parameter stands for it.
      const auto next = i + 2 < launch.words.size() ? launch.words[i + 2].text()
                                                    : std::optional<std::string>("--");
      if (next && !next->starts_with('-')) {
        continue;
      }
      candidate.value = *value;
      candidate.word = i + 1;
    }
    if (const payload::Option* option = declared_option(facts, candidate.flag)) {
      if (option->type == payload::OptionType::boolean_flag || option->multiple) {
        continue;
      }
      candidate.declared = option->type;
      candidate.is_known = true;
    }
    candidate.span = launch.words[candidate.word].span;
    found.push_back(std::move(candidate));
  }
}

std::size_t occurrences(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

// Whether the word is how many elements the array has, which nothing else asks: then whoever runs
// it may choose.
bool is_count(const PassContext& context, const Span& span) {
  constexpr std::string_view variable = "SLURM_ARRAY_TASK_COUNT";
  const ir::Job& job = context.job;
  if (!job.array || !job.array->mapped() || !job.array->certain) {
    return false;
  }
  const auto& indices = job.array->spec.indices;
  for (std::size_t i = 1; i < indices.size(); ++i) {
    if (indices[i] != indices[i - 1] + 1) {
      return false;
    }
  }
  std::string word = context.text(span);
  std::erase_if(word, [](char c) { return c == '"' || c == '{' || c == '}'; });
  const std::string_view text = context.sources[job.source].text;
  return (word == "$" + std::string(variable) || word.ends_with("=$" + std::string(variable))) &&
         occurrences(text, variable) == 1 &&
         text.find("SLURM_ARRAY_TASK_M") == std::string_view::npos;
}

} // namespace

void payload_parameters(PassContext& context) {
  ir::Job& job = context.job;
  std::vector<Candidate> found;
  ir::for_each_step(job.body, [&](ir::Step& step) {
    auto* launch = std::get_if<ir::Launch>(&step.value);
    if (launch == nullptr || !launch->payload) {
      return;
    }
    // The index of an array takes the name of the option that it is given to.
    for (std::size_t i = *launch->payload + 2; i < launch->words.size(); ++i) {
      const auto& parts = launch->words[i].parts;
      const auto flag = launch->words[i - 1].text();
      if (job.array && parts.size() == 1 && std::holds_alternative<ir::ArrayIndex>(parts[0]) &&
          flag && flag->starts_with("--") && job.array->index_parameter == "index") {
        const std::string name = flag_name(flag->substr(2));
        std::set<std::string> taken = taken_names(job);
        taken.erase(job.function); // that name means nothing within the task
        if (!name.empty() && !taken.contains(name)) {
          job.array->index_parameter = name;
        }
      }
    }
    collect(context, *launch, found);
  });
  // A region that stays Bash starts its own programs; what lies in it is not lifted.
  if (std::ranges::any_of(job.body, [](const ir::Step& s) {
        return std::holds_alternative<ir::Opaque>(s.value);
      })) {
    return;
  }
  std::map<std::string, std::set<std::string>>
      values; // of a flag: one parameter can stand for one value only
  std::map<std::string, std::vector<Span>> spans; // of its values
  for (const Candidate& candidate : found) {
    values[candidate.flag].insert(candidate.value);
    spans[candidate.flag].push_back(candidate.span);
  }
  std::set<std::string> taken = taken_names(job);
  std::map<std::string, std::string> made; // flag -> parameter
  for (Candidate& candidate : found) {
    const bool saved = job.resume && candidate.value == job.resume->directory;
    if (values[candidate.flag].size() > 1 || saved) { // the task itself saves these checkpoints
      continue;
    }
    const bool declared_text = candidate.declared == payload::OptionType::text ||
                               candidate.declared == payload::OptionType::path;
    const auto as_number =
        declared_text ? std::nullopt : number(candidate.value, candidate.declared);
    const bool as_text =
        !as_number && !path_like(candidate.value) &&
        (candidate.is_known || std::isalpha(static_cast<unsigned char>(candidate.value[0])) != 0);
    if (!as_number && !as_text) {
      continue;
    }
    const ParameterRead read{variable_of_word(context.text(candidate.span)), candidate.value,
                             !as_number || as_number->exact, spans[candidate.flag]};
    if (!reads_follow(context, read)) {
      continue;
    }
    std::string name;
    if (const auto known = made.find(candidate.flag); known != made.end()) {
      name = known->second;
    } else {
      name = flag_name(candidate.flag);
      if (name.empty() || !taken.insert(name).second) {
        continue;
      }
      ir::Parameter parameter;
      parameter.name = name;
      parameter.origin = "--" + candidate.flag;
      parameter.span = candidate.span;
      parameter.type = as_number ? as_number->type : ir::Type::text;
      parameter.default_ = as_number ? as_number->literal : candidate.value;
      if (as_number && !as_number->exact) {
        review::Finding finding;
        finding.rule = "S2F402";
        finding.span = candidate.span;
        finding.message =
            fmt::format("--{} {}: Python prints this number otherwise than the script wrote it.",
                        candidate.flag, candidate.value);
        finding.slurm_does = fmt::format("The program is given the text {}.", candidate.value);
        finding.output_does = "The program is given the same number, as Python prints it.";
        context.findings.add(std::move(finding));
      }
      if (parameter.type == ir::Type::integer && is_count(context, candidate.span)) {
        job.array->count_parameter = name;
      }
      job.parameters.push_back(std::move(parameter));
      made[candidate.flag] = name;
      (void)reads_follow(context, read, name);
    }
    ir::Value value;
    value.span = candidate.span;
    value.append(ir::Text{candidate.prefix});
    value.append(ir::ParameterRef{name});
    candidate.launch->words[candidate.word] = std::move(value);
  }
}

} // namespace s2f::passes
