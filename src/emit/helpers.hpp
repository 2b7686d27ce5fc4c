// The fixed helper functions at the end of a module, with the options that its tasks use.
#pragma once

#include <string>
#include <vector>

#include "emit/imports.hpp"
#include "emit/view.hpp"
#include "flyte/program.hpp"

namespace s2f::emit {

struct Helper {
  std::string name; // the template is "helpers/<name>.py"
  View view;        // what the template asks for
};

// In the order in which they stand in the module; unknown names are left out. `used`: the module's
// free names.
[[nodiscard]] std::vector<Helper> helpers_of(const flyte::Module& module, const Names& used);

} // namespace s2f::emit
