// A console for tests: keeps what is printed and written, and reads files from memory.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"

namespace s2f::tests {

struct FakeConsole {
  std::vector<std::pair<std::string, std::string>> files;
  std::map<std::string, std::string> written;
  std::string out;
  std::string err;
  std::string input;
  std::string unwritable; // a write to this path fails

  // What the files are is taken now; what was written before is among them.
  int run(std::vector<std::string> arguments) {
    out.clear();
    err.clear();
    auto all = files;
    all.insert(all.end(), written.begin(), written.end());
    const auto write = [this](const std::string& path,
                              std::string_view text) -> std::expected<void, std::string> {
      if (path == unwritable)
        return std::unexpected("cannot write " + path + ": No space left on device");
      written[path] = std::string(text);
      return {};
    };
    const cli::Console console{
        .out = [this](std::string_view text) { out += text; },
        .err = [this](std::string_view text) { err += text; },
        .out_style = {},
        .err_style = {.colour = false, .width = 200},
        .files = project::in_memory(std::move(all)),
        .write = write,
        .write_durably = write,
        .make_directories = [](const std::string&) -> std::expected<void, std::string> {
          return {};
        },
        .standard_input = [this] { return input; },
    };
    return cli::run(std::move(arguments), console);
  }
};

} // namespace s2f::tests
