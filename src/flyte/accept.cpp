// What Flyte 2 accepts: names, quantities, accelerators.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "flyte/program.hpp"
#include "generated/tables/flyte_2.hpp"
#include "generated/tables/gpus.hpp"
#include "generated/tables/python_names.hpp"

namespace s2f::flyte {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_small_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); }

// Keywords, and names that emitted code may need in their usual meaning; sorted.
constexpr auto reserved = std::to_array<std::string_view>({
    "ArithmeticError",
    "BaseException",
    "Exception",
    "False",
    "FileNotFoundError",
    "HERE",
    "NeverRan",
    "None",
    "OSError",
    "RuntimeError",
    "T",
    "True",
    "ValueError",
    "abs",
    "after",
    "all",
    "all_ok",
    "and",
    "any",
    "as",
    "assert",
    "async",
    "await",
    "awk_field",
    "bash",
    "bash_state",
    "bash_values",
    "bool",
    "break",
    "bytes",
    "capture",
    "capture_status",
    "case",
    "class",
    "continue",
    "cut_field",
    "def",
    "del",
    "dict",
    "echo",
    "elif",
    "else",
    "enter",
    "enumerate",
    "eval",
    "except",
    "exec",
    "exit",
    "expand",
    "fetch",
    "fetch_all",
    "fields",
    "filter",
    "finally",
    "float",
    "for",
    "from",
    "getattr",
    "given",
    "global",
    "highest",
    "if",
    "image_path",
    "image_python",
    "import",
    "in",
    "in_session",
    "input",
    "int",
    "is",
    "isinstance",
    "keep",
    "keep_all",
    "keep_left",
    "lambda",
    "len",
    "lines_of",
    "list",
    "map",
    "match",
    "matches",
    "max",
    "min",
    "nonlocal",
    "not",
    "object",
    "once",
    "open",
    "or",
    "own_gpus",
    "pass",
    "pipe",
    "pipe_output",
    "pipe_output_status",
    "place",
    "place_left",
    "places",
    "print",
    "raise",
    "range",
    "rank",
    "read_lines",
    "renew",
    "result_of",
    "resumable",
    "return",
    "run",
    "run_name",
    "scratch",
    "set",
    "set_limit",
    "sorted",
    "spawn",
    "split_matches",
    "split_words",
    "stage",
    "str",
    "submissions",
    "submitted",
    "substring",
    "sum",
    "text_lines",
    "try",
    "tuple",
    "while",
    "whole_number",
    "with",
    "words_of",
    "yield",
    "zip",
});

// As grammar/gpus.json has names: "nvidia_a100-sxm4-80gb" is "a100sxm480gb".
std::string compact(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  constexpr std::array<std::string_view, 8> makers{"nvidia", "tesla",    "geforce", "quadro",
                                                   "amd",    "instinct", "ampere",  "hopper"};
  const auto is_prefix = [&](std::string_view maker) {
    return out.size() > maker.size() && out.starts_with(maker);
  };
  for (auto found = std::ranges::find_if(makers, is_prefix); found != makers.end();
       found = std::ranges::find_if(makers, is_prefix)) {
    out.erase(0, found->size());
  }
  return out;
}

// "3g.20gb" or "3g-20gb" at the end of a name is a slice of that GPU; it is cut off.
std::string take_slice(std::string_view& name) {
  const auto digits_before = [&](std::size_t end) {
    std::size_t begin = end;
    while (begin > 0 && is_digit(name[begin - 1])) {
      --begin;
    }
    return begin;
  };
  if (name.size() < 2 || !(name.ends_with("gb") || name.ends_with("GB"))) {
    return {};
  }
  const std::size_t memory = digits_before(name.size() - 2);
  if (memory < 2 || memory == name.size() - 2 || is_digit(name[memory - 1])) {
    return {};
  }
  if (std::isalnum(static_cast<unsigned char>(name[memory - 1])) != 0) {
    return {};
  }
  const std::size_t unit = memory - 2;
  const std::size_t compute = digits_before(unit);
  if ((name[unit] != 'g' && name[unit] != 'G') || compute == unit) {
    return {};
  }
  std::string slice = fmt::format("{}g.{}gb", name.substr(compute, unit - compute),
                                  name.substr(memory, name.size() - 2 - memory));
  name = name.substr(0, compute);
  for (const std::string_view mark : {"mig-", "mig_", "MIG-", "MIG_"}) {
    if (name.ends_with(mark)) {
      name.remove_suffix(mark.size());
    }
  }
  return slice;
}

bool contains(std::span<const std::string_view> list, std::string_view value) {
  return std::ranges::find(list, value) != list.end();
}

Expr device(long long count, std::string_view device_class, std::string_view name,
            std::string_view slice = {}) {
  std::vector<Arg> arguments{arg(number(std::to_string(count))),
                             arg(str(std::string(device_class))), arg(str(std::string(name)))};
  if (!slice.empty()) {
    arguments.push_back(arg(str(std::string(slice))));
  }
  return call("flyte.Device", std::move(arguments));
}

GpuChoice slice_choice(const tables::GpusRow& gpu, std::string_view slice, long long count) {
  // The A100 of a 40 GB slice may be one with 80 GB: the slice says so.
  std::string_view name = gpu.flyte;
  const tables::Flyte2Row* row = tables::find_flyte_2(name);
  if (name == "A100" && row != nullptr && !contains(row->partitions, slice)) {
    const tables::Flyte2Row* larger = tables::find_flyte_2("A100_80G");
    if (larger != nullptr && contains(larger->partitions, slice)) {
      row = larger;
      name = larger->name;
    }
  }
  GpuChoice choice;
  if (row != nullptr && contains(row->partitions, slice) && count <= 8) {
    choice.value =
        call("flyte.GPU", {arg(str(std::string(name))), arg(number(std::to_string(count))),
                           arg(str(std::string(slice)))});
    return choice;
  }
  choice.value = device(count, tables::to_string(gpu.device_class), name, slice);
  choice.on_list = false;
  choice.why = fmt::format("Flyte does not list the slice {} of {}", slice, name);
  return choice;
}

} // namespace

bool valid_environment_name(std::string_view name) {
  if (name.empty() || name.size() > 63) {
    return false;
  }
  bool word = false; // whether the character before was part of a word
  for (const char c : name) {
    const bool separator = c == '-' || c == '_';
    if (!is_small_word(c) && !(separator && word)) {
      return false;
    }
    word = !separator;
  }
  return word;
}

bool reserved_python_name(std::string_view name) {
  static_assert(std::ranges::is_sorted(reserved));
  return std::ranges::binary_search(reserved, name) || tables::find_python_names(name) != nullptr;
}

bool valid_quantity(std::string_view quantity) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < quantity.size() && is_digit(quantity[at])) {
      ++at;
    }
    return at > begin;
  };
  if (!digits()) {
    return false;
  }
  if (at < quantity.size() && quantity[at] == '.') {
    ++at;
    if (!digits()) {
      return false;
    }
  }
  constexpr std::array<std::string_view, 9> units{"", "Ki", "Mi", "Gi", "Ti", "k", "M", "G", "T"};
  return std::ranges::find(units, quantity.substr(at)) != units.end();
}

std::string quantity_of_mib(long long mib) {
  constexpr long long step = 1024;
  if (mib != 0 && mib % (step * step) == 0) {
    return fmt::format("{}Ti", mib / (step * step));
  }
  if (mib != 0 && mib % step == 0) {
    return fmt::format("{}Gi", mib / step);
  }
  return fmt::format("{}Mi", mib);
}

GpuChoice gpu_choice(std::string_view slurm_type, long long count) {
  GpuChoice choice;
  choice.value = number(std::to_string(count));
  if (slurm_type.empty() || count <= 0) {
    return choice;
  }
  std::string_view name = slurm_type;
  const std::string slice = take_slice(name);
  const tables::GpusRow* gpu = tables::find_gpus(compact(name));
  if (gpu == nullptr) {
    choice.known = false;
    choice.on_list = false;
    choice.why =
        fmt::format("\"{}\" is no GPU name that is known: any GPU is asked for", slurm_type);
    return choice;
  }
  if (!slice.empty()) {
    return slice_choice(*gpu, slice, count);
  }
  const tables::Flyte2Row* row = tables::find_flyte_2(gpu->flyte);
  const std::string text = std::to_string(count);
  if (row != nullptr && contains(row->counts, text)) {
    choice.value = str(fmt::format("{}:{}", row->name, text));
    return choice;
  }
  choice.value = device(count, tables::to_string(gpu->device_class), gpu->flyte);
  choice.on_list = false;
  choice.why =
      row != nullptr
          ? fmt::format("Flyte lists {} with at most {} in a container", row->name,
                        row->counts.back())
          : fmt::format("Flyte's list has no {}: the label of your nodes must say the same",
                        gpu->flyte);
  return choice;
}

} // namespace s2f::flyte
