// Tells the steps of a clustered job that must not be done by every rank from others.
#include "ir/rank_steps.hpp"

#include <algorithm>

#include "ir/written_text.hpp"

namespace s2f::ir {

namespace {

// Done twice, or by several at once, it comes to the same.
bool same_in_every_rank(const Launch& launch) {
  const auto name = launch.words.empty() ? std::nullopt : launch.words[0].text();
  const auto option = launch.words.size() > 1 ? launch.words[1].text() : std::nullopt;
  return (name == "mkdir" && launch.words.size() > 2 && option == "-p") || name == "touch";
}

// Whether nothing is opened, and so emptied, before its turn.
bool opens_nothing(const std::vector<Redirection>& redirections) {
  return std::ranges::all_of(redirections, [](const Redirection& each) { return !each.to_file(); });
}

} // namespace

Guard guard_of(const Job& job, const Step& step) {
  const auto* launch = std::get_if<Launch>(&step.value);
  const auto* piped = std::get_if<Pipeline>(&step.value);
  if (!job.cluster || !job.cluster->ranks() || (launch == nullptr && piped == nullptr) ||
      (launch != nullptr && (launch->rank || same_in_every_rank(*launch)))) {
    return Guard::none;
  }
  const bool of_body =
      std::ranges::any_of(job.body, [&](const Step& each) { return &each == &step; });
  const auto ranks = std::ranges::find_if(job.srun_steps, &SrunStep::ranks);
  if (!of_body || step.in_region || job.cluster->ranks()->jax() || ranks == job.srun_steps.end() ||
      (launch != nullptr && launch->copies > 1)) {
    return Guard::impossible;
  }
  if (step.span.begin > ranks->prefix.begin) {
    return step.status.empty() ? Guard::first_rank : Guard::impossible;
  }
  if (launch != nullptr && is_here_document(*launch)) {
    return step.status.empty() ? Guard::once_a_node : Guard::impossible;
  }
  const bool nothing = launch != nullptr
                           ? opens_nothing(launch->redirections)
                           : std::ranges::all_of(piped->stages, [](const Step& stage) {
                               return opens_nothing(std::get<Launch>(stage.value).redirections);
                             });
  return nothing ? Guard::once_a_node : Guard::impossible;
}

} // namespace s2f::ir
