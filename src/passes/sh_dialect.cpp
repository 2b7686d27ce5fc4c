// Bash's own constructs in a script of sh: a cluster's sh is often Bash, an image's is dash.
//
// before:  #!/bin/sh
//          [[ $name == *-b20* ]] && model=WAG
// after:   the same, kept, and S2F527
#include "passes/sh_dialect.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "ir/steps.hpp"

namespace s2f::passes {

namespace {

struct Found {
  std::string what;
  Span span;
};

// The first construct in a statement that dash refuses or takes for something else.
class Dialect {
public:
  std::optional<Found> first(const shell::Statement& statement) {
    analysis::Visitor visitor;
    visitor.statement = [this](const shell::Statement& each) { look(each); };
    visitor.part = [this](const shell::WordPart& part) { look(part); };
    visitor.assignment = [this](const shell::Assignment& each) {
      if (each.array || each.subscript) {
        note("an array", each.span);
      }
    };
    analysis::walk(statement, visitor);
    return found_;
  }

private:
  void note(std::string what, const Span& span) {
    if (!found_) {
      found_ = Found{std::move(what), span};
    }
  }

  void look(const shell::Statement& statement) {
    if (std::holds_alternative<shell::Test>(statement.value)) {
      note("[[ ]]", statement.span);
    } else if (std::holds_alternative<shell::ArithmeticCommand>(statement.value) ||
               std::holds_alternative<shell::ArithmeticFor>(statement.value)) {
      note("(( ))", statement.span);
    } else if (const auto* command = shell::as_simple(statement)) {
      const auto name = analysis::command_name(*command);
      if (name == "source" || name == "declare" || name == "shopt" || name == "pushd") {
        note(*name, statement.span);
      }
    }
    for (const shell::Redirect& redirect : statement.redirects) {
      if (redirect.kind == shell::RedirectKind::herestring) {
        note("<<<", redirect.span);
      }
    }
  }

  void look(const shell::WordPart& part) {
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    if (std::holds_alternative<shell::ProcessSubstitution>(part.value)) {
      note("<( )", part.span);
    } else if (parameter != nullptr && parameter->subscript) {
      note("an array", part.span);
    } else if (parameter != nullptr && !parameter->op.empty() &&
               std::string_view("/^,@").find(parameter->op[0]) != std::string_view::npos) {
      note("${ " + parameter->op + " }", part.span);
    }
  }

  std::optional<Found> found_;
};

} // namespace

void sh_dialect(PassContext& context) {
  if (context.job.interpreter.language != ir::Interpreter::Language::sh) {
    return;
  }
  for (const ir::Step& step : context.job.body) {
    if (!step.in_region || step.statement == nullptr) {
      continue;
    }
    const auto found = Dialect().first(*step.statement);
    if (!found) {
      continue;
    }
    review::Finding finding;
    finding.rule = "S2F527";
    finding.span = found->span;
    finding.message = fmt::format("The script is one of sh, and {} is Bash's.", found->what);
    finding.slurm_does = "The sh of many clusters is Bash, which takes it.";
    finding.output_does = "The sh of Debian's image is dash, which does not. With #!/bin/bash as "
                          "its first line the script is run by Bash: convert it again.";
    context.findings.add(std::move(finding));
    return;
  }
}

} // namespace s2f::passes
