// Renders a review as Markdown: builds the view of it that templates/report/review.md.mustache
// shows.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/mustache.hpp"
#include "generated/embedded.hpp"
#include "review/audit.hpp"
#include "review/formats.hpp"
#include "review/graph.hpp"
#include "review/labels.hpp"
#include "review/line_ranges.hpp"
#include "review/markdown_text.hpp"
#include "review/on_slurm.hpp"
#include "review/review.hpp"
#include "review/shown.hpp"
#include "review/visible.hpp"

namespace s2f::review {

namespace {

using emit::View;

// Mustache takes an empty text for something to show, and null for nothing.
View or_null(std::string text) { return text.empty() ? View() : View(std::move(text)); }

std::string lines_text(std::uint32_t line, std::uint32_t end_line) {
  return line == end_line ? std::to_string(line) : fmt::format("{}-{}", line, end_line);
}

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view blank = " \t\r\f\v";
  const auto begin = std::min(line.find_first_not_of(blank), line.size());
  line.remove_prefix(begin);
  return line.substr(0, line.find_last_not_of(blank) + 1);
}

std::string output_place(const Input& input, const PlacedFinding& placed) {
  if (input.output.empty() || placed.output_lines.empty())
    return {};
  return fmt::format(
      " ({})", markdown_code(fmt::format("{}:{}", input.output, ranges_text(placed.output_lines))));
}

View choices_view(const Finding& finding) {
  View choices = View::array();
  bool listed = false;
  for (const std::string& choice : finding.choices) {
    const bool taken = choice == finding.default_;
    listed = listed || taken;
    choices.push_back({{"text", markdown_text(choice)}, {"taken", taken}});
  }
  if (!listed && !finding.default_.empty()) {
    choices.push_front({{"text", markdown_text(finding.default_)}, {"taken", true}});
  }
  return choices;
}

// "by the sign-off, ada on 2026-01-31: same name here"; nothing while it is open.
View accepted_view(const Finding& finding) {
  if (!finding.accepted)
    return {};
  const Acceptance& said = *finding.accepted;
  std::string text = fmt::format("by the {} ({})", to_string(said.by), markdown_code(said.place));
  if (!said.who.empty())
    text += ", " + markdown_text(said.who);
  if (!said.date.empty())
    text += " on " + markdown_text(said.date);
  if (!said.reason.empty())
    text += ": " + markdown_text(said.reason);
  return text;
}

View finding_view(const Input& input, const Lines& lines, const PlacedFinding& placed) {
  const Finding& finding = placed.finding;
  const Rule* rule = find_rule(finding.rule);
  const auto last = placed.end_column == 1 && placed.end_line > placed.line ? placed.end_line - 1
                                                                            : placed.end_line;
  return {{"rule", finding.rule},
          {"name", rule != nullptr ? rule->name : ""},
          {"severity", to_string(finding.severity)},
          {"id", finding.id},
          {"line", placed.line},
          {"place", (last > placed.line ? "lines " : "line ") + lines_text(placed.line, last)},
          {"source", or_null(markdown_code(trimmed(lines[placed.line])))},
          {"message", markdown_text(finding.message)},
          {"slurm", or_null(markdown_text(finding.slurm_does))},
          {"output", or_null(markdown_text(finding.output_does))},
          {"output_place", output_place(input, placed)},
          {"choices", choices_view(finding)},
          {"accepted", accepted_view(finding)},
          {"key", or_null(markdown_code(answer_text(finding)))}};
}

View item_view(const Item& item) {
  return {{"place", lines_text(item.line, item.end_line)},
          {"text", markdown_code(item.text)},
          {"disposition", to_string(item.disposition)},
          {"why", markdown_text(item.why)},
          {"rule", item.rule},
          {"output_lines", ranges_text(item.output_lines)}};
}

// "31 converted, 2 dropped": those that occur, in the order of the type.
View dispositions_view(const Input& input) {
  std::array<std::size_t, static_cast<std::size_t>(Disposition::comment) + 1> counts{};
  for (const Item& item : input.items)
    ++counts[static_cast<std::size_t>(item.disposition)];
  View view = View::array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0)
      continue;
    view.push_back({{"disposition", to_string(static_cast<Disposition>(i))},
                    {"count", counts[i]},
                    {"last", false}});
  }
  if (!view.empty())
    view.back()["last"] = true;
  return view;
}

View staying_view(const Input& input) {
  const auto staying = review::staying(input);
  if (!staying) {
    return {};
  }
  View needs = View::array();
  for (const Need& need : staying->needs) {
    needs.push_back({{"what", markdown_text(need.what)}, {"here", markdown_text(need.here)}});
  }
  return {{"why", markdown_text(staying->why)},
          {"rule", staying->rule},
          {"line", staying->line},
          {"change", markdown_text(staying->change)},
          {"needs", std::move(needs)}};
}

// Where something stays on Slurm, the order in which the rest moves.
View order_view(const Review& review) {
  if (std::ranges::find(review.inputs, Verdict::keep_on_slurm, &Input::verdict) ==
      review.inputs.end()) {
    return {};
  }
  View waves = View::array();
  std::size_t number = 0;
  for (const Wave& wave : waves_of(review)) {
    std::string scripts;
    for (const std::string& script : wave.scripts) {
      scripts += (scripts.empty() ? "" : ", ") + markdown_code(script);
    }
    waves.push_back({{"number", ++number},
                     {"scripts", scripts},
                     {"why", markdown_text(fmt::format("{}. {}", wave.title, wave.reason))}});
  }
  return waves;
}

View input_view(const Input& input) {
  View decisions = View::array();
  View others = View::array();
  const Lines lines(input.source_text);
  for (const PlacedFinding& placed : input.findings) {
    View view = finding_view(input, lines, placed);
    if (placed.finding.severity == Severity::decision) {
      view["number"] = decisions.size() + 1;
      decisions.push_back(std::move(view));
    } else {
      others.push_back(std::move(view));
    }
  }
  View items = View::array();
  for (const Item& item : input.items)
    items.push_back(item_view(item));
  View numbers = View::array();
  for (const NumberRow& row : input.numbers) {
    numbers.push_back({{"asked", markdown_code(row.asked)},
                       {"given", markdown_code(row.given)},
                       {"how", markdown_text(row.how)}});
  }
  std::string includes;
  for (const std::string& other : input.included_in_output)
    includes += (includes.empty() ? "" : ", ") + markdown_code(other);
  const bool runs = !input.output.empty() && !input.entry.empty();
  return {{"path", markdown_code(input.path)},
          {"verdict", label_of(input.verdict)},
          {"output", markdown_code(input.output)},
          {"command",
           runs ? View(markdown_code(fmt::format("flyte run {} {}", input.output, input.entry)))
                : View()},
          {"lines", input.lines},
          {"lines_accounted", input.lines_accounted},
          {"complete", input.lines == input.lines_accounted},
          {"decision_count", open_count_of(input, Severity::decision)},
          {"error_count", count_of(input, Severity::error)},
          {"warning_count", open_count_of(input, Severity::warning)},
          {"note_count", count_of(input, Severity::note)},
          {"has_includes", !includes.empty()},
          {"includes", includes},
          {"staying", staying_view(input)},
          {"has_numbers", !numbers.empty()},
          {"numbers", std::move(numbers)},
          {"graph", or_null(mermaid(input.graph))},
          {"has_decisions", !decisions.empty()},
          {"decisions", std::move(decisions)},
          {"has_others", !others.empty()},
          {"others", std::move(others)},
          {"items", std::move(items)},
          {"dispositions", dispositions_view(input)}};
}

std::string_view built_in_template() {
  for (const embedded::File& file : embedded::templates()) {
    if (file.path.ends_with("report/review.md.mustache"))
      return file.text;
  }
  return {};
}

} // namespace

std::expected<std::string, std::string> render_markdown(const Review& review,
                                                        std::string_view page) {
  View inputs = View::array();
  for (const Input& input : review.inputs)
    inputs.push_back(input_view(*Shown(input)));
  const auto title = review.inputs.size() == 1 ? markdown_code(review.inputs.front().path)
                                               : counted(review.inputs.size(), "script");
  return emit::render(page,
                      {{"title", title},
                       {"tool", markdown_text(review.tool)},
                       {"flyte", markdown_text(review.flyte)},
                       {"inputs", std::move(inputs)},
                       {"has_order", !order_view(review).empty()},
                       {"order", order_view(review)}},
                      [](std::string_view) { return std::nullopt; });
}

std::string render_markdown(const Review& review) {
  // The template that was compiled in is tested: it renders.
  return render_markdown(review, built_in_template()).value();
}

} // namespace s2f::review
