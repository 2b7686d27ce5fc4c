// Programs and files that the script names below the submit directory, that are not there, and that
// nothing before makes; and those that it names outside of that directory.
//
// before:  ./prepare.sh data/x.csv; python train.py --table data/x.csv      (neither is there)
// after:   the same, S2F603 for prepare.sh, and S2F612: data/x.csv
// before:  make sim; ./sim > out.txt; sort out.txt
// after:   the same, and nothing said
// before:  python train.py --config ../configs/a.yaml
// after:   the same, and S2F613: ../configs/a.yaml
#include <algorithm>
#include <cctype>
#include <set>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/path_uses.hpp"
#include "passes/pipeline.hpp"
#include "passes/script_values.hpp"

namespace s2f::passes {

namespace {

std::string_view leaf(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

// A name that could be one of a file beside the script: no pattern, address or option.
bool is_relative(std::string_view path) {
  return !path.empty() && path.front() != '/' && path.front() != '-' && path.front() != '~' &&
         path.find("..") == std::string_view::npos && !path.ends_with('/') &&
         path.find_first_of("*?[]{}$~:;,=@%|()<>\"'` \t\n\\") == std::string_view::npos;
}

// "..", "../configs/a.yaml", "data/../../x": it leaves the directory.
bool leaves(std::string_view path) {
  if (path.find_first_of("*?[]{}$~:;,=@%|()<>\"'` \t\n\\") != std::string_view::npos ||
      path.starts_with('/') || path.starts_with('-')) {
    return false;
  }
  int depth = 0;
  while (!path.empty()) {
    const auto slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    depth += part == ".." ? -1 : part.empty() || part == "." ? 0 : 1;
    if (depth < 0) {
      return true;
    }
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return false;
}

class MissingFiles {
public:
  explicit MissingFiles(PassContext& context)
      : context_(context), values_(context.job.script, context.component()) {}

  void run() {
    for (const review::Finding& finding : context_.findings.all()) {
      if (finding.rule == "S2F603" || finding.rule == "S2F605") {
        said_.emplace(finding.span.source, finding.span.begin);
      }
    }
    for (const ir::Step& step : context_.job.body) {
      if (step.statement == nullptr || std::holds_alternative<ir::Nothing>(step.value)) {
        continue;
      }
      if (moved_) {
        continue;
      }
      moved_ = analysis::effects_of(*step.statement).changes_directory;
      read(*step.statement); // behind a cd, where the names lie is not followed
    }
    if (!names_.empty()) {
      say();
    }
    if (!outside_.empty()) {
      say_outside();
    }
  }

private:
  void read(const shell::Statement& outer) {
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& statement) {
      if (const auto* command = shell::as_simple(statement)) {
        look(*command);
      }
      for (const shell::Redirect& redirect : statement.redirects) {
        const auto path =
            redirect.kind == shell::RedirectKind::input ? text_of(redirect.target) : std::nullopt;
        if (path && !moved_ && absent(*path)) {
          add(redirect.target, *path);
        }
        if (const auto target = text_of(redirect.target); target && leaves(*target)) {
          add_outside(redirect.target, *target);
        }
        named(redirect.span);
      }
    };
    analysis::walk(outer, visitor);
  }

  void look(const shell::SimpleCommand& command) {
    if (command.words.empty()) {
      return;
    }
    std::vector<std::optional<std::string>> words;
    words.reserve(command.words.size());
    for (const shell::Word& word : command.words) {
      words.push_back(text_of(word));
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string word = words[i].value_or("");
      const auto equals = word.starts_with('-') ? word.find('=') : std::string::npos;
      const std::string path = equals == std::string::npos ? word : word.substr(equals + 1);
      if (leaves(path) && words.front() != "echo" && words.front() != "printf") {
        add_outside(command.words[i], path);
      }
    }
    if (moved_) {
      return;
    }
    const std::string program = words.front().value_or("");
    if (program.find('/') != std::string::npos && absent(program)) {
      missing_program(command.words.front(), program);
    }
    if (!words.front() || !reads_no_file(program)) {
      const auto uses = path_uses(words, {});
      for (std::size_t i = 1; i < words.size(); ++i) {
        if (!words[i] || (i < uses.size() && role_writes(uses[i].role)) ||
            option_writes(words, i)) {
          continue;
        }
        const std::string& word = *words[i];
        const auto equals = word.starts_with('-') ? word.find('=') : std::string::npos;
        const std::string path = equals == std::string::npos ? word : word.substr(equals + 1);
        if (has_file_ending(path) && absent(path) && !said(command.words[i].span)) {
          add(command.words[i], path);
        }
      }
    }
    for (const shell::Word& word : command.words) {
      named(word.span);
    }
  }

  [[nodiscard]] std::optional<std::string> text_of(const shell::Word& word) const {
    const auto texts = values_.of(word);
    return texts && texts->size() == 1 ? std::optional(texts->front()) : std::nullopt;
  }

  // Whether no file of that name is there, and nothing before speaks of one.
  [[nodiscard]] bool absent(const std::string& path) const {
    std::string clean = path;
    while (clean.starts_with("./")) {
      clean.erase(0, 2);
    }
    return is_relative(clean) && !context_.file_exists(clean) &&
           !context_.provided.contains(clean) && !earlier_.contains(std::string(leaf(clean)));
  }

  [[nodiscard]] bool said(const Span& span) const {
    return said_.contains({span.source, span.begin});
  }

  void missing_program(const shell::Word& word, const std::string& program) {
    if (said(word.span)) {
      return;
    }
    review::Finding finding;
    finding.rule = "S2F603";
    finding.span = word.span;
    finding.message = fmt::format("{} was not found beside the script.", program);
    finding.output_does = "It is called by that name, but not bundled with the module.";
    said_.emplace(word.span.source, word.span.begin);
    context_.findings.add(std::move(finding));
  }

  void add(const shell::Word& word, const std::string& path) {
    if (!seen_.insert(path).second) {
      return;
    }
    where_ = names_.empty() ? word.span : where_;
    names_.push_back(path);
  }

  void add_outside(const shell::Word& word, const std::string& path) {
    if (seen_.insert(path).second) {
      where_outside_ = outside_.empty() ? word.span : where_outside_;
      outside_.push_back(path);
    }
  }

  void say_outside() {
    const std::string list = listed(outside_);
    const std::string message =
        fmt::format("{}: outside of the directory that the job is submitted from.", list);
    review::Finding finding;
    finding.rule = "S2F613";
    finding.span = where_outside_;
    finding.message = message;
    finding.slurm_does = "The job runs in the submit directory, with all of the disk around it.";
    finding.output_does = "What a module bundles lies beside it or below, so a container has "
                          "nothing there.";
    finding.choices = {"make them inputs of the task, or put them below the script's directory",
                       "move the module up: to the directory that holds both"};
    finding.default_ = finding.choices[0];
    context_.findings.add(std::move(finding));
    context_.job.reviews.push_back(
        review_comment("S2F613", fmt::format("{} {}: outside of HERE, so no container has it.",
                                             context_.at(where_outside_), list)));
  }

  static std::string listed(const std::vector<std::string>& names) {
    static constexpr std::size_t most = 8;
    const auto shown = static_cast<std::ptrdiff_t>(std::min(most, names.size()));
    std::string list = fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
    if (names.size() > most) {
      list += fmt::format(" and {} more", names.size() - most);
    }
    return list;
  }

  void say() {
    const std::string list = listed(names_);
    review::Finding finding;
    finding.rule = "S2F612";
    finding.span = where_;
    finding.message = fmt::format("{}: not found beside the script.", list);
    finding.slurm_does = "The job finds in the submit directory what lies there when it runs.";
    finding.output_does = fmt::format(
        "{} bundled with the module, so a container has {} only if the job itself makes {}.",
        names_.size() == 1 ? "It is not" : "They are not", names_.size() == 1 ? "it" : "them",
        names_.size() == 1 ? "it" : "them");
    context_.findings.add(std::move(finding));
  }

  void named(const Span& span) {
    const std::string text = context_.text(span);
    const auto in_name = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
    };
    for (auto begin = text.begin(); begin != text.end();) {
      const auto end = std::find_if_not(begin, text.end(), in_name);
      if (begin != end) {
        earlier_.emplace(begin, end);
      }
      begin = end == text.end() ? end : end + 1;
    }
  }

  PassContext& context_;
  ScriptValues values_;
  std::unordered_set<std::string> earlier_; // names in what the statements before say
  bool moved_ = false;
  std::vector<std::string> names_, outside_;
  std::unordered_set<std::string> seen_;
  std::set<std::pair<source::SourceId, std::uint32_t>> said_; // where findings tell of a file
  Span where_{}, where_outside_{};
};

} // namespace

void missing_files(PassContext& context) {
  if (context.file_exists) {
    MissingFiles(context).run();
  }
}

} // namespace s2f::passes
