// Target model to text, as `ruff format` would leave it, and the map from output lines to the
// script.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flyte/program.hpp"

namespace s2f::emit {

using flyte::Span;

// Any bytes as a Python literal that gives them back: text where they are UTF-8 without NUL or
// surrogates; double quotes preferred as ruff does. The one function that quotes a Python string.
[[nodiscard]] std::string quote(std::string_view text);
// The same between triple quotes, raw if it can be; for kept Bash.
[[nodiscard]] std::string quote_block(std::string_view text);

// The template named "module.py" or "helpers/run.py": the override in --templates DIR, else the one
// compiled in.
using Templates = std::function<std::optional<std::string>(std::string_view name)>;
[[nodiscard]] Templates built_in_templates();
[[nodiscard]] Templates templates_from(std::string directory); // falls back to the built-in ones

struct Output {
  std::string text; // ends with the `# slurm2flyte: generated from` line
  std::vector<std::pair<std::uint32_t, Span>>
      lines; // 1-based output line and a span that it came from
};

// Fails only on a template of the user's that cannot be rendered.
[[nodiscard]] std::expected<Output, std::string> emit(const flyte::Module& module,
                                                      const Templates& templates);

// The last line: "# slurm2flyte: generated from train.sh, sha256 of the text above: <12 hex>".
[[nodiscard]] std::string trailer(std::string_view generated_from, std::string_view text_above);
enum class Edited { untouched, by_hand, not_ours };
// Whether a file that exists was generated and left alone.
[[nodiscard]] Edited edited(std::string_view file_text);

} // namespace s2f::emit
