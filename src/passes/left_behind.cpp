// Places below the submit directory that the job's programs are told to write to, and that nothing
// hands over.
//
// before:  mkdir -p runs; python train.py --output_dir runs/a --data data
//          cp $TMPDIR/best.pt $SLURM_SUBMIT_DIR/; tar czf all.tgz logs
// after:   the same, and S2F604: runs, runs/a, $SLURM_SUBMIT_DIR, all.tgz
#include <algorithm>
#include <array>
#include <set>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/other_flags.hpp"
#include "generated/tables/output_flags.hpp"
#include "generated/tables/path_roles.hpp"
#include "ir/steps.hpp"
#include "passes/not_handed_over.hpp"
#include "passes/payload_facts.hpp"
#include "passes/pipeline.hpp"
#include "passes/script_values.hpp"

namespace s2f::passes {

namespace {

std::string plain(std::string path) {
  while (path.starts_with("./")) {
    path.erase(0, 2);
  }
  while (path.size() > 1 && path.ends_with('/')) {
    path.pop_back();
  }
  return path;
}

class LeftBehind {
public:
  explicit LeftBehind(PassContext& context)
      : context_(context), job_(context.job), values_(job_.script, context.component()) {}

  void run() {
    for (const review::Finding& finding : context_.findings.all()) {
      if (finding.rule == "S2F604") {
        said_.push_back(finding.span);
      }
    }
    moves_ = std::ranges::any_of(job_.body, [](const ir::Step& step) {
      return step.statement != nullptr && analysis::effects_of(*step.statement).changes_directory;
    });
    for (const ir::Step& step : job_.body) {
      if (step.statement == nullptr || std::holds_alternative<ir::Nothing>(step.value) ||
          said(step)) {
        continue;
      }
      read_payloads(step);
      analysis::Visitor visitor;
      visitor.statement = [&](const shell::Statement& statement) {
        if (const auto* command = shell::as_simple(statement)) {
          look(*command);
        }
      };
      analysis::walk(*step.statement, visitor);
    }
    not_handed_over(context_, where_, std::move(names_), "The job");
  }

private:
  // What the payload writes is told by its own text.
  [[nodiscard]] bool said(const ir::Step& step) const {
    return std::ranges::any_of(said_, [&](const Span& span) { return step.span.contains(span); });
  }

  // The options that a payload's own text is known to write to: the outputs pass has dealt with
  // them.
  void read_payloads(const ir::Step& step) {
    known_.clear();
    (void)ir::any_step(step, [&](const ir::Step& each) {
      const auto* launch = std::get_if<ir::Launch>(&each.value);
      const auto path = launch == nullptr || !launch->payload
                            ? std::nullopt
                            : launch->words[*launch->payload].text();
      const auto facts = path ? payload_facts(context_, *path) : std::nullopt;
      for (std::size_t i = 0; facts && i < facts->files.size(); ++i) {
        known_.insert("--" + facts->files[i].option);
      }
      return false;
    });
  }

  void look(const shell::SimpleCommand& command) {
    const auto program = command.words.empty() ? std::nullopt : command.words.front().literal();
    if (program && tables::find_other_flags(*program) != nullptr) {
      return;
    }
    if (program) {
      stage_out(*program, command);
    }
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      const shell::Word& word = command.words[i];
      const auto text = word.literal();
      if (program == "mkdir" && !(text && text->starts_with('-'))) {
        add(word, 0, true);
        continue;
      }
      const std::string raw = context_.text(word.span);
      const auto equals = raw.find('=');
      if (!raw.starts_with('-')) {
        continue;
      }
      const std::string flag = raw.substr(0, equals);
      const bool known = std::ranges::any_of(tables::output_flags,
                                             [&](const auto& row) { return row.flag == flag; });
      if (!known || known_.contains(flag)) {
        continue;
      }
      if (equals != std::string::npos) {
        add(word, equals + 1);
      } else if (i + 1 < command.words.size()) {
        add(command.words[++i], 0);
      }
    }
  }

  // What programs that copy, pack and touch leave: their last word, their archive, each word. A
  // relative name is one of the submit directory as long as nothing changes the directory.
  void stage_out(const std::string& program, const shell::SimpleCommand& command) {
    const auto* role = tables::find_path_roles(program);
    std::vector<const shell::Word*> operands;
    std::string letters;
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      const std::string raw = context_.text(command.words[i].span);
      if (raw.starts_with('-')) {
        letters += raw.starts_with("--") ? "" : raw;
      } else {
        operands.push_back(&command.words[i]);
      }
    }
    const auto leaves = [&](const shell::Word& word) {
      const std::string raw = context_.text(word.span);
      const bool submit = raw.contains("$SLURM_SUBMIT_DIR") || raw.contains("${SLURM_SUBMIT_DIR}");
      if ((submit || !moves_) && !raw.contains(':') && !raw.starts_with('$' + std::string("@"))) {
        add(word, 0);
      }
    };
    using Role = tables::PathRolesRole;
    if (role == nullptr || operands.empty()) {
      return;
    }
    if (role->role == Role::copies && operands.size() > 1) {
      leaves(*operands.back());
    } else if (role->role == Role::writes) {
      for (const shell::Word* word : operands) {
        leaves(*word);
      }
    } else if (role->role == Role::packs) {
      const bool bare = letters.empty(); // tar czf all.tgz logs
      const std::string how = bare ? context_.text(operands.front()->span) : letters;
      const std::size_t archive = bare ? 1 : 0;
      if (how.contains('c') && how.ends_with('f') && operands.size() > archive) {
        leaves(*operands[archive]);
      }
    }
  }

  void add(const shell::Word& word, std::size_t skip, bool directory = false) {
    const bool removed = std::ranges::any_of(
        job_.removals, [&](const ir::Removal& each) { return each.span.contains(word.span); });
    if (removed || handed_over(word.span)) {
      return;
    }
    const auto texts = values_.of(word);
    std::string path = texts && texts->size() == 1 ? texts->front() : context_.text(word.span);
    path = path.substr(std::min(path.size(), skip));
    std::erase(path, '"');
    std::erase(path, '\'');
    for (const std::string_view here : {"$PWD/", "${PWD}/", "$(pwd)/"}) {
      path.erase(0, path.starts_with(here) && !moves_ ? here.size() : 0);
    }
    path = plain(path);
    if (directory && holds_output(path)) {
      return;
    }
    static constexpr std::array elsewhere{
        "/",     "~",      "-", "$TMPDIR", "$SLURM_TMPDIR", "${TMPDIR", "${SLURM_TMPDIR",
        "$HOME", "${HOME", "$("};
    if (path.empty() || path == "." || path.find('\n') != std::string::npos ||
        std::ranges::any_of(elsewhere, [&](const char* each) { return path.starts_with(each); })) {
      return;
    }
    const bool returned = std::ranges::any_of(job_.outputs, [&](const ir::OutputFile& output) {
      return plain(output.path.text().value_or("")) == path;
    });
    if (returned || (job_.resume && job_.resume->directory == path) ||
        std::ranges::find(names_, path) != names_.end()) {
      return;
    }
    where_ = names_.empty() ? word.span : where_;
    names_.push_back(path);
  }

  // Whether a file in the directory is handed over: it was made for that.
  [[nodiscard]] bool holds_output(const std::string& directory) const {
    return std::ranges::any_of(job_.outputs, [&](const ir::OutputFile& output) {
      const auto* first =
          output.path.parts.empty() ? nullptr : std::get_if<ir::Text>(&output.path.parts.front());
      return output.directory.empty() && first != nullptr &&
             plain(first->text).starts_with(directory + "/");
    });
  }

  [[nodiscard]] bool handed_over(const Span& span) const {
    return std::ranges::any_of(job_.cluster_paths, [&](const ir::ClusterPath& path) {
      return std::ranges::find(path.spans, span) != path.spans.end();
    });
  }

  PassContext& context_;
  ir::Job& job_;
  ScriptValues values_;
  std::vector<Span> said_; // of the findings of payloads
  std::set<std::string> known_;
  bool moves_ = false; // the job changes its directory
  std::vector<std::string> names_;
  Span where_{};
};

} // namespace

void left_behind(PassContext& context) { LeftBehind(context).run(); }

} // namespace s2f::passes
