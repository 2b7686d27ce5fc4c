// Writes random modules for tests/emit/test_random_modules.py, which has ruff and Python judge
// them.
#include <cstdlib>
#include <fstream>
#include <random>

#include "emit/quote.hpp"
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

namespace {

std::string hex(std::string_view bytes) {
  std::string out;
  for (const unsigned char c : bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += digits[c >> 4U];
    out += digits[c & 15U];
  }
  return out;
}

// Bytes that are hard to quote, in any order.
std::string hostile(std::mt19937_64& random) {
  static const std::vector<std::string> pieces{"\"",
                                               "'",
                                               "\"\"\"",
                                               "'''",
                                               "\\",
                                               "\n",
                                               "\r",
                                               "\r\n",
                                               "\t",
                                               "\x01",
                                               "\x02",
                                               "\x1b[0m",
                                               "\x7f",
                                               std::string(1, '\0'),
                                               "{",
                                               "}",
                                               "%s",
                                               "\\N{DEGREE SIGN}",
                                               "\\x41",
                                               "\u00a0",
                                               "\u0085",
                                               "\u2028",
                                               "\u2029",
                                               "\u202e",
                                               "\u2066",
                                               "\u200b",
                                               "\ufeff",
                                               "\u00ad",
                                               "\ufe0f",
                                               "e\u0301",
                                               "é",
                                               "日本",
                                               "\U0001f600",
                                               "\U000e0001",
                                               "\U0010ffff",
                                               "\xff",
                                               "\x80",
                                               "\xc3",
                                               "\xed\xa0\x80",
                                               "\xf8",
                                               "\xc0\xaf",
                                               "\xe2\x80",
                                               "echo",
                                               " ",
                                               "#",
                                               "$x",
                                               "\f",
                                               "\v"};
  std::string out;
  for (std::uint64_t i = random() % 9; i > 0; --i) {
    out += pieces[random() % pieces.size()];
  }
  return out;
}

} // namespace

// A line each: the bytes, then literals that must give them back.
TEST_CASE("write random literals", "[.generate]") {
  const std::string directory = variable("S2F_GENERATE", "");
  if (directory.empty()) {
    return;
  }
  std::mt19937_64 random(std::stoull(variable("S2F_GENERATE_SEED", "1")));
  std::ofstream out(directory + "/literals");
  for (std::uint64_t i = std::stoull(variable("S2F_GENERATE_COUNT", "100")); i > 0; --i) {
    const std::string text = hostile(random);
    out << hex(text) << ' ' << hex(emit::quote(text)) << ' ' << hex(emit::quote_block(text)) << ' '
        << hex(emit::quote_with(text, '\'')) << ' ' << hex(emit::quote_bytes(text)) << '\n';
  }
}

// Modules with each combination of the options of the helpers, and calls that use them or do not.
TEST_CASE("write helpers", "[.generate]") {
  const std::string directory = variable("S2F_GENERATE", "");
  if (directory.empty()) {
    return;
  }
  const emit::Templates templates =
      emit::templates_from(std::string(S2F_SOURCE_DIR) + "/templates");
  const std::vector<std::string> run{"cwd", "stdout", "stderr", "env", "check"};
  const std::vector<std::string> bash{"interpreter", "cwd", "env", "check"};
  const auto value = [](const std::string& option) {
    if (option == "cwd") {
      return flyte::call("Path", {flyte::arg(flyte::str("/tmp"))});
    }
    if (option == "env") {
      return flyte::Expr{flyte::DictExpr{}};
    }
    if (option == "check") {
      return flyte::name("False");
    }
    if (option == "interpreter") {
      return flyte::Expr{
          flyte::TupleExpr{{flyte::arg(flyte::str("/bin/bash")), flyte::arg(flyte::str("-l"))}}};
    }
    return flyte::name("subprocess.DEVNULL");
  };
  int number = 0;
  // Whether the options are given by every call, by one of two, or by none that is seen.
  for (const int calls : {0, 1, 2}) {
    for (std::uint32_t set = 0; set < 32; ++set) {
      for (const bool here : {true, false}) {
        flyte::Module module;
        module.summary = "Try the helpers.";
        if (here) {
          module.here_parent = 0;
        }
        flyte::Environment environment;
        environment.variable = "job_env";
        environment.name.value = "job";
        module.environments = {environment};
        flyte::Task task;
        task.environment = "job_env";
        task.function = "job";
        task.parameters = {{"word", "str", flyte::str("x"), {}},
                           {"count", "int", flyte::number("1"), {}}};
        const auto add = [&](const std::string& helper, const std::vector<std::string>& options) {
          std::vector<flyte::Arg> with{flyte::arg(flyte::str("true")),
                                       flyte::arg(flyte::name(set % 2 == 0 ? "word" : "count"))};
          const std::vector<flyte::Arg> without = with;
          std::set<std::string> used;
          for (std::size_t i = 0; i < options.size(); ++i) {
            if ((set >> i & 1U) == 0) {
              continue;
            }
            used.insert(options[i]);
            with.push_back(flyte::arg(options[i], value(options[i])));
          }
          module.helpers[helper] = used;
          if (calls > 0) {
            task.body.push_back({flyte::ExprStmt{flyte::await(flyte::call(helper, with))}, {}});
          }
          if (calls > 1) {
            task.body.push_back({flyte::ExprStmt{flyte::await(flyte::call(helper, without))}, {}});
          }
        };
        add("run", run);
        if (set < 16) {
          add("bash", bash);
        }
        if (set % 4 == 0) {
          for (const char* helper : {"all_ok", "fetch", "stage", "scratch", "image_path",
                                     "image_python", "keep", "keep_all", "run_name"}) {
            module.helpers[helper];
          }
          task.returns =
              std::vector<std::string>{"None", "File", "Dir", "list[File] | Dir"}[set / 4 % 4];
        }
        if (set % 8 == 0) {
          module.helpers["after"];
        }
        if (task.returns != "None") {
          task.body.push_back({flyte::Raise{flyte::call("ValueError", {}), {}}, {}});
        }
        module.tasks = {task};
        module.entry = "job";
        module.generated_from = "job.sh";
        CHECK(flyte::check(module).empty());
        const auto output = emit::emit(module, templates);
        REQUIRE(output.has_value());
        std::ofstream(directory + "/helpers_" + std::to_string(number++) + ".py") << output->text;
      }
    }
  }
}
