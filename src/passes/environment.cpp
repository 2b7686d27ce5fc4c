// Modules, environments and installs: what they bring belongs into the image.
//
// before:  module load cuda/12.1 python/3.11
//          source ~/venvs/train/bin/activate
//          if [ -f ~/.bashrc ]; then . ~/.bashrc; fi
// after:   environment.modules = {cuda, python}, environment.python = 3.11,
//          environment.activations = {~/venvs/train};
//          the statements are Nothing, and S2F501 or S2F502 says where the packages come from
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "passes/pipeline.hpp"
#include "passes/setup.hpp"
#include "passes/site_answers.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;
using Means = Software::Means;

bool to_null(const shell::Redirect& redirect) {
  using Kind = shell::RedirectKind;
  return redirect.kind == Kind::duplicate_output ||
         redirect.target.literal() == std::string("/dev/null");
}

// ---- what stands in a statement ---------------------------------------------------------------

// A command that sets up software; `conditional` where it may not be reached.
struct Found {
  Software software;
  bool conditional = false;
};

class Reader {
public:
  explicit Reader(const Setup& setup) : setup_(setup) {}

  // Whether the statement sets up software and does nothing else; what it sets up goes to `found`.
  bool only_sets_up(const shell::Statement& statement, bool conditional,
                    std::vector<Found>& found) const {
    if (statement.background || statement.negated ||
        !std::ranges::all_of(statement.redirects, to_null)) {
      return false;
    }
    if (const auto* command = std::get_if<shell::SimpleCommand>(&statement.value)) {
      auto software = read_software(setup_.context, setup_.constants, *command);
      if (!software || software->means == Means::run || !software->path.here.empty()) {
        return false;
      }
      found.push_back({std::move(*software), conditional});
      return true;
    }
    if (const auto* list = std::get_if<shell::AndOr>(&statement.value)) {
      return and_or(*list, conditional, found);
    }
    if (const auto* group = std::get_if<shell::Group>(&statement.value)) {
      return all(group->body, conditional, found);
    }
    if (const auto* branches = std::get_if<shell::If>(&statement.value)) {
      return if_(*branches, found);
    }
    if (const auto* pipeline = std::get_if<shell::Pipeline>(&statement.value)) {
      return pipeline_(*pipeline, conditional, found);
    }
    return false;
  }

  // A test that changes nothing.
  static bool only_tests(const shell::Statement& statement) {
    if (statement.background) {
      return false;
    }
    if (std::holds_alternative<shell::Test>(statement.value)) {
      return true;
    }
    if (const auto* list = std::get_if<shell::AndOr>(&statement.value)) {
      return only_tests(*list->left) && only_tests(*list->right);
    }
    const auto* command = shell::as_simple(statement);
    const auto name = command != nullptr ? analysis::command_name(*command) : std::nullopt;
    static constexpr std::array tests{"[", "test", "command", "which", "type", "hash", "true", ":"};
    return name && std::ranges::find(tests, *name) != tests.end() &&
           std::ranges::all_of(statement.redirects, to_null) &&
           (name != "command" ||
            (command->words.size() > 1 && command->words[1].literal() == "-v"));
  }

private:
  bool all(const std::vector<shell::Statement>& statements, bool conditional,
           std::vector<Found>& found) const {
    return !statements.empty() &&
           std::ranges::all_of(statements, [&](const shell::Statement& each) {
             return only_sets_up(each, conditional, found);
           });
  }

  bool and_or(const shell::AndOr& list, bool conditional, std::vector<Found>& found) const {
    if (only_tests(*list.left)) {
      return only_sets_up(*list.right, conditional || !about_files(*list.left), found);
    }
    if (!only_sets_up(*list.left, conditional, found)) {
      return false;
    }
    // `a || b`: in an image a has succeeded, so b is never reached.
    return !list.is_and || only_sets_up(*list.right, conditional, found);
  }

  // Whether a file or a command is there: a container has none of them.
  static bool about_files(const shell::Statement& statement) {
    const auto* command = shell::as_simple(statement);
    if (command == nullptr) {
      const auto* test = std::get_if<shell::Test>(&statement.value);
      return test != nullptr && (test->expression.find("-f ") != std::string::npos ||
                                 test->expression.find("-e ") != std::string::npos ||
                                 test->expression.find("-d ") != std::string::npos ||
                                 test->expression.find("-s ") != std::string::npos ||
                                 test->expression.find("-r ") != std::string::npos);
    }
    static constexpr std::array files{"-f", "-e", "-d", "-s", "-r", "-x"};
    const auto name = analysis::command_name(*command);
    return (name != "[" && name != "test") ||
           std::ranges::any_of(command->words, [](const shell::Word& word) {
             const auto text = word.literal();
             return text && std::ranges::find(files, *text) != files.end();
           });
  }

  bool if_(const shell::If& statement, std::vector<Found>& found) const {
    bool conditional = false;
    for (const shell::IfBranch& branch : statement.branches) {
      for (const shell::Statement& condition : branch.condition) {
        if (!only_tests(condition)) {
          return false;
        }
        conditional |= !about_files(condition);
      }
      if (!all(branch.body, conditional, found)) {
        return false;
      }
    }
    return true;
  }

  // `module list 2>&1 | tee modules` prints; `yes | conda install x` answers.
  bool pipeline_(const shell::Pipeline& pipeline, bool conditional,
                 std::vector<Found>& found) const {
    static constexpr std::array answers{"yes", "echo", "printf"};
    static constexpr std::array filters{"grep", "head", "tail", "cat",
                                        "less", "sort", "awk",  "sed"};
    const auto named = [](const shell::Statement& each, const auto& names) {
      const auto* command = shell::as_simple(each);
      const auto name = command != nullptr ? analysis::command_name(*command) : std::nullopt;
      return name && each.redirects.empty() && std::ranges::find(names, *name) != std::end(names);
    };
    const auto& commands = pipeline.commands;
    std::vector<Found> inner;
    if (commands.size() == 2 && named(commands[0], answers) &&
        only_sets_up(commands[1], conditional, inner)) {
      found.insert(found.end(), inner.begin(), inner.end());
      return true;
    }
    if (!only_sets_up(commands.front(), conditional, inner) || inner.size() != 1 ||
        inner.front().software.means != Means::show ||
        !std::all_of(commands.begin() + 1, commands.end(),
                     [&](const shell::Statement& each) { return named(each, filters); })) {
      return false;
    }
    found.insert(found.end(), inner.begin(), inner.end());
    return true;
  }

  const Setup& setup_;
};

// ---- what becomes of it -----------------------------------------------------------------------

std::string same_place(std::string target) {
  std::erase(target, '"');
  while (target.starts_with("./")) {
    target.erase(0, 2);
  }
  while (target.ends_with('/')) {
    target.pop_back();
  }
  return target;
}

// Whether it starts nothing and goes nowhere.
bool only_values(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  const auto name = command != nullptr ? analysis::command_name(*command) : std::nullopt;
  static constexpr std::array harmless{"export", "echo", "set", "ulimit", "date", "hostname"};
  return command != nullptr &&
         (command->words.empty() || (name && std::ranges::find(harmless, *name) != harmless.end()));
}

// The environment that conda itself stands in: "base", or where it is installed.
bool is_base(std::string target) {
  std::ranges::transform(target, target.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  static constexpr std::array installers{"conda", "miniforge", "mambaforge", "micromamba"};
  return target == "base" ||
         (target.find('/') != std::string::npos && target.find("/envs/") == std::string::npos &&
          target.find("_envs/") == std::string::npos &&
          std::ranges::any_of(installers, [&](const char* name) {
            return target.find(name) != std::string::npos;
          }));
}

// Whether another environment takes its place before anything is run in it: it was there to have
// `conda`.
bool taken_over(const Setup& setup, const Software& software, const std::string& target) {
  const auto& body = setup.context.job.body;
  auto step = std::ranges::find_if(
      body, [&](const ir::Step& each) { return each.span.contains(software.span); });
  if (!is_base(target) || step == body.end() || setup.conditional) {
    return false;
  }
  for (++step; step != body.end(); ++step) {
    const auto* command = step->statement == nullptr ? nullptr : shell::as_simple(*step->statement);
    if (command == nullptr) {
      return false;
    }
    const auto next = read_software(setup.context, setup.constants, *command);
    if (next && next->means == Means::activate) {
      return !is_base(same_place(next->target));
    }
    if (!next && !only_values(*step->statement)) {
      return false;
    }
  }
  return false;
}

Outcome activation(Setup& setup, const Software& software) {
  PassContext& context = setup.context;
  ir::Environment& environment = context.job.environment;
  const bool tool = software.means == Means::run && !software.conda;
  const std::string target =
      tool ? fmt::format("{}'s environment", software.target) : same_place(software.target);
  using Kind = ir::Activation::Kind;
  environment.spans.push_back(software.span);
  if (environment.made.contains(target)) {
    return {
        Disposition::converted, "the image stands for the environment that the job makes", {}, {}};
  }
  const auto same = std::ranges::find_if(
      environment.activations, [&](const ir::Activation& each) { return each.target == target; });
  if (same != environment.activations.end()) {
    return {Disposition::platform, "the image stands for it already", {}, {}};
  }
  if (taken_over(setup, software, target)) {
    return {Disposition::platform,
            "the environment that is activated behind it takes its place",
            {},
            {}};
  }
  if (target == "base" && !environment.activations.empty()) {
    return {Disposition::platform, "a container holds one environment only", {}, {}};
  }
  environment.activations.push_back({software.conda ? Kind::conda : Kind::venv, target,
                                     context.text(software.span), software.span});
  if (environment.container) {
    return {Disposition::platform, "the container's image has its own environment", {}, {}};
  }
  if (auto said = answered_environment(context, target, software.span)) {
    environment.comments.push_back(
        {fmt::format("{}: {}", cited(context, software.span), *said), software.span});
    return {Disposition::converted, std::move(*said), {}, {}};
  }
  review::Finding finding;
  finding.span = software.span;
  finding.config_key = site::key_of("environments", target);
  finding.slurm_does =
      "The job uses the packages of that environment on the cluster's file system.";
  if (auto project = find_project(context, tool ? software.target : "")) {
    const std::string name = name_of(*project);
    finding.rule = "S2F502";
    finding.message = fmt::format("{} was not there to be read; {} stands for it.", target, name);
    finding.output_does = fmt::format("The image installs what {} lists.", name);
    finding.choices = {fmt::format("{} is what the environment holds", name),
                       "a list of packages of its own", "an image that has them"};
    environment.comments.push_back({cited(context, software.span), software.span});
    environment.comments.push_back(
        {review_comment(
             "S2F502", fmt::format("{} was not there to be read; {} stands for it.", target, name)),
         software.span});
    use_project(context, std::move(*project), software.span);
  } else {
    finding.rule = "S2F501";
    finding.message =
        fmt::format("{} was not there to be read, so its packages are not known.", target);
    finding.output_does = "The image has what the script, the payload's imports and the site file "
                          "name, and no more.";
    finding.choices = {"nothing more is needed",
                       "`pip freeze` it to requirements.txt beside the script",
                       "an image that has the packages"};
    environment.comments.push_back(
        {review_comment(
             "S2F501",
             fmt::format("{} activated {}, which was not there to be read. If the job needs "
                         "more packages, `pip freeze` it to requirements.txt and add "
                         ".with_requirements(HERE / \"requirements.txt\").",
                         context.at(software.span), target)),
         software.span});
  }
  finding.default_ = finding.choices[0];
  const std::string rule = finding.rule;
  const auto id = context.findings.add(std::move(finding));
  return {Disposition::decision, "the image stands for the environment", rule, id};
}

Outcome personal_file(Setup& setup, const Software& software) {
  PassContext& context = setup.context;
  review::Finding finding;
  finding.rule = "S2F501";
  finding.span = software.span;
  finding.message =
      fmt::format("{} was not there to be read; what it sets is not known.", software.target);
  finding.slurm_does = "The job sees what the file sets.";
  finding.output_does = "Nothing of it is carried over.";
  finding.choices = {"it sets up conda or modules only",
                     "variables that the job needs: export them in the script"};
  finding.default_ = finding.choices[0];
  const auto id = context.findings.add(std::move(finding));
  context.job.environment.comments.push_back(
      {review_comment("S2F501", fmt::format("{} read {}, which was not there to be read.",
                                            context.at(software.span), software.target)),
       software.span});
  return {Disposition::decision, "a personal start-up file that no container has", "S2F501", id};
}

Outcome make_environment(Setup& setup, const Software& software) {
  ir::Environment& environment = setup.context.job.environment;
  environment.made.insert(same_place(software.target));
  environment.spans.push_back(software.span);
  if (!software.python.empty()) {
    set_python(setup.context, software.python, "python" + software.python, software.span);
  }
  return {Disposition::converted, "the image is the environment", {}, {}};
}

// `poetry install`, `uv sync`: what the project file lists.
Outcome install_project(Setup& setup, const Software& software) {
  Software as_activation = software;
  as_activation.means = Means::run;
  as_activation.conda = false;
  return activation(setup, as_activation);
}

// The account of a statement of several commands: what weighs most.
int weight(Disposition disposition) {
  switch (disposition) {
  case Disposition::decision:
    return 4;
  case Disposition::adjusted:
    return 3;
  case Disposition::converted:
    return 2;
  case Disposition::dropped:
    return 1;
  default:
    return 0;
  }
}

Outcome apply(Setup& setup, const Software& software) {
  switch (software.means) {
  case Means::load:
  case Means::swap:
    return software.names.empty() ? Outcome{Disposition::inert, "loads no module", {}, {}}
                                  : load_modules(setup, software);
  case Means::restore: {
    Software saved = software;
    if (saved.names.empty()) {
      saved.names = {"the saved collection"};
    }
    return load_modules(setup, saved);
  }
  case Means::use:
    return use_modules(setup, software);
  case Means::activate:
    return activation(setup, software);
  case Means::venv:
    return make_environment(setup, software);
  case Means::pip:
    return install_pip(setup, software);
  case Means::conda:
    return install_conda(setup, software);
  case Means::project:
  case Means::run:
    return install_project(setup, software);
  case Means::path: {
    Outcome outcome = use_search_path(setup, software.path, software.span);
    if (!software.path.environment || setup.conditional) { // `conda init` writes one that is not
      return outcome;
    }
    Software as_activation = software;
    as_activation.target = *software.path.environment;
    as_activation.conda = true;
    Outcome activated = activation(setup, as_activation);
    return weight(activated.disposition) > weight(outcome.disposition) ? activated : outcome;
  }
  case Means::show:
    return {Disposition::dropped, "only shows what the cluster has installed", {}, {}};
  case Means::clear:
    break;
  }
  const std::string text = setup.context.text(software.span);
  if (text.starts_with("module") || text.starts_with("ml")) {
    return {Disposition::platform, "a container starts without modules", {}, {}};
  }
  return software.personal
             ? personal_file(setup, software)
             : Outcome{Disposition::platform,
                       "prepares modules or an environment, which a container does without",
                       {},
                       {}};
}

Outcome apply_all(Setup& setup, const std::vector<Found>& found) {
  Outcome result;
  bool first = true;
  for (const Found& each : found) {
    setup.conditional = each.conditional;
    Outcome outcome = apply(setup, each.software);
    if (first || weight(outcome.disposition) > weight(result.disposition)) {
      result = std::move(outcome);
      first = false;
    }
  }
  setup.conditional = false;
  return result;
}

// ---- within statements that do something else --------------------------------------------------

class Nested {
public:
  explicit Nested(Setup& setup) : setup_(setup), reader_(setup) {}

  void statements(const std::vector<shell::Statement>& statements) {
    for (const shell::Statement& each : statements) {
      statement(each);
    }
  }

  // Takes out what sets up software, the largest such piece at once.
  void statement(const shell::Statement& statement) {
    std::vector<Found> found;
    if (reader_.only_sets_up(statement, true, found)) {
      const bool means_something = std::ranges::any_of(
          found, [](const Found& each) { return each.software.means != Means::show; });
      if (means_something) {
        remove(statement.span, found);
      }
      return;
    }
    if (const auto* command = std::get_if<shell::SimpleCommand>(&statement.value)) {
      simple(*command);
      return;
    }
    inside(statement);
  }

private:
  void remove(const Span& span, const std::vector<Found>& found) {
    (void)apply_all(setup_, found);
    setup_.context.job.removals.push_back(
        {span, ":",
         fmt::format("line {}, {}", setup_.context.sources.begin(span).line,
                     found.front().software.means == Means::load ? "a module" : "an environment")});
  }

  // With a redirection to a file, which is made all the same; or a prefix such as `conda run`.
  void simple(const shell::SimpleCommand& command) {
    if (prefix(command)) {
      return;
    }
    const auto software = read_software(setup_.context, setup_.constants, command);
    if (software && software->means != Means::show && software->means != Means::run &&
        software->path.here.empty()) {
      remove(software->span, {{*software, true}});
    }
  }

  // `conda run -n x python train.py`, behind `srun` too: the image is the environment.
  bool prefix(const shell::SimpleCommand& command) {
    ir::Job& job = setup_.context.job;
    shell::SimpleCommand rest = command;
    for (const ir::SrunStep& srun : job.srun_steps) {
      std::erase_if(rest.words, [&](const shell::Word& word) {
        return word.span.source == srun.prefix.source && word.span.begin >= srun.prefix.begin &&
               word.span.end <= srun.prefix.end;
      });
    }
    if (rest.words.empty()) {
      return false;
    }
    const auto software = read_software(setup_.context, setup_.constants, rest);
    if (!software || software->means != Means::run) {
      return false;
    }
    const shell::Word& inner = rest.words[software->inner];
    const std::string program = inner.literal().value_or("");
    const bool script = program.ends_with(".py") && software->target == "uv";
    if (software->target == "pixi" && !is_python(program_name(program))) {
      return false; // a task of pixi.toml
    }
    (void)activation(setup_, *software);
    ir::Prefix prefix;
    prefix.span = {inner.span.source, rest.words.front().span.begin, inner.span.begin};
    if (script) { // `uv run train.py`
      prefix.words = {"python"};
    }
    job.removals.push_back(
        {prefix.span, script ? "python " : "",
         fmt::format("line {}, {}", setup_.context.sources.begin(prefix.span).line,
                     rest.words.front().literal().value_or("a prefix"))});
    job.prefixes.push_back(std::move(prefix));
    return true;
  }

  void inside(const shell::Statement& statement) {
    const auto& value = statement.value;
    if (const auto* list = std::get_if<shell::AndOr>(&value)) {
      this->statement(*list->left);
      this->statement(*list->right);
    } else if (const auto* pipeline = std::get_if<shell::Pipeline>(&value)) {
      statements(pipeline->commands);
    } else if (const auto* group = std::get_if<shell::Group>(&value)) {
      statements(group->body);
    } else if (const auto* subshell = std::get_if<shell::Subshell>(&value)) {
      statements(subshell->body);
    } else if (const auto* branches = std::get_if<shell::If>(&value)) {
      for (const shell::IfBranch& branch : branches->branches) {
        statements(branch.condition);
        statements(branch.body);
      }
    } else if (const auto* loop = std::get_if<shell::While>(&value)) {
      statements(loop->condition);
      statements(loop->body);
    } else if (const auto* for_ = std::get_if<shell::For>(&value)) {
      statements(for_->body);
    } else if (const auto* c_for = std::get_if<shell::ArithmeticFor>(&value)) {
      statements(c_for->body);
    } else if (const auto* cases = std::get_if<shell::Case>(&value)) {
      for (const shell::CaseItem& item : cases->items) {
        statements(item.body);
      }
    } else if (const auto* function = std::get_if<shell::Function>(&value)) {
      this->statement(*function->body);
    }
  }

  Setup& setup_;
  Reader reader_;
};

// One image cannot be two environments.
void several(PassContext& context) {
  ir::Environment& environment = context.job.environment;
  std::vector<std::string> names;
  Span last{};
  for (const ir::Activation& each : environment.activations) {
    if (each.target != "base") {
      names.push_back(each.target);
      last = each.span;
    }
  }
  if (names.size() < 2) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F506";
  finding.span = last;
  finding.message =
      fmt::format("The job works in several environments: {}.", fmt::join(names, ", "));
  finding.slurm_does = "Each part of the script sees the packages of its own environment.";
  finding.output_does = "One image stands for all of them.";
  finding.choices = {"one image has the packages of all", "a task for each environment"};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
  environment.comments.push_back(
      {review_comment("S2F506", fmt::format("the job works in {}: one image must have the packages "
                                            "of all, or each part becomes a task of its own.",
                                            fmt::join(names, ", "))),
       std::nullopt});
}

// `export PYTHONPATH=$PWD/src:$PYTHONPATH`, before any program is started.
// What the script gave the variable before stays where it says so.
bool local_search_path(Setup& setup, ir::Step& step, std::map<std::string, ir::Value>& made) {
  const auto* command = shell::as_simple(*step.statement);
  if (command == nullptr || !step.statement->redirects.empty() || step.statement->background ||
      step.statement->negated) {
    return false;
  }
  const auto path = read_search_path(setup.context, setup.constants, *command);
  auto assign = path ? as_assignment(*path) : std::nullopt;
  if (!assign) {
    return false;
  }
  if (!path->cluster.empty()) {
    (void)use_search_path(setup, *path, step.span);
  }
  for (ir::Binding& binding : assign->bindings) {
    const auto before = made.find(binding.variable);
    if (const auto own = path->itself.find(binding.variable);
        own != path->itself.end() && before != made.end()) {
      ir::Value both = own->second ? before->second : binding.value;
      both.append(ir::Text{":"});
      for (const ir::ValuePart& part : (own->second ? binding.value : before->second).parts) {
        both.append(part);
      }
      binding.value = std::move(both);
    }
    made[binding.variable] = binding.value;
  }
  step.value = std::move(*assign);
  return true;
}

} // namespace

void environment(PassContext& context) {
  Setup setup{context, constants_of(context.job)};
  const Reader reader(setup);
  Nested nested(setup);
  bool works = false; // something was started already
  std::map<std::string, ir::Value> search_paths;
  for (ir::Step& step : context.job.body) {
    if (!std::holds_alternative<ir::Opaque>(step.value) || step.statement == nullptr) {
      continue;
    }
    std::vector<Found> found;
    if (!reader.only_sets_up(*step.statement, false, found)) {
      if (works || !local_search_path(setup, step, search_paths)) {
        nested.statement(*step.statement);
        works = works || !only_values(*step.statement);
      }
      continue;
    }
    Outcome outcome = apply_all(setup, found);
    step.value = ir::Nothing{};
    context.ledger.settle(step.entry, outcome.disposition, std::move(outcome.why),
                          std::move(outcome.rule), outcome.finding);
    context.job.removals.push_back(
        {step.span, "", fmt::format("line {}", context.sources.begin(step.span).line)});
    if (outcome.disposition == Disposition::dropped) {
      context.job.not_carried.push_back(
          {fmt::format("{}: only shows what is installed", cited(context, step.span)), step.span});
    }
  }
  several(context);
}

} // namespace s2f::passes
