// Tells how far a conversion of many scripts is.
#include "cli/progress.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace s2f::cli {

namespace {

constexpr std::size_t few = 50; // scripts that are done before anybody could read of them

std::string bar(std::size_t done, std::size_t total, std::uint32_t width) {
  const auto count = fmt::format(" {}/{}", done, total);
  const auto room = std::clamp<std::size_t>(width, 24, 60) - count.size() - 2;
  const auto full = room * done / total;
  return fmt::format("\r[{}{}]{}", std::string(full, '#'), std::string(room - full, '.'), count);
}

} // namespace

project::Progress progress_of(bool quiet, const Console& console) {
  if (quiet) {
    return {};
  }
  return [&console, told = std::size_t{0}](std::size_t done, std::size_t total) mutable {
    if (total < few) {
      return;
    }
    if (console.err_is_terminal) {
      console.err(bar(done, total, console.err_style.width) + (done == total ? "\n" : ""));
      return;
    }
    // Tenths, so that a log of many is not long; the same lines however many work on it.
    for (; told < 10 * done / total; ++told) {
      console.err(fmt::format("{} of {} scripts converted\n", (told + 1) * total / 10, total));
    }
  };
}

} // namespace s2f::cli
