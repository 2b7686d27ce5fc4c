// `slurm2flyte verify PATH...`: asks the real SDK about modules, and writes into their reviews what
// it said.
#include "cli/verify_command.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/outputs.hpp"
#include "cli/python.hpp"
#include "cli/verified_reports.hpp"
#include "project/version.hpp"
#include "review/labels.hpp"
#include "review/markdown_text.hpp"
#include "review/page.hpp"
#include "review/visible.hpp"
#include "source/source.hpp"

namespace s2f::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

void modules_below(const std::string& directory, const project::Files& files,
                   std::vector<std::string>& found) {
  for (const auto& name : files.list(directory)) {
    if (name.starts_with('.') || name == "node_modules") {
      continue;
    }
    const auto path = (fs::path(directory) / name).lexically_normal().string();
    if (name.ends_with("_flyte.py") && files.is_file(path)) {
      found.push_back(path);
    } else if (files.is_directory(path)) {
      modules_below(path, files, found);
    }
  }
}

std::vector<std::string> modules_of(const VerifyOptions& options, const Console& console) {
  std::vector<std::string> found;
  for (const auto& path : options.paths.empty() ? std::vector<std::string>{"."} : options.paths) {
    if (path == "." || console.files.is_directory(path)) {
      modules_below(path, console.files, found);
    } else {
      found.push_back(path);
    }
  }
  return found;
}

std::vector<std::string> texts(const Json& list) {
  std::vector<std::string> found;
  for (const auto& each : list) {
    found.push_back(each.get<std::string>());
  }
  return found;
}

// What a review says of the verification, in Markdown.
std::string section_of(const Json& result, const std::string& flyte, std::string_view module) {
  const auto errors = texts(result.at("errors"));
  const auto which = fmt::format("Flyte {}, module `{}`", review::markdown_text(flyte),
                                 source::sha256_hex(module).substr(0, 12));
  if (errors.empty()) {
    return fmt::format("**Verified** with {}: it imports, and {} can be registered.\n", which,
                       review::counted(result.at("tasks").size(), "task"));
  }
  std::string text = fmt::format("**Not verified** with {}:\n\n", which);
  for (const auto& error : errors) {
    text += fmt::format("- {}\n", review::markdown_text(error));
  }
  return text;
}

// A review that is not there, or not ours, is left alone.
bool tell_review(const Json& result, const std::string& flyte, const Console& console) {
  const auto path = result.at("file").get<std::string>();
  const auto module = console.files.read(path);
  const auto review = console.files.read(review_path(path));
  if (!module || !review) {
    return true;
  }
  const auto text = with_verification(*review, section_of(result, flyte, *module));
  if (!text || *text == *review) {
    return true;
  }
  if (const auto written = console.write(review_path(path), *text); !written) {
    complain(console, written.error());
    return false;
  }
  return true;
}

std::vector<Verified> verified_of(const Json& results, const Console& console) {
  std::vector<Verified> all;
  for (const auto& result : results) {
    const auto path = result.at("file").get<std::string>();
    const auto module = console.files.read(path);
    all.push_back({.module = path,
                   .hash = module ? source::sha256_hex(*module).substr(0, 12) : "",
                   .tasks = result.at("tasks").size(),
                   .errors = texts(result.at("errors")),
                   .warnings = texts(result.at("warnings"))});
  }
  return all;
}

// Nothing, or why the report could not be told.
std::string tell_report(const std::string& path, const std::string& flyte,
                        const std::vector<Verified>& results, const Console& console) {
  const auto report = project::read_output(console.files, path);
  if (!report) {
    return report.error().message;
  }
  const auto text = with_verified(*report_format(path), *report, flyte, results);
  if (!text) {
    return path + " is no report of slurm2flyte's that was left as it was written";
  }
  if (*text == *report) {
    return {};
  }
  const auto written = console.write(path, *text);
  return written ? std::string() : written.error();
}

void show(const Json& results, const Console& console) {
  for (const auto& result : results) {
    const auto file = review::visible(result.at("file").get<std::string>());
    const auto errors = texts(result.at("errors"));
    const auto warnings = texts(result.at("warnings"));
    for (const auto& error : errors) {
      console.out(review::wrapped(error, file + ": error: ", "    ", console.out_style.width));
    }
    for (const auto& warning : warnings) {
      console.out(review::wrapped(warning, file + ": warning: ", "    ", console.out_style.width));
    }
    if (errors.empty()) {
      console.out(fmt::format("{}: {} can be registered\n", file,
                              review::counted(result.at("tasks").size(), "task")));
    }
  }
}

} // namespace

int verify(const VerifyOptions& options, const Console& console) {
  const auto modules = modules_of(options, console);
  if (modules.empty()) {
    complain(console, "there is no module to verify: no file whose name ends in _flyte.py");
    hint(console, "slurm2flyte convert writes them.");
    return failed;
  }
  for (const auto& module : modules) {
    if (!console.files.is_file(module)) {
      complain(console, module + ": there is no such file");
      return failed;
    }
  }
  for (const auto& path : options.reports) {
    const auto format = report_format(path);
    if (!format ||
        (*format != Format::json && *format != Format::sarif && *format != Format::html)) {
      complain(console,
               fmt::format("--report {}: a report whose name ends in .html, .json or .sarif "
                           "can be told what is verified",
                           path));
      return failed;
    }
  }
  const auto python = python_with_flyte(options.python, console);
  if (!python) {
    complain(console, fmt::format("no Python with flyte was found; asked: {}",
                                  fmt::join(python.error(), ", ")));
    hint(console, fmt::format("Make one: python3 -m venv .venv && .venv/bin/pip install "
                              "'flyte>={}', or name one with --python.",
                              project::flyte_version));
    return failed;
  }
  const auto ran = run_python(*python, review::built_in("verify/verify.py"), modules);
  const auto answer = Json::parse(ran.output, nullptr, false);
  if (ran.status != 0 || answer.is_discarded()) {
    complain(console,
             fmt::format("{} could not look at the modules (status {})", *python, ran.status));
    return failed;
  }
  const auto& results = answer.at("results");
  const auto flyte = answer.at("flyte").get<std::string>();
  bool ok = true;
  for (const auto& result : results) {
    ok = tell_review(result, flyte, console) && ok;
  }
  const auto verified = verified_of(results, console);
  for (const auto& path : options.reports) {
    if (const auto problem = tell_report(path, flyte, verified, console); !problem.empty()) {
      complain(console, problem);
      ok = false;
    }
  }
  const auto bad = std::ranges::count_if(
      results, [](const Json& result) { return !result.at("errors").empty(); });
  if (options.json) {
    console.out(answer.dump(2, ' ', true, Json::error_handler_t::replace) + "\n");
  } else {
    show(results, console);
    console.out(fmt::format("{} of {} verified with Flyte {}\n", results.size() - bad,
                            review::counted(results.size(), "module"), review::visible(flyte)));
  }
  if (!ok) {
    return failed;
  }
  return bad > 0 ? findings : done;
}

} // namespace s2f::cli
