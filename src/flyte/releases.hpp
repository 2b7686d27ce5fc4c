// Which releases of the flyte SDK take a module, and how an older one spells what it holds.
//
// The facts are in grammar/flyte-releases.json; each was tried on the release named and the one
// before it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flyte/program.hpp"

namespace s2f::flyte {

// "2.12" or "2.9.0"
[[nodiscard]] bool is_release(std::string_view text);
// Whether release `left` came before `right`; what is not written is 0.
[[nodiscard]] bool is_older(std::string_view left, std::string_view right);
// The oldest that any module runs with.
[[nodiscard]] std::string_view oldest_release();

struct Need {
  std::string_view since; // "2.5.0"
  std::string_view what;  // "ClusteredTaskEnvironment"
  friend bool operator==(const Need&, const Need&) = default;
};
// What of the module not all releases know, the newest first.
[[nodiscard]] std::vector<Need> needs(const Module& module);

// Writes what the release calls otherwise as it calls it.
//
// before:  --flyte-version 2.9: Resources(gpu="A100_80G:2")
// after:                        Resources(gpu="A100 80G:2")
void spell_for(Module& module, std::string_view release);

} // namespace s2f::flyte
