// Values made of words: signals, mail types, distributions, bindings, frequencies.
#include "slurm/values.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "slurm/header.hpp"
#include "slurm/text.hpp"

namespace s2f::slurm {

// ---- signals
// -------------------------------------------------------------------------------------

namespace {

constexpr auto signals = std::to_array<std::pair<std::string_view, std::uint16_t>>({
    {"HUP", 1},
    {"INT", 2},
    {"QUIT", 3},
    {"ABRT", 6},
    {"KILL", 9},
    {"ALRM", 14},
    {"TERM", 15},
    {"USR1", 10},
    {"USR2", 12},
    {"URG", 23},
    {"CONT", 18},
    {"STOP", 19},
    {"TSTP", 20},
    {"TTIN", 21},
    {"TTOU", 22},
    {"XCPU", 24},
});

std::uint16_t signal_number(std::string_view text) {
  const auto number = read_number(text);
  if (number.any)
    return only_space(text.substr(number.end)) ? static_cast<std::uint16_t>(number.value) : 0;
  while (!text.empty() && is_space(text.front()))
    text.remove_prefix(1);
  if (begins(text, "SIG"))
    text.remove_prefix(3);
  for (const auto& [name, value] : signals)
    if (begins(text, name) && only_space(text.substr(name.size())))
      return value;
  return 0;
}

} // namespace

std::string signal_name(std::uint16_t number) {
  const auto found = std::ranges::find(signals, number, &decltype(signals)::value_type::second);
  return found == signals.end() ? std::to_string(number) : std::string(found->first);
}

std::optional<Signal> read_signal(std::string_view text, Signal before) {
  auto out = before;
  const auto flag = [&text](char letter, bool& set) {
    if (text.empty() || upper(text.front()) != letter)
      return;
    set = true;
    text.remove_prefix(1);
  };
  flag('R', out.reservation);
  flag('B', out.batch);
  flag('R', out.reservation);
  if (text.starts_with(':'))
    text.remove_prefix(1);
  const auto at = text.find('@');
  out.number = signal_number(text.substr(0, at));
  if (out.number == 0)
    return std::nullopt;
  out.seconds = 60;
  if (at == std::string_view::npos)
    return out;
  const auto rest = text.substr(at + 1);
  const auto seconds = read_number(rest);
  if (seconds.value < 0 || seconds.value > 0xffff || seconds.end != rest.size())
    return std::nullopt;
  out.seconds = static_cast<std::uint16_t>(seconds.value);
  return out;
}

std::string show_signal(const Signal& signal) {
  std::string out;
  if (signal.reservation)
    out += 'R';
  if (signal.batch)
    out += 'B';
  if (!out.empty())
    out += ':';
  out += signal_name(signal.number);
  if (signal.seconds != 60)
    out += fmt::format("@{}", signal.seconds);
  return out;
}

std::optional<SignalSpec> parse_signal(std::string_view text) {
  const auto signal = read_signal(text, {});
  if (!signal)
    return std::nullopt;
  return SignalSpec{.signal = signal_name(signal->number),
                    .seconds = signal->seconds,
                    .batch_shell = signal->batch,
                    .reservation = signal->reservation};
}

// ---- mail
// ----------------------------------------------------------------------------------------

namespace {

// In the order in which Slurm shows them.
constexpr auto mail_types = std::to_array<std::pair<std::string_view, std::uint16_t>>({
    {"ARRAY_TASKS", 0x200},
    {"INVALID_DEPEND", 0x400},
    {"BEGIN", 0x1},
    {"END", 0x2},
    {"FAIL", 0x4},
    {"REQUEUE", 0x8},
    {"STAGE_OUT", 0x100},
    {"TIME_LIMIT_50", 0x80},
    {"TIME_LIMIT_80", 0x40},
    {"TIME_LIMIT_90", 0x20},
    {"TIME_LIMIT", 0x10},
});
constexpr std::uint16_t all_mail = 0x400 | 0x1 | 0x2 | 0x4 | 0x8 | 0x100;

std::uint16_t mail_type(std::string_view word) {
  if (same_word(word, "ALL"))
    return all_mail;
  const auto found = std::ranges::find_if(
      mail_types, [word](const auto& type) { return same_word(type.first, word); });
  return found == mail_types.end() ? std::uint16_t{0} : found->second;
}

} // namespace

std::uint16_t read_mail_types(std::string_view text) {
  std::uint16_t types = 0;
  for (const auto word : tokens(text, ',')) {
    if (same_word(word, "NONE"))
      return 0;
    types |= mail_type(word);
  }
  return types == 0 ? no_mail_type : types;
}

std::vector<std::string_view> unknown_mail_types(std::string_view text) {
  auto words = tokens(text, ',');
  std::erase_if(
      words, [](std::string_view word) { return same_word(word, "NONE") || mail_type(word) != 0; });
  return words;
}

std::string show_mail_types(std::uint16_t types) {
  std::string out;
  for (const auto& [name, bit] : mail_types)
    if ((types & bit) != 0)
      out += (out.empty() ? "" : ",") + std::string(name);
  return out.empty() ? "NONE" : out;
}

// ---- distributions
// -------------------------------------------------------------------------------

namespace {

bool is_layout(std::string_view text) {
  const auto parts = pieces(text, ':');
  const auto inner = [](std::string_view part) {
    return part == "block" || part == "cyclic" || part == "fcyclic";
  };
  return (parts[0] == "block" || parts[0] == "cyclic") && parts.size() <= 3 &&
         std::all_of(parts.begin() + 1, parts.end(), inner);
}

bool read_pack(std::string_view text, Distribution& out) {
  if (same_word(text, "nopack"))
    out.no_pack = true;
  else if (same_word(text, "pack"))
    out.pack = true;
  else
    return false;
  return true;
}

} // namespace

std::optional<Distribution> read_distribution(std::string_view text) {
  Distribution out;
  if (begins(text, "plane")) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos)
      return std::nullopt;
    const auto size = text.substr(equals + 1);
    const auto number = read_number(size);
    if (!number.any || number.end != size.size() || number.value <= 0 ||
        number.value > std::numeric_limits<std::int32_t>::max())
      return std::nullopt;
    out.layout = "plane";
    out.plane_size = static_cast<std::uint32_t>(number.value);
    return out;
  }
  if (text.empty() || text.front() == ',')
    return std::nullopt;
  const auto comma = text.find(',');
  const auto levels = tokens(text.substr(0, comma), ':');
  if (levels.size() > 3)
    return std::nullopt;
  std::string layout;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    // The default is block over nodes, cyclic over sockets, and over cores as over sockets.
    auto word = levels[level];
    if (word == "*")
      word = level == 0 ? "block" : level == 1 || levels[1] == "*" ? "cyclic" : levels[1];
    layout += (level == 0 ? "" : ":") + lowered(word);
  }
  if (layout == "hostfile")
    layout = "arbitrary";
  if (layout == "arbitrary" || is_layout(layout))
    out.layout = std::move(layout);
  else if (!read_pack(layout, out))
    return std::nullopt;
  if (comma != std::string_view::npos && comma + 1 < text.size() &&
      !read_pack(text.substr(comma + 1), out))
    return std::nullopt;
  return out;
}

std::optional<std::string> show_distribution(const Distribution& distribution) {
  auto out = distribution.layout;
  // Slurm shows neither where both are set.
  if (distribution.pack != distribution.no_pack)
    out += fmt::format("{}{}", out.empty() ? "" : ",", distribution.pack ? "pack" : "nopack");
  if (distribution.layout == "plane")
    out += fmt::format("={}", distribution.plane_size);
  return out.empty() ? std::nullopt : std::optional(std::move(out));
}

// ---- CPU frequencies
// -----------------------------------------------------------------------------

namespace {

struct NamedFrequency {
  std::string_view prefix; // what Slurm compares
  std::uint32_t value;
  std::string_view shown;
};
constexpr auto governors = std::to_array<NamedFrequency>({
    {"co", 0x88000000, "Conservative"},
    {"perf", 0x82000000, "Performance"},
    {"pow", 0x81000000, "PowerSave"},
    {"user", 0x80800000, "UserSpace"},
    {"onde", 0x84000000, "OnDemand"},
    {"sche", 0x80400000, "SchedUtil"},
});
// CpuFreqGovernors of a slurm.conf that does not name it.
constexpr std::uint32_t allowed_governors = 0x84000000 | 0x82000000 | 0x80800000;
constexpr std::uint32_t named_frequency = 0x80000000;
constexpr std::uint32_t unset_frequency = 0xfffffffe;
constexpr auto frequencies = std::to_array<NamedFrequency>({
    {"lo", 0x80000001, "Low"},
    {"him1", 0x80000004, "Highm1"},
    {"highm1", 0x80000004, "Highm1"},
    {"hi", 0x80000003, "High"},
    {"med", 0x80000002, "Medium"},
});

std::uint32_t governor(std::string_view text) {
  for (const auto& entry : governors)
    if (begins(text, entry.prefix))
      return entry.value;
  return 0;
}

std::uint32_t frequency(std::string_view text) {
  for (const auto& entry : frequencies)
    if (begins(text, entry.prefix))
      return entry.value;
  return static_cast<std::uint32_t>(read_number(text).value);
}

std::string show_frequency(std::uint32_t value) {
  if ((value & named_frequency) == 0)
    return std::to_string(value);
  for (const auto& entry : frequencies)
    if (entry.value == value)
      return std::string(entry.shown);
  for (const auto& entry : governors)
    if (entry.value == value)
      return std::string(entry.shown);
  return "Unknown";
}

} // namespace

std::optional<CpuFrequency> read_cpu_frequency(std::string_view text) {
  const auto colon = text.find(':');
  const auto dash = text.find('-');
  CpuFrequency out;
  std::optional<std::string_view> second;
  std::optional<std::string_view> third;
  if (colon != std::string_view::npos)
    third = text.substr(colon + 1);
  auto first = text.substr(0, std::min(colon, dash));
  if (dash != std::string_view::npos) {
    first = text.substr(0, dash);
    // A colon before the dash leaves Slurm a negative length, which takes all of the rest.
    second = colon != std::string_view::npos && colon > dash
                 ? text.substr(dash + 1, colon - dash - 1)
                 : text.substr(dash + 1);
  }
  if (const auto value = governor(first); value != 0) {
    if (third)
      return std::nullopt;
    out.governor = value;
  } else {
    const auto high = frequency(first);
    if (high == 0)
      return std::nullopt;
    out.max = high;
  }
  if (second) {
    const auto high = frequency(*second);
    if (high == 0)
      return std::nullopt;
    out.min = out.max;
    out.max = high;
    // A governor in first place leaves the lower bound at Slurm's "not set", the largest number.
    if (*out.max < out.min.value_or(unset_frequency))
      return std::nullopt;
  }
  if (third) {
    if (!second)
      return std::nullopt;
    const auto value = governor(*third);
    if (value == 0)
      return std::nullopt;
    out.governor = value;
  }
  for (auto* bound : {&out.min, &out.max})
    if (*bound == unset_frequency)
      bound->reset();
  if (out.governor && (*out.governor & allowed_governors & ~named_frequency) == 0)
    return std::nullopt;
  return out;
}

std::optional<std::string> show_cpu_frequency(const CpuFrequency& frequency) {
  if (frequency.min && frequency.max) {
    auto out = fmt::format("{}-{}", show_frequency(*frequency.min), show_frequency(*frequency.max));
    return frequency.governor ? fmt::format("{}:{}", out, show_frequency(*frequency.governor))
                              : out;
  }
  if (frequency.max)
    return show_frequency(*frequency.max);
  if (frequency.governor)
    return show_frequency(*frequency.governor);
  return std::nullopt;
}

// ---- memory binding
// ------------------------------------------------------------------------------

namespace {

enum MemoryBindingFlag : std::uint32_t {
  verbose_binding = 0x01,
  none_binding = 0x02,
  rank_binding = 0x04,
  map_binding = 0x08,
  mask_binding = 0x10,
  local_binding = 0x20,
  sort_binding = 0x40,
  prefer_binding = 0x80,
};
constexpr std::uint32_t binding_kinds =
    none_binding | rank_binding | map_binding | mask_binding | local_binding;

// Whether the text after a comma goes on with a list of numbers.
bool goes_on(std::string_view text) {
  if (!text.empty() && is_digit(text.front()))
    return true;
  std::size_t at = 0;
  while (at < text.size() && is_hex_digit(text[at]))
    ++at;
  return at == text.size() || text[at] == ',';
}

Read<std::string> expand_list(std::string_view list, std::string_view type, bool mask) {
  std::string out;
  for (auto item : tokens(list, ',')) {
    if (mask && item.starts_with("0x"))
      item.remove_prefix(2);
    std::int64_t count = 1;
    const auto star = item.find('*');
    const auto offending = [](std::string_view in, char c) {
      return std::unexpected(
          fmt::format("Failed to validate number: {}, the offending character is {}", in, c));
    };
    if (star != std::string_view::npos) {
      for (const char c : item.substr(star + 1))
        if (!is_digit(c))
          return offending(item.substr(star), c);
      const auto number = read_number(item.substr(star + 1));
      count = number.value;
      if (count <= 0 || number.overflow)
        return std::unexpected(
            fmt::format("Invalid {} multiplier: {}", type, item.substr(star + 1)));
      item = item.substr(0, star);
    }
    for (const char c : item)
      if (mask ? !is_hex_digit(c) : !is_digit(c))
        return offending(item, c);
    // Slurm writes the list out. So long a one says nothing more, so it ends somewhere.
    constexpr std::size_t most = std::size_t{1} << 20;
    for (std::int64_t i = 0; i < count && out.size() < most; ++i)
      out += (out.empty() ? "" : ",") + std::string(item);
  }
  return out;
}

} // namespace

Read<MemoryBinding> read_memory_binding(std::string_view text, MemoryBinding before) {
  auto out = std::move(before);
  out.list.reset();
  std::vector<std::string_view> words;
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ';' || (text[at] == ',' && !goes_on(text.substr(at + 1)))) {
      words.push_back(text.substr(start, at - start));
      start = at + 1;
    }
  }
  words.push_back(text.substr(start));
  const auto kind = [&out](std::uint32_t flag) {
    out.flags = (out.flags & ~binding_kinds) | flag;
    out.list.reset();
  };
  for (const auto word : words) {
    const auto is = [word](std::string_view one, std::string_view other) {
      return same_word(word, one) || same_word(word, other);
    };
    if (same_word(word, "help"))
      return std::unexpected("");
    if (is("p", "prefer")) {
      out.flags |= prefer_binding;
    } else if (same_word(word, "nosort")) {
      out.flags &= ~std::uint32_t{sort_binding};
    } else if (same_word(word, "sort")) {
      out.flags |= sort_binding;
    } else if (is("q", "quiet")) {
      out.flags &= ~std::uint32_t{verbose_binding};
    } else if (is("v", "verbose")) {
      out.flags |= verbose_binding;
    } else if (is("no", "none")) {
      kind(none_binding);
    } else if (same_word(word, "rank")) {
      kind(rank_binding);
    } else if (same_word(word, "local")) {
      kind(local_binding);
    } else {
      const bool map = begins(word, "map_mem") || begins(word, "mapmem");
      const bool mask = begins(word, "mask_mem") || begins(word, "maskmem");
      if (!map && !mask)
        return std::unexpected(fmt::format("unrecognized --mem-bind argument \"{}\"", word));
      const std::string_view type = map ? "map_mem" : "mask_mem";
      kind(map ? map_binding : mask_binding);
      std::string_view list;
      if (const auto separator = word.find_first_of(":="); separator != std::string_view::npos) {
        list = word.substr(separator + 1);
        list = list.substr(0, list.find_first_of(":="));
      }
      if (list.empty())
        return std::unexpected(fmt::format("missing list for \"--mem-bind={}:<list>\"", type));
      auto expanded = expand_list(list, type, mask);
      if (!expanded)
        return std::unexpected(std::move(expanded).error());
      out.list = std::move(*expanded);
      if (out.list->empty())
        out.list.reset();
    }
  }
  return out;
}

std::string show_memory_binding(const MemoryBinding& binding) {
  if (binding.flags == 0)
    return "unset";
  constexpr auto names = std::to_array<std::pair<std::uint32_t, std::string_view>>({
      {verbose_binding, "verbose"},
      {prefer_binding, "prefer"},
      {sort_binding, "sort"},
      {none_binding, "none"},
      {rank_binding, "rank"},
      {local_binding, "local"},
      {map_binding, "map_mem"},
      {mask_binding, "mask_mem"},
  });
  std::string out;
  for (const auto& [flag, name] : names)
    if ((binding.flags & flag) != 0)
      out += (out.empty() ? "" : ",") + std::string(name);
  return binding.list ? fmt::format("{}:{}", out, *binding.list) : out;
}

// ---- GPU binding and frequency, accounting
// -------------------------------------------------------

namespace {

bool valid_number(std::string_view text) {
  const auto number = read_number(text, 0);
  return number.value >= 0 && !number.overflow;
}

bool valid_number_list(std::string_view text, bool hex) {
  for (auto item : tokens(text, ',')) {
    if (hex && item.starts_with("0x"))
      item.remove_prefix(2);
    for (const char c : item)
      if (!(hex ? is_hex_digit(c) : is_digit(c)) && c != '*')
        return false;
    const auto number = read_number(item, hex ? 16 : 10);
    if (number.value < 0 || number.overflow)
      return false;
    const auto rest = item.substr(number.any ? number.end : 0);
    if (rest.empty())
      continue;
    if (rest.front() != '*')
      return false;
    const auto count = read_number(rest.substr(1), 0);
    if (count.value < 0 || count.overflow || (count.any ? count.end : 0) != rest.size() - 1)
      return false;
  }
  return true;
}

bool valid_one_gpu_binding(std::string_view text) {
  if (begins(text, "verbose,"))
    text.remove_prefix(8);
  if (begins(text, "c"))
    return true;
  if (begins(text, "map_gpu:"))
    return valid_number_list(text.substr(8), false);
  if (begins(text, "mask_gpu:"))
    return valid_number_list(text.substr(9), true);
  if (begins(text, "n"))
    return true;
  if (begins(text, "per_task:"))
    return valid_number(text.substr(9));
  if (begins(text, "single:"))
    return valid_number(text.substr(7));
  return false;
}

bool valid_frequency(std::string_view text) {
  if (text.empty())
    return false;
  if (!is_digit(text.front()))
    return text == "low" || text == "medium" || text == "high" || text == "highm1";
  const auto number = read_number(text);
  return !number.overflow && number.end == text.size();
}

bool valid_one_gpu_frequency(std::string_view text) {
  if (text.empty())
    return false;
  for (const auto word : tokens(text, ',')) {
    const auto equals = word.find('=');
    const bool valid =
        equals == std::string_view::npos
            ? word == "verbose" || valid_frequency(word)
            : word.substr(0, equals) == "memory" && valid_frequency(word.substr(equals + 1));
    if (!valid)
      return false;
  }
  return true;
}

// "gpu:..." pieces between semicolons: Slurm puts "gpu:" in front of the value.
bool valid_per_device(std::string_view text, bool (*valid)(std::string_view)) {
  const auto whole = fmt::format("gpu:{}", text);
  for (const auto item : tokens(whole, ';')) {
    const auto colon = item.find(':');
    if (colon == std::string_view::npos || item.substr(0, colon) != "gpu" ||
        !valid(item.substr(colon + 1)))
      return false;
  }
  return true;
}

} // namespace

bool valid_gpu_binding(std::string_view text) {
  return valid_per_device(text, valid_one_gpu_binding);
}

bool valid_gpu_frequency(std::string_view text) {
  return valid_per_device(text, valid_one_gpu_frequency);
}

std::vector<std::string_view> bad_accounting_frequencies(std::string_view text) {
  auto words = tokens(text, ',');
  std::erase_if(words, [](std::string_view word) {
    const auto number_follows = [](std::string_view rest) {
      const auto number = read_number(rest);
      return number.any && static_cast<std::int32_t>(number.value) != -1;
    };
    if (number_follows(word))
      return true;
    for (const std::string_view name : {"energy=", "task=", "filesystem=", "network="}) {
      const auto found = std::ranges::search(word, name, {}, lower, lower);
      if (!found.empty() &&
          number_follows(word.substr(static_cast<std::size_t>(found.end() - word.begin()))))
        return true;
    }
    return false;
  });
  return words;
}

namespace {

constexpr std::uint32_t no_profile = 1;
constexpr auto profiles = std::to_array<std::pair<std::string_view, std::uint32_t>>(
    {{"Energy", 2}, {"Lustre", 8}, {"Network", 16}, {"Task", 4}});

} // namespace

std::uint32_t read_profile(std::string_view text) {
  if (contains_word(text, "none"))
    return no_profile;
  if (contains_word(text, "all"))
    return 0xffffffff;
  std::uint32_t profile = 0;
  for (const auto& [name, bit] : profiles)
    if (contains_word(text, name))
      profile |= bit;
  return profile;
}

std::string show_profile(std::uint32_t profile) {
  if (profile == 0)
    return "NotSet";
  if (profile == no_profile)
    return "None";
  std::string out;
  for (const auto& [name, bit] : profiles)
    if ((profile & bit) != 0)
      out += (out.empty() ? "" : ",") + std::string(name);
  return out;
}

} // namespace s2f::slurm
