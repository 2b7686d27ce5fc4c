// Programs that are started: their words, variables, redirections and payload.
//
// before:  srun python train.py --lr 3e-4 > log.txt
// after:   Launch{python train.py --lr 3e-4, out -> log.txt}
#include <algorithm>

#include <fmt/format.h>

#include "generated/tables/base_programs.hpp"
#include "generated/tables/builtins.hpp"
#include "generated/tables/launchers.hpp"
#include "passes/echo_words.hpp"
#include "passes/lifting.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

std::string Lifting::launch(ir::Step& step, const shell::SimpleCommand& command) {
  ir::Launch result;
  if (std::string why = launch_of(*step.statement, command, result); !why.empty()) {
    return why;
  }
  if (result.copies > 1 && std::ranges::any_of(result.words, &ir::Value::runs_program)) {
    return "the output of a command";
  }
  launched_ = true;
  step.value = std::move(result);
  return {};
}

std::string Lifting::launch_of(const shell::Statement& statement,
                               const shell::SimpleCommand& command, ir::Launch& result) {
  std::size_t skip_begin = command.words.size(); // the words of `srun`
  std::size_t skip_end = skip_begin;
  const ir::SrunStep* srun = srun_step(command);
  if (srun != nullptr && srun->in_text) {
    return "a text of a shell that holds the words of its launcher, too";
  }
  for (std::size_t i = 0; srun != nullptr && i < command.words.size(); ++i) {
    if (command.words[i].span.begin == srun->prefix.begin) {
      skip_begin = i;
    } else if (command.words[i].span.begin == srun->prefix.end) {
      skip_end = i;
    }
  }
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    if (i == skip_begin) {
      for (std::size_t word = 0; word < srun->instead.size(); ++word) {
        result.words.push_back(ir::Value::of(srun->instead[word], srun->prefix));
        local_rank(*srun, word == srun->program, result);
      }
    }
    if (i >= skip_begin && i < skip_end) {
      continue;
    }
    if (const ir::Prefix* prefix = prefix_of(command.words[i])) {
      if (std::string why = take_over(*prefix, command.words[i], result); !why.empty()) {
        return why;
      }
      continue;
    }
    if (auto all = i == 0 ? std::nullopt : scope_.all_arguments(command.words[i])) {
      result.words.push_back(std::move(*all));
      continue;
    }
    for (ir::Value& value : scope_.words_of(command.words[i])) {
      if (!value.known()) {
        return why_unknown(value);
      }
      if (may_split(value) && names_list(command.words[i])) {
        return "a variable that the shell would split";
      }
      result.words.push_back(std::move(value));
    }
    if (srun != nullptr) {
      local_rank(*srun, i == skip_end && !srun->program, result);
    }
  }
  if (result.words.empty()) {
    return "a command of nothing";
  }
  if (std::string why = program_of(result.words.front(), command); !why.empty()) {
    return why;
  }
  for (const shell::Assignment& assignment : command.assignments) {
    if (!assignment.value || assignment.append || assignment.subscript || assignment.array) {
      return "an assignment to an array";
    }
    ir::Value value = scope_.assigned(*assignment.value);
    if (!value.known()) {
      return why_unknown(value);
    }
    result.environment.emplace_back(assignment.name, std::move(value));
  }
  if (std::string why = redirections(statement, result); !why.empty()) {
    return why;
  }
  if (srun != nullptr) {
    take_over(*srun, result);
  }
  const bool echo = result.words.front().text() == "echo";
  for (ir::Value& value : result.words) {
    if (echo) {
      join_clock(value);
    }
    note_splitting(value);
  }
  find_payload(result);
  note_made(result);
  for (const ir::Value& word : result.words) { // `bash -c '... $SLURM_...'`
    job_.slurm_payload.merge(slurm_names(word));
  }
  return {};
}

// >&2, and >&file where it is no number that says which descriptor.
std::string Lifting::duplicate(const shell::Redirect& redirect, bool out, bool err,
                               ir::Launch& launch) {
  using Stream = ir::Redirection::Stream;
  const std::string refused = "a redirection between descriptors";
  const auto target = redirect.target.literal();
  if (redirect.descriptor.value_or(1) != 1 || out) {
    return refused;
  }
  ir::Redirection result;
  result.span = redirect.span;
  if (target == "2" && err) { // 2>file >&2
    if (launch.redirections.back().to_stdout) {
      return refused;
    }
    launch.redirections.back().stream = Stream::both;
    return {};
  }
  if (target == "2") {
    result.to_stderr = true;
    launch.redirections.push_back(std::move(result));
    return {};
  }
  ir::Value file = scope_.value_of(redirect.target);
  const bool named = std::ranges::any_of(file.parts, [](const ir::ValuePart& part) {
    const auto* text = std::get_if<ir::Text>(&part);
    return text != nullptr && text->text.find_first_not_of("0123456789-") != std::string::npos;
  });
  if (!file.known() || redirect.descriptor || err || !named) {
    return file.known() ? refused : why_unknown(file);
  }
  note_splitting(file);
  result.stream = Stream::both;
  result.file = std::move(file);
  launch.redirections.push_back(std::move(result));
  return {};
}

std::string Lifting::redirections(const shell::Statement& statement, ir::Launch& launch) {
  using Kind = shell::RedirectKind;
  using Stream = ir::Redirection::Stream;
  bool out = false;
  bool err = false;
  for (const shell::Redirect& redirect : statement.redirects) {
    if (redirect.variable) {
      return "a redirection of a descriptor variable";
    }
    if (redirect.kind == Kind::input || redirect.kind == Kind::heredoc ||
        redirect.kind == Kind::herestring) {
      if (std::string why = input(redirect, launch); !why.empty()) {
        return why;
      }
      continue;
    }
    ir::Redirection result;
    result.span = redirect.span;
    const int descriptor = redirect.descriptor.value_or(1);
    switch (redirect.kind) {
    case Kind::output:
    case Kind::clobber:
    case Kind::append:
      if (descriptor != 1 && descriptor != 2) {
        return "a redirection of another descriptor";
      }
      result.stream = descriptor == 1 ? Stream::out : Stream::err;
      result.append = redirect.kind == Kind::append;
      break;
    case Kind::output_both:
    case Kind::append_both:
      result.stream = Stream::both;
      result.append = redirect.kind == Kind::append_both;
      break;
    case Kind::duplicate_output:
      if (descriptor == 2 && redirect.target.literal() == "1") {
        if (err) {
          return "a second redirection of standard error";
        }
        if (out && launch.redirections.back().to_stderr) {
          // it goes there anyway
        } else if (out) {
          // The file of standard output takes both.
          launch.redirections.back().stream = Stream::both;
        } else {
          result.to_stdout = true;
          result.stream = Stream::err;
          launch.redirections.push_back(std::move(result));
        }
        err = true;
        continue;
      }
      if (std::string why = duplicate(redirect, out, err, launch); !why.empty()) {
        return why;
      }
      out = true;
      continue;
    default:
      return "a redirection between descriptors";
    }
    if (err && !out && launch.redirections.back().to_stdout) {
      return "errors sent to where the output went before"; // 2>&1 >file
    }
    if ((result.stream != Stream::err && out) || (result.stream != Stream::out && err)) {
      return "two redirections of one stream";
    }
    out |= result.stream != Stream::err;
    err |= result.stream != Stream::out;
    result.file = scope_.value_of(redirect.target);
    if (!result.file.known()) {
      return why_unknown(result.file);
    }
    if (result.file.parts.empty()) {
      return "a redirection to nothing";
    }
    note_splitting(result.file);
    launch.redirections.push_back(std::move(result));
  }
  return {};
}

bool Lifting::may_split(const ir::Value& value) {
  return value.unquoted && std::ranges::any_of(value.parts, [](const ir::ValuePart& part) {
           const auto* local = std::get_if<ir::Local>(&part);
           const auto* computed = std::get_if<ir::Computed>(&part);
           return std::holds_alternative<ir::ParameterRef>(part) ||
                  std::holds_alternative<ir::Output>(part) ||
                  std::holds_alternative<ir::EnvironmentVariable>(part) ||
                  (computed != nullptr && !computed->one_word) ||
                  (local != nullptr && !local->one_word);
         });
}

void Lifting::note_splitting(const ir::Value& value) {
  if (!may_split(value)) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F421";
  finding.span = value.span;
  finding.message = fmt::format("{} stands without quotes.", context_.text(value.span));
  finding.slurm_does =
      "Bash would split a value with blanks into several words, and drop an empty one.";
  finding.output_does = "The value stays one word.";
  context_.findings.add(std::move(finding));
}

void Lifting::include(const std::string& path) {
  if (path.empty() || path.starts_with('/') || path.starts_with('-') ||
      path.find("..") != std::string::npos) {
    return;
  }
  std::string clean = path;
  while (clean.starts_with("./")) {
    clean.erase(0, 2);
  }
  while (clean.ends_with('/')) {
    clean.pop_back();
  }
  if (clean.empty() || clean == ".") {
    return;
  }
  if (elsewhere_) {
    return;
  }
  clean = directory_ + clean;
  if (!context_.file_exists || !context_.file_exists(clean)) {
    return;
  }
  if (std::ranges::find(job_.include, clean) == job_.include.end()) {
    job_.include.push_back(clean);
  }
}

void Lifting::find_payload(ir::Launch& launch) {
  PlainWords words;
  for (const ir::Value& word : launch.words) {
    words.push_back(word.text());
  }
  const Behind behind = behind_wrappers(words);
  if (behind.program < words.size() && words[behind.program]) {
    launch.program = behind.program;
    launch.payload = behind.script;
    std::string program = *words[behind.program];
    // Where a program is not on PATH srun takes the one of that name in its directory.
    const bool here = launch.launcher == "srun" && !elsewhere_ && !program.empty() &&
                      program.find('/') == std::string::npos &&
                      tables::find_base_programs(program) == nullptr && context_.file_exists &&
                      context_.file_exists(directory_ + program);
    if (here) {
      program.insert(0, "./");
      launch.words[behind.program] = ir::Value::of(program, launch.words[behind.program].span);
    }
    if (!launch.payload && is_python(program_name(program))) {
      launch.payload = python_script(words, behind.program);
    }
    if (program.find('/') != std::string::npos) {
      include(program);
    }
  }
  if (launch.payload) {
    missing_payload(launch.words[*launch.payload], *words[*launch.payload]);
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i]) {
      const std::string& word = *words[i];
      include(word.starts_with("--") && word.find('=') != std::string::npos
                  ? word.substr(word.find('=') + 1)
                  : word);
    }
  }
}

// The srun that stands among the words of the command, or null.
const ir::SrunStep* Lifting::srun_step(const shell::SimpleCommand& command) const {
  const auto found = std::ranges::find_if(job_.srun_steps, [&](const ir::SrunStep& step) {
    return std::ranges::any_of(command.words, [&](const shell::Word& word) {
      return word.span.source == step.prefix.source && word.span.begin == step.prefix.begin;
    });
  });
  return found == job_.srun_steps.end() ? nullptr : &*found;
}

// The words before a program that a task does without, if the word is one of them.
const ir::Prefix* Lifting::prefix_of(const shell::Word& word) const {
  const auto found = std::ranges::find_if(
      job_.prefixes, [&](const ir::Prefix& prefix) { return prefix.span.contains(word.span); });
  return found == job_.prefixes.end() ? nullptr : &*found;
}

std::string Lifting::take_over(const ir::Prefix& prefix, const shell::Word& word,
                               ir::Launch& launch) {
  if (word.span.begin != prefix.span.begin) {
    return {};
  }
  for (const auto& [name, value] : prefix.environment) {
    launch.environment.emplace_back(name, ir::Value::of(value));
  }
  if (!prefix.directory.empty()) {
    launch.directory = prefix.directory;
  }
  for (const std::string& each : prefix.words) {
    launch.words.push_back(ir::Value::of(each));
  }
  return prefix.why;
}

// --local-rank=N behind the program, where a launcher gives it to each rank.
void Lifting::local_rank(const ir::SrunStep& step, bool here, ir::Launch& launch) {
  if (!here || step.local_rank.empty()) {
    return;
  }
  ir::Value value = ir::Value::of(step.local_rank + "=", step.prefix);
  value.append(ir::SlurmVariable{"SLURM_LOCALID"});
  launch.words.push_back(std::move(value));
}

// What the options of srun say of the program.
void Lifting::take_over(const ir::SrunStep& step, ir::Launch& launch) {
  launch.launcher = "srun";
  launch.rank = step.ranks;
  launch.copies = step.copies;
  launch.gpus_each = step.gpus_each;
  launch.size = step.size;
  for (const auto& [name, value] : step.environment) {
    launch.environment.emplace_back(name, ir::Value::of(value, step.prefix));
  }
  using Stream = ir::Redirection::Stream;
  const bool both = step.output && (!step.error || *step.error == *step.output);
  if (step.output) {
    launch.redirections.push_back({both ? Stream::both : Stream::out, false, false, false,
                                   ir::Value::of(*step.output, step.prefix), step.prefix});
  }
  if (step.error && !both) {
    launch.redirections.push_back(
        {Stream::err, false, false, false, ir::Value::of(*step.error, step.prefix), step.prefix});
  }
}

void Lifting::missing_payload(const ir::Value& value, const std::string& path) {
  if (!context_.file_exists || elsewhere_ || path.starts_with('/') ||
      context_.file_exists(directory_ + path)) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F603";
  finding.span = value.span;
  finding.message = fmt::format("{} was not found beside the script.", path);
  finding.output_does =
      "It is called by that name, but not bundled with the module. What it imports was "
      "not read.";
  context_.findings.add(std::move(finding));
}

std::string Lifting::why_unknown(const ir::Value& value) {
  for (const ir::ValuePart& part : value.parts) {
    if (const auto* unknown = std::get_if<ir::Unknown>(&part)) {
      return unknown->why;
    }
    if (const auto* computed = std::get_if<ir::Computed>(&part)) {
      for (const ir::Value& operand : computed->operands) {
        if (!operand.known()) {
          return why_unknown(operand);
        }
      }
    }
    if (const auto* variable = std::get_if<ir::Variable>(&part)) {
      return fmt::format("${} is no constant", variable->name);
    }
  }
  return "a value that is known only when the job runs";
}

} // namespace s2f::passes
