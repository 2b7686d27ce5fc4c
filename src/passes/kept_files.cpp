// Files that kept Bash writes by a redirection or by tee.
//
// before:  while read x; do echo "$x"; done > list.txt      (kept)
// after:   outputs = {list.txt}
// before:  for f in *.txt; do sort $f > $f.sorted; done     (kept)
// after:   S2F604
#include <algorithm>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "ir/steps.hpp"
#include "passes/not_handed_over.hpp"
#include "passes/region.hpp"
#include "passes/script_values.hpp"

namespace s2f::passes {

namespace {

bool writes(shell::RedirectKind kind) {
  using Kind = shell::RedirectKind;
  return kind == Kind::output || kind == Kind::append || kind == Kind::clobber ||
         kind == Kind::output_both || kind == Kind::append_both;
}

bool plain_relative(std::string_view path) {
  return !path.empty() && path.find_first_of("*?[$~\n") == std::string_view::npos &&
         !path.starts_with('/') && path.find("..") == std::string_view::npos &&
         !path.ends_with('/') && path != "-";
}

class KeptFiles {
public:
  KeptFiles(PassContext& context, std::vector<const shell::Statement*> statements)
      : context_(context), job_(context.job), values_(job_.script, context.component()),
        statements_(std::move(statements)) {
    analysis::Effects effects;
    for (const shell::Statement* statement : statements_) {
      analysis::merge(effects, analysis::effects_of(*statement));
    }
    here_ = !effects.changes_directory && !effects.anything &&
            !ir::any_step(job_.body, [](const ir::Step& step) {
              return std::holds_alternative<ir::ChangeDirectory>(step.value);
            });
  }

  void run() {
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      for (const shell::Redirect& redirect : inner.redirects) {
        if (writes(redirect.kind)) {
          add(redirect.target, redirect.span);
        }
      }
      const auto* command = shell::as_simple(inner);
      if (command != nullptr && analysis::command_name(*command) == "tee") {
        for (std::size_t i = 1; i < command->words.size(); ++i) {
          if (const auto text = command->words[i].literal(); !text || !text->starts_with('-')) {
            add(command->words[i], command->words[i].span);
          }
        }
      }
    };
    for (const shell::Statement* statement : statements_) {
      analysis::walk(*statement, visitor);
    }
    not_handed_over(context_, where_, std::move(names_), "The kept Bash");
  }

private:
  void add(const shell::Word& word, Span span) {
    const std::string name = context_.text(word.span);
    // A path of the cluster is S2F601's; a variable's place is not known.
    if (name.empty() || name[0] == '/' || name[0] == '~' || name.starts_with("\"/")) {
      return;
    }
    const auto texts = values_.of(word);
    if (here_ && !job_.submits && texts && texts->size() == 1 && plain_relative(texts->front())) {
      const auto known = std::ranges::any_of(job_.outputs, [&](const ir::OutputFile& output) {
        return output.path.text() == texts->front() && output.span.end == 0;
      });
      if (!known) { // no span of the region: what stands there is not handed over
        job_.outputs.push_back({ir::Value::of(texts->front()), "", Span{}});
      }
      return;
    }
    if (name[0] == '$' || name.starts_with("\"$") ||
        std::ranges::find(names_, name) != names_.end()) {
      return;
    }
    where_ = names_.empty() ? span : where_;
    names_.push_back(name);
  }

  PassContext& context_;
  ir::Job& job_;
  ScriptValues values_;
  std::vector<const shell::Statement*> statements_;
  bool here_ = false; // all of it runs in the submit directory
  std::vector<std::string> names_;
  Span where_{};
};

} // namespace

void files_left(PassContext& context, const std::vector<const shell::Statement*>& statements) {
  KeptFiles(context, statements).run();
}

void files_left(PassContext& context, const ir::KeptRegion& region) {
  std::vector<const shell::Statement*> statements;
  for (std::size_t i = region.first_step; i <= region.last_step; ++i) {
    if (context.job.body[i].in_region) {
      statements.push_back(context.job.body[i].statement);
    }
  }
  files_left(context, statements);
}

} // namespace s2f::passes
