// What is taken for a secret, and what is only a word.
#include "tests/catch.hpp"

#include "tests/passes/compiled.hpp"

using s2f::tests::compile_job;

TEST_CASE("A password whose value is the word for one hides nothing") {
  for (const char* line : {"# PASSWD=password", "export DB_PASSWORD=PASSWORD", "TOKEN=passwd"}) {
    INFO(line);
    const auto job = compile_job(std::string(line) + "\n./serve --password $DB_PASSWORD");
    CHECK_FALSE(job.raised("S2F901"));
    CHECK(job.has("--password"));
  }
}

TEST_CASE("A password that is a word of its own is one") {
  for (const char* line : {"export DB_PASSWORD=hunter2horse", "# PASSWD=correcthorse"}) {
    INFO(line);
    const auto job = compile_job(std::string(line) + "\n./serve --as me");
    CHECK_FALSE(job.has("hunter2horse"));
    CHECK_FALSE(job.has("correcthorse"));
  }
}
