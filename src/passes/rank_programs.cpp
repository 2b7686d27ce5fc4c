// Tells MPI programs from others by the table of programs and by what Python files import.
#include "passes/rank_programs.hpp"

#include <algorithm>
#include <cctype>
#include <deque>
#include <set>

#include <fmt/format.h>

#include "generated/tables/mpi_modules.hpp"
#include "generated/tables/rank_programs.hpp"

namespace s2f::passes {

namespace {

constexpr std::size_t most_files = 200;

std::string directory_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

// The dotted names after `import` or between `from` and `import`, with those that are imported.
std::vector<std::string> imported(std::string_view text) {
  std::vector<std::string> names;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const bool from = line.starts_with("from ");
    if (!from && !line.starts_with("import ")) {
      continue;
    }
    std::string module;
    std::string word;
    bool second = false; // behind `import` of a `from`
    bool as = false;
    const auto flush = [&] {
      if (word == "import") {
        second = true;
      } else if (word == "as") {
        as = true;
      } else if (!word.empty() && word != "from" && !as) {
        if (from && !second) {
          module = word;
          names.push_back(word);
        } else {
          names.push_back(from ? module + "." + word : word);
        }
      }
      word.clear();
    };
    for (const char c : line) {
      if (c == '#') {
        break;
      }
      if (c == ' ' || c == ',' || c == '(' || c == ')' || c == '\t' || c == '\r' || c == ';') {
        flush();
        as = as && c != ',';
      } else {
        word += c;
      }
    }
    flush();
  }
  return names;
}

class Imports {
public:
  Imports(const PassContext& context, std::string path) : context_(context) {
    root_ = directory_of(path);
    waiting_.push_back(std::move(path));
  }

  // The MPI module that the program or a file beside it imports; "" for none, "?" if too much is
  // imported to read.
  std::string mpi_module() {
    while (!waiting_.empty()) {
      const std::string path = waiting_.front();
      waiting_.pop_front();
      if (!read_.insert(path).second) {
        continue;
      }
      if (read_.size() > most_files) {
        return "?";
      }
      const auto text = context_.read_file(path);
      if (!text) {
        continue;
      }
      for (const std::string& name : imported(*text)) {
        const std::string top = name.substr(0, name.find('.'));
        if (!top.empty() && tables::find_mpi_modules(top) != nullptr) {
          return top;
        }
        follow(path, name);
      }
    }
    return {};
  }

private:
  void follow(const std::string& path, std::string name) {
    std::string directory = root_;
    if (name.starts_with('.')) { // relative to the importing file
      directory = directory_of(path);
      name.erase(0, 1);
      while (name.starts_with('.') && !directory.empty()) {
        directory = directory_of(directory.substr(0, directory.size() - 1));
        name.erase(0, 1);
      }
    }
    std::ranges::replace(name, '.', '/');
    while (!name.empty()) { // pack/module, pack
      for (const char* ending : {".py", "/__init__.py"}) {
        // Of `python -m` the modules lie below the working directory.
        for (const std::string& file : {directory + name + ending, name + ending}) {
          if (context_.file_exists(file)) {
            waiting_.push_back(file);
          }
        }
      }
      const auto slash = name.find_last_of('/');
      name = slash == std::string::npos ? "" : name.substr(0, slash);
    }
  }

  const PassContext& context_;
  std::string root_;
  std::deque<std::string> waiting_;
  std::set<std::string> read_;
};

// The module of `python -m mpi4py train.py`.
std::optional<std::string> module_of(const PlainWords& words, std::size_t program) {
  std::size_t at = program + 1;
  while (at < words.size() && words[at] && words[at]->starts_with('-') && *words[at] != "-m") {
    ++at;
  }
  return at + 1 < words.size() && words[at] == "-m" ? words[at + 1] : std::nullopt;
}

} // namespace

bool is_mpi_program(const std::string& name) {
  using Copies = tables::RankProgramsCopies;
  using Match = tables::RankProgramsMatch;
  if (const auto* row = tables::find_rank_programs(name)) {
    return row->copies == Copies::mpi;
  }
  return std::ranges::any_of(tables::rank_programs, [&](const auto& row) {
    const std::size_t size = row.name.size();
    return (row.match == Match::begins && name.starts_with(row.name) &&
            std::isalnum(static_cast<unsigned char>(name[size])) == 0) ||
           (row.match == Match::ends && name.ends_with(row.name));
  });
}

std::optional<std::string> python_payload(const PassContext& context, const PlainWords& words,
                                          std::size_t program) {
  if (!context.file_exists || !context.read_file) {
    return std::nullopt;
  }
  std::string path;
  if (const auto script = python_script(words, program)) {
    path = *words[*script];
  } else {
    const auto module = module_of(words, program);
    if (!module) {
      return std::nullopt;
    }
    path = *module;
    std::ranges::replace(path, '.', '/');
    path += context.file_exists(path + ".py") ? ".py" : "/__main__.py";
  }
  while (path.starts_with("./")) {
    path.erase(0, 2);
  }
  return path.starts_with('/') || !context.file_exists(path) ? std::nullopt : std::optional(path);
}

Ranks ranks_of(const PassContext& context, const PlainWords& words, std::size_t program) {
  using Kind = Ranks::Kind;
  const Behind behind = behind_wrappers(words, program);
  if (behind.program >= words.size() || !words[behind.program]) {
    return {Kind::unknown, "its program is known only when the job runs"};
  }
  const std::string name = program_name(*words[behind.program]);
  if (const auto* row = tables::find_rank_programs(name)) {
    using Copies = tables::RankProgramsCopies;
    switch (row->copies) {
    case Copies::shows:
      return {Kind::shows, {}};
    case Copies::once:
      return {Kind::once, {}};
    case Copies::mpi:
      return {Kind::mpi, fmt::format("{} is an MPI program", name)};
    }
  }
  if (is_mpi_program(name)) { // a build of one that the table has
    return {Kind::mpi, fmt::format("{} is an MPI program", name)};
  }
  if (!is_python(name) || behind.script) {
    return {Kind::unknown, fmt::format("nothing tells whether {} is an MPI program", name)};
  }
  const auto path = python_payload(context, words, behind.program);
  if (const auto run = module_of(words, behind.program)) {
    const std::string top = run->substr(0, run->find('.'));
    if (tables::find_mpi_modules(top) != nullptr) {
      return {Kind::mpi, fmt::format("python -m {} starts it", *run)};
    }
  }
  if (!path) {
    const auto script = python_script(words, behind.program);
    return {Kind::unknown,
            script ? fmt::format("{} is not beside the script, so nothing tells whether it is an "
                                 "MPI program",
                                 *words[*script])
                   : "nothing tells whether it is an MPI program"};
  }
  const std::string module = Imports(context, *path).mpi_module();
  if (!module.empty()) {
    return {Kind::mpi, fmt::format("{} imports {}", *path, module)};
  }
  return {Kind::separate, {}};
}

} // namespace s2f::passes
