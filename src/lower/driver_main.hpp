// The statements of a driver's `main`.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lower/driver_terms.hpp"
#include "lower/overrides.hpp"
#include "lower/parts.hpp"

namespace s2f::lower {

// "Dir" or "File": of what the task of a job returns, the one with that index.
[[nodiscard]] std::string_view output_type(const ir::Job& job, std::size_t output);

// Whether a submission, or one of the steps, reads the driver's variable.
[[nodiscard]] bool reads(const ir::Driver& driver, const ir::Submission& submission,
                         const std::string& name);
[[nodiscard]] bool reads(const std::vector<ir::DriverStep>& steps, const ir::Driver& driver,
                         const std::string& name);

[[nodiscard]] flyte::Stmt expression_statement(flyte::Expr value);
[[nodiscard]] flyte::Stmt assignment(std::string target, flyte::Expr value, std::string type = "");

class Main {
public:
  Main(const ir::Workload& workload, const Overrides& overrides, flyte::Module& module);

  std::vector<flyte::Stmt> body();
  // The tasks that run whole arrays; they stand before `main`.
  std::vector<flyte::Task> arrays() { return std::move(arrays_); }
  // What must be given to `main` because a job needs it, in order.
  [[nodiscard]] const std::vector<flyte::Parameter>& inputs() const { return inputs_; }
  [[nodiscard]] const TermWriter& terms() const { return terms_; }

  std::string returns = "None"; // of `main`

private:
  using Steps = std::vector<ir::DriverStep>;
  // Jobs that start together: one submission, or all of a loop.
  struct Group {
    const ir::Submission* submission = nullptr;
    std::vector<const ir::Each*> loops;
    std::vector<ir::Comment> comments = {};
    std::vector<ir::Comment> below = {};
  };
  using Level = std::vector<Group>;

  std::vector<flyte::Stmt> ordered();
  // What the driver goes through of the directories that `main` is given (driver_folders.cpp).
  std::vector<flyte::Stmt> listings();

  static void say(const std::vector<ir::Comment>& above, const std::vector<ir::Comment>& below,
                  std::size_t first, std::vector<flyte::Stmt>& out);

  // The job whose task runs it.
  [[nodiscard]] const ir::Job& job(const ir::Submission& submission) const {
    const auto shared = overrides_.find(submission.job);
    if (shared != overrides_.end() && shared->second.imported != nullptr) {
      return *shared->second.imported;
    }
    return workload_.jobs[shared == overrides_.end() ? submission.job : shared->second.of];
  }
  std::vector<flyte::Arg> arguments(const ir::Submission& submission);
  void give(const ir::Parameter& parameter, const ir::Term& value, std::vector<flyte::Arg>& out);
  std::string input(const ir::Job& job, const ir::Parameter& parameter);
  std::vector<std::string> result_names(std::size_t index);
  // What the runs of a submission returned, in lists for those that take them.
  [[nodiscard]] std::set<std::size_t> collected(std::size_t index) const;
  void collect(std::size_t index, std::vector<flyte::Stmt>& out);
  [[nodiscard]] bool by_name(const std::vector<Level>& levels) const;
  [[nodiscard]] std::size_t index_of(const ir::Submission& submission) const {
    return static_cast<std::size_t>(&submission - driver_.submissions.data());
  }
  flyte::Expr target(const ir::Submission& submission);
  flyte::Expr on_slurm(const ir::Submission& submission);
  flyte::Expr submit_words(const ir::Submission& submission);
  std::string array_task(const ir::Submission& submission);
  void removed_where_never(const ir::Submission& submission, std::vector<flyte::Arg>& arguments);
  void add_results(const ir::Submission& submission, std::vector<flyte::Arg>& arguments);
  flyte::Expr handed_result(const ir::Submission& reader, const ir::Handed& handed);
  flyte::Expr handed_elements(const ir::Submission& reader, const ir::Handed& handed);
  flyte::Expr call_of(const ir::Submission& submission);
  flyte::Expr plain_call(const ir::Submission& submission);
  // One that is submitted again where it ends out of memory or time (driver_recoveries.cpp).
  flyte::Expr recovered_call(const ir::Submission& submission);
  flyte::Stmt recovered(const ir::Submission& submission);
  static void note(flyte::Notes& notes, const ir::Submission& submission);

  // What waits for how the job `of` ends, beside the driver's other steps.
  struct Ending {
    std::size_t of = 0; // index into Driver::submissions
    Level not_ok, any;
    Steps steps;
  };
  [[nodiscard]] std::optional<Ending> ending() const;
  std::vector<flyte::Stmt> with_ending(const std::vector<Level>& levels, const Ending& ending);
  std::vector<flyte::Stmt> side_by_side(const Level& level);

  [[nodiscard]] std::optional<std::vector<Level>> levels(const Steps& steps) const;
  std::vector<flyte::Stmt> in_levels(const std::vector<Level>& levels);
  flyte::Arg group(const Group& group);

  // The jobs that a driver notes when it runs (driver_plan.cpp).
  std::vector<flyte::Stmt> planned();
  flyte::Expr planned_on_slurm(const ir::Submission& submission,
                               const ir::Plan::Candidate& candidate);
  flyte::Expr planned_job(const ir::Plan::Site& site, const ir::Plan::Candidate& candidate);
  std::string planned_input(const flyte::Parameter& parameter);

  std::vector<flyte::Stmt> graph();
  // How many of the first steps all else waits for; they are awaited where they stand
  // (driver_first.cpp).
  std::size_t awaited_first(std::vector<flyte::Stmt>& out);
  [[nodiscard]] bool all_wait_for(const std::string& name, std::size_t first) const;
  void steps(const Steps& list, std::vector<flyte::Stmt>& out);
  void submitted(const ir::Submitted& step, std::vector<flyte::Stmt>& out);
  // An array whose elements are jobs of their own (driver_elements.cpp).
  void elements(const ir::Submitted& step, std::vector<flyte::Stmt>& out);
  flyte::Expr element(const ir::Dependency& dependency);
  [[nodiscard]] const std::vector<std::int64_t>& indices_of(const std::string& name) const;
  void bind(const ir::Bind& step, std::vector<flyte::Stmt>& out);
  void finish(const ir::Finish& step, std::vector<flyte::Stmt>& out);
  void gather(std::vector<flyte::Stmt>& out);
  std::optional<flyte::Expr> waits(const ir::Submission& submission, ir::Dependency::Kind kind);

  const ir::Workload& workload_;
  const Overrides& overrides_;
  const ir::Driver& driver_;
  flyte::Module& module_;
  TermWriter terms_;
  std::vector<flyte::Task> arrays_;
  std::vector<std::string> array_names_; // by submission's shape: "function|indices"
  std::vector<flyte::Parameter> inputs_;
  std::optional<Ending> ending_;
  std::map<std::size_t, std::vector<std::string>> results_; // of submissions, by index
  std::map<std::size_t, std::string> job_names_;            // the same in a graph
  std::map<std::size_t, std::string> job_lists_;            // of those in a loop, all of them
  bool graph_ = false;
  std::set<std::string> awaited_;  // the driver's names of jobs that have ended well by then
  std::vector<std::string> names_; // of the jobs that stand alone
  std::vector<std::string> lists_; // of the elements of an array
  // Elements of the arrays that this one goes along with, by the variable with the array's id.
  std::map<std::string, std::string> earlier_;
  bool listed_ = false; // every job goes into the list `jobs`
  std::string list_ = "jobs";
  std::string note_;           // Python's variable for what a driver noted
  bool any_submitted_ = false; // in what was written so far
};

} // namespace s2f::lower
