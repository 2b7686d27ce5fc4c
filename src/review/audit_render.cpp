// Renders an audit as tables: Markdown, HTML, and the sections that a terminal shows; and as JSON.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "review/audit.hpp"
#include "review/labels.hpp"
#include "review/markdown_text.hpp"
#include "review/page.hpp"
#include "review/visible.hpp"

namespace s2f::review {

namespace {

using Json = nlohmann::ordered_json;

std::string share(std::size_t part, std::size_t whole) {
  constexpr double percent = 100.0;
  return whole == 0 ? ""
                    : fmt::format("{:.1f} %",
                                  percent * static_cast<double>(part) / static_cast<double>(whole));
}

std::string hours(std::int64_t minutes) {
  constexpr std::int64_t hour = 60;
  return minutes < hour ? fmt::format("{} min", minutes)
                        : fmt::format("{} h {:02} min", minutes / hour, minutes % hour);
}

AuditSection tallies(std::string title, std::string text, std::string head,
                     const std::vector<Tally>& rows, std::size_t most) {
  AuditSection section{std::move(title), std::move(text), {"scripts", "times"}, {}, 0};
  section.head.push_back(std::move(head));
  section.head.emplace_back("first in");
  for (const Tally& tally : rows) {
    if (section.rows.size() == most) {
      break;
    }
    section.rows.push_back(
        {std::to_string(tally.scripts), std::to_string(tally.count), tally.what, tally.first});
  }
  section.left_off = rows.size() - section.rows.size();
  return section;
}

AuditSection verdict_section(const Audit& audit) {
  AuditSection section{"Scripts by verdict", "", {"scripts", "share", "verdict"}, {}, 0};
  section.text = fmt::format("{}, {} with content, {} of them accounted for.",
                             counted(audit.scripts, "script"), counted(audit.lines, "line"),
                             audit.lines_accounted);
  for (const Verdict verdict : all_verdicts) {
    const auto found = std::ranges::find(audit.verdicts, to_string(verdict), &Tally::what);
    if (found != audit.verdicts.end()) {
      section.rows.push_back({std::to_string(found->count), share(found->count, audit.scripts),
                              std::string(label_of(verdict))});
    }
  }
  return section;
}

AuditSection answer_section(const Audit& audit, std::size_t most) {
  AuditSection section{
      "Answers that close most", "", {"closes", "sum", "scripts", "key", "rules"}, {}, 0};
  section.text = fmt::format("{} are open. One line of slurm2flyte.toml closes each of these; "
                             "slurm2flyte init writes the file to fill in.",
                             counted(audit.open_decisions, "decision"));
  std::size_t sum = 0;
  for (const Answer& answer : audit.answers) {
    if (section.rows.size() == most) {
      break;
    }
    sum += answer.tally.count;
    section.rows.push_back({std::to_string(answer.tally.count), share(sum, audit.open_decisions),
                            std::to_string(answer.tally.scripts), answer.tally.what,
                            fmt::format("{}", fmt::join(answer.rules, ", "))});
  }
  section.left_off = audit.answers.size() - section.rows.size();
  return section;
}

AuditSection effort_section(const Audit& audit) {
  AuditSection section{"Effort", "", {"time", "count", "each", "what", "weight"}, {}, 0};
  std::int64_t sum = 0;
  for (const Effort& effort : audit.effort) {
    if (effort.count != 0) {
      sum += effort.minutes();
      section.rows.push_back({hours(effort.minutes()), std::to_string(effort.count),
                              hours(effort.minutes_each), effort.what, effort.name});
    }
  }
  section.text = fmt::format("{} in all. The counts were measured; the minutes are weights, to be "
                             "set with --weight NAME=MINUTES.",
                             hours(sum));
  return section;
}

AuditSection wave_section(const Audit& audit) {
  AuditSection section{"Order", "", {"wave", "scripts", "begin with", "what and why"}, {}, 0};
  section.text = "Both systems can run side by side until the last wave.";
  for (std::size_t i = 0; i < audit.waves.size(); ++i) {
    const Wave& wave = audit.waves[i];
    section.rows.push_back({std::to_string(i + 1), std::to_string(wave.scripts.size()),
                            wave.scripts.front(), fmt::format("{}. {}", wave.title, wave.reason)});
  }
  return section;
}

AuditSection family_section(const Audit& audit, std::size_t most) {
  AuditSection section{"Families", "", {"scripts", "differ in", "members"}, {}, 0};
  section.text = "Scripts that say the same but for what belongs to a cluster. Convert one of "
                 "each; [cluster.NAME] tables of the site file hold what differs.";
  constexpr std::size_t shown = 4;
  for (const Family& family : audit.families) {
    if (section.rows.size() == most) {
      break;
    }
    const auto end = family.scripts.begin() +
                     static_cast<std::ptrdiff_t>(std::min(shown, family.scripts.size()));
    std::string members =
        fmt::format("{}", fmt::join(std::vector(family.scripts.begin(), end), ", "));
    if (family.scripts.size() > shown) {
      members += fmt::format(" and {} more", family.scripts.size() - shown);
    }
    section.rows.push_back(
        {std::to_string(family.scripts.size()),
         family.differ.empty() ? "nothing" : fmt::format("{}", fmt::join(family.differ, ", ")),
         std::move(members)});
  }
  section.left_off = audit.families.size() - section.rows.size();
  return section;
}

Json tallies_json(const std::vector<Tally>& rows) {
  Json list = Json::array();
  for (const Tally& tally : rows) {
    list.push_back({{"what", tally.what},
                    {"count", tally.count},
                    {"scripts", tally.scripts},
                    {"first", tally.first}});
  }
  return list;
}

std::string rest_of(const AuditSection& section) {
  return section.left_off == 0
             ? std::string()
             : fmt::format("{} more; --format json has all of them.", section.left_off);
}

} // namespace

std::vector<AuditSection> audit_sections(const Audit& audit, std::size_t most) {
  std::vector<AuditSection> sections{verdict_section(audit), answer_section(audit, most)};
  for (const auto& [table, rows] : audit.names) {
    sections.push_back(tallies(fmt::format("Names that ask: {}", table), "", "name", rows, most));
  }
  sections.push_back(tallies("Decisions of one script alone", "", "rule", audit.single, most));
  sections.push_back(tallies("Why jobs stay on Slurm", "", "reason", audit.stays, most));
  sections.push_back(tallies("Why scripts were not converted", "", "rule", audit.by_hand, most));
  sections.push_back(effort_section(audit));
  sections.push_back(wave_section(audit));
  sections.push_back(family_section(audit, most));
  std::erase_if(sections, [](const AuditSection& section) { return section.rows.empty(); });
  return sections;
}

std::string render_audit_json(const Audit& audit) {
  Json answers = Json::array();
  for (const Answer& answer : audit.answers) {
    answers.push_back({{"key", answer.tally.what},
                       {"decisions", answer.tally.count},
                       {"scripts", answer.tally.scripts},
                       {"first", answer.tally.first},
                       {"rules", answer.rules}});
  }
  Json effort = Json::array();
  for (const Effort& each : audit.effort) {
    effort.push_back({{"name", each.name},
                      {"count", each.count},
                      {"minutes_each", each.minutes_each},
                      {"minutes", each.minutes()}});
  }
  Json waves = Json::array();
  for (const Wave& wave : audit.waves) {
    waves.push_back({{"name", wave.name},
                     {"title", wave.title},
                     {"reason", wave.reason},
                     {"scripts", wave.scripts}});
  }
  Json families = Json::array();
  for (const Family& family : audit.families) {
    families.push_back({{"scripts", family.scripts}, {"differ", family.differ}});
  }
  Json names = Json::object();
  for (const auto& [table, rows] : audit.names) {
    names[table] = tallies_json(rows);
  }
  const Json whole{{"schema", "slurm2flyte-audit/1"},
                   {"tool", audit.tool},
                   {"flyte", audit.flyte},
                   {"scripts", audit.scripts},
                   {"lines", audit.lines},
                   {"lines_accounted", audit.lines_accounted},
                   {"open_decisions", audit.open_decisions},
                   {"verdicts", tallies_json(audit.verdicts)},
                   {"kinds", tallies_json(audit.kinds)},
                   {"bodies", tallies_json(audit.bodies)},
                   {"answers", std::move(answers)},
                   {"names", std::move(names)},
                   {"single_decisions", tallies_json(audit.single)},
                   {"stays_on_slurm", tallies_json(audit.stays)},
                   {"not_converted", tallies_json(audit.by_hand)},
                   {"effort", std::move(effort)},
                   {"waves", std::move(waves)},
                   {"families", std::move(families)}};
  return whole.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::string render_audit_markdown(const Audit& audit, std::size_t most) {
  std::string out = "# Audit\n";
  for (const AuditSection& section : audit_sections(audit, most)) {
    out += fmt::format("\n## {}\n\n", markdown_text(section.title));
    if (!section.text.empty()) {
      out += markdown_text(section.text) + "\n\n";
    }
    out += fmt::format("| {} |\n|", fmt::join(section.head, " | "));
    for (const std::string& cell : section.rows.front()) {
      const bool number =
          std::isdigit(static_cast<unsigned char>(cell.empty() ? 'x' : cell[0])) != 0;
      out += number ? "--:|" : "---|";
    }
    out += '\n';
    for (const auto& row : section.rows) {
      out += '|';
      for (const std::string& cell : row) {
        out += fmt::format(" {} |", markdown_text(cell));
      }
      out += '\n';
    }
    if (section.left_off != 0) {
      out += "\n" + rest_of(section) + "\n";
    }
  }
  out += fmt::format("\nWritten by {} for Flyte {}.\n", markdown_text(audit.tool),
                     markdown_text(audit.flyte));
  return out;
}

std::string render_audit_html(const Audit& audit, std::size_t most) {
  emit::View sections = emit::View::array();
  for (const AuditSection& section : audit_sections(audit, most)) {
    emit::View head = emit::View::array();
    for (const std::string& cell : section.head) {
      head.push_back({{"text", cell}});
    }
    emit::View rows = emit::View::array();
    for (const auto& row : section.rows) {
      emit::View cells = emit::View::array();
      for (const std::string& cell : row) {
        cells.push_back({{"text", visible(cell)}});
      }
      rows.push_back({{"cells", std::move(cells)}});
    }
    sections.push_back({{"title", visible(section.title)},
                        {"text", visible(section.text)},
                        {"rest", rest_of(section)},
                        {"head", std::move(head)},
                        {"rows", std::move(rows)}});
  }
  const auto style = built_in("report/page.css");
  const emit::View view{
      {"tool", audit.tool},
      {"flyte", audit.flyte},
      {"style", style},
      {"csp", fmt::format("default-src 'none'; base-uri 'none'; form-action 'none'; style-src {}",
                          policy_hash(style))},
      {"sections", std::move(sections)}};
  return render_page("report/audit.html", view);
}

} // namespace s2f::review
