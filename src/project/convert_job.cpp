// A job script: the job that it is, and the module of one that no driver submits.
#include <fmt/format.h>

#include "ir/build.hpp"
#include "lower/lower.hpp"
#include "passes/launch_counts.hpp"
#include "passes/pipeline.hpp"
#include "project/compiler.hpp"
#include "project/nearest.hpp"
#include "project/paths.hpp"

namespace s2f::project {

using review::Disposition;

namespace {

void settle_rest(Pending& to, const std::string& why, const std::string& rule) {
  for (std::size_t i = 0; i < to.ledger.entries().size(); ++i) {
    const auto id = static_cast<review::EntryId>(i);
    if (to.ledger[id].children.empty() && !to.ledger.settled(id)) {
      to.ledger.settle(id, Disposition::kept, why, rule);
    }
  }
}

// A directive line whose options are all accounted for is settled by them; one that Slurm refused
// has none.
void settle_headless(const ir::Job& job, Pending& to) {
  for (const slurm::DirectiveLine& line : job.header.lines) {
    const auto entry = to.ledger.find(line.span);
    if (entry && to.ledger[*entry].children.empty() && !to.ledger.settled(*entry)) {
      to.ledger.settle(*entry, Disposition::inert, "sbatch refuses this line", "S2F110");
    }
  }
}

} // namespace

void Compiler::open(const Unit& unit, const slurm::Header* header, std::vector<ir::Step>& steps,
                    Pending& to) {
  ir::open_entries(sources_[unit.id], unit.script, header, steps, to.ledger, to.findings,
                   unit.masked);
}

// Builds a job and runs its passes. `first`: the script's own account is kept; else it is thrown
// away.
ir::Job Compiler::make_job(const Unit& unit, const slurm::ReadOptions& read, Pending& to,
                           Pending* driver, passes::Provided provided, std::set<std::string> taken,
                           Given given) {
  const source::Source& source = sources_[unit.id];
  slurm::ReadOptions as_there = read;
  as_there.site_release = options_.slurm_release;
  ir::Job job = ir::make_job(source, unit.script, as_there);
  if (!unit.submitted) { // a driver that a shell runs
    job.header.rejections.clear();
  }
  job.restarts = unit.restarts;
  if (given.chain) {
    job.restarts.push_back(*given.chain);
  }
  job.given = std::move(given.names);
  job.inherited = std::move(given.inherited);
  job.always_given = std::move(given.always);
  job.unknown_given = std::move(given.unknown);
  job.given_secrets = std::move(given.secrets);
  job.missing = unit.missing;
  job.submits = unit.driver;
  if (unit.driver || (unit.written && unit.submitted)) {
    job.path = unit.path;
  }
  if (unit.written) { // sbatch calls it "sbatch" or "wrap" where nothing else names it
    const bool unnamed = read.script_name == "sbatch" || read.script_name == "job";
    job.stem = unnamed ? "job" : ir::stem_of(read.script_name);
  }
  open(unit, &job.header, job.body, to);
  note_source(source, &job.header, unit.kind, to.findings);
  const std::string clusters = settle_clusters(unit, job.header, to.ledger);
  passes::PassContext context{.job = job,
                              .sources = sources_,
                              .ledger = to.ledger,
                              .findings = to.findings,
                              .outer_ledger = driver != nullptr ? &driver->ledger : nullptr,
                              .outer_findings = driver != nullptr ? &driver->findings : nullptr,
                              .masked_text = unit.masked,
                              .answers = site_files_.answers(unit.path, clusters),
                              .file_exists = {},
                              .read_file = {},
                              .provided = std::move(provided.paths),
                              .collected = std::move(provided.collected),
                              .taken = std::move(taken)};
  set_files(context, given.base.empty() ? directory_of(unit.path) : given.base);
  if (!unit.shell) {
    foreign_body(unit, job, to);
    job.missing = job.missing || unconverted_.contains(unit.path);
  }
  if (refused(job.header) && !options_.keep_going) {
    settle_rest(to, "nothing was converted: sbatch refuses the script", "S2F110");
  } else if (unconverted_.contains(unit.path) && driver == nullptr) {
    settle_rest(to, "stays in the script, which was not converted", "S2F529");
  } else {
    // A use on the driver's command line has its entry in the driver's ledger.
    passes::run_all(context);
    settle_headless(job, to);
  }
  for (ir::Note& note : job.not_carried) {
    hide(unit, note.text);
  }
  if (!job.header.components.empty()) {
    to.shape = {.nodes = job.header.components.front().resolved.nodes_min,
                .array = job.array.has_value()};
  }
  return job;
}

void Compiler::convert_job(Unit& unit) {
  slurm::ReadOptions read;
  read.script_name = base_name(unit.path);
  Pending& mine = pending(unit);
  const auto scheduled = scheduled_.find(unit.path);
  Pending* crontab = nullptr;
  Given given;
  if (scheduled != scheduled_.end()) {
    for (const Scheduled& each : scheduled->second) {
      Given line = names_of(each.schedule);
      given.names.merge(line.names);
      given.inherited.merge(line.inherited);
    }
    const Scheduled& first = scheduled->second.front();
    read.arguments = first.read.arguments;
    read.argument_spans = first.read.argument_spans;
    crontab = &pending(*first.crontab);
  }
  ir::Job job = crontab == nullptr
                    ? (is_shared(unit) ? shared_job(unit) : make_job(unit, read, mine))
                    : make_job(unit, read, mine, crontab, {}, {}, std::move(given));
  if (crontab != nullptr) {
    settle_command_line(job, *crontab);
  }
  std::optional<emit::Output> output;
  std::string entry;
  std::string arguments;
  const bool foreign_on_slurm = unconverted_.contains(unit.path);
  const bool stop = (refused(job.header) && !options_.keep_going) || foreign_on_slurm ||
                    (job.stays_on_slurm && !unit.shell);
  if (!stop) {
    lower::LowerContext lowering{sources_, mine.findings};
    if (options_.module_file.first == unit.path) {
      lowering.file = options_.module_file.second;
    }
    job.stem = module_stem(unit);
    flyte::Module module = lower::lower_job(lowering, job);
    add_triggers(unit, module, job.parameters);
    entry = module.entry;
    arguments = module.entry_arguments;
    output = write(module, mine, unit);
    if (output && scheduled != scheduled_.end()) {
      outputs_[unit.path] = {*output, module_path(unit)};
    }
  }
  add_review(unit, stop ? "" : body_kind(job), output, output ? module_path(unit) : "", entry,
             arguments, lower::numbers_of(job), stop, job.stays_on_slurm.has_value());
  if (!stop) {
    reviews_.back().launches = passes::launches_of(job);
  }
  if (output) {
    result_.modules.push_back({unit.path, module_path(unit), output->text});
  }
}

void Compiler::add_triggers(const Unit& unit, flyte::Module& module,
                            const std::vector<ir::Parameter>& parameters) {
  const auto found = scheduled_.find(unit.path);
  if (found == scheduled_.end()) {
    return;
  }
  std::vector<ir::Schedule> schedules;
  for (const Scheduled& each : found->second) {
    schedules.push_back(each.schedule);
  }
  review::Findings said;
  lower::LowerContext own{sources_, said};
  lower::add_schedules(own, module, module.entry, parameters, ir::stem_of(unit.path), schedules);
  for (const review::Finding& finding : said.all()) {
    for (const Scheduled& each : found->second) {
      if (each.schedule.span == finding.span) {
        pending(*each.crontab).findings.add(finding);
        break;
      }
    }
  }
}

// The clusters that the script names. Where the site file has answers for one of them, they hold.
std::string Compiler::settle_clusters(const Unit& unit, const slurm::Header& header,
                                      review::Ledger& ledger) {
  if (header.components.empty()) {
    return {};
  }
  const auto& winner = header.components.front().winner;
  const auto found = winner.find("clusters");
  if (found == winner.end()) {
    return {};
  }
  const slurm::OptionUse& use = header.uses[found->second];
  const std::string clusters = use.value.value_or("");
  const auto place = site_files_.named_cluster(unit.path, clusters);
  const auto entry = use.origin == slurm::Origin::script ? ledger.find(use.span) : std::nullopt;
  if (!place.empty() && entry && !ledger.settled(*entry)) {
    ledger.settle(*entry, review::Disposition::converted, place + " answers for it");
  }
  clusters_[unit.path] = clusters;
  return clusters;
}

} // namespace s2f::project
