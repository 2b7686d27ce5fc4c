// `slurm2flyte signoff`: lists what is open, accepts and refuses it, and fails where it is.
#include "cli/signoff_command.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/inputs.hpp"
#include "cli/site_problems.hpp"
#include "cli/suggest.hpp"
#include "cli/table.hpp"
#include "project/compile.hpp"
#include "project/nearest.hpp"
#include "project/signoff_files.hpp"
#include "review/labels.hpp"
#include "review/visible.hpp"

namespace s2f::cli {

namespace {

using review::PlacedFinding;

std::string today() {
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::to_time_t(
                                        std::chrono::system_clock::now())));
}

// Only decisions and warnings are signed: a note needs no answer, an error cannot have one.
bool to_sign(const PlacedFinding& placed) {
  const auto severity = placed.finding.severity;
  return (severity == review::Severity::decision || severity == review::Severity::warning) &&
         !placed.finding.rule.starts_with("S2F9");
}

std::string state_of(const review::Finding& finding) {
  if (!finding.accepted)
    return "open";
  return finding.accepted->who.empty() ? std::string(review::to_string(finding.accepted->by))
                                       : finding.accepted->who;
}

int list(const review::Review& review, bool check, const Console& console) {
  Table table{.head = {"id", "state", "rule", "place", "what"}, .rows = {}};
  std::size_t open = 0;
  std::size_t accepted = 0;
  for (const auto& input : review.inputs) {
    for (const PlacedFinding& placed : input.findings) {
      const auto& finding = placed.finding;
      const bool stale = finding.rule == "S2F902" || finding.rule == "S2F905";
      if (!to_sign(placed) && !stale)
        continue;
      const bool decision = finding.severity == review::Severity::decision;
      open += decision && review::is_open(finding) ? 1U : 0U;
      accepted += review::is_open(finding) ? 0U : 1U;
      if (check && !stale && (!decision || !review::is_open(finding)))
        continue;
      table.rows.push_back({finding.id, stale ? "stale" : state_of(finding), finding.rule,
                            fmt::format("{}:{}", input.path, placed.line), finding.message});
    }
  }
  if (!table.rows.empty())
    console.out(render(table, console.out_style));
  console.out(fmt::format("{} open, {} accepted\n", review::counted(open, "decision"), accepted));
  return check && open > 0 ? findings : done;
}

struct Change {
  std::map<std::string, review::SignOff> files; // by path
  std::size_t count = 0;
};

review::SignOff& content_of(Change& change, project::SignOffFiles& files,
                            const std::string& script) {
  const auto path = files.path_for(script);
  const auto [entry, fresh] = change.files.try_emplace(path);
  if (fresh) {
    if (const auto* file = files.file_for(script))
      entry->second = file->content;
  }
  return entry->second;
}

bool chosen(const PlacedFinding& placed, const SignOffOptions& options) {
  const auto& finding = placed.finding;
  return to_sign(placed) && ((options.all && review::is_open(finding)) ||
                             std::ranges::find(options.ids, finding.id) != options.ids.end() ||
                             std::ranges::find(options.rules, finding.rule) != options.rules.end());
}

std::optional<std::string> misuse(const SignOffOptions& options) {
  static constexpr std::array actions{"list", "check", "accept", "reject", "prune", "import"};
  if (std::ranges::find(actions, options.action) == actions.end()) {
    return fmt::format("there is no action `{}`", options.action) +
           did_you_mean(options.action, {actions.begin(), actions.end()});
  }
  const bool signs = options.action == "accept" || options.action == "reject";
  if (signs && options.who.empty())
    return options.action + " wants --who: the name of the person who signs";
  if (signs && !options.all && options.ids.empty() && options.rules.empty())
    return options.action + " wants --id, --rule or --all";
  if (options.action == "reject" && options.reason.empty())
    return "reject wants --reason";
  if (options.action == "import" && options.from.empty())
    return "import wants --from: a file that the report exported";
  return std::nullopt;
}

// The ids that no finding has.
std::vector<std::string> unknown_ids(const review::Review& review, const SignOffOptions& options) {
  std::set<std::string> known;
  for (const auto& input : review.inputs) {
    for (const PlacedFinding& placed : input.findings)
      known.insert(placed.finding.id);
  }
  std::vector<std::string> unknown;
  std::ranges::copy_if(options.ids, std::back_inserter(unknown),
                       [&](const std::string& id) { return !known.contains(id); });
  return unknown;
}

void sign(const review::Review& review, const SignOffOptions& options, project::SignOffFiles& files,
          Change& change) {
  for (const auto& secret : review.inputs) {
    const auto input = review::redacted(secret);
    auto& content = content_of(change, files, input.path);
    for (const PlacedFinding& placed : input.findings) {
      if (!chosen(placed, options))
        continue;
      auto entry = review::entry_for(input, placed,
                                     project::path_from(input.path, files.path_for(input.path)));
      entry.state = options.action == "reject" ? review::SignState::rejected
                    : options.answer.empty() || options.answer == placed.finding.default_
                        ? review::SignState::accepted
                        : review::SignState::answered;
      entry.answer = options.answer;
      entry.who = options.who;
      entry.date = options.date.empty() ? today() : options.date;
      entry.reason = options.reason;
      review::put(content, std::move(entry));
      ++change.count;
    }
  }
}

// Takes out what stands for no finding of these scripts any more.
void prune(const review::Review& review, project::SignOffFiles& files, Change& change) {
  for (const auto& input : review.inputs) {
    auto& content = content_of(change, files, input.path);
    const auto script = project::path_from(input.path, files.path_for(input.path));
    change.count += std::erase_if(content.entries, [&](const review::SignEntry& entry) {
      return entry.script == script &&
             std::ranges::none_of(input.findings, [&](const PlacedFinding& placed) {
               return placed.finding.id == entry.id && placed.finding.rule == entry.rule;
             });
    });
  }
}

bool import(const review::Review& review, const SignOffOptions& options,
            project::SignOffFiles& files, Change& change, const Console& console) {
  const auto text = console.files.read(options.from);
  const auto given =
      text ? review::read_sign_off(*text)
           : std::expected<review::SignOff, std::string>(std::unexpected(text.error().message));
  if (!given) {
    complain(console, options.from + ": " + given.error());
    return false;
  }
  std::set<std::string> scripts;
  for (const auto& input : review.inputs) {
    auto& content = content_of(change, files, input.path);
    const auto script = project::path_from(input.path, files.path_for(input.path));
    for (review::SignEntry entry : given->entries) {
      // The page knows a script by the path that the report was made with.
      if (entry.script != script && entry.script != input.path)
        continue;
      entry.script = script;
      scripts.insert(entry.id);
      review::put(content, std::move(entry));
      ++change.count;
    }
  }
  if (change.count < given->entries.size()) {
    console.err(fmt::format("{} of {} entries are for other scripts\n",
                            given->entries.size() - std::min(change.count, given->entries.size()),
                            given->entries.size()));
  }
  return true;
}

} // namespace

int sign_off(const SignOffOptions& options, const Console& console) {
  if (const auto problem = misuse(options)) {
    complain(console, *problem);
    hint(console, "slurm2flyte signoff --help tells more.");
    return failed;
  }
  project::CompileOptions compile;
  compile.site = {.config = options.config, .cluster = options.cluster};
  compile.sign_off = options.file;
  const auto compiled = project::compile(options.paths, compile, console.files);
  for (const auto& problem : compiled.sign_off_problems)
    complain(console, problem);
  complain_about_site(console, compiled.site_problems);
  for (const auto& failure : compiled.failures)
    complain_about_input(console, failure.path, failure.message);
  if (!compiled.sign_off_problems.empty() || !compiled.site_problems.empty() ||
      !compiled.failures.empty()) {
    return failed;
  }
  if (options.action == "list" || options.action == "check")
    return list(compiled.review, options.action == "check", console);

  project::SignOffFiles files(options.file, console.files);
  Change change;
  if (options.action == "prune") {
    prune(compiled.review, files, change);
  } else if (options.action == "import") {
    if (!import(compiled.review, options, files, change, console))
      return failed;
  } else {
    if (const auto unknown = unknown_ids(compiled.review, options); !unknown.empty()) {
      complain(console, fmt::format("no finding has the id {}", fmt::join(unknown, ", ")));
      hint(console, "slurm2flyte signoff list shows them.");
      return failed;
    }
    sign(compiled.review, options, files, change);
  }
  for (const auto& [path, content] : change.files) {
    if (change.count == 0)
      break;
    if (const auto written = console.write_durably(path, review::render_sign_off(content));
        !written) {
      complain(console, written.error());
      return failed;
    }
    console.out(fmt::format("{}: {} changed\n", review::visible(path),
                            change.count == 1 ? std::string("1 entry")
                                              : fmt::format("{} entries", change.count)));
  }
  if (change.count == 0)
    console.out("Nothing to change.\n");
  return done;
}

} // namespace s2f::cli
