// Terms of a driver to Python expressions.
#pragma once

#include <map>
#include <set>
#include <string>

#include "flyte/python.hpp"
#include "ir/workload.hpp"

namespace s2f::lower {

class TermWriter {
public:
  // `taken`: names of the module, which no variable of `main` may have.
  explicit TermWriter(std::set<std::string> taken) : taken_(std::move(taken)) {}

  // The Python name of a variable of the driver.
  std::string name_of(const std::string& variable);
  void call_it(const std::string& variable, std::string name);
  std::string unique(std::string name);

  flyte::Expr expression(const ir::Term& term);
  // The same as text always.
  flyte::Expr text(const ir::Term& term);
  flyte::Expr condition(const ir::Term& term);
  // What a loop runs over.
  flyte::Expr iterable(const ir::Term& term);

  [[nodiscard]] const std::set<std::string>& parameters() const { return parameters_; }
  [[nodiscard]] const std::set<std::string>& files() const { return files_; }
  [[nodiscard]] bool looks_in_here() const { return looks_in_here_; }
  [[nodiscard]] bool reads_lines() const { return reads_lines_; }
  // Of read_lines, those that some call gives.
  [[nodiscard]] const std::set<std::string>& line_options() const { return line_options_; }

private:
  flyte::Expr number(const ir::Term& term);
  flyte::Expr file(const ir::Term& term);

  std::set<std::string> taken_;
  std::map<std::string, std::string> names_;
  std::set<std::string> parameters_; // of `main` that were read
  std::set<std::string> files_;      // beside the driver that `main` reads
  bool looks_in_here_ = false;       // for files
  bool reads_lines_ = false;
  std::set<std::string> line_options_;
};

} // namespace s2f::lower
