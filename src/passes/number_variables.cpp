// Finds the variables that are numbers, from all that the script assigns.
#include "passes/number_variables.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/arithmetic.hpp"
#include "passes/brace_words.hpp"

namespace s2f::passes {

namespace {

constexpr const char* array_index = "SLURM_ARRAY_TASK_ID";

// What the script says of one name.
struct Name {
  std::vector<const shell::Word*> words;           // that are assigned
  std::vector<const shell::For*> loops;            // that run over it
  std::vector<const shell::Arithmetic*> sums;      // that assign to it
  std::vector<const shell::ArithmeticFor*> counts; // loops that count with it
  bool other = false;
  std::size_t reads = 0;
};

// The part that the word is, in quotes or not.
const shell::WordPart* only_part(const shell::Word& word) {
  const shell::WordPart* part = word.parts.size() == 1 ? &word.parts.front() : nullptr;
  const auto* quoted = part == nullptr ? nullptr : std::get_if<shell::DoubleQuoted>(&part->value);
  return quoted == nullptr ? part : quoted->parts.size() == 1 ? &quoted->parts.front() : nullptr;
}

const shell::Parameter* plain_parameter(const shell::WordPart* part) {
  const auto* parameter = part == nullptr ? nullptr : std::get_if<shell::Parameter>(&part->value);
  const bool plain = parameter != nullptr && parameter->op.empty() && !parameter->length &&
                     !parameter->indirect && !parameter->subscript;
  return plain ? parameter : nullptr;
}

// $(seq ...), $(date +%s)
const shell::SimpleCommand* lone_command(const shell::WordPart* part, std::string_view name) {
  const auto* substitution =
      part == nullptr ? nullptr : std::get_if<shell::CommandSubstitution>(&part->value);
  const auto* command = substitution == nullptr || substitution->body.size() != 1
                            ? nullptr
                            : shell::as_simple(substitution->body.front());
  return command != nullptr && analysis::command_name(*command) == name ? command : nullptr;
}

bool is_seconds(const shell::WordPart* part) {
  const auto* command = lone_command(part, "date");
  return command != nullptr && command->words.size() == 2 && command->words[1].literal() == "+%s";
}

class Finder {
public:
  Finder(const shell::Script& script, bool array) : script_(script), array_(array) {}

  NumberVariables find() {
    for (const shell::Statement& statement : script_.statements) {
      note(statement);
    }
    NumberVariables result;
    if (opaque_) {
      return result;
    }
    for (const shell::Statement& statement : script_.statements) {
      for (const std::string& name : analysis::effects_of(statement).writes) {
        first_writers_.emplace(name, &statement);
      }
    }
    for (auto& [name, about] : names_) {
      if (!about.other && is_candidate(name, about)) {
        result.names.insert(name);
      }
    }
    // Those made of others stand and fall with them.
    settle(result.names, [&](const Name& about) { return numbers(about, result.names); });
    result.naturals = result.names;
    settle(result.naturals, [&](const Name& about) { return natural(about, result.naturals); });
    return result;
  }

private:
  template <typename Holds> void settle(std::set<std::string>& names, Holds holds) const {
    while (std::erase_if(names, [&](const std::string& name) { return !holds(names_.at(name)); }) >
           0) {
    }
  }

  void note(const shell::Statement& statement) {
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) { note_one(inner); };
    visitor.part = [&](const shell::WordPart& part) {
      if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
        ++names_[parameter->name].reads;
      } else if (const auto* sum = std::get_if<shell::Arithmetic>(&part.value)) {
        note_sum(*sum);
      }
    };
    analysis::walk(statement, visitor);
  }

  void note_sum(const shell::Arithmetic& sum) {
    for (const std::string& name : sum.variables) {
      ++names_[name].reads;
      if (sum.assigns) {
        names_[name].sums.push_back(&sum);
      }
    }
  }

  void note_one(const shell::Statement& statement) {
    if (const auto* command = shell::as_simple(statement)) {
      note_command(*command);
    } else if (const auto* loop = std::get_if<shell::For>(&statement.value)) {
      names_[loop->variable].loops.push_back(loop);
      names_[loop->variable].other |= !loop->in || loop->select;
    } else if (const auto* sum = std::get_if<shell::ArithmeticCommand>(&statement.value)) {
      note_sum(sum->arithmetic);
    } else if (const auto* test = std::get_if<shell::Test>(&statement.value)) {
      for (const shell::Word& word : test->words) { // [[ n -gt 3 ]]
        if (const auto text = word.literal(); text && names_.contains(*text)) {
          names_[*text].other = true;
        }
      }
    } else if (const auto* counts = std::get_if<shell::ArithmeticFor>(&statement.value)) {
      note_counted(*counts);
    } else if (std::holds_alternative<shell::Function>(statement.value)) {
      for (const std::string& name : analysis::effects_of(statement).writes) {
        names_[name].other = true;
      }
    }
    for (const shell::Redirect& redirect : statement.redirects) {
      if (redirect.variable) {
        names_[*redirect.variable].other = true;
      }
    }
  }

  // The names of a loop's header: the one that counts, and others.
  void note_counted(const shell::ArithmeticFor& loop) {
    const auto counter = counter_of(loop);
    for (const std::string* text : {&loop.init, &loop.condition, &loop.step}) {
      for (const std::string& name : names_in(*text)) {
        if (counter && name == *counter) {
          continue;
        }
        names_[name].other |= text == &loop.step || (text == &loop.init && !counter);
        ++names_[name].reads;
      }
    }
    if (counter) {
      names_[*counter].counts.push_back(&loop);
    }
  }

  static std::vector<std::string> names_in(const std::string& text) {
    std::vector<std::string> names;
    std::string name;
    for (const char c : text + " ") {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        name += c;
        continue;
      }
      if (!name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0) {
        names.push_back(name);
      }
      name.clear();
    }
    return names;
  }

  // i, of i = 0; i < 3; i++
  static std::optional<std::string> counter_of(const shell::ArithmeticFor& loop) {
    const auto first = names_in(loop.init);
    const auto asked = names_in(loop.condition);
    const auto last = names_in(loop.step);
    const bool one =
        !first.empty() && !asked.empty() && !last.empty() && first.front() == asked.front() &&
        first.front() == last.front() && loop.init.find(',') == std::string::npos &&
        loop.step.find(',') == std::string::npos && std::ranges::count(loop.init, '=') == 1;
    return one ? std::optional(first.front()) : std::nullopt;
  }

  void note_command(const shell::SimpleCommand& command) {
    for (const shell::Assignment& assignment : command.assignments) {
      Name& name = names_[assignment.name];
      const bool plain = assignment.value && command.words.empty() && !assignment.append &&
                         !assignment.subscript && !assignment.array;
      name.other |= !plain;
      if ((assignment.array && !assignment.append) || assignment.subscript) {
        lists_.insert(assignment.name);
      }
      if (plain) {
        name.words.push_back(&*assignment.value);
      }
    }
    const bool maps = std::ranges::any_of(command.words, [](const shell::Word& word) {
      const std::string text = word.literal().value_or("-A");
      return text.starts_with('-') && text.find('A') != std::string::npos;
    });
    for (const shell::Assignment& assignment : command.declared) {
      names_[assignment.name].other = true;
      if (maps) {
        maps_.insert(assignment.name);
      }
    }
    const auto first = analysis::command_name(command);
    opaque_ |= first == "eval";
    if (first == "read" || first == "mapfile" || first == "readarray" || first == "getopts" ||
        first == "printf" || first == "unset" || first == "let") {
      for (const shell::Word& word : command.words) {
        if (const auto text = word.literal()) {
          names_[text->substr(0, text->find_first_of("+-*/%= "))].other = true;
        }
      }
    }
  }

  // A loop's variable is read in its loops alone; another has a value from the start.
  bool is_candidate(const std::string& name, const Name& about) const {
    if (analysis::ambient_variable(name) || name.starts_with("SLURM") || name.empty()) {
      return false;
    }
    if (!about.loops.empty() || !about.counts.empty()) {
      std::size_t inside = 0;
      for (const shell::ArithmeticFor* loop : about.counts) {
        for (const shell::Statement& statement : loop->body) {
          inside += reads(statement, name);
        }
      }
      for (const shell::For* loop : about.loops) {
        for (const shell::Statement& statement : loop->body) {
          inside += reads(statement, name);
        }
      }
      return about.words.empty() && about.sums.empty() && inside == about.reads;
    }
    const auto first = first_writers_.find(name);
    const auto* command =
        first == first_writers_.end() ? nullptr : shell::as_simple(*first->second);
    return command != nullptr && command->words.empty() && !about.words.empty() &&
           std::ranges::any_of(command->assignments, [&](const shell::Assignment& assignment) {
             return assignment.name == name;
           });
  }

  static std::size_t reads(const shell::Statement& statement, const std::string& name) {
    std::size_t count = 0;
    analysis::Visitor visitor;
    visitor.part = [&](const shell::WordPart& part) {
      if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
        count += parameter->name == name ? 1 : 0;
      } else if (const auto* sum = std::get_if<shell::Arithmetic>(&part.value)) {
        count += static_cast<std::size_t>(std::ranges::count(sum->variables, name));
      }
    };
    visitor.statement = [&](const shell::Statement& inner) {
      if (const auto* sum = std::get_if<shell::ArithmeticCommand>(&inner.value)) {
        count += static_cast<std::size_t>(std::ranges::count(sum->arithmetic.variables, name));
      } else if (const auto* loop = std::get_if<shell::ArithmeticFor>(&inner.value);
                 loop != nullptr && counter_of(*loop) != name) {
        for (const std::string* text : {&loop->init, &loop->condition, &loop->step}) {
          count += static_cast<std::size_t>(std::ranges::count(names_in(*text), name));
        }
      }
    };
    analysis::walk(statement, visitor);
    return count;
  }

  bool numbers(const Name& about, const std::set<std::string>& names) const {
    return std::ranges::all_of(about.loops,
                               [&](const shell::For* loop) { return over_numbers(*loop); }) &&
           std::ranges::all_of(about.words, [&](const shell::Word* word) {
             const auto text = word->literal();
             if (text) {
               return plain_number(*text);
             }
             const shell::WordPart* part = only_part(*word);
             const auto* sum =
                 part == nullptr ? nullptr : std::get_if<shell::Arithmetic>(&part->value);
             const auto* other = plain_parameter(part);
             return (sum != nullptr && !sum->assigns) || is_seconds(part) ||
                    (other != nullptr && (names.contains(other->name) || is_index(other->name) ||
                                          of_the_shell(other->name)));
           });
  }

  // Whether the shell makes a number of it each time.
  static bool of_the_shell(const std::string& name) {
    return name == "SECONDS" || name == "EPOCHSECONDS" || name == "RANDOM";
  }

  [[nodiscard]] bool is_index(const std::string& name) const {
    return array_ && name == array_index;
  }

  // ${!list[@]}, of what is no map.
  [[nodiscard]] bool keys_of_list(const shell::WordPart* part) const {
    const auto* keys = part == nullptr ? nullptr : std::get_if<shell::Parameter>(&part->value);
    const auto subscript = keys == nullptr || !keys->indirect || !keys->subscript
                               ? std::nullopt
                               : (*keys->subscript)->literal();
    return subscript == "@" && lists_.contains(keys->name) && !maps_.contains(keys->name) &&
           keys->op.empty();
  }

  [[nodiscard]] bool over_numbers(const shell::For& loop) const {
    return std::ranges::all_of(loop.words, [&](const shell::Word& word) {
      if (const auto text = word.literal()) {
        return plain_number(*text);
      }
      const shell::WordPart* part = only_part(word);
      if (const auto* braces =
              part == nullptr ? nullptr : std::get_if<shell::BraceExpansion>(&part->value)) {
        const auto texts = range_of(*braces);
        return texts && std::ranges::all_of(*texts, plain_number);
      }
      return lone_command(part, "seq") != nullptr || keys_of_list(part);
    });
  }

  // Nothing in it takes away, and nothing that it is made of is below 0.
  bool natural_sum(const shell::Arithmetic& sum, const std::set<std::string>& naturals) const {
    return sum.expression.find_first_of("-~") == std::string::npos &&
           std::ranges::all_of(sum.variables,
                               [&](const std::string& name) {
                                 return naturals.contains(name) || is_index(name) ||
                                        name == "RANDOM";
                               }) &&
           std::ranges::all_of(sum.expansions, [&](const shell::WordPart& part) {
             const auto* parameter = plain_parameter(&part);
             return parameter != nullptr &&
                    (naturals.contains(parameter->name) || is_index(parameter->name));
           });
  }

  bool natural(const Name& about, const std::set<std::string>& naturals) const {
    const auto negative = [](const shell::Word& word) {
      const auto text = word.literal();
      return text && text->starts_with('-');
    };
    const bool loops = std::ranges::all_of(about.loops, [&](const shell::For* loop) {
      return std::ranges::all_of(loop->words, [&](const shell::Word& word) {
        const shell::WordPart* part = only_part(word);
        const auto* braces =
            part == nullptr ? nullptr : std::get_if<shell::BraceExpansion>(&part->value);
        const bool below = braces != nullptr && (braces->range->first.starts_with('-') ||
                                                 braces->range->second.starts_with('-'));
        return !negative(word) && !below && lone_command(part, "seq") == nullptr;
      });
    });
    const bool counts = std::ranges::all_of(about.counts, [](const shell::ArithmeticFor* loop) {
      return loop->init.find('-') == std::string::npos &&
             loop->step.find('-') == std::string::npos &&
             names_in(loop->init).size() == 1; // it begins with a number that stands there
    });
    return loops && counts &&
           std::ranges::all_of(about.words,
                               [&](const shell::Word* word) {
                                 const shell::WordPart* part = only_part(*word);
                                 const auto* sum =
                                     part == nullptr ? nullptr
                                                     : std::get_if<shell::Arithmetic>(&part->value);
                                 const auto* other = plain_parameter(part);
                                 return !negative(*word) &&
                                        (sum == nullptr || natural_sum(*sum, naturals)) &&
                                        (other == nullptr || naturals.contains(other->name) ||
                                         is_index(other->name) || of_the_shell(other->name));
                               }) &&
           std::ranges::all_of(about.sums, [&](const shell::Arithmetic* sum) {
             return natural_sum(*sum, naturals);
           });
  }

  const shell::Script& script_;
  bool array_;
  std::map<std::string, Name> names_;
  std::map<std::string, const shell::Statement*> first_writers_; // of the script's own statements
  std::set<std::string> lists_, maps_;
  bool opaque_ = false; // any name may get any value
};

} // namespace

NumberVariables number_variables(const shell::Script& script, bool array) {
  return Finder(script, array).find();
}

} // namespace s2f::passes
