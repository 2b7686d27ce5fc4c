// Finds and reads sign-off files, going up from the script's directory.
#include "project/signoff_files.hpp"

#include "project/nearest.hpp"

namespace s2f::project {

std::string SignOffFiles::path_for(const std::string& script) {
  if (!path_.empty())
    return path_;
  const auto directory = directory_of(script);
  const auto known = by_directory_.find(directory);
  if (known != by_directory_.end())
    return known->second;
  std::string root; // the working directory
  std::string found;
  for (const std::string& at : up_from(directory, files_)) {
    if (files_.is_file(at + std::string(sign_off_name))) {
      found = at;
      break;
    }
    if (is_repository(at, files_))
      root = at;
  }
  const bool there = files_.is_file(found + std::string(sign_off_name));
  return by_directory_[directory] = (there ? found : root) + std::string(sign_off_name);
}

const SignOffFile* SignOffFiles::file_for(const std::string& script) {
  const auto path = path_for(script);
  const auto [entry, fresh] = read_.try_emplace(path);
  if (!fresh || !files_.is_file(path))
    return entry->second ? &*entry->second : nullptr;
  const auto text = files_.read(path);
  if (!text) {
    problems_.push_back(text.error().message);
    return nullptr;
  }
  auto content = review::read_sign_off(*text);
  if (!content) {
    problems_.push_back(path + " is no sign-off file: " + content.error());
    return nullptr;
  }
  entry->second = SignOffFile{path, std::move(*content)};
  return &*entry->second;
}

} // namespace s2f::project
