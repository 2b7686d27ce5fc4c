// Puts the comments of a header beside the settings that their options became.
//
// before:  # for the loader
//          #SBATCH --cpus-per-task=8
//          #SBATCH --mem=32G  # of all workers
// after:   # for the loader
//          cpu=8,  # --cpus-per-task=8
//          memory="32Gi",  # --mem=32G: of all workers
#include <algorithm>

#include "lower/parts.hpp"

namespace s2f::lower {

namespace {

// Whether the setting says that it stands for an option of the line: more than one option may have
// had a part in a number.
bool names_option(const ir::Job& job, const slurm::DirectiveLine& line, const std::string& asked) {
  return std::ranges::any_of(line.uses, [&](std::size_t use) {
    const slurm::OptionUse& option = job.header.uses[use];
    return asked.contains("--" + std::string(option.name)) ||
           asked.contains(std::string(option.spelling));
  });
}

// The spans of the first setting that stands for an option of the line; null where none does.
const std::vector<Span>* setting_of(const ir::Job& job, const slurm::DirectiveLine& line) {
  std::vector<std::pair<const std::vector<Span>*, std::string>> settings{
      {&job.name_spans, job.name_asked}};
  const auto add = [&](const auto& sourced) {
    if (sourced) {
      settings.emplace_back(&sourced->spans, sourced->asked);
    }
  };
  add(job.resources.cpus);
  add(job.resources.memory_mib);
  add(job.resources.gpus);
  add(job.resources.disk_mib);
  add(job.queue);
  add(job.time_minutes);
  const auto found = std::ranges::find_if(settings, [&](const auto& setting) {
    return std::ranges::any_of(*setting.first,
                               [&](const Span& span) { return line.span.contains(span); }) &&
           (setting.second.empty() || names_option(job, line, setting.second));
  });
  return found == settings.end() ? nullptr : found->first;
}

struct Said {
  const std::vector<Span>* setting = nullptr; // null: of no setting
  bool behind = false;                        // on the option's line, else on the line above it
};

// A comment of several lines, or one below the script's first line, is said of the whole job.
Said said_of(const source::Sources& sources, const ir::Job& job, const ir::Comment& comment) {
  const auto line_at = [&](std::uint32_t number) {
    const auto found = std::ranges::find(job.header.lines, number, &slurm::DirectiveLine::line);
    return found == job.header.lines.end() ? nullptr : &*found;
  };
  const auto behind = std::ranges::find_if(
      job.header.lines, [&](const auto& each) { return each.comment == comment.span; });
  if (behind != job.header.lines.end()) {
    return {setting_of(job, *behind), true};
  }
  const std::uint32_t number = sources.begin(comment.span).line;
  const slurm::DirectiveLine* next = line_at(number + 1);
  const bool alone = line_at(number - 1) != nullptr ||
                     std::ranges::none_of(job.script->comments, [&](const shell::Comment& each) {
                       return sources.begin(each.span).line == number - 1;
                     });
  return {next != nullptr && number > 2 && alone ? setting_of(job, *next) : nullptr, false};
}

} // namespace

bool stands_with_setting(const source::Sources& sources, const ir::Job& job,
                         const ir::Comment& comment) {
  return said_of(sources, job, comment).setting != nullptr;
}

void add_comments(const source::Sources& sources, const ir::Job& job,
                  const std::vector<Span>& setting, flyte::Notes& notes) {
  for (const ir::Comment& comment : job.comments) {
    const Said said = said_of(sources, job, comment);
    if (said.setting != &setting) {
      continue;
    }
    const auto mark = comment.text.find("  # ");
    const bool cut = said.behind && mark != std::string::npos;
    const std::string text = cut ? comment.text.substr(mark + 4) : comment.text;
    notes.spans.push_back(comment.span);
    if (!said.behind || notes.trailing.starts_with("REVIEW")) {
      notes.above.emplace_back(text, comment.span);
      continue;
    }
    notes.trailing += (notes.trailing.empty() ? "" : ": ") + text;
  }
}

} // namespace s2f::lower
