// What a driver gives a job besides arguments: variables for the programs that it starts, secrets.
//
// before:  LR=0.1 sbatch train.sh, where train.py reads os.environ["LR"]
// after:   a parameter lr, and variables = {"LR": lr} for every program
//
// before:  sbatch train.sh "$HF_TOKEN"
// after:   no parameter: the task reads the secret HF_TOKEN of its environment
//
// Programs whose text is not there may read every variable; those of the image read none.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/secrets.hpp"
#include "generated/tables/base_programs.hpp"
#include "ir/steps.hpp"
#include "passes/names.hpp"
#include "passes/pipeline.hpp"
#include "passes/secrets.hpp"

namespace s2f::passes {

namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool names(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !in_name(text[at - 1])) && (end >= text.size() || !in_name(text[end]))) {
      return true;
    }
  }
  return false;
}

// os.environ[name], os.getenv(name), dict(os.environ): any variable may be meant.
bool computes_names(std::string_view text) {
  for (const std::string_view word : {"environ", "getenv"}) {
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
      std::string_view rest = text.substr(at + word.size());
      for (const std::string_view access : {".get(", ".setdefault(", ".pop(", "[", "("}) {
        if (rest.starts_with(access)) {
          rest.remove_prefix(access.size());
          rest.remove_prefix(std::min(rest.find_first_not_of(" \t\n"), rest.size()));
          if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) {
            return true;
          }
          break;
        }
      }
    }
  }
  return false;
}

// What the programs of the job read of their environment.
class Programs {
public:
  explicit Programs(const PassContext& context) : job_(context.job) {
    for (const std::string& path : job_.include) {
      add(context, path);
    }
    any_ = starts_unread(context);
  }

  [[nodiscard]] bool may_read(const std::string& name) const {
    return any_ || named(name) || std::ranges::any_of(texts_, [](const std::string& each) {
             return computes_names(each);
           });
  }
  [[nodiscard]] bool named(const std::string& name) const {
    return std::ranges::any_of(texts_, [&](const std::string& each) { return names(each, name); });
  }

private:
  void add(const PassContext& context, const std::string& path) {
    constexpr std::size_t most = 200;
    auto text = context.read_file ? context.read_file(path) : std::nullopt;
    if (text) {
      texts_.push_back(std::move(*text));
    } else if (context.list_files && path != ".") {
      for (const std::string& each : context.list_files(path)) {
        auto inner = context.read_file && texts_.size() < most
                         ? context.read_file(path + "/" + each)
                         : std::nullopt;
        if (inner) {
          texts_.push_back(std::move(*inner));
        }
      }
    }
  }

  // A program that is neither of the image nor there to be read.
  [[nodiscard]] static bool starts_unread(const PassContext& context) {
    return ir::any_step(context.job.body, [&](const ir::Step& step) {
      const auto* launch = std::get_if<ir::Launch>(&step.value);
      if (launch == nullptr || launch->words.size() <= launch->program) {
        return step.in_region;
      }
      if (launch->payload) {
        const auto path = launch->words[*launch->payload].text();
        return !path || !context.file_exists || !context.file_exists(*path);
      }
      const auto program = launch->words[launch->program].text();
      return !program || tables::find_base_programs(*program) == nullptr || *program == "env" ||
             *program == "bash" || *program == "sh";
    });
  }

  const ir::Job& job_;
  std::vector<std::string> texts_;
  bool any_ = false;
};

// Of the machine rather than of the program.
bool of_the_machine(const std::string& name) {
  return analysis::ambient_variable(name) || name == "PATH" || name == "PYTHONPATH" ||
         name.starts_with("LD_") || name.starts_with("SLURM_") || name.starts_with("SBATCH_");
}

void not_known(PassContext& context, const std::string& name, std::string message,
               std::string output) {
  review::Finding finding;
  finding.rule = "S2F333";
  finding.span = context.job.interpreter.span;
  finding.message = std::move(message);
  finding.slurm_does = "The job inherits the variable from the shell that submits it.";
  finding.output_does = std::move(output);
  finding.choices = {"not needed", fmt::format("give {} to the programs in the task", name)};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
}

// A parameter for a variable that the driver gives, always or sometimes.
void add_parameter(PassContext& context, const std::string& name, bool always) {
  ir::Job& job = context.job;
  ir::Parameter added;
  added.name = python_name(name);
  const std::set<std::string> taken = taken_names(job);
  while (added.name == job.function || context.taken.contains(added.name) ||
         taken.contains(added.name)) {
    added.name += "_";
  }
  added.origin = "$" + name;
  if (!always) {
    added.may_be_unset = true;
    added.default_ = "";
  }
  job.parameters.push_back(std::move(added));
}

void given_secrets(PassContext& context) {
  ir::Job& job = context.job;
  const bool list = std::ranges::any_of(job.parameters, [](const ir::Parameter& parameter) {
    return parameter.type == ir::Type::text_list;
  });
  for (const auto& [name, secret] : job.given_secrets) {
    const bool position = std::isdigit(static_cast<unsigned char>(name[0])) != 0;
    const bool used = std::ranges::any_of(job.parameters, [&](const ir::Parameter& parameter) {
      return parameter.secret == secret.variable;
    });
    const bool known =
        std::ranges::find(job.secrets, secret.variable, &ir::Secret::variable) != job.secrets.end();
    if (!known && (used || (position ? list : Programs(context).may_read(name)))) {
      secret_of_the_shell(context, secret.variable, job.interpreter.span);
    }
    if (position && list) {
      review::Finding finding;
      finding.rule = "S2F334";
      finding.span = job.interpreter.span;
      finding.message = fmt::format(
          "The driver hands the secret ${} to the job, which takes its arguments as a list.",
          secret.variable);
      finding.slurm_does = "The secret is argument " + name + " of the job.";
      finding.output_does = fmt::format(
          "An empty text stands in its place, for what a task is given is kept with the run; the "
          "secret itself is in the task's environment as {}.",
          secret.variable);
      finding.choices = {fmt::format("read it in the task: os.environ[\"{}\"]", secret.variable)};
      finding.default_ = finding.choices[0];
      context.findings.add(std::move(finding));
    }
  }
}

} // namespace

void driver_given(PassContext& context) {
  ir::Job& job = context.job;
  given_secrets(context);
  if (job.missing) { // whatever it is given it may read
    for (const std::string& name : job.given) {
      const bool variable = !name.empty() && name != "@" && !name.ends_with('*') &&
                            std::isdigit(static_cast<unsigned char>(name.front())) == 0;
      if (variable && !of_the_machine(name) && !analysis::names_secret(name)) {
        add_parameter(context, name, job.always_given.contains(name));
      }
    }
    return;
  }
  if (job.submits) {
    return;
  }
  const Programs programs(context);
  std::set<std::string> written;
  for (const ir::Step& step : job.body) {
    if (step.statement != nullptr) {
      written.merge(analysis::effects_of(*step.statement).writes);
    }
  }
  for (const std::string& name : job.unknown_given) {
    if (!of_the_machine(name) && !analysis::names_secret(name) && programs.named(name)) {
      not_known(context, name,
                fmt::format("The driver exports ${}, whose value only its run tells.", name),
                "The programs of the job do not have it.");
    }
  }
  for (const std::string& name : job.inherited) {
    const bool known =
        std::ranges::find(job.exported, name, &ir::GivenVariable::name) != job.exported.end();
    const bool secret =
        std::ranges::find(job.secrets, name, &ir::Secret::variable) != job.secrets.end() ||
        analysis::names_secret(name);
    if (known || secret || of_the_machine(name) || !programs.may_read(name)) {
      continue;
    }
    const auto parameter = std::ranges::find(job.parameters, "$" + name, &ir::Parameter::origin);
    const bool always = job.always_given.contains(name);
    if (parameter != job.parameters.end() && parameter->default_ && !always) {
      not_known(
          context, name,
          fmt::format("The job's programs may read ${}, which not every submission sets.", name),
          "They do not have it; the script's own statements do.");
      continue;
    }
    if (parameter == job.parameters.end()) {
      if (written.contains(name)) { // the script's own value goes before; it is exported now
        for (ir::Step& step : job.body) {
          if (auto* assign = std::get_if<ir::Assign>(&step.value)) {
            for (ir::Binding& binding : assign->bindings) {
              binding.exported |= binding.variable == name;
            }
          }
        }
        continue;
      }
      add_parameter(context, name, always);
    }
    job.exported.push_back({name, "", "", {}});
  }
}

} // namespace s2f::passes
