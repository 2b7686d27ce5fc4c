// Reads a Python payload for the passes.
#include "passes/payload_facts.hpp"

namespace s2f::passes {

std::optional<payload::PythonFacts> payload_facts(const PassContext& context,
                                                  const std::string& path) {
  const auto text = context.read_file ? context.read_file(path) : std::nullopt;
  if (!text) {
    return std::nullopt;
  }
  source::Sources sources;
  const auto id = sources.add(path, *text);
  if (sources[id].quirks.nul) {
    return std::nullopt;
  }
  return payload::read_python(sources[id]);
}

} // namespace s2f::passes
