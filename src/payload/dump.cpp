// Writes PythonFacts as JSON.
#include "payload/dump.hpp"

#include <nlohmann/json.hpp>

namespace s2f::payload {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(OptionType type) {
  switch (type) {
  case OptionType::text:
    return "text";
  case OptionType::integer:
    return "integer";
  case OptionType::real:
    return "real";
  case OptionType::boolean_flag:
    return "boolean_flag";
  case OptionType::boolean_value:
    return "boolean_value";
  case OptionType::path:
    return "path";
  case OptionType::unknown:
    return "unknown";
  }
  return "";
}

Json optional(const std::optional<std::string>& text) { return text ? Json(*text) : Json(); }

Json to_json(const Option& option) {
  return {{"flags", option.flags},
          {"positional", option.positional},
          {"type", name_of(option.type)},
          {"dest", option.dest},
          {"command", option.command},
          {"default", optional(option.default_)},
          {"default_text", optional(option.default_text)},
          {"default_computed", option.default_computed},
          {"choices", option.choices},
          {"required", option.required},
          {"multiple", option.multiple},
          {"value_optional", option.value_optional},
          {"help", option.help}};
}

Json to_json(const FileUse& use) {
  return {{"path", use.path},       {"option", use.option}, {"argument", use.argument},
          {"pattern", use.pattern}, {"writes", use.writes}, {"directory", use.directory},
          {"begin", use.span.begin}};
}

Json to_json(const Import& import) {
  return {{"module", import.module},
          {"standard_library", import.standard_library},
          {"guarded", import.guarded}};
}

template <typename Item> Json list(const std::vector<Item>& items) {
  Json out = Json::array();
  for (const Item& item : items)
    out.push_back(to_json(item));
  return out;
}

} // namespace

std::string dump(const PythonFacts& facts) {
  const Json json = {{"parsed", facts.parsed},
                     {"docstring", facts.docstring},
                     {"imports", list(facts.imports)},
                     {"options", list(facts.options)},
                     {"options_incomplete", facts.options_incomplete},
                     {"files", list(facts.files)},
                     {"environment", facts.environment},
                     {"writes_current_directory", facts.writes_current_directory},
                     {"uses_torch_distributed", facts.uses_torch_distributed},
                     {"uses_mpi", facts.uses_mpi},
                     {"uses_lightning", facts.uses_lightning},
                     {"uses_accelerate", facts.uses_accelerate}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace s2f::payload
