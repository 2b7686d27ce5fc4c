// Comments of the script stand in the module, each once.
#include "tests/catch.hpp"

#include "tests/passes/compiled.hpp"

using s2f::tests::compile_job;

namespace {

std::size_t times(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

} // namespace

TEST_CASE("A comment behind a statement on its line is carried over") {
  const auto job = compile_job("python a.py # the small one\npython b.py");
  CHECK(times(job.module, "# the small one") == 1);
  CHECK(job.module.find("# the small one") < job.module.find("\"a.py\""));
}

TEST_CASE("Comments behind the last statement are carried over") {
  const auto job = compile_job("python a.py\n# and then\n\n# look at the plots");
  CHECK(times(job.module, "# and then") == 1);
  CHECK(job.module.find("# and then") < job.module.find("# look at the plots"));
  CHECK(job.module.find("\"a.py\"") < job.module.find("# and then"));
}

TEST_CASE("A comment above what nothing stands for is carried over") {
  const auto job = compile_job("python a.py\n# not needed any more\nmodule unload gcc");
  CHECK(times(job.module, "# not needed any more") == 1);
}

TEST_CASE("A comment within kept Bash stands there alone") {
  const auto job =
      compile_job("shopt -s extglob # wide\nls !(a) # all but a\npython a.py\n# the end");
  CHECK(times(job.module, "# wide") == 1);
  CHECK(times(job.module, "# all but a") == 1);
  CHECK(times(job.module, "# the end") == 1);
}

TEST_CASE("A comment that only draws a line says nothing") {
  const auto job = compile_job("# ------\n# the small one\n#######\npython a.py");
  CHECK(job.has("# the small one\n"));
  CHECK_FALSE(job.has("---"));
  CHECK(compile_job("# \u00fcber\npython a.py").has("# \u00fcber"));
}
