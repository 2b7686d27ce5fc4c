// The network between the ranks of a clustered job, where the script says that it is a fast one.
//
// before:  export NCCL_IB_HCA=mlx5_0; #SBATCH --constraint=infiniband
// after:   S2F768: replicas talk over TCP
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

bool among(std::string_view text, std::initializer_list<std::string_view> starts) {
  return std::ranges::any_of(starts, [&](auto start) { return text.starts_with(start); });
}

// NCCL_IB_HCA=mlx5_0, NCCL_SOCKET_IFNAME=ib0, FI_PROVIDER=efa
bool fast(const shell::Assignment& assignment) {
  const std::string value =
      assignment.value ? assignment.value->literal().value_or("") : std::string();
  const std::string& name = assignment.name;
  if (name == "NCCL_IB_DISABLE") {
    return value == "0";
  }
  const bool device = name.ends_with("_SOCKET_IFNAME") || name == "UCX_NET_DEVICES" ||
                      name == "I_MPI_FABRICS" || name == "UCX_TLS";
  return among(name, {"NCCL_IB_", "FI_EFA_", "PSM2_", "NCCL_NET_GDR", "UCX_IB_"}) ||
         (device && among(value, {"ib", "mlx", "hsn", "opa", "rc", "dc"})) ||
         (name == "FI_PROVIDER" && value != "tcp" && value != "sockets");
}

// "infiniband", "ib", "opa" of --constraint=a100&ib
bool fast_feature(std::string_view features) {
  static constexpr std::array names{"ib", "edr", "hdr", "ndr", "fdr", "opa", "infiniband"};
  for (std::size_t at = 0; at < features.size();) {
    std::size_t end = at;
    while (end < features.size() && std::isalnum(static_cast<unsigned char>(features[end])) != 0) {
      ++end;
    }
    std::string word(features.substr(at, end - at));
    std::ranges::transform(word, word.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (std::ranges::find(names, word) != names.end()) {
      return true;
    }
    at = std::max(end, at + 1);
  }
  return false;
}

} // namespace

void interconnect(PassContext& context) {
  const ir::Job& job = context.job;
  if (!job.cluster || !job.cluster->ranks() || job.stays_on_slurm) {
    return;
  }
  std::optional<Span> where;
  const auto* use = context.winner("constraint");
  if (use != nullptr && fast_feature(use->value.value_or(""))) {
    where = use->span;
  }
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& assignment) {
    if (!where && fast(assignment)) {
      where = assignment.span;
    }
  };
  for (const shell::Statement& statement : job.script->statements) {
    analysis::walk(statement, visitor);
  }
  if (!where) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F768";
  finding.span = *where;
  finding.message = fmt::format("`{}` says that the ranks talked over InfiniBand or its like; "
                                "replicas of a cluster talk over TCP.",
                                context.text(*where));
  finding.slurm_does = "The ranks reach each other's memory over the fast network.";
  finding.output_does = "interconnect=\"tcp\" is all that Flyte takes: the results are the same, "
                        "and what the ranks exchange takes longer.";
  context.findings.add(std::move(finding));
}

} // namespace s2f::passes
