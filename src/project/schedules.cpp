// A crontab or a file of scrontab: what its lines start, and when.
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "ir/build.hpp"
#include "lower/lower.hpp"
#include "project/compiler.hpp"
#include "project/nearest.hpp"
#include "project/paths.hpp"
#include "project/started.hpp"

namespace s2f::project {

using review::Disposition;

namespace {

bool cron_itself(std::string_view name) {
  static constexpr std::array names{"SHELL",
                                    "PATH",
                                    "MAILTO",
                                    "MAILFROM",
                                    "HOME",
                                    "LOGNAME",
                                    "USER",
                                    "BASH_ENV",
                                    "CONTENT_TYPE",
                                    "RANDOM_DELAY",
                                    "CONTENT_TRANSFER_ENCODING"};
  return std::ranges::find(names, name) != names.end();
}

void not_given(Pending& to, const source::Span& span, std::string message, std::string output) {
  review::Finding finding;
  finding.rule = "S2F332";
  finding.span = span;
  message[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(message[0])));
  finding.message = std::move(message) + ".";
  finding.slurm_does = "The job gets what the line says.";
  finding.output_does = std::move(output);
  finding.choices = {"as written", "write it into the module"};
  finding.default_ = finding.choices[0];
  to.findings.add(std::move(finding));
}

} // namespace

// ---- crontabs ----------------------------------------------------------------------------
// The script that a line names, by the longest end of its path that is there, beside the crontab
// or in a directory around it.
std::optional<std::string> Compiler::find_script(const Unit& crontab,
                                                 const Started& started) const {
  std::string full = started.script;
  if (!full.starts_with('/') && !started.directory.empty()) {
    full = started.directory + "/" + full;
  }
  full = normal(std::move(full));
  for (std::string_view end = full; !end.empty();) {
    for (std::string around = directory_of(crontab.path);;
         around = directory_of(around.substr(0, around.empty() ? 0 : around.size() - 1))) {
      std::string path = normal(around + std::string(end));
      if (end.front() != '/' && !end.contains("..") && files_.is_file(path)) {
        return path;
      }
      if (around.empty() || around == "/") {
        break;
      }
    }
    const auto slash = end.find('/');
    end.remove_prefix(slash == std::string_view::npos ? end.size() : slash + 1);
  }
  return std::nullopt;
}

// Lines that cron does not take.
void Compiler::refused_lines(const Unit& unit) {
  Pending& mine = pending(unit);
  for (const slurm::CronFault& fault : unit.crontab->faults) {
    review::Finding finding;
    finding.rule = "S2F335";
    finding.span = fault.span;
    finding.message = "The line is none that cron takes.";
    finding.slurm_does = "crontab refuses the file, or cron leaves the line out.";
    finding.output_does = "Nothing stands for the line.";
    finding.choices = {"leave it out", "write its times as cron takes them"};
    finding.default_ = finding.choices[0];
    const auto id = mine.findings.add(std::move(finding));
    mine.ledger.settle(
        mine.ledger.open(fault.span, unit.masked.substr(fault.span.begin, fault.span.size())),
        Disposition::decision, "cron does not take it", "S2F335", id);
  }
}

// What a crontab starts and when.
void Compiler::read_schedules(Unit& unit) {
  Pending& mine = pending(unit);
  const auto text = [&](const source::Span& span) {
    return unit.masked.substr(span.begin, span.size());
  };
  for (const source::Span& span : unit.crontab->comments) {
    mine.ledger.settle(mine.ledger.open(span, text(span)), Disposition::comment, "a comment");
  }
  refused_lines(unit);
  ir::Schedule at_first;
  if (const auto answer = site_files_.answers(unit.path).text("schedule", "", "timezone")) {
    at_first.zone = answer->value;
    at_first.zone_from = answer->place;
  }
  for (const slurm::CronVariable& each : unit.crontab->variables) {
    const auto entry = mine.ledger.open(each.span, text(each.span));
    if (each.name == "CRON_TZ" || each.name == "TZ") {
      mine.ledger.settle(entry, Disposition::converted, "the time zone of the triggers");
    } else if (cron_itself(each.name)) {
      mine.ledger.settle(entry, Disposition::dropped, "cron's own: Flyte starts no shell");
    } else {
      mine.ledger.settle(entry, Disposition::converted, "what a task that reads it is given");
    }
  }
  bool zoneless = false;
  for (const slurm::CronEntry& each : unit.crontab->entries) {
    // Cron goes by the variables that stand above a line.
    ir::Schedule schedule = at_first;
    for (const slurm::CronVariable& variable : unit.crontab->variables) {
      if (variable.line > each.line) {
        break;
      }
      if (variable.name == "CRON_TZ" || variable.name == "TZ") {
        schedule.zone = variable.value;
        schedule.zone_from = fmt::format("{}:{}", base_name(unit.path), variable.line);
      } else if (!cron_itself(variable.name)) {
        schedule.environment[variable.name] = variable.value;
      }
    }
    const bool no_zone = schedule.zone_from.empty();
    schedule.cron = each.cron;
    schedule.where = fmt::format("{}:{}", base_name(unit.path), each.line);
    schedule.span = each.span;
    zoneless |= read_schedule(unit, each, std::move(schedule)) && no_zone;
  }
  for (const slurm::CronOptions& each : unit.crontab->options) {
    const auto entry = mine.ledger.open(each.span, text(each.span));
    bool used = false;
    for (const EntryJob& job : entry_jobs_[unit.path]) {
      for (const slurm::OptionUse& use : job.uses) {
        if (each.span.contains(use.span)) {
          used = true;
          (void)mine.ledger.open(use.span, text(use.span), entry);
        }
      }
    }
    if (!used) {
      mine.ledger.settle(entry, Disposition::dropped,
                         "options of the small job that starts the script; the task has its own");
    }
  }
  if (zoneless) {
    review::Finding finding;
    finding.rule = "S2F310";
    finding.span = unit.crontab->entries.front().time;
    finding.message = "The times are local ones of the machine whose cron reads them.";
    finding.slurm_does = "Cron goes by the machine's time zone.";
    finding.output_does = "The triggers go by UTC.";
    finding.choices = {"UTC", "the zone of the cluster"};
    finding.default_ = finding.choices[0];
    finding.config_key = "schedule.timezone";
    mine.findings.add(std::move(finding));
  }
}

// One line; whether it became a schedule.
bool Compiler::read_schedule(Unit& unit, const slurm::CronEntry& entry, ir::Schedule schedule) {
  Pending& mine = pending(unit);
  const auto text = [&](const source::Span& span) {
    return unit.masked.substr(span.begin, span.size());
  };
  const auto line = mine.ledger.open(entry.span, text(entry.span));
  const auto stays = [&](std::string message, std::string output, const char* rule) {
    review::Finding finding;
    finding.rule = rule;
    finding.span = entry.span;
    finding.message = std::move(message);
    finding.slurm_does = "Cron starts it at these times.";
    finding.output_does = std::move(output);
    finding.choices = {"leave the line where it is", "write a task and a flyte.Trigger for it"};
    finding.default_ = finding.choices[0];
    const auto id = mine.findings.add(std::move(finding));
    mine.ledger.settle(line, Disposition::decision, "stays in the crontab", rule, id);
    return false;
  };
  if (entry.cron.empty()) {
    return stays("The line runs when the machine starts.",
                 "No trigger does that; nothing stands for the line.", "S2F331");
  }
  const auto started =
      started_by(sources_, entry.text, {entry.command, entry.runs}, schedule.environment);
  const auto path = started && !entry.input ? find_script(unit, *started) : std::nullopt;
  const std::size_t known = order_.size();
  Unit* script = path ? read(*path, false) : nullptr;
  if (script != nullptr &&
      (script->crontab || (script->kind == slurm::Kind::other && !started->submitted))) {
    script = nullptr;
    order_.resize(known); // it is a program that the line runs
  }
  if (script == nullptr && unit.crontab->of_slurm && !(started && started->submitted)) {
    entry_job(unit, entry, std::move(schedule), line);
    return true;
  }
  if (script == nullptr) {
    return stays(started && started->submitted && !path
                     ? fmt::format("The line submits {}, which was not found.", started->script)
                     : "What the line runs is no script that is known here.",
                 "Nothing stands for the line.", "S2F331");
  }
  if (started->submitted && started->directory.empty()) {
    review::Finding finding;
    finding.rule = "S2F602";
    finding.span = entry.command;
    finding.message = fmt::format("Cron submits {} from the home directory.", base_name(*path));
    finding.slurm_does = "The job starts there, and relative paths are meant from there.";
    finding.output_does = "Commands run in HERE, the script's own directory.";
    finding.choices = {"HERE is that directory", "HERE = Path(__file__).resolve().parents[...]"};
    finding.default_ = finding.choices[0];
    mine.findings.add(std::move(finding));
  }
  // It goes to where the script lies, as far as the two can be compared.
  const bool there = started->goes && directory_of(*path) == normal(started->directory) + "/";
  if (started->goes && !there) {
    review::Finding finding;
    finding.rule = "S2F366";
    finding.span = *started->goes;
    finding.message = fmt::format("Cron starts {} in {}.", base_name(*path), started->directory);
    finding.slurm_does = "The job starts there, and relative paths are meant from there.";
    finding.output_does = "Commands run in HERE, the script's own directory.";
    mine.findings.add(std::move(finding));
  }
  for (const source::Span& span : started->logs) {
    review::Finding finding;
    finding.rule = "S2F366";
    finding.span = span;
    finding.message = fmt::format("What the line prints goes to a file: `{}`.", text(span));
    finding.slurm_does = "Cron's shell appends what sbatch or the script prints.";
    finding.output_does = "A trigger prints nothing, and Flyte keeps each run's log.";
    mine.findings.add(std::move(finding));
  }
  for (const source::Span& span : started->unknown) {
    not_given(mine, span, "only cron's shell knows what stands there",
              "The trigger gives an empty text, or leaves the option out.");
  }
  schedule.arguments = started->arguments;
  if (!started->inherits) {
    schedule.environment.clear();
  }
  for (const auto& [name, value] : started->environment) {
    schedule.environment[name] = value;
  }
  for (const slurm::CronVariable& variable : unit.crontab->variables) {
    if (!schedule.environment.contains(variable.name)) {
      schedule.unset.insert(variable.name);
    }
  }
  Scheduled scheduled{
      std::move(schedule), {}, &unit, mine.ledger.open(entry.time, text(entry.time), line)};
  scheduled.read.arguments = started->options;
  scheduled.read.argument_spans = started->option_spans;
  const auto command = mine.ledger.open(entry.command, text(entry.command), line);
  const auto part = [&](const source::Span& span, Disposition disposition, const char* why,
                        const char* rule) {
    mine.ledger.settle(mine.ledger.open(span, text(span), command), disposition, why, rule);
  };
  if (started->goes) {
    part(*started->goes, there ? Disposition::converted : Disposition::adjusted,
         "HERE, the script's own directory", there ? "" : "S2F366");
  }
  for (const source::Span& span : started->logs) {
    part(span, Disposition::platform, "Flyte keeps each run's log", "S2F366");
  }
  auto& all = scheduled_[*path];
  const bool same = all.empty() || all.front().read.arguments == started->options;
  const bool options = !started->options.empty() && script->kind == slurm::Kind::job && all.empty();
  for (const source::Span& span : started->option_spans) {
    if (options) {
      (void)mine.ledger.open(span, text(span), command);
    }
  }
  if (!same) {
    not_given(mine, entry.command, "another line starts the same script with other options",
              "The trigger starts the task with the options of the first line.");
  }
  if (options) {
    mine.ledger.settle(mine.ledger.open({unit.id, entry.command.begin, entry.command.begin + 1},
                                        "sbatch", command),
                       Disposition::converted, "a run of the task");
  } else {
    mine.ledger.settle(command, Disposition::converted,
                       fmt::format("a run of {}'s task", base_name(*path)));
  }
  all.push_back(std::move(scheduled));
  return true;
}

// To scrontab a command is the job itself.
void Compiler::entry_job(Unit& unit, const slurm::CronEntry& entry, ir::Schedule schedule,
                         review::EntryId line) {
  const std::string first = "#!/bin/sh\n";
  std::vector<source::Run> runs = entry.runs;
  for (source::Run& run : runs) {
    run.begin += static_cast<std::uint32_t>(first.size());
  }
  EntryJob job;
  job.unit = written_unit(unit, first + entry.text + "\n", {entry.command, std::move(runs)});
  job.scheduled.schedule = std::move(schedule);
  job.scheduled.crontab = &unit;
  job.scheduled.time = line;
  std::vector<std::string>& arguments = job.scheduled.read.arguments;
  std::vector<source::Span>& spans = job.scheduled.read.argument_spans;
  for (const auto& [word, span] : entry.options) {
    if (word.starts_with('-') || arguments.empty()) {
      arguments.push_back(word);
      spans.push_back(span);
    } else { // -t 10
      arguments.back() += (arguments.back().starts_with("--") ? "=" : "") + word;
      spans.back().end = span.end;
    }
  }
  const std::string command = entry.text.substr(0, entry.text.find_first_of(" \t;&|"));
  job.scheduled.read.script_name = base_name(command);
  job.uses = ir::make_job(sources_[job.unit->id], job.unit->script, job.scheduled.read).header.uses;
  entry_jobs_[unit.path].push_back(std::move(job));
}

// The module of those jobs.
void Compiler::convert_entries(Unit& unit) {
  const auto found = entry_jobs_.find(unit.path);
  if (found == entry_jobs_.end() || found->second.empty()) {
    return;
  }
  Pending& mine = pending(unit);
  ir::Workload workload;
  workload.driver.emplace();
  workload.driver->path = unit.path;
  workload.driver->stem = module_stem(unit);
  workload.driver->not_lifted = ir::Reason{};
  std::set<std::string> functions;
  std::set<std::string> environments;
  for (const EntryJob& each : found->second) {
    Pending scratch;
    ir::Job job = make_job(*each.unit, each.scheduled.read, scratch, &mine, {}, functions,
                           names_of(each.scheduled.schedule));
    for (review::Finding finding : scratch.findings.all()) {
      finding.span = sources_.to_file(finding.span);
      add_once(mine.findings, std::move(finding));
    }
    settle_command_line(job, mine);
    make_unique(job, functions, environments);
    workload.jobs.push_back(std::move(job));
  }
  lower::LowerContext lowering{sources_, mine.findings};
  flyte::Module module = lower::lower_driver(lowering, workload);
  module.summary = fmt::format("Run what {} starts.", base_name(unit.path));
  module.migrated = fmt::format("Migrated from {}, whose commands ran as jobs at their times.",
                                base_name(unit.path));
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const ir::Job& job = workload.jobs[i];
    lower::add_schedules(lowering, module, job.function, job.parameters, job.function,
                         {found->second[i].scheduled.schedule});
  }
  const auto output = write(module, mine, unit);
  for (const EntryJob& each : found->second) {
    mine.ledger.settle(each.scheduled.time, output ? Disposition::converted : Disposition::kept,
                       output ? "a task, and its trigger" : "nothing was written");
  }
  if (output) {
    outputs_[unit.path] = {*output, module_path(unit)};
    result_.modules.push_back({unit.path, module_path(unit), output->text});
  }
}

void Compiler::review_schedules(Unit& unit) {
  Pending& mine = pending(unit);
  convert_entries(unit);
  std::optional<emit::Output> output;
  std::string module;
  if (const auto own = outputs_.find(unit.path); own != outputs_.end()) {
    output = own->second.first;
    module = own->second.second;
  }
  for (const auto& [path, list] : scheduled_) {
    for (const Scheduled& each : list) {
      if (each.crontab != &unit) {
        continue;
      }
      const auto known = outputs_.find(path);
      if (known == outputs_.end()) {
        mine.ledger.settle(each.time, Disposition::kept, fmt::format("{} was not converted", path));
        continue;
      }
      mine.ledger.settle(each.time, Disposition::converted,
                         fmt::format("a trigger in {}", base_name(known->second.second)));
      if (!output) {
        output = known->second.first;
        module = known->second.second;
      }
    }
  }
  add_review(unit, "", output, module, "", "", {}, !output.has_value(), false);
}

} // namespace s2f::project
