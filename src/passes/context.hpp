// What a pass works on: one job of the workload, the ledger, the findings, and the files around the
// script.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ir/workload.hpp"
#include "review/finding.hpp"
#include "review/ledger.hpp"
#include "site/site.hpp"
#include "source/source.hpp"

namespace s2f::passes {

using source::Span;

struct PassContext {
  ir::Job& job;
  const source::Sources& sources;
  review::Ledger& ledger;
  review::Findings& findings;
  // Of the driver that submits the job: options of its command line are accounted for there.
  review::Ledger* outer_ledger = nullptr;
  review::Findings* outer_findings = nullptr;
  std::string_view masked_text = {}; // the script's text without its secrets
  site::Answers answers = {};        // what the site file says for this script
  // Of a path relative to the submit directory.
  std::function<bool(const std::string&)> file_exists;
  std::function<std::optional<std::string>(const std::string&)> read_file;
  // Files, relative to the submit directory, that the jobs write which this one waits for.
  std::set<std::string> provided = {};
  // Directories that such jobs write, each run of them a file of its own, and nothing else does.
  std::set<std::string> collected = {};
  // Python names of the module that no parameter may hide: the other tasks.
  std::set<std::string> taken = {};
  // The files of a folder and those below it, relative to it.
  std::function<std::vector<std::string>(const std::string&)> list_files = {};

  [[nodiscard]] const slurm::Component& component() const { return job.header.components.front(); }
  // The use of an option that is in force, or null.
  [[nodiscard]] const slurm::OptionUse* winner(std::string_view option) const;
  // "--mem=64G", as the script wrote it; "" when the option is not given.
  [[nodiscard]] std::string asked(std::string_view option) const;
  [[nodiscard]] std::vector<Span> spans(std::string_view option) const;
  // Settles every use of the option that nothing settled yet.
  void settle(std::string_view option, review::Disposition disposition, std::string why,
              std::string rule = {}, std::optional<review::FindingId> finding = std::nullopt) const;
  [[nodiscard]] bool settled(const slurm::OptionUse& use) const;

  // "train.sh:12"; the file's base name.
  [[nodiscard]] std::string at(const Span& span) const;
  // "train.sh:10-12", or "train.sh:12" for one line.
  [[nodiscard]] std::string lines(const Span& span) const;
  // Without secrets.
  [[nodiscard]] std::string text(const Span& span) const;
  [[nodiscard]] review::Ledger* ledger_of(const slurm::OptionUse& use) const;
  [[nodiscard]] review::Findings& findings_of(const slurm::OptionUse& use) const;
};

// A REVIEW comment beside the code: "REVIEW S2F210: ...".
[[nodiscard]] std::string review_comment(std::string_view rule, std::string_view text);

} // namespace s2f::passes
