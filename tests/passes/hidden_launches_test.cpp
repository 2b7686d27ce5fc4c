// Launchers that no command line of the job names, and programs that reach other nodes.
#include <array>
#include <string>

#include "compiled.hpp"
#include "tests/catch.hpp"

using s2f::tests::compile_job;
using s2f::tests::CompiledJob;

namespace {

bool stays(const CompiledJob& job) { return job.has("SlurmScriptTask("); }

} // namespace

TEST_CASE("ranks behind a shell, a wrapper or a variable stay on Slurm", "[hidden_launches]") {
  const std::array bodies{
      "bash -c \"mpirun -np 8 ./solver\"",
      "bash -lc 'cd run && mpiexec ./solver'",
      "CMD=\"mpirun -np 8 ./solver\"\nbash -c \"$CMD\"",
      "CMD=\"mpirun -np 8 ./solver\"\n$CMD",
      "eval \"mpirun -np 8 ./solver\"",
      "apptainer exec image.sif mpirun -np 8 ./solver",
      "conda run -n env mpirun -np 8 python solver.py",
      "numactl --interleave=all mpirun ./solver",
      "$MPIRUN -np 8 ./solver",
      "${MPI_CMD} ./solver",
      "find . -name '*.in' -exec mpirun ./solver {} \\;",
      "xargs -n 1 mpirun ./solver < list",
      "veros resubmit -c \"srun --mpi=pmi2 -- veros run setup.py\"",
      "/opt/julia/bin/mpiexecjl -n 8 julia solver.jl",
      "charmrun ++p 8 namd2 in.namd",
      "horovodrun -np 4 python train.py",
      "mpi-pvbatch view.py",
      "bash <<'END'\nmpirun ./solver\nEND",
      "ls && bash -c 'mpirun ./solver' || exit 1",
      "for i in 1 2; do sh -c \"mpirun ./solver $i\"; done",
  };
  for (const char* body : bodies) {
    INFO(body);
    CHECK(stays(compile_job("#SBATCH --ntasks=8\n" + std::string(body))));
  }
}

TEST_CASE("a name of a launcher that starts nothing keeps no job on Slurm", "[hidden_launches]") {
  const std::array bodies{
      "echo \"no mpirun here\"\n./work",
      "which mpirun\n./work",
      "printf 'srun was here\\n'\n./work",
      "python train.py --output mpirun_results",
      "ls mpirun/\n./work",
      "MPIRUN=\n./work",
  };
  for (const char* body : bodies) {
    INFO(body);
    CHECK_FALSE(stays(compile_job("#SBATCH --ntasks=1\n" + std::string(body))));
  }
}

TEST_CASE("a script beside the job that starts ranks keeps it on Slurm", "[hidden_launches]") {
  const std::string header = "#SBATCH --ntasks=8\n";
  CHECK(stays(compile_job(header + "./run.sh", {{"run.sh", "#!/bin/bash\nmpirun ./solver\n"}})));
  CHECK(stays(compile_job(header + "bash run.sh", {{"run.sh", "srun ./solver\n"}})));
  CHECK(stays(compile_job(header + "source lib/run.sh",
                          {{"lib/run.sh", "if true; then time mpiexec ./solver; fi\n"}})));
  CHECK(stays(compile_job(header + "sh a.sh",
                          {{"a.sh", "sh b.sh\n"}, {"b.sh", "#!/bin/sh\nsh a.sh\nmpirun ./x\n"}})));
  CHECK(stays(compile_job(header + "python drive.py",
                          {{"drive.py", "import os\nos.system('mpirun -np 8 ./solver')\n"}})));
  CHECK_FALSE(stays(compile_job(header + "./run.sh", {{"run.sh", "#!/bin/bash\n./solver\n"}})));
  CHECK_FALSE(stays(
      compile_job(header + "python drive.py", {{"drive.py", "print('the mpirun of old')\n"}})));
}

TEST_CASE("a program that reaches the other nodes keeps the job on Slurm", "[hidden_launches]") {
  const std::array bodies{
      "python deepy.py train.py",
      "pdsh -w node1,node2 ./work",
      "parallel --sshloginfile hosts ./work ::: 1 2",
      "for n in $NODES; do ssh $n ./work; done",
      "comsol -nn 2 batch -inputfile in.mph",
      "srun -N1 -n1 ./a &\nsrun -N1 -n1 ./b &\nwait",
      "srun -N1 -n1 -w node2 ./a",
  };
  for (const char* body : bodies) {
    INFO(body);
    const auto job =
        compile_job("#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=1\n" + std::string(body));
    CHECK(stays(job));
    CHECK(job.raised("S2F707"));
  }
  for (const char* body :
       {"deepspeed train.py", "parallel ./work ::: 1 2", "ssh login1 date", "srun -N1 -n1 ./a"}) {
    INFO(body);
    CHECK_FALSE(stays(compile_job("#SBATCH --nodes=2\n" + std::string(body))));
  }
  CHECK_FALSE(stays(compile_job("#SBATCH --nodes=1\ndeepspeed --hostfile hosts train.py")));
  CHECK_FALSE(stays(compile_job("#SBATCH --nodes=1\nsrun -n1 ./a &\nsrun -n1 ./b &\nwait")));
}

TEST_CASE("nodes and tasks that no task stands for are announced", "[hidden_launches]") {
  CHECK(compile_job("#SBATCH --ntasks=8\n./work").raised("S2F704"));
  CHECK(compile_job("#SBATCH --ntasks-per-node=8\n./work").raised("S2F704"));
  CHECK_FALSE(compile_job("#SBATCH --ntasks=1 --cpus-per-task=8\n./work").raised("S2F704"));
  CHECK(compile_job("#SBATCH --ntasks=1 --ntasks-per-node=8\n./work").raised("S2F704"));
  CHECK(compile_job("#SBATCH --nodes=2\n./work").raised("S2F201"));
  // as many nodes as the tasks need
  CHECK(compile_job("#SBATCH --ntasks=4 --ntasks-per-node=1\n./work").raised("S2F201"));
  CHECK(compile_job("#SBATCH --nodes=4 --ntasks=1\n./work").raised("S2F201"));
  CHECK_FALSE(compile_job("#SBATCH --nodes=1 --ntasks=1\n./work").raised("S2F201"));
}
