// One `sbatch ...` of a driver: its options, its script, what it waits for and what the job is
// given.
//
// before:  sbatch --mem=4G --dependency=afterok:$id --export=ALL,LR=$lr train.sh $seed
// after:   Submission{train with --mem=4G, arguments {seed}, waits for id, LR = lr}
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;
using review::Disposition;

const slurm::OptionInfo* find(std::string_view name) {
  if (const auto* info = slurm::find_option(name)) {
    return info;
  }
  const slurm::OptionInfo* found = nullptr;
  for (const slurm::OptionInfo& info : slurm::option_table()) {
    if (name.size() == 1 ? info.short_name == name : info.name.starts_with(name)) {
      if (found != nullptr) {
        return nullptr;
      }
      found = &info;
    }
  }
  return found;
}

// The text that a value begins with, and the rest.
std::pair<std::string, std::vector<Term>> lead(const Term& term) {
  if (const auto text = terms::constant(term)) {
    return {*text, {}};
  }
  if (term.kind == Kind::joined && term.parts.front().kind == Kind::text) {
    return {term.parts.front().text, {term.parts.begin() + 1, term.parts.end()}};
  }
  return {"", {term}};
}

Term behind(const std::string& text, std::vector<Term> rest) {
  rest.insert(rest.begin(), terms::text(text));
  return terms::joined(std::move(rest));
}

// A value as text in which its other parts stand as \x01N\x02.
std::string shape(const Term& term, std::vector<Term>& parts) {
  std::string text;
  const auto add = [&](const Term& part) {
    if (const auto constant = terms::constant(part)) {
      text += *constant;
    } else {
      text += fmt::format("\x01{}\x02", parts.size());
      parts.push_back(part);
    }
  };
  if (term.kind == Kind::joined || term.kind == Kind::list) {
    std::ranges::for_each(term.parts, add);
  } else {
    add(term);
  }
  return text;
}

std::vector<std::string> pieces_of(const std::string& text, char separator) {
  std::vector<std::string> pieces;
  std::size_t from = 0;
  for (auto at = text.find(separator); at != std::string::npos; at = text.find(separator, from)) {
    pieces.push_back(text.substr(from, at - from));
    from = at + 1;
  }
  pieces.push_back(text.substr(from));
  return pieces;
}

// The values that a piece of a shape stands for, back together.
Term restored(const std::string& piece, const std::vector<Term>& parts) {
  std::vector<Term> out;
  std::string text;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    if (piece[i] != '\x01') {
      text += piece[i];
      continue;
    }
    out.push_back(terms::text(std::exchange(text, {})));
    const auto end = piece.find('\x02', i);
    out.push_back(parts[std::stoul(piece.substr(i + 1, end - i - 1))]);
    i = end;
  }
  out.push_back(terms::text(text));
  return terms::joined(std::move(out));
}

} // namespace

DriverReader::Why DriverReader::submit(const shell::Statement& statement,
                                       const std::string& captured, const WrittenFile* from_input) {
  const auto& command = std::get<shell::SimpleCommand>(statement.value);
  ir::Submission submission;
  submission.span = statement.span;
  submission.directory = state_.directory;
  WrittenFile input;
  for (const shell::Redirect& redirect : statement.redirects) {
    if (redirect.kind == shell::RedirectKind::heredoc) {
      input = heredoc(redirect);
      from_input = &input;
    } else if (redirect.kind == shell::RedirectKind::herestring) {
      input.pieces.push_back({value_of(redirect.target), redirect.target.span});
      from_input = &input;
    } else if (redirect.kind == shell::RedirectKind::input) {
      return "a job script that sbatch reads from a file by <";
    }
  }
  if (Why why = inherited(command, submission); !why.empty()) {
    return why;
  }
  std::vector<Field> fields;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    for (Term& field : fields_of(command.words[i])) {
      fields.push_back({std::move(field), command.words[i].span});
    }
  }
  if (state_.unsure) {
    return "what follows a step that ran only where another succeeded";
  }
  slurm::ReadOptions read;
  wait_ = false;
  parsable_ = false;
  wrapped_.reset();
  std::size_t at = 0;
  if (Why why = read_options(fields, at, read, submission); !why.empty()) {
    return why;
  }
  std::expected<std::size_t, std::string> job = std::unexpected(std::string());
  context_.directory = submission.directory;
  std::size_t first_argument = at;
  if (wrapped_) {
    read.script_name = "wrap";
    wrapped_->pieces.insert(wrapped_->pieces.begin(),
                            {terms::text("#!/bin/sh\n"), Span{}}); // as sbatch writes it
    job = load_written(*wrapped_, read, "wrap", submission);
  } else if (at < fields.size()) {
    first_argument = at + 1;
    job = load(fields[at].value, read, submission);
    settle(fields[at].span, Disposition::converted, "the task of that script");
  } else if (from_input != nullptr) {
    read.script_name = "sbatch";
    job = load_written(*from_input, read, "sbatch", submission);
  } else {
    return "a submission without a script";
  }
  if (!job) {
    return job.error();
  }
  submission.job = *job;
  for (std::size_t i = first_argument; i < fields.size(); ++i) {
    if (Why why = argument(i - first_argument + 1, fields[i], submission); !why.empty()) {
      return why;
    }
  }
  for (const ir::Submission& other : driver_.submissions) {
    if (other.job == submission.job && other.secrets != submission.secrets) {
      return "a job that is given a secret at one submission alone";
    }
  }
  for (const Term& each : state_.waits_any) {
    submission.depends.push_back({ir::Dependency::Kind::any, each});
  }
  for (const Term& each : state_.waits_ok) {
    submission.depends.push_back({ir::Dependency::Kind::ok, each});
  }
  settle(Span{statement.span.source, command.words[0].span.begin, command.words[0].span.end},
         Disposition::converted, called(*job));
  std::string name = captured.empty() ? returned_.value_or("") : captured;
  if (wait_ && name.empty()) {
    name = fmt::format("job {}", ++temporaries_);
  }
  push(ir::Submitted{driver_.submissions.size(), name}, statement.span);
  driver_.submissions.push_back(std::move(submission));
  if (wait_) {
    if (loops_ > 0 || choices_ > 0) {
      return "a submission that is waited for in a loop";
    }
    const Term job_term = terms::name(name, Type::job);
    if (statement.background) {
      background_.push_back(job_term);
    } else {
      ended_ = job_term;
      std::vector<Term>& waits = driver_.errexit ? state_.waits_ok : state_.waits_any;
      waits.assign(1, job_term);
    }
  }
  return {};
}

bool holds_job(const Term& term) {
  return term.holds_jobs() || std::ranges::any_of(term.parts, holds_job);
}

// An argument of the job. A secret is none: the task reads it itself.
DriverReader::Why DriverReader::argument(std::size_t position, const Field& field,
                                         ir::Submission& submission) {
  if (field.value.is_secret()) {
    submission.secrets[fmt::format("{}", position)] = {field.value.parts[0].text,
                                                       field.value.parts[1].text, field.span};
    submission.arguments.push_back(terms::text(""));
    settle(field.span, Disposition::converted, "a secret of the task", "S2F802");
    return {};
  }
  if (const Term* unknown = terms::first_unknown(field.value)) {
    needs_constants_ = true;
    return fmt::format("an argument of a job that is {}", unknown->text);
  }
  if (field.value.is_list()) {
    return "a list as the arguments of a job";
  }
  if (holds_job(field.value)) {
    return "the id of a job as an argument of another";
  }
  submission.arguments.push_back(field.value);
  settle(field.span, Disposition::converted, "an argument of the task");
  return {};
}

DriverReader::Why DriverReader::read_options(const std::vector<Field>& fields, std::size_t& at,
                                             slurm::ReadOptions& read, ir::Submission& submission) {
  for (; at < fields.size(); ++at) {
    auto [text, rest] = lead(fields[at].value);
    if (text.empty() && fields[at].value.holds_jobs()) {
      return "a word that is a job's id";
    }
    if (text.empty() && fields[at].value.kind == Kind::text) { // an empty word
      return "an empty word";
    }
    if (text.size() < 2 || text[0] != '-') {
      return {};
    }
    std::string name;
    std::optional<Term> value;
    if (text.starts_with("--")) {
      const auto equals = text.find('=');
      if (equals == std::string::npos && !rest.empty()) {
        needs_constants_ = true;
        return "an option whose name is known only when the driver runs";
      }
      name = text.substr(2, equals == std::string::npos ? equals : equals - 2);
      if (equals != std::string::npos) {
        value = behind(text.substr(equals + 1), std::move(rest));
      }
    } else {
      name = text.substr(1, 1);
      if (text.size() > 2 || !rest.empty()) {
        value = behind(text.substr(2), std::move(rest));
      }
    }
    const slurm::OptionInfo* info = find(name);
    if (info == nullptr) {
      return fmt::format("an option of sbatch that is not known: {}", text);
    }
    Span span = fields[at].span;
    if (!value && info->argument == "required") {
      if (at + 1 >= fields.size()) {
        return "an option without its value";
      }
      value = fields[++at].value;
      span.end = std::max(span.end, fields[at].span.end);
    }
    if (Why why = read_option(*info, value.value_or(terms::text("")), span, read, submission);
        !why.empty()) {
      return why;
    }
  }
  return {};
}

DriverReader::Why DriverReader::read_option(const slurm::OptionInfo& info, const Term& value,
                                            const Span& span, slurm::ReadOptions& read,
                                            ir::Submission& submission) {
  static constexpr std::array names{"job-name",  "output",    "error", "comment",
                                    "mail-user", "mail-type", "wckey"};
  if (info.name == "parsable" || info.name == "quiet" || info.name == "verbose") {
    parsable_ |= info.name == "parsable";
    settle(span, Disposition::converted, "how sbatch prints the job's id; Python needs none");
    return {};
  }
  if (allocates_ && (info.program == "srun" || info.program == "salloc")) {
    settle(span, Disposition::dropped, "how a step is started and shown on its terminal");
    return {};
  }
  if (info.name == "wait") {
    wait_ = true;
    settle(span, Disposition::converted, "what is submitted after it waits for it");
    return {};
  }
  if (info.name == "wrap") {
    wrapped_ = WrittenFile{};
    wrapped_->pieces.push_back({value, span});
    settle(span, Disposition::converted, "the command of the task");
    return {};
  }
  if (info.name == "dependency") {
    if (!submission.asked_dependency.empty()) {
      submission.depends.clear(); // the last one wins
    }
    submission.asked_dependency = std::string(context_.sources.text(span));
    settle(span, Disposition::converted, "what the task waits for");
    return read_dependency(value, submission);
  }
  if (info.name == "chdir" && starts_in(value, submission)) {
    settle(span, Disposition::converted, "the directory that the task runs in");
    return {};
  }
  if (info.name == "array" && !terms::constant(value)) {
    return read_array(value, span, read, submission);
  }
  if (info.name == "export") {
    if (Why why = read_export(value, submission); !why.empty()) {
      return why;
    }
    if (!terms::constant(value)) {
      settle(span, Disposition::converted, "arguments of the task");
      return {};
    }
  }
  if (const auto text = terms::constant(value)) {
    read.arguments.push_back(info.argument == "none" ||
                                     (info.argument == "optional" && text->empty())
                                 ? fmt::format("--{}", info.name)
                                 : fmt::format("--{}={}", info.name, *text));
    read.argument_spans.push_back(span);
    settle(span, Disposition::open, "");
    return {};
  }
  if (std::ranges::find(names, info.name) != names.end()) {
    settle(span, Disposition::dropped,
           "a name that the driver makes up; Flyte names runs and logs");
    driver_.not_carried.push_back(
        {fmt::format("{} --{}: Flyte names runs and keeps each task's log", at(span), info.name),
         span});
    return {};
  }
  needs_constants_ = true;
  return fmt::format("--{} with a value that is known only when the driver runs", info.name);
}

DriverReader::Why DriverReader::read_dependency(const Term& value, ir::Submission& submission) {
  static const Why foreign = "a dependency on a job that it did not submit";
  std::vector<Term> parts;
  std::string text = shape(value, parts);
  if (text.empty()) {
    return {};
  }
  if (text.find("Submitted batch job") != std::string::npos) {
    review::Finding finding;
    finding.rule = "S2F320";
    finding.span = submission.span;
    finding.message = "The dependency is sbatch's whole sentence, not the id in it.";
    finding.slurm_does =
        "sbatch prints \"Submitted batch job 5\", and refuses that as a dependency.";
    finding.output_does = "The driver is not converted.";
    context_.findings.add(std::move(finding));
    return "a dependency on the whole of what sbatch printed";
  }
  if (text.find('?') != std::string::npos) {
    return "a dependency that one of several jobs meets";
  }
  std::erase(text, ' '); // what `tr ' ' ':'` and the like take out
  std::string before;
  for (const std::string& term : pieces_of(text, ',')) {
    if (term.empty()) {
      continue;
    }
    const auto colon = term.find(':');
    std::string type = term[0] == '\x01' || std::isdigit(static_cast<unsigned char>(term[0])) != 0
                           ? "afterany"
                           : term.substr(0, colon);
    std::ranges::transform(type, type.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::vector<Term> jobs;
    std::vector<std::optional<Term>> elements;
    for (const std::string& id : pieces_of(term, ':')) {
      if (id.empty() || std::isalpha(static_cast<unsigned char>(id[0])) != 0) {
        continue;
      }
      if (id[0] != '\x01') {
        return foreign;
      }
      const Term& job = parts[std::stoul(id.substr(1))];
      if (!job.holds_jobs()) {
        const Term* unknown = terms::first_unknown(job);
        return unknown != nullptr ? fmt::format("a dependency on {}", unknown->text) : foreign;
      }
      jobs.push_back(job);
      const std::string rest = id.substr(id.find('\x02') + 1);
      elements.push_back(rest.starts_with('_') ? std::optional(restored(rest.substr(1), parts))
                                               : std::nullopt);
    }
    if (jobs.empty()) {
      before = type;
      if (type == "singleton") {
        return "a dependency of the kind singleton";
      }
      continue;
    }
    if (term[0] == '\x01' && !before.empty()) {
      return "ids that are joined by commas, of which Slurm takes the type for the first alone";
    }
    ir::Dependency dependency;
    if (type == "after") { // met as soon as the other has started
      continue;
    }
    if (type == "afterok" || type == "aftercorr") {
      dependency.kind = ir::Dependency::Kind::ok;
      dependency.each = type == "aftercorr";
    } else if (type == "afterany") {
      dependency.kind = ir::Dependency::Kind::any;
    } else if (type == "afternotok") {
      dependency.kind = ir::Dependency::Kind::not_ok;
    } else {
      return fmt::format("a dependency of the kind {}", type);
    }
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      dependency.jobs = jobs[i];
      dependency.element = elements[i];
      submission.depends.push_back(dependency);
    }
  }
  return submission.depends.empty() && text.find("after:") == std::string::npos
             ? "a dependency that names no job of the driver"
             : "";
}

// --export=ALL,LR=$lr
DriverReader::Why DriverReader::read_export(const Term& value, ir::Submission& submission) {
  std::vector<Term> parts;
  bool all = false;
  std::map<std::string, Term> given;
  for (const std::string& item : pieces_of(shape(value, parts), ',')) {
    const auto equals = item.find('=');
    const std::string name = item.substr(0, equals);
    if (name.find('\x01') != std::string::npos) {
      return "an --export whose names are known only when the driver runs";
    }
    if (equals == std::string::npos) {
      std::string upper = name;
      std::ranges::transform(upper, upper.begin(),
                             [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
      all |= upper == "ALL";
      if (const auto now = state_.variables.find(name); now != state_.variables.end()) {
        given[name] = now->second;
      }
      continue;
    }
    given[name] = restored(item.substr(equals + 1), parts);
  }
  if (!all) {
    submission.environment.clear();
    submission.inherited.clear();
    submission.unknown.clear();
    std::erase_if(submission.secrets, [](const auto& each) {
      return std::isdigit(static_cast<unsigned char>(each.first[0])) == 0;
    });
  }
  for (auto& [name, each] : given) {
    if (Why why = inherit(name, each, submission); !why.empty()) {
      return why;
    }
  }
  return {};
}

// --array=1-$n, 0-$((n - 1))%4, $i
DriverReader::Why DriverReader::read_array(const Term& value, const Span& span,
                                           slurm::ReadOptions& read, ir::Submission& submission) {
  std::vector<Term> parts;
  std::string text = shape(value, parts);
  needs_constants_ = true;
  if (const Term* unknown = terms::first_unknown(value)) {
    return fmt::format("--array with {}", unknown->text);
  }
  std::string throttle;
  if (const auto percent = text.find('%'); percent != std::string::npos) {
    throttle = text.substr(percent);
    text.resize(percent);
  }
  const auto dash = text.find('-');
  if (text.find_first_of(",:[") != std::string::npos ||
      throttle.find('\x01') != std::string::npos) {
    return "--array with a value that is known only when the driver runs";
  }
  const auto number = [&](const std::string& piece) {
    Term term = restored(piece, parts);
    if (const auto constant = terms::constant_integer(term)) {
      return terms::integer(*constant);
    }
    return term.type == Type::integer ? term : terms::make(Kind::whole, Type::integer, {term});
  };
  Term first = number(text.substr(0, dash));
  Term last = dash == std::string::npos ? first : number(text.substr(dash + 1));
  submission.indices =
      terms::make(Kind::range, Type::integers, {std::move(first), std::move(last)}, {}, 1);
  submission.asked_indices = std::string(context_.sources.text(span));
  needs_constants_ = false;
  read.arguments.push_back("--array=0-1" + throttle);
  read.argument_spans.push_back(span);
  settle(span, Disposition::open, "");
  return {};
}

std::expected<std::size_t, std::string> DriverReader::load(const Term& script,
                                                           const slurm::ReadOptions& read_options,
                                                           ir::Submission& submission) {
  const std::string key = key_of(script);
  slurm::ReadOptions read = read_options;
  if (const auto file = state_.files.find(key); file != state_.files.end()) {
    const auto text = terms::constant(script);
    const std::string name = text ? text->substr(text->find_last_of('/') + 1) : "job";
    read.script_name = name;
    submitted_files_.insert(key);
    const auto& pieces = file->second.pieces;
    const auto first = pieces.empty() ? std::nullopt : terms::constant(pieces.front().value);
    if (file->second.begun == 0 && !file->second.torn && !(first && first->starts_with("#!"))) {
      return std::unexpected(std::string("a script that it writes on before it submits it"));
    }
    return load_written(file->second, read, name, submission);
  }
  std::optional<std::string> name = terms::constant(script);
  if (!name) {
    needs_constants_ = true;
    // $DIR/train.sh: the file is known by its name.
    const bool ends = script.kind == Kind::joined && script.parts.back().kind == Kind::text;
    const std::string& last = ends ? script.parts.back().text : "";
    const auto slash = last.rfind('/');
    if (slash == std::string::npos || slash + 1 == last.size()) {
      const Term* unknown = terms::first_unknown(script);
      return std::unexpected(unknown != nullptr
                                 ? fmt::format("a script name that is {}", unknown->text)
                                 : "a script name that is known only when the driver runs");
    }
    const bool loop_variable =
        std::ranges::any_of(script.parts, [](const Term& part) { return part.kind == Kind::name; });
    if (loop_variable) {
      return std::unexpected(std::string("a script name that is known only when the driver runs"));
    }
    needs_constants_ = false;
    name = last.substr(slash + 1);
  }
  read.script_name = name->substr(name->find_last_of('/') + 1);
  if (!state_.directory.empty() && !name->starts_with('/')) {
    const auto from_here = below(script);
    if (!from_here && terms::constant(script)) {
      return std::unexpected(fmt::format("a script outside of its own directory, {}", *name));
    }
    name = from_here ? from_here : name;
  }
  return context_.load(*name, read);
}

} // namespace s2f::passes
