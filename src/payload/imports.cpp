// Walks the import statements; relative ones are the payload's own files and are left out.
#include "payload/imports.hpp"

#include <algorithm>
#include <map>

#include "generated/tables/python_stdlib.hpp"
#include "payload/literal.hpp"
#include "payload/options.hpp"

namespace s2f::payload {
namespace {

class ImportReader {
public:
  ImportReader(const Program& program, PythonFacts& facts)
      : program_(program), syntax_(program.syntax()), facts_(facts) {}

  void run() {
    // One stack for the walk: ancestors would be climbed again and again otherwise.
    std::vector<NodeId> guards; // nodes within which an import need not succeed
    for (NodeId node = 0; node < syntax_.nodes.size(); ++node) {
      while (!guards.empty() && node >= syntax_[guards.back()].next)
        guards.pop_back();
      if (is_guard(node))
        guards.push_back(node);
      read(node, !guards.empty());
    }
  }

private:
  bool is_guard(NodeId node) const {
    switch (syntax_.kind(node)) {
    case Kind::function_definition:
      return true;
    case Kind::try_statement:
      return catches_import_error(node);
    case Kind::if_statement:
      return program_.canonical(syntax_.child(node, Field::condition)).ends_with("TYPE_CHECKING");
    default:
      return false;
    }
  }

  bool catches_import_error(NodeId statement) const {
    for (const NodeId clause : syntax_.children(statement)) {
      if (syntax_.kind(clause) != Kind::except_clause)
        continue;
      const NodeId what = syntax_.first_child(clause);
      if (syntax_.kind(what) == Kind::block)
        return true; // a bare except
      const auto text = syntax_.text_of(what);
      for (const std::string_view name : {"ImportError", "ModuleNotFoundError", "Exception"})
        if (text.contains(name))
          return true;
    }
    return false;
  }

  void read(NodeId node, bool guarded) {
    switch (syntax_.kind(node)) {
    case Kind::import_statement:
      for (const NodeId item : syntax_.children(node)) {
        const bool is_aliased = syntax_.kind(item) == Kind::aliased_import;
        add(syntax_.text_of(is_aliased ? syntax_.child(item, Field::name) : item), node, guarded);
      }
      break;
    case Kind::import_from_statement: {
      const NodeId from = syntax_.child(node, Field::module_name);
      if (syntax_.kind(from) != Kind::dotted_name)
        break;
      add(syntax_.text_of(from), node, guarded);
      for (const NodeId item : syntax_.children(node)) {
        const bool is_aliased = syntax_.kind(item) == Kind::aliased_import;
        const NodeId name = is_aliased ? syntax_.child(item, Field::name) : item;
        if (item != from)
          note(std::string{syntax_.text_of(from)} + "." + std::string{syntax_.text_of(name)});
      }
      break;
    }
    case Kind::future_import_statement:
      add("__future__", node, guarded);
      break;
    case Kind::call: {
      const std::string callee = program_.callee(node);
      if (callee != "importlib.import_module" && callee != "__import__")
        break;
      const auto name = string_value(syntax_, program_.arguments(node).at_or(0, "name"));
      if (name && !name->starts_with('.'))
        add(*name, node, guarded);
      break;
    }
    case Kind::attribute: // import torch; torch.distributed.init_process_group()
      if (syntax_.text_of(node) == "torch.distributed")
        note("torch.distributed");
      break;
    default:
      break;
    }
  }

  void add(std::string_view whole, NodeId node, bool guarded) {
    note(whole);
    const std::string_view module = whole.substr(0, whole.find('.'));
    if (module.empty())
      return;
    const auto [found, is_new] = index_.try_emplace(std::string{module}, facts_.imports.size());
    if (is_new) {
      facts_.imports.push_back({.module = std::string{module},
                                .standard_library = tables::find_python_stdlib(module) != nullptr,
                                .guarded = guarded,
                                .span = syntax_.span(node)});
    } else if (!guarded) {
      facts_.imports[found->second].guarded = false;
    }
  }

  void note(std::string_view whole) {
    const auto is = [&](std::string_view module) {
      return whole == module ||
             (whole.starts_with(module) && whole.substr(module.size()).starts_with('.'));
    };
    if (is("torch.distributed") || is("torch.nn.parallel.DistributedDataParallel") ||
        is("torch.nn.parallel.distributed"))
      facts_.uses_torch_distributed = true;
    if (is("mpi4py"))
      facts_.uses_mpi = true;
    if (is("pytorch_lightning") || is("lightning") || is("lightning_fabric"))
      facts_.uses_lightning = true;
    if (is("accelerate"))
      facts_.uses_accelerate = true;
  }

  const Program& program_;
  const Syntax& syntax_;
  PythonFacts& facts_;
  std::map<std::string, std::size_t> index_;
};

// Whether the node is what an assignment gives a value to.
bool is_target(const Syntax& syntax, NodeId node) {
  const NodeId parent = syntax.parent(node);
  return syntax.kind(parent) == Kind::assignment && syntax[node].field == Field::left;
}

bool is_environ(const Program& program, NodeId node) {
  return program.canonical(node) == "os.environ";
}

} // namespace

void read_imports(const Program& program, PythonFacts& facts) {
  ImportReader{program, facts}.run();
}

std::vector<std::string> read_environment(const Program& program,
                                          const std::vector<NodeId>& options) {
  const Syntax& syntax = program.syntax();
  std::vector<std::pair<NodeId, std::string>> found;
  const auto add = [&](NodeId node, NodeId name) {
    const auto text = text_of(program, name);
    if (text && !text->empty())
      found.emplace_back(node, *text);
  };
  for (NodeId node = 0; node < syntax.nodes.size(); ++node) {
    const Kind kind = syntax.kind(node);
    if (kind == Kind::subscript) {
      const bool reads = is_environ(program, syntax.child(node, Field::value)) &&
                         !is_target(syntax, node) &&
                         syntax.kind(syntax.parent(node)) != Kind::delete_statement;
      if (reads)
        add(node, syntax.child(node, Field::subscript));
    } else if (kind == Kind::comparison_operator) { // "X" in os.environ
      const auto sides = syntax.children(node);
      if (sides.size() == 2 && is_environ(program, sides.back()))
        add(node, sides.front());
    } else if (kind == Kind::call) {
      const std::string callee = program.callee(node);
      const bool reads = callee == "os.getenv" || callee == "os.environ.get" ||
                         callee == "os.environ.pop" || callee == "os.environ.setdefault";
      if (reads)
        add(node, program.arguments(node).at_or(0, "key"));
    }
  }
  for (const NodeId declaration : options) { // click and typer: envvar="X"
    if (syntax.kind(declaration) != Kind::call)
      continue;
    const NodeId name = program.arguments(declaration).keyword("envvar");
    if (name != no_node)
      add(declaration, name);
  }
  std::ranges::stable_sort(found, {}, &std::pair<NodeId, std::string>::first);
  std::vector<std::string> out;
  std::map<std::string, bool> seen;
  for (auto& [node, name] : found)
    if (seen.try_emplace(name, true).second)
      out.push_back(std::move(name));
  return out;
}

} // namespace s2f::payload
