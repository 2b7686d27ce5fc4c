// Finds the names that words can come to by the assignments of a script.
#include "passes/script_names.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

using Texts = ScriptNames::Texts;

constexpr std::size_t most_texts = 64;
constexpr std::size_t most_text = 20'000;
constexpr int most_depth = 10;

const std::string open(1, open_part);
const std::string here(1, submit_part);

void add(Texts& texts, std::string text) {
  if (std::ranges::find(texts, text) == texts.end() && texts.size() < most_texts) {
    texts.push_back(std::move(text));
  }
}
void add_all(Texts& texts, const Texts& more) {
  for (const std::string& text : more) {
    add(texts, text);
  }
}

template <class Change> Texts changed(const Texts& texts, const Change& change) {
  Texts result;
  for (const std::string& text : texts) {
    add(result, change(text));
  }
  return result;
}

std::string base_of(const std::string& text) {
  const auto slash = text.find_last_of('/');
  return slash == std::string::npos ? text : text.substr(slash + 1);
}

std::string replaced(std::string text, const std::string& what, const std::string& by, bool all) {
  for (auto at = what.empty() ? std::string::npos : text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
    if (!all) {
      break;
    }
  }
  return text;
}

} // namespace

std::string parent_of(const std::string& path) {
  if (path == here) {
    return here + "/..";
  }
  const auto slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

void ScriptNames::note(const shell::Statement& statement) {
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& assignment) {
    Name& name = names_[assignment.name];
    if (assignment.array) {
      for (const shell::Word& word : *assignment.array) {
        name.words.push_back(&word);
      }
    } else if (assignment.value) {
      name.words.push_back(&*assignment.value);
    }
    name.other |= assignment.append && !assignment.array;
  };
  visitor.statement = [&](const shell::Statement& inner) {
    if (const auto* loop = std::get_if<shell::For>(&inner.value)) {
      Name& name = names_[loop->variable];
      name.other |= !loop->in;
      for (const shell::Word& word : loop->words) {
        name.words.push_back(&word);
      }
    } else if (const auto* command = shell::as_simple(inner)) {
      const auto first = analysis::command_name(*command);
      if (first == "read" || first == "mapfile" || first == "readarray" || first == "getopts" ||
          first == "let" || first == "printf") {
        for (const shell::Word& word : command->words) {
          if (const auto text = word.literal()) {
            names_[*text].other = true;
          }
        }
      }
    }
  };
  analysis::walk(statement, visitor);
}

Texts ScriptNames::of_parts(const std::vector<shell::WordPart>& parts, int depth) const {
  Texts texts{""};
  for (const shell::WordPart& part : parts) {
    Texts more = of_part(part, depth);
    if (texts.size() * more.size() > most_texts || texts.front().size() > most_text) {
      more = {open};
    }
    Texts joined;
    for (const std::string& text : texts) {
      for (const std::string& tail : more) {
        const bool again = text.ends_with(open_part) && tail == open;
        add(joined, again ? text : text + tail);
      }
    }
    texts = std::move(joined);
  }
  return texts;
}

Texts ScriptNames::of_part(const shell::WordPart& part, int depth) const {
  if (depth > most_depth) {
    return {open};
  }
  if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
    return {literal->value};
  }
  if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
    return {single->value};
  }
  if (const auto* ansi = std::get_if<shell::AnsiQuoted>(&part.value)) {
    return {ansi->value};
  }
  if (const auto* doubled = std::get_if<shell::DoubleQuoted>(&part.value)) {
    return of_parts(doubled->parts, depth);
  }
  if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
    return of_parameter(*parameter, depth + 1);
  }
  if (const auto* command = std::get_if<shell::CommandSubstitution>(&part.value)) {
    return of_command(*command, depth + 1);
  }
  if (const auto* braces = std::get_if<shell::BraceExpansion>(&part.value)) {
    return of_braces(*braces, depth + 1);
  }
  if (const auto* tilde = std::get_if<shell::Tilde>(&part.value)) {
    return {"~" + tilde->user};
  }
  return {open};
}

Texts ScriptNames::of_braces(const shell::BraceExpansion& braces, int depth) const {
  Texts texts;
  for (const shell::Word& word : braces.alternatives) {
    add_all(texts, of_parts(word.parts, depth));
  }
  if (braces.range && !braces.step) {
    const auto& [from, to] = *braces.range;
    std::int64_t first = 0;
    std::int64_t last = 0;
    const auto whole = [](const std::string& text, std::int64_t& value) {
      const bool padded = text.size() > 1 && text.front() == '0';
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      return !padded && error == std::errc{} && end == text.data() + text.size();
    };
    if (whole(from, first) && whole(to, last) && first <= last &&
        last - first < static_cast<std::int64_t>(most_texts)) {
      for (; first <= last; ++first) {
        add(texts, std::to_string(first));
      }
    }
  }
  return texts.empty() ? Texts{open} : texts;
}

// The path of the script itself, whose own name no command needs.
Texts ScriptNames::of_script() const {
  return {here + (own_.empty() ? "" : "/" + own_) + "/" + open};
}

Texts ScriptNames::of_parameter(const shell::Parameter& parameter, int depth) const {
  if (parameter.length || parameter.indirect) {
    return {open};
  }
  const std::string& op = parameter.op;
  Texts texts = parameter.name == "0" || parameter.name == "BASH_SOURCE"
                    ? of_script()
                    : of_name(parameter.name, depth);
  const auto argument = [&](std::size_t at) {
    const Texts all = at < parameter.arguments.size()
                          ? of_parts(parameter.arguments[at].parts, depth)
                          : Texts{""};
    return all.size() == 1 ? all.front() : open;
  };
  if (op.empty() || op == ":?" || op == "?") {
    return texts;
  }
  if (op == ":-" || op == "-" || op == ":=" || op == "=") {
    add_all(texts, parameter.arguments.empty() ? Texts{""}
                                               : of_parts(parameter.arguments[0].parts, depth));
    return texts;
  }
  if (op == ":+" || op == "+") {
    texts = {""};
    add_all(texts,
            parameter.arguments.empty() ? Texts{} : of_parts(parameter.arguments[0].parts, depth));
    return texts;
  }
  const std::string what = argument(0);
  if (op == "##" && what == "*/") {
    return changed(texts, base_of);
  }
  if (op == "%" && what == "/*") {
    return changed(texts, parent_of);
  }
  if (what.find_first_of("*?[\x01") != std::string::npos) {
    return {open};
  }
  if (op == "%" || op == "%%") {
    return changed(texts, [&](const std::string& text) {
      return text.ends_with(what) ? text.substr(0, text.size() - what.size()) : text;
    });
  }
  if (op == "#" || op == "##") {
    return changed(texts, [&](const std::string& text) {
      return text.starts_with(what) ? text.substr(what.size()) : text;
    });
  }
  if (op == "/" || op == "//") {
    const std::string by = argument(1);
    return changed(texts,
                   [&](const std::string& text) { return replaced(text, what, by, op == "//"); });
  }
  return {open};
}

Texts ScriptNames::of_name(const std::string& name, int depth) const {
  if (name == "SLURM_SUBMIT_DIR" || name == "PWD" || name == "PBS_O_WORKDIR") {
    return {here};
  }
  const auto known = names_.find(name);
  if (known == names_.end() || known->second.words.empty() || depth > most_depth ||
      !asking_.insert(name).second) {
    return {open};
  }
  Texts texts;
  for (const shell::Word* word : known->second.words) {
    if (texts.size() >= most_texts) { // those that follow are not looked at
      texts.back() = open;
      break;
    }
    add_all(texts, of_parts(word->parts, depth + 1));
  }
  if (known->second.other) {
    add(texts, open);
  }
  asking_.erase(name);
  return texts;
}

// $(pwd), $(dirname $0), $(basename $f .csv), $(cd DIRECTORY && pwd), $(realpath FILE).
Texts ScriptNames::of_command(const shell::CommandSubstitution& command, int depth) const {
  if (command.body.size() != 1) {
    return {open};
  }
  const shell::Statement* statement = &command.body.front();
  if (const auto* list = std::get_if<shell::AndOr>(&statement->value); list != nullptr) {
    const auto* second = shell::as_simple(*list->right);
    const bool shows = list->is_and && second != nullptr && !second->words.empty() &&
                       second->words[0].literal() == "pwd";
    const auto* first = shows ? shell::as_simple(*list->left) : nullptr;
    if (first == nullptr || first->words.size() < 2 || first->words[0].literal() != "cd") {
      return {open};
    }
    return of_parts(first->words.back().parts, depth);
  }
  const auto* simple = shell::as_simple(*statement);
  if (simple == nullptr || simple->words.empty()) {
    return {open};
  }
  const std::string program = program_name(simple->words[0].literal().value_or(""));
  if (program == "pwd") {
    return {here};
  }
  if (simple->words.size() < 2) {
    return {open};
  }
  if (program == "dirname" && simple->words.size() == 2) {
    return changed(of_parts(simple->words[1].parts, depth), parent_of);
  }
  if (program == "realpath" || program == "readlink" || program == "echo") {
    return of_parts(simple->words.back().parts, depth);
  }
  if (program == "basename" && simple->words.size() <= 3) {
    const Texts suffix =
        simple->words.size() == 3 ? of_parts(simple->words[2].parts, depth) : Texts{""};
    return changed(of_parts(simple->words[1].parts, depth), [&](const std::string& text) {
      const std::string base = base_of(text);
      return suffix.size() == 1 && base.ends_with(suffix[0])
                 ? base.substr(0, base.size() - suffix[0].size())
                 : base;
    });
  }
  return {open};
}

} // namespace s2f::passes
