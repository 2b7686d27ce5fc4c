// Scripts that several drivers submit, and drivers that submit each other.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/walk.hpp"
#include "project/compiler.hpp"
#include "project/nearest.hpp"
#include "project/paths.hpp"

namespace s2f::project {

namespace {

std::string listed(const std::set<std::string>& paths) {
  std::vector<std::string> names;
  names.reserve(paths.size());
  for (const std::string& path : paths) {
    names.push_back(base_name(path));
  }
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

using Submitters = std::map<std::string, std::set<std::string>>;

// For each script that submits `path` and is itself submitted, by way of others, by `path`: the
// shortest way around, from `path` to `path`.
std::vector<std::vector<std::string>> circles_through(const std::string& path,
                                                      const Submitters& submitted_by) {
  std::vector<std::vector<std::string>> found;
  const auto direct = submitted_by.find(path);
  if (direct == submitted_by.end()) {
    return found;
  }
  for (const std::string& last : direct->second) {
    std::map<std::string, std::string> next{{last, path}}; // whom each submits
    std::vector<std::string> queue{last};
    for (std::size_t i = 0; i < queue.size() && last != path && !next.contains(path); ++i) {
      const auto before = submitted_by.find(queue[i]);
      for (const std::string& each :
           before == submitted_by.end() ? std::set<std::string>() : before->second) {
        if (next.emplace(each, queue[i]).second) {
          queue.push_back(each);
        }
      }
    }
    if (last == path || !next.contains(path)) {
      continue;
    }
    std::vector<std::string> circle{path};
    do {
      circle.push_back(next.at(circle.back()));
    } while (circle.back() != path);
    found.push_back(std::move(circle));
  }
  return found;
}

} // namespace

void Compiler::note_submissions(const Unit& unit) {
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    const auto at = command == nullptr ? std::nullopt : passes::sbatch_in(*command);
    for (std::size_t i = at ? *at + 1 : 0; at && i < command->words.size(); ++i) {
      const auto word = command->words[i].literal();
      if (word && !word->starts_with('-')) {
        const std::string path = below(directory_of(unit.path), *word);
        submitted_by_[path.empty() ? normal(directory_of(unit.path) + *word) : path].insert(
            unit.path);
      }
    }
  };
  for (const shell::Statement& statement : unit.script.statements) {
    analysis::walk(statement, visitor);
  }
}

bool Compiler::is_shared(const Unit& unit) const {
  const auto found = submitted_by_.find(unit.path);
  return found != submitted_by_.end() && found->second.size() > 1 &&
         unit.kind == slurm::Kind::job && unit.shell && !scheduled_.contains(unit.path) &&
         std::ranges::all_of(found->second, [&](const std::string& driver) {
           const auto known = units_.find(driver);
           return known != units_.end() && known->second->kind == slurm::Kind::driver &&
                  directory_of(driver) == directory_of(unit.path);
         });
}

const ir::Job& Compiler::shared_job(const Unit& unit) {
  const auto known = shared_jobs_.find(unit.path);
  if (known != shared_jobs_.end()) {
    return known->second;
  }
  slurm::ReadOptions read;
  read.script_name = base_name(unit.path);
  Pending drivers; // what is to be said of them is said there
  ir::Job job = make_job(unit, read, pending(unit), &drivers);
  const std::string file = base_name(module_path(unit));
  job.module = file.substr(0, file.size() - std::string_view(".py").size());
  return shared_jobs_.emplace(unit.path, std::move(job)).first->second;
}

void Compiler::report_sharing(const Unit& unit) {
  const auto found = submitted_by_.find(unit.path);
  if (found == submitted_by_.end()) {
    return;
  }
  if (is_shared(unit)) {
    review::Finding finding;
    finding.rule = "S2F361";
    finding.span = sources_[unit.id].line_span(1);
    finding.message = fmt::format("It is submitted by {}.", listed(found->second));
    finding.slurm_does = "Each of them submits the file as it is.";
    finding.output_does = "Its task stands in a module of its own, which theirs import; one that "
                          "needs another task than the script alone describes has its own.";
    pending(unit).findings.add(std::move(finding));
  }
  // Whoever submits a script that comes back to it.
  for (const std::vector<std::string>& circle : circles_through(unit.path, submitted_by_)) {
    std::string through;
    for (std::size_t i = 1; i + 1 < circle.size(); ++i) {
      through += fmt::format("{}, which submits ", base_name(circle[i]));
    }
    review::Finding finding;
    finding.rule = "S2F362";
    finding.span = sources_[unit.id].line_span(1);
    finding.message = fmt::format("It submits {}it again.", through);
    finding.slurm_does = "They go on submitting each other until one of them does not.";
    finding.output_does = "A run of Flyte starts no other run; each is converted by itself.";
    finding.choices = {"write the loop in one `main`", "start the next run by a trigger"};
    finding.default_ = finding.choices[0];
    pending(unit).findings.add(std::move(finding));
  }
}

} // namespace s2f::project
