// Builds the first IR of a script and opens its ledger.
#include "ir/build.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "generated/tables/interpreters.hpp"
#include "ir/comments.hpp"
#include "review/line_ranges.hpp"

namespace s2f::ir {

namespace {

using review::Disposition;
using review::EntryId;

std::vector<std::string> split_blanks(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (c == ' ' || c == '\t') {
      if (!word.empty()) {
        words.push_back(std::exchange(word, {}));
      }
    } else {
      word += c;
    }
  }
  if (!word.empty()) {
    words.push_back(word);
  }
  return words;
}

std::string base_name(std::string_view path) {
  const auto slash = path.find_last_of('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

Interpreter::Language language_of(tables::InterpretersLanguage language) {
  using From = tables::InterpretersLanguage;
  using To = Interpreter::Language;
  switch (language) {
  case From::bash:
    return To::bash;
  case From::sh:
    return To::sh;
  case From::zsh:
    return To::zsh;
  case From::ksh:
    return To::ksh;
  case From::csh:
    return To::csh;
  case From::python:
    return To::python;
  case From::r:
    return To::r;
  case From::perl:
    return To::perl;
  case From::other:
    break;
  }
  return To::other;
}

std::string first_line(std::string_view text) {
  const auto end = text.find('\n');
  return std::string(text.substr(0, end)) + (end == std::string_view::npos ? "" : " ...");
}

} // namespace

std::string stem_of(std::string_view path) {
  std::string name = base_name(path);
  const auto dot = name.find_last_of('.');
  if (dot != std::string::npos && dot > 0) {
    name.resize(dot);
  }
  std::string stem;
  for (const char c : name) {
    stem += std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128
                ? c
                : '_';
  }
  if (stem.empty() || std::isdigit(static_cast<unsigned char>(stem[0])) != 0) {
    stem = "job_" + stem;
  }
  return stem;
}

Interpreter read_interpreter(const source::Source& source) {
  Interpreter interpreter;
  const std::string_view line = source.line(1);
  if (!line.starts_with("#!")) {
    return interpreter;
  }
  interpreter.span = source.line_span(1);
  std::vector<std::string> words = split_blanks(line.substr(2));
  if (words.empty()) {
    return interpreter;
  }
  if (base_name(words[0]) == "env") {
    words.erase(words.begin());
    if (!words.empty() && words[0] == "-S") {
      words.erase(words.begin());
    }
    if (words.empty()) {
      return interpreter;
    }
  }
  interpreter.path = words[0];
  interpreter.arguments.assign(words.begin() + 1, words.end());
  // A comment behind the first line's words is an argument for the kernel, not for a reader; Bash
  // would look for a file "#".
  if (const auto hash = std::ranges::find_if(interpreter.arguments,
                                             [](const auto& w) { return w.starts_with('#'); });
      hash != interpreter.arguments.end()) {
    interpreter.arguments.erase(hash, interpreter.arguments.end());
  }
  std::string name = base_name(interpreter.path);
  interpreter.language = Interpreter::Language::other;
  for (const auto& row : tables::interpreters) {
    if (name == row.name || (row.name == "python3" && name.starts_with("python3."))) {
      interpreter.language = language_of(row.language);
    }
  }
  for (const std::string& argument : interpreter.arguments) {
    if (argument == "--login") {
      interpreter.login = true;
    }
    if (!argument.starts_with('-') || argument.starts_with("--")) {
      continue;
    }
    interpreter.errexit |= argument.find('e') != std::string::npos;
    interpreter.login |= argument.find('l') != std::string::npos;
  }
  return interpreter;
}

bool is_shell(const Interpreter& interpreter) {
  return interpreter.language == Interpreter::Language::bash ||
         interpreter.language == Interpreter::Language::sh;
}

std::vector<Step> make_steps(const shell::Script& script) {
  std::vector<Step> steps;
  steps.reserve(script.statements.size());
  for (const shell::Statement& statement : script.statements) {
    Step step;
    step.value = Opaque{};
    step.statement = &statement;
    step.span = statement.span;
    steps.push_back(std::move(step));
  }
  return steps;
}

Job make_job(const source::Source& source, const shell::Script& script,
             const slurm::ReadOptions& read) {
  Job job;
  job.source = source.id;
  job.path = source.path;
  job.stem = stem_of(source.path);
  job.script = &script;
  job.interpreter = read_interpreter(source);
  job.header = slurm::read_header(source, read);
  job.errexit = job.interpreter.errexit;
  if (is_shell(job.interpreter)) {
    job.body = make_steps(script);
  }
  return job;
}

namespace {

// "##SBATCH": by whoever wrote it.
bool disabled(const slurm::InertLine& line) { return line.why.starts_with("commented out"); }

// Lines that look like directives and are none, for one and the same reason.
void note_inert(const std::vector<const slurm::InertLine*>& lines, review::Findings& findings) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(lines.size());
  for (const slurm::InertLine* line : lines) {
    numbers.push_back(line->line);
  }
  const bool one = lines.size() == 1;
  std::string why = lines.front()->why;
  for (const std::string_view said : {": Slurm does not read it", ": a comment to Slurm"}) {
    if (why.ends_with(said)) {
      why.erase(why.size() - said.size());
    }
  }
  const std::string all = review::ranges_text(numbers);
  review::Finding finding;
  finding.rule = disabled(*lines.front()) ? "S2F117" : "S2F111";
  finding.span = lines.front()->span;
  if (disabled(*lines.front())) {
    finding.message =
        one ? std::string("This directive is commented out.")
            : fmt::format("{} directives are commented out: lines {}.", lines.size(), all);
  } else {
    finding.message =
        one ? fmt::format("This line looks like a directive, but Slurm does not read it: {}.", why)
            : fmt::format(
                  "{} lines look like directives, but Slurm does not read them: lines {}, {}.",
                  lines.size(), all, why);
  }
  finding.slurm_does = one ? "It takes the line as a comment." : "It takes them as comments.";
  finding.output_does = one ? "It is left out, as in Slurm." : "They are left out, as in Slurm.";
  findings.add(std::move(finding));
}

} // namespace

void open_entries(const source::Source& source, const shell::Script& script,
                  const slurm::Header* header, std::vector<Step>& steps, review::Ledger& ledger,
                  review::Findings& findings, const std::string& masked_text) {
  const std::string_view text = masked_text;
  const auto show = [&](const Span& span) {
    return std::string(text.substr(span.begin, span.size()));
  };
  std::set<std::uint32_t> taken; // lines that are a first line, a directive or inert
  if (source.text.starts_with("#!")) {
    const Span span = source.line_span(1);
    const EntryId id = ledger.open(span, show(span));
    ledger.settle(id, Disposition::platform,
                  "the task starts the commands; what stays Bash runs under this interpreter");
    taken.insert(1);
  }
  if (header != nullptr) {
    for (const slurm::DirectiveLine& line : header->lines) {
      taken.insert(line.line);
      const EntryId id = ledger.open(line.span, show(line.span));
      // One word can hold several options ("#PBS -l nodes=1,walltime=1:00"): one entry for it.
      std::map<Span, bool> words; // whether a later value wins over all that it says
      for (const std::size_t use : line.uses) {
        const slurm::OptionUse& option = header->uses[use];
        const auto [word, first] = words.try_emplace(option.span, option.overridden);
        word->second = word->second && option.overridden;
      }
      for (const auto& [span, overridden] : words) {
        const EntryId child = ledger.open(span, show(span), id);
        if (overridden) {
          ledger.settle(child, Disposition::inert, "a later value of the same option wins");
        }
      }
      if (line.comment) {
        ledger.settle(ledger.open(*line.comment, show(*line.comment), id), Disposition::comment,
                      "a comment on the directive");
      }
      if (line.hetjob) {
        ledger.settle(ledger.open(line.span, "hetjob", id), Disposition::decision,
                      "begins the next component of a heterogeneous job", "S2F303");
      } else if (line.uses.empty() && !line.comment) {
        ledger.settle(id, Disposition::inert, "an empty directive");
      }
    }
    std::vector<std::vector<const slurm::InertLine*>> groups; // of one reason each
    for (const slurm::InertLine& line : header->inert) {
      if (!taken.insert(line.line).second) {
        continue;
      }
      ledger.settle(ledger.open(line.span, show(line.span)), Disposition::inert, line.why,
                    disabled(line) ? "S2F117" : "S2F111");
      const auto same = std::ranges::find_if(
          groups, [&](const auto& group) { return group.front()->why == line.why; });
      if (same != groups.end()) {
        same->push_back(&line);
      } else {
        groups.push_back({&line});
      }
    }
    for (const auto& group : groups) {
      note_inert(group, findings);
    }
  }
  for (Step& step : steps) {
    step.entry = ledger.open(step.span, first_line(show(step.span)));
  }
  for (const shell::Comment& comment : script.comments) {
    const std::uint32_t line = source.position(comment.span.begin).line;
    if (taken.contains(line)) {
      continue;
    }
    const EntryId id = ledger.open_comment(comment.span, show(comment.span));
    if (comment_text(show(comment.span)).empty()) {
      ledger.settle(id, Disposition::comment, "only draws a line");
    } // else by whether it stands in the module, when that is written
  }
}

} // namespace s2f::ir
