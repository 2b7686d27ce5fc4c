// How many steps of srun run side by side, and which GPUs each of them sees.
//
// Slurm lets a step in the background wait until the job has the CPUs and the GPUs that it asks
// for (seen of 22.05: with --exact, --exclusive or --cpus-per-task, as many as fit; with --overlap
// all; else each takes the whole job), and shows each step its own GPUs alone.
//
// before:  #SBATCH --ntasks=4    for i in $(seq 100); do srun -n1 --exact ./a $i & done; wait
// after:   Job::room{4 places}, each Background queues
// before:  #SBATCH --gres=gpu:2  srun -n1 --gpus=1 ./a & srun -n1 --gpus=1 ./b & wait
// after:   Launch{CUDA_VISIBLE_DEVICES=0 ./a}, Launch{CUDA_VISIBLE_DEVICES=1 ./b}, S2F484
#include "passes/step_room.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/walk.hpp"
#include "ir/steps.hpp"
#include "passes/pipeline.hpp"
#include "passes/slurm_commands.hpp"

namespace s2f::passes {

namespace {

constexpr std::int64_t many = std::numeric_limits<std::int64_t>::max();

std::int64_t times(std::int64_t a, std::int64_t b) { return a == many || b == many ? many : a * b; }
std::int64_t plus(std::int64_t a, std::int64_t b) { return a == many || b == many ? many : a + b; }

// How often a loop goes round, as far as the script says.
std::int64_t rounds(const ir::For& loop) {
  const bool counted = !loop.condition && !loop.lines && !loop.range &&
                       std::ranges::all_of(loop.items, [](const ir::Value& each) {
                         return each.text().has_value();
                       });
  return counted ? static_cast<std::int64_t>(loop.items.size()) : many;
}

class StepRoom {
public:
  explicit StepRoom(PassContext& context) : context_(context), job_(context.job) {
    const slurm::Component& component = context.component();
    const slurm::Resolved& asked = component.resolved;
    if (!asked.exclusive) { // else it has the CPUs of the node, however many
      cpus_ = component.share.cpus.value_or(asked.ntasks * asked.cpus_per_task);
    }
    gpus_ = component.share.gpus.value_or(0);
  }

  void run() {
    if (!has_one_node(context_.component()) || job_.cluster) {
      return;
    }
    for (std::vector<Step>& group : collect()) {
      if (!group.empty()) {
        lifted(group);
        steps_.insert(steps_.end(), group.begin(), group.end());
      }
    }
    kept();
    others();
  }

private:
  struct Step {
    ir::Background* beside = nullptr;
    ir::Launch* launch = nullptr;
    Span span{};
    std::int64_t times = 1;
  };

  // How often each step of the body comes by, those in functions any number of times.
  void count(const std::vector<ir::Step>& steps, std::int64_t often) {
    for (const ir::Step& step : steps) {
      often_[&step] = often;
      const auto* loop = std::get_if<ir::For>(&step.value);
      const bool function = std::holds_alternative<ir::Function>(step.value);
      const std::int64_t inner = times(often, loop != nullptr ? rounds(*loop)
                                              : function      ? many
                                                              : 1);
      ir::for_each_part(step, [&](const std::vector<ir::Step>& each) { count(each, inner); });
    }
  }

  // The steps in the background that the task starts itself, those together which no `wait`
  // parts.
  [[nodiscard]] std::vector<std::vector<Step>> collect() {
    count(job_.body, 1);
    std::vector<std::vector<Step>> groups(1);
    const auto own = [&](const ir::Step& step) { // no part of another step
      return std::ranges::any_of(job_.body, [&](const ir::Step& each) { return &each == &step; });
    };
    ir::for_each_step(job_.body, [&](ir::Step& step) {
      if (const auto* wait = std::get_if<ir::Wait>(&step.value);
          wait != nullptr && wait->tasks.empty() && own(step)) {
        groups.emplace_back();
      }
      auto* beside = std::get_if<ir::Background>(&step.value);
      auto* launch =
          beside == nullptr ? nullptr : std::get_if<ir::Launch>(&beside->steps.front().value);
      if (launch != nullptr && launch->size && !step.in_region) {
        groups.back().push_back({beside, launch, step.span, often_.at(&step)});
      }
    });
    return groups;
  }

  // Places beside each other for steps of that size; `many` where nothing bounds them.
  [[nodiscard]] std::int64_t places(const ir::StepSize& size) const {
    if (size.overlap) {
      return many;
    }
    std::int64_t result = many;
    if (cpus_ > 0) {
      result = std::max<std::int64_t>(1, cpus_ / std::max<std::int64_t>(1, size.cpus));
    }
    if (own_gpus(size)) {
      result = std::min(result, gpus_ / *size.gpus);
    }
    return result;
  }

  // Whether it sees fewer GPUs than the job has.
  [[nodiscard]] bool own_gpus(const ir::StepSize& size) const {
    return gpus_ > 0 && size.gpus && *size.gpus > 0 && *size.gpus < gpus_;
  }

  [[nodiscard]] bool takes_all(const ir::StepSize& size) const {
    return !size.overlap && (!size.exact || (gpus_ > 0 && size.gpus.value_or(gpus_) >= gpus_));
  }

  void lifted(const std::vector<Step>& group) {
    std::int64_t all = 0;
    std::int64_t room = many;
    for (const Step& step : group) {
      all = plus(all, step.launch->size->overlap ? 0 : step.times);
      room = std::min(room, places(*step.launch->size));
    }
    const auto first = group.front().launch->size->gpus;
    const bool same = std::ranges::all_of(
        group, [&](const Step& step) { return step.launch->size->gpus == first; });
    const bool own =
        std::ranges::any_of(group, [&](const Step& step) { return own_gpus(*step.launch->size); });
    if (own && same) {
      show_gpus(group, *first, all, room);
    } else if (all > room) {
      queue(group, room, 0);
    }
    if (own && !same) {
      say_gpus(group.front().span);
    }
    const auto whole = std::ranges::find_if(
        group, [&](const Step& step) { return takes_all(*step.launch->size); });
    if (whole != group.end() && all > 1) {
      say_one_by_one(*whole, std::min(all, room));
    }
  }

  // Numbers of their own where each has its GPUs for itself; else places that are given back.
  void show_gpus(const std::vector<Step>& group, std::int64_t each, std::int64_t all,
                 std::int64_t room) {
    const bool once = std::ranges::all_of(group, [](const Step& step) { return step.times == 1; });
    if (!once || all > room || all > gpus_ / each) {
      queue(group, room, each);
      return;
    }
    std::int64_t next = 0;
    for (const Step& step : group) {
      step.launch->environment.push_back(
          {std::string(gpu_variable), ir::Value::of(gpu_numbers(next, each), step.span)});
      next += each;
    }
  }

  void queue(const std::vector<Step>& group, std::int64_t room, std::int64_t gpus) {
    if (job_.room && (job_.room->places != room || job_.room->gpus != gpus)) {
      say_all_at_once(group.front().span, room, "These steps start all at once.");
      return;
    }
    std::vector<std::string> how;
    for (const char* name : {"ntasks", "ntasks-per-node", "cpus-per-task", "gres", "gpus",
                             "gpus-per-node", "gpus-per-task"}) {
      if (const auto* use = context_.winner(name); use != nullptr && use->value) {
        how.push_back(fmt::format("--{}={}", name, *use->value));
      }
    }
    job_.room = ir::Room{room, gpus, fmt::format("{}", fmt::join(how, " "))};
    for (const Step& step : group) {
      step.beside->queues = !step.launch->size->overlap;
    }
  }

  void say_one_by_one(const Step& step, std::int64_t room) {
    review::Finding finding;
    finding.rule = "S2F484";
    finding.span = step.span;
    const bool gpus = step.launch->size->exact;
    finding.message = gpus ? "srun names no GPUs of this step, which runs beside others."
                           : "srun in the background, without --exact or --overlap.";
    finding.slurm_does = fmt::format(
        "Such a step takes all {} of the job: from 20.11 on Slurm runs one after the other.",
        gpus ? "GPUs" : "CPUs");
    finding.output_does = room == many
                              ? "They run side by side."
                              : fmt::format("They run side by side, at most {} at once.", room);
    context_.findings.add(std::move(finding));
  }

  void say_gpus(const Span& span) {
    said_.push_back(span);
    review::Finding finding;
    finding.rule = "S2F485";
    finding.span = span;
    finding.message = "Steps that run side by side had GPUs of their own.";
    finding.slurm_does = "It shows each step as many GPUs as its srun asks for, and no other.";
    finding.output_does = "Each sees all GPUs of the task: set CUDA_VISIBLE_DEVICES for each.";
    context_.findings.add(std::move(finding));
  }

  // Kept Bash starts all that it puts into the background at once.
  void kept() {
    for (const ir::Step& step : job_.body) {
      if (!step.in_region || step.statement == nullptr) {
        continue;
      }
      std::vector<Span> loops;
      analysis::Visitor visitor;
      visitor.statement = [&](const shell::Statement& inner) {
        const bool loop = std::holds_alternative<shell::For>(inner.value) ||
                          std::holds_alternative<shell::ArithmeticFor>(inner.value) ||
                          std::holds_alternative<shell::While>(inner.value);
        if (loop) {
          loops.push_back(inner.span);
        }
        const auto size = inner.background ? size_in(inner.span) : std::nullopt;
        const bool again =
            std::ranges::any_of(loops, [&](const Span& each) { return each.contains(inner.span); });
        if (size && own_gpus(*size)) {
          say_gpus(inner.span);
        } else if (size && again && places(*size) != many) {
          say_all_at_once(inner.span, places(*size),
                          "A loop in kept Bash starts its steps all at once.");
        }
      };
      analysis::walk(*step.statement, visitor);
    }
  }

  // Steps with GPUs of their own that may run beside each other in another way: in a function.
  void others() {
    for (const ir::SrunStep& step : job_.srun_steps) {
      const auto in = [&](const Span& span) { return span.contains(step.prefix); };
      const bool shown =
          std::ranges::any_of(step.environment,
                              [](const auto& each) { return each.first == gpu_variable; }) ||
          std::ranges::any_of(said_, in) ||
          std::ranges::any_of(steps_, [&](const Step& each) { return in(each.span); });
      if (step.size && own_gpus(*step.size) && !shown) {
        say_gpus(step.prefix);
      }
    }
  }

  // Of the step that a statement in the background is.
  [[nodiscard]] std::optional<ir::StepSize> size_in(const Span& span) const {
    const auto found = std::ranges::find_if(job_.srun_steps, [&](const ir::SrunStep& each) {
      return each.size && span.contains(each.prefix);
    });
    return found == job_.srun_steps.end() ? std::nullopt : found->size;
  }

  void say_all_at_once(const Span& span, std::int64_t room, std::string message) {
    review::Finding finding;
    finding.rule = "S2F485";
    finding.span = span;
    finding.message = std::move(message);
    finding.slurm_does =
        fmt::format("At most {} of these steps run at once; srun waits with the others.", room);
    finding.output_does = "All of them run at once, and share the CPUs and the memory of the task.";
    context_.findings.add(std::move(finding));
  }

  PassContext& context_;
  ir::Job& job_;
  std::int64_t cpus_ = 0; // 0: not known
  std::int64_t gpus_ = 0;
  std::vector<Step> steps_;
  std::map<const ir::Step*, std::int64_t> often_;
  std::vector<Span> said_; // what say_gpus was told
};

} // namespace

std::string gpu_numbers(std::int64_t first, std::int64_t count) {
  std::string result;
  for (std::int64_t i = first; i < first + count; ++i) {
    result += fmt::format("{}{}", i == first ? "" : ",", i);
  }
  return result;
}

void step_room(PassContext& context) { StepRoom(context).run(); }

} // namespace s2f::passes
