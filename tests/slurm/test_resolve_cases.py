"""The runs of real Slurm in cases/resolve.jsonl: acceptance, options and what was granted agree."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from headers import ask, components, driver, read_lines, says_the_same  # pyright: ignore[reportMissingImports]

# What the cluster of these runs was configured with; a script says nothing about it.
GRES_TYPES = ["gpu", "lscratch"]

# Refused by the controller for what the site is like: names, counts, MaxArraySize. Not to be known
# from the script.
SITE = {
    "226-default-unknown-then-known-partition": "no such partition",
    "231-default-reservation-unknown": "no such reservation",
    "333-array-huge": "more elements than MaxArraySize",
    "334-array-index-1001": "an index of MaxArraySize",
    "487-nodes-nodelist-unknown": "no such node",
    "490-nodes-exclude-unknown": "no such node",
    "566-constraint-unknown": "no such feature",
    "571-constraint-not": "no such feature",
    "573-constraint-case": "no such feature",
    "661-other-licenses-too-many": "not so many licenses",
    "663-other-licenses-at": "no such license",
}

# The controller knows that the id is an array's; the text does not say so.
ARRAYS = {"389-dependency-array-whole", "397-dependency-aftercorr-array"}

CASES = read_lines("resolve.jsonl")


@pytest.fixture(scope="module")
def answers() -> dict[str, dict]:
    program = driver()
    if program is None:
        pytest.skip(
            "the driver is not built: set S2F_BINARY to a binary of the dev preset"
        )
    requests = []
    for case in CASES:
        request = {
            "script": case["script"],
            "argv": case.get("argv", []),
            "env": case.get("env", {}),
            "release": "22.05",
            "gres_types": GRES_TYPES,
        }
        if case.get("stdin"):
            request["name"] = "sbatch"
        if "wrap" in case:
            request |= {
                "name": "wrap",
                "argv": [*request["argv"], "--wrap", case["wrap"]],
            }
        if case.get("options"):
            # A date without a year means the next one: that of the run.
            year = re.match(r"\d{4}", case["options"][0].get("begin", ""))
            if case["case"] == "433-begin-mm-slash-short" and year:
                request["now"] = f"{year[0]}-01-01T00:00:00"
        requests.append(request)
    return dict(zip((case["case"] for case in CASES), ask(requests, program)))


def relative(value: str) -> str:
    """Paths are relative to where the job is submitted from; the runs write $PWD for that."""
    return value.removeprefix("$PWD/")


def file_name(value: str) -> str:
    """A file's name with the patterns that the runs filled in: the job's and the user's."""
    value = re.sub(r"<JOB(\+\d+)?>", "%j", relative(value)).replace(
        "_4294967294", "_%a"
    )
    return re.sub(r"\broot\b", "%u", value)


def gpus(tres: str) -> tuple[int, list[str]]:
    """The GPUs of "gres:gpu:a100:2,gres:lscratch:1": of one type the last count stands."""
    counts: dict[str, int] = {}
    for item in tres.split(","):
        parts = item.removeprefix("gres:").split(":")
        if parts[0] != "gpu":
            continue
        last = parts[-1]
        number = re.fullmatch(r"([+-]?\d+)(k?)", last)
        if len(parts) > 1 and number:
            name = ":".join(parts[1:-1])
            counts[name] = int(number[1]) * (1024 if number[2] else 1)
        else:
            counts[":".join(parts[1:])] = 1
    return sum(counts.values()), [name for name in counts if name]


def granted(job: dict, options: dict, signal: str | None) -> dict:
    """A job's record in the words of `resolved`, without what the site decides."""
    wanted: dict[str, object] = {
        "job_name": job[
            "name"
        ],  # without blanks around it, as scontrol's output was read
        "ntasks": job["ntasks"],
        "cpus_per_task": job["cpus_per_task"],
        "nodes_max": job.get("nodes_max"),
        "ntasks_per_node": job.get("ntasks_per_node"),
        "mem_per_node_mib": job.get("mem_per_node_mb"),
        "mem_per_cpu_mib": job.get("mem_per_cpu_mb"),
        "tmp_mib": job.get("tmp_disk_mb"),
        "array": job.get("array"),
        "array_throttle": job.get("array_throttle"),
        "account": job.get("account"),
        "constraint": job.get("features"),
        "begin": job.get("begin"),
        "stdout": file_name(job["stdout"]),
        "stderr": file_name(job["stderr"]),
    }
    # NumNodes of a held job is a guess that counts CPUs; what is charged is not.
    nodes = {job["nodes_min"]}
    if found := re.search(r"node=(\d+)", job.get("tres", "")):
        nodes.add(int(found[1]))
    wanted["nodes_min"] = nodes
    if "partition" in options:
        wanted["partition"] = job["partition"]
    if "time" in options:
        wanted["time_limit_minutes"] = job.get("time_limit_minutes")
    if "requeue" in options or "no-requeue" in options:
        wanted["requeue"] = job["requeue"]
    if "exclusive" in options or "oversubscribe" in options:
        wanted["exclusive"] = {
            "NO": "exclusive",
            "USER": "user",
            "MCS": "mcs",
            "YES": "oversubscribe",
        }[job["oversubscribe"]]
    if "mem-per-gpu" in options:
        wanted["mem_per_gpu_mib"] = int(job["mem_per_tres"].split(":")[2])
    if "tres_per_node" in job and "gpu" in job["tres_per_node"]:
        count, types = gpus(job["tres_per_node"])
        wanted |= {"gpus_per_node": count, "gpu_type": ",".join(types) or None}
    if "tres_per_job" in job and "tres_per_node" not in job:
        count, types = gpus(job["tres_per_job"])
        wanted |= {"gpus_total": count, "gpu_type": ",".join(types) or None}
    if "signal" in options and signal:
        wanted["signal"] = signal
    if "export" in options:
        wanted["export"] = options["export"]
    if "chdir" in options:
        wanted["chdir"] = relative(job["workdir"])
    if "dependency" in job:
        wanted["dependency"] = job["dependency"].replace("(unfulfilled)", "")
    return wanted


def shown(options: dict) -> dict:
    return {name: relative(value) for name, value in options.items()}


def without_own(options: dict) -> dict:
    """Options without those that the runs gave themselves, and so left out: -H and -v."""
    return {k: v for k, v in options.items() if k not in ("hold", "verbose")}


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_case(case: dict, answers: dict[str, dict]) -> None:
    answer = answers[case["case"]]
    if "error" in case:
        refused = case["refused_by"] == "client"
        assert answer["accepted"] is not refused, answer["rejections"]
        if refused:
            assert says_the_same(answer["rejections"][0]["message"], case["error"])
        elif case["case"] in SITE:
            assert answer["controller"] == []
        else:
            failed = "Batch job submission failed: "
            lines = [line.replace(failed, "") for line in case["error"]]
            assert says_the_same(answer["controller"][0], lines)
        return
    assert answer["accepted"], answer["rejections"]
    assert answer["controller"] == []
    assert [without_own(one["effective_options"]) for one in components(answer)] == [
        shown(options) for options in case["options"]
    ]
    for component, job, options, signal in zip(
        components(answer), case["jobs"], case["options"], case["signals"]
    ):
        for name, wanted in granted(job, options, signal).items():
            got = component["resolved"][name]
            if name in ("stdout", "stderr"):
                got = got.replace(
                    "%A", "%j"
                )  # both are the id of the job that was submitted
            if name == "dependency" and case["case"] in ARRAYS:
                wanted = str(wanted).replace("_*", "")
            if name == "job_name":
                got = got.strip()
            if isinstance(wanted, set):
                assert got in wanted, name
            else:
                assert got == wanted, name


def test_every_site_refusal_is_a_case() -> None:
    names = {case["case"] for case in CASES if case.get("refused_by") == "controller"}
    assert SITE.keys() <= names
