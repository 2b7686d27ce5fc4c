// Launches that a job on several nodes, or with several GPUs, may have, each by its name.
#include <array>
#include <string>
#include <utility>

#include "compiled.hpp"
#include "tests/catch.hpp"

using s2f::tests::compile_job;

namespace {

const std::string two = "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=1\n";
const std::string loads = "import torch\nloader = DataLoader(data, num_workers=4)\n";

} // namespace

TEST_CASE("the components of a heterogeneous job stay together", "[named]") {
  const std::string het = "#SBATCH -N 1 -n 1\n#SBATCH hetjob\n#SBATCH -N 2 --ntasks-per-node=4 "
                          "--gpus-per-node=4\n";
  for (const std::string body : {"srun --het-group=0 ./server : --het-group=1 python train.py",
                                 "srun --het-group=0,1 python train.py", "python train.py",
                                 "srun --het-group=1 torchrun --nnodes=2 --nproc_per_node=4 "
                                 "--rdzv_endpoint=$H:29500 train.py"}) {
    INFO(body);
    const auto job = compile_job(het + body, {{"train.py", "import torch\n"}});
    CHECK(job.has("SlurmScriptTask("));
    CHECK(job.raised("S2F303"));
    CHECK(job.said("several components that start together"));
    CHECK_FALSE(job.has("ClusteredTaskEnvironment("));
  }
  const auto packed = compile_job("#SBATCH -N 1\n#SBATCH packjob\n#SBATCH -N 2\npython train.py");
  CHECK(packed.raised("S2F303"));
}

TEST_CASE("a step of one component, where the job has one alone, stays", "[named]") {
  const auto job = compile_job(two + "srun --het-group=1 python train.py",
                               {{"train.py", "import torch.distributed\n"}});
  CHECK(job.has("SlurmScriptTask("));
  CHECK(job.said("--het-group of srun names a component that the job does not have"));
  const auto first = compile_job(two + "srun --het-group=0 python train.py",
                                 {{"train.py", "import torch.distributed\n"}});
  CHECK(first.has("ClusteredTaskEnvironment("));
}

TEST_CASE("torchrun on one node starts its processes within the task", "[named]") {
  const std::string one = "#SBATCH --nodes=1\n#SBATCH --gpus-per-node=4\n";
  for (const std::string body :
       {"torchrun --nproc_per_node=4 train.py --lr 0.1",
        "torchrun --standalone --nproc_per_node=gpu train.py --lr 0.1",
        "srun torchrun --standalone --nproc_per_node=4 train.py --lr 0.1",
        "python -m torch.distributed.run --nproc_per_node=4 train.py --lr 0.1",
        "srun --ntasks=1 torchrun --nnodes=1 --nproc_per_node=4 train.py --lr 0.1",
        "accelerate launch --num_processes 4 train.py --lr 0.1"}) {
    INFO(body);
    const auto job = compile_job(one + body, {{"train.py", "import torch\n"}});
    CHECK(job.has("flyte.TaskEnvironment("));
    CHECK(job.flat_has("gpu=4"));
    const bool starts = job.flat_has("\"torchrun\",") || job.flat_has("\"-m\", \"torch.dis") ||
                        job.flat_has("\"accelerate\", \"launch\",");
    CHECK(starts);
    CHECK(job.flat_has("\"train.py\", \"--lr\","));
    CHECK_FALSE(job.has("ClusteredTaskEnvironment("));
    CHECK_FALSE(job.has("SlurmScriptTask("));
    CHECK_FALSE(job.has("\"srun\""));
  }
}

TEST_CASE("workers of a DataLoader get shared memory without a GPU, too", "[named]") {
  const std::array<std::string, 3> headers{"#SBATCH --mem=8G\n", "#SBATCH --cpus-per-task=4\n", ""};
  for (const std::string& header : headers) {
    INFO(header);
    const auto job = compile_job(header + "python train.py", {{"train.py", loads}});
    CHECK(job.raised("S2F770"));
    CHECK(job.said("shm=\"auto\" is added"));
    CHECK(job.has("shm=\"auto\""));
  }
  const auto other = compile_job("#SBATCH --mem=8G\npython other.py", {{"train.py", loads}});
  CHECK_FALSE(other.has("shm="));
}

TEST_CASE("a cluster of workers larger than the site's stays", "[named]") {
  const std::string header = "#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=1\n"
                             "#SBATCH --cpus-per-task=8\n#SBATCH --gpus-per-node=2\n"
                             "#SBATCH --mem=64G\n";
  const std::string dask = "dask-scheduler --scheduler-file s.json &\n"
                           "srun dask-worker --scheduler-file s.json &\nsleep 10\n"
                           "python run.py --cluster s.json";
  const std::string ray =
      "nodes=($(scontrol show hostnames \"$SLURM_JOB_NODELIST\"))\n"
      "ip=$(srun -N1 -n1 -w \"${nodes[0]}\" hostname --ip-address)\n"
      "srun -N1 -n1 -w \"${nodes[0]}\" ray start --head --node-ip-address=$ip --block &\n"
      "sleep 10\nfor i in 1 2 3; do\n  srun -N1 -n1 -w \"${nodes[$i]}\" ray start "
      "--address=$ip:6379 --block &\ndone\nsleep 10\npython run.py";
  const std::string spark =
      "$SPARK_HOME/sbin/start-master.sh\nsrun $SPARK_HOME/sbin/start-worker.sh "
      "spark://$(hostname):7077 &\nsleep 10\n"
      "spark-submit --master spark://$(hostname):7077 run.py";
  const std::array<std::array<std::string, 3>, 3> cases{
      {{dask, "import dask\n", "Dask("},
       {ray, "import ray\nray.init()\n", "RayJobConfig("},
       {spark, "spark = SparkSession.builder.getOrCreate()\n", "Spark("}}};
  for (const auto& [body, program, made] : cases) {
    INFO(body);
    const auto site = [](int gpus) {
      return std::pair<std::string, std::string>{
          "slurm2flyte.toml", "[limits]\ncluster_gpus = " + std::to_string(gpus) + "\n"};
    };
    const auto fits = compile_job(header + body, {{"run.py", program}, site(8)});
    CHECK(fits.has(made));
    CHECK_FALSE(fits.raised("S2F763"));
    const auto larger = compile_job(header + body, {{"run.py", program}, site(7)});
    CHECK(larger.raised("S2F763"));
    CHECK(larger.said("4 nodes of 2 GPUs at once"));
    CHECK(larger.has("SlurmScriptTask("));
    CHECK_FALSE(larger.has(made));
  }
}

TEST_CASE("what places the ranks is said option by option", "[named]") {
  const std::string header = "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n"
                             "#SBATCH --gpus-per-node=4\n";
  const std::array<std::pair<std::string, std::string>, 5> cases{
      {{"--gpu-bind=none", "--gpu-bind"},
       {"--cpu-bind=cores", "--cpu-bind"},
       {"--distribution=cyclic", "--distribution"},
       {"--hint=nomultithread", "--hint"},
       {"--threads-per-core=1", "--threads-per-core"}}};
  for (const auto& [option, name] : cases) {
    INFO(option);
    const auto job = compile_job(header + "srun " + option + " python train.py --lr 0.1",
                                 {{"train.py", "import torch.distributed\n"}});
    CHECK(job.has("ClusteredTaskEnvironment("));
    CHECK(job.raised("S2F714"));
    CHECK(job.said(name + " of srun"));
    CHECK_FALSE(job.has(name));
  }
  const auto own = compile_job(header + "srun --gpus-per-task=1 --gpu-bind=single:1 python "
                                        "train.py --lr 0.1",
                               {{"train.py", "import torch.distributed\n"}});
  CHECK(own.raised("S2F778"));
}

TEST_CASE("loops that reach the other nodes by ssh stay", "[named]") {
  const std::array<std::string, 5> bodies{
      "for node in $(scontrol show hostnames); do\n  ssh $node ./work &\ndone\nwait",
      "scontrol show hostnames > hosts\nwhile read -r node; do\n  ssh -n $node "
      "./work &\ndone < hosts\nwait",
      "nodes=($(scontrol show hostnames))\nfor ((i = 1; i < 2; i++)); do\n  ssh ${nodes[$i]} "
      "\"cd $PWD && ./work\" &\ndone\nwait",
      "scontrol show hostnames | xargs -I{} -P2 ssh {} ./work",
      "pdsh -w $SLURM_NODELIST ./work",
  };
  for (const std::string& body : bodies) {
    INFO(body);
    const auto job = compile_job(two + body);
    CHECK(job.has("SlurmScriptTask("));
    const bool says = job.raised("S2F707") || job.raised("S2F407");
    CHECK(says);
    CHECK(job.said("The job stays on Slurm: "));
  }
}

TEST_CASE("workers that a program starts on the nodes stay, whatever their language", "[named]") {
  const std::array<std::array<std::string, 4>, 6> cases{
      {{"julia run.jl", "run.jl", "using Distributed\naddprocs(split(ENV[\"HOSTS\"]))\n",
        "addprocs"},
       {"Rscript run.R", "run.R", "library(parallel)\ncl <- makeCluster(hosts, type = \"PSOCK\")\n",
        "makeCluster"},
       {"Rscript run.R", "run.R", "library(future)\nplan(cluster, workers = hosts)\n", "plan"},
       {"srun python run.py", "run.py", "import os\nos.environ['TF_CONFIG'] = config\n",
        "TF_CONFIG"},
       {"srun python run.py", "run.py", "import horovod.tensorflow as hvd\nhvd.init()\n",
        "horovod"},
       {"parallel --sshlogin $(scontrol show hostnames | paste -sd,) ./work {} ::: 1 2", "run.py",
        "", "--sshlogin"}}};
  for (const auto& [body, file, text, says] : cases) {
    INFO(body);
    const auto job = compile_job(two + body, {{file, text}});
    CHECK(job.has("SlurmScriptTask("));
    CHECK(job.said(says));
  }
}
