// Says of each script that is named what became of its lines, and what is left to decide.
#include <exception>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <slurm2flyte/slurm2flyte.hpp>

int main(int argc, char** argv) {
  try {
    const auto result = slurm2flyte::convert_files(std::vector<std::string>(argv + 1, argv + argc));
    for (const auto& failure : result.failures)
      std::cerr << failure.path << ": " << failure.message << '\n';
    for (const auto& script : result.scripts) {
      std::cout << script.path << ": " << to_string(script.verdict) << ", "
                << script.lines_accounted << " of " << script.lines << " lines accounted for\n";
      std::map<slurm2flyte::Disposition, int> became;
      for (const auto& item : script.items)
        ++became[item.disposition];
      for (const auto& [disposition, count] : became)
        std::cout << "  " << count << ' ' << to_string(disposition) << '\n';
      for (const auto& finding : script.findings)
        if (finding.severity == slurm2flyte::Severity::decision && finding.open)
          std::cout << "  line " << finding.line << ": " << finding.message << '\n';
    }
    return result.failures.empty() ? 0 : 1;
  } catch (const std::exception& problem) { // no memory
    std::cerr << problem.what() << '\n';
    return 1;
  }
}
