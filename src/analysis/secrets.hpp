// Values that look like secrets, so that none ever reaches an output or a report.
#pragma once

#include <string>
#include <vector>

#include "shell/tree.hpp"
#include "source/source.hpp"

namespace s2f::analysis {

struct SecretHit {
  std::string variable; // WANDB_API_KEY; the name it is assigned to, or the usual one
  source::Span value{}; // what must not be shown
  // The whole statement if it does nothing but assign this secret; else empty.
  source::Span statement{};
  bool single_quoted = false; // stands within '...', where no variable expands
  bool in_comment = false;
};

// Assignments of literals to variables with a telling name, and words that begin as known tokens
// do, in order.
[[nodiscard]] std::vector<SecretHit> find_secrets(const source::Source& source,
                                                  const shell::Script& script);

// Whether the name of a variable says that its value is a secret: HF_TOKEN, DB_PASSWORD.
[[nodiscard]] bool names_secret(std::string_view variable);

// What is secret of a hit: its text without quotes; "" for one too short to look for elsewhere.
[[nodiscard]] std::string_view secret_value(const source::Source& source, const SecretHit& hit);

// The source's text with every hit's value, and every other place where the same value stands, as
// `*` of the same length.
[[nodiscard]] std::string masked(const source::Source& source, const std::vector<SecretHit>& hits);

} // namespace s2f::analysis
