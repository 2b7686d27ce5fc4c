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
    out += removal.replacement;
    at = end;
    if (!removal.what.empty()) {
      removed.push_back(removal.what);
    }
  }
  out.append(text, at, span.end - at);
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

// Whether it is the same value where it is made again a little later, in the region's own shell.
bool replayable(const ir::Value& value, bool moved) {
  return std::ranges::all_of(value.parts, [&](const ir::ValuePart& part) {
    if (const auto* computed = std::get_if<ir::Computed>(&part)) {
      using Operation = ir::Operation;
      static constexpr std::array steady{Operation::host_name, Operation::user_name,
                                         Operation::home,      Operation::temporary_directory,
                                         Operation::base_name, Operation::directory_name};
      return std::ranges::find(steady, computed->operation) != steady.end() &&
             std::ranges::all_of(computed->operands, [&](const ir::Value& operand) {
               return replayable(operand, moved);
             });
    }
    return std::holds_alternative<ir::Text>(part) || std::holds_alternative<ir::Local>(part) ||
           std::holds_alternative<ir::ParameterRef>(part) ||
           std::holds_alternative<ir::ArrayIndex>(part) ||
           std::holds_alternative<ir::SlurmVariable>(part) ||
           std::holds_alternative<ir::EnvironmentVariable>(part) ||
           (!moved && std::holds_alternative<ir::SubmitDirectory>(part));
  });
}

// Where the region begins and ends.
class Extent {
public:
  Extent(const PassContext& context, std::size_t first, std::size_t last)
      : context_(context), body_(context.job.body), first(first), last(last) {
    ir::for_each_step(std::as_const(body_), [&](const ir::Step& step) {
      const auto* assign = std::get_if<ir::Assign>(&step.value);
      for (std::size_t i = 0; assign != nullptr && i < assign->bindings.size(); ++i) {
        if (assign->bindings[i].exported) {
          exported_.insert(assign->bindings[i].variable);
        }
      }
    });
  }

  void find() {
    std::size_t was_first = 0;
    std::size_t was_last = 0;
    do {
      was_first = first;
      was_last = last;
      begin();
      status();
      end();
      lines();
    } while (first != was_first || last != was_last);
  }

private:
  const PassContext& context_;
  const std::vector<ir::Step>& body_;
  std::set<std::string> exported_;

public:
  std::size_t first, last;
  std::vector<std::size_t> before; // steps whose text the region begins with
  bool appends_true = false;       // its last status is no reason to end the job

private:
  [[nodiscard]] analysis::Effects effects(bool only_opaque) const {
    analysis::Effects result;
    for (std::size_t i = first; i <= last; ++i) {
      if (!only_opaque || opaque(body_[i])) {
        analysis::merge(result, analysis::effects_of(*body_[i].statement));
      }
    }
    return result;
  }

  [[nodiscard]] bool indirect() const {
    bool found = false;
    analysis::Visitor visitor;
    visitor.part = [&](const shell::WordPart& part) {
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      found |= parameter != nullptr && parameter->indirect;
    };
    for (std::size_t i = first; i <= last; ++i) {
      analysis::walk(*body_[i].statement, visitor);
    }
    return found;
  }

  // What it needs of the steps before it is said again at its beginning, or these go with it.
  void begin() {
    const analysis::Effects own = effects(false);
    // $SECONDS and its like count from the script's first command.
    static constexpr std::array counters{"SECONDS", "RANDOM", "BASHPID", "LINENO", "BASH_COMMAND"};
    if (std::ranges::any_of(counters, [&](const char* name) { return own.reads.contains(name); })) {
      first = 0;
    }
    std::set<std::string> needed = own.reads;
    needed.insert(own.reads_defaulted.begin(), own.reads_defaulted.end());
    named(first, last, needed);
    const bool everything = own.anything || indirect();
    const bool moved =
        std::any_of(body_.begin(), body_.begin() + static_cast<std::ptrdiff_t>(first),
                    [](const ir::Step& step) {
                      return ir::any_step(step, [](const ir::Step& each) {
                        return std::holds_alternative<ir::ChangeDirectory>(each.value);
                      });
                    });
    before.clear();
    for (std::size_t i = first; i-- > 0;) {
      const ir::Step& step = body_[i];
      const Need need = needs(step, needed, everything, own, moved);
      if (need == Need::whole) {
        first = i;
        return begin();
      }
      if (need == Need::text) {
        before.insert(before.begin(), i);
        const analysis::Effects reads = analysis::effects_of(*step.statement);
        needed.insert(reads.reads.begin(), reads.reads.end());
        needed.insert(reads.reads_defaulted.begin(), reads.reads_defaulted.end());
        named(i, i, needed);
      }
    }
  }

  // `export NAME` reads it as well.
  void named(std::size_t from, std::size_t to, std::set<std::string>& names) const {
    analysis::Visitor visitor;
    visitor.assignment = [&](const shell::Assignment& assignment) {
      if ((!assignment.value && !assignment.array) || assignment.append) {
        names.insert(assignment.name);
      }
    };
    for (std::size_t i = from; i <= to; ++i) {
      analysis::walk(*body_[i].statement, visitor);
    }
  }

  enum class Need { nothing, text, whole };

  static Need needs(const ir::Step& step, const std::set<std::string>& needed, bool everything,
                    const analysis::Effects& own, bool moved) {
    if (step.statement == nullptr) {
      return Need::nothing;
    }
    if (const auto* options = std::get_if<ir::ShellOptions>(&step.value)) {
      const bool matters = options->errexit || options->nounset || options->pipefail;
      return matters ? Need::text : Need::nothing;
    }
    const auto wanted = [&](const std::string& name) {
      return everything || needed.contains(name);
    };
    if (const auto* assign = std::get_if<ir::Assign>(&step.value)) {
      bool text = false;
      bool same = true;
      for (const ir::Binding& binding : assign->bindings) {
        text |= binding.exported || binding.unset || wanted(binding.variable);
        same &= replayable(binding.value, moved);
      }
      return !text ? Need::nothing : same ? Need::text : Need::whole;
    }
    if (std::holds_alternative<ir::ChangeDirectory>(step.value)) {
      const bool asks = own.changes_directory || wanted("OLDPWD") || wanted("PWD") ||
                        own.commands.contains("dirs");
      return asks ? Need::whole : Need::nothing;
    }
    if (!holds_others(step)) {
      const bool beside = std::holds_alternative<ir::Background>(step.value) ||
                          std::holds_alternative<ir::Wait>(step.value);
      return beside && own.background ? Need::whole : Need::nothing;
    }
    const analysis::Effects effects = analysis::effects_of(*step.statement);
    const bool writes = std::ranges::any_of(effects.writes, wanted);
    const bool exports = ir::any_step(step, [](const ir::Step& each) {
      const auto* assign = std::get_if<ir::Assign>(&each.value);
      return assign != nullptr && assign->exports();
    });
    return writes || exports || (effects.background && own.background) ||
                   (effects.changes_directory && own.changes_directory)
               ? Need::whole
               : Need::nothing;
  }

  // The status of the command before, in whatever words.
  void status() {
    const auto reads_status = [](const ir::Step& step) {
      const auto own = analysis::effects_of(*step.statement);
      return own.status || own.reads.contains("PIPESTATUS") || own.reads.contains("_");
    };
    while (first > 0 && reads_status(body_[first])) {
      --first;
    }
    const auto keeps = [&](const ir::Step& step) {
      const auto* nothing = std::get_if<ir::Nothing>(&step.value);
      return reads_status(step) || (nothing != nullptr && nothing->keeps_status);
    };
    while (last + 1 < body_.size() && keeps(body_[last + 1])) {
      ++last;
    }
  }

  void end() {
    analysis::Effects own = effects(true);
    const bool environment = std::ranges::any_of(own.writes, [&](const std::string& name) {
      return exported_.contains(name) || analysis::ambient_variable(name);
    });
    // What the region computes, nothing behind it knows.
    const bool computes = reads_computed(body_, first, last);
    // An exit in it ends the script, not the region alone; so does a directory that it may go to.
    const bool leaves =
        std::any_of(body_.begin() + static_cast<std::ptrdiff_t>(first),
                    body_.begin() + static_cast<std::ptrdiff_t>(last) + 1, leaves_shell);
    own.functions = false; // a call of one is in the region
    if (leaves_state(own) || environment || computes || leaves) {
      last = body_.size() - 1;
    }
    // Under errexit a false `&&` list ends no script, but would end a region.
    appends_true = context_.job.errexit && last + 1 < body_.size();
  }

  static bool leaves_shell(const ir::Step& step) {
    const auto* change = std::get_if<ir::ChangeDirectory>(&step.value);
    const bool beside = ir::any_step(step, [](const ir::Step& each) {
      return std::holds_alternative<ir::Background>(each.value);
    });
    return ends_job(step) || beside ||
           (change != nullptr && (!change->certain || !change->below)) ||
           (holds_others(step) && ir::any_step(step, [](const ir::Step& each) {
              return std::holds_alternative<ir::ChangeDirectory>(each.value);
            }));
  }

  // Statements that share a line with the region's ends go with it.
  void lines() {
    const auto line = [&](std::uint32_t offset) {
      return context_.sources[body_[first].span.source].position(offset).line;
    };
    while (first > 0 && line(body_[first - 1].span.end) == line(body_[first].span.begin)) {
      --first;
    }
    while (last + 1 < body_.size() &&
           line(body_[last].span.end) == line(body_[last + 1].span.begin)) {
      ++last;
    }
  }
};

std::optional<Extent> extent_of(const PassContext& context) {
  const auto& body = context.job.body;
  const auto first_opaque = std::ranges::find_if(body, opaque);
  if (first_opaque == body.end()) {
    return std::nullopt;
  }
  std::size_t last = static_cast<std::size_t>(first_opaque - body.begin());
  for (std::size_t i = last; i < body.size(); ++i) {
    if (opaque(body[i])) {
      last = i;
    }
  }
  Extent extent(context, static_cast<std::size_t>(first_opaque - body.begin()), last);
  if (context.job.submits) { // the script notes what it submits, from its first line on
    extent.first = 0;
    extent.last = body.size() - 1;
  }
  extent.find();
  return extent;
}

} // namespace

std::optional<RegionBounds> region_bounds(const PassContext& context) {
  const auto extent = extent_of(context);
  return extent ? std::optional(RegionBounds{extent->first, extent->last}) : std::nullopt;
}

void kept(PassContext& context) {
  ir::Job& job = context.job;
  auto& body = job.body;
  const auto extent = extent_of(context);
  if (!extent) {
    return;
  }
  const std::size_t first = extent->first;
  const std::size_t last = extent->last;
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
  region.text = region_text(context, region.span, removals, region.removed);
  std::string again;
  for (const std::size_t i : extent->before) {
    again += region_text(context, body[i].span, removals, region.removed) + "\n";
    region.before.push_back(body[i].span);
  }
  region.text = again + region.text;
  if (extent->appends_true) {
    region.text += "\ntrue";
  }
  if (const auto word = launcher_word(region.text, LauncherWords::any)) {
    job.stays_on_slurm = ir::Reason{
        "S2F407", fmt::format("a part of the script that has to stay Bash calls {}", *word),
        body[first].span};
    return;
  }
  analysis::Effects all;
  std::vector<std::string> whys;
  for (const std::size_t i : extent->before) {
    analysis::merge(all, analysis::effects_of(*body[i].statement));
  }
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
  finding.output_does = region.removed.empty()
                            ? "The task runs them byte for byte as they were."
                            : fmt::format("The task runs them as they were, but for {}.",
                                          fmt::join(region.removed, "; "));
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
