// The whole way from a source to its script: scan, lower, and set apart what does not parse.
#include "shell/parse.hpp"

#include <algorithm>

#include "shell/lower.hpp"
#include "shell/scanner.hpp"

namespace s2f::shell {

namespace {

// Tree offsets are 32 bits wide, and so are tree-sitter's.
constexpr std::size_t max_text = std::size_t{1} << 30;

Statement unparsed(const Span& span, std::string why) {
  Statement statement;
  statement.value = Unparsed{std::move(why)};
  statement.span = span;
  return statement;
}

Script whole_unparsed(const source::Source& source, std::string why) {
  Script script;
  script.source = source.id;
  const Span span{source.id, 0, static_cast<std::uint32_t>(source.text.size())};
  script.statements.push_back(unparsed(span, std::move(why)));
  script.unparsed.push_back(span);
  return script;
}

Shared shared_for(const source::Source& source) {
  Shared shared;
  shared.source = source.id;
  shared.extglob = source.text.find("extglob") != std::string::npos;
  return shared;
}

// Chunk by chunk, so that an error costs no more than the statement it stands in.
std::vector<Statement> by_chunks(Body& body, const Shared& shared) {
  std::vector<Statement> statements;
  for (std::size_t i = 0; i < body.chunks.size(); ++i) {
    const Chunk& chunk = body.chunks[i];
    const bool last = i + 1 == body.chunks.size();
    const Problem* found = nullptr;
    for (const Problem& each : shared.problems) {
      if (each.offset >= chunk.begin && (last || each.offset < body.chunks[i + 1].begin)) {
        found = &each;
        break;
      }
    }
    const Span span{shared.source, chunk.begin, std::max(chunk.begin, chunk.end)};
    if (found != nullptr) {
      statements.push_back(unparsed(span, found->why));
      continue;
    }
    auto lowered = lower(body, shared.source, chunk.first_token, chunk.end_token);
    if (!lowered) {
      statements.push_back(unparsed(span, "the commands do not hang together"));
      continue;
    }
    std::ranges::move(*lowered, std::back_inserter(statements));
  }
  return statements;
}

} // namespace

Script parse(const source::Source& source) {
  if (source.text.size() > max_text) {
    return whole_unparsed(source, "the text is too long");
  }
  if (source.text.find('\0') != std::string::npos) {
    return whole_unparsed(source, "the text has NUL bytes");
  }
  Script script;
  script.source = source.id;
  Shared shared = shared_for(source);
  Body body = Scanner(shared, source.text, nullptr).script();
  std::optional<std::vector<Statement>> statements;
  if (shared.problems.empty()) {
    statements = lower(body, source.id, 0, static_cast<std::uint32_t>(body.tokens.size()));
    if (!statements) {
      // That took the body apart.
      shared = shared_for(source);
      body = Scanner(shared, source.text, nullptr).script();
    }
  }
  script.statements = statements ? std::move(*statements) : by_chunks(body, shared);
  script.depth = shared.deepest;
  script.comments = std::move(shared.comments);
  for (const Statement& statement : script.statements) {
    if (std::holds_alternative<Unparsed>(statement.value)) {
      script.unparsed.push_back(statement.span);
    }
  }
  return script;
}

} // namespace s2f::shell
