// Loops over lines: of a file, of a text, of what a program prints.
//
// before:  while read -r line; do ./run "$line"; done < list.txt
// after:   For{line in LinesOf{list.txt}: Launch{./run <line>}}
// before:  ls *.bam | while read f; do samtools index $f; done
// after:   For{f in LinesOf{Output{ls *.bam}, printed}: Launch{samtools index <f>}}, S2F493
#include <algorithm>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "passes/lifting.hpp"
#include "passes/names.hpp"

namespace s2f::passes {

namespace {

constexpr const char* other = "a loop that reads in another form";

// [ -n "$name" ], [[ -n $name ]] or [[ $name ]]
bool asks_text(const shell::Statement& statement, const std::string& name) {
  const auto is_name = [&](const shell::Word& word) {
    const auto* part = word.parts.size() == 1 ? &word.parts.front() : nullptr;
    const auto* quoted = part == nullptr ? nullptr : std::get_if<shell::DoubleQuoted>(&part->value);
    if (quoted != nullptr && quoted->parts.size() == 1) {
      part = &quoted->parts.front();
    }
    const auto* parameter = part == nullptr ? nullptr : std::get_if<shell::Parameter>(&part->value);
    return parameter != nullptr && parameter->name == name && parameter->op.empty();
  };
  if (const auto* test = std::get_if<shell::Test>(&statement.value)) {
    const bool asks =
        test->tokens.size() == 1 || (test->tokens.size() == 2 && test->tokens[0].op == "-n");
    return asks && test->words.size() == 1 && is_name(test->words[0]);
  }
  const auto* command = shell::as_simple(statement);
  constexpr std::size_t words = 4;
  return command != nullptr && command->words.size() == words &&
         command->words[0].literal() == "[" && command->words[1].literal() == "-n" &&
         is_name(command->words[2]);
}

bool plain_name(const std::string& word) {
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
         std::ranges::all_of(word,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

} // namespace

// What the condition of the loop reads into which variables: of several `read_words_`.
std::string Lifting::reads_of(const shell::While& loop, ir::LinesOf& lines, std::string& variable) {
  if (loop.until || loop.condition.size() != 1) {
    return "a loop with a redirection";
  }
  const shell::Statement* reads = &loop.condition.front();
  const auto* list = std::get_if<shell::AndOr>(&reads->value);
  if (list != nullptr && !list->is_and) { // || [ -n "$line" ]
    lines.rest = true;
    reads = &*list->left;
  }
  const auto* command = shell::as_simple(*reads);
  if (command == nullptr || analysis::command_name(*command) != "read" ||
      !reads->redirects.empty() || reads->negated || reads->background) {
    return other;
  }
  lines.escapes = true;
  std::vector<std::string> names;
  for (std::size_t i = 1; i < command->words.size(); ++i) {
    const std::string word = command->words[i].literal().value_or("");
    if (word == "-r" && names.empty()) {
      lines.escapes = false;
    } else if (!plain_name(word)) {
      return other;
    } else {
      names.push_back(word);
    }
  }
  for (const shell::Assignment& assignment : command->assignments) {
    const auto separator = assignment.value ? assignment.value->literal() : std::nullopt;
    const shell::WordPart* only = assignment.value && assignment.value->parts.size() == 1
                                      ? &assignment.value->parts.front()
                                      : nullptr;
    const auto* ansi = only != nullptr ? std::get_if<shell::AnsiQuoted>(&only->value) : nullptr;
    const std::string text = ansi != nullptr ? ansi->value : separator.value_or("  ");
    // A blank that parts words parts them however often it stands there.
    const bool sign =
        text.size() == 1 && std::string_view(" \t\n\\").find(text) == std::string::npos;
    if (assignment.name != "IFS" || (!text.empty() && (!sign || names.size() < 2))) {
      return other;
    }
    lines.blanks = true;
    lines.separator = text;
  }
  const bool any = std::ranges::any_of(names, [&](const std::string& name) {
    return read_later(name) || exported_.contains(name) || maybe_exported_.contains(name) ||
           analysis::ambient_variable(name) || std::ranges::count(names, name) > 1 ||
           scope_.list(name) != nullptr;
  });
  if (names.empty() || any || (lines.rest && !asks_text(*list->right, names.front()))) {
    return other;
  }
  if (names.size() == 1) {
    variable = names.front();
    return {};
  }
  if (lines.escapes || (lines.blanks && lines.separator.empty())) {
    return lines.escapes ? "a loop that reads words without -r" : other;
  }
  for (const std::string& name : names) {
    lines.names.push_back(local_name(job_, name));
  }
  read_words_ = std::move(names);
  variable = " line"; // with a blank it is none of the script's
  return {};
}

// while read -r line; do ...; done < file
std::string Lifting::read_loop(ir::Step& step, const shell::While& loop) {
  if (errexit_ != job_.errexit) {
    return "a loop that reads where set -e does not hold";
  }
  const std::vector<shell::Redirect>& redirects = step.statement->redirects;
  if (redirects.size() != 1 || redirects.front().descriptor.value_or(0) != 0 ||
      redirects.front().variable) {
    return "a loop with a redirection";
  }
  const shell::Redirect& redirect = redirects.front();
  if (redirect.kind != shell::RedirectKind::input) {
    ir::Value text;
    std::string why = text_of(redirect, text);
    return why.empty() ? read_loop_of_text(step, loop, std::move(text)) : why;
  }
  if (redirect.target.parts.size() == 1 &&
      std::holds_alternative<shell::ProcessSubstitution>(redirect.target.parts.front().value)) {
    const auto& from =
        std::get<shell::ProcessSubstitution>(redirect.target.parts.front().value); // < <(command)
    shell::CommandSubstitution command;
    command.body = from.body;
    ir::Value text = from.direction == '<' ? substitution(command) : ir::Value{};
    if (!text.known() || !text.runs_program() || text.parts.size() != 1) {
      return text.known() ? "a loop with a redirection" : why_unknown(text);
    }
    std::string why = read_loop_of_text(step, loop, std::move(text));
    return why;
  }
  ir::LinesOf lines;
  std::string variable;
  if (std::string why = reads_of(loop, lines, variable); !why.empty()) {
    return why;
  }
  lines.file = scope_.value_of(redirect.target);
  if (!lines.file.known()) {
    return why_unknown(lines.file);
  }
  if (lines.file.parts.empty() || may_split(lines.file)) {
    return "a redirection from a file that may be none";
  }
  const auto path = lines.file.text();
  const bool there =
      path && !elsewhere_ && context_.file_exists && context_.file_exists(directory_ + *path);
  if (!there && !errexit_ && later_.front().at + 1 == job_.body.size()) {
    return "a loop whose file may be missing at the job's end";
  }
  if (path) {
    include(*path);
  }
  return read_loop_with(step, loop, std::move(lines), variable);
}

std::string Lifting::read_loop_with(ir::Step& step, const shell::While& loop, ir::LinesOf lines,
                                    const std::string& variable) {
  ir::For result;
  result.lines = std::move(lines);
  return loop_over(step, std::move(result), variable, loop.body);
}

// <<< "$text", <<EOF
std::string Lifting::text_of(const shell::Redirect& redirect, ir::Value& text) {
  ir::Launch launch;
  if (redirect.kind != shell::RedirectKind::heredoc &&
      redirect.kind != shell::RedirectKind::herestring) {
    return "a loop with a redirection";
  }
  if (std::string why = input(redirect, launch); !why.empty()) {
    return why;
  }
  text = std::move(launch.input->value);
  // Python takes the lines without the last newline.
  auto* last = text.parts.empty() ? nullptr : std::get_if<ir::Text>(&text.parts.back());
  if (last != nullptr && last->text.ends_with('\n')) {
    last->text.pop_back();
    if (last->text.empty()) {
      text.parts.pop_back();
    }
  }
  const bool empty = std::ranges::none_of(text.parts, [](const ir::ValuePart& part) {
    ir::Value single;
    single.append(part);
    return std::holds_alternative<ir::Text>(part) || Scope::one_word(single);
  });
  return empty && !text.runs_program() ? other : std::string(); // one empty line
}

std::string Lifting::read_loop_of_text(ir::Step& step, const shell::While& loop, ir::Value text) {
  ir::LinesOf lines;
  std::string variable;
  if (std::string why = reads_of(loop, lines, variable); !why.empty()) {
    return why;
  }
  if (lines.escapes && !text.is_text()) {
    review::Finding finding;
    finding.rule = "S2F492";
    finding.span = loop.condition.front().span;
    finding.message = "`read` without -r takes a backslash in a line for an escape.";
    finding.slurm_does =
        "The backslash is gone, and one at the end of a line joins the next to it.";
    finding.output_does = "The same of a file; in what a program prints it stays where it is.";
    context_.findings.add(std::move(finding));
  }
  if (lines.escapes && text.text().value_or("").find('\\') != std::string::npos) {
    return other;
  }
  lines.escapes = false;
  lines.printed = true;
  if (text.runs_program()) {
    review::Finding finding;
    finding.rule = "S2F493";
    finding.span = step.span;
    finding.message = "A loop runs over the lines that a program prints.";
    finding.slurm_does = "It begins with the first line, while the program goes on; a last line "
                         "without a newline is left out, and commands in it may read from the "
                         "same stream.";
    finding.output_does = "It begins when the program has ended, with all lines but empty ones at "
                          "the end, and not at all where nothing was printed; commands in it "
                          "read nothing.";
    context_.findings.add(std::move(finding));
  }
  lines.file = std::move(text);
  return read_loop_with(step, loop, std::move(lines), variable);
}

// command | while read line; do ...; done. Nothing for another pipeline.
std::optional<std::string> Lifting::piped_loop(ir::Step& step, const shell::Pipeline& pipeline) {
  const auto* loop = std::get_if<shell::While>(&pipeline.commands.back().value);
  const shell::Statement& last = pipeline.commands.back();
  if (loop == nullptr || !last.redirects.empty() || last.negated || last.timed || last.background ||
      pipeline.commands.size() < 2) {
    return std::nullopt;
  }
  // The loop has a shell of its own.
  if (!ends_with_its_shell(last) || job_.pipefail) {
    return "a pipeline with a loop";
  }
  shell::CommandSubstitution command;
  shell::Statement before;
  before.span = {step.span.source, pipeline.commands.front().span.begin,
                 pipeline.commands[pipeline.commands.size() - 2].span.end};
  if (pipeline.commands.size() == 2) {
    before = pipeline.commands.front();
  } else {
    shell::Pipeline shorter;
    shorter.commands.assign(pipeline.commands.begin(), pipeline.commands.end() - 1);
    shorter.pipes_stderr.assign(pipeline.pipes_stderr.begin(),
                                pipeline.pipes_stderr.begin() +
                                    static_cast<std::ptrdiff_t>(shorter.commands.size() - 1));
    before.value = std::move(shorter);
  }
  if (pipeline.pipes_stderr[pipeline.commands.size() - 2]) {
    return "a pipeline with a loop";
  }
  command.body.push_back(std::move(before));
  ir::Value text = substitution(command);
  if (!text.known()) {
    return why_unknown(text);
  }
  if (text.parts.empty() || text.many()) {
    return "a pipeline with a loop";
  }
  if (effects_of(last).changes_directory) {
    return comes_back(step, [&](ir::Step& does) {
      std::string why = read_loop_of_text(does, *loop, std::move(text));
      return why;
    });
  }
  return read_loop_of_text(step, *loop, std::move(text));
}

} // namespace s2f::passes
