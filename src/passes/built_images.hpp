// Images that the script builds itself, which no registry has.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "passes/container_command.hpp"

namespace s2f::passes {

// `docker build -t NAME -f FILE DIRECTORY`: what it makes, and of which file.
struct BuiltImage {
  std::string name; // without :latest
  std::string file; // "" where it is not FILE of DIRECTORY and nothing else that says what is made
  ir::Step* step = nullptr;
};
// Those of the body, by name. `program_of`: the word of a command that starts something.
[[nodiscard]] std::map<std::string, BuiltImage>
built_images(PassContext& context, const Constants& constants,
             const std::function<std::size_t(const shell::SimpleCommand&)>& program_of);

// `tools` is `tools:latest`.
[[nodiscard]] std::string without_latest(std::string name);

// It becomes the task's image, which Flyte builds, where its file says all of it; S2F530. `use`: of
// the command that runs in it.
void take_built_image(PassContext& context, const BuiltImage& image, const Span& use);

} // namespace s2f::passes
