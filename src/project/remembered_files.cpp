// Scripts of one repository ask for the same site files, sign-off files and roots again and again:
// without a memory a fifth of a conversion goes into these questions.
#include "project/remembered_files.hpp"

#include <memory>
#include <unordered_map>

namespace s2f::project {

namespace {

using Question = std::function<bool(const std::string& path)>;

Question remembering(const Question& question) {
  return [question, answers = std::make_shared<std::unordered_map<std::string, bool>>()](
             const std::string& path) {
    const auto known = answers->find(path);
    return known != answers->end() ? known->second
                                   : answers->emplace(path, question(path)).first->second;
  };
}

} // namespace

Files remembered(const Files& files) {
  return {.read = files.read,
          .is_file = remembering(files.is_file),
          .is_directory = remembering(files.is_directory),
          .list = files.list};
}

} // namespace s2f::project
