// Keeps the ledger's tree: opening, settling and finding entries.
#include "review/ledger.hpp"

#include <utility>

namespace s2f::review {

std::string_view to_string(Disposition disposition) {
  switch (disposition) {
  case Disposition::open:
    return "open";
  case Disposition::converted:
    return "converted";
  case Disposition::adjusted:
    return "adjusted";
  case Disposition::decision:
    return "decision";
  case Disposition::platform:
    return "platform";
  case Disposition::kept:
    return "kept";
  case Disposition::dropped:
    return "dropped";
  case Disposition::inert:
    return "inert";
  case Disposition::comment:
    return "comment";
  }
  return "open";
}

std::size_t Ledger::SpanHash::operator()(const Span& span) const {
  const auto place = std::uint64_t{span.begin} << 32U | span.end;
  const auto mixed =
      (place ^ std::uint64_t{static_cast<std::uint32_t>(span.source)}) * 0x9E3779B97F4A7C15U;
  return static_cast<std::size_t>(mixed ^ mixed >> 32U);
}

EntryId Ledger::open(Span span, std::string text, std::optional<EntryId> parent) {
  const auto id = static_cast<EntryId>(entries_.size());
  entries_.push_back({.span = span, .text = std::move(text), .parent = parent});
  if (parent)
    entries_[static_cast<std::size_t>(*parent)].children.push_back(id);
  // A parent is opened before its children, so the first entry with a span is the outermost.
  by_span_.try_emplace(span, id);
  return id;
}

EntryId Ledger::open_comment(Span span, std::string text) {
  const EntryId id = open(span, std::move(text), std::nullopt);
  entries_.back().comment = true;
  return id;
}

void Ledger::settle(EntryId id, Disposition disposition, std::string why, std::string rule,
                    std::optional<FindingId> finding) {
  if (disposition == Disposition::open)
    return; // says nothing; the entry stays open and is found
  Entry& entry = entries_[static_cast<std::size_t>(id)];
  if (entry.disposition != Disposition::open) {
    double_settled_.push_back(id);
    return;
  }
  // A stack rather than recursion: scripts may nest deeper than the machine's stack.
  std::vector<EntryId> pending{id};
  while (!pending.empty()) {
    Entry& current = entries_[static_cast<std::size_t>(pending.back())];
    pending.pop_back();
    pending.insert(pending.end(), current.children.begin(), current.children.end());
    if (current.disposition != Disposition::open)
      continue;
    current.disposition = disposition;
    current.why = why;
    current.rule = rule;
    current.finding = finding;
  }
}

void Ledger::cite(EntryId id, Span statement) {
  entries_[static_cast<std::size_t>(id)].stands_in.push_back(statement);
}

bool Ledger::settled(EntryId id) const {
  std::vector<EntryId> pending{id};
  while (!pending.empty()) {
    const Entry& current = (*this)[pending.back()];
    pending.pop_back();
    if (current.disposition != Disposition::open)
      continue;
    if (current.children.empty())
      return false;
    pending.insert(pending.end(), current.children.begin(), current.children.end());
  }
  return true;
}

std::vector<EntryId> Ledger::still_open() const {
  std::vector<EntryId> ids;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (entry.children.empty() && entry.disposition == Disposition::open) {
      ids.push_back(static_cast<EntryId>(i));
    }
  }
  return ids;
}

std::optional<EntryId> Ledger::find(const Span& span) const {
  const auto found = by_span_.find(span);
  if (found == by_span_.end())
    return std::nullopt;
  return found->second;
}

} // namespace s2f::review
