// Any text as a site file: refused with places inside it, or read; then a script that asks
// everything is converted by its answers.
#pragma once

#include "site/skeleton.hpp"
#include "tests/fuzz/convert_target.hpp"

namespace s2f::fuzz {

inline constexpr std::string_view asking_script = R"(#!/bin/bash
#SBATCH --partition=gpu --qos=high --account=team
#SBATCH --gres=gpu:tesla:2 --constraint=a100 --clusters=main
#SBATCH --time=4:00:00 --requeue --mail-type=END --mail-user=a@b.example
#SBATCH --mem=0
module load cuda/12.1 gcc
source ~/venvs/train/bin/activate
conda activate base
python train.py --data /scratch/team/x --out "$WORK/y" --token "$HF_TOKEN"
bash -c 'cat /data/z'
)";

inline void check_problems(const std::vector<site::Problem>& problems, std::string_view text) {
  const auto lines = static_cast<std::uint32_t>(std::ranges::count(text, '\n') + 1);
  require(!problems.empty(), "a site file that is refused has a problem");
  for (const site::Problem& problem : problems) {
    require(!problem.message.empty(), "a problem says what is wrong");
    require(problem.line >= 1 && problem.line <= lines, "a problem lies in the file");
  }
}

inline void site_target(std::string_view text) {
  for (const char* name : {"slurm2flyte.toml", "pyproject.toml"}) {
    const auto read = site::read(name, text);
    if (!read) {
      check_problems(read.error(), text);
      continue;
    }
    const site::Answers answers(*read, "jobs/train.sh", "");
    (void)answers.text("partitions", "gpu", "queue");
    (void)answers.texts("modules", "cuda/12.1", "packages");
    (void)answers.path("/scratch/team/x", "as");
    for (const auto& [rule, severity] : answers.severities()) {
      require(review::severity_of(severity).has_value(), "a severity that was read is one");
    }
  }
  (void)site::speaks_of_us(text);
  const auto compiled = compile_sections(
      {{"train.sh", std::string(asking_script)}, {"slurm2flyte.toml", std::string(text)}}, true);
  check_compiled(compiled);
  if (compiled.site_problems.empty()) {
    const std::string skeleton = site::skeleton(compiled.review);
    require(site::read("slurm2flyte.toml", skeleton).has_value(), "a skeleton is a site file");
  }
}

} // namespace s2f::fuzz
