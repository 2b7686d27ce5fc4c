// Python's names for what the script calls otherwise.
#include "passes/names.hpp"

#include <cctype>

#include "flyte/program.hpp"

namespace s2f::passes {

std::string python_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    out += std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128
               ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
               : '_';
  }
  while (!out.empty() && out.front() == '_') {
    out.erase(0, 1);
  }
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) != 0) {
    out = "value_" + out;
  }
  // An `l` is too easily read as a 1.
  if (flyte::reserved_python_name(out) || out == "l") {
    out += "_";
  }
  return out;
}

std::set<std::string> taken_names(const ir::Job& job) {
  std::set<std::string> taken{job.function, "index",  "exported", "variables", "stdin",
                              "stdout",     "stderr", "here",     "status",    "cwd",
                              "running",    "asked",  "held",     "room"};
  if (job.array) {
    taken.insert(job.array->index_parameter);
  }
  for (const ir::Parameter& parameter : job.parameters) {
    taken.insert(parameter.name);
  }
  for (const auto& [variable, local] : job.locals) {
    taken.insert(local);
  }
  for (const ir::ClusterPath& path : job.cluster_paths) {
    taken.insert(path.name);
  }
  taken.insert(job.temporary);
  return taken;
}

std::string local_name(ir::Job& job, const std::string& variable) {
  if (const auto known = job.locals.find(variable); known != job.locals.end()) {
    return known->second;
  }
  const std::set<std::string> taken = taken_names(job);
  // Of $SECONDS it holds since when.
  std::string name = variable == "SECONDS" ? "started" : python_name(variable);
  while (taken.contains(name)) {
    name += "_";
  }
  job.locals[variable] = name;
  return name;
}

} // namespace s2f::passes
