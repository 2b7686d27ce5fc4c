// Puts the comments of a header beside the settings that their options became.
//
// before:  # for the loader
//          #SBATCH --cpus-per-task=8
//          #SBATCH --mem=32G  # of all workers
// after:   # for the loader
//          cpu=8,  # --cpus-per-task=8
//          memory="32Gi",  # --mem=32G: of all workers
#include <algorithm>

#include "ir/header_comments.hpp"
#include "lower/directive_comments.hpp"
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
  if (job.mail) {
    settings.emplace_back(&job.mail->spans, "");
  }
  const auto found = std::ranges::find_if(settings, [&](const auto& setting) {
    return std::ranges::any_of(*setting.first,
                               [&](const Span& span) { return line.span.contains(span); }) &&
           (setting.second.empty() || names_option(job, line, setting.second));
  });
  return found == settings.end() ? nullptr : found->first;
}

} // namespace

bool stands_with_setting(const source::Sources& sources, const ir::Job& job,
                         const ir::Comment& comment) {
  const ir::SaidOf said = ir::said_of(sources[job.source], job, comment.span);
  return !said.lines.empty() && setting_of(job, *said.lines.front()) != nullptr;
}

namespace {

void add_one(const ir::Comment& comment, bool behind, flyte::Notes& notes) {
  const auto mark = comment.text.find("  # ");
  const bool cut = behind && mark != std::string::npos;
  const std::string text = cut ? comment.text.substr(mark + 4) : comment.text;
  notes.spans.push_back(comment.span);
  if (!behind || notes.trailing.starts_with("REVIEW")) {
    notes.above.emplace_back(text, comment.span);
    return;
  }
  notes.trailing += (notes.trailing.empty() ? "" : ": ") + text;
}

} // namespace

void add_comments(const source::Sources& sources, const ir::Job& job,
                  const std::vector<Span>& setting, flyte::Notes& notes) {
  for (const ir::Comment& comment : job.comments) {
    const ir::SaidOf said = ir::said_of(sources[job.source], job, comment.span);
    if (!said.lines.empty() && setting_of(job, *said.lines.front()) == &setting) {
      add_one(comment, said.behind, notes);
    }
  }
}

void add_option_comments(const source::Sources& sources, const ir::Job& job,
                         std::string_view option, flyte::Notes& notes) {
  for (const ir::Comment& comment : job.comments) {
    const ir::SaidOf said = ir::said_of(sources[job.source], job, comment.span);
    const bool mine =
        !said.lines.empty() && std::ranges::any_of(said.lines.front()->uses, [&](std::size_t use) {
          return job.header.uses[use].name == option;
        });
    if (mine) {
      add_one(comment, said.behind, notes);
    }
  }
}

void take_comments(const source::Sources& sources, const ir::Job& job, const Span& option,
                   std::vector<ir::Comment>& comments, flyte::Notes& notes) {
  std::erase_if(comments, [&](const ir::Comment& comment) {
    const ir::SaidOf said = ir::said_of(sources[job.source], job, comment.span);
    const bool mine = !said.lines.empty() && said.lines.front()->span.contains(option);
    if (mine) {
      add_one(comment, said.behind, notes);
    }
    return mine;
  });
}

} // namespace s2f::lower
