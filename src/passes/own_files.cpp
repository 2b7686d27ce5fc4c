// Whether a job makes other paths of the path that it is given.
//
// before:  bwa mem ref.fa "$1" "${1/_R1/_R2}" > "${1%.fastq}.sam"
// after:   yes: of ${1/_R1/_R2}; ${1%.fastq}.sam it writes itself
#include "passes/own_files.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/steps.hpp"
#include "passes/path_uses.hpp"

namespace s2f::passes {

namespace {

using Operation = ir::Operation;

class Neighbours {
public:
  Neighbours(const ir::Job& job, const std::string& parameter) : job_(job), name_(parameter) {}

  bool any() {
    ir::for_each_step(job_.body, [this](const ir::Step& step) { look(step); });
    for (const ir::KeptRegion& region : job_.kept) {
      kept(region);
    }
    return found_;
  }

private:
  // The parameter itself, or a local that holds what was made of it.
  [[nodiscard]] bool own(const ir::ValuePart& part) const {
    const auto* reference = std::get_if<ir::ParameterRef>(&part);
    const auto* local = std::get_if<ir::Local>(&part);
    return (reference != nullptr && reference->name == name_) ||
           (local != nullptr && local->name == name_);
  }

  // Only the name of the file is left of its path.
  static bool only_name(const ir::Computed& computed) {
    const bool behind_slash = computed.operation == Operation::after_last &&
                              computed.operands.size() == 2 && computed.operands[1].text() == "/";
    return computed.operation == Operation::base_name || behind_slash ||
           computed.operation == Operation::length;
  }

  [[nodiscard]] bool mentions(const ir::Value& value) const {
    return std::ranges::any_of(value.parts, [this](const ir::ValuePart& part) {
      if (const auto* local = std::get_if<ir::Local>(&part);
          local != nullptr && made_.contains(local->name)) {
        return true;
      }
      const auto* computed = std::get_if<ir::Computed>(&part);
      return own(part) || (computed != nullptr && !only_name(*computed) &&
                           std::ranges::any_of(computed->operands, [this](const ir::Value& each) {
                             return mentions(each);
                           }));
    });
  }

  // Whether it is another path than that of the file: "${1%.fastq}.sam", "$1.bai", $(dirname $1).
  [[nodiscard]] bool other(const ir::Value& value) const {
    for (std::size_t i = 0; i < value.parts.size(); ++i) {
      const ir::ValuePart& part = value.parts[i];
      const auto* local = std::get_if<ir::Local>(&part);
      if (local != nullptr && made_.contains(local->name)) {
        return true;
      }
      if (own(part) && i + 1 < value.parts.size()) {
        return true;
      }
      const auto* computed = std::get_if<ir::Computed>(&part);
      if (computed == nullptr || only_name(*computed)) {
        continue;
      }
      const bool same = computed->operation == Operation::words ||
                        computed->operation == Operation::either ||
                        computed->operation == Operation::whole_number;
      if (same ? std::ranges::any_of(computed->operands,
                                     [this](const ir::Value& each) { return other(each); })
               : std::ranges::any_of(computed->operands,
                                     [this](const ir::Value& each) { return mentions(each); })) {
        return true;
      }
    }
    return false;
  }

  // What tells two such paths apart: the locals that they are made of.
  [[nodiscard]] std::set<std::string> locals(const ir::Value& value) const {
    std::set<std::string> names;
    for (const ir::ValuePart& part : value.parts) {
      if (const auto* local = std::get_if<ir::Local>(&part);
          local != nullptr && made_.contains(local->name)) {
        names.insert(local->name);
      }
    }
    return names;
  }

  [[nodiscard]] bool written(const ir::Value& value) const {
    const std::set<std::string> names = locals(value);
    return !names.empty() && std::ranges::all_of(names, [this](const std::string& name) {
      return written_.contains(name);
    });
  }

  void writes(const ir::Value& value) { written_.merge(locals(value)); }

  void look(const ir::Step& step) {
    ir::Step within = step; // programs that $( ) runs
    ir::for_each_value(within, [this](const ir::Value& value) {
      for (const ir::ValuePart& part : value.parts) {
        if (const auto* output = std::get_if<ir::Output>(&part)) {
          launch(*output->launch);
          std::ranges::for_each(output->next, [this](const auto& next) { launch(*next); });
        }
      }
    });
    if (const auto* launch = std::get_if<ir::Launch>(&step.value)) {
      this->launch(*launch);
    } else if (const auto* assign = std::get_if<ir::Assign>(&step.value)) {
      for (const ir::Binding& binding : assign->bindings) {
        if (other(binding.value)) {
          made_.insert(binding.local);
          found_ |= binding.exported || binding.local.empty();
        }
      }
    } else if (!std::holds_alternative<ir::Echo>(step.value)) {
      ir::Step copy = step;
      ir::for_each_value(
          copy, [this](const ir::Value& value) { found_ |= other(value) && !written(value); });
    }
  }

  void launch(const ir::Launch& launch) {
    for (const ir::Redirection& redirection : launch.redirections) {
      writes(redirection.file);
    }
    std::vector<std::optional<std::string>> texts;
    texts.reserve(launch.words.size());
    for (const ir::Value& word : launch.words) {
      texts.push_back(mentions(word) ? std::optional<std::string>("/x") : word.text());
    }
    const std::vector<PathUse> uses = path_uses(texts, {});
    for (std::size_t i = 1; i < launch.words.size(); ++i) {
      const ir::Value& word = launch.words[i];
      if (!other(word) || written(word)) {
        continue;
      }
      const PathRole role = launch.payload ? PathRole::unknown : uses[i].role;
      const bool known = role == PathRole::writes_file || role == PathRole::writes_directory ||
                         role == PathRole::writes_new_directory || role == PathRole::shows;
      if (known || names_output(launch.words[i - 1].text()) || is_output(word)) {
        writes(word);
      } else {
        found_ = true;
      }
    }
    found_ |= launch.input && other(launch.input->value) && !written(launch.input->value);
  }

  static bool names_output(const std::optional<std::string>& flag) {
    static constexpr std::array flags{"-o",   "-O",           "--out",    "--output", "--outfile",
                                      "-out", "--output-dir", "--outdir", "-outfile", "-output"};
    return flag && std::ranges::find(flags, *flag) != flags.end();
  }

  // --output=PATH, O=PATH of the tools that have it so
  static bool is_output(const ir::Value& word) {
    const auto* head = word.parts.empty() ? nullptr : std::get_if<ir::Text>(&word.parts.front());
    if (head == nullptr) {
      return false;
    }
    const auto equals = head->text.find('=');
    return equals != std::string::npos &&
           (names_output(head->text.substr(0, equals)) || head->text.substr(0, equals) == "O" ||
            head->text.substr(0, equals) == "OUTPUT");
  }

  // Text that stays Bash: what edits the path there.
  void kept(const ir::KeptRegion& region) {
    std::set<std::string> names;
    for (const auto& [variable, local] : region.takes) {
      if (local == name_ || made_.contains(local)) {
        names.insert(variable);
        found_ |= made_.contains(local) && !written_.contains(local);
      }
    }
    if (region.uses_arguments) {
      const auto known = std::ranges::find(job_.parameters, name_, &ir::Parameter::name);
      if (known != job_.parameters.end() && known->position != 0) {
        names.insert(std::to_string(known->position));
      }
    }
    for (const std::string& name : names) {
      for (const char* edit : {"%", "/", "#", "}.", "}_", "}/"}) {
        const std::string text = "${" + name + edit;
        found_ |= region.text.find(text) != std::string::npos &&
                  region.text.find("${" + name + "##*/}") == std::string::npos;
      }
      found_ |= region.text.find("$" + name + ".") != std::string::npos ||
                region.text.find("$" + name + "/") != std::string::npos ||
                region.text.find("dirname") != std::string::npos;
    }
  }

  const ir::Job& job_;
  const std::string& name_;
  std::set<std::string> made_;    // locals that hold other paths
  std::set<std::string> written_; // those of them that the job has written
  bool found_ = false;
};

} // namespace

std::optional<FolderPattern> folder_pattern(const std::string& pattern, bool program, bool deep) {
  const auto wild = [](std::string_view text) {
    return text.find_first_of("*?[") != std::string_view::npos;
  };
  const auto slash = pattern.rfind('/');
  if (slash == std::string::npos || slash == 0) {
    return std::nullopt;
  }
  FolderPattern result{pattern.substr(0, slash), pattern.substr(slash + 1)};
  while (result.directory.size() > 1 && result.directory.ends_with('/')) {
    result.directory.pop_back();
  }
  std::string& leaf = result.leaf;
  if (wild(result.directory) || leaf.find_first_of("\\(){}\n") != std::string::npos ||
      (!wild(leaf) && !program) || (!deep && leaf.find('.') == std::string::npos)) {
    return std::nullopt; // what has no dot may well be a directory
  }
  for (auto at = leaf.find("[^"); at != std::string::npos; at = leaf.find("[^", at)) {
    leaf[at + 1] = '!'; // as fnmatch has it
  }
  return result;
}

bool names_neighbours(const ir::Job& job, const std::string& parameter) {
  return Neighbours(job, parameter).any();
}

} // namespace s2f::passes
