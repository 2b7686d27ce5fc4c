// Takes the words of a command apart.
#include "passes/slots.hpp"

#include <algorithm>
#include <utility>

#include "passes/not_bundled.hpp"

namespace s2f::passes {

Slot slot_of(const ScriptNames& names, const shell::Word& word,
             const std::optional<source::Span>& place) {
  Slot slot{names.of(word), place.value_or(word.span), false};
  slot.one = slot.texts.size() == 1 && !is_open(slot.texts.front());
  return slot;
}

std::vector<Slot> slots_of(const ScriptNames& names, const shell::SimpleCommand& command,
                           const std::optional<source::Span>& place) {
  constexpr std::string_view blank = " \t\n";
  std::vector<Slot> slots;
  for (const shell::Word& word : command.words) {
    Slot slot = slot_of(names, word, place);
    const bool blanks = std::ranges::any_of(slot.texts, [&](const std::string& text) {
      return text.find_first_of(blank) != std::string::npos;
    });
    if (!blanks || word.quoted() || word.literal()) {
      slots.push_back(std::move(slot));
    } else if (slot.texts.size() == 1) {
      for (std::string& part : split(slot.texts.front(), blank)) {
        const bool known = !is_open(part);
        slots.push_back({{std::move(part)}, slot.span, known});
      }
    } else {
      Slot any{{}, slot.span, false};
      for (const std::string& text : slot.texts) {
        for (std::string& part : split(text, blank)) {
          any.texts.push_back(std::move(part));
        }
      }
      slots.push_back(std::move(any));
    }
  }
  return slots;
}

} // namespace s2f::passes
