// Shows an option's value as `sbatch -v` lists it, byte for byte.
#include "slurm/settings.hpp"

#include <fmt/format.h>

namespace s2f::slurm {

namespace {

constexpr std::string_view nothing = "(null)"; // how Slurm shows a text that is not there
constexpr std::string_view unset = "unset";

std::string show_number(const Settings& settings, std::size_t row) {
  return settings.number[row] ? std::to_string(*settings.number[row]) : std::string(nothing);
}

std::string show_shape(const Settings& settings) {
  constexpr int not_given = -2; // Slurm's NO_VAL, which is 4294967294 on the command line
  std::string out;
  if (const auto& sockets = settings.number[row_of("sockets-per-node")];
      sockets && *sockets != not_given)
    out += std::to_string(*sockets);
  for (const auto row : {row_of("cores-per-socket"), row_of("threads-per-core")})
    if (const auto& number = settings.number[row]; number && *number != not_given)
      out += fmt::format(":{}", *number);
  return out.empty() ? std::string(unset) : out;
}

std::string show_sharing(const Settings& settings) {
  if (!settings.sharing)
    return std::string(unset);
  switch (*settings.sharing) {
  case Sharing::exclusive:
    return "exclusive";
  case Sharing::oversubscribe:
    return "oversubscribe";
  case Sharing::user:
    return "user";
  case Sharing::mcs:
    return "mcs";
  }
  return "";
}

std::string show_core_spec(const Settings& settings, bool threads) {
  constexpr std::int32_t not_set = 0xfffe;
  if (!settings.core_spec || *settings.core_spec == not_set || settings.thread_spec != threads)
    return std::string(unset);
  return std::to_string(threads ? *settings.core_spec & ~0x8000 : *settings.core_spec);
}

std::string show_switches(const Settings& settings) {
  if (settings.switch_wait != -1)
    return fmt::format("{}@{}", settings.switch_count, show_seconds(settings.switch_wait));
  return settings.switch_count != -1 ? std::to_string(settings.switch_count) : std::string(unset);
}

std::string show_user_env(const Settings& settings) {
  if (settings.user_env_mode != '\0')
    return fmt::format("{}{}", settings.user_env_seconds.value_or(-1), settings.user_env_mode);
  return settings.user_env_seconds && *settings.user_env_seconds != -1
             ? std::to_string(*settings.user_env_seconds)
             : std::string(nothing);
}

} // namespace

std::string show(const Settings& settings, std::size_t row, const std::optional<std::string>& now) {
  switch (option_at(row).value) {
  case OptionValue::text:
    if (option_at(row).argument != tables::SbatchOptionsArgument::none)
      break;
    [[fallthrough]];
  case OptionValue::flag:
  case OptionValue::no_kill:
    return settings.number[row].value_or(0) != 0 ? "set" : std::string(unset);
  case OptionValue::count:
    // Slurm's "not set" as a signed number: a hint took the option's value but left it given.
    return std::to_string(settings.number[row].value_or(-2));
  case OptionValue::cpus_per_task:
  case OptionValue::verbose:
  case OptionValue::wait_all_nodes:
  case OptionValue::nice:
    return show_number(settings, row);
  case OptionValue::user:
  case OptionValue::group:
  case OptionValue::priority: // printed as a signed number, so that TOP is -3
    return std::to_string(static_cast<std::int32_t>(settings.number[row].value_or(0)));
  case OptionValue::ntasks:
    return std::to_string(settings.ntasks);
  case OptionValue::nodes:
    return settings.min_nodes == settings.max_nodes
               ? std::to_string(settings.min_nodes)
               : fmt::format("{}-{}", settings.min_nodes, settings.max_nodes);
  case OptionValue::mebibytes:
    return settings.number[row] ? show_mebibytes(static_cast<std::uint64_t>(*settings.number[row]))
                                : std::string(nothing);
  case OptionValue::minutes:
    return show_minutes(static_cast<std::uint32_t>(settings.number[row].value_or(no_time)));
  case OptionValue::seconds:
    return show_seconds(settings.number[row].value_or(0));
  case OptionValue::moment: {
    const auto& moment = row == row_of("begin") ? settings.begin : settings.deadline;
    return moment ? show_moment(*moment, now) : std::string(nothing);
  }
  case OptionValue::extra_node_info:
    return show_shape(settings);
  case OptionValue::exclusive:
  case OptionValue::oversubscribe:
    return show_sharing(settings);
  case OptionValue::requeue:
  case OptionValue::no_requeue:
    return !settings.requeue ? std::string(unset) : *settings.requeue ? "requeue" : "no-requeue";
  case OptionValue::kill_on_invalid_dep:
    return settings.kill_on_invalid_dep.value_or(false) ? "yes" : "no";
  case OptionValue::gres_flags:
    return settings.gres_disable_binding   ? "disable-binding"
           : settings.gres_enforce_binding ? "enforce-binding"
                                           : std::string(unset);
  case OptionValue::cpu_freq:
    return settings.cpu_frequency
               ? show_cpu_frequency(*settings.cpu_frequency).value_or(std::string(nothing))
               : std::string(nothing);
  case OptionValue::mem_bind:
    return show_memory_binding(settings.memory_binding);
  case OptionValue::distribution:
    return settings.distribution
               ? show_distribution(*settings.distribution).value_or(std::string(nothing))
               : std::string(nothing);
  case OptionValue::mail_type:
    return show_mail_types(settings.mail_types);
  case OptionValue::signal:
    return settings.signal ? show_signal(*settings.signal) : std::string(nothing);
  case OptionValue::profile:
    return show_profile(settings.profile);
  case OptionValue::power:
    return settings.power_level ? "LEVEL" : std::string(unset);
  case OptionValue::core_spec:
    return show_core_spec(settings, false);
  case OptionValue::thread_spec:
    return show_core_spec(settings, true);
  case OptionValue::switches:
    return show_switches(settings);
  case OptionValue::get_user_env:
    return show_user_env(settings);
  default:
    break;
  }
  return settings.text[row].value_or(std::string(nothing));
}

} // namespace s2f::slurm
