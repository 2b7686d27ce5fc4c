// The grammars of option values: what sbatch reads from a text, and how `sbatch -v` shows it again.
//
// A refusal is the text of sbatch's own message. Numbers have the widths that Slurm gives them
// where a value that is too large shows that width.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace s2f::slurm {

template <class T> using Read = std::expected<T, std::string>;

// ---- times (values_time.cpp)
// ---------------------------------------------------------------------

inline constexpr std::int32_t unlimited_time = -1; // Slurm's INFINITE
inline constexpr std::int32_t no_time = -2;        // Slurm's NO_VAL: not a time
[[nodiscard]] std::int32_t read_seconds(std::string_view text);
[[nodiscard]] std::int32_t read_minutes(std::string_view text); // seconds rounded up
[[nodiscard]] std::string show_seconds(std::int64_t seconds);
[[nodiscard]] std::string show_minutes(std::uint32_t minutes);

// ---- numbers and sizes (values_number.cpp)
// -------------------------------------------------------

// What parse_int takes; `what` is how the message calls it ("--ntasks").
[[nodiscard]] Read<std::int32_t> read_count(std::string_view what, std::string_view text,
                                            bool zero_allowed);
[[nodiscard]] std::optional<std::uint64_t> read_mebibytes(std::string_view text);
[[nodiscard]] std::string show_mebibytes(std::uint64_t mebibytes);

struct NodeRange {
  std::int32_t min = 1;
  std::int32_t max = 0; // 0: no upper bound
};
[[nodiscard]] Read<NodeRange> read_node_range(std::string_view text);

struct NodeShape { // -B; nothing: any
  std::optional<std::int32_t> sockets, cores, threads;
};
[[nodiscard]] Read<NodeShape> read_node_shape(std::string_view text);

// Slurm's suffixes of a gres count: "1k" is 1024. Nothing when it is not a count.
[[nodiscard]] std::optional<std::uint64_t> read_gres_count(std::string_view text);

// ---- words (values_words.cpp)
// --------------------------------------------------------------------

struct Signal {
  std::uint16_t number = 0;
  std::uint16_t seconds = 0;
  bool reservation = false;
  bool batch = false;
};
// Flags add up over repeated options, as in Slurm: hence `before`.
[[nodiscard]] std::optional<Signal> read_signal(std::string_view text, Signal before);
[[nodiscard]] std::string show_signal(const Signal& signal);
[[nodiscard]] std::string signal_name(std::uint16_t number);

inline constexpr std::uint16_t no_mail_type = 0xffff;
[[nodiscard]] std::uint16_t read_mail_types(std::string_view text);
[[nodiscard]] std::string show_mail_types(std::uint16_t types);
// The words of a --mail-type that Slurm drops without a word.
[[nodiscard]] std::vector<std::string_view> unknown_mail_types(std::string_view text);

struct Distribution {
  std::string layout; // "block:cyclic", "plane", "arbitrary"; "" when only pack or nopack is given
  std::uint32_t plane_size = 0;
  bool pack = false;
  bool no_pack = false;
};
[[nodiscard]] std::optional<Distribution> read_distribution(std::string_view text);
[[nodiscard]] std::optional<std::string> show_distribution(const Distribution& distribution);

struct CpuFrequency {
  std::optional<std::uint32_t> min, max, governor;
};
[[nodiscard]] std::optional<CpuFrequency> read_cpu_frequency(std::string_view text);
[[nodiscard]] std::optional<std::string> show_cpu_frequency(const CpuFrequency& frequency);

struct MemoryBinding {
  std::uint32_t flags = 0;
  std::optional<std::string> list;
};
[[nodiscard]] Read<MemoryBinding> read_memory_binding(std::string_view text, MemoryBinding before);
[[nodiscard]] std::string show_memory_binding(const MemoryBinding& binding);

[[nodiscard]] bool valid_gpu_binding(std::string_view text);
[[nodiscard]] bool valid_gpu_frequency(std::string_view text);
// The pieces of an --acctg-freq that are none.
[[nodiscard]] std::vector<std::string_view> bad_accounting_frequencies(std::string_view text);
[[nodiscard]] std::uint32_t read_profile(std::string_view text); // 0: none of its words is known
[[nodiscard]] std::string show_profile(std::uint32_t profile);

// ---- host lists (values_hosts.cpp)
// ---------------------------------------------------------------

// "c[1-3,7],d": the names, with repetitions, in order. Nothing when it is malformed.
[[nodiscard]] std::optional<std::vector<std::string>> read_hosts(std::string_view text);
// The same names written with ranges, in order of first appearance of their prefix.
[[nodiscard]] std::string show_hosts(const std::vector<std::string>& hosts);

} // namespace s2f::slurm
