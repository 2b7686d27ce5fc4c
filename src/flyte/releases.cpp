// Which releases of the flyte SDK take a module, and how an older one spells what it holds.
#include "flyte/releases.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "flyte/walk.hpp"
#include "generated/tables/flyte_releases.hpp"

namespace s2f::flyte {

namespace {

using Kind = tables::FlyteReleasesKind;
using Row = tables::FlyteReleasesRow;

constexpr std::size_t parts = 3; // major.minor.patch

// Nothing where the text is no release.
std::optional<std::array<int, parts>> numbers_of(std::string_view text) {
  std::array<int, parts> numbers{};
  std::size_t count = 0;
  for (const char* at = text.data(); count < parts; ++count) {
    const char* end = text.data() + text.size();
    const auto [next, error] = std::from_chars(at, end, numbers.at(count));
    if (error != std::errc{} || *at == '-') {
      return std::nullopt;
    }
    if (next == end) {
      return count == 0 ? std::nullopt : std::optional(numbers);
    }
    if (*next != '.') {
      return std::nullopt;
    }
    at = next + 1;
  }
  return std::nullopt;
}

const Row* row_of(std::string_view name, Kind kind) {
  const Row* row = tables::find_flyte_releases(name);
  return row != nullptr && row->kind == kind ? row : nullptr;
}

// "A100_80G:2": the row of A100_80G.
const Row* accelerator_of(const Expr& value) {
  const auto* text = std::get_if<Str>(&value.value);
  return text == nullptr ? nullptr
                         : row_of(std::string_view(text->value).substr(0, text->value.find(':')),
                                  Kind::accelerator);
}

// `text` in "NAME:COUNT" by the name that the release knows it by.
void respell(std::optional<Noted<Expr>>& gpu, std::string_view release) {
  const Row* row = gpu ? accelerator_of(gpu->value) : nullptr;
  if (row != nullptr && row->before && is_older(release, row->since)) {
    auto& text = std::get<Str>(gpu->value.value).value;
    text.replace(0, row->name.size(), *row->before);
  }
}

} // namespace

bool is_release(std::string_view text) { return numbers_of(text).has_value(); }

bool is_older(std::string_view left, std::string_view right) {
  return numbers_of(left) < numbers_of(right);
}

std::string_view oldest_release() { return row_of("include", Kind::field)->since; }

std::vector<Need> needs(const Module& module) {
  std::set<const Row*> met;
  const auto meet = [&](const Row* row) {
    if (row != nullptr) {
      met.insert(row);
    }
  };
  const Walker walker{
      .use = [&](std::string_view name) { meet(row_of(name, Kind::name)); },
      .member = [&](std::string_view name) { meet(row_of(name, Kind::member)); },
      .argument = [&](const Arg& argument) { meet(accelerator_of(argument.value)); }};
  walker.top(module);
  for (const Environment& each : module.environments) {
    meet(each.resources.gpu ? accelerator_of(each.resources.gpu->value) : nullptr);
  }
  for (const Task& each : module.tasks) {
    walker.statements(each.body);
  }
  std::vector<Need> needs;
  needs.reserve(met.size());
  for (const Row* row : met) {
    needs.push_back({row->since, row->name});
  }
  std::ranges::sort(needs, [](const Need& left, const Need& right) {
    return left.since == right.since ? left.what < right.what : is_older(right.since, left.since);
  });
  return needs;
}

void spell_for(Module& module, std::string_view release) {
  for (Environment& each : module.environments) {
    respell(each.resources.gpu, release);
  }
}

} // namespace s2f::flyte
