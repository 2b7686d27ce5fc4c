// Reads the numbers of every launcher of a script, in variables, texts of shells, functions and the
// scripts beside it, too.
#include "passes/launch_shape.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "generated/tables/node_programs.hpp"
#include "generated/tables/process_variables.hpp"
#include "generated/tables/rank_options.hpp"
#include "generated/tables/rank_programs.hpp"
#include "passes/rank_start.hpp"
#include "passes/script_values.hpp"
#include "passes/slurm_commands.hpp"
#include "passes/srun.hpp"
#include "passes/wrappers.hpp"
#include "shell/parse.hpp"

namespace s2f::passes {

namespace {

using Role = tables::RankOptionsRole;
using Words = std::vector<StepWord>;

constexpr int most_depth = 4;
constexpr std::size_t most_words = 2000;
constexpr std::size_t most_files = 20;
constexpr std::size_t most_text = 20'000;

std::optional<std::int64_t> positive(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && value > 0 && value < 1'000'000 ? std::optional(value) : std::nullopt;
}

// A launcher of ranks of MPI, which reaches the other nodes by itself.
bool starts_mpi(const std::string& launcher) {
  return launcher == "horovodrun" || launcher == "ibrun" || launcher.starts_with("mpi");
}

// What one launcher says of itself.
struct Numbers {
  std::optional<std::int64_t> nodes, processes, total;
  bool all_gpus = false;
};

Words rest_of(const Words& words, std::size_t from) {
  return {words.begin() + static_cast<std::ptrdiff_t>(std::min(from, words.size())), words.end()};
}

// The launcher of ranks that a word names, with the word before it for `accelerate launch` and
// `python -m`.
std::string launcher_of(const Words& words, std::size_t at) {
  if (!words[at].text) {
    return {};
  }
  const std::string& text = *words[at].text;
  const std::string name = program_name(text);
  const auto before = [&](std::string_view word) {
    return at > 0 && words[at - 1].text && program_name(*words[at - 1].text) == word;
  };
  // deepspeed_in_container.sh, too, but not deepspeed.sif
  if (name.starts_with("deepspeed") &&
      (name.find('.') == std::string::npos || name.ends_with(".sh"))) {
    return "deepspeed";
  }
  if (name == "torchrun" || name == "composer" || name == "deepy.py" || name == "horovodrun" ||
      name == "ibrun" || name == "mpirun" || name == "mpiexec") {
    return name;
  }
  if (name == "launch" && before("accelerate")) {
    return "accelerate";
  }
  if (name == "run" && (before("lightning") || before("fabric"))) {
    return "lightning";
  }
  if (before("-m")) {
    return text == "torch.distributed.run" || text == "torch.distributed.launch" ? "torchrun"
           : text == "accelerate.commands.launch"                                ? "accelerate"
           : text == "composer"                                                  ? "composer"
                                                                                 : "";
  }
  return {};
}

Numbers numbers_of(const std::string& launcher, const Words& words) {
  Numbers numbers;
  const bool mpi = starts_mpi(launcher);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const StepWord& word = words[i];
    if (word.start.size() < 2 || word.start[0] != '-') {
      continue;
    }
    const auto equals = word.start.find('=');
    std::string name = word.start.substr(0, equals);
    std::ranges::replace(name, '_', '-');
    std::optional<std::string> value;
    if (equals != std::string::npos) {
      value = word.text ? std::optional(word.text->substr(equals + 1)) : std::nullopt;
    } else if (i + 1 < words.size()) {
      value = words[i + 1].text;
    }
    if (mpi) {
      if (name == "-np" || name == "-n" || name == "--np") {
        numbers.total = positive(value.value_or(""));
        break;
      }
      if (name == "-npernode" || name == "--npernode" || name == "-ppn" || name == "-perhost") {
        numbers.processes = positive(value.value_or(""));
      }
      continue;
    }
    const auto* row = std::ranges::find_if(tables::rank_options, [&](const auto& each) {
      return each.launcher == launcher && each.name == name;
    });
    if (row == std::end(tables::rank_options)) {
      continue;
    }
    if (row->role == Role::nodes && !numbers.nodes) {
      numbers.nodes = positive(value.value_or(""));
    } else if (row->role == Role::processes && !numbers.processes) {
      numbers.processes = positive(value.value_or(""));
      numbers.all_gpus |= value == "gpu" || value == "auto";
    } else if (row->role == Role::total && !numbers.total) {
      numbers.total = positive(value.value_or(""));
    }
  }
  return numbers;
}

std::string unquoted(std::string text) {
  const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// Whether the text reads the variable: $NAME, ${NAME...
bool names(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find('$'); at != std::string::npos; at = text.find('$', at + 1)) {
    const std::size_t begin = at + (at + 1 < text.size() && text[at + 1] == '{' ? 2 : 1);
    const std::size_t end = begin + name.size();
    const bool longer =
        end < text.size() &&
        (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_');
    if (text.compare(begin, name.size(), name) == 0 && !longer) {
      return true;
    }
  }
  return false;
}

class Shapes {
public:
  explicit Shapes(const PassContext& context)
      : context_(context), component_(context.component()), nodes_(nodes_of(component_)) {}

  std::optional<LaunchShape> run() {
    if (context_.job.script == nullptr) {
      return std::nullopt;
    }
    const ScriptValues values(context_.job.script, component_);
    for (const shell::Statement& statement : context_.job.script->statements) {
      all(statement, values, {});
    }
    return best_;
  }

private:
  // What stands around a command.
  struct Around {
    std::optional<std::int64_t> copies; // of the srun that starts it
    std::optional<std::int64_t> nodes;  // that this srun asks for
    bool each_node = false;             // something starts it on one node after the other
    int depth = 0;
  };

  void all(const shell::Statement& statement, const ScriptValues& values, const Around& around) {
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      if (command != nullptr && !command->words.empty()) {
        Words words = step_words(*command, 0, values, true);
        if (around.depth == 0) {
          written_ = written(inner.span);
          for (StepWord& word : words) {
            if (!word.text && word.shape.empty()) {
              word.shape = unquoted(context_.text(command->words[word.word].span));
            }
          }
        }
        if (words.size() < most_words) {
          look(words, values, around);
        }
      }
    };
    analysis::walk(statement, visitor);
  }

  // The text of a command, and of what its variables are set to.
  [[nodiscard]] std::string written(const Span& span) const {
    std::string text = context_.text(span);
    std::set<std::string> put;
    analysis::Visitor visitor;
    visitor.assignment = [&](const shell::Assignment& assignment) {
      if (names(text, assignment.name) && text.size() < most_text &&
          put.insert(fmt::format("{}", assignment.span.begin)).second) {
        text += "\n" + context_.text(assignment.span);
      }
    };
    for (int round = 0; round < most_depth; ++round) {
      for (const shell::Statement& statement : context_.job.script->statements) {
        analysis::walk(statement, visitor);
      }
    }
    return text;
  }

  void look(const Words& words, const ScriptValues& values, const Around& around) {
    const std::string first = words.empty() || !words[0].text ? "" : program_name(*words[0].text);
    const auto* row = tables::find_node_programs(first);
    if (words.empty() || around.depth > most_depth ||
        (row != nullptr && row->does == tables::NodeProgramsDoes::words)) {
      return;
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i].text && program_name(*words[i].text) == "srun") {
        step(rest_of(words, i + 1), values, around);
        return;
      }
    }
    Around inside = around;
    inside.each_node |= first == "ssh" || first == "pdsh";
    started(words, values, inside);
  }

  void step(const Words& words, const ScriptValues& values, const Around& around) {
    const StepOptions options = read_step(words);
    if (options.program >= words.size()) {
      return;
    }
    Around inside = around;
    inside.copies = copies_of(options, component_);
    if (!inside.copies && options.unknown_nodes.empty() &&
        options.unknown.find("--ntasks") == std::string::npos) {
      StepOptions plain; // what cannot be told are no numbers, as far as can be seen
      plain.per_node = options.per_node;
      plain.nodes = options.nodes;
      inside.copies = copies_of(plain, component_);
    }
    inside.nodes = options.nodes;
    inside.each_node |= inside.copies == 1 && options.placed;
    started(rest_of(words, options.program), values, inside);
  }

  // The words behind srun, or a command without it.
  void started(const Words& words, const ScriptValues& values, const Around& around) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string name = launcher_of(words, i);
      if (!name.empty()) {
        launcher(name, numbers_of(name, rest_of(words, i + 1)), around);
        return;
      }
    }
    Around inside = around;
    ++inside.depth;
    for (const StepWord& word : words) {
      const std::string text = word.text ? *word.text : word.shape;
      const bool is_text = text.find_first_of(" \t\n") != std::string::npos;
      if (is_text && inside.depth <= most_depth && within(text, values, inside)) {
        return;
      }
      if (!is_text && text.ends_with(".sh") && inside.depth <= most_depth && file(text, inside)) {
        return;
      }
    }
    itself(words, around);
  }

  // The text of `bash -c`, `ssh` and their like: whether a launch was found in it.
  bool within(const std::string& text, const ScriptValues& values, const Around& around) {
    const std::size_t before = found_;
    source::Sources sources;
    const auto id = sources.add("-c", text);
    const shell::Script script = shell::parse(sources[id]);
    for (const shell::Statement& statement : script.statements) {
      all(statement, values, around);
    }
    return found_ != before;
  }

  bool file(std::string path, const Around& around) {
    while (path.starts_with("./")) {
      path.erase(0, 2);
    }
    if (path.starts_with('/') || !context_.file_exists || !context_.read_file ||
        !context_.file_exists(path) || read_.size() > most_files || !read_.insert(path).second) {
      return false;
    }
    const std::size_t before = found_;
    source::Sources sources;
    const auto id = sources.add(path, context_.read_file(path).value_or(""));
    const shell::Script script = shell::parse(sources[id]);
    const ScriptValues values(&script, component_);
    for (const shell::Statement& statement : script.statements) {
      all(statement, values, around);
    }
    return found_ != before;
  }

  void launcher(const std::string& name, const Numbers& numbers, const Around& around) {
    const bool mpi = starts_mpi(name);
    const bool reaches = mpi || name == "deepspeed" || name == "deepy.py"; // from the first node
    LaunchShape shape;
    const bool spread = around.each_node || (around.copies && *around.copies > 1);
    // Without srun a launcher starts ranks on the first node alone, whatever it waits for.
    const bool alone = around.depth == 0 && !around.copies && !around.each_node && !reaches;
    shape.nodes = around.each_node ? nodes_
                  : alone          ? 1
                  : numbers.nodes  ? *numbers.nodes
                  : reaches        ? nodes_
                                   : around.copies.value_or(1);
    std::optional<std::int64_t> processes = numbers.processes;
    if (!processes && numbers.total && *numbers.total % shape.nodes == 0) {
      processes = *numbers.total / shape.nodes;
    }
    const auto gpus =
        component_.share.gpus && *component_.share.gpus > 0 ? component_.share.gpus : std::nullopt;
    if (!processes && (numbers.all_gpus || (reaches && !mpi) || name == "composer")) {
      processes = gpus ? gpus : slots();
      if (!processes && reaches && component_.resolved.ntasks_per_node.value_or(1) > 1) {
        processes = component_.resolved.ntasks_per_node;
      }
    }
    if (!processes && name == "torchrun" && !spread && !numbers.nodes) {
      processes = 1;
    }
    if (processes && !around.each_node && !numbers.nodes && around.copies &&
        *around.copies > nodes_ && *around.copies % nodes_ == 0 && !reaches) {
      shape.nodes = nodes_; // several of them on each, none of which knows of the others
      *processes *= *around.copies / nodes_;
    }
    if (processes) {
      shape.processes = *processes;
      note(shape, true);
    }
  }

  // No launcher: srun starts the ranks themselves, or a script that starts them.
  void itself(const Words& words, const Around& around) {
    if (!around.copies || (*around.copies == 1 && !around.each_node)) {
      return;
    }
    PlainWords plain;
    for (const StepWord& word : words) {
      plain.push_back(word.text);
    }
    const std::size_t at = behind_wrappers(plain).program;
    const std::string name = at < plain.size() && plain[at] ? program_name(*plain[at]) : "";
    const auto* known = tables::find_rank_programs(name);
    if (known != nullptr && known->copies != tables::RankProgramsCopies::mpi) {
      return;
    }
    LaunchShape shape;
    shape.nodes =
        around.each_node ? nodes_ : std::min(around.nodes.value_or(nodes_), *around.copies);
    if (!around.each_node && *around.copies % shape.nodes != 0) {
      return;
    }
    shape.processes = around.each_node ? 1 : *around.copies / shape.nodes;
    if (written_.find(".sh") != std::string::npos && shape.processes == 1) {
      by_variable(shape);
    }
    note(shape, !shape.by.empty());
  }

  // GPUS_PER_NODE=8 or $GPUS_PER_NODE, which the command tells the script that starts the ranks.
  void by_variable(LaunchShape& shape) const {
    const auto take = [&](const std::string& name, std::string_view value) {
      std::string upper = name;
      std::ranges::transform(upper, upper.begin(),
                             [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
      const auto number = positive(value);
      if (number && tables::find_process_variables(upper) != nullptr) {
        shape.processes = *number;
        shape.by = "$" + name;
      }
    };
    const ScriptValues values(context_.job.script, component_);
    analysis::Visitor visitor;
    visitor.assignment = [&](const shell::Assignment& assignment) {
      const auto texts = assignment.value && names(written_, assignment.name)
                             ? values.of(*assignment.value)
                             : std::nullopt;
      if (texts && texts->size() == 1) {
        take(assignment.name, texts->front());
      }
    };
    for (const shell::Statement& statement : context_.job.script->statements) {
      analysis::walk(statement, visitor);
    }
    const std::string& text = written_; // -e GPUS_PER_NODE=8
    for (std::size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
      std::size_t begin = at;
      while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0 ||
                           text[begin - 1] == '_')) {
        --begin;
      }
      const std::size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
      take(text.substr(begin, at - begin), std::string_view(text).substr(at + 1, end - at - 1));
    }
  }

  // "slots=4" of a list of nodes that the script writes.
  [[nodiscard]] std::optional<std::int64_t> slots() const {
    const ScriptValues values(context_.job.script, component_);
    std::optional<std::int64_t> result;
    analysis::Visitor visitor;
    visitor.word = [&](const shell::Word& word) {
      const auto known = values.template_of(word);
      const std::string text = known ? *known : context_.text(word.span);
      const auto at = text.find("slots=");
      if (at == std::string::npos) {
        return;
      }
      const std::size_t begin = text.find_first_not_of("'\"", at + 6);
      std::size_t end = begin;
      while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) {
        ++end;
      }
      result = begin < end ? positive(std::string_view(text).substr(begin, end - begin)) : result;
    };
    for (const shell::Statement& statement : context_.job.script->statements) {
      analysis::walk(statement, visitor);
    }
    return result;
  }

  void note(const LaunchShape& shape, bool launched) {
    ++found_;
    const auto size = [](const LaunchShape& each) { return each.nodes * each.processes; };
    if (!best_ || (launched && !launched_) ||
        (launched == launched_ && size(shape) > size(*best_))) {
      best_ = shape;
      launched_ = launched;
    }
  }

  const PassContext& context_;
  const slurm::Component& component_;
  std::int64_t nodes_;
  std::optional<LaunchShape> best_;
  bool launched_ = false; // a launcher says so, or a variable
  std::size_t found_ = 0;
  std::set<std::string> read_;
  std::string written_; // of the command that is looked at
};

} // namespace

std::optional<LaunchShape> launch_shape(const PassContext& context) {
  return Shapes(context).run();
}

std::string said(const LaunchShape& shape) {
  return shape_of(shape.nodes, shape.processes) +
         (shape.by.empty() ? "" : fmt::format(", as {} has it", shape.by));
}

} // namespace s2f::passes
