// `convert` of many scripts: each is written, told of in the reports and forgotten when it is done,
// so that memory does not grow with their number.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "project/compile.hpp"

namespace s2f::cli {

// Whether nothing that is asked for needs all scripts at once.
[[nodiscard]] bool goes_one_by_one(const ConvertOptions& options, std::size_t scripts);

// The exit status. `ok`: whether all paths led to scripts.
[[nodiscard]] int convert_many(const std::vector<std::string>& scripts,
                               const ConvertOptions& options,
                               const project::CompileOptions& compile, const Console& console,
                               bool ok);

// The exit status for what was found: is there an internal error, a finding at --fail-on or above?
[[nodiscard]] int status_for(bool internal, bool at_or_above, const Console& console, bool ok);
// Whether a finding is one that `--fail-on` means.
[[nodiscard]] bool fails(const review::Finding& finding, const ConvertOptions& options);

} // namespace s2f::cli
