// From a parsed script to the first IR: one Opaque step a statement, and an open ledger entry for
// everything in the file.
#pragma once

#include "ir/workload.hpp"

namespace s2f::ir {

// The first line's meaning: "#!/usr/bin/env bash", "#!/bin/bash -l".
[[nodiscard]] Interpreter read_interpreter(const source::Source& source);
// Whether the body can be read as Bash.
[[nodiscard]] bool is_shell(const Interpreter& interpreter);

// `script` must outlive the job. `read` says how the job is submitted.
[[nodiscard]] Job make_job(const source::Source& source, const shell::Script& script,
                           const slurm::ReadOptions& read);

// The steps of a script's top level.
[[nodiscard]] std::vector<Step> make_steps(const shell::Script& script);

// Opens an entry for the first line, each directive line and option, each inert line, each comment
// and each statement; settles what is settled by nature (first line, inert lines, options that a
// later one overrides). `text` gives what may be shown of a span: secrets are masked in it.
void open_entries(const source::Source& source, const shell::Script& script,
                  const slurm::Header* header, std::vector<Step>& steps, review::Ledger& ledger,
                  review::Findings& findings, const std::string& masked_text);

// "train" for "dir/train.sh"; "job.v2" -> "job_v2".
[[nodiscard]] std::string stem_of(std::string_view path);

} // namespace s2f::ir
