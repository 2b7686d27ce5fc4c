// The array of a job as a map: its indices, and the items that its elements take by them.
//
// before:  ArrayUse{0-7 %4, items {config: line <index> + 1 of configs.txt}}
// after:   results = flyte.map.aio(sweep, indices, lines_of(HERE / "configs.txt", ...))
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "lower/parts.hpp"

namespace s2f::lower {

namespace {

constexpr const char* each_index = "i"; // the variable of a comprehension

flyte::Expr over(flyte::Expr element, const char* target, flyte::Expr iterable) {
  return flyte::Expr{flyte::Comprehension{std::move(element), target, std::move(iterable),
                                          std::nullopt, false, false}};
}

// The job as a comprehension sees it, whose variable is the index.
ir::Job of_index(const ir::ArrayUse& array) {
  ir::Job job;
  job.array.emplace();
  job.array->certain = array.certain;
  job.array->spec = array.spec;
  job.array->index_parameter = each_index;
  return job;
}

bool is_index(const ir::Value& value) {
  return value.parts.size() == 1 && std::holds_alternative<ir::ArrayIndex>(value.parts.front());
}

// The list that an item is taken from by nothing but the index.
const ir::ArrayList* whole_list(const ir::ArrayUse& array, const ir::Value& value) {
  const auto* item = value.parts.size() == 1 ? std::get_if<ir::Computed>(&value.parts[0]) : nullptr;
  const auto* local = item == nullptr || item->operands.size() != 2
                          ? nullptr
                          : std::get_if<ir::Local>(&item->operands[0].parts[0]);
  if (local == nullptr || !is_index(item->operands[1])) {
    return nullptr;
  }
  const auto list = std::ranges::find(array.lists, local->name, &ir::ArrayList::constant);
  const auto& indices = array.spec.indices;
  if (list == array.lists.end() || list->items.size() != indices.size()) {
    return nullptr;
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] != static_cast<std::int64_t>(i)) {
      return nullptr;
    }
  }
  return &*list;
}

std::string files_of(const ir::ArrayItem::Line& line) { return line.file + "_files"; }

flyte::Expr path_of(const ir::ArrayItem::Line& line) {
  return line.input ? flyte::name(line.file + "_path")
                    : flyte::Expr{flyte::Binary{"/", flyte::name("HERE"), flyte::str(line.file)}};
}

// `samples_path = await fetch(samples)`, for each input that lines are taken from.
std::vector<flyte::Stmt> fetched(const ir::ArrayUse& array, const std::vector<flyte::Arg>& given,
                                 flyte::Helpers& helpers) {
  std::vector<flyte::Stmt> result;
  std::set<std::string> seen;
  for (const ir::ArrayItem& item : array.items) {
    const auto* line = std::get_if<ir::ArrayItem::Line>(&item.from);
    if (line == nullptr || !line->input || !seen.insert(line->file + line->pattern).second) {
      continue;
    }
    if (!line->pattern.empty()) {
      helpers["matching"];
      const auto dir = std::ranges::find(given, line->file, &flyte::Arg::keyword);
      result.push_back(flyte::Stmt{
          flyte::Assign{files_of(*line), "",
                        flyte::await(flyte::call(
                            "matching",
                            {flyte::arg(dir == given.end() ? flyte::name(line->file) : dir->value),
                             flyte::arg(flyte::str(line->pattern))}))},
          {}});
      continue;
    }
    helpers["fetch"];
    const auto found = std::ranges::find(given, line->file, &flyte::Arg::keyword);
    flyte::Expr file = found == given.end() ? flyte::name(line->file) : found->value;
    result.push_back(flyte::Stmt{
        flyte::Assign{line->file + "_path", "",
                      flyte::await(flyte::call("fetch", {flyte::arg(std::move(file))}))},
        {}});
  }
  return result;
}

flyte::Expr line_items(const ir::ArrayUse& array, const ir::ArrayItem::Line& line,
                       const flyte::Expr& indices, flyte::Helpers& helpers) {
  const ir::Job job = of_index(array);
  if (!line.pattern.empty()) { // [files[i] if i < len(files) else None for i in indices]
    const flyte::Expr files = flyte::name(files_of(line));
    ir::Value before;
    before.append(ir::Computed{ir::Operation::subtract, {line.number, ir::Value::of("1")}, true});
    const auto* sum = line.number.parts.size() == 1
                          ? std::get_if<ir::Computed>(&line.number.parts.front())
                          : nullptr;
    const bool plain = sum != nullptr && sum->operation == ir::Operation::add &&
                       sum->operands.size() == 2 && sum->operands[1].text() == "1";
    flyte::Expr at = number_expression(job, plain ? sum->operands[0] : before);
    flyte::Expr there{flyte::Binary{"<", at, flyte::call("len", {flyte::arg(files)})}};
    flyte::Expr one{flyte::Subscript{files, std::move(at)}};
    return over(
        flyte::Expr{flyte::Conditional{std::move(one), std::move(there), flyte::name("None")}},
        each_index, indices);
  }
  const char* helper = line.words ? "words_of" : "lines_of";
  helpers[helper];
  flyte::Expr numbers = is_index(line.number)
                            ? indices
                            : over(number_expression(job, line.number), each_index, indices);
  std::vector<flyte::Arg> arguments{flyte::arg(path_of(line)), flyte::arg(std::move(numbers))};
  if (line.or_last) {
    helpers[helper].insert("or_last");
    arguments.push_back(flyte::arg("or_last", flyte::name("True")));
  }
  flyte::Expr lines = flyte::call(helper, std::move(arguments));
  if (!line.field && !line.no_return) {
    return lines;
  }
  flyte::Expr one = flyte::name("line");
  if (line.no_return) {
    flyte::Expr replace{flyte::Attribute{std::move(one), "replace"}};
    one = flyte::Expr{flyte::Call{std::move(replace),
                                  {flyte::arg(flyte::str("\r")), flyte::arg(flyte::str(""))}}};
  }
  if (line.field) {
    const bool cut = line.field->program == "cut";
    std::vector<flyte::Arg> words{flyte::arg(std::move(one)),
                                  flyte::arg(flyte::number(fmt::format("{}", line.field->number)))};
    if (!line.field->separator.empty()) {
      words.push_back(flyte::arg(flyte::str(line.field->separator)));
    }
    const char* split = cut ? "cut_field" : "awk_field";
    helpers[split];
    one = flyte::call(split, std::move(words));
  }
  return over(std::move(one), "line", std::move(lines));
}

// What the map goes through: the indices where the task reads its own, and its items.
struct Zipped {
  std::vector<flyte::Stmt> before;
  std::vector<flyte::Arg> over;
};

Zipped zipped(const ir::ArrayUse& array, flyte::Arg indices, bool computed,
              const std::vector<flyte::Arg>& given, flyte::Helpers& helpers) {
  Zipped result;
  result.before = fetched(array, given, helpers);
  std::size_t uses = array.index_used ? 1 : 0;
  for (const ir::ArrayItem& item : array.items) {
    const auto* value = std::get_if<ir::Value>(&item.from);
    uses += computed || value == nullptr || whole_list(array, *value) == nullptr ? 1 : 0;
  }
  if (uses > 1 && !std::holds_alternative<flyte::Name>(indices.value.value)) {
    flyte::Stmt assign{flyte::Assign{"indices", "", std::move(indices.value)}, {}};
    assign.notes = std::move(indices.notes);
    result.before.push_back(std::move(assign));
    indices = flyte::arg(flyte::name("indices"));
  }
  bool unsaid = !indices.notes.empty();
  if (array.index_used) {
    result.over.push_back(indices);
    unsaid = false;
  }
  for (const ir::ArrayItem& item : array.items) {
    flyte::Arg each;
    const auto* value = std::get_if<ir::Value>(&item.from);
    if (value == nullptr) {
      each = flyte::arg(
          line_items(array, std::get<ir::ArrayItem::Line>(item.from), indices.value, helpers));
    } else if (const auto* list = computed ? nullptr : whole_list(array, *value)) {
      each = flyte::arg(flyte::name(list->constant));
    } else {
      each = flyte::arg(over(text_expression(of_index(array), *value), each_index, indices.value));
    }
    if (std::exchange(unsaid, false)) { // it is the indices' only place
      each.notes = indices.notes;
      each.notes.above.push_back(item.asked);
    } else {
      each.notes.trailing = item.asked;
    }
    each.notes.spans.push_back(item.span);
    each.notes.spans.insert(each.notes.spans.end(), item.also.begin(), item.also.end());
    result.over.push_back(std::move(each));
  }
  return result;
}

// `results = flyte.map.aio(...)` and what fails where one of them did.
void run_all(std::vector<flyte::Arg> arguments, const ir::ArrayUse& array, flyte::Helpers& helpers,
             std::vector<flyte::Stmt>& out) {
  if (array.spec.throttle) {
    flyte::Arg concurrency =
        flyte::arg("concurrency", flyte::number(fmt::format("{}", *array.spec.throttle)));
    concurrency.notes.trailing = fmt::format("--array=...%{}", *array.spec.throttle);
    concurrency.notes.spans = array.spans;
    arguments.push_back(std::move(concurrency));
  }
  helpers["all_ok"];
  out.push_back(flyte::Stmt{
      flyte::Assign{"results", "", flyte::call("flyte.map.aio", std::move(arguments))}, {}});
  flyte::Comprehension each{flyte::name("r"), "r",  flyte::name("results"),
                            std::nullopt,     true, false};
  out.push_back(flyte::Stmt{
      flyte::ExprStmt{flyte::call("all_ok", {flyte::arg(flyte::Expr{std::move(each)})})}, {}});
}

// The constant that an item is taken from.
std::string list_of(const ir::Value& value) {
  const auto* item = value.parts.empty() ? nullptr : std::get_if<ir::Computed>(&value.parts[0]);
  const auto* list =
      item == nullptr ? nullptr : std::get_if<ir::Local>(&item->operands[0].parts[0]);
  return list == nullptr ? "" : list->name;
}

} // namespace

std::vector<flyte::Parameter> array_parameters(const ir::Job& job) {
  std::vector<flyte::Parameter> result;
  for (const ir::Parameter& parameter : job.parameters) {
    if (parameter.of_whole_array) {
      const bool directory = parameter.type == ir::Type::directory;
      result.push_back({parameter.name, directory ? "Dir" : "File", std::nullopt, {}});
    }
  }
  return result;
}

bool given_by_index(const ir::Job& job, const std::string& parameter) {
  return job.array && job.array->mapped() &&
         ((job.array->index_used && parameter == job.array->index_parameter) ||
          std::ranges::any_of(job.array->items, [&](const ir::ArrayItem& item) {
            return item.parameter.name == parameter || item.parameter.taken_as == parameter;
          }));
}

std::vector<std::string> origins_of(const ir::ArrayUse& array) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const ir::ArrayItem& item : array.items) {
    const auto* line = std::get_if<ir::ArrayItem::Line>(&item.from);
    std::string from = line != nullptr && !line->pattern.empty() ? "file of " + line->file
                       : line == nullptr ? "item of " + list_of(std::get<ir::Value>(item.from))
                                         : (line->field || line->words ? "word of " : "line of ") +
                                               base_name(line->file);
    auto group = std::ranges::find(groups, from, [](const auto& each) { return each.first; });
    if (group == groups.end()) {
      groups.emplace_back(std::move(from), std::vector<std::string>{});
      group = groups.end() - 1;
    }
    group->second.push_back(item.parameter.taken_as.empty() ? item.parameter.name
                                                            : item.parameter.taken_as);
  }
  std::vector<std::string> result;
  for (const auto& [from, names] : groups) {
    const std::string_view kind = std::string_view(from).substr(0, 4);
    result.push_back(names.size() == 1
                         ? fmt::format("{} is {} {}", names[0], kind == "item" ? "an" : "a", from)
                         : fmt::format("{} and {} are {}s{}",
                                       fmt::join(names.begin(), names.end() - 1, ", "),
                                       names.back(), kind, from.substr(kind.size())));
  }
  return result;
}

void add_lists(LowerContext& context, const ir::ArrayUse& array, flyte::Module& module) {
  for (const ir::ArrayList& list : array.lists) {
    if (std::ranges::find(module.between, list.constant, &flyte::Constant::variable) !=
        module.between.end()) {
      continue; // of the same script
    }
    flyte::TupleExpr tuple;
    for (const std::string& item : list.items) {
      tuple.elements.push_back(flyte::arg(flyte::str(item)));
    }
    flyte::Constant constant{list.constant, flyte::Expr{std::move(tuple)}, {}};
    constant.notes.trailing = at(context.sources, list.span);
    constant.notes.spans = {list.span};
    module.between.push_back(std::move(constant));
  }
}

flyte::Expr indices(const slurm::ArraySpec& spec) {
  const auto& list = spec.indices;
  const auto number = [](std::int64_t value) {
    return flyte::arg(flyte::number(fmt::format("{}", value)));
  };
  const std::int64_t step = list.size() > 1 ? list[1] - list[0] : 1;
  bool regular = true;
  for (std::size_t i = 1; i < list.size(); ++i) {
    regular &= list[i] - list[i - 1] == step;
  }
  if (list.size() == 1 || !regular || (list.size() == 2 && step != 1)) {
    flyte::ListExpr result;
    for (const std::int64_t index : list) {
      result.elements.push_back(number(index));
    }
    return flyte::Expr{std::move(result)};
  }
  std::vector<flyte::Arg> arguments;
  if (list[0] != 0 || step != 1) {
    arguments.push_back(number(list[0]));
  }
  arguments.push_back(number(list.back() + 1));
  if (step != 1) {
    arguments.push_back(number(step));
  }
  return flyte::call("range", std::move(arguments));
}

// As many indices as the caller asks for: range(1, count + 1)
static flyte::Expr as_many(const ir::ArrayUse& array) {
  const std::int64_t first = array.spec.indices.front();
  flyte::Expr count = flyte::name(array.count_parameter);
  if (first == 0) {
    return flyte::call("range", {flyte::arg(std::move(count))});
  }
  const auto number = [&] { return flyte::number(fmt::format("{}", first)); };
  return flyte::call("range",
                     {flyte::arg(number()),
                      flyte::arg(flyte::Expr{flyte::Binary{"+", std::move(count), number()}})});
}

// [value] * 8, as many as there are elements.
static flyte::Expr for_each_element(flyte::Expr value, const flyte::Expr& count) {
  flyte::ListExpr one;
  one.elements.push_back(flyte::arg(std::move(value)));
  const auto* number = std::get_if<flyte::Number>(&count.value);
  flyte::Expr list{std::move(one)};
  return number != nullptr && number->text == "1"
             ? list
             : flyte::Expr{flyte::Binary{"*", std::move(list), count}};
}

std::vector<flyte::Stmt> map_statements(const ir::Job& job,
                                        const std::vector<flyte::Arg>& call_arguments,
                                        flyte::Helpers& helpers) {
  const ir::ArrayUse& array = *job.array;
  flyte::Arg range =
      flyte::arg(array.count_parameter.empty() ? indices(array.spec) : as_many(array));
  range.notes.trailing = array.asked;
  range.notes.spans = array.spans;
  Zipped zip = zipped(array, std::move(range), false, {}, helpers);
  std::vector<flyte::Arg> arguments{flyte::arg(flyte::name(job.function))};
  arguments.insert(arguments.end(), zip.over.begin(), zip.over.end());
  const std::string size = fmt::format("{}", array.spec.indices.size());
  const flyte::Expr count =
      array.count_parameter.empty() ? flyte::number(size) : flyte::name(array.count_parameter);
  for (const flyte::Arg& given : call_arguments) {
    arguments.push_back(flyte::arg(for_each_element(given.value, count)));
  }
  std::vector<flyte::Stmt> result = std::move(zip.before);
  run_all(std::move(arguments), array, helpers, result);
  return result;
}

ElementItems element_items(const ir::Job& job, const std::vector<flyte::Arg>& given,
                           flyte::Helpers& helpers) {
  ir::ArrayUse array = *job.array;
  ElementItems result;
  flyte::Arg over = flyte::arg(indices(array.spec));
  over.notes.trailing = array.asked;
  over.notes.spans = array.spans;
  array.index_used = true;
  Zipped zip = zipped(array, std::move(over), false, given, helpers);
  result.before = std::move(zip.before);
  result.over = std::move(zip.over);
  result.names.push_back(array.index_parameter);
  for (const ir::ArrayItem& item : array.items) {
    result.names.push_back(item.parameter.taken_as.empty() ? item.parameter.name
                                                           : item.parameter.taken_as);
  }
  return result;
}

std::vector<flyte::Stmt> array_statements(const ir::Job& job,
                                          const std::vector<flyte::Arg>& call_arguments,
                                          std::optional<flyte::Expr> computed,
                                          flyte::Helpers& helpers) {
  const ir::ArrayUse& array = *job.array;
  flyte::Arg over = flyte::arg(computed ? *computed : indices(array.spec));
  if (!computed) {
    over.notes.trailing = array.asked;
    over.notes.spans = array.spans;
  }
  std::vector<flyte::Arg> arguments;
  std::vector<flyte::Stmt> result;
  if (!array.index_used && array.items.empty()) { // every element does the same
    helpers["all_ok"];
    flyte::Comprehension calls{flyte::call(job.function, call_arguments),
                               "_",
                               std::move(over.value),
                               std::nullopt,
                               false,
                               true};
    flyte::Arg star = flyte::arg(flyte::Expr{flyte::Starred{flyte::Expr{std::move(calls)}, false}});
    star.notes = std::move(over.notes);
    arguments.push_back(std::move(star));
    arguments.push_back(flyte::arg("return_exceptions", flyte::name("True")));
    result.push_back(flyte::Stmt{
        flyte::Assign{"results", "",
                      flyte::await(flyte::call("asyncio.gather", std::move(arguments)))},
        {}});
    result.push_back(flyte::Stmt{
        flyte::ExprStmt{flyte::call("all_ok", {flyte::arg(flyte::name("results"))})}, {}});
    return result;
  }
  const std::vector<flyte::Parameter> whole = array_parameters(job);
  flyte::Expr what = flyte::name(job.function);
  // A partial that is mapped must leave nothing but what it goes through.
  std::vector<flyte::Arg> bound;
  for (const flyte::Arg& each : call_arguments) {
    if (std::ranges::find(whole, each.keyword, &flyte::Parameter::name) == whole.end()) {
      bound.push_back(each);
    }
  }
  for (const flyte::Parameter& parameter : parameters(job)) {
    const bool given = std::ranges::any_of(
        bound, [&](const flyte::Arg& each) { return each.keyword == parameter.name; });
    if (!given_by_index(job, parameter.name) && !given && parameter.default_) {
      bound.push_back(flyte::arg(parameter.name, *parameter.default_));
    }
  }
  Zipped zip = zipped(array, std::move(over), computed.has_value(), call_arguments, helpers);
  result = std::move(zip.before);
  const bool one = zip.over.size() == 1;
  if (!bound.empty() && one) {
    std::vector<flyte::Arg> words = bound;
    words.insert(words.begin(), flyte::arg(std::move(what)));
    what = flyte::call("partial", std::move(words));
  }
  arguments.push_back(flyte::arg(std::move(what)));
  arguments.insert(arguments.end(), zip.over.begin(), zip.over.end());
  if (!bound.empty() && !one) { // each as a list of its own
    const flyte::Expr count = computed
                                  ? flyte::call("len", {flyte::arg(*computed)})
                                  : flyte::number(fmt::format("{}", array.spec.indices.size()));
    for (const flyte::Parameter& parameter : parameters(job)) {
      const auto value = std::ranges::find(bound, parameter.name, &flyte::Arg::keyword);
      if (value != bound.end()) {
        arguments.push_back(flyte::arg(for_each_element(value->value, count)));
      }
    }
  }
  run_all(std::move(arguments), array, helpers, result);
  return result;
}

} // namespace s2f::lower
