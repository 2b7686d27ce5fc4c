// `slurm2flyte completions SHELL`: what a shell needs to complete our command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/shape.hpp"

namespace s2f::cli {

// A script for bash, zsh or fish; nothing for another shell.
[[nodiscard]] std::string completions(std::string_view shell, const std::vector<Command>& commands);

} // namespace s2f::cli
