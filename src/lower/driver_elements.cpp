// The elements of an array as jobs of their own, which others wait for one by one.
//
// before:  Submission{a, by_element}, Submission{b, waits for a, each}
// after:   a_jobs = [asyncio.create_task(after(partial(a, index=index))) for index in range(8)]
//          b_jobs = [... ok=[earlier] ... for index, earlier in zip(range(8), a_jobs, strict=True)]
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lower/driver_main.hpp"

namespace s2f::lower {

const std::vector<std::int64_t>& Main::indices_of(const std::string& name) const {
  for (const ir::DriverStep& step : driver_.steps) {
    const auto* submitted = std::get_if<ir::Submitted>(&step.value);
    if (submitted != nullptr && submitted->name == name) {
      return job(driver_.submissions[submitted->submission]).array->spec.indices;
    }
  }
  static const std::vector<std::int64_t> none;
  return none;
}

// The one element that a job waits for.
flyte::Expr Main::element(const ir::Dependency& dependency) {
  if (dependency.each) {
    return flyte::name(earlier_.at(dependency.jobs.text));
  }
  const auto& indices = indices_of(dependency.jobs.text);
  flyte::Expr jobs = flyte::name(terms_.name_of(dependency.jobs.text));
  if (const auto index = ir::terms::constant_integer(*dependency.element)) {
    const auto place = std::ranges::find(indices, *index) - indices.begin();
    return flyte::Expr{flyte::Subscript{std::move(jobs), flyte::number(fmt::format("{}", place))}};
  }
  flyte::Expr place = terms_.expression(*dependency.element);
  if (dependency.element->type != ir::Term::Type::integer) {
    place = flyte::call("int", {flyte::arg(std::move(place))});
  }
  if (!indices.empty() && indices.front() != 0) {
    place = flyte::Expr{
        flyte::Binary{"-", std::move(place), flyte::number(fmt::format("{}", indices.front()))}};
  }
  return flyte::Expr{flyte::Subscript{std::move(jobs), std::move(place)}};
}

// What the elements of an array return, as a list: of the one that this job waits for, or of all.
flyte::Expr Main::handed_elements(const ir::Submission& reader, const ir::Handed& handed) {
  const std::string& list = job_names_.at(handed.from);
  module_.helpers["after"].insert("lists");
  if (const auto left = module_.helpers.find("place_left"); left != module_.helpers.end()) {
    left->second.insert("newer"); // while one element is read, another may still be writing
  }
  for (const ir::Dependency& on : reader.depends) {
    const bool one = on.each || on.element;
    if (one && on.jobs.kind == ir::Term::Kind::name && terms_.name_of(on.jobs.text) == list) {
      flyte::ListExpr alone;
      alone.elements.push_back(flyte::arg(element(on)));
      return flyte::Expr{std::move(alone)};
    }
  }
  return flyte::name(list);
}

void Main::elements(const ir::Submitted& step, std::vector<flyte::Stmt>& out) {
  const ir::Submission& submission = driver_.submissions[step.submission];
  const ir::Job& element = job(submission);
  std::vector<flyte::Arg> given = arguments(submission);
  ElementItems items = element_items(element, given, module_.helpers);
  const auto whole = array_parameters(element);
  std::vector<flyte::Arg> bound;
  for (std::size_t i = 0; i < items.names.size(); ++i) {
    if (i > 0 || element.array->index_used) { // by position, where results follow so
      bound.push_back(submission.handed.empty()
                          ? flyte::arg(items.names[i], flyte::name(items.names[i]))
                          : flyte::arg(flyte::name(items.names[i])));
    }
  }
  for (flyte::Arg& each : given) {
    if (std::ranges::find(whole, each.keyword, &flyte::Parameter::name) == whole.end() &&
        !given_by_index(element, each.keyword)) {
      bound.push_back(std::move(each));
    }
  }
  std::vector<std::string> names = items.names;
  if (!element.array->index_used && names.size() == 1) {
    names.front() = "_";
  }
  earlier_.clear();
  for (const ir::Dependency& along : submission.depends) {
    if (along.each && !earlier_.contains(along.jobs.text)) {
      const std::string earlier = terms_.unique("earlier");
      earlier_[along.jobs.text] = earlier;
      names.push_back(earlier);
      items.over.push_back(flyte::arg(flyte::name(terms_.name_of(along.jobs.text))));
    }
  }
  const bool several = items.over.size() > 1;
  if (several) {
    items.over.push_back(flyte::arg("strict", flyte::name("True")));
  }
  flyte::Expr what = flyte::name(element.function);
  if (!bound.empty()) {
    bound.insert(bound.begin(), flyte::arg(std::move(what)));
    what = flyte::call("partial", std::move(bound));
  }
  std::vector<flyte::Arg> words{flyte::arg(std::move(what))};
  add_results(submission, words);
  for (const auto& [keyword, kind] : {std::pair{"ok", ir::Dependency::Kind::ok},
                                      {"any", ir::Dependency::Kind::any},
                                      {"not_ok", ir::Dependency::Kind::not_ok}}) {
    if (auto list = waits(submission, kind)) {
      words.push_back(flyte::arg(keyword, std::move(*list)));
    }
  }
  removed_where_never(submission, words);
  flyte::Comprehension all{
      flyte::call("asyncio.create_task", {flyte::arg(flyte::call("after", std::move(words)))}),
      fmt::format("{}", fmt::join(names, ", ")),
      several ? flyte::call("zip", std::move(items.over)) : std::move(items.over.front().value),
      std::nullopt,
      false,
      false};
  const std::size_t first = out.size();
  for (flyte::Stmt& each : items.before) {
    out.push_back(std::move(each));
  }
  const std::string name = terms_.unique(element.function + "_jobs");
  if (!step.name.empty()) {
    terms_.call_it(step.name, name);
  }
  job_names_[step.submission] = name;
  flyte::Stmt assign{flyte::Assign{name, "", flyte::Expr{std::move(all)}}, {}};
  note(assign.notes, submission);
  out.push_back(std::move(assign));
  if (listed_) {
    out.push_back(flyte::Stmt{
        flyte::ExprStmt{flyte::call(list_ + ".extend", {flyte::arg(flyte::name(name))})}, {}});
  } else {
    lists_.push_back(name);
  }
  out[first].notes.spans.push_back(submission.span);
}

} // namespace s2f::lower
