// A driver that runs as it was and stands still until a job has ended.
//
// before:  for f in $(ls *.txt | sort -r); do sbatch --wait a.sh $f; done; sbatch b.sh
// after:   ... submit 2 --wait=any a.sh $f ...: what is noted behind it waits for that job
//
// The driver itself goes on, so that this holds only where nothing that it does behind it can see
// what the job wrote.
#include <algorithm>
#include <array>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/driver_plan.hpp"

namespace s2f::passes {

namespace {

const std::vector<shell::Statement>* body_of(const shell::Statement& statement) {
  if (const auto* loop = std::get_if<shell::For>(&statement.value)) {
    return &loop->body;
  }
  if (const auto* loop = std::get_if<shell::ArithmeticFor>(&statement.value)) {
    return &loop->body;
  }
  return nullptr;
}

// What looks at no file.
bool harmless(const shell::Statement& statement) {
  static constexpr std::array names{"sbatch",  "echo", "printf", "sleep", "date", "basename",
                                    "dirname", "seq",  "exit",   "true",  ":",    "local",
                                    "export",  "let",  "shift",  "cut",   "tr",   "return",
                                    "break",   "set",  "unset",  "wait",  "expr", "declare"};
  const auto* command = shell::as_simple(statement);
  if (command == nullptr || command->words.empty()) {
    return true;
  }
  const auto name = analysis::command_name(*command);
  return name && std::ranges::find(names, *name) != names.end();
}

} // namespace

// Whether all that the driver does from there on, and in another turn of a loop around it, only
// submits and prints.
bool DriverPlanner::only_submits_behind(const Span& span) const {
  bool plain = true;
  std::vector<const std::vector<shell::Statement>*> turns; // the outermost loop that holds it
  analysis::Visitor outer;
  outer.part = [&](const shell::WordPart& part) { // how the job ended
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    plain &= parameter == nullptr || parameter->name != "?" || part.span.begin < span.end;
  };
  outer.statement = [&](const shell::Statement& each) {
    const bool holds = each.span.contains(span);
    const auto* choice = std::get_if<shell::If>(&each.value);
    for (std::size_t i = 0; holds && choice != nullptr && i < choice->branches.size(); ++i) {
      plain &= std::ranges::none_of(choice->branches[i].condition, [&](const auto& condition) {
        return condition.span.contains(span); // it asks how the job ended
      });
    }
    plain &= !holds || (!std::holds_alternative<shell::AndOr>(each.value) &&
                        !std::holds_alternative<shell::While>(each.value) &&
                        !std::holds_alternative<shell::Function>(each.value) && !each.negated &&
                        !each.background);
    if (const auto* body = body_of(each); holds && body != nullptr && turns.empty()) {
      turns.push_back(body);
    }
    if (each.span.begin >= span.end) {
      plain &= harmless(each);
    }
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, outer);
  }
  analysis::Visitor inner;
  inner.statement = [&](const shell::Statement& each) { plain &= harmless(each); };
  for (const auto* body : turns) {
    for (const shell::Statement& statement : *body) {
      analysis::walk(statement, inner);
    }
  }
  return plain;
}

void DriverPlanner::waits_for_it(const Span& span, Call& call) {
  const std::string_view text = context_.sources.text(span);
  if ((text != "-W" && text != "--wait") || !only_submits_behind(span)) {
    call.why = "it waits for a job (--wait) and then does more than submit others";
    return;
  }
  edits_.push_back({span, driver_.errexit ? "--wait=ok" : "--wait=any"});
  reader_.settle(span, review::Disposition::converted,
                 "what is submitted behind it waits for the job");
}

} // namespace s2f::passes
