// What a verification said, in the reports of a conversion for programs and for a browser.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/outputs.hpp"

namespace s2f::cli {

struct Verified {
  std::string module; // its path, as it was given
  std::string hash;   // of its text, 12 digits
  std::size_t tasks = 0;
  std::vector<std::string> errors, warnings;
};

// The report (JSON, SARIF or HTML) with that in place of what a verification said of those modules
// before; nothing where somebody else wrote it. `flyte`: the version that was asked.
[[nodiscard]] std::optional<std::string> with_verified(Format format, std::string_view report,
                                                       const std::string& flyte,
                                                       const std::vector<Verified>& results);
// The report as it was written.
[[nodiscard]] std::string without_verified(Format format, std::string_view report);

} // namespace s2f::cli
