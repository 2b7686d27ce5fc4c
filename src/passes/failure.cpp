// What happens when a command fails, as Bash has it.
//
// before:  python a.py; python b.py           (no set -e)
// after:   a's status does not matter (S2F410), b's is the job's
//
// The status of a command is looked at where it ends the job, where `$?` or the end of a loop asks
// for it, and nowhere else.
#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "ir/inner_text.hpp"
#include "ir/steps.hpp"
#include "ir/written_text.hpp"
#include "passes/errexit.hpp"
#include "passes/lifting.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

// What becomes of the status of the last command of a list.
struct Use {
  enum class Kind { ignored, job, variable } kind = Kind::ignored;
  std::string variable; // Python's
};

constexpr const char* status_variable = "status";

class Failure {
public:
  explicit Failure(ir::Job& job) : job_(job) {}

  ir::Step* ignored = nullptr; // the first command whose failure is passed over

  // The body itself; errexit holds where it is said.
  void mark(const Use& use, std::vector<bool> errexit) {
    of_body_ = std::move(errexit);
    mark(job_.body, use);
    functions();
    drop_checks(job_.body);
  }

  void mark(std::vector<ir::Step>& steps, const Use& use) {
    std::optional<std::size_t> last = last_status(steps);
    std::vector<ir::Step> result;
    result.reserve(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (&steps == &job_.body) {
        errexit_ = of_body_.at(i);
      }
      Use own = i == last ? use : Use{};
      if (!steps[i].status.empty() && !steps[i].in_region) { // `$?` behind it asks
        own = {Use::Kind::variable, std::exchange(steps[i].status, {})};
      }
      mark(steps[i], own);
      add(std::move(steps[i]), own, result);
    }
    steps = std::move(result);
  }

  void mark(ir::Step& step, const Use& use) {
    if (step.in_region) {
      return;
    }
    if (auto* launch = std::get_if<ir::Launch>(&step.value)) {
      // A rank that fails and says nothing leaves the others waiting for it.
      // One in the task's own process raises what it raises.
      const bool in_session = job_.cluster && job_.cluster->spark() != nullptr &&
                              launch->launcher == "srun" && launch->payload;
      launch->status_matters =
          errexit_ || launch->rank || in_session || launch->or_exit || use.kind == Use::Kind::job;
      if (step.status.empty() && use.kind == Use::Kind::variable) {
        step.status = use.variable;
      }
    } else if (auto* pipeline = std::get_if<ir::Pipeline>(&step.value)) {
      pipeline->status_matters = errexit_ || pipeline->or_exit || use.kind == Use::Kind::job;
      if (step.status.empty() && use.kind == Use::Kind::variable) {
        step.status = use.variable;
      }
    } else if (auto* assign = std::get_if<ir::Assign>(&step.value)) {
      fail_with_last(*assign, errexit_ || use.kind == Use::Kind::job);
      if (use.kind == Use::Kind::variable) {
        step.status = use.variable;
      }
    } else if (auto* branches = std::get_if<ir::If>(&step.value)) {
      mark_if(step, *branches, use);
    } else if (auto* loop = std::get_if<ir::For>(&step.value)) {
      mark_for(*loop, use);
    } else if (auto* beside = std::get_if<ir::Background>(&step.value)) {
      matters(beside->steps.front(), false);
      step.status = use.kind == Use::Kind::variable ? use.variable : "";
    } else if (const auto* wait = std::get_if<ir::Wait>(&step.value)) {
      if (use.kind == Use::Kind::variable) {
        step.status = use.variable;
      } else if (!wait->tasks.empty() && (errexit_ || use.kind == Use::Kind::job)) {
        step.status = status_variable; // `add` looks at it
      }
    } else if (auto* change = std::get_if<ir::ChangeDirectory>(&step.value)) {
      change->status_matters = !change->certain && (errexit_ || use.kind == Use::Kind::job);
      step.status = use.kind == Use::Kind::variable ? use.variable : "";
    } else if (auto* at_exit = std::get_if<ir::AtExit>(&step.value)) {
      mark(at_exit->steps, Use{});
      step.status = use.kind == Use::Kind::variable ? use.variable : "";
    } else if (auto* limit = std::get_if<ir::Limit>(&step.value)) {
      limit->status_matters = errexit_ || use.kind == Use::Kind::job;
      step.status = use.kind == Use::Kind::variable ? use.variable : "";
    } else if (const auto* call = std::get_if<ir::Call>(&step.value)) {
      mark_call(step, *call, use);
    } else if (use.kind == Use::Kind::variable && !std::holds_alternative<ir::Exit>(step.value) &&
               !std::holds_alternative<ir::Return>(step.value) &&
               !std::holds_alternative<ir::Function>(step.value)) {
      step.status = use.variable;
    }
  }

  // The step that decides the status of a list; what keeps the status is passed over.
  static std::optional<std::size_t> last_status(const std::vector<ir::Step>& steps) {
    for (std::size_t i = steps.size(); i-- > 0;) {
      const auto* nothing = std::get_if<ir::Nothing>(&steps[i].value);
      if (nothing == nullptr || !nothing->keeps_status || steps[i].in_region) {
        return i;
      }
    }
    return std::nullopt;
  }

private:
  // Who asks for the status of a function.
  struct Asked {
    bool job = false;      // the end of the job
    bool variable = false; // `$?`, a condition
    bool errexit = false;  // it ends the script where it fails
    bool ignored = false;
  };

  void mark_call(ir::Step& step, const ir::Call& call, const Use& use) {
    Asked& asked = asked_[call.function];
    asked.job |= use.kind == Use::Kind::job;
    asked.variable |= use.kind == Use::Kind::variable;
    asked.errexit |= errexit_;
    asked.ignored |= use.kind == Use::Kind::ignored && !errexit_;
    if (step.status.empty() && use.kind == Use::Kind::variable) {
      step.status = use.variable;
    } else if (step.status.empty() && (errexit_ || use.kind == Use::Kind::job)) {
      step.status = status_variable; // `add` looks at it
    }
  }

  static bool is_call(const ir::Step& step, const std::string& name) {
    const auto* call = std::get_if<ir::Call>(&step.value);
    return call != nullptr && (name.empty() || call->function == name);
  }

  // Those that are called before those that they call.
  void functions() {
    std::vector<ir::Function*> open;
    for (ir::Step& step : job_.body) {
      if (auto* function = std::get_if<ir::Function>(&step.value)) {
        open.push_back(function);
      }
    }
    while (!open.empty()) {
      const auto next = std::ranges::find_if(open, [&](const ir::Function* function) {
        return std::ranges::none_of(open, [&](const ir::Function* other) {
          return other != function && ir::any_step(other->steps, [&](const ir::Step& each) {
                   return is_call(each, function->name);
                 });
        });
      });
      ir::Function& function = **next;
      open.erase(next);
      mark_function(function, asked_[function.name]);
    }
  }

  void mark_function(ir::Function& function, const Asked& asked) {
    errexit_ = asked.errexit;
    const bool returns = ir::any_step(function.steps, [](const ir::Step& each) {
      const auto* value = std::get_if<ir::Return>(&each.value);
      return value != nullptr && (value->status != 0 || !value->variable.empty());
    });
    const bool at_end =
        asked.job && !asked.variable && !asked.ignored && !asked.errexit && !returns;
    function.gives_status = asked.variable || (asked.job && !at_end) ||
                            (asked.errexit && (returns || may_fail(function.steps)));
    const auto early = [&](bool bare) {
      ir::for_each_step(function.steps, [&](ir::Step& each) {
        if (auto* value = std::get_if<ir::Return>(&each.value)) {
          value->bare = bare;
        }
      });
    };
    if (!function.gives_status) {
      early(true);
      mark(function.steps, at_end ? Use{Use::Kind::job, {}} : Use{});
      if (!function.steps.empty() &&
          std::holds_alternative<ir::Return>(function.steps.back().value)) {
        function.steps.back().value = ir::Nothing{};
      }
      return;
    }
    const auto last = last_status(function.steps);
    const bool ends = last && (std::holds_alternative<ir::Return>(function.steps[*last].value) ||
                               std::holds_alternative<ir::Exit>(function.steps[*last].value));
    mark(function.steps, ends ? Use{} : Use{Use::Kind::variable, status_variable});
    if (!ends) {
      ir::Step end;
      end.value = ir::Return{0, last ? status_variable : ""};
      end.span = function.steps.empty() ? Span{} : function.steps.back().span;
      function.steps.push_back(std::move(end));
    }
  }

  // What `add` put behind the calls of functions that end the script themselves.
  void drop_checks(std::vector<ir::Step>& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      ir::for_each_part(steps[i], [&](const std::vector<ir::Step>& part) {
        drop_checks(const_cast<std::vector<ir::Step>&>(part)); // NOLINT
      });
      const auto* call = std::get_if<ir::Call>(&steps[i].value);
      if (call == nullptr || gives_status(call->function)) {
        continue;
      }
      steps[i].status.clear();
      const auto* check =
          i + 1 < steps.size() ? std::get_if<ir::Exit>(&steps[i + 1].value) : nullptr;
      if (check != nullptr && steps[i + 1].statement == nullptr && !check->variable.empty() &&
          steps[i + 1].span == steps[i].span) {
        steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
    }
  }

  [[nodiscard]] bool gives_status(const std::string& name) const {
    return std::ranges::any_of(job_.body, [&](const ir::Step& step) {
      const auto* function = std::get_if<ir::Function>(&step.value);
      return function != nullptr && function->name == name && function->gives_status;
    });
  }

  // Whether the status at the end can be another than 0.
  [[nodiscard]] bool may_fail(const std::vector<ir::Step>& steps) const {
    const auto last = last_status(steps);
    return last && may_fail(steps[*last]);
  }
  [[nodiscard]] bool may_fail(const ir::Step& step) const {
    if (std::holds_alternative<ir::Launch>(step.value) ||
        std::holds_alternative<ir::Pipeline>(step.value)) {
      return !errexit_;
    }
    if (const auto* branches = std::get_if<ir::If>(&step.value)) {
      return (branches->list && branches->is_and) ||
             (branches->otherwise && may_fail(*branches->otherwise)) ||
             std::ranges::any_of(branches->branches,
                                 [&](const ir::Branch& branch) { return may_fail(branch.steps); });
    }
    if (const auto* change = std::get_if<ir::ChangeDirectory>(&step.value)) {
      return !change->certain && !errexit_;
    }
    if (std::holds_alternative<ir::Limit>(step.value)) {
      return !errexit_;
    }
    if (is_call(step, {})) {
      return true;
    }
    if (const auto* wait = std::get_if<ir::Wait>(&step.value)) {
      return !wait->tasks.empty() && !errexit_;
    }
    const auto* loop = std::get_if<ir::For>(&step.value);
    return loop != nullptr && may_fail(loop->steps);
  }

  static ir::Step made(std::variant<ir::Nothing, ir::Exit> value, std::string status,
                       const ir::Step& beside) {
    ir::Step step;
    std::visit([&](auto& each) { step.value = each; }, value);
    step.span = beside.span;
    step.status = std::move(status);
    return step;
  }

  // A loop, or a list, at the end of the job: its status is kept, and ends the job behind it.
  void add(ir::Step step, const Use& use, std::vector<ir::Step>& to) const {
    if (is_call(step, {}) && !step.in_region &&
        (errexit_ || use.kind == Use::Kind::job)) { // as far as it gives one: `drop_checks`
      ir::Step check = made(ir::Exit{0, step.status, true}, {}, step);
      to.push_back(std::move(step));
      to.push_back(std::move(check));
      return;
    }
    const bool loop = std::holds_alternative<ir::For>(step.value);
    const bool kept = loop && !step.in_region && may_fail(step);
    const std::string name = use.kind == Use::Kind::variable ? use.variable : status_variable;
    if (!loop || use.kind == Use::Kind::ignored) {
      const auto* branches = std::get_if<ir::If>(&step.value);
      const bool ends_with =
          branches != nullptr && use.kind == Use::Kind::job && branches->status == status_variable;
      const auto* wait = std::get_if<ir::Wait>(&step.value);
      const bool waits =
          wait != nullptr && !wait->tasks.empty() && (errexit_ || use.kind == Use::Kind::job);
      const bool list = !step.in_region && (ends_with || waits);
      ir::Step end = made(ir::Exit{0, waits ? step.status : status_variable, true}, {}, step);
      to.push_back(std::move(step));
      if (list) {
        to.push_back(std::move(end));
      }
      return;
    }
    ir::Step begin = made(ir::Nothing{}, name, step);
    ir::Step end = made(ir::Exit{0, name, true}, {}, step);
    const bool begun = name == of_loop_ && runs_always(std::get<ir::For>(step.value));
    if ((kept || use.kind == Use::Kind::variable) && !begun) {
      to.push_back(std::move(begin));
    }
    to.push_back(std::move(step));
    if (kept && use.kind == Use::Kind::job) {
      to.push_back(std::move(end));
    }
  }

  // A loop over what is there for certain, whose body gives the status each time.
  static bool runs_always(const ir::For& loop) {
    const auto last = last_status(loop.steps);
    return !loop.condition && !loop.lines && last && !loop.steps[*last].in_region &&
           std::ranges::any_of(loop.items, [](const ir::Value& item) { return !!item.text(); });
  }

  void mark_for(ir::For& loop, const Use& use) {
    Use inner = use;
    if (use.kind == Use::Kind::job) {
      inner = may_fail(loop.steps) ? Use{Use::Kind::variable, status_variable} : Use{};
    }
    if (loop.condition) {
      mark_condition(*loop.condition);
    }
    const std::string outer =
        std::exchange(of_loop_, inner.kind == Use::Kind::variable ? inner.variable : std::string());
    mark(loop.steps, inner);
    of_loop_ = outer;
    if (inner.kind == Use::Kind::variable) {
      leaves_with(loop.steps, inner.variable);
    }
  }

  // `break` and `continue` succeed.
  static void leaves_with(std::vector<ir::Step>& steps, const std::string& variable) {
    for (ir::Step& step : steps) {
      if (std::holds_alternative<ir::LeaveLoop>(step.value)) {
        step.status = variable;
      } else if (auto* branches = std::get_if<ir::If>(&step.value)) {
        for (ir::Branch& branch : branches->branches) {
          leaves_with(branch.steps, variable);
        }
        if (branches->otherwise) {
          leaves_with(*branches->otherwise, variable);
        }
      }
    }
  }

  void mark_if(const ir::Step& step, ir::If& command, Use use) {
    mark(command.after, use);
    for (ir::Branch& branch : command.branches) {
      mark_condition(branch.condition);
    }
    if (command.list && command.is_and && use.kind != Use::Kind::ignored) {
      mark_and(step, command, use);
      return;
    }
    for (ir::Branch& branch : command.branches) {
      mark(branch.steps, use);
    }
    if (command.otherwise) {
      mark(*command.otherwise, use);
    } else if (use.kind == Use::Kind::variable) {
      command.otherwise.emplace();
      command.otherwise->push_back(made(ir::Nothing{}, use.variable, step));
    }
  }

  // `a && b`, whose status is asked for: a's, where it fails.
  void mark_and(const ir::Step& step, ir::If& command, const Use& use) {
    ir::Branch& branch = command.branches.front();
    const bool tests = only_tests(branch.condition);
    const auto* alone = std::get_if<ir::Succeeds>(&branch.condition.value);
    const bool ends = alone != nullptr && !is_call(alone->steps.front(), {});
    if (use.kind == Use::Kind::job && (tests || ends)) {
      mark(branch.steps, use);
      command.ends = !tests;
      if (tests) {
        command.otherwise.emplace();
        command.otherwise->push_back(made(ir::Exit{1, {}, true}, {}, step));
      } else {
        matters(std::get<ir::Succeeds>(branch.condition.value).steps.front(), true);
      }
      return;
    }
    command.status = use.kind == Use::Kind::variable ? use.variable : status_variable;
    mark(branch.steps, {Use::Kind::variable, command.status});
  }

  void matters(ir::Step& step, bool status) {
    if (const auto* call = std::get_if<ir::Call>(&step.value)) {
      asked_[call->function].variable = true;
    } else if (auto* assign = std::get_if<ir::Assign>(&step.value)) {
      fail_with_last(*assign, status);
    } else if (auto* launch = std::get_if<ir::Launch>(&step.value)) {
      launch->status_matters = status;
    } else if (auto* pipeline = std::get_if<ir::Pipeline>(&step.value)) {
      pipeline->status_matters = status;
    }
  }

  static bool lone_command(const ir::Condition& condition) {
    return std::holds_alternative<ir::Succeeds>(condition.value);
  }

  static bool only_tests(const ir::Condition& condition) {
    const auto all = [](const std::vector<ir::Condition>& operands) {
      return std::ranges::all_of(operands, only_tests);
    };
    if (const auto* negated = std::get_if<ir::Not>(&condition.value)) {
      return negated->operand.size() == 1; // the status of `! command` is 0 or 1
    }
    if (const auto* operands = std::get_if<ir::AllOf>(&condition.value)) {
      return all(operands->operands);
    }
    if (const auto* operands = std::get_if<ir::AnyOf>(&condition.value)) {
      return all(operands->operands);
    }
    return !lone_command(condition);
  }

  // A command that is a condition ends nothing.
  void mark_condition(ir::Condition& condition) {
    const auto each = [&](std::vector<ir::Condition>& operands) {
      for (ir::Condition& operand : operands) {
        mark_condition(operand);
      }
    };
    if (auto* succeeds = std::get_if<ir::Succeeds>(&condition.value)) {
      matters(succeeds->steps.front(), false);
    } else if (auto* negated = std::get_if<ir::Not>(&condition.value)) {
      each(negated->operand);
    } else if (auto* all = std::get_if<ir::AllOf>(&condition.value)) {
      each(all->operands);
    } else if (auto* any = std::get_if<ir::AnyOf>(&condition.value)) {
      each(any->operands);
    }
  }

  ir::Job& job_;
  bool errexit_ = false;
  std::vector<bool> of_body_;          // by the step
  std::map<std::string, Asked> asked_; // by the function
  std::string of_loop_; // the variable of the loop around, which has a value before it
};

// The first command that fails without notice; not one that a condition asks.
ir::Step* first_ignored(std::vector<ir::Step>& steps) {
  for (ir::Step& step : steps) {
    if (step.in_region) {
      continue;
    }
    const auto* launch = std::get_if<ir::Launch>(&step.value);
    const auto* pipeline = std::get_if<ir::Pipeline>(&step.value);
    if (launch != nullptr && (ir::is_here_document(*launch) || ir::echoed_to_file(*launch))) {
      continue; // the task writes the text itself
    }
    if (step.status.empty() && ((launch != nullptr && !launch->status_matters) ||
                                (pipeline != nullptr && !pipeline->status_matters))) {
      return &step;
    }
    ir::Step* inner = nullptr;
    if (auto* branches = std::get_if<ir::If>(&step.value)) {
      for (ir::Branch& branch : branches->branches) {
        inner = inner != nullptr ? inner : first_ignored(branch.steps);
      }
      if (inner == nullptr && branches->otherwise) {
        inner = first_ignored(*branches->otherwise);
      }
    } else if (auto* loop = std::get_if<ir::For>(&step.value)) {
      inner = first_ignored(loop->steps);
    } else if (auto* function = std::get_if<ir::Function>(&step.value)) {
      inner = first_ignored(function->steps);
    }
    if (inner != nullptr) {
      return inner;
    }
  }
  return nullptr;
}

} // namespace

void failure(PassContext& context) {
  ir::Job& job = context.job;
  if (const auto answer = context.answers.text("errors", "", "errexit");
      answer && answer->value == "strict") {
    job.errexit = true;
  }
  const auto last = Failure::last_status(job.body);
  if (!last) {
    return;
  }
  const std::vector<bool> errexit = errexit_at(job);
  const bool everywhere = std::ranges::all_of(errexit, std::identity{});
  // What is added before a region moves it.
  std::vector<std::pair<const shell::Statement*, const shell::Statement*>> regions;
  regions.reserve(job.kept.size());
  for (ir::KeptRegion& region : job.kept) {
    if (ir::is_inner(region)) {
      regions.emplace_back(nullptr, nullptr);
      continue;
    }
    region.status_matters = errexit.at(region.last_step) || region.holds(*last) ||
                            (job.cluster && job.cluster->ranks());
    regions.emplace_back(job.body[region.first_step].statement,
                         job.body[region.last_step].statement);
  }
  Failure(job).mark({Use::Kind::job, {}}, errexit);
  std::map<const shell::Statement*, std::size_t> places; // where each stands first
  for (std::size_t i = 0; i < job.body.size(); ++i) {
    places.emplace(job.body[i].statement, i);
  }
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (ir::is_inner(job.kept[i])) {
      continue;
    }
    job.kept[i].first_step = places.at(regions[i].first);
    job.kept[i].last_step = places.at(regions[i].second);
  }
  ir::Step* ignored = everywhere ? nullptr : first_ignored(job.body);
  if (ignored == nullptr) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F410";
  finding.span = ignored->span;
  finding.message = fmt::format("{} has no `set -e`: when this command fails, the job goes on.",
                                job.path.substr(job.path.find_last_of('/') + 1));
  finding.slurm_does = "The job's state is the status of its last command.";
  finding.output_does = "The same: check=False lets the task go on.";
  context.findings.add(std::move(finding));
  ignored->reviews.push_back(review_comment(
      "S2F410", fmt::format("no `set -e`: when this fails ({}), the job goes on, and its last "
                            "command decides. check=True would end it here.",
                            context.at(ignored->span))));
}

} // namespace s2f::passes
