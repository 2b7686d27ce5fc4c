// Statements whose meaning is certain, one after another, each in the light of those before it.
//
// before:  export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK     after:  Assign{OMP_NUM_THREADS = "8",
// exported} before:  cd $SLURM_SUBMIT_DIR                            after:
// ChangeDirectory{SubmitDirectory} before:  srun python train.py --lr 3e-4 > log.txt        after:
// Launch{python train.py --lr 3e-4, out -> log.txt} before:  for i in 1 2; do ./run $i; done after:
// Opaque, as it was
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "generated/tables/builtins.hpp"
#include "generated/tables/launchers.hpp"
#include "passes/pipeline.hpp"
#include "passes/scope.hpp"

namespace s2f::passes {

namespace {

class Lifting {
public:
  explicit Lifting(PassContext& context)
      : context_(context), job_(context.job), scope_(context.job) {}

  void run() {
    for (ir::Step& step : job_.body) {
      if (step.statement == nullptr) {
        continue;
      }
      if (const auto* function = std::get_if<shell::Function>(&step.statement->value)) {
        functions_.insert(function->name);
      }
    }
    for (std::size_t i = 0; i < job_.body.size(); ++i) {
      ir::Step& step = job_.body[i];
      if (step.statement == nullptr || !std::holds_alternative<ir::Opaque>(step.value)) {
        continue;
      }
      const bool last = std::all_of(
          job_.body.begin() + static_cast<std::ptrdiff_t>(i) + 1, job_.body.end(),
          [](const ir::Step& s) { return std::holds_alternative<ir::Nothing>(s.value); });
      const auto* command = shell::as_simple(*step.statement);
      std::string why;
      if (command == nullptr || step.statement->background || step.statement->negated ||
          step.statement->timed) {
        why = kind_of(*step.statement);
      } else {
        why = lift(step, *command, last);
      }
      if (!why.empty()) {
        step.value = ir::Opaque{why};
        // Whatever it assigns is no constant from here on.
        for (const std::string& name : analysis::effects_of(*step.statement).writes) {
          scope_.forget(name);
        }
      }
    }
  }

private:
  static std::string kind_of(const shell::Statement& statement) {
    if (statement.background) {
      return "a command in the background";
    }
    if (statement.negated) {
      return "a negated command";
    }
    if (statement.timed) {
      return "a timed command";
    }
    if (std::holds_alternative<shell::Pipeline>(statement.value)) {
      return "a pipeline";
    }
    if (std::holds_alternative<shell::AndOr>(statement.value)) {
      return "a list with && or ||";
    }
    if (std::holds_alternative<shell::If>(statement.value)) {
      return "an if";
    }
    if (std::holds_alternative<shell::Case>(statement.value)) {
      return "a case";
    }
    if (std::holds_alternative<shell::Function>(statement.value)) {
      return "a function";
    }
    if (std::holds_alternative<shell::Unparsed>(statement.value)) {
      return "text that could not be read";
    }
    if (std::holds_alternative<shell::For>(statement.value) ||
        std::holds_alternative<shell::While>(statement.value) ||
        std::holds_alternative<shell::ArithmeticFor>(statement.value)) {
      return "a loop";
    }
    return "a compound command";
  }

  // Why it cannot be lifted; "" when it was.
  std::string lift(ir::Step& step, const shell::SimpleCommand& command, bool last) {
    if (command.words.empty()) {
      return assign(step, command.assignments, false);
    }
    const auto name = analysis::command_name(command);
    if (!name) {
      return launch(step, command);
    } // a program named by a variable
    if (functions_.contains(*name)) {
      return "a call of a function";
    }
    if (!command.assignments.empty() && *name != "export") {
      return launch(step, command);
    }
    if (*name == "export") {
      return export_(step, command);
    }
    if (*name == "cd") {
      return change_directory(step, command);
    }
    if (*name == "set") {
      return options(step, command);
    }
    if (*name == "echo") {
      return echo(step, command);
    }
    if (*name == "exit") {
      return last ? exit(step, command) : "an exit before the end";
    }
    const auto* builtin =
        std::ranges::find_if(tables::builtins, [&](const auto& row) { return row.name == *name; });
    if (builtin != std::end(tables::builtins)) {
      const bool plain = std::ranges::all_of(
          command.words, [](const shell::Word& word) { return word.literal().has_value(); });
      if (builtin->as == tables::BuiltinsAs::nothing && step.statement->redirects.empty() &&
          plain) {
        step.value = ir::Nothing{};
        return {};
      }
      if (builtin->as != tables::BuiltinsAs::program) {
        return fmt::format("the shell's own {}", *name);
      }
    }
    return launch(step, command);
  }

  std::string assign(ir::Step& step, const std::vector<shell::Assignment>& assignments,
                     bool exported) {
    if (!step.statement->redirects.empty()) {
      return "an assignment with a redirection";
    }
    ir::Assign result;
    result.exported = exported;
    for (const shell::Assignment& assignment : assignments) {
      if (assignment.append || assignment.subscript || assignment.array) {
        return "an assignment to an array or by +=";
      }
      ir::Value value;
      if (assignment.value) {
        value = scope_.value_of(*assignment.value);
      } else if (const ir::Value* constant = scope_.find(assignment.name)) {
        value = *constant;
      } else {
        return fmt::format("an export of ${}, which is no constant", assignment.name);
      }
      if (!value.known()) {
        return why_unknown(value);
      }
      if (exported && !exportable(value)) {
        return "an export of a value that is known only when the job runs";
      }
      result.bindings.emplace_back(assignment.name, value);
    }
    for (const auto& [name, value] : result.bindings) {
      if (exported) {
        exported_.insert(name);
      } else if (name == "IFS" || analysis::ambient_variable(name)) {
        return fmt::format("an assignment to {}, which programs see", name);
      } else if (exported_.contains(name)) {
        if (launched_) {
          return fmt::format("a new value of {}, which was exported", name);
        }
        result.exported = true; // it stays exported
      }
    }
    // Exported later than a program was started, a variable would be missing there.
    if (exported && launched_) {
      return "an export after a program was started";
    }
    for (auto& [name, value] : result.bindings) {
      scope_.set(name, value);
    }
    step.value = std::move(result);
    return {};
  }

  static bool exportable(const ir::Value& value) {
    return std::ranges::all_of(value.parts, [](const ir::ValuePart& part) {
      return std::holds_alternative<ir::Text>(part) ||
             std::holds_alternative<ir::ParameterRef>(part) ||
             std::holds_alternative<ir::ArrayIndex>(part) ||
             std::holds_alternative<ir::SubmitDirectory>(part);
    });
  }

  std::string export_(ir::Step& step, const shell::SimpleCommand& command) {
    if (command.words.size() > 1 || !command.assignments.empty()) {
      return "an export with options";
    }
    if (command.declared.empty()) {
      return "an export of nothing";
    }
    return assign(step, command.declared, true);
  }

  std::string change_directory(ir::Step& step, const shell::SimpleCommand& command) {
    if (command.words.size() != 2 || !step.statement->redirects.empty()) {
      return "a cd to the home directory";
    }
    ir::Value value = scope_.value_of(command.words[1]);
    if (!value.known()) {
      return why_unknown(value);
    }
    const auto text = value.text();
    const bool submit =
        value.parts.size() == 1 && std::holds_alternative<ir::SubmitDirectory>(value.parts[0]);
    if (submit || (text && *text == ".")) {
      if (!directory_.empty() && submit) {
        directory_.clear();
      }
      step.value = ir::ChangeDirectory{std::move(value)};
      return {};
    }
    if (!text || text->empty() || text->starts_with('/') || text->find("..") != std::string::npos ||
        text->starts_with('-')) {
      return "a cd to a directory of the cluster";
    }
    directory_ += *text + (text->ends_with('/') ? "" : "/");
    step.value =
        ir::ChangeDirectory{ir::Value::of(directory_.substr(0, directory_.size() - 1), value.span)};
    return {};
  }

  std::string options(ir::Step& step, const shell::SimpleCommand& command) {
    ir::ShellOptions result;
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      const auto word = command.words[i].literal();
      if (!word || word->size() < 2 || (*word)[0] != '-') {
        return "the shell's own set";
      }
      for (const char c : word->substr(1)) {
        if (c == 'e') {
          result.errexit = true;
        } else if (c == 'u') {
          result.nounset = true;
        } else if (c == 'x' || c == 'v') {
          result.xtrace = true;
        } else if (c == 'o' && word->back() == 'o' && i + 1 < command.words.size()) {
          const auto option = command.words[++i].literal();
          if (option == "pipefail") {
            result.pipefail = true;
          } else if (option == "errexit") {
            result.errexit = true;
          } else if (option == "nounset") {
            result.nounset = true;
          } else if (option == "xtrace") {
            result.xtrace = true;
          } else {
            return "the shell's own set";
          }
        } else {
          return "the shell's own set";
        }
      }
    }
    if (command.words.size() < 2 || (launched_ && result.errexit)) {
      return "the shell's own set";
    }
    job_.errexit |= result.errexit;
    job_.pipefail |= result.pipefail;
    step.value = result;
    return {};
  }

  std::string echo(ir::Step& step, const shell::SimpleCommand& command) {
    if (!step.statement->redirects.empty()) {
      return launch(step, command);
    }
    ir::Echo result;
    std::size_t from = 1;
    bool escapes = false;
    for (; from < command.words.size(); ++from) {
      const auto word = command.words[from].literal();
      if (word == "-n") {
        result.newline = false;
      } else if (word == "-e") {
        escapes = true;
      } else if (word && word->size() > 1 && (*word)[0] == '-' &&
                 word->find_first_not_of("neE", 1) == std::string::npos) {
        return "an echo with several options";
      } else {
        break;
      }
    }
    for (; from < command.words.size(); ++from) {
      ir::Value value = scope_.value_of(command.words[from]);
      if (!value.known()) {
        return why_unknown(value);
      }
      const bool sh = job_.interpreter.language == ir::Interpreter::Language::sh;
      for (const ir::ValuePart& part : value.parts) {
        const auto* text = std::get_if<ir::Text>(&part);
        if ((escapes && text == nullptr) ||
            ((escapes || sh) && text != nullptr && text->text.find('\\') != std::string::npos)) {
          return "an echo with escapes";
        }
      }
      note_splitting(value);
      result.words.push_back(std::move(value));
    }
    step.value = std::move(result);
    return {};
  }

  std::string exit(ir::Step& step, const shell::SimpleCommand& command) {
    if (!step.statement->redirects.empty()) {
      return "an exit with a redirection";
    }
    if (command.words.size() == 1) {
      step.value = ir::Nothing{true};
      return {};
    }
    const auto code = command.words[1].literal();
    if (command.words.size() == 2 && code == "0") {
      step.value = ir::Nothing{};
      return {};
    }
    const auto& parts = command.words[1].parts;
    if (command.words.size() == 2 && parts.size() == 1) {
      const auto* parameter = std::get_if<shell::Parameter>(&parts[0].value);
      if (parameter != nullptr && parameter->name == "?" && parameter->op.empty()) {
        step.value = ir::Nothing{true};
        return {};
      }
    }
    return "an exit with a status";
  }

  std::string launch(ir::Step& step, const shell::SimpleCommand& command) {
    ir::Launch result;
    std::size_t from = 0;
    for (const ir::Removal& removal : job_.removals) { // `srun` of one process
      for (std::size_t i = 1; i < command.words.size(); ++i) {
        if (removal.span.source == step.span.source &&
            removal.span.begin == command.words[0].span.begin &&
            removal.span.end == command.words[i].span.begin) {
          from = i;
          result.launcher = "srun";
        }
      }
    }
    for (std::size_t i = from; i < command.words.size(); ++i) {
      ir::Value value = scope_.value_of(command.words[i]);
      if (!value.known()) {
        return why_unknown(value);
      }
      result.words.push_back(std::move(value));
    }
    const auto program = result.words.front().text();
    if (!program || program->empty()) {
      return "a program named by a parameter";
    }
    if (functions_.contains(*program)) {
      return "a call of a function";
    }
    const auto is_named = [&](const auto& row) { return row.name == *program; };
    if (std::ranges::any_of(tables::launchers, is_named)) {
      return fmt::format("a call of {}", *program);
    }
    if (result.launcher == "srun" || from == 0) {
      const auto* builtin = std::ranges::find_if(tables::builtins, is_named);
      if (builtin != std::end(tables::builtins) && builtin->as == tables::BuiltinsAs::state) {
        return fmt::format("the shell's own {}", *program);
      }
    }
    for (const shell::Assignment& assignment : command.assignments) {
      if (!assignment.value || assignment.append || assignment.subscript || assignment.array) {
        return "an assignment to an array";
      }
      ir::Value value = scope_.value_of(*assignment.value);
      if (!value.known() || !exportable(value)) {
        return why_unknown(value);
      }
      result.environment.emplace_back(assignment.name, std::move(value));
    }
    if (std::string why = redirections(*step.statement, result); !why.empty()) {
      return why;
    }
    for (const ir::Value& value : result.words) {
      note_splitting(value);
    }
    find_payload(step, result);
    for (const ir::Value& word : result.words) { // `bash -c '... $SLURM_...'`
      for (const ir::ValuePart& part : word.parts) {
        if (const auto* text = std::get_if<ir::Text>(&part)) {
          job_.slurm_payload.merge(slurm_names(text->text));
        }
      }
    }
    launched_ = true;
    step.value = std::move(result);
    return {};
  }

  std::string redirections(const shell::Statement& statement, ir::Launch& launch) {
    using Kind = shell::RedirectKind;
    using Stream = ir::Redirection::Stream;
    bool out = false;
    bool err = false;
    for (const shell::Redirect& redirect : statement.redirects) {
      if (redirect.variable) {
        return "a redirection of a descriptor variable";
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
          if (out) {
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
        return "a redirection between descriptors";
      case Kind::input:
        if (redirect.target.literal() == "/dev/null") {
          continue;
        } // it is that already
        return "a redirection of standard input";
      default:
        return "a redirection of standard input";
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
      launch.redirections.push_back(std::move(result));
    }
    return {};
  }

  void note_splitting(const ir::Value& value) {
    const bool text = std::ranges::any_of(value.parts, [](const ir::ValuePart& part) {
      return std::holds_alternative<ir::ParameterRef>(part);
    });
    if (!value.unquoted || !text) {
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

  void include(const std::string& path) {
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
    clean = directory_ + clean;
    if (!context_.file_exists || !context_.file_exists(clean)) {
      return;
    }
    if (std::ranges::find(job_.include, clean) == job_.include.end()) {
      job_.include.push_back(clean);
    }
  }

  void find_payload(const ir::Step& step, ir::Launch& launch) {
    const std::string program = launch.words.front().text().value_or("");
    const auto slash = program.find_last_of('/');
    const std::string base = slash == std::string::npos ? program : program.substr(slash + 1);
    const bool python = base == "python" || base == "python3" || base == "python2" ||
                        (base.starts_with("python3.") && slash == std::string::npos);
    if (slash != std::string::npos) {
      include(program);
    }
    for (std::size_t i = 1; i < launch.words.size(); ++i) {
      const auto word = launch.words[i].text();
      if (!word) {
        continue;
      }
      if (python && !launch.payload && (*word == "-m" || *word == "-c")) {
        break;
      }
      if (python && !launch.payload && !word->starts_with('-')) {
        launch.payload = i;
        missing_payload(step, launch.words[i], *word);
      }
      include(word->starts_with("--") && word->find('=') != std::string::npos
                  ? word->substr(word->find('=') + 1)
                  : *word);
    }
  }

  void missing_payload(const ir::Step& step, const ir::Value& value, const std::string& path) {
    if (!context_.file_exists || path.starts_with('/') || context_.file_exists(directory_ + path)) {
      return;
    }
    review::Finding finding;
    finding.rule = "S2F603";
    finding.span = value.span;
    finding.message = fmt::format("{} was not found beside the script.", path);
    finding.output_does = "It is called by that name, but not bundled with the module.";
    context_.findings.add(std::move(finding));
    (void)step;
  }

  static std::string why_unknown(const ir::Value& value) {
    for (const ir::ValuePart& part : value.parts) {
      if (const auto* unknown = std::get_if<ir::Unknown>(&part)) {
        return unknown->why;
      }
      if (const auto* slurm = std::get_if<ir::SlurmVariable>(&part)) {
        return fmt::format("${} is known only when the job runs", slurm->name);
      }
      if (const auto* variable = std::get_if<ir::Variable>(&part)) {
        return fmt::format("${} is no constant", variable->name);
      }
    }
    return "a value that is known only when the job runs";
  }

  PassContext& context_;
  ir::Job& job_;
  Scope scope_;
  std::set<std::string> functions_;
  std::string directory_; // "" or "sub/": where `cd` has gone, below the submit directory
  std::set<std::string> exported_;
  bool launched_ = false;
};

} // namespace

void statements(PassContext& context) { Lifting(context).run(); }

} // namespace s2f::passes
