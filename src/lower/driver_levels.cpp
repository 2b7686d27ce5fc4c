// Jobs that start together, level by level, each of which waits for all of the one before.
//
// before:  Submitted{prep}, Submitted{left, after prep}, Submitted{right, after prep}
// after:   await prep(); results = await asyncio.gather(left(), right(), ...); all_ok(results)
#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lower/driver_main.hpp"

namespace s2f::lower {

using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;

std::optional<std::vector<Main::Level>> Main::levels(const Steps& steps) const {
  std::vector<Level> levels;
  std::vector<std::size_t> level_of;                 // by group
  std::map<std::string, std::set<std::size_t>> held; // the groups whose ids a variable holds
  std::set<std::size_t> before;                      // the groups that the last level waits for
  std::set<std::size_t> last;                        // the groups of the last level
  std::vector<std::set<std::size_t>> waited_for;     // by group, all groups before it
  const auto groups_of = [&](const Term& term, const auto& self) -> std::set<std::size_t> {
    std::set<std::size_t> found;
    if (term.kind == Kind::name) {
      if (const auto known = held.find(term.text); known != held.end()) {
        found = known->second;
      }
    }
    for (const Term& part : term.parts) {
      found.merge(self(part, self));
    }
    return found;
  };
  const auto add = [&](Group group) -> bool {
    std::set<std::size_t> needs;
    for (const ir::Dependency& dependency : group.submission->depends) {
      const auto groups = groups_of(dependency.jobs, groups_of);
      if (dependency.each || dependency.element) {
        return false;
      }
      if (dependency.kind != ir::Dependency::Kind::ok || groups.empty() ||
          dependency.jobs.type == Type::maybe_job || dependency.jobs.kind == Kind::item) {
        return false;
      }
      needs.insert(groups.begin(), groups.end());
    }
    std::set<std::size_t> all = needs; // with those that these wait for
    for (const std::size_t each : std::set<std::size_t>(needs)) {
      std::erase_if(needs, [&](std::size_t other) { return waited_for[each].contains(other); });
      all.insert(waited_for[each].begin(), waited_for[each].end());
    }
    const std::size_t id = level_of.size();
    waited_for.push_back(std::move(all));
    if (levels.empty() || (needs == last && !needs.empty())) {
      if (!needs.empty() && levels.empty()) {
        return false;
      }
      levels.emplace_back();
      before = needs;
      last.clear();
    } else if (needs != before) {
      return false;
    }
    last.insert(id);
    level_of.push_back(levels.size() - 1);
    levels.back().push_back(std::move(group));
    return true;
  };
  for (const ir::DriverStep& step : steps) {
    const std::size_t next = level_of.size();
    if (const auto* submitted = std::get_if<ir::Submitted>(&step.value)) {
      if (!add({&driver_.submissions[submitted->submission], {}, step.comments, step.below})) {
        return std::nullopt;
      }
      if (!submitted->name.empty()) {
        held[submitted->name] = {next};
      }
      continue;
    }
    if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
      if (!bind->value.holds_jobs() || bind->value.kind == Kind::no_job) {
        return std::nullopt;
      }
      held[bind->name] = groups_of(bind->value, groups_of);
      continue;
    }
    if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
      held[extend->name].merge(groups_of(extend->value, groups_of));
      continue;
    }
    Group group;
    group.below = step.below;
    const ir::DriverStep* at = &step;
    std::set<std::string> variables;
    while (const auto* each = std::get_if<ir::Each>(&at->value)) {
      group.comments.insert(group.comments.end(), at->comments.begin(), at->comments.end());
      const bool depends = std::ranges::any_of(
          variables, [&](const auto& name) { return ir::terms::mentions(each->over, name); });
      if (depends || each->body.empty()) {
        return std::nullopt;
      }
      group.loops.push_back(each);
      variables.insert(each->variable);
      if (each->body.size() == 1 && std::holds_alternative<ir::Each>(each->body.front().value)) {
        at = &each->body.front();
        continue;
      }
      const auto* submitted = std::get_if<ir::Submitted>(&each->body.front().value);
      if (submitted == nullptr || each->body.size() > 2) {
        return std::nullopt;
      }
      group.submission = &driver_.submissions[submitted->submission];
      for (const ir::DriverStep& inner : each->body) {
        group.comments.insert(group.comments.end(), inner.comments.begin(), inner.comments.end());
        group.below.insert(group.below.begin(), inner.below.begin(), inner.below.end());
      }
      std::string list;
      if (each->body.size() == 2) {
        const auto* extend = std::get_if<ir::Extend>(&each->body.back().value);
        if (extend == nullptr || extend->value.kind != Kind::name ||
            extend->value.text != submitted->name) {
          return std::nullopt;
        }
        list = extend->name;
      } else if (!submitted->name.empty()) {
        return std::nullopt;
      }
      if (!add(std::move(group))) {
        return std::nullopt;
      }
      if (!list.empty()) {
        held[list].insert(next);
      }
      break;
    }
    if (level_of.size() == next) {
      return std::nullopt;
    }
  }
  return levels.empty() ? std::nullopt : std::optional(std::move(levels));
}

// One element of a gather: a call, or *(call for x in ...).
flyte::Arg Main::group(const Group& group) {
  if (group.loops.empty()) {
    flyte::Arg call = flyte::arg(call_of(*group.submission));
    note(call.notes, *group.submission);
    return call;
  }
  std::string target;
  std::vector<flyte::Arg> overs;
  for (const ir::Each* loop : group.loops) {
    const bool used = reads(driver_, *group.submission, loop->variable);
    target += (target.empty() ? "" : ", ") + (used ? terms_.name_of(loop->variable) : "_");
    overs.push_back(flyte::arg(terms_.iterable(loop->over)));
  }
  flyte::Expr over =
      overs.size() == 1 ? std::move(overs.front().value) : flyte::call("product", std::move(overs));
  flyte::Comprehension calls{
      call_of(*group.submission), target, std::move(over), std::nullopt, false, true};
  flyte::Arg star = flyte::arg(flyte::Expr{flyte::Starred{flyte::Expr{std::move(calls)}, false}});
  note(star.notes, *group.submission);
  return star;
}

// What the script says above and below the statements from `first` on.
void Main::say(const std::vector<ir::Comment>& above, const std::vector<ir::Comment>& below,
               std::size_t first, std::vector<flyte::Stmt>& out) {
  std::vector<flyte::Paragraph> said = paragraphs(above);
  auto& notes = out[first].notes.above;
  notes.insert(notes.begin(), said.begin(), said.end());
  if (!below.empty()) {
    flyte::Stmt rest{flyte::CommentOnly{}, {}};
    rest.notes.above = paragraphs(below);
    const auto& last = out.back().value;
    const bool leaves = out.size() > first + 1 && (std::holds_alternative<flyte::Return>(last) ||
                                                   std::holds_alternative<flyte::Raise>(last));
    out.insert(out.end() - (leaves ? 1 : 0), std::move(rest));
  }
}

// Whether all that is handed on comes from levels of one submission, whose results have a name.
bool Main::by_name(const std::vector<Level>& levels) const {
  return std::ranges::all_of(driver_.submissions, [&](const ir::Submission& each) {
    return std::ranges::all_of(each.handed, [&](const ir::Handed& handed) {
      return std::ranges::any_of(levels, [&](const Level& level) {
        const ir::Submission& from = driver_.submissions[handed.from];
        return level.size() == 1 && level.front().submission == &from && !from.indices &&
               (level.front().loops.empty() || (handed.each && !job(from).array));
      });
    });
  });
}

std::set<std::size_t> Main::collected(std::size_t index) const {
  std::set<std::size_t> outputs;
  for (const ir::Submission& later : driver_.submissions) {
    for (const ir::Handed& handed : later.handed) {
      if (handed.from == index && handed.each) {
        outputs.insert(handed.output);
      }
    }
  }
  return outputs;
}

// The last statement checks that all went well: `all_ok(...)`; what it gives is kept.
void Main::collect(std::size_t index, std::vector<flyte::Stmt>& out) {
  const std::set<std::size_t> outputs = collected(index);
  if (outputs.empty()) {
    return;
  }
  const ir::Job& element = job(driver_.submissions[index]);
  flyte::Expr all = std::move(std::get<flyte::ExprStmt>(out.back().value).value);
  flyte::Notes notes = std::move(out.back().notes);
  out.pop_back();
  const std::size_t count = element.returned();
  auto& names = results_[index];
  names.assign(count, "_");
  const bool one = count == 1;
  if (!one) {
    const std::string name = terms_.unique(element.function + "_results");
    out.push_back(flyte::Stmt{flyte::Assign{name, "list[Any]", std::move(all)}, {}});
    all = flyte::name(name);
  }
  for (const std::size_t output : outputs) {
    const bool left = element.left && output + 1 == count;
    const std::size_t files =
        outputs.size() - (element.left && outputs.contains(count - 1) ? 1 : 0);
    names[output] =
        terms_.unique(element.function + (left         ? "_left"
                                          : files == 1 ? "_files"
                                                       : fmt::format("_files_{}", output + 1)));
    flyte::Expr each = flyte::name("r");
    if (!one) {
      each =
          flyte::Expr{flyte::Subscript{std::move(each), flyte::number(fmt::format("{}", output))}};
    }
    // The types of `flyte.map` tell no more than that they may be exceptions.
    const std::string type(output_type(element, output));
    flyte::Expr there =
        flyte::call("isinstance", {flyte::arg(each), flyte::arg(flyte::name(type))});
    out.push_back(
        flyte::Stmt{flyte::Assign{names[output], fmt::format("list[{}]", type),
                                  flyte::Expr{flyte::Comprehension{
                                      std::move(each), "r", all, std::move(there), false, false}}},
                    {}});
  }
  out.back().notes = std::move(notes);
}

std::vector<flyte::Stmt> Main::in_levels(const std::vector<Level>& levels) {
  std::vector<flyte::Stmt> out;
  for (const Level& level : levels) {
    std::vector<ir::Comment> comments;
    std::vector<ir::Comment> below;
    for (const Group& each : level) {
      if (level.size() == 1) { // else each stands by its call
        comments.insert(comments.end(), each.comments.begin(), each.comments.end());
      }
      below.insert(below.end(), each.below.begin(), each.below.end());
    }
    const std::size_t first = out.size();
    const ir::Submission& submission = *level.front().submission;
    if (level.size() == 1 && level.front().loops.empty()) {
      if (!submission.recoveries.empty()) {
        out.push_back(recovered(submission));
      } else if (job(submission).array && !submission.indices) {
        std::vector<flyte::Arg> given = arguments(submission);
        for (flyte::Stmt& statement :
             array_statements(job(submission), given, std::nullopt, module_.helpers)) {
          out.push_back(std::move(statement));
        }
        collect(index_of(submission), out);
      } else {
        const std::size_t index = index_of(submission);
        flyte::Expr run = flyte::await(call_of(submission));
        results_[index] = result_names(index);
        const auto task =
            std::ranges::find(module_.tasks, job(submission).function, &flyte::Task::function);
        const bool end = &level == &levels.back() && !submission.indices;
        if (!results_[index].empty()) {
          out.push_back(
              assignment(fmt::format("{}", fmt::join(results_[index], ", ")), std::move(run)));
        } else if (end && task != module_.tasks.end() && task->returns != "None") {
          returns = task->returns;
          out.push_back(flyte::Stmt{flyte::Return{std::move(run)}, {}});
        } else {
          out.push_back(expression_statement(std::move(run)));
        }
      }
      note(out[first].notes, submission);
    } else {
      module_.helpers["all_ok"];
      std::vector<flyte::Arg> calls;
      for (const Group& each : level) {
        calls.push_back(group(each));
        if (level.size() > 1) {
          calls.back().notes.above = paragraphs(each.comments);
        }
      }
      calls.push_back(flyte::arg("return_exceptions", flyte::name("True")));
      out.push_back(
          assignment("results", flyte::await(flyte::call("asyncio.gather", std::move(calls)))));
      out.push_back(
          expression_statement(flyte::call("all_ok", {flyte::arg(flyte::name("results"))})));
      if (level.size() == 1) {
        collect(index_of(submission), out);
      }
    }
    say(comments, below, first, out);
  }
  return out;
}

} // namespace s2f::lower
