// Where the job reads what an assignment sets.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/workload.hpp"

namespace s2f::passes {

class Uses {
public:
  explicit Uses(const ir::Job& job);

  // The statements of the output in which the value stands that `assign` gives the variable: those
  // that read it, or what another variable holds that is made of it.
  [[nodiscard]] std::vector<source::Span> of(const ir::Step& assign, const std::string& name) const;
  // The statements behind the step up to `last` that start a program, or are kept.
  [[nodiscard]] std::vector<source::Span> started_after(const ir::Step& step) const;
  // The same, where a later statement gives the variable another value: none behind that.
  [[nodiscard]] std::vector<source::Span> seen_by(const ir::Step& assign,
                                                  const std::string& name) const;

private:
  struct Reader {
    source::Span span;
    const ir::Step* step = nullptr; // the innermost
    std::size_t at = 0;             // of the body's step
  };
  void read(const shell::Statement& statement, std::size_t at);
  void add(const std::string& name, source::Span span, std::size_t at);
  [[nodiscard]] std::size_t place(const ir::Step& step) const;
  [[nodiscard]] std::size_t overwritten(std::size_t at, const std::string& name) const;
  void collect(const ir::Step& assign, const std::string& name, std::set<const ir::Step*>& seen,
               std::vector<source::Span>& found) const;

  const ir::Job* job_;
  // By the variable; in the order of the body.
  std::map<std::string, std::vector<Reader>, std::less<>> readers_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> setters_; // those of the body
  std::vector<const ir::Step*> steps_; // all, those within others too
  std::vector<std::size_t> first_of_;  // for each step of the body: its place in steps_
  std::vector<std::size_t> called_;    // of steps_: those of functions, where they are called
  // Where steps of the body stand that were made of one statement.
  std::map<source::Span, std::vector<std::size_t>> places_;
  std::unordered_map<const ir::Step*, std::size_t> at_; // for each step: that of the body it is in
  std::vector<std::size_t> starting_; // the steps of the body that start a program, or are kept
  std::vector<source::Span> never_;   // what is never run or asked
};

// Whether a branch with this condition is never taken.
[[nodiscard]] bool never(const ir::Condition& condition);
// Whether one is always taken.
[[nodiscard]] bool always(const ir::Condition& condition);

} // namespace s2f::passes
