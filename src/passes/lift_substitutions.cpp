// What $( ) gives: the output of one program, or what is known to be the same.
//
// before:  $(date +%Y%m%d)          after:  Computed{now, "%Y%m%d"}
// before:  $(git rev-parse HEAD)    after:  Output{Launch{git rev-parse HEAD}}
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

namespace {

ir::Value unknown(std::string why) {
  ir::Value value;
  value.append(ir::Unknown{std::move(why)});
  return value;
}

ir::Value computed(ir::Operation operation, std::vector<ir::Value> operands, bool one_word) {
  ir::Value value;
  value.append(ir::Computed{operation, std::move(operands), one_word});
  return value;
}

// Whether `date` and Python's strftime make the same of a format.
bool same_format(std::string_view format) {
  constexpr std::string_view same = "YmdHMSyjFTDaAbBeIpsZzuwntRCVGhUW%";
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      continue;
    }
    ++i;
    if (i >= format.size() || same.find(format[i]) == std::string_view::npos) {
      return false;
    }
  }
  return !format.empty();
}

bool format_is_one_word(std::string_view format) {
  return format.find_first_of(" \t\n*?[") == std::string_view::npos &&
         format.find("%n") == std::string_view::npos && format.find("%t") == std::string_view::npos;
}

std::string base_name_of(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) {
    path.pop_back();
  }
  return path == "/" ? path : path.substr(path.find_last_of('/') + 1);
}

std::string directory_of(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) {
    path.pop_back();
  }
  const auto slash = path.find_last_of('/');
  if (slash == std::string::npos) {
    return ".";
  }
  path.resize(slash);
  while (path.size() > 1 && path.ends_with('/')) {
    path.pop_back();
  }
  return path.empty() ? "/" : path;
}

// $(seq FIRST STEP LAST)
std::optional<ir::Value> sequence(const std::vector<ir::Value>& words) {
  constexpr std::int64_t most = 1000;
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto text = words[i].text();
    if (!text || !plain_number(*text)) {
      return std::nullopt;
    }
    numbers.push_back(std::stoll(*text));
  }
  if (numbers.empty() || numbers.size() > 3) {
    return std::nullopt;
  }
  const std::int64_t first = numbers.size() > 1 ? numbers.front() : 1;
  const std::int64_t step = numbers.size() > 2 ? numbers[1] : 1;
  const std::int64_t last = numbers.back();
  if (step == 0 || (last - first) / step > most) {
    return std::nullopt;
  }
  std::string text;
  for (std::int64_t i = first; step > 0 ? i <= last : i >= last; i += step) {
    text += fmt::format("{}{}", text.empty() ? "" : "\n", i);
  }
  return ir::Value::of(text);
}

} // namespace

// $(printf run_%03d N)
std::optional<ir::Value> Lifting::printed(const std::string& format, const ir::Value& word) {
  const auto begin = format.find('%');
  const auto end = format.find('d');
  if (begin == std::string::npos || end == std::string::npos || end < begin ||
      format.find('%', begin + 1) != std::string::npos ||
      format.find_first_of("\\\n") != std::string::npos || format.starts_with('-')) {
    return std::nullopt;
  }
  const std::string width = format.substr(begin + 1, end - begin - 1);
  const bool zeros = width.size() > 1 && width[0] == '0' && plain_number(width.substr(1));
  if (!width.empty() && !zeros) {
    return std::nullopt;
  }
  const ir::Value number = as_number(word, job_, true, word.span);
  const bool natural =
      number.parts.size() == 1 && (std::holds_alternative<ir::ArrayIndex>(number.parts[0]) ||
                                   (std::holds_alternative<ir::Local>(number.parts[0]) &&
                                    std::get<ir::Local>(number.parts[0]).natural));
  const auto text = number.text();
  if (!natural && !(text && plain_number(*text) && !text->starts_with('-'))) {
    return std::nullopt;
  }
  ir::Value result;
  result.append(ir::Text{format.substr(0, begin)});
  const std::size_t size = zeros ? std::stoul(width.substr(1)) : 0;
  constexpr std::size_t widest = 64;
  if (size > widest) {
    return std::nullopt;
  }
  if (text) {
    result.append(ir::Text{fmt::format("{:0>{}}", *text, size)});
  } else if (zeros) {
    result.append(ir::Computed{
        ir::Operation::padded, {number, ir::Value::of(fmt::format("{}", size))}, true});
  } else {
    result.append(number.parts[0]);
  }
  result.append(ir::Text{format.substr(end + 1)});
  return result;
}

// Variables by which `date` prints otherwise.
bool Lifting::clock_changed() const {
  constexpr std::array names{"TZ", "LANG", "LC_ALL", "LC_TIME", "LANGUAGE"};
  return std::ranges::any_of(names, [&](const char* name) { return exported_.contains(name); });
}

std::optional<ir::Value> Lifting::well_known(const std::vector<ir::Value>& words) {
  const std::string program = words.front().text().value_or("");
  const auto argument = words.size() > 1 ? words[1].text() : std::nullopt;
  if (program == "hostname" && words.size() == 1) {
    return computed(ir::Operation::host_name, {}, true);
  }
  if (program == "whoami" && words.size() == 1) {
    return computed(ir::Operation::user_name, {}, true);
  }
  if (program == "pwd" && words.size() == 1) {
    return scope_.directory();
  }
  if (program == "date" && !clock_changed()) {
    if (words.size() == 1) {
      return computed(ir::Operation::now, {ir::Value::of("%a %b %e %H:%M:%S %Z %Y")}, false);
    }
    if (words.size() == 2 && argument == "+%s") {
      return computed(ir::Operation::seconds, {}, true);
    }
    if (words.size() == 2 && argument && argument->starts_with('+') &&
        same_format(argument->substr(1))) {
      return computed(ir::Operation::now, {ir::Value::of(argument->substr(1))},
                      format_is_one_word(*argument));
    }
  }
  const bool option = words.size() > 1 && !words[1].parts.empty() &&
                      std::holds_alternative<ir::Text>(words[1].parts[0]) &&
                      std::get<ir::Text>(words[1].parts[0]).text.starts_with('-');
  const bool splices = std::ranges::any_of(words, &ir::Value::many);
  if (option || splices) {
    return std::nullopt;
  }
  if (program == "basename" && (words.size() == 2 || (words.size() == 3 && words[2].text()))) {
    if (argument) {
      std::string name = base_name_of(*argument);
      const std::string suffix = words.size() == 3 ? *words[2].text() : "";
      if (name.size() > suffix.size() && name.ends_with(suffix)) {
        name.resize(name.size() - suffix.size());
      }
      return ir::Value::of(name);
    }
    return computed(ir::Operation::base_name, {words.begin() + 1, words.end()},
                    Scope::one_word(words[1]));
  }
  if (program == "dirname" && words.size() == 2) {
    if (argument) {
      return ir::Value::of(directory_of(*argument));
    }
    return computed(ir::Operation::directory_name, {words[1]}, Scope::one_word(words[1]));
  }
  if (program == "seq") {
    return sequence(words);
  }
  if (program == "printf" && words.size() > 2 && argument) {
    auto text = formatted(*argument, {words.begin() + 2, words.end()});
    // What ends in a newline loses it here.
    const bool plain = text && std::ranges::all_of(text->parts, [](const ir::ValuePart& part) {
                         const auto* piece = std::get_if<ir::Text>(&part);
                         ir::Value single;
                         single.append(part);
                         return piece != nullptr ? piece->text.find('\n') == std::string::npos
                                                 : Scope::one_word(single);
                       });
    return plain ? std::move(text) : std::nullopt;
  }
  if (program == "echo" && words.size() > 1) {
    ir::Value joined;
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (i > 1) {
        joined.append(ir::Text{" "});
      }
      for (const ir::ValuePart& part : words[i].parts) {
        joined.append(part);
      }
    }
    const bool plain = std::ranges::all_of(joined.parts, [](const ir::ValuePart& part) {
      const auto* text = std::get_if<ir::Text>(&part);
      ir::Value single;
      single.append(part);
      return text != nullptr ? text->text.find_first_of("\\\n") == std::string::npos
                             : Scope::one_word(single);
    });
    if (plain) {
      return joined;
    }
  }
  return std::nullopt;
}

// $(ls *.fastq | head -n 1)
ir::Value Lifting::piped_output(const shell::Statement& statement, const shell::Pipeline& piped) {
  ir::Step step = make_step(statement);
  if (std::string why = pipeline(step, piped); !why.empty()) {
    return unknown(std::move(why));
  }
  auto& stages = std::get<ir::Pipeline>(step.value).stages;
  ir::Output output;
  output.pipefail = job_.pipefail;
  for (ir::Step& stage : stages) {
    auto& launch = std::get<ir::Launch>(stage.value);
    launch.status_matters = false;
    if (!launch.directory.empty()) {
      return unknown("a pipeline with a variable for one program");
    }
    const bool last = &stage == &stages.back();
    if (std::ranges::any_of(launch.redirections, [&](const ir::Redirection& each) {
          return each.to_file() || each.to_stderr ||
                 (last && each.stream != ir::Redirection::Stream::err);
        })) {
      return unknown("the output of a command"); // what it prints goes elsewhere
    }
    if (&stage == &stages.front()) {
      output.launch = std::move(launch);
    } else {
      output.next.emplace_back(std::move(launch));
    }
  }
  ir::Value value;
  value.append(std::move(output));
  return value;
}

// $(< FILE), as `cat` does it
ir::Value Lifting::file_content(const shell::Statement& statement,
                                const shell::SimpleCommand& command) {
  const std::string general = "the output of a command";
  if (!command.assignments.empty() || statement.redirects.size() != 1 ||
      statement.redirects.front().kind != shell::RedirectKind::input ||
      statement.redirects.front().descriptor) {
    return unknown(general);
  }
  ir::Value file = scope_.value_of(statement.redirects.front().target);
  const auto path = file.text();
  if (!path || path->empty() || path->starts_with('-') || functions_.contains("cat")) {
    return unknown(general);
  }
  include(*path);
  launched_ = true;
  ir::Launch launch;
  launch.words.push_back(ir::Value::of("cat", statement.span));
  launch.words.push_back(std::move(file));
  launch.status_matters = false;
  ir::Value value;
  value.append(ir::Output{std::move(launch)});
  return value;
}

ir::Value Lifting::substitution(const shell::CommandSubstitution& substitution) {
  const std::string general = "the output of a command";
  if (substitution.body.size() != 1) {
    return unknown(general);
  }
  if (auto names = hosts(substitution.body)) {
    return std::move(*names);
  }
  const shell::Statement& statement = substitution.body.front();
  if (const auto* piped = std::get_if<shell::Pipeline>(&statement.value);
      piped != nullptr && !statement.background && !statement.negated && !statement.timed &&
      statement.redirects.empty()) {
    return piped_output(statement, *piped);
  }
  const auto* command = shell::as_simple(statement);
  if (command == nullptr || statement.background || statement.negated || statement.timed) {
    return unknown(general);
  }
  if (command->words.empty()) {
    return file_content(statement, *command);
  }
  ir::Launch launch;
  if (std::string why = launch_of(statement, *command, launch); !why.empty()) {
    return unknown(std::move(why));
  }
  if (launch.environment.empty() && launch.redirections.empty() && !launch.input) {
    if (auto value = well_known(launch.words)) {
      return std::move(*value);
    }
  }
  const bool prints = std::ranges::all_of(launch.redirections, [](const ir::Redirection& r) {
    return r.to_stdout ||
           (r.stream == ir::Redirection::Stream::err && r.file.text() == "/dev/null");
  });
  if (!prints) {
    return unknown(general);
  }
  launched_ = true;
  launch.status_matters = false;
  ir::Value value;
  value.append(ir::Output{std::move(launch)});
  return value;
}

} // namespace s2f::passes
