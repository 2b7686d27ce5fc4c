// What type of value an annotation or a converter function stands for.
#pragma once

#include <string>
#include <vector>

#include "payload/program.hpp"
#include "payload/python.hpp"

namespace s2f::payload {

struct Annotation {
  OptionType type = OptionType::unknown;
  bool multiple = false;            // list[int]
  std::vector<std::string> choices; // of Literal or of an Enum in the file
  std::vector<NodeId> metadata;     // of Annotated[int, ...]
};

// boolean_value for bool: whether that makes it a flag is the library's matter.
[[nodiscard]] Annotation read_annotation(const Program& program, NodeId annotation);

// Of `int`, `Path`, `lambda s: s.lower() == "true"`, a function in the file, ...
[[nodiscard]] OptionType converter_type(const Program& program, NodeId converter);

} // namespace s2f::payload
