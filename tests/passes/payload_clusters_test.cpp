// Programs that submit jobs themselves, or have workers on the job's nodes.
#include <array>
#include <string>

#include "compiled.hpp"
#include "tests/catch.hpp"

using s2f::tests::compile_job;

namespace {

struct Case {
  std::string body, file, text;
};

const std::string two = "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n";

} // namespace

TEST_CASE("a program that submits jobs itself stays where sbatch is", "[payload]") {
  const std::array<Case, 6> cases{{
      {"python run.py", "run.py", "c = SLURMCluster(cores=4)\n"},
      {"python -u ./run.py --n 3", "run.py", "e = submitit.AutoExecutor(folder='log')\n"},
      {"julia --project=. run.jl", "run.jl", "addprocs_slurm(8)\n"},
      {"Rscript run.R", "run.R", "options(clustermq.scheduler = 'slurm')\n"},
      {"R --no-save --file=run.R", "run.R", "plan(batchtools_slurm)\n"},
      {"srun -n 1 python run.py", "run.py", "x = SlurmProvider('cpu')\n"},
  }};
  for (const auto& [body, file, text] : cases) {
    INFO(body);
    const auto job = compile_job("#SBATCH --ntasks=1\n" + body, {{file, text}});
    CHECK(job.raised("S2F769"));
    CHECK(job.has("SlurmScriptTask("));
    CHECK_FALSE(compile_job("#SBATCH --ntasks=1\n" + body, {{file, "# " + text}}).raised("S2F769"));
    CHECK_FALSE(compile_job("#SBATCH --ntasks=1\n" + body).raised("S2F769"));
  }
}

TEST_CASE("workers on the job's nodes are none of Flyte's", "[payload]") {
  const std::array<Case, 6> cases{{
      {"julia run.jl", "run.jl", "using Distributed\naddprocs(hosts)\n"},
      {"Rscript run.R", "run.R", "cl <- makeCluster(hosts)\n"},
      {"Rscript run.R", "run.R", "plan(cluster, workers = hosts)\n"},
      {"Rscript run.R", "run.R", "registerDoMPI(cl)\n"},
      {"srun python run.py", "run.py", "os.environ['TF_CONFIG'] = config\n"},
      {"srun python run.py", "run.py", "s = tf.distribute.MultiWorkerMirroredStrategy()\n"},
  }};
  for (const auto& [body, file, text] : cases) {
    INFO(body);
    const auto job = compile_job(two + body, {{file, text}});
    CHECK(job.raised("S2F769"));
    CHECK(job.said("2 nodes with 4 processes each"));
    CHECK(job.has("SlurmScriptTask("));
    const auto one = compile_job("#SBATCH --nodes=1\n#SBATCH --ntasks=1\n" + body, {{file, text}});
    CHECK_FALSE(one.raised("S2F769"));
  }
}

TEST_CASE("what else starts workers on other nodes stays, too", "[payload]") {
  const std::array bodies{
      "horovodrun -np 8 python run.py",
      "srun python horovod_run.py",
      "mpirun dask-mpi --scheduler-file s.json &\npython run.py",
      "srun python mpi_dask.py",
      "scontrol show hostnames > hosts\nparallel --sshloginfile hosts ./work ::: 1 2 3",
      "for n in $(scontrol show hostnames); do ssh $n ./work & done; wait",
      "pdsh -w $(scontrol show hostnames | paste -sd,) ./work",
  };
  for (const std::string body : bodies) {
    INFO(body);
    const auto job = compile_job(two + body, {{"horovod_run.py", "import horovod.torch as hvd\n"},
                                              {"mpi_dask.py", "import dask_mpi\n"}});
    CHECK(job.has("SlurmScriptTask("));
    CHECK((job.raised("S2F702") || job.raised("S2F707") || job.raised("S2F764")));
  }
}
