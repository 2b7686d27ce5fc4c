// How the readers of the option libraries hand on what a payload declares.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "payload/program.hpp"
#include "payload/python.hpp"

namespace s2f::payload {

struct Declared {
  Option option{};
  NodeId node = no_node;     // the call or the parameter that declares it
  NodeId function = no_node; // whose parameter `option.dest` has the value (click, typer)
  // argparse.FileType("w") and the like: the program opens the value itself.
  bool opens = false, opens_for_writing = false;
};

struct Declarations {
  std::vector<Declared> options;
  bool incomplete = false;
};

void read_argparse(const Program& program, Declarations& out);
void read_optparse(const Program& program, Declarations& out);
void read_click(const Program& program, Declarations& out);
void read_typer(const Program& program, Declarations& out);
void read_absl(const Program& program, Declarations& out);
void read_dataclasses(const Program& program, Declarations& out); // of HfArgumentParser

// All of them, in the order of the text.
[[nodiscard]] Declarations read_options(const Program& program);

// What the libraries have in common.

// The value of a string, given directly or by a name that is bound once.
[[nodiscard]] std::optional<std::string> text_of(const Program& program, NodeId expression);
[[nodiscard]] bool is_true(const Program& program, NodeId expression);
void set_default(const Program& program, Option& option, NodeId value);
// The texts of a collection of literals; none if one of them is computed.
[[nodiscard]] std::vector<std::string> choices_of(const Program& program, NodeId collection);
[[nodiscard]] std::string with_dashes(std::string_view name);      // num_shards -> num-shards
[[nodiscard]] std::string with_underscores(std::string_view name); // num-shards -> num_shards
// "--flag" -> "flag"; the first long flag, else the first.
[[nodiscard]] std::string long_name(const std::vector<std::string>& flags);

} // namespace s2f::payload
