// What no pass lifted stays exact Bash, in regions that are closed under the shell's state; what
// one computes and Python reads, it returns.
//
// before:  steps  Assign, Launch, Opaque (a loop), Launch
// after:   region Assign..Opaque as text, less what the report lists as removed; the last Launch
// stays Python
#include <algorithm>
#include <array>

#include <ranges>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "ir/steps.hpp"
#include "passes/clock.hpp"
#include "passes/kept_extents.hpp"
#include "passes/launch_texts.hpp"
#include "passes/launcher_words.hpp"
#include "passes/mpi_in_container.hpp"
#include "passes/names.hpp"
#include "passes/pipeline.hpp"
#include "passes/region.hpp"
#include "passes/scope.hpp"
#include "passes/sourced.hpp"

namespace s2f::passes {

namespace {

bool opaque(const ir::Step& step) { return std::holds_alternative<ir::Opaque>(step.value); }

// "lines 3-5, singularity" of one that is said to be of line 3.
std::string what_went(const PassContext& context, const ir::Removal& removal) {
  const auto first = context.sources.begin(removal.span).line;
  const auto last = context.sources.end(removal.span).line;
  const auto one = fmt::format("line {},", first);
  if (last == first || !removal.what.starts_with(one)) {
    return removal.what;
  }
  return fmt::format("lines {}-{},{}", first, last, removal.what.substr(one.size()));
}

// The text of the region, with removals applied. A removed statement that has its lines for itself
// goes with them.
// Whether what goes is all of a command that has neighbours on its line: something must stand
// there. `a; b; c` without all three is `:; :; :`.
bool whole_command(const std::string& text, std::size_t begin, std::size_t end) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  std::size_t first = begin;
  while (first < end && blank(text[first])) {
    ++first;
  }
  if (first == end || text[first] == '#') {
    return false;
  }
  while (end < text.size() && blank(text[end])) {
    ++end;
  }
  while (begin > 0 && blank(text[begin - 1])) {
    --begin;
  }
  const std::string_view before = std::string_view(text).substr(0, begin);
  const bool starts =
      begin == 0 || std::string_view("\n;&|({").contains(before.back()) ||
      std::ranges::any_of(std::array<std::string_view, 3>{"then", "do", "else"},
                          [&](std::string_view word) { return before.ends_with(word); });
  return starts && (end == text.size() || std::string_view("\n;&|)#").contains(text[end]));
}

std::string region_text(const PassContext& context, const Span& span,
                        const std::vector<ir::Removal>& removals,
                        std::vector<std::string>& removed) {
  const std::string& text = context.sources[span.source].text;
  std::vector<ir::Removal> inside;
  for (const ir::Removal& removal : removals) {
    if (span.contains(removal.span)) {
      inside.push_back(removal);
    }
  }
  std::ranges::sort(inside, {}, [](const ir::Removal& r) { return r.span.begin; });
  std::string out;
  std::uint32_t at = span.begin;
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
      while (line_end < span.end &&
             (text[line_end] == ' ' || text[line_end] == '\t' || text[line_end] == ';')) {
        ++line_end;
      }
      const bool own_line = (line_begin == span.begin || text[line_begin - 1] == '\n') &&
                            (line_end >= span.end || text[line_end] == '\n');
      if (own_line) {
        begin = line_begin;
        end = std::min(line_end + 1, span.end);
      }
    }
    out.append(text, at, begin - at);
    const bool beside = begin == removal.span.begin && end == removal.span.end;
    out += removal.replacement.empty() && beside && whole_command(text, begin, end)
               ? ":"
               : removal.replacement;
    at = end;
    if (!removal.what.empty()) {
      removed.push_back(what_went(context, removal));
    }
  }
  out.append(text, at, span.end - at);
  return out;
}

// The first line of a text, and that more follows.
std::string one_line(const std::string& text) {
  const auto end = text.find('\n');
  return end == std::string::npos ? text : text.substr(0, end) + " ...";
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

} // namespace

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

namespace {

// Whether Python holds since when $SECONDS counts.
bool sets_seconds(const ir::Job& job) {
  return std::ranges::any_of(job.body, [](const ir::Step& step) {
    const auto* assign = std::get_if<ir::Assign>(&step.value);
    return assign != nullptr && std::ranges::find(assign->bindings, "SECONDS",
                                                  &ir::Binding::variable) != assign->bindings.end();
  });
}

class Keeping {
public:
  explicit Keeping(PassContext& context) : context_(context), job_(context.job) {}

  void run();

private:
  ir::KeptRegion region_of(const KeptExtent& extent);
  std::vector<std::string> take(const KeptExtent& extent);
  void note_reads(const KeptExtent& extent, ir::KeptRegion& region);
  void settle_comments(const ir::KeptRegion& region, const std::vector<ir::Removal>& removals);
  bool keep(const KeptExtent& extent);
  // Of a part that calls a launcher, or a command of Slurm.
  void stay(const KeptExtent& extent, const std::string& text, const std::string& word);
  void settle_functions();
  void watches(const KeptExtent& extent);
  void set_behind(const KeptExtent& extent);
  [[nodiscard]] bool does_what_nobody_read(const KeptExtent& extent) const {
    for (std::size_t i = extent.first; i <= extent.last && extent.watches; ++i) {
      const ir::Step& step = job_.body[i];
      if (step.in_region && step.statement != nullptr &&
          !only_sets_variables(context_, *step.statement)) {
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] std::size_t line(std::uint32_t offset) const {
    return context_.sources[job_.body.front().span.source].position(offset).line;
  }

  PassContext& context_;
  ir::Job& job_;
  std::set<std::size_t> functions_; // settled with a region that says them again
};

void Keeping::run() {
  std::vector<KeptExtent> extents = kept_extents(context_);
  for (KeptExtent& extent : extents) {
    for (auto* variables : {&extent.takes, &extent.returns}) {
      for (auto& [name, local] : *variables) {
        local = local.empty() ? local_name(job_, name) : local;
      }
    }
    if (!keep(extent)) {
      return;
    }
  }
  settle_functions();
}

// The region's text, from whole lines of the script.
ir::KeptRegion Keeping::region_of(const KeptExtent& extent) {
  const auto& body = job_.body;
  const ir::Step& first = body[extent.first];
  const ir::Step& last = body[extent.last];
  ir::KeptRegion region;
  region.first_step = extent.first;
  region.last_step = extent.last;
  region.takes = extent.takes;
  region.returns = extent.returns;
  region.left = extent.left;
  region.sees_exports = extent.sees_exports;
  if (extent.counts) {
    (void)seconds_since(job_, sets_seconds(job_));
    region.takes.emplace("SECONDS", job_.locals.at("SECONDS"));
  }
  const source::Source& source = context_.sources[first.span.source];
  const std::uint32_t begin = source.line_span(line(first.span.begin)).begin;
  const std::uint32_t end = std::max(last.span.end, source.line_span(line(last.span.end)).end);
  region.span = Span{source.id, begin, end};
  std::vector<ir::Removal> removals = job_.removals;
  for (ir::Removal& removal : removals) {
    // The last statement's status is the region's: what succeeded stays something that succeeds.
    if (removal.replacement.empty() && removal.span == last.span) {
      removal.replacement = ":";
    }
  }
  remove_comments(context_, region, removals);
  region.text = region_text(context_, region.span, removals, region.removed);
  std::string again;
  if (!region.takes.empty()) { // they are not for the programs that it starts
    again = fmt::format("declare +x {}  # what the task gives it\n",
                        fmt::join(region.takes | std::views::keys, " "));
  }
  for (const std::size_t i : extent.before) {
    again += region_text(context_, body[i].span, removals, region.removed) + "\n";
    region.before.push_back(body[i].span);
  }
  if (does_what_nobody_read(extent)) {
    region.text = watched(region.text, body, extent.last, context_.at(last.span));
  }
  region.text = again + region.text;
  if (extent.appends_true) {
    region.text += "\ntrue";
  }
  settle_comments(region, removals);
  return region;
}

void Keeping::settle_comments(const ir::KeptRegion& region,
                              const std::vector<ir::Removal>& removals) {
  for (const shell::Comment& comment : job_.script->comments) {
    const bool within = region.span.contains(comment.span) ||
                        std::ranges::any_of(region.before, [&](const Span& each) {
                          return each.contains(comment.span);
                        });
    const auto entry = within ? context_.ledger.find(comment.span) : std::nullopt;
    if (!entry || context_.ledger.settled(*entry)) {
      continue;
    }
    const auto gone = std::ranges::find_if(
        removals, [&](const ir::Removal& removal) { return removal.span.contains(comment.span); });
    if (gone == removals.end()) {
      context_.ledger.settle(*entry, review::Disposition::kept, "stands in the exact Bash");
    } else {
      context_.ledger.settle(*entry, review::Disposition::dropped,
                             gone->span.size() > comment.span.size() + 1
                                 ? "went with what it stands in"
                                 : "names a Slurm command, which looks alive in kept Bash");
    }
  }
}

// Marks what stands in it; gives why.
std::vector<std::string> Keeping::take(const KeptExtent& extent) {
  std::vector<std::string> whys;
  for (std::size_t i = extent.first; i <= extent.last; ++i) {
    ir::Step& step = job_.body[i];
    step.in_region = true;
    if (std::holds_alternative<ir::Function>(step.value)) {
      continue; // Python may call it as well
    }
    ir::for_each_part(step, [](const std::vector<ir::Step>& inner) {
      ir::for_each_step(const_cast<std::vector<ir::Step>&>(inner), // NOLINT: it is body's
                        [](ir::Step& each) { each.in_region = true; });
    });
    if (std::holds_alternative<ir::Nothing>(step.value) && context_.ledger.settled(step.entry)) {
      step.in_region = false;
    }
    if (const auto* why = std::get_if<ir::Opaque>(&step.value);
        why != nullptr && std::ranges::find(whys, why->why) == whys.end()) {
      whys.push_back(why->why);
    }
  }
  for (const std::size_t i : extent.before) {
    if (defined_function(job_.body[i]) != nullptr) {
      job_.body[i].in_region = true;
    }
  }
  for (std::size_t i = extent.first; i <= extent.last; ++i) {
    if (job_.body[i].in_region) {
      include_files(context_, *job_.body[i].statement);
    }
  }
  return whys;
}

// What the text reads, the task must give it.
void Keeping::note_reads(const KeptExtent& extent, ir::KeptRegion& region) {
  analysis::Effects all;
  for (const std::size_t i : extent.before) {
    analysis::merge(all, analysis::effects_of(*job_.body[i].statement));
  }
  for (std::size_t i = extent.first; i <= extent.last; ++i) {
    analysis::merge(all, analysis::effects_of(*job_.body[i].statement));
  }
  region.uses_arguments = all.all_positionals || !all.positionals.empty();
  for (const std::string& name : slurm_names(region.text)) {
    job_.slurm_payload.insert(name);
  }
  for (const auto* names : {&all.reads, &all.reads_defaulted}) {
    for (const std::string& name : *names) {
      if (!name.starts_with("SLURM_") || region.text.find(name) == std::string::npos) {
        continue; // another's, or only in what was removed
      }
      if (name == "SLURM_ARRAY_TASK_ID" && job_.array) {
        job_.array->index_used = true;
      }
      (void)note_slurm_variable(job_, name);
    }
  }
}

void Keeping::stay(const KeptExtent& extent, const std::string& text, const std::string& word) {
  const shell::SimpleCommand* near = nullptr;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    near = near == nullptr && command != nullptr && !command->words.empty() ? command : near;
  };
  for (std::size_t i = extent.first; i <= extent.last; ++i) {
    analysis::walk(*job_.body[i].statement, visitor);
  }
  const auto told =
      word == "srun" && near != nullptr ? ranks_in_text(context_, *near, text) : std::nullopt;
  const auto* row = launcher_of(word);
  const bool starts = row != nullptr && row->kind == tables::LaunchersKind::mpi;
  const bool mpi = starts || (told && told->kind == Ranks::Kind::mpi);
  job_.stays_on_slurm =
      ir::Reason{mpi ? "S2F702" : "S2F407",
                 fmt::format("a part of the script that has to stay Bash calls {}{}", word,
                             starts ? ", which starts the ranks of an MPI program"
                             : told && !told->why.empty() ? ": " + told->why
                                                          : ""),
                 job_.body[extent.first].span};
}

bool Keeping::keep(const KeptExtent& extent) {
  auto& body = job_.body;
  ir::KeptRegion region = region_of(extent);
  const auto which = mpi_in_container(context_) ? LauncherWords::slurm : LauncherWords::any;
  if (const auto word = launcher_word(region.text, which)) {
    stay(extent, region.text, *word);
    return false;
  }
  const std::vector<std::string> whys = take(extent);
  note_reads(extent, region);
  bool unparsed = false;
  for (std::size_t i = extent.first; i <= extent.last; ++i) {
    unparsed |= opaque(body[i]) && analysis::effects_of(*body[i].statement).unparsed;
  }
  review::Finding finding;
  finding.rule = unparsed ? "S2F405" : "S2F406";
  finding.span = body[extent.first].span;
  const auto first_line = line(region.span.begin);
  const auto last_line = line(body[extent.last].span.end);
  finding.message =
      first_line == last_line
          ? fmt::format("Line {} is kept as exact Bash: {}.", first_line, fmt::join(whys, ", "))
          : fmt::format("Lines {}-{} are kept as exact Bash: {}.", first_line, last_line,
                        fmt::join(whys, ", "));
  const bool driver = std::ranges::find(whys, driver_as_it_was) != whys.end();
  const std::string removed =
      region.removed.empty() ? "" : fmt::format(", but for {}", fmt::join(region.removed, "; "));
  finding.output_does = driver
                            ? "The task runs them as they were, with `submit` for sbatch" + removed
                        : removed.empty() ? "The task runs them byte for byte as they were"
                                          : "The task runs them as they were" + removed;
  finding.output_does += '.';
  const std::string rule = finding.rule;
  if (does_what_nobody_read(extent)) {
    watches(extent);
  }
  const auto id = context_.findings.add(std::move(finding));
  const auto settle = [&](std::size_t i) {
    std::vector<std::string> gone;
    for (const ir::Removal& removal : job_.removals) {
      if (body[i].span.contains(removal.span) && !removal.what.empty()) {
        gone.push_back(what_went(context_, removal));
      }
    }
    const std::string why = gone.empty()
                                ? "runs as exact Bash"
                                : fmt::format("runs as Bash, but for {}", fmt::join(gone, "; "));
    context_.ledger.settle(body[i].entry, review::Disposition::kept, why, rule, id);
  };
  for (std::size_t i = extent.first; i <= extent.last; ++i) {
    const bool function = defined_function(body[i]) != nullptr;
    if (body[i].in_region && (!function || functions_.insert(i).second)) {
      settle(i);
    }
  }
  for (const std::size_t i : extent.before) {
    if (defined_function(body[i]) != nullptr && functions_.insert(i).second) {
      settle(i);
    }
  }
  files_left(context_, region);
  job_.kept.push_back(std::move(region));
  return true;
}

// What Python takes over of a file or a text that nobody has read.
void Keeping::watches(const KeptExtent& extent) {
  review::Finding finding;
  finding.rule = "S2F470";
  finding.span = job_.body[extent.last].span;
  finding.message = fmt::format("What `{}` sets is known only when the job runs.",
                                one_line(context_.text(job_.body[extent.last].span)));
  finding.slurm_does = "All that it does to the shell holds for the commands behind it.";
  finding.output_does =
      "Variables and the directory are handed on. If it does more (an option, a trap, a function "
      "with the name of a program that is started later), the task ends with an error.";
  context_.findings.add(std::move(finding));
  set_behind(extent);
}

// X=1 behind a file that may have exported X: programs see what the file gave it.
void Keeping::set_behind(const KeptExtent& extent) {
  std::set<std::string> names;
  Span place;
  bool started = false; // a program, which sees what is exported
  for (std::size_t i = job_.body.size(); i-- > extent.last + 1;) {
    if (job_.body[i].in_region) {
      started = true;
      continue;
    }
    started = started || ir::any_step(job_.body[i], [](const ir::Step& step) {
                const auto* assign = std::get_if<ir::Assign>(&step.value);
                return std::holds_alternative<ir::Launch>(step.value) ||
                       std::holds_alternative<ir::Call>(step.value) ||
                       (assign != nullptr &&
                        std::ranges::any_of(assign->bindings, [](const ir::Binding& binding) {
                          return binding.value.runs_program();
                        }));
              });
    if (!started) {
      continue;
    }
    (void)ir::any_step(job_.body[i], [&](const ir::Step& step) {
      const auto* assign = std::get_if<ir::Assign>(&step.value);
      for (std::size_t b = 0; assign != nullptr && b < assign->bindings.size(); ++b) {
        const ir::Binding& binding = assign->bindings[b];
        if (!binding.exported && !binding.unset && !binding.items) {
          names.insert(binding.variable);
          place = step.span;
        }
      }
      return false;
    });
  }
  if (names.empty()) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F472";
  finding.span = place;
  finding.message = fmt::format("{} {} set behind `{}`, which may have exported {}.",
                                fmt::join(names, ", "), names.size() == 1 ? "is" : "are",
                                one_line(context_.text(job_.body[extent.last].span)),
                                names.size() == 1 ? "it" : "them");
  finding.slurm_does = "Programs that are started later see the new value if the file exported the "
                       "variable, and none if it did not.";
  finding.output_does = "They see what the file exported; the new value is Python's alone. With "
                        "`export` before the assignment they see it.";
  context_.findings.add(std::move(finding));
}

// Those that nothing calls.
void Keeping::settle_functions() {
  std::vector<Span> called;
  for (const ir::Step& step : job_.body) {
    const std::string* name = defined_function(step);
    if (name != nullptr && job_.inlined.contains(*name)) {
      called.push_back(step.span);
    }
  }
  for (ir::Step& step : job_.body) {
    const std::string* name = defined_function(step);
    if (name == nullptr || std::holds_alternative<ir::Function>(step.value)) {
      continue;
    }
    if (!step.in_region) {
      const bool inlined = job_.inlined.contains(*name);
      context_.ledger.settle(
          step.entry, inlined ? review::Disposition::converted : review::Disposition::dropped,
          inlined ? "stands where it is called" : "nothing calls it");
      for (const Span& callee : inlined ? called : std::vector<Span>{}) { // what it calls in turn
        context_.ledger.cite(step.entry, callee);
      }
      step.value = ir::Nothing{};
      continue;
    }
    const bool within =
        job_.region_of(static_cast<std::size_t>(&step - job_.body.data())) != nullptr;
    if (!within) {
      step.value = ir::Nothing{}; // it stands at the beginning of those that call it
    }
  }
}

} // namespace

void kept(PassContext& context) {
  Keeping(context).run();
  kept_inside(context);
}

} // namespace s2f::passes
