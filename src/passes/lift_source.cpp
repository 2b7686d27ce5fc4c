// Files that the shell reads and that do not come with the script.
//
// before:  source ~/env.sh
// after:   Nothing, S2F433: what it sets up is for the image to have
#include <algorithm>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

namespace {

// Where a file lies that is not the script's neighbour; nothing where it may be one.
enum class Lies { outside, beside, unknown };

Lies place_of(const ir::Value& path, const std::function<bool(const std::string&)>& exists) {
  if (path.parts.empty()) {
    return Lies::unknown;
  }
  if (const auto text = path.text()) {
    return text->starts_with('/') || !exists(*text) ? Lies::outside : Lies::beside;
  }
  const ir::ValuePart& first = path.parts.front();
  const auto* computed = std::get_if<ir::Computed>(&first);
  if ((computed != nullptr && computed->operation == ir::Operation::home) ||
      std::holds_alternative<ir::EnvironmentVariable>(first)) {
    return Lies::outside;
  }
  const auto* text = std::get_if<ir::Text>(&first);
  return text != nullptr && text->text.starts_with('/') ? Lies::outside : Lies::unknown;
}

} // namespace

std::string Lifting::source(ir::Step& step, const shell::SimpleCommand& command) {
  std::string kept =
      fmt::format("the shell's own {}", command.words.front().literal().value_or("source"));
  if (keeps_sources_ || command.words.size() < 2 || !step.statement->redirects.empty() ||
      !context_.file_exists || later_.empty()) {
    return kept;
  }
  const ir::Value path = scope_.value_of(command.words[1]);
  const Lies place = place_of(path, [&](const std::string& file) {
    return elsewhere_ || context_.file_exists(directory_ + file);
  });
  if (!path.known() || place != Lies::outside) {
    return kept;
  }
  left_out_.emplace_back(later_.front().at, step.span);
  scope_.left_out();
  step.value = ir::Nothing{};
  return {};
}

// Whether a kept statement reads a variable that only such a file can have set.
bool Lifting::needs_left_out() const {
  std::set<std::string> written;
  for (const ir::Step& step : job_.body) {
    if (step.statement != nullptr) {
      written.merge(analysis::effects_of(*step.statement).writes);
    }
  }
  const auto given = [&](const std::string& name) {
    return written.contains(name) || analysis::ambient_variable(name) ||
           name.starts_with("SLURM") ||
           std::ranges::any_of(job_.parameters, [&](const ir::Parameter& parameter) {
             return parameter.origin == "$" + name;
           });
  };
  const bool asked = std::ranges::any_of(left_out_, [&](const auto& each) {
    const std::size_t next = each.first + 1; // $? of what is not there
    return next < job_.body.size() && job_.body[next].statement != nullptr &&
           analysis::effects_of(*job_.body[next].statement).status;
  });
  return asked || std::ranges::any_of(job_.body, [&](const ir::Step& step) {
           if (step.statement == nullptr || !std::holds_alternative<ir::Opaque>(step.value)) {
             return false;
           }
           const std::set<std::string> reads = analysis::effects_of(*step.statement).reads;
           return !std::ranges::all_of(reads, given);
         });
}

// After all statements: what was left out stays so, or is kept after all.
void Lifting::settle_left_out() {
  const bool needed = !left_out_.empty() && needs_left_out();
  for (const auto& [at, span] : left_out_) {
    ir::Step& step = job_.body[at];
    if (std::holds_alternative<ir::Opaque>(step.value)) {
      continue; // what it stands in was kept for another reason
    }
    if (needed) {
      step.value = ir::Opaque{"the shell's own source"};
      continue;
    }
    const std::string text = context_.text(span);
    review::Finding finding;
    finding.rule = "S2F433";
    finding.span = span;
    finding.message =
        fmt::format("`{}` is left out: the file does not come with the script.", text);
    finding.slurm_does = "The job's shell reads it; what it sets holds for all that follows.";
    finding.output_does = "Nothing of it is there: the image must have what it sets up.";
    finding.choices = {"the image has what it sets up",
                       "lay the file beside the script and convert again"};
    finding.default_ = finding.choices[0];
    const auto id = context_.findings.add(std::move(finding));
    job_.not_carried.push_back(
        {fmt::format("{} `{}`: the image must have what it sets up", context_.at(span), text),
         span});
    if (step.span == span) {
      context_.ledger.settle(step.entry, review::Disposition::decision,
                             "left out: the image must have what it sets up", "S2F433", id);
    }
    job_.removals.push_back({span, step.span == span ? "" : ":",
                             fmt::format("line {}, a file that does not come with the script",
                                         context_.sources.begin(span).line)});
  }
}

} // namespace s2f::passes
