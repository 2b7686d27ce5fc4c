// What $(( )), (( )) and let compute, as values and conditions.
//
// before:  $((SLURM_ARRAY_TASK_ID / 4 + 1))   after:  Computed{add, {Computed{divide, {<index>,
// 4}}, 1}} before:  (( i > 3 ))                        after:  NumberTest{<i> > 3}
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/workload.hpp"

namespace s2f::passes {

// One operator with what it is applied to, or a value.
struct Term {
  std::string op; // "" for a value; "-1" for the unary minus, "++" and "--" behind a name,
                  // "++1" and "--1" before it, "?" with three operands
  std::vector<Term> operands;
  std::string name; // of a value that is a name
  ir::Value value;
  bool decimal = false; // 10#$x
};

// What a name, and an expansion of the shell within the expression, stands for.
struct ArithmeticNames {
  std::function<ir::Value(const std::string&)> name;
  std::function<ir::Value(const shell::WordPart&)> expansion;
};

// Nothing where the expression has another form.
[[nodiscard]] std::optional<Term> read_arithmetic(std::string_view text,
                                                  const std::vector<shell::WordPart>& expansions,
                                                  const ArithmeticNames& names);

// A number; an Unknown says why it cannot be told.
[[nodiscard]] ir::Value number_of(const Term& term, ir::Job& job, source::Span span);
// Whether it is not zero; nothing where that cannot be told.
[[nodiscard]] std::optional<ir::Condition> condition_of(const Term& term, ir::Job& job,
                                                        source::Span span);

// A whole number as the shell and Python both write it.
[[nodiscard]] bool plain_number(std::string_view text);
// Whether the value is a number in Python, or text that is one.
[[nodiscard]] bool is_number(const ir::Value& value, const ir::Job& job);
// Text as a number: by the rules of $(( )), where 010 is 8, or by those of [ ].
[[nodiscard]] ir::Value as_number(ir::Value value, ir::Job& job, bool decimal, source::Span span);

// left `operation` right, as far as it is known now.
[[nodiscard]] ir::Value combined(ir::Operation operation, ir::Value left, ir::Value right);

} // namespace s2f::passes
