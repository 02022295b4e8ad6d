#!/bin/sh
# Removes near-duplicates with several processes on this machine, or with PARALLEL options such as
# --sshloginfile on several.
#
#   examples/shards/parallel.sh JOB TASKS
#
# after: lookalike shard plan corpus/*.jsonl.zst -o clean --job JOB
set -eu
job=$1 tasks=$2
for stage in fingerprint survey count join sets verify decide write; do
  # A task that fails is run again, twice at most; all tasks end before the next stage begins.
  seq 0 "$((tasks - 1))" | parallel --halt soon,fail=1 --retries 3 \
    lookalike shard run "$job" "$stage" --quiet --task "{}/$tasks"
done
