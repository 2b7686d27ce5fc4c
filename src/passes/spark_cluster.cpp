// A standalone Spark cluster that the job brings up by hand: Flyte brings it up, and the program
// runs in the task's own process, where the session is.
//
// before:  $SPARK_HOME/sbin/start-master.sh
//          srun $SPARK_HOME/sbin/start-worker.sh spark://$(hostname):7077 &
//          sleep 10; spark-submit --master spark://$(hostname):7077 --executor-memory 8g count.py
// after:   cluster = "spark", as many executors; what brought it up is Nothing;
//          Launch{python count.py}
#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "generated/tables/spark_options.hpp"
#include "passes/by_hand.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_programs.hpp"
#include "passes/rank_start.hpp"
#include "passes/slurm_commands.hpp"

namespace s2f::passes {

namespace {

using by_hand::Part;
using review::Disposition;
using Conf = std::vector<std::pair<std::string, std::string>>;

class Spark {
public:
  explicit Spark(PassContext& context)
      : context_(context), job_(context.job), values_(job_.script, context.component()) {}

  void run() {
    if (!by_hand::may_bring_up(context_)) {
      return;
    }
    parts_ = by_hand::read(job_, [&](Part& part, const auto& command, const auto& statement) {
      look(part, command, statement);
    });
    if (workers_ == 0) {
      return;
    }
    choose();
    std::string why = this->why();
    if (why.empty()) {
      why = executors();
    }
    if (why.empty()) {
      record();
    } else {
      job_.stays_on_slurm = ir::Reason{
          "S2F764",
          fmt::format("it brings up Spark by hand, workers on {}. flyteplugins-spark has its "
                      "session in the task's own process, and {}",
                      shape_of(nodes_of(context_.component()), on_a_node()), why),
          place_};
    }
  }

private:
  void look(Part& part, const shell::SimpleCommand& command, const shell::Statement& statement) {
    const auto& whole = part.step->statement->value;
    const bool loop = std::holds_alternative<shell::For>(whole) ||
                      std::holds_alternative<shell::ArithmeticFor>(whole);
    const by_hand::StartedProgram program =
        by_hand::started(command, values_, context_.component());
    if (const auto* row = by_hand::row_of(program, tables::WorkerProgramsOf::spark)) {
      part.starts = true;
      using Kind = tables::WorkerProgramsPart;
      if (row->part == Kind::end) {
        return;
      }
      if (place_.end == 0) {
        place_ = statement.span;
      }
      if (row->part == Kind::head) {
        return;
      }
      worker_options(program);
      const std::int64_t nodes = nodes_of(context_.component());
      // Of a loop, or of a list of hosts, there is one a node.
      const std::int64_t each =
          loop || row->part == Kind::all ? nodes : program.copies.value_or(nodes);
      workers_ = std::max(workers_, each);
      return;
    }
    const bool submits = program.name() == "spark-submit";
    if (!submits && !(is_python(program.name()) && program.step == std::nullopt)) {
      return;
    }
    if (program_.statement != nullptr) {
      more_ |= submits || program_.submits;
      if (!submits) {
        return;
      }
    }
    program_ = {&statement, part.step, program, submits};
  }

  // SPARK_WORKER_CORES, SPARK_LOG_DIR, and what only the bring-up reads.
  void choose() {
    static constexpr std::array ends{"kill", "pkill", "scancel", "wait"};
    by_hand::choose(parts_, ends, [&](const Part& part, const by_hand::Around& around) {
      if (part.step == program_.step) {
        return false;
      }
      const bool sets =
          !part.writes.empty() &&
          (around.command == nullptr || around.command->words.empty() || around.name == "export");
      const bool of_spark = sets && std::ranges::all_of(part.writes, [](const std::string& each) {
                              return each.starts_with("SPARK_");
                            });
      return of_spark || (sets && by_hand::read_by_starts(parts_, part) && !read_by_rest(part));
    });
  }

  [[nodiscard]] bool read_by_rest(const Part& part) const {
    return std::ranges::any_of(parts_, [&](const Part& other) {
      return !other.starts && other.step != program_.step && &other != &part &&
             std::ranges::any_of(
                 part.writes, [&](const std::string& name) { return other.reads.contains(name); });
    });
  }

  // Why the program can't run in the task's own process; "" if it can.
  std::string why() {
    if (program_.statement == nullptr || more_) {
      return more_ ? "several programs use it" : "no program in Python uses it";
    }
    if (program_.statement != program_.step->statement || program_.statement->background ||
        !program_.statement->redirects.empty()) {
      return "its program stands within another command";
    }
    if (moves()) {
      return "the script changes the directory before it starts the program";
    }
    if (std::string why = options(); !why.empty()) {
      return why;
    }
    const std::optional<std::string>& word = program_.read.plain[script_];
    std::string file = word.value_or("");
    while (file.starts_with("./")) {
      file.erase(0, 2);
    }
    if (!file.ends_with(".py") || file.starts_with('/') || !context_.file_exists ||
        !context_.file_exists(file)) {
      return "its program is not there to be read";
    }
    const std::string text = context_.read_file(file).value_or("");
    for (const char* key : {"spark.executor.", "spark.driver.", "spark.cores.max", "spark.jars"}) {
      if (text.find(key) != std::string::npos) {
        return fmt::format(
            "{} sets {} by itself, which comes too late where the session is there", file,
            std::string_view(key).substr(0, std::string_view(key).find_last_not_of('.') + 1));
      }
    }
    return text.find("getOrCreate()") == std::string::npos
               ? fmt::format("{} does not ask for one by getOrCreate()", file)
               : "";
  }

  // Whether the program starts in another directory than the job.
  [[nodiscard]] bool moves() const {
    for (const Part& part : parts_) {
      if (part.step == program_.step) {
        return false;
      }
      const auto* command =
          part.step->statement == nullptr ? nullptr : shell::as_simple(*part.step->statement);
      const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
      if ((name == "cd" || name == "pushd") &&
          (command->words.size() != 2 ||
           context_.text(command->words[1].span).find("SLURM_SUBMIT_DIR") == std::string::npos)) {
        return true;
      }
    }
    return false;
  }

  // start-worker.sh -c 8 -m 30g
  void worker_options(const by_hand::StartedProgram& program) {
    for (std::size_t i = program.at + 1; i + 1 < program.words.size(); ++i) {
      const std::string& option = program.words[i].start;
      if (option == "-c" || option == "--cores") {
        worker_cores_ = program.words[i + 1].text.value_or("");
      }
    }
  }

  // What a variable of Spark's own is set to, nothing if it is not set.
  [[nodiscard]] std::optional<std::string> variable(std::string_view name) const {
    std::optional<std::string> value;
    analysis::Visitor visitor;
    visitor.assignment = [&](const shell::Assignment& each) {
      if (each.name == name) {
        const auto texts = each.value ? values_.of(*each.value) : std::nullopt;
        value = texts && texts->size() == 1 ? texts->front() : std::string();
      }
    };
    for (const ir::Step& step : job_.body) {
      if (step.statement != nullptr) {
        analysis::walk(*step.statement, visitor);
      }
    }
    return value;
  }

  [[nodiscard]] std::optional<std::string> given(std::string_view key) const {
    const auto found = std::ranges::find(conf_, key, &Conf::value_type::first);
    return found == conf_.end() ? std::nullopt : std::optional(found->second);
  }
  void set(const std::string& key, const std::string& value) {
    std::erase_if(conf_, [&](const auto& pair) { return pair.first == key; });
    conf_.emplace_back(key, value);
  }

  // How many workers: where they are not the same number on each, there are none beside the master.
  [[nodiscard]] std::int64_t on_a_node() const {
    const std::int64_t nodes = nodes_of(context_.component());
    return workers_ % nodes == 0                      ? std::max<std::int64_t>(workers_ / nodes, 1)
           : nodes > 1 && workers_ % (nodes - 1) == 0 ? workers_ / (nodes - 1)
                                                      : 1;
  }

  // A worker starts as many executors as its cores allow; the memory of a node beyond their heap is
  // for what runs beside it, the processes of Python above all.
  std::string executors() {
    const auto& share = context_.component().share;
    const auto of_node = std::max<std::int64_t>(share.cpus.value_or(1) / on_a_node(), 1);
    const auto cores_text = worker_cores_ ? worker_cores_ : variable("SPARK_WORKER_CORES");
    const auto cores = cores_text ? number(*cores_text) : std::optional(of_node);
    const auto several_text = variable("SPARK_WORKER_INSTANCES");
    const auto several = several_text ? number(*several_text) : std::optional<std::int64_t>(1);
    const auto asked = given("spark.executor.cores");
    const auto each = asked ? number(*asked) : cores;
    if (!cores || !several || !each || *cores <= 0 || *several <= 0 || *each <= 0 ||
        *each > *cores) {
      return "how many executors its workers start is known only when the job runs";
    }
    executors_ = workers_ * *several * (*cores / *each);
    if (const auto total = given("spark.cores.max")) {
      const auto most = number(*total);
      if (!most || *most < *each) {
        return "how many executors its workers start is known only when the job runs";
      }
      executors_ = std::min(executors_, *most / *each);
    }
    std::erase_if(conf_, [](const auto& pair) { return pair.first == "spark.cores.max"; });
    set("spark.executor.cores", fmt::format("{}", *each));
    const std::int64_t beside = on_a_node() * *several * (*cores / *each);
    if (share.memory_mib) {
      beside_heap("spark.executor", *share.memory_mib / beside);
      beside_heap("spark.driver", *share.memory_mib);
    }
    return {};
  }

  void beside_heap(const std::string& whose, std::int64_t memory_mib) {
    constexpr std::int64_t unless_said = 1024; // Spark's own
    const auto text = given(whose + ".memory");
    const auto heap = text ? mebibytes(*text) : std::optional(unless_said);
    if (heap && *heap < memory_mib && !given(whose + ".memoryOverhead")) {
      set(whose + ".memoryOverhead", fmt::format("{}m", memory_mib - *heap));
    }
  }

  static std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(value)
                                                                    : std::nullopt;
  }
  // 8g, 8G, 8192m
  static std::optional<std::int64_t> mebibytes(std::string_view text) {
    constexpr std::int64_t gibi = 1024;
    constexpr std::int64_t most = 1 << 20;
    if (text.size() < 2) {
      return std::nullopt;
    }
    const char unit = text.back();
    const auto value = number(text.substr(0, text.size() - 1));
    if (!value || *value <= 0 || *value > most) {
      return std::nullopt;
    }
    return unit == 'g' || unit == 'G'   ? std::optional(*value * gibi)
           : unit == 'm' || unit == 'M' ? value
                                        : std::nullopt;
  }

  // The options of spark-submit, up to the program.
  std::string options() {
    const by_hand::StartedProgram& program = program_.read;
    std::size_t at = program.at + 1;
    for (; at < program.words.size() && program.words[at].start.starts_with('-'); ++at) {
      const std::string& start = program.words[at].start;
      if (!program_.submits) {
        continue; // python -u
      }
      const auto equals = start.find('=');
      const std::string name = start.substr(0, equals);
      const auto* row = tables::find_spark_options(name);
      if (row == nullptr) {
        return fmt::format("{} of spark-submit has no counterpart", start);
      }
      std::optional<std::string> value;
      if (equals != std::string::npos && row->takes) {
        const auto& text = program.words[at].text;
        value = text ? std::optional(text->substr(equals + 1)) : std::nullopt;
      } else if (row->takes && at + 1 < program.words.size()) {
        value = program.words[++at].text;
      }
      using Role = tables::SparkOptionsRole;
      if (row->role == Role::drop) {
        continue;
      }
      if (row->role == Role::total) {
        conf_.emplace_back(row->conf, value.value_or(""));
        continue;
      }
      const auto sign = value ? value->find('=') : std::string::npos;
      if (!value || (row->role == Role::pair && sign == std::string::npos)) {
        return fmt::format("{} of spark-submit is known only when the job runs", name);
      }
      conf_.emplace_back(row->role == Role::pair ? value->substr(0, sign) : std::string(row->conf),
                         row->role == Role::pair ? value->substr(sign + 1) : *value);
    }
    script_ = at;
    return at < program.words.size() ? "" : "no program in Python uses it";
  }

  void record() {
    const std::int64_t nodes = nodes_of(context_.component());
    std::erase_if(conf_, [](const auto& pair) { // what leads to the cluster by hand
      return pair.first == "spark.master" || pair.first == "spark.driver.host";
    });
    ir::Cluster cluster;
    cluster.kind = ir::Cluster::Spark{conf_};
    cluster.span = place_;
    cluster.replicas.value = executors_;
    by_hand::asked_for(context_, cluster,
                       workers_ == nodes - 1 && executors_ == workers_ ? " less the master" : "");
    cluster.processes.value = 1;
    job_.cluster = std::move(cluster);
    review::Finding finding;
    finding.rule = "S2F775";
    finding.span = place_;
    finding.message = fmt::format(
        "The job brings up a Spark cluster: a master and {} worker{}, with {} executor{}.",
        workers_, workers_ == 1 ? "" : "s", executors_, executors_ == 1 ? "" : "s");
    finding.slurm_does = "The master and the workers are started on the nodes of the job, and "
                         "spark-submit starts the driver on the first.";
    finding.output_does =
        "Flyte starts a driver and that many executors for the task, each with its share of what a "
        "node had; what is not heap is memory beside it. The program runs in the driver's own "
        "process, where SparkSession.builder.getOrCreate() gives it the session: a master that it "
        "names itself is not asked. If it fails, the task fails, also where the script would have "
        "gone on. The image needs Spark and Java.";
    finding.choices = {"an image with Spark and Java", "keep the job on Slurm"};
    finding.default_ = finding.choices[0];
    const auto id = context_.findings.add(std::move(finding));
    by_hand::leave_out(context_, parts_,
                       {"S2F775", "the Spark cluster",
                        "the Spark master and its workers: Flyte starts them and ends them", id,
                        true});
    const auto& words = shell::as_simple(*program_.statement)->words;
    ir::SrunStep step; // spark-submit and its options go, as srun's would
    step.prefix = {program_.statement->span.source, words.front().span.begin,
                   words[program_.read.words[script_].word].span.begin};
    step.instead = {"python"};
    job_.removals.push_back(
        {step.prefix, "python ",
         fmt::format("line {}, spark-submit", context_.sources.begin(step.prefix).line)});
    job_.srun_steps.push_back(std::move(step));
    ir::PipLayer layer;
    layer.packages.push_back({"flyteplugins-spark", "the Spark cluster", {place_}, {}});
    job_.environment.pip.push_back(std::move(layer));
    for (const std::string_view option : {"nodes", "ntasks", "ntasks-per-node"}) {
      context_.settle(option, Disposition::converted, fmt::format("{} executors", executors_));
    }
  }

  struct Program {
    const shell::Statement* statement = nullptr;
    ir::Step* step = nullptr;
    by_hand::StartedProgram read;
    bool submits = false;
  };

  PassContext& context_;
  ir::Job& job_;
  ScriptValues values_;
  std::vector<Part> parts_;
  Span place_{};
  std::int64_t workers_ = 0;
  std::int64_t executors_ = 0;
  std::optional<std::string> worker_cores_;
  Program program_;
  bool more_ = false;
  std::size_t script_ = 0; // which word is the program's file
  Conf conf_;
};

} // namespace

void spark_cluster(PassContext& context) {
  if (!context.job.stays_on_slurm) {
    Spark(context).run();
  }
}

// Once it is known what stays Bash: a program there is a process of its own, without a session.
void spark_alone(PassContext& context) {
  ir::Job& job = context.job;
  if (!job.cluster || job.cluster->spark() == nullptr) {
    return;
  }
  for (const ir::Step& step : job.body) {
    const auto* launch = std::get_if<ir::Launch>(&step.value);
    const bool program = launch != nullptr && launch->launcher == "srun" && launch->payload;
    if (program && !step.in_region) {
      return;
    }
  }
  job.stays_on_slurm = ir::Reason{
      "S2F764",
      "it brings up Spark by hand, and its program stands in a part of the script that stays Bash",
      job.cluster->span};
}

} // namespace s2f::passes
