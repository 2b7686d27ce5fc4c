// Gives an option its value, as sbatch does: one case for each kind of value in the table.
#include "slurm/settings.hpp"

#include <utility>

#include <fmt/format.h>

#include "slurm/text.hpp"

namespace s2f::slurm {

namespace {

using Result = std::expected<void, std::string>;

Result refuse(std::string message) { return std::unexpected(std::move(message)); }

Result invalid(const OptionRow& option) {
  return refuse(fmt::format("Invalid --{} specification", option.name));
}

std::string dashed(const OptionRow& option) { return fmt::format("--{}", option.name); }

// A flag takes a value from a variable only: nothing, "yes" or a number but 0 set it.
bool flag_value(std::string_view value) {
  if (value.empty() || same_word(value, "yes"))
    return true;
  const auto number = read_number(value);
  return number.value != 0 && number.end == value.size();
}

Result set_count(Settings& settings, std::size_t row, std::string_view value, bool zero_allowed) {
  const auto count = read_count(dashed(option_at(row)), value, zero_allowed);
  if (!count)
    return refuse(count.error());
  settings.number[row] = *count;
  return {};
}

Result set_minutes(Settings& settings, std::size_t row, std::string_view value) {
  const auto minutes = read_minutes(value);
  if (minutes == no_time)
    return invalid(option_at(row));
  settings.number[row] = minutes == 0 ? unlimited_time : minutes;
  return {};
}

Result set_moment(std::optional<Moment>& moment, const OptionRow& option, std::string_view value) {
  const auto read = read_moment(value);
  if (!read)
    return invalid(option);
  moment = *read;
  return {};
}

Result set_shape(Settings& settings, std::string_view value) {
  auto shape = read_node_shape(value);
  if (!shape)
    return refuse(std::move(shape).error());
  settings.number[row_of("sockets-per-node")] = shape->sockets;
  settings.number[row_of("cores-per-socket")] = shape->cores;
  settings.number[row_of("threads-per-core")] = shape->threads;
  settings.shape_set = true;
  return {};
}

Result set_sharing(Settings& settings, const OptionRow& option,
                   const std::optional<std::string_view>& value) {
  if (!value || same_word(*value, "exclusive"))
    settings.sharing = Sharing::exclusive;
  else if (same_word(*value, "oversubscribe"))
    settings.sharing = Sharing::oversubscribe;
  else if (same_word(*value, "user"))
    settings.sharing = Sharing::user;
  else if (same_word(*value, "mcs"))
    settings.sharing = Sharing::mcs;
  else
    return invalid(option);
  return {};
}

Result set_switches(Settings& settings, const OptionRow& option, std::string_view value,
                    SwitchPart part) {
  if (part == SwitchPart::wait) {
    settings.switch_wait = read_seconds(value);
    return {};
  }
  if (const auto at = value.find('@'); part == SwitchPart::whole && at != std::string_view::npos) {
    settings.switch_wait = read_seconds(value.substr(at + 1));
    value = value.substr(0, at);
  }
  const auto count = read_count(dashed(option), value, false);
  if (!count)
    return refuse(count.error());
  settings.switch_count = *count;
  return {};
}

Result set_nice(Settings& settings, std::size_t row, const std::optional<std::string_view>& value) {
  constexpr std::int64_t limit = 0x80000000 - 3;
  const auto nice = value ? read_number(*value).value : 100;
  if (nice > limit || nice < -limit)
    return refuse(fmt::format("Invalid --nice value, out of range (+/- {})", limit));
  settings.number[row] = nice;
  return {};
}

Result set_priority(Settings& settings, std::size_t row, std::string_view value) {
  constexpr std::int64_t limit = 0xfffffffe;
  if (same_word(value, "TOP")) {
    settings.number[row] = limit - 1;
    return {};
  }
  const auto priority = read_number(value).value;
  if (priority < 0)
    return refuse("Priority must be >= 0");
  if (priority >= limit)
    return refuse(fmt::format("Priority must be < {}", limit));
  settings.number[row] = priority;
  return {};
}

Result set_user_env(Settings& settings, const OptionRow& option,
                    const std::optional<std::string_view>& value) {
  if (!value) {
    settings.user_env_seconds = 0;
    return {};
  }
  const auto number = read_number(*value);
  settings.user_env_seconds = static_cast<std::int32_t>(number.value);
  const auto rest = value->substr(number.any ? number.end : 0);
  if (rest.empty())
    return {};
  const char mode = upper(rest.front());
  if (mode != 'S' && mode != 'L')
    return invalid(option);
  settings.user_env_mode = mode;
  return {};
}

std::string gres_with_type(std::string_view value) {
  std::string out;
  for (const auto item : pieces(value, ',')) {
    if (!out.empty())
      out += ',';
    // Slurm puts "gres:" before each and then takes doubled ones out.
    out += item.starts_with("gres:") ? "" : "gres:";
    out += item;
  }
  return out;
}

// --nodefile and --nodelist push each other out; both stay "given".
Result set_nodes_by_name(Settings& settings, std::size_t row, std::string_view value) {
  settings.text[row_of("nodefile")].reset();
  settings.text[row_of("nodelist")].reset();
  settings.text[row] = std::string(value);
  return {};
}

Result set_value(Settings& settings, std::size_t row, const Given& given) {
  const auto& option = option_at(row);
  const auto value = given.value.value_or("");
  auto& text = settings.text[row];
  auto& number = settings.number[row];
  switch (option.value) {
  case OptionValue::text:
    text = given.value ? std::optional(std::string(value)) : std::nullopt;
    if (row == row_of("cluster") || row == row_of("clusters")) // one value under two names
      settings.text[row_of("cluster")] = settings.text[row_of("clusters")] = std::string(value);
    if (option.argument == tables::SbatchOptionsArgument::none)
      number = 1;
    return {};
  case OptionValue::directory:
  case OptionValue::existing_file:
    text = std::string(value);
    return {};
  case OptionValue::file:
    text = same_word(value, "none") ? "/dev/null" : std::string(value);
    settings.resolved_path[row] = false;
    return {};
  case OptionValue::flag:
    number = 1;
    return {};
  case OptionValue::verbose: {
    if (!given.value) {
      number = number.value_or(0) + 1;
      return {};
    }
    return set_count(settings, row, value, true);
  }
  case OptionValue::count:
    return set_count(settings, row, value, false);
  case OptionValue::wait_all_nodes: {
    if (auto result = set_count(settings, row, value, true); !result)
      return result;
    number = static_cast<std::uint16_t>(*number);
    return *number > 1 ? invalid(option) : Result{};
  }
  case OptionValue::ntasks:
    if (auto result = set_count(settings, row, value, false); !result)
      return result;
    settings.ntasks = static_cast<std::int32_t>(*number);
    settings.ntasks_set = true;
    return {};
  case OptionValue::cpus_per_task:
    if (auto result = set_count(settings, row, value, false); !result)
      return result;
    settings.cpus_set = true;
    return {};
  case OptionValue::core_spec:
  case OptionValue::thread_spec: {
    const bool threads = option.value == OptionValue::thread_spec;
    const auto count = read_count(dashed(option), value, !threads);
    if (!count)
      return refuse(count.error());
    settings.core_spec = threads ? *count | 0x8000 : *count;
    settings.thread_spec = (*settings.core_spec & 0x8000) != 0;
    return {};
  }
  case OptionValue::mebibytes: {
    const auto mebibytes = read_mebibytes(value);
    if (!mebibytes)
      return invalid(option);
    number = static_cast<std::int64_t>(*mebibytes);
    return {};
  }
  case OptionValue::minutes:
    return set_minutes(settings, row, value);
  case OptionValue::seconds: {
    const auto seconds = read_seconds(value);
    if (seconds == no_time)
      return invalid(option);
    number = static_cast<std::int64_t>(static_cast<std::uint32_t>(seconds));
    return {};
  }
  case OptionValue::moment:
    return set_moment(row == row_of("begin") ? settings.begin : settings.deadline, option, value);
  case OptionValue::nodes: {
    const auto range = read_node_range(value);
    if (!range)
      return refuse(range.error());
    settings.min_nodes = range->min;
    settings.max_nodes = range->max;
    settings.nodes_set = true;
    return {};
  }
  case OptionValue::nodefile:
  case OptionValue::nodelist:
    return set_nodes_by_name(settings, row, value);
  case OptionValue::extra_node_info:
    return set_shape(settings, value);
  case OptionValue::exclusive:
    return set_sharing(settings, option, given.value);
  case OptionValue::oversubscribe:
    settings.sharing = Sharing::oversubscribe;
    return {};
  case OptionValue::requeue:
  case OptionValue::no_requeue:
    settings.requeue = option.value == OptionValue::requeue;
    return {};
  case OptionValue::no_kill:
    if (!given.value || same_word(value, "set"))
      number = 1;
    else if (same_word(value, "off") || same_word(value, "no"))
      number = 0;
    else
      return invalid(option);
    return {};
  case OptionValue::kill_on_invalid_dep:
    if (!same_word(value, "yes") && !same_word(value, "no"))
      return invalid(option);
    // Both are remembered, and "yes" is looked at first.
    settings.kill_on_invalid_dep =
        same_word(value, "yes") || settings.kill_on_invalid_dep.value_or(false);
    return {};
  case OptionValue::gres:
    text = same_word(value, "none") ? std::string(value) : gres_with_type(value);
    return {};
  case OptionValue::gres_flags:
    settings.gres_disable_binding = same_word(value, "disable-binding");
    settings.gres_enforce_binding = same_word(value, "enforce-binding");
    if (!settings.gres_disable_binding && !settings.gres_enforce_binding)
      return invalid(option);
    return {};
  case OptionValue::gpu_bind:
    text = std::string(value);
    return valid_gpu_binding(value)
               ? Result{}
               : refuse(fmt::format("Invalid --gpu-bind argument: gpu:{}", value));
  case OptionValue::gpu_freq:
    text = std::string(value);
    return valid_gpu_frequency(value)
               ? Result{}
               : refuse(fmt::format("Invalid --gpu-freq argument: gpu:{}", value));
  case OptionValue::cpu_freq:
    settings.cpu_frequency = read_cpu_frequency(value);
    return settings.cpu_frequency ? Result{} : refuse("Invalid --cpu-freq argument");
  case OptionValue::mem_bind: {
    auto binding = read_memory_binding(value, settings.memory_binding);
    if (!binding)
      return refuse(std::move(binding).error());
    settings.memory_binding = std::move(*binding);
    return {};
  }
  case OptionValue::distribution:
    settings.distribution = read_distribution(value);
    return settings.distribution ? Result{} : invalid(option);
  case OptionValue::mail_type: {
    // An empty #PBS -m gives Slurm no text at all, which it refuses.
    settings.mail_types |= given.value ? read_mail_types(value) : no_mail_type;
    return settings.mail_types == no_mail_type ? invalid(option) : Result{};
  }
  case OptionValue::signal: {
    const auto signal = read_signal(value, settings.signal.value_or(Signal{}));
    if (!signal)
      return invalid(option);
    settings.signal = signal;
    return {};
  }
  case OptionValue::open_mode: {
    const char mode = value.empty() ? '\0' : lower(value.front());
    if (mode != 'a' && mode != 't')
      return invalid(option);
    text = std::string(1, mode);
    return {};
  }
  case OptionValue::nice:
    return set_nice(settings, row, given.value);
  case OptionValue::priority:
    return set_priority(settings, row, value);
  case OptionValue::profile:
    settings.profile = read_profile(value);
    return settings.profile == 0 ? refuse(fmt::format("invalid --profile={} option", value))
                                 : Result{};
  case OptionValue::power:
    settings.power_level = false;
    for (const auto word : tokens(value, ','))
      settings.power_level |= same_word(word, "level");
    return {};
  case OptionValue::propagate:
    text = given.value ? std::string(value) : "ALL";
    return {};
  case OptionValue::switches:
    return set_switches(settings, option, value, given.part);
  case OptionValue::get_user_env:
    return set_user_env(settings, option, given.value);
  case OptionValue::acctg_freq: {
    text = std::string(value);
    const auto bad = bad_accounting_frequencies(value);
    return bad.empty() ? Result{}
                       : refuse(fmt::format("Invalid --acctg-freq specification: {}", bad.front()));
  }
  case OptionValue::user:
  case OptionValue::group: {
    // Only root may, and only for a user that there is: of those just root is the same everywhere.
    const auto id = read_number(value);
    const bool zero = id.any && id.end == value.size() && id.value == 0;
    if (value != "root" && !zero)
      return invalid(option);
    number = 0;
    return {};
  }
  case OptionValue::tres_per_task:
    text = std::string(value);
    return {};
  }
  std::unreachable();
}

} // namespace

std::expected<void, std::string> apply(Settings& settings, std::size_t given_row,
                                       const Given& given) {
  const auto row = state_row(given_row);
  auto effective = given;
  if (given.value) {
    const auto argument = option_at(row).argument;
    if (argument == tables::SbatchOptionsArgument::none) {
      if (!flag_value(*given.value)) {
        reset(settings, row);
        settings.by_environment[row] = false;
        return {};
      }
      if (option_at(row).value != OptionValue::verbose)
        effective.value.reset();
    } else if (argument == tables::SbatchOptionsArgument::optional && given.value->empty()) {
      effective.value.reset();
    }
  }
  if (auto result = set_value(settings, row, effective); !result)
    return result;
  if (given.part == SwitchPart::whole) {
    settings.set[row] = true;
    settings.by_environment[row] = given.by_environment;
  }
  return {};
}

void reset(Settings& settings, std::size_t row) {
  settings.set[row] = false;
  settings.text[row].reset();
  settings.number[row].reset();
  switch (option_at(row).value) {
  case OptionValue::nodes:
    settings.min_nodes = 1;
    settings.max_nodes = 0;
    settings.nodes_set = false;
    break;
  case OptionValue::ntasks:
    settings.ntasks = 1;
    settings.ntasks_set = false;
    break;
  case OptionValue::cpus_per_task:
    settings.cpus_set = false;
    break;
  case OptionValue::extra_node_info:
    settings.number[row_of("sockets-per-node")].reset();
    settings.number[row_of("cores-per-socket")].reset();
    settings.number[row_of("threads-per-core")].reset();
    settings.shape_set = false;
    break;
  case OptionValue::exclusive:
  case OptionValue::oversubscribe:
    settings.sharing.reset();
    break;
  case OptionValue::requeue:
  case OptionValue::no_requeue:
    settings.requeue.reset();
    break;
  case OptionValue::kill_on_invalid_dep:
    settings.kill_on_invalid_dep.reset();
    break;
  case OptionValue::gres_flags:
    settings.gres_disable_binding = settings.gres_enforce_binding = false;
    break;
  case OptionValue::core_spec:
  case OptionValue::thread_spec:
    settings.core_spec.reset();
    settings.thread_spec = false;
    break;
  case OptionValue::mail_type:
    settings.mail_types = 0;
    break;
  case OptionValue::signal:
    settings.signal.reset();
    break;
  case OptionValue::distribution:
    settings.distribution.reset();
    break;
  case OptionValue::cpu_freq:
    settings.cpu_frequency.reset();
    break;
  case OptionValue::mem_bind:
    settings.memory_binding = {};
    break;
  case OptionValue::profile:
    settings.profile = 0;
    break;
  case OptionValue::power:
    settings.power_level = false;
    break;
  case OptionValue::switches:
    settings.switch_count = settings.switch_wait = -1;
    break;
  case OptionValue::get_user_env:
    settings.user_env_seconds.reset();
    settings.user_env_mode = '\0';
    break;
  case OptionValue::moment:
    (row == row_of("begin") ? settings.begin : settings.deadline).reset();
    break;
  default:
    break;
  }
}

void reset_for_component(Settings& settings) {
  for (std::size_t row = 0; row < option_count; ++row)
    if (option_at(row).per_component.value_or(false))
      reset(settings, row);
}

} // namespace s2f::slurm
