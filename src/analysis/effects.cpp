// Effects of a statement, gathered by one walk over it.
#include "analysis/effects.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

#include "analysis/behind.hpp"
#include "analysis/walk.hpp"
#include "analysis/walk_with.hpp"
#include "generated/tables/ambient_variables.hpp"

namespace s2f::analysis {

namespace {

// The names in the text of an expression: those of the `i - 1` in ${list[i - 1]}.
void note_names(std::string_view text, Effects& effects) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_')) {
      ++at;
    }
    if (at > begin && std::isdigit(static_cast<unsigned char>(text[begin])) == 0) {
      effects.reads.emplace(text.substr(begin, at - begin));
    }
    at = std::max(at, begin + 1);
  }
}

// What stands in a word without what it expands.
void plain_text(const std::vector<shell::WordPart>& parts, std::string& text) {
  for (const shell::WordPart& part : parts) {
    if (const auto* plain = std::get_if<shell::Literal>(&part.value)) {
      text += plain->value;
    } else if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
      text += single->value;
    } else if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      plain_text(quoted->parts, text);
    } else {
      text += '0';
    }
  }
}

// The names that an expression gives a value: the `i` of `i = 2`, of `i += 2` and of `++i`.
void note_assigned(std::string_view text, Effects& effects) {
  const auto is_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_name(text[end])) {
      ++end;
    }
    if (end == at) {
      ++at;
      continue;
    }
    std::string_view before = text.substr(0, at);
    std::string_view behind = text.substr(end);
    before = before.substr(0, before.find_last_not_of(' ') + 1);
    behind.remove_prefix(std::min(behind.size(), behind.find_first_not_of(' ')));
    const std::size_t sign = behind.find_first_not_of("+-*/%<>&^|");
    const bool gets = sign != std::string_view::npos && behind[sign] == '=' &&
                      !behind.starts_with("==") && !behind.starts_with("<=") &&
                      !behind.starts_with(">=");
    if (gets || behind.starts_with("++") || behind.starts_with("--") || before.ends_with("++") ||
        before.ends_with("--")) {
      effects.writes.emplace(text.substr(at, end - at));
    }
    at = end;
  }
}

void note_parameter(const shell::Parameter& parameter, Effects& effects) {
  const std::string& name = parameter.name;
  if (parameter.subscript) {
    for (const shell::WordPart& part : (*parameter.subscript)->parts) {
      if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
        note_names(literal->value, effects);
      }
    }
  }
  if (name == "?") {
    effects.status = true;
  } else if (name == "@" || name == "*" || name == "#") {
    effects.all_positionals = true;
  } else if (name == "!") {
    effects.background = true;
  } else if (!name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
    if (name != "0") {
      effects.positionals.insert(std::stoi(name.substr(0, 4)));
    }
  } else if (!name.empty() &&
             (std::isalpha(static_cast<unsigned char>(name[0])) != 0 || name[0] == '_')) {
    const bool defaulted = parameter.op == ":-" || parameter.op == "-" || parameter.op == ":+" ||
                           parameter.op == "+" || parameter.op == ":=" || parameter.op == "=";
    (defaulted ? effects.reads_defaulted : effects.reads).insert(name);
    if (parameter.op == ":=" || parameter.op == "=") {
      effects.writes.insert(name);
    }
  }
}

bool plain_name(std::string_view text) {
  return !text.empty() &&
         (std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_') &&
         std::ranges::all_of(text,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// Whether it sets a variable whose name is computed: read "$x", printf -v "$x".
bool names_computed(const shell::SimpleCommand& command) {
  const bool prints = command_name(command) == "printf";
  if (prints && (command.words.size() < 3 || command.words[1].literal() != "-v")) {
    return false;
  }
  constexpr std::string_view with_values = "pdtnNuicCsO"; // options that a value follows
  for (std::size_t i = 1; i < (prints ? 3 : command.words.size()); ++i) {
    const std::string before = command.words[i - 1].literal().value_or("");
    const bool value = !prints && before.size() > 1 && before[0] == '-' &&
                       with_values.find(before.back()) != std::string_view::npos;
    if (!command.words[i].literal() && !value) {
      return true;
    }
  }
  return false;
}

// Whether it may set any variable: by a computed name, or by another name for it.
bool sets_any(std::string_view name, const shell::SimpleCommand& command) {
  if (name == "declare" || name == "typeset" || name == "local") {
    return std::ranges::any_of(command.words, [](const shell::Word& word) {
      const std::string text = word.literal().value_or("");
      return text.size() > 1 && text[0] == '-' && text.find('n') != std::string::npos;
    });
  }
  static constexpr std::array<std::string_view, 5> setters{"read", "printf", "mapfile", "readarray",
                                                           "unset"};
  return std::ranges::find(setters, name) != setters.end() && names_computed(command);
}

// Whether it only says how things are: ulimit -a, umask, shopt -p, set -o, trap -p.
bool only_asks(std::string_view name, const shell::SimpleCommand& command) {
  bool options = true;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const std::string word = command.words[i].literal().value_or("?");
    options = options && word.starts_with('-');
    if ((name == "shopt" || name == "trap") && (word == "-p" || word == "-q" || word == "-l")) {
      return i == 1;
    }
  }
  return name == "ulimit" || name == "umask" ? options : command.words.size() == 1;
}

// Builtins before which an assignment outlives them, in a shell that keeps to POSIX.
bool special_builtin(std::string_view name) {
  static constexpr std::array<std::string_view, 14> special{
      ".",      ":",        "break",  "continue", "eval",  "exec",   "exit",
      "export", "readonly", "return", "set",      "shift", "source", "unset"};
  return std::ranges::find(special, name) != special.end();
}

void note_command(const shell::SimpleCommand& command, Effects& effects) {
  const auto known_name = command_name(command);
  if (!known_name) {
    if (!command.words.empty()) {
      effects.commands.insert("");
    }
    return;
  }
  effects.commands.insert(*known_name);
  const std::string_view name = *known_name;
  const auto arguments_are_names = [&](std::size_t from) {
    for (std::size_t i = from; i < command.words.size(); ++i) {
      const auto text = command.words[i].literal();
      if (text && plain_name(*text)) {
        effects.writes.insert(*text);
      }
    }
  };
  if (name == "exit" || name == "exec" || name == "return") {
    effects.exits = effects.exits || command.words.size() > 1 || name != "exec";
  } else if (name == "kill") { // it may be the script itself: kill $$
    effects.exits = true;
  } else if (name == "trap") {
    effects.traps = effects.traps || !only_asks(name, command);
  } else if (name == "cd" || name == "pushd" || name == "popd") {
    effects.changes_directory = true;
  } else if (name == "set" || name == "shopt" || name == "ulimit" || name == "umask") {
    effects.options = effects.options || !only_asks(name, command);
  } else if (name == "wait" || name == "disown" || name == "bg" || name == "fg" || name == "jobs") {
    effects.background = true;
  } else if (name == "eval" || name == "source" || name == "." || name == "alias" ||
             name == "enable" || sets_any(name, command)) {
    effects.anything = true;
  } else if (name == "shift" || name == "getopts") {
    effects.all_positionals = true;
    arguments_are_names(1);
    if (name == "getopts") {
      effects.writes.insert({"OPTARG", "OPTIND"});
    }
  } else if (name == "read" || name == "mapfile" || name == "readarray" || name == "unset" ||
             name == "printf" || name == "let") {
    arguments_are_names(1);
    if (name == "let") {
      for (std::size_t i = 1; i < command.words.size(); ++i) {
        std::string text; // `*` is no pattern here
        plain_text(command.words[i].parts, text);
        note_assigned(text, effects);
        note_names(text, effects);
      }
    }
  }
}

class Gather {
public:
  explicit Gather(Effects& effects) : effects_(effects) {}

  void statement(const shell::Statement& inner) {
    if (inner.background) {
      effects_.background = true;
    }
    if (const auto* command = std::get_if<shell::SimpleCommand>(&inner.value)) {
      const auto name = command_name(*command);
      for_it_alone_ = name && !special_builtin(*name) ? command : nullptr;
      note_command(*command, effects_);
    } else if (const auto* loop = std::get_if<shell::For>(&inner.value)) {
      effects_.writes.insert(loop->variable);
      if (!loop->body.empty()) {
        loops_.push_back({loop->variable, loop->body.front().span, loop->body.back().span.end});
      }
      if (!loop->in) {
        effects_.all_positionals = true;
      }
    } else if (const auto* arithmetic = std::get_if<shell::ArithmeticCommand>(&inner.value)) {
      for (const std::string& name : arithmetic->arithmetic.variables) {
        if (!plain_name(name)) {
          continue; // $1, which stands among the expansions
        }
        effects_.reads.insert(name);
        if (arithmetic->arithmetic.assigns) {
          effects_.writes.insert(name);
        }
      }
    } else if (const auto* c_loop = std::get_if<shell::ArithmeticFor>(&inner.value)) {
      // The loop's variable is the name before the first `=` of its first part.
      const std::string& init = c_loop->init;
      std::string name = init.substr(0, init.find('='));
      std::erase_if(name, [](unsigned char c) { return std::isspace(c) != 0; });
      if (plain_name(name)) {
        effects_.writes.insert(name);
      }
    } else if (const auto* test = std::get_if<shell::Test>(&inner.value)) {
      effects_.writes_match |= std::ranges::any_of(
          test->tokens, [](const shell::TestToken& token) { return token.op == "=~"; });
    } else if (std::holds_alternative<shell::Function>(inner.value)) {
      effects_.functions = true;
    } else if (std::holds_alternative<shell::Coprocess>(inner.value)) {
      effects_.background = true;
    } else if (std::holds_alternative<shell::Unparsed>(inner.value)) {
      effects_.unparsed = true;
    }
    for (const shell::Redirect& redirect : inner.redirects) {
      if (redirect.variable) {
        effects_.writes.insert(*redirect.variable);
      }
    }
  }

  void part(const shell::WordPart& part) {
    if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      const bool known = effects_.reads.contains(parameter->name) ||
                         effects_.reads_defaulted.contains(parameter->name);
      note_parameter(*parameter, effects_);
      if (!known && by_loop(parameter->name, part.span)) {
        effects_.reads.erase(parameter->name);
        effects_.reads_defaulted.erase(parameter->name);
      }
    } else if (const auto* arithmetic = std::get_if<shell::Arithmetic>(&part.value)) {
      for (const std::string& name : arithmetic->variables) {
        if (!plain_name(name)) {
          continue;
        }
        if (!by_loop(name, part.span)) {
          effects_.reads.insert(name);
        }
        if (arithmetic->assigns) {
          effects_.writes.insert(name);
        }
      }
    }
  }

  void assignment(const shell::Assignment& assignment) {
    const bool alone = for_it_alone_ != nullptr &&
                       std::ranges::any_of(for_it_alone_->assignments,
                                           [&](const auto& each) { return &each == &assignment; });
    if ((assignment.value || assignment.array) && !alone) {
      effects_.writes.insert(assignment.name);
    }
    if (assignment.append) {
      effects_.reads.insert(assignment.name);
    }
  }

  static void word(const shell::Word& /*word*/) {}
  static bool walks_functions() { return true; }

private:
  struct Loop {
    std::string_view variable;
    source::Span body; // its first statement
    std::uint32_t end = 0;
  };

  // What a loop gives its variable is no value from before the statement.
  [[nodiscard]] bool by_loop(std::string_view name, const source::Span& span) const {
    return std::ranges::any_of(loops_, [&](const Loop& loop) {
      return loop.variable == name && loop.body.source == span.source &&
             loop.body.begin <= span.begin && span.end <= loop.end;
    });
  }

  Effects& effects_;
  const shell::SimpleCommand* for_it_alone_ = nullptr; // IFS=, read a b
  std::vector<Loop> loops_; // that were met, those around a part among them
};

// What is done in the script's own shell.
class InShell {
public:
  explicit InShell(Effects& effects) : gather_(effects) {}

  void statement(const shell::Statement& inner) {
    if (!in_own_shell(inner)) {
      gather_.statement(inner);
    }
  }
  void part(const shell::WordPart& part) { gather_.part(part); }
  void assignment(const shell::Assignment& assignment) { gather_.assignment(assignment); }
  static void word(const shell::Word& /*word*/) {}
  static bool walks_functions() { return true; }
  static bool walks_shells() { return false; }

private:
  Gather gather_;
};

// A function's $1 is not the script's.
class OutsideFunctions {
public:
  explicit OutsideFunctions(Gather& gather, Effects& effects)
      : gather_(gather), effects_(effects) {}

  void statement(const shell::Statement& inner) {
    const auto* loop = std::get_if<shell::For>(&inner.value);
    effects_.all_positionals |= loop != nullptr && !loop->in;
  }
  void part(const shell::WordPart& part) { gather_.part(part); }
  static void assignment(const shell::Assignment& /*assignment*/) {}
  static void word(const shell::Word& /*word*/) {}
  static bool walks_functions() { return false; }

private:
  Gather& gather_;
  Effects& effects_;
};

} // namespace

std::optional<std::string> command_name(const shell::SimpleCommand& command) {
  if (command.words.empty()) {
    return std::nullopt;
  }
  return command.words.front().literal();
}

bool ambient_variable(std::string_view name) {
  return std::ranges::any_of(tables::ambient_variables,
                             [&](const auto& row) { return row.name == name; });
}

Effects effects_of(const shell::Statement& statement) {
  Effects effects;
  Gather gather(effects);
  Walk(gather).statement(statement);
  if (effects.functions) {
    effects.positionals.clear();
    effects.all_positionals = false;
    OutsideFunctions outside(gather, effects);
    Walk(outside).statement(statement);
  }
  return effects;
}

Effects effects_behind(const shell::Statement& statement) {
  Effects effects;
  InShell within(effects);
  Walk(within).statement(statement);
  const Effects all = effects_of(statement);
  effects.background = all.background; // jobs -p, $!: it may ask of what the script has started
  effects.unparsed = all.unparsed;
  effects.all_positionals = all.all_positionals;
  effects.positionals = all.positionals;
  return effects;
}

std::set<std::string> asked_whether_set(const shell::Statement& statement) {
  std::set<std::string> names;
  Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    static constexpr std::array<std::string_view, 4> operators{"-", "+", "=", "?"};
    if (parameter != nullptr && std::ranges::find(operators, parameter->op) != operators.end()) {
      names.insert(parameter->name);
    }
  };
  walk(statement, visitor);
  return names;
}

bool in_own_shell(const shell::Statement& statement) {
  const auto* piped = std::get_if<shell::Pipeline>(&statement.value);
  return statement.background || std::holds_alternative<shell::Subshell>(statement.value) ||
         (piped != nullptr && piped->commands.size() > 1);
}

void merge(Effects& into, const Effects& other) {
  into.reads.insert(other.reads.begin(), other.reads.end());
  into.reads_defaulted.insert(other.reads_defaulted.begin(), other.reads_defaulted.end());
  into.writes.insert(other.writes.begin(), other.writes.end());
  into.commands.insert(other.commands.begin(), other.commands.end());
  into.positionals.insert(other.positionals.begin(), other.positionals.end());
  into.all_positionals |= other.all_positionals;
  into.status |= other.status;
  into.exits |= other.exits;
  into.traps |= other.traps;
  into.changes_directory |= other.changes_directory;
  into.options |= other.options;
  into.background |= other.background;
  into.functions |= other.functions;
  into.anything |= other.anything;
  into.unparsed |= other.unparsed;
  into.writes_match = into.writes_match || other.writes_match;
}

} // namespace s2f::analysis
