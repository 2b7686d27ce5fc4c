// The script's arguments, and variables that nothing sets: parameters of the task.
//
// before:  DATA=$1; MODE=${2:-fast}; python run.py "$DATA" "$MODE" "$REGION"
// after:   parameters data (no default), mode = "fast", region (no default, S2F403)
//
// before:  if [ -z "$1" ]; then usage; fi
// after:   a parameter with the default ""
//
// before:  LATEST=62; VERSION=${1:-$LATEST}
// after:   version = "62"
//
// before:  python run.py $1, in a job that a driver submits without arguments
// after:   none
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/secrets.hpp"
#include "analysis/walk.hpp"
#include "passes/constant_text.hpp"
#include "passes/defaulted_variables.hpp"
#include "passes/inherited_variables.hpp"
#include "passes/names.hpp"
#include "passes/optional_variables.hpp"
#include "passes/pipeline.hpp"
#include "passes/secrets.hpp"
#include "passes/set_unseen.hpp"

namespace s2f::passes {

namespace {

// The N of a word that is $N, ${N} or ${N:-x} and nothing else, quoted or not.
std::optional<int> lone_position(const shell::Word& word) {
  if (word.parts.size() != 1) {
    return std::nullopt;
  }
  const shell::WordPart* part = &word.parts.front();
  if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part->value);
      quoted != nullptr && quoted->parts.size() == 1) {
    part = &quoted->parts.front();
  }
  const auto* parameter = std::get_if<shell::Parameter>(&part->value);
  if (parameter == nullptr || parameter->name.empty() || parameter->name.size() > 2 ||
      parameter->name == "0" || std::isdigit(static_cast<unsigned char>(parameter->name[0])) == 0) {
    return std::nullopt;
  }
  return std::stoi(parameter->name);
}

// The N of `[ -z "$N" ]` and `[[ -z $N ]]`, and of -n where `present`: the script knows what to do
// without it.
std::vector<int> tested_for_absence(const shell::Statement& statement, bool present) {
  std::vector<int> positions;
  const auto asks = [&](const std::string& op) { return op == "-z" || (present && op == "-n"); };
  const auto add = [&](const shell::Word& word) {
    if (const auto position = lone_position(word)) {
      positions.push_back(*position);
    }
  };
  if (const auto* command = shell::as_simple(statement);
      command != nullptr && !command->words.empty()) {
    const auto name = command->words[0].literal();
    for (std::size_t i = 1; (name == "[" || name == "test") && i + 1 < command->words.size(); ++i) {
      if (asks(command->words[i].literal().value_or(""))) {
        add(command->words[i + 1]);
      }
    }
  } else if (const auto* test = std::get_if<shell::Test>(&statement.value)) {
    for (std::size_t i = 0; i + 1 < test->tokens.size(); ++i) {
      if (asks(test->tokens[i].op) && test->tokens[i + 1].op.empty()) {
        add(test->words[test->tokens[i + 1].word]);
      }
    }
  }
  return positions;
}

// `set -- a b` gives the positionals values of the script's own.
bool sets_positionals(const ir::Job& job) {
  bool found = false;
  for (const ir::Step& step : job.body) {
    if (step.statement == nullptr) {
      continue;
    }
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      found |= command != nullptr && command->words.size() > 1 &&
               analysis::command_name(*command) == "set" && command->words[1].literal() == "--";
    };
    analysis::walk(*step.statement, visitor);
  }
  return found;
}

// The value that `--export=ALL,NAME=value` gives a variable.
std::optional<std::string> exported_value(const ir::Job& job, const std::string& name) {
  const auto found = std::ranges::find(job.exported, name, &ir::GivenVariable::name);
  return found == job.exported.end() ? std::nullopt : std::optional(found->value);
}

// set -u: an argument that is not given ends the job.
bool nounset(const ir::Job& job) {
  bool found = false;
  for (const ir::Step& step : job.body) {
    if (step.statement == nullptr) {
      continue;
    }
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      for (std::size_t i = 1; command != nullptr && i < command->words.size(); ++i) {
        const auto word = command->words[i].literal().value_or("");
        found |= analysis::command_name(*command) == "set" &&
                 (word == "nounset" || (word.starts_with('-') && word.contains('u')));
      }
    };
    analysis::walk(*step.statement, visitor);
  }
  return found || std::ranges::any_of(job.interpreter.arguments, [](const std::string& word) {
           return word.starts_with('-') && word.contains('u');
         });
}

// Whether sbatch passes the variable of its own shell on: --export=NONE, --export=OTHER.
bool is_passed_on(const PassContext& context, const std::string& name) {
  const slurm::OptionUse* use = context.winner("export");
  if (use == nullptr || !use->value) {
    return true;
  }
  std::string list = "," + *use->value + ",";
  if (list.size() == 5) { // all, in any letters
    std::ranges::transform(list, list.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  }
  return list.find(",ALL,") != std::string::npos ||
         list.find("," + name + ",") != std::string::npos;
}

// A variable that cannot have had a value; it has none in the output.
bool stays_unset(PassContext& context, const std::string& name, const Span& span,
                 std::set<std::string> written) {
  for (const ir::Step& step : context.job.body) { // XHOST=$X_HOST is no slip of the pen
    if (step.statement != nullptr && shell::as_simple(*step.statement) != nullptr &&
        step.span.contains(span)) {
      for (const std::string& own : analysis::effects_of(*step.statement).writes) {
        written.erase(own);
      }
    }
  }
  const auto meant = meant_name(name, written);
  const bool passed = is_passed_on(context, name);
  if (!meant && passed) {
    return false;
  }
  review::Finding finding;
  finding.rule = meant ? "S2F469" : "S2F468";
  finding.span = span;
  if (meant) {
    finding.message = fmt::format("Nothing sets ${}. Did you mean ${}?", name, *meant);
    finding.choices = {"it is empty, as it was", fmt::format("write ${} in the script", *meant)};
    finding.default_ = finding.choices[0];
  } else {
    finding.message = fmt::format("Nothing in the script sets ${}, and {} passes nothing on.", name,
                                  context.asked("export"));
  }
  finding.slurm_does = "The variable is unset, which is as good as empty.";
  finding.output_does = "It is unset.";
  context.findings.add(std::move(finding));
  return true;
}

// A variable without which the script goes on.
void optional_variable(PassContext& context, ir::Parameter& parameter) {
  review::Finding finding;
  finding.rule = "S2F468";
  finding.span = parameter.span;
  finding.message =
      fmt::format("Nothing in the script sets {}, and the script knows what to do without it.",
                  parameter.origin);
  finding.slurm_does = "It passes the submitting shell's variables on to the job.";
  finding.output_does =
      fmt::format("The task has a parameter {}, empty where no run gives it.", parameter.name);
  context.findings.add(std::move(finding));
  parameter.default_ = "";
  context.job.parameters.push_back(std::move(parameter));
}

// A driver's $TOKEN: the task reads it from where Flyte puts the secret.
void is_secret(const ir::Job& job, const std::string& name, ir::Parameter& parameter) {
  if (const auto secret = job.given_secrets.find(name); secret != job.given_secrets.end()) {
    parameter.secret = secret->second.variable;
    parameter.default_ = secret->second.otherwise;
  }
}

// A variable that each run has to give.
void required_variable(PassContext& context, ir::Parameter& parameter) {
  review::Finding finding;
  finding.rule = "S2F403";
  finding.span = parameter.span;
  finding.message =
      fmt::format("Nothing in the script sets {}; it came from the shell that submitted the job.",
                  parameter.origin);
  finding.slurm_does =
      "It passes the submitting shell's variables on to the job; unset, it is empty.";
  finding.output_does =
      fmt::format("The task has a parameter {} without a default.", parameter.name);
  finding.choices = {"give it at each run", "a default in the module",
                     "it was never set: give it the empty text"};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
  context.job.parameters.push_back(std::move(parameter));
}

struct Use {
  std::optional<std::string> default_;
  bool bare = false;
  bool may_be_absent = false; // the script tests for that
  bool computed = false;      // a default is known only where it is used
  Span span{};
};

} // namespace

void positionals(PassContext& context) {
  ir::Job& job = context.job;
  analysis::Effects all;
  std::map<int, Use> uses;
  std::map<int, std::string> names;
  std::map<int, std::string> by_flag;
  std::map<std::string, Span> where;
  const bool strict = nounset(job);
  for (const ir::Step& step : job.body) {
    if (step.statement == nullptr || std::holds_alternative<ir::Nothing>(step.value)) {
      continue;
    }
    analysis::merge(all, analysis::effects_of(*step.statement));
    analysis::Visitor visitor;
    visitor.functions = false;
    visitor.part = [&](const shell::WordPart& part) {
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      const bool removed = std::ranges::any_of(job.removals, [&](const ir::Removal& removal) {
        return removal.span.contains(part.span);
      });
      if (parameter == nullptr || parameter->name.empty() || removed) {
        return;
      }
      where.try_emplace(parameter->name, part.span);
      if (std::isdigit(static_cast<unsigned char>(parameter->name[0])) == 0 ||
          parameter->name == "0" || parameter->name.size() > 2) {
        return;
      }
      Use& use = uses[std::stoi(parameter->name)];
      use.span = use.span.end == 0 ? part.span : use.span;
      const bool has_default =
          (parameter->op == ":-" || parameter->op == "-") && parameter->arguments.size() == 1;
      const auto text = has_default ? constant_text(job, parameter->arguments[0]) : std::nullopt;
      if (text && (!use.default_ || *use.default_ == *text)) {
        use.default_ = *text;
      } else if (parameter->op == ":-" && parameter->arguments.empty()) {
        use.default_ = use.default_.value_or("");
      } else if (has_default && parameter->op == ":-" && !text) {
        use.computed = true;
      } else if (parameter->op != ":+" && parameter->op != "+") {
        use.bare = true;
      }
    };
    visitor.assignment = [&](const shell::Assignment& assignment) {
      const auto position = assignment.value ? lone_position(*assignment.value) : std::nullopt;
      if (position) {
        names.try_emplace(*position, python_name(assignment.name));
      }
    };
    visitor.statement = [&](const shell::Statement& inner) {
      for (const int position : tested_for_absence(inner, !strict)) {
        Use& use = uses[position];
        use.default_ = use.default_.value_or("");
        use.may_be_absent = true;
      }
      const auto* command = shell::as_simple(inner);
      for (std::size_t i = 1; command != nullptr && i < command->words.size(); ++i) {
        const auto flag = command->words[i - 1].literal();
        const auto position = lone_position(command->words[i]);
        if (flag && flag->size() > 2 && flag->starts_with("--") && position) {
          by_flag.try_emplace(*position, python_name(flag->substr(2)));
        }
      }
    };
    analysis::walk(*step.statement, visitor);
  }
  for (auto& [position, use] : uses) {
    if (use.computed && !use.default_ && !strict) { // empty, and it is asked where it is used
      use.default_ = "";
    } else if (use.computed && use.default_ != "") {
      use.bare = true; // several defaults
    }
  }
  names.insert(by_flag.begin(), by_flag.end()); // a variable's name goes before a flag's
  std::set<std::string> taken{job.function, "index"};
  for (const ir::Parameter& parameter : job.parameters) { // of the script's own options
    taken.insert(parameter.name);
    all.reads.erase(parameter.origin.substr(1));
  }
  const auto unique = [&](std::string name) {
    while (!taken.insert(name).second) {
      name += "_";
    }
    return name;
  };
  if (all.all_positionals || (job.submits && !uses.empty())) { // a driver sees how many there are
    ir::Parameter parameter;
    parameter.name = unique("arguments");
    parameter.type = ir::Type::text_list;
    parameter.origin = "$@";
    job.parameters.push_back(std::move(parameter));
  } else if (!uses.empty() && !sets_positionals(job)) {
    // A driver gives no more: behind them $N is nothing.
    const bool known = job.given.contains("@") && !nounset(job);
    const auto nothing = [&](int position) {
      const auto use = uses.find(position);
      const bool defaulted = use != uses.end() && use->second.default_ &&
                             (!use->second.bare || use->second.may_be_absent);
      return known && !defaulted && !job.given.contains(fmt::format("{}", position));
    };
    for (int position = 1; position <= uses.rbegin()->first; ++position) {
      if (nothing(position)) {
        continue;
      }
      ir::Parameter parameter;
      const auto named = names.find(position);
      parameter.name =
          unique(named != names.end() ? named->second : fmt::format("arg{}", position));
      parameter.origin = fmt::format("${}", position);
      parameter.position = position;
      if (const auto use = uses.find(position); use != uses.end()) {
        parameter.span = use->second.span;
        if (use->second.default_ && (!use->second.bare || use->second.may_be_absent)) {
          parameter.default_ = use->second.default_;
          if (!use->second.default_->empty()) {
            parameter.origin = fmt::format("${{{}:-{}}}", position, *use->second.default_);
          }
        }
      } else {
        parameter.default_ = "";
      }
      is_secret(job, fmt::format("{}", position), parameter);
      job.parameters.push_back(std::move(parameter));
    }
  }
  // Slurm passes the submitting shell's variables on; a container gets none of them.
  // An eval or a sourced file may set them.
  const SetUnseen unseen = set_unseen(job);
  const bool whole = unseen.from == job.body.size();
  const auto outside = [&](const std::string& name) {
    return !all.anything || job.given.contains(name) || unseen.from_outside(name, whole);
  };
  for (const DefaultedVariable& variable : defaulted_variables(job)) {
    if (!outside(variable.name) ||
        std::ranges::find(job.parameters, "$" + variable.name, &ir::Parameter::origin) !=
            job.parameters.end()) {
      continue;
    }
    ir::Parameter parameter;
    parameter.name = unique(python_name(variable.name));
    parameter.origin = "$" + variable.name;
    parameter.span = variable.span;
    parameter.default_ = exported_value(job, variable.name).value_or(variable.default_);
    all.reads.erase(variable.name);
    job.parameters.push_back(std::move(parameter));
  }
  for (const InheritedVariable& variable : inherited_variables(job)) {
    const std::string origin = "$" + variable.name;
    const bool given = job.given.contains(variable.name);
    auto exported = exported_value(job, variable.name);
    if (!outside(variable.name) ||
        std::ranges::find(job.parameters, origin, &ir::Parameter::origin) != job.parameters.end() ||
        (!given && !exported && !is_passed_on(context, variable.name))) {
      continue;
    }
    if (analysis::names_secret(variable.name)) {
      secret_of_the_shell(context, variable.name, variable.span);
      continue;
    }
    ir::Parameter parameter;
    parameter.name = unique(python_name(variable.name));
    parameter.origin = origin;
    parameter.span = variable.span;
    all.reads.erase(variable.name);
    if (given || exported) {
      parameter.default_ = std::move(exported);
      if (!parameter.default_ && !job.always_given.contains(variable.name)) {
        parameter.default_ = ""; // another submission goes without
      }
      job.parameters.push_back(std::move(parameter));
    } else if (nounset(job) && !variable.defaulted) {
      required_variable(context, parameter);
    } else {
      optional_variable(context, parameter);
    }
  }
  const auto variables = variable_uses(job);
  for (const auto& [name, use] : variables) { // ${NAME:+text} and ${NAME:-} alone
    if (use.optional && !use.bare && all.reads_defaulted.contains(name)) {
      all.reads.insert(name);
    }
  }
  for (const std::string& name : all.reads) {
    const bool plain = std::isalpha(static_cast<unsigned char>(name[0])) != 0 ||
                       (name[0] == '_' && name.size() > 1); // else $(($1 + 1)), $@
    if (!plain || all.writes.contains(name) || !outside(name) || name.starts_with("SLURM") ||
        name.starts_with("SBATCH_") || analysis::ambient_variable(name) ||
        std::ranges::find(job.secrets, name, &ir::Secret::variable) != job.secrets.end() ||
        std::ranges::find(job.parameters, "$" + name, &ir::Parameter::origin) !=
            job.parameters.end()) {
      continue;
    }
    const Span span = where.contains(name) ? where[name] : Span{};
    if (span.end == 0) {
      continue;
    } // read in arithmetic only: unset counts as 0 there
    const bool given = job.given.contains(name);
    if (const auto secret = job.given_secrets.find(name);
        secret != job.given_secrets.end() && secret->second.variable != name) {
      ir::Parameter parameter;
      parameter.name = unique(python_name(name));
      parameter.origin = "$" + name;
      parameter.span = span;
      is_secret(job, name, parameter);
      job.parameters.push_back(std::move(parameter));
      continue;
    }
    if (!given && !exported_value(job, name) && stays_unset(context, name, span, all.writes)) {
      continue;
    }
    ir::Parameter parameter;
    parameter.name = unique(python_name(name));
    parameter.origin = "$" + name;
    parameter.span = span;
    if (auto value = exported_value(job, name)) {
      parameter.default_ = std::move(value);
      job.parameters.push_back(std::move(parameter));
      continue;
    }
    const auto use = variables.find(name);
    const bool optional = use != variables.end() && use->second.optional;
    if (given) {
      job.parameters.push_back(std::move(parameter));
      continue;
    }
    if (optional) {
      optional_variable(context, parameter);
      continue;
    }
    if (analysis::names_secret(name)) {
      secret_of_the_shell(context, name, span);
      continue;
    }
    required_variable(context, parameter);
  }
}

} // namespace s2f::passes
