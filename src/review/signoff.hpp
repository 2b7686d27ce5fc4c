// The sign-off: who accepted which finding, and what they saw when they did.
//
// slurm2flyte.signoff.json, schema slurm2flyte-signoff/1 (docs/schema/signoff.schema.json).
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "review/review.hpp"

namespace s2f::review {

enum class SignState {
  accepted, // the default stands: open no more
  answered, // another choice was made, which the module does not follow yet: stays open
  rejected, // it is wrong as it is: stays open
};
[[nodiscard]] std::string_view to_string(SignState state);

struct SignEntry {
  std::string script; // from the directory of the sign-off file
  std::string id;     // of the finding
  std::string rule;
  SignState state{};
  std::string text;   // that the finding is about, for people who read the file
  std::string answer; // the choice, "" for the default
  std::string who, date, reason;
  std::string source_hash, output_hash;
};

struct SignOff {
  std::vector<SignEntry> entries; // by script and id
};

[[nodiscard]] std::expected<SignOff, std::string> read_sign_off(std::string_view text);
[[nodiscard]] std::string render_sign_off(const SignOff& sign_off);
// Puts the entry in the place of one for the same script and finding.
void put(SignOff& sign_off, SignEntry entry);

// What somebody sees who signs: 12 hex digits each. Line numbers do not count, so that an unrelated
// edit of the script changes neither.
[[nodiscard]] std::string source_hash(const Input& input, const PlacedFinding& placed);
[[nodiscard]] std::string output_hash(const Input& input, const PlacedFinding& placed);
// The text that the finding is about, on one line.
[[nodiscard]] std::string text_of(const Input& input, const PlacedFinding& placed);

// An entry for the finding as it stands.
[[nodiscard]] SignEntry entry_for(const Input& input, const PlacedFinding& placed,
                                  std::string script);

// Carries the entries for `script` over to the findings of `input`. One that no longer fits leaves
// its finding open and raises S2F902.
void apply_sign_off(Input& input, const SignOff& sign_off, std::string_view script,
                    std::string_view place);

// `# slurm2flyte: ignore[S2F210, S2F220] reason`, on the finding's line or on lines of its own
// above it. One that ignores nothing raises S2F903.
void apply_ignores(Input& input);

// A finding that is about the review itself, with an id of its own.
[[nodiscard]] PlacedFinding finding_at(const Input& input, std::string rule, std::uint32_t line,
                                       std::string message, std::string_view key);

} // namespace s2f::review
