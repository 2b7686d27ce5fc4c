// Which lines of a script sbatch reads, and which only look as if it did.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "slurm/header.hpp"
#include "slurm/words.hpp"
#include "source/source.hpp"

namespace s2f::slurm {

struct Directive {
  std::uint32_t line = 0;
  std::uint32_t begin = 0; // of the line, in the source
  std::uint32_t end = 0;
  std::string_view sentinel;
  std::uint32_t component = 0;
  bool hetjob = false;
  Words words;
};

struct Directives {
  std::vector<Directive> slurm; // #SBATCH, and #SLURM, which sbatch takes for it with a complaint
  std::vector<Directive> pbs;   // over the whole file, up to the hundredth line that is no comment
  std::vector<Directive> bsub;
  std::vector<InertLine> inert;
  std::uint32_t components = 1;
  std::uint32_t end_line = 1;
};

// `file` is how sbatch calls the script in its messages.
[[nodiscard]] Directives find_directives(const source::Source& script, std::string_view file);

// The script's own refusals: empty, no #! line, line ends of DOS. At most one.
[[nodiscard]] std::vector<Rejection> refused_text(const source::Source& script);

} // namespace s2f::slurm
