// What the shell computes, as Python expressions.
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "ir/steps.hpp"
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

// An index less a number that no index is below.
static bool natural_difference(const ir::Job& job, const ir::Computed& sum) {
  const auto less = sum.operands[1].text();
  const auto& parts = sum.operands[0].parts;
  constexpr std::size_t digits = 9;
  if (!job.array || !job.array->certain || !job.array->mapped() || parts.size() != 1 ||
      !std::holds_alternative<ir::ArrayIndex>(parts.front()) || !less || less->empty() ||
      less->size() > digits || less->find_first_not_of("0123456789") != std::string::npos) {
    return false;
  }
  return std::ranges::min(job.array->spec.indices) >= std::stoll(*less);
}

// Whether it is never below 0.
static bool natural(const ir::Job& job, const ir::Value& value) {
  if (const auto text = value.text()) {
    return !text->starts_with('-');
  }
  const ir::ValuePart& part = value.parts.front();
  const auto* local = std::get_if<ir::Local>(&part);
  const auto* sum = std::get_if<ir::Computed>(&part);
  if (sum != nullptr && ir::is_numeric(sum->operation)) {
    using Operation = ir::Operation;
    const auto is_natural = [&](const ir::Value& operand) { return natural(job, operand); };
    if (sum->operation == Operation::subtract) {
      return natural_difference(job, *sum);
    }
    return sum->operation != Operation::whole_number && sum->operation != Operation::decimal &&
           (sum->operation == Operation::count || std::ranges::all_of(sum->operands, is_natural));
  }
  return std::holds_alternative<ir::ArrayIndex>(part) || (local != nullptr && local->natural);
}

static flyte::Expr binary(const char* op, flyte::Expr left, flyte::Expr right) {
  return flyte::Expr{flyte::Binary{op, std::move(left), std::move(right)}};
}

// Bash divides towards 0, and a remainder has the sign of what is divided.
static flyte::Expr arithmetic(const ir::Job& job, const ir::Computed& sum, const Around& around) {
  flyte::Expr left = number_expression(job, sum.operands[0], around);
  flyte::Expr right = number_expression(job, sum.operands[1], around);
  const bool both = natural(job, sum.operands[0]) && natural(job, sum.operands[1]);
  switch (sum.operation) {
  case ir::Operation::add:
    return binary("+", std::move(left), std::move(right));
  case ir::Operation::subtract:
    if (sum.operands[0].text() == "0") {
      return flyte::Expr{flyte::Unary{"-", std::move(right)}};
    }
    return binary("-", std::move(left), std::move(right));
  case ir::Operation::multiply:
    return binary("*", std::move(left), std::move(right));
  case ir::Operation::divide:
    if (both) {
      return binary("//", std::move(left), std::move(right));
    }
    return flyte::call("int", {flyte::arg(binary("/", std::move(left), std::move(right)))});
  default:
    if (both) {
      return binary("%", std::move(left), std::move(right));
    }
    return flyte::call("int",
                       {flyte::arg(flyte::call("math.fmod", {flyte::arg(std::move(left)),
                                                             flyte::arg(std::move(right))}))});
  }
}

bool is_text(const ir::Computed& computed) {
  return !ir::is_numeric(computed.operation) && computed.operation != ir::Operation::home &&
         computed.operation != ir::Operation::working_directory &&
         computed.operation != ir::Operation::directory_name;
}

bool takes_arguments(const ir::Job& job, const ir::Parameter& list) {
  const auto of_list = [&](const ir::Value& value) {
    const auto* reference =
        value.parts.empty() ? nullptr : std::get_if<ir::ParameterRef>(&value.parts.front());
    return reference != nullptr && reference->name == list.name;
  };
  const std::function<bool(const ir::Value&)> takes = [&](const ir::Value& value) {
    return std::ranges::any_of(value.parts, [&](const ir::ValuePart& part) {
      const auto* computed = std::get_if<ir::Computed>(&part);
      return computed != nullptr && (std::ranges::any_of(computed->operands, of_list) ||
                                     std::ranges::any_of(computed->operands, takes));
    });
  };
  bool found = false;
  std::vector<ir::Step> body = job.body; // its values can only be looked at as what may change
  ir::for_each_step(body, [&](ir::Step& step) {
    ir::for_each_value(step, [&](ir::Value& value) { found = found || takes(value); });
    if (const auto* launch = std::get_if<ir::Launch>(&step.value)) {
      found = found || (launch->input && takes(launch->input->value));
    } else if (const auto* assign = std::get_if<ir::Assign>(&step.value)) {
      for (const ir::Binding& binding : assign->bindings) {
        found = found || (binding.items && std::ranges::any_of(*binding.items, takes));
      }
    }
  });
  return found;
}

// *(arguments or ()); *arguments where the task begins with `arguments = arguments or []`.
flyte::Expr each_argument(const ir::Job& job, const ir::Parameter& list) {
  flyte::Expr words = takes_arguments(job, list)
                          ? flyte::name(list.name)
                          : flyte::Expr{flyte::Binary{"or", flyte::name(list.name),
                                                      flyte::Expr{flyte::TupleExpr{}}}};
  return flyte::Expr{flyte::Starred{std::move(words), false}};
}

// A word of a command; all arguments of the script are as many as they are.
static flyte::Expr word_of(const ir::Job& job, const ir::Value& word, const Around& around) {
  const auto* reference =
      word.parts.size() == 1 ? std::get_if<ir::ParameterRef>(&word.parts[0]) : nullptr;
  for (const ir::Parameter& parameter : job.parameters) {
    if (reference != nullptr && parameter.name == reference->name &&
        parameter.type == ir::Type::text_list) {
      return each_argument(job, parameter);
    }
  }
  return expression(job, word, around);
}

flyte::Expr output(const ir::Job& job, const ir::Launch& launch, const Around& around) {
  std::vector<flyte::Arg> arguments;
  arguments.reserve(launch.words.size());
  for (const ir::Value& word : launch.words) {
    arguments.push_back(flyte::arg(word_of(job, word, around)));
  }
  if (around.cwd) {
    arguments.push_back(flyte::arg("cwd", *around.cwd));
  }
  for (const ir::Redirection& redirection : launch.redirections) {
    arguments.push_back(flyte::arg(
        "stderr", flyte::name(redirection.to_stdout ? "subprocess.STDOUT" : "subprocess.DEVNULL")));
  }
  if (launch.input) {
    arguments.push_back(launch.input->text || !around.path
                            ? flyte::arg("text", text_expression(job, launch.input->value, around))
                            : flyte::arg("stdin", around.path(launch.input->value)));
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

// stderr=subprocess.STDOUT, where all but the last say so; else what each says.
static std::optional<flyte::Arg> errors_of(const ir::Output& output) {
  flyte::TupleExpr each;
  bool any = false;
  bool usual = true;
  const auto stage = [&](const ir::Launch& launch, bool last) {
    const char* stream = "None";
    for (const ir::Redirection& redirection : launch.redirections) {
      stream = redirection.to_stdout ? "subprocess.STDOUT" : "subprocess.DEVNULL";
      any = true;
    }
    usual = usual && std::string_view(stream) == (last ? "None" : "subprocess.STDOUT");
    each.elements.push_back(flyte::arg(flyte::name(stream)));
  };
  stage(*output.launch, false);
  for (const auto& next : output.next) {
    stage(*next, &next == &output.next.back());
  }
  if (!any) {
    return std::nullopt;
  }
  return usual ? flyte::arg("stderr", flyte::name("subprocess.STDOUT"))
               : flyte::arg("errors", flyte::Expr{std::move(each)});
}

flyte::Expr output_of_pipe(const ir::Job& job, const ir::Output& output, const Around& around) {
  std::vector<flyte::Arg> arguments;
  const auto stage = [&](const ir::Launch& launch) {
    flyte::ListExpr words;
    for (const ir::Value& word : launch.words) {
      words.elements.push_back(flyte::arg(word_of(job, word, around)));
    }
    arguments.push_back(flyte::arg(flyte::Expr{std::move(words)}));
  };
  stage(*output.launch);
  for (const auto& next : output.next) {
    stage(*next);
  }
  if (around.cwd) {
    arguments.push_back(flyte::arg("cwd", *around.cwd));
  }
  if (output.launch->input) {
    arguments.push_back(
        output.launch->input->text || !around.path
            ? flyte::arg("text", text_expression(job, output.launch->input->value, around))
            : flyte::arg("stdin", around.path(output.launch->input->value)));
  }
  if (auto errors = errors_of(output)) {
    arguments.push_back(std::move(*errors));
  }
  if (around.env) {
    arguments.push_back(flyte::arg("env", *around.env));
  }
  if (output.pipefail && output.launch->status_matters) {
    arguments.push_back(flyte::arg("pipefail", flyte::name("True")));
  }
  if (output.launch->status_matters) {
    arguments.push_back(flyte::arg("check", flyte::name("True")));
  }
  return flyte::await(flyte::call("pipe_output", std::move(arguments)));
}

static bool is_arguments(const ir::Job& job, const ir::Value& value) {
  const auto* reference =
      value.parts.size() == 1 ? std::get_if<ir::ParameterRef>(&value.parts.front()) : nullptr;
  return reference != nullptr &&
         std::ranges::any_of(job.parameters, [&](const ir::Parameter& parameter) {
           return parameter.name == reference->name && parameter.type == ir::Type::text_list;
         });
}

// A path of the shell as Python's: Path(x), of what is none already.
static flyte::Expr path_of(const ir::Job& job, const ir::Value& value, const Around& around) {
  const auto* computed =
      value.parts.size() == 1 ? std::get_if<ir::Computed>(&value.parts.front()) : nullptr;
  const bool here =
      value.parts.size() == 1 && std::holds_alternative<ir::SubmitDirectory>(value.parts.front());
  const bool is_path =
      here || (computed != nullptr && (computed->operation == ir::Operation::working_directory ||
                                       computed->operation == ir::Operation::directory_name));
  flyte::Expr path = expression(job, value, around);
  return is_path ? path : flyte::call("Path", {flyte::arg(std::move(path))});
}

// *(["--flag"] if x else []) for ${x:+--flag}; nothing for another text.
static std::optional<flyte::Expr> given_option(const ir::Job& job, const ir::Value& value,
                                               const Around& around) {
  const auto* instead =
      value.parts.size() == 1 ? std::get_if<ir::Computed>(&value.parts.front()) : nullptr;
  if (instead == nullptr || instead->operation != ir::Operation::instead) {
    return std::nullopt;
  }
  const auto text = instead->operands[1].text();
  if (!text || text->empty() || text->find_first_of(" \t\n*?[") != std::string::npos) {
    return std::nullopt;
  }
  flyte::Expr choice = computed(job, *instead, around);
  auto& either = std::get<flyte::Conditional>(choice.value);
  flyte::ListExpr one;
  one.elements.push_back(flyte::arg(flyte::str(*text)));
  either.value = flyte::Expr{std::move(one)};
  either.otherwise = flyte::Expr{flyte::ListExpr{}};
  return flyte::Expr{flyte::Starred{std::move(choice), false}};
}

flyte::Expr computed(const ir::Job& job, const ir::Computed& computed, const Around& around) {
  using Operation = ir::Operation;
  const auto several = [&] { // the list of what stands for many words
    flyte::Expr words = expression(job, computed.operands[0], around);
    return *std::get<flyte::Starred>(words.value).value;
  };
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
  case Operation::working_directory:
    return around.cwd ? *around.cwd : flyte::name("HERE");
  case Operation::random: {
    constexpr const char* beyond = "32768"; // RANDOM is below it
    return flyte::call("random.randrange", {flyte::arg(flyte::number(beyond))});
  }
  case Operation::process_id:
    return flyte::call("os.getpid", {});
  case Operation::now:
    return flyte::call("time.strftime", {flyte::arg(operand(0))});
  case Operation::base_name: {
    flyte::Expr name = attribute(path_of(job, computed.operands[0], around), "name");
    if (computed.operands.size() == 1) {
      return name;
    }
    return method(std::move(name), "removesuffix", {flyte::arg(operand(1))});
  }
  case Operation::directory_name:
    return attribute(path_of(job, computed.operands[0], around), "parent");
  case Operation::seconds:
    return flyte::call("int", {flyte::arg(flyte::call("time.time", {}))});
  case Operation::whole_number:
    return flyte::call("whole_number", {flyte::arg(operand(0))});
  case Operation::decimal:
    return flyte::call("int", {flyte::arg(operand(0))});
  case Operation::add:
  case Operation::subtract:
  case Operation::multiply:
  case Operation::divide:
  case Operation::remainder:
    return arithmetic(job, computed, around);
  case Operation::padded:
    return flyte::Expr{flyte::FString{
        {flyte::call("format", {flyte::arg(number_expression(job, computed.operands[0], around)),
                                flyte::arg(flyte::str(fmt::format(
                                    "0{}d", computed.operands[1].text().value_or("0"))))})}}};
  case Operation::items:
    return flyte::Expr{flyte::Starred{expression(job, computed.operands[0], around), false}};
  case Operation::item:
    if (computed.operands[0].many()) {
      return flyte::Expr{
          flyte::Subscript{several(), number_expression(job, computed.operands[1], around)}};
    }
    return flyte::Expr{flyte::Subscript{expression(job, computed.operands[0], around),
                                        number_expression(job, computed.operands[1], around)}};
  case Operation::item_or_nothing: { // a[i] if i < len(a) else ""
    flyte::Expr list = expression(job, computed.operands[0], around);
    flyte::Expr index = number_expression(job, computed.operands[1], around);
    flyte::Expr count = flyte::call("len", {flyte::arg(list)});
    const auto constant = computed.operands[1].text();
    flyte::Expr there = constant == "0" ? list
                        : constant      ? binary(">", std::move(count), index)
                                        : binary("<", index, std::move(count));
    return flyte::Expr{
        flyte::Conditional{flyte::Expr{flyte::Subscript{std::move(list), std::move(index)}},
                           std::move(there), flyte::str("")}};
  }
  case Operation::joined:
    return method(flyte::str(" "), "join",
                  {flyte::arg(expression(job, computed.operands[0], around))});
  case Operation::count:
    if (computed.operands[0].many()) {
      return flyte::call("len", {flyte::arg(several())});
    }
    return flyte::call("len", {flyte::arg(expression(job, computed.operands[0], around))});
  case Operation::words:
    if (auto option = given_option(job, computed.operands[0], around)) {
      return std::move(*option);
    }
    return spliced(computed.operands.size() > 1 ? "split_matches" : "split_words", operand(0),
                   around);
  case Operation::file_lines: // stands alone in a list, which the body writes
    return spliced("read_lines", operand(0), {});
  case Operation::pattern:
    return spliced("expand", operand(0), around);
  case Operation::matches:
    return spliced("matches", operand(0), around);
  case Operation::length:
    return flyte::call("len", {flyte::arg(operand(0))});
  case Operation::either:
    return binary("or", operand(0), operand(1));
  case Operation::instead: { // y if x else ""
    const auto* variable =
        computed.operands.size() > 2
            ? std::get_if<ir::EnvironmentVariable>(&computed.operands[0].parts[0])
            : nullptr;
    flyte::Expr there = variable == nullptr
                            ? operand(0)
                            : binary("in", flyte::str(variable->name), flyte::name("os.environ"));
    return flyte::Expr{flyte::Conditional{operand(1), std::move(there), flyte::str("")}};
  }
  case Operation::substring: {
    std::vector<flyte::Arg> arguments{flyte::arg(operand(0))};
    for (std::size_t i = 1; i < computed.operands.size(); ++i) {
      arguments.push_back(flyte::arg(flyte::number(computed.operands[i].text().value_or("0"))));
    }
    return flyte::call("substring", std::move(arguments));
  }
  case Operation::substituted: {
    std::vector<flyte::Arg> arguments{flyte::arg(operand(1)), flyte::arg(operand(2)),
                                      flyte::arg(operand(0))};
    if (computed.operands.size() > 3) {
      arguments.push_back(flyte::arg("count", flyte::number("1")));
    }
    return flyte::call("re.sub", std::move(arguments));
  }
  case Operation::without_prefix:
    return method(operand(0), "removeprefix", {flyte::arg(operand(1))});
  case Operation::without_suffix:
    return method(operand(0), "removesuffix", {flyte::arg(operand(1))});
  case Operation::after_first:
  case Operation::before_first:
  case Operation::after_last:
  case Operation::before_last: { // x.rsplit("/", 1)[-1]
    const bool first = computed.operation == Operation::after_first ||
                       computed.operation == Operation::before_first;
    const bool after =
        computed.operation == Operation::after_first || computed.operation == Operation::after_last;
    flyte::Expr parts = method(operand(0), first ? "split" : "rsplit",
                               {flyte::arg(operand(1)), flyte::arg(flyte::number("1"))});
    return flyte::Expr{flyte::Subscript{std::move(parts), flyte::number(after ? "-1" : "0")}};
  }
  case Operation::replaced:
    return method(operand(0), "replace", {flyte::arg(operand(1)), flyte::arg(operand(2))});
  case Operation::replaced_once:
    return method(operand(0), "replace",
                  {flyte::arg(operand(1)), flyte::arg(operand(2)), flyte::arg(flyte::number("1"))});
  case Operation::slice: {
    flyte::Expr whole = is_arguments(job, computed.operands[0])
                            ? expression(job, computed.operands[0], around)
                            : operand(0);
    const std::string from = computed.operands[1].text().value_or("0");
    const std::string to =
        computed.operands.size() > 2 ? computed.operands[2].text().value_or("") : "";
    return flyte::Expr{flyte::Subscript{
        std::move(whole), flyte::name(fmt::format("{}:{}", from == "0" ? "" : from, to))}};
  }
  case Operation::upper:
    return method(operand(0), "upper", {});
  case Operation::lower:
    return method(operand(0), "lower", {});
  case Operation::escaped:
    return flyte::call("glob.escape", {flyte::arg(operand(0))});
  }
  return flyte::str("");
}

} // namespace s2f::lower
