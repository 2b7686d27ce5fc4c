// What the job asks of Slurm itself, and what becomes of it.
#pragma once

#include "passes/context.hpp"
#include "passes/output_uses.hpp"

namespace s2f::passes {

// before:  squeue -u $USER; first=$(scontrol show hostnames | head -n 1)     (one node)
// after:   Nothing, S2F450; first=$(hostname), S2F452
// What it cannot deal with is left for the launchers pass, which keeps the job on Slurm.
void slurm_commands(PassContext& context, const OutputUses& uses);

// "squeue", "scontrol show job": the words that say what a command asks; "" if it is none of
// Slurm's.
[[nodiscard]] std::string asked_of_slurm(const shell::SimpleCommand& command);

// How many nodes the job gets at least: as many as it asks for, or as its tasks need where it says
// how many of them a node has (-n 4 --ntasks-per-node=1: four).
[[nodiscard]] std::int64_t nodes_of(const slurm::Component& component);

// Whether one container can stand for the nodes: one was asked for, or no number.
[[nodiscard]] bool has_one_node(const slurm::Component& component);

} // namespace s2f::passes
