// Programs that only write a text to a file, which the task can do itself: echo, and cat of a
// here-document.
#pragma once

#include <cstddef>
#include <optional>

#include "ir/workload.hpp"

namespace s2f::ir {

struct Echoed {
  std::size_t from = 1; // the first of the words that it writes
  bool newline = true;
};

// `echo [-n] WORD... > FILE`; nothing where a word could still be an option, or the words are not
// all that it does.
[[nodiscard]] std::optional<Echoed> echoed_to_file(const Launch& launch);

// `cat > FILE <<EOF`, and `cat <<EOF`.
[[nodiscard]] bool is_here_document(const Launch& launch);

} // namespace s2f::ir
