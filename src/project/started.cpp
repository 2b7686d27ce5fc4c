// Finds the script that a line of a crontab starts.
//
// before:  cd $HOME/jobs && LR=1 sbatch --mem=4G nightly.sh full > /dev/null
// after:   Started{jobs, nightly.sh, {--mem=4G}, {full}, {LR: 1}}
#include "project/started.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "shell/parse.hpp"
#include "slurm/header.hpp"

namespace s2f::project {

namespace {

std::string_view base_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

// A path as far as it is plain: $HOME/jobs/a.sh is jobs/a.sh.
std::string plain_end(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != '"' && c != '\'') {
      out += c;
    }
  }
  if (out.find('`') != std::string::npos || out.find("$(") != std::string::npos) {
    return "";
  }
  const auto variable = out.find_last_of("$~");
  if (variable == std::string::npos) {
    return out;
  }
  const auto slash = out.find('/', variable);
  return slash == std::string::npos ? "" : out.substr(slash + 1);
}

class Finder {
public:
  Finder(source::Sources& sources, std::map<std::string, std::string> variables)
      : sources_(sources), variables_(std::move(variables)) {}

  std::optional<Started> run(std::string text, source::Origin origin) {
    return parsed(std::move(text), std::move(origin)) && !found_.script.empty()
               ? std::optional(std::move(found_))
               : std::nullopt;
  }

private:
  bool parsed(std::string text, source::Origin origin) {
    const auto id = sources_.add_virtual(std::move(text) + "\n", std::move(origin));
    return block(shell::parse(sources_[id]).statements);
  }

  bool block(const std::vector<shell::Statement>& statements) {
    return std::ranges::all_of(statements,
                               [this](const shell::Statement& each) { return statement(each); });
  }

  bool statement(const shell::Statement& statement) {
    for (const shell::Redirect& redirect : statement.redirects) {
      using Kind = shell::RedirectKind;
      const bool writes = redirect.kind == Kind::output || redirect.kind == Kind::append ||
                          redirect.kind == Kind::clobber || redirect.kind == Kind::output_both ||
                          redirect.kind == Kind::append_both;
      if (writes && redirect.target.literal() != "/dev/null") {
        found_.logs.push_back(sources_.to_file(redirect.span));
      }
    }
    if (const auto* both = std::get_if<shell::AndOr>(&statement.value)) {
      return both->is_and && this->statement(*both->left) && this->statement(*both->right);
    }
    if (const auto* group = std::get_if<shell::Group>(&statement.value)) {
      return block(group->body);
    }
    if (const auto* shell = std::get_if<shell::Subshell>(&statement.value)) {
      return block(shell->body);
    }
    const auto* command = std::get_if<shell::SimpleCommand>(&statement.value);
    return command != nullptr && !statement.negated && simple(*command);
  }

  // A word of text and of variables that stand above the line.
  [[nodiscard]] std::optional<std::string>
  text_of(const std::vector<shell::WordPart>& parts) const {
    std::string text;
    for (const shell::WordPart& part : parts) {
      if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
        text += literal->value;
      } else if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
        text += single->value;
      } else if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
        const auto inner = text_of(quoted->parts);
        if (!inner) {
          return std::nullopt;
        }
        text += *inner;
      } else if (const auto* parameter = std::get_if<shell::Parameter>(&part.value);
                 parameter != nullptr && parameter->op.empty() && !parameter->length &&
                 !parameter->subscript && variables_.contains(parameter->name)) {
        text += variables_.at(parameter->name);
      } else {
        return std::nullopt;
      }
    }
    return text;
  }

  [[nodiscard]] std::optional<std::string> text_of(const shell::Word& word) const {
    return text_of(word.parts);
  }

  [[nodiscard]] std::string path_of(const shell::Word& word) const {
    return text_of(word).value_or(plain_end(sources_.text(word.span)));
  }

  bool simple(const shell::SimpleCommand& command) {
    static constexpr std::array prepares{".", "source", "module", "ml", "umask", "true", ":"};
    static constexpr std::array shells{"bash", "sh", "zsh", "ksh"};
    for (const auto* list : {&command.assignments, &command.declared}) {
      for (const shell::Assignment& each : *list) {
        if (const auto text = each.value ? text_of(*each.value) : std::nullopt) {
          found_.environment[each.name] = *text;
        } else if (each.value) {
          found_.unknown.push_back(sources_.to_file(each.span));
        }
      }
    }
    if (command.words.empty()) {
      return true;
    }
    const std::string first = path_of(command.words.front());
    const std::string_view name = base_name(first);
    if (name == "export" || std::ranges::find(prepares, name) != prepares.end()) {
      return true;
    }
    if (!found_.script.empty()) {
      return false;
    }
    if (name == "cd" && command.words.size() == 2) {
      found_.directory = path_of(command.words[1]);
      found_.goes = sources_.to_file(
          {command.words[0].span.source, command.words[0].span.begin, command.words[1].span.end});
      return true;
    }
    if (name == "sbatch") {
      return sbatch(command);
    }
    const bool shell = std::ranges::find(shells, name) != shells.end();
    std::size_t at = shell ? 1 : 0;
    while (shell && at < command.words.size() &&
           command.words[at].literal().value_or("").starts_with('-')) {
      const bool text = command.words[at].literal()->find('c') != std::string::npos;
      ++at;
      if (text) { // bash -lc 'sbatch nightly.sh'
        const auto inner = at < command.words.size() ? command.words[at].literal() : std::nullopt;
        const source::Span span =
            at < command.words.size() ? command.words[at].span : source::Span{};
        return inner && parsed(*inner, {span, {{0, span.begin + 1}}});
      }
    }
    if (at >= command.words.size() || (!shell && first.find('/') == std::string::npos)) {
      return false;
    }
    found_.script = path_of(command.words[at]);
    arguments(command, at + 1);
    return !found_.script.empty();
  }

  bool sbatch(const shell::SimpleCommand& command) {
    found_.submitted = true;
    std::size_t at = 1;
    for (; at < command.words.size(); ++at) {
      const auto known = text_of(command.words[at]);
      const std::string written(sources_.text(command.words[at].span));
      if (!known && written.starts_with("--export=")) { // D=$(date +%F) among them
        unknown_exports(command.words[at]);
        continue;
      }
      if (!known && written.starts_with('-')) {
        found_.unknown.push_back(sources_.to_file(command.words[at].span));
        continue;
      }
      const auto& word = known;
      if (!word || !word->starts_with('-')) {
        break;
      }
      source::Span span = command.words[at].span;
      const auto equals = word->find('=');
      const bool whole = word->starts_with("--");
      const std::string name =
          whole ? word->substr(2, equals == std::string::npos ? equals : equals - 2)
                : word->substr(1, 1);
      const auto& table = slurm::option_table();
      const auto info = std::ranges::find_if(table, [&](const slurm::OptionInfo& each) {
        return whole ? each.name == name : each.short_name == name;
      });
      const bool takes = info != table.end() && info->argument == "required" &&
                         (whole ? equals == std::string::npos : word->size() == 2);
      std::string option = *word;
      if (takes && at + 1 < command.words.size()) {
        const auto value = text_of(command.words[++at]);
        span.end = command.words[at].span.end;
        if (!value) {
          found_.unknown.push_back(sources_.to_file(span));
          continue;
        }
        option += (whole ? "=" : "") + *value;
      }
      if (name == "wrap") {
        return false;
      }
      if (name == "export") {
        exports(option.substr(option.find('=') + 1));
        continue;
      }
      found_.options.push_back(std::move(option));
      found_.option_spans.push_back(sources_.to_file(span));
    }
    if (at >= command.words.size()) {
      return false;
    }
    found_.script = path_of(command.words[at]);
    arguments(command, at + 1);
    return true;
  }

  // Of --export=ALL,D=$(date +%F),LR=0.1 what is known; a value is no more where the shell makes
  // it.
  void unknown_exports(const shell::Word& word) {
    std::string text;
    for (const shell::WordPart& part : word.parts) {
      const auto known = text_of({part});
      text += known ? *known : "\x01";
    }
    std::string known;
    text.erase(0, text.find('=') + 1);
    for (std::size_t from = 0; from <= text.size();) {
      const auto comma = std::min(text.find(',', from), text.size());
      const std::string item = text.substr(from, comma - from);
      if (item.find('\x01') == std::string::npos) {
        known += (known.empty() ? "" : ",") + item;
      }
      from = comma + 1;
    }
    found_.unknown.push_back(sources_.to_file(word.span));
    exports(known);
  }

  // --export=ALL,LR=0.1
  void exports(std::string_view list) {
    found_.inherits = false;
    std::map<std::string, std::string> named;
    for (std::size_t from = 0; from <= list.size();) {
      const auto comma = std::min(list.find(',', from), list.size());
      const std::string item(list.substr(from, comma - from));
      const auto equals = item.find('=');
      if (equals != std::string::npos) {
        named[item.substr(0, equals)] = item.substr(equals + 1);
      } else if (std::ranges::equal(item, std::string_view("all"), {},
                                    [](unsigned char c) { return std::tolower(c); })) {
        found_.inherits = true;
      } else if (const auto known = found_.environment.find(item);
                 known != found_.environment.end()) {
        named.insert(*known);
      }
      from = comma + 1;
    }
    if (!found_.inherits) {
      found_.environment.clear();
    }
    named.merge(found_.environment);
    found_.environment = std::move(named);
  }

  void arguments(const shell::SimpleCommand& command, std::size_t from) {
    for (std::size_t i = from; i < command.words.size(); ++i) {
      const auto word = text_of(command.words[i]);
      if (!word) {
        found_.unknown.push_back(sources_.to_file(command.words[i].span));
      }
      found_.arguments.push_back(word.value_or(""));
    }
  }

  source::Sources& sources_;
  std::map<std::string, std::string> variables_;
  Started found_;
};

} // namespace

std::optional<Started> started_by(source::Sources& sources, std::string text, source::Origin origin,
                                  std::map<std::string, std::string> variables) {
  return Finder(sources, std::move(variables)).run(std::move(text), std::move(origin));
}

} // namespace s2f::project
