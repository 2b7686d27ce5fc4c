// A Dask cluster that a job brings up by hand.
#include <string>
#include <vector>

#include "compiled.hpp"
#include "tests/catch.hpp"

using s2f::tests::compile_job;

namespace {

const std::string header = "#SBATCH --nodes=3\n#SBATCH --ntasks-per-node=1\n"
                           "#SBATCH --cpus-per-task=16\n#SBATCH --mem=64G\n";
const std::string program = "from dask.distributed import Client\nclient = Client()\n";

} // namespace

TEST_CASE("a scheduler and workers become a Dask task", "[dask]") {
  const std::vector<std::string> bodies{
      "dask-scheduler --scheduler-file s.json &\nsrun dask-worker --scheduler-file s.json &\n"
      "sleep 10\npython run.py --cluster s.json",
      "FILE=s.json\nrm -f $FILE\ndask scheduler --scheduler-file=$FILE &\n"
      "srun -N1 -n1 true\nsrun dask worker --scheduler-file=$FILE --nthreads 16 &\n"
      "while [ ! -f $FILE ]; do\n  sleep 1\ndone\npython run.py --cluster=$FILE\nkill %1",
      "srun -N1 -n1 dask-scheduler --scheduler-file s.json &\n"
      "until [ -f s.json ]; do sleep 1; done\nsrun dask-worker --scheduler-file s.json &\n"
      "python absent.py s.json",
  };
  for (const std::string& body : bodies) {
    INFO(body);
    const auto job = compile_job(header + body, {{"run.py", program}});
    CHECK(job.raised("S2F767"));
    CHECK(job.flat_has("plugin_config=Dask("));
    CHECK(job.flat_has("number_of_workers=3"));
    CHECK(job.flat_has("(HERE / \"s.json\").write_text("));
    CHECK(job.has("flyteplugins-dask"));
    CHECK_FALSE(job.flat_has("\"dask"));
  }
}

TEST_CASE("a program that finds its cluster by itself is told no address", "[dask]") {
  const auto job = compile_job(header + "dask-scheduler &\nsrun dask-worker $(hostname):8786 &\n"
                                        "sleep 10\npython run.py --size 3",
                               {{"run.py", program}});
  CHECK(job.raised("S2F767"));
  CHECK(job.flat_has("number_of_workers=3"));
  CHECK_FALSE(job.has("write_text"));
}

TEST_CASE("several workers of a node have a part of it each", "[dask]") {
  const auto job =
      compile_job("#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n#SBATCH --cpus-per-task=2\n"
                  "#SBATCH --mem=64G\ndask-scheduler --scheduler-file s.json &\n"
                  "srun dask-worker --scheduler-file s.json &\nsleep 5\npython run.py s.json");
  CHECK(job.flat_has("number_of_workers=8"));
  CHECK(job.flat_has("_WORKER = flyte.Resources( cpu=\"2\""));
  CHECK(job.flat_has("memory=\"16Gi\""));
  CHECK(job.flat_has("cpu=8"));
}

TEST_CASE("a Dask cluster of another shape stays on Slurm", "[dask]") {
  const std::string scheduler = "dask-scheduler --scheduler-file s.json &\n";
  const std::string workers = "srun dask-worker --scheduler-file s.json &\n";
  const std::vector<std::string> bodies{
      scheduler + workers + "python absent.py",
      scheduler + workers + "python addressed.py",
      scheduler + scheduler + workers + "python run.py s.json",
      "srun dask-scheduler --scheduler-file s.json &\n" + workers + "python run.py s.json",
      scheduler + "srun dask-worker --scheduler-file s.json\npython run.py s.json",
      scheduler + workers + "cd work\npython run.py s.json",
      scheduler + "srun dask-worker --scheduler-file other.json &\npython run.py s.json",
      "dask-scheduler --scheduler-file /scratch/s.json &\n"
      "srun dask-worker --scheduler-file /scratch/s.json &\npython run.py /scratch/s.json",
      scheduler + "srun dask-cuda-worker --scheduler-file s.json &\npython run.py s.json",
      "mpirun dask-mpi --scheduler-file s.json &\npython run.py s.json",
  };
  for (const std::string& body : bodies) {
    INFO(body);
    const auto job = compile_job(
        header + body, {{"run.py", program}, {"addressed.py", "c = Client('tcp://host:8786')\n"}});
    CHECK_FALSE(job.raised("S2F767"));
    CHECK(job.has("SlurmScriptTask("));
  }
}

TEST_CASE("a Spark cluster stays, and is said to be none of a started program", "[dask]") {
  const auto job =
      compile_job(header + "$SPARK_HOME/sbin/start-master.sh\n"
                           "srun $SPARK_HOME/sbin/start-worker.sh spark://$(hostname):7077 &\n"
                           "spark-submit --master spark://$(hostname):7077 run.py");
  CHECK(job.raised("S2F764"));
  CHECK(job.said("workers on 3 nodes with 1 process each. flyteplugins-spark has its session"));
}
