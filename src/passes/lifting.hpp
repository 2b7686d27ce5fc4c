// Turns the statements of a job into steps; what one says about those behind it is kept in
// between: constants, the directory, what is exported.
//
// Each member gives why the statement cannot be lifted, "" when it was. They are defined in
// statements.cpp and, by the kind of statement, in lift_*.cpp.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "passes/context.hpp"
#include "passes/scope.hpp"

namespace s2f::passes {

class Lifting {
public:
  explicit Lifting(PassContext& context)
      : context_(context), job_(context.job), scope_(context.job) {}

  void run();

private:
  void count_uses();
  std::string lift(ir::Step& step, const shell::SimpleCommand& command, bool last);

  // lift_assignments.cpp
  std::string assign(ir::Step& step, const std::vector<shell::Assignment>& assignments,
                     bool exported);
  std::string bind(const ir::Step& step, const std::vector<shell::Assignment>& assignments,
                   bool exported, ir::Assign& result);
  std::string export_(ir::Step& step, const shell::SimpleCommand& command);

  // lift_shell.cpp
  std::string change_directory(ir::Step& step, const shell::SimpleCommand& command);
  std::string options(ir::Step& step, const shell::SimpleCommand& command);
  std::string echo(ir::Step& step, const shell::SimpleCommand& command);
  std::string exit(ir::Step& step, const shell::SimpleCommand& command);

  // lift_launches.cpp
  std::string launch(ir::Step& step, const shell::SimpleCommand& command);
  std::string redirections(const shell::Statement& statement, ir::Launch& launch);
  void note_splitting(const ir::Value& value);
  void include(const std::string& path);
  void find_payload(const ir::Step& step, ir::Launch& launch);
  const ir::SrunStep* srun_step(const shell::SimpleCommand& command) const;
  static void take_over(const ir::SrunStep& step, ir::Launch& launch);
  void missing_payload(const ir::Step& step, const ir::Value& value, const std::string& path);
  static std::string why_unknown(const ir::Value& value);

  PassContext& context_;
  ir::Job& job_;
  Scope scope_;
  std::set<std::string> functions_;
  std::string directory_; // "" or "sub/": where `cd` has gone, below the submit directory
  std::set<std::string> exported_;
  std::set<std::string> read_; // variables that the body reads anywhere
  bool launched_ = false;
};

} // namespace s2f::passes
