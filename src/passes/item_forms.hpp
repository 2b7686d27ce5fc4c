// The commands that print one line of a file, by the index of an array.
//
// before:  $(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" configs.txt)
// after:   LineForm{file "configs.txt", number <index> + 1}
#pragma once

#include <optional>
#include <string>

#include "ir/workload.hpp"

namespace s2f::passes {

struct LineForm {
  ir::Value file;
  ir::ArrayItem::Line line; // its number; the file is for the caller to find
  // The least number that the program takes without an error.
  std::int64_t least = 0;
};

// What $( ) prints, where that is a line of a file whose number is known as a value.
[[nodiscard]] std::optional<LineForm> line_form(const ir::Output& output);

// Whether nothing in the step may write a file.
[[nodiscard]] bool writes_no_file(const ir::Step& step);

} // namespace s2f::passes
