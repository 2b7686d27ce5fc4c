// The pieces that job and driver modules are put together from.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lower/lower.hpp"

namespace s2f::lower {

using source::Span;

// "train.sh:12" of a span's first line; "train.sh:10-12" of all its lines.
[[nodiscard]] std::string at(const source::Sources& sources, const Span& span);
[[nodiscard]] std::string lines(const source::Sources& sources, const Span& span);
[[nodiscard]] std::string base_name(std::string_view path);

// Where a program in a value runs: its directory unless that is HERE, and what was exported.
struct Around {
  std::optional<flyte::Expr> cwd, env;
  std::function<flyte::Expr(const ir::Value&)> path = {}; // of a file
};
// A value as an argument of a command.
[[nodiscard]] flyte::Expr expression(const ir::Job& job, const ir::Value& value,
                                     const Around& around = {});
// The same as text always: for environment variables and file names.
[[nodiscard]] flyte::Expr text_expression(const ir::Job& job, const ir::Value& value,
                                          const Around& around = {});
// The constant that holds a text which stays Bash within what is lifted, where the word is one.
[[nodiscard]] std::optional<std::string> inner_constant(const ir::Job& job, const ir::Value& word);
[[nodiscard]] std::vector<flyte::KeptText> inner_texts(const source::Sources& sources,
                                                       const ir::Job& job);
// A value that is a number, as one.
[[nodiscard]] flyte::Expr number_expression(const ir::Job& job, const ir::Value& value,
                                            const Around& around = {});
// What $( ) and the expansions of the shell give; whether that is text rather than a path or
// number.
[[nodiscard]] flyte::Expr output_of_pipe(const ir::Job& job, const ir::Output& output,
                                         const Around& around);
[[nodiscard]] flyte::Expr output(const ir::Job& job, const ir::Launch& launch,
                                 const Around& around);
[[nodiscard]] flyte::Expr computed(const ir::Job& job, const ir::Computed& computed,
                                   const Around& around);
[[nodiscard]] bool is_text(const ir::Computed& computed);

// Whether Python reads a local, but for what stays Bash.
[[nodiscard]] bool reads_local(const ir::Job& job, const std::string& local);

// Whether the task counts the script's arguments, or takes some of them; all of them as words.
[[nodiscard]] bool takes_arguments(const ir::Job& job, const ir::Parameter& list);
[[nodiscard]] flyte::Expr each_argument(const ir::Job& job, const ir::Parameter& list);

// What a task has in place of a SLURM_* variable that is known when it runs.
[[nodiscard]] std::optional<flyte::Expr> run_time_variable(const ir::Job& job,
                                                           const std::string& name);

// What the script says, line by line as it is written there.
[[nodiscard]] std::vector<flyte::Paragraph> paragraphs(const std::vector<ir::Comment>& comments);

// The image of a job's environment; the comments that stand above it.
struct LoweredImage {
  flyte::Expr value;
  flyte::Notes notes;
};
[[nodiscard]] LoweredImage image(LowerContext& context, const ir::Job& job);

// Puts what the script says of an option to the setting that stands for it:
// cpu=8,  # --cpus-per-task=8: for the loader
void add_comments(const source::Sources& sources, const ir::Job& job,
                  const std::vector<Span>& setting, flyte::Notes& notes);
[[nodiscard]] bool stands_with_setting(const source::Sources& sources, const ir::Job& job,
                                       const ir::Comment& comment);

[[nodiscard]] flyte::Environment environment(LowerContext& context, const ir::Job& job,
                                             flyte::Noted<flyte::Expr> image);

// What a worker of the job's Dask cluster is given: a part of a node where it has several.
[[nodiscard]] flyte::Resources worker_resources(LowerContext& context, const ir::Job& job);
// The constant that holds what a node of the job's Ray cluster, or a worker of Dask's, is given.
[[nodiscard]] std::string ray_node(const ir::Job& job);

// The parameters, those without a default first.
[[nodiscard]] std::vector<flyte::Parameter> parameters(const ir::Job& job);

struct LoweredBody {
  std::vector<flyte::Stmt> statements;
  std::vector<flyte::KeptText> kept;
  std::optional<flyte::Constant> exported; // EXPORTED = {...}
  flyte::Helpers helpers;
  std::string returns = "None";
};
[[nodiscard]] LoweredBody body(LowerContext& context, const ir::Job& job);

// The task of a job.
[[nodiscard]] flyte::Task task(LowerContext& context, const ir::Job& job,
                               std::vector<flyte::Stmt> body, std::string returns);

// The job that stays on Slurm.
struct LoweredSlurmTask {
  flyte::SlurmTask task;
  flyte::KeptText script;
  std::vector<flyte::Constant> inputs; // SUBMIT_ARGUMENTS, where no `main` gives them
};
constexpr const char* submit_arguments = "SUBMIT_ARGUMENTS"; // in the environment of such a job
[[nodiscard]] LoweredSlurmTask slurm_task(LowerContext& context, const ir::Job& job);

// Adds everything of one job to a module, but for its image's variable, which is shared where jobs
// ask for the same.
void add_job(LowerContext& context, const ir::Job& job, flyte::Module& module);

// What the elements of an array are given one by one: the names and what each goes through, the
// index first; `before`: the statements that these need.
struct ElementItems {
  std::vector<flyte::Stmt> before;
  std::vector<std::string> names;
  std::vector<flyte::Arg> over;
};
[[nodiscard]] ElementItems element_items(const ir::Job& job, const std::vector<flyte::Arg>& given,
                                         flyte::Helpers& helpers);

// The parameters of what runs all elements of an array, but for those of its task.
[[nodiscard]] std::vector<flyte::Parameter> array_parameters(const ir::Job& job);
// Whether an element of the array gets the parameter by its index: the index itself, an item.
[[nodiscard]] bool given_by_index(const ir::Job& job, const std::string& parameter);
// Whether each start of the ranks gives the parameter a value of its own.
[[nodiscard]] bool given_by_start(const ir::Job& job, const std::string& parameter);
// The statements that call the task for each start.
[[nodiscard]] std::vector<flyte::Stmt> start_statements(LowerContext& context, const ir::Job& job,
                                                        std::vector<flyte::Arg> given);
// "config is a line of configs.txt", for the docstring
[[nodiscard]] std::vector<std::string> origins_of(const ir::ArrayUse& array);
// The module's constants for the lists that items are taken from.
void add_lists(LowerContext& context, const ir::ArrayUse& array, flyte::Module& module);

// The indices of an array: range(64), range(1, 10, 2) or [1, 5, 9].
[[nodiscard]] flyte::Expr indices(const slurm::ArraySpec& spec);
// `results = flyte.map.aio(...)` and `all_ok([...])`: the statements that run every element.
[[nodiscard]] std::vector<flyte::Stmt> map_statements(const ir::Job& job,
                                                      const std::vector<flyte::Arg>& call_arguments,
                                                      flyte::Helpers& helpers);

// The same for a driver: also where the elements do not read their index, and where the driver
// computes the indices.
[[nodiscard]] std::vector<flyte::Stmt>
array_statements(const ir::Job& job, const std::vector<flyte::Arg>& call_arguments,
                 std::optional<flyte::Expr> computed, flyte::Helpers& helpers);

void merge(flyte::Helpers& into, const flyte::Helpers& other);
// "Train on ...": the module's first line.
[[nodiscard]] std::string summary(const ir::Job& job);

} // namespace s2f::lower
