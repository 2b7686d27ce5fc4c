// Writes a module and the review of a script.
#include <algorithm>

#include <fmt/format.h>

#include "emit/unread.hpp"
#include "flyte/releases.hpp"
#include "project/comments.hpp"
#include "project/compiler.hpp"
#include "project/kinds.hpp"
#include "project/nearest.hpp"
#include "review/amend.hpp"
#include "review/output_lines.hpp"

namespace s2f::project {

// The directory that the job makes is one that its task hands over, after all.
static bool given_on(const review::Finding& finding, const std::vector<source::Span>& words) {
  return finding.rule == "S2F604" && finding.message.contains(", which") &&
         std::ranges::find(words, finding.span) != words.end() &&
         std::ranges::count(finding.message, ',') == 1;
}

// Not an earlier run has left the file, but another job of the driver, as another finding says.
static bool left_by_another(const review::Finding& finding, const review::Findings& all) {
  return finding.rule == "S2F609" &&
         std::ranges::any_of(all.all(), [&](const review::Finding& each) {
           return (each.rule == "S2F360" || each.rule == "S2F364" || each.rule == "S2F605") &&
                  finding.span.contains(each.span);
         });
}

// An older release takes the module, or the review says what it does not know.
void Compiler::fit_to_release(flyte::Module& module, Pending& to) const {
  const std::string& release = options_.flyte_release;
  if (!release.empty()) {
    flyte::spell_for(module, release);
  }
  const auto needs = flyte::needs(module);
  if (!needs.empty()) {
    to.needs_flyte = needs.front().since;
  }
  if (release.empty()) {
    return;
  }
  for (const flyte::Need& need : needs) {
    if (!flyte::is_older(release, need.since)) {
      continue;
    }
    review::Finding finding;
    finding.rule = "S2F525";
    finding.message =
        fmt::format("The module uses {}, which flyte knows from {} on; it is to run with {}.",
                    need.what, need.since, release);
    finding.slurm_does = "Nothing: this is about the SDK.";
    finding.output_does = fmt::format("The module fails with flyte {}.", release);
    finding.choices = {fmt::format("flyte {} or newer", need.since),
                       "the script stays on Slurm: not_converted in its sign-off"};
    to.findings.add(std::move(finding));
  }
}

std::optional<emit::Output> Compiler::write(flyte::Module& module, Pending& to, const Unit& owner) {
  emit::drop_unread(module);
  for (const std::string& problem : flyte::check(module)) {
    review::Finding finding;
    finding.rule = "S2F901";
    finding.message = fmt::format("The module breaks a rule of Flyte's: {}.", problem);
    to.findings.add(std::move(finding));
  }
  fit_to_release(module, to);
  auto output = emit::emit(module, options_.templates);
  if (!output) {
    review::Finding finding;
    finding.rule = "S2F901";
    finding.message = fmt::format("The module could not be written: {}", output.error());
    to.findings.add(std::move(finding));
    return std::nullopt;
  }
  for (const Unit* unit : with_secrets_) {
    if (holds_secret(*unit, output->text, owner)) {
      review::Finding finding;
      finding.rule = "S2F901";
      finding.message =
          fmt::format("The module would hold a secret of {}; it was not written.", unit->path);
      to.findings.add(std::move(finding));
      return std::nullopt;
    }
  }
  return std::move(*output);
}

void Compiler::add_review(const Unit& unit, std::string body,
                          const std::optional<emit::Output>& output, const std::string& module_file,
                          const std::string& entry, const std::string& arguments,
                          const std::vector<ir::NumberRow>& numbers, bool not_converted,
                          bool on_slurm) {
  reviewed_.insert(unit.path);
  Pending& mine = pending(unit);
  const source::Source& source = sources_[unit.id];
  settle_comments(unit.script, source.text, mine.ledger, output ? &*output : nullptr);
  const auto open = mine.ledger.still_open();
  for (const auto id : open) {
    review::Finding finding;
    finding.rule = "S2F900";
    finding.span = mine.ledger[id].span;
    finding.message = fmt::format("Nothing accounted for: {}", mine.ledger[id].text);
    mine.findings.add(std::move(finding));
  }
  for (const auto id : mine.ledger.double_settled()) {
    review::Finding finding;
    finding.rule = "S2F901";
    finding.span = mine.ledger[id].span;
    finding.message = fmt::format("Accounted for twice: {}", mine.ledger[id].text);
    mine.findings.add(std::move(finding));
  }
  review::fold_words(mine.findings, sources_);
  apply_site_rules(unit, mine.findings);
  mine.findings.number(sources_);
  review::Input input;
  input.path = unit.path;
  input.shape = mine.shape;
  input.graph = mine.graph;
  input.sha256 = source.bytes_sha256;
  input.kind = kind_name(unit.kind);
  input.output = module_file;
  input.entry = entry;
  input.entry_arguments = arguments;
  input.body = std::move(body);
  input.needs_flyte = mine.needs_flyte;
  input.source_text = unit.masked;
  if (output) {
    input.output_text = output->text;
  }
  const auto map = output ? output->lines : review::OutputMap{};
  input.items = review::items_of(mine.ledger, sources_, unit.id, map);
  // What a file within the script has become stands with the findings of that file.
  review::OutputMap own;
  std::ranges::copy_if(map, std::back_inserter(own),
                       [&](const auto& piece) { return piece.second.source == unit.id; });
  const review::OutputLines lines(sources_, unit.id, own);
  for (const review::Finding& finding : mine.findings.all()) {
    if (finding.span.end != 0 && finding.span.source != unit.id) {
      continue; // stands in the driver's review
    }
    if (left_by_another(finding, mine.findings) || given_on(finding, mine.given_on)) {
      continue;
    }
    review::PlacedFinding placed;
    placed.finding = finding;
    for (std::string* text :
         {&placed.finding.message, &placed.finding.slurm_does, &placed.finding.output_does,
          &placed.finding.default_, &placed.finding.config_key}) {
      hide(unit, *text);
    }
    for (std::string& choice : placed.finding.choices) {
      hide(unit, choice);
    }
    const auto begin = sources_.begin(finding.span);
    const auto end = sources_.end(finding.span);
    placed.line = begin.line;
    placed.column = begin.column;
    placed.end_line = end.line;
    placed.end_column = end.column;
    if (finding.span.end != 0) {
      placed.output_lines = lines.of_all(finding.span);
    }
    input.findings.push_back(std::move(placed));
  }
  std::ranges::stable_sort(input.findings, {},
                           [](const review::PlacedFinding& f) { return f.line; });
  for (const ir::NumberRow& row : numbers) {
    input.numbers.push_back({row.asked, row.given, row.how});
  }
  review::count_lines(input, source);
  review::apply_ignores(input);
  if (const SignOffFile* file = sign_offs_.file_for(unit.path)) {
    review::apply_sign_off(input, file->content, path_from(unit.path, file->path), sign_off_name);
  }
  input.verdict = not_converted ? review::Verdict::not_converted
                  : on_slurm    ? review::Verdict::keep_on_slurm
                                : review::verdict_of(input);
  reviews_.push_back(std::move(input));
}

// `[rules]` of the site file: how grave a finding is here, and what is accepted everywhere.
void Compiler::apply_site_rules(const Unit& unit, review::Findings& findings) {
  const site::Answers answers = site_files_.answers(unit.path, clusters_[unit.path]);
  for (const auto& [rule, severity] : answers.severities()) {
    findings.set_severity(rule, *review::severity_of(severity));
  }
  for (const auto& code : answers.ignored()) {
    findings.answer(code.value, {.by = review::Answerer::site, .place = code.place});
  }
}

} // namespace s2f::project
