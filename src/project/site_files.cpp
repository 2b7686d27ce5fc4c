// Finds the site file that holds for a script, going up from its directory.
#include "project/site_files.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "project/nearest.hpp"

namespace s2f::project {

const site::Site* SiteFiles::read(const std::string& path) {
  const auto [entry, fresh] = read_.try_emplace(path);
  if (!fresh)
    return entry->second ? &*entry->second : nullptr;
  const auto text = files_.read(path);
  if (!text) {
    site::Problem problem;
    problem.path = path;
    problem.line = 0; // the file as a whole
    problem.message = text.error().message;
    problems_.push_back(std::move(problem));
    return nullptr;
  }
  auto site = site::read(path, *text);
  if (!site) {
    problems_.insert(problems_.end(), site.error().begin(), site.error().end());
    return nullptr;
  }
  check_cluster(*site);
  entry->second = std::move(*site);
  return &*entry->second;
}

void SiteFiles::check_cluster(const site::Site& site) {
  if (options_.cluster.empty() || std::ranges::any_of(site.clusters, [this](const auto& cluster) {
        return cluster.name == options_.cluster;
      })) {
    return;
  }
  site::Problem problem;
  problem.path = site.path;
  problem.line = 0;
  problem.message = fmt::format("--cluster {0}: there is no [cluster.{0}]", options_.cluster);
  problem.typed = options_.cluster;
  for (const auto& cluster : site.clusters)
    problem.candidates.push_back(cluster.name);
  problems_.push_back(std::move(problem));
}

const site::Site* SiteFiles::nearest(const std::string& directory) {
  const auto known = by_directory_.find(directory);
  if (known != by_directory_.end())
    return known->second;
  const site::Site* found = nullptr;
  for (const std::string& at : up_from(directory, files_)) {
    if (files_.is_file(at + "slurm2flyte.toml")) {
      found = read(at + "slurm2flyte.toml");
      break;
    }
    if (files_.is_file(at + "pyproject.toml")) {
      const auto text = files_.read(at + "pyproject.toml");
      if (text && site::speaks_of_us(*text)) {
        found = read(at + "pyproject.toml");
        break;
      }
    }
  }
  return by_directory_[directory] = found;
}

site::Answers SiteFiles::answers(const std::string& script) {
  const site::Site* site =
      options_.config.empty() ? nearest(directory_of(script)) : read(options_.config);
  if (site == nullptr)
    return {};
  return {*site, path_from(script, site->path), options_.cluster};
}

std::vector<const site::Site*> SiteFiles::used() const {
  std::vector<const site::Site*> all;
  for (const auto& [path, site] : read_) {
    if (site)
      all.push_back(&*site);
  }
  return all;
}

} // namespace s2f::project
