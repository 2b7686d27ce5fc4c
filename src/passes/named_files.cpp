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
#include <cctype>
#include <deque>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/builtins.hpp"
#include "generated/tables/folder_programs.hpp"
#include "generated/tables/path_roles.hpp"
#include "generated/tables/python_stdlib.hpp"
#include "generated/tables/search_paths.hpp"
#include "passes/bundle.hpp"
#include "passes/path_uses.hpp"
#include "passes/script_names.hpp"
#include "passes/wrappers.hpp"
#include "payload/python.hpp"
#include "shell/parse.hpp"

namespace s2f::passes {

namespace {

using Texts = ScriptNames::Texts;
using Found = Bundle::Found;

// A word of a command, with all that it may be.
struct Slot {
  Texts texts;
  Span span{};
  bool one = false; // it is the only text, and known

  [[nodiscard]] std::string text() const { return one ? texts.front() : ""; }
};

bool is_shell(const std::string& name) {
  return name == "bash" || name == "sh" || name == "zsh" || name == "ksh" || name == "dash";
}

bool is_open(const std::string& text) { return text.find(open_part) != std::string::npos; }

std::vector<std::string> split(const std::string& text, std::string_view separators) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = text.find_first_not_of(separators, at);
    if (begin == std::string::npos) {
      break;
    }
    at = std::min(text.find_first_of(separators, begin), text.size());
    parts.push_back(text.substr(begin, at - begin));
  }
  return parts;
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
  explicit Names(PassContext& context) : context_(context), bundle_(context) {}

  NamedFiles run() {
    for (const ir::Step& step : context_.job.body) {
      if (step.statement != nullptr) {
        names_.note(*step.statement);
      }
    }
    for (const ir::Step& step : context_.job.body) {
      if (step.statement != nullptr && !std::holds_alternative<ir::Nothing>(step.value)) {
        read(*step.statement);
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
    say();
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
          note_earlier(slot);
        }
      }
    };
    visitor.assignment = [&](const shell::Assignment& assignment) { this->assignment(assignment); };
    analysis::walk(outer, visitor);
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

  Slot slot_of(const shell::Word& word) {
    Slot slot{names_.of(word), place(word.span), false};
    slot.one = slot.texts.size() == 1 && !is_open(slot.texts.front());
    return slot;
  }

  // Of what another script says: where this one calls it.
  [[nodiscard]] Span place(const Span& span) const { return outer_.value_or(span); }

  // The words, those of a variable apart.
  std::vector<Slot> slots_of(const shell::SimpleCommand& command) {
    std::vector<Slot> slots;
    for (const shell::Word& word : command.words) {
      Slot slot = slot_of(word);
      const bool blanks = std::ranges::any_of(slot.texts, [](const std::string& text) {
        return text.find_first_of(" \t\n") != std::string::npos;
      });
      if (!blanks || word.quoted() || word.literal()) {
        slots.push_back(std::move(slot));
      } else if (slot.texts.size() == 1) {
        for (std::string& part : split(slot.texts.front(), " \t\n")) {
          const bool known = !is_open(part);
          slots.push_back({{std::move(part)}, slot.span, known});
        }
      } else {
        Slot any{{}, slot.span, false};
        for (const std::string& text : slot.texts) {
          for (std::string& part : split(text, " \t\n")) {
            any.texts.push_back(std::move(part));
          }
        }
        slots.push_back(std::move(any));
      }
    }
    return slots;
  }

  // ---- commands

  void command(const shell::SimpleCommand& command, const shell::Statement& statement) {
    const std::vector<Slot> slots = slots_of(command);
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
      note_earlier(slot);
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
      if (!path->empty() && !earlier_.contains(*path) && bundle_.is_directory(*path)) {
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
          python_module(*module);
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
      unread_.emplace_back(context_.text(span));
      unread_at_ = unread_at_.value_or(span);
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

  void python_module(const Slot& slot) {
    std::string path = slot.text();
    std::ranges::replace(path, '.', '/');
    const std::string top = path.substr(0, path.find('/'));
    if (top.empty() || path.find_first_of("-=\x02") != std::string::npos) {
      return;
    }
    std::vector<std::string> roots;
    for (auto at = directories_.rbegin(); at != directories_.rend(); ++at) {
      roots.push_back(at->empty() ? "" : *at + "/");
    }
    roots.insert(roots.end(), result_.roots.begin(), result_.roots.end());
    for (const std::string& root : roots) {
      if (context_.file_exists(root + top + ".py")) {
        (void)bundle_.take(root + top + ".py");
        result_.python.push_back(root + top + ".py");
        return;
      }
      if (bundle_.is_directory(root + top)) {
        take_directory(root + top, slot.span);
        for (const char* tail : {".py", "/__main__.py", "/__init__.py"}) {
          if (context_.file_exists(root + path + tail)) {
            result_.python.push_back(root + path + tail);
          }
        }
        return;
      }
    }
    if (tables::find_python_stdlib(top) != nullptr || top == "pip") {
      return;
    }
    if (payload::distribution_of(top)) {
      result_.modules.push_back(top);
    } else if (!moved_ && !installed(top) && !has_project()) {
      missing_program(slot.text(), slot.span);
    }
  }

  [[nodiscard]] bool has_project() const {
    const ir::Environment& environment = context_.job.environment;
    return environment.project || environment.container || environment.base_image ||
           !environment.activations.empty() || !environment.made.empty();
  }

  [[nodiscard]] bool installed(const std::string& module) const {
    const auto same = [&](const ir::Sourced<std::string>& package) {
      const std::string name = package.value.substr(0, package.value.find_first_of("[=<>~! "));
      return std::ranges::equal(name, module, [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a == '-' ? '_' : a)) ==
               std::tolower(static_cast<unsigned char>(b));
      });
    };
    return std::ranges::any_of(context_.job.environment.pip, [&](const ir::PipLayer& layer) {
      return !layer.files.empty() || std::ranges::any_of(layer.packages, same);
    });
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
    const std::vector<PathUse> uses = path_uses(words, {});
    const auto* row = words.front() ? tables::find_path_roles(*words.front()) : nullptr;
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
      if (take(value, slot.span, true)) {
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
        absent(value, slot, program);
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
        too_many(text, span);
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
      too_many(directory.empty() ? "." : directory, span);
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
        result_.started = result_.started ? result_.started : std::optional(place(span));
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

  // ---- what is not there

  void note_earlier(const Slot& slot) {
    for (const std::string& text : slot.texts) {
      for (const std::string& part : split(text, "= ,")) {
        if (const auto path = path_below(part, "")) {
          earlier_.insert(*path);
          earlier_leaves_.insert(leaf(*path));
        }
      }
    }
  }

  [[nodiscard]] bool spoken_of(const std::string& path) const {
    if (earlier_leaves_.contains(leaf(path))) {
      return true;
    }
    for (auto slash = path.rfind('/'); slash != std::string::npos && slash > 0;
         slash = path.rfind('/', slash - 1)) {
      if (earlier_.contains(path.substr(0, slash)) &&
          !context_.file_exists(path.substr(0, slash))) {
        return true; // it lies in what was made before
      }
    }
    return std::ranges::any_of(earlier_leaves_, [&](const std::string& each) {
      return is_pattern(each) && each.size() > 3 && fits(each, leaf(path), true);
    });
  }

  void absent(const std::string& text, const Slot& slot, bool program) {
    const bool plain = slot.one && !outer_; // missing_files says so of these
    const auto path = path_below(text, "");
    const bool said = program ? text.find('/') != std::string::npos : has_file_ending(text);
    const bool less = !is_open(text) && std::ranges::any_of(slot.texts, is_open);
    if (plain || less || moved_ || !path || path->empty() || !said || spoken_of(*path) ||
        text.find_first_of("*?[ =:,@%") != std::string::npos || text.front() == open_part ||
        context_.provided.contains(*path)) {
      return;
    }
    if (program) {
      if (!is_open(text)) {
        missing_program(*path, slot.span);
      }
      return;
    }
    const std::string shown = outer_ || !is_open(text) ? *path : context_.text(slot.span);
    std::string clean = shown;
    std::ranges::replace(clean, open_part, '*');
    if (std::ranges::find(missing_, clean) == missing_.end()) {
      missing_at_ = missing_at_.value_or(slot.span);
      missing_.push_back(clean);
    }
  }

  void missing_program(const std::string& name, const Span& span) {
    if (!missing_programs_.insert(name).second) {
      return;
    }
    review::Finding finding;
    finding.rule = "S2F603";
    finding.span = span;
    finding.message = fmt::format("{} was not found beside the script.", name);
    finding.output_does = "It is called by that name, but not bundled with the module.";
    context_.findings.add(std::move(finding));
  }

  void too_many(const std::string& text, const Span& span) {
    std::string shown =
        text.front() == submit_part ? text.substr(std::min<std::size_t>(2, text.size())) : text;
    std::ranges::replace(shown, open_part, '*');
    if (std::ranges::find(many_, shown) == many_.end()) {
      many_at_ = many_at_.value_or(span);
      many_.push_back(shown);
    }
  }

  // ---- findings

  static std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most = 8;
    const auto shown = static_cast<std::ptrdiff_t>(std::min(most, names.size()));
    std::string list = fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
    return names.size() > most ? list + fmt::format(" and {} more", names.size() - most) : list;
  }

  void say() {
    if (!missing_.empty()) {
      const bool one = missing_.size() == 1;
      review::Finding finding;
      finding.rule = "S2F612";
      finding.span = *missing_at_;
      finding.message = fmt::format("{}: not found beside the script.", listed(missing_));
      finding.slurm_does = "The job finds in the submit directory what lies there when it runs.";
      finding.output_does =
          fmt::format("{} bundled with the module, so a container has {} only if "
                      "the job itself makes {}.",
                      one ? "It is not" : "They are not", one ? "it" : "them", one ? "it" : "them");
      context_.findings.add(std::move(finding));
    }
    if (!many_.empty()) {
      review::Finding finding;
      finding.rule = "S2F614";
      finding.span = *many_at_;
      finding.message =
          fmt::format("{}: too many files lie there to bundle them unasked.", listed(many_));
      finding.slurm_does = "The job finds all that lies in the submit directory.";
      finding.output_does =
          "They are not bundled with the module, so a container has none of them.";
      finding.choices = {"make them inputs of the task",
                         "add them to include=", "bundle all: flyte deploy --copy-style all"};
      finding.default_ = finding.choices[0];
      context_.job.reviews.push_back(
          review_comment("S2F614", fmt::format("{} {}: too many files to bundle unasked; a "
                                               "container has none of them.",
                                               context_.at(*many_at_), listed(many_))));
      context_.findings.add(std::move(finding));
    }
    if (!unread_.empty()) {
      std::ranges::sort(unread_);
      unread_.erase(std::ranges::unique(unread_).begin(), unread_.end());
      review::Finding finding;
      finding.rule = "S2F615";
      finding.span = *unread_at_;
      finding.message =
          fmt::format("What {} runs is known only when the job runs.", listed(unread_));
      finding.slurm_does = "The job finds all that lies in the submit directory.";
      finding.output_does = "Files beside the script that only it names are not bundled.";
      context_.findings.add(std::move(finding));
    }
  }

  PassContext& context_;
  Bundle bundle_;
  ScriptNames names_;
  NamedFiles result_;
  std::deque<source::Sources> sources_; // of texts within the script's, and of scripts beside it
  std::deque<shell::Script> scripts_;
  std::vector<std::string> directories_{""};          // that it goes to; the last is where it is
  std::vector<std::pair<std::string, Span>> entered_; // those of them that are there
  bool moved_ = false;
  int depth_ = 0;
  std::optional<Span> outer_;
  std::size_t followed_ = 0;
  std::set<std::string> earlier_, earlier_leaves_, missing_programs_;
  std::vector<std::string> missing_, many_, unread_;
  std::optional<Span> missing_at_, many_at_, unread_at_;
};

} // namespace

NamedFiles named_files(PassContext& context) {
  return context.file_exists ? Names(context).run() : NamedFiles{};
}

} // namespace s2f::passes
