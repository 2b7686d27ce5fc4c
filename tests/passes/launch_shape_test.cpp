// The ranks of a job that stays on Slurm, as the reason says them.
#include <array>
#include <string>
#include <utility>

#include "compiled.hpp"
#include "tests/catch.hpp"

using s2f::tests::compile_job;

namespace {

const std::string header = "#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=1\n#SBATCH --gres=gpu:8\n";

} // namespace

TEST_CASE("a job that stays says its ranks", "[multinode]") {
  const std::string shell = "srun bash -c \"docker run -e GPUS_PER_NODE=8 image bash start.sh\"";
  const std::array<std::pair<std::string, std::string>, 15> cases{{
      {"srun --mpi=pmix singularity run --nv image.sif torchrun --nnodes 4 --nproc_per_node 8 "
       "train.py",
       "4 nodes with 8 processes each"},
      {"GPUS=8\ncmd=\"srun torchrun --nnodes=4 --nproc_per_node=$GPUS $WHAT\"\n$cmd",
       "4 nodes with 8 processes each"},
      {"cmd=\"srun python $script\"\n$cmd", "4 nodes with 1 process each"},
      {shell, "4 nodes with 8 processes each, as $GPUS_PER_NODE has it"},
      {"gpus_per_node=2\ncommand=\"bash start.sh $gpus_per_node\"\nsrun bash -c \"$command\"",
       "4 nodes with 2 processes each, as $gpus_per_node has it"},
      {"export NPROC_PER_NODE=2\nsrun start.sh", "4 nodes with 1 process each"},
      {"srun bash start.sh", "4 nodes with 1 process each"},
      {"srun bash beside.sh", "4 nodes with 6 processes each"},
      {"nodes=($(scontrol show hostnames))\nfor i in 0 1 2 3; do\n  srun -N1 -n1 -r $i bash -c "
       "\"python train.py --rank $i\" &\ndone\nwait",
       "4 nodes with 1 process each"},
      {"nodes=($(scontrol show hostnames))\nfor i in 0 1 2 3; do\n  srun -N1 -n1 -w "
       "${nodes[$i]} lightning run model --devices=8 train.py &\ndone\nwait",
       "4 nodes with 8 processes each"},
      {"for node in $(scontrol show hostnames); do\n  ssh $node \"cd $PWD; torchrun --nnodes=4 "
       "--nproc_per_node=auto train.py\" &\ndone\nwait",
       "4 nodes with 8 processes each"},
      {"for node in $(scontrol show hostnames); do\n  echo \"$node slots=3\" >> hosts\ndone\n"
       "tar -xf data.tar\npython $FOLDER/deepy.py train.py",
       "4 nodes with 8 processes each"},
      {"start() {\n  srun --nodelist=$NODE -n1 composer --nproc 8 train.py\n}\nfor NODE in "
       "$(scontrol "
       "show hostnames); do\n  start &\ndone\nwait",
       "4 nodes with 8 processes each"},
      {"horovodrun -np 16 python train.py", "4 nodes with 4 processes each"},
      {"srun --ntasks-per-node=4 --mpi=pmix ./solver", "4 nodes with 4 processes each"},
  }};
  for (const auto& [body, shape] : cases) {
    INFO(body);
    const auto job = compile_job(
        header + body,
        {{"beside.sh", "#!/bin/bash\ntorchrun --nnodes=$N --nproc_per_node=6 train.py\n"}});
    CHECK(job.has("SlurmScriptTask("));
    CHECK(job.said(shape));
  }
}

TEST_CASE("a job that stays says no ranks that it does not tell", "[multinode]") {
  const std::array bodies{
      "squeue -u me | grep RUNNING > list\nscontrol show hostnames > hosts\npython train.py hosts",
      "srun --mpi=pmix -n $TASKS ./solver",
      "echo srun -n 4 torchrun --nnodes=4 --nproc_per_node=8\nmpirun ./solver",
  };
  for (const std::string body : bodies) {
    INFO(body);
    CHECK_FALSE(compile_job(header + body).said("its ranks"));
  }
}
