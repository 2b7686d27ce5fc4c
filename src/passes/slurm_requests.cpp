// What a job asks of Slurm alone keeps it there: a distance between its nodes, licenses, a burst
// buffer, more GPUs at once than there are; and what the site file keeps there.
//
// before:  #SBATCH --licenses=ansys:4
// after:   stays_on_slurm, S2F215; with options.licenses.ignore = true as other_options has it
// before:  rules.on_slurm = ["S2F213"]; #SBATCH --exclusive
// after:   stays_on_slurm, S2F213
#include "passes/slurm_requests.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "passes/pipeline.hpp"
#include "passes/slurm_commands.hpp"

namespace s2f::passes {

namespace {

struct Request {
  std::string_view option, says;
  bool several = false; // means nothing to what runs on one node
};
constexpr std::array<Request, 6> requests{
    {{"licenses", "waits for licenses, which nothing in Flyte counts", false},
     {"bb", "asks for a burst buffer, which nothing in Flyte makes", false},
     {"bbf", "asks for a burst buffer, which nothing in Flyte makes", false},
     {"switches", "says how far apart the nodes may lie, which nothing in Flyte minds", true},
     {"segment", "says how far apart the nodes may lie, which nothing in Flyte minds", true},
     {"contiguous", "asks for nodes beside each other, which nothing in Flyte minds", true}}};
constexpr std::string_view buffer_lines = "S2F776";

// Without anything on the other nodes it does not matter where they lie.
bool starts_on_several(const PassContext& context) {
  return !has_one_node(context.component()) && (context.job.cluster || context.job.stays_on_slurm);
}

// An option of the script or of its sbatch that nothing stands for.
const slurm::OptionUse* use_of(const PassContext& context, const Request& request) {
  const slurm::OptionUse* use = context.winner(request.option);
  const bool means_nothing =
      use == nullptr || use->origin == slurm::Origin::environment ||
      (request.several && !starts_on_several(context)) ||
      (request.option == "switches" && use->value.value_or("").starts_with('0'));
  return means_nothing || goes_without(context, request.option) ? nullptr : use;
}

const shell::Comment* buffer_line(const PassContext& context) {
  const auto& statements = context.job.script->statements;
  const auto found =
      std::ranges::find_if(context.job.script->comments, [&](const shell::Comment& each) {
        return (statements.empty() || each.span.begin < statements.front().span.begin) &&
               asks_for_burst_buffer(context.text(each.span));
      });
  return found == context.job.script->comments.end() ? nullptr : &*found;
}

} // namespace

bool goes_without(const PassContext& context, std::string_view option) {
  const auto answer = context.answers.flag("options", option, "ignore");
  return answer && answer->value;
}

bool asks_for_burst_buffer(std::string_view comment) {
  return comment.starts_with("#DW ") || comment.starts_with("#BB ");
}

std::string_view kept_for(const PassContext& context, const ir::Reason& reason) {
  if (reason.rule == buffer_lines) {
    return "bb";
  }
  for (const Request& request : requests) {
    const slurm::OptionUse* use = use_of(context, request);
    if (use != nullptr && use->span.source == reason.span.source &&
        use->span.begin == reason.span.begin &&
        reason.rule == slurm::find_option(use->name)->rule) {
      return request.option;
    }
  }
  return "";
}

void slurm_requests(PassContext& context) {
  ir::Job& job = context.job;
  if (job.stays_on_slurm) {
    return;
  }
  for (const Request& request : requests) {
    if (const slurm::OptionUse* use = use_of(context, request)) {
      job.stays_on_slurm =
          ir::Reason{std::string(slurm::find_option(use->name)->rule),
                     fmt::format("{} {}", context.text(use->span), request.says), use->span};
      return;
    }
  }
  const shell::Comment* line = goes_without(context, "bb") ? nullptr : buffer_line(context);
  if (line != nullptr) {
    job.stays_on_slurm = ir::Reason{
        std::string(buffer_lines),
        fmt::format("`{}` asks for a burst buffer, which nothing in Flyte makes. The connector "
                    "takes no such line over either: the script is to be submitted by hand",
                    context.text(line->span)),
        line->span};
  }
}

// Nothing would hold replicas back that wait for others.
void cluster_limit(PassContext& context) {
  ir::Job& job = context.job;
  const auto limit = context.answers.number("limits", "", "cluster_gpus");
  const auto gpus = context.component().share.gpus;
  const std::int64_t nodes = nodes_of(context.component());
  if (!job.cluster || job.stays_on_slurm || !limit || gpus.value_or(0) <= 0 ||
      nodes <= limit->value / *gpus) {
    return;
  }
  job.stays_on_slurm =
      ir::Reason{"S2F763",
                 fmt::format("it needs {} nodes of {} GPUs at once, and {} says that there are {}",
                             nodes, *gpus, limit->place, limit->value),
                 job.cluster->span};
}

void answered_on_slurm(PassContext& context) {
  // "keep the job on Slurm", "the program starts processes by itself: keep it on Slurm"
  constexpr std::array keep{"keep the job on Slurm", "keep it on Slurm"};
  const auto codes = context.answers.on_slurm();
  if (codes.empty() || context.job.stays_on_slurm) {
    return;
  }
  for (const review::Finding& finding : context.findings.all()) {
    const auto code = std::ranges::find(codes, finding.rule, &site::Answer<std::string>::value);
    const bool may = std::ranges::any_of(finding.choices, [&](const std::string& choice) {
      return std::ranges::any_of(
          keep, [&](const char* words) { return choice.find(words) != std::string::npos; });
    });
    if (code == codes.end() || !may) {
      continue;
    }
    const auto end = finding.message.find_last_not_of('.') + 1;
    context.job.stays_on_slurm =
        ir::Reason{finding.rule,
                   fmt::format("rules.on_slurm ({}) keeps it there: {}", code->place,
                               finding.message.substr(0, end)),
                   finding.span};
    return;
  }
}

} // namespace s2f::passes
