// Finds the site file that holds for a script: the nearest one, or the one that was named.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "project/files.hpp"
#include "site/site.hpp"

namespace s2f::project {

struct SiteOptions {
  std::string config;  // --config: this file for every script, "" for the nearest
  std::string cluster; // --cluster: this one's tables, whatever the path
};

class SiteFiles {
public:
  SiteFiles(const SiteOptions& options, const Files& files) : options_(options), files_(files) {}
  // What holds for the script. A file that is wrong goes to `problems`, and answers nothing.
  // `clusters`: those that its --clusters names; the first that has tables of its own is meant, if
  // the user chose none.
  [[nodiscard]] site::Answers answers(const std::string& script, const std::string& clusters = {});
  // "[cluster.juwels] of slurm2flyte.toml" where that is so, "" elsewhere.
  [[nodiscard]] std::string named_cluster(const std::string& script, const std::string& clusters);
  [[nodiscard]] const std::vector<site::Problem>& problems() const { return problems_; }
  // Those that were read, by path.
  [[nodiscard]] std::vector<const site::Site*> used() const;

private:
  const site::Site* site_of(const std::string& script);
  [[nodiscard]] std::string chosen(const site::Site& site, const std::string& clusters) const;
  const site::Site* nearest(const std::string& directory);
  const site::Site* read(const std::string& path);
  void check_cluster(const site::Site& site);

  SiteOptions options_;
  const Files& files_;
  std::map<std::string, std::optional<site::Site>> read_; // by path; nothing where it is wrong
  std::map<std::string, const site::Site*> by_directory_;
  std::vector<site::Problem> problems_;
};

} // namespace s2f::project
