// What a job's text, written by a driver that runs as it was, asks of Slurm: directives whose
// values only the running driver knows.
//
// before:  #SBATCH -d afterok:$id      $account (holds "#SBATCH -A proj42")      $load (module
// load) after:   none of these lines; the submission notes `--directive "#SBATCH -d afterok:$id"`
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "passes/driver_plan.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;

// The names of the options in the words behind #SBATCH.
std::vector<std::string> options_in(std::string_view text) {
  std::vector<std::string> found;
  while (!text.empty()) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    text.remove_prefix(word.size());
    if (word.starts_with('#')) {
      break;
    }
    if (word.size() < 2 || word[0] != '-') {
      continue;
    }
    const bool whole = word[1] == '-';
    const std::string_view name =
        whole ? word.substr(2, word.find('=') == std::string_view::npos ? word.size()
                                                                        : word.find('=') - 2)
              : word.substr(1, 1);
    const slurm::OptionInfo* info = option_named(name);
    found.emplace_back(info == nullptr ? std::string(name) : std::string(info->name));
  }
  return found;
}

// What the noting program reads.
bool noted(const std::string& option) { return option == "dependency" || option == "array"; }

std::string trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return std::string(text.substr(0, text.find_last_not_of(" \t\r\n") + 1));
}

std::string in_double_quotes(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\"\\$`").contains(c)) {
      out += '\\';
    }
    out += c;
  }
  return out;
}

} // namespace

const slurm::OptionInfo* option_named(std::string_view name) {
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

bool only_modules(std::string_view text) {
  bool some = false;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(";\n&"), text.size());
    std::string_view one = text.substr(0, end);
    one.remove_prefix(std::min(one.find_first_not_of(" \t"), one.size()));
    if (!one.empty() && !one.starts_with("module ")) {
      return false;
    }
    some |= !one.empty();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return some;
}

// Variables that hold nothing but directives, or module commands.
void DriverPlanner::find_lines() {
  std::map<std::string, std::vector<std::optional<std::string>>> values;
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& each) {
    if (!each.value && !each.array) {
      return;
    }
    std::optional<std::string> start;
    if (each.value && !each.append && !each.subscript) {
      start = "";
      for (const shell::WordPart& part : each.value->parts) {
        const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value);
        const auto& parts = quoted == nullptr ? std::vector{part} : quoted->parts;
        bool more = true;
        for (const shell::WordPart& inner : parts) {
          const auto known = constant({inner});
          const auto* parameter = std::get_if<shell::Parameter>(&inner.value);
          // What stands behind the start of a directive is its value; ${other}:$id adds to one.
          more = known.has_value() || (!start->empty() && start->starts_with("#SBATCH")) ||
                 (start->empty() && parameter != nullptr && parameter->op.empty());
          *start += known                                    ? *known
                    : start->empty() && parameter != nullptr ? "$" + parameter->name
                                                             : "";
          if (!more) {
            break;
          }
        }
        if (!more) {
          start.reset();
          break;
        }
      }
    }
    values[each.name].push_back(std::move(start));
  };
  visitor.statement = [&](const shell::Statement& each) {
    if (const auto* loop = std::get_if<shell::For>(&each.value)) {
      values[loop->variable].push_back(std::nullopt);
    } else if (const auto* command = shell::as_simple(each);
               command != nullptr && !command->words.empty() &&
               command->words.front().literal() == "read") {
      for (const shell::Word& word : command->words) {
        values[word.literal().value_or("")].push_back(std::nullopt);
      }
    }
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
  }
  const auto kind_of = [](const std::string& value) {
    if (value.starts_with("#SBATCH")) {
      return std::ranges::all_of(options_in(std::string_view(value).substr(7)), noted)
                 ? Line::waits
                 : Line::directives;
    }
    return only_modules(value) ? Line::modules : Line::text;
  };
  for (bool more = true; more;) { // a="$b:$id" is what b is
    more = false;
    for (const auto& [name, list] : values) {
      std::optional<Line> line;
      bool same = true;
      for (const auto& value : list) {
        if (!value) {
          same = false;
        } else if (value->empty()) {
          continue;
        } else {
          const auto before =
              value->starts_with('$') ? lines_.find(value->substr(1)) : lines_.end();
          const Line kind = before != lines_.end() ? before->second : kind_of(*value);
          const bool both = line && (*line == Line::waits || *line == Line::directives) &&
                            (kind == Line::waits || kind == Line::directives);
          same &= kind != Line::text && (!line || *line == kind || both);
          line = both && *line != kind ? Line::directives : kind;
        }
      }
      if (same && line && lines_.emplace(name, *line).second) {
        more = true;
      }
    }
  }
}

std::string DriverPlanner::as_written(const Text& text, const WrittenFile::Piece& piece) const {
  if (const auto constant = terms::constant(piece.value)) {
    return in_double_quotes(*constant);
  }
  const auto known =
      std::ranges::find(text.values, piece.value.text, &std::pair<std::string, std::string>::first);
  return known != text.values.end() ? known->second
                                    : std::string(context_.sources.text(piece.span));
}

// Of a line that is one variable and blanks.
DriverPlanner::Line DriverPlanner::line_of(const Text& text,
                                           const std::vector<WrittenFile::Piece>& line) const {
  const WrittenFile::Piece* variable = nullptr;
  for (const WrittenFile::Piece& piece : line) {
    const auto constant = terms::constant(piece.value);
    if (constant ? !trimmed(*constant).empty() : variable != nullptr) {
      return Line::text;
    }
    variable = constant ? variable : &piece;
  }
  if (variable == nullptr) {
    return Line::text;
  }
  std::string name = as_written(text, *variable);
  std::erase_if(name, [](char c) { return c == '$' || c == '{' || c == '}'; });
  const auto known = lines_.find(name);
  return known == lines_.end() ? Line::text : known->second;
}

void DriverPlanner::directive_at_run_time(const std::string& line, const std::string& written,
                                          const Span& span) {
  review::Finding finding;
  finding.rule = "S2F326";
  finding.span = span;
  finding.message =
      fmt::format("The value in `{}{}` is known only when the driver runs.", line, written);
  finding.slurm_does = "It reads the option from the text that the driver made.";
  finding.output_does = "The task does without it; only what it waits for is known to `main`.";
  finding.choices = {"leave it out", "give the task the largest value that is used"};
  finding.default_ = finding.choices[0];
  context_.findings.add(std::move(finding));
}

void DriverPlanner::leave_directives_out(Text& text) {
  // The pieces, line by line; the newline ends the last piece of a line.
  std::vector<std::vector<WrittenFile::Piece>> lines(1);
  for (const WrittenFile::Piece& piece : text.file.pieces) {
    const auto constant = terms::constant(piece.value);
    if (!constant) {
      lines.back().push_back(piece);
      continue;
    }
    for (std::size_t at = 0; at < constant->size();) {
      const auto newline = constant->find('\n', at);
      const std::size_t end = newline == std::string::npos ? constant->size() : newline + 1;
      WrittenFile::Piece cut{terms::text(constant->substr(at, end - at)), piece.span};
      if (piece.span.end != 0) {
        cut.span.begin =
            std::min(piece.span.begin + static_cast<std::uint32_t>(at), piece.span.end);
      }
      lines.back().push_back(std::move(cut));
      if (newline != std::string::npos) {
        lines.emplace_back();
      }
      at = end;
    }
  }
  std::vector<WrittenFile::Piece> out;
  bool header = true;
  for (auto& line : lines) {
    std::string start; // up to the first value that is not known
    std::string plain; // with something in the place of those
    std::string written;
    const WrittenFile::Piece* unknown = nullptr;
    for (const WrittenFile::Piece& piece : line) {
      const auto constant = terms::constant(piece.value);
      unknown = unknown == nullptr && !constant ? &piece : unknown;
      start += unknown == nullptr ? *constant : "";
      plain += constant ? *constant : "x";
      written += as_written(text, piece);
    }
    while (written.ends_with('\n')) {
      written.pop_back();
    }
    const Line kind = unknown == nullptr ? Line::text : line_of(text, line);
    const bool directive = plain.starts_with("#SBATCH");
    const std::vector<std::string> options =
        directive ? options_in(std::string_view(plain).substr(7)) : std::vector<std::string>{};
    if (kind == Line::modules) {
      continue;
    }
    if (kind == Line::directives || kind == Line::waits) {
      if (header && start.empty()) { // else it is a comment
        text.directives.push_back(trimmed(written));
        if (kind == Line::directives) {
          directive_at_run_time("", trimmed(written), unknown->span);
        }
      }
      continue;
    }
    const bool waits = std::ranges::find(options, "dependency") != options.end();
    const bool array = unknown != nullptr && std::ranges::find(options, "array") != options.end();
    if (directive && header && (waits || array)) {
      text.directives.push_back(written);
      text.array |= array;
      const bool only = std::ranges::all_of(options, noted);
      if (!only && unknown != nullptr) {
        directive_at_run_time(start, as_written(text, *unknown), unknown->span);
      }
      if (only || unknown != nullptr) {
        continue;
      }
    }
    std::string_view rest = std::string_view(start).substr(directive ? 7 : 0);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (directive && unknown != nullptr && !names_only(rest)) {
      if (header) {
        directive_at_run_time(start, as_written(text, *unknown), unknown->span);
      }
      continue;
    }
    const std::string bare = trimmed(plain.substr(0, plain.find('\n')));
    header &= bare.empty() || bare.starts_with('#');
    std::ranges::move(line, std::back_inserter(out));
  }
  text.file.pieces = std::move(out);
}

// The indices are known when the driver has run; the task is one element.
void DriverPlanner::take_array(const Text& text, Call& call) {
  if (text.array && !call.computed_indices) {
    call.computed_indices = true;
    call.read.arguments.emplace_back("--array=0-1");
    call.read.argument_spans.emplace_back();
  }
}

std::string DriverPlanner::noted_text(const Text& text) {
  std::string out;
  for (const std::string& each : text.directives) {
    out += fmt::format(" --directive \"{}\"", each);
  }
  return out;
}

} // namespace s2f::passes
