// Reads the options of torchrun and its like by the table of rank options.
#include "passes/rank_launcher.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "generated/tables/rank_options.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

using Row = tables::RankOptionsRow;
using Role = tables::RankOptionsRole;

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc{} || end != text.data() + text.size() ? std::nullopt
                                                                  : std::optional(value);
}

class Reader {
public:
  explicit Reader(std::vector<StepWord> words) : words_(std::move(words)) {}

  std::optional<RankLauncher> read() {
    if (!name()) {
      return std::nullopt;
    }
    while (at_ < words_.size() && result_.why.empty()) {
      const StepWord& word = words_[at_];
      if (word.start.size() < 2 || word.start[0] != '-') {
        break;
      }
      ++at_;
      option(word);
    }
    finish();
    return std::move(result_);
  }

private:
  // torchrun, accelerate launch, python -u -m torch.distributed.run
  bool name() {
    if (words_.empty() || !words_.front().text) {
      return false;
    }
    const std::string first = program_name(*words_.front().text);
    at_ = 1;
    if (first == "torchrun" || first == "deepspeed" || first == "composer") {
      result_.name = first;
      result_.local_rank = first == "deepspeed";
    } else if (first == "accelerate" && at_ < words_.size() && words_[at_].text == "launch") {
      result_.name = first;
      ++at_;
    } else if (is_python(first)) {
      while (at_ < words_.size() && words_[at_].text && *words_[at_].text != "-m" &&
             words_[at_].text->starts_with('-')) {
        ++at_;
      }
      if (at_ + 1 >= words_.size() || words_[at_].text != "-m") {
        return false;
      }
      const std::string module = words_[at_ + 1].text.value_or("");
      result_.name = module == "torch.distributed.run" || module == "torch.distributed.launch"
                         ? "torchrun"
                     : module == "accelerate.commands.launch" ? "accelerate"
                                                              : "";
      result_.local_rank = module == "torch.distributed.launch";
      at_ += 2;
    }
    for (std::size_t i = 0; i < at_ && i < words_.size(); ++i) {
      result_.own.push_back(words_[i].word);
    }
    return !result_.name.empty();
  }

  void option(const StepWord& word) {
    result_.own.push_back(word.word);
    const auto equals = word.start.find('=');
    std::string name = word.start.substr(0, equals);
    std::ranges::replace(name, '_', '-');
    const auto* row = std::ranges::find_if(tables::rank_options, [&](const Row& each) {
      return each.launcher == result_.name && each.name == name;
    });
    if (row == std::end(tables::rank_options)) {
      result_.why = fmt::format("nothing in Flyte stands for {} of {}", word.start, result_.name);
      return;
    }
    std::optional<std::string> value;
    shape_ = equals == std::string::npos
                 ? ""
                 : word.shape.substr(std::min(word.shape.size(), equals + 1));
    if (equals != std::string::npos) {
      value = word.text ? std::optional(word.text->substr(equals + 1)) : std::nullopt;
    } else if (row->takes && at_ < words_.size()) {
      result_.own.push_back(words_[at_].word);
      shape_ = words_[at_].shape;
      value = words_[at_++].text;
    }
    take(*row, value, word);
  }

  void number(std::optional<std::int64_t>& into, const std::optional<std::string>& value,
              const StepWord& word) {
    into = value ? integer(*value) : std::nullopt;
    if (!into) {
      result_.why =
          fmt::format("{} of {} is no number that the script tells", word.start, result_.name);
    }
  }

  // 4; 2:4, of torchrun
  void nodes(const std::optional<std::string>& value, const StepWord& word) {
    const auto colon = value ? value->find(':') : std::string::npos;
    if (colon == std::string::npos) {
      number(result_.nodes, value, word);
      return;
    }
    number(result_.nodes, value->substr(0, colon), word);
    number(result_.nodes_max, value->substr(colon + 1), word);
    if (result_.nodes == result_.nodes_max) {
      result_.nodes_max.reset();
    }
  }

  void take(const Row& row, const std::optional<std::string>& value, const StepWord& word) {
    switch (row.role) {
    case Role::nodes:
      nodes(value, word);
      break;
    case Role::processes:
      result_.all_gpus = value == "gpu" || value == "auto";
      if (!result_.all_gpus) {
        number(result_.processes, value, word);
      }
      break;
    case Role::total:
      number(result_.total, value, word);
      break;
    case Role::restarts:
      number(result_.restarts, value, word);
      break;
    case Role::backend:
      result_.backend = value.value_or("");
      break;
    case Role::module:
      result_.module = true;
      break;
    case Role::no_python:
      result_.no_python = true;
      break;
    case Role::precision:
      result_.precision = value.value_or("");
      if (!value) {
        result_.why = "--mixed_precision is known only when the job runs";
      }
      break;
    case Role::log:
    case Role::other:
      result_.dropped.push_back(word.start);
      break;
    case Role::config:
      result_.config = shape_;
      break;
    case Role::use_env:
      result_.local_rank = false;
      break;
    case Role::hostfile:
      result_.hostfile = shape_;
      result_.list = words_[at_ - 1].word;
      break;
    case Role::flag:
    case Role::meeting:
      break;
    }
  }

  void finish() {
    if (!result_.why.empty()) {
      return;
    }
    if (at_ >= words_.size()) {
      result_.why = fmt::format("{} without a program", result_.name);
      return;
    }
    // composer --nproc 8 --world_size 16: two nodes.
    if (result_.name == "composer" && result_.total && result_.processes.value_or(0) > 0 &&
        *result_.total % *result_.processes == 0) {
      result_.nodes = *result_.total / *result_.processes;
    }
    const StepWord& program = words_[at_];
    const bool shared = (at_ > 0 && words_[at_ - 1].word == program.word) || !program.last_of_word;
    // $(pwd)/train.py is a script as well, whatever the folder is.
    const bool script =
        program.text ? program.text->ends_with(".py") : program.shape.ends_with(".py");
    result_.shared = shared;
    result_.rest.assign(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
    if (!program.why.empty() && !script) {
      result_.why =
          fmt::format("the program behind {} stands in a variable with other words", result_.name);
    } else if (!result_.module && !result_.no_python && !script) {
      result_.why =
          fmt::format("the program behind {} is known only when the job runs", result_.name);
    }
    result_.program = program.word;
  }

  std::vector<StepWord> words_;
  std::size_t at_ = 0;
  std::string shape_; // of the value of the option that is being read
  RankLauncher result_;
};

// Whether the word is the same on every node: no number of the node or the process, and no
// variable that only the script's own shell has.
bool same_everywhere(const shell::Word& word, const std::set<std::string>& exported) {
  bool same = true;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    static constexpr std::array own{"SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID",
                                    "SLURM_TASK_PID", "SLURMD_NODENAME"};
    if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      same &= std::ranges::find(own, parameter->name) == own.end() &&
              (parameter->name.starts_with("SLURM_") || exported.contains(parameter->name));
    } else if (std::holds_alternative<shell::Arithmetic>(part.value) ||
               std::holds_alternative<shell::Tilde>(part.value)) {
      same = false;
    }
  };
  analysis::walk(word, visitor);
  return same;
}

bool globs(const shell::Word& word) {
  return std::ranges::any_of(word.parts, [](const auto& part) {
    const auto* literal = std::get_if<shell::Literal>(&part.value);
    return literal != nullptr && literal->globs;
  });
}

} // namespace

std::optional<std::vector<std::string>> known_words(const shell::SimpleCommand& command,
                                                    const RankLauncher& launcher,
                                                    const std::set<std::string>* exported) {
  std::vector<std::string> words;
  for (const StepWord& token : launcher.rest) {
    const shell::Word& word = command.words[token.word];
    const bool plain = word.quoted() || word.literal();
    const bool pattern = token.text && token.text->find_first_of("*?[") != std::string::npos;
    if (!token.text || globs(word) || (!plain && pattern) ||
        (exported != nullptr && !same_everywhere(word, *exported))) {
      return std::nullopt;
    }
    words.push_back(*token.text);
  }
  return words;
}

std::optional<RankLauncher> read_rank_launcher(const shell::SimpleCommand& command,
                                               std::size_t from, const ScriptValues& values) {
  return Reader(step_words(command, from, values, true)).read();
}

} // namespace s2f::passes
