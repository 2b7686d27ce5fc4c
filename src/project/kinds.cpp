// What a script is: a job, one that submits jobs, both, a template.
#include "project/kinds.hpp"

#include <algorithm>
#include <cctype>

#include "analysis/walk.hpp"
#include "ir/build.hpp"
#include "passes/driver.hpp"
#include "project/compile.hpp"
#include "shell/parse.hpp"

namespace s2f::project {

namespace {

// Where values should be, the text has marks of a template language.
bool has_placeholders(const source::Source& source) {
  for (std::uint32_t line = 1; line <= source.line_count(); ++line) {
    std::string_view text = source.line(line);
    if (!text.starts_with("#SBATCH")) {
      continue;
    }
    text = text.substr(0, text.find(" #")); // what a comment says is no value
    for (const std::string_view mark : {"{{", "%(", "<%"}) {
      if (text.find(mark) != std::string_view::npos) {
        return true;
      }
    }
    const auto doubled = text.find("@@");
    if (doubled != std::string_view::npos &&
        text.find("@@", doubled + 2) != std::string_view::npos) {
      return true;
    }
    const auto open = text.find('<');
    const auto close = open == std::string_view::npos ? open : text.find('>', open);
    if (close != std::string_view::npos &&
        std::isalpha(static_cast<unsigned char>(text[open + 1])) != 0 &&
        text.substr(open, close - open).find('@') == std::string_view::npos) { // <me@example.org>
      return true;
    }
    const auto at = text.find('@');
    if (at != std::string_view::npos && (text[at - 1] == '=' || text[at - 1] == ' ') &&
        text.find('@', at + 2) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

// Lines of a heredoc are no directives of the script that it stands in.
bool has_directives(const source::Source& source, const shell::Script* script) {
  std::vector<source::Span> heredocs;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& statement) {
    for (const shell::Redirect& redirect : statement.redirects) {
      if (redirect.kind == shell::RedirectKind::heredoc) {
        heredocs.push_back(redirect.heredoc_body);
      }
    }
  };
  for (std::uint32_t line = 1; line <= source.line_count(); ++line) {
    if (!source.line(line).starts_with("#SBATCH")) {
      continue;
    }
    if (script != nullptr && heredocs.empty()) {
      for (const shell::Statement& statement : script->statements) {
        analysis::walk(statement, visitor);
      }
      if (heredocs.empty()) {
        return true;
      }
    }
    const source::Span span = source.line_span(line);
    if (std::ranges::none_of(heredocs,
                             [&](const source::Span& body) { return body.contains(span); })) {
      return true;
    }
  }
  return false;
}

} // namespace

slurm::Kind kind_of(const source::Source& source, const shell::Script* script) {
  const bool job = has_directives(source, script);
  const bool driver = script != nullptr &&
                      (passes::submits(*script) ||
                       (!job && (passes::allocates(*script) || passes::starts_later(*script))));
  if (job && has_placeholders(source)) {
    return slurm::Kind::template_;
  }
  if (job && driver) {
    return slurm::Kind::both;
  }
  if (driver) {
    return slurm::Kind::driver;
  }
  return job ? slurm::Kind::job : slurm::Kind::other;
}

slurm::Kind kind_of(const source::Source& source) {
  const bool shell = ir::is_shell(ir::read_interpreter(source));
  if (!shell || source.quirks.nul) {
    return kind_of(source, nullptr);
  }
  const shell::Script script = shell::parse(source);
  return kind_of(source, &script);
}

std::string_view kind_name(slurm::Kind kind) {
  switch (kind) {
  case slurm::Kind::job:
    return "job";
  case slurm::Kind::driver:
    return "driver";
  case slurm::Kind::both:
    return "both";
  case slurm::Kind::template_:
    return "template";
  case slurm::Kind::other:
    break;
  }
  return "other";
}

} // namespace s2f::project
