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

const site::Site* SiteFiles::site_of(const std::string& script) {
  return options_.config.empty() ? nearest(directory_of(script)) : read(options_.config);
}

std::string SiteFiles::chosen(const site::Site& site, const std::string& clusters) const {
  if (!options_.cluster.empty())
    return options_.cluster;
  for (std::size_t begin = 0; begin < clusters.size();) {
    const auto end = std::min(clusters.find(',', begin), clusters.size());
    const auto name = clusters.substr(begin, end - begin);
    if (std::ranges::find(site.clusters, name, &site::Cluster::name) != site.clusters.end())
      return name;
    begin = end + 1;
  }
  return {};
}

site::Answers SiteFiles::answers(const std::string& script, const std::string& clusters) {
  const site::Site* site = site_of(script);
  if (site == nullptr)
    return {};
  return {*site, path_from(script, site->path), chosen(*site, clusters)};
}

std::string SiteFiles::named_cluster(const std::string& script, const std::string& clusters) {
  const site::Site* site = clusters.empty() ? nullptr : site_of(script);
  const auto name = site == nullptr ? std::string() : chosen(*site, clusters);
  return name.empty() ? name
                      : fmt::format("[cluster.{}] of {}", name,
                                    site->path.substr(site->path.find_last_of('/') + 1));
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
