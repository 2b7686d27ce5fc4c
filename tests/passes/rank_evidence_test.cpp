// What the reason to stay says of copies of a program that neither a table nor a file tells of.
#include <array>
#include <string>
#include <utility>

#include "compiled.hpp"
#include "tests/catch.hpp"

using s2f::tests::compile_job;

namespace {

const std::string header = "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n";

} // namespace

TEST_CASE("copies of a program are told by its name, its words and its libraries",
          "[rank_evidence]") {
  const std::array<std::pair<std::string, std::string>, 17> cases{{
      {"srun ./lmp_edison -in in.melt", "lmp_edison is an MPI program"},
      {"srun lmp+tracing -in in.melt", "lmp+tracing is an MPI program"},
      {"srun reactingTwoPhaseEulerFoam -parallel", "reactingTwoPhaseEulerFoam is an MPI program"},
      {"srun python -m mpi4py train.py", "python -m mpi4py starts it"},
      {"srun $PY -m mpi4py train.py", "mpi4py, in what it starts, says that it is an MPI program"},
      {"srun python far/eta_mpi.py", "mpi, in what it starts, says that it is an MPI program"},
      {"srun ./main3d.gnu.MPI.CUDA.ex in",
       "mpi, in what it starts, says that it is an MPI program"},
      {"srun julia far/run.jl --use-mpi", "in what it starts, says that it is an MPI program"},
      {"module load openmpi/4.1\nsrun ./solver in",
       "solver is an MPI program, as openmpi in the script says"},
      {"module load PrgEnv-gnu\nsrun $EXE in",
       "its program is an MPI program, as prgenv in the script says"},
      {"export MPICH_ENV_DISPLAY=1\nsrun -n $((RANDOM)) ./solver",
       "known only when the job runs: solver is an MPI program, as MPICH_ENV_DISPLAY in the"},
      {"module load openmpi\nexport SRUN=\"srun -n 8\"\nSOLVER=./solver\n$SRUN $SOLVER in",
       "srun: solver is an MPI program, as openmpi in the script says"},
      {"srun singularity exec image.sif gmx_mpi mdrun", "gmx_mpi is an MPI program"},
      {"srun bash -c 'export A=1; ./lmp_gpu -in x'", "lmp_gpu is an MPI program"},
      {"srun bash -c 'mpiexec -n 3 ./solver'", "each starts ranks by mpiexec"},
      {"export MASTER_ADDR=$(hostname)\nsrun far/train.sh",
       "MASTER_ADDR says that they are ranks of torch, and train.sh is not there to be read"},
      {"srun far/train_hvd.sh", "hvd says that they are no ranks of torch"},
  }};
  for (const auto& [body, reason] : cases) {
    INFO(body);
    const auto job = compile_job(header + body);
    CHECK(job.has("SlurmScriptTask("));
    CHECK(job.said(reason));
  }
}

TEST_CASE("a library of MPI that is loaded says nothing of a script", "[rank_evidence]") {
  const std::array<std::string, 6> bodies{
      "srun python far/train.py",
      "srun far/start.sh",
      "srun bash far/start.sh",
      "srun far/wrapper singularity exec image.sif python train.py",
      "srun bash -c 'python far/train.py'",
      "export START=\"srun -n 8\"\n$START python far/train.py",
  };
  for (const std::string& body : bodies) {
    INFO(body);
    const auto job = compile_job(header + "module load openmpi/4.1\n" + body);
    CHECK(job.has("SlurmScriptTask("));
    CHECK_FALSE(job.said("is an MPI program, as"));
    CHECK(job.said("2 nodes with 4 processes each"));
  }
}

TEST_CASE("a toolchain that torch is built with keeps no ranks of torch on Slurm",
          "[rank_evidence]") {
  const auto job =
      compile_job("#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n#SBATCH --gpus-per-node=4\n"
                  "module load PyTorch/2.1-foss-2023a\nexport MASTER_ADDR=$(hostname)\n"
                  "srun python far/train.py");
  CHECK(job.has("ClusteredTaskEnvironment("));
}

TEST_CASE("text of a shell that only shows something is no program", "[rank_evidence]") {
  const auto job = compile_job(header + "srun bash -c 'hostname; date'");
  CHECK_FALSE(job.said("is an MPI program"));
}

TEST_CASE("launchers that know of no other nodes are counted on each", "[rank_evidence]") {
  const auto job = compile_job("#SBATCH --nodes=2\n#SBATCH --ntasks=4\n#SBATCH --gres=gpu:4\n"
                               "srun --mpi=pmi2 singularity run deepspeed.sif python -m "
                               "torch.distributed.run --nproc_per_node 2 train.py");
  CHECK(job.said("2 nodes with 4 processes each"));
}

TEST_CASE("a job that stays says its nodes where no ranks are known", "[rank_evidence]") {
  const auto job = compile_job("#SBATCH --nodes=5\n#SBATCH -L scratch\n./start_cluster.sh\n");
  CHECK(job.said("(it asks for 5 nodes)"));
}
