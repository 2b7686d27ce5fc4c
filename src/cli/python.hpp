// A Python that has flyte: where it is, and what a program says when it runs it.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.hpp"

namespace s2f::cli {

// `wanted`, if it is not empty; else $S2F_PYTHON, the active virtual environment's, that of the
// nearest .venv, python3. The error is those that were asked.
[[nodiscard]] std::expected<std::string, std::vector<std::string>>
python_with_flyte(const std::string& wanted, const Console& console);

struct Ran {
  int status = -1; // -1: it could not be run
  std::string output;
};
// Runs `program` with the text as its script; standard error goes where ours goes.
[[nodiscard]] Ran run_python(const std::string& program, std::string_view script,
                             const std::vector<std::string>& arguments);

} // namespace s2f::cli
