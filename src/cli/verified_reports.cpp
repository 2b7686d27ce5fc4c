// Puts what a verification said into reports, a line each, and takes it out again.
//
// before:        "output": "train_flyte.py",
// after:         "output": "train_flyte.py",
//                "verified": {"flyte": "2.12.0", "module": "0123456789ab", "tasks": 1, ...},
#include "cli/verified_reports.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "emit/mustache.hpp"
#include "review/visible.hpp"

namespace s2f::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view json_output = "      \"output\": \"";
constexpr std::string_view json_line = "      \"verified\": ";
constexpr std::string_view sarif_line = "      \"properties\": {\"verified\":";
constexpr std::string_view sarif_result = "        {\"ruleId\":\"verify\",";
constexpr std::string_view sarif_results = "      \"results\": [";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

// Whether both name one module: the report from where the conversion was started.
bool same_module(std::string_view written, const std::string& given) {
  return std::filesystem::path(written).lexically_normal() ==
         std::filesystem::path(given).lexically_normal();
}

Json json_of(const Verified& result, const std::string& flyte) {
  return {{"flyte", flyte},
          {"module", result.hash},
          {"tasks", result.tasks},
          {"errors", result.errors},
          {"warnings", result.warnings}};
}

std::string in_json(std::string_view report, const std::string& flyte,
                    const std::vector<Verified>& results) {
  std::string text;
  for (const auto line : lines_of(report)) {
    text += line;
    if (!line.starts_with(json_output)) {
      continue;
    }
    const auto value =
        Json::parse(line.substr(json_output.size() - 1, line.rfind('"') - json_output.size() + 2),
                    nullptr, false);
    const auto found = std::ranges::find_if(results, [&value](const Verified& each) {
      return value.is_string() && same_module(value.get<std::string>(), each.module);
    });
    if (found != results.end()) {
      text += fmt::format("{}{},\n", json_line, line_of(json_of(*found, flyte)));
    }
  }
  return text;
}

std::string in_sarif(std::string_view report, const std::string& flyte,
                     const std::vector<Verified>& results) {
  Json all = Json::array();
  std::vector<std::string> errors;
  for (const Verified& result : results) {
    Json one = json_of(result, flyte);
    one["file"] = result.module;
    all.push_back(std::move(one));
    for (const auto& error : result.errors) {
      const Json place{{"artifactLocation", {{"uri", result.module}}}};
      const Json json{{"ruleId", "verify"},
                      {"level", "error"},
                      {"message", {{"text", review::visible(error)}}},
                      {"locations", Json::array({{{"physicalLocation", place}}})}};
      errors.push_back("        " + line_of(json));
    }
  }
  std::string text;
  for (const auto line : lines_of(report)) {
    if (!line.starts_with(sarif_results)) {
      text += line;
      continue;
    }
    text += fmt::format("{}{}}},\n", sarif_line, line_of(all));
    const bool empty = line.starts_with(std::string(sarif_results) + "]");
    if (errors.empty()) {
      text += line;
      continue;
    }
    text += fmt::format("{}\n", sarif_results);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      text += errors[i] + (empty && i + 1 == errors.size() ? "\n" : ",\n");
    }
    if (empty) {
      text += "      ]\n";
    }
  }
  return text;
}

std::string section_of(const std::string& flyte, const std::vector<Verified>& results) {
  constexpr std::string_view page = R"(<section>
<h2>Verified with Flyte {{flyte}}</h2>
<ul>
{{#modules}}
<li><code>{{module}}</code>{{^errors}}: it imports, and its tasks ({{tasks}}) can be registered{{/errors}}
{{#errors}}
<br><b>error</b> {{.}}
{{/errors}}
{{#warnings}}
<br>warning: {{.}}
{{/warnings}}
</li>
{{/modules}}
</ul>
</section>
)";
  emit::View modules = emit::View::array();
  for (const Verified& result : results) {
    emit::View errors = emit::View::array();
    for (const auto& error : result.errors) {
      errors.push_back(review::visible(error));
    }
    emit::View warnings = emit::View::array();
    for (const auto& warning : result.warnings) {
      warnings.push_back(review::visible(warning));
    }
    modules.push_back({{"module", review::visible(result.module)},
                       {"tasks", result.tasks},
                       {"errors", std::move(errors)},
                       {"warnings", std::move(warnings)}});
  }
  // The template stands above: it renders.
  return emit::render(page, {{"flyte", review::visible(flyte)}, {"modules", std::move(modules)}},
                      nullptr)
      .value();
}

} // namespace

std::string without_verified(Format format, std::string_view report) {
  if (format == Format::html || format == Format::markdown) {
    return without_verification(report);
  }
  std::string text;
  for (const auto line : lines_of(report)) {
    const bool ours = format == Format::json
                          ? line.starts_with(json_line)
                          : line.starts_with(sarif_line) || line.starts_with(sarif_result);
    if (!ours) {
      text += line;
    }
  }
  // Where there were no results but those.
  const auto emptied = fmt::format("{}\n      ]", sarif_results);
  if (const auto at = text.find(emptied); format == Format::sarif && at != std::string::npos) {
    text.replace(at, emptied.size(), fmt::format("{}]", sarif_results));
  }
  return text;
}

std::optional<std::string> with_verified(Format format, std::string_view report,
                                         const std::string& flyte,
                                         const std::vector<Verified>& results) {
  if (format == Format::html) {
    return with_verification(report, section_of(flyte, results));
  }
  if (!is_ours(format, report)) {
    return std::nullopt;
  }
  const auto before = without_verified(format, report);
  return format == Format::json ? in_json(before, flyte, results)
                                : in_sarif(before, flyte, results);
}

} // namespace s2f::cli
