// Tests of findings and rules: severities, ids that stay, places, verdicts.
#include "review/finding.hpp"

#include <algorithm>

#include "review/review.hpp"
#include "tests/catch.hpp"

using namespace s2f;
using namespace s2f::review;

namespace {

// The ids of a finding of S2F210 at each occurrence of `part`, in order.
std::vector<std::string> ids_at(std::string_view text, std::string_view part) {
  source::Sources sources;
  const auto id = sources.add("job.sh", text);
  Findings findings;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
    findings.add({.rule = "S2F210",
                  .span = {id, static_cast<std::uint32_t>(at),
                           static_cast<std::uint32_t>(at + part.size())}});
  }
  findings.number(sources);
  std::vector<std::string> ids;
  for (const Finding& finding : findings.all())
    ids.push_back(finding.id);
  return ids;
}

} // namespace

TEST_CASE("rules are sorted, unique and well formed", "[review][rules]") {
  REQUIRE_FALSE(rules().empty());
  CHECK(std::ranges::adjacent_find(rules(), std::ranges::greater_equal{}, &Rule::code) ==
        rules().end());
  for (const Rule& rule : rules()) {
    INFO(rule.code);
    CHECK(rule.code.size() == 6);
    CHECK(rule.code.starts_with("S2F"));
    CHECK(std::ranges::count(rules(), rule.name, &Rule::name) == 1);
    CHECK_FALSE(rule.title.empty());
    CHECK_FALSE(rule.title.ends_with("."));
    CHECK(find_rule(rule.code) == &rule);
  }
  CHECK(find_rule("S2F000") == nullptr);
  CHECK(find_rule("") == nullptr);
}

TEST_CASE("every rule has a page with all its parts", "[review][rules]") {
  for (const Rule& rule : rules()) {
    INFO(rule.code);
    const auto page = rule_page(rule.code);
    const std::string title = "# " + std::string(rule.code) + ": " + std::string(rule.name) + "\n";
    CHECK(page.starts_with(title));
    std::size_t last = 0;
    for (const std::string_view heading :
         {"\n## What\n", "\n## Why\n", "\n## In Slurm\n", "\n## In the output\n", "\n## Example\n",
          "\n## Answer\n"}) {
      INFO(heading);
      const auto at = page.find(heading);
      CHECK(at != page.npos);
      CHECK(at > last);
      last = at;
    }
    if (rule.code < "S2F900") {
      CHECK(page.find(" raises") != page.npos);
      CHECK(page.find(" quiet\n") != page.npos);
    }
    const auto fences = [&page] {
      std::size_t count = 0;
      for (auto at = page.find("\n```"); at != page.npos; at = page.find("\n```", at + 1))
        ++count;
      return count;
    }();
    CHECK(fences >= 2);
    CHECK(fences % 2 == 0);
  }
  CHECK(rule_page("S2F000").empty());
}

TEST_CASE("a finding has its rule's severity", "[review][findings]") {
  Findings findings;
  const auto id = findings.add({.rule = "S2F102", .message = "logs"});
  CHECK(findings[id].severity == Severity::note);
  findings.set_severity("S2F102", Severity::error);
  CHECK(findings[id].severity == Severity::error);
}

TEST_CASE("an unknown rule is an internal error", "[review][findings]") {
  Findings findings;
  const auto id = findings.add({.rule = "S2F000", .message = "what"});
  CHECK(findings[id].rule == "S2F901");
  CHECK(findings[id].severity == Severity::error);
  CHECK(findings[id].message == "unknown rule S2F000: what");
}

TEST_CASE("ids survive edits elsewhere", "[review][findings]") {
  const auto before = ids_at("#SBATCH -p gpu\nrun\n", "-p gpu");
  REQUIRE(before.size() == 1);
  CHECK(before[0].size() == 12);
  CHECK(before[0].find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(ids_at("# a new line\n\n#SBATCH   -p gpu  # why\nrun faster\n", "-p gpu") == before);
  CHECK(ids_at("#SBATCH -p  gpu\n", "-p  gpu") == before); // blanks do not count
  CHECK(ids_at("#SBATCH -p cpu\n", "-p cpu") != before);
}

TEST_CASE("equal findings are told apart by their order", "[review][findings]") {
  const auto ids = ids_at("a -p gpu\nb -p gpu\n", "-p gpu");
  REQUIRE(ids.size() == 2);
  CHECK(ids[0] != ids[1]);
  CHECK(ids[0] == ids_at("a -p gpu\n", "-p gpu")[0]);
}

TEST_CASE("ids do not depend on what else is converted", "[review][findings]") {
  source::Sources sources;
  const auto one = sources.add("one.sh", "-p gpu\n");
  const auto two = sources.add("two.sh", "-p gpu\n");
  Findings findings;
  findings.add({.rule = "S2F210", .span = {one, 0, 6}});
  findings.add({.rule = "S2F210", .span = {two, 0, 6}});
  findings.number(sources);
  CHECK(findings.all()[0].id == findings.all()[1].id);
  CHECK(findings.all()[1].id == ids_at("-p gpu\n", "-p gpu")[0]);
}

TEST_CASE("findings are placed in source order", "[review][findings]") {
  source::Sources sources;
  const auto id = sources.add("job.sh", "one\ntwo words\n");
  const auto other = sources.add("other.sh", "x\n");
  Findings findings;
  findings.add({.rule = "S2F210", .span = {id, 8, 13}});
  findings.add({.rule = "S2F102", .span = {other, 0, 1}});
  findings.add({.rule = "S2F101", .span = {id, 0, 3}});
  const auto placed = findings_of(findings, sources, id, {{7, {id, 4, 13}}});
  REQUIRE(placed.size() == 2);
  CHECK(placed[0].finding.rule == "S2F101");
  CHECK(placed[0].output_lines.empty());
  CHECK(placed[1].line == 2);
  CHECK(placed[1].column == 5);
  CHECK(placed[1].end_line == 2);
  CHECK(placed[1].end_column == 10);
  CHECK(placed[1].output_lines == std::vector<std::uint32_t>{7});
}

TEST_CASE("the verdict follows from the findings", "[review][verdict]") {
  const auto verdict = [](std::vector<Severity> severities) {
    Input input;
    for (const Severity severity : severities) {
      PlacedFinding placed;
      placed.finding.severity = severity;
      input.findings.push_back(placed);
    }
    return verdict_of(input);
  };
  CHECK(verdict({}) == Verdict::ready);
  CHECK(verdict({Severity::note}) == Verdict::ready_with_notes);
  CHECK(verdict({Severity::warning, Severity::note}) == Verdict::ready_with_notes);
  CHECK(verdict({Severity::note, Severity::decision}) == Verdict::needs_decision);
  CHECK(verdict({Severity::error}) == Verdict::needs_decision);
}
