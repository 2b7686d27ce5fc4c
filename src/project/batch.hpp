// Converts many scripts, several at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "project/compile.hpp"

namespace s2f::project {

// Called after each piece of the work, by one thread at a time.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

// What `compile` gives, for scripts that are converted in pieces: those that name each other
// together. The pieces do not depend on `threads`, and so neither does the result.
[[nodiscard]] Compiled compile_in_pieces(const std::vector<std::string>& scripts,
                                         const CompileOptions& options, const Files& files,
                                         std::size_t threads, const Progress& progress);

// Gets a piece when it is done: several threads call it at once, the numbers in no order.
using Take = std::function<void(std::size_t piece, Compiled compiled)>;

// The same, without a result that holds all of it. Pieces are numbered by their first scripts.
void compile_each(const std::vector<std::string>& scripts, const CompileOptions& options,
                  const Files& files, std::size_t threads, const Progress& progress,
                  const Take& take);

// What is wrong with the site and sign-off files of the scripts; nothing else is in it.
[[nodiscard]] Compiled check_answers(const std::vector<std::string>& scripts,
                                     const CompileOptions& options, const Files& files);

} // namespace s2f::project
