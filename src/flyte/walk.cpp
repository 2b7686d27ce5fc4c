// Walks the expressions and statements of a module, for whoever asks which names it uses.
#include "flyte/walk.hpp"

#include <algorithm>
#include <cctype>

namespace s2f::flyte {

namespace {

template <typename... Visitors> struct Overloaded : Visitors... {
  using Visitors::operator()...;
};

template <typename Hook, typename Value> void tell(const Hook& hook, const Value& value) {
  if (hook) {
    hook(value);
  }
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

} // namespace

std::vector<std::string> dotted_names(std::string_view text) {
  std::vector<std::string> names;
  std::string word;
  bool in_string = false;
  const auto flush = [&] {
    const bool begins =
        !word.empty() && word[0] != '.' && std::isdigit(static_cast<unsigned char>(word[0])) == 0;
    if (begins) {
      names.push_back(word);
    }
    word.clear();
  };
  for (const char c : text) {
    if (c == '"' || c == '\'') {
      in_string = !in_string;
    }
    if (!in_string && is_word(c)) {
      word += c;
    } else {
      flush();
    }
  }
  flush();
  return names;
}

void Walker::arguments(const std::vector<Arg>& list) const {
  for (const Arg& each : list) {
    tell(argument, each);
    if (each.key) {
      expression(*each.key);
    }
    expression(each.value);
  }
}

void Walker::expression(const Expr& expr) const {
  std::visit(Overloaded{
                 [](const Str&) {},
                 [](const Bytes&) {},
                 [](const Number&) {},
                 [&](const Name& value) { tell(use, value.dotted); },
                 [&](const Call& value) {
                   tell(call, value);
                   expression(*value.callee);
                   arguments(value.arguments);
                 },
                 [&](const ListExpr& value) { arguments(value.elements); },
                 [&](const TupleExpr& value) { arguments(value.elements); },
                 [&](const DictExpr& value) { arguments(value.elements); },
                 [&](const FString& value) {
                   for (const Expr& part : value.parts) {
                     expression(part);
                   }
                 },
                 [&](const Attribute& value) {
                   expression(*value.value);
                   tell(member, value.name);
                 },
                 [&](const Subscript& value) {
                   expression(*value.value);
                   expression(*value.index);
                 },
                 [&](const Binary& value) {
                   expression(*value.left);
                   expression(*value.right);
                 },
                 [&](const Unary& value) { expression(*value.operand); },
                 [&](const Await& value) { expression(*value.value); },
                 [&](const Starred& value) { expression(*value.value); },
                 [&](const Conditional& value) {
                   expression(*value.value);
                   expression(*value.condition);
                   expression(*value.otherwise);
                 },
                 [&](const Comprehension& value) {
                   tell(bind, value.target);
                   expression(*value.element);
                   expression(*value.iterable);
                   if (value.condition) {
                     expression(**value.condition);
                   }
                 },
                 [&](const Named& value) {
                   tell(bind, value.target);
                   expression(*value.value);
                 },
             },
             expr.value);
}

void Walker::expression(const std::optional<Expr>& expr) const {
  if (expr) {
    expression(*expr);
  }
}

void Walker::reference(std::string_view text) const {
  for (const std::string& name : dotted_names(text)) {
    tell(use, name);
  }
}

// x.y = 1 and x["y"] = 1 read x; x = 1 and [x] = f() do not.
void Walker::target(std::string_view text) const {
  if (text.starts_with('[')) {
    tell(bind, text.substr(1, text.size() - 2));
  } else if (text.find_first_of(".[") == std::string_view::npos) {
    tell(bind, text);
  } else {
    reference(text);
  }
}

void Walker::statements(const std::vector<Stmt>& list) const {
  for (const Stmt& each : list) {
    statement(each);
  }
}

void Walker::statement(const Stmt& statement) const {
  std::visit(Overloaded{
                 [&](const Assign& value) {
                   target(value.target);
                   reference(value.type);
                   expression(value.value);
                 },
                 [&](const ExprStmt& value) { expression(value.value); },
                 [&](const Return& value) { expression(value.value); },
                 [&](const Raise& value) {
                   expression(value.value);
                   expression(value.cause);
                 },
                 [&](const IfStmt& value) {
                   for (const Branch& branch : value.branches) {
                     expression(branch.condition);
                     statements(branch.body);
                   }
                 },
                 [&](const ForStmt& value) {
                   target(value.target);
                   expression(value.iterable);
                   statements(value.body);
                 },
                 [&](const WhileStmt& value) {
                   expression(value.condition);
                   statements(value.body);
                 },
                 [&](const WithStmt& value) {
                   tell(bind, value.as);
                   expression(value.context);
                   statements(value.body);
                 },
                 [&](const TryStmt& value) {
                   statements(value.body);
                   for (const Handler& handler : value.handlers) {
                     reference(handler.exception);
                     tell(bind, handler.as);
                     statements(handler.body);
                   }
                   statements(value.finally);
                 },
                 [&](const FunctionDef& value) {
                   tell(bind, value.name);
                   for (const FunctionDef::Parameter& each : value.parameters) {
                     tell(bind, each.name);
                     reference(each.type);
                     expression(each.default_);
                   }
                   reference(value.returns);
                   statements(value.body);
                 },
                 [](const Break&) {},
                 [](const Continue&) {},
                 [](const Pass&) {},
                 [](const CommentOnly&) {},
             },
             statement.value);
}

void Walker::resources(const Resources& resources) const {
  if (resources.empty()) {
    return;
  }
  tell(use, "flyte.Resources");
  for (const auto* each :
       {&resources.cpu, &resources.memory, &resources.gpu, &resources.disk, &resources.shm}) {
    noted(*each);
  }
}

void Walker::top(const Module& module) const {
  const auto constants = [&](const std::vector<Constant>& list) {
    for (const Constant& each : list) {
      expression(each.value);
    }
  };
  constants(module.constants);
  constants(module.between);
  constants(module.triggers);
  for (const Image& each : module.images) {
    expression(each.value);
  }
  for (const Environment& each : module.environments) {
    tell(use, each.type);
    noted(each.image);
    noted(each.env_vars);
    noted(each.secrets);
    noted(each.interruptible);
    arguments(each.more);
    resources(each.resources);
  }
  for (const SlurmTask& each : module.slurm_tasks) {
    tell(use, "SlurmScriptTask");
    tell(use, "flyte");
    arguments(each.arguments);
  }
  for (const Task& each : module.tasks) {
    noted(each.retries);
    noted(each.timeout);
    noted(each.triggers);
    reference(each.returns);
    for (const Parameter& parameter : each.parameters) {
      reference(parameter.type);
      expression(parameter.default_);
    }
  }
}

} // namespace s2f::flyte
