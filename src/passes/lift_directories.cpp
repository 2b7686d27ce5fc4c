// cd: where the commands behind it run.
//
// before:  cd $SLURM_SUBMIT_DIR/build
// after:   ChangeDirectory{"build", below the submit directory}
// before:  cd /home/me/project; python train.py     (train.py is beside the script)
// after:   ChangeDirectory{the submit directory}, S2F431
// before:  cd $WORK/run7
// after:   ChangeDirectory{<work>/run7}, which may not be there: Bash then stays where it is
#include <algorithm>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

namespace {

// Goes on from a directory below the submit directory ("" or "a/b/"); nothing where that leads out
// of it.
std::optional<std::string> follow(std::string from, std::string_view path) {
  while (!path.empty()) {
    const auto slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    if (part.empty() || part == ".") {
      continue;
    }
    if (part != "..") {
      from += std::string(part) + "/";
      continue;
    }
    if (from.empty()) {
      return std::nullopt;
    }
    from.pop_back();
    from.erase(from.find_last_of('/') == std::string::npos ? 0 : from.find_last_of('/') + 1);
  }
  return from;
}

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) {
    path.pop_back();
  }
  return path;
}

std::string last_part(std::string_view path) {
  return std::string(path.substr(path.find_last_of('/') + 1));
}

// "project" of "project/train.sh"; "" where the name tells no directory.
std::string directory_name(const std::string& script) {
  const auto slash = script.find_last_of('/');
  return slash == std::string::npos || slash == 0 ? "" : last_part(script.substr(0, slash));
}

} // namespace

// A relative path of the statements behind that lies beside the script.
std::optional<std::string> Lifting::found_beside() const {
  if (!context_.file_exists) {
    return std::nullopt;
  }
  std::optional<std::string> found;
  analysis::Visitor visitor;
  visitor.word = [&](const shell::Word& word) {
    const auto text = found ? std::nullopt : word.literal();
    if (text && !text->empty() && text->find_first_of("./") != std::string::npos &&
        text->find("..") == std::string::npos && !text->starts_with('/') &&
        !text->starts_with('-') && *text != "." && context_.file_exists(*text)) {
      found = *text;
    }
  };
  for (std::size_t i = later_.front().at + 1; i < job_.body.size(); ++i) {
    const shell::Statement* statement = job_.body[i].statement;
    if (statement == nullptr || found) {
      break;
    }
    analysis::walk(*statement, visitor);
  }
  return found;
}

// Whether an absolute directory is the script's own, and so the submit directory.
bool Lifting::is_here(const std::string& path, Span span) {
  if (here_paths_.contains(path)) {
    return true;
  }
  const auto beside = found_beside();
  const std::string own = directory_name(job_.path);
  if (!beside && (own.empty() || own == "." || own == ".." || last_part(path) != own)) {
    return false;
  }
  here_paths_.insert(path);
  review::Finding finding;
  finding.rule = "S2F431";
  finding.span = span;
  finding.message =
      beside
          ? fmt::format("{} is taken for the directory of the script, where {} is.", path, *beside)
          : fmt::format("{} is taken for the directory of the script, which has its name.", path);
  finding.slurm_does = "The commands run in that directory of the cluster.";
  finding.output_does = "They run in HERE, the directory that the module comes with.";
  finding.choices = {"HERE is that directory",
                     "the cluster's directory, on a mounted volume: pod_template=\"NAME\""};
  finding.default_ = finding.choices[0];
  context_.findings.add(std::move(finding));
  job_.reviews.push_back(
      review_comment("S2F431", fmt::format("{} cd {}: commands run in HERE, beside the script.",
                                           context_.at(span), path)));
  return true;
}

std::string Lifting::change_directory(ir::Step& step, const shell::SimpleCommand& command) {
  if (command.words.size() > 2) {
    return "a cd with options";
  }
  if (command.words.size() == 2 && command.words[1].literal() == "-") {
    return back(step, command);
  }
  if (!step.statement->redirects.empty() || !command.assignments.empty()) {
    return "a cd with a redirection";
  }
  const std::optional<Place> from = place();
  std::string why = enter(step, command);
  if (auto* change = std::get_if<ir::ChangeDirectory>(&step.value); why.empty()) {
    // Where it fails, what `cd -` goes to stays what it was.
    const bool first = !old_ && !from->elsewhere; // behind kept Bash it may have been another
    old_ = change->certain || first ? from : std::nullopt;
    if (old_ && goes_back()) {
      old_->name = change->saves = old_name();
      old_->certain = change->certain;
    }
  }
  return why;
}

// Goes where the second word says, whatever command that is.
std::string Lifting::enter(ir::Step& step, const shell::SimpleCommand& command) {
  ir::Value value = command.words.size() == 1 ? ir::Value{} : scope_.value_of(command.words[1]);
  if (!value.known()) {
    return why_unknown(value);
  }
  if (value.parts.empty() && (command.words.size() == 1 || !command.words[1].quoted())) {
    if (const ir::Value* home = scope_.find("HOME")) {
      if (!home->known() || home->parts.empty()) {
        return "a cd with options";
      }
      value = *home;
    } else {
      value.append(ir::Computed{ir::Operation::home, {}, true}); // what expands to nothing is gone
    }
    value.span = command.words.back().span;
  }
  const auto text = value.text();
  if (value.parts.empty() || (text && text->starts_with('-'))) {
    return "a cd with options";
  }
  note_splitting(value);
  ir::ChangeDirectory change;
  const auto* tail = value.parts.size() == 2 ? std::get_if<ir::Text>(&value.parts[1]) : nullptr;
  const bool from_here = std::holds_alternative<ir::SubmitDirectory>(value.parts[0]) &&
                         (value.parts.size() == 1 || (tail != nullptr && tail->text[0] == '/'));
  std::optional<std::string> below;
  if (from_here) {
    below = follow("", tail == nullptr ? "" : tail->text);
  } else if (text && text->starts_with('/')) {
    const std::string path = without_slash(*text);
    if (is_here(path, command.words[1].span)) {
      below = "";
    }
  } else if (text && !elsewhere_) {
    below = follow(directory_, *text);
  }
  change.certain =
      below &&
      (below->empty() || directory_.starts_with(*below) || made_.contains(*below) ||
       (context_.file_exists && context_.file_exists(below->substr(0, below->size() - 1))));
  const auto* place = std::get_if<ir::Computed>(&value.parts.front());
  change.certain |= value.parts.size() == 1 && place != nullptr &&
                    place->operation == ir::Operation::temporary_directory;
  // Where a cd may have failed, the next one goes on from one of two directories.
  elsewhere_ = !below || !change.certain;
  directory_ = below.value_or("");
  scope_.set_directory(elsewhere_ ? std::nullopt
                                  : std::optional(directory_.substr(
                                        0, directory_.empty() ? 0 : directory_.size() - 1)));
  if (below) {
    change.below = below->substr(0, below->empty() ? 0 : below->size() - 1);
  }
  change.directory = std::move(value);
  step.value = std::move(change);
  return {};
}

// `mkdir -p a` and `mkdir a`: what a later cd finds there.
void Lifting::note_made(const ir::Launch& launch) {
  if (elsewhere_ || launch.words.front().text() != "mkdir") {
    return;
  }
  const bool parents = std::ranges::any_of(launch.words, [](const ir::Value& word) {
    const auto text = word.text();
    return text == "-p" || text == "-pv" || text == "--parents";
  });
  for (std::size_t i = 1; i < launch.words.size(); ++i) {
    const auto text = launch.words[i].text();
    if (!text || text->starts_with('-') || text->starts_with('/') ||
        (!parents && text->find('/') != std::string::npos)) {
      continue;
    }
    if (const auto below = follow(directory_, *text)) {
      made_.insert(*below);
    }
  }
}

// exit, exit $?
static bool exits_with_last(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  if (command == nullptr || analysis::command_name(*command) != "exit" ||
      !statement.redirects.empty() || statement.background || statement.negated ||
      command->words.size() > 2) {
    return false;
  }
  const auto* status = command->words.size() == 2 && command->words[1].parts.size() == 1
                           ? std::get_if<shell::Parameter>(&command->words[1].parts.front().value)
                           : nullptr;
  return command->words.size() == 1 ||
         (status != nullptr && status->name == "?" && status->op.empty());
}

// cd dir || exit 1; cd dir && make.
std::string Lifting::enter_list(ir::Step& step, const shell::AndOr& list,
                                const shell::Statement& left) {
  const State before = state();
  ir::Step enter = make_step(left);
  if (std::string why = change_directory(enter, *shell::as_simple(left)); !why.empty()) {
    return why;
  }
  auto& change = std::get<ir::ChangeDirectory>(enter.value);
  elsewhere_ = !change.below; // what follows runs where it succeeded
  scope_.set_directory(change.below);
  const State inside = state();
  ir::If result;
  result.list = true;
  result.is_and = list.is_and;
  ir::Condition there{ir::Always{true}};
  if (!change.certain) {
    there.value = ir::FileTest{ir::FileTest::Kind::enter, change.directory};
  }
  change.certain = true;
  std::vector<ir::Step> steps;
  if (list.is_and) {
    previous_ = nullptr;
    if (std::string why = lift_one(*list.right, steps); !why.empty()) {
      return why;
    }
    steps.insert(steps.begin(), std::move(enter));
    const State end = state();
    result.branches.push_back({std::move(there), std::move(steps), left.span});
    join(before, {before, end}, *step.statement);
    step.value = std::move(result);
    return {};
  }
  restore(before);
  previous_ = nullptr;
  if (exits_with_last(*list.right)) { // with that of `cd`
    steps.push_back(make_step(*list.right));
    steps.back().value = ir::Exit{1, {}, false, false};
  } else if (std::string why = lift_one(*list.right, steps); !why.empty()) {
    return why;
  }
  const bool leaves = !steps.empty() && std::holds_alternative<ir::Exit>(steps.back().value);
  const State end = state();
  if (std::holds_alternative<ir::Always>(there.value)) {
    restore(inside);
    step.value = std::get<ir::ChangeDirectory>(enter.value);
    return {};
  }
  ir::Not negation;
  negation.operand.push_back(std::move(there));
  result.branches.push_back({ir::Condition{std::move(negation)}, std::move(steps), left.span});
  if (leaves) {
    result.after.push_back(std::move(enter));
    restore(inside);
    launched_ = launched_ || end.launched;
  } else {
    result.otherwise.emplace();
    result.otherwise->push_back(std::move(enter));
    join(before, {inside, end}, *step.statement);
  }
  step.value = std::move(result);
  return {};
}

} // namespace s2f::passes
