// Measures conversions in memory, as ratios within one run: against tree-sitter's own parse of the
// same files (time of the processor), two threads against one, and how the cost grows with the
// lines of a script.
//
//     slurm2flyte_bench [--scripts] [ROUNDS] PATH...     scripts, or directories of them; with
//                                                        --scripts nothing but those
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <tree_sitter/api.h>

#include "project/compile.hpp"
#include "project/files.hpp"
#include "review/review.hpp"

extern "C" const TSLanguage* tree_sitter_bash(void);
extern "C" const TSLanguage* tree_sitter_python(void);

namespace {

using namespace s2f;
namespace fs = std::filesystem;

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Of this thread on a processor: what else the machine does is not in it.
double own_seconds_of(const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const auto begin = now();
  work();
  return now() - begin;
}

// What was read or asked once, so that no disk is measured.
struct Memory {
  std::unordered_map<std::string, std::expected<std::string, source::ReadFailure>> texts;
  std::unordered_map<std::string, bool> is_file, is_directory;
  std::unordered_map<std::string, std::vector<std::string>> lists;
};

template <typename Answers, typename Ask>
auto answer(Answers& answers, const std::string& path, const Ask& ask) {
  const auto known = answers.find(path);
  return known != answers.end() ? known->second : answers.emplace(path, ask(path)).first->second;
}

// Fills `memory`; afterwards, with `disk` gone, answers from it alone.
project::Files through(Memory& memory, const project::Files& disk) {
  return {.read = [&memory,
                   disk](const std::string& path) { return answer(memory.texts, path, disk.read); },
          .is_file =
              [&memory, disk](const std::string& path) {
                return answer(memory.is_file, path, disk.is_file);
              },
          .is_directory =
              [&memory, disk](const std::string& path) {
                return answer(memory.is_directory, path, disk.is_directory);
              },
          .list = [&memory, disk](
                      const std::string& path) { return answer(memory.lists, path, disk.list); }};
}

// Reads the maps only, so that threads may share them.
project::Files from(const Memory& memory) {
  const auto flag = [](const std::unordered_map<std::string, bool>& answers) {
    return [&answers](const std::string& path) {
      const auto known = answers.find(path);
      return known != answers.end() && known->second;
    };
  };
  return {.read = [&memory](const std::string& path) { return memory.texts.at(path); },
          .is_file = flag(memory.is_file),
          .is_directory = flag(memory.is_directory),
          .list =
              [&memory](const std::string& path) {
                const auto known = memory.lists.find(path);
                return known != memory.lists.end() ? known->second : std::vector<std::string>();
              }};
}

std::size_t convert(const std::string& script, const project::Files& files) {
  const auto compiled = project::compile({script}, {}, files);
  std::size_t bytes = 0;
  for (const auto& module : compiled.modules)
    bytes += module.text.size();
  bytes += review::render_json(compiled.review).size();
  return bytes + review::render_markdown(compiled.review).size();
}

std::size_t parse(const std::string& text, const TSLanguage* language) {
  const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(),
                                                                      &ts_parser_delete);
  ts_parser_set_language(parser.get(), language);
  const std::unique_ptr<TSTree, decltype(&ts_tree_delete)> tree(
      ts_parser_parse_string(parser.get(), nullptr, text.data(),
                             static_cast<std::uint32_t>(text.size())),
      &ts_tree_delete);
  return tree ? ts_node_end_byte(ts_tree_root_node(tree.get())) : 0;
}

std::vector<std::string> scripts_below(const std::vector<std::string>& paths) {
  std::vector<std::string> found;
  for (const auto& path : paths) {
    if (!fs::is_directory(path)) {
      found.push_back(path);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      const auto ending = entry.path().extension().string();
      if (entry.is_regular_file() &&
          (ending == ".sh" || ending == ".sbatch" || ending == ".slurm" || ending == ".job"))
        found.push_back(entry.path().string());
    }
  }
  std::ranges::sort(found);
  return found;
}

void against_the_parser(const std::vector<std::string>& scripts, int rounds) {
  Memory memory;
  const auto filling = through(memory, project::disk());
  std::vector<std::string> taken;
  for (const auto& script : scripts)
    if (filling.read(script) && convert(script, filling) > 0)
      taken.push_back(script);
  const auto files = from(memory);

  // Payloads that are read count on both sides.
  const std::set<std::string> own(taken.begin(), taken.end());
  std::vector<std::pair<const std::string*, const TSLanguage*>> texts;
  std::size_t bytes = 0;
  std::size_t payloads = 0;
  for (const auto& [path, text] : memory.texts) {
    const bool payload = path.ends_with(".py") && !own.contains(path);
    if (!text || (!payload && !own.contains(path)))
      continue;
    texts.emplace_back(&*text, payload ? tree_sitter_python() : tree_sitter_bash());
    bytes += text->size();
    payloads += payload ? 1 : 0;
  }
  const auto convert_all = [&files, &taken](std::size_t first, std::size_t step) {
    for (std::size_t i = first; i < taken.size(); i += step)
      convert(taken[i], files);
  };
  double parsed = std::numeric_limits<double>::max();
  double alone = parsed; // seconds of the one thread
  double one = parsed;
  double two = parsed;
  // In turns, so that a machine that is slow for a while is slow for all of them.
  for (int round = 0; round < rounds; ++round) {
    parsed = std::min(parsed, own_seconds_of([&texts] {
                        for (const auto& [text, language] : texts)
                          parse(*text, language);
                      }));
    one = std::min(one, seconds_of([&] {
                     alone = std::min(alone, own_seconds_of([&convert_all] { convert_all(0, 1); }));
                   }));
    two = std::min(two, seconds_of([&convert_all] {
                     std::thread other(convert_all, 1, 2);
                     convert_all(0, 2);
                     other.join();
                   }));
  }
  const auto count = static_cast<double>(taken.size());
  fmt::print("scripts {}, payloads {}, {:.1f} KiB, best of {} rounds\n", taken.size(), payloads,
             static_cast<double>(bytes) / 1024, rounds);
  fmt::print("parse alone {:.1f} ms, convert {:.1f} ms ({:.2f} ms a script)\n", parsed * 1e3,
             alone * 1e3, alone * 1e3 / count);
  fmt::print("convert / parse = {:.2f}\n", alone / parsed);
  fmt::print("one thread / two threads = {:.2f}\n", one / two);
}

std::string script_of(std::size_t lines) {
  std::string text = "#!/bin/bash\n#SBATCH --job-name=long\n#SBATCH --mem=1G\n";
  for (std::size_t i = 3; i < lines; ++i)
    text += fmt::format("python step{}.py --seed {} > out{}.txt\n", i, i, i);
  return text;
}

// The slope of a straight line through the logarithms: 1 where the cost of a line stays the same.
double exponent(const std::vector<std::pair<double, double>>& points) {
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (const auto& [lines, time] : points) {
    x += std::log(lines);
    y += std::log(time);
    xx += std::log(lines) * std::log(lines);
    xy += std::log(lines) * std::log(time);
  }
  const auto n = static_cast<double>(points.size());
  return (n * xy - x * y) / (n * xx - x * x);
}

void by_lines() {
  constexpr double enough = 20; // seconds; a longer script is not tried then
  std::vector<std::pair<double, double>> points;
  for (const std::size_t lines : {10UL, 100UL, 1000UL, 10000UL, 100000UL}) {
    const auto files = project::in_memory({{"long.sh", script_of(lines)}});
    double best = std::numeric_limits<double>::max();
    for (int round = 0; round < (lines > 1000 ? 1 : 3); ++round)
      best = std::min(best, seconds_of([&files] { convert("long.sh", files); }));
    fmt::print("{:>7} lines: {:>10.2f} ms, {:.1f} us a line\n", lines, best * 1e3,
               best * 1e6 / static_cast<double>(lines));
    std::fflush(stdout);
    if (lines >= 100)
      points.emplace_back(static_cast<double>(lines), best);
    if (best > enough / 10)
      break;
  }
  if (points.size() > 1)
    fmt::print("time grows with lines to the power of {:.2f}\n", exponent(points));
}

} // namespace

int main(int argc, char** argv) {
  std::vector<std::string> paths(argv + 1, argv + argc);
  int rounds = 3;
  const bool with_lines = paths.empty() || paths.front() != "--scripts";
  if (!with_lines)
    paths.erase(paths.begin());
  if (!paths.empty() && paths.front().find_first_not_of("0123456789") == std::string::npos) {
    rounds = std::max(1, std::atoi(paths.front().c_str()));
    paths.erase(paths.begin());
  }
  if (paths.empty())
    paths = {S2F_SOURCE_DIR "/examples", S2F_SOURCE_DIR "/tests/golden",
             S2F_SOURCE_DIR "/tests/goldens", S2F_SOURCE_DIR "/docs/constructs"};
  against_the_parser(scripts_below(paths), rounds);
  if (with_lines)
    by_lines();
  return 0;
}
