// Job scripts that the driver writes: heredocs, echo > file, --wrap.
//
// before:  for lr in 0.1 0.2; do sbatch <<EOF ... python train.py --lr $lr ... EOF; done
// after:   the script "python train.py --lr ${lr}", which is given lr
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;

bool assigns(const std::string& text, const std::string& name) {
  for (auto at = text.find(name + "="); at != std::string::npos;
       at = text.find(name + "=", at + 1)) {
    if (at == 0 || std::isspace(static_cast<unsigned char>(text[at - 1])) != 0 ||
        text[at - 1] == ';') {
      return true;
    }
  }
  return text.find("for " + name + " in") != std::string::npos;
}

// Whether an option that gives the job its name stands in the directives of a line.
bool names_the_job(std::string_view line) {
  return line.find("-J") != std::string_view::npos ||
         line.find("--job-n") != std::string_view::npos;
}

} // namespace

// What `echo -e` and printf make of backslashes.
std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 >= text.size()) {
      out += text[i];
      continue;
    }
    const char next = text[++i];
    if (next == 'n') {
      out += '\n';
    } else if (next == 't') {
      out += '\t';
    } else if (next == '\\') {
      out += '\\';
    } else {
      out += '\\';
      out += next;
    }
  }
  return out;
}

// Whether the last option of a directive so far is one whose value names a job or a log.
bool names_only(std::string_view directive) {
  for (auto at = directive.find_last_of('-'); at != std::string_view::npos && at > 0;
       at = directive.find_last_of('-', at - 1)) {
    if (directive[at - 1] == ' ' || directive[at - 1] == '\t') {
      directive.remove_prefix(at);
      break;
    }
  }
  for (const std::string_view option :
       {"-J", "--job-name", "-o", "--output", "-e", "--error", "--comment", "--mail-user"}) {
    if (directive.starts_with(option)) {
      return true;
    }
  }
  return false;
}

std::string DriverReader::file_key(const Term& name) {
  // $PWD/job.sh, $(pwd)/job.sh: the driver stays where it is.
  if (name.kind == Kind::joined && name.parts.front().kind == Kind::unknown &&
      (name.parts.front().text.starts_with("$PWD ") ||
       name.parts.front().text == "the output of pwd") &&
      name.parts[1].kind == Kind::text && name.parts[1].text.starts_with('/')) {
    std::vector<Term> rest(name.parts.begin() + 1, name.parts.end());
    rest.front().text.erase(0, 1);
    return file_key(terms::joined(std::move(rest)));
  }
  if (const auto text = terms::constant(name)) {
    return text->starts_with("./") ? text->substr(2) : *text;
  }
  std::string key = fmt::format("\x01{}:{}", static_cast<int>(name.kind), name.text);
  for (const Term& part : name.parts) {
    key += file_key(part) + "\x02";
  }
  return key;
}

std::string DriverReader::key_of(const Term& name) const {
  const auto text = terms::constant(name);
  if (state_.directory.empty() || (text && text->starts_with('/'))) {
    return file_key(name);
  }
  const Term from_here = text ? located(name) : name;
  return from_here.kind == Kind::unknown || !text ? state_.directory + "/\x03" + file_key(name)
                                                  : file_key(from_here);
}

WrittenFile DriverReader::heredoc(const shell::Redirect& redirect) {
  WrittenFile file;
  keep_ambient_ = true;
  for (const shell::WordPart& part : redirect.heredoc_parts) {
    const auto* literal = std::get_if<shell::Literal>(&part.value);
    Term value = part_value(part, true);
    if (value.kind == Kind::list) {
      shell::Word word;
      word.parts = {part};
      value = value_of(word);
    }
    file.pieces.push_back(
        {literal != nullptr ? terms::text(literal->value) : std::move(value), part.span});
  }
  keep_ambient_ = false;
  return file;
}

// cat head.txt body.txt, of files that the driver has written.
std::optional<WrittenFile> DriverReader::files_together(const shell::SimpleCommand& command) {
  WrittenFile whole;
  std::vector<std::string> keys;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const std::string key = key_of(value_of(command.words[i]));
    const auto file = state_.files.find(key);
    if (file == state_.files.end() || file->second.torn || file->second.foreign) {
      return std::nullopt;
    }
    whole.pieces.insert(whole.pieces.end(), file->second.pieces.begin(), file->second.pieces.end());
    keys.push_back(key);
  }
  if (keys.empty()) {
    return std::nullopt;
  }
  submitted_files_.insert(keys.begin(), keys.end()); // a job is made of them
  return whole;
}

// What echo, printf or cat <<EOF print; nothing where another program prints.
std::optional<WrittenFile> DriverReader::printed_text(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  if (command == nullptr || command->words.empty() || !command->assignments.empty()) {
    return std::nullopt;
  }
  const auto name = analysis::command_name(*command);
  WrittenFile file;
  if (name == "cat" || name == "tee") {
    for (const shell::Redirect& redirect : statement.redirects) {
      if (redirect.kind == shell::RedirectKind::heredoc) {
        return heredoc(redirect);
      }
    }
    return name == "cat" ? files_together(*command) : std::nullopt;
  }
  if (name != "echo" && name != "printf") {
    return std::nullopt;
  }
  bool newline = true;
  bool escapes = name == "printf";
  std::size_t first = 1;
  for (; name == "echo" && first < command->words.size(); ++first) {
    const auto word = command->words[first].literal();
    if (!word || word->size() < 2 || (*word)[0] != '-' ||
        word->find_first_not_of("neE", 1) != std::string::npos) {
      break;
    }
    newline &= word->find('n') == std::string::npos;
    escapes |= word->find('e') != std::string::npos;
  }
  keep_ambient_ = true;
  bool begun = false;
  for (std::size_t i = first; i < command->words.size(); ++i) {
    for (Term& field : fields_of(command->words[i])) {
      if (begun) {
        file.pieces.push_back({terms::text(" "), {}});
      }
      begun = true;
      if (escapes && field.kind == Kind::joined) {
        for (Term& part : field.parts) {
          part.text = part.kind == Kind::text ? unescaped(part.text) : part.text;
        }
      } else if (escapes && field.kind == Kind::text) {
        field.text = unescaped(field.text);
      }
      for (const Term& part : field.kind == Kind::joined ? field.parts : std::vector<Term>{field}) {
        file.pieces.push_back({part, command->words[i].span});
      }
    }
  }
  keep_ambient_ = false;
  if (name == "printf") {
    const bool one = command->words.size() == first + 1;
    const auto format =
        one && !file.pieces.empty() ? terms::constant(file.pieces[0].value) : std::nullopt;
    if (!format || file.pieces.size() != 1 || format->find('%') != std::string::npos) {
      return std::nullopt;
    }
    return file;
  }
  if (newline) {
    file.pieces.push_back({terms::text("\n"), {}});
  }
  return file;
}

// echo ... > file, cat > file <<EOF, { echo ...; } > file; the reason where it cannot be followed,
// nothing where the statement writes no file.
std::optional<DriverReader::Why> DriverReader::writes_file(const shell::Statement& statement) {
  const shell::Redirect* to = nullptr;
  for (const shell::Redirect& redirect : statement.redirects) {
    const bool output = redirect.kind == shell::RedirectKind::output ||
                        redirect.kind == shell::RedirectKind::append ||
                        redirect.kind == shell::RedirectKind::clobber ||
                        redirect.kind == shell::RedirectKind::output_both ||
                        redirect.kind == shell::RedirectKind::append_both;
    if (output && redirect.descriptor.value_or(1) == 1 &&
        redirect.target.literal() != "/dev/null") {
      to = &redirect;
    }
  }
  if (auto piped = tee_writes(statement)) {
    return piped;
  }
  // A job script that something else writes, or writes on, is not known any more.
  const auto unknown = [&]() -> std::optional<Why> {
    const std::string key = key_of(value_of(to->target));
    if (state_.files.contains(key)) {
      return "a file that it writes piece by piece";
    }
    state_.files[key].torn = true;
    return std::nullopt;
  };
  if (to != nullptr && (to->kind == shell::RedirectKind::output_both ||
                        to->kind == shell::RedirectKind::append_both)) {
    return unknown();
  }
  const auto* command = shell::as_simple(statement);
  const auto name = command != nullptr ? analysis::command_name(*command) : std::nullopt;
  std::vector<const shell::Statement*> printers;
  if (to == nullptr) {
    if (name == "rm" && command->assignments.empty()) {
      bool all = true;
      for (const Term& field : fields_of(command->words, 1)) {
        const auto text = terms::constant(field);
        const bool option = text && text->starts_with('-');
        all &= option || state_.files.contains(key_of(field));
      }
      if (all) {
        for (const Term& field : fields_of(command->words, 1)) {
          state_.files.erase(key_of(field));
        }
        drop(statement, "rm", "the job scripts that it wrote are tasks");
        return Why{};
      }
    }
    return std::nullopt;
  }
  if (const auto* group = std::get_if<shell::Group>(&statement.value)) {
    for (const shell::Statement& each : group->body) {
      printers.push_back(&each);
    }
  } else if (command != nullptr) {
    if (command->words.empty() || name == ":") { // > file
      printers.clear();
    } else if (is_sbatch(*command)) {
      return std::nullopt;
    } else {
      printers.push_back(&statement);
    }
  } else {
    return unknown();
  }
  WrittenFile file;
  for (const shell::Statement* each : printers) {
    auto text = printed_text(*each);
    if (!text) {
      return name == "echo" || name == "printf" ||
                     std::holds_alternative<shell::Group>(statement.value)
                 ? std::optional<Why>("a file that it writes piece by piece")
                 : unknown();
    }
    file.pieces.insert(file.pieces.end(), text->pieces.begin(), text->pieces.end());
  }
  write(key_of(value_of(to->target)), file, to->kind == shell::RedirectKind::append,
        statement.span);
  return Why{};
}

void DriverReader::write(const std::string& key, const WrittenFile& text, bool append,
                         const Span& span) {
  written_.try_emplace(key, span);
  if (dropped_.empty()) {
    dropped_ = "a file that the driver writes";
    wrote_ = key;
  }
  WrittenFile& there = state_.files[key];
  if (!append) {
    there = {};
    there.begun = ++begun_;
  }
  there.pieces.insert(there.pieces.end(), text.pieces.begin(), text.pieces.end());
}

// echo ... | tee -a job.sh
std::optional<DriverReader::Why> DriverReader::tee_writes(const shell::Statement& statement) {
  const auto* line = std::get_if<shell::Pipeline>(&statement.value);
  const auto* tee = line != nullptr && line->commands.size() == 2
                        ? shell::as_simple(line->commands.back())
                        : nullptr;
  if (tee == nullptr || analysis::command_name(*tee) != "tee") {
    return std::nullopt;
  }
  const bool append = tee->words.size() > 1 && tee->words[1].literal() == "-a";
  const std::size_t at = append ? 2 : 1;
  const auto text = printed_text(line->commands.front());
  if (!text || tee->words.size() != at + 1) {
    return std::nullopt;
  }
  write(key_of(value_of(tee->words[at])), *text, append, statement.span);
  return Why{};
}

// x=$(echo ... >> job.sh): what it then holds is not followed.
void DriverReader::tear_within(const shell::Statement& statement) {
  const auto known = [&](const shell::Word& word) {
    bool all = true;
    analysis::Visitor visitor;
    visitor.part = [&](const shell::WordPart& part) {
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      all &= parameter == nullptr || state_.variables.contains(parameter->name) ||
             parameter->name == "PWD";
    };
    for (const shell::WordPart& part : word.parts) {
      visitor.part(part);
      if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
        std::ranges::for_each(quoted->parts, visitor.part);
      }
    }
    return all;
  };
  analysis::Visitor inner;
  inner.statement = [&](const shell::Statement& each) {
    for (const shell::Redirect& redirect : each.redirects) {
      const bool output = redirect.kind == shell::RedirectKind::output ||
                          redirect.kind == shell::RedirectKind::append ||
                          redirect.kind == shell::RedirectKind::clobber;
      if (&each != &statement && output && redirect.target.literal() != "/dev/null" &&
          known(redirect.target)) {
        state_.files[key_of(value_of(redirect.target))].torn = true;
      }
    }
  };
  analysis::walk(statement, inner);
}

// The script as the job reads it: what only the driver knows became variables, which it is given.
std::string DriverReader::virtual_text(const WrittenFile& file, ir::Submission& submission,
                                       std::vector<source::Run>& runs, Why& why) {
  std::string whole; // to see which names the script sets itself
  for (const WrittenFile::Piece& piece : file.pieces) {
    whole += terms::constant(piece.value).value_or("");
  }
  // A body that reads the job's name needs the name itself, not something in its place.
  const bool reads_name = whole.find("SLURM_JOB_NAME") != std::string::npos;
  std::string text;
  std::vector<std::pair<Term, std::string>> names;
  const auto name_of = [&](const Term& value) {
    for (const auto& [known, name] : names) {
      if (known == value) {
        return name;
      }
    }
    std::string name = value.kind == Kind::name ? value.text : "";
    for (const ir::Parameter& parameter : driver_.parameters) {
      if (value.kind == Kind::parameter && parameter.name == value.text) {
        name = parameter.name;
        std::ranges::transform(name, name.begin(),
                               [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
      }
    }
    const auto taken = [&](const std::string& candidate) {
      return candidate.empty() || candidate.find(' ') != std::string::npos ||
             assigns(whole, candidate) ||
             std::ranges::any_of(names, [&](const auto& each) { return each.second == candidate; });
    };
    for (int n = 1; taken(name); ++n) {
      name = fmt::format("VALUE_{}", n);
    }
    names.emplace_back(value, name);
    submission.environment[name] = value;
    return name;
  };
  const auto add = [&](const Term& value, const Span& span) {
    if (const auto constant = terms::constant(value)) {
      if (span.end != 0 && span.source == driver_.source) {
        runs.push_back({static_cast<std::uint32_t>(text.size()), span.begin});
      }
      text += *constant;
      return;
    }
    const bool inner =
        file.foreign && text.find(fmt::format("<<{}\n", WrittenFile::end)) != std::string::npos;
    if (const Term* unknown = terms::first_unknown(value)) {
      const auto line = text.rfind('\n') + 1;
      const std::string_view start = std::string_view(text).substr(line);
      if (start.starts_with("#SBATCH ") && names_only(start.substr(8)) &&
          !(reads_name && names_the_job(start))) {
        text += "_";
        return;
      }
      why = fmt::format("a job script with {} in it", unknown->text);
      return;
    }
    if (value.holds_jobs() || value.is_list()) {
      why = "a job script with a job's id in it";
      return;
    }
    if (inner) {
      text += "${" + name_of(value) + "}";
      return;
    }
    const auto begin = text.rfind('\n') + 1;
    const std::string_view line = std::string_view(text).substr(begin);
    if (line.starts_with("#SBATCH")) {
      std::string_view rest = line.substr(7);
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
      if (!names_only(rest) || (reads_name && names_the_job(rest))) {
        needs_constants_ = true;
        why = "a directive whose value is known only when the driver runs";
        return;
      }
      text += value.kind == Kind::name ? value.text : "_";
      return;
    }
    if (line.starts_with("#")) {
      text += value.text;
      return;
    }
    // Within '...' of the job's own text nothing expands.
    bool single = false;
    bool doubled = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\\' && !single) {
        ++i;
      } else if (line[i] == '\'' && !doubled) {
        single = !single;
      } else if (line[i] == '"' && !single) {
        doubled = !doubled;
      }
    }
    const std::string name = "${" + name_of(value) + "}";
    text += single ? "'\"" + name + "\"'" : name;
  };
  for (const WrittenFile::Piece& piece : file.pieces) {
    for (const Term& part :
         piece.value.kind == Kind::joined ? piece.value.parts : std::vector<Term>{piece.value}) {
      add(part, piece.span);
      if (!why.empty()) {
        return {};
      }
    }
  }
  return text;
}

std::expected<std::size_t, std::string> DriverReader::load_written(const WrittenFile& file,
                                                                   const slurm::ReadOptions& read,
                                                                   const std::string& name,
                                                                   ir::Submission& submission) {
  Why why;
  if (file.torn) {
    return std::unexpected(
        std::string("a job script of which it does not write the whole text in one place"));
  }
  std::vector<source::Run> runs;
  const auto readable = in_shell(file);
  if (!readable) {
    return std::unexpected(readable.error());
  }
  const std::string text = virtual_text(*readable, submission, runs, why);
  if (!why.empty()) {
    return std::unexpected(why);
  }
  return context_.load_text(text, {submission.span, std::move(runs)}, name, read);
}

bool same_text(const WrittenFile& one, const WrittenFile& other) {
  return one.torn == other.torn &&
         std::ranges::equal(one.pieces, other.pieces,
                            [](const WrittenFile::Piece& a, const WrittenFile::Piece& b) {
                              return a.value == b.value;
                            });
}

// The files that are not the same however a loop or a choice ends.
void DriverReader::tear_files(const std::vector<State>& ends) {
  for (const State& end : ends) {
    for (const auto& [name, file] : end.files) {
      const bool torn = std::ranges::any_of(ends, [&](const State& other) {
        const auto there = other.files.find(name);
        return there == other.files.end() || !same_text(there->second, file);
      });
      WrittenFile& mine = state_.files.try_emplace(name, file).first->second;
      mine.torn |= torn;
    }
  }
}

// Whether what it holds grew, rather than being written anew.
bool DriverReader::added(const WrittenFile* before, const WrittenFile& file) {
  return before == nullptr ? file.begun == 0
                           : file.begun == before->begun && !same_text(*before, file);
}

// The files that a loop adds to each time round.
void DriverReader::tear_added(const State& before) {
  for (auto& [name, file] : state_.files) {
    const auto there = before.files.find(name);
    file.torn |= added(there == before.files.end() ? nullptr : &there->second, file);
  }
}

// Whether a loop added to a file that the driver submits by name.
bool DriverReader::adds_to_script(const State& before) const {
  const std::string_view text = context_.sources[driver_.source].text;
  const auto submitted = [&](std::string_view name) {
    name = name.substr(name.find_last_of('/') + 1);
    for (auto at = text.find("sbatch"); at != std::string_view::npos;
         at = text.find("sbatch", at + 1)) {
      if (text.substr(at, text.find('\n', at) - at).find(name) != std::string_view::npos) {
        return true;
      }
    }
    return false;
  };
  return std::ranges::any_of(state_.files, [&](const auto& each) {
    const auto& [name, file] = each;
    const auto there = before.files.find(name);
    return added(there == before.files.end() ? nullptr : &there->second, file) && submitted(name);
  });
}

// Files that no job is made of are not carried over.
void DriverReader::unused_files() {
  for (const auto& [key, span] : written_) {
    if (submitted_files_.contains(key)) {
      continue;
    }
    review::Finding finding;
    finding.rule = "S2F322";
    finding.span = span;
    finding.message = "The driver writes a file that no job is made of.";
    finding.slurm_does = "The file lies in a directory that the jobs share.";
    finding.output_does = "It is not written: `main` runs in a container of its own.";
    finding.choices = {"not needed", "write it in the task that reads it"};
    finding.default_ = finding.choices[0];
    context_.findings.add(std::move(finding));
    driver_.not_carried.push_back(
        {fmt::format("{} a file that the driver writes", at(span)), span});
  }
}

} // namespace s2f::passes
