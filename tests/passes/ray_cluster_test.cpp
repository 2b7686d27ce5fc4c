// A Ray cluster that a job brings up by hand.
#include <array>
#include <string>

#include "compiled.hpp"
#include "tests/catch.hpp"

using s2f::tests::compile_job;

namespace {

const std::string header = "#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=1\n"
                           "#SBATCH --cpus-per-task=16\n#SBATCH --mem=64G\n";
const std::string nodes = "nodes=($(scontrol show hostnames \"$SLURM_JOB_NODELIST\"))\n";
const std::string ip = "ip=$(srun -N1 -n1 -w \"${nodes[0]}\" hostname --ip-address)\n";
const std::string head =
    "srun -N1 -n1 -w \"${nodes[0]}\" ray start --head --node-ip-address=$ip --block &\nsleep 10\n";
const std::string worker =
    "srun -N1 -n1 -w \"${nodes[$i]}\" ray start --address=$ip:6379 --block &";
const std::string workers = "for i in 1 2 3; do\n  " + worker + "\ndone\nsleep 10\n";

} // namespace

TEST_CASE("a head and a worker on each other node become a Ray task", "[ray]") {
  const std::array bodies{
      nodes + ip + head + workers + "python tune.py --trials 64",
      nodes + ip + "port=6379\nip_head=$ip:$port\nexport ip_head\necho \"IP Head: $ip_head\"\n" +
          head +
          "worker_num=$((SLURM_JOB_NUM_NODES - 1))\nfor ((i = 1; i <= worker_num; i++)); do\n  "
          "node_i=${nodes[$i]}\n  " +
          worker + "\n  sleep 5\ndone\npython tune.py --trials 64\nray stop",
      "nodes=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\")\nnodes_array=($nodes)\n"
      "node_1=${nodes_array[0]}\nip=$(srun --nodes=1 --ntasks=1 -w \"$node_1\" hostname "
      "--ip-address)\nif [[ \"$ip\" == *\" \"* ]]; then\n  IFS=' ' read -ra ADDR <<< \"$ip\"\n  "
      "ip=${ADDR[0]}\nfi\n" +
          head + workers + "python tune.py --trials 64",
      nodes + ip + head +
          "srun -N3 -n3 -x \"${nodes[0]}\" ray start --address=$ip:6379 --block &\nsleep 10\n"
          "python tune.py --trials 64",
  };
  for (const std::string& body : bodies) {
    INFO(body);
    const auto job = compile_job(header + body, {{"tune.py", "import ray\nray.init()\n"}});
    CHECK(job.raised("S2F712"));
    CHECK(job.flat_has("plugin_config=RayJobConfig("));
    CHECK(job.flat_has("replicas=3"));
    CHECK(job.flat_has("cpu=\"16\""));
    CHECK(job.flat_has("\"tune.py\", \"--trials\""));
    CHECK(job.has("flyteplugins-ray"));
    CHECK_FALSE(job.has("scontrol show"));
  }
}

TEST_CASE("a Ray cluster of another shape stays on Slurm", "[ray]") {
  const std::array bodies{
      nodes + ip + head + workers + "python tune.py --address $ip:6379",
      nodes + ip + head + workers + "python addressed.py",
      nodes + ip + head + "for i in 1 2; do\n  " + worker + "\ndone\npython tune.py",
      nodes + ip + head + head + workers + "python tune.py",
      nodes + ip + head + "python tune.py",
      nodes + ip + "srun -N4 -n4 ray start --head &\n" + workers + "python tune.py",
  };
  for (const std::string& body : bodies) {
    INFO(body);
    const auto job =
        compile_job(header + "export ip\n" + body,
                    {{"tune.py", "import ray\n"},
                     {"addressed.py", "import os, ray\nray.init(os.environ['ip'])\n"}});
    CHECK(job.has("SlurmScriptTask("));
    CHECK(job.raised("S2F713"));
  }
}
