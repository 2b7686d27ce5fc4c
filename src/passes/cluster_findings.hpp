// What the review says of ranks on several nodes that Flyte starts.
//
// before:  2 nodes with 4 processes each, --max_restarts=3, a program that is not there to be read
// after:   S2F703, S2F760
#pragma once

#include <string>

#include "passes/context.hpp"
#include "passes/rank_start.hpp"

namespace s2f::passes {

void say_ranks(PassContext& context, const RankStart& start);
void say_left_out(PassContext& context, const RankStart& start);
void say_taken_for_torch(PassContext& context, const RankStart& start);
void say_processes_of_jax(PassContext& context, const RankStart& start);
// `elastic`: "2:4" of --nnodes, "" for a number.
void say_elastic(PassContext& context, const RankStart& start, const std::string& elastic);
// One rank for each GPU, where the list of nodes does not tell.
void say_slots(PassContext& context, const RankStart& start);

} // namespace s2f::passes
