// Converts many scripts, one piece after the other.
//
// Threads compile pieces and render what stands of them in the reports. In the order of the pieces
// it is settled who writes which file, and in the order of the scripts the reports grow: a script
// that is done before its turn waits, with the little that is still needed of it.
#include "cli/convert_many.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "cli/batch_summary.hpp"
#include "cli/groups.hpp"
#include "cli/inputs.hpp"
#include "cli/next_steps.hpp"
#include "cli/progress.hpp"
#include "cli/site_problems.hpp"
#include "cli/spool.hpp"
#include "project/batch.hpp"
#include "project/paths.hpp"
#include "review/parts.hpp"

namespace s2f::cli {

namespace {

// Fewer are shown with all their findings, which is all of them at once.
constexpr std::size_t many = 2 * scripts_of_a_batch;

struct Report {
  std::string path;
  Format format;
  review::Parts parts;
  Spool spool;
};

// What the end needs of an input.
struct Told {
  review::Input input;            // without its texts
  std::vector<std::string> parts; // of each report
  std::string errors;             // as they are shown
};

// A piece that is compiled.
struct Piece {
  std::string tool, flyte; // as in every review
  std::vector<Group> groups;
  std::vector<Told> told;
  std::vector<project::InputFailure> failures;
  std::vector<site::Problem> site_problems;
  std::vector<std::string> sign_off_problems;
};

void forget_texts(review::Input& input) {
  input.source_text = {};
  input.output_text = {};
  input.items = {};
  input.numbers = {};
  input.graph = {};
  for (auto& placed : input.findings) {
    placed.output_lines = {};
    placed.finding.message = {};
    placed.finding.slurm_does = {};
    placed.finding.output_does = {};
    placed.finding.choices = {};
    placed.finding.fix = {};
  }
}

class Many {
public:
  Many(const std::vector<std::string>& scripts, const ConvertOptions& options,
       const Console& console)
      : scripts_(scripts), options_(options), console_(console) {
    for (std::size_t i = 0; i < scripts.size(); ++i) {
      order_.emplace(project::normal(scripts[i]), i);
      inputs_.insert(same_file(scripts[i]));
    }
    done_.resize(scripts.size());
    for (const auto& path : options.reports) {
      const auto format = *report_format(path);
      reports_.push_back({path, format,
                          format == Format::json ? review::Parts::json : review::Parts::sarif,
                          Spool()});
    }
  }

  // Several threads at once.
  void take(std::size_t number, project::Compiled compiled) {
    const auto members = scripts_in(compiled);
    Piece piece = prepared(std::move(compiled));
    std::vector<std::pair<std::size_t, Group>> mine; // to be written here
    {
      const std::scoped_lock lock(lock_);
      waiting_.emplace(number, std::pair{std::move(piece), members});
      for (auto next = waiting_.begin(); next != waiting_.end() && next->first == next_piece_;
           next = waiting_.erase(next), ++next_piece_) {
        settle(next->first, next->second.first, next->second.second, mine);
      }
    }
    for (auto& [piece_number, group] : mine) {
      bool modules_stand = true;
      auto problem = write(group, options_, console_, modules_stand);
      const std::scoped_lock lock(lock_);
      if (!problem.empty()) {
        problems_.emplace(piece_number, std::move(problem));
      } else {
        written_.insert(group.source);
        keep_runnable(group.source);
      }
    }
  }

  int finish(bool ok) {
    tell_late();
    if (!site_problems_.empty() || !sign_off_problems_.empty()) {
      complain_about_site(console_, site_problems_);
      for (const auto& problem : sign_off_problems_) {
        complain(console_, problem);
      }
      return failed;
    }
    std::ranges::stable_sort(failures_, {}, [this](const auto& failure) {
      const auto found = order_.find(project::normal(failure.path));
      return found == order_.end() ? scripts_.size() : found->second;
    });
    for (const auto& failure : failures_) {
      complain_about_input(console_, failure.path, failure.message);
      ok = false;
    }
    for (const auto& [number, problem] : problems_) {
      complain(console_, problem);
      ok = false;
    }
    for (Report& report : reports_) {
      ok = write_report(report) && ok;
    }
    console_.err(errors_);
    if (!options_.quiet && summary_.scripts() > 0) {
      console_.out(summary_.text(console_.out_style));
      std::vector<Runnable> first;
      first.reserve(first_runnable_.size());
      for (auto& [place, runnable] : first_runnable_) {
        first.push_back(std::move(runnable));
      }
      console_.out(next_steps(first, console_.out_style, all_runnable_));
    }
    return status_for(internal_, at_or_above_, console_, ok);
  }

private:
  // Places in the order that was given.
  [[nodiscard]] std::vector<std::size_t> scripts_in(const project::Compiled& compiled) const {
    std::vector<std::size_t> members;
    const auto add = [&](const std::string& path) {
      if (const auto found = order_.find(path); found != order_.end()) {
        members.push_back(found->second);
      }
    };
    for (const auto& input : compiled.review.inputs) {
      add(input.path);
    }
    for (const auto& failure : compiled.failures) {
      add(project::normal(failure.path));
    }
    return members;
  }

  [[nodiscard]] Piece prepared(project::Compiled compiled) const {
    Piece piece;
    piece.failures = std::move(compiled.failures);
    piece.site_problems = std::move(compiled.site_problems);
    piece.sign_off_problems = std::move(compiled.sign_off_problems);
    for (auto& input : compiled.review.inputs) {
      if (!input.output.empty()) {
        input.output = place_for(input.output, options_);
      }
    }
    piece.groups = group(compiled, compiled.review, options_);
    for (auto& input : compiled.review.inputs) {
      Told told;
      for (const Report& report : reports_) {
        told.parts.push_back(review::part_of(report.parts, input));
      }
      for (const auto& placed : input.findings) {
        if (placed.finding.severity == review::Severity::error) {
          told.errors += review::render_diagnostic(input, placed, console_.err_style);
        }
      }
      forget_texts(input);
      told.input = std::move(input);
      piece.told.push_back(std::move(told));
    }
    piece.tool = std::move(compiled.review.tool);
    piece.flyte = std::move(compiled.review.flyte);
    return piece;
  }

  // The pieces before are settled.
  void settle(std::size_t number, Piece& piece, const std::vector<std::size_t>& members,
              std::vector<std::pair<std::size_t, Group>>& mine) {
    tool_ = piece.tool;
    flyte_ = piece.flyte;
    std::ranges::move(piece.failures, std::back_inserter(failures_));
    std::ranges::move(piece.site_problems, std::back_inserter(site_problems_));
    std::ranges::move(piece.sign_off_problems, std::back_inserter(sign_off_problems_));
    for (Told& told : piece.told) {
      const auto& input = told.input;
      const bool own = std::ranges::any_of(piece.groups, [&input](const Group& group) {
        return group.source == input.path && !group.outputs.empty() &&
               group.outputs.front().path == input.output;
      });
      if (own && !input.entry.empty()) {
        runnable_.emplace(input.path, Runnable{input.output, input.entry + input.entry_arguments,
                                               input.body != "on_slurm"});
      }
      const auto place = order_.find(input.path);
      if (place == order_.end()) {
        late_.push_back(std::move(told));
      } else {
        early_.emplace(place->second, std::move(told));
      }
    }
    for (const std::size_t member : members) {
      done_[member] = true;
    }
    for (; next_script_ < done_.size() && done_[next_script_]; ++next_script_) {
      if (const auto found = early_.find(next_script_); found != early_.end()) {
        tell(found->second);
        early_.erase(found);
      }
    }
    for (Group& group : piece.groups) {
      auto found = no_file_in(group);
      auto problems = found.empty() ? objections(group, inputs_, taken_, options_, console_)
                                    : std::vector{std::move(found)};
      for (auto& problem : problems) {
        problems_.emplace(number, std::move(problem));
      }
      if (problems.empty()) {
        mine.emplace_back(number, std::move(group));
      }
    }
  }

  void tell_late() {
    for (auto& [place, told] : early_) {
      tell(told);
    }
    for (Told& told : late_) {
      tell(told);
    }
    early_.clear();
    late_.clear();
  }

  void tell(const Told& told) {
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      reports_[i].spool.append(told.parts[i]);
    }
    errors_ += told.errors;
    totals_.add(told.input);
    summary_.add(told.input);
    places_.emplace(told.input.path, told_++);
    keep_runnable(told.input.path);
    internal_ = internal_ || has_rule(told.input, "S2F900") || has_rule(told.input, "S2F901");
    at_or_above_ =
        at_or_above_ || std::ranges::any_of(told.input.findings, [this](const auto& each) {
          return fails(each.finding, options_);
        });
  }

  bool write_report(Report& report) {
    Group group{"--report " + report.path, {{report.path, {}, report.format}}};
    auto found = no_file_in(group);
    auto problems = found.empty() ? objections(group, inputs_, taken_, options_, console_)
                                  : std::vector{std::move(found)};
    if (problems.empty()) {
      if (auto problem = written(report); !problem.empty()) {
        problems.push_back(std::move(problem));
      }
    }
    for (const auto& problem : problems) {
      complain(console_, problem);
    }
    return problems.empty();
  }

  std::string written(Report& report) {
    const review::Review about{tool_, flyte_, {}};
    const auto produce = [&](const project::Put& put) {
      put(head_of(report.parts, about, totals_));
      bool first = true;
      report.spool.replay([&](std::string_view lines) {
        const auto text = placed(report.parts, std::string(lines), totals_);
        put(std::string_view(text).substr(first && !text.empty() ? 1 : 0)); // the first comma
        first = first && text.empty();
      });
      put(tail_of(report.parts, !report.spool.empty()));
    };
    if (console_.write_in_parts) {
      if (auto done = console_.write_in_parts(report.path, produce); !done) {
        return done.error();
      }
    } else {
      std::string text;
      produce([&text](std::string_view piece) { text += piece; });
      if (auto done = console_.write(report.path, text); !done) {
        return done.error();
      }
    }
    return report.spool.good()
               ? std::string()
               : fmt::format("cannot write {}: there is no room for temporary files", report.path);
  }

  // Once a module is written and its script was told of: the first ones are shown, all are counted.
  void keep_runnable(const std::string& script) {
    constexpr std::size_t shown = 8;
    const auto found = runnable_.find(script);
    const auto place = places_.find(script);
    if (!written_.contains(script) || place == places_.end()) {
      return;
    }
    if (found != runnable_.end()) {
      ++all_runnable_;
      first_runnable_.emplace(place->second, std::move(found->second));
      if (first_runnable_.size() > shown) {
        first_runnable_.erase(std::prev(first_runnable_.end()));
      }
      runnable_.erase(found);
    }
    written_.erase(script);
    places_.erase(place);
  }

  const std::vector<std::string>& scripts_;
  const ConvertOptions& options_;
  const Console& console_;
  std::unordered_map<std::string, std::size_t> order_; // of the scripts
  std::set<std::string> inputs_;                       // the same as files
  std::vector<Report> reports_;

  std::mutex lock_; // for all below
  std::string tool_, flyte_;
  std::size_t next_piece_ = 0;
  std::map<std::size_t, std::pair<Piece, std::vector<std::size_t>>> waiting_;
  std::vector<bool> done_; // scripts
  std::size_t next_script_ = 0;
  std::map<std::size_t, Told> early_; // by the script's place: before its turn
  std::vector<Told> late_;            // scripts that were not given
  std::map<std::string, std::string> taken_;
  std::multimap<std::size_t, std::string> problems_; // by piece
  std::vector<project::InputFailure> failures_;
  std::vector<site::Problem> site_problems_;
  std::vector<std::string> sign_off_problems_;
  std::map<std::string, Runnable> runnable_;  // by script, until it is written and told of
  std::set<std::string> written_;             // scripts, until they are told of
  std::map<std::string, std::size_t> places_; // those that were told of, until they are written
  std::map<std::size_t, Runnable> first_runnable_; // by place
  std::size_t all_runnable_ = 0;
  std::size_t told_ = 0;
  std::string errors_;
  review::Totals totals_;
  BatchSummary summary_;
  bool internal_ = false;
  bool at_or_above_ = false;
};

} // namespace

bool goes_one_by_one(const ConvertOptions& options, std::size_t scripts) {
  const bool reports = std::ranges::all_of(options.reports, [](const std::string& path) {
    const auto format = report_format(path);
    return format == Format::json || format == Format::sarif;
  });
  return scripts >= many && reports && !options.family && !options.check && !options.diff &&
         !options.verbose && options.output.empty() && options.format == "text";
}

int convert_many(const std::vector<std::string>& scripts, const ConvertOptions& options,
                 const project::CompileOptions& compile, const Console& console, bool ok) {
  Many many(scripts, options, console);
  // What the answers are must be known before anything is written.
  auto checked = project::check_answers(scripts, compile, console.files);
  if (!checked.site_problems.empty() || !checked.sign_off_problems.empty()) {
    many.take(0, std::move(checked));
    return many.finish(ok);
  }
  project::compile_each(scripts, compile, console.files, options.jobs,
                        progress_of(options.quiet, console),
                        [&many](std::size_t piece, project::Compiled compiled) {
                          many.take(piece, std::move(compiled));
                        });
  return many.finish(ok);
}

int status_for(bool internal, bool at_or_above, const Console& console, bool ok) {
  if (internal) {
    complain(console, "internal error: a line was lost or settled twice. Please report this with "
                      "the script; do not use the output unread.");
  }
  if (!ok || internal) {
    return failed;
  }
  return at_or_above ? findings : done;
}

bool fails(const review::Finding& finding, const ConvertOptions& options) {
  return options.fail_on && finding.severity >= *options.fail_on && review::is_open(finding);
}

} // namespace s2f::cli
