// What sbatch knows of one component after reading its options: values, and who gave them.
//
// It has the shape of Slurm's own record, because the answers follow from it: two options that
// share a value (--exclusive and --oversubscribe) show the same one, an option taken back by
// another is unset again, and what a later component inherits is what nothing has reset.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "slurm/moment.hpp"
#include "slurm/options.hpp"
#include "slurm/values.hpp"

namespace s2f::slurm {

enum class Sharing : std::uint8_t { exclusive, oversubscribe, user, mcs };

struct Settings {
  // By row of the option table (state_row()).
  std::bitset<option_count> set;
  std::bitset<option_count> by_environment;
  std::array<std::optional<std::string>, option_count> text;
  std::array<std::optional<std::int64_t>, option_count> number;
  std::bitset<option_count> resolved_path; // of a file: the working directory is already in front

  // Options that share a value, or have one of their own kind.
  std::optional<Sharing> sharing;
  std::optional<bool> requeue;
  std::optional<bool> kill_on_invalid_dep;
  bool gres_disable_binding = false;
  bool gres_enforce_binding = false;
  std::int32_t min_nodes = 1;
  std::int32_t max_nodes = 0;
  bool nodes_set = false; // by an option, or derived
  std::int32_t ntasks = 1;
  bool ntasks_set = false;
  bool cpus_set = false;
  bool shape_set = false; // -B
  std::uint16_t mail_types = 0;
  std::optional<Signal> signal;
  std::optional<Distribution> distribution;
  std::optional<CpuFrequency> cpu_frequency;
  MemoryBinding memory_binding;
  std::uint32_t profile = 0;
  bool power_level = false;
  std::optional<std::int32_t> core_spec;
  bool thread_spec = false; // core_spec counts threads
  std::int32_t switch_count = -1;
  std::int32_t switch_wait = -1;
  std::optional<std::int32_t> user_env_seconds;
  char user_env_mode = '\0'; // 'S', 'L'
  std::optional<Moment> begin;
  std::optional<Moment> deadline;

  [[nodiscard]] bool given(std::size_t row) const { return set[row]; }
  [[nodiscard]] bool given_by_user(std::size_t row) const { // by script or command line
    return set[row] && !by_environment[row];
  }
};

enum class SwitchPart : std::uint8_t { whole, count, wait }; // of --switches, for its variables

struct Given {
  std::optional<std::string_view> value;
  bool by_environment = false;
  SwitchPart part = SwitchPart::whole;
};

// Gives an option its value. On refusal the text is sbatch's message, "" where it says nothing.
std::expected<void, std::string> apply(Settings& settings, std::size_t row, const Given& given);

// Takes an option back, as if it had not been given.
void reset(Settings& settings, std::size_t row);
// Before each further component: what Slurm does not carry over starts anew.
void reset_for_component(Settings& settings);

// As `sbatch -v` shows it, "(null)" included.
[[nodiscard]] std::string show(const Settings& settings, std::size_t row,
                               const std::optional<std::string>& now);

} // namespace s2f::slurm
