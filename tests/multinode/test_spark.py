"""The Spark cluster of a job, in its module, in the serialized task, and run with a Spark of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADER = """\
#!/bin/bash
#SBATCH --nodes=3
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=32G
export SPARK_WORKER_CORES=8
"""
MASTER = "$SPARK_HOME/sbin/start-master.sh\n"
WORKERS = "srun $SPARK_HOME/sbin/start-worker.sh spark://$(hostname):7077 &\nsleep 10\n"
SUBMIT = "spark-submit --master spark://$(hostname):7077 --executor-memory 8g --conf spark.sql.shuffle.partitions=12 count.py --numbers 100\n"
STOP = "$SPARK_HOME/sbin/stop-all.sh\n"
PROGRAM = """\
import sys
import beside
from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[2]").appName("count").getOrCreate()
print("counted", spark.range(int(sys.argv[2])).count(), beside.WORD, __name__)
"""


def convert(folder: Path, body: str, program: str = PROGRAM) -> dict[str, object]:
    """The review of the script; the module lies beside it."""
    (folder / "job.sh").write_text(HEADER + body)
    (folder / "count.py").write_text(program)
    (folder / "beside.py").write_text("WORD = 'beside'\n")
    binary = os.environ.get("S2F_BINARY", str(ROOT / "build" / "dev" / "slurm2flyte"))
    subprocess.run(
        [binary, "convert", "-q", "job.sh", "--report", "review.json"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    (review,) = json.loads((folder / "review.json").read_text())["inputs"]
    return dict(review)


def test_module(tmp_path: Path) -> None:
    review = convert(tmp_path, MASTER + WORKERS + SUBMIT + STOP)
    module = (tmp_path / "job_flyte.py").read_text()
    assert "SlurmScriptTask(" not in module
    for line in (
        '"spark.executor.instances": "3"',
        '"spark.executor.cores": "8"',
        '"spark.executor.memory": "8g"',
        '"spark.executor.memoryOverhead": "24576m"',
        '"spark.driver.memoryOverhead": "31744m"',
        '"spark.sql.shuffle.partitions": "12"',
        "flyteplugins-spark",
        'await asyncio.to_thread(in_session, "count.py", "--numbers", numbers)',
    ):
        assert line in module, module
    code = module.split('"""')[2]
    for word in (
        "start-master",
        "start-worker",
        "7077",
        "SPARK_WORKER_CORES",
        "stop-all",
    ):
        assert word not in code
    assert "S2F775" in {f["rule"] for f in review["findings"]}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("body", "program", "says"),
    [
        (MASTER + WORKERS + SUBMIT.replace("count.py", "absent.py"), PROGRAM, "not there to be read"),
        (MASTER + WORKERS + SUBMIT, "from pyspark import SparkContext\nsc = SparkContext()\n", "getOrCreate"),
        (MASTER + WORKERS + SUBMIT + SUBMIT, PROGRAM, "several programs"),
        (MASTER + WORKERS + SUBMIT.replace("--executor-memory 8g", "--py-files a.zip"), PROGRAM, "--py-files"),
        (MASTER + WORKERS + "spark-submit --class Main app.jar\n", PROGRAM, "--class"),
        (MASTER + WORKERS + SUBMIT.strip() + " > log\n", PROGRAM, "within another command"),
        ("cd elsewhere\n" + MASTER + WORKERS + SUBMIT, PROGRAM, "changes the directory"),
        (MASTER + WORKERS + "spark-shell < run.scala\n", PROGRAM, "no program in Python"),
        (MASTER + WORKERS + SUBMIT, PROGRAM + "# .config('spark.executor.memory', '4g')\n", "too late"),
        (MASTER + WORKERS.replace("start-worker.sh", "start-worker.sh -c $(nproc)") + SUBMIT, PROGRAM, "how many executors"),
    ],
)  # fmt: skip
def test_stays(tmp_path: Path, body: str, program: str, says: str) -> None:
    review = convert(tmp_path, body, program)
    assert review["verdict"] == "keep_on_slurm"
    found = [f for f in review["findings"] if f["rule"] == "S2F764"]  # type: ignore[attr-defined]
    assert any(says in each["message"] for each in found), found


@pytest.mark.parametrize(
    ("submit", "workers", "instances", "cores"),
    [
        ("--executor-cores 4", "", 6, 4),
        ("--executor-cores 3", "", 6, 3),
        ("--total-executor-cores 16", "", 2, 8),
        ("--executor-cores 4 --conf spark.cores.max=12", "", 3, 4),
        ("--num-executors 50", "", 3, 8),  # which a cluster of this kind does not heed
        ("", "-c 4", 3, 4),
        ("--executor-cores 2", "-c 4", 6, 2),
    ],
)
def test_executors(
    tmp_path: Path, submit: str, workers: str, instances: int, cores: int
) -> None:
    body = WORKERS.replace("start-worker.sh", f"start-worker.sh {workers}")
    convert(tmp_path, MASTER + body + f"spark-submit {submit} count.py\n")
    module = (tmp_path / "job_flyte.py").read_text()
    assert f'"spark.executor.instances": "{instances}"' in module
    assert f'"spark.executor.cores": "{cores}"' in module
    assert "cores.max" not in module


SERIALIZE = """
import asyncio, json, pathlib
import check_output

path = pathlib.Path("job_flyte.py")
(task,) = check_output.load(path).job_env.tasks.values()
template = asyncio.run(check_output.serialized(task, path)).task_template
print(json.dumps([template.type, dict(template.custom["sparkConf"])]))
"""


def test_serialized(tmp_path: Path) -> None:
    """With the plugin and the client of Spark, which lie apart: no Spark is needed for it."""
    convert(tmp_path, MASTER + WORKERS + SUBMIT)
    path = os.pathsep.join(
        str(ROOT / place) for place in (".deps/spark", "tests/judge")
    )
    done = subprocess.run(
        [sys.executable, "-c", SERIALIZE],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    kind, conf = json.loads(done.stdout.splitlines()[-1])
    assert kind == "spark"
    assert conf["spark.executor.instances"] == "3"
    assert conf["spark.executor.memory"] == "8g"
    assert conf["spark.executor.memoryOverhead"] == "24576m"


def test_runs_in_the_session(tmp_path: Path) -> None:
    """The program gets the session that is there, whatever master it names."""
    pytest.importorskip("flyteplugins.spark")
    convert(tmp_path, MASTER + WORKERS + SUBMIT)
    code = (
        "import asyncio, flyte, job_flyte\n"
        "from pyspark.sql import SparkSession\n"
        "session = SparkSession.builder.master('local[1]').appName('flyte').getOrCreate()\n"
        "asyncio.run(job_flyte.job.func())\n"
        "print('same', SparkSession.builder.getOrCreate().sparkContext.master)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "counted 100 beside __main__" in done.stdout, done.stderr
    assert "same local[1]" in done.stdout
