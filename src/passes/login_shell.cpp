// `#!/bin/bash -l`: a login shell reads start-up files that no container has.
//
// before:  interpreter {"/bin/bash", arguments {"-l", "-e"}, login}
// after:   interpreter {"/bin/bash", arguments {"-e"}}, S2F512
//
// In a container the option would do harm: Debian's /etc/profile sets PATH anew, and the image's
// own Python is found no more.
#include <algorithm>

#include <fmt/format.h>

#include "passes/pipeline.hpp"

namespace s2f::passes {

void login_shell(PassContext& context) {
  ir::Interpreter& interpreter = context.job.interpreter;
  if (!interpreter.login) {
    return;
  }
  for (std::string& argument : interpreter.arguments) {
    if (argument == "--login") {
      argument.clear();
    } else if (argument.starts_with('-') && !argument.starts_with("--")) {
      std::erase(argument, 'l');
      if (argument == "-") {
        argument.clear();
      }
    }
  }
  std::erase(interpreter.arguments, std::string());
  interpreter.login = false;
  review::Finding finding;
  finding.rule = "S2F512";
  finding.span = interpreter.span;
  finding.message = "A login shell ran the script: it read /etc/profile and the user's own file.";
  finding.slurm_does = "The job has what those files set: often no more than `module` and `conda`.";
  finding.output_does = "No start-up file is read; the image is the environment.";
  context.findings.add(std::move(finding));
}

} // namespace s2f::passes
