// Decides what the helpers of a module look like: their parameters follow from how the tasks call
// them.
#include "emit/helpers.hpp"

#include <algorithm>
#include <array>

#include "emit/imports.hpp"
#include "emit/writer.hpp"

namespace s2f::emit {

namespace {

using flyte::Arg;
using flyte::Expr;
using flyte::Parameter;

using Options = std::set<std::string>;

std::string text_of(const Writer& writer) {
  std::string out;
  for (const Line& line : writer.lines) {
    if (!out.empty()) {
      out += '\n';
    }
    out += line.text;
  }
  return out;
}

std::string signature(std::string_view name, const std::vector<Parameter>& parameters,
                      std::string_view returns) {
  Writer writer;
  writer.function(name, parameters, returns, true);
  return text_of(writer);
}

// `process = await asyncio.create_subprocess_exec(...)`, as deep as it stands in the template.
std::string start(std::vector<Arg> arguments, std::uint32_t indent) {
  Writer writer;
  writer.assignment(
      {"process", "",
       flyte::await(flyte::call("asyncio.create_subprocess_exec", std::move(arguments)))},
      {}, indent);
  return text_of(writer);
}

Arg starred(std::string name, bool twice = false) {
  return flyte::arg(Expr{flyte::Starred{flyte::name(std::move(name)), twice}});
}

const Arg* keyword(const flyte::Call& call, std::string_view name) {
  const auto found = std::ranges::find(call.arguments, name, &Arg::keyword);
  return found == call.arguments.end() ? nullptr : &*found;
}

// How the tasks of a module call one helper.
class Calls {
public:
  Calls(const flyte::Module& module, std::string_view helper, Options options,
        std::string_view also = {})
      : module_(module), calls_(calls_of(module, helper)), options_(std::move(options)) {
    if (!also.empty()) { // another helper hands on what it is given
      for (const flyte::Call* call : calls_of(module, also)) {
        calls_.push_back(call);
      }
    }
    for (const flyte::Call* call : calls_) {
      for (const Arg& each : call->arguments) {
        if (!each.keyword.empty()) {
          options_.insert(each.keyword);
        }
      }
    }
  }

  // Another helper that hands on what it is given.
  void add(const flyte::Module& module, std::string_view helper) {
    for (const flyte::Call* call : calls_of(module, helper)) {
      calls_.push_back(call);
      for (const Arg& each : call->arguments) {
        if (!each.keyword.empty()) {
          options_.insert(each.keyword);
        }
      }
    }
  }

  [[nodiscard]] bool use(std::string_view option) const {
    return options_.contains(std::string(option));
  }

  // Then the parameter needs no default.
  [[nodiscard]] bool always(std::string_view option) const {
    return !calls_.empty() && std::ranges::all_of(calls_, [&](const flyte::Call* call) {
      return keyword(*call, option) != nullptr;
    });
  }

  template <typename Predicate>
  [[nodiscard]] bool any_value(std::string_view option, Predicate predicate) const {
    return std::ranges::any_of(calls_, [&](const flyte::Call* call) {
      const Arg* given = keyword(*call, option);
      return given != nullptr && predicate(given->value);
    });
  }

  // Whether every positional argument after the first is known to be text.
  [[nodiscard]] bool only_text() const {
    Names texts;
    Names others;
    for (const flyte::Task& task : module_.tasks) {
      for (const Parameter& parameter : task.parameters) {
        (parameter.type == "str" ? texts : others).insert(parameter.name);
      }
    }
    const auto is_text = [&](const Expr& expr) {
      if (const auto* name = std::get_if<flyte::Name>(&expr.value)) {
        return texts.contains(name->dotted) && !others.contains(name->dotted);
      }
      return std::holds_alternative<flyte::Str>(expr.value) ||
             std::holds_alternative<flyte::FString>(expr.value);
    };
    return std::ranges::all_of(calls_, [&](const flyte::Call* call) {
      return std::ranges::all_of(call->arguments, [&](const Arg& each) {
        return !each.keyword.empty() || &each == call->arguments.data() || is_text(each.value);
      });
    });
  }

private:
  const flyte::Module& module_;
  std::vector<const flyte::Call*> calls_;
  Options options_;
};

bool is_text_literal(const Expr& expr) {
  return std::holds_alternative<flyte::Str>(expr.value) ||
         std::holds_alternative<flyte::FString>(expr.value);
}

bool is_subprocess_constant(const Expr& expr) {
  if (std::holds_alternative<flyte::Number>(expr.value)) {
    return true;
  }
  const auto* name = std::get_if<flyte::Name>(&expr.value);
  return name != nullptr && name->dotted.starts_with("subprocess.");
}

void add_option(std::vector<Parameter>& parameters, const Calls& calls, std::string_view option,
                std::string type, std::optional<Expr> otherwise) {
  if (!calls.use(option)) {
    return;
  }
  if (calls.always(option)) {
    otherwise.reset();
  }
  if (otherwise && std::holds_alternative<flyte::Name>(otherwise->value) &&
      std::get<flyte::Name>(otherwise->value).dotted == "None") {
    type += " | None";
  }
  parameters.push_back({std::string(option), std::move(type), std::move(otherwise), {}});
}

// What both helpers that start a process have in common.
struct Process {
  std::vector<Parameter> parameters; // after the command
  std::vector<Arg> arguments;        // after the command
};

Process process_of(const flyte::Module& module, const Calls& calls,
                   const std::vector<std::string>& streams = {"stdout", "stderr"}) {
  Process process;
  std::optional<Expr> here;
  if (module.here_parent) {
    here = flyte::name("HERE");
  }
  const std::string path = calls.any_value("cwd", is_text_literal) ? "Path | str" : "Path";
  add_option(process.parameters, calls, "cwd", path, here ? *here : flyte::name("None"));
  if (calls.use("cwd")) {
    process.arguments.push_back(flyte::arg("cwd", flyte::name("cwd")));
  } else if (here) {
    process.arguments.push_back(flyte::arg("cwd", *here));
  }
  add_option(process.parameters, calls, "stdin", "Path",
             flyte::call("Path", {flyte::arg(flyte::name("os.devnull"))}));
  add_option(process.parameters, calls, "text", "str", flyte::str(""));
  Expr source = flyte::name(calls.use("stdin") ? "source" : "subprocess.DEVNULL");
  if (calls.use("text")) {
    source = {
        flyte::Conditional{flyte::name("subprocess.PIPE"), flyte::name("text"), std::move(source)}};
  }
  process.arguments.push_back(flyte::arg("stdin", std::move(source)));
  for (const std::string& stream : streams) {
    const bool number = calls.any_value(stream, is_subprocess_constant);
    add_option(process.parameters, calls, stream, number ? "IO[bytes] | int" : "IO[bytes]",
               flyte::name("None"));
    if (calls.use(stream)) {
      process.arguments.push_back(flyte::arg(stream, flyte::name(stream)));
    }
  }
  add_option(process.parameters, calls, "env", "Mapping[str, str]", flyte::name("None"));
  flyte::DictExpr variables{{starred("os.environ", true)}};
  if (calls.use("env")) {
    Expr own = flyte::name("env");
    if (!calls.always("env")) {
      own = {flyte::Binary{"or", std::move(own), Expr{flyte::DictExpr{}}}};
    }
    variables.elements.push_back(flyte::arg(Expr{flyte::Starred{std::move(own), true}}));
  }
  if (calls.use("room")) { // and what the place gives it
    variables.elements.push_back(starred("place", true));
  }
  if (variables.elements.size() > 1) {
    process.arguments.push_back(flyte::arg("env", Expr{std::move(variables)}));
  }
  return process;
}

void append(std::vector<Arg>& to, const std::vector<Arg>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

Helper run(const flyte::Module& module, const Options& options) {
  const Calls calls(module, "run", options);
  const Process process = process_of(module, calls);
  std::vector<Parameter> parameters{{"*command", "str | float | Path", {}, {}}};
  parameters.insert(parameters.end(), process.parameters.begin(), process.parameters.end());
  const bool may_fail = calls.use("check") || calls.use("stdin"); // status 1 for no file
  if (may_fail) {
    parameters.push_back({"check", "bool", flyte::name("True"), {}});
  }
  std::vector<Arg> arguments{starred("argv")};
  append(arguments, process.arguments);
  return {"run",
          {{"signature", signature("run", parameters, may_fail ? "int" : "None")},
           {"may_fail", may_fail},
           {"empty", calls.use("empty")},
           {"stdin", calls.use("stdin")},
           {"text", calls.use("text")},
           {"start", start(arguments, (may_fail ? 2 : 1) + (calls.use("stdin") ? 1 : 0))}}};
}

Helper spawn(const flyte::Module& module, const Options& options) {
  const Calls calls(module, "spawn", options);
  const Process process = process_of(module, calls);
  std::vector<Parameter> parameters{{"*command", "str | float | Path", {}, {}}};
  parameters.insert(parameters.end(), process.parameters.begin(), process.parameters.end());
  add_option(parameters, calls, "room", "asyncio.Queue[dict[str, str]]", flyte::name("None"));
  std::vector<Arg> arguments{starred("argv")};
  append(arguments, process.arguments);
  return {"spawn",
          {{"signature", signature("spawn", parameters, "asyncio.Task[int]")},
           {"room", calls.use("room")},
           {"mixed", calls.use("room") && !calls.always("room")},
           {"stdin", calls.use("stdin")},
           {"text", calls.use("text")},
           {"start", start(arguments, calls.use("stdin") ? 3 : 2)}}};
}

// `bash`; `bash_values`, which gives what variables hold at the end; `bash_state`, which also says
// whether it came there, and what programs see.
Helper bash(const flyte::Module& module, const std::string& name, const Options& options) {
  const bool state = name == "bash_state";
  const bool values = name == "bash_values" || state;
  const Calls calls(module, name, options);
  const Process process = process_of(module, calls);
  const bool only_text = calls.only_text();
  std::vector<Parameter> parameters{{"script", "str", {}, {}},
                                    {"*argv", only_text ? "str" : "str | float | Path", {}, {}}};
  if (values && (!state || calls.use("returns"))) {
    std::optional<Expr> none;
    if (!calls.always("returns")) {
      none = Expr{flyte::TupleExpr{}};
    }
    parameters.push_back({"returns", "Sequence[str]", std::move(none), {}});
  }
  Expr bare{flyte::TupleExpr{{flyte::arg(flyte::str("/bin/bash"))}}};
  add_option(parameters, calls, "interpreter", "Sequence[str]", std::move(bare));
  parameters.insert(parameters.end(), process.parameters.begin(), process.parameters.end());
  if (state) {
    add_option(parameters, calls, "exported", "dict[str, str]", flyte::name("None"));
  }
  const bool may_fail = calls.use("check");
  if (may_fail) {
    parameters.push_back({"check", "bool", flyte::name("True"), {}});
  }
  std::vector<Arg> arguments;
  arguments.push_back(calls.use("interpreter") ? starred("interpreter")
                                               : flyte::arg(flyte::str("/bin/bash")));
  arguments.push_back(flyte::arg(flyte::str("-c")));
  Expr text = values ? Expr{flyte::Binary{"+", flyte::name("script"), flyte::name("tail")}}
                     : flyte::name("script");
  if (options.contains("nounset")) { // where a variable is unset, -c would end with 127
    text = Expr{flyte::Binary{"+", flyte::str("("), std::move(text)}};
    text = Expr{flyte::Binary{"+", std::move(text), flyte::str("\n)")}};
  }
  arguments.push_back(flyte::arg(std::move(text)));
  const char* argv = only_text ? "argv" : "words";
  arguments.push_back(starred(argv));
  append(arguments, process.arguments);
  return {name,
          {{"signature", signature(name, parameters,
                                   state      ? "list[str] | None"
                                   : values   ? "list[str]"
                                   : may_fail ? "int"
                                              : "None")},
           {"may_fail", may_fail},
           {"only_text", only_text},
           {"returns", calls.use("returns")},
           {"exported", calls.use("exported")},
           {"exported_always", calls.always("exported")},
           {"env", calls.use("env")},
           {"env_always", calls.always("env")},
           {"argv", argv},
           {"start", start(arguments, values ? 2 : 1)}}};
}

// What pipe() and those that hand on to it are given beside the commands.
Process pipe_process(const flyte::Module& module, const Calls& calls,
                     const std::vector<std::string>& streams) {
  Process process = process_of(module, calls, streams);
  add_option(process.parameters, calls, "errors", "Sequence[IO[bytes] | int | None]",
             Expr{flyte::TupleExpr{}});
  return process;
}

Helper pipe(const flyte::Module& module, const Options& options) {
  Calls calls(module, "pipe", options, "pipe_output");
  calls.add(module, "pipe_output_status");
  const bool stdout_asked = calls.use("stdout");
  Process process = pipe_process(module, calls, {"stdout", "stderr"});
  std::vector<Parameter> parameters{{"*commands", "Sequence[str | float | Path]", {}, {}}};
  for (Parameter& each : process.parameters) {
    parameters.push_back(std::move(each));
  }
  const bool pipefail = calls.use("pipefail");
  if (pipefail) {
    parameters.push_back({"pipefail", "bool", flyte::name("False"), {}});
  }
  parameters.push_back({"check", "bool", flyte::name("True"), {}});
  const bool errors = calls.use("errors");
  std::vector<Arg> arguments{starred("argv")};
  for (Arg& each : process.arguments) {
    if (each.keyword == "stdin") {
      each.value = flyte::name("source");
    } else if (each.keyword == "stderr") {
      each.value =
          Expr{flyte::Conditional{flyte::name("None"), flyte::name("last"), flyte::name("stderr")}};
    }
    if (errors && each.keyword == "stderr") {
      each.value = Expr{
          flyte::Conditional{Expr{flyte::Subscript{flyte::name("errors"), flyte::name("number")}},
                             flyte::name("errors"), std::move(each.value)}};
    }
    if (each.keyword != "stdout") {
      arguments.push_back(std::move(each));
    }
    if (arguments.back().keyword == "stdin") {
      arguments.push_back(flyte::arg("stdout", flyte::name("sink")));
    }
  }
  if (errors && !calls.use("stderr")) {
    Expr each{flyte::Subscript{flyte::name("errors"), flyte::name("number")}};
    if (!calls.always("errors")) {
      each = {flyte::Conditional{std::move(each), flyte::name("errors"), flyte::name("None")}};
    }
    arguments.push_back(flyte::arg("stderr", std::move(each)));
  }
  constexpr std::uint32_t depth = 3;
  return {"pipe",
          {{"signature", signature("pipe", parameters, "int")},
           {"stdout", stdout_asked},
           {"stdin", calls.use("stdin")},
           {"text", calls.use("text")},
           {"pipefail", pipefail},
           {"start", start(arguments, depth)}}};
}

// `pipe` runs them; what the last prints goes to a file on the way.
Helper pipe_output(const flyte::Module& module, const std::string& name) {
  const Calls calls(module, name, {});
  Process process = pipe_process(module, calls, {"stderr"});
  const bool status = name == "pipe_output_status";
  std::vector<Parameter> parameters{{"*commands", "Sequence[str | float | Path]", {}, {}}};
  std::vector<Arg> arguments{starred("commands")};
  for (Parameter& each : process.parameters) {
    arguments.push_back(flyte::arg(each.name, flyte::name(each.name)));
    parameters.push_back(std::move(each));
  }
  arguments.push_back(flyte::arg("stdout", flyte::name("printed")));
  for (const char* option : {"pipefail", "check"}) {
    if (calls.use(option)) {
      parameters.push_back({option, "bool", flyte::name("False"), {}});
      arguments.push_back(flyte::arg(option, flyte::name(option)));
    }
  }
  if (!calls.use("check")) {
    arguments.push_back(flyte::arg("check", flyte::name("False")));
  }
  Writer writer;
  Expr run = flyte::await(flyte::call("pipe", std::move(arguments)));
  flyte::Stmt statement{flyte::ExprStmt{run}, {}};
  if (status) {
    statement.value = flyte::Assign{"code", "", std::move(run)};
  }
  writer.statements({std::move(statement)}, 2);
  return {name,
          {{"signature", signature(name, parameters, status ? "tuple[str, int]" : "str")},
           {"run", text_of(writer)}}};
}

Helper enter(const Options& options) {
  const bool may_fail = options.contains("check");
  std::vector<Parameter> parameters{{"cwd", "Path", {}, {}}, {"directory", "str", {}, {}}};
  if (may_fail) {
    parameters.push_back({"check", "bool", flyte::name("False"), {}});
  }
  Writer writer;
  writer.function("enter", parameters, "Path", false);
  return {"enter", {{"signature", text_of(writer)}, {"may_fail", may_fail}}};
}

Helper set_limit(const Options& options) {
  const bool check = options.contains("check");
  const bool status = options.contains("status");
  std::vector<Parameter> parameters{{"which", "int", {}, {}}, {"value", "int", {}, {}}};
  if (check) {
    parameters.push_back({"check", "bool", flyte::name("False"), {}});
  }
  Writer writer;
  writer.function("set_limit", parameters, status ? "int" : "None", false);
  return {"set_limit", {{"signature", text_of(writer)}, {"check", check}, {"status", status}}};
}

Helper read_lines(const Options& options) {
  std::vector<Parameter> parameters{{"path", "Path", {}, {}}};
  View view = View::object();
  for (const char* option : {"blanks", "escapes", "rest"}) {
    view[option] = options.contains(option);
    if (options.contains(option)) {
      parameters.push_back({option, "bool", flyte::name("False"), {}});
    }
  }
  view["check"] = options.contains("check");
  Writer writer;
  writer.function("read_lines", parameters, "list[str]", false);
  view["signature"] = text_of(writer);
  return {"read_lines", std::move(view)};
}

Helper matching(const Options& options) {
  std::vector<Parameter> parameters{{"folder", "Dir", {}, {}}, {"pattern", "str", {}, {}}};
  View view = View::object();
  for (const auto& [option, otherwise] : {std::pair{"required", "True"}, {"deep", "False"}}) {
    view[option] = options.contains(option);
    if (options.contains(option)) {
      parameters.push_back({option, "bool", flyte::name(otherwise), {}});
    }
  }
  view["signature"] = signature("matching", parameters, "list[File]");
  return {"matching", std::move(view)};
}

Helper lines_of(const Options& options) {
  std::vector<Parameter> parameters{{"path", "Path", {}, {}}, {"numbers", "Iterable[int]", {}, {}}};
  const bool or_last = options.contains("or_last");
  if (or_last) {
    parameters.push_back({"or_last", "bool", flyte::name("False"), {}});
  }
  Writer writer;
  writer.function("lines_of", parameters, "list[str]", false);
  return {"lines_of", {{"signature", text_of(writer)}, {"or_last", or_last}}};
}

Helper capture(const flyte::Module& module, const std::string& name, const Options& options) {
  const Calls calls(module, name, options);
  const bool status = name == "capture_status";
  const Process process = process_of(module, calls, {"stderr"});
  std::vector<Parameter> parameters{{"*command", "str | float | Path", {}, {}}};
  parameters.insert(parameters.end(), process.parameters.begin(), process.parameters.end());
  const bool check = calls.use("check");
  if (check) {
    parameters.push_back({"check", "bool", flyte::name("False"), {}});
  }
  std::vector<Arg> arguments{starred("argv")};
  append(arguments, process.arguments);
  arguments.push_back(flyte::arg("stdout", flyte::name("subprocess.PIPE")));
  return {name,
          {{"signature", signature(name, parameters, status ? "tuple[str, int]" : "str")},
           {"check", check},

           {"stdin", calls.use("stdin")},
           {"text", calls.use("text")},
           {"start", start(arguments, calls.use("stdin") ? 3 : 2)}}};
}

// "File", "Dir" or both, whichever the module deals in.
std::string data_type(const Names& used) {
  const bool files = used.contains("File");
  const bool dirs = used.contains("Dir");
  return files == dirs ? "File | Dir" : files ? "File" : "Dir";
}

} // namespace

std::vector<Helper> helpers_of(const flyte::Module& module, const Names& used) {
  constexpr auto order = std::to_array<std::string_view>({
      "read_lines", "text_lines",     "fields",       "lines_of",    "words_of",
      "cut_field",  "awk_field",      "after",        "all_ok",      "highest",
      "matching",   "submit_dir",     "fetch",        "fetch_all",   "place",
      "stage",      "place_left",     "scratch",      "keep",        "keep_all",
      "keep_left",  "image_path",     "image_python", "enter",       "run",
      "resumable",  "once",           "in_session",   "places",      "spawn",
      "capture",    "capture_status", "pipe",         "pipe_output", "pipe_output_status",
      "rank",       "own_gpus",       "bash",         "bash_values", "bash_state",
      "set_limit",  "whole_number",   "substring",    "split_words", "split_matches",
      "expand",     "matches",        "echo",         "run_name",    "submissions",
      "given",
  });
  // Those that stand in values: whoever calls one need not ask for it.
  constexpr auto by_use = std::to_array<std::string_view>({
      "run_name",
      "echo",
      "capture",
      "capture_status",
      "pipe_output",
      "pipe_output_status",
      "split_words",
      "split_matches",
      "expand",
      "matches",
      "whole_number",
      "substring",
  });
  std::vector<Helper> helpers;
  for (const std::string_view name : order) {
    const auto found = module.helpers.find(std::string(name));
    if (found == module.helpers.end() &&
        (std::ranges::find(by_use, name) == by_use.end() || !used.contains(name)) &&
        !(name == "expand" && used.contains("split_words")) &&
        !(name == "pipe" &&
          (used.contains("pipe_output") || used.contains("pipe_output_status")))) {
      continue;
    }
    Options options = found == module.helpers.end() ? Options{} : found->second;
    if (name == "run") {
      helpers.push_back(run(module, options));
    } else if (name == "read_lines") {
      helpers.push_back(read_lines(options));
    } else if (name == "lines_of") {
      helpers.push_back(lines_of(options));
    } else if (name == "matching") {
      helpers.push_back(matching(options));
    } else if (name == "spawn") {
      helpers.push_back(spawn(module, options));
    } else if (name == "capture" || name == "capture_status") {
      helpers.push_back(capture(module, std::string(name), options));
    } else if (name == "bash" || name == "bash_values" || name == "bash_state") {
      helpers.push_back(bash(module, std::string(name), options));
    } else if (name == "pipe") {
      if (used.contains("pipe_output") || used.contains("pipe_output_status")) {
        options.insert("stdout");
      }
      helpers.push_back(pipe(module, options));
    } else if (name == "pipe_output" || name == "pipe_output_status") {
      helpers.push_back(pipe_output(module, std::string(name)));
    } else if (name == "set_limit") {
      helpers.push_back(set_limit(options));
    } else if (name == "enter") {
      helpers.push_back(enter(options));
    } else if (name == "rank" || name == "places") {
      helpers.push_back({std::string(name), {{"gpus", options.contains("gpus")}}});
    } else {
      const std::string type = data_type(used);
      helpers.push_back({std::string(name),
                         {{"data", type},
                          {"dirs", type != "File"},
                          {"name", options.contains("name")},
                          {"lists", options.contains("lists")},
                          {"parts", options.contains("parts")},
                          {"kill", options.contains("kill")},
                          {"blanks", options.contains("blanks")},
                          {"after", module.helpers.contains("after")}}});
    }
  }
  return helpers;
}

} // namespace s2f::emit
