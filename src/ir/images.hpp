// How ir::Environment names an image that no registry has yet.
#pragma once

#include <string_view>

namespace s2f::ir {

// Before the path of the Dockerfile that Flyte builds it of.
constexpr std::string_view of_dockerfile = "dockerfile://";

} // namespace s2f::ir
