// Takes the command line apart, so that whatever describes it cannot say something else.
#include "cli/shape.hpp"

#include <CLI/CLI.hpp>

#include "generated/tables/command_values.hpp"
#include "review/review.hpp"
#include "slurm/header.hpp"

namespace s2f::cli {

namespace {

Argument argument_of(const CLI::Option& option) {
  Argument argument;
  if (option.get_positional()) {
    argument.names = {option.get_name(true)};
  } else {
    for (const auto& name : option.get_snames())
      argument.names.push_back("-" + name);
    for (const auto& name : option.get_lnames())
      argument.names.push_back("--" + name);
  }
  argument.about = option.get_description();
  argument.many = option.get_expected_max() > 1;
  argument.required = option.get_required();
  if (option.get_items_expected_max() > 0)
    argument.value = option.get_type_name().empty() ? "TEXT" : option.get_type_name();
  return argument;
}

Command command_of(const CLI::App& app) {
  Command command{.name = app.get_parent() == nullptr ? "" : app.get_name(),
                  .about = app.get_description(),
                  .footer = app.get_footer(),
                  .options = {},
                  .positionals = {}};
  for (const CLI::Option* option : app.get_options()) {
    auto& list = option->get_positional() ? command.positionals : command.options;
    list.push_back(argument_of(*option));
  }
  return command;
}

} // namespace

std::vector<Command> commands_of(const CLI::App& app) {
  std::vector<Command> commands{command_of(app)};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(command_of(*command));
  return commands;
}

std::vector<std::string> values_of(std::string_view command, const Argument& argument) {
  std::vector<std::string> values;
  for (const auto& row : tables::command_values) {
    if ((row.command != command && row.command != "*") || row.argument != argument.name())
      continue;
    for (const auto value : row.values)
      values.emplace_back(value);
    if (row.from == tables::CommandValuesFrom::rules) {
      for (const review::Rule& rule : review::rules())
        values.emplace_back(rule.code);
    } else if (row.from == tables::CommandValuesFrom::options) {
      for (const auto& option : slurm::option_table())
        values.emplace_back(option.name);
    }
  }
  return values;
}

} // namespace s2f::cli
