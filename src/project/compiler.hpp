// The compiler's state: the scripts that were read, what was found of them, and the modules.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/secrets.hpp"
#include "emit/emit.hpp"
#include "flyte/program.hpp"
#include "ir/build.hpp"
#include "ir/schedule.hpp"
#include "ir/workload.hpp"
#include "passes/context.hpp"
#include "passes/driver.hpp"
#include "project/compile.hpp"
#include "project/signoff_files.hpp"
#include "project/site_files.hpp"
#include "project/started.hpp"
#include "review/graph.hpp"
#include "review/review.hpp"
#include "shell/tree.hpp"
#include "slurm/crontab.hpp"
#include "slurm/header.hpp"
#include "source/source.hpp"

namespace s2f::project {

// One script that was read.
struct Unit {
  source::SourceId id{};
  std::string path;
  shell::Script script;
  bool shell = true;
  slurm::Kind kind{};
  std::vector<ir::Restart> restarts; // taken out of the script
  std::vector<analysis::SecretHit> secrets;
  std::string masked;
  bool written = false;  // by a driver: its text stands there
  bool missing = false;  // nothing is known but its name
  bool driver = false;   // a driver, where it notes what it submits
  bool submitted = true; // itself; else what sbatch would say of it does not matter
  std::optional<slurm::Crontab> crontab = std::nullopt;
};

// A script that a line of a crontab starts.
struct Scheduled {
  ir::Schedule schedule;
  slurm::ReadOptions read; // of that line
  Unit* crontab = nullptr;
  review::EntryId time{}; // its entry there
};

// A command of scrontab's, which is a job itself; the line's entry is its `time`.
struct EntryJob {
  Unit* unit = nullptr;
  Scheduled scheduled;
  std::vector<slurm::OptionUse> uses; // of its #SCRON lines
};

// The account of a script while it is converted.
struct Pending {
  review::Ledger ledger;
  review::Findings findings;
  review::Shape shape;
  review::JobGraph graph;             // of a driver
  std::vector<source::Span> given_on; // words that name what another job gets
  std::string needs_flyte; // "2.5.0", or "" where every release that is supported will do
};

bool refused(const slurm::Header& header);

void add_once(review::Findings& findings, review::Finding finding);

void settle_command_line(const ir::Job& job, Pending& driver);

std::string body_kind(const ir::Job& job);

// Of the tasks and environments of one module.
void make_unique(ir::Job& job, std::set<std::string>& functions,
                 std::set<std::string>& environments);

// What a driver, or a line of a crontab, gives a job.
struct Given {
  std::set<std::string> names, inherited, always, unknown; // as in ir::Job
  std::map<std::string, ir::SecretWord> secrets;
  std::string base = {}; // where its relative paths are, "" for the script's own directory
  std::optional<ir::Restart> chain = std::nullopt; // its driver submits it again and again
};

// The variables that a trigger's task is given.
Given names_of(const ir::Schedule& schedule);

class Compiler {
public:
  Compiler(const CompileOptions& options, const Files& files);

  Compiled run(const std::vector<std::string>& scripts);

private:
  // Puts asterisks in place of every secret of the script.
  void hide(const Unit& unit, std::string& text) const;

  // The last guard: a module that holds a secret is not written. What a script of another
  // directory calls secret may be a word of this one, unless it is none that people write.
  bool holds_secret(const Unit& unit, const std::string& text, const Unit& owner) const;

  Unit* read(const std::string& path, bool asked);

  [[nodiscard]] std::optional<std::string> text_at(const std::string& path) const;
  // The names in a directory that a shell's pattern means; of `*/` the directories.
  [[nodiscard]] std::vector<std::string> matching_beside(const std::string& directory,
                                                         const std::string& pattern) const;

  Unit* add(const std::string& name, std::unique_ptr<Unit> unit);

  // Of a package: as deep and as many as a person would write.
  std::vector<std::string> files_below(const std::string& folder, const std::string& prefix,
                                       int depth) const;

  // The files around the script's submit directory.
  void set_files(passes::PassContext& context, const std::string& directory) const;

  // What is odd about the bytes, and a refusal by sbatch.
  void note_source(const source::Source& source, const slurm::Header* header, slurm::Kind kind,
                   review::Findings& findings) const;

  void open(const Unit& unit, const slurm::Header* header, std::vector<ir::Step>& steps,
            Pending& to);

  // A script in another language, or one with no shell to read it by: one task runs the file.
  void foreign_body(const Unit& unit, ir::Job& job, Pending& to);

  // Builds a job and runs its passes. `first`: the script's own account is kept; else it is thrown
  // away.
  ir::Job make_job(const Unit& unit, const slurm::ReadOptions& read, Pending& to,
                   Pending* driver = nullptr, passes::Provided provided = {},
                   std::set<std::string> taken = {}, Given given = {});

  void note_submissions(const Unit& unit);

  // Whether several drivers submit the script from where it stands: it has a module of its own.
  [[nodiscard]] bool is_shared(const Unit& unit) const;
  // The job that the script alone describes.
  const ir::Job& shared_job(const Unit& unit);
  // S2F361 and S2F362: who submits what.
  void report_sharing(const Unit& unit);

  // A job that submits others, too; false where it stays a job as any other.
  bool convert_driver(Unit& unit);

  // What became of a script's lines where its text is read with `submit` in it.
  void settle_alike(const Pending& from, Pending& to) const;

  // A script whose text stands in a driver.
  Unit* written_unit(const Unit& driver, const std::string& text, source::Origin origin);

  // Where a script lies that a driver names: from the driver's own directory, or from one around it
  // that the driver is started in.
  [[nodiscard]] std::string script_path(const Unit& driver, const std::string& script) const;

  // A script that a driver names and that is not there.
  Unit* missing_unit(const Unit& driver, const std::string& script);

  void convert_job(Unit& unit);

  // ---- crontabs ----------------------------------------------------------------------------
  // The script that a line names, by the longest end of its path that is there, beside the crontab
  // or in a directory around it.
  [[nodiscard]] std::optional<std::string> find_script(const Unit& crontab,
                                                       const Started& started) const;

  // What a crontab starts and when.
  void refused_lines(const Unit& unit);
  void read_schedules(Unit& unit);

  // One line; whether it became a schedule.
  bool read_schedule(Unit& unit, const slurm::CronEntry& entry, ir::Schedule schedule);

  // To scrontab a command is the job itself.
  void entry_job(Unit& unit, const slurm::CronEntry& entry, ir::Schedule schedule,
                 review::EntryId line);

  // The module of those jobs.
  void convert_entries(Unit& unit);

  void add_triggers(const Unit& unit, flyte::Module& module,
                    const std::vector<ir::Parameter>& parameters);

  void review_schedules(Unit& unit);

  // Two scripts of one stem in one directory get two modules.
  std::string module_path(const Unit& unit);

  std::string module_stem(const Unit& unit);

  void fit_to_release(flyte::Module& module, Pending& to) const;
  std::optional<emit::Output> write(flyte::Module& module, Pending& to, const Unit& owner);

  void add_review(const Unit& unit, std::string body, const std::optional<emit::Output>& output,
                  const std::string& module_file, const std::string& entry,
                  const std::string& arguments, const std::vector<ir::NumberRow>& numbers,
                  bool not_converted, bool on_slurm);

  // The clusters that the script names. Where the site file has answers for one of them, they hold.
  std::string settle_clusters(const Unit& unit, const slurm::Header& header,
                              review::Ledger& ledger);

  // `[rules]` of the site file: how grave a finding is here, and what is accepted everywhere.
  void apply_site_rules(const Unit& unit, review::Findings& findings);

  // Reviews in the order of the scripts given, those that a driver brought in behind it.
  void finish(const std::vector<std::string>& scripts);

  // Which limit a script went beyond, in a sentence; "" where it went beyond none.
  [[nodiscard]] std::string beyond_limits(const review::Input& input) const;
  void keep_limits();

  // The account of a script's lines; one for each source, however many jobs come from it.
  Pending& pending(const Unit& unit) { return pending_[unit.path]; }

  const CompileOptions& options_;
  const Files& files_;
  SiteFiles site_files_;
  std::map<std::string, std::string> clusters_; // that a script names, by its path
  SignOffFiles sign_offs_;
  Compiled result_;
  source::Sources sources_;
  std::map<std::string, std::unique_ptr<Unit>> units_;
  std::vector<std::string> order_;
  std::vector<const Unit*> with_secrets_;
  std::set<std::string> failed_, reviewed_, accounted_, unconverted_;
  std::map<std::string, std::set<std::string>> submitted_by_;
  std::map<std::string, ir::Job> shared_jobs_; // by the script's path
  std::map<std::string, Pending> pending_;
  std::map<std::string, std::vector<EntryJob>> entry_jobs_;             // by the crontab's path
  std::map<std::string, std::vector<Scheduled>> scheduled_;             // by the script's path
  std::map<std::string, std::pair<emit::Output, std::string>> outputs_; // of those; the module
  std::vector<review::Input> reviews_;
  std::map<std::string, double> spent_; // seconds, by the script's path
  std::map<std::string, std::string> module_paths_;
  std::set<std::string> taken_paths_;
};

} // namespace s2f::project
