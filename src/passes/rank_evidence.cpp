// Goes by what stands behind containers and in texts of shells, by the words of the program and by
// the libraries that the script loads.
#include "passes/rank_evidence.hpp"
#include "passes/launcher_words.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "generated/tables/launchers.hpp"
#include "passes/container_command.hpp"
#include "passes/rank_signs.hpp"
#include "passes/software.hpp"
#include "shell/parse.hpp"

namespace s2f::passes {

namespace {

using Kind = Ranks::Kind;

bool is_shell(const std::string& name) {
  static constexpr std::array shells{"bash", "sh", "zsh", "ksh", "dash"};
  return std::ranges::find(shells, name) != shells.end();
}

std::string unquoted(std::string text) {
  const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') &&
                      text.front() == text.back();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

class Evidence {
public:
  Evidence(const PassContext& context, const shell::SimpleCommand& command, const PlainWords& words,
           std::size_t program)
      : context_(context), command_(command), words_(words), program_(program) {}

  Ranks read() {
    Ranks ranks = ranks_of(context_, words_, program_);
    if (ranks.kind != Kind::unknown) {
      return ranks;
    }
    const bool as_written = words_.size() == command_.words.size();
    const std::size_t first = as_written ? program_ : 0;
    if (const auto container =
            !as_written
                ? std::nullopt
                : read_container_command(context_, constants_of(context_.job), command_, program_);
        container && container->inner < words_.size()) {
      program_ = container->inner;
      Ranks within = ranks_of(context_, words_, program_);
      if (within.kind == Kind::mpi) {
        return within;
      }
      if (within.kind == Kind::unknown) {
        ranks.why = std::move(within.why);
      }
    }
    const Behind behind = behind_wrappers(words_, program_);
    const bool named = behind.program < words_.size() && words_[behind.program];
    const std::string name = named ? program_name(*words_[behind.program]) : "";
    if (is_shell(name) && as_written) {
      if (auto told = of_shell(behind.program)) {
        if (told->kind != Kind::unknown) {
          return *std::move(told);
        }
        ranks.why = std::move(told->why);
      } else {
        ranks.why = script_of_shell(behind.program).value_or(ranks.why);
      }
    }
    if (const auto told = behind_script(behind.program)) {
      if (told->kind == Kind::mpi) {
        return *told;
      }
      ranks.why = told->why;
    }
    const bool compiled = !is_shell(name) && !is_python(name) && !behind.script && !written_text();
    return by_signs(rank_signs(context_, command_, first), name, compiled, std::move(ranks));
  }

private:
  // Whether the program is a script, which a library of MPI that is loaded says nothing of.
  [[nodiscard]] bool written_text() const {
    const auto script = [](const std::string& text) {
      return text.ends_with(".py") || text.ends_with(".sh") || text.ends_with(".R") ||
             text.find("python") != std::string::npos;
    };
    return std::ranges::any_of(command_.words,
                               [&](const shell::Word& word) {
                                 return script(unquoted(context_.text(word.span)));
                               }) ||
           std::ranges::any_of(words_, [&](const auto& word) { return word && script(*word); });
  }

  // ./with_environment.sh python train.py: what the script, which is not there, is given to run.
  [[nodiscard]] std::optional<Ranks> behind_script(std::size_t at) const {
    if (at >= words_.size() || !words_[at] || !words_[at]->ends_with(".sh")) {
      return std::nullopt;
    }
    for (std::size_t i = at + 1; i < words_.size(); ++i) {
      if (words_[i] && is_python(program_name(*words_[i])) && python_script(words_, i)) {
        Ranks ranks = ranks_of(context_, words_, i);
        return ranks.kind == Kind::mpi || ranks.kind == Kind::unknown ? std::optional(ranks)
                                                                      : std::nullopt;
      }
    }
    return std::nullopt;
  }

  // bash -c "export A=1; ./solver"
  [[nodiscard]] std::optional<Ranks> of_shell(std::size_t at) const {
    std::size_t option = at + 1;
    while (option < words_.size() && words_[option] && words_[option]->starts_with('-') &&
           !words_[option]->ends_with('c')) {
      ++option;
    }
    if (option + 1 >= words_.size() || !words_[option] || !words_[option]->starts_with('-')) {
      return std::nullopt;
    }
    const shell::Word& word = command_.words[option + 1];
    source::Sources sources;
    const auto id = sources.add("-c", word.literal().value_or(unquoted(context_.text(word.span))));
    const shell::Script script = shell::parse(sources[id]);
    std::optional<Ranks> told;
    bool shows = true;
    std::string last; // the program that the text ends with
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      if (told || command == nullptr || command->words.empty()) {
        return;
      }
      PlainWords words;
      for (const shell::Word& each : command->words) {
        words.push_back(each.literal());
      }
      const std::size_t program = behind_wrappers(words).program;
      if (program >= words.size() || !words[program]) {
        shows = false;
        return;
      }
      const std::string name = program_name(*words[program]);
      const auto* row = launcher_of(name);
      const Ranks ranks = ranks_of(context_, words, program);
      if (ranks.kind != Kind::shows && name != "echo") {
        shows = false;
        last = name;
      }
      if (row != nullptr && row->kind == tables::LaunchersKind::mpi) {
        told = Ranks{Kind::mpi, fmt::format("each starts ranks by {}", name)};
      } else if (ranks.kind == Kind::mpi) {
        told = ranks;
      }
    };
    for (const shell::Statement& statement : script.statements) {
      analysis::walk(statement, visitor);
    }
    if (!told && (shows || !last.empty())) {
      told = shows ? Ranks{Kind::shows, {}}
                   : Ranks{Kind::unknown,
                           fmt::format("nothing tells whether {} is an MPI program", last)};
    }
    return told;
  }

  // bash launcher.sh, which is not there
  [[nodiscard]] std::optional<std::string> script_of_shell(std::size_t at) const {
    for (std::size_t i = at + 1; i < words_.size() && words_[i]; ++i) {
      if (words_[i]->starts_with('-')) {
        continue;
      }
      const bool there = context_.file_exists && context_.file_exists(*words_[i]);
      return there ? std::nullopt
                   : std::optional(fmt::format("{} is not beside the script, so nothing tells "
                                               "whether it is an MPI program",
                                               *words_[i]));
    }
    return std::nullopt;
  }

  [[nodiscard]] Ranks by_signs(const RankSigns& signs, const std::string& name, bool compiled,
                               Ranks otherwise) const {
    const std::string program = name.empty() ? "its program" : name;
    if (!signs.program_mpi.empty()) {
      return {Kind::mpi, fmt::format("{}, in what it starts, says that it is an MPI program",
                                     signs.program_mpi.front())};
    }
    for (const std::string& sign : signs.sure_other) { // mpi4py, in whatever language
      if (std::ranges::find(signs.mpi, sign) != signs.mpi.end()) {
        return {Kind::mpi,
                fmt::format("{} is an MPI program, as {} in the script says", program, sign)};
      }
    }
    if (!signs.sure_torch.empty()) {
      return {Kind::unknown, fmt::format("{} says that they are ranks of torch, and {} is not "
                                         "there to be read",
                                         signs.sure_torch.front(), program)};
    }
    if (!signs.sure_other.empty()) {
      return {Kind::unknown, fmt::format("{} says that they are no ranks of torch, and {} is not "
                                         "there to be read",
                                         signs.sure_other.front(), program)};
    }
    if (compiled && !signs.mpi.empty()) {
      return {Kind::mpi, fmt::format("{} is an MPI program, as {} in the script says", program,
                                     signs.mpi.front())};
    }
    return otherwise;
  }

  const PassContext& context_;
  const shell::SimpleCommand& command_;
  const PlainWords& words_;
  std::size_t program_;
};

} // namespace

Ranks told_ranks(const PassContext& context, const shell::SimpleCommand& command,
                 const PlainWords& words, std::size_t program) {
  return Evidence(context, command, words, program).read();
}

} // namespace s2f::passes
