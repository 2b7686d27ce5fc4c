// Which lines of a script sbatch reads: #SBATCH at the start of a line, up to the first command.
#include "slurm/directives.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "slurm/text.hpp"

namespace s2f::slurm {

namespace {

constexpr std::string_view sbatch = "#SBATCH";
constexpr std::string_view slurm = "#SLURM";
constexpr std::string_view pbs = "#PBS";
constexpr std::string_view bsub = "#BSUB";
// sbatch gives up looking for #PBS and #BSUB after so many lines that do not begin with #.
constexpr int most_other_lines = 100;

bool is_command(std::string_view line) {
  const auto first = std::ranges::find_if_not(line, is_space);
  return first != line.end() && *first != '#';
}

// Directives of schedulers that sbatch does not read.
constexpr auto foreign = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"#$ -", "Grid Engine"},
    {"#COBALT -", "Cobalt"},
    {"#flux: -", "Flux"},
    {"#MSUB -", "Moab"},
});

// Why a comment that looks like a directive is none; nothing where it is an ordinary comment.
std::optional<std::string> near_miss(std::string_view line) {
  auto rest = line;
  while (!rest.empty() && is_space(rest.front()))
    rest.remove_prefix(1);
  const bool indented = rest.size() != line.size();
  std::size_t hashes = 0;
  while (hashes < rest.size() && rest[hashes] == '#')
    ++hashes;
  if (hashes == 0)
    return std::nullopt;
  rest.remove_prefix(hashes);
  const auto blanks = std::ranges::find_if_not(rest, is_space) - rest.begin();
  rest.remove_prefix(static_cast<std::size_t>(blanks));
  if (!begins(rest, "SBATCH"))
    return std::nullopt;
  const auto word = rest.substr(0, 6);
  rest.remove_prefix(6);
  const auto first = std::ranges::find_if_not(rest, is_space);
  // "# sbatch this file with ..." is prose; what goes on with a dash was meant as a directive.
  if (first == rest.end() ? blanks > 0 || word != "SBATCH" : *first != '-')
    return std::nullopt;
  if (hashes > 1)
    return "commented out: a directive begins with one #";
  if (blanks > 0)
    return "not a directive: there is a blank after the #";
  if (word != "SBATCH")
    return "not a directive: #SBATCH is written in upper case";
  if (indented)
    return "not a directive: #SBATCH must stand at the start of the line";
  return std::nullopt;
}

class Finder {
public:
  Finder(const source::Source& script, std::string_view file) : script_(script), file_(file) {}

  Directives run() {
    const std::string_view text = script_.text;
    std::size_t start = 0;
    while (start < text.size()) {
      auto end = text.find('\n', start);
      if (end == std::string_view::npos)
        end = text.size();
      ++line_;
      begin_ = static_cast<std::uint32_t>(start);
      one_line(text.substr(start, end - start));
      start = end + 1;
    }
    if (command_line_ == 0)
      out_.end_line = line_ + 1;
    return std::move(out_);
  }

private:
  void one_line(std::string_view line) {
    for (const auto sentinel : {sbatch, slurm}) {
      if (!line.starts_with(sentinel))
        continue;
      if (command_line_ == 0)
        slurm_directive(line, sentinel);
      else if (sentinel == sbatch)
        inert(line, fmt::format("after the first command (line {}): Slurm does not read it",
                                command_line_));
      return;
    }
    if (line.starts_with(pbs) || line.starts_with(bsub)) {
      foreign_directive(line, line.starts_with(pbs) ? pbs : bsub);
      return;
    }
    if (!line.starts_with('#'))
      ++other_lines_;
    if (auto why = near_miss(line)) {
      if (command_line_ != 0)
        *why += fmt::format(", and it stands after the first command (line {})", command_line_);
      inert(line, std::move(*why));
      return;
    }
    for (const auto& [prefix, scheduler] : foreign)
      if (line.starts_with(prefix))
        inert(line, fmt::format("a directive of {}: a comment to Slurm", scheduler));
    if (command_line_ == 0 && is_command(line)) {
      command_line_ = line_;
      out_.end_line = line_;
    }
  }

  [[nodiscard]] Directive start(std::string_view line, std::string_view sentinel) const {
    Directive directive;
    directive.line = line_;
    directive.begin = begin_;
    directive.end = begin_ + static_cast<std::uint32_t>(line.size());
    directive.sentinel = sentinel;
    return directive;
  }

  void slurm_directive(std::string_view line, std::string_view sentinel) {
    auto directive = start(line, sentinel);
    auto at = sentinel.size();
    while (at < line.size() && is_space(line[at]))
      ++at;
    const auto rest = line.substr(at);
    if (is_hetjob(rest)) {
      directive.hetjob = true;
      ++component_;
      out_.components = component_ + 1;
    }
    directive.component = component_;
    directive.words = split_words(rest, begin_ + static_cast<std::uint32_t>(at), line_, file_);
    out_.slurm.push_back(std::move(directive));
  }

  void foreign_directive(std::string_view line, std::string_view sentinel) {
    if (other_lines_ > most_other_lines) {
      inert(line, fmt::format("after more than {} lines that do not begin with #: Slurm does not "
                              "look that far",
                              most_other_lines));
      return;
    }
    auto directive = start(line, sentinel);
    directive.words =
        split_words(line.substr(sentinel.size()),
                    begin_ + static_cast<std::uint32_t>(sentinel.size()), line_, file_);
    (sentinel == pbs ? out_.pbs : out_.bsub).push_back(std::move(directive));
  }

  void inert(std::string_view line, std::string why) {
    out_.inert.push_back(
        {.line = line_,
         .text = std::string(line),
         .why = std::move(why),
         .span = {script_.id, begin_, begin_ + static_cast<std::uint32_t>(line.size())}});
  }

  const source::Source& script_;
  std::string_view file_;
  Directives out_;
  std::uint32_t line_ = 0;
  std::uint32_t begin_ = 0;
  std::uint32_t component_ = 0;
  std::uint32_t command_line_ = 0; // 0: none yet
  int other_lines_ = 0;
};

} // namespace

Directives find_directives(const source::Source& script, std::string_view file) {
  return Finder(script, file).run();
}

std::vector<Rejection> refused_text(const source::Source& script) {
  const auto refuse = [&script](std::uint32_t line, std::string message) {
    const auto first = script.text.substr(0, script.text.find('\n')).size();
    return std::vector<Rejection>{
        {.line = line,
         .message = std::move(message),
         .span = {script.id, 0, line == 0 ? 0 : static_cast<std::uint32_t>(first)}}};
  };
  const std::string_view text = script.text;
  if (text.empty() && !script.quirks.bom)
    return refuse(0, "Batch script is empty!");
  if (!script.quirks.bom && only_space(text))
    return refuse(0, "Batch script contains only whitespace!");
  if (script.quirks.bom || !text.starts_with("#!"))
    return refuse(1, "This does not look like a batch script.  The first line must start with #! "
                     "followed by the path to an interpreter. For instance: #!/bin/sh");
  if (script.quirks.nul)
    return refuse(0, "The Slurm controller does not allow scripts that contain a NULL character "
                     "'\\0'.");
  if (script.quirks.crlf)
    return refuse(1, "Batch script contains DOS line breaks (\\r\\n) instead of expected UNIX line "
                     "breaks (\\n).");
  return {};
}

} // namespace s2f::slurm
