// What a job asks of Slurm that nothing in Flyte has.
//
// before:  --licenses=ansys:4; #BB create_persistent ...
// after:   "licenses"; "bb"
#pragma once

#include <string_view>

#include "passes/context.hpp"

namespace s2f::passes {

// Whether the site file says that jobs do without the option: options.licenses.ignore = true.
[[nodiscard]] bool goes_without(const PassContext& context, std::string_view option);
// `#DW jobdw ...`, `#BB create_persistent ...`
[[nodiscard]] bool asks_for_burst_buffer(std::string_view comment);
// The option that a job stays on Slurm for, "" where it stays for something else.
[[nodiscard]] std::string_view kept_for(const PassContext& context, const ir::Reason& reason);

} // namespace s2f::passes
