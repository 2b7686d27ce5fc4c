// pushd, popd and `cd -`: back to where the job was.
//
// before:  pushd build > /dev/null; make; popd > /dev/null
// after:   ChangeDirectory{build, saves "back"}, Launch{make}, ChangeDirectory{to "back"}
#include <algorithm>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/lifting.hpp"
#include "passes/names.hpp"

namespace s2f::passes {

namespace {

// Whether what it prints to standard output goes nowhere, or nothing is redirected; nothing where
// it goes to a file.
std::optional<bool> silent(const shell::Statement& statement) {
  bool quiet = false;
  for (const shell::Redirect& redirect : statement.redirects) {
    const bool output = redirect.kind == shell::RedirectKind::output ||
                        redirect.kind == shell::RedirectKind::append ||
                        redirect.kind == shell::RedirectKind::output_both;
    const bool nowhere = redirect.target.literal() == "/dev/null";
    const bool errors = redirect.descriptor.value_or(1) == 2;
    if (redirect.kind == shell::RedirectKind::duplicate_output && errors &&
        redirect.target.literal() == "1") {
      continue; // 2>&1
    }
    if (!output || !nowhere || redirect.descriptor.value_or(1) > 2 || errors) {
      return std::nullopt;
    }
    quiet = true;
  }
  return quiet;
}

} // namespace

// Where the job is now.
std::optional<Lifting::Place> Lifting::place() const {
  return Place{"", directory_, elsewhere_, later_.size()};
}

// Whether anything may ask whether this command succeeded.
bool Lifting::status_asked() const {
  const bool ends =
      std::ranges::all_of(later_, [](const Reads& list) { return list.at + 1 >= list.size; });
  const std::size_t here = later_.front().at;
  const auto asks = [&](std::size_t i) {
    return i < job_.body.size() && job_.body[i].statement != nullptr &&
           analysis::effects_of(*job_.body[i].statement).status;
  };
  return ends || asks(here + 1) || (later_.size() > 1 && asks(here));
}

bool Lifting::goes_back() const {
  bool found = false;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& statement) {
    const auto* command = shell::as_simple(statement);
    found = found || (command != nullptr && analysis::command_name(*command) == "cd" &&
                      command->words.size() == 2 && command->words[1].literal() == "-");
  };
  for (const ir::Step& step : job_.body) {
    if (step.statement != nullptr && !found) {
      analysis::walk(*step.statement, visitor);
    }
  }
  return found;
}

// Names with a blank are no variables of the script.
std::string Lifting::old_name() { return local_name(job_, " before"); }

void Lifting::not_printed(const ir::Step& step) {
  review::Finding finding;
  finding.rule = "S2F491";
  finding.span = step.span;
  finding.message =
      fmt::format("`{}` prints where it goes, and the output does not.", context_.text(step.span));
  finding.slurm_does = "The directory, or the stack of them, stands in the job's output.";
  finding.output_does = "The commands behind it run in the same directory; nothing is printed.";
  context_.findings.add(std::move(finding));
}

void Lifting::go_back(ir::Step& step, const Place& to, const std::string& saves) {
  ir::ChangeDirectory change;
  change.back = to.name;
  change.saves = saves;
  if (!to.elsewhere) {
    change.below = to.directory.substr(0, to.directory.empty() ? 0 : to.directory.size() - 1);
  }
  change.directory = ir::Value::of(change.below.value_or("-"), step.span);
  directory_ = to.directory;
  elsewhere_ = to.elsewhere;
  scope_.set_directory(elsewhere_ ? std::nullopt : change.below);
  step.value = std::move(change);
}

std::string Lifting::back(ir::Step& step, const shell::SimpleCommand& command) {
  const auto quiet = silent(*step.statement);
  if (!old_ || old_->name.empty() || old_->depth != later_.size() || !quiet ||
      !command.assignments.empty() || (!old_->certain && status_asked())) {
    return "a cd with options";
  }
  const Place to = *old_;
  old_ = place();
  old_->name = to.name;
  go_back(step, to, to.name);
  if (!*quiet) {
    not_printed(step);
  }
  return {};
}

std::string Lifting::push_directory(ir::Step& step, const shell::SimpleCommand& command) {
  const std::string general = "the shell's own pushd";
  const auto quiet = silent(*step.statement);
  const std::string word =
      command.words.size() == 2 ? command.words[1].literal().value_or("x") : "";
  if (!quiet || word.empty() || word[0] == '-' || word[0] == '+' || !command.assignments.empty()) {
    return general;
  }
  Place from = *place();
  from.name = local_name(job_, pushed_.empty() ? std::string(" back")
                                               : fmt::format(" back {}", pushed_.size() + 1));
  if (std::string why = enter(step, command); !why.empty()) {
    return why;
  }
  auto& change = std::get<ir::ChangeDirectory>(step.value);
  change.saves = from.name;
  from.certain = change.certain;
  pushed_.push_back(std::move(from));
  old_.reset();
  if (!*quiet) {
    not_printed(step);
  }
  return {};
}

std::string Lifting::pop_directory(ir::Step& step, const shell::SimpleCommand& command) {
  const auto quiet = silent(*step.statement);
  if (!quiet || command.words.size() != 1 || !command.assignments.empty() || pushed_.empty() ||
      pushed_.back().depth != later_.size() || (!pushed_.back().certain && status_asked())) {
    return "the shell's own popd";
  }
  const Place to = pushed_.back();
  pushed_.pop_back();
  go_back(step, to, "");
  old_.reset();
  if (!*quiet) {
    not_printed(step);
  }
  return {};
}

} // namespace s2f::passes
