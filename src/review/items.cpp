// Turns the ledger's tree into the list of items that a report shows, and counts the lines it
// covers.
#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "review/output_lines.hpp"
#include "review/review.hpp"

namespace s2f::review {

namespace {

bool same_words(const Entry& a, const Entry& b) {
  return a.disposition == b.disposition && a.why == b.why && a.rule == b.rule &&
         a.finding == b.finding;
}

bool has_content(std::string_view line) { return line.find_first_not_of(" \t\r\f\v") != line.npos; }

std::string trimmed(std::string_view line) {
  const auto begin = line.find_first_not_of(" \t\r\f\v");
  if (begin == line.npos)
    return {};
  return std::string(line.substr(begin, line.find_last_not_of(" \t\r\f\v") - begin + 1));
}

// Only these stand in the output in some form of their own.
bool may_cite_around(Disposition disposition) {
  return disposition == Disposition::converted || disposition == Disposition::adjusted ||
         disposition == Disposition::decision || disposition == Disposition::kept;
}

struct Builder {
  const Ledger& ledger;
  const source::Sources& sources;
  source::SourceId id;
  OutputLines lines;
  std::vector<Item> items;
  std::set<std::uint32_t> covered = {};

  [[nodiscard]] std::optional<Span> located(const Span& span) const {
    if (span.source == id)
      return span;
    const Span outer = sources.to_file(span);
    if (outer.source == id)
      return outer;
    return std::nullopt;
  }

  void add(Item item) {
    for (std::uint32_t line = item.line; line <= item.end_line; ++line)
      covered.insert(line);
    items.push_back(std::move(item));
  }

  void add(const Entry& entry, const Span& span) {
    const auto begin = sources.begin(span);
    const auto last =
        sources.begin({span.source, span.size() ? span.end - 1 : span.begin, span.end});
    auto output_lines = lines.of(span, may_cite_around(entry.disposition));
    if (!entry.stands_in.empty() && may_cite_around(entry.disposition)) {
      auto found = lines_in(entry.stands_in);
      found.insert(output_lines.begin(), output_lines.end());
      output_lines = {found.begin(), found.end()};
    }
    add({.line = begin.line,
         .end_line = std::max(begin.line, last.line),
         .column = begin.column,
         .text = entry.text,
         .disposition = entry.disposition,
         .why = entry.why,
         .rule = entry.rule,
         .output_lines = std::move(output_lines)});
  }

  [[nodiscard]] std::set<std::uint32_t> lines_in(const std::vector<Span>& statements) const {
    std::set<std::uint32_t> found;
    for (const Span& statement : statements) {
      if (const auto place = located(statement)) {
        const auto each = lines.of(*place, true);
        found.insert(each.begin(), each.end());
      }
    }
    return found;
  }
};

// What a `fi` or `done` line has become when nobody spoke of the statement as a whole: the same as
// its parts if they agree, else it stands with those that are in the output.
Disposition of_frame(const std::set<Disposition>& parts) {
  if (parts.size() == 1)
    return *parts.begin();
  for (const auto strongest :
       {Disposition::kept, Disposition::converted, Disposition::adjusted, Disposition::decision}) {
    if (parts.contains(strongest)) {
      return strongest == Disposition::kept ? Disposition::kept : Disposition::converted;
    }
  }
  return *parts.begin();
}

// The lines of a settled statement that none of its parts stands on: `then`, `fi`, a heredoc's end.
void add_frames(Builder& out, const std::vector<std::pair<EntryId, Span>>& parents) {
  // The innermost first, so that a `fi` is laid to its own `if`; a parent comes before its
  // children.
  for (auto it = parents.rbegin(); it != parents.rend(); ++it) {
    const auto& [id, span] = *it;
    const auto first = out.sources.begin(span).line;
    const auto last =
        out.sources.begin({span.source, span.size() ? span.end - 1 : span.begin, span.end}).line;
    std::set<Disposition> parts;
    for (std::vector<EntryId> pending{id}; !pending.empty();) {
      const Entry& entry = out.ledger[pending.back()];
      pending.pop_back();
      if (entry.disposition != Disposition::open)
        parts.insert(entry.disposition);
      pending.insert(pending.end(), entry.children.begin(), entry.children.end());
    }
    for (auto line = first; line <= last; ++line) {
      const auto text = out.sources[span.source].line(line);
      if (out.covered.contains(line) || !has_content(text))
        continue;
      const auto line_span = out.sources[span.source].line_span(line);
      const auto disposition = of_frame(parts);
      auto output_lines = out.lines.of(line_span, false);
      if (output_lines.empty() && may_cite_around(disposition)) {
        output_lines = out.lines.of(span, true);
      }
      out.add({.line = line,
               .end_line = line,
               .column = static_cast<std::uint32_t>(text.find_first_not_of(" \t\r\f\v")) + 1,
               .text = trimmed(text),
               .disposition = disposition,
               .why = "belongs to the statement that begins in line " + std::to_string(first),
               .rule = {},
               .output_lines = std::move(output_lines)});
    }
  }
}

// By line and column; those of one place keep their order.
template <typename T> void sort_by_place(std::vector<T>& things) {
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::size_t>;
  std::vector<Key> order;
  order.reserve(things.size());
  for (const T& thing : things)
    order.emplace_back(thing.line, thing.column, order.size());
  std::ranges::sort(order);
  std::vector<T> sorted;
  sorted.reserve(things.size());
  for (const auto& [line, column, index] : order)
    sorted.push_back(std::move(things[index]));
  things = std::move(sorted);
}

} // namespace

std::vector<Item> items_of(const Ledger& ledger, const source::Sources& sources,
                           source::SourceId id, const OutputMap& output_map) {
  Builder out{ledger, sources, id, OutputLines(sources, id, output_map), {}};
  std::vector<std::pair<EntryId, Span>> unspoken; // settled by their children alone

  struct Step {
    EntryId id;
    const Entry* said; // the nearest ancestor that was settled itself and shown
  };

  std::vector<Step> pending;
  for (std::size_t i = ledger.entries().size(); i-- > 0;) {
    if (!ledger.entries()[i].parent)
      pending.push_back({static_cast<EntryId>(i), nullptr});
  }
  while (!pending.empty()) {
    const auto [entry_id, said] = pending.back();
    pending.pop_back();
    const Entry& entry = ledger[entry_id];
    const bool spoke = entry.disposition != Disposition::open;
    const auto span = out.located(entry.span);
    const Entry* next = said;
    if (spoke || entry.children.empty()) {
      if (span && !(said && same_words(*said, entry))) {
        out.add(entry, *span);
        next = &entry;
      }
    } else if (span && ledger.settled(entry_id)) {
      unspoken.emplace_back(entry_id, *span);
    }
    for (auto child = entry.children.rbegin(); child != entry.children.rend(); ++child)
      pending.push_back({*child, next});
  }
  add_frames(out, unspoken);
  sort_by_place(out.items);
  return std::move(out.items);
}

std::vector<PlacedFinding> findings_of(const Findings& findings, const source::Sources& sources,
                                       source::SourceId id, const OutputMap& output_map) {
  const OutputLines lines(sources, id, output_map);
  std::vector<PlacedFinding> placed;
  for (const Finding& finding : findings.all()) {
    const Span span = finding.span.source == id ? finding.span : sources.to_file(finding.span);
    if (span.source != id)
      continue;
    const auto begin = sources.begin(span);
    const auto end = sources.end(span);
    placed.push_back({.finding = finding,
                      .line = begin.line,
                      .column = begin.column,
                      .end_line = end.line,
                      .end_column = end.column,
                      .output_lines = lines.of(span, true)});
  }
  sort_by_place(placed);
  return placed;
}

void count_lines(Input& input, const source::Source& source) {
  std::set<std::uint32_t> accounted;
  for (const Item& item : input.items) {
    if (item.disposition == Disposition::open)
      continue;
    for (std::uint32_t line = item.line; line <= item.end_line; ++line)
      accounted.insert(line);
  }
  input.lines = 0;
  input.lines_accounted = 0;
  for (std::uint32_t line = 1; line <= source.line_count(); ++line) {
    if (!has_content(source.line(line)))
      continue;
    ++input.lines;
    if (accounted.contains(line))
      ++input.lines_accounted;
  }
}

} // namespace s2f::review
