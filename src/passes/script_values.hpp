// The texts that a word can come to, from every assignment of the script, whatever its order.
//
// before:  EXE=./model; OPTS="-n 1"; srun $OPTS $EXE
// after:   $OPTS -> {"-n 1"}, $EXE -> {"./model"}; nothing for a name that something else sets
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shell/tree.hpp"
#include "slurm/header.hpp"

namespace s2f::passes {

class ScriptValues {
public:
  using Texts = std::vector<std::string>;

  ScriptValues(const shell::Script* script, const slurm::Component& component);
  // What another script that the same shell, or one that it starts, reads does to the names.
  void read_also(const shell::Script& script);

  // Every text that the word can be, without duplicates; nothing if that cannot be told.
  [[nodiscard]] std::optional<Texts> of(const shell::Word& word) const { return of(word, 0); }
  // The word's text with every name put in that is assigned once, as far as that is known: what is
  // not stays "${NAME}". Nothing for other expansions that cannot be told.
  [[nodiscard]] std::optional<std::string> template_of(const shell::Word& word) const {
    return template_of(word.parts, 0);
  }
  // The elements of the array that the word spreads ("${ARGS[@]}"), where it is set once.
  [[nodiscard]] const std::vector<shell::Word>* elements_of(const shell::Word& word) const;
  // The number that an arithmetic expression comes to, if all names in it have one value.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view expression) const;
  // Whether the script itself gives the name a value.
  [[nodiscard]] bool sets(const std::string& name) const { return names_.contains(name); }

private:
  struct Name {
    std::vector<const shell::Word*> words;               // assigned, or run over by a `for`
    bool other = false;                                  // read, an array, +=
    std::vector<const std::vector<shell::Word>*> arrays; // NAME=(...)
    bool only_arrays = true;                             // and nothing else gives it a value
  };

  void note(const shell::Statement& statement);
  // Whether a branch is never taken: `[ -z "$SLURM_NNODES" ]`, where Slurm sets it.
  [[nodiscard]] bool never(const shell::If& choice, std::size_t branch) const;
  [[nodiscard]] std::optional<std::string> template_of(const std::vector<shell::WordPart>& parts,
                                                       int depth) const;
  [[nodiscard]] std::optional<Texts> of(const shell::Word& word, int depth) const;
  [[nodiscard]] std::optional<Texts> of_parts(const std::vector<shell::WordPart>& parts,
                                              int depth) const;
  [[nodiscard]] std::optional<Texts> of_part(const shell::WordPart& part, int depth) const;
  [[nodiscard]] std::optional<Texts> of_parameter(const shell::Parameter& parameter,
                                                  int depth) const;
  [[nodiscard]] std::optional<Texts> of_name(const std::string& name, int depth) const;
  [[nodiscard]] std::optional<Texts> values_of(const std::string& name, int depth) const;

  const slurm::Component& component_;
  std::map<std::string, Name> names_;
  mutable std::map<std::string, std::optional<Texts>>
      asked_;           // what of_name said; nothing while asking
  bool opaque_ = false; // eval, or a file that is sourced: any name may have any value
};

} // namespace s2f::passes
