// Puts a module together: every section as text, the module's template around them, and the map
// from lines to spans.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "emit/emit.hpp"
#include "emit/helpers.hpp"
#include "emit/imports.hpp"
#include "emit/mustache.hpp"
#include "emit/text.hpp"
#include "emit/writer.hpp"

namespace s2f::emit {

namespace {

using flyte::Arg;
using flyte::Expr;
using flyte::Module;
using flyte::Notes;

// Around the number of a line's spans, at the beginning of the line, while the templates are
// rendered. Neither stands in any emitted text.
constexpr char mark_begin = '\x01';
constexpr char mark_end = '\x02';

class Emitter {
public:
  explicit Emitter(const Module& module) : module_(module) {}

  View view();
  // Takes the marks out of the text and into the map.
  Output output(std::string_view marked) const;

private:
  std::string marked(const Writer& writer) {
    std::string out;
    for (const Line& line : writer.lines) {
      if (!out.empty() || &line != writer.lines.data()) {
        out += '\n';
      }
      if (!line.spans.empty()) {
        out += fmt::format("{}{}{}", mark_begin, spans_.size(), mark_end);
        spans_.push_back(line.spans);
      }
      out += line.text;
    }
    return out;
  }

  template <typename Write> View section(Write write) {
    Writer writer;
    write(writer);
    return {{"text", marked(writer)}};
  }

  template <typename List, typename Write> View sections(const List& list, Write write) {
    View out = View::array();
    for (const auto& each : list) {
      out.push_back(section([&](Writer& writer) { write(writer, each); }));
    }
    return out;
  }

  [[nodiscard]] std::vector<flyte::Stmt> runner() const;
  void docstring(Writer& writer) const;
  void here(Writer& writer) const;
  static void constant(Writer& writer, const flyte::Constant& constant);
  static void kept(Writer& writer, const flyte::KeptText& kept);
  static void environment(Writer& writer, const flyte::Environment& environment);
  static void slurm_task(Writer& writer, const flyte::SlurmTask& task);
  static void task(Writer& writer, const flyte::Task& task);

  const Module& module_;
  std::vector<std::vector<Span>> spans_;
};

Arg noted(std::string keyword, Expr value, const Notes& notes) {
  return {std::move(keyword), {}, std::move(value), notes};
}

template <typename Value>
void add(std::vector<Arg>& to, std::string keyword,
         const std::optional<flyte::Noted<Value>>& value) {
  if (!value) {
    return;
  }
  if constexpr (std::is_same_v<Value, std::string>) {
    to.push_back(noted(std::move(keyword), flyte::str(value->value), value->notes));
  } else {
    to.push_back(noted(std::move(keyword), value->value, value->notes));
  }
}

Expr texts(const std::vector<std::string>& values) {
  flyte::TupleExpr tuple;
  for (const std::string& value : values) {
    tuple.elements.push_back(flyte::arg(flyte::str(value)));
  }
  return {std::move(tuple)};
}

Expr names(const std::vector<std::string>& values) {
  flyte::ListExpr list;
  for (const std::string& value : values) {
    list.elements.push_back(flyte::arg(flyte::name(value)));
  }
  return {std::move(list)};
}

// flyte.Resources(cpu=4, memory="16Gi"),  # -c 4 --mem=16G: in one line, if that fits and each
// comment is an option.
Arg resources_argument(const flyte::Resources& resources) {
  std::vector<Arg> arguments;
  add(arguments, "cpu", resources.cpu);
  add(arguments, "memory", resources.memory);
  add(arguments, "gpu", resources.gpu);
  add(arguments, "disk", resources.disk);
  add(arguments, "shm", resources.shm);
  const Expr value = flyte::call("flyte.Resources", arguments);

  Notes joined;
  bool can_join = arguments.size() > 1;
  for (const Arg& each : arguments) {
    const std::string& comment = each.notes.trailing;
    can_join &=
        each.notes.above.empty() &&
        (comment.empty() || (comment[0] == '-' && comment.find(" x ") == std::string::npos &&
                             comment.find_first_of(",;:") == std::string::npos));
    if (!comment.empty()) {
      joined.trailing += (joined.trailing.empty() ? "" : " ") + comment;
    }
    joined.spans.insert(joined.spans.end(), each.notes.spans.begin(), each.notes.spans.end());
  }
  const std::uint32_t width =
      indent_width + 10 + flat_width(value) + 1 + 4 + display_width(joined.trailing);
  if (!can_join || joined.trailing.empty() || width > line_width) {
    return flyte::arg("resources", value);
  }
  for (Arg& each : arguments) {
    each.notes = {};
  }
  return noted("resources", flyte::call("flyte.Resources", std::move(arguments)), joined);
}

void Emitter::constant(Writer& writer, const flyte::Constant& constant) {
  const auto* call = std::get_if<flyte::Call>(&constant.value.value);
  const auto* dict = std::get_if<flyte::DictExpr>(&constant.value.value);
  // A table of names and values, a trigger: one a line.
  const bool exploded = (call != nullptr && call->arguments.size() > 2) ||
                        (dict != nullptr && dict->elements.size() > 1);
  writer.assignment({constant.variable, "", constant.value}, constant.notes, 0, exploded);
}

void Emitter::kept(Writer& writer, const flyte::KeptText& kept) {
  if (kept.text.find('\n') == std::string::npos) {
    Notes notes = kept.notes;
    if (!notes.trailing.empty()) {
      notes.above.push_back(std::exchange(notes.trailing, {}));
    }
    writer.assignment({kept.variable, "", flyte::str(kept.text)}, notes, 0);
    return;
  }
  const std::size_t from = writer.lines.size();
  writer.block(kept.notes, kept.variable + " = " + quote_block(kept.text));
  // The text's first line stands behind the opening quotes, its last before the closing ones.
  const std::size_t count = static_cast<std::size_t>(std::ranges::count(kept.text, '\n')) + 1;
  const std::size_t first = writer.lines.size() - std::min(count, writer.lines.size() - from);
  for (std::size_t i = 0; i < kept.lines.size() && first + i < writer.lines.size(); ++i) {
    const source::Span& line = kept.lines[i];
    writer.lines[first + i].spans =
        line.size() == 0 ? std::vector<source::Span>{} : std::vector{line};
  }
}

void Emitter::environment(Writer& writer, const flyte::Environment& environment) {
  std::vector<Arg> arguments;
  arguments.push_back(noted("name", flyte::str(environment.name.value), environment.name.notes));
  add(arguments, "image", environment.image);
  if (!environment.resources.empty()) {
    arguments.push_back(resources_argument(environment.resources));
  }
  arguments.insert(arguments.end(), environment.more.begin(), environment.more.end());
  add(arguments, "queue", environment.queue);
  add(arguments, "env_vars", environment.env_vars);
  add(arguments, "secrets", environment.secrets);
  add(arguments, "interruptible", environment.interruptible);
  if (!environment.include.empty()) {
    arguments.push_back(flyte::arg("include", texts(environment.include)));
  }
  if (!environment.depends_on.empty()) {
    arguments.push_back(flyte::arg("depends_on", names(environment.depends_on)));
  }
  writer.assignment({environment.variable, "", flyte::call(environment.type, std::move(arguments))},
                    environment.notes, 0, true);
}

void Emitter::slurm_task(Writer& writer, const flyte::SlurmTask& task) {
  writer.assignment({task.variable, "", flyte::call("SlurmScriptTask", task.arguments)}, task.notes,
                    0, true);
  writer.line("");
  writer.assignment({task.environment, "",
                     flyte::call("flyte.TaskEnvironment.from_task",
                                 {flyte::arg(flyte::str(task.environment_name)),
                                  flyte::arg(flyte::name(task.variable))})},
                    {}, 0);
}

void Emitter::task(Writer& writer, const flyte::Task& task) {
  std::vector<Arg> arguments;
  add(arguments, "retries", task.retries);
  add(arguments, "timeout", task.timeout);
  add(arguments, "triggers", task.triggers);
  if (task.entrypoint) {
    arguments.push_back(flyte::arg("entrypoint", flyte::name("True")));
  }
  const std::string decorator = task.environment + ".task";
  writer.decorator(arguments.empty() ? flyte::name(decorator)
                                     : flyte::call(decorator, std::move(arguments)),
                   task.notes);
  writer.function(task.function, task.parameters, task.returns, true);
  const std::size_t before = writer.lines.size();
  writer.docstring(task.docstring, 1);
  const bool documented = writer.lines.size() > before;
  if (documented && !task.body.empty() &&
      std::holds_alternative<flyte::FunctionDef>(task.body.front().value)) {
    writer.line("");
  }
  writer.statements(task.body, 1);
  const bool empty = std::ranges::all_of(task.body, [](const flyte::Stmt& each) {
    return std::holds_alternative<flyte::CommentOnly>(each.value);
  });
  if (empty && !documented) {
    writer.line("    pass");
  }
}

void Emitter::docstring(Writer& writer) const {
  const auto cleaned = [](std::string_view text) { return docstring_text(one_line(text)); };
  std::string summary = cleaned(module_.summary);
  if (summary.empty()) {
    summary = cleaned(module_.file);
  }
  if (summary.empty()) {
    summary = "Tasks for Flyte.";
  }
  const bool alone =
      module_.migrated.empty() && module_.commands.empty() && module_.not_carried.empty();
  for (std::string& line : docstring_opening(summary, line_width, alone)) {
    writer.line(std::move(line));
  }
  if (!module_.migrated.empty()) {
    writer.line("");
    for (const std::string& line : wrap_text(cleaned(module_.migrated), line_width, line_width)) {
      writer.line(line);
    }
  }
  if (!module_.commands.empty()) {
    writer.line("");
    std::uint32_t widest = 0;
    std::uint32_t longest = 0;
    for (const flyte::CommandLine& each : module_.commands) {
      widest = std::max(widest, display_width(cleaned(each.command)));
      longest = std::max(longest, display_width(cleaned(each.comment)));
    }
    // The comments stand in a column of their own, five blanks off if there is room, or they are
    // left out.
    const std::uint32_t used = indent_width + widest + 2 + longest;
    const std::uint32_t gap = used + 2 > line_width ? 0 : std::min(5U, line_width - used);
    for (const flyte::CommandLine& each : module_.commands) {
      const std::string command = cleaned(each.command);
      std::string line = "    " + command;
      const std::string comment = cleaned(each.comment);
      if (gap > 0 && !comment.empty()) {
        line += std::string(widest - display_width(command) + gap, ' ') + "# " + comment;
      }
      writer.line(std::move(line));
    }
  }
  if (!module_.not_carried.empty()) {
    writer.line("");
    writer.line("Not carried over:");
    writer.line("");
    for (const flyte::NotCarried& each : module_.not_carried) {
      for (std::string& line : wrap_text("- " + cleaned(each.text), line_width, line_width, 2)) {
        writer.lines.push_back({std::move(line), each.spans});
      }
    }
  }
  writer.close_docstring(writer.lines.size() == 1, 0);
}

void Emitter::here(Writer& writer) const {
  Expr file = flyte::call("Path", {flyte::arg(flyte::name("__file__"))});
  Expr resolved{flyte::Call{Expr{flyte::Attribute{std::move(file), "resolve"}}, {}}};
  Expr value;
  if (*module_.here_parent == 0) {
    value = {flyte::Attribute{std::move(resolved), "parent"}};
  } else {
    value = {flyte::Subscript{Expr{flyte::Attribute{std::move(resolved), "parents"}},
                              flyte::number(std::to_string(*module_.here_parent))}};
  }
  writer.assignment({"HERE", "", std::move(value)}, module_.here_notes, 0);
}

// What the run that __main__ starts has besides its input.
std::vector<flyte::Stmt> Emitter::runner() const {
  std::vector<Arg> arguments;
  if (!module_.labels.empty()) {
    arguments.push_back(flyte::arg("labels", Expr{flyte::DictExpr{module_.labels}}));
  }
  if (!module_.notifications.empty()) {
    arguments.push_back(flyte::arg("notifications", flyte::name(module_.notifications)));
  }
  if (arguments.empty()) {
    return {};
  }
  return {flyte::Stmt{
      flyte::Assign{"runner", "", flyte::call("flyte.with_runcontext", std::move(arguments))},
      module_.label_notes}};
}

View Emitter::view() {
  View view;
  view["docstring"] = std::move(section([&](Writer& writer) { docstring(writer); })["text"]);
  view["here"] = module_.here_parent ? section([&](Writer& writer) { here(writer); }) : View();
  view["constants"] = sections(module_.constants, constant);
  view["images"] = sections(module_.images, [](Writer& writer, const flyte::Image& image) {
    writer.assignment({image.variable, "", image.value}, image.notes, 0);
  });
  view["between"] = sections(module_.between, constant);
  // One that depends on a task of Slurm's stands behind that.
  std::vector<flyte::Environment> early;
  std::vector<flyte::Environment> late;
  for (const flyte::Environment& each : module_.environments) {
    const bool behind = std::ranges::any_of(module_.slurm_tasks, [&](const flyte::SlurmTask& task) {
      return std::ranges::find(each.depends_on, task.environment) != each.depends_on.end();
    });
    (behind ? late : early).push_back(each);
  }
  view["environments"] = sections(early, environment);
  view["late_environments"] = sections(late, environment);
  view["triggers"] = sections(module_.triggers, constant);
  view["kept"] = sections(module_.kept, kept);
  view["slurm_tasks"] = sections(module_.slurm_tasks, slurm_task);
  view["tasks"] = sections(module_.tasks, task);
  if (!module_.entry.empty()) {
    const std::string hint =
        fmt::format("See: flyte run {} {} --help", module_.file, module_.entry);
    Writer writer; // it may be too long for one line
    writer.statements(
        {flyte::Stmt{flyte::ExprStmt{flyte::call("print", {flyte::arg(flyte::str(hint))})}, {}}},
        1);
    std::string hint_text;
    for (const Line& line : writer.lines) {
      hint_text += (hint_text.empty() ? "" : "\n") + line.text;
    }
    // A name too long for one line, as ruff breaks it.
    constexpr std::size_t width = 88;
    const auto call = [&](std::string_view run) {
      const std::string inner = fmt::format("{}({}).url", run, module_.entry);
      const std::string line = fmt::format("    print({})", inner);
      return line.size() <= width ? line : fmt::format("    print(\n        {}\n    )", inner);
    };
    view["main"] = {{"run", call("flyte.run")},
                    {"runner_run", call("runner.run")},
                    {"needs_input", module_.entry_needs_input},
                    {"runner", sections(runner(),
                                        [](Writer& writer, const flyte::Stmt& statement) {
                                          writer.statements({statement}, 1);
                                        })},
                    {"hint", hint_text}};
  }
  return view;
}

Output Emitter::output(std::string_view marked) const {
  Output output;
  std::uint32_t line = 1;
  while (!marked.empty()) {
    const char c = marked.front();
    if (c == mark_begin) {
      const std::size_t end = marked.find(mark_end);
      std::size_t number = 0;
      std::from_chars(marked.data() + 1, marked.data() + end, number);
      for (const Span& span : spans_[number]) {
        output.lines.emplace_back(line, span);
      }
      marked.remove_prefix(end + 1);
      continue;
    }
    if (c == '\n') {
      ++line;
    }
    output.text += c;
    marked.remove_prefix(1);
  }
  const auto [first, last] = std::ranges::unique(output.lines);
  output.lines.erase(first, last);
  return output;
}

// The names that a helper's text uses: words outside of strings and comments, and not after a dot.
Names words_of_code(std::string_view text) {
  std::string code;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '"' || c == '\'') {
      const bool triple = text.substr(i, 3) == std::string(3, c);
      const std::string closing(triple ? 3 : 1, c);
      std::size_t end = i + closing.size();
      while (end < text.size() && text.substr(end, closing.size()) != closing) {
        end += text[end] == '\\' ? 2 : 1;
      }
      i = std::min(end + closing.size(), text.size()) - 1;
    } else {
      code += c;
    }
  }
  Names names;
  add_reference(names, code);
  return names;
}

} // namespace

std::expected<Output, std::string> emit(const Module& module, const Templates& templates) {
  const auto rendered = [&](const std::string& name,
                            const View& view) -> std::expected<std::string, std::string> {
    const std::optional<std::string> text = templates(name);
    if (!text) {
      return std::unexpected(fmt::format("there is no template \"{}\"", name));
    }
    auto out = render(*text, view, templates);
    if (!out) {
      return std::unexpected(fmt::format("template \"{}\": {}", name, out.error()));
    }
    return out;
  };

  Emitter emitter(module);
  View view = emitter.view();
  Names used = free_names(module);
  view["helpers"] = View::array();
  for (const Helper& helper : helpers_of(module, used)) {
    auto text = rendered("helpers/" + helper.name + ".py", helper.view);
    if (!text) {
      return std::unexpected(text.error());
    }
    while (text->ends_with('\n')) {
      text->pop_back();
    }
    used.merge(words_of_code(*text));
    view["helpers"].push_back({{"text", *text}});
  }
  std::string imports;
  view["type_variables"] = View::array();
  if (used.contains("T")) {
    used.insert("TypeVar");
    view["type_variables"].push_back({{"text", "T = TypeVar(\"T\")"}});
  }
  for (const std::string& line : import_lines(used)) {
    imports += line + "\n";
  }
  if (!module.imports.empty()) { // which section they belong to is another one in every project
    imports += "\n# isort: split\n";
    for (const std::string& line : module_import_lines(module.imports)) {
      imports += line + "\n";
    }
  }
  if (!imports.empty()) {
    imports.pop_back();
  }
  view["imports"] = imports;

  auto text = rendered("module.py", view);
  if (!text) {
    return std::unexpected(text.error());
  }
  Output output = emitter.output(*text);
  while (output.text.ends_with("\n\n")) {
    output.text.pop_back();
  }
  if (!output.text.ends_with('\n')) {
    output.text += '\n';
  }
  if (module.entry.empty()) { // a comment right behind a function would belong to it
    output.text += "\n\n";
  }
  output.text += trailer(module.generated_from, output.text) + "\n";
  return output;
}

} // namespace s2f::emit
