// The walk for visitors that are put together where they are needed.
#include "analysis/walk.hpp"

#include "analysis/walk_with.hpp"

namespace s2f::analysis {

namespace {

struct Calls {
  const Visitor& visitor;

  void statement(const shell::Statement& statement) const {
    if (visitor.statement) {
      visitor.statement(statement);
    }
  }
  void part(const shell::WordPart& part) const {
    if (visitor.part) {
      visitor.part(part);
    }
  }
  void word(const shell::Word& word) const {
    if (visitor.word) {
      visitor.word(word);
    }
  }
  void assignment(const shell::Assignment& assignment) const {
    if (visitor.assignment) {
      visitor.assignment(assignment);
    }
  }
  [[nodiscard]] bool walks_functions() const { return visitor.functions; }
};

} // namespace

void walk(const shell::Word& word, const Visitor& visitor) {
  Calls calls{visitor};
  Walk(calls).word(word);
}

void walk(const shell::Statement& statement, const Visitor& visitor) {
  Calls calls{visitor};
  Walk(calls).statement(statement);
}

} // namespace s2f::analysis
