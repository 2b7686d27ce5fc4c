// Where the results of a conversion go, and whether what stands there may be overwritten.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "project/files.hpp"
#include "review/review.hpp"

namespace s2f::cli {

enum class Format { module, markdown, json, text, html, sarif };

struct Output {
  std::string path;
  std::string text;
  Format format{};
};

// By the ending of a --report; what cannot be written is told as a sentence.
[[nodiscard]] std::expected<Format, std::string> report_format(const std::string& path);
// The whole file, with the mark by which it is known again.
[[nodiscard]] Output report(const std::string& path, Format format, const review::Review& review);

// Whether it was written here, and left alone since.
[[nodiscard]] bool is_ours(Format format, std::string_view text);

// A review with what a verification of its module said, in place of what one said before; nothing
// where somebody has edited the review, or else wrote it.
[[nodiscard]] std::optional<std::string> with_verification(std::string_view review,
                                                           std::string_view said);
// The review as it was written, before it was told of a verification.
[[nodiscard]] std::string without_verification(std::string_view review);

// "a/train_flyte.py" -> "a/train_flyte.review.md".
[[nodiscard]] std::string review_path(const std::string& module_path);
// Below `directory`: a relative path is kept, one that leads elsewhere gives its last part only.
[[nodiscard]] std::string below(const std::string& directory, const std::string& path);

// Why the file that stands at the output's path must be left alone, or nothing.
[[nodiscard]] std::optional<std::string> objection(const Output& output,
                                                   const project::Files& files);

} // namespace s2f::cli
