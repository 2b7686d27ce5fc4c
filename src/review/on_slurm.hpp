// What a reader must know of a job that stays on Slurm, and in what order to move the others.
//
// before:  an input with the verdict keep_on_slurm and its findings
// after:   why it stays, what would have to change, what the connector needs
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "review/review.hpp"

namespace s2f::review {

struct Need {
  std::string what, here; // "the login node ...", "not said: slurm.host"
};

struct Staying {
  std::string why, rule;
  std::uint32_t line = 1;
  std::string change;
  std::vector<Need> needs;
};
// Nothing for a job that does not stay.
[[nodiscard]] std::optional<Staying> staying(const Input& input);

} // namespace s2f::review
