// Names what a job is about: the script behind its interpreter, not the interpreter.
//
// before:  srun julia -t 8 --project sweep.jl 10      echo done > log
// after:   "sweep.jl"
//
// before:  python $ROOT/tools/fit.py    "$@"
// after:   "fit.py"                     "the command that it is given"
#include "lower/what_runs.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generated/tables/base_programs.hpp"
#include "generated/tables/path_roles.hpp"
#include "generated/tables/quiet_programs.hpp"
#include "generated/tables/run_targets.hpp"
#include "ir/build.hpp"
#include "ir/steps.hpp"
#include "lower/parts.hpp"

namespace s2f::lower {

namespace {

constexpr std::size_t few = 3;

std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) {
    return names.empty() ? "" : names.front();
  }
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// What may stand in a title: a file, a module, a name; no code and nothing that a shell expands.
bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("._-/+@").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// The text of a word; of a path that is known only in part, its last component.
std::optional<std::string> known_text(const ir::Value& value) {
  if (auto text = value.text()) {
    return text;
  }
  const auto* first = value.parts.empty() ? nullptr : std::get_if<ir::Text>(&value.parts.front());
  const auto* last = value.parts.empty() ? nullptr : std::get_if<ir::Text>(&value.parts.back());
  const auto slash = last == nullptr ? std::string::npos : last->text.rfind('/');
  const bool option = first != nullptr && first->text.starts_with('-');
  if (slash == std::string::npos || slash + 1 == last->text.size() || option) {
    return std::nullopt;
  }
  return last->text.substr(slash + 1);
}

// $1, $@
bool is_given(const ir::Value& value) {
  if (value.parts.size() != 1) {
    return false;
  }
  const auto* computed = std::get_if<ir::Computed>(&value.parts.front());
  return computed != nullptr ? !computed->operands.empty() && is_given(computed->operands.front())
                             : std::holds_alternative<ir::ParameterRef>(value.parts.front());
}

// A name as people say it: a file without its directories, but "nf-core/rnaseq" whole.
std::string shown(const tables::RunTargetsRow& row, const std::string& name) {
  const bool whole = !row.verb.empty() && !name.starts_with('/') && !name.starts_with('.');
  return whole ? name : base_name(name);
}

// The name behind a program of the table; nothing where it is code, or known only at run time.
std::optional<std::string> target(const tables::RunTargetsRow& row, const ir::Launch& launch) {
  std::size_t at = launch.program + 1;
  if (!row.verb.empty()) {
    if (at >= launch.words.size() || launch.words[at].text() != row.verb) {
      return std::nullopt;
    }
    ++at;
  }
  for (; at < launch.words.size(); ++at) {
    const auto word = known_text(launch.words[at]);
    const auto next =
        at + 1 < launch.words.size() ? known_text(launch.words[at + 1]) : std::nullopt;
    if (!word && row.plain && is_given(launch.words[at])) {
      return "the script that it is given";
    }
    if (!word || contains(row.code, *word)) {
      return std::nullopt;
    }
    if (contains(row.names, *word)) {
      return next && is_name(*next) ? std::optional(shown(row, *next)) : std::nullopt;
    }
    if (contains(row.values, *word)) {
      ++at;
    } else if (row.plain && !word->starts_with('-')) {
      return is_name(*word) ? std::optional(shown(row, *word)) : std::nullopt;
    }
  }
  return std::nullopt;
}

void add(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) {
    names.push_back(name);
  }
}

// The programs of a body by what they say of the job.
struct Programs {
  std::vector<std::string> payloads; // scripts of Python
  std::vector<std::string> others;   // what no Debian image has
  std::vector<std::string> common;   // the rest, without what prepares, shows and tidies up
  std::vector<std::string> all;

  void note(const ir::Launch& launch) {
    const std::size_t program = std::min(launch.program, launch.words.size() - 1);
    const ir::Value& named = launch.words[launch.payload.value_or(program)];
    const auto word = known_text(named);
    if (!word) {
      if (is_given(named) && !launch.payload) {
        add(others, "the command that it is given");
      }
      return;
    }
    const std::string name = base_name(*word);
    if (launch.payload) {
      add(payloads, name);
      return;
    }
    const auto* interpreter = tables::find_run_targets(name);
    if (interpreter != nullptr) {
      if (const auto script = target(*interpreter, launch)) {
        add(others, *script);
        return;
      }
    }
    const auto* role = tables::find_path_roles(name);
    if ((role != nullptr && role->role != tables::PathRolesRole::filters) || name == "rm") {
      return;
    }
    add(all, name);
    if (tables::find_quiet_programs(name) == nullptr) {
      const bool known = interpreter != nullptr || tables::find_base_programs(name) != nullptr;
      add(known ? common : others, name);
    }
  }
};

} // namespace

std::optional<std::string> what_runs(const ir::Job& job) {
  if (!ir::is_shell(job.interpreter)) {
    return base_name(job.path);
  }
  Programs programs;
  ir::for_each_step(job.body, [&](const ir::Step& step) {
    const auto* launch = std::get_if<ir::Launch>(&step.value);
    if (launch != nullptr && !step.in_region) {
      programs.note(*launch);
    }
  });
  for (const auto* names : {&programs.payloads, &programs.others, &programs.common}) {
    if (!names->empty()) {
      return names->size() <= few
                 ? listed(*names)
                 : fmt::format("{} programs of {}", names->size(), base_name(job.path));
    }
  }
  // `hostname` alone is what the job is for; `mkdir`, `echo` and `rm` together are not.
  return programs.all.size() == 1 ? std::optional(programs.all.front()) : std::nullopt;
}

} // namespace s2f::lower
