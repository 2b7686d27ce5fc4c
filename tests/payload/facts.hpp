// Reads a payload given as text, and writes down in one line what was found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "payload/python.hpp"

namespace s2f::payload {

inline PythonFacts facts_of(std::string_view text) {
  source::Source source;
  source.path = "payload.py";
  source.text = text;
  return read_python(source);
}

inline std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words)
    out += (out.empty() ? "" : " ") + word;
  return out;
}

inline std::string name_of(OptionType type) {
  switch (type) {
  case OptionType::text:
    return "text";
  case OptionType::integer:
    return "integer";
  case OptionType::real:
    return "real";
  case OptionType::boolean_flag:
    return "flag";
  case OptionType::boolean_value:
    return "bool";
  case OptionType::path:
    return "path";
  case OptionType::unknown:
    return "unknown";
  }
  return "?";
}

// "train: --lr -l real =0.1 {a b} required multiple optional computed"
inline std::string line(const Option& option) {
  std::string out = option.command.empty() ? "" : option.command + ": ";
  out += (option.positional ? "<" + joined(option.flags) + ">" : joined(option.flags));
  out += " " + name_of(option.type);
  if (option.default_)
    out += " =" + *option.default_;
  if (!option.choices.empty())
    out += " {" + joined(option.choices) + "}";
  if (option.required)
    out += " required";
  if (option.multiple)
    out += " multiple";
  if (option.value_optional)
    out += " optional";
  if (option.default_computed)
    out += " computed";
  return out;
}

// "writes out.txt", "reads --in/", "writes argv[2]", "writes pattern x-*.txt"; "/" says directory.
inline std::string line(const FileUse& use) {
  std::string out = use.writes ? "writes " : "reads ";
  out += use.path;
  if (!use.option.empty())
    out += "--" + use.option;
  if (use.argument != 0)
    out += "argv[" + std::to_string(use.argument) + "]";
  if (!use.pattern.empty())
    out += "pattern " + use.pattern;
  return out + (use.directory ? "/" : "");
}

template <typename Item> std::vector<std::string> lines(const std::vector<Item>& items) {
  std::vector<std::string> out;
  for (const Item& item : items)
    out.push_back(line(item));
  return out;
}

using Lines = std::vector<std::string>;

inline Lines options_in(std::string_view text) { return lines(facts_of(text).options); }

inline Lines files_in(std::string_view text) { return lines(facts_of(text).files); }

} // namespace s2f::payload
