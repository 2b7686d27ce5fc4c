#!/bin/bash
#SBATCH --job-name=count
#SBATCH --nodes=3
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=32G
#SBATCH --time=01:00:00

export SPARK_WORKER_CORES=$SLURM_CPUS_PER_TASK
MASTER=spark://$(hostname):7077

$SPARK_HOME/sbin/start-master.sh
srun $SPARK_HOME/sbin/start-worker.sh $MASTER &
sleep 15

spark-submit --master $MASTER --executor-cores 4 --executor-memory 8g \
    --conf spark.sql.shuffle.partitions=12 count.py --numbers 1000

$SPARK_HOME/sbin/stop-all.sh
