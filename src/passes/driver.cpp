// Reads a driver.
//
// before:  PREP=$(sbatch --parsable prep.sh)
//          sbatch --dependency=afterok:$PREP train.sh
// after:   submissions {prep}, {train, ok: {prep}}
#include "passes/driver.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/context.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;

bool is_sbatch(const shell::SimpleCommand& command) {
  const auto name = analysis::command_name(command);
  return name && (*name == "sbatch" || name->ends_with("/sbatch"));
}

// `sbatch ...` within $( ), perhaps piped into a program that cuts the id out of what it prints.
const shell::Statement* submission_in(const shell::Statement& statement) {
  if (const auto* command = shell::as_simple(statement)) {
    return is_sbatch(*command) ? &statement : nullptr;
  }
  if (const auto* pipeline = std::get_if<shell::Pipeline>(&statement.value)) {
    const auto* first = shell::as_simple(pipeline->commands.front());
    if (first == nullptr || !is_sbatch(*first)) {
      return nullptr;
    }
    static constexpr std::array cutters{"awk", "cut",  "grep", "sed",  "tail",
                                        "tr",  "head", "gawk", "egrep"};
    for (std::size_t i = 1; i < pipeline->commands.size(); ++i) {
      const auto* next = shell::as_simple(pipeline->commands[i]);
      const auto name = next != nullptr ? analysis::command_name(*next) : std::nullopt;
      if (!name || std::ranges::find(cutters, *name) == cutters.end()) {
        return nullptr;
      }
    }
    return &pipeline->commands.front();
  }
  return nullptr;
}

class Reader {
public:
  explicit Reader(DriverContext& context) : context_(context), driver_(*context.workload.driver) {}

  void run() {
    for (ir::Step& step : driver_.body) {
      if (step.statement == nullptr) {
        continue;
      }
      if (ended_) {
        step.value = ir::Nothing{};
        context_.ledger.settle(step.entry, Disposition::inert, "stands behind the driver's exit");
        continue;
      }
      if (std::string why = read(step); !why.empty()) {
        give_up(step, why);
      }
    }
    // What could not be lifted still names jobs: their tasks are emitted, without a `main`.
    if (driver_.not_lifted) {
      load_the_rest();
    }
    for (ir::Step& step : driver_.body) {
      if (!context_.ledger.settled(step.entry) && !std::holds_alternative<ir::Submit>(step.value)) {
        context_.ledger.settle(step.entry, Disposition::kept,
                               "stands in the driver, which was not converted", "S2F430", finding_);
      }
    }
  }

private:
  void give_up(ir::Step& step, const std::string& why) {
    step.value = ir::Opaque{why};
    if (driver_.not_lifted) {
      return;
    }
    review::Finding finding;
    finding.rule = "S2F430";
    finding.span = step.span;
    finding.message = fmt::format("The driver cannot be converted yet: {}.", why);
    finding.slurm_does = "The shell runs it and submits the jobs.";
    finding.output_does = "The jobs that it names became tasks; nothing calls them in its place.";
    finding_ = context_.findings.add(std::move(finding));
    driver_.not_lifted = ir::Reason{"S2F430", why, step.span};
  }

  std::string read(ir::Step& step) {
    const shell::Statement& statement = *step.statement;
    if (statement.background || statement.negated || statement.timed ||
        !statement.redirects.empty()) {
      return "a statement in the background, negated, timed or redirected";
    }
    const auto* command = shell::as_simple(statement);
    if (command == nullptr) {
      return "a compound command, a pipeline or a list";
    }
    if (command->words.empty()) {
      if (command->assignments.size() != 1) {
        return "several assignments at once";
      }
      return assignment(step, command->assignments.front());
    }
    if (is_sbatch(*command)) {
      return submit(step, statement, std::nullopt);
    }
    const auto name = analysis::command_name(*command);
    if (name == "set" || name == "export") {
      for (std::size_t i = 1; i < command->words.size(); ++i) {
        const auto word = command->words[i].literal();
        if (name == "set" && word && word->starts_with('-') &&
            word->find('e') != std::string::npos) {
          driver_.errexit = true;
        }
      }
      if (name == "export") {
        return "an export, which every job submitted after it inherits";
      }
      step.value = ir::Nothing{};
      context_.ledger.settle(step.entry, Disposition::converted,
                             "a submission that fails ends the driver");
      return {};
    }
    if (name == "echo" && only_expands_variables(*command)) {
      step.value = ir::Nothing{};
      context_.ledger.settle(step.entry, Disposition::dropped,
                             "flyte run prints the run's address instead");
      driver_.not_carried.push_back(
          {fmt::format("{} echo: flyte run prints the run's address", at(step.span)), step.span});
      return {};
    }
    if (name == "exit" && command->words.size() <= 2 &&
        (command->words.size() == 1 || command->words[1].literal() == "0")) {
      step.value = ir::Nothing{true};
      context_.ledger.settle(step.entry, Disposition::converted, "the end of the driver");
      ended_ = true;
      return {};
    }
    return fmt::format("it runs {} between submissions", name.value_or("a program"));
  }

  static bool only_expands_variables(const shell::SimpleCommand& command) {
    bool plain = true;
    for (const shell::Word& word : command.words) {
      analysis::Visitor visitor;
      visitor.part = [&](const shell::WordPart& part) {
        plain &= !std::holds_alternative<shell::CommandSubstitution>(part.value) &&
                 !std::holds_alternative<shell::ProcessSubstitution>(part.value);
      };
      analysis::walk(word, visitor);
    }
    return plain;
  }

  [[nodiscard]] std::string at(const Span& span) const {
    const std::string& path = context_.sources[span.source].path;
    return fmt::format("{}:{}", path.substr(path.find_last_of('/') + 1),
                       context_.sources.begin(span).line);
  }

  std::string assignment(ir::Step& step, const shell::Assignment& assignment) {
    if (assignment.append || assignment.subscript || assignment.array || !assignment.value) {
      return "an assignment to an array or by +=";
    }
    if (const auto text = assignment.value->literal()) {
      constants_[assignment.name] = *text;
      step.value = ir::Nothing{};
      context_.ledger.settle(step.entry, Disposition::converted,
                             "its value stands where it was used");
      return {};
    }
    const shell::WordPart* part =
        assignment.value->parts.size() == 1 ? &assignment.value->parts.front() : nullptr;
    if (part != nullptr) {
      if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part->value);
          quoted != nullptr && quoted->parts.size() == 1) {
        part = &quoted->parts.front();
      }
      if (const auto* substitution = std::get_if<shell::CommandSubstitution>(&part->value);
          substitution != nullptr && substitution->body.size() == 1) {
        if (const shell::Statement* inner = submission_in(substitution->body.front())) {
          return submit(step, *inner, assignment.name);
        }
      }
      // ID=${OUT##* }: the id out of what sbatch printed.
      if (const auto* parameter = std::get_if<shell::Parameter>(&part->value);
          parameter != nullptr && ids_.contains(parameter->name) && !parameter->length) {
        static constexpr std::array cuts{"", "##", "#", "//"};
        if (std::ranges::find(cuts, parameter->op) != cuts.end()) {
          ids_[assignment.name] = ids_[parameter->name];
          step.value = ir::Nothing{};
          context_.ledger.settle(step.entry, Disposition::converted,
                                 "the job's id, which a variable holds in Python");
          return {};
        }
      }
    }
    return fmt::format("the value of {} is known only when the driver runs", assignment.name);
  }

  std::optional<std::string> plain(const shell::Word& word) const {
    std::string text;
    const auto add = [&](const auto& self, const shell::WordPart& part) -> bool {
      if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
        if (literal->globs) {
          return false;
        }
        text += literal->value;
        return true;
      }
      if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
        text += single->value;
        return true;
      }
      if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
        return std::ranges::all_of(quoted->parts,
                                   [&](const shell::WordPart& inner) { return self(self, inner); });
      }
      if (const auto* parameter = std::get_if<shell::Parameter>(&part.value);
          parameter != nullptr && parameter->op.empty() && !parameter->length &&
          !parameter->indirect) {
        const auto found = constants_.find(parameter->name);
        if (found == constants_.end()) {
          return false;
        }
        text += found->second;
        return true;
      }
      return false;
    };
    return std::ranges::all_of(word.parts,
                               [&](const shell::WordPart& part) { return add(add, part); })
               ? std::optional(text)
               : std::nullopt;
  }

  // The text of a word in which $ID stands as "\x01<submission>\x02".
  std::optional<std::string> with_ids(const shell::Word& word) const {
    std::string text;
    const auto add = [&](const auto& self, const shell::WordPart& part) -> bool {
      if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
        text += literal->value;
        return true;
      }
      if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
        text += single->value;
        return true;
      }
      if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
        return std::ranges::all_of(quoted->parts,
                                   [&](const shell::WordPart& inner) { return self(self, inner); });
      }
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      if (parameter == nullptr || parameter->length || parameter->indirect) {
        return false;
      }
      if (const auto id = ids_.find(parameter->name);
          id != ids_.end() && (parameter->op.empty() || parameter->op == "##")) {
        text += fmt::format("\x01{}\x02", id->second);
        return true;
      }
      if (const auto constant = constants_.find(parameter->name);
          constant != constants_.end() && parameter->op.empty()) {
        text += constant->second;
        return true;
      }
      return false;
    };
    return std::ranges::all_of(word.parts,
                               [&](const shell::WordPart& part) { return add(add, part); })
               ? std::optional(text)
               : std::nullopt;
  }

  std::string dependency(const std::string& text, ir::Submission& submission) {
    std::size_t at = 0;
    while (at < text.size()) {
      const auto end = std::min(text.find(',', at), text.size());
      const std::string term = text.substr(at, end - at);
      at = end + 1;
      const auto colon = term.find(':');
      std::string type =
          colon == std::string::npos || term[0] == '\x01' ? "afterany" : term.substr(0, colon);
      std::ranges::transform(type, type.begin(),
                             [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      std::vector<std::size_t>* list = type == "afterok"      ? &submission.ok
                                       : type == "afterany"   ? &submission.any
                                       : type == "afternotok" ? &submission.not_ok
                                                              : nullptr;
      if (list == nullptr || term.find('?') != std::string::npos) {
        return fmt::format("a dependency of the kind {}", type);
      }
      std::size_t ids = 0;
      for (std::size_t i = 0; i < term.size(); ++i) {
        if (term[i] == '\x01') {
          list->push_back(static_cast<std::size_t>(std::stoul(term.substr(i + 1))));
          ++ids;
        } else if (std::isdigit(static_cast<unsigned char>(term[i])) != 0 &&
                   (i == 0 || term[i - 1] == ':')) {
          return "a dependency on a job that it did not submit";
        }
        while (term[i] == '\x01' && i < term.size() && term[i] != '\x02') {
          ++i;
        }
      }
      if (ids == 0) {
        return "a dependency that names no job of the driver";
      }
    }
    return {};
  }

  std::string submit(ir::Step& step, const shell::Statement& statement,
                     std::optional<std::string> captured) {
    const auto& command = std::get<shell::SimpleCommand>(statement.value);
    if (!statement.redirects.empty()) {
      return "a job script that sbatch reads from standard input";
    }
    if (!command.assignments.empty()) {
      return "a variable that is set for one submission";
    }
    ir::Submission submission;
    submission.captured = captured;
    submission.span = statement.span;
    slurm::ReadOptions read;
    std::vector<std::pair<Span, std::string>> option_spans; // for the ledger
    std::vector<std::pair<Span, std::string>> other_spans;
    std::size_t i = 1;
    std::string failed;
    for (; i < command.words.size(); ++i) {
      const shell::Word& word = command.words[i];
      const auto text = with_ids(word);
      if (!text) {
        return "an option or a script name that is known only when the driver runs";
      }
      if (text->size() < 2 || (*text)[0] != '-') {
        break;
      }
      // The option's name and, where it has one, the value's word.
      std::string name;
      std::optional<std::string> value;
      if (text->starts_with("--")) {
        const auto equals = text->find('=');
        name = text->substr(2, equals == std::string::npos ? equals : equals - 2);
        if (equals != std::string::npos) {
          value = text->substr(equals + 1);
        }
      } else {
        name = text->substr(1, 1);
        if (text->size() > 2) {
          value = text->substr(2);
        }
      }
      const slurm::OptionInfo* info = find(name);
      if (info == nullptr) {
        return fmt::format("an option of sbatch that is not known: {}", *text);
      }
      Span span = word.span;
      if (!value && info->argument == "required") {
        if (i + 1 >= command.words.size()) {
          return "an option without its value";
        }
        const auto next = with_ids(command.words[++i]);
        if (!next) {
          return "an option whose value is known only when the driver runs";
        }
        value = *next;
        span.end = command.words[i].span.end;
      }
      if (info->name == "parsable" || info->name == "quiet") {
        other_spans.emplace_back(span, "how sbatch prints the job's id; Python needs none");
        continue;
      }
      if (info->name == "wrap") {
        return "a job that is given by --wrap";
      }
      if (info->name == "dependency") {
        submission.asked_dependency = std::string(context_.sources.text(span));
        if (failed.empty()) {
          failed = dependency(value.value_or(""), submission);
        }
        other_spans.emplace_back(span, "the order in which `main` awaits the tasks");
        continue;
      }
      if (value && value->find('\x01') != std::string::npos) {
        return "an option whose value is a job's id";
      }
      read.arguments.push_back(value ? fmt::format("--{}={}", info->name, *value)
                                     : fmt::format("--{}", info->name));
      read.argument_spans.push_back(span);
    }
    if (!failed.empty()) {
      return failed;
    }
    if (i >= command.words.size()) {
      return "a submission without a script";
    }
    const auto script = plain(command.words[i]);
    if (!script) {
      return "a script name that is known only when the driver runs";
    }
    for (std::size_t k = i + 1; k < command.words.size(); ++k) {
      const auto argument = plain(command.words[k]);
      if (!argument) {
        return "an argument of a job that is known only when the driver runs";
      }
      submission.arguments.push_back(ir::Value::of(*argument, command.words[k].span));
    }
    read.script_name = script->substr(script->find_last_of('/') + 1);
    // Entries for the options, which the job's own passes settle.
    for (const Span& span : read.argument_spans) {
      context_.ledger.open(span, std::string(context_.sources.text(span)), step.entry);
    }
    auto job = context_.load(*script, read);
    if (!job) {
      for (const Span& span : read.argument_spans) {
        if (const auto entry = context_.ledger.find(span);
            entry && !context_.ledger.settled(*entry)) {
          context_.ledger.settle(*entry, Disposition::kept,
                                 "stands in the driver, which was not converted", "S2F430");
        }
      }
      return job.error();
    }
    submission.job = *job;
    for (const auto& [span, why] : other_spans) {
      context_.ledger.settle(
          context_.ledger.open(span, std::string(context_.sources.text(span)), step.entry),
          Disposition::converted, why);
    }
    const Span call{statement.span.source, command.words[0].span.begin, command.words[0].span.end};
    context_.ledger.settle(context_.ledger.open(call, "sbatch", step.entry), Disposition::converted,
                           "a call of the task");
    for (std::size_t k = i; k < command.words.size(); ++k) {
      const Span& span = command.words[k].span;
      context_.ledger.settle(
          context_.ledger.open(span, std::string(context_.sources.text(span)), step.entry),
          Disposition::converted, k == i ? "the task of that script" : "an argument of the task");
    }
    if (captured) {
      ids_[*captured] = driver_.submissions.size();
    }
    step.value = ir::Submit{driver_.submissions.size()};
    driver_.submissions.push_back(std::move(submission));
    return {};
  }

  static const slurm::OptionInfo* find(std::string_view name) {
    if (const auto* info = slurm::find_option(name)) {
      return info;
    }
    const slurm::OptionInfo* found = nullptr;
    for (const slurm::OptionInfo& info : slurm::option_table()) {
      if (name.size() == 1 ? info.short_name == name : info.name.starts_with(name)) {
        if (found != nullptr) {
          return nullptr;
        }
        found = &info;
      }
    }
    return found;
  }

  // Scripts that the statements which were not lifted submit by a plain name.
  void load_the_rest() {
    for (const ir::Step& step : driver_.body) {
      if (step.statement == nullptr || !std::holds_alternative<ir::Opaque>(step.value)) {
        continue;
      }
      analysis::Visitor visitor;
      visitor.statement = [&](const shell::Statement& inner) {
        const auto* command = shell::as_simple(inner);
        if (command == nullptr || !is_sbatch(*command)) {
          return;
        }
        for (std::size_t i = 1; i < command->words.size(); ++i) {
          const auto word = plain(command->words[i]);
          if (!word || word->starts_with('-')) {
            continue;
          }
          slurm::ReadOptions read;
          read.script_name = word->substr(word->find_last_of('/') + 1);
          if (context_.load(*word, read)) {
            return;
          }
        }
      };
      analysis::walk(*step.statement, visitor);
    }
  }

  DriverContext& context_;
  ir::Driver& driver_;
  std::map<std::string, std::string> constants_;
  std::map<std::string, std::size_t> ids_;
  std::optional<review::FindingId> finding_;
  bool ended_ = false;
};

} // namespace

bool submits(const shell::Script& script) {
  bool found = false;
  for (const shell::Statement& statement : script.statements) {
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      found |= command != nullptr && is_sbatch(*command);
    };
    analysis::walk(statement, visitor);
  }
  return found;
}

void read_driver(DriverContext& context) { Reader(context).run(); }

} // namespace s2f::passes
