// Matches calls with grammar/python-writers.json and evaluates the paths that they are given.
#include "payload/files.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "generated/tables/python_writers.hpp"
#include "payload/paths.hpp"

namespace s2f::payload {
namespace {

using tables::PythonWritersRow;
using tables::PythonWritersUse;

constexpr std::int64_t receiver_argument = -1;

std::span<const PythonWritersRow> rows_of(std::string_view callee) {
  const auto rows =
      std::ranges::equal_range(tables::python_writers, callee, {}, &PythonWritersRow::callee);
  return {rows.begin(), rows.end()};
}

class FileReader {
public:
  FileReader(const Program& program, const Declarations& declarations)
      : program_(program), declarations_(declarations), paths_(program, declarations) {}

  std::vector<FileUse> run() {
    for (const NodeId call : program_.calls())
      for (const PythonWritersRow& row : rows_for(call))
        read(call, row);
    for (const Declared& declared : declarations_.options) {
      if (!declared.opens)
        continue;
      add({.path = {},
           .option = long_name(declared.option.flags),
           .pattern = {},
           .writes = declared.opens_for_writing,
           .span = declared.option.span});
    }
    std::ranges::stable_sort(files_, {}, [](const FileUse& use) { return use.span.begin; });
    return std::move(files_);
  }

private:
  std::span<const PythonWritersRow> rows_for(NodeId call) const {
    const std::string callee = program_.callee(call);
    if (!callee.empty()) {
      // A name that the file defines is not the one in the table.
      const bool is_own = program_.function(callee) != no_node;
      if (const auto rows = rows_of(callee); !rows.empty() && !is_own)
        return rows;
      // wandb.save("x") is a function of a module, no method of an object.
      const auto head = std::string_view{callee}.substr(0, callee.find('.'));
      const std::string whole = program_.dotted(program_.syntax().child(call, Field::function));
      const auto here = std::string_view{whole}.substr(0, whole.find('.'));
      if (head.size() < callee.size() && program_.is_imported(here))
        return {};
    }
    const std::string_view method = program_.method(call);
    return method.empty() ? std::span<const PythonWritersRow>{}
                          : rows_of("." + std::string{method});
  }

  void read(NodeId call, const PythonWritersRow& row) {
    const Arguments arguments = program_.arguments(call);
    const auto use = use_of(arguments, row);
    if (!use)
      return;
    NodeId path = no_node;
    if (row.argument == receiver_argument) {
      path = program_.receiver(call);
    } else {
      if (row.argument)
        path = arguments.at(static_cast<std::size_t>(*row.argument));
      if (path == no_node && row.keyword)
        path = arguments.keyword(*row.keyword);
    }
    if (path == no_node)
      return;
    const auto value = paths_.read(path);
    if (!value)
      return;
    FileUse file = file_of(*value);
    const bool globs = row.callee.starts_with("glob.");
    if (globs && file.path.find_first_of("*?[") != std::string::npos)
      std::swap(file.path, file.pattern);
    file.directory = file.directory || row.directory.value_or(false);
    file.span = program_.syntax().span(call);
    for (const bool writes : {false, true}) {
      if (writes ? !use->writes : !use->reads)
        continue;
      file.writes = writes;
      add(file);
    }
  }

  struct Use {
    bool reads = false, writes = false;
  };

  std::optional<Use> use_of(const Arguments& arguments, const PythonWritersRow& row) const {
    if (row.use == PythonWritersUse::reads)
      return Use{.reads = true};
    if (row.use == PythonWritersUse::writes)
      return Use{.writes = true};
    const NodeId mode = arguments.at_or(static_cast<std::size_t>(row.mode.value_or(1)), "mode");
    if (mode == no_node)
      return Use{.reads = true};
    const auto text = text_of(program_, mode);
    if (!text)
      return std::nullopt;
    const bool writes = text->find_first_of("wax") != std::string::npos;
    const bool updates = text->contains('+');
    return Use{.reads = !writes, .writes = writes || updates};
  }

  FileUse file_of(const PathValue& value) const {
    FileUse file;
    switch (value.origin) {
    case PathValue::Origin::literal:
      (value.computed ? file.pattern : file.path) = value.text;
      break;
    case PathValue::Origin::option:
      file.option = long_name(declarations_.options[value.option].option.flags);
      break;
    case PathValue::Origin::argument:
      file.argument = value.argument;
      break;
    }
    file.directory = value.inside;
    return file;
  }

  void add(FileUse file) {
    if (file.path.starts_with("/dev/") || file.path == "-")
      return;
    if (file.path.empty() && file.option.empty() && file.pattern.empty() && file.argument == 0)
      return;
    const bool is_new = seen_
                            .emplace(file.path, file.option, file.pattern, file.argument,
                                     file.writes, file.directory)
                            .second;
    if (is_new)
      files_.push_back(std::move(file));
  }

  const Program& program_;
  const Declarations& declarations_;
  PathReader paths_;
  std::vector<FileUse> files_;
  std::set<std::tuple<std::string, std::string, std::string, int, bool, bool>> seen_;
};

} // namespace

std::vector<FileUse> read_files(const Program& program, const Declarations& declarations) {
  return FileReader{program, declarations}.run();
}

bool writes_current_directory(const std::vector<FileUse>& files) {
  return std::ranges::any_of(files, [](const FileUse& use) {
    const std::string& path = use.path.empty() ? use.pattern : use.path;
    const bool is_relative =
        !path.empty() && !path.starts_with('/') && !path.starts_with('~') && !path.contains("://");
    return use.writes && is_relative;
  });
}

} // namespace s2f::payload
