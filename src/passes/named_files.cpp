// Bundles the files beside the script which it names by more than a plain word, or which something
// names that it starts.
//
// before:  for c in conf/*.yaml; do python p.py $c data/part_$SLURM_ARRAY_TASK_ID.csv; done
//          bash -c "python q.py"; ./go.sh, with `python r.py conf/r.yaml` in it
// after:   include += conf/*.yaml, data/part_*.csv, q.py, go.sh, r.py, conf/r.yaml
// before:  the same, and no file is called data/part_*.csv; make, beside thousands of files
// after:   S2F612: data/part_${SLURM_ARRAY_TASK_ID}.csv; S2F614: make
#include "passes/named_files.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/folder_programs.hpp"
#include "generated/tables/path_roles.hpp"
#include "generated/tables/search_paths.hpp"
#include "passes/bundle.hpp"
#include "passes/not_bundled.hpp"
#include "passes/own_module.hpp"
#include "passes/path_uses.hpp"
#include "passes/script_names.hpp"
#include "passes/slots.hpp"
#include "passes/wrappers.hpp"
#include "shell/parse.hpp"

namespace s2f::passes {

namespace {

using Found = Bundle::Found;

bool is_shell(const std::string& name) {
  return name == "bash" || name == "sh" || name == "zsh" || name == "ksh" || name == "dash";
}

std::string leaf(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// As a shell would read it again.
std::string as_script(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c == open_part ? "${_}" : c == submit_part ? "$SLURM_SUBMIT_DIR" : std::string(1, c);
  }
  return result;
}

class Names {
public:
  explicit Names(PassContext& context)
      : context_(context), bundle_(context), not_bundled_(context) {}

  NamedFiles run() {
    for (const ir::Step& step : context_.job.body) {
      if (step.statement != nullptr) {
        names_.note(*step.statement);
      }
    }
    for (const ir::Step& step : context_.job.body) {
      if (step.statement != nullptr && !std::holds_alternative<ir::Nothing>(step.value)) {
        const std::size_t before = context_.job.include.size();
        read(*step.statement);
        leave_launcher(step, before);
      } else if (step.statement != nullptr) {
        only_assignments(*step.statement);
      }
    }
    // Where nothing else is bundled of a directory that it goes to, a program reads there what no
    // word names.
    for (const auto& [directory, span] : entered_) {
      const bool held = std::ranges::any_of(context_.job.include, [&](const std::string& each) {
        return each == "." || each == directory || each.starts_with(directory + "/") ||
               directory.starts_with(each + "/");
      });
      if (!held && take_directory(directory, span) == Found::too_many) {
        bundle_.take_first(directory); // so that the directory is there
      }
    }
    bundle_.tidy();
    not_bundled_.say();
    return std::move(result_);
  }

private:
  // ---- the walk

  void read(const shell::Statement& outer) {
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& statement) {
      if (const auto* command = shell::as_simple(statement)) {
        this->command(*command, statement);
      } else if (const auto* loop = std::get_if<shell::For>(&statement.value)) {
        list(loop->words);
      } else if (const auto* test = std::get_if<shell::Test>(&statement.value)) {
        for (const shell::Word& word : test->words) {
          only_files(word);
        }
      }
      for (const shell::Redirect& redirect : statement.redirects) {
        const bool input = redirect.kind == shell::RedirectKind::input;
        if (input || redirect.kind == shell::RedirectKind::output ||
            redirect.kind == shell::RedirectKind::append) {
          const Slot slot = slot_of(redirect.target);
          if (input) {
            mention(slot, false);
          }
          not_bundled_.spoken_of(slot.texts);
        }
      }
    };
    visitor.assignment = [&](const shell::Assignment& assignment) { this->assignment(assignment); };
    analysis::walk(outer, visitor);
  }

  // The script of a launcher, whose place Flyte takes: of it no task needs more than what it names.
  void leave_launcher(const ir::Step& step, std::size_t before) {
    const auto* launch = std::get_if<ir::Launch>(&step.value);
    if (launch == nullptr || !launch->rank) {
      return;
    }
    const auto named = [&](const std::string& file) {
      return std::ranges::any_of(launch->words, [&](const ir::Value& word) {
        return word.text().value_or("").find(file) != std::string::npos;
      });
    };
    auto& include = context_.job.include;
    include.erase(std::remove_if(include.begin() + static_cast<std::ptrdiff_t>(before),
                                 include.end(),
                                 [&](const std::string& file) {
                                   return file.ends_with(".sh") && !named(file);
                                 }),
                  include.end());
  }

  void only_assignments(const shell::Statement& statement) {
    analysis::Visitor visitor;
    visitor.assignment = [&](const shell::Assignment& assignment) { this->assignment(assignment); };
    analysis::walk(statement, visitor);
  }

  void assignment(const shell::Assignment& assignment) {
    if (assignment.array) {
      list(*assignment.array);
    }
    if (!assignment.value) {
      return;
    }
    if (const auto* row = tables::find_search_paths(assignment.name)) {
      for (const std::string& text : names_.of(*assignment.value)) {
        for (const std::string& part : split(text, ":")) {
          search_in(part, assignment, row->variable == "PYTHONPATH");
        }
      }
      return;
    }
    only_files(*assignment.value);
  }

  void search_in(const std::string& part, const shell::Assignment& assignment, bool python) {
    const auto path = path_below(part, "");
    if (!path || path->empty() || is_pattern(*path) || !bundle_.is_directory(*path)) {
      return;
    }
    take_directory(*path, assignment.span);
    if (python) {
      result_.roots.push_back(*path + "/");
    }
  }

  // Patterns that a loop or an array lists: the files are looked for whatever is done with them.
  void list(const std::vector<shell::Word>& words) {
    for (const shell::Word& word : words) {
      const Slot slot = slot_of(word);
      for (const std::string& text : slot.texts) {
        if (text.find_first_of("*?[") != std::string::npos) {
          (void)take(text, slot.span, true);
        }
      }
      only_files(word);
    }
  }

  void only_files(const shell::Word& word) {
    const Slot slot = slot_of(word);
    for (const std::string& text : slot.texts) {
      if (!is_pattern(text)) {
        (void)take(text, slot.span, false);
      }
    }
  }

  [[nodiscard]] Slot slot_of(const shell::Word& word) const {
    return passes::slot_of(names_, word, outer_);
  }

  // ---- commands

  void command(const shell::SimpleCommand& command, const shell::Statement& statement) {
    const std::vector<Slot> slots = slots_of(names_, command, outer_);
    if (slots.empty()) {
      return;
    }
    const std::string first = slots.front().text();
    if (first == "cd" || first == "pushd") {
      change_directory(slots);
    } else if (first == "eval") {
      std::string text;
      for (std::size_t i = 1; i < slots.size(); ++i) {
        text += (i > 1 ? " " : "") + slots[i].texts.front();
      }
      inner(text, slots.front().span);
    } else if (first == "[" || first == "test") {
      for (const shell::Word& word : command.words) {
        only_files(word);
      }
    } else if (const auto* roles = tables::find_path_roles(first);
               !reads_no_file(first) || roles != nullptr || first == "pip" || first == "pip3") {
      starts(slots, statement);
      names(slots);
    }
    for (const Slot& slot : slots) {
      not_bundled_.spoken_of(slot.texts);
    }
  }

  void change_directory(const std::vector<Slot>& slots) {
    moved_ = true;
    const std::string to = slots.size() > 1 ? slots.back().texts.front() : "~";
    const auto path = to == "-" ? std::nullopt : path_below(to, directories_.back());
    if (!path) {
      return;
    }
    if (is_pattern(*path)) {
      (void)take(to, slots.back().span, true); // what is done in it is not followed
    } else {
      if (!path->empty() && !not_bundled_.knows(*path) && bundle_.is_directory(*path)) {
        entered_.emplace_back(*path, slots.back().span);
      }
      std::erase(directories_, *path);
      directories_.push_back(*path);
    }
  }

  // What runs a text, a script, a module or what a directory holds.
  void starts(const std::vector<Slot>& slots, const shell::Statement& statement) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const std::string name = program_name(slots[i].text());
      if (name.empty()) {
        continue;
      }
      const auto behind = [&](const auto& is) -> const Slot* {
        for (std::size_t k = i + 1; k + 1 < slots.size(); ++k) {
          const std::string word = slots[k].text();
          if (!word.starts_with('-')) {
            break;
          }
          if (is(word)) {
            return &slots[k + 1];
          }
        }
        return nullptr;
      };
      if (is_shell(name)) {
        const auto command = [](const std::string& word) {
          return !word.starts_with("--") && word.ends_with('c');
        };
        if (const Slot* text = behind(command)) {
          for (const std::string& each : text->texts) {
            inner(each, text->span);
          }
        } else {
          heredocs(statement, [&](const std::string& text) { inner(text, slots[i].span); });
        }
      } else if (is_python(name) || name == "torchrun" || name == "accelerate") {
        result_.started = result_.started ? result_.started : std::optional(slots[i].span);
        const auto* module = behind([](const std::string& word) { return word == "-m"; });
        const auto* text = behind([](const std::string& word) { return word == "-c"; });
        if (module != nullptr && module->one) {
          const OwnModule own{context_, bundle_, not_bundled_, directories_, moved_};
          own.take(module->text(), module->span, result_);
        }
        if (text != nullptr && is_python(name)) {
          result_.texts.push_back(text->texts.front());
        }
        heredocs(statement, [&](const std::string& each) { result_.texts.push_back(each); });
      } else if (name == "matlab") {
        if (const auto* text =
                behind([](const std::string& word) { return word == "-r" || word == "-batch"; })) {
          matlab(text->texts.front(), text->span);
        }
      } else if (const auto* row = tables::find_folder_programs(name)) {
        folder(*row, slots, i);
      }
    }
  }

  template <class Use> static void heredocs(const shell::Statement& statement, const Use& use) {
    for (const shell::Redirect& redirect : statement.redirects) {
      if (redirect.kind != shell::RedirectKind::heredoc) {
        continue;
      }
      std::string text;
      for (const shell::WordPart& part : redirect.heredoc_parts) {
        const auto* literal = std::get_if<shell::Literal>(&part.value);
        text += literal != nullptr ? literal->value : "0";
      }
      use(text);
    }
  }

  // A text that a shell runs.
  void inner(const std::string& text, const Span& span) {
    constexpr int deepest = 6;
    constexpr std::size_t most = 100;
    if (text.find_first_not_of("\x01 ") == std::string::npos || depth_ >= deepest ||
        scripts_.size() >= most) {
      not_bundled_.unread(span);
      return;
    }
    sources_.emplace_back();
    const auto id = sources_.back().add("inner", as_script(text));
    walk_script(shell::parse(sources_.back()[id]), span);
  }

  void walk_script(shell::Script parsed, const Span& span) {
    scripts_.push_back(std::move(parsed));
    const shell::Script& script = scripts_.back();
    const auto outer = std::exchange(outer_, outer_.value_or(span));
    const auto directories = directories_;
    const bool moved = moved_;
    ++depth_;
    for (const shell::Statement& statement : script.statements) {
      names_.note(statement);
    }
    for (const shell::Statement& statement : script.statements) {
      read(statement);
    }
    --depth_;
    moved_ = moved;
    directories_ = directories;
    outer_ = outer;
  }

  // "run_me; exit": a file of that name, and those beside it that it may call.
  void matlab(const std::string& text, const Span& span) {
    for (const std::string& name : split(text, " ;,()'\"\n\t\x01")) {
      for (const std::string& directory : directories_) {
        const auto path = path_below(name + ".m", directory);
        if (path && context_.file_exists(*path)) {
          (void)take("*.m", span, false);
        }
      }
    }
  }

  void folder(const tables::FolderProgramsRow& row, const std::vector<Slot>& slots,
              std::size_t at) {
    std::string directory = directories_.back();
    std::string file;
    for (std::size_t i = at + 1; i + 1 < slots.size(); ++i) {
      const auto is = [&](const auto& options) {
        return std::ranges::find(options, slots[i].text()) != options.end();
      };
      const std::string& value = slots[i + 1].texts.front();
      if (is(row.directory)) {
        directory = path_below(value, directory).value_or(std::string(1, submit_part));
      } else if (is(row.file)) {
        file = value;
      }
    }
    std::vector<std::string> files;
    for (const std::string_view name : row.files) {
      files.emplace_back(name);
    }
    files = file.empty() ? files : std::vector{file};
    for (const std::string& name : files) {
      const auto path = path_below(name, directory);
      if (path && context_.file_exists(*path)) {
        if (take_directory(directory, slots[at].span) != Found::yes) {
          (void)bundle_.take(*path);
        }
        return;
      }
    }
  }

  // ---- names

  void names(const std::vector<Slot>& slots) {
    std::vector<std::optional<std::string>> words;
    words.reserve(slots.size());
    for (const Slot& slot : slots) {
      words.push_back(slot.one ? std::optional(slot.texts.front()) : std::nullopt);
    }
    const bool builds =
        words.size() > 1 && words[1] == "build" && (words[0] == "docker" || words[0] == "podman");
    if (builds) { // the image is built before the task runs
      return;
    }
    const std::vector<PathUse> uses = path_uses(words, {});
    const auto* row = words.front() ? tables::find_path_roles(*words.front()) : nullptr;
    static constexpr std::array other{"sbatch", "submit", "conda", "mamba", "pip", "pip3", "git"};
    quiet_ = std::ranges::find(other, words.front().value_or("")) != other.end();
    const bool whole = (row != nullptr && (row->role == tables::PathRolesRole::copies ||
                                           row->role == tables::PathRolesRole::packs)) ||
                       std::ranges::any_of(words, [](const auto& word) { return word == "pip"; });
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if ((i < uses.size() && role_writes(uses[i].role)) || option_writes(words, i)) {
        continue;
      }
      if (whole && i > 0 && (words[i] == "." || words[i] == "./")) {
        (void)take_directory(directories_.back(), slots[i].span);
        continue;
      }
      mention(slots[i], i == 0);
    }
  }

  void mention(const Slot& slot, bool program) {
    for (const std::string& text : slot.texts) {
      if (text.starts_with('-') && text.find('=') == std::string::npos) {
        continue;
      }
      const std::string value = text.starts_with('-') ? text.substr(text.find('=') + 1) : text;
      // A shell looks for a plain program in PATH, where no directory of that name is one.
      if (take(value, slot.span, !program || value.find('/') != std::string::npos)) {
        continue;
      }
      bool found = false;
      for (const char* separators : {"=", "=,:", ",", ":"}) {
        for (const std::string& part : split(value, separators)) {
          found = found || (part != value && !is_pattern(part) && has_file_ending(part) &&
                            take(part, slot.span, true));
        }
      }
      if (!found) {
        // missing_files says so of plain words.
        const bool open = is_open(value);
        const bool less = !open && std::ranges::any_of(slot.texts, is_open);
        if ((!slot.one || outer_) && !less && !moved_ && !quiet_) {
          not_bundled_.absent(value, slot.span, program, open && !outer_);
        }
      }
    }
  }

  // Whether something beside the script answers to the name.
  bool take(const std::string& text, const Span& span, bool directories) {
    std::vector<std::string> tried;
    for (auto at = directories_.rbegin(); at != directories_.rend(); ++at) {
      const auto path = path_below(text, *at);
      if (!path || std::ranges::find(tried, *path) != tried.end()) {
        continue;
      }
      tried.push_back(*path);
      const Found found = bundle_.take(*path, directories);
      if (found == Found::too_many) {
        not_bundled_.too_many(text, span);
        return true;
      }
      if (found == Found::yes) {
        follow(span);
        return true;
      }
    }
    return false;
  }

  Found take_directory(const std::string& directory, const Span& span) {
    const Found found = bundle_.take_directory(directory);
    if (found == Found::too_many) {
      not_bundled_.too_many(directory.empty() ? "." : directory, span);
    }
    return found;
  }

  // Scripts among what was taken are read in turn.
  void follow(const Span& span) {
    constexpr std::size_t longest = 200'000;
    while (followed_ < bundle_.files().size()) {
      const std::string path = bundle_.files()[followed_++];
      const std::string name = leaf(path);
      const bool shell = name.ends_with(".sh") || name.ends_with(".bash");
      if (name.ends_with(".py")) {
        result_.python.push_back(path);
        continue;
      }
      if ((!shell && name.find('.') != std::string::npos) || !context_.read_file) {
        continue;
      }
      const auto text = context_.read_file(path);
      if (!text || text->size() > longest || text->find('\0') != std::string::npos) {
        continue;
      }
      const std::string line = text->substr(0, text->find('\n'));
      if (line.starts_with("#!") && line.find("python") != std::string::npos) {
        result_.python.push_back(path);
        result_.started = result_.started ? result_.started : std::optional(outer_.value_or(span));
      } else if (shell ? !line.starts_with("#!") || line.find("sh") != std::string::npos
                       : line.starts_with("#!") && line.ends_with("sh")) {
        constexpr int deepest = 6;
        if (depth_ < deepest) {
          sources_.emplace_back();
          const auto id = sources_.back().add(path, *text);
          const auto slash = path.find_last_of('/');
          names_.lies_in(slash == std::string::npos ? "" : path.substr(0, slash));
          walk_script(shell::parse(sources_.back()[id]), span);
          names_.lies_in("");
        }
      }
    }
  }

  PassContext& context_;
  Bundle bundle_;
  NotBundled not_bundled_;
  ScriptNames names_;
  NamedFiles result_;
  std::deque<source::Sources> sources_; // of texts within the script's, and of scripts beside it
  std::deque<shell::Script> scripts_;
  std::vector<std::string> directories_{""};          // that it goes to; the last is where it is
  std::vector<std::pair<std::string, Span>> entered_; // those of them that are there
  bool moved_ = false, quiet_ = false;
  int depth_ = 0;
  std::optional<Span> outer_;
  std::size_t followed_ = 0;
};

} // namespace

NamedFiles named_files(PassContext& context) {
  return context.file_exists ? Names(context).run() : NamedFiles{};
}

} // namespace s2f::passes
