// Reads the command lines of programs that copy, pack and show files.
//
// before:  cp /project/ref.fa $TMPDIR             after:  reads_file, named; unknown
// before:  cp s1.sam /project/out/                after:  unknown; writes_file, below "s1.sam"
// before:  tar xzf /data/set.tgz -C $TMPDIR       after:  reads_file; unknown
// before:  rsync -a results/ /scratch/me/run7     after:  unknown; writes_directory
#include "passes/path_uses.hpp"

#include <algorithm>
#include <array>

#include "generated/tables/builtins.hpp"
#include "generated/tables/file_endings.hpp"
#include "generated/tables/node_programs.hpp"
#include "generated/tables/output_flags.hpp"
#include "generated/tables/path_roles.hpp"
#include "generated/tables/quiet_programs.hpp"

namespace s2f::passes {

namespace {

using Words = std::vector<std::optional<std::string>>;
using Uses = std::vector<PathUse>;
using Table = tables::PathRolesRole;

std::string leaf_of(std::string_view path) {
  return std::string(path.substr(path.find_last_of('/') + 1));
}

bool remote(const std::string& word) {
  const auto colon = word.find(':');
  return colon != std::string::npos && colon < word.find('/');
}

// The words that are no options, and whether directories are copied as a whole; nothing where an
// option is not known here.
struct Operands {
  std::vector<std::size_t> at;
  bool recursive = false;
};
std::optional<Operands> operands_of(const Words& words, std::string_view letters,
                                    std::string_view recursive) {
  static constexpr std::array long_options{
      "--archive",  "--force", "--human-readable", "--no-clobber", "--partial", "--preserve",
      "--progress", "--quiet", "--recursive",      "--stats",      "--update",  "--verbose"};
  Operands result;
  bool options = true;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string word = words[i].value_or("");
    if (!options || !word.starts_with('-') || word == "-") {
      result.at.push_back(i);
    } else if (word == "--") {
      options = false;
    } else if (word.starts_with("--")) {
      const std::string name = word.substr(0, word.find('='));
      if (std::ranges::find(long_options, name) == long_options.end()) {
        return std::nullopt;
      }
      result.recursive |= name == "--recursive" || name == "--archive";
    } else {
      if (word.find_first_not_of(letters, 1) != std::string::npos) {
        return std::nullopt;
      }
      result.recursive |= word.find_first_of(recursive, 1) != std::string::npos;
    }
  }
  return result;
}

// cp, rsync and mv: all but the last are read, the last is written.
Uses copies(const Words& words, const std::vector<std::string>& made) {
  Uses uses(words.size());
  const bool rsync = words[0] == "rsync";
  const bool moves = words[0] == "mv";
  const auto operands = operands_of(words, rsync ? "avzrhPultq" : "rRapvfnudLi",
                                    moves   ? ""
                                    : rsync ? "ar"
                                            : "rRa");
  if (!operands || operands->at.size() < 2 ||
      std::ranges::any_of(words, [](const auto& word) { return word && remote(*word); })) {
    return uses;
  }
  const std::size_t target = operands->at.back();
  const bool one = operands->at.size() == 2;
  bool files = !operands->recursive && !moves;
  for (std::size_t i = 0; i + 1 < operands->at.size(); ++i) {
    const auto& source = words[operands->at[i]];
    if (!source || moves) { // what is moved away is not only read
      continue;
    }
    PathUse& use = uses[operands->at[i]];
    const bool whole = source->ends_with('/');
    use.named = !(rsync && whole);
    if (!operands->recursive) {
      use.role = whole ? PathRole::unknown : PathRole::reads_file;
    } else if (whole || leaf_of(*source).find('.') == std::string::npos) {
      use.role = PathRole::reads_directory;
    }
  }
  if (!words[target]) {
    return uses;
  }
  PathUse& use = uses[target];
  std::string where = *words[target];
  const bool slash = where.ends_with('/');
  while (where.size() > 1 && where.ends_with('/')) {
    where.pop_back();
  }
  const bool into = slash || !one || std::ranges::find(made, where) != made.end();
  const auto& source = words[operands->at.front()];
  if (into && one && files && source) {
    use.role = PathRole::writes_file;
    use.below = leaf_of(*source);
  } else if (into || (rsync && operands->recursive)) {
    use.role = PathRole::writes_directory;
  } else if (operands->recursive && source && leaf_of(*source).find('.') == std::string::npos) {
    use.role = PathRole::writes_new_directory;
  } else if (files && leaf_of(where).find('.') != std::string::npos) {
    use.role = PathRole::writes_file;
  }
  return uses;
}

// tar: the archive, and where it is packed out.
Uses archive(const Words& words) {
  Uses uses(words.size());
  if (words.size() < 3 || !words[1] || words[1]->starts_with("--")) {
    return uses;
  }
  const std::string& letters = *words[1];
  const auto has = [&](char c) { return letters.find(c) != std::string::npos; };
  if (letters.find_first_not_of("-cxtvzjJfpk") != std::string::npos || !letters.ends_with('f') ||
      has('c') + has('x') + has('t') != 1) {
    return uses;
  }
  uses[2].role = has('c') ? PathRole::writes_file : PathRole::reads_file;
  for (std::size_t i = 3; has('x') && i < words.size(); ++i) {
    if (words[i - 1] == "-C") {
      uses[i].role = PathRole::writes_directory;
    }
  }
  return uses;
}

// unzip FILE -d DIRECTORY
Uses unpacked(const Words& words) {
  Uses uses(words.size());
  bool archive = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i - 1] == "-d") {
      uses[i].role = PathRole::writes_directory;
    } else if (!archive && words[i] && !words[i]->starts_with('-')) {
      uses[i].role = PathRole::reads_file;
      archive = true;
    }
  }
  return uses;
}

// sed -i "/old/d" FILE, awk -F: "/x/ {print}" FILE: the first word that is no option is no path.
Uses filtered(const Words& words) {
  static constexpr std::array awk{"-F", "-v"};
  static constexpr std::array grep{"-A", "-B", "-C", "-m"};
  const auto one_of = [](const auto& options, const std::string& word) {
    return std::ranges::find(options, word) != options.end();
  };
  const bool is_awk = words.front()->ends_with("awk");
  Uses uses(words.size());
  for (std::size_t i = 1; i < words.size() && words[i]; ++i) {
    const std::string& word = *words[i];
    if (word == "-f" || word.starts_with("--file")) {
      return uses; // the text is in a file
    }
    if (word == "-e" || word == "--expression" || word == "--regexp") {
      if (i + 1 < words.size()) {
        uses[i + 1].role = PathRole::shows;
      }
      return uses;
    }
    if (is_awk ? one_of(awk, word) : one_of(grep, word)) {
      ++i; // its value
    } else if (!word.starts_with('-')) {
      uses[i].role = PathRole::shows;
      return uses;
    }
  }
  return uses;
}

PathRole plain_role(Table role) {
  switch (role) {
  case Table::reads:
    return PathRole::reads_file;
  case Table::lists:
    return PathRole::lists;
  case Table::makes:
    return PathRole::writes_directory;
  case Table::writes:
    return PathRole::writes_file;
  case Table::shows:
    return PathRole::shows;
  case Table::copies:
  case Table::packs:
  case Table::unpacks:
  case Table::filters:
    break;
  }
  return PathRole::unknown;
}

} // namespace

std::vector<PathUse> path_uses(const std::vector<std::optional<std::string>>& words,
                               const std::vector<std::string>& made) {
  const auto found = std::ranges::find_if(tables::path_roles, [&](const auto& row) {
    return !words.empty() && words[0] && row.program == *words[0];
  });
  if (found == std::end(tables::path_roles)) {
    return Uses(words.size());
  }
  switch (found->role) {
  case Table::copies:
    return copies(words, made);
  case Table::packs:
    return archive(words);
  case Table::unpacks:
    return unpacked(words);
  case Table::filters:
    return filtered(words);
  default:
    break;
  }
  return Uses(words.size(), PathUse{plain_role(found->role), false, {}});
}

bool role_writes(PathRole role) {
  return role == PathRole::writes_file || role == PathRole::writes_directory ||
         role == PathRole::writes_new_directory || role == PathRole::shows;
}

bool reads_no_file(const std::string& program) {
  if (program != "." && program != "source" && tables::find_builtins(program) != nullptr) {
    return true;
  }
  if (const auto* quiet = tables::find_quiet_programs(program)) {
    return !quiet->reads;
  }
  const auto* row = tables::find_node_programs(program);
  return row != nullptr && row->does == tables::NodeProgramsDoes::words &&
         tables::find_path_roles(program) == nullptr;
}

bool option_writes(const std::vector<std::optional<std::string>>& words, std::size_t at) {
  const auto writes_to = [](std::string_view flag) {
    return flag == "-o" || tables::find_output_flags(flag) != nullptr;
  };
  const std::string word = words[at].value_or("");
  return (word.starts_with('-') && writes_to(std::string_view(word).substr(0, word.find('=')))) ||
         (at > 0 && words[at - 1] && writes_to(*words[at - 1]));
}

bool has_file_ending(std::string_view path) {
  const std::string_view name = path.substr(path.find_last_of('/') + 1);
  const auto dot = name.find_last_of('.');
  return dot != std::string_view::npos && dot > 0 &&
         tables::find_file_endings(name.substr(dot + 1)) != nullptr;
}

} // namespace s2f::passes
