// Finds commands of Slurm in a body and replaces those whose meaning in one container is known.
#include "passes/slurm_commands.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/slurm_commands.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

using Row = tables::SlurmCommandsRow;
using Becomes = tables::SlurmCommandsBecomes;
using review::Disposition;

// The row with the most words that the command begins with.
const Row* row_of(const shell::SimpleCommand& command) {
  constexpr std::size_t most_words = 3;
  std::string text;
  const Row* found = nullptr;
  std::size_t words = 0;
  for (const shell::Word& word : command.words) {
    const auto literal = word.literal();
    if (!literal || words == most_words) {
      break;
    }
    if (words > 0 && literal->starts_with("-") && !literal->starts_with("--v")) {
      continue; // `scontrol -o show job`
    }
    const auto slash = words == 0 ? literal->find_last_of('/') : std::string::npos;
    text += (words == 0 ? "" : " ") + literal->substr(slash == std::string::npos ? 0 : slash + 1);
    ++words;
    if (const auto* row = tables::find_slurm_commands(text)) {
      found = row;
    }
  }
  return found;
}

// Programs that pass on what they read and leave nothing behind.
bool filter(const shell::Statement& statement) {
  static constexpr std::array names{"awk",  "cat",  "column", "cut",  "egrep", "fgrep", "fold",
                                    "grep", "head", "less",   "more", "nl",    "rev",   "sed",
                                    "sort", "tail", "tr",     "uniq", "wc",    "xargs"};
  const auto* command = shell::as_simple(statement);
  const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
  if (!name) {
    return false;
  }
  const bool in_place = *name == "sed" && command->words.size() > 1 &&
                        command->words[1].literal().value_or("").starts_with("-i");
  return std::ranges::find(names, *name) != names.end() && !in_place &&
         (*name != "xargs" || command->words.size() == 1);
}

struct Sink {
  bool shown = true;      // to the log, or nowhere
  std::string file;       // as written
  bool truncates = false; // `>`: the file holds nothing else afterwards
};

void note_redirects(const shell::Statement& statement, const PassContext& context, Sink& sink) {
  for (const shell::Redirect& redirect : statement.redirects) {
    using Kind = shell::RedirectKind;
    if (redirect.kind == Kind::duplicate_output || redirect.kind == Kind::input ||
        redirect.descriptor == 2 || redirect.target.literal() == "/dev/null") {
      continue;
    }
    const bool truncates = redirect.kind == Kind::output || redirect.kind == Kind::clobber ||
                           redirect.kind == Kind::output_both;
    if (!truncates && redirect.kind != Kind::append && redirect.kind != Kind::append_both) {
      continue;
    }
    sink.shown = false;
    sink.truncates |= truncates;
    sink.file = context.text(redirect.target.span);
  }
}

// Where the output of the statement goes if it is nothing but a command of Slurm, or one behind
// which stand filters; nothing otherwise.
std::optional<Sink> sink_of(const shell::Statement& statement, const PassContext& context) {
  Sink sink;
  if (statement.background || statement.negated) {
    return std::nullopt;
  }
  const auto* pipeline = std::get_if<shell::Pipeline>(&statement.value);
  if (pipeline == nullptr) {
    note_redirects(statement, context, sink);
    return sink;
  }
  for (std::size_t i = 0; i < pipeline->commands.size(); ++i) {
    const shell::Statement& each = pipeline->commands[i];
    note_redirects(each, context, sink);
    if (i == 0 || filter(each)) {
      continue;
    }
    const auto* command = shell::as_simple(each);
    if (command == nullptr || analysis::command_name(*command) != "tee") {
      return std::nullopt;
    }
    bool appends = false;
    for (std::size_t word = 1; word < command->words.size(); ++word) {
      const auto text = command->words[word].literal();
      if (text && text->starts_with('-')) {
        appends |= *text == "-a" || *text == "--append";
        continue;
      }
      sink.shown = false;
      sink.truncates |= !appends;
      sink.file = context.text(command->words[word].span);
    }
  }
  return sink;
}

const shell::SimpleCommand* first_command(const shell::Statement& statement) {
  const auto* pipeline = std::get_if<shell::Pipeline>(&statement.value);
  return pipeline == nullptr ? shell::as_simple(statement)
                             : shell::as_simple(pipeline->commands.front());
}

bool about_this_job(const PassContext& context, const shell::SimpleCommand& command) {
  return std::ranges::any_of(command.words, [&](const shell::Word& word) {
    const std::string text = context.text(word.span);
    return text.find("SLURM_JOB_ID") != std::string::npos ||
           text.find("SLURM_JOBID") != std::string::npos;
  });
}

// The nodes of the job itself, not of a list that something else gave.
bool names_its_nodes(const PassContext& context, const shell::SimpleCommand& command) {
  std::size_t lists = 0;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const auto literal = command.words[i].literal();
    if (literal) {
      lists += literal->starts_with('-') || *literal == "show" || literal->starts_with("hostname")
                   ? 0
                   : 2;
      continue;
    }
    const std::string text = context.text(command.words[i].span);
    lists += text.find("SLURM_JOB_NODELIST") != std::string::npos ||
                     text.find("SLURM_NODELIST") != std::string::npos
                 ? 1
                 : 2;
  }
  return lists <= 1;
}

bool takes_first_line(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  if (command == nullptr || !statement.redirects.empty()) {
    return false;
  }
  std::string text;
  for (const shell::Word& word : command->words) {
    text += word.literal().value_or("?") + " ";
  }
  static constexpr std::array spellings{"head -n 1 ", "head -n1 ", "head -1 ", "sed -n 1p ",
                                        "head --lines=1 "};
  return std::ranges::find(spellings, text) != spellings.end();
}

class Commands {
public:
  Commands(PassContext& context, const OutputUses& uses) : context_(context), uses_(uses) {}

  void run() {
    for (ir::Step& step : context_.job.body) {
      if (!std::holds_alternative<ir::Opaque>(step.value) || step.statement == nullptr) {
        continue;
      }
      step_ = &step;
      analysis::Visitor visitor;
      visitor.statement = [&](const shell::Statement& inner) { look(inner); };
      analysis::walk(*step.statement, visitor);
    }
  }

private:
  void look(const shell::Statement& statement) {
    const bool gone =
        std::ranges::any_of(done_, [&](const Span& span) { return span.contains(statement.span); });
    if (gone) {
      return;
    }
    if (const auto* pipeline = std::get_if<shell::Pipeline>(&statement.value)) {
      if (pipeline->commands.size() == 2 && takes_first_line(pipeline->commands[1]) &&
          pipeline->commands[0].redirects.empty()) {
        const auto* command = shell::as_simple(pipeline->commands[0]);
        const auto* row = command == nullptr ? nullptr : row_of(*command);
        if (row != nullptr && row->becomes == Becomes::hostname) {
          hostname(*row, *command, statement.span);
          return;
        }
      }
    }
    const auto* command = first_command(statement);
    const auto* row = command == nullptr ? nullptr : row_of(*command);
    if (row == nullptr) {
      return;
    }
    if (asks_for_script(statement, *command)) {
      replaced("the script stands in the directory that it is submitted from", *command,
               statement.span, fmt::format("echo \"$SLURM_SUBMIT_DIR/{}\"", script_name()),
               "It finds the path of the job's script.",
               "It gives the path beside which the module stands.");
      return;
    }
    switch (row->becomes) {
    case Becomes::shows:
      shown(*row, *command, statement);
      return;
    case Becomes::about_job:
      if (about_this_job(context_, *command) && shell::as_simple(statement) != nullptr) {
        about_job(*row, *command, statement);
      }
      return;
    case Becomes::hostname:
      if (shell::as_simple(statement) != nullptr) {
        hostname(*row, *command, words(*command));
      }
      return;
    case Becomes::copy:
      if (shell::as_simple(statement) != nullptr) {
        copy(*row, *command);
      }
      return;
    case Becomes::stays:
      return;
    }
  }

  // scontrol show job $SLURM_JOB_ID | awk -F= '/Command=/{print $2}'
  [[nodiscard]] bool asks_for_script(const shell::Statement& statement,
                                     const shell::SimpleCommand& command) const {
    const auto* pipeline = std::get_if<shell::Pipeline>(&statement.value);
    return pipeline != nullptr && asked_of_slurm(command) == "scontrol show job" &&
           about_this_job(context_, command) && !takes_arguments() &&
           context_.text(statement.span).find("Command=") != std::string::npos &&
           std::ranges::all_of(script_name(),
                               [](unsigned char c) {
                                 return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
                               }) &&
           std::all_of(pipeline->commands.begin() + 1, pipeline->commands.end(), filter);
  }

  // Then Slurm's record of the command names them, too.
  [[nodiscard]] bool takes_arguments() const {
    return std::ranges::any_of(context_.job.body, [](const ir::Step& step) {
      const auto effects =
          step.statement == nullptr ? analysis::Effects{} : analysis::effects_of(*step.statement);
      return effects.all_positionals || !effects.positionals.empty();
    });
  }

  [[nodiscard]] std::string script_name() const {
    const std::string& path = context_.job.path;
    return path.substr(path.find_last_of('/') + 1);
  }

  static Span words(const shell::SimpleCommand& command) {
    return {command.words.front().span.source, command.words.front().span.begin,
            command.words.back().span.end};
  }

  [[nodiscard]] bool used(const Span& span) const {
    return uses_.captured(span) || uses_.tested(span);
  }

  void shown(const Row& row, const shell::SimpleCommand& command,
             const shell::Statement& statement) {
    const auto sink = sink_of(statement, context_);
    if (!sink || used(statement.span)) {
      return;
    }
    const std::string name = asked_of_slurm(command);
    review::Finding finding;
    finding.span = statement.span;
    if (sink->shown) {
      finding.rule = "S2F450";
      finding.message =
          fmt::format("`{}` only shows what Slurm knows; it is left out: {}.", name, row.instead);
      finding.slurm_does = "It prints to the job's output.";
      finding.output_does = "Nothing.";
    } else {
      if (sink->truncates && elsewhere(sink->file)) {
        return; // something reads the file
      }
      finding.rule = "S2F451";
      finding.message = fmt::format("`{}` writes what Slurm knows to {}; it is left out: {}.", name,
                                    sink->file, row.instead);
      finding.slurm_does = "The file holds it.";
      finding.output_does =
          sink->truncates ? "There is no such file." : "The file lacks these lines.";
      finding.choices = {"leave it out", "keep the job on Slurm"};
      finding.default_ = finding.choices[0];
    }
    leave_out(std::move(finding), statement, name, std::string(row.instead));
  }

  // Whether the script names the file in another place, too.
  [[nodiscard]] bool elsewhere(const std::string& file) const {
    const std::string_view text = context_.masked_text;
    const auto first = text.find(file);
    return first != std::string_view::npos &&
           text.find(file, first + file.size()) != std::string_view::npos;
  }

  void about_job(const Row& row, const shell::SimpleCommand& command,
                 const shell::Statement& statement) {
    if (used(statement.span)) {
      return;
    }
    review::Finding finding;
    finding.rule = "S2F457";
    finding.span = statement.span;
    finding.message = fmt::format("`{}` changes how Slurm treats this job; {}.",
                                  context_.text(words(command)), row.instead);
    finding.slurm_does = "The controller changes the record of the running job.";
    finding.output_does = "Nothing.";
    finding.choices = {"leave it out", "keep the job on Slurm"};
    finding.default_ = finding.choices[0];
    leave_out(std::move(finding), statement, asked_of_slurm(command), std::string(row.instead));
  }

  void leave_out(review::Finding finding, const shell::Statement& statement,
                 const std::string& name, const std::string& instead) {
    const std::string rule = finding.rule;
    const bool decision = !finding.choices.empty();
    const auto id = context_.findings.add(std::move(finding));
    context_.job.not_carried.push_back(
        {fmt::format("{} {}: {}", context_.at(statement.span), name, instead), statement.span});
    const bool whole = &statement == step_->statement;
    context_.job.removals.push_back(
        {statement.span, whole ? "" : ":",
         fmt::format("line {}, {}", context_.sources.begin(statement.span).line, name)});
    done_.push_back(statement.span);
    if (whole) {
      context_.ledger.settle(step_->entry, decision ? Disposition::decision : Disposition::dropped,
                             instead, rule, id);
      step_->value = ir::Nothing{};
    }
  }

  void hostname(const Row& row, const shell::SimpleCommand& command, const Span& span) {
    if (!has_one_node(context_.component()) || !names_its_nodes(context_, command)) {
      return;
    }
    replaced(row.instead, command, span, "hostname", "It prints the names of the job's nodes: one.",
             "`hostname` prints the container's own name.");
  }

  void copy(const Row& row, const shell::SimpleCommand& command) {
    const bool force = command.words.size() > 1 && command.words[1].literal() == "-f";
    const std::size_t first = force ? 2 : 1;
    const bool plain =
        command.words.size() == first + 2 &&
        std::ranges::none_of(command.words, [&](const shell::Word& word) {
          return &word >= &command.words[first] && context_.text(word.span).starts_with('-');
        });
    if (!has_one_node(context_.component()) || !plain) {
      return;
    }
    replaced(row.instead, command, command.words.front().span, "cp",
             "It copies the file to the disk of every node.", "`cp` copies it in the container.");
  }

  void replaced(std::string_view why, const shell::SimpleCommand& command, const Span& span,
                std::string replacement, std::string slurm_does, std::string output_does) {
    review::Finding finding;
    finding.rule = "S2F452";
    finding.span = span;
    finding.message =
        fmt::format("`{}` is written as `{}`: {}.", context_.text(span), replacement, why);
    finding.slurm_does = std::move(slurm_does);
    finding.output_does = std::move(output_does);
    context_.findings.add(std::move(finding));
    context_.job.removals.push_back(
        {span, std::move(replacement),
         fmt::format("line {}, {}", context_.sources.begin(span).line, asked_of_slurm(command))});
    done_.push_back(span);
  }

  PassContext& context_;
  const OutputUses& uses_;
  ir::Step* step_ = nullptr;
  std::vector<Span> done_;
};

} // namespace

std::string asked_of_slurm(const shell::SimpleCommand& command) {
  const auto* row = row_of(command);
  if (row == nullptr) {
    return {};
  }
  std::string text(row->name);
  if (row->name == "scontrol show" && command.words.size() > 2) { // show job, show node
    text += " " + command.words[2].literal().value_or("");
  }
  while (text.ends_with(' ')) {
    text.pop_back();
  }
  return text;
}

std::int64_t nodes_of(const slurm::Component& component) {
  const auto& r = component.resolved;
  const std::int64_t per_node = r.ntasks_per_node.value_or(0);
  const std::int64_t needed =
      per_node > 0 && r.ntasks > 0 ? (r.ntasks - 1) / per_node + 1 : std::int64_t{1};
  return std::max(r.nodes_min, needed);
}

bool has_one_node(const slurm::Component& component) { return nodes_of(component) <= 1; }

void slurm_commands(PassContext& context, const OutputUses& uses) { Commands(context, uses).run(); }

} // namespace s2f::passes
