// Reads the text that srun has a shell run as the shell on a node would, as far as the script tells
// it.
#include "passes/inner_launcher.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/rank_programs.hpp"
#include "generated/tables/rank_variables.hpp"
#include "passes/launcher_words.hpp"
#include "shell/parse.hpp"

namespace s2f::passes {

namespace {

using Environment = std::vector<std::pair<std::string, std::string>>;

bool is_shell(const std::optional<std::string>& word) {
  return word && (program_name(*word) == "bash" || program_name(*word) == "sh");
}

// A text that a shell runs.
struct Text {
  std::string text;
  const shell::Word* word = nullptr; // of `bash -c`
  std::string file;
};

// The word behind -c, -lc, -l -c; null where the shell is given no text or words behind it.
const shell::Word* text_of(const shell::SimpleCommand& command, std::size_t shell) {
  for (std::size_t i = shell + 1; i + 1 < command.words.size(); ++i) {
    const std::string option = command.words[i].literal().value_or("");
    if (option.size() < 2 || option[0] != '-' || option[1] == '-') {
      return nullptr;
    }
    if (option.find('c') != std::string::npos) {
      return i + 2 == command.words.size() ? &command.words[i + 1] : nullptr;
    }
  }
  return nullptr;
}

bool harmless_in_any_quotes(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_./:-=,${}").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// $1, ${2} and "$@" in the text of a script as the words that it is given; nothing where one of
// them could mean something else there.
std::optional<std::string> with_arguments(const std::string& text,
                                          const std::vector<std::string>& arguments) {
  const bool plain = std::ranges::all_of(arguments, harmless_in_any_quotes);
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    constexpr std::string_view all = "\"$@\"";
    if (text.compare(at, all.size(), all) == 0 || text.compare(at, 2, "$@") == 0) {
      if (!plain) {
        return std::nullopt;
      }
      result += fmt::format("{}", fmt::join(arguments, " "));
      at += text[at] == '"' ? all.size() - 1 : 1;
      continue;
    }
    const bool braces = at + 1 < text.size() && text[at + 1] == '{';
    const std::size_t begin = at + (braces ? 2 : 1);
    const char name = begin < text.size() ? text[begin] : ' ';
    const bool closed = !braces || (begin + 1 < text.size() && text[begin + 1] == '}');
    if (text[at] != '$' || name < '1' || name > '9' || !closed) {
      result += text[at];
      continue;
    }
    const auto index = static_cast<std::size_t>(name - '1');
    if (index >= arguments.size() || !harmless_in_any_quotes(arguments[index])) {
      return std::nullopt;
    }
    result += arguments[index];
    at = begin + (braces ? 1 : 0);
  }
  return result;
}

// The script beside this one that `bash launch.sh` or `./launch.sh` runs.
std::optional<Text> script_of(const PassContext& context, const shell::SimpleCommand& command,
                              std::size_t at, const ScriptValues& values) {
  if (!context.file_exists || !context.read_file || at >= command.words.size()) {
    return std::nullopt;
  }
  std::string path = command.words[at].literal().value_or("");
  while (path.starts_with("./")) {
    path.erase(0, 2);
  }
  if (path.empty() || path.starts_with('/') || !context.file_exists(path)) {
    return std::nullopt;
  }
  const std::string text = context.read_file(path).value_or("");
  const std::string first = text.substr(0, text.find('\n'));
  if (first.starts_with("#!") ? first.find("sh") == std::string::npos : !path.ends_with("sh")) {
    return std::nullopt;
  }
  std::vector<std::string> arguments;
  for (std::size_t i = at + 1; i < command.words.size(); ++i) {
    arguments.push_back(values.template_of(command.words[i]).value_or(""));
  }
  return Text{with_arguments(text, arguments).value_or(text), nullptr, path};
}

// The commands of `a; b && c` in order; nothing where something else joins them.
bool in_order(const shell::Statement& statement, std::vector<const shell::Statement*>& into) {
  if (const auto* both = std::get_if<shell::AndOr>(&statement.value)) {
    return both->is_and && !statement.background && !statement.negated &&
           in_order(*both->left, into) && in_order(*both->right, into);
  }
  into.push_back(&statement);
  return !statement.background && !statement.negated && statement.redirects.empty();
}

std::optional<std::vector<const shell::Statement*>> commands_of(const shell::Script& script) {
  std::vector<const shell::Statement*> statements;
  for (const shell::Statement& statement : script.statements) {
    if (!in_order(statement, statements)) {
      return std::nullopt;
    }
  }
  return statements.empty() ? std::nullopt : std::optional(std::move(statements));
}

// Whether it only says something in the log: echo, nvidia-smi, `python --version`, `set -x`.
bool shows(const shell::SimpleCommand& command, const std::string& name) {
  const auto* row = tables::find_rank_programs(program_name(name));
  static constexpr std::array log{"echo", "printf", "set", "type", "ulimit"};
  if (std::ranges::find(log, name) != log.end() ||
      (row != nullptr && row->copies == tables::RankProgramsCopies::shows)) {
    return true;
  }
  return is_python(name) && command.words.size() == 2 &&
         command.words[1].literal().value_or("").starts_with("--version");
}

// What makes programs findable on the node: the task's image has them.
bool sets_up(const shell::SimpleCommand& command, const std::string& name) {
  const std::string verb =
      command.words.size() > 1 ? command.words[1].literal().value_or("") : std::string();
  return name == "source" || name == "." || name == "module" || name == "ml" ||
         ((name == "conda" || name == "micromamba" || name == "mamba") && verb == "activate");
}

class Reader {
public:
  Reader(const ScriptValues& values, const std::set<std::string>& exported)
      : values_(values), exported_(exported) {}

  std::optional<InnerLauncher> read(const Text& given) {
    const auto id = sources_.add("-c", given.text);
    script_ = shell::parse(sources_[id]);
    const auto statements = commands_of(script_);
    const auto* last = statements ? shell::as_simple(*statements->back()) : nullptr;
    if (last == nullptr || last->words.empty()) {
      return std::nullopt;
    }
    values_.read_also(script_);
    result_.file = given.file;
    auto launcher = read_rank_launcher(*last, 0, values_);
    if (!launcher && !rank(*last)) {
      return std::nullopt;
    }
    if (launcher) {
      result_.launcher = std::move(*launcher);
    }
    if (!result_.launcher.why.empty()) {
      return std::move(result_);
    }
    for (const shell::Statement* statement : *statements) {
      if (statement != statements->back() && !before(*statement)) {
        if (result_.launcher.name == "srun") { // a rank may do what it likes
          return std::move(result_);
        }
        result_.launcher.why =
            fmt::format("{} does more than start the launcher",
                        given.file.empty() ? "the text of its shell" : given.file);
        return std::move(result_);
      }
    }
    if (!given_to(last->assignments)) {
      return result_.launcher.name == "srun" ? std::optional(std::move(result_)) : std::nullopt;
    }
    exported_.insert(result_.sets.begin(), result_.sets.end());
    result_.words = known_words(*last, result_.launcher, &exported_);
    read_names();
    return std::move(result_);
  }

private:
  // python train.py
  bool rank(const shell::SimpleCommand& command) {
    auto words = step_words(command, 0, values_, true);
    if (words.empty() || !words[0].text || !is_python(program_name(*words[0].text))) {
      return false;
    }
    for (const StepWord& word : words) {
      result_.program.push_back(word.text);
    }
    result_.launcher.name = "srun";
    result_.launcher.no_python = true;
    result_.launcher.rest = std::move(words);
    return true;
  }

  bool given_to(const std::vector<shell::Assignment>& assignments) {
    for (const shell::Assignment& assignment : assignments) {
      result_.sets.insert(assignment.name);
      const auto* row = tables::find_rank_variables(assignment.name);
      if (row != nullptr && row->from == tables::RankVariablesFrom::flyte) {
        continue;
      }
      const auto texts = assignment.value ? values_.of(*assignment.value) : std::nullopt;
      if (!texts || texts->size() != 1 || assignment.append || assignment.subscript) {
        return false;
      }
      result_.environment.emplace_back(assignment.name, texts->front());
    }
    return true;
  }

  // What may stand before the launcher: `export NAME=VALUE`, what only shows something, and what
  // sets up the node's software.
  bool before(const shell::Statement& statement) {
    const auto* command = shell::as_simple(statement);
    if (command == nullptr) {
      return false;
    }
    if (command->words.empty()) { // a variable of the shell, which the words may read
      return std::ranges::all_of(command->assignments, [](const shell::Assignment& each) {
        return each.value && !each.append && !each.subscript;
      });
    }
    const auto name = analysis::command_name(*command);
    if (name == "export" && command->words.size() == 1 && command->assignments.empty()) {
      return given_to(command->declared);
    }
    if (name && sets_up(*command, *name)) {
      result_.left_out.push_back(sources_[statement.span.source].text.substr(
          statement.span.begin, statement.span.end - statement.span.begin));
      return true;
    }
    return name && shows(*command, *name);
  }

  void read_names() {
    analysis::Visitor visitor;
    visitor.part = [&](const shell::WordPart& part) {
      if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
        result_.names.insert(parameter->name);
      }
    };
    for (const shell::Statement& statement : script_.statements) {
      analysis::walk(statement, visitor);
    }
  }

  ScriptValues values_;
  std::set<std::string> exported_;
  source::Sources sources_;
  shell::Script script_;
  InnerLauncher result_;
};

std::set<std::string> names_in(const shell::SimpleCommand& command, std::size_t from,
                               std::size_t to) {
  std::set<std::string> names;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      names.insert(parameter->name);
    }
  };
  for (std::size_t i = from; i < to && i < command.words.size(); ++i) {
    analysis::walk(command.words[i], visitor);
  }
  return names;
}

// A text between quotes whose program has words that only the shell knows: the launcher's own words
// go out of it, where the program begins a word of its own.
bool stands(const PassContext& context, const shell::Word& word, const ScriptValues& values,
            InnerLauncher& result) {
  const std::string written = context.text(word.span);
  if (written.size() < 3 || (written.front() != '"' && written.front() != '\'') ||
      written.back() != written.front() || word.parts.size() != 1) {
    return false;
  }
  source::Sources sources;
  const auto id = sources.add("-c", written.substr(1, written.size() - 2));
  const shell::Script script = shell::parse(sources[id]);
  const auto statements = commands_of(script);
  const auto* last = statements ? shell::as_simple(*statements->back()) : nullptr;
  if (last == nullptr || last->words.empty()) {
    return false;
  }
  const std::uint32_t begin = word.span.begin + 1;
  std::size_t program = 0;
  if (result.launcher.name != "srun") {
    auto launcher = read_rank_launcher(*last, 0, values);
    const bool apart = launcher && !launcher->rest.empty() && launcher->program > 0 &&
                       std::ranges::find(launcher->own, launcher->program) == launcher->own.end();
    // The local rank goes behind the first word, by words of Bash between quotes of its own.
    if (!apart || (result.launcher.local_rank && written.front() != '\'')) {
      return false;
    }
    program = launcher->program;
    result.text_end = begin + last->words.back().span.end;
    result.own = Span{word.span.source, begin + last->words.front().span.begin,
                      begin + last->words[program].span.begin};
  } else {
    result.own = Span{word.span.source, begin, begin};
  }
  result.names = names_in(*last, 0, program);
  result.needed = names_in(*last, program, last->words.size());
  for (std::size_t i = 0; i + 1 < statements->size(); ++i) {
    const auto reads = analysis::effects_of(*(*statements)[i]).reads;
    result.needed.insert(reads.begin(), reads.end());
  }
  result.left_out.clear();
  result.environment.clear();
  return launcher_word(sources[id].text.substr(0, last->words.front().span.begin),
                       LauncherWords::any) == std::nullopt;
}

} // namespace

std::optional<InnerLauncher> read_inner_launcher(const PassContext& context,
                                                 const shell::SimpleCommand& command,
                                                 std::size_t shell, const ScriptValues& values,
                                                 const std::set<std::string>& exported) {
  const auto name = command.words[shell].literal();
  const shell::Word* word = is_shell(name) ? text_of(command, shell) : nullptr;
  std::optional<Text> text;
  if (word != nullptr) {
    if (auto known = values.template_of(*word)) {
      text = Text{std::move(*known), word, {}};
    } else if (const std::string written = context.text(word->span);
               written.size() > 2 && written.front() == '"') {
      text = Text{written.substr(1, written.size() - 2), word, {}}; // as it is written
    }
  } else {
    text = script_of(context, command, is_shell(name) ? shell + 1 : shell, values);
  }
  if (!text) {
    return std::nullopt;
  }
  auto result = Reader(values, exported).read(*text);
  if (!result || !result->launcher.why.empty()) {
    return result;
  }
  result->text = text->file.empty() ? "" : text->text;
  if (!result->words && !text->file.empty() && result->launcher.name == "srun" &&
      !launcher_word(text->text, LauncherWords::any)) {
    result->left_out.clear();
    result->environment.clear();
    return result; // each rank runs that script
  }
  if (!result->words && (word == nullptr || !stands(context, *word, values, *result))) {
    result->launcher.why = "the words behind the launcher are not all known";
  }
  return result;
}

} // namespace s2f::passes
