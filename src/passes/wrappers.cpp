// Reads the options of programs that start another program, by the table of wrappers.
#include "passes/wrappers.hpp"

#include <algorithm>
#include <cctype>

#include "generated/tables/wrappers.hpp"

namespace s2f::passes {

namespace {

constexpr int most_wrappers = 6;

bool assignment(const std::string& word) {
  const auto equals = word.find('=');
  return equals != std::string::npos && equals > 0 &&
         std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
         std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

bool listed(std::span<const std::string_view> options, std::string_view option) {
  return std::ranges::find(options, option) != options.end();
}

bool takes_next(const tables::WrappersRow& row, const std::string& option) {
  if (option.find('=') != std::string::npos) {
    return false;
  }
  return row.others == tables::WrappersOthers::value ? !listed(row.flags, option)
                                                     : listed(row.values, option);
}

// The first word behind the wrapper's options and arguments.
std::size_t after(const tables::WrappersRow& row, const PlainWords& words, std::size_t at,
                  bool& certain) {
  if (!row.verbs.empty()) {
    ++at;
  }
  std::int64_t own = row.arguments;
  for (++at; at < words.size(); ++at) {
    if (!words[at]) {
      certain = certain && own > 0;
      if (own == 0) {
        return at;
      }
      --own;
      continue;
    }
    const std::string& word = *words[at];
    if (word == "--") {
      return at + 1;
    }
    if (word.size() > 1 && word[0] == '-') {
      if (takes_next(row, word)) {
        ++at;
      }
    } else if (own > 0) {
      --own;
    } else if (row.name != "env" || !assignment(word)) {
      return at;
    }
  }
  return words.size();
}

bool verb_given(const tables::WrappersRow& row, const PlainWords& words, std::size_t at) {
  return row.verbs.empty() ||
         (at + 1 < words.size() && words[at + 1] && listed(row.verbs, *words[at + 1]));
}

} // namespace

std::string program_name(const std::string& word) {
  const auto slash = word.find_last_of('/');
  return slash == std::string::npos ? word : word.substr(slash + 1);
}

bool is_python(const std::string& name) {
  if (!name.starts_with("python")) {
    return false;
  }
  return std::ranges::all_of(name.substr(std::string_view("python").size()),
                             [](unsigned char c) { return std::isdigit(c) != 0 || c == '.'; });
}

std::optional<std::size_t> python_script(const PlainWords& words, std::size_t program) {
  for (std::size_t i = program + 1; i < words.size(); ++i) {
    if (!words[i]) {
      return std::nullopt;
    }
    const std::string& word = *words[i];
    if (word == "-m" || word == "-c" || word == "-") {
      return std::nullopt;
    }
    if (word == "-W" || word == "-X") {
      ++i;
    } else if (!word.starts_with('-')) {
      return i;
    }
  }
  return std::nullopt;
}

Behind behind_wrappers(const PlainWords& words, std::size_t from) {
  Behind result;
  result.program = from;
  for (int depth = 0; depth < most_wrappers && result.program < words.size(); ++depth) {
    if (!words[result.program]) {
      return result;
    }
    const std::string name = program_name(*words[result.program]);
    // `python -m torch.distributed.run` is named by its module.
    const bool module = is_python(name) && result.program + 2 < words.size() &&
                        words[result.program + 1] == "-m" && words[result.program + 2];
    const auto* row = tables::find_wrappers(module ? *words[result.program + 2] : name);
    if (row == nullptr || !verb_given(*row, words, result.program)) {
      return result;
    }
    const std::size_t begin = result.program + (module ? 2 : 0);
    const std::size_t next = after(*row, words, begin, result.certain);
    if (row->runs == tables::WrappersRuns::script) {
      if (next < words.size() && words[next] && words[next]->ends_with(".py")) {
        result.script = next;
      }
      return result;
    }
    if (next >= words.size()) {
      return result; // `env` by itself is the program
    }
    result.program = next;
  }
  return result;
}

} // namespace s2f::passes
