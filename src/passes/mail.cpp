// --mail-type and --mail-user.
//
// before:  #SBATCH --mail-type=FAIL --mail-user=me@example.org
// after:   mail = {FAIL}, which `__main__` shows as notifications of a run, with S2F103 for what is
// lost
//
// before:  #SBATCH --mail-type=FAIL, and no --mail-user
// after:   nothing: Slurm mails the user who submits, and no address is written there
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "passes/own_start.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {
// Slurm's events that a run can announce (flyte.models.ActionPhase).
constexpr std::array announced{"END", "FAIL", "ALL", "TIME_LIMIT"};

bool is_announced(const std::string& event) {
  return std::ranges::find(announced, event) != announced.end();
}

// Why the module cannot announce a run as Slurm did; "" where it can.
std::string not_sent(const PassContext& context, const std::vector<std::string>& events,
                     const std::string& user) {
  if (user.empty()) {
    return "Slurm mails the user who submits, and no address is written here; the module sends "
           "nothing.";
  }
  if (std::ranges::none_of(events, is_announced)) {
    return "Flyte announces the end of a run alone; the module sends nothing.";
  }
  if (!starts_by_itself(context)) {
    return context.outer_ledger != nullptr
               ? "Flyte announces runs, not the jobs of one; the module sends nothing."
               : "The run is started with `flyte run`, which sends nothing.";
  }
  return {};
}

// The decision where the module sends nothing.
void ask_for_mail(PassContext& context, review::Finding finding, const std::string& asked,
                  const std::string& why) {
  finding.message = fmt::format("{} asks for mail. {}", asked, why);
  finding.output_does = "Nothing is sent.";
  finding.choices = {"no mail", "a trigger or a run with notifications=notify.Email(...)"};
  finding.default_ = finding.choices[0];
  const Span span = finding.span;
  const auto id = context.findings.add(std::move(finding));
  for (const auto option : {"mail-type", "mail-user"}) {
    context.settle(option, review::Disposition::decision, "nothing is sent", "S2F103", id);
  }
  if (span.end != 0) {
    context.job.not_carried.push_back(
        {fmt::format("{} {}: Flyte's tasks send no mail", context.at(span), asked), span});
  }
}
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
    if (event != "NONE" && !is_announced(event)) {
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
  const std::string unsent = not_sent(context, events, result.user);
  if (answer && unsent.empty()) {
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
  finding.slurm_does = fmt::format("It mails on {}.", listed);
  finding.config_key = "mail.notify";
  if (!unsent.empty()) {
    ask_for_mail(context, std::move(finding),
                 context.asked(type != nullptr ? "mail-type" : "mail-user"), unsent);
    return;
  }
  finding.message =
      "Mail is sent only for runs that a trigger or this module's own `python` start began.";
  if (!lost.empty()) {
    finding.message += fmt::format(" {} cannot be announced at all.", fmt::join(lost, ", "));
  }
  finding.output_does =
      "`python` on the module starts the run with notifications; `flyte run` does not send them.";
  finding.choices = {"notifications as written under __main__", "a trigger with notifications",
                     "no mail"};
  finding.default_ = finding.choices[0];
  const auto id = context.findings.add(std::move(finding));
  context.job.mail = std::move(result);
  context.settle("mail-type", review::Disposition::decision, "notifications of a run", "S2F103",
                 id);
  context.settle("mail-user", review::Disposition::decision, "notifications of a run", "S2F103",
                 id);
}

} // namespace s2f::passes
