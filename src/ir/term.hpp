// What a driver computes, and what it does, as a tree: values, submissions, loops and choices.
//
// before:  for lr in 0.1 0.2; do ids+=($(sbatch --parsable train.sh $lr)); done
// after:   Each{lr, list{0.1, 0.2}, {Submitted{0}, Extend{ids, submission 0}}}
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "source/source.hpp"

namespace s2f::ir {

// An expression over the driver's variables, its parameters and the jobs that it submitted.
struct Term {
  enum class Kind {
    text,      // `text`
    integer,   // `number`
    name,      // the driver's variable `text`
    parameter, // the parameter `text` of `main`
    submitted, // the job of the submission `number`
    joined,    // `parts` one after another, as text
    binary,    // `parts[0] text parts[1]`, with Python's operator
    negated,   // not parts[0]
    list,      // `parts`
    together,  // the elements of the lists `parts` and the other `parts`, in one list
    range,     // parts[0] to parts[1], both included, by `number`
    item,      // parts[0][parts[1]]
    count,     // of the elements of parts[0]
    exists,  // whether there is something at parts[0]: as `text` says, "d" a directory, "f" a file
    lines,   // of the file parts[0]
    words,   // of the text parts[0]
    files,   // that the pattern parts[0] matches; where none does the pattern, or, with
             // `number` 1, nothing; with `text` "deep" in the directories below, too
    path,    // of parts[0], one of the files of a directory that `main` is given
    padded,  // the number parts[0], with zeros up to `number` digits
    trimmed, // parts[0] without the suffix `text`
    base_name, // of the path parts[0]
    directory, // of the path parts[0]
    whole,     // the number that the text parts[0] is
    set,       // whether parts[0] holds a job
    no_job,    // an id that is empty
    unknown    // known to the shell alone; `text` says why; of a secret of the submitting shell
               // `parts` are its variable and what stands for it where it is unset
  };
  enum class Type { text, integer, texts, integers, boolean, job, maybe_job, jobs, job_map };

  Kind kind = Kind::text;
  Type type = Type::text;
  std::string text;
  std::int64_t number = 0;
  std::vector<Term> parts;

  friend bool operator==(const Term&, const Term&) = default;
  [[nodiscard]] bool is_job() const { return type == Type::job || type == Type::maybe_job; }
  [[nodiscard]] bool holds_jobs() const {
    return is_job() || type == Type::jobs || type == Type::job_map;
  }
  [[nodiscard]] bool is_secret() const { return kind == Kind::unknown && !parts.empty(); }
  [[nodiscard]] bool is_list() const {
    return type == Type::texts || type == Type::integers || type == Type::jobs;
  }
};

namespace terms {

[[nodiscard]] Term text(std::string value);
[[nodiscard]] Term integer(std::int64_t value);
[[nodiscard]] Term name(std::string name, Term::Type type);
[[nodiscard]] Term unknown(std::string why);
[[nodiscard]] Term secret(const std::string& variable, std::string otherwise);
[[nodiscard]] Term make(Term::Kind kind, Term::Type type, std::vector<Term> parts,
                        std::string text = {}, std::int64_t number = 0);
// Text and numbers one after another; adjacent texts become one, one part alone stays itself.
[[nodiscard]] Term joined(std::vector<Term> parts);
[[nodiscard]] Term list(std::vector<Term> parts);
// Folded where both are known.
[[nodiscard]] Term binary(std::string op, Term left, Term right);
[[nodiscard]] Term negated(Term term);
// The same value as text: for an integer its digits.
[[nodiscard]] std::optional<std::string> constant(const Term& term);
[[nodiscard]] std::optional<std::int64_t> constant_integer(const Term& term);
[[nodiscard]] std::optional<bool> constant_boolean(const Term& term);
// Why the value is known to the shell alone; nothing when it is known.
[[nodiscard]] const Term* first_unknown(const Term& term);
[[nodiscard]] bool mentions(const Term& term, const std::string& variable);

} // namespace terms

struct DriverStep;

// name=value
struct Bind {
  std::string name;
  Term value;
};
// ids+=(value): a job, or all of several
struct Extend {
  std::string name;
  Term value;
};
// ids[key]=value
struct PutItem {
  std::string name;
  Term key, value;
};
// name=$(sbatch ...); name is "" where nothing keeps the id
struct Submitted {
  std::size_t submission = 0;
  std::string name;
};
struct Each {
  std::string variable;
  Term over;
  std::vector<DriverStep> body;
};
struct Choice {
  struct Branch {
    std::optional<Term> condition; // nothing: else
    std::vector<DriverStep> body;
  };
  std::vector<Branch> branches;
};
// continue, break
struct LeaveEach {
  bool next = false;
};
// exit; a status that is not 0 with what the script says.
struct Finish {
  bool failed = false;
  std::string message;
};

// A comment of the script: what it says, and where it stands.
struct Comment {
  std::string text;
  source::Span span{};
};

struct DriverStep {
  std::variant<Bind, Extend, PutItem, Submitted, Each, Choice, LeaveEach, Finish> value;
  source::Span span{};
  std::vector<Comment> comments;
  std::vector<Comment> below; // behind it, where the next step does not say them
};

} // namespace s2f::ir
