// Where a driver goes before it submits: its jobs start there.
//
// before:  cd run1; sbatch job.sh; cd ..; pushd run2; sbatch job.sh; popd; sbatch -D run3 job.sh
// after:   Submitted{job, directory "run1"}, Submitted{job, directory "run2"}, ... "run3"
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;
using Kind = Term::Kind;

// The directory of the driver: $PWD, $(pwd), or a variable that was given one of them.
bool is_own(const Term& term) {
  return term.kind == Kind::unknown &&
         (term.text.starts_with("$PWD ") || term.text == "the output of pwd");
}

// Lexically, as `cd` goes by default; nothing where that leads out of the driver's directory.
std::optional<std::string> follow(const std::string& from, std::string_view path) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view text) {
    while (!text.empty()) {
      const auto slash = text.find('/');
      const std::string_view part = text.substr(0, slash);
      text.remove_prefix(slash == std::string_view::npos ? text.size() : slash + 1);
      if (part.empty() || part == ".") {
        continue;
      }
      if (part != "..") {
        parts.emplace_back(part);
      } else if (parts.empty()) {
        return false;
      } else {
        parts.pop_back();
      }
    }
    return true;
  };
  if (!add(from) || !add(path)) {
    return std::nullopt;
  }
  return fmt::format("{}", fmt::join(parts, "/"));
}

} // namespace

std::optional<std::string> DriverReader::below(const Term& path) const {
  if (is_own(path)) {
    return "";
  }
  if (path.kind == Kind::joined && path.parts.size() == 2 && is_own(path.parts[0]) &&
      path.parts[1].kind == Kind::text && path.parts[1].text.starts_with('/')) {
    return follow("", path.parts[1].text);
  }
  const auto text = terms::constant(path);
  if (!text || text->empty() || text->starts_with('/') || text->starts_with('~') ||
      text->starts_with('-')) {
    return std::nullopt;
  }
  return follow(state_.directory, *text);
}

// A file of the cluster, which `main` does not see.
void DriverReader::looks_at(const Term& file, const Span& span) {
  const Term& first = file.kind == Kind::joined ? file.parts.front() : file;
  if (const auto text = terms::constant(first);
      text && text->starts_with('/') && !text->starts_with("/dev/")) {
    cluster_patterns_.try_emplace(
        terms::constant(file).value_or(std::string(context_.sources.text(span))), span);
  }
}

Term DriverReader::located(Term path) const {
  const auto text = terms::constant(path);
  if (state_.directory.empty() || (text && text->starts_with('/'))) {
    return path;
  }
  if (!text) {
    return terms::unknown("a file of a directory that it goes to");
  }
  auto found = follow(state_.directory, *text);
  return found ? terms::text(std::move(*found))
               : terms::unknown("a file outside of its own directory");
}

DriverReader::Why DriverReader::change_directory(const shell::Statement& statement,
                                                 const shell::SimpleCommand& command,
                                                 const std::string& name) {
  static const Why other = "a change of directory before it submits";
  if (statement.background || !command.assignments.empty()) {
    return other;
  }
  said_ = "where what follows is submitted from";
  if (name == "popd") {
    if (command.words.size() != 1 || state_.pushed.empty()) {
      return other;
    }
    state_.previous = std::exchange(state_.directory, state_.pushed.back());
    state_.pushed.pop_back();
    return {};
  }
  if (command.words.size() != 2) {
    return other;
  }
  std::optional<std::string> to;
  const std::string_view written = context_.sources.text(command.words[1].span);
  const bool own = written.find("..") == std::string_view::npos &&
                   (written.find("SLURM_SUBMIT_DIR") != std::string_view::npos ||
                    written.find("BASH_SOURCE") != std::string_view::npos ||
                    written.find("dirname") != std::string_view::npos) &&
                   written.find("/") == std::string_view::npos;
  if (name == "cd" && command.words[1].literal() == "-") {
    to = state_.previous;
  } else if (own) {
    to = "";
  } else {
    const auto fields = fields_of(command.words[1]);
    if (fields.size() != 1 || fields.front().is_list()) {
      return other;
    }
    to = below(fields.front());
    needs_constants_ |= !terms::constant(fields.front()) && !is_own(fields.front());
  }
  if (!to) {
    return other;
  }
  if (name == "pushd") {
    state_.pushed.push_back(state_.directory);
  }
  state_.previous = std::exchange(state_.directory, std::move(*to));
  return {};
}

// --chdir=run1: nothing where it is no directory below the driver's.
bool DriverReader::starts_in(const Term& value, ir::Submission& submission) {
  const auto to = below(value);
  if (!to || is_own(value)) {
    needs_constants_ |= !terms::constant(value);
    return false;
  }
  submission.directory = *to;
  return true;
}

} // namespace s2f::passes
