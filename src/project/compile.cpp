// The whole compiler: reads scripts, builds the workload as a worklist, runs the passes, lowers,
// emits, reviews.
#include "project/compile.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "project/compiler.hpp"
#include "project/paths.hpp"
#include "project/remembered_files.hpp"
#include "project/version.hpp"

namespace s2f::project {

Compiler::Compiler(const CompileOptions& options, const Files& files)
    : options_(options), files_(files), site_files_(options.site, files),
      sign_offs_(options.sign_off, files) {
  result_.review.tool = "slurm2flyte " S2F_VERSION;
  result_.review.flyte =
      options_.flyte_release.empty() ? std::string(flyte_version) : options_.flyte_release;
}

Compiled Compiler::run(const std::vector<std::string>& scripts) {
  using Clock = std::chrono::steady_clock;
  const auto timed = [this](const std::string& path, const auto& work) {
    const auto begin = Clock::now();
    work();
    spent_[path] += std::chrono::duration<double>(Clock::now() - begin).count();
  };
  for (const std::string& path : scripts) {
    timed(normal(path), [&] { (void)read(normal(path), true); });
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (Unit& unit = *units_.at(order_[i]); unit.crontab) {
      read_schedules(unit);
    }
  }
  // Who submits what decides in whose module a job stands.
  std::vector<Unit*> drivers;
  for (const std::string& path : order_) {
    Unit& unit = *units_.at(path);
    if (unit.kind == slurm::Kind::driver) {
      drivers.push_back(&unit);
    }
    if (unit.kind == slurm::Kind::driver || unit.kind == slurm::Kind::both) {
      note_submissions(unit);
    }
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    report_sharing(*units_.at(order_[i]));
  }
  for (Unit* unit : drivers) {
    timed(unit->path, [&] { (void)convert_driver(*unit); });
  }
  // In the order given; a driver's jobs are done already.
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::string path = order_[i];
    Unit& unit = *units_.at(path);
    const bool done = reviewed_.contains(path) || unit.kind == slurm::Kind::driver || unit.crontab;
    timed(path, [&] {
      if (!done && (unit.kind != slurm::Kind::both || !convert_driver(unit))) {
        convert_job(unit);
      }
    });
  }
  for (const std::string& path : order_) {
    if (Unit& unit = *units_.at(path); unit.crontab) {
      review_schedules(unit);
    }
  }
  finish(scripts);
  keep_limits();
  // What they say is not known, so nothing stands.
  if (!site_files_.problems().empty() || !sign_offs_.problems().empty()) {
    result_ = {};
    result_.site_problems = site_files_.problems();
    result_.sign_off_problems = sign_offs_.problems();
  }
  return std::move(result_);
}

// Reviews in the order of the scripts given, those that a driver brought in behind it.
void Compiler::finish(const std::vector<std::string>& scripts) {
  std::map<std::string, std::size_t> order;
  for (const std::string& path : scripts) {
    order.try_emplace(normal(path), order.size());
  }
  std::ranges::stable_sort(reviews_, {}, [&](const review::Input& input) {
    const auto place = order.find(input.path);
    return place == order.end() ? order.size() : place->second;
  });
  result_.review.inputs = std::move(reviews_);
}

Compiled compile(const std::vector<std::string>& scripts, const CompileOptions& options,
                 const Files& files) {
  const Files asked_once = remembered(files);
  return Compiler(options, asked_once).run(scripts);
}

} // namespace s2f::project
