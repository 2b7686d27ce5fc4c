// A job on several nodes that starts the ranks of one program several times, one after the other:
// one of them is left, with parameters for the words that differ.
//
// before:  srun python train.py --fold 0; srun python train.py --fold 1
// after:   srun python train.py --fold "$fold"; starts = {fold: 0, 1}
// before:  for lr in 0.1 0.2; do srun torchrun --nnodes=2 ... train.py --lr $lr; done
// after:   srun torchrun --nnodes=2 ... train.py --lr $lr; starts = {lr: 0.1, 0.2}
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "passes/brace_words.hpp"
#include "passes/names.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_start.hpp"
#include "passes/script_values.hpp"
#include "passes/slurm_commands.hpp"
#include "passes/srun.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;

constexpr std::size_t most_starts = 100;

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool plain = text == "0" || (!text.empty() && text[0] != '0' && text[0] != '+');
  return plain && error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                           : std::nullopt;
}

// It says something, or waits for what is over.
bool only_says(const shell::Statement& statement) {
  static constexpr std::array harmless{"echo", "printf", "date", "sleep", "wait", ":", "true"};
  const auto* command = shell::as_simple(statement);
  const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
  return name && statement.redirects.empty() && !statement.background &&
         std::ranges::find(harmless, *name) != harmless.end() &&
         analysis::effects_of(statement).writes.empty();
}

// `|| exit 1`, `|| false`
bool ends_the_job(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
  return name && *name == "exit" && statement.redirects.empty() && command->words.size() == 2 &&
         command->words[1].literal().value_or("0") != "0";
}

// Whether a text has $NAME, ${NAME} or ${NAME... in it.
bool reads(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find('$'); at != std::string::npos; at = text.find('$', at + 1)) {
    const std::size_t begin = at + (text.compare(at, 2, "${") == 0 ? 2 : 1);
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

struct Start {
  const shell::Statement* statement = nullptr;
  bool must = false;
  RankStart read;

  [[nodiscard]] const shell::SimpleCommand& command() const {
    return *shell::as_simple(*statement);
  }
};

// The commands of `A && B`, of `A || exit 1`, and a plain command; nothing for anything else.
bool commands_of(const shell::Statement& statement, bool must, std::vector<Start>& out) {
  if (statement.background || statement.negated || statement.timed) {
    return false;
  }
  if (const auto* both = std::get_if<shell::AndOr>(&statement.value)) {
    if (!statement.redirects.empty()) {
      return false;
    }
    if (both->is_and) { // what follows waits for all before it
      return commands_of(*both->left, true, out) && commands_of(*both->right, must, out);
    }
    return ends_the_job(*both->right) && commands_of(*both->left, true, out);
  }
  if (shell::as_simple(statement) == nullptr) {
    return false;
  }
  out.push_back({&statement, must, {}});
  return true;
}

class Several {
public:
  explicit Several(PassContext& context)
      : context_(context), job_(context.job), values_(job_.script, context.component()) {}

  void run() {
    const slurm::Component& component = context_.component();
    if (job_.header.components.size() > 1 || nodes_of(component) < 2) {
      return;
    }
    for (std::size_t i = 0; i < job_.body.size(); ++i) {
      const ir::Step& step = job_.body[i];
      if (step.statement != nullptr && std::holds_alternative<ir::Opaque>(step.value) &&
          context_.text(step.span).find("srun") != std::string::npos) {
        if (auto start = alone(i)) {
          holding_.push_back(i);
          if (!first_) {
            first_ = std::move(start);
          }
        }
      }
    }
    if (holding_.empty() || holding_.size() > most_starts) {
      return;
    }
    const auto* each = std::get_if<shell::For>(&job_.body[holding_[0]].statement->value);
    if (each != nullptr && first_->statement->background) {
      return; // one launcher a node
    }
    std::string why;
    if (holding_.size() == 1 && each != nullptr && !each->select) {
      why = loop(*each, holding_[0]);
    } else if (holding_.size() > 1 || first_->why == "it starts ranks more than once") {
      why = sequence();
    }
    if (!why.empty()) {
      const auto copies = copies_of(first_->options, component);
      const std::int64_t nodes = nodes_of(component);
      const bool itself = first_->launcher.name == "srun" && copies && *copies % nodes == 0;
      job_.stays_on_slurm =
          ir::Reason{"S2F708",
                     fmt::format("{} starts ranks{} more than once, and {}", first_->launcher.name,
                                 itself ? " on " + shape_of(nodes, *copies / nodes) : "", why),
                     first_->statement->span};
    }
  }

private:
  // What one step starts, the others left aside.
  std::optional<RankStart> alone(std::size_t at) {
    std::vector<std::pair<std::size_t, decltype(ir::Step::value)>> aside;
    for (std::size_t i = 0; i < job_.body.size(); ++i) {
      if (i != at && std::holds_alternative<ir::Opaque>(job_.body[i].value)) {
        aside.emplace_back(i, std::move(job_.body[i].value));
        job_.body[i].value = ir::Nothing{};
      }
    }
    auto start = find_rank_start(context_, values_);
    for (auto& [i, value] : aside) {
      job_.body[i].value = std::move(value);
    }
    return start;
  }

  // The same for one command, in the place of the step's statement.
  std::optional<RankStart> alone(std::size_t at, const shell::Statement& statement) {
    const auto* whole = std::exchange(job_.body[at].statement, &statement);
    auto start = alone(at);
    job_.body[at].statement = whole;
    return start;
  }

  // Why the words of a start are not told one by one; "" if they are.
  static std::string plain(const RankStart& start) {
    if (!start.why.empty()) {
      return start.why;
    }
    if (start.words || start.container || start.own || !start.file.empty() ||
        start.config != nullptr || start.launcher.shared) {
      return "the words of the program are not told one by one";
    }
    return start.log.empty() && start.tail.end <= start.tail.begin
               ? ""
               : "something reads what each prints";
  }

  [[nodiscard]] bool same_launch(const Start& one, const Start& other) const {
    const RankLauncher& a = one.read.launcher;
    const RankLauncher& b = other.read.launcher;
    const StepOptions& s = one.read.options;
    const StepOptions& t = other.read.options;
    return a.name == b.name && a.nodes == b.nodes && a.processes == b.processes &&
           a.total == b.total && a.nodes_max == b.nodes_max && a.restarts == b.restarts &&
           a.all_gpus == b.all_gpus && a.backend == b.backend && a.module == b.module &&
           a.no_python == b.no_python && a.precision == b.precision &&
           a.local_rank == b.local_rank && one.read.jax == other.read.jax &&
           copies_of(s, context_.component()) == copies_of(t, context_.component()) &&
           s.mpi == t.mpi && s.gpus_each == t.gpus_each && s.gpus_per_task == t.gpus_per_task &&
           s.tasks_per_gpu == t.tasks_per_gpu && s.gpu_bind == t.gpu_bind &&
           s.environment == t.environment;
  }

  // The words from the program on, as they stand in the script.
  [[nodiscard]] std::vector<std::string> words_of(const Start& start) const {
    std::vector<std::string> words;
    const auto& all = start.command().words;
    for (std::size_t i = start.read.launcher.program; i < all.size(); ++i) {
      words.push_back(context_.text(all[i].span));
    }
    return words;
  }

  // The word that names the file or the module that runs, counted from the program on.
  [[nodiscard]] std::size_t named(const Start& start) const {
    if (start.read.launcher.name != "srun") {
      return 0;
    }
    PlainWords words;
    for (const shell::Word& word : start.command().words) {
      words.push_back(word.literal());
    }
    const std::size_t program = start.read.launcher.program;
    if (const auto script = python_script(words, program)) {
      return *script - program;
    }
    for (std::size_t i = program + 1; i + 1 < words.size(); ++i) {
      if (words[i] == "-m") {
        return i + 1 - program;
      }
    }
    return 1;
  }

  std::string sequence() {
    std::vector<Start> starts;
    for (const std::size_t i : holding_) {
      const std::size_t before = starts.size();
      if (!commands_of(*job_.body[i].statement, false, starts)) {
        return "one stands within another command";
      }
      for (std::size_t k = before; k < starts.size(); ++k) {
        auto read = alone(i, *starts[k].statement);
        if (!read) {
          return "another command stands beside one";
        }
        starts[k].read = std::move(*read);
        if (std::string why = plain(starts[k].read); !why.empty()) {
          return why;
        }
      }
    }
    if (starts.size() < 2) {
      return "one stands within another command";
    }
    for (std::size_t i = holding_.front(); i < job_.body.size(); ++i) {
      const ir::Step& step = job_.body[i];
      if (std::ranges::find(holding_, i) == holding_.end() && step.statement != nullptr &&
          !std::holds_alternative<ir::Nothing>(step.value) && !only_says(*step.statement)) {
        return i < holding_.back() ? "the script does more between them"
                                   : "the script does more behind them";
      }
    }
    const Start& last = starts.back();
    const auto words = words_of(last);
    const std::size_t name = named(last);
    ir::Starts found;
    std::set<std::size_t> differing;
    for (const Start& start : starts) {
      if (!same_launch(start, last)) {
        return "not all have the same geometry";
      }
      const auto own = words_of(start);
      if (own.size() != words.size()) {
        return "they have different arguments";
      }
      for (std::size_t k = 0; k < words.size(); ++k) {
        if (own[k] != words[k]) {
          differing.insert(k);
        }
      }
    }
    if (!differing.empty() && *differing.begin() <= name) {
      return "they run different programs";
    }
    for (const std::size_t k : differing) {
      found.variables.push_back(variable_for(last, k, found.variables));
    }
    for (const Start& start : starts) {
      ir::Starts::Run run{{}, start.must, start.statement->span};
      for (const std::size_t k : differing) {
        const shell::Word& word = start.command().words[start.read.launcher.program + k];
        const auto texts = values_.of(word);
        if (!word.literal() && !(texts && texts->size() == 1 && word.quoted())) {
          return "a word that differs is known only when the job runs";
        }
        run.values.push_back(word.literal() ? *word.literal() : texts->front());
      }
      found.runs.push_back(std::move(run));
    }
    leave_one(last, differing, found);
    job_.starts = std::move(found);
    return {};
  }

  // --fold 1, --fold=1: fold
  [[nodiscard]] std::string variable_for(const Start& start, std::size_t k,
                                         const std::vector<std::string>& others) const {
    const auto& words = start.command().words;
    const std::size_t at = start.read.launcher.program + k;
    const std::string before = words[at - 1].literal().value_or("");
    std::string name;
    if (before.starts_with("--")) {
      for (const char c : before.substr(2)) {
        name += std::isalnum(static_cast<unsigned char>(c)) != 0
                    ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
                    : '_';
      }
    }
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
      name = fmt::format("argument_{}", k);
    }
    const std::string text =
        context_.text({start.statement->span.source, 0, start.statement->span.end});
    while (std::ranges::find(others, name) != others.end() || reads(text, name) ||
           text.find(name + "=") != std::string::npos) {
      name += "_of_start";
    }
    return name;
  }

  // The last stands for all; what differs in it is "$variable".
  void leave_one(const Start& last, const std::set<std::size_t>& differing,
                 const ir::Starts& found) {
    auto one = std::make_shared<shell::Statement>(*last.statement);
    auto& command = std::get<shell::SimpleCommand>(one->value);
    std::size_t number = 0;
    for (const std::size_t k : differing) {
      shell::Word& word = command.words[last.read.launcher.program + k];
      shell::Parameter parameter;
      parameter.name = found.variables[number++];
      shell::DoubleQuoted quoted;
      quoted.parts.push_back({std::move(parameter), word.span});
      word.parts.clear();
      word.parts.push_back({std::move(quoted), word.span});
    }
    for (const std::string& variable : found.variables) {
      ir::Parameter parameter;
      parameter.name = python_name(variable);
      while (parameter.name == job_.function || context_.taken.contains(parameter.name)) {
        parameter.name += "_";
      }
      parameter.origin = "$" + variable;
      parameter.span = last.statement->span;
      job_.parameters.push_back(std::move(parameter));
    }
    ir::Step& step = job_.body[holding_.back()];
    const Span whole = step.statement->span;
    step.statement = one.get();
    cut({whole.source, whole.begin, one->span.begin});
    cut({whole.source, one->span.end, whole.end});
    job_.made.push_back(std::move(one));
    for (std::size_t i = 0; i + 1 < holding_.size(); ++i) {
      ir::Step& gone = job_.body[holding_[i]];
      cut(gone.span);
      context_.ledger.settle(gone.entry, Disposition::converted, "`main` calls the task for it",
                             "S2F716");
      gone.value = ir::Nothing{};
    }
  }

  void cut(const Span& span) {
    if (span.end > span.begin) {
      job_.removals.push_back(
          {span, "", fmt::format("line {}, another start", context_.sources.begin(span).line)});
    }
  }

  std::string loop(const shell::For& each, std::size_t at) {
    ir::Starts found;
    found.loop = true;
    found.variables = {each.variable};
    const ir::Step& step = job_.body[at];
    if (step.statement->background || !step.statement->redirects.empty()) {
      return "the loop stands in the background, or its output goes elsewhere";
    }
    const shell::Statement* inner = nullptr;
    for (const shell::Statement& statement : each.body) {
      if (&statement == first_->statement) {
        inner = &statement;
      } else if (!only_says(statement)) {
        return "the loop does more";
      }
    }
    if (inner == nullptr) {
      return "it stands within another command of the loop";
    }
    for (std::size_t i = at + 1; i < job_.body.size(); ++i) {
      if (job_.body[i].statement != nullptr &&
          !std::holds_alternative<ir::Nothing>(job_.body[i].value) &&
          !only_says(*job_.body[i].statement)) {
        return "the script does more behind the loop";
      }
    }
    if (!each.in) {
      return "the loop goes over the arguments of the job";
    }
    for (const shell::Word& word : each.words) {
      const auto texts = loop_values(word);
      if (texts.empty()) {
        return "what the loop goes over is known only when the job runs";
      }
      for (const std::string& text : texts) {
        found.runs.push_back({{text}, false, inner->span});
      }
    }
    if (found.runs.empty() || found.runs.size() > most_starts) {
      return "the loop starts none, or more than a hundred";
    }
    auto read = alone(at, *inner);
    if (!read) {
      return "another command stands beside it";
    }
    if (std::string why = plain(*read); !why.empty()) {
      return why;
    }
    Start start{inner, false, std::move(*read)};
    const auto& words = start.command().words;
    for (std::size_t i = 0; i <= start.read.launcher.program + named(start) && i < words.size();
         ++i) {
      if (reads(context_.text(words[i].span), each.variable)) {
        return "each is started in another way";
      }
    }
    const bool odd = std::ranges::any_of(found.runs, [](const ir::Starts::Run& run) {
      const std::string& text = run.values.front();
      return text.empty() || text.find_first_of(" \t\n*?[\\") != std::string::npos;
    });
    const bool bare = std::ranges::any_of(words, [&](const shell::Word& word) {
      return std::ranges::any_of(word.parts, [&](const shell::WordPart& part) {
        const auto* parameter = std::get_if<shell::Parameter>(&part.value);
        return parameter != nullptr && parameter->name == each.variable;
      });
    });
    if (odd && bare) {
      return "the shell splits a value of the loop into words";
    }
    for (const shell::Statement& statement : each.body) {
      const auto* command = &statement == inner ? nullptr : shell::as_simple(statement);
      if (command != nullptr) {
        job_.not_carried.push_back(
            {fmt::format("{} {}: what the loop says beside each start", context_.at(statement.span),
                         context_.text(command->words.front().span)),
             statement.span});
      }
    }
    leave_one(start, {}, found);
    job_.starts = std::move(found);
    return {};
  }

  // 0 1 2, {0..4}, "$FIRST", $(seq 0 4), ${LRS[@]}
  [[nodiscard]] std::vector<std::string> loop_values(const shell::Word& word) const {
    if (const auto* elements = values_.elements_of(word)) {
      std::vector<std::string> texts;
      for (const shell::Word& element : *elements) {
        const auto of_element = loop_values(element);
        if (of_element.empty()) {
          return {};
        }
        texts.insert(texts.end(), of_element.begin(), of_element.end());
      }
      return texts;
    }
    std::vector<std::string> texts = numbers_of_seq(word);
    if (!texts.empty()) {
      return texts;
    }
    if (const auto words = without_braces(word); words && words->size() > 1) {
      for (const shell::Word& each : *words) {
        const auto of_each = loop_values(each);
        if (of_each.empty()) {
          return {};
        }
        texts.insert(texts.end(), of_each.begin(), of_each.end());
      }
      return texts;
    }
    const auto tokens = step_words({{}, {word}, {}}, 0, values_);
    for (const StepWord& token : tokens) {
      if (!token.text) {
        return {};
      }
      texts.push_back(*token.text);
    }
    return texts;
  }

  // $(seq 3), $(seq 0 4), $(seq 0 2 8)
  [[nodiscard]] std::vector<std::string> numbers_of_seq(const shell::Word& word) const {
    const auto* inner = word.parts.size() == 1
                            ? std::get_if<shell::CommandSubstitution>(&word.parts[0].value)
                            : nullptr;
    const auto* command = inner == nullptr || inner->body.size() != 1
                              ? nullptr
                              : shell::as_simple(inner->body.front());
    if (command == nullptr || analysis::command_name(*command) != "seq" ||
        !inner->body.front().redirects.empty() || command->words.size() < 2 ||
        command->words.size() > 4) {
      return {};
    }
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 1; i < command->words.size(); ++i) {
      const auto texts = values_.of(command->words[i]);
      const auto number = texts && texts->size() == 1 ? integer(texts->front()) : std::nullopt;
      if (!number) {
        return {};
      }
      numbers.push_back(*number);
    }
    const std::int64_t first = numbers.size() > 1 ? numbers.front() : 1;
    const std::int64_t step = numbers.size() > 2 ? numbers[1] : 1;
    std::vector<std::string> result;
    for (std::int64_t each = first;
         step > 0 && each <= numbers.back() && result.size() <= most_starts; each += step) {
      result.push_back(fmt::format("{}", each));
    }
    return result;
  }

  PassContext& context_;
  ir::Job& job_;
  ScriptValues values_;
  std::vector<std::size_t> holding_; // the steps that start ranks
  std::optional<RankStart> first_;
};

} // namespace

void several_starts(PassContext& context) { Several(context).run(); }

} // namespace s2f::passes
