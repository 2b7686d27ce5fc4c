// A driver that cannot be said in Python runs as it was: each sbatch in it only
// notes what it would have submitted, and `main` calls the tasks.
//
// before:  for f in $(ls data | grep -v old); do sbatch train.sh "$f"; done
// after:   a job of its own: for f in $(ls data | grep -v old); do submit 1
// train.sh "$f"; done
//          Driver::plan: what `submit 1` notes is a call of train
#include "passes/driver_plan.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/secrets.hpp"
#include "analysis/walk.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;
using review::Disposition;

std::string base_name(std::string_view path) {
  return std::string(path.substr(path.find_last_of('/') + 1));
}

// `sbatch` as a word of text that is copied: what is called is `submit` now, in
// messages as well.
void rename_command(std::string& text, std::size_t from) {
  static constexpr std::string_view old = "sbatch";
  const auto joins = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 ||
                                std::string_view("_-./=${").contains(text[at]));
  };
  for (auto at = text.find(old, from); at != std::string::npos; at = text.find(old, at + 1)) {
    if ((at == 0 || !joins(at - 1)) && !joins(at + old.size())) {
      text.replace(at, old.size(), "submit");
    }
  }
}

} // namespace

std::string plain_name(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      continue;
    }
    if (c == '$' && i + 1 < text.size() && text[i + 1] == '{') {
      const auto end = text.find('}', i);
      if (end != std::string_view::npos) {
        out += '$';
        out += text.substr(i + 2, end - i - 2);
        i = end;
        continue;
      }
    }
    out += c;
  }
  for (const std::string_view here : {"./", "$PWD/", "$(pwd)/", "`pwd`/"}) {
    if (out.starts_with(here)) {
      return out.substr(here.size());
    }
  }
  return out;
}

DriverPlanner::DriverPlanner(DriverReader& reader)
    : reader_(reader), context_(reader.context_), driver_(reader.driver_) {}

// A function of that name stands before the program, but for `command submit`.
static bool defines_submit(const shell::Script& script) {
  bool found = false;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& statement) {
    const auto* function = std::get_if<shell::Function>(&statement.value);
    const auto* command = shell::as_simple(statement);
    found |= function != nullptr && function->name == "submit";
    found |= command != nullptr && analysis::command_name(*command) == "alias";
  };
  for (const shell::Statement& statement : script.statements) {
    analysis::walk(statement, visitor);
  }
  return found;
}

bool DriverPlanner::run() {
  // What the reading came to does not stand.
  driver_.steps.clear();
  driver_.submissions.clear();
  driver_.parameters.clear();
  driver_.not_carried.clear();
  reader_.settlements_.clear();
  look_around();
  own_submit_ = defines_submit(*driver_.script);
  if (asks_) {
    driver_.not_lifted->text = "it asks whoever runs it";
    return false;
  }
  if (later_) {
    driver_.not_lifted->text = once_later;
    return false;
  }
  find_constants();
  find_exported();
  find_lines();
  for (const shell::Statement& statement : driver_.script->statements) {
    find_writers(statement);
  }
  find_blocks();
  find_sites();
  merge_writers();
  find_changes();
  find_named_scripts();
  leave_modules_out();
  edit_slurm_commands();
  ir::Submission own;
  own.span = Span{driver_.source, 0, 0};
  driver_.submissions.push_back(std::move(own)); // the driver's own run
  for (const Site& site : sites_) {
    if (!note(site)) {
      return false;
    }
  }
  if (std::ranges::all_of(plan_.sites, [](const auto& site) { return site.candidates.empty(); })) {
    driver_.not_lifted->text = "no script that it submits can be read here";
    return false;
  }
  return make_job();
}

// LOAD="module load bwa": there are no modules in a container, and a string
// holds none either.
void DriverPlanner::leave_modules_out() {
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& each) {
    const auto text = each.value ? each.value->literal() : std::nullopt;
    if (!text || !only_modules(*text)) {
      return;
    }
    review::Finding finding;
    finding.rule = "S2F503";
    finding.span = each.span;
    finding.message = fmt::format("What the modules in ${} bring is not known here.", each.name);
    finding.slurm_does = "Whoever runs the text loads the modules.";
    finding.output_does = "The text does nothing; what they bring must be in the image.";
    finding.choices = {"not needed", "packages or an image that bring the same"};
    finding.default_ = finding.choices[0];
    context_.findings.add(std::move(finding));
    edits_.push_back({each.value->span, ":"});
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
  }
}

void DriverPlanner::find_sites() {
  for (const ir::Step& step : driver_.body) {
    if (step.statement == nullptr) {
      continue;
    }
    std::map<const shell::Statement*, const shell::Statement*> fed;
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& each) {
      if (const auto* line = std::get_if<shell::Pipeline>(&each.value)) {
        for (std::size_t i = 1; i < line->commands.size(); ++i) {
          fed[&line->commands[i]] = i == 1 ? &line->commands[0] : &each;
        }
      }
      const auto* command = shell::as_simple(each);
      if (const auto at = command == nullptr ? std::nullopt : sbatch_in(*command)) {
        const auto before = fed.find(&each);
        sites_.push_back({&each, before == fed.end() ? nullptr : before->second, step.entry, *at});
      }
    };
    analysis::walk(*step.statement, visitor);
  }
}

std::string DriverPlanner::place(const Span& span) {
  const std::string line = fmt::format("{}", context_.sources.begin(span).line);
  std::string name = line;
  for (char letter = 'b'; !places_.insert(name).second && letter <= 'z'; ++letter) {
    name = line + letter;
  }
  return name;
}

// What the whole driver does: whether it asks somebody, and whether its jobs
// start elsewhere.
void DriverPlanner::look_around() {
  static constexpr std::array moves{"cd", "pushd", "popd"};
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& each) {
    const auto* loop = std::get_if<shell::For>(&each.value);
    asks_ |= loop != nullptr && loop->select;
    const auto* command = shell::as_simple(each);
    const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
    if (name == "read") {
      asks_ |= std::ranges::any_of(command->words, [](const shell::Word& word) {
        const auto option = word.literal().value_or("");
        return option.starts_with('-') && !option.starts_with("--") && option.ends_with('p');
      });
    }
    later_ |= name && is_later(*name);
    if (name && std::ranges::find(moves, *name) != moves.end() && !moved_) {
      moved_ = each.span;
    }
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
  }
}

void DriverPlanner::say_where() {
  if (!moved_) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F602";
  finding.span = *moved_;
  finding.message = "The driver changes its directory, so its jobs may start in others.";
  finding.slurm_does = "A job starts in the directory that it was submitted from.";
  finding.output_does = "Commands run in HERE, the driver's own directory.";
  finding.choices = {"HERE is that directory", "HERE = Path(__file__).resolve().parents[...]"};
  finding.default_ = finding.choices[0];
  context_.findings.add(std::move(finding));
}

void DriverPlanner::submission_of(std::size_t job, const Site& site, const Call& call,
                                  ir::Submission submission) {
  submission.job = job;
  submission.span = site.statement->span;
  for (const std::string& name : exported_) {
    if (submission.environment.try_emplace(name, terms::name(name, Type::text)).second) {
      submission.inherited.insert(name);
    }
  }
  submission.arguments.resize(call.arguments, terms::name("arguments", Type::text));
  if (call.computed_indices) {
    submission.indices = terms::name("indices", Type::integers);
  }
  driver_.submissions.push_back(std::move(submission));
}

// One sbatch: what it can turn out to be, and what stands in its place.
bool DriverPlanner::note(const Site& site) {
  const auto& command = std::get<shell::SimpleCommand>(site.statement->value);
  reader_.entry_ = site.entry;
  std::vector<Edit> edits;
  Call call = read(site, edits);
  if (!call.why.empty()) {
    driver_.not_lifted->text = call.why;
    return false;
  }
  ir::Plan::Site planned;
  planned.span = command.words[site.word].span;
  planned.place = place(planned.span);
  planned.computed_indices = call.computed_indices;
  const std::string& source = context_.sources[driver_.source].text;
  const auto with_its_end = [&](const shell::Redirect& heredoc) {
    const auto end = source.find('\n', heredoc.heredoc_body.end);
    return Span{driver_.source, heredoc.heredoc_body.begin,
                static_cast<std::uint32_t>(end == std::string::npos ? source.size() : end + 1)};
  };
  for (const shell::Redirect& redirect : site.statement->redirects) {
    const bool here = redirect.kind == shell::RedirectKind::heredoc;
    if (redirect.kind == shell::RedirectKind::input && !call.script && !call.text) {
      call.script = redirect.target; // sbatch < train.sh
      call.name = constant(redirect.target);
      const std::string file(context_.sources.text(redirect.target.span));
      edits.push_back({redirect.span, file});
      continue;
    }
    if (call.script || call.text || (!here && redirect.kind != shell::RedirectKind::herestring)) {
      continue;
    }
    call.text = Text{};
    Span operator_ = redirect.span; // with the blanks before it
    while (operator_.begin > 0 && source[operator_.begin - 1] == ' ') {
      --operator_.begin;
    }
    edits.push_back({operator_, ""});
    if (here) {
      add_text(*call.text, redirect.heredoc_parts, false);
      edits.push_back({with_its_end(redirect), ""});
    } else {
      add_word(*call.text, redirect.target);
    }
    call.read.script_name = "sbatch";
  }
  if (!call.script && !call.text && site.pipeline != nullptr) {
    call.text = printed(*site.pipeline);
    edits.push_back({{driver_.source, site.pipeline->span.begin, site.statement->span.begin}, ""});
    for (const shell::Redirect& redirect : site.pipeline->redirects) { // cat <<EOF | sbatch
      if (redirect.kind == shell::RedirectKind::heredoc) {
        edits.push_back({with_its_end(redirect), ""});
      }
    }
    call.read.script_name = "sbatch";
  }
  std::map<std::string, std::string> values;
  std::string noted; // what its text asks for
  bool changed = false;
  bool named = false; // elsewhere in the driver
  if (call.script && names_itself(call)) {
    if (!context_.job || !call.read.arguments.empty() || call.computed_indices) {
      return false;
    }
    // What it sets and its next run finds set is no parameter of the task.
    if (std::ranges::any_of(exported_, [&](const std::string& name) {
          return reader_.reads_.contains(name) && reader_.writes_.contains(name);
        })) {
      return false;
    }
    ir::Plan::Candidate itself; // what it exports, its next run gets
    for (const std::string& name : exported_) {
      itself.values[name] = name;
    }
    planned.candidates.push_back(std::move(itself));
  } else if (call.text) {
    ir::Submission submission;
    submission.span = site.statement->span;
    leave_directives_out(*call.text);
    take_array(*call.text, call);
    planned.computed_indices = call.computed_indices;
    noted = noted_text(*call.text);
    const auto job = load(*call.text, call.read, call.read.script_name, submission, values);
    if (!job) {
      return false;
    }
    planned.candidates.push_back({"", "", driver_.submissions.size(), values});
    submission_of(*job, site, call, std::move(submission));
  } else if (call.script && changes(*call.script)) {
    changed = true;
  } else if (call.script && !note_written(site, call, planned) && call.name) {
    call.read.script_name = base_name(*call.name);
    // After a change of directory another file may have that name.
    const std::vector<std::string> names =
        moved_ ? meanings(*call.name) : std::vector<std::string>();
    for (const std::string& name : names) {
      if (const auto job = context_.load(name, call.read)) {
        planned.candidates.push_back({"", name, driver_.submissions.size(), {}});
        submission_of(*job, site, call, {});
      }
    }
    const auto job =
        names.empty() ? context_.load(*call.name, call.read) : std::unexpected(std::string());
    if (job) {
      const std::string name = moved_ ? plain_name(*call.name) : "";
      planned.candidates.push_back({"", name, driver_.submissions.size(), {}});
      submission_of(*job, site, call, {});
    }
  } else if (call.script && planned.candidates.empty()) {
    note_named(site, call, planned);
    named = true;
  }
  const bool known = !planned.candidates.empty();
  const bool may_be_other = known && named && !always_named(*call.script);
  if ((!known && !changed) || may_be_other) {
    say_unknown(planned, call);
  }
  reader_.settle(
      planned.span, known ? Disposition::converted : Disposition::kept,
      known     ? reader_.called(driver_.submissions[planned.candidates.front().submission].job)
      : changed ? "submits a script that the driver changes"
                : "submits a script that is not known here",
      changed ? "S2F330"
      : known ? ""
              : "S2F365");
  edits_.push_back(
      {planned.span, fmt::format("{}submit {}{}{}", own_submit_ && site.word == 0 ? "command " : "",
                                 planned.place, noted, values_text(values))});
  std::ranges::move(edits, std::back_inserter(edits_));
  plan_.sites.push_back(std::move(planned));
  return true;
}

// sbatch $0: the script itself, from where Slurm keeps it.
bool DriverPlanner::names_itself(const Call& call) const {
  const std::string word = plain_name(context_.sources.text(call.script->span));
  return word == "$0" || word == "$BASH_SOURCE" || word == "$BASH_SOURCE[0]" ||
         (call.name && base_name(*call.name) == base_name(driver_.path));
}

// A script that the driver writes before.
bool DriverPlanner::note_written(const Site& site, const Call& call, ir::Plan::Site& planned) {
  const std::string wanted = plain_name(context_.sources.text(call.script->span));
  const auto matches = [&](const Writer& writer, bool whole) {
    const std::string target = plain_name(writer.target);
    return whole ? target == wanted : base_name(target) == base_name(wanted);
  };
  const bool exact =
      std::ranges::any_of(writers_, [&](const Writer& writer) { return matches(writer, true); });
  for (std::size_t i = 0; i < writers_.size(); ++i) {
    Writer& writer = writers_[i];
    if (writer.append || writer.empty || !matches(writer, exact)) {
      continue;
    }
    if (!written_.contains(i)) {
      leave_directives_out(writer.text);
    }
    ir::Submission submission;
    submission.span = writer.span;
    std::map<std::string, std::string> values;
    Call as_written = call;
    take_array(writer.text, as_written);
    slurm::ReadOptions options = as_written.read;
    options.script_name = call.name ? base_name(*call.name) : "job";
    const auto job = load(writer.text, options, options.script_name, submission, values);
    if (!job) {
      continue;
    }
    if (!written_.contains(i)) {
      written_[i] = place(writer.span);
      edits_.push_back(
          {writer.span, fmt::format("{}{}submit {} --to {}{}{}", writer.inserted ? "\n" : "",
                                    own_submit_ ? "command " : "", written_[i], writer.target,
                                    noted_text(writer.text), values_text(values))});
      std::string begins = writer.maybe.empty() ? ":" : "";
      for (const auto& [part, variable] : writer.maybe) {
        edits_.push_back({part, variable + "=1"});
        begins += (begins.empty() ? "" : " ") + variable + "=";
      }
      for (const Span& part : writer.parts) {
        edits_.push_back({part, std::exchange(begins, ":")});
      }
    }
    planned.candidates.push_back({written_[i], "", driver_.submissions.size(), values});
    planned.computed_indices |= as_written.computed_indices;
    submission_of(*job, site, as_written, std::move(submission));
  }
  return !planned.candidates.empty();
}

// "$@" would be several words; a text that several words are pasted into has them with blanks
// between.
static std::string as_one_word(std::string written) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> joined{
      {{"$@", "$*"}, {"${@", "${*"}, {"[@]}", "[*]}"}}};
  for (const auto& [several, one] : joined) {
    for (auto at = written.find(several); at != std::string::npos;
         at = written.find(several, at + one.size())) {
      written.replace(at, several.size(), one);
    }
  }
  return written;
}

std::string DriverPlanner::values_text(const std::map<std::string, std::string>& values) const {
  std::string text;
  for (const auto& [name, written] : values) {
    text += fmt::format(" --value \"{}={}\"", name, as_one_word(written));
  }
  return text;
}

// The driver's text with the notes in place of the submissions, as a job of its
// own.
bool DriverPlanner::make_job() {
  rename_in_messages();
  std::ranges::sort(edits_, {}, [](const Edit& edit) { return edit.span.begin; });
  const std::string& source = context_.sources[driver_.source].text;
  std::string text;
  std::vector<source::Run> runs;
  std::uint32_t at = 0;
  for (const Edit& edit : edits_) {
    if (edit.span.begin < at) { // one within another
      return false;
    }
    runs.push_back({static_cast<std::uint32_t>(text.size()), at});
    const std::size_t from = text.size();
    text.append(source, at, edit.span.begin - at);
    rename_command(text, from);
    runs.push_back({static_cast<std::uint32_t>(text.size()), edit.span.begin});
    text += edit.text;
    at = edit.span.end;
  }
  runs.push_back({static_cast<std::uint32_t>(text.size()), at});
  const std::size_t from = text.size();
  text.append(source, at);
  rename_command(text, from);
  slurm::ReadOptions read;
  read.script_name = base_name(driver_.path);
  const Span whole{driver_.source, 0, static_cast<std::uint32_t>(source.size())};
  const auto job = context_.load_driver(text, {whole, std::move(runs)}, read);
  if (!job) {
    driver_.not_lifted->text = job.error();
    return false;
  }
  driver_.submissions.front().job = *job;
  driver_.plan = std::move(plan_);
  say_where();
  return true;
}

// What the jobs read of the driver's environment, its own task hands on.
static void want_variables(ir::Workload& workload) {
  ir::Driver& driver = *workload.driver;
  ir::Job& own = workload.jobs[driver.submissions[driver.plan->submission].job];
  for (const ir::Plan::Site& site : driver.plan->sites) {
    for (const ir::Plan::Candidate& candidate : site.candidates) {
      const ir::Submission& submission = driver.submissions[candidate.submission];
      for (const ir::Parameter& parameter : workload.jobs[submission.job].parameters) {
        const std::string name =
            parameter.origin.starts_with('$') ? parameter.origin.substr(1) : "";
        const bool itself = candidate.submission == driver.plan->submission;
        if (parameter.position == 0 &&
            (itself ? candidate.values.contains(name)
                    : submission.environment.contains(name) && !candidate.values.contains(name))) {
          own.wanted.insert(name);
        }
      }
    }
  }
}

void settle_driver(DriverContext& context) {
  ir::Driver& driver = *context.workload.driver;
  if (!driver.not_lifted) {
    return;
  }
  if (driver.plan) {
    want_variables(context.workload);
  }
  review::Finding finding;
  const bool job = context.job && driver.plan;
  finding.rule = job ? "S2F327" : driver.plan ? "S2F325" : "S2F430";
  finding.span = driver.not_lifted->span;
  const std::string& why = driver.not_lifted->text;
  if (job) {
    finding.message = "The job submits others while it runs.";
    finding.slurm_does = "They wait in the queue from that moment on.";
    finding.output_does = "Each sbatch notes what it would submit; `main` runs these jobs when "
                          "this "
                          "one has ended by itself. What one notes that is ended from outside is "
                          "lost, and each starts in a container of its own.";
    finding.choices = {"run them behind it", "keep the job on Slurm"};
    finding.default_ = finding.choices[0];
  } else if (driver.plan) {
    finding.message = fmt::format("What the driver submits is known only when it runs: {}.", why);
    finding.slurm_does = "The shell runs it and submits the jobs as it goes.";
    finding.output_does = "A task runs it as it was, but that each sbatch only "
                          "notes what it would "
                          "submit; `main` runs these jobs when it has ended.";
    finding.choices = {"run it in a task", "write the loop over the jobs into `main`"};
    finding.default_ = finding.choices[0];
  } else {
    finding.message = fmt::format("The driver cannot be converted yet: {}.", why);
    finding.slurm_does = "The shell runs it and submits the jobs.";
    finding.output_does = "The jobs that it names became tasks; nothing calls them in its place.";
  }
  const std::string rule = finding.rule;
  const auto id = context.findings.add(std::move(finding));
  for (const ir::Step& step : driver.body) {
    if (!context.ledger.settled(step.entry)) {
      context.ledger.settle(step.entry, Disposition::kept,
                            driver.plan ? "runs as exact Bash in a task of its own, with "
                                          "`submit` for sbatch"
                                        : "stands in the driver, which was not converted",
                            rule, id);
    }
  }
}
} // namespace s2f::passes
