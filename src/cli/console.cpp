// The console of a real process: its streams, its terminal's width and whether it wants colour.
#include "cli/console.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "review/paint.hpp"
#include "review/visible.hpp"

namespace s2f::cli {

namespace {

std::uint32_t terminal_width(int descriptor) {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::optional<std::string> process_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

review::TextStyle process_style(int descriptor) {
  return style_for(::isatty(descriptor) == 1, terminal_width(descriptor), process_variable);
}

auto to(std::FILE* stream) {
  return [stream](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stream); };
}

} // namespace

review::TextStyle style_for(bool terminal, std::uint32_t width, const Variables& environment) {
  constexpr std::uint32_t narrowest = 40;
  constexpr std::uint32_t widest = 110; // longer lines are hard to read
  constexpr std::uint32_t usual = 80;
  const auto value = [&environment](const char* name) {
    return environment(name).value_or(std::string());
  };
  bool colour = terminal && value("TERM") != "dumb";
  if (const auto force = value("CLICOLOR_FORCE"); !force.empty() && force != "0")
    colour = true;
  if (!value("NO_COLOR").empty())
    colour = false;
  return {.colour = colour, .width = width == 0 ? usual : std::clamp(width, narrowest, widest)};
}

Console process_console() {
  return {
      .out = to(stdout),
      .err = to(stderr),
      .out_style = process_style(STDOUT_FILENO),
      .err_style = process_style(STDERR_FILENO),
      .files = project::disk(),
      .write = project::write_atomically,
      .write_durably = project::write_durably,
      .make_directories = [](const std::string& path) -> std::expected<void, std::string> {
        std::error_code error;
        std::filesystem::create_directories(path, error);
        if (error)
          return std::unexpected("cannot make the directory " + path + ": " + error.message());
        return {};
      },
      .standard_input = [] { return std::string(std::istreambuf_iterator<char>(std::cin), {}); },
      .err_is_terminal = ::isatty(STDERR_FILENO) == 1,
      .write_in_parts = project::write_in_parts,
      .environment = process_variable,
  };
}

void complain(const Console& console, std::string_view message) {
  const auto lead =
      "slurm2flyte: " + review::paint("error:", review::Ink::red, console.err_style) + " ";
  console.err(review::wrapped(message, lead, "  ", console.err_style.width));
}

void hint(const Console& console, std::string_view message) {
  console.err(review::wrapped(message, "  ", "  ", console.err_style.width));
}

} // namespace s2f::cli
