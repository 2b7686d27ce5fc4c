// `slurm2flyte init` and `slurm2flyte config`: making a site file, and showing one.
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "cli/site_problems.hpp"
#include "cli/table.hpp"
#include "generated/tables/site_keys.hpp"
#include "project/compile.hpp"
#include "review/visible.hpp"
#include "site/skeleton.hpp"

namespace s2f::cli {

namespace {

namespace fs = std::filesystem;

std::string shown(const site::Value& value) {
  const auto quoted = [](const std::string& text) { return '"' + text + '"'; };
  if (const auto* flag = std::get_if<bool>(&value))
    return *flag ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value))
    return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value))
    return quoted(*text);
  std::vector<std::string> list;
  for (const std::string& text : std::get<std::vector<std::string>>(value))
    list.push_back(quoted(text));
  return fmt::format("[{}]", fmt::join(list, ", "));
}

int list_keys(bool json, const Console& console) {
  if (json) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& row : tables::site_keys)
      list.push_back({{"key", row.key},
                      {"kind", tables::to_string(row.kind)},
                      {"choices", row.choices},
                      {"answers", row.answers},
                      {"example", row.example},
                      {"doc", row.doc}});
    console.out(list.dump(2) + '\n');
    return done;
  }
  for (const auto& row : tables::site_keys) {
    console.out(review::visible(fmt::format("{} = {}", row.key, row.example)) + '\n');
    const auto answers = row.answers.empty()
                             ? std::string()
                             : fmt::format(" (answers {})", fmt::join(row.answers, ", "));
    console.out(
        review::wrapped(std::string(row.doc) + answers, "    ", "    ", console.out_style.width));
  }
  return done;
}

} // namespace

int init(const InitOptions& options, const Console& console) {
  const std::vector<std::string> paths =
      options.paths.empty() ? std::vector<std::string>{"."} : options.paths;
  const auto scripts = scripts_of_paths(paths, console);
  std::string target = options.output.empty() ? "slurm2flyte.toml" : options.output;
  if (options.output.empty() && paths.size() == 1 && console.files.is_directory(paths.front()) &&
      paths.front() != ".") {
    target = (fs::path(paths.front()) / target).string();
  }
  if (target != "-" && console.files.is_file(target) && !options.force) {
    complain(console, target + " is there already, so it was not overwritten");
    hint(console, "slurm2flyte init -o - prints what is still open; --force overwrites it.");
    return failed;
  }
  const auto compiled = project::compile(scripts, {}, console.files);
  if (!compiled.site_problems.empty()) {
    complain_about_site(console, compiled.site_problems);
    return failed;
  }
  bool ok = true;
  for (const auto& failure : compiled.failures) {
    complain_about_input(console, failure.path, failure.message);
    ok = false;
  }
  if (compiled.review.inputs.empty()) {
    complain(console, "no job script was found");
    return failed;
  }
  const auto text = site::skeleton(compiled.review);
  if (target == "-") {
    console.out(text);
  } else if (const auto written = console.write(target, text); !written) {
    complain(console, written.error());
    return failed;
  } else {
    console.out(fmt::format("{}: the questions of {} script{}\n", review::visible(target),
                            compiled.review.inputs.size(),
                            compiled.review.inputs.size() == 1 ? "" : "s"));
  }
  return ok ? done : failed;
}

int config(const ConfigOptions& options, const Console& console) {
  if (options.keys)
    return list_keys(options.json, console);
  project::SiteFiles files({.config = options.config, .cluster = {}}, console.files);
  (void)files.answers(options.path.empty() ? "script" : options.path);
  if (!files.problems().empty()) {
    complain_about_site(console, files.problems());
    return failed;
  }
  const auto used = files.used();
  if (used.empty()) {
    console.out("There is no site file; slurm2flyte init writes one.\n");
    return done;
  }
  const site::Site& site = *used.front();
  if (options.json) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& setting : site.settings) {
      nlohmann::ordered_json one{{"key", site::key_of(setting.table, setting.name, setting.key)}};
      std::visit([&one](const auto& value) { one["value"] = value; }, setting.value);
      one["place"] = setting.place;
      one["cluster"] = setting.cluster.empty() ? nlohmann::ordered_json()
                                               : nlohmann::ordered_json(setting.cluster);
      list.push_back(std::move(one));
    }
    console.out(
        nlohmann::ordered_json{{"path", site.path}, {"sha256", site.sha256}, {"settings", list}}
            .dump(2, ' ', true) +
        '\n');
    return done;
  }
  console.out(review::visible(site.path) + "\n");
  Table table{.head = {"line", "cluster", "key", "value"}, .rows = {}, .right = 1};
  for (const auto& setting : site.settings) {
    table.rows.push_back({setting.place.substr(setting.place.find_last_of(':') + 1),
                          setting.cluster, site::key_of(setting.table, setting.name, setting.key),
                          shown(setting.value)});
  }
  console.out(render(table, console.out_style));
  return done;
}

} // namespace s2f::cli
