// A regular loop over the script's own options: each becomes a parameter of the task.
//
// before:  LR=0.1
//          while getopts "d:l:v" o; do case $o in d) DATA=$OPTARG;; l) LR=$OPTARG;; v) V=1;; esac;
//          done shift $((OPTIND - 1))
// after:   parameters data = "", lr = "0.1", v = "", S2F611; the loop and the defaults are Nothing
//
// The other form is `while [ $# -gt 0 ]; do case $1 in --data) DATA=$2; shift 2;; ... esac; done`.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/names.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

// What one variable gets, from which option.
struct Option {
  std::string variable, flag;
  std::optional<std::string> literal; // of an option without a value
  Span span{};
};

// The one part of a word, out of its quotes.
const shell::WordPart* only_part(const shell::Word& word) {
  if (word.parts.size() != 1) {
    return nullptr;
  }
  const auto* quoted = std::get_if<shell::DoubleQuoted>(&word.parts.front().value);
  if (quoted == nullptr) {
    return &word.parts.front();
  }
  return quoted->parts.size() == 1 ? &quoted->parts.front() : nullptr;
}

// $NAME, ${NAME}; with an operator, ${1#*=}.
const shell::Parameter* parameter_of(const shell::Word& word) {
  const auto* part = only_part(word);
  const auto* parameter = part == nullptr ? nullptr : std::get_if<shell::Parameter>(&part->value);
  return parameter == nullptr || parameter->length || parameter->indirect || parameter->subscript
             ? nullptr
             : parameter;
}

bool is_plain(const shell::Word& word, std::string_view name) {
  const auto* parameter = parameter_of(word);
  return parameter != nullptr && parameter->name == name && parameter->op.empty();
}

class OptionLoop {
public:
  explicit OptionLoop(PassContext& context) : context_(context), job_(context.job) {}

  void run() {
    if (context_.outer_ledger != nullptr) {
      return; // a driver gives the options by their places
    }
    for (std::size_t i = 0; i < job_.body.size(); ++i) {
      const auto* statement = job_.body[i].statement;
      const auto* loop =
          statement == nullptr ? nullptr : std::get_if<shell::While>(&statement->value);
      if (loop == nullptr || loop->until || !statement->redirects.empty() ||
          statement->background || loop->condition.size() != 1) {
        continue;
      }
      options_.clear();
      const bool read = getopts(*loop) || shifts(*loop);
      if (read && !options_.empty() && fits(i)) {
        convert(i);
      }
      return; // a second loop would see what the first has left
    }
  }

private:
  // while getopts "d:l:" o; do case $o in ... esac; done
  bool getopts(const shell::While& loop) {
    const auto* command = shell::as_simple(loop.condition.front());
    if (command == nullptr || command->words.size() != 3 ||
        command->words[0].literal() != "getopts" || loop.body.size() != 1) {
      return false;
    }
    const auto spec = command->words[1].literal();
    const auto name = command->words[2].literal();
    const auto* choice = std::get_if<shell::Case>(&loop.body.front().value);
    if (!spec || !name || choice == nullptr || !is_plain(choice->subject, *name)) {
      return false;
    }
    by_getopts_ = true;
    return std::ranges::all_of(choice->items, [&](const shell::CaseItem& item) {
      const auto letter =
          item.patterns.size() == 1 ? item.patterns.front().literal() : std::nullopt;
      const auto at =
          letter && letter->size() == 1 && *letter != ":" ? spec->find(*letter) : std::string::npos;
      if (at == std::string::npos || refuses(item)) {
        return refuses(item);
      }
      const bool value = at + 1 < spec->size() && (*spec)[at + 1] == ':';
      return sets(item, item.body, "-" + *letter, value);
    });
  }

  // while [ $# -gt 0 ]; do case $1 in ... esac; shift; done
  bool shifts(const shell::While& loop) {
    std::string asks = context_.text(loop.condition.front().span);
    std::erase_if(asks, [](char c) { return c == '"' || c == ' '; });
    static const std::set<std::string> more{"[$#-gt0]",   "[[$#-gt0]]", "[[$#>0]]",  "[$#-ne0]",
                                            "[[$#-ne0]]", "(($#))",     "[[-n$1]]",  "[-n$1]",
                                            "(($#>0))",   "[$#-ge1]",   "[[$#-ge1]]"};
    if (!more.contains(asks) || loop.body.empty() || loop.body.size() > 3) {
      return false;
    }
    std::size_t at = 0;
    std::string subject = "1";
    if (const auto* key = shell::as_simple(loop.body.front());
        key != nullptr && key->words.empty() && key->assignments.size() == 1 &&
        key->assignments[0].value && is_plain(*key->assignments[0].value, "1")) {
      subject = key->assignments[0].name;
      at = 1;
    }
    const auto* choice =
        at < loop.body.size() ? std::get_if<shell::Case>(&loop.body[at].value) : nullptr;
    if (choice == nullptr ||
        !(is_plain(choice->subject, subject) || is_plain(choice->subject, "1"))) {
      return false;
    }
    const bool behind = at + 2 == loop.body.size();
    if (behind ? shifted(loop.body[at + 1]) != 1 : at + 1 != loop.body.size()) {
      return false;
    }
    return std::ranges::all_of(choice->items, [&](const shell::CaseItem& item) {
      return refuses(item) || argument(item, behind);
    });
  }

  // How many arguments `shift` takes away; 0 for another command.
  [[nodiscard]] static int shifted(const shell::Statement& statement) {
    const auto* command = shell::as_simple(statement);
    if (command == nullptr || command->words.empty() || command->words[0].literal() != "shift" ||
        !statement.redirects.empty()) {
      return 0;
    }
    if (command->words.size() == 1) {
      return 1;
    }
    return command->words.size() == 2 && command->words[1].literal() == "2"   ? 2
           : command->words.size() == 2 && command->words[1].literal() == "1" ? 1
                                                                              : 0;
  }

  // -d|--data) DATA="$2"; shift 2 ;;    --data=*) DATA="${1#*=}" ;;    -v) V=1 ;;
  bool argument(const shell::CaseItem& item, bool behind) {
    std::vector<shell::Statement> rest;
    int count = behind ? 1 : 0;
    for (const shell::Statement& statement : item.body) {
      if (const int taken = shifted(statement); taken > 0) {
        count += taken;
      } else {
        rest.push_back(statement);
      }
    }
    std::string flag;
    bool equals = false;
    for (const shell::Word& pattern : item.patterns) {
      std::string text = context_.text(pattern.span);
      equals |= text.ends_with("=*");
      if (text.ends_with("=*")) {
        text.resize(text.size() - 2);
      }
      if (text.size() < 2 || text[0] != '-' || text.find_first_of("*?[\"'$\\") != text.npos) {
        return false;
      }
      flag = text.size() > flag.size() ? text : flag;
    }
    if (equals && item.patterns.size() > 1) {
      return false;
    }
    return sets(item, rest, flag, equals ? count == 1 : count == 2, equals) &&
           (equals || count == (options_.back().literal ? 1 : 2));
  }

  // One assignment: of the option's value, or of plain text.
  bool sets(const shell::CaseItem& item, const std::vector<shell::Statement>& body,
            const std::string& flag, bool value, bool equals = false) {
    const auto* command = body.size() == 1 ? shell::as_simple(body.front()) : nullptr;
    const bool ends = item.terminator == ";;" || item.terminator.empty();
    if (command == nullptr || !ends || !command->words.empty() ||
        command->assignments.size() != 1 || !body.front().redirects.empty()) {
      return false;
    }
    const shell::Assignment& assignment = command->assignments.front();
    if (!assignment.value || assignment.append || assignment.subscript || assignment.array) {
      return false;
    }
    Option option{assignment.name, flag, assignment.value->literal(), item.span};
    if (!option.literal) {
      const auto* parameter = parameter_of(*assignment.value);
      const std::string given = by_getopts_ ? "OPTARG" : equals ? "1" : "2";
      const bool plain =
          equals ? parameter != nullptr && parameter->name == given &&
                       context_.text(assignment.value->span).find("#*=") != std::string::npos
                 : is_plain(*assignment.value, given);
      if (!plain || !value) {
        return false;
      }
    } else if (value) {
      return false; // it has a value that it does not use
    }
    const bool twice = std::ranges::any_of(
        options_, [&](const Option& other) { return other.variable == option.variable; });
    options_.push_back(std::move(option));
    return !twice;
  }

  // Says something, or ends the job: an option that is none, or --help.
  bool refuses(const shell::CaseItem& item) {
    analysis::Effects effects;
    bool named = !item.body.empty();
    for (const shell::Statement& statement : item.body) {
      analysis::merge(effects, analysis::effects_of(statement));
      named &= !std::holds_alternative<shell::If>(statement.value);
    }
    static const std::set<std::string> says{"echo", "printf", "exit", "cat", "return"};
    const bool only = std::ranges::all_of(effects.commands, [&](const std::string& name) {
      return says.contains(name) || shows_usage(name);
    });
    return named && effects.writes.empty() && !effects.commands.empty() && only &&
           !effects.anything && !effects.background;
  }

  // A function that says how the script is used.
  bool shows_usage(const std::string& name) {
    for (std::size_t i = 0; i < job_.body.size(); ++i) {
      const auto* statement = job_.body[i].statement;
      const auto* function =
          statement == nullptr ? nullptr : std::get_if<shell::Function>(&statement->value);
      if (function == nullptr || function->name != name) {
        continue;
      }
      static const std::set<std::string> says{"echo", "printf", "exit", "cat", "basename"};
      const auto effects = analysis::effects_of(*function->body);
      if (std::ranges::all_of(effects.commands,
                              [&](const auto& each) { return says.contains(each); }) &&
          effects.writes.empty()) {
        usage_.insert({name, i});
        return true;
      }
    }
    return false;
  }

  // Whether nothing else of the script depends on the loop's doings.
  bool fits(std::size_t loop) {
    defaults_.clear();
    std::set<std::string> variables;
    for (const Option& option : options_) {
      variables.insert(option.variable);
    }
    for (std::size_t i = 0; i < job_.body.size(); ++i) {
      const ir::Step& step = job_.body[i];
      const bool function = step.statement != nullptr &&
                            std::holds_alternative<shell::Function>(step.statement->value);
      if (i == loop || step.statement == nullptr ||
          std::holds_alternative<ir::Nothing>(step.value) || is_usage(i)) {
        continue;
      }
      const auto effects = analysis::effects_of(*step.statement);
      if (i > loop && takes_options_away(step)) {
        shift_ = i;
        continue;
      }
      const bool arguments = effects.all_positionals || !effects.positionals.empty();
      if (effects.anything || (arguments && !(shift_ && i > loop && by_getopts_) && !function)) {
        return false;
      }
      if (effects.reads.contains("OPTARG") || effects.reads.contains("OPTIND")) {
        return false;
      }
      if (i < loop && !before(i, effects, variables)) {
        return false;
      }
    }
    return !asks_whether_set(variables, loop);
  }

  // A statement before the loop gives the variables plain text or leaves them alone.
  bool before(std::size_t index, const analysis::Effects& effects,
              const std::set<std::string>& variables) {
    const auto touches = [&](const std::set<std::string>& names) {
      return std::ranges::any_of(names, [&](const auto& name) { return variables.contains(name); });
    };
    if (touches(effects.reads) || touches(effects.reads_defaulted)) {
      return false;
    }
    if (!touches(effects.writes)) {
      return true;
    }
    const auto* command = shell::as_simple(*job_.body[index].statement);
    if (command == nullptr || !command->words.empty() || command->assignments.size() != 1) {
      return false;
    }
    const shell::Assignment& assignment = command->assignments.front();
    const auto text =
        assignment.value && !assignment.append && !assignment.array && !assignment.subscript
            ? assignment.value->literal()
            : std::nullopt;
    if (!text) {
      return false;
    }
    defaults_[assignment.name] = {*text, index};
    default_steps_.push_back(index);
    return true;
  }

  // ${NAME-x}, ${NAME+x}, ${NAME?}: an option that was not given is not the empty text.
  bool asks_whether_set(const std::set<std::string>& variables, std::size_t loop) const {
    bool found = false;
    analysis::Visitor visitor;
    visitor.part = [&](const shell::WordPart& part) {
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      found |= parameter != nullptr && variables.contains(parameter->name) &&
               (parameter->op == "-" || parameter->op == "+" || parameter->op == "?" ||
                parameter->op == "=");
    };
    visitor.statement = [&](const shell::Statement& statement) {
      const std::string text = context_.text(statement.span);
      found |= shell::as_simple(statement) != nullptr &&
               (text.starts_with("[[ -v ") || text.starts_with("test -v "));
    };
    for (std::size_t i = loop + 1; i < job_.body.size(); ++i) {
      if (job_.body[i].statement != nullptr) {
        analysis::walk(*job_.body[i].statement, visitor);
      }
    }
    return found;
  }

  [[nodiscard]] bool takes_options_away(const ir::Step& step) const {
    const auto* command = shell::as_simple(*step.statement);
    return by_getopts_ && command != nullptr && command->words.size() == 2 &&
           command->words[0].literal() == "shift" &&
           context_.text(command->words[1].span).find("OPTIND") != std::string::npos;
  }

  [[nodiscard]] bool is_usage(std::size_t index) const {
    return std::ranges::any_of(usage_, [&](const auto& one) { return one.second == index; });
  }

  void leave_out(std::size_t index, const std::string& why, const std::string& what,
                 review::FindingId id) {
    ir::Step& step = job_.body[index];
    context_.ledger.settle(step.entry, review::Disposition::converted, why, "S2F611", id);
    for (const ir::Parameter& parameter : job_.parameters) {
      context_.ledger.cite(step.entry, parameter.span); // of the options
    }
    job_.removals.push_back(
        {step.span, "", fmt::format("line {}, {}", context_.sources.begin(step.span).line, what)});
    step.value = ir::Nothing{};
  }

  void convert(std::size_t loop) {
    std::set<std::string> taken = taken_names(job_);
    std::vector<std::string> pairs;
    for (const Option& option : options_) {
      ir::Parameter parameter;
      parameter.name = python_name(option.variable);
      while (!taken.insert(parameter.name).second) {
        parameter.name += "_";
      }
      parameter.origin = "$" + option.variable;
      parameter.span = option.span;
      const auto known = defaults_.find(option.variable);
      parameter.default_ = known == defaults_.end() ? "" : known->second.first;
      pairs.push_back(fmt::format("{} is {}{}", option.flag, parameter.name,
                                  option.literal ? fmt::format("=\"{}\"", *option.literal) : ""));
      job_.parameters.push_back(std::move(parameter));
    }
    review::Finding finding;
    finding.rule = "S2F611";
    finding.span = job_.body[loop].span;
    finding.message =
        fmt::format("The script's options became parameters: {}.", fmt::join(pairs, ", "));
    finding.slurm_does = "`sbatch` hands the options on, and the script reads them in a loop.";
    finding.output_does = "`flyte run` reads them, refuses one that is none, and shows them with "
                          "--help; one that is not given has its default.";
    const auto id = context_.findings.add(std::move(finding));
    leave_out(loop, "the task's parameters are the options", "the options", id);
    if (shift_) {
      leave_out(*shift_, "the options are no arguments", "the options", id);
    }
    for (const std::size_t index : default_steps_) {
      leave_out(index, "the default of a parameter", "the default of an option", id);
    }
    for (const auto& [name, index] : usage_) {
      if (!called(name)) {
        leave_out(index, "flyte run --help says how the task is used", "the help", id);
      }
    }
  }

  [[nodiscard]] bool called(const std::string& name) const {
    return std::ranges::any_of(job_.body, [&](const ir::Step& step) {
      const bool own = step.statement != nullptr &&
                       std::holds_alternative<shell::Function>(step.statement->value);
      return step.statement != nullptr && !own &&
             !std::holds_alternative<ir::Nothing>(step.value) &&
             analysis::effects_of(*step.statement).commands.contains(name);
    });
  }

  PassContext& context_;
  ir::Job& job_;
  bool by_getopts_ = false;
  std::vector<Option> options_;
  std::map<std::string, std::pair<std::string, std::size_t>> defaults_;
  std::vector<std::size_t> default_steps_;
  std::map<std::string, std::size_t> usage_; // functions, by their step
  std::optional<std::size_t> shift_;
};

} // namespace

void option_loop(PassContext& context) { OptionLoop(context).run(); }

} // namespace s2f::passes
