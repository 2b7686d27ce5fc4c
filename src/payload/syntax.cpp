// Runs tree-sitter's Python grammar and copies its tree into the flat list.
#include "payload/syntax.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include <tree_sitter/api.h>

extern "C" const TSLanguage* tree_sitter_python(void);

namespace s2f::payload {
namespace {

using namespace std::string_view_literals;

// No payload that a person wrote is near these; they keep generated or hostile ones cheap.
constexpr std::size_t largest_text = std::size_t{1} << 20;
constexpr std::size_t most_nodes = std::size_t{4} << 20;

constexpr std::array kinds = {
    std::pair{"ERROR"sv, Kind::error},
    std::pair{"aliased_import"sv, Kind::aliased_import},
    std::pair{"argument_list"sv, Kind::argument_list},
    std::pair{"as_pattern"sv, Kind::as_pattern},
    std::pair{"as_pattern_target"sv, Kind::as_pattern_target},
    std::pair{"assignment"sv, Kind::assignment},
    std::pair{"attribute"sv, Kind::attribute},
    std::pair{"augmented_assignment"sv, Kind::augmented_assignment},
    std::pair{"await"sv, Kind::await},
    std::pair{"binary_operator"sv, Kind::binary_operator},
    std::pair{"block"sv, Kind::block},
    std::pair{"boolean_operator"sv, Kind::boolean_operator},
    std::pair{"call"sv, Kind::call},
    std::pair{"class_definition"sv, Kind::class_definition},
    std::pair{"comparison_operator"sv, Kind::comparison_operator},
    std::pair{"concatenated_string"sv, Kind::concatenated_string},
    std::pair{"conditional_expression"sv, Kind::conditional_expression},
    std::pair{"decorated_definition"sv, Kind::decorated_definition},
    std::pair{"decorator"sv, Kind::decorator},
    std::pair{"default_parameter"sv, Kind::default_parameter},
    std::pair{"delete_statement"sv, Kind::delete_statement},
    std::pair{"dictionary"sv, Kind::dictionary},
    std::pair{"dictionary_splat"sv, Kind::dictionary_splat},
    std::pair{"dictionary_splat_pattern"sv, Kind::dictionary_splat_pattern},
    std::pair{"dotted_name"sv, Kind::dotted_name},
    std::pair{"ellipsis"sv, Kind::ellipsis},
    std::pair{"except_clause"sv, Kind::except_clause},
    std::pair{"except_group_clause"sv, Kind::except_group_clause},
    std::pair{"exec_statement"sv, Kind::exec_statement},
    std::pair{"expression_list"sv, Kind::expression_list},
    std::pair{"expression_statement"sv, Kind::expression_statement},
    std::pair{"false"sv, Kind::false_},
    std::pair{"finally_clause"sv, Kind::finally_clause},
    std::pair{"float"sv, Kind::float_},
    std::pair{"for_in_clause"sv, Kind::for_in_clause},
    std::pair{"for_statement"sv, Kind::for_statement},
    std::pair{"format_specifier"sv, Kind::format_specifier},
    std::pair{"function_definition"sv, Kind::function_definition},
    std::pair{"future_import_statement"sv, Kind::future_import_statement},
    std::pair{"generic_type"sv, Kind::generic_type},
    std::pair{"global_statement"sv, Kind::global_statement},
    std::pair{"identifier"sv, Kind::identifier},
    std::pair{"if_statement"sv, Kind::if_statement},
    std::pair{"import_from_statement"sv, Kind::import_from_statement},
    std::pair{"import_statement"sv, Kind::import_statement},
    std::pair{"integer"sv, Kind::integer},
    std::pair{"interpolation"sv, Kind::interpolation},
    std::pair{"keyword_argument"sv, Kind::keyword_argument},
    std::pair{"keyword_separator"sv, Kind::keyword_separator},
    std::pair{"lambda"sv, Kind::lambda},
    std::pair{"lambda_parameters"sv, Kind::lambda_parameters},
    std::pair{"list"sv, Kind::list},
    std::pair{"list_comprehension"sv, Kind::list_comprehension},
    std::pair{"list_pattern"sv, Kind::list_pattern},
    std::pair{"list_splat"sv, Kind::list_splat},
    std::pair{"list_splat_pattern"sv, Kind::list_splat_pattern},
    std::pair{"member_type"sv, Kind::member_type},
    std::pair{"module"sv, Kind::module},
    std::pair{"named_expression"sv, Kind::named_expression},
    std::pair{"none"sv, Kind::none},
    std::pair{"nonlocal_statement"sv, Kind::nonlocal_statement},
    std::pair{"not_operator"sv, Kind::not_operator},
    std::pair{"pair"sv, Kind::pair},
    std::pair{"parameters"sv, Kind::parameters},
    std::pair{"parenthesized_expression"sv, Kind::parenthesized_expression},
    std::pair{"pattern_list"sv, Kind::pattern_list},
    std::pair{"positional_separator"sv, Kind::positional_separator},
    std::pair{"print_statement"sv, Kind::print_statement},
    std::pair{"relative_import"sv, Kind::relative_import},
    std::pair{"return_statement"sv, Kind::return_statement},
    std::pair{"set"sv, Kind::set},
    std::pair{"slice"sv, Kind::slice},
    std::pair{"string"sv, Kind::string},
    std::pair{"string_content"sv, Kind::string_content},
    std::pair{"string_end"sv, Kind::string_end},
    std::pair{"string_start"sv, Kind::string_start},
    std::pair{"subscript"sv, Kind::subscript},
    std::pair{"true"sv, Kind::true_},
    std::pair{"try_statement"sv, Kind::try_statement},
    std::pair{"tuple"sv, Kind::tuple},
    std::pair{"tuple_pattern"sv, Kind::tuple_pattern},
    std::pair{"type"sv, Kind::type},
    std::pair{"type_conversion"sv, Kind::type_conversion},
    std::pair{"type_parameter"sv, Kind::type_parameter},
    std::pair{"typed_default_parameter"sv, Kind::typed_default_parameter},
    std::pair{"typed_parameter"sv, Kind::typed_parameter},
    std::pair{"unary_operator"sv, Kind::unary_operator},
    std::pair{"union_type"sv, Kind::union_type},
    std::pair{"wildcard_import"sv, Kind::wildcard_import},
    std::pair{"with_statement"sv, Kind::with_statement},
};

constexpr std::array fields = {
    std::pair{"alias"sv, Field::alias},
    std::pair{"alternative"sv, Field::alternative},
    std::pair{"argument"sv, Field::argument},
    std::pair{"arguments"sv, Field::arguments},
    std::pair{"attribute"sv, Field::attribute},
    std::pair{"body"sv, Field::body},
    std::pair{"condition"sv, Field::condition},
    std::pair{"consequence"sv, Field::consequence},
    std::pair{"definition"sv, Field::definition},
    std::pair{"function"sv, Field::function},
    std::pair{"key"sv, Field::key},
    std::pair{"left"sv, Field::left},
    std::pair{"module_name"sv, Field::module_name},
    std::pair{"name"sv, Field::name},
    std::pair{"object"sv, Field::object},
    std::pair{"operator"sv, Field::operator_},
    std::pair{"parameters"sv, Field::parameters},
    std::pair{"return_type"sv, Field::return_type},
    std::pair{"right"sv, Field::right},
    std::pair{"subscript"sv, Field::subscript},
    std::pair{"superclasses"sv, Field::superclasses},
    std::pair{"type"sv, Field::type},
    std::pair{"value"sv, Field::value},
};

// The grammar's numbers for kinds and fields, made into ours once a text.
struct Numbering {
  std::vector<Kind> kind_of;
  std::vector<Field> field_of;

  explicit Numbering(const TSLanguage* language)
      : kind_of(ts_language_symbol_count(language), Kind::other),
        field_of(ts_language_field_count(language) + 1, Field::none) {
    for (std::uint32_t symbol = 0; symbol < kind_of.size(); ++symbol) {
      const auto number = static_cast<TSSymbol>(symbol);
      if (ts_language_symbol_type(language, number) != TSSymbolTypeRegular)
        continue;
      const std::string_view name = ts_language_symbol_name(language, number);
      const auto* found = std::ranges::find(kinds, name, &decltype(kinds)::value_type::first);
      if (found != kinds.end())
        kind_of[symbol] = found->second;
    }
    for (const auto& [name, field] : fields) {
      const TSFieldId id = ts_language_field_id_for_name(language, name.data(),
                                                         static_cast<std::uint32_t>(name.size()));
      if (id != 0 && id < field_of.size())
        field_of[id] = field;
    }
  }
};

struct Input {
  std::string_view text;
  std::uint64_t steps_left = 0;
};

const char* read_input(void* payload, std::uint32_t offset, TSPoint, std::uint32_t* size) {
  const auto& input = *static_cast<const Input*>(payload);
  const auto rest = input.text.substr(std::min<std::size_t>(offset, input.text.size()));
  *size = static_cast<std::uint32_t>(rest.size());
  return rest.data();
}

// Steps instead of seconds, so that the same text always has the same outcome.
bool out_of_steps(TSParseState* state) {
  auto& input = *static_cast<Input*>(state->payload);
  return input.steps_left-- == 0;
}

using Tree = std::unique_ptr<TSTree, decltype(&ts_tree_delete)>;

Tree parse_text(std::string_view text) {
  const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser{ts_parser_new(),
                                                                      &ts_parser_delete};
  Tree none{nullptr, &ts_tree_delete};
  if (!ts_parser_set_language(parser.get(), tree_sitter_python()))
    return none;
  // One step is a hundred of the parser's own; ordinary text needs at most one for fifty bytes.
  Input input{.text = text, .steps_left = 20'000 + text.size() / 16};
  const TSInput reader{
      .payload = &input, .read = read_input, .encoding = TSInputEncodingUTF8, .decode = nullptr};
  const TSParseOptions options{.payload = &input, .progress_callback = out_of_steps};
  return Tree{ts_parser_parse_with_options(parser.get(), nullptr, reader, options),
              &ts_tree_delete};
}

struct Cursor {
  TSTreeCursor cursor;

  explicit Cursor(TSNode node) : cursor(ts_tree_cursor_new(node)) {}
  ~Cursor() { ts_tree_cursor_delete(&cursor); }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
};

class Flattener {
public:
  Flattener(Syntax& syntax, TSNode root)
      : syntax_(syntax), numbering_(tree_sitter_python()), cursor_(root) {}

  void run() {
    do {
      enter();
      if (syntax_.nodes.size() >= most_nodes) {
        syntax_.complete = false;
        break;
      }
    } while (advance());
    while (!open_.empty())
      leave();
  }

private:
  // Nodes that are not kept still have a place on the stack, so that leaving is uniform.
  void enter() {
    const TSNode node = ts_tree_cursor_current_node(&cursor_.cursor);
    const Field field = numbering_.field_of[ts_tree_cursor_current_field_id(&cursor_.cursor)];
    const bool is_named = ts_node_is_named(node);
    if (ts_node_is_missing(node))
      syntax_.complete = false;
    if (ts_node_is_extra(node) && !ts_node_is_error(node)) { // comments
      open_.push_back(no_node);
      return;
    }
    if (!is_named && field != Field::operator_) {
      open_.push_back(no_node);
      return;
    }
    const TSSymbol symbol = ts_node_symbol(node);
    Kind kind = Kind::operator_;
    if (ts_node_is_error(node)) {
      kind = Kind::error;
    } else if (is_named && symbol < numbering_.kind_of.size()) {
      kind = numbering_.kind_of[symbol];
    }
    if (kind == Kind::error || kind == Kind::print_statement || kind == Kind::exec_statement)
      syntax_.complete = false;
    const auto id = static_cast<NodeId>(syntax_.nodes.size());
    syntax_.nodes.push_back({.kind = kind,
                             .field = field,
                             .begin = ts_node_start_byte(node),
                             .end = ts_node_end_byte(node),
                             .parent = innermost_,
                             .next = id + 1});
    open_.push_back(id);
    innermost_ = id;
  }

  void leave() {
    const NodeId id = open_.back();
    open_.pop_back();
    if (id == no_node)
      return;
    syntax_.nodes[id].next = static_cast<NodeId>(syntax_.nodes.size());
    innermost_ = syntax_.nodes[id].parent;
  }

  bool advance() {
    if (ts_tree_cursor_goto_first_child(&cursor_.cursor))
      return true;
    for (;;) {
      leave();
      if (ts_tree_cursor_goto_next_sibling(&cursor_.cursor))
        return true;
      if (!ts_tree_cursor_goto_parent(&cursor_.cursor))
        return false;
    }
  }

  Syntax& syntax_;
  Numbering numbering_;
  Cursor cursor_;
  std::vector<NodeId> open_;
  NodeId innermost_ = no_node;
};

} // namespace

std::string_view Syntax::text_of(NodeId node) const {
  if (node >= nodes.size())
    return {};
  return text.substr(nodes[node].begin, nodes[node].end - nodes[node].begin);
}

source::Span Syntax::span(NodeId node) const {
  return {.source = id, .begin = nodes[node].begin, .end = nodes[node].end};
}

std::vector<NodeId> Syntax::children(NodeId node) const {
  std::vector<NodeId> out;
  if (node >= nodes.size())
    return out;
  for (NodeId child = node + 1; child < nodes[node].next; child = nodes[child].next)
    if (nodes[child].kind != Kind::operator_)
      out.push_back(child);
  return out;
}

NodeId Syntax::first_child(NodeId node) const {
  return node < nodes.size() && nodes[node].next > node + 1 ? node + 1 : no_node;
}

NodeId Syntax::child(NodeId node, Field field) const {
  if (node >= nodes.size())
    return no_node;
  for (NodeId child = node + 1; child < nodes[node].next; child = nodes[child].next)
    if (nodes[child].field == field)
      return child;
  return no_node;
}

NodeId Syntax::parent(NodeId node) const {
  return node < nodes.size() ? nodes[node].parent : no_node;
}

NodeId Syntax::unparenthesized(NodeId expression) const {
  while (kind(expression) == Kind::parenthesized_expression || kind(expression) == Kind::type)
    expression = first_child(expression);
  return expression;
}

Syntax parse_python(const source::Source& source) {
  Syntax syntax{.id = source.id, .text = source.text, .nodes = {}, .complete = true};
  // Python itself refuses a NUL, and the grammar takes one for the end.
  const bool readable =
      source.text.size() <= largest_text && source.text.find('\0') == std::string::npos;
  const Tree tree = readable ? parse_text(source.text) : Tree{nullptr, &ts_tree_delete};
  if (tree)
    Flattener{syntax, ts_tree_root_node(tree.get())}.run();
  if (syntax.nodes.empty()) {
    syntax.nodes.push_back({.kind = Kind::module, .next = 1});
    syntax.complete = false;
  }
  return syntax;
}

} // namespace s2f::payload
