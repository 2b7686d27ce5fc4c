// Job scripts that a driver which runs as it was writes piece by piece.
//
// before:  echo "#!/bin/bash" > job.sh; [ -n "$x" ] && echo "python a.py" >> job.sh
// after:   one Writer: #!/bin/bash; if [ -n "$PART1" ]; then python a.py; fi
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

// The place behind a statement is not in it.
bool holds(const Span& statement, const Span& span) {
  return statement.contains(span) && !(span.size() == 0 && span.end == statement.end);
}

} // namespace

// Nothing but blanks and comments stands between them.
bool DriverPlanner::next_to(const Span& before, const Span& after) const {
  const std::string_view text = context_.sources[driver_.source].text;
  if (after.begin < before.end) {
    return false;
  }
  bool comment = false;
  for (const char c : text.substr(before.end, after.begin - before.end)) {
    comment = c == '#' || (comment && c != '\n');
    if (!comment && std::isspace(static_cast<unsigned char>(c)) == 0 && c != ';') {
      return false;
    }
  }
  return true;
}

// Where the one runs, the other does; neither a submission nor a new value of
// what the first writes stands between them, so that both may be written when
// the second is.
bool DriverPlanner::together(const Writer& before, const Writer& after, bool maybe) const {
  const bool behind = before.span.size() == 0 && !before.parts.empty(); // a choice that was added
  const Span from = behind ? before.parts.back() : before.span;
  const Span between{from.source, from.begin, after.span.begin};
  const auto one_alone = [&](const Block& block) {
    return holds(block.span, before.span) != holds(block.span, after.span) &&
           !(before.span.contains(block.span) || after.span.contains(block.span));
  };
  const auto submitted = [&](const Site& site) {
    return between.begin <= site.statement->span.begin && site.statement->span.begin < between.end;
  };
  if (from.end > after.span.begin || std::ranges::any_of(sites_, submitted) ||
      (!maybe && std::ranges::any_of(blocks_, one_alone))) {
    return false;
  }
  const auto changes = [&](const std::string& name) {
    const auto writes = reader_.writes_.find(name);
    return writes != reader_.writes_.end() &&
           std::ranges::any_of(writes->second, [&](std::uint32_t at) {
             return at > between.begin && at <= between.end;
           });
  };
  return std::ranges::none_of(before.text.values, [&](const auto& value) {
    std::string name;
    bool changed = false;
    for (const char c : value.second + " ") { // every name in it
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        name += c;
      } else {
        changed |= changes(std::exchange(name, {}));
      }
    }
    return changed;
  });
}

std::optional<Span> DriverPlanner::choice_of(const Writer& before, const Writer& after) const {
  std::optional<Span> outer;
  for (const Block& block : blocks_) {
    const bool first = holds(block.span, before.span);
    const bool second = holds(block.span, after.span);
    if (first == second || after.span.contains(block.span)) {
      continue;
    }
    if (first || !block.chooses) {
      return std::nullopt;
    }
    if (!outer || block.span.contains(*outer)) {
      outer = block.span;
    }
  }
  std::string text;
  for (const WrittenFile::Piece& piece : after.text.file.pieces) {
    text += terms::constant(piece.value).value_or("x");
  }
  // Whole statements, and none of the options that sbatch reads.
  int open = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const auto begin = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string word = line.substr(begin, line.find_first_of(" \t;(", begin) - begin);
    static constexpr std::array opens{"if", "for", "while", "until", "case"};
    static constexpr std::array closes{"fi", "done", "esac"};
    const bool on_one_line = line.find("; fi") != std::string::npos ||
                             line.find("; done") != std::string::npos ||
                             line.find("esac") != std::string::npos;
    open += std::ranges::find(opens, word) != opens.end() && !on_one_line ? 1 : 0;
    open -= std::ranges::find(closes, word) != closes.end() ? 1 : 0;
    const bool odd = open < 0 || line.starts_with("#SBATCH") || line.ends_with('\\') ||
                     line.find('{') != std::string::npos || line.find('}') != std::string::npos ||
                     line.find("<<") != std::string::npos ||
                     (open == 0 && (word == "else" || word == "elif" || word == "then"));
    if (odd) {
      return std::nullopt;
    }
    at = end + 1;
  }
  return open == 0 && text.ends_with('\n') && together(before, after, true) ? outer : std::nullopt;
}

void DriverPlanner::add_pieces(Writer& before, const Writer& after) {
  const auto& pieces = after.text.file.pieces;
  before.options |=
      !before.maybe.empty() && std::ranges::any_of(pieces, [](const WrittenFile::Piece& piece) {
        return terms::constant(piece.value).value_or("").contains("#SBATCH");
      });
  before.text.file.pieces.insert(before.text.file.pieces.end(), pieces.begin(), pieces.end());
  for (const auto& value : after.text.values) {
    if (std::ranges::find(before.text.values, value) == before.text.values.end()) {
      before.text.values.push_back(value);
    }
  }
  before.empty = false;
}

// if ...; then echo ... >> FILE; fi: lines of the script that it has where a
// variable says so.
void DriverPlanner::add_choice(Writer& before, Writer& after, const Span& choice) {
  const std::string name = fmt::format("PART{}", ++choices_);
  auto& pieces = before.text.file.pieces;
  pieces.push_back({terms::text("if [ -n \""), {}});
  pieces.push_back({terms::name(name, Type::text), after.span});
  pieces.push_back({terms::text("\" ]; then\n"), {}});
  const auto& added = after.text.file.pieces;
  const auto start = added.empty() ? std::nullopt : terms::constant(added.front().value);
  if (start && start->starts_with('#')) { // nothing else may stand there
    pieces.push_back({terms::text(":\n"), {}});
  }
  add_pieces(before, after);
  pieces.push_back({terms::text("fi\n"), {}});
  before.text.values.emplace_back(name, "$SUBMIT_" + name);
  before.maybe.emplace_back(after.span, "SUBMIT_" + name);
  if (!before.inserted || before.span.size() > 0) {
    before.parts.push_back(before.span);
  }
  before.span = {choice.source, choice.end, choice.end};
  before.inserted = true;
}

// Whether the second writes on where the first ended; if so, they are one.
bool DriverPlanner::join(Writer& before, Writer& after) {
  if (next_to(before.span, after.span)) {
    const bool nothing = before.span.size() == 0; // the place behind a choice
    before.span = {after.span.source, nothing ? after.span.begin : before.span.begin,
                   after.span.end};
    before.inserted &= !nothing;
    add_pieces(before, after);
    return true;
  }
  if (together(before, after, false)) {
    if (!before.inserted || before.span.size() > 0) {
      before.parts.push_back(before.span);
    }
    before.span = after.span;
    before.inserted = false;
    add_pieces(before, after);
    return true;
  }
  const auto choice = choice_of(before, after);
  if (choice) {
    add_choice(before, after, *choice);
  }
  return choice.has_value();
}

// Those that write one file, one behind another, are one.
void DriverPlanner::merge_writers() {
  std::ranges::sort(writers_, {}, [](const Writer& writer) { return writer.span.begin; });
  std::vector<Writer> merged;
  for (Writer& writer : writers_) {
    const auto before = std::find_if(merged.rbegin(), merged.rend(), [&](const Writer& other) {
      return plain_name(other.target) == plain_name(writer.target);
    });
    if (!writer.append || before == merged.rend() || !join(*before, writer)) {
      merged.push_back(std::move(writer));
    }
  }
  for (Writer& writer : merged) { // what begins a script begins its file
    const auto& pieces = writer.text.file.pieces;
    const auto first = pieces.empty() ? std::nullopt : terms::constant(pieces.front().value);
    writer.append &= !(first && first->starts_with("#!"));
    // A choice at the end would set the status of a job that has none there.
    writer.append |= writer.options || (writer.inserted && writer.span.size() == 0);
  }
  writers_ = std::move(merged);
}

} // namespace s2f::passes
