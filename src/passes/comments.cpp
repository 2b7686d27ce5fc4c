// Lays the comments of a script to the steps that stand for what they speak of.
//
// before:  steps                            after:  their comments: above each, or below a block
//
// One on a statement that went goes with it: to the image, where the image stands for that, else
// the ledger says what became of the statement. The same of a comment on directives that are not
// carried over.
#include "ir/comments.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "ir/build.hpp"
#include "ir/header_comments.hpp"
#include "passes/pipeline.hpp"
#include "passes/slurm_requests.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;
using Where = ir::CommentPlace::Where;

// Where the options end: what stands before is said of the job.
std::uint32_t header_end(const slurm::Header& header) {
  std::uint32_t end = 0;
  for (const slurm::DirectiveLine& line : header.lines) {
    if (line.line < header.end_line) {
      end = std::max(end, line.span.end);
    }
  }
  return end;
}

bool compound(const shell::Statement& statement) {
  return !std::holds_alternative<shell::SimpleCommand>(statement.value) &&
         !std::holds_alternative<shell::Pipeline>(statement.value) &&
         !std::holds_alternative<shell::AndOr>(statement.value);
}

class Comments {
public:
  explicit Comments(PassContext& context)
      : context_(context), job_(context.job), text_(context.sources[context.job.source].text) {}

  void run() {
    collect(job_.body);
    const std::uint32_t end = job_.stays_on_slurm ? text_begin() : header_end(job_.header);
    for (const slurm::DirectiveLine& line : job_.header.lines) {
      if (line.comment && line.line < job_.header.end_line && stands(line)) { // with what it is
        const Span before{line.span.source, line.span.begin, line.comment->begin};
        std::string option = context_.text(before);
        option.erase(0, std::min(option.size(), option.find('-')));
        option.erase(option.find_last_not_of(" \t") + 1);
        job_.comments.push_back(
            {option + "  # " + ir::comment_text(context_.text(*line.comment)), *line.comment});
      }
    }
    for (const shell::Comment& each : job_.script->comments) {
      const std::string_view text = context_.masked_text.substr(each.span.begin, each.span.size());
      ir::Comment comment{ir::comment_text(text), each.span};
      const auto entry = context_.ledger.find(each.span);
      if (comment.text.empty() || !entry || !context_.ledger[*entry].comment ||
          context_.ledger.settled(*entry)) {
        continue; // the first line, an option; what stands in text that is kept
      }
      if (burst_buffer(comment)) {
        continue;
      }
      if (each.span.begin < end) {
        const ir::SaidOf said = ir::said_of(context_.sources[job_.source], job_, each.span);
        if (!said.nothing() &&
            std::ranges::none_of(said.lines, [&](const auto* line) { return stands(*line); })) {
          context_.ledger.settle(*entry, Disposition::comment,
                                 "on directives that are not carried over");
          continue;
        }
        job_.comments.push_back(std::move(comment));
        continue;
      }
      if (job_.stays_on_slurm) {
        continue; // the text says it
      }
      (void)ir::for_comment_places(*job_.script, text_, each, [&](const ir::CommentPlace& place) {
        return put(comment, place);
      });
    }
    std::ranges::stable_sort(job_.comments, {},
                             [](const ir::Comment& each) { return each.span.begin; });
  }

private:
  // Whether something in the module stands for an option of the line.
  [[nodiscard]] bool stands(const slurm::DirectiveLine& line) const {
    return std::ranges::any_of(line.uses, [&](std::size_t number) {
      const slurm::OptionUse& use = job_.header.uses[number];
      if (use.name == "job-name") {
        return true;
      }
      const auto entry = context_.ledger.find(use.span);
      const Disposition became = entry ? context_.ledger[*entry].disposition : Disposition::open;
      const bool went = became == Disposition::platform || became == Disposition::dropped ||
                        became == Disposition::inert;
      const auto& cpus = job_.resources.cpus; // --ntasks=1 may be their number
      return !went || (cpus && std::ranges::find(cpus->spans, use.span) != cpus->spans.end() &&
                       cpus->asked.find("--" + std::string(use.name)) != std::string::npos);
    });
  }

  // `#DW jobdw ...`, `#BB create_persistent ...`: Slurm reads such lines up to the first command.
  bool burst_buffer(const ir::Comment& comment) {
    const std::string text = context_.text(comment.span);
    const auto& statements = job_.script->statements;
    const bool first = statements.empty() || comment.span.begin < statements.front().span.begin;
    if (!first || !asks_for_burst_buffer(text)) {
      return false;
    }
    const auto& reason = job_.stays_on_slurm;
    if (reason && reason->rule == "S2F776" && reason->span.begin == comment.span.begin) {
      context_.ledger.settle(*context_.ledger.find(comment.span), Disposition::decision,
                             "a burst buffer", "S2F776", finding_of(comment.span));
      not_carried(comment.span, text);
      return true;
    }
    review::Finding finding;
    finding.rule = "S2F776";
    finding.span = comment.span;
    finding.message = fmt::format("`{}` asks for a burst buffer; nothing here does.", text);
    finding.slurm_does = "Its burst buffer plugin makes the buffer, copies files in before the job "
                         "starts, and out behind it.";
    finding.output_does =
        job_.stays_on_slurm ? "The connector puts commands of its own before the script, so Slurm "
                              "would not read the line: it is left out."
                            : "Nothing is staged: the job finds no burst buffer.";
    finding.choices = {"inputs and outputs of the task (flyte.io.File, flyte.io.Dir)",
                       "a pod template that mounts fast storage", "submit the script by hand"};
    finding.default_ = finding.choices[0];
    const auto id = context_.findings.add(std::move(finding));
    context_.ledger.settle(*context_.ledger.find(comment.span), Disposition::decision,
                           "a burst buffer", "S2F776", id);
    not_carried(comment.span, text);
    return true;
  }

  // Why the job stays on Slurm.
  [[nodiscard]] std::optional<review::FindingId> finding_of(const Span& span) const {
    const auto& all = context_.findings.all();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].rule == "S2F776" && all[i].span.begin == span.begin) {
        return static_cast<review::FindingId>(i);
      }
    }
    return std::nullopt;
  }
  void not_carried(const Span& span, const std::string& text) {
    job_.not_carried.push_back(
        {fmt::format("{} {}: nothing makes a burst buffer here", context_.at(span), text), span});
  }

  // What a statement of the module is made of; conditions and stages of pipelines are part of one.
  void collect(std::vector<ir::Step>& steps) {
    for (ir::Step& step : steps) {
      if (step.statement != nullptr) {
        steps_.try_emplace(step.statement, &step);
      }
      if (auto* branches = std::get_if<ir::If>(&step.value)) {
        for (ir::Branch& branch : branches->branches) {
          collect(branch.steps);
        }
        if (branches->otherwise) {
          collect(*branches->otherwise);
        }
        collect(branches->after);
      } else if (auto* loop = std::get_if<ir::For>(&step.value)) {
        collect(loop->steps);
      } else if (auto* at_exit = std::get_if<ir::AtExit>(&step.value)) {
        collect(at_exit->steps);
      } else if (auto* function = std::get_if<ir::Function>(&step.value)) {
        collect(function->steps);
      }
    }
  }

  // Of a job that stays on Slurm.
  [[nodiscard]] std::uint32_t text_begin() const {
    const source::Source& source = context_.sources[job_.source];
    return job_.header.end_line <= source.line_count()
               ? source.line_span(job_.header.end_line).begin
               : static_cast<std::uint32_t>(source.text.size());
  }

  // The step of a statement, or of the first one in it where it has none of its own.
  ir::Step* step_of(const shell::Statement& statement) {
    const auto found = steps_.find(&statement);
    const auto* function = std::get_if<shell::Function>(&statement.value);
    const bool inlined = function != nullptr && job_.inlined.contains(function->name) &&
                         (found == steps_.end() || !found->second->in_region);
    if (found != steps_.end() && !inlined) {
      return found->second;
    }
    if (found == steps_.end()) { // a pass has made another statement of it
      for (const auto& [made, step] : steps_) {
        if (step->span == statement.span) {
          return step;
        }
      }
    }
    for (const std::vector<shell::Statement>* block : ir::blocks_of(statement)) {
      for (const shell::Statement& inner : *block) {
        if (ir::Step* step = step_of(inner)) {
          return step;
        }
      }
    }
    return found == steps_.end() ? nullptr : found->second;
  }

  // Whether nothing in the module stands for the step; the values of an assignment may have gone
  // elsewhere.
  [[nodiscard]] bool went(const ir::Step& step) const {
    if (std::holds_alternative<ir::ShellOptions>(step.value)) {
      return true;
    }
    const auto entry = context_.ledger.find(step.span);
    if (!entry) {
      return false;
    }
    const Disposition became = context_.ledger[*entry].disposition;
    const auto* command = shell::as_simple(*step.statement);
    const bool assigns = command != nullptr && command->words.empty();
    return (became == Disposition::dropped && !assigns) || became == Disposition::platform ||
           became == Disposition::inert ||
           (became != Disposition::open && std::holds_alternative<ir::Nothing>(step.value) &&
            in_image(step.span));
  }

  [[nodiscard]] bool in_image(const Span& span) const {
    return std::ranges::any_of(job_.environment.spans, [&](const Span& each) {
      return each.contains(span) || span.contains(each);
    });
  }

  bool put(const ir::Comment& comment, const ir::CommentPlace& place) {
    ir::Step* step = step_of(*place.statement);
    if (step == nullptr) {
      return false;
    }
    if (!step->in_region && went(*step)) {
      if (place.apart) {
        return false;
      }
      if (in_image(step->span)) {
        job_.environment.said.push_back(comment);
      }
      return true;
    }
    const auto* choice = std::get_if<ir::If>(&step->value);
    if (place.where == Where::around && choice != nullptr && !choice->list &&
        step->statement == place.statement) {
      settle_untaken(comment.span);
      return true;
    }
    const bool below =
        place.where == Where::below ||
        (place.where == Where::behind && compound(*place.statement) &&
         text_.substr(step->span.begin, step->span.size()).find('\n') != std::string_view::npos);
    (below ? step->below : step->comments).push_back(comment);
    return true;
  }

  // Of its block nothing is left.
  void settle_untaken(const Span& span) {
    if (const auto entry = context_.ledger.find(span); entry && !context_.ledger.settled(*entry)) {
      context_.ledger.settle(*entry, Disposition::dropped, "stands in a branch that is not taken");
    }
  }

  PassContext& context_;
  ir::Job& job_;
  std::string_view text_;
  std::map<const shell::Statement*, ir::Step*> steps_;
};

} // namespace

void comments(PassContext& context) {
  if (context.job.script != nullptr && ir::is_shell(context.job.interpreter)) {
    Comments(context).run();
  }
}

} // namespace s2f::passes
