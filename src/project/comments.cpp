// Settles the comments of a script.
//
// before:  # load the compiler      (open)  after:  a comment; goes with line 4: the image stands
//          module load gcc                          for it
#include "project/comments.hpp"

#include <set>

#include <fmt/format.h>

#include "ir/comments.hpp"

namespace s2f {

namespace {

using review::Disposition;

// What is said of a comment that stands nowhere, by what became of its statement.
bool settle_with(const ir::CommentPlace& place, review::EntryId comment, review::Ledger& ledger) {
  auto entry = ledger.find(place.statement->span);
  while (entry && ledger[*entry].disposition == Disposition::open) { // its parts are settled
    const auto& parts = ledger[*entry].children;
    entry = parts.empty() ? std::nullopt : std::optional(parts.front());
  }
  if (!entry) {
    return false;
  }
  const review::Entry& statement = ledger[*entry];
  if (statement.disposition == Disposition::kept) {
    ledger.settle(comment, Disposition::kept, statement.why, statement.rule);
    return true;
  }
  ledger.settle(comment, Disposition::comment,
                fmt::format("went with the statement that it speaks of: {}", statement.why));
  return true;
}

} // namespace

void settle_comments(const shell::Script& script, std::string_view text, review::Ledger& ledger,
                     const emit::Output* output) {
  std::set<source::Span> stand;
  if (output != nullptr && !script.comments.empty()) {
    for (const auto& [line, span] : output->lines) {
      stand.insert(span);
    }
  }
  for (const shell::Comment& comment : script.comments) {
    const auto entry = ledger.find(comment.span);
    if (!entry || !ledger[*entry].comment || ledger.settled(*entry)) {
      continue;
    }
    if (stand.contains(comment.span)) {
      ledger.settle(*entry, Disposition::comment,
                    comment.whole_line ? "a comment" : "a comment on the statement before it");
      continue;
    }
    const bool with =
        ir::for_comment_places(script, text, comment, [&](const ir::CommentPlace& place) {
          return settle_with(place, *entry, ledger);
        });
    if (!with) {
      ledger.settle(*entry, Disposition::dropped, "the script says it of nothing that it does");
    }
  }
}

void hand_comments(const shell::Script& script, const review::Ledger& from,
                   const source::Sources& sources, review::Ledger& to) {
  for (const shell::Comment& comment : script.comments) {
    const source::Span outer = sources.to_file(comment.span);
    const auto entry = from.find(comment.span);
    if (!entry || !from[*entry].comment || outer.source == comment.span.source) {
      continue;
    }
    const review::Entry& said = from[*entry];
    if (said.disposition == Disposition::open) {
      continue;
    }
    if (const auto own = to.find(outer); !own) {
      to.settle(to.open_comment(comment.span, said.text), said.disposition, said.why, said.rule);
    } else if (!to.settled(*own)) {
      to.settle(*own, said.disposition, said.why, said.rule);
    }
  }
}

} // namespace s2f
