// Lays the comments of a driver to the steps of `main` that stand for what they speak of.
//
// before:  Bind{rates}, Each{...}           after:  the same, each with what the script says of it
#include <algorithm>

#include "ir/comments.hpp"
#include "passes/driver.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;
using Steps = std::vector<ir::DriverStep>;

// The first that stands for the statement, the outermost before those in it.
ir::DriverStep* step_of(Steps& steps, const source::Span& statement) {
  for (ir::DriverStep& step : steps) {
    if (statement.contains(step.span)) {
      return &step;
    }
    ir::DriverStep* found = nullptr;
    if (auto* each = std::get_if<ir::Each>(&step.value)) {
      found = step_of(each->body, statement);
    } else if (auto* choice = std::get_if<ir::Choice>(&step.value)) {
      for (auto branch = choice->branches.begin();
           branch != choice->branches.end() && found == nullptr; ++branch) {
        found = step_of(branch->body, statement);
      }
    }
    if (found != nullptr) {
      return found;
    }
  }
  return nullptr;
}

} // namespace

void driver_comments(ir::Driver& driver, const review::Ledger& ledger, std::string_view text,
                     std::string_view masked) {
  for (const shell::Comment& each : driver.script->comments) {
    const std::string_view written = masked.substr(each.span.begin, each.span.size());
    const ir::Comment comment{ir::comment_text(written), each.span};
    const auto own = ledger.find(each.span);
    if (comment.text.empty() || !own || !ledger[*own].comment || ledger.settled(*own)) {
      continue;
    }
    const auto put = [&](const ir::CommentPlace& place) {
      if (ir::DriverStep* step = step_of(driver.steps, place.statement->span)) {
        const bool below = place.where == ir::CommentPlace::Where::below ||
                           (place.where == ir::CommentPlace::Where::behind &&
                            (std::holds_alternative<ir::Each>(step->value) ||
                             std::holds_alternative<ir::Choice>(step->value)));
        (below ? step->below : step->comments).push_back(comment);
        return true;
      }
      const auto entry = ledger.find(place.statement->span);
      return entry && !place.apart &&
             (ledger[*entry].disposition == Disposition::dropped ||
              ledger[*entry].disposition == Disposition::platform);
    };
    (void)ir::for_comment_places(*driver.script, text, each, put);
  }
}

} // namespace s2f::passes
