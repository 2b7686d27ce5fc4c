// Writes random modules for tests/emit/test_random_modules.py, which has ruff and Python judge
// them.
#include <cstdlib>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/emit/plain_python.hpp"
#include "tests/emit/random_module.hpp"

using namespace s2f;

namespace {

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

} // namespace

// Hidden: it is no test, and runs where S2F_GENERATE names a directory.
TEST_CASE("write random modules", "[.generate]") {
  const std::string directory = variable("S2F_GENERATE", "");
  if (directory.empty()) {
    return;
  }
  const std::uint64_t first = std::stoull(variable("S2F_GENERATE_SEED", "1"));
  const std::uint64_t count = std::stoull(variable("S2F_GENERATE_COUNT", "100"));
  const emit::Templates templates =
      emit::templates_from(std::string(S2F_SOURCE_DIR) + "/templates");
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const flyte::Module module = tests::RandomModule(seed).module();
    const auto output = emit::emit(module, templates);
    REQUIRE(output.has_value());
    const std::string name = directory + "/module_" + std::to_string(seed);
    std::ofstream(name + ".py") << output->text;
    std::ofstream plain(name + ".plain");
    for (const flyte::Task& task : module.tasks) {
      plain << "async def " << task.function << "():\n" << tests::plain(task.body, " ");
    }
  }
}
