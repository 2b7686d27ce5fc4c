// --mail-type and --mail-user.
//
// before:  #SBATCH --mail-type=FAIL --mail-user=me@example.org
// after:   mail = {FAIL}, which `__main__` shows as notifications of a run, with S2F103 for what is
// lost
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {
// Slurm's events that a run can announce (flyte.models.ActionPhase).
constexpr std::array announced{"END", "FAIL", "ALL", "TIME_LIMIT"};
} // namespace

void mail(PassContext& context) {
  const slurm::OptionUse* type = context.winner("mail-type");
  const slurm::OptionUse* user = context.winner("mail-user");
  if (type == nullptr && user == nullptr) {
    return;
  }
  const auto found = context.component().effective.find("mail-type");
  const std::string listed = found == context.component().effective.end() ? "" : found->second;
  std::vector<std::string> events;
  for (std::size_t begin = 0; begin < listed.size();) {
    const auto end = std::min(listed.find(',', begin), listed.size());
    events.push_back(listed.substr(begin, end - begin));
    begin = end + 1;
  }
  std::vector<std::string> lost;
  for (const std::string& event : events) {
    if (event != "NONE" && std::ranges::find(announced, event) == announced.end()) {
      lost.push_back(event);
    }
  }
  const bool wants = std::ranges::any_of(events, [](const auto& e) { return e != "NONE"; });
  if (!wants) {
    const std::string why =
        type == nullptr ? "no event was asked for, so Slurm sends no mail" : "no mail";
    context.settle("mail-type", review::Disposition::dropped, why);
    context.settle("mail-user", review::Disposition::dropped, why);
    return;
  }
  const auto answer = context.answers.flag("mail", "", "notify");
  if (answer && !answer->value) {
    const std::string why = fmt::format("no mail, by {}", answer->place);
    context.settle("mail-type", review::Disposition::dropped, why);
    context.settle("mail-user", review::Disposition::dropped, why);
    return;
  }
  ir::Mail result;
  result.events = events;
  result.user = user != nullptr ? user->value.value_or("") : "";
  for (const auto option : {"mail-type", "mail-user"}) {
    for (const Span& span : context.spans(option)) {
      result.spans.push_back(span);
    }
  }
  if (answer) {
    const std::string why = fmt::format("notifications of a run, by {}", answer->place);
    result.answered = answer->place;
    context.job.mail = std::move(result);
    context.settle("mail-type", review::Disposition::converted, why);
    context.settle("mail-user", review::Disposition::converted, why);
    return;
  }
  review::Finding finding;
  finding.rule = "S2F103";
  const slurm::OptionUse* where = type != nullptr ? type : user;
  if (where->origin != slurm::Origin::environment) {
    finding.span = where->span;
  }
  finding.message =
      "Mail is sent only for runs that a trigger or this module's own `python` start began.";
  if (!lost.empty()) {
    finding.message += fmt::format(" {} cannot be announced at all.", fmt::join(lost, ", "));
  }
  finding.slurm_does = fmt::format("It mails on {}.", listed);
  finding.output_does =
      "`python` on the module starts the run with notifications; `flyte run` does not send them.";
  finding.choices = {"notifications as written under __main__", "a trigger with notifications",
                     "no mail"};
  finding.default_ = finding.choices[0];
  finding.config_key = "mail.notify";
  const auto id = context.findings.add(std::move(finding));
  context.job.mail = std::move(result);
  context.settle("mail-type", review::Disposition::decision, "notifications of a run", "S2F103",
                 id);
  context.settle("mail-user", review::Disposition::decision, "notifications of a run", "S2F103",
                 id);
}

} // namespace s2f::passes
