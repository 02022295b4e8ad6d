#!/bin/sh
# Removes near-duplicates with an array of Slurm tasks for each stage; each array waits for the one
# before. All paths are on a file system that all nodes see.
#
#   examples/shards/slurm.sh JOB TASKS
#
# after: lookalike shard plan corpus/*.jsonl.zst -o clean --job JOB
# SBATCH names the command that submits, with its options ("sbatch --partition=short").
set -eu
job=$1 tasks=$2
after=
for stage in fingerprint survey count join sets verify decide write; do
  id=$(${SBATCH:-sbatch} --parsable $after --array="0-$((tasks - 1))" --requeue \
    --wrap="lookalike shard run '$job' $stage --quiet --task \$SLURM_ARRAY_TASK_ID/$tasks")
  after="--dependency=afterok:$id"
done
echo "$id"
