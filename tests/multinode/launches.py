"""Ways in which people start the ranks of a program on several nodes, and what each comes to."""

from dataclasses import dataclass, field

PROGRAM = r"""\
import json, os, sys
try:
    import torch
except ImportError:
    torch = None
names = "RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "NOTE"
seen = {name: os.environ.get(name) for name in names}
os.write(1, (json.dumps({"args": sys.argv[1:], **seen}) + "\n").encode())
"""
# Reads Slurm's own numbers.
COUNTS = r"""\
import json, os, sys
import torch_free_of_mpi  # torch.distributed, by way of a module beside it
names = "SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID", "SLURM_NTASKS", "SLURM_NNODES"
seen = {"args": sys.argv[1:], **{n: os.environ.get(n) for n in names}}
os.write(1, (json.dumps(seen) + "\n").encode())
"""
HELPER = "def torch():\n    return None\n"
MPI = "from mpi4py import MPI\nimport torch\nprint(MPI.COMM_WORLD.rank)\n"
ONE = "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=1\n#SBATCH --gres=gpu:4\n"
EACH = "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n#SBATCH --gres=gpu:4\n"
FIRST = (
    'export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)\n'
)
MEET = "--rdzv_id=$SLURM_JOB_ID --rdzv_backend=c10d --rdzv_endpoint=$MASTER_ADDR:29500"
STATIC = "--node_rank $SLURM_PROCID --master_addr $MASTER_ADDR --master_port 29500"
RUN = "srun torchrun --nnodes=2 --nproc_per_node=4"


@dataclass(frozen=True)
class Launch:
    """A script, and the geometry that Slurm and the launcher make of it."""

    name: str
    body: str
    header: str = ONE
    nodes: int = 2
    processes: int = 4
    gpus: int | None = 4
    args: tuple[str, ...] = ("--lr", "0.1")
    backend: str = "STATIC"
    runtime: str = "torch"
    restarts: int = 0
    stays: str = ""  # the rule that keeps it on Slurm
    asked: bool = False  # real Slurm was asked what the ranks see
    local_rank: str = ""  # an argument that tells each rank its number on the node
    says: tuple[str, ...] = ()  # rules that the review has, too
    maintenance: bool = False  # replicas start anew when a node is taken away
    devices: tuple[str | None, ...] = ()  # those that the first and the last rank see
    files: dict[str, str] = field(default_factory=dict)

    @property
    def script(self) -> str:
        return f"#!/bin/bash\n{self.header}{self.body}\n"

    def beside(self) -> dict[str, str]:
        """The files in the folder of the script."""
        return {
            "train.py": PROGRAM,
            "counts.py": COUNTS,
            "torch_free_of_mpi.py": HELPER,
            "mpi.py": MPI,
            "pack/__init__.py": "",
            "pack/train.py": PROGRAM,
            **self.files,
        }


def torchrun() -> list[Launch]:
    """srun starts torchrun on each node."""
    tail = "train.py --lr 0.1"
    return [
        Launch(
            "torchrun_c10d", f"{FIRST}{RUN} {MEET} {tail}", backend="C10D", asked=True
        ),
        Launch("torchrun_static", f"{FIRST}{RUN} {STATIC} {tail}", asked=True),
        Launch(
            "torchrun_nnodes_variable",
            f"{FIRST}srun torchrun --nnodes=$SLURM_NNODES --nproc_per_node=4 {STATIC} {tail}",
        ),
        Launch(
            "torchrun_job_num_nodes",
            f"{FIRST}srun torchrun --nnodes $SLURM_JOB_NUM_NODES --nproc_per_node 4 {STATIC} {tail}",
        ),
        Launch(
            "torchrun_dashes",
            f"{FIRST}srun torchrun --nnodes=2 --nproc-per-node=4 --node-rank=$SLURM_NODEID --master-addr=$MASTER_ADDR --master-port=29500 {tail}",
        ),
        Launch(
            "torchrun_gpus_variable",
            f"{FIRST}GPUS=4\nsrun torchrun --nnodes=2 --nproc_per_node=$GPUS {STATIC} {tail}",
            asked=True,
        ),
        Launch(
            "torchrun_gpus_on_node",
            f"{FIRST}srun torchrun --nnodes=2 --nproc_per_node=$SLURM_GPUS_ON_NODE {STATIC} {tail}",
        ),
        Launch(
            "torchrun_nproc_gpu",
            f"{FIRST}srun torchrun --nnodes=2 --nproc_per_node=gpu {STATIC} {tail}",
        ),
        Launch(
            "torchrun_nproc_auto",
            f"{FIRST}srun torchrun --nnodes=2 --nproc_per_node=auto {STATIC} {tail}",
        ),
        Launch(
            "torchrun_one_process",
            f"{FIRST}srun torchrun --nnodes=2 {STATIC} {tail}",
            processes=1,
            asked=True,
        ),
        Launch(
            "torchrun_restarts",
            f"{FIRST}{RUN} --max_restarts=3 {MEET} {tail}",
            backend="C10D",
            restarts=3,
        ),
        Launch(
            "torchrun_tee",
            f"{FIRST}{RUN} --tee 3 --log_dir logs {MEET} {tail}",
            backend="C10D",
        ),
        Launch(
            "torchrun_module",
            f"{FIRST}{RUN} {STATIC} -m pack.train --lr 0.1",
            asked=True,
        ),
        Launch(
            "torchrun_no_python",
            f"{FIRST}{RUN} {STATIC} --no_python python train.py --lr 0.1",
        ),
        Launch(
            "torchrun_path",
            f"{FIRST}srun /opt/venv/bin/torchrun --nnodes=2 --nproc_per_node=4 {STATIC} {tail}",
        ),
        Launch(
            "torchrun_srun_options",
            f"{FIRST}srun --ntasks=2 --ntasks-per-node=1 --cpu-bind=none --kill-on-bad-exit=1 --jobid $SLURM_JOBID torchrun --nnodes=2 --nproc_per_node=4 {STATIC} {tail}",
        ),
        Launch(
            "torchrun_srun_variable",
            f"{FIRST}OPTS='--wait=60 --kill-on-bad-exit=1'\nsrun $OPTS torchrun --nnodes=2 --nproc_per_node=4 {STATIC} {tail}",
            asked=True,
        ),
        Launch(
            "torchrun_export",
            f"{FIRST}srun --export=ALL,NOTE=hello torchrun --nnodes=2 --nproc_per_node=4 {STATIC} {tail}",
            asked=True,
        ),
        Launch(
            "torchrun_launcher_variable",
            f'{FIRST}LAUNCHER="torchrun --nnodes 2 --nproc_per_node 4"\nsrun $LAUNCHER {STATIC} {tail}',
            asked=True,
        ),
        Launch(
            "torchrun_whole_variable",
            f'{FIRST}CMD="torchrun --nnodes 2 --nproc_per_node 4 --master_addr $MASTER_ADDR train.py --lr 0.1"\nsrun $CMD',
            backend="STATIC",
        ),
        Launch("torchrun_log", f"{FIRST}{RUN} {STATIC} {tail} > train.log 2>&1"),
        Launch(
            "torchrun_piped_log", f"{FIRST}{RUN} {STATIC} {tail} 2>&1 | tee train.log"
        ),
        Launch(
            "torchrun_append_log",
            f"{FIRST}{RUN} {STATIC} {tail} 2>&1 | tee -a train.log",
        ),
        Launch(
            "torchrun_array_nodes",
            f'nodes=( $( scontrol show hostnames $SLURM_JOB_NODELIST ) )\nhead=${{nodes[0]}}\nip=$(srun --nodes=1 --ntasks=1 -w "$head" hostname --ip-address)\nsrun torchrun --nnodes=2 --nproc_per_node=4 --rdzv_backend c10d --rdzv_endpoint $ip:29500 {tail}',
            backend="C10D",
        ),
        Launch(
            "torchrun_port_arithmetic",
            f"{FIRST}export MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000))\nsrun torchrun --nnodes=2 --nproc_per_node=4 --master_addr $MASTER_ADDR --master_port $MASTER_PORT {tail}",
        ),
        Launch(
            "torchrun_port_text",
            f"{FIRST}export MASTER_PORT=$(expr 10000 + $(echo -n $SLURM_JOBID | tail -c 4))\nsrun torchrun --nnodes=2 --nproc_per_node=4 --master_addr $MASTER_ADDR --master_port $MASTER_PORT {tail}",
        ),
        Launch(
            "torchrun_hostname",
            f"export MASTER_ADDR=$(hostname)\n{RUN} {STATIC} {tail}",
        ),
        Launch(
            "torchrun_hostname_ip",
            f"MASTER_ADDR=$(hostname -I | awk '{{print $1}}')\n{RUN} {STATIC} {tail}",
        ),
        Launch(
            "torchrun_nodelist_surgery",
            f"""export MASTER_ADDR=$(perl -le '$_=$ENV{{"SLURM_JOB_NODELIST"}}; s/,.*//; s/-.*//; s/\\[//; print')\n{RUN} {STATIC} {tail}""",
        ),
        Launch(
            "torchrun_nccl",
            f"{FIRST}export NCCL_SOCKET_IFNAME=ib0\nexport NCCL_IB_HCA=mlx5\n{RUN} {STATIC} {tail}",
        ),
        Launch(
            "torchrun_echo",
            f'{FIRST}echo "first: $MASTER_ADDR"\ndate\n{RUN} {STATIC} {tail}',
            asked=True,
        ),
        Launch(
            "torchrun_n_per_node",
            f"{FIRST}{RUN} {STATIC} {tail}",
            header="#SBATCH -n 2\n#SBATCH --ntasks-per-node=1\n#SBATCH --gres=gpu:4\n",
            asked=True,
        ),
        Launch(
            "torchrun_four_nodes",
            f"{FIRST}srun torchrun --nnodes=4 --nproc_per_node=2 {STATIC} {tail}",
            header="#SBATCH -N 4\n#SBATCH --gres=gpu:2\n",
            nodes=4,
            processes=2,
            gpus=2,
            asked=True,
        ),
        Launch(
            "torchrun_cpus",
            f"{FIRST}srun torchrun --nnodes=2 --nproc_per_node=3 {STATIC} {tail}",
            header="#SBATCH -N 2\n#SBATCH --ntasks-per-node=1\n#SBATCH --cpus-per-task=3\n",
            processes=3,
            gpus=None,
            asked=True,
        ),
    ]


def distributed() -> list[Launch]:
    """The launchers that are Python modules, and those in the text of a shell."""
    tail = "train.py --lr 0.1"
    bash = "srun bash -c"
    launcher = 'export LAUNCHER="python -u -m torch.distributed.run --nproc_per_node 4 --nnodes 2 --master_addr $MASTER_ADDR --master_port 6000"\n'
    return [
        Launch(
            "run_module",
            f"{FIRST}srun python -m torch.distributed.run --nnodes=2 --nproc_per_node=4 {STATIC} {tail}",
            asked=True,
        ),
        Launch(
            "launch_module",
            f"{FIRST}srun python -m torch.distributed.launch --use_env --nnodes=2 --nproc_per_node=4 {STATIC} {tail}",
        ),
        Launch(
            "python3_module",
            f"{FIRST}srun python3 -u -m torch.distributed.run --nnodes=2 --nproc_per_node=4 {STATIC} {tail}",
        ),
        Launch(
            "bash_single",
            f"{FIRST}{bash} 'torchrun --nnodes=2 --nproc_per_node=4 --node_rank=$SLURM_PROCID --master_addr=$MASTER_ADDR {tail}'",
            asked=True,
        ),
        Launch(
            "bash_double",
            f'{FIRST}{bash} "torchrun --nnodes=2 --nproc_per_node=4 --node_rank=\\$SLURM_PROCID --master_addr=$MASTER_ADDR {tail}"',
            asked=True,
        ),
        Launch(
            "bash_prefix",
            f"{FIRST}{bash} 'NOTE=hello torchrun --nnodes=2 --nproc_per_node=4 --node_rank=$SLURM_PROCID --master_addr=$MASTER_ADDR {tail}'",
            asked=True,
        ),
        Launch(
            "bash_launcher",
            f"{FIRST}{launcher}export CMD=\"{tail}\"\n{bash} '$LAUNCHER --node_rank $SLURM_PROCID $CMD'",
            asked=True,
        ),
        Launch(
            "bash_launcher_double",
            f'{FIRST}{launcher}CMD="{tail}"\nsrun --jobid $SLURM_JOB_ID bash -c "$LAUNCHER --node_rank \\$SLURM_PROCID --role \\$SLURMD_NODENAME: $CMD" 2>&1 | tee log.txt',
        ),
        Launch(
            "bash_tasks",
            f"{FIRST}srun --ntasks-per-node=1 bash -c 'torchrun --nnodes $SLURM_NNODES --nproc_per_node 4 --node_rank $SLURM_NODEID --master_addr $MASTER_ADDR {tail}'",
        ),
        Launch(
            "accelerate",
            f"{FIRST}srun accelerate launch --num_machines 2 --num_processes 8 --machine_rank $SLURM_PROCID --main_process_ip $MASTER_ADDR --main_process_port 29500 {tail}",
        ),
        Launch(
            "accelerate_multi_gpu",
            f"{FIRST}srun accelerate launch --multi_gpu --num_machines=2 --num_processes=8 --mixed_precision=bf16 --main_process_ip=$MASTER_ADDR {tail}",
        ),
        Launch(
            "accelerate_arithmetic",
            f"{FIRST}srun accelerate launch --num_machines $SLURM_NNODES --num_processes $((SLURM_NNODES * 4)) --main_process_ip $MASTER_ADDR {tail}",
        ),
        Launch(
            "accelerate_bash",
            f"{FIRST}{bash} 'accelerate launch --num_machines 2 --num_processes 8 --machine_rank $SLURM_PROCID --main_process_ip $MASTER_ADDR {tail}'",
        ),
        Launch(
            "accelerate_module",
            f"{FIRST}srun python -m accelerate.commands.launch --num_machines 2 --num_processes 8 --main_process_ip $MASTER_ADDR {tail}",
        ),
    ]


def itself() -> list[Launch]:
    """srun starts every rank of a Python program itself."""
    return [
        Launch("srun_python", "srun python train.py --lr 0.1", header=EACH),
        Launch(
            "srun_counts", "srun python counts.py --lr 0.1", header=EACH, asked=True
        ),
        Launch("srun_unbuffered", "srun python -u counts.py --lr 0.1", header=EACH),
        Launch("srun_module", "srun python -m pack.train --lr 0.1", header=EACH),
        Launch(
            "srun_master",
            f"{FIRST}export MASTER_PORT=29500\nexport WORLD_SIZE=$SLURM_NTASKS\nsrun python counts.py --lr 0.1",
            header=EACH,
            asked=True,
        ),
        Launch(
            "srun_ntasks",
            "srun --ntasks=8 --ntasks-per-node=4 python counts.py --lr 0.1",
            header=EACH,
            asked=True,
        ),
        Launch(
            "srun_one_a_node", "srun python counts.py --lr 0.1", processes=1, asked=True
        ),
        Launch(
            "srun_gpu_bind",
            "srun --cpu-bind=cores --kill-on-bad-exit=1 python counts.py --lr 0.1",
            header=EACH,
        ),
    ]


def stays() -> list[Launch]:
    """No geometry, or no torch."""
    return [
        Launch("srun_mpi4py", "srun python mpi.py", header=EACH, stays="S2F702"),
        Launch(
            "srun_mpi_module",
            "srun python -m mpi4py train.py",
            header=EACH,
            stays="S2F702",
        ),
        Launch(
            "srun_mpi_option",
            f"{FIRST}srun --mpi=pmix python train.py",
            header=EACH,
            stays="S2F702",
        ),
        Launch("srun_binary", "srun ./solver", header=EACH, stays="S2F702"),
        Launch("mpirun_python", "mpirun python train.py", header=EACH, stays="S2F702"),
        Launch(
            "mpirun_in_bash",
            "bash -c 'mpirun python train.py'",
            header=EACH,
            stays="S2F702",
        ),
        Launch("srun_missing", "srun python elsewhere.py", header=EACH, stays="S2F702"),
        Launch(
            "torchrun_alone",
            "srun torchrun --standalone --nproc_per_node=4 train.py",
            stays="S2F708",
        ),
        Launch(
            "torchrun_no_nodes",
            f"{FIRST}srun torchrun --nproc_per_node=4 {MEET} train.py",
            stays="S2F708",
        ),
        Launch(
            "torchrun_elastic",
            f"{FIRST}srun torchrun --nnodes=1:2 --nproc_per_node=4 {MEET} train.py --lr 0.1",
            backend="C10D",
            says=("S2F777",),
            asked=True,
        ),
        Launch(
            "torchrun_elastic_kept",
            f"{FIRST}srun torchrun --nnodes=1:2 --nproc_per_node=4 {MEET} train.py",
            files={"slurm2flyte.toml": '[rules]\non_slurm = ["S2F777"]\n'},
            stays="S2F777",
        ),
        Launch(
            "torchrun_elastic_more",
            f"{FIRST}srun torchrun --nnodes=3:4 --nproc_per_node=4 {MEET} train.py",
            stays="S2F708",
        ),
        Launch(
            "torchrun_elastic_fewer",
            f"{FIRST}srun torchrun --nnodes=1:1 --nproc_per_node=4 {MEET} train.py",
            stays="S2F708",
        ),
        Launch(
            "torchrun_other_nodes",
            f"{FIRST}srun torchrun --nnodes=4 --nproc_per_node=4 {MEET} train.py",
            stays="S2F708",
        ),
        Launch(
            "torchrun_too_many",
            f"{FIRST}srun torchrun --nnodes=2 --nproc_per_node=8 {MEET} train.py",
            stays="S2F708",
        ),
        Launch(
            "torchrun_each_task",
            f"{FIRST}{RUN} {MEET} train.py",
            header=EACH,
            stays="S2F708",
        ),
        Launch(
            "torchrun_of_two_programs",
            f"{FIRST}{RUN} {MEET} train.py\n{RUN} {MEET} counts.py",
            stays="S2F708",
        ),
        Launch(
            "torchrun_read", f"{FIRST}{RUN} {MEET} train.py | grep loss", stays="S2F708"
        ),
        Launch(
            "torchrun_background",
            f"{FIRST}{RUN} {MEET} train.py &\nwait",
            stays="S2F708",
        ),
        Launch(
            "torchrun_and_a_log",
            f"{FIRST}python prepare.py > prepare.log\n{RUN} {MEET} train.py",
            stays="S2F706",
        ),
        Launch(
            "accelerate_deepspeed",
            f"{FIRST}srun accelerate launch --use_deepspeed --num_machines 2 --num_processes 8 train.py",
            stays="S2F708",
        ),
        Launch(
            "accelerate_uneven",
            f"{FIRST}srun accelerate launch --num_machines 2 --num_processes 7 train.py",
            stays="S2F708",
        ),
        Launch(
            "asks_slurm",
            "srun python asks.py",
            header=EACH,
            stays="S2F708",
            files={
                "asks.py": "import torch, os\nos.popen('scontrol show hostnames')\n"
            },
        ),
        Launch(
            "heterogeneous",
            "srun python counts.py",
            header="#SBATCH -N 1\n#SBATCH hetjob\n#SBATCH -N 2\n",
            stays="S2F303",
        ),
    ]


# Reads Slurm's numbers, and does not say how its ranks meet.
SILENT = r"""\
import json, os, sys
seen = {n: os.environ.get("SLURM_" + n) for n in ("PROC" + "ID", "LOCALID", "NTASKS")}
os.write(1, (json.dumps({"args": sys.argv[1:], **seen}) + "\n").encode())
"""
WRITTEN = """cat << EOT > ranks.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
machine_rank: 0
main_process_ip: $MASTER_ADDR
mixed_precision: bf16
num_machines: $SLURM_NNODES
num_processes: $((SLURM_NNODES * 4))
use_cpu: false
EOT
"""
ARRAY = 'nodes=($(scontrol show hostnames "$SLURM_JOB_NODELIST"))\n'
LOOPED = "torchrun --nnodes=2 --nproc_per_node=4 --node_rank=$i --master_addr=${nodes[0]} --master_port=29500 train.py --lr 0.1"


def signs() -> list[Launch]:
    """The script says how the ranks of a program meet that does not say it."""
    silent = {"silent.py": SILENT}
    start = "srun python silent.py --lr 0.1"
    return [
        Launch(
            "signs_master",
            f"{FIRST}export MASTER_PORT=29500\n{start}",
            header=EACH,
            files=silent,
            says=("S2F760",),
            asked=True,
        ),
        Launch(
            "signs_nccl",
            f"export NCCL_DEBUG=INFO\n{start}",
            header=EACH,
            files=silent,
            says=("S2F760",),
        ),
        Launch(
            "signs_options",
            f"{start} --num_nodes 2",
            header=EACH,
            files=silent,
            args=("--lr", "0.1", "--num_nodes", "2"),
            says=("S2F760",),
        ),
        Launch(
            "signs_variable",
            f"{FIRST}PROGRAM=silent.py\nsrun python $PROGRAM --lr 0.1",
            header=EACH,
            files=silent,
            says=("S2F760",),
        ),
        Launch(
            "signs_conda",
            f"conda activate pytorch-2\n{start}",
            header=EACH,
            files=silent,
            says=("S2F760",),
        ),
        Launch(
            "signs_beside_a_library_of_mpi",
            f"module load openmpi/4.1\n{FIRST}{start}",
            header=EACH,
            files=silent,
            says=("S2F760",),
        ),
        Launch(
            "signs_beside_variables_of_mpi",
            f"export OMPI_MCA_mtl_base_verbose=1\nexport I_MPI_FABRICS=ofi\n{FIRST}{start}",
            header=EACH,
            files=silent,
            says=("S2F760",),
        ),
        Launch(
            "signs_of_mpi",
            "module load openmpi/4.1\nexport NCCL_DEBUG=INFO\nsrun python absent.py",
            header=EACH,
            stays="S2F702",
        ),
        Launch(
            "signs_of_mpi4py",
            f"pip install mpi4py\n{FIRST}srun python absent.py",
            header=EACH,
            stays="S2F702",
        ),
        Launch(
            "program_named_for_mpi",
            f"module load pytorch\n{FIRST}srun python net_MPI_cpu.py",
            header=EACH,
            stays="S2F702",
        ),
        Launch(
            "signs_of_keras",
            f"{FIRST}srun python train_keras.py",
            header=EACH,
            stays="S2F702",
        ),
        Launch(
            "network_option",
            f"{FIRST}srun --network=MPI {start[5:]}",
            header=EACH,
            files=silent,
            says=("S2F760",),
        ),
        Launch(
            "signs_of_horovod",
            "export NCCL_DEBUG=INFO\nsrun python absent_hvd.py",
            header=EACH,
            stays="S2F702",
        ),
        Launch(
            "signs_of_tensorflow",
            "export NCCL_DEBUG=INFO\nsrun python train_tf2.py",
            header=EACH,
            stays="S2F702",
        ),
        Launch("no_signs", "srun python absent.py", header=EACH, stays="S2F702"),
        Launch(
            "signs_code",
            f"{FIRST}srun python -c 'print(1)'",
            header=EACH,
            stays="S2F702",
        ),
    ]


# Looks where JAX looks for its numbers.
JAX = r"""\
import json, os, sys
try:
    import jax
    jax.distributed.initialize()
except ImportError:
    pass
names = "SLURM_PROCID", "SLURM_LOCALID", "SLURM_NTASKS", "SLURM_STEP_NUM_NODES"
seen = {"args": sys.argv[1:], **{n: os.environ.get(n) for n in names}}
seen["job"] = os.environ["SLURM_JOB_ID"].isdigit()
seen["first"] = os.environ["SLURM_STEP_NODELIST"] != ""
os.write(1, (json.dumps(seen) + "\n").encode())
"""


def jax() -> list[Launch]:
    """Processes of JAX."""
    files = {"flax.py": JAX}
    return [
        Launch(
            "jax_one_a_node",
            "srun python flax.py --lr 0.1",
            processes=1,
            files=files,
            says=("S2F765",),
            runtime="jax",
            asked=True,
        ),
        Launch(
            "jax_several_a_node",
            "srun python flax.py --lr 0.1",
            header=EACH,
            files=files,
            stays="S2F708",
        ),
    ]


# Says which devices it sees.
DEVICES = r"""\
import json, os, sys
import torch_free_of_mpi  # torch.distributed, by way of a module beside it
names = "SLURM_PROCID", "CUDA_VISIBLE_DEVICES"
seen = {"args": sys.argv[1:], **{n: os.environ.get(n) for n in names}}
os.write(1, (json.dumps(seen) + "\n").encode())
"""


def bound() -> list[Launch]:
    """Ranks that see GPUs of their own, and options that place them."""
    files = {"devices.py": DEVICES}
    run = "python devices.py --lr 0.1"
    tasks = "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n"
    return [
        Launch(
            "gpus_per_task",
            f"srun {run}",
            header=f"{tasks}#SBATCH --gpus-per-task=1\n",
            files=files,
            devices=("0", "3"),
            says=("S2F778",),
        ),
        Launch(
            "gpus_per_task_of_step",
            f"srun --gpus-per-task=1 {run}",
            header=EACH,
            files=files,
            devices=("0", "3"),
            says=("S2F778",),
        ),
        Launch(
            "two_gpus_per_task",
            f"srun {run}",
            header="#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=2\n#SBATCH --gpus-per-task=2\n",
            files=files,
            processes=2,
            devices=("0,1", "2,3"),
            says=("S2F778",),
        ),
        Launch(
            "gpu_bind_single",
            f"srun --gpu-bind=single:1 {run}",
            header=EACH,
            files=files,
            devices=("0", "3"),
            says=("S2F778",),
        ),
        Launch(
            "gpu_bind_of_job",
            f"srun {run}",
            header=EACH + "#SBATCH --gpu-bind=per_task:1\n",
            files=files,
            devices=("0", "3"),
            says=("S2F778",),
        ),
        Launch(
            "gpu_bind_map",
            f"srun --gpu-bind=map_gpu:0,1,2,3 {run}",
            header=EACH,
            files=files,
            devices=("0", "3"),
            says=("S2F778",),
        ),
        Launch(
            "gpu_bind_other_map",
            f"srun --gpu-bind=map_gpu:3,2,1,0 {run}",
            header=EACH,
            files=files,
            devices=(None, None),
            says=("S2F714",),
        ),
        Launch(
            "gpu_bind_closest",
            f"srun --gpu-bind=closest {run}",
            header=EACH,
            files=files,
            devices=(None, None),
            says=("S2F714",),
        ),
        Launch(
            "gpu_bind_none",
            f"srun --gpu-bind=none {run}",
            header=f"{tasks}#SBATCH --gpus-per-task=1\n",
            files=files,
            devices=(None, None),
            says=("S2F714",),
        ),
        Launch(
            "ntasks_per_gpu",
            f"srun {run}",
            header="#SBATCH --nodes=2\n#SBATCH --gpus=8\n#SBATCH --ntasks-per-gpu=1\n",
            files=files,
            devices=("0", "3"),
            says=("S2F778",),
        ),
        Launch(
            "gpus_per_task_of_torchrun",
            f"{FIRST}srun torchrun --nnodes=2 --nproc_per_node=4 {STATIC} devices.py --lr 0.1",
            header="#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=1\n#SBATCH --gpus-per-task=4\n",
            files=files,
            devices=(None, None),
        ),
        Launch(
            "cpu_bind_and_distribution",
            "srun --cpu-bind=cores --distribution=cyclic --hint=nomultithread --threads-per-core=1 python counts.py --lr 0.1",
            header=EACH,
            says=("S2F714",),
        ),
        Launch(
            "placed_by_sbatch",
            "srun python counts.py --lr 0.1",
            header=EACH
            + "#SBATCH --distribution=block:block\n#SBATCH --hint=nomultithread\n#SBATCH --threads-per-core=1\n",
            says=("S2F214",),
        ),
        Launch(
            "switches",
            f"{FIRST}{RUN} {STATIC} train.py --lr 0.1",
            header=ONE + "#SBATCH --switches=1\n",
            stays="S2F214",
        ),
        Launch(
            "switches_ignored",
            f"{FIRST}{RUN} {STATIC} train.py --lr 0.1",
            header=ONE + "#SBATCH --switches=1@10:00\n",
            files={"slurm2flyte.toml": "[options.switches]\nignore = true\n"},
        ),
        Launch(
            "licenses",
            f"{FIRST}{RUN} {STATIC} train.py --lr 0.1",
            header=ONE + "#SBATCH --licenses=ansys:2\n",
            stays="S2F215",
        ),
        Launch(
            "burst_buffer",
            f"{FIRST}{RUN} {STATIC} train.py --lr 0.1",
            header=ONE + '#SBATCH --bb="capacity=10GB"\n',
            stays="S2F232",
        ),
        Launch(
            "requeued",
            f"{FIRST}{RUN} {STATIC} train.py --lr 0.1",
            header=ONE + "#SBATCH --requeue\n",
            says=("S2F779",),
            maintenance=True,
        ),
        Launch(
            "requeued_and_answered",
            f"{FIRST}{RUN} {STATIC} train.py --lr 0.1",
            header=ONE + "#SBATCH --requeue\n",
            files={"slurm2flyte.toml": "[requeue]\nretries = 2\n"},
            maintenance=True,
        ),
        Launch(
            "maintenance_of_the_site",
            f"{FIRST}{RUN} {STATIC} train.py --lr 0.1",
            files={"slurm2flyte.toml": "[requeue]\nhost_maintenance = true\n"},
            maintenance=True,
        ),
        Launch(
            "no_maintenance_of_the_site",
            f"{FIRST}{RUN} {STATIC} train.py --lr 0.1",
            header=ONE + "#SBATCH --requeue\n",
            files={"slurm2flyte.toml": "[requeue]\nhost_maintenance = false\n"},
        ),
        Launch(
            "c10d_of_the_site",
            f"{FIRST}{RUN} {STATIC} train.py --lr 0.1",
            files={"slurm2flyte.toml": '[torchrun]\nrdzv_backend = "c10d"\n'},
            backend="C10D",
        ),
        Launch(
            "static_of_the_site",
            f"{FIRST}{RUN} {MEET} train.py --lr 0.1",
            files={"slurm2flyte.toml": '[torchrun]\nrdzv_backend = "static"\n'},
        ),
    ]


def slots() -> list[Launch]:
    """Lists of nodes that give each its slots."""
    tail = "deepspeed --hostfile hosts --no_local_rank train.py --lr 0.1"
    loop = 'for node in $(scontrol show hostnames "$SLURM_JOB_NODELIST"); do\n  echo "$node slots=%s" >> hosts\ndone\n'
    return [
        Launch("slots_written", loop % "2" + tail, processes=2),
        Launch(
            "slots_of_a_variable", "SLOTS=2\n" + loop % "$SLOTS" + tail, processes=2
        ),
        Launch(
            "slots_by_sed",
            "scontrol show hostnames | sed 's/$/ slots=2/' > hosts\n" + tail,
            processes=2,
        ),
        Launch(
            "slots_not_known",
            loop % "$(cat slots.txt)" + tail,
            says=("S2F780",),
        ),
        Launch("slots_elsewhere", tail, says=("S2F780",)),
        Launch(
            "slots_in_the_file",
            tail,
            files={"hosts": "node1 slots=2\nnode2 slots=2\n"},
            processes=2,
        ),
        Launch(
            "slots_that_differ",
            tail,
            files={"hosts": "node1 slots=2\nnode2 slots=4\n"},
            stays="S2F708",
        ),
        Launch(
            "slots_of_other_nodes",
            tail,
            files={"hosts": "node1 slots=2\nnode2 slots=2\nnode3 slots=2\n"},
            stays="S2F708",
        ),
    ]


def around() -> list[Launch]:
    """What stands around the launcher."""
    tail = "train.py --lr 0.1"
    return [
        Launch(
            "srun_log_of_each",
            "srun --output=%x-%j-%t.out python counts.py --lr 0.1",
            header=EACH,
            says=("S2F709",),
        ),
        Launch(
            "srun_log",
            "srun -o ranks.log python counts.py --lr 0.1",
            header=EACH,
            says=("S2F709",),
        ),
        Launch(
            "conda_hook",
            f'eval "$(conda shell.bash hook)"\nGPUS=4\n{FIRST}srun torchrun --nnodes=2 --nproc_per_node=$GPUS {STATIC} {tail}',
        ),
        Launch(
            "chosen_by_variables",
            f'if [ -z "$SLURM_JOB_ID" ]; then\n  LR=0.2\nelse\n  LR=0.1\nfi\n{FIRST}srun torchrun --nnodes=2 --nproc_per_node=4 {STATIC} train.py --lr $LR',
            asked=True,
        ),
        Launch(
            "chosen_by_files",
            f"if [ ! -d data ]; then\n  tar -xf data.tar\nfi\n{FIRST}{RUN} {STATIC} {tail}",
            stays="S2F706",
        ),
        Launch(
            "timed",
            f"{FIRST}time {RUN} {STATIC} {tail}",
            says=("S2F432",),
        ),
        Launch(
            "deepspeed_in_python",
            "export HOSTNAMES=$(scontrol show hostnames $SLURM_JOB_NODELIST)\npython $FOLDER/deepy.py train.py",
            stays="S2F707",
        ),
        Launch(
            "nodes_counted",
            f'{FIRST}COUNT=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | wc -l)\nsrun -n $COUNT torchrun --nnodes=$COUNT --nproc_per_node=4 {STATIC} {tail}',
            asked=True,
        ),
        Launch(
            "gpus_counted",
            f"{FIRST}GPUS=$(nvidia-smi -L | wc -l)\nsrun torchrun --nnodes=2 --nproc_per_node=$GPUS {STATIC} {tail}",
        ),
        Launch(
            "names_not_read",
            f"{ARRAY}array=($nodes)\n{FIRST}{RUN} {STATIC} {tail}",
            asked=True,
        ),
        Launch(
            "unread_words_of_the_launcher",
            f'set -u\n{FIRST}GPUS=4\nUNREAD="--nproc_per_node $GPUS"\nALL=$((2 * GPUS))\nLR=$(cat lr.txt)\nsrun torchrun --nnodes=2 --nproc_per_node=$GPUS {STATIC} train.py --lr $LR',
            files={"lr.txt": "0.1\n"},
            asked=True,
        ),
        Launch(
            "logs_of_both_streams",
            f"{FIRST}{RUN} {STATIC} {tail} > out.txt 2> err.txt",
            says=("S2F709",),
        ),
        Launch(
            "names_exported",
            f'export HOSTNAMES=$(scontrol show hostnames "$SLURM_JOB_NODELIST")\n{FIRST}{RUN} {STATIC} {tail}',
            says=("S2F761",),
        ),
        Launch(
            "bash_exports",
            f"{FIRST}srun bash -c 'export NOTE=hello && torchrun --nnodes=2 --nproc_per_node=4 --node_rank=$SLURM_PROCID --master_addr=$MASTER_ADDR {tail}'",
            asked=True,
        ),
        Launch(
            "bash_echoes",
            f'{FIRST}srun bash -c "echo start; torchrun --nnodes=2 --nproc_per_node=4 --node_rank=\\$SLURM_PROCID --master_addr=$MASTER_ADDR {tail}"',
            asked=True,
        ),
        Launch(
            "bash_does_more",
            f"{FIRST}srun bash -c 'rm -rf cache; torchrun --nnodes=2 --nproc_per_node=4 --master_addr=$MASTER_ADDR {tail}'",
            stays="S2F708",
        ),
        Launch(
            "bash_sets_up",
            f"{FIRST}srun bash -c 'source /site/env.sh; torchrun --nnodes=2 --nproc_per_node=4 --master_addr=$MASTER_ADDR {tail}'",
            says=("S2F772",),
        ),
        Launch(
            "accelerate_config_file",
            f"{FIRST}srun accelerate launch --config_file conf/two.yaml --machine_rank $SLURM_PROCID --main_process_ip $MASTER_ADDR {tail}",
            files={
                "conf/two.yaml": "distributed_type: MULTI_GPU\nnum_machines: 2\nnum_processes: 8\nmixed_precision: 'no'\n"
            },
        ),
        Launch(
            "accelerate_config_written",
            f"{FIRST}{WRITTEN}srun accelerate launch --config_file ranks.yaml --machine_rank $SLURM_PROCID {tail}",
        ),
        Launch(
            "accelerate_config_and_options",
            f"{FIRST}srun accelerate launch --config_file conf/two.yaml --num_processes 4 {tail}",
            files={
                "conf/two.yaml": "distributed_type: MULTI_GPU\nnum_machines: 2\nnum_processes: 8\n"
            },
            processes=2,
        ),
        Launch(
            "accelerate_config_fsdp",
            f"{FIRST}srun accelerate launch --config_file conf/two.yaml {tail}",
            files={
                "conf/two.yaml": "distributed_type: FSDP\nnum_machines: 2\nnum_processes: 8\n"
            },
            stays="S2F708",
        ),
        Launch(
            "accelerate_config_elsewhere",
            f"{FIRST}srun accelerate launch --config_file /site/two.yaml --num_machines 2 --num_processes 8 {tail}",
            stays="S2F708",
        ),
        Launch(
            "deepspeed_hostfile",
            f"deepspeed --hostfile hosts {tail}",
            local_rank="--local_rank",
        ),
        Launch(
            "deepspeed_numbers",
            f"deepspeed --hostfile=hosts --num_nodes 2 --num_gpus 4 --master_port 6000 {tail}",
            local_rank="--local_rank",
        ),
        Launch(
            "deepspeed_no_local_rank",
            f"{FIRST}deepspeed --num_nodes 2 --num_gpus 4 --no_local_rank --launcher pdsh {tail}",
        ),
        Launch(
            "deepspeed_list_written",
            f'HOSTS=hosts_$SLURM_JOB_ID\nfor node in $(scontrol show hostnames "$SLURM_JOB_NODELIST"); do\n  echo "$node slots=4" >> $HOSTS\ndone\ndeepspeed --hostfile $HOSTS {tail}\nrm $HOSTS',
            local_rank="--local_rank",
        ),
        Launch(
            "deepspeed_module",
            "deepspeed --hostfile hosts --no_local_rank --module pack.train --lr 0.1",
        ),
        Launch(
            "deepspeed_some_gpus",
            f"deepspeed --hostfile hosts --include node1:0,1 {tail}",
            stays="S2F708",
        ),
        Launch(
            "deepspeed_list_and_more",
            f"HOSTS=hosts\nsed s/a/$(hostname)/ conf.in > conf.json\ndeepspeed --hostfile $HOSTS {tail}",
            stays="S2F706",
        ),
        Launch(
            "launch_local_rank",
            f"{FIRST}srun python -m torch.distributed.launch --nnodes=2 --nproc_per_node=4 {STATIC} {tail}",
            local_rank="--local_rank",
            says=("S2F762",),
        ),
        Launch(
            "launch_local_dash_rank",
            f"{FIRST}srun python -m torch.distributed.launch --nnodes=2 --nproc_per_node=4 {STATIC} dash.py --lr 0.1",
            files={"dash.py": PROGRAM + "OPTION = '--local-rank'\n"},
            local_rank="--local-rank",
        ),
        Launch(
            "launch_local_rank_bash",
            f"{FIRST}srun bash -c 'python -m torch.distributed.launch --nnodes=2 --nproc_per_node=4 --master_addr=$MASTER_ADDR {tail}'",
            local_rank="--local_rank",
        ),
        Launch(
            "loop_over_numbers",
            f'{ARRAY}for ((i = 0; i < SLURM_NNODES; i++)); do\n  srun -N1 -n1 -w "${{nodes[$i]}}" {LOOPED} &\ndone\nwait',
            asked=True,
        ),
        Launch(
            "loop_over_range",
            f'{ARRAY}for i in {{0..1}}; do\n  srun -N 1 -n 1 -w "${{nodes[$i]}}" {LOOPED} > rank_$i.log 2>&1 &\n  sleep 1\ndone\nwait',
            says=("S2F709",),
        ),
        Launch(
            "loop_over_names",
            f"i=0\nfor node in $(scontrol show hostnames); do\n  srun -N1 -n1 -w $node torchrun --nnodes=2 --nproc_per_node=4 --node_rank=$i --master_addr=$(hostname) {tail} &\n  i=$((i + 1))\ndone\nwait",
            asked=True,
        ),
        Launch(
            "loop_without_wait",
            f'{ARRAY}for i in 0 1; do\n  srun -N1 -n1 -w "${{nodes[$i]}}" {LOOPED} &\ndone',
            stays="S2F708",
        ),
        Launch(
            "loop_of_different_ranks",
            f'{ARRAY}for i in 0 1; do\n  srun -N1 -n1 -w "${{nodes[$i]}}" {LOOPED} --seed $i &\ndone\nwait',
            stays="S2F708",
        ),
        Launch(
            "dask_by_hand",
            "dask-scheduler &\nsrun dask-worker $(hostname):8786 &\npython run.py $(hostname):8786",
            stays="S2F764",
        ),
        Launch(
            "dask_by_ssh",
            "for host in $(scontrol show hostnames); do\n  ssh $host dask-worker $(hostname):8786 &\ndone\npython run.py",
            stays="S2F764",
        ),
        Launch(
            "ray_by_scripts",
            f'{ARRAY}srun -N1 -n1 -w "${{nodes[0]}}" start-head.sh &\nfor i in 1; do\n  srun -N1 -n1 -w "${{nodes[$i]}}" start-worker.sh &\ndone\npython run.py',
            stays="S2F764",
        ),
        Launch(
            "composer",
            f"{FIRST}srun composer --nproc 4 --world_size 8 --node_rank $SLURM_NODEID --master_addr $MASTER_ADDR --master_port 29500 {tail}",
        ),
        Launch(
            "options_in_an_array",
            f'{FIRST}ARGS=(--kill-on-bad-exit=1 --export=ALL,NOTE=hello)\nRUN=(--nnodes=2 --nproc_per_node=4)\nsrun "${{ARGS[@]}}" torchrun "${{RUN[@]}}" {STATIC} {tail}',
            asked=True,
        ),
        Launch(
            "options_or_none",
            f'{FIRST}RESUME=""\nif [ -d /site ]; then\n  RESUME="--kill-on-bad-exit=1"\nfi\nsrun $RESUME torchrun --nnodes=2 --nproc_per_node=4 {STATIC} {tail}',
            asked=True,
        ),
        Launch(
            "gpus_chosen_by_slurm",
            f'{FIRST}if [ -z "$SLURM_NNODES" ]; then\n  GPUS=1\nelse\n  GPUS=4\nfi\nsrun torchrun --nnodes=2 --nproc_per_node=$GPUS {STATIC} {tail}',
            asked=True,
        ),
        Launch(
            "role_of_the_host",
            f'{FIRST}LAUNCHER="torchrun --nnodes 2 --nproc_per_node 4 --role `hostname -s`: --tee 3"\nCMD="{tail}"\nsrun bash -c "$LAUNCHER --node_rank \\$SLURM_PROCID --master_addr $MASTER_ADDR $CMD"',
            asked=True,
        ),
        Launch(
            "infiniband",
            f"{FIRST}export NCCL_IB_HCA=mlx5_0\n{RUN} {STATIC} {tail}",
            says=("S2F705", "S2F768"),
        ),
        Launch(
            "infiniband_by_feature",
            f"{FIRST}{RUN} {STATIC} {tail}",
            header=ONE + "#SBATCH --constraint=infiniband\n",
            says=("S2F768",),
        ),
        Launch(
            "spark_by_hand",
            '"$SPARK_HOME/sbin/start-master.sh"\nsrun $SPARK_HOME/sbin/start-worker.sh spark://$(hostname):7077 &\npython run.py',
            stays="S2F764",
        ),
        Launch(
            "larger_than_the_cluster",
            f"{FIRST}{RUN} {STATIC} {tail}",
            files={"slurm2flyte.toml": "[limits]\ncluster_gpus = 7\n"},
            stays="S2F763",
        ),
        Launch(
            "as_large_as_the_cluster",
            f"{FIRST}{RUN} {STATIC} {tail}",
            files={"slurm2flyte.toml": "[limits]\ncluster_gpus = 8\n"},
        ),
        Launch(
            "array_of_ranks",
            f"{FIRST}{RUN} {STATIC} {tail}",
            header=ONE + "#SBATCH --array=0-3\n",
        ),
        Launch(
            "loop_one_after_another",
            f'{ARRAY}for i in 0 1; do\n  srun -N1 -n1 -w "${{nodes[$i]}}" {LOOPED}\ndone\nwait',
            stays="S2F708",
        ),
    ]


# What a rank started by srun alone and one of torchrun both have.
OWN = r"""\
import json, os, sys
import torch_free_of_mpi
seen = {name: os.environ.get(name) for name in ("RANK", "LOCAL_RANK", "NOTE")}
os.write(1, (json.dumps({"args": sys.argv[1:], **seen}) + "\n").encode())
"""
ON_A_NODE = r"""#!/bin/bash
# one a node
set -x
GPUS=4
echo "on $(hostname)"
export NOTE=hello
torchrun --nnodes=$SLURM_NNODES --nproc_per_node=$GPUS --node_rank=$SLURM_NODEID \
  --master_addr=$2 --master_port=29500 $1 --lr 0.1
"""
ON_A_RANK = r"""#!/bin/bash
export RANK=$SLURM_PROCID
export LOCAL_RANK=$SLURM_LOCALID
if [ "$RANK" = 0 ]; then export NOTE=first; fi
python own.py "$@"
"""
IN_TEXT = (
    'export LR="--lr $(cat lr.txt)"\n'
    'export CMD="train.py $LR"\n'
    'export LAUNCHER="torchrun --nnodes 2 --nproc_per_node 4 --master_addr $MASTER_ADDR --master_port 29500"\n'
)


ALONE = IN_TEXT.splitlines(keepends=True)[-1]
CHOSEN = "round=2\nsource site.sh\nif [[ $round == 1 ]]; then lr=0.2\nelif [[ $round == 2 ]]; then lr=0.1\nfi\n"


def shells() -> list[Launch]:
    """srun starts a shell on each node, with a text or a script beside this one."""
    tail = "train.py --lr 0.1"
    own = {"own.py": OWN}
    return [
        Launch(
            "bash_rank",
            'srun bash -c "python counts.py --lr 0.1"',
            header=EACH,
            asked=True,
        ),
        Launch(
            "bash_rank_exports",
            "srun bash -c 'export RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID NOTE=hello; python own.py --lr 0.1'",
            header=EACH,
            files=own,
            asked=True,
        ),
        Launch(
            "bash_rank_absent",
            "srun bash -c 'export RANK=$SLURM_PROCID; python silent.py --lr 0.1'",
            header=EACH,
            files={"silent.py": SILENT},
            says=("S2F760",),
        ),
        Launch(
            "bash_login_shell",
            f"{FIRST}srun bash -l -c 'torchrun --nnodes=2 --nproc_per_node=4 --node_rank=$SLURM_PROCID --master_addr=$MASTER_ADDR {tail}'",
        ),
        Launch(
            "script_on_a_node",
            f"{FIRST}srun bash launch.sh train.py $MASTER_ADDR",
            files={"launch.sh": ON_A_NODE},
            asked=True,
        ),
        Launch(
            "script_of_other_arguments",
            f"{FIRST}srun bash launch.sh 'a file.py' $MASTER_ADDR",
            files={"launch.sh": ON_A_NODE},
            stays="S2F708",
        ),
        Launch(
            "script_on_a_rank",
            "srun bash rank.sh --lr 0.1",
            header=EACH,
            files={"rank.sh": ON_A_RANK, **own},
            asked=True,
        ),
        Launch(
            "script_that_calls_srun",
            "srun bash rank.sh --lr 0.1",
            header=EACH,
            files={"rank.sh": ON_A_RANK + "srun hostname\n", **own},
            stays="S2F702",
        ),
        Launch(
            "text_with_computed_words",
            f"{FIRST}{IN_TEXT}srun bash -c '$LAUNCHER --node_rank $SLURM_PROCID $CMD'",
            files={"lr.txt": "0.1\n"},
            asked=True,
        ),
        Launch(
            "file_of_all_ranks",
            f'{FIRST}{ALONE}{CHOSEN}cat <<EOT > conf.json\n{{"lr": $lr}}\nEOT\nexport CMD="`pwd`/train.py --lr $lr"\nsrun bash -c \'$LAUNCHER --node_rank $SLURM_PROCID $CMD\'',
            files={"lr.txt": "0.1\n"},
            says=("S2F781",),
            asked=True,
        ),
        Launch(
            "file_that_is_added_to",
            f"{FIRST}{IN_TEXT}echo one >> $(basename conf.json)\nsrun bash -c '$LAUNCHER --node_rank $SLURM_PROCID $CMD'",
            files={"lr.txt": "0.1\n"},
            stays="S2F706",
        ),
        Launch(
            "text_with_computed_words_and_local_rank",
            f"{FIRST}{IN_TEXT.replace('torchrun', 'python -u -m torch.distributed.launch')}srun bash -c '$LAUNCHER --node_rank $SLURM_PROCID $CMD'",
            files={"lr.txt": "0.1\n"},
            local_rank="--local_rank",
            says=("S2F762",),
        ),
        Launch(
            "double_quoted_text_and_local_rank",
            f'{FIRST}{IN_TEXT.replace("torchrun", "python -u -m torch.distributed.launch")}srun bash -c "$LAUNCHER --node_rank \\$SLURM_PROCID $CMD"',
            files={"lr.txt": "0.1\n"},
            stays="S2F708",
        ),
        Launch(
            "double_quoted_text_with_computed_words",
            f'{FIRST}{IN_TEXT}srun bash -c "$LAUNCHER --node_rank \\$SLURM_PROCID $CMD" 2>&1 | tee log',
            files={"lr.txt": "0.1\n"},
            says=("S2F709",),
            asked=True,
        ),
        Launch(
            "mpi_wires_of_torchrun",
            f"{FIRST}srun --mpi=pmix torchrun --nnodes=2 --nproc_per_node=4 {STATIC} {tail}",
        ),
        Launch(
            "torchrun_in_a_container",
            f"{FIRST}srun singularity exec --nv -B /data image.sif torchrun --nnodes=2 --nproc_per_node=4 {STATIC} {tail}",
            says=("S2F520",),
        ),
        Launch(
            "bash_in_a_container",
            f"{FIRST}srun apptainer exec --nv docker://site/torch:1 bash -c 'torchrun --nnodes=2 --nproc_per_node=4 --node_rank=$SLURM_PROCID --master_addr=$MASTER_ADDR {tail}'",
        ),
    ]


# Says that the first node does it once.
PREPARE = "import pathlib\npathlib.Path('staged.py').write_text(pathlib.Path('train.py').read_text())\n"


def once() -> list[Launch]:
    """Work that the script does once, before its ranks or behind them."""
    return [
        Launch(
            "copied_before",
            f"{FIRST}cp train.py staged.py\n{RUN} {STATIC} staged.py --lr 0.1",
            says=("S2F773",),
            asked=True,
        ),
        Launch(
            "prepared_before",
            f"{FIRST}python prepare.py\n{RUN} {STATIC} staged.py --lr 0.1",
            files={"prepare.py": PREPARE},
            says=("S2F773",),
            asked=True,
        ),
        Launch(
            "text_written_before",
            f"{FIRST}cat > conf.json <<EOF\n{{}}\nEOF\n{RUN} {STATIC} train.py --lr 0.1",
            says=("S2F773",),
            asked=True,
        ),
        Launch(
            "reported_behind",
            f"{FIRST}{RUN} {STATIC} train.py --lr 0.1\ncp train.py copy.py",
            says=("S2F774",),
            asked=True,
        ),
        Launch(
            "read_before",
            f"{FIRST}LR=$(cat lr.txt)\nPYTHON=$(which python)\n{RUN} {STATIC} train.py --lr $LR",
            files={"lr.txt": "0.1\n"},
            asked=True,
        ),
        Launch(
            "ends_without_a_file",
            f'{FIRST}if [ ! -f train.py ]; then\n  echo "no program"\n  exit 1\nfi\n{RUN} {STATIC} train.py --lr 0.1',
            asked=True,
        ),
        Launch(
            "sourced_in_each_rank",
            f"{FIRST}source ./env.sh\n{RUN} {STATIC} train.py --lr $LR",
            files={"env.sh": "export NOTE=hello\nLR=0.1\n"},
            asked=True,
        ),
        Launch(
            "time_of_a_log",
            f"{FIRST}NOW=$(date +%s)\n{RUN} {STATIC} train.py --lr 0.1 | tee log-$NOW",
            says=("S2F709",),
            asked=True,
        ),
        Launch(
            "failure_answered",
            f'{FIRST}fail() {{\n  echo "$1" >&2\n  exit 1\n}}\n{RUN} {STATIC} train.py --lr 0.1 || fail "no luck"',
            asked=True,
        ),
        Launch(
            "failure_answered_by_work",
            f"{FIRST}{RUN} {STATIC} train.py --lr 0.1 || python other.py",
            stays="S2F708",
        ),
        Launch(
            "another_time_in_each_rank",
            f"{FIRST}NOW=$(date +%s)\n{RUN} {STATIC} train.py --lr $NOW",
            stays="S2F706",
        ),
    ]


def launches() -> list[Launch]:
    """All of them."""
    return [
        *torchrun(),
        *distributed(),
        *itself(),
        *signs(),
        *jax(),
        *bound(),
        *slots(),
        *around(),
        *shells(),
        *once(),
        *stays(),
    ]
