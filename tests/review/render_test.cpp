// Tests of the renderers: JSON, text, diagnostics, rule pages, with hostile text too.
#include "review/line_ranges.hpp"
#include "review/review.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"

using namespace s2f;
using namespace s2f::review;

namespace {

PlacedFinding decision(std::uint32_t line, std::uint32_t column, std::uint32_t end_column) {
  return {.finding = {.rule = "S2F210",
                      .severity = Severity::decision,
                      .message = "the partition \"gpu\" becomes the queue \"gpu\"",
                      .slurm_does = "runs it in the partition gpu",
                      .output_does = "asks for the queue gpu",
                      .choices = {"queue \"gpu\"", "no queue"},
                      .default_ = "queue \"gpu\"",
                      .config_key = "partitions.gpu.queue",
                      .id = "0123456789ab"},
          .line = line,
          .column = column,
          .end_line = line,
          .end_column = end_column,
          .output_lines = {38}};
}

Input train() {
  return {.path = "train.sh",
          .sha256 = std::string(64, 'a'),
          .kind = "job",
          .verdict = Verdict::needs_decision,
          .output = "train_flyte.py",
          .entry = "train",
          .body = "lifted",
          .source_text = "#!/bin/bash\n#SBATCH --partition=gpu\npython train.py\n",
          .items = {{.line = 2,
                     .end_line = 2,
                     .column = 9,
                     .text = "--partition=gpu",
                     .disposition = Disposition::decision,
                     .why = "becomes a queue",
                     .rule = "S2F210",
                     .output_lines = {38}}},
          .findings = {decision(2, 9, 24)},
          .numbers = {{"--mem=64G", "memory=\"64Gi\"", ""}},
          .lines = 3,
          .lines_accounted = 3};
}

Review review_of(Input input) {
  return {.tool = "slurm2flyte 0.1.0", .flyte = "2.12", .inputs = {std::move(input)}};
}

std::string diagnostic(std::string source, std::uint32_t column, std::uint32_t end_column,
                       TextStyle style = {}) {
  Input input = train();
  input.source_text = std::move(source);
  PlacedFinding placed;
  placed.finding = {.rule = "S2F111", .severity = Severity::warning, .message = "m"};
  placed.column = column;
  placed.end_column = end_column;
  return render_diagnostic(input, placed, style);
}

bool holds_control(std::string_view text) {
  return std::ranges::any_of(text, [](char byte) {
    const auto c = static_cast<unsigned char>(byte);
    return (c < 0x20 && c != '\n') || c == 0x7f;
  });
}

} // namespace

TEST_CASE("JSON has the shape that was promised", "[review][json]") {
  const auto json = nlohmann::ordered_json::parse(render_json(review_of(train())));
  CHECK(json["schema"] == "slurm2flyte-review/1");
  CHECK(json["tool"] == "slurm2flyte 0.1.0");
  CHECK(json["flyte"] == "2.12");
  CHECK(json["summary"].dump() ==
        R"({"jobs":1,"ready":0,"ready_with_notes":0,"needs_decision":1,"keep_on_slurm":0,)"
        R"("not_converted":0,"open_decisions":1,"lines":3,"lines_accounted":3})");
  const auto& input = json["inputs"][0];
  CHECK(input["verdict"] == "needs_decision");
  CHECK(input["output"] == "train_flyte.py");
  CHECK(input["entry"] == "train");
  CHECK(input["items"][0].dump() ==
        R"({"line":2,"end_line":2,"column":9,"text":"--partition=gpu","disposition":"decision",)"
        R"("why":"becomes a queue","rule":"S2F210","output_lines":[38],"output_ranges":"38"})");
  CHECK(input["findings"][0].dump() ==
        R"({"id":"0123456789ab","rule":"S2F210","severity":"decision","line":2,"column":9,)"
        R"("end_line":2,"end_column":24,)"
        R"("message":"the partition \"gpu\" becomes the queue \"gpu\"",)"
        R"("slurm_does":"runs it in the partition gpu","output_does":"asks for the queue gpu",)"
        R"("choices":["queue \"gpu\"","no queue"],"default":"queue \"gpu\"",)"
        R"("config_key":"partitions.gpu.queue","output_lines":[38],"output_ranges":"38"})");
}

TEST_CASE("JSON says null where there is nothing to name", "[review][json]") {
  Input input = train();
  input.output = input.entry = input.body = "";
  input.items[0].rule = "";
  input.findings[0].finding.config_key = "";
  input.findings.push_back(input.findings[0]);
  input.findings[1].finding.default_ = "";
  const auto json = nlohmann::json::parse(render_json(review_of(input)));
  CHECK(json["inputs"][0]["output"].is_null());
  CHECK(json["inputs"][0]["entry"].is_null());
  CHECK(json["inputs"][0]["body"].is_null());
  CHECK(json["inputs"][0]["items"][0]["rule"].is_null());
  // A default can be taken for all scripts, whatever it is.
  CHECK(json["inputs"][0]["findings"][0]["config_key"] == "rules.ignore");
  CHECK(json["inputs"][0]["findings"][1]["config_key"].is_null());
}

TEST_CASE("lines of the output are folded", "[review][json]") {
  CHECK(ranges_text({}).empty());
  CHECK(ranges_text({7}) == "7");
  CHECK(ranges_text({3, 4, 5, 9, 11, 12}) == "3-5, 9, 11-12");
}

TEST_CASE("JSON is plain ASCII whatever the script holds", "[review][json]") {
  Input input = train();
  input.items[0].text = "\x1b[2J\x7f \xff é \xe2\x80\xae";
  const auto text = render_json(review_of(input));
  CHECK_FALSE(holds_control(text));
  CHECK(std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }));
  CHECK(nlohmann::json::parse(text)["inputs"][0]["items"][0]["text"].get<std::string>().starts_with(
      "\x1b[2J\x7f "));
}

TEST_CASE("a diagnostic looks like a compiler's", "[review][text]") {
  CHECK(render_diagnostic(train(), train().findings[0], {}) ==
        R"(train.sh:2:9: decision[S2F210]: the partition "gpu" becomes the queue "gpu"
   2 | #SBATCH --partition=gpu
     |         ^~~~~~~~~~~~~~~
     = slurm: runs it in the partition gpu
     = output: asks for the queue gpu (train_flyte.py:38)
     = choices: queue "gpu"; no queue
     = default: queue "gpu"
     = answer: partitions.gpu.queue in slurm2flyte.toml
)");
}

TEST_CASE("the caret stands under what is meant", "[review][text]") {
  CHECK(diagnostic("\t#x\n", 2, 4) == "train.sh:1:2: warning[S2F111]: m\n"
                                      "   1 |     #x\n"
                                      "     |     ^~\n");
  CHECK(diagnostic("é 日本 x\n", 4, 10) == "train.sh:1:4: warning[S2F111]: m\n"
                                           "   1 | é 日本 x\n"
                                           "     |   ^~~~\n");
  CHECK(diagnostic("a\x1b[1mb\n", 6, 7) == "train.sh:1:6: warning[S2F111]: m\n"
                                           "   1 | a\\x1b[1mb\n"
                                           "     |         ^\n");
  // At the end of a line, and for a span of no length.
  CHECK(diagnostic("abc\n", 4, 4) == "train.sh:1:4: warning[S2F111]: m\n"
                                     "   1 | abc\n"
                                     "     |    ^\n");
}

TEST_CASE("a finding over several lines is marked to the end of its first", "[review][text]") {
  Input input = train();
  input.source_text = "while x; do\n  y\ndone\n";
  PlacedFinding placed = decision(1, 1, 5);
  placed.end_line = 3;
  CHECK(render_diagnostic(input, placed, {}).find("     | ^~~~~~~~~~~\n") != std::string::npos);
}

TEST_CASE("a long line is cut around the caret", "[review][text]") {
  const std::string line = std::string(200, 'a') + "HERE" + std::string(200, 'b') + "\n";
  const auto text = diagnostic(line, 201, 205, {.width = 60});
  std::vector<std::string> lines;
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != text.npos; at = end + 1)
    lines.push_back(text.substr(at, end - at));
  REQUIRE(lines.size() == 3);
  CHECK(lines[1].find("…aaa") != std::string::npos);
  CHECK(lines[1].ends_with("b…"));
  CHECK(lines[1].size() <= 60 + 4); // an ellipsis has three bytes and one column
  const auto caret = lines[2].find("^~~~");
  REQUIRE(caret != std::string::npos);
  CHECK(lines[1].substr(caret + 2, 4) == "HERE"); // two bytes of the first ellipsis more
  // Cut at the right only.
  CHECK(diagnostic(line, 1, 5, {.width = 60}).find(" | aaaa") != std::string::npos);
}

TEST_CASE("without the source a diagnostic has no excerpt", "[review][text]") {
  CHECK(diagnostic("", 1, 1) == "train.sh:1:1: warning[S2F111]: m\n");
  Input input = train();
  PlacedFinding placed = decision(99, 1, 2);
  CHECK(render_diagnostic(input, placed, {}).find(" | ") == std::string::npos);
}

TEST_CASE("the terminal shows the verdict and the decisions", "[review][text]") {
  Input input = train();
  input.findings.push_back(decision(3, 1, 7));
  input.findings.back().finding.default_ = "";
  input.findings.back().finding.message = "who answers this?";
  CHECK(render_text(review_of(input), {}) ==
        R"(train.sh -> train_flyte.py: NEEDS DECISION (2 decisions, all 3 lines accounted for)

Decided by default:
  train.sh:2:9: decision[S2F210]: the partition "gpu" becomes the queue "gpu"
    = default: queue "gpu"
    = answer: partitions.gpu.queue in slurm2flyte.toml

To answer:
train.sh:3:1: decision[S2F210]: who answers this?
   3 | python train.py
     | ^~~~~~
     = slurm: runs it in the partition gpu
     = output: asks for the queue gpu (train_flyte.py:38)
     = choices: queue "gpu"; no queue
     = answer: partitions.gpu.queue in slurm2flyte.toml
)");
}

TEST_CASE("several scripts end with a count", "[review][text]") {
  Review review = review_of(train());
  Input ready{.path = "b.sh",
              .verdict = Verdict::ready,
              .output = "b_flyte.py",
              .lines = 1,
              .lines_accounted = 1};
  review.inputs.push_back(ready);
  const auto text = render_text(review, {});
  CHECK(text.ends_with("\nb.sh -> b_flyte.py: READY (all 1 line accounted for)\n"
                       "\n2 scripts: 1 READY, 1 NEEDS DECISION\n"));
}

TEST_CASE("colour only where it was asked for", "[review][text]") {
  CHECK_FALSE(holds_control(render_text(review_of(train()), {})));
  const auto coloured = render_text(review_of(train()), {.colour = true});
  CHECK(coloured.find("\x1b[1;36mNEEDS DECISION\x1b[0m") != std::string::npos);
}

TEST_CASE("no text of the script reaches the terminal raw", "[review][text]") {
  const std::string evil = "\x1b]0;owned\x07\x1b[2J\r\xc2\x9b"
                           "31m";
  Input input = train();
  input.path = "a" + evil;
  input.output = "b" + evil;
  input.source_text = evil + "\n" + evil + "\n";
  auto& finding = input.findings[0].finding;
  finding.message = finding.slurm_does = finding.output_does = finding.default_ = evil;
  finding.config_key = evil;
  finding.choices = {evil};
  input.findings.push_back(input.findings[0]);
  input.findings.back().finding.default_ = "";
  const auto text = render_text(review_of(input), {});
  CHECK_FALSE(holds_control(text));
  CHECK(text.find("\xc2\x9b") == std::string::npos);
}

TEST_CASE("secrets are in no report", "[review][secrets]") {
  Input input = train();
  input.secrets = {"hunter2", "hunter2-and-more", ""};
  input.source_text = "#!/bin/bash\nexport T=hunter2-and-more\n";
  input.items[0].text = "export T=hunter2-and-more";
  input.items[0].why = "hunter2";
  input.findings[0].finding.message = "T holds hunter2";
  input.findings[0].finding.default_ = "";
  input.numbers = {{"hunter2", "hunter2", "hunter2"}};
  for (const auto& text : {render_json(review_of(input)), render_text(review_of(input), {})}) {
    CHECK(text.find("hunter2") == std::string::npos);
    CHECK(text.find("and-more") == std::string::npos);
  }
  // Line for line and byte for byte, so that places still fit.
  CHECK(redacted(input).source_text == "#!/bin/bash\nexport T=****************\n");
}

TEST_CASE("rules are explained", "[review][rules]") {
  const auto page = render_rule("S2F210", {});
  CHECK(page.starts_with("S2F210 queue-must-exist (decision)\n"));
  CHECK(page.find("\nIn Slurm\n") != std::string::npos);
  CHECK(page.find("    #SBATCH --partition=gpu\n") != std::string::npos);
  CHECK(page.find("```") == std::string::npos);
  for (const char* name : {"s2f210", "210", "queue-must-exist"})
    CHECK(render_rule(name, {}) == page);
  CHECK(render_rule("S2F000", {}).empty());
  CHECK(render_rule("", {}).empty());
  for (const Rule& rule : rules())
    CHECK(render_rule(rule.code, {}).size() > 400);
}

TEST_CASE("the list of rules has one line each", "[review][rules]") {
  const auto list = render_rules({});
  CHECK(static_cast<std::size_t>(std::ranges::count(list, '\n')) == rules().size());
  CHECK(list.starts_with("S2F101  note "));
}

TEST_CASE("Markdown shows verdict, decisions, numbers and every line", "[review][markdown]") {
  const auto text = render_markdown(review_of(train()));
  for (const std::string_view part :
       {"# Review of `train.sh`\n",
        "| `train.sh` | **NEEDS DECISION** | 1 | 0 | 0 | 0 | 3 of 3 | `train_flyte.py` |\n",
        "All 3 lines are accounted for. Run it with `flyte run train_flyte.py train`.\n",
        "| `--mem=64G` | `memory=\"64Gi\"` |  |\n",
        "1. **S2F210 queue-must-exist**, line 2: `#SBATCH --partition=gpu` (id `0123456789ab`)\n",
        "   - Slurm: runs it in the partition gpu\n",
        "   - Output: asks for the queue gpu (`train_flyte.py:38`)\n",
        "   - [x] queue \"gpu\" (taken by default)\n", "   - [ ] no queue\n",
        "   - Answer: `partitions.gpu.queue` in `slurm2flyte.toml`\n",
        "| 2 | `--partition=gpu` | decision | becomes a queue | S2F210 | 38 |\n",
        "\n1 decision\n"}) {
    INFO(text);
    INFO(part);
    CHECK(text.find(part) != text.npos);
  }
  CHECK(text.find("\n\n\n") == text.npos);
  CHECK(text.find("{{") == text.npos);
}

TEST_CASE("Markdown leaves out what there is nothing to say of", "[review][markdown]") {
  Input input = train();
  input.output = input.entry = "";
  auto& finding = input.findings[0].finding;
  finding.slurm_does = finding.output_does = finding.default_ = finding.config_key = "";
  finding.choices.clear();
  input.numbers.clear();
  const auto text = render_markdown(review_of(input));
  for (const std::string_view part :
       {"Slurm:", "Output:", "Answer:", "Run it with", "[ ]", "[x]", "What is asked for"}) {
    INFO(part);
    CHECK(text.find(part) == text.npos);
  }
}

TEST_CASE("Markdown says so when a line is missing", "[review][markdown]") {
  Input input = train();
  input.lines_accounted = 2;
  CHECK(render_markdown(review_of(input)).find("Only 2 of 3 lines are accounted for") !=
        std::string::npos);
}

TEST_CASE("no text of the script acts in Markdown", "[review][markdown]") {
  const std::string evil = "|x\n\n# h\n<script>alert(1)</script> ``` `|` [a](javascript:x) ![i](u) "
                           "&lt; {{x}} \x1b[2J @everyone \xff";
  Input input = train();
  input.path = input.output = input.entry = evil;
  input.included_in_output = {evil};
  input.items[0].text = input.items[0].why = evil;
  input.numbers = {{evil, evil, evil}};
  auto& finding = input.findings[0].finding;
  finding.message = finding.slurm_does = finding.output_does = finding.default_ = evil;
  finding.config_key = evil;
  finding.choices = {evil};
  input.findings.push_back(input.findings[0]);
  input.findings.back().finding.severity = Severity::note;

  const auto text = render_markdown(review_of(input));
  const auto plain = render_markdown(review_of([&] {
    Input harmless = input;
    std::string word = "word";
    harmless.path = harmless.output = harmless.entry = word;
    harmless.included_in_output = {word};
    harmless.items[0].text = harmless.items[0].why = word;
    harmless.numbers = {{word, word, word}};
    for (PlacedFinding& placed : harmless.findings) {
      Finding& f = placed.finding;
      f.message = f.slurm_does = f.output_does = f.default_ = f.config_key = word;
      f.choices = {word};
    }
    return harmless;
  }()));
  CHECK_FALSE(holds_control(text));
  CHECK(text.find("<script") == text.npos);
  CHECK(text.find("@everyone") == text.npos);
  for (auto at = text.find("]("); at != text.npos; at = text.find("](", at + 1))
    CHECK((text[at - 1] == '\\' || text[at - 1] == ';')); // escaped, so no link
  CHECK(text.find("```") == text.npos);
  // The page has the same lines and cells as with a harmless word in each place.
  CHECK(std::ranges::count(text, '\n') == std::ranges::count(plain, '\n'));
  CHECK(std::ranges::count(text, '|') == std::ranges::count(plain, '|'));
}

TEST_CASE("a template of the user's may fail, ours does not", "[review][markdown]") {
  CHECK(render_markdown(review_of(train()), "{{#inputs}}{{verdict}}{{/inputs}}") ==
        "NEEDS DECISION");
  CHECK_FALSE(render_markdown(review_of(train()), "{{#inputs}}").has_value());
}
