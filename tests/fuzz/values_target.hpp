// Any text as the value of an option: refused, or read; what was read and shown again reads the
// same.
#pragma once

#include <algorithm>

#include "slurm/header.hpp"
#include "slurm/values.hpp"
#include "tests/fuzz/target.hpp"

namespace s2f::fuzz {

inline void read_shown_values(std::string_view text) {
  const auto minutes = slurm::read_minutes(text);
  if (minutes >= 0) {
    require(slurm::read_minutes(slurm::show_minutes(static_cast<std::uint32_t>(minutes))) ==
                minutes,
            "a time reads as it is shown");
  }
  if (const auto seconds = slurm::read_seconds(text); seconds > 0) {
    (void)slurm::show_seconds(seconds);
  }
  if (const auto mebibytes = slurm::read_mebibytes(text)) {
    (void)slurm::show_mebibytes(*mebibytes);
  }
  if (const auto hosts = slurm::read_hosts(text)) {
    const auto again = slurm::read_hosts(slurm::show_hosts(*hosts));
    require(again.has_value() && again->size() == hosts->size(), "hosts read as they are shown");
  }
  if (const auto signal = slurm::read_signal(text, {})) {
    const auto again = slurm::read_signal(slurm::show_signal(*signal), {});
    require(again && again->number == signal->number && again->seconds == signal->seconds &&
                again->batch == signal->batch,
            "a signal reads as it is shown");
  }
  (void)slurm::show_mail_types(slurm::read_mail_types(text));
  (void)slurm::unknown_mail_types(text);
  (void)slurm::show_profile(slurm::read_profile(text));
  if (const auto distribution = slurm::read_distribution(text)) {
    (void)slurm::show_distribution(*distribution);
  }
  if (const auto frequency = slurm::read_cpu_frequency(text)) {
    (void)slurm::show_cpu_frequency(*frequency);
  }
  if (const auto binding = slurm::read_memory_binding(text, {})) {
    (void)slurm::show_memory_binding(*binding);
  }
}

inline void values_target(std::string_view text) {
  read_shown_values(text);
  (void)slurm::read_count("--ntasks", text, true);
  (void)slurm::read_node_range(text);
  (void)slurm::read_node_shape(text);
  (void)slurm::read_gres_count(text);
  (void)slurm::valid_gpu_binding(text);
  (void)slurm::valid_gpu_frequency(text);
  (void)slurm::bad_accounting_frequencies(text);
  (void)slurm::parse_time(text);
  if (const auto memory = slurm::parse_memory(text)) {
    require(memory->mib >= 0, "memory is not negative");
  }
  if (const auto array = slurm::parse_array(text)) {
    require(std::ranges::is_sorted(array->indices), "the indices of an array are in order");
  }
  (void)slurm::parse_dependency(text);
  if (const auto nodes = slurm::parse_nodes(text)) {
    require(!nodes->max || *nodes->max >= nodes->min, "a range of nodes is one");
  }
  (void)slurm::parse_signal(text);
  if (const auto gpus = slurm::parse_gres(text)) {
    require(gpus->count >= 0, "a number of GPUs is not negative");
  }
}

} // namespace s2f::fuzz
