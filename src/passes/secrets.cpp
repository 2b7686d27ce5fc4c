// Secrets, in plain text or from the submitting shell: a flyte.Secret takes their place.
//
// before:  export WANDB_API_KEY=0123456789abcdef
// after:   secrets = {WANDB_API_KEY from the key wandb-api-key}; the value appears nowhere, and
// S2F801 says to revoke it
//
// before:  python train.py --token $HF_TOKEN       nothing sets it
// after:   secrets = {HF_TOKEN from the key hf-token}, and S2F802
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "analysis/secrets.hpp"
#include "passes/pipeline.hpp"
#include "passes/secrets.hpp"

namespace s2f::passes {

namespace {

std::string key_of(std::string_view variable) {
  std::string key;
  for (const char c : variable) {
    key += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return key;
}

// A flyte.Secret is mounted under a name of capitals, digits and underscores.
std::string variable_of(std::string_view name) {
  std::string out;
  for (const char c : name) {
    out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return out;
}

// In #SBATCH --export=NAME=VALUE, which is no mere comment.
bool exported_by_option(const ir::Job& job, const Span& value) {
  return std::ranges::any_of(job.header.uses, [&](const slurm::OptionUse& use) {
    return use.name == "export" && use.line != 0 && use.span.begin <= value.begin &&
           value.begin < use.span.end;
  });
}

} // namespace

void secret_of_the_shell(PassContext& context, const std::string& name, const Span& span) {
  ir::Secret secret;
  secret.variable = name;
  secret.key = key_of(name);
  secret.span = span;
  if (const auto answer = context.answers.text("secrets", name, "")) {
    secret.key = answer->value;
    secret.answered = true;
  } else {
    review::Finding finding;
    finding.rule = "S2F802";
    finding.span = span;
    finding.message = fmt::format("Nothing in the script sets ${}, which by its name is a secret; "
                                  "it came from the shell that submitted the job.",
                                  name);
    finding.slurm_does =
        "It passes the submitting shell's variables on to the job; unset, it is empty.";
    finding.output_does =
        fmt::format("The task gets {} from Flyte, for what is given to a run is kept with the run: "
                    "flyte create secret {}",
                    name, secret.key);
    finding.choices = {fmt::format("a Flyte secret named {}", secret.key), "another secret's name"};
    finding.default_ = finding.choices[0];
    finding.config_key = site::key_of("secrets", name);
    context.findings.add(std::move(finding));
  }
  context.job.secrets.push_back(std::move(secret));
}

void secrets(PassContext& context) {
  ir::Job& job = context.job;
  if (job.script == nullptr) {
    return;
  }
  const source::Source& source = context.sources[job.source];
  for (const analysis::SecretHit& hit : analysis::find_secrets(source, *job.script)) {
    ir::Secret secret;
    secret.variable = variable_of(hit.variable);
    secret.key = key_of(hit.variable);
    const auto answer = context.answers.text("secrets", secret.variable, "");
    if (answer) {
      secret.key = answer->value;
      secret.answered = true;
    }
    secret.span = hit.statement.end != 0 ? hit.statement : hit.value;
    secret.value_span = hit.value;
    job.secret_spans.push_back(hit.value);
    review::Finding finding;
    finding.rule = "S2F801";
    finding.span = secret.span;
    finding.message = fmt::format("The script holds a secret in plain text ({}). Revoke it: "
                                  "whoever can read the script has it.",
                                  hit.variable);
    finding.slurm_does = "It hands the value to the job with the script.";
    finding.output_does = fmt::format(
        "The value is copied nowhere. The task gets {} from Flyte: flyte create secret {}",
        secret.variable, secret.key);
    finding.choices = {fmt::format("a Flyte secret named {}", secret.key), "another secret's name"};
    finding.default_ = finding.choices[0];
    finding.config_key = site::key_of("secrets", secret.variable);
    std::optional<review::FindingId> id;
    if (!answer) {
      id = context.findings.add(std::move(finding));
    }
    const auto disposition =
        answer ? review::Disposition::converted : review::Disposition::decision;
    const std::string why = answer ? fmt::format("the Flyte secret {:?} takes its place, by {}",
                                                 secret.key, answer->place)
                                   : std::string("a flyte.Secret takes its place");
    const auto number = context.sources.begin(hit.value).line;
    const bool known = std::ranges::any_of(
        job.secrets, [&](const ir::Secret& s) { return s.variable == secret.variable; });
    if (hit.statement.end != 0) {
      const bool own_line = std::ranges::any_of(
          job.body, [&](const ir::Step& step) { return step.span == hit.statement; });
      // Bash sees it in its environment, where flyte.Secret puts it.
      job.removals.push_back({hit.statement,
                              secret.variable == hit.variable
                                  ? (own_line ? "" : ":")
                                  : fmt::format("{}=${}", hit.variable, secret.variable),
                              fmt::format("line {}, a secret", number)});
      for (ir::Step& step : job.body) {
        if (step.span == hit.statement) {
          step.value = ir::Nothing{};
          context.ledger.settle(step.entry, disposition, why, answer ? "" : "S2F801", id);
        }
      }
    } else {
      const std::string replacement = hit.single_quoted
                                          ? fmt::format("'\"${{{}}}\"'", secret.variable)
                                          : fmt::format("${{{}}}", secret.variable);
      job.removals.push_back({hit.value, replacement, fmt::format("line {}, a secret", number)});
    }
    if (!known && (!hit.in_comment || exported_by_option(job, hit.value))) {
      job.secrets.push_back(std::move(secret));
    }
  }
}

} // namespace s2f::passes
