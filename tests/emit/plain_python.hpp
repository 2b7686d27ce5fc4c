// Writes the target model as Python in the dullest way, every expression in parentheses: what the
// emitter must mean.
#pragma once

#include <string>
#include <vector>

#include "emit/emit.hpp"
#include "flyte/program.hpp"

namespace s2f::tests {

template <typename... Visitors> struct Each : Visitors... {
  using Visitors::operator()...;
};

inline std::string plain(const flyte::Expr& expr);

inline std::string plain(const std::vector<flyte::Arg>& arguments) {
  std::string out;
  for (const flyte::Arg& each : arguments) {
    if (!each.keyword.empty()) {
      out += each.keyword + "=";
    }
    if (each.key) {
      out += plain(*each.key) + ": ";
    }
    out += plain(each.value) + ", ";
  }
  return out;
}

inline std::string plain(const flyte::Expr& expr) {
  const std::string text = std::visit(
      Each{
          [](const flyte::Str& value) { return emit::quote(value.value); },
          [](const flyte::Bytes& value) {
            std::string out = "b'";
            for (const unsigned char c : value.value) {
              constexpr std::string_view digits = "0123456789abcdef";
              out += std::string("\\x") + digits[c >> 4U] + digits[c & 15U];
            }
            return out + "'";
          },
          [](const flyte::Number& value) { return value.text; },
          [](const flyte::Name& value) { return value.dotted; },
          [](const flyte::Call& value) {
            // A lone generator needs no second pair, and may not be followed by a comma.
            std::string arguments = plain(value.arguments);
            if (value.arguments.size() == 1) {
              arguments.resize(arguments.size() - 2);
            }
            return plain(*value.callee) + "(" + arguments + ")";
          },
          [](const flyte::ListExpr& value) { return "[" + plain(value.elements) + "]"; },
          [](const flyte::TupleExpr& value) { return "(" + plain(value.elements) + ")"; },
          [](const flyte::DictExpr& value) { return "{" + plain(value.elements) + "}"; },
          [](const flyte::FString& value) {
            std::string out = "f\"";
            for (const flyte::Expr& part : value.parts) {
              const auto* literal = std::get_if<flyte::Str>(&part.value);
              if (literal == nullptr) {
                out += "{" + plain(part) + "}";
                continue;
              }
              // As a double-quoted literal, whatever quotes it would get alone.
              std::string body =
                  emit::quote("'" + literal->value + "''''''''''''''''''''''''''''''''''''");
              body = body.substr(2, body.size() - 39);
              for (const char c : body) {
                out += c == '{' || c == '}' ? std::string(2, c) : std::string(1, c);
              }
            }
            return out + "\"";
          },
          [](const flyte::Attribute& value) { return plain(*value.value) + "." + value.name; },
          [](const flyte::Subscript& value) {
            return plain(*value.value) + "[" + plain(*value.index) + "]";
          },
          [](const flyte::Binary& value) {
            return plain(*value.left) + " " + value.op + " " + plain(*value.right);
          },
          [](const flyte::Unary& value) { return value.op + " " + plain(*value.operand); },
          [](const flyte::Await& value) { return "await " + plain(*value.value); },
          [](const flyte::Starred& value) {
            return (value.twice ? "**" : "*") + plain(*value.value);
          },
          [](const flyte::Conditional& value) {
            return plain(*value.value) + " if " + plain(*value.condition) + " else " +
                   plain(*value.otherwise);
          },
          [](const flyte::Comprehension& value) {
            std::string out = plain(*value.element) + (value.is_async ? " async for " : " for ") +
                              value.target + " in " + plain(*value.iterable);
            if (value.condition) {
              out += " if " + plain(**value.condition);
            }
            return value.generator ? "(" + out + ")" : "[" + out + "]";
          },
          [](const flyte::Named& value) { return value.target + " := " + plain(*value.value); },
      },
      expr.value);
  if (std::holds_alternative<flyte::Starred>(expr.value)) {
    return text;
  }
  return "(" + text + ")";
}

inline std::string plain(const std::vector<flyte::Stmt>& body, const std::string& indent) {
  std::string out;
  bool empty = true;
  for (const flyte::Stmt& each : body) {
    const std::string deeper = indent + " ";
    const std::string text = std::visit(
        Each{
            [&](const flyte::Assign& value) {
              return indent + value.target + (value.type.empty() ? "" : ": " + value.type) + " = " +
                     plain(value.value) + "\n";
            },
            [&](const flyte::ExprStmt& value) { return indent + plain(value.value) + "\n"; },
            [&](const flyte::Return& value) {
              return indent + "return" + (value.value ? " " + plain(*value.value) : "") + "\n";
            },
            [&](const flyte::Raise& value) {
              return indent + "raise " + plain(value.value) +
                     (value.cause ? " from " + plain(*value.cause) : "") + "\n";
            },
            [&](const flyte::IfStmt& value) {
              std::string all;
              for (const flyte::Branch& branch : value.branches) {
                all += indent + (all.empty() ? "if " : branch.condition ? "elif " : "else");
                all += (branch.condition ? plain(*branch.condition) : "") + ":\n" +
                       plain(branch.body, deeper);
              }
              return all;
            },
            [&](const flyte::ForStmt& value) {
              return indent + (value.is_async ? "async for " : "for ") + value.target + " in " +
                     plain(value.iterable) + ":\n" + plain(value.body, deeper);
            },
            [&](const flyte::WhileStmt& value) {
              return indent + "while " + plain(value.condition) + ":\n" + plain(value.body, deeper);
            },
            [&](const flyte::WithStmt& value) {
              return indent + (value.is_async ? "async with " : "with ") + plain(value.context) +
                     (value.as.empty() ? "" : " as " + value.as) + ":\n" +
                     plain(value.body, deeper);
            },
            [&](const flyte::TryStmt& value) {
              std::string all = indent + "try:\n" + plain(value.body, deeper);
              for (const flyte::Handler& handler : value.handlers) {
                all += indent + "except " + handler.exception +
                       (handler.as.empty() ? "" : " as " + handler.as) + ":\n" +
                       plain(handler.body, deeper);
              }
              if (!value.finally.empty()) {
                all += indent + "finally:\n" + plain(value.finally, deeper);
              }
              return all;
            },
            [&](const flyte::FunctionDef& value) {
              std::string parameters;
              for (const flyte::FunctionDef::Parameter& parameter : value.parameters) {
                parameters += (parameters.empty() ? "" : ", ") + parameter.name + ": " +
                              parameter.type +
                              (parameter.default_ ? " = " + plain(*parameter.default_) : "");
              }
              return indent + "async def " + value.name + "(" + parameters + ") -> " +
                     value.returns + ":\n" + plain(value.body, deeper);
            },
            [&](const flyte::Break&) { return indent + "break\n"; },
            [&](const flyte::Continue&) { return indent + "continue\n"; },
            [&](const flyte::Pass&) { return indent + "pass\n"; },
            [](const flyte::CommentOnly&) { return std::string(); },
        },
        each.value);
    empty &= text.empty();
    out += text;
  }
  return empty ? out + indent + "pass\n" : out;
}

} // namespace s2f::tests
