// What the shell computes, as Python expressions.
#include "lower/parts.hpp"

namespace s2f::lower {

namespace {

flyte::Expr method(flyte::Expr value, const char* name, std::vector<flyte::Arg> arguments) {
  return flyte::Expr{
      flyte::Call{flyte::Expr{flyte::Attribute{std::move(value), name}}, std::move(arguments)}};
}

flyte::Expr attribute(flyte::Expr value, const char* name) {
  return flyte::Expr{flyte::Attribute{std::move(value), name}};
}

flyte::Expr spliced(const char* helper, flyte::Expr value, const Around& around) {
  std::vector<flyte::Arg> arguments{flyte::arg(std::move(value))};
  if (around.cwd) {
    arguments.push_back(flyte::arg(*around.cwd));
  }
  return flyte::Expr{flyte::Starred{flyte::call(helper, std::move(arguments)), false}};
}

} // namespace

bool is_text(const ir::Computed& computed) {
  return computed.operation != ir::Operation::home &&
         computed.operation != ir::Operation::directory_name &&
         computed.operation != ir::Operation::random &&
         computed.operation != ir::Operation::process_id;
}

flyte::Expr output(const ir::Job& job, const ir::Launch& launch, const Around& around) {
  std::vector<flyte::Arg> arguments;
  arguments.reserve(launch.words.size());
  for (const ir::Value& word : launch.words) {
    arguments.push_back(flyte::arg(expression(job, word, around)));
  }
  if (around.cwd) {
    arguments.push_back(flyte::arg("cwd", *around.cwd));
  }
  for (const ir::Redirection& redirection : launch.redirections) {
    arguments.push_back(flyte::arg(
        "stderr", flyte::name(redirection.to_stdout ? "subprocess.STDOUT" : "subprocess.DEVNULL")));
  }
  if (!launch.environment.empty()) {
    flyte::DictExpr dict;
    if (around.env) {
      dict.elements.push_back(flyte::arg(flyte::Expr{flyte::Starred{*around.env, true}}));
    }
    for (const auto& [name, value] : launch.environment) {
      flyte::Arg element = flyte::arg(text_expression(job, value, around));
      element.key = flyte::str(name);
      dict.elements.push_back(std::move(element));
    }
    arguments.push_back(flyte::arg("env", flyte::Expr{std::move(dict)}));
  } else if (around.env) {
    arguments.push_back(flyte::arg("env", *around.env));
  }
  if (launch.status_matters) {
    arguments.push_back(flyte::arg("check", flyte::name("True")));
  }
  return flyte::await(flyte::call("capture", std::move(arguments)));
}

flyte::Expr computed(const ir::Job& job, const ir::Computed& computed, const Around& around) {
  using Operation = ir::Operation;
  const auto operand = [&](std::size_t i) {
    return text_expression(job, computed.operands[i], around);
  };
  switch (computed.operation) {
  case Operation::host_name:
    return flyte::call("platform.node", {});
  case Operation::user_name:
    return flyte::call("getpass.getuser", {});
  case Operation::home:
    return flyte::call("Path.home", {});
  case Operation::temporary_directory:
    return flyte::call("tempfile.gettempdir", {});
  case Operation::random: {
    constexpr const char* beyond = "32768"; // RANDOM is below it
    return flyte::call("random.randrange", {flyte::arg(flyte::number(beyond))});
  }
  case Operation::process_id:
    return flyte::call("os.getpid", {});
  case Operation::now:
    return flyte::call("time.strftime", {flyte::arg(operand(0))});
  case Operation::base_name: {
    flyte::Expr name = attribute(
        flyte::call("Path", {flyte::arg(expression(job, computed.operands[0], around))}), "name");
    if (computed.operands.size() == 1) {
      return name;
    }
    return method(std::move(name), "removesuffix", {flyte::arg(operand(1))});
  }
  case Operation::directory_name:
    return attribute(
        flyte::call("Path", {flyte::arg(expression(job, computed.operands[0], around))}), "parent");
  case Operation::words:
    return spliced("split_words", operand(0), around);
  case Operation::pattern:
    return spliced("expand", operand(0), around);
  case Operation::escaped:
    return flyte::call("glob.escape", {flyte::arg(operand(0))});
  }
  return flyte::str("");
}

} // namespace s2f::lower
