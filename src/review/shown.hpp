// What a report may show of an input: itself, or a copy in which its secrets are blotted out.
#pragma once

#include <optional>

#include "review/review.hpp"

namespace s2f::review {

// Copies only where there is a secret. The input must outlive it.
class Shown {
public:
  explicit Shown(const Input& input) : input_(&input) {
    if (!input.secrets.empty())
      copy_ = redacted(input);
  }
  const Input& operator*() const { return copy_ ? *copy_ : *input_; }

private:
  const Input* input_;
  std::optional<Input> copy_;
};

} // namespace s2f::review
