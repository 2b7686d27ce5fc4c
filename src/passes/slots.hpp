// The words of a command, each with all that it may be.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "passes/script_names.hpp"

namespace s2f::passes {

struct Slot {
  ScriptNames::Texts texts;
  source::Span span{};
  bool one = false; // it is the only text, and known

  [[nodiscard]] std::string text() const { return one ? texts.front() : ""; }
};

// `place` is where the word stands, for one of another text than the script's.
[[nodiscard]] Slot slot_of(const ScriptNames& names, const shell::Word& word,
                           const std::optional<source::Span>& place);
// Those of a variable that holds several apart.
[[nodiscard]] std::vector<Slot> slots_of(const ScriptNames& names,
                                         const shell::SimpleCommand& command,
                                         const std::optional<source::Span>& place);

} // namespace s2f::passes
