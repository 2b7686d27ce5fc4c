// Commands that run side by side: which of them asyncio.gather takes as they are.
//
// before:  Background{Launch{a}}, Background{Launch{b}}, Wait
// after:   await asyncio.gather(run("a", check=False), run("b", check=False))
#include "lower/background.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

#include "ir/steps.hpp"

namespace s2f::lower {

namespace {

bool beside(const ir::Step& step) {
  return std::holds_alternative<ir::Background>(step.value) && !step.in_region;
}

// One that needs no file of its own and that nothing else waits for.
bool plain(const ir::Step& step) {
  const auto* background = std::get_if<ir::Background>(&step.value);
  if (background == nullptr || !background->task.empty() || background->queues || step.in_region ||
      !step.status.empty()) {
    return false;
  }
  const auto* launch = std::get_if<ir::Launch>(&background->steps.front().value);
  return launch == nullptr ||
         std::ranges::none_of(launch->redirections,
                              [](const ir::Redirection& each) { return each.to_file(); });
}

bool plain_loop(const ir::Step& step) {
  const auto* loop = std::get_if<ir::For>(&step.value);
  return loop != nullptr && !loop->condition && loop->before.empty() && !step.in_region &&
         loop->steps.size() == 1 && plain(loop->steps.front());
}

bool waits(const ir::Step& step) {
  const auto* wait = std::get_if<ir::Wait>(&step.value);
  return wait != nullptr && wait->tasks.empty() && !step.in_region;
}

std::size_t count(const ir::Step& step) {
  std::size_t result = beside(step) ? 1 : 0;
  ir::for_each_part(step, [&](const std::vector<ir::Step>& inner) {
    for (const ir::Step& each : inner) {
      result += count(each);
    }
  });
  return result;
}

std::size_t count_gathered(const std::vector<ir::Step>& steps) {
  std::size_t result = 0;
  for (std::size_t i = 0; i < steps.size();) {
    const std::size_t together = gathered(steps, i);
    if (together > 0) {
      result += together - 1;
      i += together;
      continue;
    }
    ir::for_each_part(steps[i],
                      [&](const std::vector<ir::Step>& inner) { result += count_gathered(inner); });
    ++i;
  }
  return result;
}

} // namespace

std::size_t gathered(const std::vector<ir::Step>& steps, std::size_t first) {
  std::size_t i = first;
  while (i < steps.size() && (plain(steps[i]) || plain_loop(steps[i]))) {
    ++i;
  }
  return i > first && i < steps.size() && waits(steps[i]) ? i - first + 1 : 0;
}

bool all_gathered(const std::vector<ir::Step>& steps) {
  std::size_t all = 0;
  for (const ir::Step& step : steps) {
    all += count(step);
  }
  return all > 0 && all == count_gathered(steps);
}

bool waits_for_all(const std::vector<ir::Step>& steps) {
  return std::ranges::any_of(steps, [](const ir::Step& step) { return ir::any_step(step, waits); });
}

std::optional<flyte::Expr> numbers(const std::vector<ir::Value>& words) {
  constexpr std::size_t few = 6;
  if (words.size() <= few) {
    return std::nullopt;
  }
  std::vector<std::int64_t> values;
  for (const ir::Value& word : words) {
    const std::string text = word.text().value_or("");
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || std::to_string(value) != text) {
      return std::nullopt;
    }
    values.push_back(value);
  }
  const std::int64_t step = values[1] - values[0];
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (step == 0 || values[i] - values[i - 1] != step) {
      return std::nullopt;
    }
  }
  const auto number = [](std::int64_t value) {
    return value < 0 ? flyte::Expr{flyte::Unary{"-", flyte::number(std::to_string(-value))}}
                     : flyte::number(std::to_string(value));
  };
  std::vector<flyte::Arg> arguments;
  if (values.front() != 0 || step != 1) {
    arguments.push_back(flyte::arg(number(values.front())));
  }
  arguments.push_back(flyte::arg(number(values.back() + (step > 0 ? 1 : -1))));
  if (step != 1) {
    arguments.push_back(flyte::arg(number(step)));
  }
  return flyte::call("map", {flyte::arg(flyte::name("str")),
                             flyte::arg(flyte::call("range", std::move(arguments)))});
}

flyte::Expr gather(std::vector<flyte::Arg> awaited) {
  return flyte::await(flyte::call("asyncio.gather", std::move(awaited)));
}

} // namespace s2f::lower
