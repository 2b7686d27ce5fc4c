// Partition and QOS to a queue.
//
// before:  #SBATCH --partition=gpu --qos=high
// after:   queue = "gpu-high", with S2F210: the deployment must have that queue
//
// A site file answers that: the QOS goes first, then the partition, then the account.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

bool queue_name(std::string_view name) {
  return !name.empty() && std::isalnum(static_cast<unsigned char>(name[0])) != 0 &&
         std::ranges::all_of(name, [](unsigned char c) {
           return c < 128 && (std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-');
         });
}

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < list.size();) {
    const auto end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

// Of several partitions the first that has a queue; "" only where each of them is answered so.
std::optional<site::Answer<std::string>> partition_queue(const PassContext& context,
                                                         const std::string& partitions) {
  std::optional<site::Answer<std::string>> none;
  bool all = true;
  for (const std::string& name : names_in(partitions)) {
    auto answer = context.answers.text("partitions", name, "queue");
    if (answer && !answer->value.empty()) {
      return answer;
    }
    all = all && answer.has_value();
    none = answer ? answer : none;
  }
  return all ? none : std::nullopt;
}

std::string value_of(const slurm::OptionUse* use) {
  return use != nullptr ? use->value.value_or("") : "";
}

std::optional<site::Answer<std::string>> site_queue(const PassContext& context) {
  const slurm::OptionUse* qos = context.winner("qos");
  const slurm::OptionUse* partition = context.winner("partition");
  const slurm::OptionUse* account = context.winner("account");
  std::optional<site::Answer<std::string>> answer;
  if (qos != nullptr) {
    answer = context.answers.text("qos", value_of(qos), "queue");
  }
  if (!answer && partition != nullptr) {
    answer = partition_queue(context, value_of(partition));
  }
  if (!answer && account != nullptr) {
    answer = context.answers.text("accounts", value_of(account), "queue");
  }
  return answer;
}

// What the site file says settles the matter.
bool answered(PassContext& context) {
  const auto answer = site_queue(context);
  if (!answer) {
    return false;
  }
  const std::string why =
      answer->value.empty()
          ? fmt::format("no queue, by {}: the deployment's default applies", answer->place)
          : fmt::format("the queue {:?}, by {}", answer->value, answer->place);
  ir::Sourced<std::string> result;
  result.value = answer->value;
  for (const auto option : {"partition", "qos"}) {
    for (const Span& span : context.spans(option)) {
      result.spans.push_back(span);
    }
    if (context.winner(option) != nullptr) {
      result.asked += (result.asked.empty() ? "" : " ") + context.asked(option);
    }
    context.settle(option, review::Disposition::converted, why);
  }
  if (context.winner("account") != nullptr &&
      context.answers.text("accounts", value_of(context.winner("account")), "queue")) {
    context.settle("account", review::Disposition::converted, why);
    if (result.asked.empty()) {
      result.asked = context.asked("account");
      result.spans = context.spans("account");
    }
  }
  if (!answer->value.empty()) {
    result.asked = fmt::format("{} ({})", result.asked, answer->place);
    context.job.queue = std::move(result);
  }
  return true;
}

void spot(PassContext& context) {
  for (const std::string& name : names_in(value_of(context.winner("partition")))) {
    if (const auto flag = context.answers.flag("partitions", name, "spot"); flag && flag->value) {
      context.job.interruptible = {true,
                                   fmt::format("{} ({})", context.asked("partition"), flag->place),
                                   context.spans("partition"),
                                   {}};
      return;
    }
  }
}

} // namespace

void queue(PassContext& context) {
  const slurm::OptionUse* partition = context.winner("partition");
  const slurm::OptionUse* qos = context.winner("qos");
  spot(context);
  if (answered(context) || (partition == nullptr && qos == nullptr)) {
    return;
  }
  const std::string partitions = partition != nullptr ? partition->value.value_or("") : "";
  const std::string first = partitions.substr(0, partitions.find(','));
  const std::string level = qos != nullptr ? qos->value.value_or("") : "";
  std::string name = first;
  if (!level.empty() && level != first) {
    name += (name.empty() ? "" : "-") + level;
  }
  std::string asked = context.asked("partition");
  if (qos != nullptr) {
    asked += (asked.empty() ? "" : " ") + context.asked("qos");
  }

  review::Finding finding;
  finding.rule = first == partitions ? "S2F210" : "S2F223";
  const slurm::OptionUse* where = partition != nullptr ? partition : qos;
  if (where->origin != slurm::Origin::environment) {
    finding.span = where->span;
  }
  finding.config_key = partition != nullptr ? site::key_of("partitions", first, "queue")
                                            : site::key_of("qos", level, "queue");
  std::optional<std::string> chosen;
  if (queue_name(name)) {
    chosen = name;
  }
  if (first != partitions) {
    finding.message = fmt::format("{} names several partitions; a task has one queue.", asked);
    finding.slurm_does = "It starts the job in the first of them that can take it.";
  } else {
    finding.message =
        chosen
            ? fmt::format("{} became the queue {:?}; your deployment needs a queue of that name.",
                          asked, name)
            : fmt::format("{} is no name for a queue.", asked);
    finding.slurm_does =
        qos != nullptr
            ? "The partition says which nodes, the QOS which limits, priority and preemption."
            : "The partition says which nodes the job may run on.";
  }
  finding.output_does = chosen ? fmt::format("queue={:?}. Queues order work and do not evict it as "
                                             "a QOS may; support for them differs by deployment.",
                                             *chosen)
                               : "It names no queue, so the deployment's default applies.";
  finding.choices =
      chosen ? std::vector<std::string>{fmt::format("a queue named {:?}", *chosen), "another queue",
                                        "no queue: leave the argument out"}
             : std::vector<std::string>{"no queue", "queue=\"NAME\" on the environment"};
  finding.default_ = finding.choices[0];
  const std::string rule = finding.rule;
  const auto id = context.findings.add(std::move(finding));
  if (chosen) {
    ir::Sourced<std::string> result;
    result.value = *chosen;
    result.asked = asked;
    for (const auto option : {"partition", "qos"}) {
      for (const Span& span : context.spans(option)) {
        result.spans.push_back(span);
      }
    }
    result.reviews.push_back(review_comment(
        rule, rule == "S2F210"
                  ? asked + "; your deployment needs that queue"
                  : asked + "; the first of several, and your deployment needs that queue"));
    context.job.queue = std::move(result);
  } else if (where->origin != slurm::Origin::environment) {
    context.job.not_carried.push_back(
        {fmt::format("{} {} is no name for a queue", context.at(where->span), asked), where->span});
  }
  context.settle("partition", review::Disposition::decision,
                 chosen ? "the queue" : "no queue could be named", rule, id);
  context.settle("qos", review::Disposition::decision,
                 chosen ? "part of the queue's name" : "no queue could be named", rule, id);
}

} // namespace s2f::passes
