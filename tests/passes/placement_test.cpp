// How ranks and tasks lie on their nodes, and what shared memory they have.
#include <string>

#include "compiled.hpp"
#include "tests/catch.hpp"

using s2f::tests::compile_job;

TEST_CASE("options that place ranks are said to have no counterpart", "[multinode]") {
  const std::string torch = "import torch\n";
  const std::string ranks =
      "export MASTER_ADDR=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)\n"
      "srun torchrun --nnodes=2 --nproc_per_node=4 --node_rank $SLURM_PROCID --master_addr "
      "$MASTER_ADDR --master_port 29500 train.py";
  for (const std::string option :
       {"--gpu-bind=closest", "--distribution=block:cyclic", "--hint=nomultithread",
        "--threads-per-core=1", "--mem-bind=local"}) {
    INFO(option);
    const auto job = compile_job("#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=1\n"
                                 "#SBATCH --gres=gpu:4\n#SBATCH " +
                                     option + "\n" + ranks,
                                 {{"train.py", torch}});
    CHECK(job.has("ClusteredTaskEnvironment("));
    CHECK(job.raised("S2F214"));
    CHECK(job.said(option));
  }
}

TEST_CASE("options of srun that place ranks are left out with a note", "[multinode]") {
  for (const std::string option : {"--gpu-bind=none", "--cpu-bind=cores", "--distribution=block",
                                   "--hint=multithread", "--threads-per-core=1"}) {
    INFO(option);
    const auto job = compile_job("#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n"
                                 "#SBATCH --gres=gpu:4\nsrun " +
                                     option + " python train.py",
                                 {{"train.py", "import torch\n"}});
    CHECK(job.has("nproc_per_node=4"));
    CHECK(job.raised("S2F714"));
  }
}

TEST_CASE("GPUs of tasks are those of a node", "[multinode]") {
  for (const std::string header : {"#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n"
                                   "#SBATCH --gpus-per-task=1\n",
                                   "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n"
                                   "#SBATCH --gpus-per-node=4\n",
                                   "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n"
                                   "#SBATCH --gpus=8\n"}) {
    INFO(header);
    const auto job = compile_job(header + "srun python train.py", {{"train.py", "import torch\n"}});
    CHECK(job.has("nproc_per_node=4"));
    CHECK(job.has("gpu=4"));
    CHECK(job.has("shm=\"auto\""));
  }
}

TEST_CASE("a program that loads data with workers is said to need shared memory", "[multinode]") {
  const std::string loads = "loader = DataLoader(data, num_workers=4)\n";
  const auto job =
      compile_job("#SBATCH --gres=gpu:1\npython train.py --lr 1", {{"train.py", loads}});
  CHECK(job.raised("S2F770"));
  CHECK(job.said("shm=\"auto\" is added"));
  CHECK(job.has("shm=\"auto\""));
  const auto without =
      compile_job("#SBATCH --mem=8G\npython train.py", {{"train.py", "DataLoader(data)\n"}});
  CHECK_FALSE(without.raised("S2F770"));
  CHECK_FALSE(without.has("shm="));
}

TEST_CASE("what a script of another shell starts on its nodes is not said", "[multinode]") {
  const auto job = s2f::project::compile(
      {"job.sh"}, {},
      s2f::project::in_memory(
          {{"job.sh", "#!/bin/zsh\n#SBATCH --nodes=3\nsrun python train.py\n"}}));
  bool said = false;
  for (const auto& finding : job.review.inputs.front().findings) {
    said |= finding.finding.message.find("no srun or launcher") != std::string::npos;
  }
  CHECK_FALSE(said);
}
