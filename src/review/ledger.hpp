// The ledger: every directive, statement and comment of a script gets an entry, and every entry
// must be settled.
//
// Entries form a tree (script -> statement -> option, assignment, redirection ...). A parent is
// settled when it was settled itself or all its children are; settling one entry twice is an
// internal error (S2F901), one that is still open at the end another (S2F900).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "source/source.hpp"

namespace s2f::review {

using source::Span;

enum class Disposition {
  open,
  converted,
  adjusted,
  decision,
  platform,
  kept,
  dropped,
  inert,
  comment
};
[[nodiscard]] std::string_view to_string(Disposition disposition);

enum class EntryId : std::uint32_t {};
enum class FindingId : std::uint32_t {};

struct Entry {
  Span span{};
  std::string
      text{}; // what stands in the report: the option as written, the statement's first line ...
  std::optional<EntryId> parent;
  Disposition disposition = Disposition::open;
  std::string why;  // a clause for a person: "Flyte keeps each task's log"
  std::string rule; // "S2F102", or "" where no rule applies
  std::optional<FindingId> finding;
  std::vector<EntryId> children;
  bool comment = false;        // of the script
  std::vector<Span> stands_in; // statements in which it stands, where it has no line of its own
};

class Ledger {
public:
  EntryId open(Span span, std::string text, std::optional<EntryId> parent = std::nullopt);
  // One for a comment of the script.
  EntryId open_comment(Span span, std::string text);
  // Settles an entry; entries below it that are still open are settled with it, with the same
  // words. A second time: the first settlement stands, and `double_settled` grows.
  void settle(EntryId id, Disposition disposition, std::string why, std::string rule = {},
              std::optional<FindingId> finding = std::nullopt);
  // The entry's meaning stands where that statement does.
  void cite(EntryId id, Span statement);
  [[nodiscard]] bool settled(EntryId id) const; // by itself, or by all its children (at least one)
  [[nodiscard]] const Entry& operator[](EntryId id) const {
    return entries_[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] std::vector<EntryId>
  still_open() const; // entries without children that nothing settled
  [[nodiscard]] const std::vector<EntryId>& double_settled() const { return double_settled_; }
  // The entry with exactly this span, the outermost if several.
  [[nodiscard]] std::optional<EntryId> find(const Span& span) const;

private:
  struct SpanHash {
    std::size_t operator()(const Span& span) const;
  };
  std::vector<Entry> entries_;
  std::vector<EntryId> double_settled_;
  std::unordered_map<Span, EntryId, SpanHash> by_span_; // the first entry opened with a span
};

} // namespace s2f::review
