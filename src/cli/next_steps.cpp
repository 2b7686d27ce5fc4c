// What to type after a conversion, in place of what was typed with Slurm.
#include "cli/next_steps.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cli/table.hpp"
#include "review/paint.hpp"
#include "review/visible.hpp"

namespace s2f::cli {

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_./-+=:,@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain)
    return text;
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

namespace {

namespace fs = std::filesystem;

// Flyte takes modules at or below the working directory.
std::string command(const Runnable& module, std::string_view how) {
  fs::path path = fs::path(module.module).lexically_normal();
  std::string lead;
  if (path.is_absolute() || (!path.empty() && *path.begin() == "..")) {
    lead = "cd " + shell_word(path.parent_path().string()) + " && ";
    path = path.filename();
  }
  return lead + fmt::format("flyte run {}{} {}", how, shell_word(path.string()), module.entry);
}

} // namespace

std::string next_steps(const std::vector<Runnable>& modules, const review::TextStyle& style,
                       std::size_t all) {
  constexpr std::size_t shown = 5;
  if (modules.empty())
    return {};
  const auto heading = [&style](std::string_view text) {
    return '\n' + review::paint(text, review::Ink::bold, style) + '\n';
  };
  std::vector<std::pair<std::string, std::string>> commands;
  for (const Runnable& module : modules) {
    if (commands.size() >= shown)
      break;
    if (module.local)
      commands.emplace_back(command(module, "--local "), "this machine, no cluster");
    if (modules.size() == 1 || !module.local)
      commands.emplace_back(command(module, ""), "the cluster");
  }
  std::size_t width = 0;
  for (const auto& [text, what] : commands)
    width = std::max<std::size_t>(width, review::columns_of(review::visible(text)));
  std::string out = heading("Run it:");
  for (const auto& [text, what] : commands) {
    const auto line = review::visible(text);
    const std::string blanks(width - review::columns_of(line), ' ');
    // A command is never wrapped: it is there to be copied.
    const auto comment = width + what.size() + 8 <= style.width
                             ? blanks + review::paint("   # " + what, review::Ink::dim, style)
                             : std::string();
    out += "  " + line + comment + '\n';
  }
  if (const auto count = std::max(all, modules.size()); commands.size() < count)
    out += fmt::format("  and {} more\n", count - commands.size());

  out += heading("In place of what you typed with Slurm:");
  const std::vector<std::pair<std::string, std::string>> instead{
      {"squeue", "flyte get run"},
      {"tail -f slurm-JOBID.out", "flyte get logs RUN"},
      {"scancel JOBID", "flyte abort run RUN"},
      {"a shell on the node", command(modules.front(), "--debug ")},
  };
  for (const auto& [before, now] : instead)
    out += fmt::format("  {:<25}{}\n", before, review::visible(now));
  return out;
}

} // namespace s2f::cli
