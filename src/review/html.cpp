// Renders a review as one HTML page: builds the view that templates/report/review.html.mustache
// shows.
//
// All text of scripts is made visible first (no control or direction-changing characters are left)
// and escaped by the template. The page's policy allows its own script and style only, by their
// hashes, so that nothing else in it could ever run.
#include <algorithm>
#include <array>
#include <map>
#include <ranges>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "review/formats.hpp"
#include "review/graph.hpp"
#include "review/labels.hpp"
#include "review/line_ranges.hpp"
#include "review/on_slurm.hpp"
#include "review/page.hpp"
#include "review/shown.hpp"
#include "review/signoff.hpp"
#include "review/visible.hpp"
#include "source/source.hpp"

namespace s2f::review {

namespace {

using emit::View;

View or_null(std::string text) { return text.empty() ? View() : View(std::move(text)); }

char letter_of(Disposition disposition) {
  switch (disposition) {
  case Disposition::converted:
    return 'C';
  case Disposition::adjusted:
    return 'A';
  case Disposition::decision:
    return 'D';
  case Disposition::platform:
    return 'P';
  case Disposition::kept:
    return 'K';
  case Disposition::dropped:
    return 'X';
  case Disposition::inert:
    return 'I';
  case Disposition::comment:
    return '#';
  case Disposition::open:
    break;
  }
  return '!';
}

char letter_of(Severity severity) {
  switch (severity) {
  case Severity::error:
    return 'E';
  case Severity::decision:
    return 'D';
  case Severity::warning:
    return 'W';
  case Severity::note:
    break;
  }
  return 'N';
}

// Of several on one line the one that a reader must see.
int weight(Disposition disposition) {
  constexpr std::array order{Disposition::open,     Disposition::decision,  Disposition::kept,
                             Disposition::adjusted, Disposition::converted, Disposition::platform,
                             Disposition::dropped,  Disposition::inert,     Disposition::comment};
  return static_cast<int>(std::ranges::find(order, disposition) - order.begin());
}

// A sentence in pieces: what stands between backticks is code.
View pieces_of(std::string_view sentence) {
  View pieces = View::array();
  const auto text = visible(sentence);
  const bool paired = std::ranges::count(text, '`') % 2 == 0;
  bool code = false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = paired ? std::min(text.find('`', begin), text.size()) : text.size();
    if (end > begin)
      pieces.push_back({{"text", text.substr(begin, end - begin)}, {"code", code}});
    code = !code;
    begin = end + 1;
  }
  return pieces;
}

std::size_t line_count(std::string_view text) {
  if (text.empty())
    return 0;
  return static_cast<std::size_t>(std::ranges::count(text, '\n')) + (text.ends_with('\n') ? 0 : 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  lines.reserve(line_count(text));
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

using Links = std::map<std::uint32_t, std::set<std::uint32_t>>;

class InputView {
public:
  InputView(const Input& input, std::size_t index, bool again)
      : input_(input), lines_(input.source_text), index_(index), again_(again) {
    for (const Item& item : input.items) {
      for (auto line = item.line; line <= item.end_line; ++line) {
        const auto [entry, fresh] = strongest_.try_emplace(line, &item);
        if (!fresh && weight(item.disposition) < weight(entry->second->disposition))
          entry->second = &item;
      }
      // A long statement is linked line by line where its parts are; else by its first line. Many
      // statements that stand in one long text are linked to where it begins.
      constexpr std::size_t most = 400;
      for (const auto line : item.output_lines | std::views::take(most)) {
        to_output_[item.line].insert(line);
        to_source_[line].insert(item.line);
      }
    }
  }

  [[nodiscard]] View view() const {
    View findings = View::array();
    for (const std::size_t number : order())
      findings.push_back(finding(number));
    View numbers = View::array();
    for (const NumberRow& row : input_.numbers) {
      numbers.push_back({{"asked", visible(row.asked)},
                         {"given", visible(row.given)},
                         {"how", visible(row.how)}});
    }
    const bool runs = !input_.output.empty() && !input_.entry.empty();
    return {{"index", index_},
            {"path", visible(input_.path)},
            {"verdict", to_string(input_.verdict)},
            {"verdict_label", label_of(input_.verdict)},
            {"staying", staying()},
            {"open", open_count_of(input_, Severity::decision)},
            {"warnings", open_count_of(input_, Severity::warning)},
            {"lines", input_.lines},
            {"lines_accounted", input_.lines_accounted},
            {"complete", input_.lines == input_.lines_accounted},
            {"again", again_},
            {"sha256", input_.sha256},
            {"output", or_null(visible(input_.output))},
            {"command", runs ? View(visible(fmt::format("flyte run {} {}{}", input_.output,
                                                        input_.entry, input_.entry_arguments)))
                             : View()},
            {"has_findings", !input_.findings.empty()},
            {"findings", std::move(findings)},
            {"graph", drawing(input_.graph)},
            {"has_numbers", !numbers.empty()},
            {"numbers", std::move(numbers)},
            {"legend", legend()},
            {"source", source()},
            {"module", module()},
            {"items", items()},
            {"item_count", counted(input_.items.size(), "item")},
            {"dispositions", dispositions()}};
  }

private:
  // What must be answered first, what is done last.
  [[nodiscard]] std::vector<std::size_t> order() const {
    std::vector<std::size_t> all(input_.findings.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = i;
    std::ranges::stable_sort(all, {}, [this](std::size_t i) {
      const Finding& finding = input_.findings[i].finding;
      return std::pair{!is_open(finding), -static_cast<int>(finding.severity)};
    });
    return all;
  }

  [[nodiscard]] std::string source_anchor(std::uint32_t line) const {
    return fmt::format("i{}s{}", index_, line);
  }
  [[nodiscard]] std::string output_anchor(std::uint32_t line) const {
    return fmt::format("i{}o{}", index_, line);
  }
  [[nodiscard]] std::string finding_anchor(std::size_t number) const {
    return fmt::format("f{}-{}", index_, number);
  }

  [[nodiscard]] View finding(std::size_t number) const {
    const PlacedFinding& placed = input_.findings[number];
    const Finding& finding = placed.finding;
    const Rule* rule = find_rule(finding.rule);
    View choices = View::array();
    for (const std::string& choice : finding.choices)
      choices.push_back({{"text", visible(choice)}, {"taken", choice == finding.default_}});
    // The first line stands for the whole script.
    const auto line = lines_[placed.line];
    const auto excerpt = line.starts_with("#!") ? std::string_view() : line;
    const bool signable =
        (finding.severity == Severity::decision || finding.severity == Severity::warning) &&
        !finding.rule.starts_with("S2F9");
    View view{{"anchor", finding_anchor(number)},
              {"severity", to_string(finding.severity)},
              {"letter", std::string(1, letter_of(finding.severity))},
              {"rule", finding.rule},
              {"name", rule != nullptr ? rule->name : ""},
              {"id", finding.id},
              {"script", input_.path},
              {"signed_text", visible(text_of(input_, placed))},
              {"source_hash", source_hash(input_, placed)},
              {"output_hash", output_hash(input_, placed)},
              {"default", visible(finding.default_)},
              {"line", placed.line},
              {"line_anchor", source_anchor(placed.line)},
              {"excerpt", or_null(visible(excerpt))},
              {"message", pieces_of(finding.message)},
              {"has_slurm", !finding.slurm_does.empty()},
              {"slurm", pieces_of(finding.slurm_does)},
              {"has_does", !finding.output_does.empty()},
              {"does", pieces_of(finding.output_does)},
              {"fix", finding.fix ? or_null(visible(finding.fix->what)) : View()},
              {"key", or_null(visible(answer_text(finding)))},
              {"open_ended", finding.default_.empty()},
              {"signable", signable},
              {"has_choices", !choices.empty()},
              {"choices", std::move(choices)},
              {"group", finding_anchor(number)},
              {"accepted", View()},
              {"output_line", View()}};
    if (!placed.output_lines.empty() && !input_.output.empty()) {
      view["output_line"] = placed.output_lines.front();
      view["output_anchor"] = output_anchor(placed.output_lines.front());
    }
    if (finding.accepted) {
      const Acceptance& said = *finding.accepted;
      view["accepted"] = {{"by", to_string(said.by)},
                          {"place", visible(said.place)},
                          {"who", or_null(visible(said.who))},
                          {"date", or_null(visible(said.date))},
                          {"reason", or_null(visible(said.reason))}};
    }
    return view;
  }

  [[nodiscard]] View legend() const {
    std::set<Disposition> there;
    for (const Item& item : input_.items)
      there.insert(item.disposition);
    View view = View::array();
    for (const Disposition disposition : there) {
      view.push_back(
          {{"letter", std::string(1, letter_of(disposition))}, {"name", to_string(disposition)}});
    }
    return view;
  }

  // The other side of a line: the ids to light up, and the first for the link.
  template <typename Anchor>
  static void link(View& view, const Links& links, std::uint32_t line, Anchor anchor,
                   const std::string& own) {
    const auto found = links.find(line);
    view["other"] = "";
    view["first"] = View();
    view["href"] = "#" + own;
    if (found == links.end())
      return;
    std::vector<std::string> ids;
    for (const auto other : found->second)
      ids.push_back(anchor(other));
    view["other"] = fmt::format("{}", fmt::join(ids, " "));
    view["first"] = *found->second.begin();
    view["href"] = "#" + ids.front();
  }

  [[nodiscard]] View source() const {
    std::map<std::uint32_t, View> marks;
    for (std::size_t i = 0; i < input_.findings.size(); ++i) {
      const PlacedFinding& placed = input_.findings[i];
      auto& list = marks.try_emplace(placed.line, View::array()).first->second;
      list.push_back({{"rule", placed.finding.rule},
                      {"severity", to_string(placed.finding.severity)},
                      {"target", finding_anchor(i)}});
    }
    const Links none;
    const Links& links = input_.output.empty() ? none : to_output_;
    View view = View::array();
    std::uint32_t number = 0;
    for (const auto line : lines_of(input_.source_text)) {
      ++number;
      const auto item = strongest_.find(number);
      View one{{"number", number},
               {"text", visible(line)},
               {"name", View()},
               {"why", View()},
               {"letter", " "},
               {"has_marks", marks.contains(number)},
               {"marks", marks.contains(number) ? marks[number] : View::array()}};
      if (item != strongest_.end()) {
        one["name"] = to_string(item->second->disposition);
        one["letter"] = std::string(1, letter_of(item->second->disposition));
        one["why"] = or_null(visible(item->second->why));
      }
      link(
          one, links, number, [this](std::uint32_t n) { return output_anchor(n); },
          source_anchor(number));
      view.push_back(std::move(one));
    }
    return view;
  }

  [[nodiscard]] View module() const {
    View view = View::array();
    std::uint32_t number = 0;
    for (const auto line : lines_of(input_.output_text)) {
      ++number;
      View one{{"number", number}, {"text", visible(line)}};
      link(
          one, to_source_, number, [this](std::uint32_t n) { return source_anchor(n); },
          output_anchor(number));
      view.push_back(std::move(one));
    }
    return view;
  }

  [[nodiscard]] View staying() const {
    const auto stays = review::staying(input_);
    if (!stays)
      return {};
    View needs = View::array();
    for (const Need& need : stays->needs)
      needs.push_back({{"what", visible(need.what)}, {"here", visible(need.here)}});
    return {{"why", pieces_of(stays->why)},
            {"rule", stays->rule},
            {"line", stays->line},
            {"change", visible(stays->change)},
            {"needs", std::move(needs)}};
  }

  [[nodiscard]] View items() const {
    View view = View::array();
    for (const Item& item : input_.items) {
      view.push_back({{"line", item.line},
                      {"place", item.line == item.end_line
                                    ? std::to_string(item.line)
                                    : fmt::format("{}\u2013{}", item.line, item.end_line)},
                      {"text", visible(item.text)},
                      {"name", to_string(item.disposition)},
                      {"letter", std::string(1, letter_of(item.disposition))},
                      {"why", visible(item.why)},
                      {"rule", item.rule},
                      {"output_lines", ranges_text(item.output_lines)}});
    }
    return view;
  }

  [[nodiscard]] View dispositions() const {
    std::map<Disposition, std::size_t> counts;
    for (const Item& item : input_.items)
      ++counts[item.disposition];
    View view = View::array();
    for (const auto& [disposition, count] : counts)
      view.push_back({{"name", to_string(disposition)}, {"count", count}, {"last", false}});
    if (!view.empty())
      view.back()["last"] = true;
    return view;
  }

  const Input& input_;
  Lines lines_; // of the script
  std::size_t index_;
  bool again_; // another script's section has shown the module already
  std::map<std::uint32_t, const Item*> strongest_; // the item that a line is shown as
  Links to_output_, to_source_;
};

View verdicts_view(const Review& review) {
  View view = View::array();
  for (const auto verdict : all_verdicts) {
    const auto count = std::ranges::count(review.inputs, verdict, &Input::verdict);
    if (count > 0)
      view.push_back(
          {{"name", to_string(verdict)}, {"label", label_of(verdict)}, {"count", count}});
  }
  return view;
}

} // namespace

std::string render_html(const Review& review) {
  const auto style = built_in("report/page.css");
  const auto script = built_in("report/page.js");
  View inputs = View::array();
  std::size_t open = 0;
  std::size_t lines = 0;
  std::size_t accounted = 0;
  std::string digest;
  std::set<std::string_view> shown;
  for (std::size_t i = 0; i < review.inputs.size(); ++i) {
    const Shown safe(review.inputs[i]);
    const Input& input = *safe;
    inputs.push_back(InputView(input, i, !shown.insert(review.inputs[i].output).second).view());
    open += open_count_of(input, Severity::decision);
    lines += input.lines;
    accounted += input.lines_accounted;
    digest += input.path + '\0' + input.sha256 + source::sha256_hex(input.output_text);
  }
  const auto title = review.inputs.size() == 1 ? visible(review.inputs.front().path)
                                               : counted(review.inputs.size(), "script");
  const View view{
      {"title", title},
      {"tool", visible(review.tool)},
      {"flyte", visible(review.flyte)},
      {"digest", source::sha256_hex(digest).substr(0, 16)},
      {"csp", fmt::format("default-src 'none'; base-uri 'none'; form-action 'none'; style-src {}; "
                          "script-src {}",
                          policy_hash(style), policy_hash(script))},
      {"style", style},
      {"script", script},
      {"verdicts", verdicts_view(review)},
      {"open_decisions", open},
      {"one_open", open == 1},
      {"lines", lines},
      {"lines_accounted", accounted},
      {"complete", lines == accounted},
      {"several", review.inputs.size() > 1},
      {"inputs", std::move(inputs)}};
  return render_page("report/review.html", view);
}

} // namespace s2f::review
