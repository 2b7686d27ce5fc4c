"""Makes random headers from a seed: every option of sbatch in every spelling, right and wrong."""

from __future__ import annotations

import json
import random
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def words(text: str) -> list[str]:
    return text.split()


TIMES = words(
    "5 90 1:30 00:01:01 36:00:00 1-0 2-12 1-2:30 1-25:61:61 0 0:00 UNLIMITED infinite -1 0-0:90"
)
BAD_TIMES = words("2h 1.5 +5 1: :30 1:2:3:4 30min x 1_0 --5 1-2-3")
MEMORY = words("4G 4000 512M 2048K 1500k 1T 04G +4G 4GB 512mb 0 1")
BAD_MEMORY = words("1.5G 4GiB lots 1P 4Gi -1 G 12BB")
COUNTS = words("1 2 4 8 04 16 +3")
BAD_COUNTS = words("0 -3 2.5 x 2k 0x10 =2 99999999999999999999")
MOMENTS = words(
    "now now+1hour now+30minutes now-1hour now+2days 16:00 4:00pm 23:59:30 midnight noon fika "
    "teatime tomorrow today 2030-01-02 2030-01-20T12:34:56 010230 12/31/30 06.15.31 uts1900000000 now+90"
) + ["tomorrow 10:00", "now + 1week", "2030-02-03 04:05", "10:30 AM"]
BAD_MOMENTS = words(
    "later elevenses now+1h 10 25:00 12:60 2030-13-01 now+ 2030-01-20T12:34:00Z uts12"
)

# Numbers at the edges of Slurm's fields, with signs, suffixes and blanks: some of them are taken.
EDGES = words(
    "65533 65534 65535 65536 65537 65538 131071 2147483646 2147483647 2147483648 4294967293 "
    "4294967294 4294967295 4294967296 4294967298 9223372036854775807 9223372036854775808 "
    "18446744073709551615 18446744073709551616 -2 -65536 +0 ++1 -0 00 1k 1K 2m 1e3 3, 0b1"
) + [" 3", "3 ", "\t4", "- 1", ""]
MEMORY_EDGES = words(
    "4294967295 4294967296G 9007199254740992G 9007199254740991g 17592186044416T 8388608T "
    "9223372036854775807 9223372036854775808 18446744073709551615 1073741824 1025 1023k 1024K "
    "3k +1T 1mB 1tb 1Mi -0 1e3 0x10"
) + ["4 G", "4G ", " 4G", ""]
TIME_EDGES = words(
    "71582788 71582789 4294967295 4294967296 2147483647 2147483648 99999-23:59:59 3000000-0 "
    "1491308-2:07 24:00 99:99:99 0-24 1- 1:2: 1:2:3 -0 -2 0:60 0:61 1-2:3:4 1-1-1 00-00:00:01 "
    "inf INFINITE UNLIMITE unlimited5 INFINITE-1 1.0 01:02:03 1-:3 1-1: 5m"
) + [" 5", "5 ", "1 - 1", ""]
GRES_EDGES = words(
    "gpu:4G gpu:1T gpu:2147483648 gpu:4294967295 gpu:4294967296 gpu:65536 gpu:1M gpu:3K gpu:1kb "
    "gpu:1KiB gpu:1kib gpu:1mi gpu:1P gpu:16777216T gpu:9223372036854775807 "
    "gpu:9223372036854775808 gpu:18446744073709551615 gpu:18446744073709551616 gpu:-1 gpu:0x2 "
    "gpu:02 gpu:2,gpu:3 gpu:a100:+1 gpu:a100:1:2 gpu,gpu gpu:1, ,gpu:1 GPU:1 gpu:A100:1 "
    "gpu:1.5G gpu:a-b_c:2 gpu:2(S:0) gpu=2 gpu:a100=2 shard:1,mps:1 mps:100 lscratch "
    "lscratch:100G gpu:0,lscratch:1 gpu:a100:0 gres:gpu gres:gpu:a100:1,gres:lscratch:2"
)
GPU_EDGES = words(
    "2147483647 4294967296 65536 2G 1K -1 +2 0x2 01 1, ,1 a100:1:1 a100: :1 a100:2,a100:3 "
    "a100:0 A100:1 1.5 gres:gpu:1 gpu 3,4"
)
# By kind of value, beside those below, the edges.
AT_EDGES = {
    "count": EDGES,
    "ntasks": EDGES,
    "cpus_per_task": EDGES,
    "core_spec": EDGES,
    "thread_spec": EDGES,
    "wait_all_nodes": EDGES,
    "nice": EDGES,
    "priority": EDGES,
    "nodes": EDGES
    + words(
        "1-2147483648 4294967297 2-4294967298 1m 1mk 1km 2k-4k 1-1k 4-1k 1-2-3 1--2 -1-2 --2 +1-+2 "
        "0-0 0-3 1-0 1.5"
    )
    + ["1 -2", "1- 2", "1-2 ", "1 - 2"],
    "mebibytes": MEMORY_EDGES,
    "minutes": TIME_EDGES,
    "seconds": TIME_EDGES,
    "gres": GRES_EDGES,
    "signal": words(
        "USR1@65535 USR1@65536 USR1@+5 USR1@05 USR1@0x5 64 65 31 32 SIGRTMIN RTMIN 0010 -1 SIGSIG "
        "KILL@ B:R:USR1 RB:USR1 BB:USR1 RR:USR1 b:usr1@3 r:usr1 B:USR1:X USR1@5@6 STOP CONT URG "
        "CHLD SIGABRT SIGIOT PIPE ALRM TSTP XCPU WINCH IO usr USR1@4294967296"
    )
    + ["USR1 @60", "USR1@ 60", "10 "],
    "switches": words("0@1 4294967296 1@-1 1@0 1@1-0 +1@5 1@@2 1@5@6 65536@2:3 1@2h")
    + [" 2"],
    "extra_node_info": words(
        "4294967296 2147483648 65536:65536 2:0 2:1-0 *:*:* *:*:4 1:: ::2 1m:2k 2-1:3 +2:+3 2:-3"
    )
    + [" 2: 3"],
    "get_user_env": words("0 -1 +5L 10s 5Sx S L 4294967296 2147483648 -2S 10 L")
    + ["10 L"],
    "acctg_freq": words(
        "0 -1 4294967296 task=0 TASK=30 task=30s task task=30,task=40 energy=-1 30,task=3 task=1,"
    ),
    "distribution": words(
        "plane=2147483648 plane=-1 plane=+2 plane=2,pack PLANE=3 plane=2:block plane=4294967297 "
        "block:cyclic:cyclic:x *,pack *:*,NoPack block,nopack,pack pack,nopack bl cyc "
        "fcyclic fcyclic:block block:fcyclic block::cyclic :cyclic plane=1,x plane=0x2"
    ),
    "cpu_freq": words(
        "0 1 4294967294 4294967295 4294967296 2147483648 high-low low-low low-medium:OnDemand "
        "LOW 1000-high highm1-high 5:performance 1000-2000:schedutil PerFormance "
        "low-high:Performance 1000-2000:UserSpace 1e6 +5 -5 5- 1-2-3"
    ),
    "mem_bind": words(
        "verbose quiet v q,v verbose,verbose LOCAL map_mem:0,,1 map_mem:0-1 map_mem:0x1 "
        "mask_mem:f,0x mask_mem:g mask_cpu:1 prefer,rank rank,none sort,local none,v nosort"
    ),
    "gpu_bind": words(
        "verbose v,none CLOSEST closest,verbose single: single:0 single:x per_task: per_task:0 "
        "map_gpu:0-1 map_gpu: mask_gpu:0x map_gpu:0x1 none,x mask_gpu:f*2 single:-1 gpu:closest"
    ),
    "gpu_freq": words(
        "verbose verbose,high HIGH memory=low,high 1200,memory=300 memory=300,memory=400 low,high "
        "memory high,verbose,x 0 -1 4294967296 graphics=1 1200,"
    ),
    "mail_type": words(
        "end, ,end ALL,NONE NONE,END fail,FAIL TIME_LIMIT_81 Array_Tasks,all"
    ),
    "profile": words("All,task none,task task,task TASK energy,x Energy, filesystem"),
    "exclusive": words("excl User mcs,user EXCLUSIVE Oversubscribe no"),
    "kill_on_invalid_dep": words("y n no, Yes 0 true"),
    "propagate": words(
        "STACK,CORE RLIMIT_STACK stack ALL,STACK NONE,STACK RLIMIT_RLIMIT_AS , CORE, MEMLOCK,x all"
    )
    + ["STACK CORE"],
}
# By kind of value: right ones and wrong ones. What `text` takes is never wrong to sbatch.
VALUES: dict[str, tuple[list[str], list[str]]] = {
    "text": (["abc", "a=b", "x,y", "it", "50%x", "-n4", "Ünïcode", "a:b@c", "1"], []),
    "flag": ([""], []),
    "verbose": ([""], []),
    "count": (COUNTS, BAD_COUNTS),
    "ntasks": (COUNTS, BAD_COUNTS),
    "cpus_per_task": (COUNTS, BAD_COUNTS),
    "core_spec": (["0", "1", "4"], ["x", "-1"]),
    "thread_spec": (["1", "4"], ["0", "x"]),
    "wait_all_nodes": (["0", "1"], ["2", "x", "-1"]),
    "mebibytes": (MEMORY, BAD_MEMORY),
    "minutes": (TIMES, BAD_TIMES),
    "seconds": (TIMES, BAD_TIMES),
    "moment": (MOMENTS, BAD_MOMENTS),
    "nodes": (
        ["1", "2", "1-4", "2-2", "2k", "-3", " 2", "0", "3-0"],
        ["4-2", "2-", "x", "1,2", "1-x", "-", ""],
    ),
    "nodelist": (["n1", "n[1-3]", "n1,n2", "a[01-03],b"], ["/no/such"]),
    "nodefile": ([], ["/no/such", "nosuch"]),
    "existing_file": ([], ["/no/such", "nosuch"]),
    "file": (
        ["x.out", "/tmp/%j.out", "none", "NONE", "%x-%A_%a.log", "~/x", "d/e"],
        [],
    ),
    "directory": (["/tmp", "sub", ".", "$HOME/x"], []),
    "exclusive": (
        ["", "user", "mcs", "exclusive", "USER", "oversubscribe"],
        ["topo", "yes", "1"],
    ),
    "oversubscribe": ([""], []),
    "requeue": ([""], []),
    "no_requeue": ([""], []),
    "no_kill": (["", "set", "off", "no", "OFF"], ["yes", "x"]),
    "kill_on_invalid_dep": (["yes", "no", "YES"], ["maybe", "1"]),
    "gres": (
        [
            "gpu",
            "gpu:2",
            "gpu:a100:2",
            "gpu:a100",
            "lscratch:1k",
            "none",
            "NONE",
            "gpu:0",
            "shard:2",
            "gpu:1,lscratch:2",
            "gpu:a100:1,gpu:v100:1",
            "gres:gpu:1",
            "gpu:+2",
            "gpu:1.5",
            "gpu:2G",
        ],
        [
            "tpu:1",
            "gpu:",
            "gpu::1",
            "gpu:a100:",
            "gpu:1,shard:1",
            "gres/gpu:1",
            "gpu:a100:x",
            "gpu:2,gpu:a100:1",
        ],
    ),
    "gres_flags": (
        ["disable-binding", "enforce-binding", "Disable-Binding"],
        ["x", "one-task-per-sharing"],
    ),
    "gpu_bind": (
        [
            "closest",
            "none",
            "single:2",
            "per_task:1",
            "map_gpu:0,1",
            "mask_gpu:0x3,f",
            "verbose,closest",
            "map_gpu:0*2,1",
        ],
        ["x", "map_gpu:a", "single", "closest;x", "mask_gpu:zz"],
    ),
    "gpu_freq": (
        ["high", "low,memory=450", "1200", "medium,verbose", "memory=highm1"],
        ["x", "memory=x", "power=1", "1x"],
    ),
    "cpu_freq": (
        [
            "high",
            "low-high",
            "1200000",
            "performance",
            "ondemand",
            "low-1000000:userspace",
            "medium",
            "highm1",
            "1000-2000",
        ],
        [
            "x",
            "high:performance",
            "conservative",
            "powersave",
            "2000-1000",
            "low-high:x",
            "performance:low",
        ],
    ),
    "mem_bind": (
        [
            "local",
            "none",
            "rank",
            "prefer",
            "verbose,local",
            "q,rank",
            "map_mem:0,1",
            "mask_mem:0x3,f",
            "sort",
            "nosort,none",
            "map_mem:0*2,1",
        ],
        ["x", "map_mem", "map_mem:x", "help", "local,x", "map_mem:0*x"],
    ),
    "distribution": (
        [
            "block",
            "cyclic",
            "block:cyclic",
            "cyclic:block:fcyclic",
            "*:cyclic",
            "*:*:*",
            "BLOCK",
            "block,pack",
            "nopack",
            "plane=1",
            "block:*",
            "cyclic:fcyclic,NoPack",
            "pack",
        ],
        [
            "x",
            "plane",
            "plane=0",
            "block:x",
            "block:",
            "a:b:c:d",
            "block,x",
            "arbitrary",
            "hostfile",
            ",pack",
            "plane=50",
        ],
    ),
    "mail_type": (
        [
            "END",
            "END,FAIL",
            "ALL",
            "NONE",
            "begin,end",
            "ARRAY_TASKS",
            "TIME_LIMIT_80,TIME_LIMIT",
            "END,SOMETIMES",
            "END,NONE",
            "REQUEUE,STAGE_OUT",
            "INVALID_DEPEND",
            "TIME_LIMIT_50,TIME_LIMIT_90",
        ],
        ["x", "", ",", " END"],
    ),
    "signal": (
        [
            "USR1",
            "B:USR1@60",
            "R:TERM@30",
            "RB:15@300",
            "SIGUSR2",
            "usr1@120",
            "10",
            "B:SIGTERM",
            "BR:INT@0",
            "@60"[1:],
            " HUP",
        ],
        ["x", "USR1@99999", "USR1@1m", "@60", "B:", "0", "USR1@-1", "USR1@"],
    ),
    "open_mode": (["append", "truncate", "a", "T", "anything"], ["x", ""]),
    "nice": (["", "5", "-5", "x", "2147483645"], ["3000000000"]),
    "priority": (["TOP", "100", "0", "x", "top"], ["-1", "5000000000"]),
    "profile": (
        ["all", "none", "task,energy", "Lustre", "network", "None,All"],
        ["x", ""],
    ),
    "power": (["level", "x", "LEVEL", ""], []),
    "propagate": (["", "ALL", "NONE", "STACK", "x"], []),
    "switches": (["1", "2@10:00", "1@5", "1@UNLIMITED", "3@x"], ["x", "0", "@5", "-1"]),
    "get_user_env": (["", "10", "10L", "5S", "5long"], ["x", "5z"]),
    "acctg_freq": (
        ["30", "task=30", "task=30,energy=10", "network=5,filesystem=1", "xtask=2"],
        ["x", "task=", "30,y"],
    ),
    "extra_node_info": (
        ["2", "2:4", "1:2:1", "*:2", "1-2:4", "2:*:1", "1k", "", "1:2:3:4"],
        ["x", "0-0", "2:x", "-1", "1-0"],
    ),
}
# Options whose answer depends on who asks, or that print something and do nothing.
LEFT_OUT = {"uid", "gid", "help", "usage", "version"}
TYPED = ["2", "a100:1", "a100", "0", "a100:1,v100:1", "1"]
BETTER_TEXT = {
    "array": ["1-3", "0-9%2", "1,3,5", "x"],
    "dependency": ["afterok:1", "singleton", "bogus"],
    "gpus": [*TYPED, "gpu:2"],
    "gpus-per-node": TYPED,
    "gpus-per-task": TYPED,
    "gpus-per-socket": TYPED,
    "hint": [
        "compute_bound",
        "memory_bound",
        "multithread",
        "nomultithread",
        "x",
        "compute_bound,multithread",
    ],
    "constraint": ["intel", "a&b", "[x|y]", "a*2", "(a)"],
    "export": ["ALL", "NONE", "ALL,X=1", "X"],
    "exclude": ["n1", "n[1-2]", "/no/such"],
    "wrap": ["date"],
}


# Options whose numbers must fit each other: some headers have several of them.
TOGETHER = words(
    "gpus gpus-per-node gpus-per-task gpus-per-socket gres cpus-per-gpu mem-per-gpu ntasks nodes "
    "ntasks-per-node ntasks-per-gpu ntasks-per-tres cpus-per-task sockets-per-node ntasks-per-socket "
    "extra-node-info hint distribution nodelist mem mem-per-cpu threads-per-core begin deadline "
    "gpu-freq ntasks-per-core mincpus"
)


def table() -> list[dict]:
    with open(ROOT / "grammar" / "sbatch-options.json", encoding="utf-8") as file:
        rows = json.load(file)["rows"]
    return [
        row
        for row in rows
        if row["program"] == "sbatch"
        and row.get("since", "") <= "22.05"
        and row.get("until", "99") > "22.05"
        and row["name"] not in LEFT_OUT
    ]


def unknown_names() -> list[str]:
    """Names that sbatch 22.05 does not have: of newer releases, of older ones, of srun, of plugins."""
    known = {row["name"] for row in table()} | LEFT_OUT
    with open(ROOT / "grammar" / "sbatch-options.json", encoding="utf-8") as file:
        rows = json.load(file)["rows"]
    return [
        row["name"]
        for row in rows
        if row["name"] not in known and row["program"] != "pbs"
    ]


def variables() -> list[dict]:
    with open(ROOT / "grammar" / "sbatch-variables.json", encoding="utf-8") as file:
        return json.load(file)["rows"]


class HeaderMaker:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.options = table()
        self.by_name = {option["name"]: option for option in self.options}
        # SBATCH_DEBUG=0 would take back the -v that makes sbatch list its options.
        self.variables = [
            v
            for v in variables()
            if v["option"] in self.by_name and v["name"] != "SBATCH_DEBUG"
        ]
        self.unknown = unknown_names()
        self.waiting: list[dict] = []  # so that every option has its turn
        self.used: dict[str, int] = {}
        self.together = False

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def option(self) -> dict:
        if self.together and self.chance(0.9):
            return self.by_name[self.random.choice(TOGETHER)]
        if not self.waiting:
            self.waiting = list(self.options)
            self.random.shuffle(self.waiting)
        option = self.waiting.pop()
        self.used[option["name"]] = self.used.get(option["name"], 0) + 1
        return option

    def value(self, option: dict) -> str:
        if option["name"] in BETTER_TEXT:
            if option["name"].startswith("gpus") and self.chance(0.06):
                return self.random.choice(GPU_EDGES)
            return self.random.choice(BETTER_TEXT[option["name"]])
        right, wrong = VALUES[option["value"]]
        edges = AT_EDGES.get(option["value"])
        if edges and self.chance(0.06 if self.together else 0.15):
            return self.random.choice(edges)
        mistake = 0.03 if self.together else 0.12
        pool = wrong if wrong and (not right or self.chance(mistake)) else right
        return self.random.choice(pool)

    def quoted(self, word: str) -> str:
        """A word as it may stand in a directive: in quotes, with escapes, or bare."""
        style = self.random.random()
        special = any(c in word for c in " \t#\"'\\")
        if not special and style < 0.7:
            return word
        if style < 0.8 and "'" not in word and "\\" not in word:
            return f"'{word}'"
        if style < 0.97:
            escaped = word.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
        return word  # bare, whatever comes of it

    def prefix(self, name: str) -> str:
        return name[: self.random.randint(1, len(name))] if self.chance(0.12) else name

    def spelled(self, option: dict) -> list[str]:
        """An option as one word or two."""
        value = self.value(option)
        short = option.get("short", "")
        name = self.prefix(option["name"])
        if option["argument"] == "none":
            if short and self.chance(0.5):
                return [f"-{short}"]
            return [f"--{name}=1" if self.chance(0.02) else f"--{name}"]
        if option["argument"] == "optional":
            if short and self.chance(0.4):
                return [f"-{short}{value}"]
            return [f"--{name}={value}" if value or self.chance(0.1) else f"--{name}"]
        if short and self.chance(0.4):
            return (
                [f"-{short}{value}"]
                if value and self.chance(0.4)
                else [f"-{short}", value]
            )
        return [f"--{name}={value}"] if self.chance(0.7) else [f"--{name}", value]

    def bundle(self) -> str:
        """Short options in one word, the last one perhaps with a value: -HQJ name as -HQJname."""
        short = [o for o in self.options if o.get("short") and not o.get("early")]
        flags = [o["short"] for o in short if o["argument"] == "none"]
        text = "-" + "".join(self.random.choice(flags) for _ in range(2))
        last = self.random.choice(short)
        if last["argument"] == "none":
            return text + last["short"]
        # Without a value the next word is taken for it, on a command line the script's name.
        return text + last["short"] + (self.value(last) or "x")

    def directive(self) -> str:
        words: list[str] = []
        for _ in range(self.random.choice([1, 1, 1, 1, 2, 3])):
            words += [self.quoted(word) for word in self.spelled(self.option())]
        if self.chance(0.01):
            value = self.random.choice(["", "=1", "=x"])
            words.append(f"--{self.prefix(self.random.choice(self.unknown))}{value}")
        if self.chance(0.01):
            words.append(self.bundle())
        if self.chance(0.02):
            words.append(
                self.random.choice(
                    [
                        "stray",
                        '""',
                        "--",
                        "-Z",
                        "--bogus=1",
                        ":",
                        "(x)",
                        "hetjob",
                        "it's",
                    ]
                )
            )
        gap = self.random.choice([" ", " ", " ", "  ", "\t"])
        line = self.random.choice(
            ["#SBATCH ", "#SBATCH ", "#SBATCH ", "#SBATCH", "#SBATCH\t", "#SBATCH   "]
        )
        line += gap.join(words)
        if self.chance(0.15):
            line += self.random.choice(
                [" # a note", "#glued", "   ", " \\", "\t# it's"]
            )
        return line

    def near_miss(self) -> str:
        return self.random.choice(
            [
                "# a comment",
                "",
                "   ",
                "##SBATCH -n 9",
                "# SBATCH -n 9",
                " #SBATCH -n 9",
                "#sbatch -n 9",
                "#SBATCH",
                "#SBATCH   ",
                "#!/bin/sh",
                "#$ -N x",
                "\t",
                "#SLURM -J s",
            ]
        )

    def foreign(self) -> str:
        choice = self.random.choice
        if self.chance(0.7):
            return "#PBS " + choice(
                [
                    f"-l walltime={choice(TIMES)}",
                    f"-l nodes={choice(['2', '2:ppn=4', 'n1:ppn=2', '1:gpus=2', '2:ppn=2+1:ppn=1'])}",
                    f"-l select={choice(COUNTS)}:ncpus=8:mpiprocs=2",
                    f"-l mem={choice(['4gb', '400mb', '1g', 'x'])}",
                    "-l naccelerators=2",
                    "-l accelerator=true",
                    "-l proc=fast",
                    "-l file=1gb,vmem=2gb",
                    "-N name",
                    "-q gpu",
                    "-m abe",
                    "-m n",
                    "-m x",
                    "-M a@b.c",
                    "-j oe",
                    "-o out.txt",
                    "-e err.txt",
                    "-A acct",
                    "-J 1-4",
                    "-t 1-3",
                    "-r y",
                    "-V",
                    "-v A=1,B",
                    "-h",
                    "-p 5",
                    "-a 16:00",
                    "-W depend=afterok:1",
                    "-W umask=0022",
                    "-S /bin/sh",
                    "-k oe",
                    "-Z",
                    "stray",
                    "--job_name=x",
                    "-z",
                    "-c n",
                    "-l pmem=1gb",
                ]
            )
        return "#BSUB " + choice(
            [
                "-J name",
                "-n 4",
                "-n 2,8",
                "-n 3,",
                "-q gpu",
                "-W 1:30",
                "-o out.txt",
                "-e err.txt",
                "-M 4000000",
                "-M 4G",
                "-x",
                '-m "a b"',
                "-cwd /tmp",
                "-R x",
                "-J a -cwd sub",
                "--time=10",
            ]
        )

    def request(self) -> dict:
        self.together = self.chance(0.3)
        lines = ["#!/bin/bash"]
        if self.chance(0.01):
            lines = self.random.choice(
                [["#SBATCH -n 2"], ["", "#!/bin/bash"], ["#!/bin/bash\r"], []]
            )
        for _ in range(self.random.choice([1, 1, 2, 2, 3, 4, 6])):
            lines.append(self.near_miss() if self.chance(0.1) else self.directive())
            if self.chance(0.04):
                lines.append(
                    self.random.choice(
                        ["#SBATCH hetjob", "#SBATCH packjob", "#SBATCH HetJob -n 3"]
                    )
                )
        if self.chance(0.12):
            lines.insert(self.random.randint(1, len(lines)), self.foreign())
        lines.append("hostname")
        if self.chance(0.2):
            lines += [self.directive() for _ in range(2)]
        if self.chance(0.03):
            lines.append(self.foreign())
        request: dict = {"script": "\n".join(lines) + "\n"}
        if self.chance(0.15):
            request["env"] = {}
            for _ in range(self.random.choice([1, 1, 2])):
                variable = self.random.choice(self.variables)
                option = self.by_name[variable["option"]]
                value = self.value(option)
                if option["argument"] == "none":
                    value = self.random.choice(["", "1", "yes", "0", "no", "x"])
                request["env"][variable["name"]] = value
        if self.chance(0.2):
            request["argv"] = []
            for _ in range(self.random.choice([1, 1, 2, 3])):
                option = self.option()
                if option.get("early"):
                    continue
                request["argv"] += self.spelled(option)
                if self.chance(0.06):  # the next component of a heterogeneous job
                    request["argv"].append(":")
            if self.chance(0.03):
                request["argv"].append(self.bundle())
        way = self.random.random()
        if way < 0.05:
            request["name"] = "sbatch"  # the script comes on standard input
        elif way < 0.08:
            request["name"] = "wrap"
            request["script"] = self.random.choice(
                ["date", "#SBATCH -n 2\ndate", "a; b"]
            )
            request["argv"] = [*request.get("argv", []), "--wrap", request["script"]]
        return request
