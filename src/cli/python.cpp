// A Python that has flyte: where it is, and what a program says when it runs it.
#include "cli/python.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <sys/wait.h>
#include <unistd.h>

#include "cli/next_steps.hpp"
#include "project/files.hpp"

namespace s2f::cli {

namespace {

namespace fs = std::filesystem;

// A file that is gone when this is.
class TemporaryFile {
public:
  explicit TemporaryFile(std::string_view text) {
    std::error_code error;
    path_ = (fs::temp_directory_path(error) / "slurm2flyte-XXXXXX").string();
    const int descriptor = ::mkstemp(path_.data());
    if (descriptor < 0) {
      path_.clear();
      return;
    }
    while (!text.empty()) {
      const auto written = ::write(descriptor, text.data(), text.size());
      if (written <= 0) {
        break;
      }
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    ::close(descriptor);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  TemporaryFile(TemporaryFile&&) = delete;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile() {
    if (!path_.empty()) {
      ::unlink(path_.c_str());
    }
  }
  [[nodiscard]] const std::string& path() const { return path_; }

private:
  std::string path_;
};

Ran run(const std::string& command) {
  Ran ran;
  std::FILE* stream = ::popen(command.c_str(), "r"); // NOLINT: every word of it is quoted
  if (stream == nullptr) {
    return ran;
  }
  std::array<char, 4096> buffer{};
  while (const auto count = std::fread(buffer.data(), 1, buffer.size(), stream)) {
    ran.output.append(buffer.data(), count);
  }
  const int status = ::pclose(stream);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

bool has_flyte(const std::string& python) {
  const auto asked =
      run(shell_word(python) + " -c 'import importlib.util as u, sys; "
                               "sys.exit(u.find_spec(\"flyte\") is None)' 2>/dev/null");
  return asked.status == 0;
}

std::vector<std::string> candidates(const Console& console) {
  std::vector<std::string> found;
  const auto value = [&console](const char* name) {
    return console.environment ? console.environment(name).value_or("") : std::string();
  };
  if (const auto named = value("S2F_PYTHON"); !named.empty()) {
    found.push_back(named);
  }
  if (const auto active = value("VIRTUAL_ENV"); !active.empty()) {
    found.push_back(active + "/bin/python");
  }
  std::error_code error;
  for (fs::path at = fs::current_path(error); !at.empty(); at = at.parent_path()) {
    if (const auto python = (at / ".venv/bin/python").string(); console.files.is_file(python)) {
      found.push_back(python);
      break;
    }
    if (at == at.parent_path()) {
      break;
    }
  }
  found.emplace_back("python3");
  return found;
}

} // namespace

std::expected<std::string, std::vector<std::string>> python_with_flyte(const std::string& wanted,
                                                                       const Console& console) {
  auto asked = wanted.empty() ? candidates(console) : std::vector{wanted};
  for (const auto& python : asked) {
    if (has_flyte(python)) {
      return python;
    }
  }
  return std::unexpected(std::move(asked));
}

Ran run_python(const std::string& program, std::string_view script,
               const std::vector<std::string>& arguments) {
  const TemporaryFile file(script);
  if (file.path().empty()) {
    return {};
  }
  std::string command = shell_word(program) + " " + shell_word(file.path());
  for (const auto& argument : arguments) {
    command += " " + shell_word(argument);
  }
  return run(command);
}

} // namespace s2f::cli
