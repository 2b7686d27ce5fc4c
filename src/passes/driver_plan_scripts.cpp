// Which scripts an sbatch of a driver that runs as it was can mean, where a variable holds the
// name.
//
// before:  run() { sbatch --parsable "$@"; }; for s in a.sh b.sh; do sbatch $s; done; run c.sh 1
// after:   candidates {a.sh, b.sh, c.sh} of both, told apart by the name that is noted; S2F365
// where
//          the driver names no script that is there
#include "passes/driver_plan.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"

namespace s2f::passes {

namespace {

// Of "jobs/./../a.sh" "a.sh"; what leaves the driver's directory keeps its "..".
std::string lexical(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= path.size();) {
    const auto end = std::min(path.find('/', from), path.size());
    const std::string part = path.substr(from, end - from);
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
    from = end + 1;
  }
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() ? "" : "/") + part;
  }
  return text;
}

} // namespace

// Every word of the driver that names a job script; commands that do something else with a file
// name none.
void DriverPlanner::find_named_scripts() {
  static constexpr std::array others{"source", ".",     "rm",   "cp",     "mv",   "cat", "chmod",
                                     "touch",  "mkdir", "echo", "printf", "grep", "sed", "cd"};
  const auto add = [&](const shell::Word& word) {
    const auto text = constant(word);
    const std::string path = text ? lexical(*text) : "";
    if (!path.empty() && context_.is_job_script && context_.is_job_script(path) &&
        std::ranges::find(named_, path) == named_.end()) {
      named_.push_back(path);
    }
  };
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& each) {
    if (each.value) {
      add(*each.value);
    }
    for (std::size_t i = 0; each.array && i < each.array->size(); ++i) {
      add((*each.array)[i]);
    }
  };
  visitor.statement = [&](const shell::Statement& each) {
    if (const auto* loop = std::get_if<shell::For>(&each.value)) {
      std::ranges::for_each(loop->words, add);
    }
    const auto* command = shell::as_simple(each);
    const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
    if (!name) {
      return;
    }
    for (const shell::Word& word : command->words) {
      directories(*name, word);
    }
    if (std::ranges::find(others, *name) != others.end()) {
      return;
    }
    std::for_each(command->words.begin() + 1, command->words.end(), add);
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
  }
}

// Where the driver goes to, as far as it stands there.
void DriverPlanner::directories(const std::string& command, const shell::Word& word) {
  const auto text = constant(word);
  if ((command == "cd" || command == "pushd") && text && *text != command &&
      !text->starts_with('-') && !text->starts_with('/')) {
    directories_.push_back(*text);
  }
}

// The paths that a name can mean, from the driver's own directory, where it goes to others.
std::vector<std::string> DriverPlanner::meanings(const std::string& name) const {
  std::vector<std::string> found;
  const auto add = [&](const std::string& path) {
    if (context_.is_job_script && context_.is_job_script(path) &&
        std::ranges::find(found, path) == found.end()) {
      found.push_back(path);
    }
  };
  add(lexical(name));
  for (const std::string& directory : directories_) {
    add(lexical(directory + "/" + name));
  }
  return found;
}

void DriverPlanner::note_named(const Site& site, const Call& call, ir::Plan::Site& planned) {
  std::vector<std::string> scripts = named_;
  std::string alone; // a name that is known, in a directory that is not
  const std::string written(context_.sources.text(call.script->span));
  if (const auto slash = written.rfind('/'); slash != std::string::npos) { // $DIR/train.sh
    const std::string leaf = plain_name(written.substr(slash + 1));
    if (leaf.find('$') == std::string::npos) {
      scripts = meanings(leaf);
      alone = scripts.empty() ? leaf : "";
    }
  }
  for (const std::string& script : scripts) {
    slurm::ReadOptions read = call.read;
    read.script_name = script.substr(script.find_last_of('/') + 1);
    if (const auto job = context_.load(script, read)) {
      planned.candidates.push_back({"", script, driver_.submissions.size(), {}});
      submission_of(*job, site, call, {});
    }
  }
  if (!alone.empty()) {
    slurm::ReadOptions read = call.read;
    read.script_name = alone;
    if (const auto job = context_.load(alone, read)) {
      planned.candidates.push_back({"", "", driver_.submissions.size(), {}});
      submission_of(*job, site, call, {});
    }
  }
}

// Whether a word is one of the scripts that the driver names, whatever happens.
bool DriverPlanner::always_named(const shell::Word& script) const {
  std::set<std::string> variables;
  bool computed = false;
  analysis::Visitor parts;
  parts.part = [&](const shell::WordPart& part) {
    if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      variables.insert(parameter->name);
    }
    computed |= std::holds_alternative<shell::CommandSubstitution>(part.value);
  };
  analysis::walk(script, parts);
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& each) {
    computed |= variables.contains(each.name) && each.value && !constant(*each.value) &&
                !passes_argument(*each.value);
  };
  visitor.statement = [&](const shell::Statement& each) {
    if (const auto* loop = std::get_if<shell::For>(&each.value);
        loop != nullptr && variables.contains(loop->variable)) {
      computed |= std::ranges::any_of(loop->words,
                                      [&](const shell::Word& word) { return !constant(word); });
    }
    const auto* command = shell::as_simple(each);
    if (command != nullptr && analysis::command_name(*command) == "read") {
      computed |= std::ranges::any_of(command->words, [&](const shell::Word& word) {
        return variables.contains(word.literal().value_or(""));
      });
    }
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
  }
  return !computed;
}

// local script=$1: as the function is called.
bool DriverPlanner::passes_argument(const shell::Word& word) {
  std::string name;
  analysis::Visitor parts;
  parts.part = [&](const shell::WordPart& part) {
    if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      name = parameter->name;
    }
  };
  analysis::walk(word, parts);
  return name.size() == 1 &&
         (std::isdigit(static_cast<unsigned char>(name[0])) != 0 || name == "@");
}

void DriverPlanner::say_unknown(const ir::Plan::Site& planned, const Call& call) {
  review::Finding finding;
  finding.rule = "S2F365";
  finding.span = planned.span;
  finding.message = call.name ? fmt::format("{} is no script that can be a task here.", *call.name)
                    : call.script
                        ? fmt::format("Which script {} is, is known only when the driver runs.",
                                      context_.sources.text(call.script->span))
                        : "Which script this submits is known only when the driver runs.";
  finding.slurm_does = "It submits whatever script has that name then.";
  finding.output_does = "No task stands for it: where the driver submits it, `main` fails and says "
                        "which script it was.";
  finding.choices = {"name the script in the driver and convert again", "write the task"};
  finding.default_ = finding.choices[0];
  context_.findings.add(std::move(finding));
}

} // namespace s2f::passes
