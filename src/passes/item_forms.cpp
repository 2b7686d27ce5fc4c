// Reads the words of sed, awk, head and tail where they print one line of a file.
//
// before:  head -n N FILE | tail -n 1 | cut -d, -f2
// after:   Line{number N, or_last, field {cut, ",", 2}}
#include "passes/item_forms.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "generated/tables/quiet_programs.hpp"
#include "ir/steps.hpp"

namespace s2f::passes {

namespace {

constexpr char hole = '\x01'; // stands for the number in the text of a word

using Launches = std::vector<const ir::Launch*>;

// A word as text, in which a hole stands for the one value that is no text.
struct Shape {
  std::string text;
  std::optional<ir::Value> number;
};

std::optional<Shape> shape_of(const ir::Value& word) {
  Shape shape;
  for (const ir::ValuePart& part : word.parts) {
    if (const auto* text = std::get_if<ir::Text>(&part)) {
      shape.text += text->text;
      continue;
    }
    if (shape.number) {
      return std::nullopt;
    }
    shape.text += hole;
    shape.number.emplace();
    shape.number->span = word.span;
    shape.number->parts.push_back(part);
  }
  return shape;
}

// A text of digits is a number, too.
std::optional<Shape> with_digits_as_hole(Shape shape, std::string_view before,
                                         std::string_view after) {
  if (shape.number || !shape.text.starts_with(before) || !shape.text.ends_with(after) ||
      shape.text.size() <= before.size() + after.size()) {
    return shape;
  }
  const std::string digits =
      shape.text.substr(before.size(), shape.text.size() - before.size() - after.size());
  if (digits.find_first_not_of("0123456789") != std::string::npos) {
    return shape;
  }
  shape.number = ir::Value::of(digits);
  shape.text = std::string(before) + hole + std::string(after);
  return shape;
}

std::string without_blanks(std::string_view text) {
  std::string result;
  std::ranges::copy_if(text, std::back_inserter(result),
                       [](char c) { return c != ' ' && c != '\t'; });
  return result;
}

std::optional<std::int64_t> positive(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value > 0
             ? std::optional(value)
             : std::nullopt;
}

bool plain(const ir::Launch& launch) {
  return launch.environment.empty() && launch.redirections.empty() && !launch.input &&
         launch.directory.empty() && launch.launcher.empty() && !launch.words.empty();
}

std::string program(const ir::Launch& launch) { return launch.words.front().text().value_or(""); }

// The file that ends the words, or what `cat FILE |` reads.
struct Reader {
  std::vector<ir::Value> words; // without the program and the file
  ir::Value file;
};
std::optional<Reader> reader_of(const ir::Launch& launch, const std::optional<ir::Value>& piped) {
  Reader reader;
  reader.words.assign(launch.words.begin() + 1, launch.words.end());
  if (piped) {
    reader.file = *piped;
    return reader;
  }
  if (reader.words.empty()) {
    return std::nullopt;
  }
  reader.file = std::move(reader.words.back());
  reader.words.pop_back();
  const std::string text = reader.file.text().value_or("x");
  if (text.empty() || text.starts_with('-')) {
    return std::nullopt;
  }
  return reader;
}

// sed -n Np, sed Nq;d, sed N!d
std::optional<LineForm> sed(const ir::Launch& launch, const std::optional<ir::Value>& piped) {
  auto reader = reader_of(launch, piped);
  if (!reader) {
    return std::nullopt;
  }
  bool quiet = false;
  std::optional<Shape> script;
  for (const ir::Value& word : reader->words) {
    const auto text = word.text();
    if (text == "-n" || text == "--quiet" || text == "--silent") {
      quiet = true;
    } else if (text == "-e" || text == "-E" || text == "-r") {
      continue;
    } else if (script || (text && text->starts_with('-'))) {
      return std::nullopt;
    } else {
      script = shape_of(word);
    }
  }
  if (!script || !script->number) {
    return std::nullopt;
  }
  const std::string text = without_blanks(script->text);
  const std::string number(1, hole);
  const bool prints = quiet ? text == number + "p" || text == number + "{p;q}" ||
                                  text == number + "{p;q;}" || text == number + "p;" + number + "q"
                            : text == number + "q;d" || text == number + "!d";
  if (!prints) {
    return std::nullopt;
  }
  return LineForm{std::move(reader->file), {.number = std::move(*script->number)}, 1};
}

// {print $2}, {print $2;exit}, {print}: the field, 0 for the whole line; nothing for others.
std::optional<std::int64_t> printed_field(std::string_view action) {
  if (action.empty()) {
    return 0;
  }
  if (!action.starts_with("{print") || !action.ends_with('}')) {
    return std::nullopt;
  }
  action.remove_prefix(std::string_view("{print").size());
  action.remove_suffix(1);
  for (const std::string_view end : {";", "exit", ";"}) {
    if (action.ends_with(end)) {
      action.remove_suffix(end.size());
    }
  }
  if (action.empty() || action == "$0") {
    return 0;
  }
  if (!action.starts_with('$')) {
    return std::nullopt;
  }
  return positive(action.substr(1));
}

// A separator that awk and Python take for the character that it is.
std::optional<std::string> separator_of(const std::string& text) {
  if (text == "\\t" || text == "\t") {
    return "\t";
  }
  if (text == " ") {
    return "";
  }
  return text.size() == 1 && std::string_view(",:;").find(text[0]) != std::string_view::npos
             ? std::optional(text)
             : std::nullopt;
}

struct AwkOptions {
  std::string separator;
  std::string variable; // of -v
  std::optional<ir::Value> value;
  std::optional<Shape> script;
};

std::optional<AwkOptions> awk_options(const std::vector<ir::Value>& words) {
  AwkOptions result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    auto shape = shape_of(words[i]);
    if (!shape) {
      return std::nullopt;
    }
    std::string& text = shape->text;
    if (text == "-F" && i + 1 < words.size()) {
      ++i;
      text += words[i].text().value_or("");
    } else if (text == "-v" && i + 1 < words.size()) {
      ++i;
      shape = shape_of(words[i]);
      if (!shape) {
        return std::nullopt;
      }
      text.insert(0, "-v");
    }
    if (shape->text.starts_with("-F") && !shape->number) {
      const auto separator = separator_of(shape->text.substr(2));
      if (!separator) {
        return std::nullopt;
      }
      result.separator = *separator;
    } else if (shape->text.starts_with("-v")) {
      const auto equals = shape->text.find('=');
      if (equals == std::string::npos || result.value || !shape->number ||
          shape->text.substr(equals + 1) != std::string(1, hole)) {
        return std::nullopt;
      }
      result.variable = shape->text.substr(2, equals - 2);
      result.value = std::move(shape->number);
    } else if (shape->text.starts_with('-') || result.script) {
      return std::nullopt;
    } else {
      result.script = std::move(shape);
    }
  }
  return result.script ? std::optional(std::move(result)) : std::nullopt;
}

void replace_all(std::string& text, std::string_view what, char with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), 1, with);
  }
}

// awk "NR==N", awk -v n=N 'NR==n {print $2}', awk 'NR==ENVIRON["SLURM_ARRAY_TASK_ID"]'
std::optional<LineForm> awk(const ir::Launch& launch, const std::optional<ir::Value>& piped) {
  auto reader = reader_of(launch, piped);
  auto options = reader ? awk_options(reader->words) : std::nullopt;
  if (!options) {
    return std::nullopt;
  }
  std::string text = without_blanks(options->script->text);
  std::optional<ir::Value> number = std::move(options->script->number);
  if (options->value && !number) {
    const std::string& name = options->variable;
    if (name.empty() || text.find("$" + name) != std::string::npos) {
      return std::nullopt;
    }
    for (const char* counter : {"NR", "FNR"}) {
      for (const std::string& test : {std::string(counter) + "==" + name, name + "==" + counter}) {
        if (text.starts_with(test) && (text.size() == test.size() || text[test.size()] == '{')) {
          text = std::string("NR==") + hole + text.substr(test.size());
        }
      }
    }
    number = std::move(options->value);
  } else if (!number) {
    replace_all(text, "ENVIRON[\"SLURM_ARRAY_TASK_ID\"]", hole);
    number.emplace();
    number->append(ir::ArrayIndex{});
  } else if (options->value) {
    return std::nullopt;
  }
  for (const char* before : {"NR==", "FNR=="}) {
    const std::string start = std::string(before) + hole;
    if (!text.starts_with(start) || text.find(hole, start.size()) != std::string::npos) {
      continue;
    }
    const auto field = printed_field(std::string_view(text).substr(start.size()));
    if (!field) {
      return std::nullopt;
    }
    LineForm form{std::move(reader->file), {.number = std::move(*number)}, 0};
    if (*field > 0) {
      form.line.field = {"awk", options->separator, *field};
    }
    return form;
  }
  return std::nullopt;
}

// Of `head -n N`, `head -N`, `tail -n +N`: the number.
std::optional<Shape> count_of(const std::vector<ir::Value>& words) {
  std::optional<Shape> shape;
  if (words.size() == 2 && words[0].text() == "-n") {
    shape = shape_of(words[1]);
  } else if (words.size() == 1) {
    shape = shape_of(words[0]);
    if (shape && shape->text.starts_with("-n")) {
      shape->text.erase(0, 2);
    } else if (shape && shape->text.starts_with('-')) {
      shape->text.erase(0, 1);
    } else {
      return std::nullopt;
    }
  }
  return shape;
}

bool takes_one(const ir::Launch& launch) {
  const auto count = count_of({launch.words.begin() + 1, launch.words.end()});
  return count && count->text == "1" && plain(launch);
}

// head -n N | tail -n 1, tail -n +N | head -n 1
std::optional<LineForm> two_ends(const ir::Launch& first, const ir::Launch& second,
                                 const std::optional<ir::Value>& piped) {
  const bool head = program(first) == "head" && program(second) == "tail";
  const bool tail = program(first) == "tail" && program(second) == "head";
  auto reader = head || tail ? reader_of(first, piped) : std::nullopt;
  auto count = reader ? count_of(reader->words) : std::nullopt;
  if (!count || !takes_one(second)) {
    return std::nullopt;
  }
  count = with_digits_as_hole(std::move(*count), tail ? "+" : "", "");
  if (!count->number || count->text != (tail ? "+" : "") + std::string(1, hole)) {
    return std::nullopt;
  }
  LineForm form{std::move(reader->file), {.number = std::move(*count->number)}, tail ? 1 : 0};
  form.line.or_last = head;
  return form;
}

// cut -d, -f2
std::optional<ir::ArrayItem::Field> cut(const ir::Launch& launch) {
  ir::ArrayItem::Field field{"cut", "\t", 0};
  for (std::size_t i = 1; i < launch.words.size(); ++i) {
    auto text = launch.words[i].text();
    if (!text || text->size() < 2 || (*text)[0] != '-') {
      return std::nullopt;
    }
    const char option = (*text)[1];
    std::string value = text->substr(2);
    if (value.empty() && i + 1 < launch.words.size()) {
      ++i;
      value = launch.words[i].text().value_or("");
    }
    if (option == 'd' && value.size() == 1) {
      field.separator = value;
    } else if (const auto number = positive(value); option == 'f' && number) {
      field.number = *number;
    } else {
      return std::nullopt;
    }
  }
  return field.number > 0 ? std::optional(field) : std::nullopt;
}

// What stands behind the line: a field of it, or `tr -d '\r'`.
bool take(const ir::Launch& launch, ir::ArrayItem::Line& line) {
  if (!plain(launch) || line.field) {
    return false;
  }
  if (program(launch) == "cut") {
    line.field = cut(launch);
    return line.field.has_value();
  }
  if (program(launch) == "tr" && launch.words.size() == 3 && launch.words[1].text() == "-d" &&
      (launch.words[2].text() == "\\r" || launch.words[2].text() == "\r")) {
    line.no_return = true;
    return true;
  }
  if (program(launch) == "awk") {
    const auto options = awk_options({launch.words.begin() + 1, launch.words.end()});
    const auto field = options && !options->value && !options->script->number
                           ? printed_field(without_blanks(options->script->text))
                           : std::nullopt;
    if (field && *field > 0) {
      line.field = {"awk", options->separator, *field};
      return true;
    }
  }
  return false;
}

// Whether it writes no file.
bool harmless(const ir::Launch& launch) {
  const std::string name = launch.words.empty() ? "" : launch.words.front().text().value_or("");
  if (tables::find_quiet_programs(name) == nullptr) {
    return false;
  }
  const bool script = std::ranges::any_of(launch.words, [&](const ir::Value& word) {
    const std::string text = word.text().value_or("");
    return (name == "sed" && (text.starts_with("-i") || text.starts_with("--in-place") ||
                              text.find('w') != std::string::npos)) ||
           (name == "awk" && text.find_first_of(">|") != std::string::npos) ||
           (name == "sort" && text.starts_with("-o"));
  });
  return !script && std::ranges::all_of(launch.redirections, [](const auto& redirection) {
    return !redirection.to_file();
  });
}

} // namespace

bool writes_no_file(const ir::Step& step) {
  bool quiet = true;
  const auto within = [&](const ir::Value& value) {
    for (const ir::ValuePart& part : value.parts) {
      if (const auto* output = std::get_if<ir::Output>(&part)) {
        quiet = quiet && harmless(*output->launch) &&
                std::ranges::all_of(output->next, [](const auto& next) { return harmless(*next); });
      }
    }
  };
  (void)ir::any_step(step, [&](const ir::Step& each) {
    const auto* launch = std::get_if<ir::Launch>(&each.value);
    quiet = quiet && (launch == nullptr || harmless(*launch)) &&
            !std::holds_alternative<ir::Opaque>(each.value) &&
            !std::holds_alternative<ir::Stage>(each.value);
    ir::Step copy = each; // its values are visited to be changed
    ir::for_each_value(copy, within);
    return false;
  });
  return quiet;
}

std::optional<LineForm> line_form(const ir::Output& output) {
  Launches all{&*output.launch};
  for (const auto& next : output.next) {
    all.push_back(&*next);
  }
  std::size_t at = 0;
  std::optional<ir::Value> piped;
  if (program(*all[0]) == "cat" && all[0]->words.size() == 2 && all.size() > 1 && plain(*all[0])) {
    piped = all[0]->words[1];
    at = 1;
  }
  if (!plain(*all[at])) {
    return std::nullopt;
  }
  std::optional<LineForm> form;
  if (program(*all[at]) == "sed") {
    form = sed(*all[at], piped);
    at += 1;
  } else if (program(*all[at]) == "awk" || program(*all[at]) == "gawk") {
    form = awk(*all[at], piped);
    at += 1;
  } else if (at + 1 < all.size()) {
    form = two_ends(*all[at], *all[at + 1], piped);
    at += 2;
  }
  for (; form && at < all.size(); ++at) {
    if (!take(*all[at], form->line)) {
      return std::nullopt;
    }
  }
  return form;
}

} // namespace s2f::passes
