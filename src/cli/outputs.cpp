// Where the results of a conversion go, and whether what stands there may be overwritten.
#include "cli/outputs.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "emit/emit.hpp"
#include "project/version.hpp"
#include "review/formats.hpp"
#include "source/source.hpp"

namespace s2f::cli {

namespace {

namespace fs = std::filesystem;
using emit::Edited;

constexpr std::string_view seal = "slurm2flyte: sha256 of the text above: ";
constexpr std::size_t digits = 12;

constexpr std::string_view sarif_name = "\"name\": \"slurm2flyte\"";

constexpr std::string_view verified = "<!-- verified -->";
constexpr std::string_view end_of_verified = "<!-- end of verified -->";

// The last line holds the hash of those above, as a module's does.
std::string sealed(std::string text, std::string_view before, std::string_view after) {
  text.erase(text.find_last_not_of('\n') + 1);
  text += "\n\n";
  const auto hash = source::sha256_hex(text).substr(0, digits);
  return text + fmt::format("{}{}{}{}\n", before, seal, hash, after);
}

Edited who_wrote(std::string_view text) {
  const auto mark = text.rfind(seal);
  if (mark == std::string_view::npos)
    return Edited::not_ours;
  const auto line = text.rfind('\n', mark) + 1; // npos + 1 is 0
  const auto hash = source::sha256_hex(text.substr(0, line)).substr(0, digits);
  const bool last = text.find('\n', mark) == text.size() - 1;
  return last && text.substr(mark + seal.size()).starts_with(hash) ? Edited::untouched
                                                                   : Edited::by_hand;
}

Edited who_wrote(std::string_view text, Format format) {
  switch (format) {
  case Format::module:
    return emit::edited(text);
  case Format::json:
    return text.find(project::review_schema) != std::string_view::npos ? Edited::untouched
                                                                       : Edited::not_ours;
  case Format::sarif:
    return text.find("\"slurm2flyte/v1\"") != std::string_view::npos ||
                   text.find(sarif_name) != std::string_view::npos
               ? Edited::untouched
               : Edited::not_ours;
  case Format::html:
  case Format::markdown:
  case Format::text:
    break;
  }
  return who_wrote(text);
}

} // namespace

std::expected<Format, std::string> report_format(const std::string& path) {
  const auto ending = fs::path(path).extension().string();
  if (ending == ".json")
    return Format::json;
  if (ending == ".md")
    return Format::markdown;
  if (ending == ".txt")
    return Format::text;
  if (ending == ".html")
    return Format::html;
  if (ending == ".sarif")
    return Format::sarif;
  return std::unexpected(fmt::format(
      "--report {}: the ending chooses the format: .html, .json, .md, .sarif or .txt", path));
}

Output report(const std::string& path, Format format, const review::Review& review) {
  Output output{.path = path, .text = {}, .format = format};
  if (format == Format::json) {
    output.text = review::render_json(review);
    if (!output.text.ends_with('\n'))
      output.text += '\n';
  } else if (format == Format::sarif) {
    output.text = review::render_sarif(review);
  } else if (format == Format::html) {
    output.text = sealed(review::render_html(review), "<!-- ", " -->");
  } else if (format == Format::markdown) {
    output.text = sealed(review::render_markdown(review), "<!-- ", " -->");
  } else {
    output.text = sealed(review::render_text(review, {.colour = false, .width = 80}), "", "");
  }
  return output;
}

bool is_ours(Format format, std::string_view text) {
  return who_wrote(text, format) == Edited::untouched;
}

std::string without_verification(std::string_view review) {
  const auto begin = review.find(verified);
  const auto end = review.find(end_of_verified, std::min(begin, review.size()));
  if (begin == review.npos || end == review.npos)
    return std::string(review);
  return sealed(std::string(review.substr(0, begin)), "<!-- ", " -->");
}

std::optional<std::string> with_verification(std::string_view review, std::string_view said) {
  if (who_wrote(review) != Edited::untouched)
    return std::nullopt;
  std::string text = without_verification(review);
  text.erase(text.rfind("<!-- "));
  text.erase(text.find_last_not_of('\n') + 1);
  return sealed(fmt::format("{}\n\n{}\n\n{}\n{}", text, verified, said, end_of_verified), "<!-- ",
                " -->");
}

std::string review_path(const std::string& module_path) {
  const auto stem =
      module_path.ends_with(".py") ? module_path.substr(0, module_path.size() - 3) : module_path;
  return stem + ".review.md";
}

std::string below(const std::string& directory, const std::string& path) {
  const fs::path normal = fs::path(path).lexically_normal();
  const bool inside =
      normal.is_relative() && std::ranges::find(normal, fs::path("..")) == normal.end();
  return (fs::path(directory) / (inside ? normal : normal.filename())).string();
}

std::optional<std::string> objection(const Output& output, const project::Files& files) {
  // Read in pieces, for it may be a report on thousands of scripts.
  if (output.format == Format::json && files.is_file(output.path) &&
      project::file_holds(output.path, project::review_schema))
    return std::nullopt;
  if (output.format == Format::sarif && files.is_file(output.path) &&
      project::file_holds(output.path, sarif_name))
    return std::nullopt;
  const auto existing = project::read_output(files, output.path);
  if (!existing) {
    // What is missing can be made; what cannot be read may be anybody's.
    if (existing.error().error == source::ReadError::missing)
      return std::nullopt;
    return existing.error().message;
  }
  switch (who_wrote(*existing, output.format)) {
  case Edited::untouched:
    return std::nullopt;
  case Edited::by_hand:
    return output.path + " was edited by hand, so it was not overwritten";
  case Edited::not_ours:
    return output.path + " was not written by slurm2flyte, so it was not overwritten";
  }
  return std::nullopt;
}

} // namespace s2f::cli
