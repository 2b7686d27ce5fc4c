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
  explicit Finder(source::Sources& sources) : sources_(sources) {}

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

  [[nodiscard]] std::string path_of(const shell::Word& word) const {
    return word.literal().value_or(plain_end(sources_.text(word.span)));
  }

  bool simple(const shell::SimpleCommand& command) {
    static constexpr std::array prepares{".", "source", "module", "ml", "umask", "true", ":"};
    static constexpr std::array shells{"bash", "sh", "zsh", "ksh"};
    for (const auto* list : {&command.assignments, &command.declared}) {
      for (const shell::Assignment& each : *list) {
        if (each.value && each.value->literal()) {
          found_.environment[each.name] = *each.value->literal();
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
      const auto word = command.words[at].literal();
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
        const auto value = command.words[++at].literal();
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
      const auto word = command.words[i].literal();
      if (!word) {
        found_.unknown.push_back(sources_.to_file(command.words[i].span));
      }
      found_.arguments.push_back(word.value_or(""));
    }
  }

  source::Sources& sources_;
  Started found_;
};

} // namespace

std::optional<Started> started_by(source::Sources& sources, std::string text,
                                  source::Origin origin) {
  return Finder(sources).run(std::move(text), std::move(origin));
}

} // namespace s2f::project
