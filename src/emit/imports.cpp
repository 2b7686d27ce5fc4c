// Walks a module for the names that it uses, and writes its imports.
#include "emit/imports.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "emit/text.hpp"
#include "flyte/names.hpp"
#include "generated/tables/python_names.hpp"

namespace s2f::emit {

namespace {

std::string_view root_of(std::string_view dotted) { return dotted.substr(0, dotted.find('.')); }

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

template <typename... Visitors> struct Overloaded : Visitors... {
  using Visitors::operator()...;
};

// Calls `use(name)` for each name that is read, `bind(target)` for each that is assigned,
// `call(call)` for each call.
struct Walker {
  std::function<void(std::string_view)> use;
  std::function<void(std::string_view)> bind;
  std::function<void(const flyte::Call&)> call;

  void arguments(const std::vector<flyte::Arg>& list) const {
    for (const flyte::Arg& each : list) {
      if (each.key) {
        expression(*each.key);
      }
      expression(each.value);
    }
  }

  void expression(const flyte::Expr& expr) const {
    std::visit(Overloaded{
                   [](const flyte::Str&) {},
                   [](const flyte::Bytes&) {},
                   [](const flyte::Number&) {},
                   [&](const flyte::Name& value) { use(root_of(value.dotted)); },
                   [&](const flyte::Call& value) {
                     call(value);
                     expression(*value.callee);
                     arguments(value.arguments);
                   },
                   [&](const flyte::ListExpr& value) { arguments(value.elements); },
                   [&](const flyte::TupleExpr& value) { arguments(value.elements); },
                   [&](const flyte::DictExpr& value) { arguments(value.elements); },
                   [&](const flyte::FString& value) {
                     for (const flyte::Expr& part : value.parts) {
                       expression(part);
                     }
                   },
                   [&](const flyte::Attribute& value) { expression(*value.value); },
                   [&](const flyte::Subscript& value) {
                     expression(*value.value);
                     expression(*value.index);
                   },
                   [&](const flyte::Binary& value) {
                     expression(*value.left);
                     expression(*value.right);
                   },
                   [&](const flyte::Unary& value) { expression(*value.operand); },
                   [&](const flyte::Await& value) { expression(*value.value); },
                   [&](const flyte::Starred& value) { expression(*value.value); },
                   [&](const flyte::Conditional& value) {
                     expression(*value.value);
                     expression(*value.condition);
                     expression(*value.otherwise);
                   },
                   [&](const flyte::Comprehension& value) {
                     bind(value.target);
                     expression(*value.element);
                     expression(*value.iterable);
                     if (value.condition) {
                       expression(**value.condition);
                     }
                   },
                   [&](const flyte::Named& value) {
                     bind(value.target);
                     expression(*value.value);
                   },
               },
               expr.value);
  }

  void expression(const std::optional<flyte::Expr>& expr) const {
    if (expr) {
      expression(*expr);
    }
  }

  void reference(std::string_view text) const {
    Names names;
    add_reference(names, text);
    for (const std::string& name : names) {
      use(name);
    }
  }

  // x.y = 1 and x["y"] = 1 read x; x = 1 and [x] = f() do not.
  void target(std::string_view text) const {
    if (text.starts_with('[')) {
      bind(text.substr(1, text.size() - 2));
    } else if (text.find_first_of(".[") == std::string_view::npos) {
      bind(text);
    } else {
      reference(text);
    }
  }

  void statements(const std::vector<flyte::Stmt>& list) const {
    for (const flyte::Stmt& each : list) {
      statement(each);
    }
  }

  void statement(const flyte::Stmt& statement) const {
    std::visit(Overloaded{
                   [&](const flyte::Assign& value) {
                     target(value.target);
                     reference(value.type);
                     expression(value.value);
                   },
                   [&](const flyte::ExprStmt& value) { expression(value.value); },
                   [&](const flyte::Return& value) { expression(value.value); },
                   [&](const flyte::Raise& value) {
                     expression(value.value);
                     expression(value.cause);
                   },
                   [&](const flyte::IfStmt& value) {
                     for (const flyte::Branch& branch : value.branches) {
                       expression(branch.condition);
                       statements(branch.body);
                     }
                   },
                   [&](const flyte::ForStmt& value) {
                     target(value.target);
                     expression(value.iterable);
                     statements(value.body);
                   },
                   [&](const flyte::WhileStmt& value) {
                     expression(value.condition);
                     statements(value.body);
                   },
                   [&](const flyte::WithStmt& value) {
                     bind(value.as);
                     expression(value.context);
                     statements(value.body);
                   },
                   [&](const flyte::TryStmt& value) {
                     statements(value.body);
                     for (const flyte::Handler& handler : value.handlers) {
                       reference(handler.exception);
                       bind(handler.as);
                       statements(handler.body);
                     }
                     statements(value.finally);
                   },
                   [&](const flyte::FunctionDef& value) {
                     bind(value.name);
                     for (const flyte::FunctionDef::Parameter& each : value.parameters) {
                       bind(each.name);
                       reference(each.type);
                       expression(each.default_);
                     }
                     reference(value.returns);
                     statements(value.body);
                   },
                   [](const flyte::Break&) {},
                   [](const flyte::Continue&) {},
                   [](const flyte::Pass&) {},
                   [](const flyte::CommentOnly&) {},
               },
               statement.value);
  }

  template <typename Value> void noted(const std::optional<flyte::Noted<Value>>& value) const {
    if (value) {
      expression(value->value);
    }
  }
};

void add_words(Names& names, std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (is_word(c)) {
      word += c;
    } else if (!word.empty()) {
      names.insert(std::exchange(word, {}));
    }
  }
  if (!word.empty()) {
    names.insert(word);
  }
}

// Everything of a module but the bodies of its tasks.
void walk_top(const flyte::Module& module, const Walker& walker) {
  const auto constants = [&](const std::vector<flyte::Constant>& list) {
    for (const flyte::Constant& each : list) {
      walker.expression(each.value);
    }
  };
  constants(module.constants);
  constants(module.between);
  constants(module.triggers);
  for (const flyte::Image& each : module.images) {
    walker.expression(each.value);
  }
  for (const flyte::Environment& each : module.environments) {
    walker.use(root_of(each.type));
    walker.noted(each.image);
    walker.noted(each.env_vars);
    walker.noted(each.secrets);
    walker.noted(each.interruptible);
    walker.arguments(each.more);
    const flyte::Resources& resources = each.resources;
    if (!resources.empty()) {
      walker.use("flyte");
    }
    walker.noted(resources.cpu);
    walker.noted(resources.memory);
    walker.noted(resources.gpu);
    walker.noted(resources.disk);
    walker.noted(resources.shm);
  }
  for (const flyte::SlurmTask& each : module.slurm_tasks) {
    walker.use("SlurmScriptTask");
    walker.use("flyte");
    walker.arguments(each.arguments);
  }
  for (const flyte::Task& each : module.tasks) {
    walker.noted(each.retries);
    walker.noted(each.timeout);
    walker.noted(each.triggers);
    walker.reference(each.returns);
    for (const flyte::Parameter& parameter : each.parameters) {
      walker.reference(parameter.type);
      walker.expression(parameter.default_);
    }
  }
}

// isort: constants, then classes, then the rest; each without regard to case.
std::tuple<int, std::string, std::string> member_order(std::string_view name) {
  const auto upper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  const auto lower = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
  const int rank = name.size() > 1 && std::ranges::none_of(name, lower) ? 0
                   : upper(name[0])                                     ? 1
                                                                        : 2;
  std::string folded(name);
  std::ranges::transform(folded, folded.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return {rank, folded, std::string(name)};
}

} // namespace

void add_reference(Names& names, std::string_view reference) {
  bool after_dot = false;
  bool in_string = false;
  std::string word;
  const auto flush = [&] {
    const bool number = !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0;
    if (!word.empty() && !after_dot && !number) {
      names.insert(word);
    }
    word.clear();
  };
  for (const char c : reference) {
    if (c == '"' || c == '\'') {
      in_string = !in_string;
    }
    if (!in_string && is_word(c)) {
      word += c;
      continue;
    }
    const bool ended = !word.empty();
    flush();
    if (ended || c != ' ') {
      after_dot = c == '.';
    }
  }
  flush();
}

void add_expression(Names& names, const flyte::Expr& expr) {
  Walker{[&](std::string_view name) { names.emplace(name); }, [](std::string_view) {},
         [](const flyte::Call&) {}}
      .expression(expr);
}

Names names_read(const std::vector<flyte::Stmt>& statements) {
  Names names;
  Walker{[&](std::string_view name) { names.emplace(name); }, [](std::string_view) {},
         [](const flyte::Call&) {}}
      .statements(statements);
  return names;
}

bool calls_only(const flyte::Expr& expr, std::span<const std::string_view> functions) {
  bool only = true;
  Walker{[](std::string_view) {}, [](std::string_view) {},
         [&](const flyte::Call& call) {
           const auto* name = std::get_if<flyte::Name>(&call.callee->value);
           only = only && name != nullptr &&
                  std::ranges::find(functions, name->dotted) != functions.end();
         }}
      .expression(expr);
  return only;
}

Names free_names(const flyte::Module& module) {
  const Names defined = flyte::defined_names(module);
  Names names;
  const auto free = [&](std::string_view name) {
    if (!defined.contains(name)) {
      names.emplace(name);
    }
  };
  walk_top(module, {free, [](std::string_view) {}, [](const flyte::Call&) {}});
  for (const flyte::Task& task : module.tasks) {
    Names bound;
    for (const flyte::Parameter& parameter : task.parameters) {
      bound.insert(parameter.name);
    }
    Names used;
    Walker{[&](std::string_view name) { used.emplace(name); },
           [&](std::string_view target) { add_words(bound, target); }, [](const flyte::Call&) {}}
        .statements(task.body);
    for (const std::string& name : used) {
      if (!bound.contains(name)) {
        free(name);
      }
    }
  }
  if (module.here_parent) {
    names.insert("Path");
  }
  if (!module.entry.empty()) {
    names.insert("flyte");
  }
  return names;
}

std::vector<const flyte::Call*> calls_of(const flyte::Module& module, std::string_view function) {
  std::vector<const flyte::Call*> calls;
  const Walker walker{[](std::string_view) {}, [](std::string_view) {},
                      [&](const flyte::Call& call) {
                        const auto* callee = std::get_if<flyte::Name>(&call.callee->value);
                        if (callee != nullptr && callee->dotted == function) {
                          calls.push_back(&call);
                        }
                      }};
  for (const flyte::Task& task : module.tasks) {
    walker.statements(task.body);
  }
  return calls;
}

// `from module import members`, on as many lines as it takes.
static void add_from(const std::string& module, std::vector<std::string> members,
                     std::vector<std::string>& lines) {
  std::ranges::sort(members, {}, member_order);
  std::string line = "from " + module + " import ";
  for (const std::string& member : members) {
    line += (&member == members.data() ? "" : ", ") + member;
  }
  if (line.size() <= 88) {
    lines.push_back(line);
    return;
  }
  lines.push_back("from " + module + " import (");
  for (const std::string& member : members) {
    lines.push_back("    " + member + ",");
  }
  lines.emplace_back(")");
}

std::vector<std::string> module_import_lines(std::vector<flyte::ModuleImport> imports) {
  std::ranges::sort(imports, {}, &flyte::ModuleImport::module);
  std::vector<std::string> lines;
  for (const flyte::ModuleImport& each : imports) {
    add_from(each.module, each.names, lines);
  }
  return lines;
}

std::vector<std::string> import_lines(const Names& names) {
  struct Section {
    std::vector<std::string> plain;
    std::map<std::string, std::vector<std::string>, std::less<>> from;
  };
  Section sections[2];
  for (const std::string& name : names) {
    const tables::PythonNamesRow* row = tables::find_python_names(name);
    if (row == nullptr) {
      continue;
    }
    Section& section = sections[row->section == tables::PythonNamesSection::standard ? 0 : 1];
    if (row->from) {
      section.from[std::string(*row->from)].push_back(name);
    } else {
      section.plain.push_back(name);
    }
  }
  std::vector<std::string> lines;
  for (Section& section : sections) {
    if (section.plain.empty() && section.from.empty()) {
      continue;
    }
    if (!lines.empty()) {
      lines.emplace_back();
    }
    for (const std::string& name : section.plain) {
      lines.push_back("import " + name);
    }
    for (auto& [module, members] : section.from) {
      add_from(module, std::move(members), lines);
    }
  }
  return lines;
}

} // namespace s2f::emit
