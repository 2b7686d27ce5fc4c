// Files that one job of a driver writes and another reads.
//
// before:  count.sh: python count.py --out counts.json; report.sh: python report.py --in
// counts.json after:   the same, and S2F605 at the reader: their containers share no directory
#include <algorithm>

#include <fmt/format.h>

#include "passes/driver.hpp"

namespace s2f::passes {

namespace {

std::string clean(std::string path) {
  while (path.starts_with("./")) {
    path.erase(0, 2);
  }
  return path;
}

std::string name_of(const ir::Job& job) { return job.path.substr(job.path.find_last_of('/') + 1); }

// The word of a job's commands that is this path, but for its own outputs.
const ir::Value* reads(const ir::Job& job, const std::string& path) {
  for (const ir::OutputFile& output : job.outputs) {
    if (output.path.text() == path) {
      return nullptr;
    }
  }
  for (const ir::Step& step : job.body) {
    const auto* launch = std::get_if<ir::Launch>(&step.value);
    for (std::size_t i = 1; launch != nullptr && i < launch->words.size(); ++i) {
      const auto text = launch->words[i].text();
      const auto equals = text ? text->find('=') : std::string::npos;
      if (text && (clean(*text) == path ||
                   (equals != std::string::npos && clean(text->substr(equals + 1)) == path))) {
        return &launch->words[i];
      }
    }
  }
  return nullptr;
}

} // namespace

void shared_files(const ir::Workload& workload,
                  const std::function<review::Findings&(const ir::Job&)>& findings_of) {
  for (const ir::Job& writer : workload.jobs) {
    for (const ir::OutputFile& output : writer.outputs) {
      const auto path = output.path.text();
      for (const ir::Job& reader : workload.jobs) {
        const ir::Value* word = path && &reader != &writer ? reads(reader, clean(*path)) : nullptr;
        if (word == nullptr) {
          continue;
        }
        review::Finding finding;
        finding.rule = "S2F605";
        finding.span = word->span;
        finding.message = fmt::format("{} is written by {} and read here.", *path, name_of(writer));
        finding.slurm_does = "Both jobs run in one directory of a shared file system.";
        finding.output_does = "Each task has a container of its own, so on a cluster the file is "
                              "not there; a local run shares the directory.";
        finding.choices = {"pass it: a File that one task returns and the other takes",
                           "a mounted volume: pod_template=\"NAME\""};
        findings_of(reader).add(std::move(finding));
      }
    }
  }
}

} // namespace s2f::passes
