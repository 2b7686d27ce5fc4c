// Finds the statement that a comment speaks of.
//
// before:  if [ -f x ]; then # there        after:  above the first statement of the branch
//            ./run x  # twice                       behind ./run x
//            # not more                             below ./run x
//          fi
#include "ir/comments.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace s2f::ir {

namespace {

using Where = CommentPlace::Where;
using Block = std::vector<shell::Statement>;

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

class Finder {
public:
  Finder(const shell::Script& script, std::string_view text, const shell::Comment& comment,
         const std::function<bool(const CommentPlace&)>& take)
      : script_(script), text_(text), at_(comment.span), take_(take) {}

  bool within(const Block& block) {
    const auto next = std::ranges::partition_point(
        block, [&](const shell::Statement& each) { return each.span.end <= at_.begin; });
    if (next != block.end() && next->span.begin <= at_.begin) {
      return inside(*next);
    }
    if (next != block.begin() && same_line(std::prev(next)->span.end) &&
        take_({Where::behind, &*std::prev(next), false})) {
      return true;
    }
    for (auto each = next; each != block.end(); ++each) {
      if (take_({Where::above, &*each, each != next || apart(each->span.begin)})) {
        return true;
      }
    }
    for (auto each = next; each != block.begin();) {
      if (take_({Where::below, &*--each, true})) {
        return true;
      }
    }
    return false;
  }

private:
  bool inside(const shell::Statement& statement) {
    const Block* before = nullptr;
    const Block* after = nullptr;
    for (const Block* block : blocks_of(statement)) {
      if (block->empty()) {
        continue;
      }
      if (block->front().span.begin > at_.begin) {
        after = block;
        break;
      }
      before = block;
    }
    const bool first = before == nullptr && after != nullptr;
    if (first && std::holds_alternative<shell::Case>(statement.value) &&
        same_line(statement.span.begin)) { // on what is asked
      return take_({Where::above, &statement, false});
    }
    if (before != nullptr && (at_.begin < before->back().span.end || !left(*before))) {
      return within(*before) || take_({Where::around, &statement, false});
    }
    if (after != nullptr) {
      return within(*after) || take_({Where::around, &statement, false});
    }
    return take_({before == nullptr ? Where::above : Where::below, &statement, false});
  }

  // Whether a block has ended where the comment stands; what is behind `;;` on its line is its own.
  [[nodiscard]] bool left(const Block& block) const {
    const std::uint32_t end = block.back().span.end;
    const std::string_view between = text_.substr(end, at_.begin - end);
    return word_behind(end) && between.find_first_not_of(" \t;") != std::string_view::npos;
  }

  [[nodiscard]] bool same_line(std::uint32_t from) const {
    return text_.substr(from, at_.begin - from).find('\n') == std::string_view::npos;
  }

  // Whether an empty line stands between the comment and what is behind it.
  [[nodiscard]] bool apart(std::uint32_t to) const {
    bool empty = false;
    for (std::size_t i = std::min<std::size_t>(text_.size(), at_.end); i < to; ++i) {
      if (text_[i] == '\n') {
        if (std::exchange(empty, true)) {
          return true;
        }
      } else if (!blank(text_[i])) {
        empty = false;
      }
    }
    return false;
  }

  // Whether `then`, `else`, `;;` or the like stands between a statement and the comment.
  [[nodiscard]] bool word_behind(std::uint32_t from) const {
    for (std::uint32_t i = from; i < at_.begin;) {
      const char c = text_[i];
      if (c == '#') {
        const auto other = std::ranges::lower_bound(
            script_.comments, i, {}, [](const shell::Comment& each) { return each.span.begin; });
        if (other == script_.comments.end() || other->span.begin != i) {
          return true;
        }
        i = std::max(i + 1, other->span.end);
        continue;
      }
      const bool ends = c == ';' && (i + 1 >= text_.size() || text_[i + 1] != ';') &&
                        (i == from || text_[i - 1] != ';');
      if (!blank(c) && c != '\n' && c != '\\' && !ends) {
        return true;
      }
      ++i;
    }
    return false;
  }

  const shell::Script& script_;
  std::string_view text_;
  Span at_;
  const std::function<bool(const CommentPlace&)>& take_;
};

void add_blocks(const shell::Statement& statement, std::vector<const Block*>& blocks) {
  if (const auto* choice = std::get_if<shell::If>(&statement.value)) {
    for (const shell::IfBranch& branch : choice->branches) {
      blocks.push_back(&branch.condition);
      blocks.push_back(&branch.body);
    }
  } else if (const auto* again = std::get_if<shell::While>(&statement.value)) {
    blocks = {&again->condition, &again->body};
  } else if (const auto* loop = std::get_if<shell::For>(&statement.value)) {
    blocks = {&loop->body};
  } else if (const auto* counted = std::get_if<shell::ArithmeticFor>(&statement.value)) {
    blocks = {&counted->body};
  } else if (const auto* choices = std::get_if<shell::Case>(&statement.value)) {
    for (const shell::CaseItem& item : choices->items) {
      blocks.push_back(&item.body);
    }
  } else if (const auto* group = std::get_if<shell::Group>(&statement.value)) {
    blocks = {&group->body};
  } else if (const auto* subshell = std::get_if<shell::Subshell>(&statement.value)) {
    blocks = {&subshell->body};
  } else if (const auto* piped = std::get_if<shell::Pipeline>(&statement.value)) {
    blocks = {&piped->commands};
  } else if (const auto* list = std::get_if<shell::AndOr>(&statement.value)) {
    add_blocks(*list->left, blocks);
    add_blocks(*list->right, blocks);
  } else if (const auto* function = std::get_if<shell::Function>(&statement.value)) {
    add_blocks(*function->body, blocks);
  } else if (const auto* beside = std::get_if<shell::Coprocess>(&statement.value)) {
    add_blocks(*beside->body, blocks);
  }
}

} // namespace

std::vector<const Block*> blocks_of(const shell::Statement& statement) {
  std::vector<const Block*> blocks;
  add_blocks(statement, blocks);
  return blocks;
}

bool for_comment_places(const shell::Script& script, std::string_view text,
                        const shell::Comment& comment,
                        const std::function<bool(const CommentPlace&)>& take) {
  return Finder(script, text, comment, take).within(script.statements);
}

std::string comment_text(std::string_view text) {
  const auto word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c < 0;
  };
  if (std::ranges::none_of(text, word)) {
    return {};
  }
  while (text.starts_with('#')) {
    text.remove_prefix(1);
  }
  if (text.starts_with('!') && !text.starts_with("!/")) { // "#! Name of the job:"
    text.remove_prefix(1);
  }
  if (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
    text.remove_suffix(1);
  }
  return std::string(text);
}

} // namespace s2f::ir
