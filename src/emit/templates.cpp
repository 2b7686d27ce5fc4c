// Finds templates: compiled in, or in a directory of the user's.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "emit/emit.hpp"
#include "generated/embedded.hpp"

namespace s2f::emit {

namespace {

std::optional<std::string> built_in(std::string_view name) {
  const std::string path = "templates/" + std::string(name) + ".mustache";
  const auto files = embedded::templates();
  const auto found =
      std::ranges::lower_bound(files, std::string_view(path), {}, &embedded::File::path);
  if (found == files.end() || found->path != path) {
    return std::nullopt;
  }
  return std::string(found->text);
}

} // namespace

Templates built_in_templates() { return built_in; }

Templates templates_from(std::string directory) {
  return [directory = std::move(directory)](std::string_view name) -> std::optional<std::string> {
    // Names come from templates too: none may lead out of the directory.
    const std::filesystem::path relative(name);
    const bool inside =
        !relative.is_absolute() && std::ranges::find(relative, "..") == relative.end();
    if (inside) {
      auto text =
          source::read_file((std::filesystem::path(directory) / relative).string() + ".mustache");
      if (text) {
        return std::move(*text);
      }
    }
    return built_in(name);
  };
}

} // namespace s2f::emit
