// Which of the variables and arguments that a driver gives a job may be several words, or none.
//
// before:  for x in "--half 1" ""; do sbatch --wrap "python train.py $x"; done
// after:   {x}: the job's task parts it where its script has it without quotes
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

using ir::Term;
using Kind = Term::Kind;

bool parts(std::string_view text) {
  return text.find_first_of(" \t\n*?[") != std::string_view::npos;
}

// Of a driver that `main` follows: by the terms that it computes.
class Several {
public:
  explicit Several(const ir::Driver& driver) : driver_(driver) { collect(driver.steps); }

  // `alone`: nothing else stands in the word, which is none where the value is empty.
  [[nodiscard]] bool may_be(const Term& term, bool alone = true) {
    switch (term.kind) {
    case Kind::text:
      return (alone && term.text.empty()) || parts(term.text);
    case Kind::name: {
      const auto found = values_.find(term.text);
      if (found == values_.end() || !visited_.insert(term.text).second) {
        return false;
      }
      const bool may = any(found->second, alone);
      visited_.erase(term.text);
      return may;
    }
    case Kind::parameter: {
      const auto parameter = std::ranges::find(driver_.parameters, term.text, &ir::Parameter::name);
      return parameter != driver_.parameters.end() && parameter->default_ &&
             !parameter->may_be_unset && parameter->type == ir::Type::text &&
             may_be(ir::terms::text(*parameter->default_), alone);
    }
    case Kind::joined:
      return any(term.parts, false);
    case Kind::list:
    case Kind::together:
      return any(term.parts, alone);
    case Kind::item:
    case Kind::trimmed:
    case Kind::base_name:
    case Kind::directory:
      return !term.parts.empty() && may_be(term.parts.front(), alone);
    default: // numbers, and names of files
      return false;
    }
  }

private:
  bool any(const std::vector<Term>& terms, bool alone) {
    return std::ranges::any_of(terms, [&](const Term& each) { return may_be(each, alone); });
  }

  void collect(const std::vector<ir::DriverStep>& steps) {
    for (const ir::DriverStep& step : steps) {
      if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
        values_[bind->name].push_back(bind->value);
      } else if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
        values_[extend->name].push_back(extend->value);
      } else if (const auto* put = std::get_if<ir::PutItem>(&step.value)) {
        values_[put->name].push_back(put->value);
      } else if (const auto* each = std::get_if<ir::Each>(&step.value)) {
        values_[each->variable].push_back(each->over);
        collect(each->body);
      } else if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
        for (const ir::Choice::Branch& branch : choice->branches) {
          collect(branch.body);
        }
      }
    }
  }

  const ir::Driver& driver_;
  std::map<std::string, std::vector<Term>> values_;
  std::set<std::string> visited_;
};

// Of one that runs as it was: variables to which it gives text with blanks in it, or none, what it
// adds to, and loops over such texts.
std::set<std::string> several_in(const shell::Script& script) {
  std::set<std::string> found;
  const auto several = [](const shell::Word& word) {
    const auto text = word.literal();
    return text && (text->empty() || parts(*text));
  };
  const auto blanks_within = [](const shell::Word& word) { // "$x --half"
    return std::ranges::any_of(word.parts, [](const shell::WordPart& part) {
      const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value);
      return quoted != nullptr && std::ranges::any_of(quoted->parts, [](const auto& inner) {
               const auto* text = std::get_if<shell::Literal>(&inner.value);
               return text != nullptr && parts(text->value);
             });
    });
  };
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& each) {
    if (each.append || (each.value && (several(*each.value) || blanks_within(*each.value)))) {
      found.insert(each.name);
    }
  };
  visitor.statement = [&](const shell::Statement& each) {
    const auto* loop = std::get_if<shell::For>(&each.value);
    if (loop != nullptr && std::ranges::any_of(loop->words, [&](const shell::Word& word) {
          const bool pattern =
              word.parts.size() == 1 && std::holds_alternative<shell::Literal>(word.parts[0].value);
          return !pattern && several(word);
        })) {
      found.insert(loop->variable);
    }
  };
  for (const shell::Statement& statement : script.statements) {
    analysis::walk(statement, visitor);
  }
  return found;
}

// What stands in a job's text: an argument, what a program prints, or such a variable.
bool may_be_several(std::string_view written, const std::set<std::string>& several) {
  if (!written.starts_with('$')) {
    return true; // `date`
  }
  written.remove_prefix(written.starts_with("${") ? 2 : 1);
  if (written.starts_with("((") || written.starts_with('#')) { // a number
    return false;
  }
  const auto end = std::ranges::find_if(
      written, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; });
  const std::string name(written.begin(), end);
  const bool variable =
      !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0;
  // A driver that no sbatch runs has no SLURM_JOB_ID.
  return !variable || name.starts_with("SLURM_") || several.contains(name) ||
         written.contains(":-") || written.contains("[@]") || written.contains("[*]");
}

} // namespace

bool DriverReader::may_part(const Term& value, bool alone) const {
  switch (value.kind) {
  case Kind::text:
    return (alone && value.text.empty()) || parts(value.text);
  case Kind::name:
    return parted_.contains(value.text);
  case Kind::joined:
  case Kind::list:
  case Kind::together:
    return std::ranges::any_of(value.parts, [&](const Term& each) {
      return may_part(each, alone && value.kind != Kind::joined);
    });
  case Kind::item:
  case Kind::trimmed:
  case Kind::base_name:
  case Kind::directory:
    return !value.parts.empty() && may_part(value.parts.front(), alone);
  default: // what `main` is given stays a word
    return false;
  }
}

std::set<std::string> several_words(const ir::Driver& driver, std::size_t submission) {
  std::set<std::string> found;
  if (driver.plan) {
    const std::set<std::string> several = several_in(*driver.script);
    for (const ir::Plan::Site& site : driver.plan->sites) {
      for (const ir::Plan::Candidate& candidate : site.candidates) {
        for (const auto& [name, written] : candidate.values) {
          if (candidate.submission == submission && may_be_several(written, several)) {
            found.insert(name);
          }
        }
      }
    }
    return found;
  }
  Several several(driver);
  const ir::Submission& given = driver.submissions[submission];
  for (const auto& [name, value] : given.environment) {
    if (several.may_be(value)) {
      found.insert(name);
    }
  }
  for (std::size_t i = 0; i < given.arguments.size(); ++i) {
    if (several.may_be(given.arguments[i])) {
      found.insert(fmt::format("{}", i + 1));
    }
  }
  return found;
}

} // namespace s2f::passes
