// Job scripts that a driver writes for another interpreter than a shell: a job that writes the
// text to a file and runs the interpreter on it.
//
// before:  #!/bin/tcsh         #SBATCH --mem=1G   set x = $i
// after:   #!/bin/bash         #SBATCH --mem=1G   script=$(mktemp)
//          cat > "$script" <<END_OF_SCRIPT ...    tcsh "$script" "$@"
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "ir/build.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using Pieces = std::vector<WrittenFile::Piece>;

// Each with its newline.
std::vector<Pieces> lines_of(const WrittenFile& file) {
  std::vector<Pieces> lines(1);
  for (const WrittenFile::Piece& piece : file.pieces) {
    const auto constant = terms::constant(piece.value);
    if (!constant) {
      lines.back().push_back(piece);
      continue;
    }
    for (std::size_t at = 0; at < constant->size();) {
      const auto newline = constant->find('\n', at);
      const std::size_t end = newline == std::string::npos ? constant->size() : newline + 1;
      lines.back().push_back({terms::text(constant->substr(at, end - at)), {}});
      if (newline != std::string::npos) {
        lines.emplace_back();
      }
      at = end;
    }
  }
  if (lines.back().empty()) {
    lines.pop_back();
  } else {
    lines.back().push_back({terms::text("\n"), {}});
  }
  return lines;
}

// With nothing where a value stands.
std::string plain(const Pieces& line) {
  std::string text;
  for (const WrittenFile::Piece& piece : line) {
    text += terms::constant(piece.value).value_or("");
  }
  return text;
}

// Behind any other line sbatch reads no directives.
bool comment(const std::string& line) {
  return line.starts_with('#') || line.find_first_not_of(" \t\n") == std::string::npos;
}

// As it stands in a here-document in which variables expand.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '$' || c == '`') {
      out += '\\';
    }
    out += c;
  }
  return out;
}

bool plain_word(const std::string& word) {
  return !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("-_=.,+/").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// What no container answers: commands and variables of Slurm, in a language that is not read here.
bool asks_slurm(const std::string& text) {
  static constexpr std::array words{"SLURM",    "srun",        "sbatch",       "salloc",
                                    "scontrol", "squeue",      "sacct",        "scancel",
                                    "sattach",  "sbcast",      "sinfo",        "mpirun",
                                    "mpiexec",  "module load", "module purge", "module add"};
  return std::ranges::any_of(
      words, [&](const char* word) { return text.find(word) != std::string::npos; });
}

} // namespace

std::expected<WrittenFile, std::string> in_shell(const WrittenFile& file) {
  const std::vector<Pieces> lines = lines_of(file);
  if (lines.empty()) {
    return file;
  }
  std::string all;
  for (const Pieces& line : lines) {
    all += plain(line);
  }
  source::Sources scratch;
  const auto interpreter = ir::read_interpreter(scratch[scratch.add("job", all)]);
  if (!all.starts_with("#!") || ir::is_shell(interpreter)) {
    return file;
  }
  const std::string name = interpreter.path.substr(interpreter.path.find_last_of('/') + 1);
  const bool known = std::ranges::all_of(lines.front(), [](const WrittenFile::Piece& piece) {
    return terms::constant(piece.value).has_value();
  });
  if (!known || !plain_word(name) || asks_slurm(all) ||
      all.find(WrittenFile::end) != std::string::npos || all.find('\r') != std::string::npos ||
      !std::ranges::all_of(interpreter.arguments, plain_word)) {
    return std::unexpected(fmt::format("a job script for {}", interpreter.path));
  }
  WrittenFile out;
  const auto add = [&](const std::string& text) { out.pieces.push_back({terms::text(text), {}}); };
  add("#!/bin/bash\n");
  bool header = true;
  for (const Pieces& line : lines) {
    const std::string text = plain(line);
    header &= comment(text);
    if (header && text.starts_with("#SBATCH")) {
      std::ranges::copy(line, std::back_inserter(out.pieces));
    }
  }
  add(fmt::format("script=$(mktemp)\ncat > \"$script\" <<{}\n", WrittenFile::end));
  out.foreign = true;
  header = true;
  for (const Pieces& line : lines) {
    const std::string text = plain(line);
    header &= comment(text);
    if (header && text.starts_with("#SBATCH")) { // so that the other lines keep their numbers
      add("#\n");
      continue;
    }
    for (const WrittenFile::Piece& piece : line) {
      const auto constant = terms::constant(piece.value);
      out.pieces.push_back({constant ? terms::text(escaped(*constant)) : piece.value,
                            constant ? Span{} : piece.span});
    }
  }
  std::string call = name;
  for (const std::string& argument : interpreter.arguments) {
    call += " " + argument;
  }
  add(fmt::format("{}\n{} \"$script\" \"$@\"\n", WrittenFile::end, call));
  return out;
}

} // namespace s2f::passes
