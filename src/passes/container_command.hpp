// A command that runs another one in a container: what it says, by grammar/container-options.json.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "passes/software.hpp"

namespace s2f::passes {

struct ContainerCommand {
  std::string program;                                          // "apptainer"
  std::string image;                                            // as written: "docker://..."
  std::vector<std::pair<std::string, std::string>> binds;       // of the node, in the container
  std::vector<std::pair<std::string, std::string>> environment; // --env NAME=VALUE
  std::string directory;                                        // --pwd
  std::vector<std::string> gpus;   // options that give the container the node's GPUs: "--nv"
  std::vector<std::string> others; // options with an effect that nothing here has
  std::size_t at = 0;              // the first word that is the container's
  std::size_t inner = 0;           // the first word of the command within
};

// The command of `command.words[at]`; nothing where it runs no command that stands in the script.
[[nodiscard]] std::optional<ContainerCommand>
read_container_command(const PassContext& context, const Constants& constants,
                       const shell::SimpleCommand& command, std::size_t at);
// The --container-... options of `srun` in words[at] .. words[end].
[[nodiscard]] std::optional<ContainerCommand>
read_step_container(const PassContext& context, const Constants& constants,
                    const shell::SimpleCommand& command, std::size_t at, std::size_t end);

// An image that a registry has, without the scheme: "nvcr.io/nvidia/pytorch:24.05-py3" of
// docker://nvcr.io/... and of pyxis' nvcr.io#...; nothing for a file.
[[nodiscard]] std::optional<std::string> image_reference(const std::string& image,
                                                         const std::string& program);

// `apptainer pull FILE docker://...`, `enroot import`, `docker pull`: what it makes, of what.
struct FetchedImage {
  std::string made, from;
};
[[nodiscard]] std::optional<FetchedImage> read_fetched_image(const PassContext& context,
                                                             const Constants& constants,
                                                             const shell::SimpleCommand& command,
                                                             std::size_t at);

// Whether the task's image can be the container of a step, and nothing is left of its options.
[[nodiscard]] bool step_container_fits(const PassContext& context,
                                       const shell::SimpleCommand& command, std::size_t at,
                                       std::size_t program);

} // namespace s2f::passes
