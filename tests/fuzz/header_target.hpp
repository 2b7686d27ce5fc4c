// Any bytes as a script, and any words as sbatch's arguments: the header reader takes them all.
#pragma once

#include <nlohmann/json.hpp>

#include "slurm/header.hpp"
#include "tests/fuzz/target.hpp"

namespace s2f::fuzz {

inline void check_header(const source::Source& source, const slurm::Header& header) {
  const auto inside = [&](const source::Span& span) {
    return span.source != source.id || (span.begin <= span.end && span.end <= source.text.size());
  };
  require(!header.components.empty(), "a header has a component");
  require(header.end_line >= 1 && header.end_line <= source.line_count() + 1,
          "the header ends within the script");
  for (const slurm::OptionUse& use : header.uses) {
    const bool here = use.origin == slurm::Origin::script || use.origin == slurm::Origin::pbs;
    require(!here || (inside(use.span) && inside(use.value_span)), "an option lies in the script");
    require(use.line <= source.line_count(), "an option has a line of the script");
    require(use.component < header.components.size(), "an option has a component");
  }
  for (const slurm::DirectiveLine& line : header.lines) {
    require(inside(line.span), "a directive lies in the script");
    for (const std::size_t use : line.uses) {
      require(use < header.uses.size(), "a directive has its options");
    }
  }
  for (const slurm::InertLine& line : header.inert) {
    require(inside(line.span) && !line.why.empty(), "an inert line lies in the script");
  }
  for (const slurm::Rejection& rejection : header.rejections) {
    require(!rejection.message.empty(), "a refusal says why");
  }
  for (const slurm::Component& component : header.components) {
    for (const auto& [name, use] : component.winner) {
      require(use < header.uses.size(), name + " was given by an option");
    }
    for (const slurm::VariableInfo& variable : slurm::variable_table()) {
      (void)slurm::variable_value(component, variable.name);
    }
  }
}

inline void header_target(std::string_view data) {
  auto parts = sections(data, "job.sh");
  slurm::ReadOptions options;
  options.script_name = "job.sh";
  for (std::size_t i = 1; i < parts.size(); ++i) {
    std::string& text = parts[i].text;
    while (text.ends_with('\n')) {
      text.pop_back();
    }
    const auto equals = parts[i].name.find('=');
    if (parts[i].name.starts_with("SBATCH_") && equals != std::string::npos) {
      options.environment[parts[i].name.substr(0, equals)] = parts[i].name.substr(equals + 1);
    } else {
      options.arguments.push_back(parts[i].name);
    }
  }
  source::Sources sources;
  const source::Source& source = sources[sources.add("job.sh", parts.front().text)];
  for (const char* release : {"", "22.05"}) {
    options.release = release;
    const slurm::Header header = slurm::read_header(source, options);
    check_header(source, header);
    const std::string shown = slurm::inspect_json(header, slurm::Kind::job);
    require(nlohmann::json::accept(shown), "inspect prints JSON");
    require(shown == slurm::inspect_json(slurm::read_header(source, options), slurm::Kind::job),
            "a header is read the same way twice");
  }
}

} // namespace s2f::fuzz
