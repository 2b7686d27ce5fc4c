// What becomes of srun and of Slurm's own commands in a body.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "slurm2flyte/slurm2flyte.hpp"
#include "tests/catch.hpp"

namespace {

using nlohmann::json;

struct Converted {
  std::string module;
  json input;

  [[nodiscard]] std::string body() const { return input["body"].get<std::string>(); }
  [[nodiscard]] bool has(std::string_view text) const {
    return module.find(text) != std::string::npos;
  }
  [[nodiscard]] bool raises(std::string_view rule) const {
    for (const json& finding : input["findings"]) {
      if (finding["rule"] == rule) {
        return true;
      }
    }
    return false;
  }
};

Converted convert(const std::string& header, const std::string& body,
                  const std::vector<slurm2flyte::File>& files = {}) {
  const slurm2flyte::File script{"job.sh", "#!/bin/bash\n" + header + "\n" + body + "\n"};
  const auto result = slurm2flyte::convert({script}, files);
  REQUIRE(result.modules.size() == 1);
  CHECK(result.errors == 0);
  return {result.modules.front().text, json::parse(result.review_json)["inputs"][0]};
}

const slurm2flyte::File program{"train.py", "import os, json\nprint(os.environ['SLURM_PROCID'])\n"};

} // namespace

TEST_CASE("an srun of one process is its program", "[launchers]") {
  const std::array bodies{
      "srun python train.py",
      "srun -n1 -N1 --exact python train.py",
      "srun -n 1 --cpu-bind=none python train.py",
      "srun --ntasks=$SLURM_NNODES --ntasks-per-node=1 python train.py",
      "srun -n ${SLURM_JOB_NUM_NODES} python train.py",
      "N=1\nsrun -n $N python train.py",
      "N=3\nsrun -n $((N - 2)) python train.py",
      "OPTS=\"-n 1 --mem=0\"\nsrun $OPTS python train.py",
      "srun --export=ALL -u -l python train.py",
      "srun --pty python train.py",
      "srun -n ${TASKS:-1} python train.py\n# TASKS=2",
  };
  for (const std::string body : bodies) {
    CAPTURE(body);
    const auto all = convert("", body, {program});
    const bool known = body.find("TASKS") == std::string::npos;
    CHECK((all.body() == "on_slurm") == !known);
    CHECK(all.has("\"train.py\"") == known);
    CHECK(all.has("srun") == !known);
  }
}

TEST_CASE("a variable may be srun's program, or its options", "[launchers]") {
  CHECK(convert("", "EXE=./model\nsrun $EXE in.dat").has("\"./model\""));
  CHECK(convert("", "for exe in ./a ./b; do srun $exe; done").body() == "lifted");
  CHECK(convert("", "for exe in ./a cd; do srun $exe; done").body() == "kept");
  CHECK(convert("", "srun $HOME/bin/model in.dat").body() == "lifted");
  CHECK(convert("", "srun $(which python) train.py").body() == "kept");
  CHECK(convert("", "srun $EXE in.dat").body() == "on_slurm");
  CHECK(convert("", "srun \"$@\"").body() == "on_slurm");
  CHECK(convert("", "RUN=\"-n 4 ./model\"\nsrun $RUN").body() == "on_slurm");
  CHECK(convert("", "if [ -e x ]; then O=-n4; else O=-n1; fi\nsrun $O ./model").body() ==
        "on_slurm");
}

TEST_CASE("srun behind other programs", "[launchers]") {
  const auto nohup = convert("", "nohup srun -n1 timeout 2h python train.py", {program});
  CHECK(nohup.has("\"nohup\""));
  CHECK(nohup.has("sys.executable"));
  CHECK_FALSE(nohup.has("srun"));
  CHECK(nohup.has("include=(\"train.py\",)"));
}

TEST_CASE("srun's own files and variables go to its program", "[launchers]") {
  const auto files = convert("", "srun -o out.log python train.py", {program});
  CHECK(files.has("(HERE / \"out.log\").open(\"wb\") as stdout"));
  CHECK(files.has("stderr=subprocess.STDOUT"));
  const auto both = convert("", "srun -o out.log -e err.log python train.py", {program});
  CHECK(both.has("(HERE / \"err.log\").open(\"wb\") as stderr"));
  const auto variables = convert("", "srun --export=ALL,DEBUG=1 python train.py", {program});
  CHECK(variables.has("\"DEBUG\": \"1\""));
  const auto kept = convert("", "for i in 1 2; do srun -n1 -o $i.log ./run & done; wait");
  CHECK(kept.body() == "on_slurm");
  const auto beside =
      convert("#SBATCH -n2\n", "for i in 1 2; do srun -n1 -o a.log ./run $i & done; wait");
  CHECK(beside.body() == "lifted");
  CHECK(beside.has("await spawn(\"./run\", i, stdout=stdout, stderr=subprocess.STDOUT)"));
  const auto inside =
      convert("", "for i in 1 2; do eval :; srun -n1 -o a.log ./run $i & done; wait");
  CHECK(inside.has("./run $i >a.log 2>&1 &"));
  CHECK(convert("", "srun -o %t.log ./run").body() == "on_slurm");
  CHECK(convert("", "srun --export=NONE ./run").body() == "on_slurm");
}

TEST_CASE("copies of a program that is not MPI run side by side", "[launchers]") {
  const auto copies = convert("#SBATCH --ntasks=4", "srun python train.py", {program});
  CHECK(copies.raises("S2F455"));
  CHECK(copies.has("for procid in range(4)"));
  CHECK(copies.has("**rank(procid, 4)"));
  CHECK(copies.has("highest("));
  const auto gpus =
      convert("#SBATCH --ntasks=2\n#SBATCH --gpus-per-task=1", "srun python train.py", {program});
  CHECK(gpus.has("rank(procid, 2, gpus=1)"));
  CHECK(gpus.has("CUDA_VISIBLE_DEVICES"));
}

TEST_CASE("copies that may talk by MPI stay on Slurm", "[launchers]") {
  const std::string four = "#SBATCH --ntasks=4";
  const slurm2flyte::File mpi{"train.py", "from mpi4py import MPI\n"};
  const slurm2flyte::File above{"train.py", "from lib.work import run\n"};
  const slurm2flyte::File below{"lib/work.py", "import os, horovod.torch as hvd\n"};
  const slurm2flyte::File comment{"train.py", "# import mpi4py\nimport json as mpi4py_free\n"};
  CHECK(convert(four, "srun python train.py", {mpi}).body() == "on_slurm");
  CHECK(convert(four, "srun python train.py", {above, below}).body() == "on_slurm");
  CHECK(convert(four, "srun python train.py", {comment}).body() == "lifted");
  CHECK(convert(four, "srun python train.py").body() == "on_slurm"); // not there to be read
  CHECK(convert(four, "srun ./solver").body() == "on_slurm");
  CHECK(convert(four, "srun lmp -in in.melt").body() == "on_slurm");
  CHECK(convert(four, "srun --mpi=pmix python train.py", {program}).body() == "on_slurm");
  CHECK(convert(four, "srun python a.py : python b.py", {program}).body() == "on_slurm");
  const slurm2flyte::File alone{"train.py", "print('no rank')\n"};
  CHECK(convert("#SBATCH --nodes=2\n#SBATCH --ntasks=4", "srun python train.py", {alone}).body() ==
        "on_slurm");
  CHECK(convert("#SBATCH --nodes=2\n#SBATCH --ntasks=4", "srun python train.py", {program})
            .has("ClusteredTaskEnvironment("));
  CHECK(convert(four, "srun python train.py > log &\nwait", {program}).body() == "on_slurm");
  CHECK(convert("", "mpirun -np 4 ./solver").body() == "on_slurm");
  CHECK(convert("", "numactl -N 0 mpiexec ./solver").body() == "on_slurm");
}

TEST_CASE("what each copy would only repeat runs once", "[launchers]") {
  const auto once = convert("#SBATCH --ntasks=4", "srun hostname\nsrun -n 4 mkdir -p out");
  CHECK(once.raises("S2F456"));
  CHECK(once.body() == "lifted");
  CHECK(once.has("run(\"hostname\")") == false); // with check=False
  CHECK(once.has("\"mkdir\", \"-p\", \"out\""));
  CHECK(convert("#SBATCH --ntasks=4", "srun hostname > nodes").body() == "on_slurm");
  CHECK(convert("#SBATCH --ntasks=4", "n=$(srun hostname | wc -l)\necho $n").body() == "on_slurm");
}

TEST_CASE("commands that only show something are left out", "[launchers]") {
  const std::array bodies{"squeue -u $USER",
                          "sacct -j $SLURM_JOB_ID --format=JobID,Elapsed",
                          "scontrol show job $SLURM_JOB_ID",
                          "/usr/bin/scontrol show job -d \"$SLURM_JOB_ID\"",
                          "scontrol -o show node c1",
                          "squeue -u $USER | grep run | wc -l",
                          "sstat -j $SLURM_JOB_ID 2> /dev/null",
                          "for i in 1 2; do sinfo; done",
                          "sacct -j 1 || true"};
  for (const std::string body : bodies) {
    CAPTURE(body);
    const auto all = convert("", body + "\npython train.py", {program});
    CHECK(all.body() != "on_slurm");
    CHECK(all.raises("S2F450"));
  }
  const std::array stay{"n=$(squeue -h | wc -l)\necho $n",
                        "if squeue -j 1; then echo yes; fi",
                        "squeue > q.txt\ncat q.txt",
                        "{ squeue; date; } > q.txt",
                        "f() { squeue; }\nx=$(f)",
                        "scontrol requeue $SLURM_JOB_ID",
                        "scancel $SLURM_JOB_ID",
                        "scontrol update JobId=12 TimeLimit=5",
                        "squeue | while read a b; do echo $a; done"};
  for (const std::string body : stay) {
    CAPTURE(body);
    CHECK(convert("", body).body() == "on_slurm");
  }
  CHECK(convert("", "scontrol show job $SLURM_JOB_ID > info.txt\n./run").raises("S2F451"));
  CHECK(convert("", "squeue | tee -a log\n./run >> log").raises("S2F451"));
  CHECK(convert("", "scontrol update JobId=$SLURM_JOB_ID Comment=x\n./run").raises("S2F457"));
}

TEST_CASE("a job that stays on Slurm leaves nothing out", "[launchers]") {
  const auto all = convert("", "squeue -u $USER\nsrun --pty bash\nmpirun ./solver");
  CHECK(all.body() == "on_slurm");
  CHECK(all.has("\nsqueue -u $USER\n"));
  CHECK_FALSE(all.has("Not carried over"));
  CHECK_FALSE(all.raises("S2F450"));
  CHECK_FALSE(all.raises("S2F453"));
}

TEST_CASE("the one node has the container's name", "[launchers]") {
  const std::string one = "#SBATCH --nodes=1";
  const auto first =
      convert(one, "A=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)\n./run --at $A");
  CHECK(first.raises("S2F452"));
  CHECK_FALSE(first.has("scontrol show hostnames $"));
  const auto nodes = convert(one, "nodes=( $( scontrol show hostnames $SLURM_JOB_NODELIST ) )\n"
                                  "./run ${nodes[0]}");
  CHECK(nodes.has("platform.node()"));
  CHECK(nodes.body() == "lifted");
  CHECK(convert(one, "scontrol show hostname > hosts\n./run hosts").has("hostname > hosts"));
  CHECK(convert(one, "sbcast model.bin /tmp/model.bin\n./run").raises("S2F452"));
  CHECK(convert("#SBATCH --nodes=2", "scontrol show hostnames > hosts").body() == "on_slurm");
  CHECK(convert(one, "x=$(scontrol show hostnames c[1-4])\necho $x").body() == "on_slurm");
}

TEST_CASE("a shell for a person is left out", "[launchers]") {
  for (const std::string body : {"srun --pty bash", "srun -n1 --pty /bin/bash -l",
                                 "srun --pty $SHELL", "srun --pty bash -i"}) {
    CAPTURE(body);
    const auto all = convert("", "./run\n" + body);
    CHECK(all.raises("S2F453"));
    CHECK(all.body() == "lifted");
  }
  CHECK_FALSE(convert("", "srun --pty bash work.sh").raises("S2F453"));
  CHECK_FALSE(convert("", "srun --pty bash -c 'echo hi'").raises("S2F453"));
}

TEST_CASE("what runs until it is stopped is named", "[launchers]") {
  for (const std::string body :
       {"jupyter lab --no-browser --port 8888", "python -m vllm.entrypoints.openai.api_server",
        "nohup vllm serve model &\npython client.py", "ssh -N -f -R 8888:localhost:8888 login",
        "tensorboard --logdir runs &", "ollama serve &", "sleep infinity",
        "srun -n1 jupyter-notebook --ip=0.0.0.0", "if true; then code-server; fi"}) {
    CAPTURE(body);
    const auto all = convert("", body);
    CHECK(all.raises("S2F454"));
    CHECK(all.body() != "on_slurm");
  }
  for (const std::string body : {"jupyter nbconvert --execute a.ipynb", "sleep 5", "ssh login ls",
                                 "python -m http_server", "ollama pull llama3"}) {
    CAPTURE(body);
    CHECK_FALSE(convert("", body).raises("S2F454"));
  }
}

namespace {

const std::string four_nodes = "#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=1\n"
                               "#SBATCH --gpus-per-node=8";
const std::string meet = "export MASTER_ADDR=$(scontrol show hostnames $SLURM_JOB_NODELIST | head "
                         "-n 1)\nexport MASTER_PORT=29500\n";

} // namespace

TEST_CASE("ranks on several nodes are Flyte's to start", "[clustered]") {
  struct Spelling {
    std::string body;
    int processes;
  };
  const std::vector<Spelling> spellings{
      {meet + "srun torchrun --nnodes=4 --nproc_per_node=8 --rdzv_backend=c10d "
              "--rdzv_endpoint=$MASTER_ADDR:$MASTER_PORT train.py --lr 1",
       8},
      {meet + "srun torchrun --nnodes $SLURM_NNODES --nproc-per-node gpu --rdzv-endpoint "
              "$MASTER_ADDR train.py",
       8},
      {meet + "srun python -u -m torch.distributed.run --nnodes=$SLURM_JOB_NUM_NODES "
              "--nproc_per_node=4 --master_addr $MASTER_ADDR --node_rank $SLURM_NODEID train.py",
       4},
      {"GPUS=8\nNODES=$SLURM_NNODES\n" + meet +
           "srun python -m torch.distributed.launch --nproc_per_node=$GPUS --nnodes=$NODES "
           "--use_env train.py",
       8},
      {meet + "srun accelerate launch --multi_gpu --num_machines 4 --num_processes 32 "
              "--main_process_ip $MASTER_ADDR --machine_rank $SLURM_PROCID train.py",
       8},
      {"nodes=( $( scontrol show hostnames $SLURM_JOB_NODELIST ) )\nnodes_array=($nodes)\n"
       "head_node=${nodes_array[0]}\n"
       "head_node_ip=$(srun --nodes=1 --ntasks=1 -w \"$head_node\" hostname --ip-address)\n"
       "echo Node IP: $head_node_ip\nnvidia-smi\n"
       "srun torchrun --nnodes 4 --nproc_per_node 1 --rdzv_id $RANDOM --rdzv_backend c10d "
       "--rdzv_endpoint $head_node_ip:29500 train.py 50 10",
       1},
      {meet + "export WORLD_SIZE=$((SLURM_NNODES * 8))\n"
              "srun --cpu-bind=none torchrun --nnodes=4 --nproc_per_node=8 -m pkg.train",
       8},
      {meet + "srun torchrun --nnodes=4 --nproc_per_node=$SLURM_GPUS_ON_NODE train.py 2>&1", 8},
      {"export GPUS=8\n" + meet +
           "srun --jobid $SLURM_JOBID bash -c 'python -m torch.distributed.run --nproc_per_node "
           "$GPUS --nnodes $SLURM_NNODES --node_rank $SLURM_PROCID --master_addr $MASTER_ADDR "
           "train.py -p 2 --name \"a b\"'",
       8},
      {meet + "LAUNCHER=\"torchrun --nnodes 4 --nproc_per_node 2 --rdzv_endpoint $MASTER_ADDR\"\n"
              "CMD=\"train.py --lr 0.1\"\n"
              "srun bash -c \"NCCL_DEBUG=INFO $LAUNCHER --node_rank \\$SLURM_PROCID $CMD\"",
       2},
  };
  for (const Spelling& spelling : spellings) {
    CAPTURE(spelling.body);
    const auto all = convert(four_nodes, spelling.body, {program});
    CHECK(all.body() != "on_slurm");
    CHECK(all.has("ClusteredTaskEnvironment("));
    CHECK(all.has("replicas=4,"));
    CHECK(all.has("nproc_per_node=" + std::to_string(spelling.processes) + ","));
    CHECK(all.raises("S2F703"));
    CHECK_FALSE(all.has("master_addr"));
    CHECK_FALSE(all.has("run(\"torchrun\""));
    CHECK_FALSE(all.raises("S2F403"));
  }
}

TEST_CASE("what is more than ranks, or has other numbers, stays on Slurm", "[clustered]") {
  const std::string run = "srun torchrun --nnodes=4 --nproc_per_node=8 train.py";
  const std::vector<std::string> bodies{
      meet + "python prepare.py > prepare.log\n" + run,
      meet + "if [ ! -d data ]; then\n  tar -xf data.tar\nfi\n" + run,
      meet + "(tar -xf data.tar)\n" + run,
      meet + run + " --name run-$(date +%s)",
      meet + run + "\ncp a b\n" + run,
      meet + "for i in $(cat list); do\n" + run + "\ndone",
      meet + "srun torchrun --nnodes=2 --nproc_per_node=8 train.py",
      meet + "srun torchrun --nproc_per_node=8 train.py",
      meet + "srun torchrun --nnodes=5:8 --nproc_per_node=8 train.py",
      meet + "srun -n 8 torchrun --nnodes=4 --nproc_per_node=8 train.py",
      meet + "srun torchrun --nnodes=4 --nproc_per_node=$N train.py",
      meet + "srun torchrun --nnodes=4 --nproc_per_node=16 train.py",
      meet + "srun accelerate launch --config_file a.yaml train.py",
      meet + run + " --at $MASTER_ADDR",
      meet + "srun torchrun --nnodes=4 --nproc_per_node=8 $CMD",
      meet + "srun bash -c 'cd x; torchrun --nnodes=4 --nproc_per_node=8 train.py'",
      meet + "srun bash -c \"torchrun --nnodes=4 --nproc_per_node=8 train.py --at $MASTER_ADDR\"",
  };
  for (const std::string& body : bodies) {
    CAPTURE(body);
    CHECK(convert(four_nodes, body, {program}).body() == "on_slurm");
  }
  const auto array = convert(four_nodes + "\n#SBATCH --array=1-3", meet + run, {program});
  CHECK(array.has("replicas=4,"));
  CHECK(array.has("asyncio.gather("));
  CHECK(convert("#SBATCH --nodes=2-4\n#SBATCH --ntasks-per-node=1", meet + run, {program}).body() ==
        "on_slurm");
  CHECK(convert(four_nodes, "export NCCL_SOCKET_IFNAME=ib0\n" + meet + run, {program})
            .raises("S2F705"));
}

TEST_CASE("what the script does once is done once on a node, or by the first rank", "[clustered]") {
  const std::string run = "srun torchrun --nnodes=4 --nproc_per_node=8 train.py";
  const auto before = convert(four_nodes, meet + "tar -xf data.tar\n" + run, {program});
  CHECK(before.raises("S2F773"));
  CHECK(before.has("await once("));
  const auto behind = convert(four_nodes, meet + run + "\npython evaluate.py", {program});
  CHECK(behind.raises("S2F774"));
  CHECK(behind.has("if os.environ.get(\"RANK\", \"0\") == \"0\":"));
  CHECK_FALSE(behind.has("await once("));
  const auto neither = convert(four_nodes, meet + "mkdir -p out\n" + run, {program});
  CHECK_FALSE(neither.raises("S2F773"));
  CHECK_FALSE(neither.has("await once("));
}

TEST_CASE("the text of a shell stands where its words are not all known", "[clustered]") {
  const auto node = convert(
      four_nodes,
      meet + "srun bash -c 'torchrun --nnodes=4 --nproc_per_node=8 train.py --r $SLURM_PROCID'",
      {program});
  CHECK(node.has("replicas=4,"));
  CHECK(node.has("bash -c 'python train.py --r $SLURM_PROCID'"));
  CHECK(node.has("\"SLURM_PROCID\": os.environ.get(\"GROUP_RANK\", \"0\")"));
  const auto unset =
      convert(four_nodes,
              meet + "N=8\nsrun bash -c 'torchrun --nnodes=4 --nproc_per_node=8 train.py --n $N'",
              {program});
  CHECK(unset.has("bash -c 'python train.py --n $N'")); // no shell on a node has it
}

TEST_CASE("the path of the script needs no Slurm", "[launchers]") {
  const auto all = convert("", "S=$(scontrol show job $SLURM_JOB_ID | awk -F= "
                               "'/Command=/{print $2}')\ncd \"$(dirname $S)\"\n./run");
  CHECK(all.body() != "on_slurm");
  CHECK(all.raises("S2F452"));
  CHECK(convert("", "S=$(scontrol show job $SLURM_JOB_ID | awk -F= '/Command=/{print $2}')\n"
                    "./run $S $1")
            .body() == "on_slurm");
  CHECK(convert("", "S=$(scontrol show job $SLURM_JOB_ID | grep NodeList)\n./run $S").body() ==
        "on_slurm");
  CHECK(convert("", "N=$(ls | wc -l)\nsrun -N $N -n 1 ./run").body() != "on_slurm");
}

TEST_CASE("what only led the ranks together is not in the Bash of a rank", "[clustered]") {
  const auto all = convert(four_nodes, "cd /data/work\n" + meet +
                                           "srun torchrun --nnodes=4 --nproc_per_node=8 "
                                           "--rdzv_endpoint=$MASTER_ADDR:29500 train.py in$-");
  CHECK(all.body() == "kept");
  CHECK(all.has("cwd=cwd"));
  CHECK(all.has("\npython train.py in$-\n"));
  CHECK_FALSE(all.has("MASTER_ADDR=$"));
  CHECK_FALSE(all.has("MASTER_PORT=2"));
}
