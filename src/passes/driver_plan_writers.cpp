// Job scripts that a driver which runs as it was writes.
//
// before:  cat > job.sh <<EOF ... EOF; echo "python train.py" >> job.sh
// after:   a Writer each, with the text of what it writes
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
using Type = Term::Type;
using review::Disposition;

} // namespace

void DriverPlanner::add_text(Text& to, const std::vector<shell::WordPart>& parts, bool unescape) {
  for (const shell::WordPart& part : parts) {
    const auto text = [&](const std::string& value) {
      to.file.pieces.push_back({terms::text(unescape ? unescaped(value) : value), part.span});
    };
    if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
      text(literal->value);
    } else if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
      text(single->value);
    } else if (const auto* ansi = std::get_if<shell::AnsiQuoted>(&part.value)) {
      to.file.pieces.push_back({terms::text(ansi->value), part.span});
    } else if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      add_text(to, quoted->parts, unescape);
    } else if (const std::string secret = secret_in(part); !secret.empty()) {
      text("${" + secret + "}"); // the job reads it itself
    } else if (const auto known = constant({part})) {
      to.file.pieces.push_back({terms::text(*known), {}});
    } else {
      const std::string written(context_.sources.text(part.span));
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      const bool bare = parameter != nullptr && parameter->op.empty() && !parameter->length &&
                        !parameter->indirect && !parameter->subscript;
      const auto own = [&](const std::string& name) { // a variable of the driver
        return reader_.reads_.contains(name) || reader_.writes_.contains(name);
      };
      const bool argument = bare &&
                            parameter->name.find_first_not_of("0123456789") == std::string::npos &&
                            !own("ARG" + parameter->name);
      const bool all =
          bare && (parameter->name == "@" || parameter->name == "*") && !own("ARGUMENTS");
      // The job has a SLURM_ARRAY_TASK_ID of its own; this one is the driver's.
      const bool plain =
          bare && (argument || all ||
                   (is_variable(parameter->name) && !parameter->name.starts_with("SLURM_")));
      const auto same =
          std::ranges::find(to.values, written, &std::pair<std::string, std::string>::second);
      std::string name = same != to.values.end() && plain ? same->first
                         : argument                       ? "ARG" + parameter->name
                         : all                            ? "ARGUMENTS"
                         : plain                          ? parameter->name
                                                          : fmt::format("VALUE{}", ++unnamed_);
      to.file.pieces.push_back({terms::name(name, Type::text), part.span});
      if (same == to.values.end() || !plain) {
        to.values.emplace_back(std::move(name), written);
      }
    }
  }
}

void DriverPlanner::add_word(Text& to, const shell::Word& word, bool unescape) {
  add_text(to, word.parts, unescape);
}

// What echo, printf or cat <<EOF print.
std::optional<DriverPlanner::Text> DriverPlanner::printed(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  if (command == nullptr || command->words.empty() || !command->assignments.empty() ||
      statement.background) {
    return std::nullopt;
  }
  const auto name = analysis::command_name(*command);
  Text text;
  if (name == "cat") {
    for (const shell::Redirect& redirect : statement.redirects) {
      if (redirect.kind == shell::RedirectKind::heredoc && command->words.size() == 1) {
        add_text(text, redirect.heredoc_parts, false);
        return text;
      }
    }
    return std::nullopt;
  }
  const bool format = name == "printf";
  if (name != "echo" && (!format || command->words.size() != 2)) {
    return std::nullopt;
  }
  std::size_t first = 1;
  bool newline = !format;
  bool escapes = format;
  for (; !format && first < command->words.size(); ++first) {
    const auto word = command->words[first].literal();
    if (!word || word->size() < 2 || (*word)[0] != '-' ||
        word->find_first_not_of("neE", 1) != std::string::npos) {
      break;
    }
    newline &= word->find('n') == std::string::npos;
    escapes |= word->find('e') != std::string::npos;
  }
  if (format && literal_start(command->words[1]).find('%') != std::string::npos) {
    return std::nullopt;
  }
  for (std::size_t i = first; i < command->words.size(); ++i) {
    if (i > first) {
      text.file.pieces.push_back({terms::text(" "), {}});
    }
    add_word(text, command->words[i], escapes);
  }
  if (newline) {
    text.file.pieces.push_back({terms::text("\n"), {}});
  }
  return text;
}

void DriverPlanner::add_writer(const shell::Statement& statement,
                               const std::vector<shell::Statement>& printers,
                               const shell::Redirect& to) {
  Writer writer;
  writer.span = statement.span;
  writer.target = std::string(context_.sources.text(to.target.span));
  writer.append = to.kind == shell::RedirectKind::append;
  for (const shell::Statement& each : printers) {
    auto text = printed(each);
    if (!text) {
      return;
    }
    writer.text.file.pieces.insert(writer.text.file.pieces.end(), text->file.pieces.begin(),
                                   text->file.pieces.end());
    writer.text.values.insert(writer.text.values.end(), text->values.begin(), text->values.end());
  }
  writer.empty = printers.empty();
  writers_.push_back(std::move(writer));
}

void DriverPlanner::find_writers(const shell::Statement& statement) {
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& each) {
    const bool inside = std::ranges::any_of(
        writers_, [&](const Writer& writer) { return writer.span.contains(each.span); });
    const shell::Redirect* to = nullptr;
    for (const shell::Redirect& redirect : each.redirects) {
      const bool output = redirect.kind == shell::RedirectKind::output ||
                          redirect.kind == shell::RedirectKind::append ||
                          redirect.kind == shell::RedirectKind::clobber;
      if (output && redirect.descriptor.value_or(1) == 1) {
        to = &redirect;
      }
    }
    const auto* simple = shell::as_simple(each);
    if (!inside && simple != nullptr && !each.background) {
      add_program_that_writes(each, *simple);
    }
    if (inside || to == nullptr || to->target.literal() == "/dev/null" || each.background) {
      return;
    }
    if (const auto* group = std::get_if<shell::Group>(&each.value)) {
      add_writer(each, group->body, *to);
    } else if (const auto* command = shell::as_simple(each)) {
      const bool nothing = command->assignments.empty() &&
                           (command->words.empty() || analysis::command_name(*command) == ":");
      add_writer(each, nothing ? std::vector<shell::Statement>{} : std::vector{each}, *to);
    }
  };
  analysis::walk(statement, visitor);
}

// tee -a FILE <<EOF; touch FILE, which is not there when the driver begins.
void DriverPlanner::add_program_that_writes(const shell::Statement& statement,
                                            const shell::SimpleCommand& command) {
  const auto name = analysis::command_name(command);
  if (name != "tee" && name != "touch") {
    return;
  }
  Writer writer;
  writer.span = statement.span;
  std::size_t at = 1;
  if (name == "tee" && command.words.size() > 1 && command.words[1].literal() == "-a") {
    writer.append = true;
    ++at;
  }
  if (command.words.size() != at + 1) {
    return;
  }
  writer.target = std::string(context_.sources.text(command.words[at].span));
  writer.empty = name == "touch";
  if (name == "tee") {
    const auto heredoc = std::ranges::find(statement.redirects, shell::RedirectKind::heredoc,
                                           &shell::Redirect::kind);
    if (heredoc == statement.redirects.end()) {
      return;
    }
    add_text(writer.text, heredoc->heredoc_parts, false);
  }
  writers_.push_back(std::move(writer));
}

void DriverPlanner::find_blocks() {
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& each) {
    const auto* choice = std::get_if<shell::If>(&each.value);
    const auto* cases = std::get_if<shell::Case>(&each.value);
    if (shell::as_simple(each) == nullptr) {
      const bool both = std::holds_alternative<shell::AndOr>(each.value) ||
                        std::holds_alternative<shell::Group>(each.value);
      blocks_.push_back({each.span, choice != nullptr || cases != nullptr || both});
    }
    for (std::size_t i = 0; choice != nullptr && i < choice->branches.size(); ++i) {
      blocks_.push_back({choice->branches[i].span, true});
    }
    for (std::size_t i = 0; cases != nullptr && i < cases->items.size(); ++i) {
      blocks_.push_back({cases->items[i].span, true});
    }
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
  }
}

std::optional<std::size_t> DriverPlanner::load(const Text& text, const slurm::ReadOptions& read,
                                               const std::string& name, ir::Submission& submission,
                                               std::map<std::string, std::string>& values) {
  const auto job = reader_.load_written(text.file, read, name, submission);
  if (!job) {
    return std::nullopt;
  }
  for (const auto& [given, value] : submission.environment) {
    const auto source =
        std::ranges::find(text.values, value.text, &std::pair<std::string, std::string>::first);
    if (source != text.values.end()) {
      values[given] = source->second;
    }
  }
  return *job;
}

} // namespace s2f::passes
