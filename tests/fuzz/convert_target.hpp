// Any files as scripts with what lies around them: every line is accounted for, the module is sound
// Python, and every report can be made.
#pragma once

#include <nlohmann/json.hpp>

#include "payload/syntax.hpp"
#include "project/compile.hpp"
#include "review/formats.hpp"
#include "tests/fuzz/target.hpp"

namespace s2f::fuzz {

inline void check_reports(const review::Review& review) {
  const std::string json = review::render_json(review);
  require(nlohmann::json::accept(json), "the JSON review is JSON");
  require(nlohmann::json::accept(review::render_sarif(review)), "the SARIF log is JSON");
  require_harmless(review::render_markdown(review), "nothing in the Markdown acts on a reader");
  const std::string text = review::render_text(review, {.colour = false, .width = 80});
  require_harmless(text, "nothing in the text acts on a terminal");
  const std::string page = review::render_html(review);
  require_harmless(page, "nothing in the page acts on a reader");
  const auto script = page.find("<script");
  require(script == page.npos || page.find("<script", script + 1) == page.npos,
          "the page has one script");
  const std::string commands = review::render_github(review);
  for (std::size_t at = 0; at < commands.size(); at = commands.find('\n', at) + 1) {
    require(commands.compare(at, 2, "::") == 0, "a workflow command a line");
    require(commands.find('\n', at) != commands.npos, "the last command ends");
  }
}

inline void check_module(const project::CompiledModule& module) {
  require(module.path.ends_with("_flyte.py"), "a module is named after its script");
  require(all_visible(module.text), "nothing in the module is invisible");
  require(emit::edited(module.text) == emit::Edited::untouched, "the module has its hash");
  source::Sources sources;
  const auto& source = sources[sources.add(module.path, module.text)];
  // tree-sitter gives up on what is nested very deeply; Python itself is asked elsewhere.
  constexpr std::size_t readable = 200'000;
  require(module.text.size() > readable || payload::parse_python(source).complete,
          "the module is Python");
}

inline void check_compiled(const project::Compiled& compiled) {
  for (const review::Input& input : compiled.review.inputs) {
    for (const review::PlacedFinding& placed : input.findings) {
      const std::string& rule = placed.finding.rule;
      require(rule != "S2F900" && rule != "S2F901", rule + ": " + placed.finding.message);
    }
    require(input.lines == input.lines_accounted, "every line is accounted for");
  }
  for (const project::CompiledModule& module : compiled.modules) {
    check_module(module);
  }
  check_reports(compiled.review);
}

// The files whose names end in .sh or .sbatch are converted.
inline project::Compiled compile_sections(const std::vector<Section>& parts, bool keep_going) {
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::string> scripts;
  for (const Section& part : parts) {
    const bool plain = !part.name.empty() && !part.name.starts_with('/') &&
                       part.name.find("..") == std::string::npos &&
                       part.name.find('\0') == std::string::npos;
    if (plain) {
      files.emplace_back(part.name, part.text);
      if (part.name.ends_with(".sh") || part.name.ends_with(".sbatch")) {
        scripts.push_back(part.name);
      }
    }
  }
  project::CompileOptions options;
  options.keep_going = keep_going;
  return project::compile(scripts, options, project::in_memory(std::move(files)));
}

inline void convert_target(std::string_view data) {
  check_compiled(compile_sections(sections(data, "job.sh"), true));
}

} // namespace s2f::fuzz
