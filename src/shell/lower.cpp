// Tokens to statements: a skeleton text for tree-sitter, and its tree back to ours.
#include "shell/lower.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>

#include <tree_sitter/api.h>

extern "C" const TSLanguage* tree_sitter_bash(void);

namespace s2f::shell {

namespace {

// ---- tree-sitter -------------------------------------------------------------------------------

struct ParserDeleter {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

struct TreeDeleter {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};

using Parser = std::unique_ptr<TSParser, ParserDeleter>;
using Tree = std::unique_ptr<TSTree, TreeDeleter>;

// The node kinds that a skeleton can yield.
struct Symbols {
  TSSymbol command, list, pipeline, subshell, group, if_, elif, else_, while_, for_, do_group,
      case_, case_item;
};

const Symbols& symbols() {
  static const Symbols table = [] {
    const TSLanguage* language = tree_sitter_bash();
    auto symbol = [&](std::string_view name) {
      return ts_language_symbol_for_name(language, name.data(),
                                         static_cast<std::uint32_t>(name.size()), true);
    };
    return Symbols{symbol("command"),
                   symbol("list"),
                   symbol("pipeline"),
                   symbol("subshell"),
                   symbol("compound_statement"),
                   symbol("if_statement"),
                   symbol("elif_clause"),
                   symbol("else_clause"),
                   symbol("while_statement"),
                   symbol("for_statement"),
                   symbol("do_group"),
                   symbol("case_statement"),
                   symbol("case_item")};
  }();
  return table;
}

// Counted in steps of the parser rather than in seconds, so that a text has one result on every
// machine.
struct Budget {
  std::uint64_t calls_left = 0;
};

bool gives_up(TSParseState* state) {
  auto* budget = static_cast<Budget*>(state->payload);
  // With an error in it the tree is of no use, and recovery is what costs.
  if (state->has_error || budget->calls_left == 0) {
    return true;
  }
  --budget->calls_left;
  return false;
}

Tree parse_skeleton(const std::string& text) {
  thread_local const Parser parser = [] {
    Parser made(ts_parser_new());
    ts_parser_set_language(made.get(), tree_sitter_bash());
    return made;
  }();
  const std::string* payload = &text;
  TSInput input{};
  input.payload = &payload;
  input.read = [](void* data, std::uint32_t at, TSPoint /*point*/, std::uint32_t* length) {
    const std::string& whole = **static_cast<const std::string**>(data);
    *length = at < whole.size() ? static_cast<std::uint32_t>(whole.size()) - at : 0;
    return at < whole.size() ? whole.data() + at : "";
  };
  input.encoding = TSInputEncodingUTF8;
  // The parser asks every hundred steps; a sound skeleton needs about two steps a byte.
  Budget budget{1000 + text.size()};
  TSParseOptions options{};
  options.payload = &budget;
  options.progress_callback = gives_up;
  Tree tree(ts_parser_parse_with_options(parser.get(), nullptr, input, options));
  if (!tree) {
    ts_parser_reset(parser.get());
  }
  return tree;
}

// ---- the skeleton ------------------------------------------------------------------------------

std::string_view skeleton_of(const Token& token) {
  switch (token.kind) {
  case TokenKind::none:
    return "";
  case TokenKind::unit:
    return "x ";
  case TokenKind::separator:
    return "; ";
  case TokenKind::background:
    return "& ";
  case TokenKind::and_if:
    return "&& ";
  case TokenKind::or_if:
    return "|| ";
  case TokenKind::pipe:
    return "| ";
  case TokenKind::pipe_both:
    return "|& ";
  case TokenKind::open_paren:
    return "( ";
  case TokenKind::close_paren:
    return ") ";
  // It does not know `for x in a; { b; }`.
  case TokenKind::open_brace:
    return token.flavor == 0 ? "{ " : "do ";
  case TokenKind::close_brace:
    return token.flavor == 0 ? "} " : "done ";
  case TokenKind::if_:
    return "if ";
  case TokenKind::then:
    return "then ";
  case TokenKind::elif:
    return "elif ";
  case TokenKind::else_:
    return "else ";
  case TokenKind::fi:
    return "fi ";
  case TokenKind::while_:
    return "while ";
  case TokenKind::until:
    return "until ";
  case TokenKind::do_:
    return "do ";
  case TokenKind::done:
    return "done ";
  case TokenKind::for_header:
    return "for x in x;";
  case TokenKind::case_header:
    return "case x in ";
  case TokenKind::case_pattern:
    return "x) ";
  case TokenKind::case_end:
    return ";; ";
  case TokenKind::esac:
    return "esac ";
  }
  return "";
}

struct Skeleton {
  std::string text;
  std::vector<std::uint32_t> token_at; // for each byte of `text`
};

Skeleton skeleton_of(const Body& body, std::uint32_t first, std::uint32_t end) {
  Skeleton skeleton;
  skeleton.text.reserve(std::size_t{end - first} * 3);
  skeleton.token_at.reserve(std::size_t{end - first} * 3);
  for (std::uint32_t token = first; token < end; ++token) {
    const std::string_view text = skeleton_of(body.tokens[token]);
    skeleton.text += text;
    skeleton.token_at.insert(skeleton.token_at.end(), text.size(), token);
  }
  return skeleton;
}

// ---- back to statements ------------------------------------------------------------------------

using Nodes = std::vector<TSNode>;

class Lowering {
public:
  Lowering(Body& body, source::SourceId source, const Skeleton& skeleton)
      : body_(body), source_(source), skeleton_(skeleton) {}

  [[nodiscard]] bool ok() const { return ok_; }

  std::vector<Statement> statements(std::span<const TSNode> nodes) {
    std::vector<Statement> out;
    for (const TSNode& node : nodes) {
      if (ts_node_is_named(node)) {
        out.push_back(statement(node));
        continue;
      }
      const Token& token = token_of(node);
      if (token.kind == TokenKind::background && !out.empty()) {
        out.back().background = true;
        out.back().span.end = std::max(out.back().span.end, token.end);
      } else if (token.kind != TokenKind::separator) {
        ok_ = false;
      }
    }
    return out;
  }

  // A simple command, [[ ]] or (( )).
  Statement unit(std::uint32_t index) {
    const Token& token = body_.tokens[index];
    Statement out;
    out.span = {source_, token.begin, token.end};
    if (token.kind != TokenKind::unit || token.unit < 0) {
      ok_ = false;
      return out;
    }
    Unit& unit = body_.units[static_cast<std::size_t>(token.unit)];
    if (auto* simple = std::get_if<SimpleCommand>(&unit)) {
      out.value = std::move(*simple);
    } else if (auto* test = std::get_if<Test>(&unit)) {
      out.value = std::move(*test);
    } else if (auto* arithmetic = std::get_if<ArithmeticCommand>(&unit)) {
      out.value = std::move(*arithmetic);
    } else {
      ok_ = false;
    }
    take_redirects(token, out);
    return wrapped(token, std::move(out));
  }

  // With what stands before the pipeline that begins with this token.
  Statement prefixed(std::uint32_t index, Statement out) {
    const Token& token = body_.tokens[index];
    if (token.prefix >= 0) {
      const Prefix& prefix = body_.prefixes[static_cast<std::size_t>(token.prefix)];
      out.negated = prefix.negated;
      out.timed = prefix.timed;
      out.span.begin = std::min(out.span.begin, prefix.begin);
    }
    return out;
  }

private:
  const Token& token_of(TSNode node) { return body_.tokens[index_of(node)]; }

  std::uint32_t index_of(TSNode node) {
    const std::uint32_t at = ts_node_start_byte(node);
    if (at >= skeleton_.token_at.size()) {
      ok_ = false;
      return 0;
    }
    return skeleton_.token_at[at];
  }

  // The token in which a node ends.
  std::uint32_t last_index_of(TSNode node) {
    const std::uint32_t end = ts_node_end_byte(node);
    if (end == 0 || end > skeleton_.token_at.size()) {
      ok_ = false;
      return 0;
    }
    return skeleton_.token_at[end - 1];
  }

public:
  static Nodes children_of(TSNode node) {
    Nodes children;
    children.reserve(ts_node_child_count(node));
    TSTreeCursor cursor = ts_tree_cursor_new(node);
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      do {
        children.push_back(ts_tree_cursor_current_node(&cursor));
      } while (ts_tree_cursor_goto_next_sibling(&cursor));
    }
    ts_tree_cursor_delete(&cursor);
    return children;
  }

private:
  void take_redirects(const Token& token, Statement& out) {
    for (std::uint32_t i = 0; i < token.redirects; ++i) {
      const std::size_t at = token.first_redirect + i;
      out.span.end =
          std::max({out.span.end, body_.redirects[at].span.end, body_.redirect_ends[at]});
      out.span.begin = std::min(out.span.begin, body_.redirects[at].span.begin);
      out.redirects.push_back(std::move(body_.redirects[at]));
    }
  }

  // A function definition or coprocess around its body.
  Statement wrapped(const Token& first, Statement inner) {
    if (first.prefix < 0) {
      return inner;
    }
    Prefix& prefix = body_.prefixes[static_cast<std::size_t>(first.prefix)];
    if (!prefix.function && !prefix.coprocess) {
      return inner;
    }
    Statement out;
    out.span = {source_, std::min(prefix.command_begin, inner.span.begin), inner.span.end};
    if (prefix.function) {
      out.value = Function{std::move(*prefix.function), Box<Statement>(std::move(inner))};
    } else {
      out.value = Coprocess{std::move(prefix.coprocess_name), Box<Statement>(std::move(inner))};
    }
    return out;
  }

  // Pipelines with `&&` and `||` between them, or one command. tree-sitter hangs `a | b | c && d`
  // wrongly, but its leaves are in the order of the text, and of the operators only two things
  // need knowing: `|` binds tighter, and the rest bind to the left with equal strength.
  Statement statement(TSNode node) {
    const Symbols& s = symbols();
    const TSSymbol symbol = ts_node_symbol(node);
    if (symbol != s.list && symbol != s.pipeline) {
      return prefixed(index_of(node), command(node));
    }
    const Nodes leaves = flatten(node);
    if (leaves.size() % 2 == 0) {
      ok_ = false;
      return {};
    }
    std::size_t at = 0;
    Statement left = pipeline(leaves, at);
    for (std::size_t length = 1; at < leaves.size() && ok_; ++length) {
      const TokenKind kind = token_of(leaves[at]).kind;
      if ((kind != TokenKind::and_if && kind != TokenKind::or_if) || length > max_list_length) {
        ok_ = false;
        break;
      }
      ++at;
      Statement right = pipeline(leaves, at);
      Statement both;
      both.span = {source_, left.span.begin, std::max(left.span.end, right.span.end)};
      both.value = AndOr{kind == TokenKind::and_if, Box<Statement>(std::move(left)),
                         Box<Statement>(std::move(right))};
      left = std::move(both);
    }
    return left;
  }

  // Commands and operators below lists and pipelines, in the order of the text.
  static Nodes flatten(TSNode node) {
    const Symbols& s = symbols();
    Nodes leaves;
    Nodes open{node};
    while (!open.empty()) {
      const TSNode next = open.back();
      open.pop_back();
      const TSSymbol symbol = ts_node_symbol(next);
      if (symbol != s.list && symbol != s.pipeline) {
        leaves.push_back(next);
        continue;
      }
      const Nodes children = children_of(next);
      open.insert(open.end(), children.rbegin(), children.rend());
    }
    return leaves;
  }

  // The command at `at` and all that it is piped to; leaves `at` on the operator after them.
  Statement pipeline(const Nodes& leaves, std::size_t& at) {
    const std::uint32_t first = index_of(leaves[at]);
    Pipeline out;
    for (;;) {
      out.commands.push_back(command(leaves[at++]));
      if (at + 1 >= leaves.size()) {
        break;
      }
      const TokenKind kind = token_of(leaves[at]).kind;
      if (kind != TokenKind::pipe && kind != TokenKind::pipe_both) {
        break;
      }
      out.pipes_stderr.push_back(kind == TokenKind::pipe_both);
      ++at;
    }
    if (out.commands.size() == 1) {
      return prefixed(first, std::move(out.commands.front()));
    }
    Statement result;
    result.span = out.commands.front().span;
    for (const Statement& each : out.commands) {
      result.span.end = std::max(result.span.end, each.span.end);
    }
    result.value = std::move(out);
    return prefixed(first, std::move(result));
  }

  Statement command(TSNode node) {
    const Symbols& s = symbols();
    const TSSymbol symbol = ts_node_symbol(node);
    const std::uint32_t first = index_of(node);
    const std::uint32_t last = last_index_of(node);
    if (!ok_) {
      return {};
    }
    if (symbol == s.command) {
      if (first != last) {
        ok_ = false;
      }
      return unit(first);
    }
    Statement out;
    out.span = {source_, body_.tokens[first].begin, body_.tokens[last].end};
    const Nodes children = children_of(node);
    if (children.size() < 2) {
      ok_ = false;
      return out;
    }
    const std::span<const TSNode> inside(children.data() + 1, children.size() - 2);
    if (symbol == s.subshell) {
      expect(first, TokenKind::open_paren, last, TokenKind::close_paren);
      out.value = Subshell{statements(inside)};
      cover(out, std::get<Subshell>(out.value).body);
    } else if (symbol == s.group) {
      expect(first, TokenKind::open_brace, last, TokenKind::close_brace);
      out.value = Group{statements(inside)};
      cover(out, std::get<Group>(out.value).body);
    } else if (symbol == s.if_) {
      expect(first, TokenKind::if_, last, TokenKind::fi);
      out.value = if_statement(children, out);
    } else if (symbol == s.while_) {
      out.value = while_loop(children, out);
    } else if (symbol == s.for_) {
      for_loop(children, first, out);
    } else if (symbol == s.case_) {
      expect(first, TokenKind::case_header, last, TokenKind::esac);
      case_command(children, first, out);
    } else {
      ok_ = false;
    }
    take_redirects(body_.tokens[last], out);
    return wrapped(body_.tokens[first], std::move(out));
  }

  void expect(std::uint32_t first, TokenKind opens, std::uint32_t last, TokenKind closes) {
    if (body_.tokens[first].kind != opens || body_.tokens[last].kind != closes) {
      ok_ = false;
    }
  }

  // A heredoc inside may end after the keyword that closes the command.
  static void cover(Statement& out, const std::vector<Statement>& body) {
    for (const Statement& inner : body) {
      out.span.end = std::max(out.span.end, inner.span.end);
    }
  }

  If if_statement(const Nodes& children, Statement& out) {
    const Symbols& s = symbols();
    If result;
    result.branches.push_back(branch(children, true));
    for (const TSNode& child : children) {
      const TSSymbol symbol = ts_node_symbol(child);
      if (symbol == s.elif) {
        result.branches.push_back(branch(children_of(child), true));
      } else if (symbol == s.else_) {
        result.branches.push_back(branch(children_of(child), false));
        result.has_else = true;
      }
    }
    for (const IfBranch& branch : result.branches) {
      cover(out, branch.condition);
      cover(out, branch.body);
    }
    return result;
  }

  // `if` or `elif` with condition and body, or `else` with its body; up to what is no part of it.
  IfBranch branch(const Nodes& children, bool conditional) {
    const Symbols& s = symbols();
    std::size_t then = 0;
    std::size_t end = 1;
    for (; end < children.size(); ++end) {
      const TSNode& child = children[end];
      const TSSymbol symbol = ts_node_symbol(child);
      if (symbol == s.elif || symbol == s.else_) {
        break;
      }
      if (ts_node_is_named(child)) {
        continue;
      }
      const TokenKind kind = token_of(child).kind;
      if (kind == TokenKind::fi) {
        break;
      }
      if (kind == TokenKind::then) {
        then = end;
      }
    }
    IfBranch out;
    const std::span<const TSNode> all(children);
    if (conditional && then == 0) {
      ok_ = false;
      return out;
    }
    if (conditional) {
      out.condition = statements(all.subspan(1, then - 1));
    }
    out.body = statements(all.subspan(then + 1, end - then - 1));
    out.span = {source_, token_of(children.front()).begin,
                body_.tokens[last_index_of(children[end - 1])].end};
    for (const Statement& inner : out.body) {
      out.span.end = std::max(out.span.end, inner.span.end);
    }
    return out;
  }

  std::vector<Statement> loop_body(TSNode node, Statement& out) {
    const Nodes children = children_of(node);
    if (children.size() < 2) {
      ok_ = false;
      return {};
    }
    const std::span<const TSNode> inside(children.data() + 1, children.size() - 2);
    std::vector<Statement> body = statements(inside);
    cover(out, body);
    return body;
  }

  While while_loop(const Nodes& children, Statement& out) {
    While loop;
    const TokenKind kind = token_of(children.front()).kind;
    loop.until = kind == TokenKind::until;
    if ((kind != TokenKind::while_ && !loop.until) ||
        ts_node_symbol(children.back()) != symbols().do_group) {
      ok_ = false;
      return loop;
    }
    loop.condition = statements(std::span<const TSNode>(children.data() + 1, children.size() - 2));
    cover(out, loop.condition);
    loop.body = loop_body(children.back(), out);
    return loop;
  }

  void for_loop(const Nodes& children, std::uint32_t first, Statement& out) {
    const Token& header = body_.tokens[first];
    const TSSymbol symbol = ts_node_symbol(children.back());
    if (header.kind != TokenKind::for_header || header.unit < 0 || symbol != symbols().do_group) {
      ok_ = false;
      return;
    }
    Unit& unit = body_.units[static_cast<std::size_t>(header.unit)];
    std::vector<Statement> body = loop_body(children.back(), out);
    if (auto* loop = std::get_if<For>(&unit)) {
      loop->body = std::move(body);
      out.value = std::move(*loop);
    } else if (auto* arithmetic = std::get_if<ArithmeticFor>(&unit)) {
      arithmetic->body = std::move(body);
      out.value = std::move(*arithmetic);
    } else {
      ok_ = false;
    }
  }

  void case_command(const Nodes& children, std::uint32_t first, Statement& out) {
    const Token& header = body_.tokens[first];
    auto* result = header.unit < 0
                       ? nullptr
                       : std::get_if<Case>(&body_.units[static_cast<std::size_t>(header.unit)]);
    if (result == nullptr) {
      ok_ = false;
      return;
    }
    for (const TSNode& child : children) {
      if (ts_node_symbol(child) == symbols().case_item) {
        result->items.push_back(case_item(children_of(child)));
        cover(out, result->items.back().body);
      }
    }
    out.value = std::move(*result);
  }

  CaseItem case_item(const Nodes& children) {
    const std::uint32_t first = index_of(children.front());
    const Token& token = body_.tokens[first];
    auto* made = token.unit < 0 || token.kind != TokenKind::case_pattern
                     ? nullptr
                     : std::get_if<CaseItem>(&body_.units[static_cast<std::size_t>(token.unit)]);
    if (made == nullptr) {
      ok_ = false;
      return {};
    }
    CaseItem item = std::move(*made);
    std::size_t begin = 0;
    while (begin < children.size() && index_of(children[begin]) == first) {
      ++begin; // the pattern and its parenthesis
    }
    std::size_t end = children.size();
    item.span = {source_, token.begin, token.end};
    if (end > begin && !ts_node_is_named(children[end - 1])) {
      const Token& terminator = token_of(children[end - 1]);
      if (terminator.kind == TokenKind::case_end) {
        constexpr std::array<std::string_view, 3> spelling = {";;", ";&", ";;&"};
        item.terminator = std::string(spelling[terminator.flavor]);
        item.span.end = terminator.end;
        --end;
      }
    }
    item.body = statements(std::span<const TSNode>(children.data() + begin, end - begin));
    for (const Statement& inner : item.body) {
      item.span.end = std::max(item.span.end, inner.span.end);
    }
    return item;
  }

  Body& body_;
  source::SourceId source_;
  const Skeleton& skeleton_;
  bool ok_ = true;
};

} // namespace

std::optional<std::vector<Statement>> lower(Body& body, source::SourceId source,
                                            std::uint32_t first, std::uint32_t end) {
  // One command alone hangs on nothing: most substitutions are that, and need no grammar.
  const bool single =
      end > first && body.tokens[first].kind == TokenKind::unit &&
      std::all_of(body.tokens.begin() + first + 1, body.tokens.begin() + end,
                  [](const Token& token) { return token.kind == TokenKind::separator; });
  if (first == end) {
    return std::vector<Statement>{};
  }
  if (single) {
    Lowering lowering(body, source, {});
    std::vector<Statement> out;
    out.push_back(lowering.prefixed(first, lowering.unit(first)));
    if (!lowering.ok()) {
      return std::nullopt;
    }
    return out;
  }
  const Skeleton skeleton = skeleton_of(body, first, end);
  const Tree tree = parse_skeleton(skeleton.text);
  if (!tree) {
    return std::nullopt;
  }
  const TSNode root = ts_tree_root_node(tree.get());
  if (ts_node_has_error(root)) {
    return std::nullopt;
  }
  Lowering lowering(body, source, skeleton);
  std::vector<Statement> out = lowering.statements(Lowering::children_of(root));
  if (!lowering.ok()) {
    return std::nullopt;
  }
  return out;
}

} // namespace s2f::shell
