// What no pass lifted stays exact Bash, in one region that is closed under the shell's state.
//
// before:  steps  Assign, Launch, Opaque (a loop), Launch
// after:   region Assign..Opaque as text, less what the report lists as removed; the last Launch
// stays Python
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "ir/steps.hpp"
#include "passes/launcher_words.hpp"
#include "passes/pipeline.hpp"
#include "passes/region.hpp"
#include "passes/scope.hpp"

namespace s2f::passes {

namespace {

bool opaque(const ir::Step& step) { return std::holds_alternative<ir::Opaque>(step.value); }

bool state(const ir::Step& step) {
  return ir::any_step(step, [](const ir::Step& each) {
    return std::holds_alternative<ir::Assign>(each.value) ||
           std::holds_alternative<ir::ChangeDirectory>(each.value) ||
           std::holds_alternative<ir::ShellOptions>(each.value) ||
           std::holds_alternative<ir::Limit>(each.value) ||
           std::holds_alternative<ir::For>(each.value);
  });
}

bool holds_others(const ir::Step& step) {
  return std::holds_alternative<ir::If>(step.value) || std::holds_alternative<ir::For>(step.value);
}

bool ends_job(const ir::Step& step) {
  return ir::any_step(
      step, [](const ir::Step& each) { return std::holds_alternative<ir::Exit>(each.value); });
}

// Whether statements behind it would see what the kept ones did to the shell.
bool leaves_state(const analysis::Effects& effects) {
  static constexpr std::array writers{"export", "declare", "typeset", "readonly",
                                      "unset",  "alias",   "exec",    "hash"};
  return effects.exits || effects.traps || effects.background || effects.options ||
         effects.anything || effects.changes_directory || effects.functions || effects.unparsed ||
         std::ranges::any_of(writers,
                             [&](const char* name) { return effects.commands.contains(name); });
}

// The text of the region, with removals applied. A removed statement that has its lines for itself
// goes with them.
std::string region_text(const PassContext& context, ir::KeptRegion& region,
                        const std::vector<ir::Removal>& removals) {
  const std::string& text = context.sources[region.span.source].text;
  std::vector<ir::Removal> inside;
  for (const ir::Removal& removal : removals) {
    if (region.span.contains(removal.span)) {
      inside.push_back(removal);
    }
  }
  std::ranges::sort(inside, {}, [](const ir::Removal& r) { return r.span.begin; });
  std::string out;
  std::uint32_t at = region.span.begin;
  for (const ir::Removal& removal : inside) {
    if (removal.span.begin < at) {
      continue;
    } // within one that is gone already
    std::uint32_t begin = removal.span.begin;
    std::uint32_t end = removal.span.end;
    if (removal.replacement.empty()) {
      std::uint32_t line_begin = begin;
      while (line_begin > at && (text[line_begin - 1] == ' ' || text[line_begin - 1] == '\t')) {
        --line_begin;
      }
      std::uint32_t line_end = end;
      while (line_end < region.span.end &&
             (text[line_end] == ' ' || text[line_end] == '\t' || text[line_end] == ';')) {
        ++line_end;
      }
      const bool own_line = (line_begin == region.span.begin || text[line_begin - 1] == '\n') &&
                            (line_end >= region.span.end || text[line_end] == '\n');
      if (own_line) {
        begin = line_begin;
        end = std::min(line_end + 1, region.span.end);
      }
    }
    out.append(text, at, begin - at);
    out += removal.replacement;
    at = end;
    if (!removal.what.empty()) {
      region.removed.push_back(removal.what);
    }
  }
  out.append(text, at, region.span.end - at);
  return out;
}

// Comments that name a Slurm command ("#srun python train.py") look alive where they stand.
void remove_comments(const PassContext& context, const ir::KeptRegion& region,
                     std::vector<ir::Removal>& removals) {
  const source::Source& source = context.sources[region.span.source];
  const auto line = [&](const shell::Comment& comment) {
    return source.position(comment.span.begin).line;
  };
  std::vector<const shell::Comment*> found;
  for (const shell::Comment& comment : context.job.script->comments) {
    const std::string_view text =
        std::string_view(source.text).substr(comment.span.begin, comment.span.size());
    if (region.span.contains(comment.span) &&
        launcher_word(text.substr(std::min(text.size(), text.find_first_not_of('#'))),
                      LauncherWords::any)) {
      found.push_back(&comment);
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    ir::Removal removal{found[i]->span, "", ""};
    const std::size_t before = source.text.find_last_not_of(" \t", removal.span.begin - 1);
    if (source.text[before] == '\n' && before > 0 && source.text[before - 1] == '\\') {
      removal.replacement = "#"; // it ends the command that goes on above it
    }
    while (removal.span.begin > region.span.begin && !found[i]->whole_line &&
           (source.text[removal.span.begin - 1] == ' ' ||
            source.text[removal.span.begin - 1] == '\t')) {
      --removal.span.begin;
    }
    const auto first = line(*found[i]);
    if (i == 0 || line(*found[i - 1]) + 1 != first) { // said once of those that stand together
      std::size_t last = i;
      while (last + 1 < found.size() && line(*found[last + 1]) == line(*found[last]) + 1) {
        ++last;
      }
      removal.what = last == i ? fmt::format("line {}, a comment that names a Slurm command", first)
                               : fmt::format("lines {}-{}, comments that name Slurm commands",
                                             first, line(*found[last]));
    }
    removals.push_back(std::move(removal));
  }
}

// Files beside the script that the text names go with the module.
void include_files(PassContext& context, const shell::Statement& statement) {
  if (!context.file_exists) {
    return;
  }
  analysis::Visitor visitor;
  visitor.word = [&](const shell::Word& word) {
    auto text = word.literal();
    if (!text) { // of a pattern the directory before it
      std::string before = context.text(word.span);
      before.resize(std::min(before.size(), before.find_first_of("*?[${`\"'\\")));
      text = before.substr(
          0, before.find_last_of('/') == std::string::npos ? 0 : before.find_last_of('/'));
    }
    if (text->starts_with("--") && text->find('=') != std::string::npos) {
      text = text->substr(text->find('=') + 1);
    }
    while (text->starts_with("./")) {
      text->erase(0, 2);
    }
    while (text->ends_with('/')) {
      text->pop_back();
    }
    if (text->empty() || *text == "." || text->starts_with('/') || text->starts_with('-') ||
        text->starts_with('~') || text->find("..") != std::string::npos ||
        text->find_first_of("*?[\n") != std::string::npos || !context.file_exists(*text)) {
      return;
    }
    auto& include = context.job.include;
    if (std::ranges::find(include, *text) == include.end()) {
      include.push_back(*text);
    }
  };
  analysis::walk(statement, visitor);
}

// Whether a step behind [first, last] reads a variable that one of these computes when it runs, or
// starts a program that would see it.
bool reads_computed(const std::vector<ir::Step>& body, std::size_t first, std::size_t last) {
  std::set<std::string> computed;
  bool exported = false;
  for (std::size_t i = first; i <= last; ++i) {
    if (holds_others(body[i])) {
      computed.merge(analysis::effects_of(*body[i].statement).writes);
    }
    const auto* assign = std::get_if<ir::Assign>(&body[i].value);
    for (std::size_t b = 0; assign != nullptr && b < assign->bindings.size(); ++b) {
      const ir::Binding& binding = assign->bindings[b];
      const bool refers = std::ranges::any_of(binding.value.parts, [](const ir::ValuePart& part) {
        return std::holds_alternative<ir::Local>(part);
      });
      if (!binding.local.empty() || refers) {
        computed.insert(binding.variable);
      }
      exported |= binding.exported && (refers || !binding.value.fixed());
    }
  }
  for (std::size_t i = last + 1; i < body.size(); ++i) {
    const auto effects = analysis::effects_of(*body[i].statement);
    if (exported && !effects.commands.empty()) {
      return true;
    }
    for (const auto* names : {&effects.reads, &effects.reads_defaulted}) {
      if (std::ranges::any_of(*names, [&](const auto& name) { return computed.contains(name); })) {
        return true;
      }
    }
  }
  return false;
}

} // namespace

std::optional<RegionBounds> region_bounds(const PassContext& context) {
  const ir::Job& job = context.job;
  const auto& body = job.body;
  const auto first_opaque = std::ranges::find_if(body, opaque);
  if (first_opaque == body.end()) {
    return std::nullopt;
  }
  std::size_t first = static_cast<std::size_t>(first_opaque - body.begin());
  std::size_t last = first;
  for (std::size_t i = first; i < body.size(); ++i) {
    if (opaque(body[i])) {
      last = i;
    }
  }
  const auto first_state = std::ranges::find_if(body, state);
  first = std::min(first, static_cast<std::size_t>(first_state - body.begin()));
  analysis::Effects effects;
  std::set<std::string> exported;
  ir::for_each_step(std::as_const(body), [&](const ir::Step& step) {
    if (const auto* assign = std::get_if<ir::Assign>(&step.value); assign != nullptr) {
      for (const ir::Binding& binding : assign->bindings) {
        if (binding.exported) {
          exported.insert(binding.variable);
        }
      }
    }
  });
  for (std::size_t i = first; i <= last; ++i) {
    if (opaque(body[i])) {
      analysis::merge(effects, analysis::effects_of(*body[i].statement));
    }
  }
  // $SECONDS and its like count from the script's first command.
  static constexpr std::array counters{"SECONDS", "RANDOM", "BASHPID", "LINENO", "BASH_COMMAND"};
  if (std::ranges::any_of(counters,
                          [&](const char* name) { return effects.reads.contains(name); })) {
    first = 0;
  }
  // The status of the command before, in whatever words.
  const auto reads_status = [](const ir::Step& step) {
    const auto own = analysis::effects_of(*step.statement);
    return own.status || own.reads.contains("PIPESTATUS") || own.reads.contains("_");
  };
  while (first > 0 && reads_status(body[first])) {
    --first;
  }
  const bool environment = std::ranges::any_of(effects.writes, [&](const std::string& name) {
    return exported.contains(name) || analysis::ambient_variable(name);
  });
  // What the region computes, nothing behind it knows.
  const bool computes = reads_computed(body, first, last);
  // An exit in it ends the script, not the region alone; so does a directory that it may go to.
  const bool leaves =
      std::any_of(body.begin() + static_cast<std::ptrdiff_t>(first),
                  body.begin() + static_cast<std::ptrdiff_t>(last) + 1, [](const ir::Step& step) {
                    const auto* change = std::get_if<ir::ChangeDirectory>(&step.value);
                    return ends_job(step) ||
                           (change != nullptr && (!change->certain || !change->below)) ||
                           (holds_others(step) && ir::any_step(step, [](const ir::Step& each) {
                              return std::holds_alternative<ir::ChangeDirectory>(each.value);
                            }));
                  });
  if (job.submits) {
    first = 0;
    last = body.size() - 1;
  }
  // Under errexit a false `&&` list ends no script, but would end a region.
  if (leaves_state(effects) || environment || computes || leaves || job.errexit) {
    last = body.size() - 1;
  }
  // Statements that share a line with the region's ends go with it.
  const auto line = [&](std::uint32_t offset) {
    return context.sources[body[first].span.source].position(offset).line;
  };
  while (first > 0 && line(body[first - 1].span.end) == line(body[first].span.begin)) {
    --first;
  }
  while (last + 1 < body.size() && line(body[last].span.end) == line(body[last + 1].span.begin)) {
    ++last;
  }

  return RegionBounds{first, last};
}

void kept(PassContext& context) {
  ir::Job& job = context.job;
  auto& body = job.body;
  const auto bounds = region_bounds(context);
  if (!bounds) {
    return;
  }
  const auto [first, last] = *bounds;
  analysis::Effects effects;
  for (std::size_t i = first; i <= last; ++i) {
    if (opaque(body[i])) {
      analysis::merge(effects, analysis::effects_of(*body[i].statement));
    }
  }
  const auto line = [&](std::uint32_t offset) {
    return context.sources[body[first].span.source].position(offset).line;
  };

  ir::KeptRegion region;
  region.first_step = first;
  region.last_step = last;
  const source::Source& source = context.sources[body[first].span.source];
  const std::uint32_t begin = source.line_span(line(body[first].span.begin)).begin;
  const std::uint32_t end =
      std::max(body[last].span.end, source.line_span(line(body[last].span.end)).end);
  region.span = Span{source.id, begin, end};
  std::vector<ir::Removal> removals = job.removals;
  for (ir::Removal& removal : removals) {
    // The last statement's status is the region's: what succeeded stays something that succeeds.
    if (removal.replacement.empty() && removal.span == body[last].span) {
      removal.replacement = ":";
    }
  }
  remove_comments(context, region, removals);
  region.text = region_text(context, region, removals);
  if (const auto word = launcher_word(region.text, LauncherWords::any)) {
    job.stays_on_slurm = ir::Reason{
        "S2F407", fmt::format("a part of the script that has to stay Bash calls {}", *word),
        body[first].span};
    return;
  }
  analysis::Effects all;
  std::vector<std::string> whys;
  for (std::size_t i = first; i <= last; ++i) {
    ir::Step& step = body[i];
    step.in_region = true;
    ir::for_each_part(step, [](const std::vector<ir::Step>& inner) {
      ir::for_each_step(const_cast<std::vector<ir::Step>&>(inner), // NOLINT: it is body's
                        [](ir::Step& each) { each.in_region = true; });
    });
    if (std::holds_alternative<ir::Nothing>(step.value) && context.ledger.settled(step.entry)) {
      step.in_region = false;
    }
    analysis::merge(all, analysis::effects_of(*step.statement));
    if (const auto* why = std::get_if<ir::Opaque>(&step.value);
        why != nullptr && std::ranges::find(whys, why->why) == whys.end()) {
      whys.push_back(why->why);
    }
  }
  for (std::size_t i = first; i <= last; ++i) {
    if (body[i].in_region) {
      include_files(context, *body[i].statement);
    }
  }
  region.uses_arguments = all.all_positionals || !all.positionals.empty();
  for (const std::string& name : slurm_names(region.text)) {
    job.slurm_payload.insert(name);
  }
  for (const auto* names : {&all.reads, &all.reads_defaulted}) {
    for (const std::string& name : *names) {
      if (!name.starts_with("SLURM_") || region.text.find(name) == std::string::npos) {
        continue; // another's, or only in what was removed
      }
      if (name == "SLURM_ARRAY_TASK_ID" && job.array) {
        job.array->index_used = true;
      }
      (void)note_slurm_variable(job, name);
    }
  }
  review::Finding finding;
  finding.rule = effects.unparsed ? "S2F405" : "S2F406";
  finding.span = body[first].span;
  finding.message = fmt::format("Lines {}-{} are kept as exact Bash: {}.", line(begin),
                                line(body[last].span.end), fmt::join(whys, ", "));
  finding.output_does =
      "The task runs them as they were, but for what the report lists as removed.";
  const auto id = context.findings.add(std::move(finding));
  for (std::size_t i = first; i <= last; ++i) {
    if (body[i].in_region) {
      context.ledger.settle(body[i].entry, review::Disposition::kept, "runs as exact Bash",
                            effects.unparsed ? "S2F405" : "S2F406", id);
    }
  }
  files_left(context, region);
  job.kept = std::move(region);
}

} // namespace s2f::passes
