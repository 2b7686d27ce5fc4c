// Lookups in the table of sbatch's options.
#include "slurm/options.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "generated/tables/slurm_releases.hpp"
#include "slurm/header.hpp"
#include "slurm/text.hpp"

namespace s2f::slurm {

namespace {

// Releases are "YY.MM", so that they compare as text.
bool known_in(const OptionRow& row, std::string_view release) {
  return row.program == OptionProgram::sbatch && row.since.value_or("") <= release &&
         (!row.until || *row.until > release);
}

bool known_in_reference(const OptionRow& row) { return known_in(row, reference_release); }

bool of_plugin(const OptionRow& row) { return row.program == OptionProgram::plugin; }

bool known_elsewhere(const OptionRow& row) {
  return row.program == OptionProgram::plugin ||
         (row.program == OptionProgram::sbatch && row.since.value_or("") > reference_release);
}

OptionSet options_where(const std::function<bool(const OptionRow&)>& wanted) {
  OptionSet set;
  for (std::size_t row = 0; row < option_count; ++row) {
    const auto& option = option_at(row);
    if (!wanted(option))
      continue;
    const auto argument = static_cast<Argument>(option.argument);
    set.longs.push_back({option.name, argument, row});
    if (!option.short_.empty())
      set.shorts.push_back({option.short_.front(), argument, row});
  }
  return set;
}

std::size_t distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    auto diagonal = row[0]++;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const auto changed = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

constexpr auto infos = [] {
  std::array<OptionInfo, option_count> out{};
  for (std::size_t row = 0; row < option_count; ++row) {
    const auto& option = tables::sbatch_options[row];
    out[row] = {.name = option.name,
                .short_name = option.short_,
                .argument = to_string(option.argument),
                .environment = option.environment.value_or(""),
                .disposition = to_string(option.disposition),
                .rule = option.rule,
                .becomes = option.becomes,
                .since = option.since.value_or(""),
                .until = option.until.value_or(""),
                .program = to_string(option.program),
                .plugin = option.plugin.value_or(""),
                .same_as = option.same_as.value_or("")};
  }
  return out;
}();

} // namespace

static_assert(static_cast<int>(tables::SbatchOptionsArgument::none) ==
                  static_cast<int>(Argument::none) &&
              static_cast<int>(tables::SbatchOptionsArgument::optional) ==
                  static_cast<int>(Argument::optional));

std::size_t find_row(std::string_view name) {
  const auto found = std::ranges::find(tables::sbatch_options, name, &OptionRow::name);
  return static_cast<std::size_t>(found - tables::sbatch_options.begin());
}

std::string_view canonical_name(std::size_t row) {
  const auto& option = option_at(row);
  return option.same_as && !option.until ? *option.same_as : option.name;
}

std::size_t state_row(std::size_t row) {
  return row == row_of("tasks-per-node") ? row_of("ntasks-per-node") : row;
}

const OptionSet& reference_options() {
  static const OptionSet set = options_where(known_in_reference);
  return set;
}

const OptionSet& further_options() {
  static const OptionSet set = options_where(known_elsewhere);
  return set;
}

OptionSet options_of_release(std::string_view release) {
  return options_where([release](const OptionRow& row) { return known_in(row, release); });
}

const OptionSet& plugin_options() {
  static const OptionSet set = options_where(of_plugin);
  return set;
}

bool is_release(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  return text.size() == 5 && text[2] == '.' && digits.contains(text[0]) &&
         digits.contains(text[1]) && digits.contains(text[3]) && digits.contains(text[4]);
}

std::optional<std::string_view> last_release_with(std::string_view word) {
  const auto* known =
      word.starts_with("--") ? find_option(word.substr(2, word.find('=') - 2)) : nullptr;
  if (known == nullptr || known->until.empty() || known->until > reference_release) {
    return std::nullopt;
  }
  const auto& releases = tables::slurm_releases;
  const auto after =
      std::ranges::find_if(releases, [&](const auto& row) { return row.release >= known->until; });
  return after == std::begin(releases) || after == std::end(releases)
             ? std::nullopt
             : std::optional<std::string_view>(std::prev(after)->release);
}

std::size_t present_row(std::size_t row) {
  const auto& option = option_at(row);
  return option.until && option.same_as ? find_row(*option.same_as) : row;
}

std::string_view similar_option(std::string_view name) {
  auto wanted = lowered(name);
  std::ranges::replace(wanted, '_', '-');
  if (wanted.size() < 3)
    return "";
  std::string_view best;
  // Two slips in a long name, one in a short one.
  auto limit = wanted.size() < 6 ? std::size_t{2} : std::size_t{3};
  for (std::size_t row = 0; row < option_count; ++row) {
    const auto& option = option_at(row);
    if (!known_in_reference(option) && !known_elsewhere(option))
      continue;
    const auto far = distance(wanted, option.name);
    if (far < limit) {
      best = option.name;
      limit = far;
    }
  }
  if (!best.empty())
    return best;
  // --name for --job-name, --memory for --mem
  for (const auto& option : reference_options().longs)
    if (option.name.ends_with('-' + wanted) ||
        (option.name.size() >= 3 && wanted.starts_with(option.name)))
      return option.name;
  return "";
}

std::span<const OptionInfo> option_table() { return infos; }

const OptionInfo* find_option(std::string_view canonical_name) {
  const auto found = std::ranges::find(infos, canonical_name, &OptionInfo::name);
  return found == infos.end() ? nullptr : &*found;
}

} // namespace s2f::slurm
