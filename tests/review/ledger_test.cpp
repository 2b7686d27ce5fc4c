// Tests of the ledger: settling, folding into items, and the lines that they cover.
#include "review/ledger.hpp"

#include "review/review.hpp"
#include "tests/catch.hpp"

using namespace s2f;
using namespace s2f::review;

namespace {

struct Script {
  source::Sources sources;
  source::SourceId id;

  explicit Script(std::string_view text) : id(sources.add("job.sh", text)) {}

  [[nodiscard]] Span at(std::string_view part) const {
    const auto begin = sources[id].text.find(part);
    REQUIRE(begin != std::string::npos);
    return {id, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + part.size())};
  }
};

// The items in short: "line-end_line disposition text".
std::vector<std::string> shown(const std::vector<Item>& items) {
  std::vector<std::string> lines;
  for (const Item& item : items) {
    std::string line = std::to_string(item.line);
    if (item.end_line != item.line)
      line += "-" + std::to_string(item.end_line);
    lines.push_back(line + " " + std::string(to_string(item.disposition)) + " " + item.text);
  }
  return lines;
}

using Lines = std::vector<std::string>;

} // namespace

TEST_CASE("a parent is settled by its children", "[review][ledger]") {
  const Script script("#SBATCH -N 1 -n 2\n");
  Ledger ledger;
  const auto line = ledger.open(script.at("#SBATCH -N 1 -n 2"), "line");
  const auto nodes = ledger.open(script.at("-N 1"), "-N 1", line);
  const auto tasks = ledger.open(script.at("-n 2"), "-n 2", line);
  CHECK_FALSE(ledger.settled(line));
  CHECK(ledger.still_open() == std::vector{nodes, tasks});
  ledger.settle(nodes, Disposition::converted, "one node");
  CHECK_FALSE(ledger.settled(line));
  CHECK(ledger.still_open() == std::vector{tasks});
  ledger.settle(tasks, Disposition::adjusted, "one container", "S2F201");
  CHECK(ledger.settled(line));
  CHECK(ledger.still_open().empty());
  CHECK(ledger[line].disposition == Disposition::open);
}

TEST_CASE("settling a parent settles what is open below it", "[review][ledger]") {
  const Script script("a b c\n");
  Ledger ledger;
  const auto top = ledger.open(script.at("a b c"), "a b c");
  const auto inner = ledger.open(script.at("b c"), "b c", top);
  const auto leaf = ledger.open(script.at("c"), "c", inner);
  const auto other = ledger.open(script.at("b"), "b", inner);
  ledger.settle(other, Disposition::dropped, "no effect");
  ledger.settle(top, Disposition::kept, "exact Bash", "S2F406");
  CHECK(ledger[leaf].disposition == Disposition::kept);
  CHECK(ledger[leaf].rule == "S2F406");
  CHECK(ledger[other].disposition == Disposition::dropped);
  CHECK(ledger.double_settled().empty());
}

TEST_CASE("settling twice is noticed and changes nothing", "[review][ledger]") {
  const Script script("a b\n");
  Ledger ledger;
  const auto top = ledger.open(script.at("a b"), "a b");
  const auto child = ledger.open(script.at("b"), "b", top);
  ledger.settle(top, Disposition::converted, "first");
  ledger.settle(top, Disposition::dropped, "second");
  ledger.settle(child, Disposition::dropped, "second");
  CHECK(ledger[top].why == "first");
  CHECK(ledger[child].why == "first");
  CHECK(ledger.double_settled() == std::vector{top, child});
}

TEST_CASE("saying nothing leaves an entry open", "[review][ledger]") {
  Ledger ledger;
  const auto id = ledger.open({}, "x");
  ledger.settle(id, Disposition::open, "");
  CHECK(ledger.still_open() == std::vector{id});
  CHECK(ledger.double_settled().empty());
}

TEST_CASE("an entry is found by its span, the outermost first", "[review][ledger]") {
  const Script script("true\n");
  Ledger ledger;
  const auto statement = ledger.open(script.at("true"), "statement");
  ledger.open(script.at("true"), "command", statement);
  CHECK(ledger.find(script.at("true")) == statement);
  CHECK(ledger.find(script.at("tru")) == std::nullopt);
}

TEST_CASE("a deep tree needs no deep stack", "[review][ledger]") {
  const Script script("x\n");
  Ledger ledger;
  auto id = ledger.open(script.at("x"), "x");
  const auto top = id;
  for (int depth = 0; depth < 200'000; ++depth)
    id = ledger.open(script.at("x"), "x", id);
  CHECK_FALSE(ledger.settled(top));
  ledger.settle(top, Disposition::converted, "");
  CHECK(ledger.settled(top));
  CHECK(items_of(ledger, script.sources, script.id, {}).size() == 1);
}

TEST_CASE("a parent and the children settled with it are one item", "[review][items]") {
  const Script script("python train.py \\\n  --lr 1 > log\n");
  Ledger ledger;
  const auto top = ledger.open(script.at("python train.py \\\n  --lr 1 > log"), "python train.py");
  ledger.open(script.at("--lr 1"), "--lr 1", top);
  const auto redirection = ledger.open(script.at("> log"), "> log", top);

  SECTION("all with it") {
    ledger.settle(top, Disposition::kept, "exact Bash");
    CHECK(shown(items_of(ledger, script.sources, script.id, {})) ==
          Lines{"1-2 kept python train.py"});
  }
  SECTION("one with other words stands by itself") {
    ledger.settle(redirection, Disposition::platform, "the log");
    ledger.settle(top, Disposition::converted, "a subprocess");
    CHECK(shown(items_of(ledger, script.sources, script.id, {})) ==
          Lines{"1-2 converted python train.py", "2 platform > log"});
  }
  SECTION("what nothing settled is shown as open") {
    ledger.settle(redirection, Disposition::platform, "the log");
    CHECK(shown(items_of(ledger, script.sources, script.id, {})) ==
          Lines{"2 open --lr 1", "2 platform > log"});
  }
}

TEST_CASE("lines that only hold a statement together are covered", "[review][items]") {
  const Script script("if [ -d x ]; then\n  cp a b\n\n  module purge\nfi\n");
  Ledger ledger;
  const auto top =
      ledger.open(script.at("if [ -d x ]; then\n  cp a b\n\n  module purge\nfi"), "if");
  const auto test = ledger.open(script.at("[ -d x ]"), "[ -d x ]", top);
  const auto copy = ledger.open(script.at("cp a b"), "cp a b", top);
  const auto purge = ledger.open(script.at("module purge"), "module purge", top);
  ledger.settle(test, Disposition::converted, "a condition");
  ledger.settle(copy, Disposition::converted, "a copy");
  ledger.settle(purge, Disposition::platform, "no modules");
  Input input;
  input.items = items_of(ledger, script.sources, script.id, {});
  CHECK(shown(input.items) == Lines{"1 converted [ -d x ]", "2 converted cp a b",
                                    "4 platform module purge", "5 converted fi"});
  CHECK(input.items.back().why == "belongs to the statement that begins in line 1");
  count_lines(input, script.sources[script.id]);
  CHECK(input.lines == 4);
  CHECK(input.lines_accounted == 4);
}

TEST_CASE("lines without an entry, and open ones, are not accounted for", "[review][items]") {
  const Script script("one\n\ntwo\n \t\nthree\n");
  Ledger ledger;
  ledger.settle(ledger.open(script.at("one"), "one"), Disposition::comment, "");
  ledger.open(script.at("two"), "two");
  Input input;
  input.items = items_of(ledger, script.sources, script.id, {});
  count_lines(input, script.sources[script.id]);
  CHECK(input.lines == 3);
  CHECK(input.lines_accounted == 1);
}

TEST_CASE("items cite the output lines of what lies inside them", "[review][items]") {
  const Script script("run a b\nrun c\n");
  Ledger ledger;
  const auto first = ledger.open(script.at("run a b"), "run a b");
  const auto word = ledger.open(script.at("b"), "b", first);
  const auto dropped = ledger.open(script.at("a"), "a", first);
  ledger.settle(word, Disposition::converted, "an argument");
  ledger.settle(dropped, Disposition::dropped, "no effect");
  ledger.settle(ledger.open(script.at("run c"), "run c"), Disposition::converted, "a call");
  const OutputMap map{{9, script.at("run a b")},
                      {8, script.at("run a b")},
                      {12, script.at("c")},
                      {12, script.at("run c")},
                      {11, script.at("run c")}};
  const auto items = items_of(ledger, script.sources, script.id, map);
  REQUIRE(shown(items) == Lines{"1 dropped a", "1 converted b", "2 converted run c"});
  CHECK(items[0].output_lines.empty());                               // not there in any form
  CHECK(items[1].output_lines == std::vector<std::uint32_t>{8, 9});   // as part of the statement
  CHECK(items[2].output_lines == std::vector<std::uint32_t>{11, 12}); // each line once
}

TEST_CASE("entries of a script inside a heredoc are shown in the outer file", "[review][items]") {
  Script script("sbatch <<EOF\necho \\$HOME\nEOF\n");
  const auto inner = script.sources.add_virtual(
      "echo $HOME\n", {.outer = script.at("echo \\$HOME\n"),
                       .runs = {{0, script.at("echo").begin}, {5, script.at("$HOME").begin}}});
  Ledger ledger;
  const auto submit = ledger.open(script.at("sbatch <<EOF\necho \\$HOME\nEOF"), "sbatch");
  ledger.settle(ledger.open({inner, 0, 10}, "echo $HOME", submit), Disposition::converted, "");
  const auto items = items_of(ledger, script.sources, script.id, {});
  CHECK(shown(items) ==
        Lines{"1 converted sbatch <<EOF", "2 converted echo $HOME", "3 converted EOF"});
  CHECK(shown(items_of(ledger, script.sources, inner, {})) == Lines{"1 converted echo $HOME"});
}
