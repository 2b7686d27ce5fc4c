// The whole compiler: reads scripts, builds the workload as a worklist, runs the passes, lowers,
// emits, reviews.
#include "project/compile.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/secrets.hpp"
#include "analysis/walk.hpp"
#include "emit/unread.hpp"
#include "generated/tables/interpreters.hpp"
#include "ir/build.hpp"
#include "ir/job_graph.hpp"
#include "ir/steps.hpp"
#include "lower/lower.hpp"
#include "passes/array_items.hpp"
#include "passes/driver.hpp"
#include "passes/launch_counts.hpp"
#include "passes/pipeline.hpp"
#include "project/nearest.hpp"
#include "project/remembered_files.hpp"
#include "project/signoff_files.hpp"
#include "project/started.hpp"
#include "shell/parse.hpp"
#include "slurm/crontab.hpp"

namespace s2f::project {

namespace {

using review::Disposition;

std::string base_name(std::string_view path) {
  return std::string(path.substr(path.find_last_of('/') + 1));
}

std::string normal(std::string path) {
  while (path.starts_with("./")) {
    path.erase(0, 2);
  }
  for (auto at = path.find("/./"); at != std::string::npos; at = path.find("/./")) {
    path.erase(at, 2);
  }
  return path;
}

// Where values should be, the text has marks of a template language.
bool has_placeholders(const source::Source& source) {
  for (std::uint32_t line = 1; line <= source.line_count(); ++line) {
    const std::string_view text = source.line(line);
    if (!text.starts_with("#SBATCH")) {
      continue;
    }
    for (const std::string_view mark : {"{{", "%(", "<%", "@@"}) {
      if (text.find(mark) != std::string_view::npos) {
        return true;
      }
    }
    const auto open = text.find('<');
    if (open != std::string_view::npos && open + 1 < text.size() &&
        std::isalpha(static_cast<unsigned char>(text[open + 1])) != 0 &&
        text.find('>', open) != std::string_view::npos) {
      return true;
    }
    const auto at = text.find('@');
    if (at != std::string_view::npos && (text[at - 1] == '=' || text[at - 1] == ' ') &&
        text.find('@', at + 2) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

// Lines of a heredoc are no directives of the script that it stands in.
bool has_directives(const source::Source& source, const shell::Script* script) {
  std::vector<source::Span> heredocs;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& statement) {
    for (const shell::Redirect& redirect : statement.redirects) {
      if (redirect.kind == shell::RedirectKind::heredoc) {
        heredocs.push_back(redirect.heredoc_body);
      }
    }
  };
  for (std::uint32_t line = 1; line <= source.line_count(); ++line) {
    if (!source.line(line).starts_with("#SBATCH")) {
      continue;
    }
    if (script != nullptr && heredocs.empty()) {
      for (const shell::Statement& statement : script->statements) {
        analysis::walk(statement, visitor);
      }
      if (heredocs.empty()) {
        return true;
      }
    }
    const source::Span span = source.line_span(line);
    if (std::ranges::none_of(heredocs,
                             [&](const source::Span& body) { return body.contains(span); })) {
      return true;
    }
  }
  return false;
}

slurm::Kind kind_of(const source::Source& source, const shell::Script* script) {
  const bool job = has_directives(source, script);
  const bool driver = script != nullptr && passes::submits(*script);
  if (job && has_placeholders(source)) {
    return slurm::Kind::template_;
  }
  if (job && driver) {
    return slurm::Kind::both;
  }
  if (driver) {
    return slurm::Kind::driver;
  }
  return job ? slurm::Kind::job : slurm::Kind::other;
}

std::string_view kind_name(slurm::Kind kind) {
  switch (kind) {
  case slurm::Kind::job:
    return "job";
  case slurm::Kind::driver:
    return "driver";
  case slurm::Kind::both:
    return "both";
  case slurm::Kind::template_:
    return "template";
  case slurm::Kind::other:
    break;
  }
  return "other";
}

// One script that was read.
struct Unit {
  source::SourceId id{};
  std::string path;
  shell::Script script;
  bool shell = true;
  slurm::Kind kind{};
  std::vector<analysis::SecretHit> secrets;
  std::string masked;
  bool written = false; // by a driver: its text stands there
  bool missing = false; // nothing is known but its name
  bool driver = false;  // a driver, where it notes what it submits
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

class Compiler {
public:
  Compiler(const CompileOptions& options, const Files& files)
      : options_(options), files_(files), site_files_(options.site, files),
        sign_offs_(options.sign_off, files) {
    result_.review.tool = "slurm2flyte " S2F_VERSION;
    result_.review.flyte = "2.12";
  }

  Compiled run(const std::vector<std::string>& scripts) {
    for (const std::string& path : scripts) {
      (void)read(normal(path), true);
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (Unit& unit = *units_.at(order_[i]); unit.crontab) {
        read_schedules(unit);
      }
    }
    // Who submits what decides in whose module a job stands.
    std::vector<Unit*> drivers;
    for (const std::string& path : order_) {
      Unit& unit = *units_.at(path);
      if (unit.kind == slurm::Kind::driver) {
        drivers.push_back(&unit);
      }
    }
    for (Unit* unit : drivers) {
      note_submissions(*unit);
    }
    for (Unit* unit : drivers) {
      (void)convert_driver(*unit);
    }
    // In the order given; a driver's jobs are done already.
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::string path = order_[i];
      Unit& unit = *units_.at(path);
      const bool done =
          reviewed_.contains(path) || unit.kind == slurm::Kind::driver || unit.crontab;
      if (!done && (unit.kind != slurm::Kind::both || !convert_driver(unit))) {
        convert_job(unit);
      }
    }
    for (const std::string& path : order_) {
      if (Unit& unit = *units_.at(path); unit.crontab) {
        review_schedules(unit);
      }
    }
    finish(scripts);
    // What they say is not known, so nothing stands.
    if (!site_files_.problems().empty() || !sign_offs_.problems().empty()) {
      result_ = {};
      result_.site_problems = site_files_.problems();
      result_.sign_off_problems = sign_offs_.problems();
    }
    return std::move(result_);
  }

private:
  // Puts asterisks in place of every secret of the script.
  void hide(const Unit& unit, std::string& text) const {
    for (const analysis::SecretHit& hit : unit.secrets) {
      const std::string_view value = analysis::secret_value(sources_[unit.id], hit);
      for (auto at = value.empty() ? std::string::npos : text.find(value); at != std::string::npos;
           at = text.find(value, at)) {
        text.replace(at, value.size(), "***");
      }
    }
  }

  // The last guard: a module that holds a secret is not written. What a script of another
  // directory calls secret may be a word of this one, unless it is none that people write.
  bool holds_secret(const Unit& unit, const std::string& text, const Unit& owner) const {
    const bool near = directory_of(unit.path) == directory_of(owner.path);
    return std::ranges::any_of(unit.secrets, [&](const analysis::SecretHit& hit) {
      const std::string_view value = analysis::secret_value(sources_[unit.id], hit);
      const bool word = value.find_first_of("0123456789") == std::string_view::npos;
      return value.size() >= 8 && (near || !word) && text.find(value) != std::string::npos;
    });
  }

  Unit* read(const std::string& path, bool asked) {
    if (const auto known = units_.find(path); known != units_.end()) {
      return known->second.get();
    }
    if (failed_.contains(path)) {
      return nullptr;
    }
    const auto fail = [&](std::string message) -> Unit* {
      failed_.insert(path);
      if (asked) {
        result_.failures.push_back({path, std::move(message)});
      }
      return nullptr;
    };
    const auto bytes = files_.read(path);
    if (!bytes) {
      return fail(bytes.error().message);
    }
    if (bytes->empty()) {
      return fail(fmt::format("{} is empty: there is no job in it.", path));
    }
    auto unit = std::make_unique<Unit>();
    unit->id = sources_.add(path, *bytes);
    unit->path = path;
    const source::Source& source = sources_[unit->id];
    if (source.quirks.nul) {
      return fail(fmt::format("{} is a binary file (it has NUL bytes), not a job script.", path));
    }
    if (source.text.find_first_not_of(" \t\r\n") == std::string::npos) {
      return fail(fmt::format("{} holds nothing but blanks: there is no job in it.", path));
    }
    unit->shell = ir::is_shell(ir::read_interpreter(source));
    unit->script.source = unit->id;
    if (unit->shell) {
      unit->script = shell::parse(source);
    }
    unit->crontab = slurm::read_crontab(source);
    unit->kind =
        unit->crontab ? slurm::Kind::other : kind_of(source, unit->shell ? &unit->script : nullptr);
    unit->secrets = analysis::find_secrets(source, unit->script);
    unit->masked = analysis::masked(source, unit->secrets);
    order_.push_back(path);
    return add(path, std::move(unit));
  }

  Unit* add(const std::string& name, std::unique_ptr<Unit> unit) {
    if (!unit->secrets.empty()) {
      with_secrets_.push_back(unit.get());
    }
    return units_.emplace(name, std::move(unit)).first->second.get();
  }

  // Of a package: as deep and as many as a person would write.
  std::vector<std::string> files_below(const std::string& folder, const std::string& prefix,
                                       int depth) const {
    constexpr int deepest = 6;
    constexpr std::size_t most = 400;
    std::vector<std::string> found;
    if (depth > deepest) {
      return found;
    }
    for (const std::string& name : files_.list(folder)) {
      const std::string path = folder + "/" + name;
      if (files_.is_file(path)) {
        found.push_back(prefix + name);
      } else if (!name.starts_with('.') && files_.is_directory(path)) {
        const auto below = files_below(path, prefix + name + "/", depth + 1);
        found.insert(found.end(), below.begin(), below.end());
      }
      if (found.size() > most) {
        break;
      }
    }
    return found;
  }

  // The files around the script's submit directory.
  void set_files(passes::PassContext& context, const std::string& directory) const {
    context.file_exists = [this, directory](const std::string& path) {
      return files_.is_file(directory + path) || files_.is_directory(directory + path);
    };
    context.list_files = [this, directory](const std::string& path) {
      return files_below(directory + path, "", 0);
    };
    context.read_file = [this, directory](const std::string& path) -> std::optional<std::string> {
      if (path.starts_with('/') || path.find("..") != std::string::npos ||
          !files_.is_file(directory + path)) {
        return std::nullopt;
      }
      auto text = files_.read(directory + path);
      return text ? std::optional(std::move(*text)) : std::nullopt;
    };
  }

  // What is odd about the bytes, and a refusal by sbatch.
  void note_source(const source::Source& source, const slurm::Header* header, slurm::Kind kind,
                   review::Findings& findings) const {
    const source::Span first = source.line_span(1);
    if (source.quirks.bom || source.quirks.invalid_utf8) {
      review::Finding finding;
      finding.rule = "S2F105";
      finding.span = first;
      finding.message = source.quirks.bom
                            ? "The file begins with a byte order mark."
                            : "The file is not UTF-8; its bytes were read as Latin-1.";
      finding.slurm_does = source.quirks.bom
                               ? "It refuses the script: its first line does not begin with #!."
                               : "It takes any bytes.";
      finding.output_does = "The module is UTF-8.";
      findings.add(std::move(finding));
    }
    if (kind == slurm::Kind::template_) {
      review::Finding finding;
      finding.rule = "S2F106";
      finding.span = first;
      finding.message = "Directives hold the marks of a template where values should be.";
      finding.slurm_does = "It would take the marks as values, or refuse them.";
      finding.output_does =
          "It reads the text as it stands; convert what the template makes instead.";
      findings.add(std::move(finding));
    }
    if (header == nullptr) {
      return;
    }
    for (const slurm::Rejection& rejection : header->rejections) {
      review::Finding finding;
      finding.rule = "S2F110";
      finding.span = rejection.span.end != 0 ? rejection.span : first;
      finding.message = fmt::format("sbatch refuses this script: {}", rejection.message);
      finding.slurm_does = rejection.by_controller
                               ? "The controller refuses the job."
                               : "sbatch refuses the script, so this job cannot have run.";
      finding.output_does = options_.keep_going
                                ? "It was converted all the same."
                                : "Nothing was converted; --keep-going converts what can be read.";
      findings.add(std::move(finding));
    }
    for (const slurm::Warning& warning : header->warnings) {
      review::Finding finding;
      finding.rule = "S2F112";
      finding.span = warning.span.end != 0 ? warning.span : first;
      finding.message = warning.message;
      if (!warning.instead.empty()) {
        finding.fix = review::Fix{"write " + warning.instead, warning.instead};
      }
      findings.add(std::move(finding));
    }
  }

  struct Pending {
    review::Ledger ledger;
    review::Findings findings;
    review::Shape shape;
    review::JobGraph graph; // of a driver
  };

  // The account of a script's lines; one for each source, however many jobs come from it.
  Pending& pending(const Unit& unit) { return pending_[unit.path]; }

  static bool refused(const slurm::Header& header) {
    return std::ranges::any_of(header.rejections, [](const auto&) { return true; });
  }

  void open(const Unit& unit, const slurm::Header* header, std::vector<ir::Step>& steps,
            Pending& to) {
    ir::open_entries(sources_[unit.id], unit.script, header, steps, to.ledger, to.findings,
                     unit.masked);
  }

  // A script in another language, or one with no shell to read it by: one task runs the file.
  void foreign_body(const Unit& unit, ir::Job& job, Pending& to) {
    const source::Source& source = sources_[unit.id];
    const std::uint32_t from =
        std::min(std::max<std::uint32_t>(job.header.end_line, 1), source.line_count());
    const source::Span body{unit.id, source.line_span(from).begin,
                            static_cast<std::uint32_t>(source.text.size())};
    std::set<std::uint32_t> taken;
    for (const auto& line : job.header.lines) {
      taken.insert(line.line);
    }
    for (const auto& line : job.header.inert) {
      taken.insert(line.line);
    }
    taken.insert(1);
    for (std::uint32_t line = 1; line < from; ++line) {
      const std::string_view text = source.line(line);
      if (taken.contains(line) || text.find_first_not_of(" \t") == std::string_view::npos) {
        continue;
      }
      to.ledger.settle(to.ledger.open(source.line_span(line), std::string(text)),
                       Disposition::comment, "a comment");
    }
    const auto word = slurm_word(source.text.substr(body.begin));
    const auto entry = to.ledger.open(body, fmt::format("lines {}-{}", from, source.line_count()));
    review::Finding finding;
    finding.rule = "S2F104";
    finding.span = source.line_span(1);
    finding.message =
        fmt::format("The script is not Bash: its interpreter is {}.", job.interpreter.path);
    finding.slurm_does =
        "It reads the header all the same and runs the file under that interpreter.";
    if (word) {
      finding.output_does = fmt::format(
          "Nothing could be converted: the body calls {}, which a container does not have.", *word);
      const auto id = to.findings.add(std::move(finding));
      to.ledger.settle(entry, Disposition::kept, "stays in the script, which was not converted",
                       "S2F104", id);
      unconverted_.insert(unit.path);
      return;
    }
    finding.output_does = "One task runs the file under its interpreter; the image must have it.";
    const auto id = to.findings.add(std::move(finding));
    to.ledger.settle(entry, Disposition::kept, "one task runs the file under its interpreter",
                     "S2F104", id);
    ir::Launch launch;
    const std::string name = base_name(job.interpreter.path);
    launch.words.push_back(ir::Value::of(
        job.interpreter.language == ir::Interpreter::Language::python ? "python" : name));
    for (const std::string& argument : job.interpreter.arguments) {
      launch.words.push_back(ir::Value::of(argument));
    }
    launch.words.push_back(ir::Value::of(base_name(unit.path)));
    if (job.interpreter.language == ir::Interpreter::Language::python) {
      launch.payload = launch.words.size() - 1;
    }
    if (reads_arguments(source.text)) {
      ir::Parameter all;
      all.name = "arguments";
      all.type = ir::Type::text_list;
      all.origin = "$@";
      all.span = source.line_span(1);
      ir::Value each;
      each.append(ir::ParameterRef{all.name});
      launch.words.push_back(std::move(each));
      job.parameters.push_back(std::move(all));
    }
    ir::Step step;
    step.value = std::move(launch);
    step.span = body;
    step.entry = entry;
    job.body.push_back(std::move(step));
    job.include.push_back(base_name(unit.path));
    for (const auto& row : tables::interpreters) {
      if (row.name == name && !row.apt.empty()) {
        ir::Sourced<std::string> package;
        package.value = std::string(row.apt);
        package.spans = {source.line_span(1)};
        job.environment.apt.push_back(std::move(package));
      }
    }
  }

  // Whether a script in another language looks at what it was called with.
  static bool reads_arguments(std::string_view text) {
    static constexpr std::array marks{"argv",  "argparse",    "@ARGV", "ARGV",     "import click",
                                      "typer", "commandArgs", "ARGS",  "absl.app", "import fire"};
    return std::ranges::any_of(
        marks, [&](const char* mark) { return text.find(mark) != std::string_view::npos; });
  }

  static std::optional<std::string> slurm_word(const std::string& text) {
    for (const char* word : {"srun", "sbatch", "scontrol", "squeue", "scancel", "mpirun", "mpiexec",
                             "module load", "module purge", "module add"}) {
      const std::string_view needle = word;
      for (auto at = text.find(needle); at != std::string::npos; at = text.find(needle, at + 1)) {
        const auto boundary = [&](std::size_t i) {
          return i >= text.size() ||
                 (std::isalnum(static_cast<unsigned char>(text[i])) == 0 && text[i] != '_');
        };
        const auto line = text.rfind('\n', at);
        const bool comment = text.find('#', line == std::string::npos ? 0 : line) < at;
        if ((at == 0 || boundary(at - 1)) && boundary(at + needle.size()) && !comment) {
          return std::string(needle);
        }
      }
    }
    return std::nullopt;
  }

  // Builds a job and runs its passes. `first`: the script's own account is kept; else it is thrown
  // away.
  ir::Job make_job(const Unit& unit, const slurm::ReadOptions& read, Pending& to,
                   Pending* driver = nullptr, std::set<std::string> provided = {},
                   std::set<std::string> taken = {}, std::set<std::string> given = {}) {
    const source::Source& source = sources_[unit.id];
    ir::Job job = ir::make_job(source, unit.script, read, unit.masked);
    job.given = std::move(given);
    job.missing = unit.missing;
    job.submits = unit.driver;
    if (unit.driver) {
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
                                .provided = std::move(provided),
                                .taken = std::move(taken)};
    set_files(context, directory_of(unit.path));
    if (!unit.shell) {
      foreign_body(unit, job, to);
    }
    if (refused(job.header) && !options_.keep_going) {
      settle_refused(job, to);
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

  static void settle_refused(const ir::Job& job, Pending& to) {
    for (std::size_t i = 0; i < to.ledger.entries().size(); ++i) {
      const auto id = static_cast<review::EntryId>(i);
      if (to.ledger[id].children.empty() && !to.ledger.settled(id)) {
        to.ledger.settle(id, Disposition::kept, "nothing was converted: sbatch refuses the script",
                         "S2F110");
      }
    }
    (void)job;
  }

  // A directive line whose options are all accounted for is settled by them; one that Slurm refused
  // has none.
  static void settle_headless(const ir::Job& job, Pending& to) {
    for (const slurm::DirectiveLine& line : job.header.lines) {
      const auto entry = to.ledger.find(line.span);
      if (entry && to.ledger[*entry].children.empty() && !to.ledger.settled(*entry)) {
        to.ledger.settle(*entry, Disposition::inert, "sbatch refuses this line", "S2F110");
      }
    }
  }

  void note_submissions(const Unit& unit) {
    for (const shell::Statement& statement : unit.script.statements) {
      analysis::Visitor visitor;
      visitor.statement = [&](const shell::Statement& inner) {
        const auto* command = shell::as_simple(inner);
        if (command == nullptr || command->words.empty() ||
            command->words[0].literal() != "sbatch") {
          return;
        }
        for (std::size_t i = 1; i < command->words.size(); ++i) {
          const auto word = command->words[i].literal();
          if (word && !word->starts_with('-')) {
            submitted_by_[normal(directory_of(unit.path) + *word)].insert(unit.path);
          }
        }
      };
      analysis::walk(statement, visitor);
    }
  }

  // A job that submits others, too; false where it stays a job as any other.
  bool convert_driver(Unit& unit) {
    ir::Workload workload;
    workload.driver.emplace();
    ir::Driver& driver = *workload.driver;
    driver.source = unit.id;
    driver.path = unit.path;
    driver.stem = ir::stem_of(unit.path);
    driver.script = &unit.script;
    driver.interpreter = ir::read_interpreter(sources_[unit.id]);
    driver.body = ir::make_steps(unit.script, unit.masked, 0);
    const bool is_job = unit.kind == slurm::Kind::both;
    if (is_job && !unit.shell) {
      return false;
    }
    const std::size_t known_scripts = order_.size();
    slurm::ReadOptions plain;
    plain.script_name = base_name(unit.path);
    const ir::Job shape = ir::make_job(sources_[unit.id], unit.script, plain, unit.masked);
    Pending& mine = pending(unit);
    open(unit, is_job ? &shape.header : nullptr, driver.body, mine);
    note_source(sources_[unit.id], nullptr, unit.kind, mine.findings);
    std::vector<std::string> members{unit.path};
    std::map<std::pair<std::string, std::vector<std::string>>, std::size_t> known;
    std::vector<std::pair<std::size_t, slurm::ReadOptions>> wanted;
    std::vector<Unit*> job_units;
    passes::DriverContext context{workload, sources_, mine.ledger, mine.findings, {}, {},
                                  {},       {},       {}};
    for (const analysis::SecretHit& hit : unit.secrets) {
      context.secrets.push_back(hit.value);
    }
    const auto add_job = [&](Unit* job_unit, const slurm::ReadOptions& read,
                             const std::string& key) {
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
      const std::string key = name + "\n" + text;
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
      own->driver = true;
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
      const bool outside = script.starts_with('/') || script.find("..") != std::string::npos;
      const std::string path =
          normal(directory_of(unit.path) + (outside ? base_name(script) : script));
      if (const auto same = known.find({path, read.arguments}); same != known.end()) {
        return same->second;
      }
      Unit* job_unit = this->read(path, false);
      if (job_unit == nullptr) {
        const std::size_t job = add_job(missing_unit(unit, script), read, path);
        context.missing.insert(job);
        return job;
      }
      if (job_unit->kind == slurm::Kind::driver || job_unit->kind == slurm::Kind::both) {
        return std::unexpected(fmt::format("{} submits jobs itself", script));
      }
      return add_job(job_unit, read, path);
    };
    context.job = is_job;
    passes::read_driver(context);
    if (is_job && !driver.plan) {
      pending_.erase(unit.path);
      order_.resize(known_scripts);
      return false;
    }
    drop_unused(workload, wanted, job_units);
    bool any_refused = false;
    std::set<std::string> functions{"main"};
    std::set<std::string> environments;
    for (auto& [index, read] : wanted) {
      Unit& job_unit = *job_units[index];
      const bool own = !job_unit.written && !job_unit.missing;
      const bool first =
          own && !reviewed_.contains(job_unit.path) && !accounted_.contains(job_unit.path);
      if (own) {
        accounted_.insert(job_unit.path);
      }
      Pending scratch;
      Pending& account = first ? pending(job_unit) : scratch;
      // Paths stand from the submit directory, which is the driver's.
      const bool beside = own && directory_of(job_unit.path) == directory_of(unit.path);
      ir::Job job =
          make_job(job_unit, read, account, &mine,
                   beside ? passes::provided_to(workload, index) : std::set<std::string>(),
                   functions, given_to(workload, index));
      if (job_unit.missing) {
        name_arguments(workload, index, job);
      }
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
      if (job_unit.driver && is_job) {
        settle_alike(account, mine);
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
      const bool whole =
          driver.not_lifted && std::ranges::any_of(driver.body, [&](const auto& step) {
            return step.entry == id; // has its own words
          });
      if (!whole && mine.ledger[id].children.empty() && !mine.ledger.settled(id)) {
        mine.ledger.settle(id, Disposition::converted, "as at the first submission");
      }
    }
    passes::settle_driver(context);
    passes::hand_on(workload);
    passes::name_lists_apart(workload);
    passes::driver_actions(workload, mine.findings);
    for (ir::Step& step : driver.body) {
      if (!driver.not_lifted && !mine.ledger.settled(step.entry)) {
        mine.ledger.settle(step.entry, Disposition::converted, "the statements of `main`");
      }
    }
    passes::sweep_driver(workload);
    passes::shared_files(workload, [this](const ir::Job& job) -> review::Findings& {
      return pending_[job.path].findings;
    });
    const bool emits = !workload.jobs.empty() && !any_refused;
    std::optional<emit::Output> output;
    std::string entry;
    std::string arguments;
    if (emits) {
      lower::LowerContext lowering{sources_, mine.findings};
      driver.stem = module_stem(unit);
      flyte::Module module = lower::lower_driver(lowering, workload);
      entry = module.entry;
      arguments = module.entry_arguments;
      for (const auto& [job, of] : lowering.shared) {
        workload.jobs[job].function = workload.jobs[of].function;
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
      add_review(*units_.at(path), is_driver ? (driver.not_lifted ? "kept" : "lifted") : body,
                 output, output ? module_path(unit) : "", entry, arguments, numbers,
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
  void settle_alike(const Pending& from, Pending& to) const {
    for (const review::Entry& entry : from.ledger.entries()) {
      const auto same = entry.disposition == Disposition::open
                            ? std::nullopt
                            : to.ledger.find(sources_.to_file(entry.span));
      if (same && entry.rule != "S2F406" && !to.ledger.settled(*same)) {
        to.ledger.settle(*same, entry.disposition, entry.why, entry.rule);
      }
    }
  }

  // A script whose text stands in a driver.
  Unit* written_unit(const Unit& driver, const std::string& text, source::Origin origin) {
    auto unit = std::make_unique<Unit>();
    unit->id = sources_.add_virtual(text, std::move(origin));
    const source::Source& source = sources_[unit->id];
    unit->path = source.path;
    unit->written = true;
    unit->shell = ir::is_shell(ir::read_interpreter(source));
    unit->script.source = unit->id;
    if (unit->shell) {
      unit->script = shell::parse(source);
    }
    unit->kind = slurm::Kind::job;
    unit->secrets = analysis::find_secrets(source, unit->script);
    unit->masked = analysis::masked(source, unit->secrets);
    return add(fmt::format("{}\n{}", driver.path, units_.size()), std::move(unit));
  }

  // A script that a driver names and that is not there.
  Unit* missing_unit(const Unit& driver, const std::string& script) {
    auto unit = std::make_unique<Unit>();
    unit->id = sources_.add(script, "#!/bin/bash\n");
    unit->path = script;
    unit->script.source = unit->id;
    unit->kind = slurm::Kind::job;
    unit->masked = sources_[unit->id].text;
    unit->missing = true;
    review::Finding finding;
    finding.rule = "S2F323";
    finding.span = sources_[driver.id].line_span(1);
    finding.message = fmt::format("The driver submits {}, which was not found.", script);
    finding.slurm_does = "It runs the script.";
    finding.output_does = "The task stands there with the options of the command line; it fails "
                          "with a message until it is written.";
    finding.choices = {"put the script beside the driver and convert again", "write the task"};
    finding.default_ = finding.choices[0];
    add_once(pending(driver).findings, std::move(finding));
    return add(fmt::format("{}\n{}", driver.path, units_.size()), std::move(unit));
  }

  static void add_once(review::Findings& findings, review::Finding finding) {
    const bool known = std::ranges::any_of(findings.all(), [&](const review::Finding& each) {
      return each.rule == finding.rule && each.span == finding.span &&
             each.message == finding.message;
    });
    if (!known) {
      findings.add(std::move(finding));
    }
  }

  // Of the jobs of one script, the one without options on the command line gets the plain name.
  static void name_the_plain_first(ir::Workload& workload) {
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

  // Jobs that were loaded for a reading of the driver that was given up.
  static void drop_unused(ir::Workload& workload,
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

  // The variables that a driver gives a job: with "@" the positional ones are all known.
  static std::set<std::string> given_to(const ir::Workload& workload, std::size_t job) {
    std::set<std::string> names;
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
        }
      }
    }
    return names;
  }

  // The parameters of a task whose script is not there: as many as it is given.
  static void name_arguments(const ir::Workload& workload, std::size_t index, ir::Job& job) {
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

  static void settle_command_line(const ir::Job& job, Pending& driver) {
    for (const slurm::OptionUse& use : job.header.uses) {
      if (use.origin != slurm::Origin::command_line) {
        continue;
      }
      const auto entry = driver.ledger.find(use.span);
      if (entry && !driver.ledger.settled(*entry)) {
        driver.ledger.settle(*entry, Disposition::converted,
                             fmt::format("counted into {}'s task", base_name(job.path)));
      }
    }
  }

  static std::string body_kind(const ir::Job& job) {
    if (job.stays_on_slurm) {
      return "on_slurm";
    }
    if (job.kept.empty()) {
      return "lifted";
    }
    const bool launches = ir::any_step(job.body, [](const ir::Step& s) {
      return std::holds_alternative<ir::Launch>(s.value) && !s.in_region;
    });
    return launches ? "mixed" : "kept";
  }

  void convert_job(Unit& unit) {
    slurm::ReadOptions read;
    read.script_name = base_name(unit.path);
    Pending& mine = pending(unit);
    const auto scheduled = scheduled_.find(unit.path);
    Pending* crontab = nullptr;
    if (scheduled != scheduled_.end()) {
      const Scheduled& first = scheduled->second.front();
      read.arguments = first.read.arguments;
      read.argument_spans = first.read.argument_spans;
      crontab = &pending(*first.crontab);
    }
    ir::Job job = crontab == nullptr ? make_job(unit, read, mine)
                                     : make_job(unit, read, mine, crontab, {}, {},
                                                names_of(scheduled->second.front().schedule));
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

  // ---- crontabs ----------------------------------------------------------------------------

  // The script that a line names, by the longest end of its path that is there, beside the crontab
  // or in a directory around it.
  [[nodiscard]] std::optional<std::string> find_script(const Unit& crontab,
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

  // What a crontab starts and when.
  void read_schedules(Unit& unit) {
    Pending& mine = pending(unit);
    const auto text = [&](const source::Span& span) {
      return unit.masked.substr(span.begin, span.size());
    };
    for (const source::Span& span : unit.crontab->comments) {
      mine.ledger.settle(mine.ledger.open(span, text(span)), Disposition::comment, "a comment");
    }
    ir::Schedule common;
    if (const auto answer = site_files_.answers(unit.path).text("schedule", "", "timezone")) {
      common.zone = answer->value;
      common.zone_from = answer->place;
    }
    for (const slurm::CronVariable& each : unit.crontab->variables) {
      const auto entry = mine.ledger.open(each.span, text(each.span));
      if (each.name == "CRON_TZ" || each.name == "TZ") {
        common.zone = each.value;
        common.zone_from = fmt::format("{}:{}", base_name(unit.path), each.line);
        mine.ledger.settle(entry, Disposition::converted, "the time zone of the triggers");
      } else if (cron_itself(each.name)) {
        mine.ledger.settle(entry, Disposition::dropped, "cron's own: Flyte starts no shell");
      } else {
        common.environment[each.name] = each.value;
        mine.ledger.settle(entry, Disposition::converted, "what a task that reads it is given");
      }
    }
    bool cron = false;
    for (const slurm::CronEntry& each : unit.crontab->entries) {
      ir::Schedule schedule = common;
      schedule.cron = each.cron;
      schedule.where = fmt::format("{}:{}", base_name(unit.path), each.line);
      schedule.span = each.span;
      cron |= read_schedule(unit, each, std::move(schedule));
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
    if (cron && common.zone_from.empty()) {
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

  static bool cron_itself(std::string_view name) {
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

  // One line; whether it became a schedule.
  bool read_schedule(Unit& unit, const slurm::CronEntry& entry, ir::Schedule schedule) {
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
    const auto started = started_by(sources_, entry.text, {entry.command, entry.runs});
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
    for (const source::Span& span : started->unknown) {
      not_given(mine, span, "only cron's shell knows what stands there",
                "The trigger gives an empty text, or leaves the option out.");
    }
    schedule.arguments = started->arguments;
    for (const auto& [name, value] : started->environment) {
      schedule.environment[name] = value;
    }
    Scheduled scheduled{
        std::move(schedule), {}, &unit, mine.ledger.open(entry.time, text(entry.time), line)};
    scheduled.read.arguments = started->options;
    scheduled.read.argument_spans = started->option_spans;
    const auto command = mine.ledger.open(entry.command, text(entry.command), line);
    auto& all = scheduled_[*path];
    const bool same = all.empty() || all.front().read.arguments == started->options;
    const bool options =
        !started->options.empty() && script->kind == slurm::Kind::job && all.empty();
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
  void entry_job(Unit& unit, const slurm::CronEntry& entry, ir::Schedule schedule,
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
    job.uses =
        ir::make_job(sources_[job.unit->id], job.unit->script, job.scheduled.read, job.unit->masked)
            .header.uses;
    entry_jobs_[unit.path].push_back(std::move(job));
  }

  // The module of those jobs.
  void convert_entries(Unit& unit) {
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

  // The variables that a trigger's task is given.
  static std::set<std::string> names_of(const ir::Schedule& schedule) {
    std::set<std::string> names;
    for (const auto& [name, value] : schedule.environment) {
      names.insert(name);
    }
    return names;
  }

  // Of the tasks and environments of one module.
  static void make_unique(ir::Job& job, std::set<std::string>& functions,
                          std::set<std::string>& environments) {
    const std::string function = job.function;
    for (int n = 2; !functions.insert(job.function).second; ++n) {
      job.function = fmt::format("{}_{}", function, n);
    }
    constexpr std::size_t longest = 57; // Flyte takes 63
    const std::string environment = job.environment_name;
    for (int n = 2; !environments.insert(job.environment_name).second; ++n) {
      job.environment_name = fmt::format("{}-{}", environment.substr(0, longest), n);
    }
  }

  static void not_given(Pending& to, const source::Span& span, std::string message,
                        std::string output) {
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

  void add_triggers(const Unit& unit, flyte::Module& module,
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

  void review_schedules(Unit& unit) {
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
          mine.ledger.settle(each.time, Disposition::kept,
                             fmt::format("{} was not converted", path));
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

  // Two scripts of one stem in one directory get two modules.
  std::string module_path(const Unit& unit) {
    if (const auto known = module_paths_.find(unit.path); known != module_paths_.end()) {
      return known->second;
    }
    const std::string directory = directory_of(unit.path);
    std::string path = directory + ir::stem_of(unit.path) + "_flyte.py";
    if (taken_paths_.contains(path)) {
      std::string stem;
      for (const char c : base_name(unit.path)) {
        stem +=
            std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128
                ? c
                : '_';
      }
      path = directory + stem + "_flyte.py";
      for (int n = 2; taken_paths_.contains(path); ++n) {
        path = fmt::format("{}{}_{}_flyte.py", directory, stem, n);
      }
    }
    taken_paths_.insert(path);
    return module_paths_[unit.path] = path;
  }

  std::string module_stem(const Unit& unit) {
    const std::string file = base_name(module_path(unit));
    return file.substr(0, file.size() - std::string_view("_flyte.py").size());
  }

  std::optional<emit::Output> write(flyte::Module& module, Pending& to, const Unit& owner) {
    emit::drop_unread(module);
    for (const std::string& problem : flyte::check(module)) {
      review::Finding finding;
      finding.rule = "S2F901";
      finding.message = fmt::format("The module breaks a rule of Flyte's: {}.", problem);
      to.findings.add(std::move(finding));
    }
    auto output = emit::emit(module, options_.templates);
    if (!output) {
      review::Finding finding;
      finding.rule = "S2F901";
      finding.message = fmt::format("The module could not be written: {}", output.error());
      to.findings.add(std::move(finding));
      return std::nullopt;
    }
    for (const Unit* unit : with_secrets_) {
      if (holds_secret(*unit, output->text, owner)) {
        review::Finding finding;
        finding.rule = "S2F901";
        finding.message =
            fmt::format("The module would hold a secret of {}; it was not written.", unit->path);
        to.findings.add(std::move(finding));
        return std::nullopt;
      }
    }
    return std::move(*output);
  }

  void add_review(const Unit& unit, std::string body, const std::optional<emit::Output>& output,
                  const std::string& module_file, const std::string& entry,
                  const std::string& arguments, const std::vector<ir::NumberRow>& numbers,
                  bool not_converted, bool on_slurm) {
    reviewed_.insert(unit.path);
    Pending& mine = pending(unit);
    const source::Source& source = sources_[unit.id];
    const auto open = mine.ledger.still_open();
    for (const auto id : open) {
      review::Finding finding;
      finding.rule = "S2F900";
      finding.span = mine.ledger[id].span;
      finding.message = fmt::format("Nothing accounted for: {}", mine.ledger[id].text);
      mine.findings.add(std::move(finding));
    }
    for (const auto id : mine.ledger.double_settled()) {
      review::Finding finding;
      finding.rule = "S2F901";
      finding.span = mine.ledger[id].span;
      finding.message = fmt::format("Accounted for twice: {}", mine.ledger[id].text);
      mine.findings.add(std::move(finding));
    }
    apply_site_rules(unit, mine.findings);
    mine.findings.number(sources_);
    review::Input input;
    input.path = unit.path;
    input.shape = mine.shape;
    input.graph = mine.graph;
    input.sha256 = source.bytes_sha256;
    input.kind = kind_name(unit.kind);
    input.output = module_file;
    input.entry = entry;
    input.entry_arguments = arguments;
    input.body = std::move(body);
    input.source_text = unit.masked;
    if (output) {
      input.output_text = output->text;
    }
    input.items = review::items_of(mine.ledger, sources_, unit.id,
                                   output ? output->lines : review::OutputMap{});
    for (const review::Finding& finding : mine.findings.all()) {
      if (finding.span.end != 0 && finding.span.source != unit.id) {
        continue; // stands in the driver's review
      }
      review::PlacedFinding placed;
      placed.finding = finding;
      for (std::string* text :
           {&placed.finding.message, &placed.finding.slurm_does, &placed.finding.output_does,
            &placed.finding.default_, &placed.finding.config_key}) {
        hide(unit, *text);
      }
      for (std::string& choice : placed.finding.choices) {
        hide(unit, choice);
      }
      const auto begin = sources_.begin(finding.span);
      const auto end = sources_.end(finding.span);
      placed.line = begin.line;
      placed.column = begin.column;
      placed.end_line = end.line;
      placed.end_column = end.column;
      if (output && finding.span.end != 0) {
        for (const auto& [line, span] : output->lines) {
          if (span.contains(finding.span) || finding.span.contains(span)) {
            placed.output_lines.push_back(line);
          }
        }
        std::ranges::sort(placed.output_lines);
        placed.output_lines.erase(
            std::unique(placed.output_lines.begin(), placed.output_lines.end()),
            placed.output_lines.end());
      }
      input.findings.push_back(std::move(placed));
    }
    std::ranges::stable_sort(input.findings, {},
                             [](const review::PlacedFinding& f) { return f.line; });
    for (const ir::NumberRow& row : numbers) {
      input.numbers.push_back({row.asked, row.given, row.how});
    }
    review::count_lines(input, source);
    review::apply_ignores(input);
    if (const SignOffFile* file = sign_offs_.file_for(unit.path)) {
      review::apply_sign_off(input, file->content, path_from(unit.path, file->path), sign_off_name);
    }
    input.verdict = not_converted ? review::Verdict::not_converted
                    : on_slurm    ? review::Verdict::keep_on_slurm
                                  : review::verdict_of(input);
    reviews_.push_back(std::move(input));
  }

  // The clusters that the script names. Where the site file has answers for one of them, they hold.
  std::string settle_clusters(const Unit& unit, const slurm::Header& header,
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

  // `[rules]` of the site file: how grave a finding is here, and what is accepted everywhere.
  void apply_site_rules(const Unit& unit, review::Findings& findings) {
    const site::Answers answers = site_files_.answers(unit.path, clusters_[unit.path]);
    for (const auto& [rule, severity] : answers.severities()) {
      findings.set_severity(rule, *review::severity_of(severity));
    }
    for (const auto& code : answers.ignored()) {
      findings.answer(code.value, {.by = review::Answerer::site, .place = code.place});
    }
  }

  // Reviews in the order of the scripts given, those that a driver brought in behind it.
  void finish(const std::vector<std::string>& scripts) {
    std::map<std::string, std::size_t> order;
    for (const std::string& path : scripts) {
      order.try_emplace(normal(path), order.size());
    }
    std::ranges::stable_sort(reviews_, {}, [&](const review::Input& input) {
      const auto place = order.find(input.path);
      return place == order.end() ? order.size() : place->second;
    });
    result_.review.inputs = std::move(reviews_);
  }

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
  std::map<std::string, Pending> pending_;
  std::map<std::string, std::vector<EntryJob>> entry_jobs_;             // by the crontab's path
  std::map<std::string, std::vector<Scheduled>> scheduled_;             // by the script's path
  std::map<std::string, std::pair<emit::Output, std::string>> outputs_; // of those; the module
  std::vector<review::Input> reviews_;
  std::map<std::string, std::string> module_paths_;
  std::set<std::string> taken_paths_;
};

} // namespace

slurm::Kind kind_of(const source::Source& source) {
  const bool shell = ir::is_shell(ir::read_interpreter(source));
  if (!shell || source.quirks.nul) {
    return kind_of(source, nullptr);
  }
  const shell::Script script = shell::parse(source);
  return kind_of(source, &script);
}

Compiled compile(const std::vector<std::string>& scripts, const CompileOptions& options,
                 const Files& files) {
  const Files asked_once = remembered(files);
  return Compiler(options, asked_once).run(scripts);
}

} // namespace s2f::project
