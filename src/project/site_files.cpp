// Finds the site file that holds for a script, going up from its directory.
#include "project/site_files.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace s2f::project {

namespace {

namespace fs = std::filesystem;

std::string directory_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

// "a/" of "a/b/", "" of "a/", "../" of "", "../../" of "../"; nothing above the root.
std::optional<std::string> above(const std::string& directory) {
  if (directory == "/")
    return std::nullopt;
  if (directory.empty() || directory.ends_with("../"))
    return directory + "../";
  const auto slash = directory.find_last_of('/', directory.size() - 2);
  return slash == std::string::npos ? std::string() : directory.substr(0, slash + 1);
}

// The script's path as the site file sees it.
std::string path_from(const std::string& script, const std::string& site_path) {
  std::error_code error;
  const fs::path base =
      fs::absolute(directory_of(site_path).empty() ? "." : directory_of(site_path), error);
  const fs::path path = fs::absolute(script, error);
  return path.lexically_normal().lexically_relative(base.lexically_normal()).generic_string();
}

} // namespace

bool SiteFiles::is_repository(const std::string& directory) const {
  return files_.is_directory(directory + ".git") || files_.is_file(directory + ".git");
}

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
  constexpr int deepest = 64;
  const auto known = by_directory_.find(directory);
  if (known != by_directory_.end())
    return known->second;
  const site::Site* found = nullptr;
  std::optional<std::string> at = directory;
  for (int depth = 0; at && depth < deepest; ++depth) {
    if (files_.is_file(*at + "slurm2flyte.toml")) {
      found = read(*at + "slurm2flyte.toml");
      break;
    }
    if (files_.is_file(*at + "pyproject.toml")) {
      const auto text = files_.read(*at + "pyproject.toml");
      if (text && site::speaks_of_us(*text)) {
        found = read(*at + "pyproject.toml");
        break;
      }
    }
    if (is_repository(*at))
      break;
    at = above(*at);
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
