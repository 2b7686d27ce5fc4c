// The starts of a program whose ranks are several tasks' worth, one after the other.
//
// before:  Starts{fold: 0, 1, 2}
// after:   for fold in ("0", "1"): await asyncio.gather(train(fold), return_exceptions=True)
//          await train("2")
#include <algorithm>

#include <fmt/format.h>

#include "lower/parts.hpp"

namespace s2f::lower {

namespace {

// The parameter of the task that stands for a variable of the script.
std::string parameter_of(const ir::Job& job, const std::string& variable) {
  const auto found = std::ranges::find(job.parameters, "$" + variable, &ir::Parameter::origin);
  return found == job.parameters.end() ? variable : found->name;
}

class StartsOfJob {
public:
  StartsOfJob(LowerContext& context, const ir::Job& job, std::vector<flyte::Arg> given)
      : context_(context), job_(job), given_(std::move(given)) {}

  std::vector<flyte::Stmt> statements() {
    const auto& runs = job_.starts->runs;
    for (std::size_t i = 0; i < runs.size();) {
      const bool goes_on = survives(i);
      std::size_t end = i + 1;
      while (end < runs.size() && survives(end) == goes_on) {
        ++end;
      }
      several(i, end, goes_on);
      i = end;
    }
    return std::move(out_);
  }

private:
  // Whether the job goes on where the start fails.
  [[nodiscard]] bool survives(std::size_t run) const {
    const auto& runs = job_.starts->runs;
    return !job_.errexit && !runs[run].must && run + 1 < runs.size();
  }

  // Without `set -e` the next start begins though this one fails.
  flyte::Stmt call(std::vector<flyte::Arg> values, const std::vector<Span>& spans, bool goes_on) {
    values.insert(values.end(), given_.begin(), given_.end());
    flyte::Expr started = flyte::call(job_.function, std::move(values));
    flyte::Stmt result;
    if (goes_on) {
      started =
          flyte::call("asyncio.gather", {flyte::arg(std::move(started)),
                                         flyte::arg("return_exceptions", flyte::name("True"))});
      result.notes.above.emplace_back("no `set -e`: when this one fails, the next begins");
    }
    result.value = flyte::ExprStmt{flyte::await(std::move(started))};
    result.notes.spans = spans;
    return result;
  }

  // One call, or a loop of calls that end alike.
  void several(std::size_t from, std::size_t end, bool goes_on) {
    const ir::Starts& starts = *job_.starts;
    std::vector<Span> spans;
    for (std::size_t i = from; i < end; ++i) {
      if (spans.empty() || !(spans.back() == starts.runs[i].span)) {
        spans.push_back(starts.runs[i].span);
      }
    }
    const auto text = [&](std::size_t run, std::size_t k) {
      return flyte::str(starts.runs[run].values[k]);
    };
    std::vector<flyte::Arg> values;
    const bool one = end - from == 1;
    for (std::size_t k = 0; k < starts.variables.size(); ++k) {
      const std::string name = parameter_of(job_, starts.variables[k]);
      values.push_back(flyte::arg(name, one ? text(from, k) : flyte::name(name)));
    }
    std::vector<flyte::Stmt> body;
    body.push_back(call(std::move(values), spans, goes_on));
    if (one) {
      out_.push_back(std::move(body.front()));
      return;
    }
    flyte::ForStmt loop;
    flyte::TupleExpr list;
    for (std::size_t i = from; i < end; ++i) {
      if (starts.variables.size() == 1) {
        list.elements.push_back(flyte::arg(text(i, 0)));
        continue;
      }
      flyte::TupleExpr each;
      for (std::size_t k = 0; k < starts.variables.size(); ++k) {
        each.elements.push_back(flyte::arg(text(i, k)));
      }
      list.elements.push_back(flyte::arg(flyte::Expr{std::move(each)}));
    }
    loop.iterable = flyte::Expr{std::move(list)};
    for (const std::string& variable : starts.variables) {
      loop.target += (loop.target.empty() ? "" : ", ") + parameter_of(job_, variable);
    }
    if (starts.variables.empty()) { // each is the same
      loop.target = "_";
      loop.iterable =
          flyte::call("range", {flyte::arg(flyte::number(fmt::format("{}", end - from)))});
    }
    loop.body = std::move(body);
    flyte::Stmt result{std::move(loop), {}};
    result.notes.trailing =
        lines(context_.sources, Span{spans.front().source, spans.front().begin, spans.back().end});
    result.notes.spans = spans;
    out_.push_back(std::move(result));
  }

  LowerContext& context_;
  const ir::Job& job_;
  std::vector<flyte::Arg> given_;
  std::vector<flyte::Stmt> out_;
};

} // namespace

bool given_by_start(const ir::Job& job, const std::string& parameter) {
  return job.starts && std::ranges::any_of(job.starts->variables, [&](const std::string& each) {
           return parameter_of(job, each) == parameter;
         });
}

std::vector<flyte::Stmt> start_statements(LowerContext& context, const ir::Job& job,
                                          std::vector<flyte::Arg> given) {
  return StartsOfJob(context, job, std::move(given)).statements();
}

} // namespace s2f::lower
