// The program that a command starts: a name, or a value that is one when the job runs.
//
// before:  $NAMD_DIR/namd2 run.conf       after:  Launch{<namd_dir>/namd2 run.conf}
// before:  $PYTHON train.py               after:  Launch{*split_words(python) train.py}, S2F463
#include <algorithm>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "generated/tables/builtins.hpp"
#include "generated/tables/launchers.hpp"
#include "passes/launcher_words.hpp"
#include "passes/lifting.hpp"
#include "passes/mpi_in_container.hpp"
#include "passes/script_values.hpp"

namespace s2f::passes {

namespace {

// The text behind the last part that is known only when the job runs.
std::string tail_of(const ir::Value& value) {
  const auto* text = value.parts.empty() ? nullptr : std::get_if<ir::Text>(&value.parts.back());
  return text == nullptr ? "" : text->text;
}

} // namespace

// Why a command of that name starts no program; "" if it does.
std::string Lifting::why_no_program(std::string_view name) const {
  if (functions_.contains(std::string(name))) {
    return "a call of a function";
  }
  const auto is_named = [&](const auto& row) { return row.name == name; };
  const auto* launcher = launcher_of(name);
  const bool here = launcher != nullptr && launcher->kind == tables::LaunchersKind::mpi &&
                    mpi_in_container(context_);
  if (launcher != nullptr && !here) {
    return fmt::format("a call of {}", name);
  }
  const auto* builtin = std::ranges::find_if(tables::builtins, is_named);
  if (builtin != std::end(tables::builtins) && builtin->as == tables::BuiltinsAs::state) {
    return fmt::format("the shell's own {}", name);
  }
  return {};
}

std::string Lifting::program_of(const ir::Value& program, const shell::SimpleCommand& command) {
  if (const auto name = program.text()) {
    // $1 that is `cd`: the shell would do it itself.
    const auto* builtin =
        std::ranges::find_if(tables::builtins, [&](const auto& row) { return row.name == *name; });
    if (!analysis::command_name(command) && builtin != std::end(tables::builtins) &&
        builtin->as != tables::BuiltinsAs::program && *name != "echo") {
      return fmt::format("the shell's own {}", *name);
    }
    return name->empty() ? "a program without a name" : why_no_program(*name);
  }
  // A path is no command of the shell's own.
  const std::string tail = tail_of(program);
  if (const auto slash = tail.find_last_of('/'); slash != std::string::npos) {
    const std::string name = tail.substr(slash + 1);
    return name.empty() ? "a program without a name" : why_no_program(name);
  }
  // What the script itself may say of it.
  const ScriptValues values(job_.script ? &*job_.script : nullptr, job_.header.components.front());
  const auto word = std::ranges::find_if(command.words, [&](const shell::Word& each) {
    return each.span.begin == program.span.begin;
  });
  const auto texts = word == command.words.end() ? std::nullopt : values.of(*word);
  const bool parameter = std::ranges::all_of(program.parts, [](const ir::ValuePart& part) {
    return std::holds_alternative<ir::ParameterRef>(part) || std::holds_alternative<ir::Text>(part);
  });
  // Where $( ) prints nothing there is no program, and its own status counts.
  if (!texts && !parameter && (program.runs_program() || !functions_.empty())) {
    return "a program whose name is known only when the job runs";
  }
  for (const std::string& text : texts.value_or(ScriptValues::Texts{})) {
    const std::string name = text.substr(0, text.find_first_of(" \t\n"));
    if (name.find('=') != std::string::npos) {
      continue; // no assignment where it comes of a variable
    }
    if (std::string why = why_no_program(name); !why.empty()) {
      return why;
    }
    const auto* builtin =
        std::ranges::find_if(tables::builtins, [&](const auto& row) { return row.name == name; });
    if (builtin != std::end(tables::builtins) && name != "echo" &&
        builtin->as == tables::BuiltinsAs::handled) {
      return fmt::format("the shell's own {}", name);
    }
  }
  review::Finding finding;
  finding.rule = "S2F463";
  finding.span = program.span;
  finding.message = fmt::format("{} names the program.", context_.text(finding.span));
  finding.slurm_does = "Bash would also run a function, or a command of its own, of that name.";
  finding.output_does = "The task starts a program of that name.";
  context_.findings.add(std::move(finding));
  return {};
}

} // namespace s2f::passes
