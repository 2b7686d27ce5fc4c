// Any text as a sign-off file: refused with a sentence, or read; what was read is written the same
// way twice.
#pragma once

#include "review/signoff.hpp"
#include "tests/fuzz/site_target.hpp"

namespace s2f::fuzz {

inline void signoff_target(std::string_view text) {
  const auto read = review::read_sign_off(text);
  if (!read) {
    require(!read.error().empty(), "a sign-off that is refused says why");
  } else {
    const std::string shown = review::render_sign_off(*read);
    const auto again = review::read_sign_off(shown);
    require(again && again->entries.size() == read->entries.size(),
            "a sign-off reads as it is shown");
    require(review::render_sign_off(*again) == shown, "a sign-off is shown the same way twice");
  }
  const auto compiled = compile_sections(
      {{"train.sh", std::string(asking_script)}, {"slurm2flyte.signoff.json", std::string(text)}},
      true);
  require(compiled.sign_off_problems.empty() == read.has_value(), "what is wrong is told");
  check_compiled(compiled);
}

} // namespace s2f::fuzz
