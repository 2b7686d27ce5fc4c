// Walks the expressions and statements of a module, for whoever asks which names it uses.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyte/program.hpp"

namespace s2f::flyte {

// The dotted names in a type or an exception that is held as text: "dict[str, flyte.io.File]" holds
// dict, str and flyte.io.File. What stands in quotes is none.
[[nodiscard]] std::vector<std::string> dotted_names(std::string_view text);

// Calls what is set of these for each place of that kind.
struct Walker {
  std::function<void(std::string_view)> use = {};    // a dotted name that is read
  std::function<void(std::string_view)> bind = {};   // a target that is assigned
  std::function<void(const Call&)> call = {};        // a call, before what stands in it
  std::function<void(std::string_view)> member = {}; // .name behind a value that is no name
  std::function<void(const Arg&)> argument = {};     // an argument or an element

  void expression(const Expr& expr) const;
  void expression(const std::optional<Expr>& expr) const;
  void arguments(const std::vector<Arg>& list) const;
  void statement(const Stmt& statement) const;
  void statements(const std::vector<Stmt>& list) const;
  // Everything of a module but the bodies of its tasks.
  void top(const Module& module) const;

private:
  void reference(std::string_view text) const;
  void target(std::string_view text) const;
  void resources(const Resources& resources) const;
  template <typename Value> void noted(const std::optional<Noted<Value>>& value) const {
    if (value) {
      expression(value->value);
    }
  }
};

} // namespace s2f::flyte
