// Random modules for the property tests of the emitter: any shape that the target model can have,
// at every width.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "flyte/program.hpp"

namespace s2f::tests {

using flyte::Arg;
using flyte::Expr;
using flyte::Stmt;

class RandomModule {
public:
  explicit RandomModule(std::uint64_t seed)
      : random_([engine = std::mt19937_64(seed)]() mutable { return engine(); }) {}
  explicit RandomModule(std::function<std::uint64_t()> random) : random_(std::move(random)) {}

  flyte::Module module() {
    flyte::Module module;
    module.file = "job_flyte.py";
    module.summary = sentence(2, 16);
    module.migrated = sentence(5, 30);
    for (int i = upto(3); i > 0; --i) {
      module.commands.push_back({sentence(2, 8), chance(3) ? "" : sentence(2, 5)});
    }
    for (int i = upto(3); i > 0; --i) {
      module.not_carried.push_back({sentence(3, 30), {}});
    }
    module.here_parent = upto(2);
    module.here_notes = notes(2);
    for (int i = upto(3); i > 0; --i) {
      module.constants.push_back({"CONSTANT_" + std::to_string(i), top_expression(), notes()});
    }
    for (int i = upto(2); i > 0; --i) {
      module.images.push_back({"image_" + std::to_string(i), image(), notes()});
    }
    const int environments = 1 + upto(2);
    for (int i = 0; i < environments; ++i) {
      module.environments.push_back(environment(i));
    }
    for (int i = upto(1); i > 0; --i) {
      module.triggers.push_back({"trigger_" + std::to_string(i), top_expression(), notes()});
    }
    for (int i = upto(2); i > 0; --i) {
      module.kept.push_back({"KEPT_" + std::to_string(i), kept_text(), notes()});
    }
    const int tasks = 1 + upto(2);
    for (int i = 0; i < tasks; ++i) {
      module.tasks.push_back(task(i, upto(environments - 1)));
    }
    for (const char* helper : {"run", "bash", "scratch", "fetch", "all_ok", "stage", "after"}) {
      if (chance(3)) {
        module.helpers[helper] = options(helper);
      }
    }
    module.helpers["run"];
    module.entry = "task_0";
    module.entry_needs_input = chance(2);
    module.generated_from = "job.sh";
    return module;
  }

  // Parameters that every task has, so that any expression may use them.
  static std::vector<std::string> known_names() {
    return {"a",
            "xs",
            "lr",
            "path",
            "result",
            "configuration",
            "learning_rate_of_the_model",
            "a_rather_long_parameter_name_for_a_job_script"};
  }

  Expr expression(int depth) {
    if (depth <= 0) {
      return leaf();
    }
    switch (upto(15)) {
    case 0:
    case 1:
    case 2:
      return {flyte::Call{callee(depth), arguments(depth, 5)}};
    case 3:
      return {flyte::ListExpr{elements(depth, 5)}};
    case 4:
      return {flyte::TupleExpr{elements(depth, 4)}};
    case 5:
      return {flyte::DictExpr{pairs(depth)}};
    case 6:
      return {flyte::FString{parts()}};
    case 7:
      return chain(depth);
    case 8:
      return {flyte::Subscript{expression(depth - 1), expression(depth - 1)}};
    case 9:
      return {flyte::Binary{pick<const char*>({"+", "-", "*", "//", "%", "/"}), operand(depth),
                            operand(depth)}};
    case 10:
      return {flyte::Binary{pick<const char*>({"==", "!=", "<", "<=", ">", ">=", "in", "not in"}),
                            operand(depth), operand(depth)}};
    case 11:
      return {flyte::Binary{pick<const char*>({"and", "or"}), expression(depth - 1),
                            expression(depth - 1)}};
    case 12:
      return {flyte::Unary{pick<const char*>({"-", "not"}), operand(depth)}};
    case 13:
      return in_function_ ? Expr{flyte::Await{expression(depth - 1)}} : leaf();
    case 14:
      return {
          flyte::Conditional{expression(depth - 1), expression(depth - 1), expression(depth - 1)}};
    default:
      return comprehension(depth);
    }
  }

  std::vector<Stmt> body(int depth) {
    std::vector<Stmt> out;
    for (int i = 1 + upto(4); i > 0; --i) {
      out.push_back(statement(depth));
    }
    return out;
  }

  // `n` words of letters and what scripts have between them.
  std::string sentence(int least, int most) {
    if (!texts.empty() && chance(2)) {
      return pick(texts);
    }
    std::string out;
    for (int i = least + upto(most - least); i > 0; --i) {
      if (!out.empty()) {
        out += ' ';
      }
      out += chance(12)
                 ? pick<const char*>({"--gres=gpu:a100:8", "$USER/x", "a\"b", "it's", "\\n",
                                      "# noqa", "#", "é", "東京", "{x}", "type: x", "fmt: off"})
                 : word();
    }
    return out;
  }

  bool chance(int of) { return upto(of - 1) == 0; }

  int upto(int most) { return static_cast<int>(random_() % static_cast<std::uint64_t>(most + 1)); }

  bool with_comments = true;
  std::vector<std::string> texts; // that stand in the module in the place of some of its own

private:
  template <typename Value> Value pick(std::vector<Value> from) {
    return from[static_cast<std::size_t>(upto(static_cast<int>(from.size()) - 1))];
  }

  std::string word() {
    std::string out;
    for (int i = 1 + upto(chance(4) ? 24 : 7); i > 0; --i) {
      out += static_cast<char>('a' + upto(25));
    }
    constexpr std::array<std::string_view, 20> keywords{
        "and",    "as",  "async", "await", "break", "class", "def", "del", "elif", "else",
        "except", "for", "from",  "if",    "in",    "is",    "not", "or",  "pass", "try"};
    return std::ranges::binary_search(keywords, out) ? out + "x" : out;
  }

  flyte::Notes notes(int of = 4) {
    flyte::Notes notes;
    if (!with_comments) {
      return notes;
    }
    if (chance(of)) {
      notes.trailing = sentence(1, chance(3) ? 14 : 4);
    }
    if (chance(of * 2)) {
      notes.above.push_back(sentence(1, 30));
    }
    return notes;
  }

  Expr leaf() {
    switch (upto(7)) {
    case 0:
      return flyte::str(text());
    case 1:
      return flyte::number(
          pick<std::string>({"1", "16", "3e-4", "10_000", "0.5", "1E5", "-3", "0xFF"}));
    case 2:
      return flyte::name(pick<const char*>({"None", "True", "False"}));
    case 3:
      return flyte::name("sys.executable");
    case 4:
      return chance(8) ? Expr{flyte::Bytes{text()}} : flyte::str(word());
    default:
      return flyte::name(pick(known_names()));
    }
  }

  std::string text() {
    if (!texts.empty() && chance(2)) {
      return pick(texts);
    }
    if (chance(6)) {
      return pick<std::string>({"", "\n", "it's", "say \"x\"", "'\"", "a\\b", "\x1b[0m", "\xff",
                                "\u202e", "é", "日本語", "{}", "%s", "tab\t"});
    }
    return sentence(1, chance(5) ? 12 : 2);
  }

  Expr operand(int depth) {
    // No number or constant alone: comparing two of them is a rule's business, not the layout's.
    return chance(2) ? flyte::name(pick(known_names())) : expression(depth - 1);
  }

  flyte::Box<Expr> callee(int depth) {
    if (chance(5)) {
      return expression(depth - 1);
    }
    Expr name = flyte::name(pick<const char*>(
        {"run", "path.joinpath", "asyncio.gather", "flyte.map.aio", "xs.a.b.c", "Path", "result"}));
    return name;
  }

  Expr chain(int depth) {
    Expr out = expression(depth - 1);
    for (int i = 1 + upto(3); i > 0; --i) {
      out = {flyte::Attribute{std::move(out), word()}};
      if (!chance(4)) {
        out = {flyte::Call{std::move(out), arguments(depth - 1, 3)}};
      }
      if (chance(6)) {
        out = {flyte::Subscript{std::move(out), expression(0)}};
      }
    }
    return out;
  }

  Expr comprehension(int depth) {
    flyte::Comprehension value;
    value.element = expression(depth - 1);
    value.target = pick<std::string>({"a", "a, xs", "lr"});
    value.iterable = expression(depth - 1);
    if (chance(3)) {
      value.condition = flyte::Box<Expr>(expression(depth - 1));
    }
    value.is_async = in_function_ && chance(4);
    value.generator = chance(2);
    return {std::move(value)};
  }

  std::vector<Arg> arguments(int depth, int most) {
    std::vector<Arg> out;
    const int count = upto(most);
    int positional = upto(count);
    for (int i = 0; i < count; ++i) {
      Arg arg{"", {}, expression(depth - 1), notes(10)};
      if (i < positional) {
        if (chance(10)) {
          arg.value = {flyte::Starred{std::move(arg.value), false}};
        }
      } else if (chance(12)) {
        arg.value = {flyte::Starred{std::move(arg.value), true}};
      } else {
        arg.keyword = word() + std::to_string(i);
      }
      out.push_back(std::move(arg));
    }
    return out;
  }

  std::vector<Arg> elements(int depth, int most) {
    std::vector<Arg> out;
    for (int i = upto(most); i > 0; --i) {
      out.push_back({"", {}, expression(depth - 1), notes(12)});
      if (chance(12)) {
        out.back().value = {flyte::Starred{std::move(out.back().value), false}};
      }
    }
    return out;
  }

  std::vector<Arg> pairs(int depth) {
    std::vector<Arg> out;
    for (int i = upto(4); i > 0; --i) {
      out.push_back({"", chance(5) ? expression(depth - 1) : flyte::str(word() + std::to_string(i)),
                     expression(depth - 1), notes(8)});
      if (chance(10)) {
        out.back().key.reset();
        out.back().value = {flyte::Starred{std::move(out.back().value), true}};
      }
    }
    return out;
  }

  std::vector<Expr> parts() {
    std::vector<Expr> out;
    for (int i = 1 + upto(4); i > 0; --i) {
      if (chance(2)) {
        out.push_back(flyte::str(text()));
      } else if (chance(3)) {
        out.push_back(field());
      } else {
        out.push_back(flyte::name(pick(known_names())));
      }
    }
    return out;
  }

  // What may stand in a replacement field as it is: no strings, and no comments.
  Expr field() {
    const Expr name = flyte::name(pick(known_names()));
    switch (upto(4)) {
    case 0:
      return {flyte::Binary{"+", name, flyte::number("1")}};
    case 1:
      return {flyte::Call{name, {flyte::arg(name), flyte::arg("key", name)}}};
    case 2:
      return {flyte::Attribute{Expr{flyte::Subscript{name, flyte::number("0")}}, "name"}};
    case 3:
      return {flyte::Conditional{name, name, name}};
    default:
      return {flyte::DictExpr{{Arg{"", name, name, {}}}}};
    }
  }

  Expr top_expression() {
    in_function_ = false;
    // At the top of the module there are no parameters; literals will do.
    flyte::DictExpr dict;
    flyte::ListExpr list;
    for (int i = upto(4); i > 0; --i) {
      dict.elements.push_back({"", flyte::str(word() + std::to_string(i)), literal(), notes(5)});
      list.elements.push_back({"", {}, literal(), notes(6)});
    }
    switch (upto(4)) {
    case 0:
      return {std::move(dict)};
    case 1:
      return {std::move(list)};
    case 2:
      return {flyte::TupleExpr{std::move(list.elements)}};
    case 3:
      return flyte::call("flyte.Trigger", {Arg{"name", {}, literal(), notes()},
                                           Arg{"automation", {}, {std::move(list)}, notes()}});
    default:
      return literal();
    }
  }

  Expr literal() {
    switch (upto(3)) {
    case 0:
      return flyte::number("16");
    case 1:
      return flyte::str(sentence(1, 12));
    case 2:
      return flyte::name("None");
    default:
      return flyte::str(text());
    }
  }

  Expr image() {
    Expr out = flyte::call(
        "flyte.Image.from_debian_base",
        {Arg{"python_version",
             {},
             {flyte::TupleExpr{{flyte::arg(flyte::number("3")), flyte::arg(flyte::number("12"))}}},
             notes(2)}});
    for (int i = upto(3); i > 0; --i) {
      std::vector<Arg> packages;
      for (int k = 1 + upto(4); k > 0; --k) {
        packages.push_back({"", {}, flyte::str(word()), notes(10)});
      }
      out = {flyte::Call{Expr{flyte::Attribute{std::move(out), chance(2) ? "with_pip_packages"
                                                                         : "with_apt_packages"}},
                         std::move(packages)}};
    }
    return out;
  }

  template <typename Value> std::optional<flyte::Noted<Value>> maybe(Value value, int of = 2) {
    if (!chance(of)) {
      return std::nullopt;
    }
    return flyte::Noted<Value>{std::move(value), notes(2)};
  }

  flyte::Environment environment(int number) {
    flyte::Environment out;
    out.variable = "env_" + std::to_string(number);
    out.name = {"name-" + std::to_string(number), notes(2)};
    out.image = maybe(image(), 3);
    out.resources.cpu = maybe(flyte::number("16"));
    out.resources.memory = maybe(flyte::str("64Gi"));
    out.resources.gpu = maybe(flyte::str("A100:8"));
    out.resources.disk = maybe(flyte::str("100Gi"), 4);
    out.resources.shm = maybe(flyte::str("auto"), 3);
    out.queue = maybe(std::string("gpu"));
    out.env_vars = maybe(Expr{flyte::DictExpr{}}, 5);
    out.secrets = maybe(flyte::call("flyte.Secret", {flyte::arg(flyte::str("key")),
                                                     flyte::arg("as_env_var", flyte::str("KEY"))}),
                        5);
    out.interruptible = maybe(flyte::name("True"), 6);
    for (int i = upto(6); i > 0; --i) {
      out.include.push_back(word() + ".py");
    }
    if (number > 0) {
      out.depends_on.push_back("env_0");
    }
    out.notes = notes();
    return out;
  }

  flyte::Task task(int number, int environment) {
    flyte::Task out;
    out.environment = "env_" + std::to_string(environment);
    out.function = "task_" + std::to_string(number);
    out.retries = maybe(flyte::number("3"), 3);
    out.timeout = maybe(flyte::call("timedelta", {flyte::arg("hours", flyte::number("4"))}));
    out.entrypoint = chance(4);
    bool optional = false;
    for (const std::string& name : known_names()) {
      optional = optional || chance(5);
      flyte::Parameter parameter{name,
                                 pick<std::string>({"str", "float", "File", "list[File]",
                                                    "dict[str, File]", "str | None"}),
                                 {},
                                 notes(10)};
      if (optional) {
        parameter.default_ = chance(3) ? flyte::str(text()) : flyte::name("None");
      }
      out.parameters.push_back(std::move(parameter));
    }
    out.returns = pick<std::string>(
        {"None", "File", "list[Dir]", "dict[str, list[File]]", "tuple[File, Dir]"});
    out.docstring = sentence(2, 14) + (chance(3) ? "\n\n" + sentence(3, 40) : "");
    in_function_ = true;
    out.body = body(2);
    in_function_ = false;
    out.notes = notes(6);
    return out;
  }

  std::string kept_text() {
    if (!texts.empty() && chance(2)) {
      return pick(texts);
    }
    std::string out = chance(2) ? "\n" : "";
    for (int i = upto(6); i > 0; --i) {
      out += chance(8) ? pick<std::string>({"echo \"\"\"x\"\"\"", "x\\", "\tif [ \"$1\" ]; then",
                                            "printf '\\033[1m'", "a\x01", "\xe9", "trailing  ",
                                            "''' \"\"", "日本"})
                       : sentence(1, 20);
      out += '\n';
    }
    return out;
  }

  std::set<std::string> options(std::string_view helper) {
    std::set<std::string> out;
    if (helper != "run" && helper != "bash") {
      return out;
    }
    for (const char* option : {"cwd", "env", "check"}) {
      if (chance(3)) {
        out.insert(option);
      }
    }
    if (helper == "run") {
      for (const char* option : {"stdout", "stderr"}) {
        if (chance(3)) {
          out.insert(option);
        }
      }
    }
    return out;
  }

  // `with (a, b):` is not about a tuple.
  Expr context() {
    Expr out = expression(3);
    return std::holds_alternative<flyte::TupleExpr>(out.value) ? leaf() : out;
  }

  Stmt statement(int depth) {
    Stmt out;
    out.notes = notes();
    switch (upto(depth > 0 ? 12 : 6)) {
    case 0:
    case 1:
      out.value = flyte::Assign{pick<std::string>({"a", "xs", "lr", "path", "result.attribute",
                                                   "xs[0]", "a, xs", "result[\"key\"]"}),
                                "", expression(3)};
      break;
    case 2:
      out.value = flyte::Assign{
          "configuration",
          pick<std::string>({"str", "list[File]", "dict[str, File | None]", "File | Dir"}),
          expression(3)};
      break;
    case 3:
      out.value = flyte::ExprStmt{expression(3)};
      break;
    case 4:
      out.value = flyte::ExprStmt{flyte::await(flyte::call("run", arguments(3, 8)))};
      break;
    case 5:
      out.value = chance(4) ? flyte::Return{} : flyte::Return{expression(3)};
      break;
    case 6:
      if (chance(3)) {
        out.value = flyte::CommentOnly{};
      } else if (chance(4)) {
        out.value = flyte::Pass{};
      } else {
        out.value = flyte::Raise{flyte::call("ValueError", arguments(2, 3)),
                                 chance(2) ? std::optional<Expr>(expression(1)) : std::nullopt};
      }
      break;
    case 7:
    case 8: {
      flyte::IfStmt value;
      for (int i = 1 + upto(1); i > 0; --i) {
        Expr condition = expression(3);
        if (chance(5)) {
          condition = {flyte::Named{"a", std::move(condition)}};
        }
        value.branches.push_back({std::move(condition), body(depth - 1), notes()});
      }
      if (chance(2)) {
        value.branches.push_back({std::nullopt, body(depth - 1), notes()});
      }
      out.value = std::move(value);
      break;
    }
    case 9:
      if (chance(2)) {
        Expr condition = expression(3);
        out.value = flyte::WhileStmt{std::move(condition), body(depth - 1)};
        break;
      }
      out.value = flyte::ForStmt{pick<std::string>({"a", "a, xs"}), expression(3), chance(4),
                                 body(depth - 1)};
      break;
    case 10:
      out.value = flyte::WithStmt{context(), chance(2) ? "path" : "", chance(4), body(depth - 1)};
      break;
    default: {
      flyte::TryStmt value;
      value.body = body(depth - 1);
      if (!chance(4)) {
        value.handlers.push_back(
            {pick<std::string>({"ValueError", "flyte.errors.RuntimeUserError", "Exception"}),
             chance(2) ? "error" : "", body(depth - 1)});
      }
      if (value.handlers.empty() || chance(3)) {
        value.finally = body(depth - 1);
      }
      out.value = std::move(value);
      break;
    }
    }
    return out;
  }

  std::function<std::uint64_t()> random_;
  bool in_function_ = true;
};

} // namespace s2f::tests
