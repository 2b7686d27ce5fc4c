// Looks through a script for names and words of the table of signs.
#include "passes/rank_signs.hpp"

#include <algorithm>
#include <cctype>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/rank_signs.hpp"

namespace s2f::passes {

namespace {

using In = tables::RankSignsIn;
using Says = tables::RankSignsSays;

class Signs {
public:
  Signs(const PassContext& context, const shell::SimpleCommand& start, std::size_t program)
      : context_(context), start_(start), program_(program) {}

  RankSigns read(const std::set<std::string>& also_sets) {
    for (const std::string& name : also_sets) {
      variable(name);
    }
    analysis::Visitor visitor;
    visitor.assignment = [&](const shell::Assignment& assignment) {
      variable(assignment.name);
      if (assignment.value) {
        const std::string text = context_.text(assignment.value->span);
        options(text);
        names(text);
      }
    };
    visitor.statement = [&](const shell::Statement& statement) {
      const auto* command = shell::as_simple(statement);
      const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
      if (command == nullptr || command->words.empty() || name == "echo" || name == "printf") {
        return;
      }
      // The options of srun itself say nothing of its program.
      const bool start = command->words.front().span == start_.words.front().span;
      for (std::size_t i = start ? program_ : 0; i < command->words.size(); ++i) {
        names(context_.text(command->words[i].span), start);
      }
    };
    for (const ir::Step& step : context_.job.body) {
      if (step.statement != nullptr) {
        analysis::walk(*step.statement, visitor);
      }
    }
    for (std::size_t i = program_; i < start_.words.size(); ++i) {
      options(context_.text(start_.words[i].span), true);
    }
    return std::move(result_);
  }

private:
  void found(const tables::RankSignsRow& row, const std::string& text, bool of_program = false) {
    const auto note = [&](std::vector<std::string>& list) {
      if (std::ranges::find(list, text) == list.end()) {
        list.push_back(text);
      }
    };
    const bool torch = row.says == Says::torch;
    if (row.says == Says::mpi) {
      note(result_.mpi);
      if (of_program) {
        note(result_.program_mpi);
      }
    }
    if (row.in == In::toolchain) {
      return;
    }
    note(torch ? result_.torch : result_.other);
    if (row.sure || (!torch && of_program)) {
      note(torch ? result_.sure_torch : result_.sure_other);
    }
  }

  void variable(const std::string& name) {
    for (const auto& row : tables::rank_signs) {
      const bool prefix = row.text.ends_with('_');
      if (row.in == In::variable && (prefix ? name.starts_with(row.text) : name == row.text)) {
        found(row, name);
      }
    }
  }

  // Of a text that may hold several words.
  void options(const std::string& text, bool of_program = false) {
    static constexpr const char* blanks = " \t\r\n\"'\\";
    for (std::size_t at = text.find_first_not_of(blanks); at != std::string::npos;) {
      const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
      const std::string word = text.substr(at, end - at);
      const std::string name = word.substr(0, word.find('='));
      std::string dashed = name;
      std::ranges::replace(dashed, '_', '-');
      for (const auto& row : tables::rank_signs) {
        if (row.in == In::option && row.text == dashed) {
          found(row, name, of_program);
        }
      }
      at = text.find_first_not_of(blanks, end);
    }
  }

  // Names are what letters and digits make: `openmpi` and `4` of `openmpi/4.1`, `train`, `hvd` of
  // `train_hvd.py`.
  void names(const std::string& text, bool of_program = false) {
    const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t at = 0; at < text.size();) {
      if (!letter(text[at])) {
        ++at;
        continue;
      }
      std::string name;
      for (; at < text.size() && letter(text[at]); ++at) {
        name += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
      }
      for (const auto& row : tables::rank_signs) {
        if ((row.in == In::word || row.in == In::toolchain) &&
            (name.starts_with(row.text) || name.ends_with(row.text))) {
          found(row, name, of_program);
        }
      }
    }
  }

  const PassContext& context_;
  const shell::SimpleCommand& start_;
  std::size_t program_;
  RankSigns result_;
};

} // namespace

RankSigns rank_signs(const PassContext& context, const shell::SimpleCommand& start,
                     std::size_t program, const std::set<std::string>& also_sets) {
  return Signs(context, start, program).read(also_sets);
}

} // namespace s2f::passes
