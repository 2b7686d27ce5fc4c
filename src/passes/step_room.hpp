// What is known of the place that steps of srun have beside each other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace s2f::passes {

// By which a program is shown some of the GPUs.
inline constexpr std::string_view gpu_variable = "CUDA_VISIBLE_DEVICES";

// "2,3": the numbers of so many GPUs from the first on; "" for none.
[[nodiscard]] std::string gpu_numbers(std::int64_t first, std::int64_t count);

} // namespace s2f::passes
