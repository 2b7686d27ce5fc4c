// Builds the index of a payload's names in one walk over its nodes.
#include "payload/program.hpp"

#include <algorithm>

namespace s2f::payload {
namespace {

constexpr int longest_chain = 16;  // of attributes, of names that stand for names, of `a = b = 1`
constexpr int deepest_scopes = 64; // nested lambdas would make each look-up long

bool opens_scope(Kind kind) {
  return kind == Kind::function_definition || kind == Kind::lambda ||
         kind == Kind::class_definition;
}

template <typename Map, typename Key>
const std::vector<NodeId>& listed(const Map& map, const Key& key) {
  static const std::vector<NodeId> none;
  const auto found = map.find(key);
  return found == map.end() ? none : found->second;
}

template <typename Map> NodeId only(const Map& map, std::string_view name) {
  const auto& all = listed(map, name);
  return all.size() == 1 ? all.front() : no_node;
}

} // namespace

NodeId Arguments::keyword(std::string_view name) const {
  const auto found = std::ranges::find(keywords, name, &decltype(keywords)::value_type::first);
  return found == keywords.end() ? no_node : found->second;
}

NodeId Arguments::at(std::size_t index) const {
  return index < positional.size() ? positional[index] : no_node;
}

NodeId Arguments::at_or(std::size_t index, std::string_view name) const {
  const NodeId found = at(index);
  return found == no_node ? keyword(name) : found;
}

Program::Program(Syntax syntax) : syntax_(std::move(syntax)), scope_(syntax_.nodes.size(), 0) {
  for (NodeId node = 1; node < syntax_.nodes.size(); ++node) {
    const NodeId parent = syntax_[node].parent;
    scope_[node] = opens_scope(syntax_.kind(parent)) ? parent : scope_[parent];
  }
  for (NodeId node = 1; node < syntax_.nodes.size(); ++node)
    index(node);
}

void Program::bind(NodeId scope, std::string_view name, Binding binding) {
  Binding& bound = bindings_[{scope, name}];
  binding.count = bound.count + 1;
  bound = binding;
}

void Program::bind_target(NodeId target, NodeId value, int element) {
  target = syntax_.unparenthesized(target);
  switch (syntax_.kind(target)) {
  case Kind::identifier:
    bind(scope_of(target), syntax_.text_of(target), {.value = value, .element = element});
    break;
  case Kind::attribute: {
    const NodeId object = syntax_.child(target, Field::object);
    const auto name = syntax_.text_of(syntax_.child(target, Field::attribute));
    if (syntax_.text_of(object) == "self") {
      Binding& bound = self_bindings_[{class_around(target), name}];
      bound = {.count = bound.count + 1, .value = value, .element = element};
    } else {
      attribute_values_[name].push_back(element < 0 ? value : no_node);
    }
    break;
  }
  case Kind::pattern_list:
  case Kind::tuple_pattern:
  case Kind::list_pattern: {
    const auto targets = syntax_.children(target);
    const NodeId values = syntax_.unparenthesized(value);
    const Kind kind = syntax_.kind(values);
    const bool is_listed =
        kind == Kind::expression_list || kind == Kind::tuple || kind == Kind::list;
    const auto items = is_listed ? syntax_.children(values) : std::vector<NodeId>{};
    // `a, b = b, a` is no way to tell either; one level of unpacking is what programs use.
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const Kind inner = syntax_.kind(targets[i]);
      if (inner != Kind::identifier && inner != Kind::attribute)
        continue;
      if (items.size() == targets.size() && element < 0) {
        bind_target(targets[i], items[i], -1);
      } else {
        bind_target(targets[i], element < 0 ? value : no_node, static_cast<int>(i));
      }
    }
    break;
  }
  default:
    break;
  }
}

void Program::bind_parameters(NodeId function) {
  for (const Parameter& parameter : parameters(function))
    bind(function, parameter.name, {.parameter = parameter.node});
}

void Program::bind_import(NodeId statement) {
  const NodeId from = syntax_.child(statement, Field::module_name);
  std::string prefix;
  if (syntax_.kind(statement) == Kind::import_from_statement)
    prefix = std::string{syntax_.text_of(from)} + ".";
  for (const NodeId item : syntax_.children(statement)) {
    if (item == from)
      continue;
    NodeId name = item;
    NodeId alias = no_node;
    if (syntax_.kind(item) == Kind::aliased_import) {
      name = syntax_.child(item, Field::name);
      alias = syntax_.child(item, Field::alias);
    }
    if (syntax_.kind(name) != Kind::dotted_name)
      continue;
    const std::string_view whole = syntax_.text_of(name);
    const std::string_view top = whole.substr(0, whole.find('.'));
    // `import a.b` binds a; all the other forms bind what they name.
    const std::string_view here = alias != no_node ? syntax_.text_of(alias)
                                  : prefix.empty() ? top
                                                   : whole;
    const std::string_view what = alias == no_node && prefix.empty() ? top : whole;
    imported_.try_emplace(here, prefix + std::string{what});
  }
}

void Program::index(NodeId node) {
  switch (syntax_.kind(node)) {
  case Kind::call: {
    calls_.push_back(node);
    const NodeId function = syntax_.child(node, Field::function);
    if (syntax_.kind(function) == Kind::identifier)
      calls_by_name_[syntax_.text_of(function)].push_back(node);
    break;
  }
  case Kind::assignment: {
    NodeId value = syntax_.child(node, Field::right);
    const NodeId target = syntax_.child(node, Field::left);
    if (value == no_node)
      break; // `x: int` binds nothing
    for (int i = 0; i < longest_chain && syntax_.kind(value) == Kind::assignment; ++i)
      value = syntax_.child(value, Field::right); // a = b = value
    bind_target(target, value, -1);
    break;
  }
  case Kind::named_expression:
    bind_target(syntax_.child(node, Field::name), syntax_.child(node, Field::value), -1);
    break;
  case Kind::augmented_assignment:
  case Kind::for_statement:
  case Kind::for_in_clause:
    bind_target(syntax_.child(node, Field::left), no_node, -1);
    break;
  case Kind::as_pattern_target:
    bind_target(syntax_.first_child(node), no_node, -1);
    break;
  case Kind::return_statement:
    if (syntax_.first_child(node) != no_node)
      returned_[scope_of(node)].push_back(syntax_.first_child(node));
    break;
  case Kind::global_statement:
  case Kind::nonlocal_statement:
    for (const NodeId name : syntax_.children(node)) {
      if (syntax_.kind(name) != Kind::identifier)
        continue;
      // Twice: whatever else binds it, its value cannot be told.
      for (const NodeId scope : {scope_of(node), NodeId{0}, NodeId{0}})
        bind(scope, syntax_.text_of(name), {});
    }
    break;
  case Kind::import_statement:
  case Kind::import_from_statement:
    bind_import(node);
    break;
  case Kind::lambda:
  case Kind::function_definition:
  case Kind::class_definition: {
    if (syntax_.kind(node) != Kind::class_definition)
      bind_parameters(node);
    if (syntax_.kind(node) == Kind::lambda)
      break;
    const auto name = syntax_.text_of(syntax_.child(node, Field::name));
    const bool is_function = syntax_.kind(node) == Kind::function_definition;
    (is_function ? functions_by_name_ : classes_by_name_)[name].push_back(node);
    (is_function ? functions_ : classes_).push_back(node);
    bind(scope_of(node), name, {});
    break;
  }
  default:
    break;
  }
}

NodeId Program::scope_of(NodeId node) const { return node < scope_.size() ? scope_[node] : 0; }

const Binding* Program::lookup(NodeId where, std::string_view name) const {
  NodeId scope = scope_of(where);
  for (int i = 0; i < deepest_scopes; ++i) {
    // What a class binds is not seen by its methods.
    if (i == 0 || syntax_.kind(scope) != Kind::class_definition) {
      const auto found = bindings_.find({scope, name});
      if (found != bindings_.end())
        return &found->second;
    }
    if (scope == 0)
      break;
    scope = scope_of(scope);
  }
  return nullptr;
}

NodeId Program::class_around(NodeId node) const {
  for (int i = 0; i < deepest_scopes && node != 0; ++i) {
    node = scope_of(node);
    if (syntax_.kind(node) == Kind::class_definition)
      return node;
  }
  return no_node;
}

const Binding* Program::lookup_self(NodeId where, std::string_view name) const {
  const auto found = self_bindings_.find({class_around(where), name});
  return found == self_bindings_.end() ? nullptr : &found->second;
}

const std::vector<NodeId>& Program::attribute_values(std::string_view name) const {
  return listed(attribute_values_, name);
}

NodeId Program::resolve(NodeId expression) const {
  for (int i = 0; i < longest_chain; ++i) {
    expression = syntax_.unparenthesized(expression);
    if (syntax_.kind(expression) != Kind::identifier)
      break;
    const Binding* bound = lookup(expression, syntax_.text_of(expression));
    if (bound == nullptr || bound->count != 1 || bound->value == no_node || bound->element >= 0)
      break;
    expression = bound->value;
  }
  return expression;
}

std::string Program::dotted(NodeId expression) const {
  std::vector<std::string_view> names;
  while (syntax_.kind(expression) == Kind::attribute && names.size() < longest_chain) {
    names.push_back(syntax_.text_of(syntax_.child(expression, Field::attribute)));
    expression = syntax_.child(expression, Field::object);
  }
  if (syntax_.kind(expression) != Kind::identifier)
    return {};
  std::string out{syntax_.text_of(expression)};
  for (auto name = names.rbegin(); name != names.rend(); ++name)
    (out += '.') += *name;
  return out;
}

std::string Program::canonical(NodeId expression) const {
  std::string name = dotted(expression);
  const std::size_t head = std::min(name.find('.'), name.size());
  const auto found = imported_.find(std::string_view{name}.substr(0, head));
  if (found != imported_.end())
    name.replace(0, head, found->second);
  return name;
}

std::string Program::callee(NodeId call) const {
  return canonical(syntax_.child(call, Field::function));
}

std::string_view Program::method(NodeId call) const {
  const NodeId function = syntax_.child(call, Field::function);
  if (syntax_.kind(function) != Kind::attribute)
    return {};
  return syntax_.text_of(syntax_.child(function, Field::attribute));
}

NodeId Program::receiver(NodeId call) const {
  const NodeId function = syntax_.child(call, Field::function);
  if (syntax_.kind(function) != Kind::attribute)
    return no_node;
  return syntax_.child(function, Field::object);
}

Arguments Program::arguments(NodeId call) const {
  Arguments out;
  const NodeId list = syntax_.child(call, Field::arguments);
  if (syntax_.kind(list) != Kind::argument_list)
    return out;
  for (const NodeId argument : syntax_.children(list)) {
    switch (syntax_.kind(argument)) {
    case Kind::keyword_argument:
      out.keywords.emplace_back(syntax_.text_of(syntax_.child(argument, Field::name)),
                                syntax_.child(argument, Field::value));
      break;
    case Kind::list_splat:
      out.splat = syntax_.first_child(argument);
      break;
    case Kind::dictionary_splat:
      out.double_splat = syntax_.first_child(argument);
      break;
    case Kind::error:
      break;
    default:
      if (out.splat == no_node)
        out.positional.push_back(argument);
    }
  }
  return out;
}

bool Program::is_imported(std::string_view name) const { return imported_.contains(name); }

std::vector<Parameter> Program::parameters(NodeId function) const {
  using Passing = Parameter::Passing;
  std::vector<Parameter> out;
  bool is_keyword_only = false;
  for (const NodeId node : syntax_.children(syntax_.child(function, Field::parameters))) {
    Parameter parameter;
    parameter.node = node;
    parameter.type = syntax_.child(node, Field::type);
    parameter.value = syntax_.child(node, Field::value);
    NodeId name = node;
    switch (syntax_.kind(node)) {
    case Kind::identifier:
      break;
    case Kind::default_parameter:
    case Kind::typed_default_parameter:
      name = syntax_.child(node, Field::name);
      break;
    case Kind::typed_parameter:
      name = syntax_.first_child(node);
      break;
    case Kind::list_splat_pattern:
    case Kind::dictionary_splat_pattern:
      break;
    case Kind::keyword_separator:
      is_keyword_only = true;
      continue;
    default:
      continue;
    }
    if (is_keyword_only)
      parameter.passing = Passing::keyword_only;
    if (syntax_.kind(name) == Kind::list_splat_pattern) {
      parameter.passing = Passing::rest;
      is_keyword_only = true;
      name = syntax_.first_child(name);
    } else if (syntax_.kind(name) == Kind::dictionary_splat_pattern) {
      parameter.passing = Passing::rest_keywords;
      name = syntax_.first_child(name);
    }
    if (syntax_.kind(name) != Kind::identifier)
      continue;
    parameter.name = syntax_.text_of(name);
    out.push_back(parameter);
  }
  return out;
}

NodeId Program::function(std::string_view name) const { return only(functions_by_name_, name); }

NodeId Program::class_(std::string_view name) const { return only(classes_by_name_, name); }

const std::vector<NodeId>& Program::calls_of(std::string_view name) const {
  return listed(calls_by_name_, name);
}

const std::vector<NodeId>& Program::returned(NodeId function) const {
  return listed(returned_, function);
}

std::vector<NodeId> Program::decorators(NodeId definition) const {
  std::vector<NodeId> out;
  const NodeId around = syntax_.parent(definition);
  if (syntax_.kind(around) != Kind::decorated_definition)
    return out;
  for (const NodeId child : syntax_.children(around))
    if (syntax_.kind(child) == Kind::decorator)
      out.push_back(syntax_.first_child(child));
  return out;
}

} // namespace s2f::payload
