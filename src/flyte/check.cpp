// Checks a module by Flyte's own rules before it is written: the SDK takes much that a cluster then
// refuses.
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "flyte/program.hpp"
#include "generated/tables/flyte_2.hpp"

namespace s2f::flyte {

namespace {

bool is_identifier(std::string_view name) {
  const auto word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c >= 0x80; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::ranges::all_of(name, word);
}

const std::string* text_of(const std::optional<Noted<Expr>>& value) {
  if (!value) {
    return nullptr;
  }
  const auto* text = std::get_if<Str>(&value->value.value);
  return text == nullptr ? nullptr : &text->value;
}

bool accepted_gpu(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    return false;
  }
  const tables::Flyte2Row* row = tables::find_flyte_2(text.substr(0, colon));
  return row != nullptr &&
         std::ranges::find(row->counts, text.substr(colon + 1)) != row->counts.end();
}

class Checker {
public:
  explicit Checker(const Module& module) : module_(module) {}

  std::vector<std::string> check() {
    names();
    for (const Environment& each : module_.environments) {
      environment(each);
    }
    for (const Task& each : module_.tasks) {
      task(each);
    }
    for (const SlurmTask& each : module_.slurm_tasks) {
      if (!valid_environment_name(each.environment_name)) {
        wrong("the environment name \"{}\" is not one that Flyte accepts", each.environment_name);
      }
    }
    entry();
    helpers();
    return std::move(wrong_);
  }

private:
  template <typename... Values>
  void wrong(fmt::format_string<Values...> format, Values&&... values) {
    wrong_.push_back(fmt::format(format, std::forward<Values>(values)...));
  }

  void name(std::string_view name) {
    if (!is_identifier(name)) {
      wrong("\"{}\" is no Python name", name);
    } else if (reserved_python_name(name)) {
      wrong("the name {} is taken by Python or by the module's own helpers", name);
    }
    if (!names_.insert(std::string(name)).second) {
      wrong("the name {} is defined twice", name);
    }
  }

  void names() {
    for (const auto* list : {&module_.constants, &module_.between, &module_.triggers}) {
      for (const Constant& each : *list) {
        name(each.variable);
      }
    }
    for (const Image& each : module_.images) {
      name(each.variable);
    }
    for (const KeptText& each : module_.kept) {
      name(each.variable);
    }
    std::set<std::string> environments;
    const auto add_environment = [&](const std::string& of) {
      // Flyte cuts the name after 63 characters; what is left must still be unique.
      if (!environments.insert(of.substr(0, 63)).second) {
        wrong("two environments are named \"{}\"", of);
      }
    };
    for (const Environment& each : module_.environments) {
      name(each.variable);
      add_environment(each.name.value);
    }
    for (const SlurmTask& each : module_.slurm_tasks) {
      name(each.variable);
      name(each.environment);
      add_environment(each.environment_name);
    }
    for (const Task& each : module_.tasks) {
      name(each.function);
    }
  }

  [[nodiscard]] bool is_environment(std::string_view variable) const {
    return std::ranges::any_of(
               module_.environments,
               [&](const Environment& each) { return each.variable == variable; }) ||
           std::ranges::any_of(module_.imports,
                               [&](const ModuleImport& each) {
                                 return std::ranges::find(each.names, variable) != each.names.end();
                               }) ||
           std::ranges::any_of(module_.slurm_tasks,
                               [&](const SlurmTask& each) { return each.environment == variable; });
  }

  void environment(const Environment& environment) {
    const std::string& own = environment.name.value;
    if (!valid_environment_name(own)) {
      wrong("the environment name \"{}\" is not one that Flyte accepts", own);
    }
    const Resources& resources = environment.resources;
    for (const auto* quantity : {&resources.memory, &resources.disk}) {
      const std::string* text = text_of(*quantity);
      if (text != nullptr && !valid_quantity(*text)) {
        wrong("{}: \"{}\" is no quantity", own, *text);
      }
    }
    if (const std::string* text = text_of(resources.shm);
        text != nullptr && *text != "auto" && !valid_quantity(*text)) {
      wrong("{}: \"{}\" is no quantity", own, *text);
    }
    if (const std::string* text = text_of(resources.gpu); text != nullptr && !accepted_gpu(*text)) {
      wrong("{}: Flyte does not list the GPU \"{}\"", own, *text);
    }
    for (const std::string& each : environment.include) {
      if (each.empty() || each.starts_with('/')) {
        wrong("{}: cannot include \"{}\"", own, each);
      }
    }
    for (const std::string& each : environment.depends_on) {
      if (!is_environment(each)) {
        wrong("{} depends on {}, which is no environment", own, each);
      }
      if (each == environment.variable) {
        wrong("{} depends on itself", own);
      }
    }
  }

  void task(const Task& task) {
    if (!is_environment(task.environment)) {
      wrong("the task {} is in {}, which is no environment", task.function, task.environment);
    }
    std::set<std::string> parameters;
    bool optional = false;
    for (const Parameter& each : task.parameters) {
      if (!is_identifier(each.name)) {
        wrong("{}: \"{}\" is no Python name", task.function, each.name);
      }
      if (reserved_python_name(each.name)) {
        wrong("{}: the parameter name {} is taken", task.function, each.name);
      }
      if (!parameters.insert(each.name).second) {
        wrong("{} has two parameters {}", task.function, each.name);
      }
      if (each.type.empty()) {
        wrong("{}: the parameter {} has no type", task.function, each.name);
      }
      if (optional && !each.default_) {
        wrong("{}: {} needs a default, as what stands before it", task.function, each.name);
      }
      optional = each.default_.has_value();
    }
    if (task.returns.empty()) {
      wrong("{} has no return type", task.function);
    }
  }

  void entry() {
    if (module_.entry.empty()) {
      return;
    }
    const auto is_entry = [&](const auto& each) {
      if constexpr (requires { each.function; }) {
        return each.function == module_.entry;
      } else {
        return each.variable == module_.entry;
      }
    };
    if (std::ranges::none_of(module_.tasks, is_entry) &&
        std::ranges::none_of(module_.slurm_tasks, is_entry)) {
      wrong("the entry {} is no task", module_.entry);
    }
  }

  void helpers() {
    constexpr auto known = std::to_array<std::string_view>({
        "after",       "all_ok",      "awk_field",  "cut_field",    "lines_of",   "words_of",
        "bash",        "bash_values", "bash_state", "enter",        "fetch",      "fetch_all",
        "place",       "highest",     "image_path", "image_python", "keep",       "keep_all",
        "pipe",        "keep_left",   "place_left", "rank",         "read_lines", "resumable",
        "run",         "run_name",    "scratch",    "set_limit",    "spawn",      "stage",
        "submissions", "given",       "once",       "own_gpus",     "in_session", "text_lines",
        "fields",      "matching",    "submit_dir", "places",
    });
    for (const auto& [helper, options] : module_.helpers) {
      if (std::ranges::find(known, helper) == known.end()) {
        wrong("there is no helper {}", helper);
      }
    }
  }

  const Module& module_;
  std::vector<std::string> wrong_;
  std::set<std::string> names_;
};

} // namespace

std::vector<std::string> check(const Module& module) { return Checker(module).check(); }

} // namespace s2f::flyte
