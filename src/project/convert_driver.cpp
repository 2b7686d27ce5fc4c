// A script that submits others: one module of its jobs and of what it does itself.
#include <algorithm>
#include <cctype>
#include <expected>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "ir/build.hpp"
#include "ir/job_graph.hpp"
#include "lower/lower.hpp"
#include "passes/array_items.hpp"
#include "passes/driver.hpp"
#include "passes/pipeline.hpp"
#include "project/comments.hpp"
#include "project/compiler.hpp"
#include "project/nearest.hpp"
#include "project/paths.hpp"

namespace s2f::project {

using review::Disposition;

namespace {

// Of the jobs of one script, the one without options on the command line gets the plain name.
void name_the_plain_first(ir::Workload& workload) {
  std::map<source::SourceId, std::size_t> first;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const auto [known, added] = first.emplace(workload.jobs[i].source, i);
    ir::Job& named = workload.jobs[known->second];
    if (!added && ir::as_written(workload.jobs[i]) && !ir::as_written(named)) {
      std::swap(named.function, workload.jobs[i].function);
      std::swap(named.environment_name, workload.jobs[i].environment_name);
    }
  }
}

void note_nothing_submitted(const source::Source& source, review::Findings& findings) {
  const bool told = std::ranges::any_of(findings.all(), [](const review::Finding& each) {
    return each.severity == review::Severity::error || each.severity == review::Severity::decision;
  });
  if (told) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F528";
  finding.span = source.line_span(1);
  finding.message =
      "Nothing in the script submits a job when it is run: sbatch stands in functions "
      "that it does not call, or in text.";
  finding.slurm_does = "Nothing runs.";
  finding.output_does =
      "No module is written. Convert the script that calls the functions, or what they submit.";
  findings.add(std::move(finding));
}

// Jobs that were loaded for a reading of the driver that was given up.
void drop_unused(ir::Workload& workload,
                 std::vector<std::pair<std::size_t, slurm::ReadOptions>>& wanted,
                 std::vector<Unit*>& units) {
  if (workload.driver->not_lifted && !workload.driver->plan) {
    return;
  }
  std::vector<std::size_t> place(workload.jobs.size(), workload.jobs.size());
  std::vector<std::pair<std::size_t, slurm::ReadOptions>> kept;
  std::vector<Unit*> kept_units;
  for (ir::Submission& submission : workload.driver->submissions) {
    std::size_t& at = place[submission.job];
    if (at == workload.jobs.size()) {
      at = kept.size();
      kept.emplace_back(at, wanted[submission.job].second);
      kept_units.push_back(units[submission.job]);
    }
    submission.job = at;
  }
  workload.jobs.resize(kept.size());
  wanted = std::move(kept);
  units = std::move(kept_units);
}

// The variables that a driver gives a job: with "@" the positional ones are all known, and of one
// with "*" behind it the value may be several words.
Given given_to(const ir::Workload& workload, std::size_t job) {
  Given given;
  std::set<std::string>& names = given.names;
  std::map<std::string, std::size_t> times;
  std::size_t submissions = 0;
  if (!workload.driver->plan && !workload.driver->not_lifted) {
    names.insert("@");
  }
  for (const ir::Submission& submission : workload.driver->submissions) {
    if (submission.job == job) {
      for (std::size_t i = 1; i <= submission.arguments.size(); ++i) {
        names.insert(fmt::format("{}", i));
        if (submission.arguments[i - 1].is_list()) {
          names.erase("@");
        }
      }
      for (const auto& [name, value] : submission.environment) {
        names.insert(name);
        ++times[name];
      }
      ++submissions;
      given.inherited.insert(submission.inherited.begin(), submission.inherited.end());
      given.unknown.insert(submission.unknown.begin(), submission.unknown.end());
      const auto index =
          static_cast<std::size_t>(&submission - workload.driver->submissions.data());
      for (const std::string& name : passes::several_words(*workload.driver, index)) {
        names.insert(name + "*");
      }
      given.secrets = submission.secrets;
    }
  }
  for (const auto& [name, count] : times) {
    if (count == submissions && !workload.driver->not_lifted) {
      given.always.insert(name);
    }
  }
  return given;
}

// The directories, below the driver's, that a job is submitted from.
std::set<std::string> directories_of(const ir::Workload& workload, std::size_t job) {
  std::set<std::string> found;
  for (const ir::Submission& submission : workload.driver->submissions) {
    if (submission.job == job) {
      found.insert(submission.directory);
    }
  }
  return found;
}

// Of one that does not start there in the module.
void stays_in_here(const ir::Job& job, const std::string& directory, review::Findings& findings,
                   const ir::Workload& workload, std::size_t index) {
  const auto first = std::ranges::find(workload.driver->submissions, index, &ir::Submission::job);
  review::Finding finding;
  finding.rule = "S2F602";
  finding.span = first->span;
  finding.message = fmt::format("{} is submitted from {}.", base_name(job.path), directory);
  finding.slurm_does = "The job starts there, and relative paths are meant from there.";
  finding.output_does = job.stays_on_slurm ? "It starts in SUBMIT_DIR."
                                           : "Commands run in HERE, the driver's own directory.";
  finding.choices = {"HERE is that directory", "HERE = Path(__file__).resolve().parents[...]"};
  finding.default_ = finding.choices[0];
  findings.add(std::move(finding));
}

// Its files from where it starts, as they lie below the driver's directory.
void start_in(ir::Job& job, const std::set<std::string>& directories, const std::string& base,
              const Files& files) {
  job.starts_in = *directories.begin();
  std::vector<std::string> include;
  for (const std::string& directory : directories) {
    for (const std::string& path : job.include) {
      const std::string from_driver = normal(directory + "/" + path);
      const bool there =
          files.is_file(base + from_driver) || files.is_directory(base + from_driver);
      if ((there || directories.size() == 1) && !from_driver.starts_with("..") &&
          std::ranges::find(include, from_driver) == include.end()) {
        include.push_back(from_driver);
      }
    }
  }
  job.include = std::move(include);
  if (directories.size() > 1) {
    ir::Parameter parameter;
    parameter.name = "directory";
    while (std::ranges::any_of(job.parameters,
                               [&](const auto& each) { return each.name == parameter.name; }) ||
           std::ranges::any_of(job.locals,
                               [&](const auto& each) { return each.second == parameter.name; })) {
      parameter.name += "_";
    }
    parameter.origin = ir::submit_directory;
    job.parameters.insert(job.parameters.begin(), std::move(parameter));
  }
}

// What has that job tried again, if a driver submits it in a chain.
std::optional<ir::Restart> chain_of(const ir::Workload& workload,
                                    const std::vector<passes::RestartChain>& chains,
                                    std::size_t job) {
  const auto found = std::ranges::find_if(chains, [&](const passes::RestartChain& chain) {
    return !chain.in_order && workload.driver->submissions[chain.first].job == job;
  });
  return found == chains.end() ? std::nullopt : std::optional(found->restart);
}

// Those whose program goes on from checkpoints become one run; whether there is any.
bool fold_chains(ir::Workload& workload, const std::vector<passes::RestartChain>& chains,
                 review::Findings& findings) {
  bool folded = false;
  for (auto chain = chains.rbegin(); chain != chains.rend(); ++chain) {
    const ir::Job& job = workload.jobs[workload.driver->submissions[chain->first].job];
    const bool tried_again = std::ranges::any_of(job.restarts, [](const ir::Restart& restart) {
      return restart.how == ir::Restart::How::chain;
    });
    if (job.resume && tried_again && !job.stays_on_slurm && !chain->in_order) {
      passes::fold_chain(workload, *chain);
      folded = true;
    } else {
      passes::say_chain(*chain, base_name(job.path), findings);
    }
  }
  return folded;
}

// An argument that not every submission of a driver which runs as it was gives: $N is nothing.
void may_be_absent(const ir::Workload& workload, std::size_t index, ir::Job& job) {
  for (ir::Parameter& parameter : job.parameters) {
    const bool absent =
        std::ranges::any_of(workload.driver->submissions, [&](const ir::Submission& submission) {
          return submission.job == index &&
                 static_cast<std::int32_t>(submission.arguments.size()) < parameter.position;
        });
    if (workload.driver->plan && absent && !parameter.default_ && !job.submits) {
      parameter.default_ = "";
    }
  }
}

// Where several drivers submit a script, each has an environment of its own for what it alone asks
// for: a deployment of all modules takes no name twice.
std::string environment_of(const std::string& driver, const std::string& job) {
  constexpr std::size_t longest = 57; // Flyte takes 63
  std::string name;
  for (const char c : driver) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 128 && std::isalnum(byte) != 0;
    name += plain ? static_cast<char>(std::tolower(byte)) : '-';
  }
  name.erase(0, name.find_first_not_of("-0123456789"));
  name = name.empty() ? job : name + "-" + job;
  name.resize(std::min(name.size(), longest));
  while (name.ends_with('-')) {
    name.pop_back();
  }
  return name;
}

// The parameters of a task whose script is not there: as many as it is given.
void name_arguments(const ir::Workload& workload, std::size_t index, ir::Job& job) {
  std::size_t most = 0;
  for (const ir::Submission& submission : workload.driver->submissions) {
    if (submission.job == index) {
      most = std::max(most, submission.arguments.size());
    }
  }
  for (std::size_t i = 1; i <= most; ++i) {
    ir::Parameter parameter;
    parameter.name = fmt::format("arg{}", i);
    parameter.origin = fmt::format("${}", i);
    parameter.position = static_cast<std::int32_t>(i);
    parameter.default_ = "";
    job.parameters.push_back(std::move(parameter));
  }
}

} // namespace

std::string Compiler::script_path(const Unit& driver, const std::string& script) const {
  const std::string directory = directory_of(driver.path);
  if (script.starts_with('/')) {
    return normal(directory + base_name(script));
  }
  std::string first;
  constexpr int highest = 3; // directories around it
  int level = 0;
  for (std::string from = directory;; ++level) {
    const std::string path = below(from, script);
    if (!path.empty() && files_.read(path)) {
      return path;
    }
    if (first.empty()) {
      first = path.empty() ? normal(directory + base_name(script)) : path;
    }
    if (from.empty() || from == "/" || level == highest || script.starts_with("..") ||
        script.find('/') == std::string::npos) {
      return first;
    }
    from.pop_back();
    from.erase(from.rfind('/') == std::string::npos ? 0 : from.rfind('/') + 1);
  }
}

// A job that submits others, too; false where it stays a job as any other.
bool Compiler::convert_driver(Unit& unit) {
  ir::Workload workload;
  workload.driver.emplace();
  ir::Driver& driver = *workload.driver;
  driver.source = unit.id;
  driver.path = unit.path;
  driver.stem = ir::stem_of(unit.path);
  driver.script = &unit.script;
  driver.interpreter = ir::read_interpreter(sources_[unit.id]);
  driver.body = ir::make_steps(unit.script);
  const bool is_job = unit.kind == slurm::Kind::both;
  if (is_job && !unit.shell) {
    return false;
  }
  const std::size_t known_scripts = order_.size();
  slurm::ReadOptions plain;
  plain.script_name = base_name(unit.path);
  plain.site_release = options_.slurm_release;
  const ir::Job shape = ir::make_job(sources_[unit.id], unit.script, plain);
  Pending& mine = pending(unit);
  open(unit, is_job ? &shape.header : nullptr, driver.body, mine);
  note_source(sources_[unit.id], nullptr, unit.kind, mine.findings);
  std::vector<std::string> members{unit.path};
  std::map<std::pair<std::string, std::vector<std::string>>, std::size_t> known;
  std::vector<std::pair<std::size_t, slurm::ReadOptions>> wanted;
  std::vector<Unit*> job_units;
  passes::DriverContext context{workload, sources_, mine.ledger, mine.findings, {}, {}, {},
                                {},       {},       {}};
  for (const analysis::SecretHit& hit : unit.secrets) {
    context.secrets.push_back(hit.value);
  }
  const auto add_job = [&](Unit* job_unit, const slurm::ReadOptions& read, const std::string& key) {
    workload.jobs.emplace_back();
    job_units.push_back(job_unit);
    wanted.emplace_back(workload.jobs.size() - 1, read);
    known[{key, read.arguments}] = workload.jobs.size() - 1;
    return workload.jobs.size() - 1;
  };
  context.load_text =
      [&](const std::string& text, source::Origin origin, const std::string& name,
          const slurm::ReadOptions& read) -> std::expected<std::size_t, std::string> {
    // A task runs such a script by its file, and there is none: the driver writes it.
    source::Sources scratch;
    const auto interpreter = ir::read_interpreter(scratch[scratch.add(name, text)]);
    if (!ir::is_shell(interpreter)) {
      return std::unexpected(fmt::format("a job script for {}", interpreter.path));
    }
    const std::string key = name + "\n" + text + (context.directory.empty() ? "" : "\n/");
    if (const auto same = known.find({key, read.arguments}); same != known.end()) {
      return same->second;
    }
    return add_job(written_unit(unit, text, std::move(origin)), read, key);
  };
  context.load_driver =
      [&](const std::string& text, source::Origin origin,
          const slurm::ReadOptions& read) -> std::expected<std::size_t, std::string> {
    Unit* own = written_unit(unit, text, std::move(origin));
    own->path = unit.path;
    own->driver = !context.follows;
    own->submitted = is_job;
    Pending scratch; // it may ask Slurm for more than to submit
    Pending outer;
    const ir::Job job = make_job(*own, read, scratch, &outer);
    if (job.stays_on_slurm) {
      return std::unexpected(job.stays_on_slurm->text);
    }
    if (job.array || job.cluster || refused(job.header)) {
      return std::unexpected(std::string("each of several processes submits"));
    }
    return add_job(own, read, text);
  };
  context.load = [&](const std::string& script,
                     const slurm::ReadOptions& read) -> std::expected<std::size_t, std::string> {
    const std::string path = script_path(unit, script);
    std::string key = path;
    if (const auto text = context.directory.empty() ? std::nullopt : text_at(path)) {
      key = "\n" + *text; // copies of it in several directories are one job
    }
    if (const auto same = known.find({key, read.arguments}); same != known.end()) {
      return same->second;
    }
    Unit* job_unit = this->read(path, false);
    if (job_unit == nullptr) {
      const std::size_t job = add_job(missing_unit(unit, script), read, key);
      context.missing.insert(job);
      return job;
    }
    if (job_unit->kind == slurm::Kind::driver || job_unit->kind == slurm::Kind::both) {
      return std::unexpected(fmt::format("{} submits jobs itself", script));
    }
    return add_job(job_unit, read, key);
  };
  context.beside = [&](const std::string& pattern) {
    return matching_beside(directory_of(unit.path), pattern);
  };
  context.is_job_script = [&](const std::string& script) {
    const std::string path = below(directory_of(unit.path), script);
    if (path.empty()) {
      return false;
    }
    const auto text = files_.read(path);
    return text && text->starts_with("#!") &&
           (text->find("\n#SBATCH") != std::string::npos || path.ends_with(".sh") ||
            path.ends_with(".slurm") || path.ends_with(".sbatch"));
  };
  context.job = is_job;
  passes::read_driver(context);
  // One that only has salloc run something is a job where that is not read.
  const bool as_before = !is_job && driver.not_lifted && !passes::submits(unit.script) &&
                         !passes::starts_later(unit.script);
  if ((is_job && !driver.plan && driver.not_lifted) || as_before) {
    pending_.erase(unit.path);
    report_sharing(unit);
    order_.resize(known_scripts);
    return false;
  }
  drop_unused(workload, wanted, job_units);
  passes::DriverOrder order = passes::order_of(driver);
  const std::vector<passes::RestartChain> chains = passes::restart_chains(workload);
  bool any_refused = false;
  std::vector<std::pair<const Unit*, review::Ledger>> written; // jobs in the driver's text
  std::set<std::string> functions{"main"};
  std::set<std::string> environments;
  for (auto& [index, read] : wanted) {
    Unit& job_unit = *job_units[index];
    const bool own = !job_unit.written && !job_unit.missing;
    const bool shared = own && is_shared(job_unit);
    const bool first =
        own && !shared && !reviewed_.contains(job_unit.path) && !accounted_.contains(job_unit.path);
    if (own) {
      accounted_.insert(job_unit.path);
    }
    Pending scratch;
    Pending& account = first ? pending(job_unit) : scratch;
    // Paths stand from the submit directory, which is the driver's.
    const bool beside = own && directory_of(job_unit.path) == directory_of(unit.path);
    Given given = given_to(workload, index);
    const std::set<std::string> directories = directories_of(workload, index);
    const bool elsewhere = !directories.empty() && directories != std::set<std::string>{""};
    if (elsewhere) {
      given.base = directory_of(unit.path) + *directories.begin() +
                   (directories.begin()->empty() ? "" : "/");
    }
    if (!shared) {
      given.chain = chain_of(workload, chains, index);
    }
    ir::Job job = make_job(job_unit, read, account, &mine,
                           beside || elsewhere ? passes::provided_to(workload, order, index)
                                               : passes::Provided(),
                           functions, std::move(given));
    if (job_unit.missing) {
      name_arguments(workload, index, job);
    }
    if (elsewhere) {
      if (job.stays_on_slurm || job.cluster || job.left || shared) {
        stays_in_here(job, *directories.begin(), mine.findings, workload, index);
      } else {
        start_in(job, directories, directory_of(unit.path), files_);
      }
    }
    may_be_absent(workload, index, job);
    // What is to be said of the driver's words belongs to the driver.
    for (review::Finding finding : account.findings.all()) {
      if (job_unit.written) {
        finding.span = sources_.to_file(finding.span);
      }
      if (finding.span.source == unit.id && finding.span.end != 0) {
        add_once(mine.findings, std::move(finding));
      }
    }
    settle_command_line(job, mine);
    const bool itself = job_unit.written && job_unit.path == unit.path;
    if (itself && is_job) {
      settle_alike(account, mine);
    }
    if (itself) {
      hand_comments(job_unit.script, account.ledger, sources_, mine.ledger);
    } else if (job_unit.written) {
      written.emplace_back(&job_unit, account.ledger);
    }
    if (const auto by = submitted_by_.find(job_unit.path);
        own && by != submitted_by_.end() && by->second.size() > 1) {
      job.environment_name = environment_of(driver.stem, job.environment_name);
    }
    make_unique(job, functions, environments);
    any_refused |= refused(job.header) && !options_.keep_going;
    workload.jobs[index] = std::move(job);
    if (first) {
      members.push_back(job_unit.path);
    }
  }
  name_the_plain_first(workload);
  for (std::size_t i = 0; i < mine.ledger.entries().size();
       ++i) { // options of a second submission of the same shape
    const auto id = static_cast<review::EntryId>(i);
    const bool whole = driver.not_lifted && std::ranges::any_of(driver.body, [&](const auto& step) {
                         return step.entry == id; // has its own words
                       });
    if (!whole && !mine.ledger[id].comment && mine.ledger[id].children.empty() &&
        !mine.ledger.settled(id)) {
      mine.ledger.settle(id, Disposition::converted, "as at the first submission");
    }
  }
  passes::settle_driver(context);
  if (fold_chains(workload, chains, mine.findings)) {
    order = passes::order_of(driver);
  }
  std::map<std::string, review::Findings> between; // of two jobs, by the path of one
  const auto findings_of = [&](const ir::Job& job) -> review::Findings& {
    return between[job.path];
  };
  passes::hand_on(workload, order, findings_of);
  for (const ir::Job& job : workload.jobs) {
    if (job.left) {
      pending_[job.path].given_on = job.left->spans;
    }
  }
  passes::driver_elements(workload, mine.findings);
  passes::name_lists_apart(workload);
  std::set<std::size_t> own_modules;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const Unit& job_unit = *job_units[i];
    if (!job_unit.written && !job_unit.missing && is_shared(job_unit)) {
      own_modules.insert(i);
    }
  }
  passes::driver_folders(workload, own_modules, context.cluster_patterns, mine.findings);
  passes::say_cluster_patterns(context);
  passes::driver_actions(workload, mine.findings);
  for (ir::Step& step : driver.body) {
    if (!driver.not_lifted && !mine.ledger.settled(step.entry)) {
      mine.ledger.settle(step.entry, Disposition::converted, "the statements of `main`");
    }
  }
  passes::sweep_driver(workload, mine.findings);
  passes::driver_comments(driver, mine.ledger, sources_[unit.id].text, unit.masked);
  passes::shared_files(workload, order, findings_of);
  for (const auto& [path, findings] : between) {
    for (review::Finding finding : findings.all()) {
      finding.span = sources_.to_file(finding.span);
      add_once(pending_[path].findings, std::move(finding));
    }
  }
  if (workload.jobs.empty() && !any_refused && !driver.not_lifted) {
    note_nothing_submitted(sources_[unit.id], mine.findings);
  }
  const bool emits = !workload.jobs.empty() && !any_refused;
  std::optional<emit::Output> output;
  std::string entry;
  std::string arguments;
  if (emits) {
    lower::LowerContext lowering{sources_, mine.findings};
    if (options_.module_file.first == unit.path) {
      lowering.file = options_.module_file.second;
    }
    driver.stem = module_stem(unit);
    for (std::size_t i = 0; i < workload.jobs.size() && !driver.not_lifted; ++i) {
      if (const Unit& job_unit = *job_units[i];
          !job_unit.written && !job_unit.missing && is_shared(job_unit)) {
        lowering.own_modules[i] = &shared_job(job_unit);
      }
    }
    flyte::Module module = lower::lower_driver(lowering, workload);
    entry = module.entry;
    arguments = module.entry_arguments;
    for (const auto& [job, of] : lowering.shared) {
      workload.jobs[job].function = workload.jobs[of].function;
    }
    for (const std::size_t job : lowering.imported) {
      workload.jobs[job].function = lowering.own_modules.at(job)->function;
      workload.jobs[job].module = lowering.own_modules.at(job)->module;
    }
    mine.graph = ir::job_graph(workload);
    add_triggers(unit, module, driver.parameters);
    output = write(module, mine, unit);
    if (output && scheduled_.contains(unit.path)) {
      outputs_[unit.path] = {*output, module_path(unit)};
    }
    // What the lowering found in a job's script belongs to that script.
    const std::vector<review::Finding> found = mine.findings.all();
    for (const review::Finding& finding : found) {
      for (const std::string& path : members) {
        if (finding.span.end != 0 && finding.span.source != unit.id &&
            sources_.to_file(finding.span).source == units_.at(path)->id) {
          pending_[path].findings.add(finding);
        }
      }
    }
  }
  const bool on_slurm = std::ranges::any_of(
      workload.jobs, [](const ir::Job& job) { return job.stays_on_slurm.has_value(); });
  for (auto& [job_unit, ledger] : written) {
    settle_comments(job_unit->script, sources_[job_unit->id].text, ledger,
                    output ? &*output : nullptr);
    hand_comments(job_unit->script, ledger, sources_, mine.ledger);
  }
  for (const std::string& path : members) {
    const bool is_driver = path == unit.path;
    std::string body;
    std::vector<ir::NumberRow> numbers;
    bool stays = false;
    for (const ir::Job& job : workload.jobs) {
      if (job.path != path) {
        continue;
      }
      body = body_kind(job);
      stays = job.stays_on_slurm.has_value();
      const auto rows = lower::numbers_of(job);
      numbers.insert(numbers.end(), rows.begin(), rows.end());
    }
    add_review(*units_.at(path), is_driver ? (driver.not_lifted ? "kept" : "lifted") : body, output,
               output ? module_path(unit) : "", entry, arguments, numbers,
               is_driver ? ((driver.not_lifted && !driver.plan) || !output) : !output,
               is_driver ? false : stays);
  }
  (void)on_slurm;
  if (output) {
    result_.modules.push_back({unit.path, module_path(unit), output->text});
  }
  return true;
}

// What became of a script's lines where its text is read with `submit` in it.
void Compiler::settle_alike(const Pending& from, Pending& to) const {
  for (const review::Entry& entry : from.ledger.entries()) {
    const auto same = entry.disposition == Disposition::open
                          ? std::nullopt
                          : to.ledger.find(sources_.to_file(entry.span));
    if (same && entry.rule != "S2F406" && !to.ledger.settled(*same)) {
      to.ledger.settle(*same, entry.disposition, entry.why, entry.rule);
    }
  }
}

} // namespace s2f::project
