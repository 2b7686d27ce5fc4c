// #PBS and #BSUB options, which sbatch obeys too: each becomes options of sbatch.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "generated/tables/foreign_directives.hpp"
#include "slurm/getopt.hpp"
#include "slurm/settings.hpp"

namespace s2f::slurm {

using Dialect = tables::ForeignDirectivesDialect;

[[nodiscard]] const OptionSet& foreign_options(Dialect dialect); // ids index the table

// Takes an option of sbatch with its value; false: it was refused, so nothing more follows.
using Give = std::function<bool(std::size_t row, std::optional<std::string> value)>;

// Gives what the option `id` of the table becomes, one option of sbatch after the other: a later
// one may depend on what an earlier one set. The text is a refusal of its own.
[[nodiscard]] std::optional<std::string> translate(std::size_t id,
                                                   const std::optional<std::string>& value,
                                                   const Settings& settings, const Give& give);

} // namespace s2f::slurm
