// Going up from a script's directory to the root of its repository.
#include "project/nearest.hpp"

#include <filesystem>
#include <optional>

namespace s2f::project {

namespace {

namespace fs = std::filesystem;

// "a/" of "a/b/", "" of "a/", "../" of "", "../../" of "../"; nothing above the root.
std::optional<std::string> above(const std::string& directory) {
  if (directory == "/")
    return std::nullopt;
  if (directory.empty() || directory.ends_with("../"))
    return directory + "../";
  const auto slash = directory.find_last_of('/', directory.size() - 2);
  return slash == std::string::npos ? std::string() : directory.substr(0, slash + 1);
}

} // namespace

std::string directory_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

bool is_repository(const std::string& directory, const Files& files) {
  return files.is_directory(directory + ".git") || files.is_file(directory + ".git");
}

std::vector<std::string> up_from(const std::string& directory, const Files& files) {
  constexpr std::size_t deepest = 64;
  std::vector<std::string> all;
  for (std::optional<std::string> at = directory; at && all.size() < deepest; at = above(*at)) {
    all.push_back(*at);
    if (is_repository(*at, files))
      break;
  }
  return all;
}

std::string path_from(const std::string& script, const std::string& other) {
  std::error_code error;
  const auto directory = directory_of(other);
  const fs::path base = fs::absolute(directory.empty() ? "." : directory, error);
  const fs::path path = fs::absolute(script, error);
  return path.lexically_normal().lexically_relative(base.lexically_normal()).generic_string();
}

} // namespace s2f::project
