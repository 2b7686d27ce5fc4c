// Items that the elements of an array take by their index become parameters of the task: `main`
// zips them with the indices.
//
// before:  Assign{config = Output{sed -n <index + 1>p configs.txt}}
// after:   ArrayUse::items = {config: line <index + 1> of configs.txt}
// before:  Assign{lrs = {0.1, 0.2}}, Launch{train.py --lr lrs[<index> / 3]}
// after:   lists = {LRS = {0.1, 0.2}}, items = {lr: LRS[<index> / 3]}, Launch{train.py --lr <lr>}
//
// What a line is when the task runs must be what it is when `main` runs: only files that are
// bundled, and nothing before the line is read may write one.
#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/slurm_variables.hpp"
#include "ir/steps.hpp"
#include "passes/array_items.hpp"
#include "passes/item_forms.hpp"
#include "passes/names.hpp"
#include "passes/own_files.hpp"
#include "passes/path_names.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

using Item = ir::ArrayItem;

constexpr std::size_t most_text = 1'000'000;

bool valid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t more = lead < 0x80                     ? 0
                             : (lead >= 0xc2 && lead < 0xe0) ? 1
                             : (lead & 0xf0U) == 0xe0        ? 2
                             : (lead & 0xf8U) == 0xf0        ? 3
                                                             : text.size();
    for (std::size_t k = 0; k < more; ++k) {
      ++i;
      if (i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80) {
        return false;
      }
    }
  }
  return true;
}

// "PARAMS" -> "param"; "item" where the name is no plural.
std::string singular(const std::string& name) {
  return name.size() > 2 && name.ends_with('s') && !name.ends_with("ss")
             ? name.substr(0, name.size() - 1)
             : "item";
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

class ArrayItems {
public:
  explicit ArrayItems(PassContext& context) : context_(context), job_(context.job) {}

  void run() {
    if (!job_.array || !job_.array->mapped() || job_.cluster || job_.submits) {
      return;
    }
    for (ir::Step& step : job_.body) {
      if (step.in_region) {
        still_ = still_ && std::holds_alternative<ir::Nothing>(step.value);
        continue;
      }
      look(step);
    }
    if (job_.array->items.empty()) {
      return;
    }
    job_.array->count_parameter.clear(); // there are as many items as there are
    forget_unread();
    leave_files();
    leave_inputs();
    job_.array->index_used = reads_index();
  }

private:
  // ---- what is known of the locals

  // A value of the index and constants alone, with what locals stand for in place.
  std::optional<ir::Value> pure(const ir::Value& value) const {
    ir::Value result;
    result.span = value.span;
    for (const ir::ValuePart& part : value.parts) {
      if (std::holds_alternative<ir::Text>(part) || std::holds_alternative<ir::ArrayIndex>(part)) {
        result.append(part);
        continue;
      }
      const auto* local = std::get_if<ir::Local>(&part);
      if (local != nullptr) {
        const auto known = known_.find(local->name);
        if (known == known_.end()) {
          return std::nullopt;
        }
        used_[local->name] = true;
        for (const ir::ValuePart& inner : known->second.parts) {
          result.append(inner);
        }
        continue;
      }
      const auto* computed = std::get_if<ir::Computed>(&part);
      if (computed == nullptr) {
        return std::nullopt;
      }
      auto inner = pure(*computed);
      if (!inner) {
        return std::nullopt;
      }
      result.append(std::move(*inner));
    }
    return result;
  }

  std::optional<ir::Computed> pure(const ir::Computed& computed) const {
    using Operation = ir::Operation;
    switch (computed.operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::remainder:
    case Operation::padded:
      break;
    default:
      return std::nullopt;
    }
    ir::Computed result{computed.operation, {}, computed.one_word};
    for (const ir::Value& operand : computed.operands) {
      auto inner = pure(operand);
      if (!inner) {
        return std::nullopt;
      }
      result.operands.push_back(std::move(*inner));
    }
    return result;
  }

  // What a number is for an index; nothing where Bash would fail.
  static std::optional<std::int64_t> number_of(const ir::Value& value, std::int64_t index) {
    if (const auto text = value.text()) {
      return text->empty() || text->size() > 15 ||
                     text->find_first_not_of("0123456789", text->starts_with('-') ? 1 : 0) !=
                         std::string::npos
                 ? std::nullopt
                 : std::optional<std::int64_t>(std::stoll(*text));
    }
    if (value.parts.size() != 1) {
      return std::nullopt;
    }
    if (std::holds_alternative<ir::ArrayIndex>(value.parts[0])) {
      return index;
    }
    const auto* sum = std::get_if<ir::Computed>(&value.parts[0]);
    if (sum == nullptr || sum->operands.size() != 2) {
      return std::nullopt;
    }
    const auto left = number_of(sum->operands[0], index);
    const auto right = number_of(sum->operands[1], index);
    if (!left || !right) {
      return std::nullopt;
    }
    switch (sum->operation) {
    case ir::Operation::add:
      return *left + *right;
    case ir::Operation::subtract:
      return *left - *right;
    case ir::Operation::multiply:
      return *left * *right;
    case ir::Operation::divide:
      return *right == 0 ? std::nullopt : std::optional(*left / *right);
    case ir::Operation::remainder:
      return *right == 0 ? std::nullopt : std::optional(*left % *right);
    default:
      return std::nullopt;
    }
  }

  // The number, where it is one for every index and none is below the least.
  std::optional<ir::Value> number_for_all(const ir::Value& value, std::int64_t least) const {
    auto number = pure(value);
    if (!number) {
      return std::nullopt;
    }
    for (const std::int64_t index : job_.array->spec.indices) {
      const auto one = number_of(*number, index);
      if (!one || *one < least) {
        return std::nullopt;
      }
    }
    return number->text() ? std::nullopt : std::move(number); // the same for all is no item
  }

  // ---- files

  // A file below the submit directory that the task takes along and that is there to be read.
  std::optional<std::string> bundled(const ir::Value& value, std::string* content = nullptr) const {
    std::string path;
    if (const auto text = value.text()) {
      path = directory_ ? *directory_ + *text : "";
    } else if (value.parts.size() == 2 &&
               std::holds_alternative<ir::SubmitDirectory>(value.parts[0])) {
      const auto* rest = std::get_if<ir::Text>(&value.parts[1]);
      path = rest != nullptr && rest->text.starts_with('/') ? rest->text.substr(1) : "";
    } else if (const auto* local =
                   value.parts.size() == 1 ? std::get_if<ir::Local>(&value.parts[0]) : nullptr;
               local != nullptr && files_.contains(local->name)) {
      return bundled(files_.at(local->name), content);
    }
    while (path.starts_with("./")) {
      path.erase(0, 2);
    }
    const bool included = std::ranges::find(job_.include, path) != job_.include.end();
    if (path.empty() || !included || context_.provided.contains(path) || !context_.read_file) {
      return std::nullopt;
    }
    const auto text = context_.read_file(path);
    if (!text || text->size() > most_text || text->find('\0') != std::string::npos ||
        !valid_utf8(*text)) {
      return std::nullopt;
    }
    if (content != nullptr) {
      *content = *text;
    }
    return path;
  }

  // A file that the task takes as an input, by its parameter.
  std::optional<std::string> input(const ir::Value& value) const {
    const auto* path =
        value.parts.size() == 1 ? std::get_if<ir::TaskPath>(&value.parts[0]) : nullptr;
    const auto found =
        path == nullptr ? job_.cluster_paths.end()
                        : std::ranges::find(job_.cluster_paths, path->name, &ir::ClusterPath::name);
    if (found == job_.cluster_paths.end() || found->written || found->directory || found->staged) {
      return std::nullopt;
    }
    return found->parameter;
  }

  // An input that the task does not read itself is one of `main`.
  void leave_inputs() {
    std::set<std::string> read;
    ir::for_each_step(job_.body, [&](ir::Step& step) {
      ir::for_each_value(step, [&](const ir::Value& value) {
        for (const ir::ValuePart& part : value.parts) {
          if (const auto* path = std::get_if<ir::TaskPath>(&part)) {
            read.insert(path->name);
          }
        }
      });
    });
    for (const Item& item : job_.array->items) {
      const auto* line = std::get_if<Item::Line>(&item.from);
      if (line == nullptr || !line->input || !line->pattern.empty()) {
        continue;
      }
      const auto path =
          std::ranges::find(job_.cluster_paths, line->file, &ir::ClusterPath::parameter);
      if (path != job_.cluster_paths.end() && !read.contains(path->name)) {
        path->of_main = true;
        std::ranges::find(job_.parameters, line->file, &ir::Parameter::name)->of_whole_array = true;
      }
    }
  }

  // ---- items

  // A directory of the cluster whose files the elements take: an input of `main`, by its parameter.
  const std::string& folder(const std::string& directory, const std::string& pattern,
                            const Span& span) {
    const auto known = std::ranges::find_if(job_.parameters, [&](const ir::Parameter& each) {
      return each.of_whole_array && each.origin == directory;
    });
    if (known != job_.parameters.end()) {
      return known->name;
    }
    std::string name = path_python_name(leaf_of(directory));
    ir::Parameter parameter;
    parameter.name = unused(name.empty() ? "folder" : name);
    parameter.type = ir::Type::directory;
    parameter.origin = directory;
    parameter.of_whole_array = true;
    parameter.span = span;
    review::Finding finding;
    finding.rule = "S2F370";
    finding.span = span;
    finding.message = fmt::format("The elements take {} of {}.", pattern, directory);
    finding.slurm_does = "The shell sorts the names as its locale says.";
    finding.output_does = fmt::format(
        "`main` takes the directory as `{}`, a Dir, and gives each element its file, counted as "
        "the names are sorted by their bytes; a directory is none of them.",
        parameter.name);
    finding.config_key = fmt::format("paths.\"{}\"", directory.substr(0, directory.find('/', 1)));
    context_.findings.add(std::move(finding));
    job_.parameters.push_back(std::move(parameter));
    return job_.parameters.back().name;
  }

  // The pattern of the cluster that a value is, with its directory.
  static std::optional<FolderPattern> pattern_of(const ir::Value& value) {
    const auto* pattern =
        value.parts.size() == 1 ? std::get_if<ir::Computed>(&value.parts[0]) : nullptr;
    if (pattern == nullptr || pattern->operands.empty() ||
        (pattern->operation != ir::Operation::pattern &&
         pattern->operation != ir::Operation::matches)) {
      return std::nullopt;
    }
    const auto text = pattern->operands.front().text();
    return text && text->starts_with('/') ? folder_pattern(*text, false) : std::nullopt;
  }

  // $(ls /data/*.txt | sed -n "${ID}p")
  std::optional<Item> listed_item(const ir::Output& output) {
    const auto& words = output.launch->words;
    const auto pattern = words.size() == 2 && words[0].text() == "ls" && !output.next.empty()
                             ? pattern_of(words[1])
                             : std::nullopt;
    if (!pattern || job_.pipefail) {
      return std::nullopt;
    }
    ir::Output as_file = output;
    as_file.launch->words = {ir::Value::of("cat"), ir::Value::of("x")};
    auto form = line_form(as_file);
    auto number = form ? number_for_all(form->line.number, form->least) : std::nullopt;
    if (!number || form->line.field || form->line.no_return || form->line.or_last) {
      return std::nullopt;
    }
    Item item;
    form->line.number = std::move(*number);
    form->line.input = true;
    form->line.pattern = pattern->leaf;
    form->line.file = folder(pattern->directory, pattern->leaf, words[1].span);
    item.from = std::move(form->line);
    return item;
  }

  std::optional<Item> line_item(const ir::Output& output) {
    if (auto listed = listed_item(output)) {
      return listed;
    }
    auto form = still_ ? line_form(output) : std::nullopt;
    if (!form || (job_.pipefail && !output.next.empty())) {
      return std::nullopt;
    }
    auto number = number_for_all(form->line.number, form->least);
    auto file = number ? bundled(form->file) : std::nullopt;
    if (number && !file) {
      file = input(form->file);
      form->line.input = true;
    }
    if (!file) {
      return std::nullopt;
    }
    Item item;
    form->line.number = std::move(*number);
    form->line.file = *file;
    item.from = std::move(form->line);
    return item;
  }

  std::optional<Item> list_item(const ir::Computed& computed) {
    const bool may_miss = computed.operation == ir::Operation::item_or_nothing;
    const bool item_of = may_miss || computed.operation == ir::Operation::item;
    const auto* list = !item_of || computed.operands[0].parts.size() != 1
                           ? nullptr
                           : std::get_if<ir::Local>(&computed.operands[0].parts[0]);
    if (list == nullptr) {
      return std::nullopt;
    }
    Item result;
    if (const auto from = file_lists_.find(list->name); from != file_lists_.end()) {
      auto number = number_for_all(computed.operands[1], 0);
      if (!number) {
        return std::nullopt;
      }
      Item::Line line = from->second;
      taken_from_[list->name] = true;
      if (!line.pattern.empty()) {
        line.file = folder(line.file, line.pattern, folder_spans_[list->name]);
      }
      line.number.append(
          ir::Computed{ir::Operation::add, {std::move(*number), ir::Value::of("1")}, true});
      result.from = std::move(line);
      return result;
    }
    const auto known = lists_.find(list->name);
    auto number = known == lists_.end() ? std::nullopt : pure(computed.operands[1]);
    if (!number || number->text()) {
      return std::nullopt;
    }
    const auto size = static_cast<std::int64_t>(known->second.items.size());
    bool inside = true;
    for (const std::int64_t index : job_.array->spec.indices) {
      const auto one = number_of(*number, index);
      inside = inside && one && *one < size;
      if (!one || (!may_miss && (*one < -size || *one >= size)) || (may_miss && *one < 0)) {
        return std::nullopt;
      }
    }
    ir::Value whole;
    whole.append(ir::Local{constant_of(list->name)});
    ir::Value value;
    value.append(ir::Computed{computed.operation, {std::move(whole), std::move(*number)}, false});
    result.from = std::move(value);
    return result;
  }

  // The module's constant for a list of the script's.
  std::string constant_of(const std::string& local) {
    const auto made = constants_.find(local);
    if (made != constants_.end()) {
      return made->second;
    }
    static const std::set<std::string, std::less<>> reserved{"HERE", "T", "MAIL", "SUBMIT_DIR"};
    std::string name = upper(local);
    if (!context_.taken.empty()) { // other jobs have lists, too
      name.insert(0, upper(job_.function) + "_");
    }
    if (reserved.contains(name) || name == upper(job_.function) || name.size() == 1) {
      name += "_ITEMS";
    }
    constants_[local] = name;
    ir::ArrayList list = lists_.at(local);
    list.constant = name;
    job_.array->lists.push_back(std::move(list));
    return name;
  }

  std::optional<Item> item_of(const ir::ValuePart& part) {
    std::optional<Item> item;
    if (const auto* output = std::get_if<ir::Output>(&part)) {
      item = line_item(*output);
    } else if (const auto* computed = std::get_if<ir::Computed>(&part)) {
      item = list_item(*computed);
    }
    return item;
  }

  // What tells two items apart.
  static std::string key_of(const ir::Value& value) {
    std::string key;
    for (const ir::ValuePart& part : value.parts) {
      if (const auto* text = std::get_if<ir::Text>(&part)) {
        key += "'" + text->text + "'";
      } else if (const auto* local = std::get_if<ir::Local>(&part)) {
        key += local->name;
      } else if (const auto* computed = std::get_if<ir::Computed>(&part)) {
        key += std::to_string(static_cast<int>(computed->operation)) + "(";
        for (const ir::Value& operand : computed->operands) {
          key += key_of(operand) + ",";
        }
        key += ")";
      } else {
        key += "#";
      }
    }
    return key;
  }
  static std::string key_of(const Item& item) {
    const auto* line = std::get_if<Item::Line>(&item.from);
    if (line == nullptr) {
      return key_of(std::get<ir::Value>(item.from));
    }
    std::string key = line->file + "|" + key_of(line->number);
    key += line->words ? "w" : "";
    key += line->or_last ? "l" : "";
    key += line->no_return ? "r" : "";
    key += line->pattern;
    if (line->field) {
      key += line->field->program + line->field->separator + std::to_string(line->field->number);
    }
    return key;
  }

  // The parameter that has the item already, or null.
  const std::string* known(const Item& item) const {
    const auto found = std::ranges::find_if(job_.array->items, [&](const Item& each) {
      return key_of(each) == key_of(item) && !job_.changing_locals.contains(each.parameter.name);
    });
    return found == job_.array->items.end() ? nullptr : &found->parameter.name;
  }

  void add(Item item, std::string name, const std::string& origin, const Span& span) {
    item.parameter.name = std::move(name);
    item.parameter.origin = origin;
    item.parameter.span = span;
    item.span = span;
    item.asked = context_.at(span);
    if (const auto* line = std::get_if<Item::Line>(&item.from); line != nullptr && !line->input) {
      auto& files = job_.array->files;
      if (std::ranges::find(files, line->file) == files.end()) {
        files.push_back(line->file);
      }
    }
    if (const auto* line = std::get_if<Item::Line>(&item.from);
        line != nullptr && !line->pattern.empty()) {
      item.parameter.taken_as = unused(item.parameter.name + "_file");
    }
    job_.array->items.push_back(std::move(item));
  }

  // ---- steps

  void look(ir::Step& step) {
    if (auto* assign = std::get_if<ir::Assign>(&step.value)) {
      const bool writes = !writes_no_file(step);
      for (ir::Binding& binding : assign->bindings) {
        bind(binding, step);
      }
      drop(step, dropped_, "a parameter of the task, which `main` gives its item");
      still_ = still_ && !writes;
      return;
    }
    if (auto* moved = std::get_if<ir::ChangeDirectory>(&step.value)) {
      directory_ = moved->below && moved->certain
                       ? std::optional(moved->below->empty() ? "" : *moved->below + "/")
                       : std::nullopt;
      return;
    }
    // What stands in the words of a command is read before it starts.
    const bool writes = !writes_no_file(step);
    const bool still = still_ && !writes;
    still_ = still_ && (!writes || std::holds_alternative<ir::Launch>(step.value));
    replace_items(step);
    still_ = still;
  }

  // Takes away the bindings of the locals; a statement that has no other is settled.
  bool drop(ir::Step& step, const std::set<std::string>& locals, const char* why) {
    auto& bindings = std::get<ir::Assign>(step.value).bindings;
    const auto gone = std::erase_if(bindings, [&](const ir::Binding& binding) {
      return locals.contains(binding.local) && !binding.exported;
    });
    if (gone == 0 || !bindings.empty() || step.statement == nullptr) {
      return gone > 0;
    }
    step.value = ir::Nothing{};
    context_.ledger.settle(step.entry, review::Disposition::converted, why);
    const auto& items = job_.array->items;
    const bool own =
        std::ranges::any_of(items, [&](const Item& item) { return item.span == step.span; });
    const bool list = std::ranges::any_of(
        job_.array->lists, [&](const ir::ArrayList& each) { return each.span == step.span; });
    if (!own && !list) { // it stands in what is made of it
      for (const Item& item : items) {
        context_.ledger.cite(step.entry, item.span);
      }
    }
    return true;
  }

  void bind(ir::Binding& binding, const ir::Step& step) {
    const Span& span = step.span;
    const bool once = !binding.local.empty() && !job_.changing_locals.contains(binding.local) &&
                      !binding.appends && !binding.unset;
    if (binding.items) {
      if (once) {
        note_list(binding, span);
      }
      return;
    }
    if (once && step.status.empty() && binding.value.parts.size() == 1 &&
        !job_.number_locals.contains(binding.local)) {
      if (auto item = item_of(binding.value.parts[0])) {
        add(std::move(*item), binding.local, "$" + binding.variable, span);
        dropped_.insert(binding.local);
        binding.value = {}; // an export of it is one of the parameter
        binding.value.append(ir::Local{binding.local});
        if (binding.exported) {
          binding.local.clear();
        }
        return;
      }
    }
    if (once) {
      if (auto value = pure(binding.value); value && !value->parts.empty()) {
        known_[binding.local] = std::move(*value);
      }
      if (binding.value.text()) {
        files_[binding.local] = binding.value;
      }
    }
    replace_items(binding.value, span, binding.variable);
  }

  // Whether nothing else in the script sets the variable, in whatever order it runs.
  [[nodiscard]] bool set_once(const std::string& name) const {
    std::size_t times = 0;
    analysis::Visitor visitor;
    visitor.assignment = [&](const shell::Assignment& assignment) {
      times += assignment.name == name ? 1 : 0;
    };
    visitor.statement = [&](const shell::Statement& statement) {
      if (const auto* loop = std::get_if<shell::For>(&statement.value)) {
        times += loop->variable == name ? 2 : 0;
      }
      const auto* command = shell::as_simple(statement);
      const auto program = command != nullptr ? analysis::command_name(*command) : std::nullopt;
      if (program == "read" || program == "mapfile" || program == "readarray" ||
          program == "unset" || program == "printf" || program == "getopts") {
        times += std::ranges::any_of(command->words,
                                     [&](const auto& word) { return word.literal() == name; })
                     ? 1
                     : 0;
      }
    };
    for (const shell::Statement& statement : job_.script->statements) {
      analysis::walk(statement, visitor);
    }
    return times <= 1;
  }

  // Whether nothing but elements is taken of a list, one at a time.
  bool only_items(const std::string& local) {
    std::size_t reads = 0;
    std::size_t items = 0;
    ir::for_each_step(job_.body, [&](ir::Step& step) {
      ir::for_each_value(step, [&](const ir::Value& value) {
        for (const ir::ValuePart& part : value.parts) {
          const auto* read = std::get_if<ir::Local>(&part);
          reads += read != nullptr && read->name == local ? 1 : 0;
          const auto* name = list_name(part);
          const auto* computed = std::get_if<ir::Computed>(&part);
          const bool item =
              computed != nullptr && (computed->operation == ir::Operation::item ||
                                      computed->operation == ir::Operation::item_or_nothing);
          items += item && name != nullptr && *name == local ? 1 : 0;
        }
      });
    });
    return reads == items && std::ranges::none_of(job_.kept, [&](const ir::KeptRegion& region) {
             return std::ranges::any_of(region.takes,
                                        [&](const auto& each) { return each.second == local; });
           });
  }

  void note_list(const ir::Binding& binding, const Span& span) {
    if (!set_once(binding.variable)) {
      return;
    }
    const bool texts = std::ranges::all_of(*binding.items, &ir::Value::is_text);
    if (texts && !binding.items->empty()) {
      ir::ArrayList list;
      list.span = span;
      for (const ir::Value& item : *binding.items) {
        list.items.push_back(item.text().value_or(""));
      }
      lists_[binding.local] = std::move(list);
      return;
    }
    const auto* many = binding.items->size() == 1 && binding.items->front().parts.size() == 1
                           ? std::get_if<ir::Computed>(&binding.items->front().parts[0])
                           : nullptr;
    if (many == nullptr || !still_) {
      return;
    }
    if (const auto pattern = pattern_of(binding.items->front());
        pattern && only_items(binding.local)) {
      folder_spans_[binding.local] = span;
      file_lists_[binding.local] = Item::Line{
          .file = pattern->directory, .input = true, .pattern = pattern->leaf, .number = {}};
      return;
    }
    if (many->operation == ir::Operation::file_lines) {
      if (const auto file = bundled(many->operands[0])) {
        file_lists_[binding.local] = Item::Line{.file = *file, .number = {}};
      }
      return;
    }
    const auto* output =
        many->operation != ir::Operation::words || many->operands[0].parts.size() != 1
            ? nullptr
            : std::get_if<ir::Output>(&many->operands[0].parts[0]);
    if (output == nullptr || !output->next.empty() || output->launch->words.size() != 2 ||
        output->launch->words[0].text() != "cat") {
      return;
    }
    std::string content;
    const auto file = bundled(output->launch->words[1], &content);
    // Patterns among the words would become the names of files.
    if (file && content.find_first_of("*?[\\") == std::string::npos) {
      file_lists_[binding.local] = Item::Line{.file = *file, .words = true, .number = {}};
    }
  }

  // Items that stand within other values become parameters of their own.
  void replace_items(ir::Step& step) {
    const std::function<void(ir::Step&)> walk = [&](ir::Step& each) {
      ir::for_each_value(each, [&](ir::Value& value) { replace_items(value, each.span); });
      ir::for_each_part(each, [&](const std::vector<ir::Step>& inner) {
        for (const ir::Step& one : inner) {
          walk(const_cast<ir::Step&>(one)); // NOLINT: they are the body's own
        }
      });
    };
    walk(step);
  }

  void replace_items(ir::Value& value, const Span& span, const std::string& variable = "") {
    for (ir::ValuePart& part : value.parts) {
      if (auto* computed = std::get_if<ir::Computed>(&part);
          computed != nullptr && computed->operation == ir::Operation::words) {
        replace_items(computed->operands[0], span);
        continue;
      }
      const auto* list = list_name(part);
      auto item = item_of(part);
      if (!item) {
        continue;
      }
      if (const std::string* name = known(*item)) {
        for (Item& each : job_.array->items) {
          if (each.parameter.name == *name) {
            each.also.push_back(value.span.end != 0 ? value.span : span);
          }
        }
        part = ir::Local{*name};
        continue;
      }
      std::string name = list != nullptr ? singular(*list) : "item";
      if (const auto* line = std::get_if<Item::Line>(&item->from);
          line != nullptr && list == nullptr && line->pattern.empty()) {
        const std::string leaf = line->file.substr(line->file.find_last_of('/') + 1);
        name = singular(python_name(leaf.substr(0, leaf.find('.'))));
      }
      if (!variable.empty() && value.parts.size() == 1) {
        name = variable;
      }
      name = unused(python_name(name));
      add(std::move(*item), name, "", value.span.end != 0 ? value.span : span);
      part = ir::Local{name};
    }
  }

  static const std::string* list_name(const ir::ValuePart& part) {
    const auto* computed = std::get_if<ir::Computed>(&part);
    const auto* list =
        computed == nullptr || computed->operands.empty() || computed->operands[0].parts.size() != 1
            ? nullptr
            : std::get_if<ir::Local>(&computed->operands[0].parts[0]);
    return list == nullptr ? nullptr : &list->name;
  }

  std::string unused(std::string name) const {
    std::set<std::string> taken = taken_names(job_);
    for (const Item& item : job_.array->items) {
      taken.insert(item.parameter.name);
    }
    while (taken.contains(name) || context_.taken.contains(name)) {
      name += "_";
    }
    return name;
  }

  // ---- what is left

  // Lists and numbers that nothing reads any more.
  void forget_unread() {
    for (bool again = true; again;) {
      again = false;
      const std::set<std::string> read = locals_read();
      std::set<std::string> lists;
      std::set<std::string> numbers;
      const auto add = [&](const auto& from, std::set<std::string>& to) {
        for (const auto& [local, value] : from) {
          if (!read.contains(local)) {
            to.insert(local);
          }
        }
      };
      add(constants_, lists);
      add(taken_from_, lists);
      add(used_, numbers);
      for (ir::Step& step : job_.body) {
        if (std::holds_alternative<ir::Assign>(step.value) && !step.in_region &&
            step.status.empty()) {
          again = drop(step, lists, "what `main` takes the items from") || again;
          if (std::holds_alternative<ir::Assign>(step.value)) {
            again = drop(step, numbers, "its value stands where `main` takes the items") || again;
          }
        }
      }
    }
  }

  std::set<std::string> locals_read() {
    std::set<std::string> read;
    const auto within = [&](ir::Value& value) {
      for (const ir::ValuePart& part : value.parts) {
        if (const auto* local = std::get_if<ir::Local>(&part)) {
          read.insert(local->name);
        }
      }
    };
    ir::for_each_step(job_.body, [&](ir::Step& step) { ir::for_each_value(step, within); });
    for (const ir::KeptRegion& region : job_.kept) {
      for (const auto& [variable, local] : region.takes) {
        read.insert(local);
      }
    }
    return read;
  }

  // Whether the task still looks at its index.
  bool reads_index() {
    if (!job_.kept.empty() && std::ranges::any_of(job_.slurm_reads, [](const auto& read) {
          return is_index(read.name);
        })) {
      return true;
    }
    bool read = false;
    const auto within = [&](ir::Value& value) {
      for (const ir::ValuePart& part : value.parts) {
        const auto* variable = std::get_if<ir::SlurmVariable>(&part);
        read = read || std::holds_alternative<ir::ArrayIndex>(part) ||
               (variable != nullptr && is_index(variable->name));
      }
    };
    ir::for_each_step(job_.body, [&](ir::Step& step) { ir::for_each_value(step, within); });
    for (ir::OutputFile& output : job_.outputs) {
      within(output.path);
    }
    for (ir::ClusterPath& path : job_.cluster_paths) {
      if (path.computed_leaf) {
        within(*path.computed_leaf);
      }
    }
    return read;
  }
  static bool is_index(const std::string& name) {
    const auto* row = tables::find_slurm_variables(name);
    return row != nullptr && row->at_run_time == tables::SlurmVariablesAtRunTime::index;
  }

  // The task needs no file whose lines it is given, unless something else names it.
  void leave_files() {
    std::string named;
    ir::for_each_step(job_.body, [&](ir::Step& step) {
      ir::for_each_value(step, [&](ir::Value& value) {
        for (const ir::ValuePart& part : value.parts) {
          if (const auto* text = std::get_if<ir::Text>(&part)) {
            named += text->text + "\n";
          }
        }
      });
    });
    for (const ir::KeptRegion& region : job_.kept) {
      named += region.text;
    }
    const auto files = job_.array->files;
    for (const std::string& path : job_.include) {
      if (std::ranges::find(files, path) == files.end() && context_.read_file) {
        named += context_.read_file(path).value_or("");
      }
    }
    std::erase_if(job_.include, [&](const std::string& path) {
      const std::string leaf = path.substr(path.find_last_of('/') + 1);
      return std::ranges::find(files, path) != files.end() && named.find(leaf) == std::string::npos;
    });
  }

  PassContext& context_;
  ir::Job& job_;
  bool still_ = true;                          // nothing has written a file yet
  std::optional<std::string> directory_ = "";  // "" or "sub/", below the submit directory
  std::map<std::string, ir::Value> known_;     // locals that are values of the index alone
  std::map<std::string, ir::Value> files_;     // locals that are texts
  std::map<std::string, ir::ArrayList> lists_; // locals that are lists of texts
  std::map<std::string, Item::Line> file_lists_;
  std::map<std::string, Span> folder_spans_;     // of those that a pattern of the cluster makes
  std::map<std::string, std::string> constants_; // of a list's local: the module's name
  std::map<std::string, bool> taken_from_;       // of file_lists_
  // Of known_: what something pure was made of, which may be an item.
  mutable std::map<std::string, bool> used_;
  std::set<std::string> dropped_;
};

} // namespace

void name_lists_apart(ir::Workload& workload) {
  std::map<std::string, std::vector<std::string>> known;
  for (ir::Job& job : workload.jobs) {
    if (!job.array) {
      continue;
    }
    for (ir::ArrayList& list : job.array->lists) {
      const std::string before = list.constant;
      while (known.contains(list.constant) && known.at(list.constant) != list.items) {
        list.constant += "_";
      }
      known[list.constant] = list.items;
      for (Item& item : job.array->items) {
        auto* value = std::get_if<ir::Value>(&item.from);
        auto* computed = value == nullptr ? nullptr : std::get_if<ir::Computed>(&value->parts[0]);
        if (computed != nullptr) {
          auto& local = std::get<ir::Local>(computed->operands[0].parts[0]);
          local.name = local.name == before ? list.constant : local.name;
        }
      }
    }
  }
}

void array_items(PassContext& context) { ArrayItems(context).run(); }

} // namespace s2f::passes
