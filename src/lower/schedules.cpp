// Triggers for what was started again and again.
//
// before:  Schedule{"0 2 * * 1-5"} for the task nightly
// after:   nightly = flyte.Trigger(name="nightly", automation=flyte.Cron("0 2 * * 1-5", ...)),
// which
//          the task names
#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "flyte/names.hpp"
#include "lower/parts.hpp"

namespace s2f::lower {

namespace {

// What a trigger may not be called: parameters of tasks stand in its way too.
std::set<std::string, std::less<>> names_in(const flyte::Module& module) {
  auto names = flyte::defined_names(module);
  names.insert({"ZONE", "HERE", "run", "main"});
  for (const flyte::Task& each : module.tasks) {
    for (const flyte::Parameter& parameter : each.parameters) {
      names.insert(parameter.name);
    }
  }
  return names;
}

std::string free_name(const std::string& stem, std::set<std::string, std::less<>>& taken) {
  std::string name = stem;
  if (flyte::reserved_python_name(name) || taken.contains(name)) {
    name = stem + "_trigger";
  }
  const std::string first = name;
  for (int n = 2; taken.contains(name); ++n) {
    name = fmt::format("{}_{}", first, n);
  }
  taken.insert(name);
  return name;
}

// A text as a value of the parameter's type; nothing where it is none.
std::optional<flyte::Expr> typed(const std::string& text, const std::string& type) {
  if (type == "str" || type == "str | None") {
    return flyte::str(text);
  }
  if (type == "int") {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size()
               ? std::optional(flyte::number(fmt::format("{}", value)))
               : std::nullopt;
  }
  return std::nullopt;
}

class Triggers {
public:
  Triggers(LowerContext& context, flyte::Module& module,
           const std::vector<ir::Parameter>& parameters)
      : context_(context), module_(module), parameters_(parameters), taken_(names_in(module)) {}

  void add(const ir::Schedule& schedule, const std::string& stem, const std::string& function) {
    const auto task = std::ranges::find(module_.tasks, function, &flyte::Task::function);
    const auto on_slurm =
        std::ranges::find(module_.slurm_tasks, function, &flyte::SlurmTask::variable);
    if (task == module_.tasks.end() && on_slurm == module_.slurm_tasks.end()) {
      return;
    }
    const std::string name = free_name(stem, taken_);
    std::vector<flyte::Arg> arguments;
    arguments.push_back(flyte::arg("name", flyte::str(name)));
    arguments.push_back(flyte::arg("automation", automation(schedule)));
    arguments.back().notes.trailing = schedule.where;
    if (task != module_.tasks.end()) {
      inputs(schedule, *task, arguments);
    }
    if (!module_.notifications.empty()) {
      arguments.push_back(flyte::arg("notifications", flyte::name(module_.notifications)));
    }
    flyte::Constant trigger{name, flyte::call("flyte.Trigger", std::move(arguments)), {}};
    trigger.notes.spans.push_back(schedule.span);
    module_.triggers.push_back(std::move(trigger));
    if (task != module_.tasks.end()) {
      named(task->triggers, name);
      return;
    }
    const auto known = std::ranges::find(on_slurm->arguments, "triggers", &flyte::Arg::keyword);
    flyte::Expr& value =
        known == on_slurm->arguments.end()
            ? on_slurm->arguments
                  .emplace_back(flyte::arg("triggers", flyte::Expr{flyte::TupleExpr{}}))
                  .value
            : known->value;
    std::get<flyte::TupleExpr>(value.value).elements.push_back(flyte::arg(flyte::name(name)));
  }

private:
  static void named(std::optional<flyte::Noted<flyte::Expr>>& triggers, const std::string& name) {
    if (!triggers) {
      triggers = flyte::Noted<flyte::Expr>{flyte::name(name), {}};
      return;
    }
    if (!std::holds_alternative<flyte::TupleExpr>(triggers->value.value)) {
      flyte::TupleExpr all;
      all.elements.push_back(flyte::arg(std::move(triggers->value)));
      triggers->value = flyte::Expr{std::move(all)};
    }
    std::get<flyte::TupleExpr>(triggers->value.value)
        .elements.push_back(flyte::arg(flyte::name(name)));
  }

  flyte::Expr automation(const ir::Schedule& schedule) {
    if (schedule.cron.empty()) {
      return flyte::call("flyte.FixedRate",
                         {flyte::arg(flyte::number(fmt::format("{}", schedule.every)))});
    }
    flyte::Expr named = flyte::name("ZONE");
    if (const auto known = std::ranges::find(module_.constants, "ZONE", &flyte::Constant::variable);
        known != module_.constants.end()) {
      const auto* text = std::get_if<flyte::Str>(&known->value.value);
      if (text != nullptr && text->value != schedule.zone) { // another zone from that line on
        named = flyte::str(schedule.zone);
      }
    } else {
      flyte::Constant zone{"ZONE", flyte::str(schedule.zone), {}};
      if (schedule.zone_from.empty()) {
        zone.notes.above.emplace_back(
            "REVIEW S2F310: cron went by the cluster's local time; name its zone.");
      } else {
        zone.notes.trailing = schedule.zone_from;
      }
      module_.constants.push_back(std::move(zone));
    }
    return flyte::call("flyte.Cron", {flyte::arg(flyte::str(schedule.cron)),
                                      flyte::arg("timezone", std::move(named))});
  }

  void inputs(const ir::Schedule& schedule, const flyte::Task& task,
              std::vector<flyte::Arg>& arguments) {
    flyte::DictExpr given;
    for (const flyte::Parameter& parameter : task.parameters) {
      const auto value = value_of(schedule, parameter);
      if (value) {
        flyte::Arg element = flyte::arg(*value);
        element.key = flyte::str(parameter.name);
        given.elements.push_back(std::move(element));
      } else if (!parameter.default_) {
        missing(schedule, parameter);
      }
    }
    if (!given.elements.empty()) {
      arguments.push_back(flyte::arg("inputs", flyte::Expr{std::move(given)}));
    }
  }

  [[nodiscard]] std::optional<flyte::Expr> value_of(const ir::Schedule& schedule,
                                                    const flyte::Parameter& parameter) const {
    const auto origin = std::ranges::find(parameters_, parameter.name, &ir::Parameter::name);
    if (origin == parameters_.end()) {
      return std::nullopt;
    }
    if (origin->type == ir::Type::text_list) {
      if (schedule.arguments.empty()) {
        return std::nullopt;
      }
      flyte::ListExpr all;
      for (const std::string& each : schedule.arguments) {
        all.elements.push_back(flyte::arg(flyte::str(each)));
      }
      return flyte::Expr{std::move(all)};
    }
    if (origin->position > 0) {
      const auto at = static_cast<std::size_t>(origin->position);
      if (at <= schedule.arguments.size()) {
        return typed(schedule.arguments[at - 1], parameter.type);
      }
      return parameter.default_ ? std::nullopt : typed("", parameter.type);
    }
    if (origin->origin.starts_with('$')) {
      const auto variable = schedule.environment.find(origin->origin.substr(1));
      if (variable != schedule.environment.end()) {
        return typed(variable->second, parameter.type);
      }
      if (schedule.unset.contains(origin->origin.substr(1)) && !parameter.default_) {
        return typed("", parameter.type);
      }
    }
    return std::nullopt;
  }

  void missing(const ir::Schedule& schedule, const flyte::Parameter& parameter) {
    review::Finding finding;
    finding.rule = "S2F332";
    finding.span = schedule.span;
    finding.message = fmt::format("The trigger has no value for the parameter {}.", parameter.name);
    finding.slurm_does = "The job takes it from what it is started with or in.";
    finding.output_does = "A run that the trigger starts fails until `inputs` names one.";
    finding.choices = {"write it into the trigger's inputs", "give the parameter a default"};
    finding.default_ = finding.choices[0];
    context_.findings.add(std::move(finding));
  }

  LowerContext& context_;
  flyte::Module& module_;
  const std::vector<ir::Parameter>& parameters_;
  std::set<std::string, std::less<>> taken_;
};

} // namespace

void add_schedules(LowerContext& context, flyte::Module& module, const std::string& function,
                   const std::vector<ir::Parameter>& parameters, const std::string& stem,
                   const std::vector<ir::Schedule>& schedules) {
  Triggers triggers(context, module, parameters);
  std::string places;
  for (const ir::Schedule& each : schedules) {
    triggers.add(each, stem, function);
    places += (places.empty() ? "" : ", ") + each.where;
  }
  if (schedules.empty()) {
    return;
  }
  for (flyte::Constant& each : module.constants) {
    for (flyte::Paragraph& paragraph : each.notes.above) {
      std::string& said = paragraph.text;
      if (each.variable == module.notifications && said.starts_with("REVIEW S2F103")) {
        said = "REVIEW S2F103: sent for runs of the trigger, and for one that `python` on this "
               "file starts; `flyte run` sends none.";
      }
    }
  }
  constexpr std::string_view next = ". What used to be";
  if (const auto at = module.migrated.find(next);
      at != std::string::npos && module.migrated.find(places) == std::string::npos) {
    module.migrated.insert(at, fmt::format(" and {}", places));
  }
  if (!module.commands.empty()) {
    module.commands.back().comment = "the cluster, at its times";
  }
}

} // namespace s2f::lower
