// Finds the sign-off file that holds for a script: the nearest one, or the one that was named.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "project/files.hpp"
#include "review/signoff.hpp"

namespace s2f::project {

inline constexpr std::string_view sign_off_name = "slurm2flyte.signoff.json";

struct SignOffFile {
  std::string path;
  review::SignOff content;
};

class SignOffFiles {
public:
  // `path`: this file for every script, whether it is there or not; "" for the nearest.
  SignOffFiles(std::string path, const Files& files) : path_(std::move(path)), files_(files) {}
  // Where the sign-off of a script belongs: the nearest file, else the root of its repository, else
  // the working directory.
  [[nodiscard]] std::string path_for(const std::string& script);
  // Nothing where there is none, or it is wrong (then it is in `problems`).
  [[nodiscard]] const SignOffFile* file_for(const std::string& script);
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

private:
  std::string path_;
  const Files& files_;
  std::map<std::string, std::optional<SignOffFile>> read_;
  std::map<std::string, std::string> by_directory_;
  std::vector<std::string> problems_;
};

} // namespace s2f::project
