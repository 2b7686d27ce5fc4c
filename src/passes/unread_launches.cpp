// A job that asks for more than one process, loads a library of MPI and then runs a program that is
// not there to be read: nothing in the script itself starts ranks, so that program may.
//
// before:  #SBATCH --nodes=16; module load openmpi; ./run.sh     (run.sh is not there)
// after:   stays_on_slurm, S2F717
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/rank_signs.hpp"
#include "passes/mpi_in_container.hpp"
#include "passes/pipeline.hpp"
#include "passes/slurm_commands.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

// openmpi of "openmpi/4.1.5", mpi4py; "" for none.
std::string mpi_name(const std::string& text) {
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = 0; at < text.size();) {
    std::string name;
    for (; at < text.size() && letter(text[at]); ++at) {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
    }
    ++at;
    const auto* row = std::ranges::find_if(tables::rank_signs, [&](const auto& each) {
      return each.in == tables::RankSignsIn::toolchain && each.text == name;
    });
    if (row != std::end(tables::rank_signs)) {
      continue; // what the module was built with
    }
    row = std::ranges::find_if(tables::rank_signs, [&](const auto& each) {
      return each.in == tables::RankSignsIn::word && each.says == tables::RankSignsSays::mpi &&
             (name.starts_with(each.text) || name.ends_with(each.text));
    });
    if (row != std::end(tables::rank_signs)) {
      return text;
    }
  }
  return {};
}

class Unread {
public:
  explicit Unread(PassContext& context) : context_(context) {}

  void run() {
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      if (command != nullptr && !command->words.empty()) {
        look(*command, inner.span);
      }
    };
    for (const ir::Step& step : context_.job.body) {
      if (step.statement != nullptr) {
        analysis::walk(*step.statement, visitor);
      }
    }
    if (library_.empty() || program_.empty()) {
      return;
    }
    const slurm::Component& component = context_.component();
    const std::int64_t nodes = nodes_of(component);
    context_.job.stays_on_slurm =
        ir::Reason{"S2F717",
                   fmt::format("it asks for {} and loads {}, and {}, which may start MPI ranks "
                               "on them, is not beside the script",
                               nodes > 1 ? fmt::format("{} nodes", nodes)
                                         : fmt::format("{} tasks", component.share.tasks),
                               library_, program_),
                   place_};
  }

private:
  void look(const shell::SimpleCommand& command, const Span& span) {
    PlainWords words;
    for (const shell::Word& word : command.words) {
      words.push_back(word.literal());
    }
    const auto name = analysis::command_name(command);
    if (name == "module" || name == "ml" || name == "spack") {
      for (std::size_t i = 1; i < command.words.size() && library_.empty(); ++i) {
        static constexpr std::array others{"unload", "rm",  "del",  "purge", "install",
                                           "avail",  "use", "show", "list"};
        if (words[i] && std::ranges::find(others, *words[i]) != others.end()) {
          return;
        }
        if (!words[i] || !words[i]->starts_with('-')) { // ml -openmpi
          library_ = mpi_name(context_.text(command.words[i].span));
        }
      }
      return;
    }
    const Behind behind = behind_wrappers(words);
    if (!program_.empty() || behind.script || behind.program >= words.size()) {
      return; // a launcher of torch says itself how many it starts
    }
    const shell::Word& first = command.words[behind.program];
    const std::string program = words[behind.program] ? program_name(*words[behind.program]) : "";
    std::string file;
    if (starts_scripts(program)) {
      file = script_behind(command, words, behind.program);
    } else if (program != "source" && program != ".") {
      file = is_script(context_.text(first.span)) ? context_.text(first.span) : "";
    }
    std::erase(file, '"');
    if (!file.empty() && !there(file)) {
      program_ = file;
      place_ = span;
    }
  }

  // Of one node only what a shell runs: the rest of the programs that start ranks are rare there.
  [[nodiscard]] bool starts_scripts(const std::string& program) const {
    static constexpr std::array shells{"bash", "sh", "zsh", "ksh", "csh", "tcsh"};
    static constexpr std::array others{"Rscript", "julia"};
    return std::ranges::find(shells, program) != shells.end() ||
           (several_nodes() &&
            (is_python(program) || std::ranges::find(others, program) != others.end()));
  }

  [[nodiscard]] std::string script_behind(const shell::SimpleCommand& command,
                                          const PlainWords& words, std::size_t at) const {
    for (std::size_t i = at + 1; i < words.size(); ++i) {
      const std::string text = context_.text(command.words[i].span);
      if (text == "-c" || text == "-m" || text == "-lc" || text == "-e") {
        return {};
      }
      if (!text.starts_with('-')) {
        return text;
      }
    }
    return {};
  }

  [[nodiscard]] bool is_script(std::string text) const {
    std::erase(text, '"');
    static constexpr std::array shells{".sh", ".bash", ".csh", ".cmd"};
    return std::ranges::any_of(shells, [&](const char* end) { return text.ends_with(end); }) ||
           (several_nodes() && text.ends_with(".py"));
  }

  [[nodiscard]] bool several_nodes() const { return !has_one_node(context_.component()); }

  [[nodiscard]] bool there(std::string path) const {
    while (path.starts_with("./")) {
      path.erase(0, 2);
    }
    return context_.file_exists && context_.file_exists(path);
  }

  PassContext& context_;
  std::string library_;
  std::string program_;
  Span place_{};
};

} // namespace

void unread_launches(PassContext& context) {
  const slurm::Component& component = context.component();
  const bool several = !has_one_node(component) || component.share.tasks > 1;
  if (several && !context.job.stays_on_slurm && !context.job.cluster &&
      context.job.srun_steps.empty() && !mpi_in_container(context)) {
    Unread(context).run();
  }
}

} // namespace s2f::passes
