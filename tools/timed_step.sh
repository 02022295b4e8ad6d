#!/usr/bin/env bash
# Runs a command as a named step and notes in build/timings.tsv how long it took and how it ended:
#   tools/timed_step.sh NAME COMMAND...     exits as COMMAND does
#   tools/timed_step.sh --reset             starts a new table
#   tools/timed_step.sh --table             prints the table: step, seconds, exit code
set -uo pipefail
cd "$(dirname "$0")/.."
readonly table=${LOOKALIKE_TIMINGS:-build/timings.tsv}

case ${1:-} in
  --reset)
    mkdir -p "$(dirname "$table")"
    : >"$table"
    ;;
  --table)
    awk -F'\t' '
      BEGIN { printf "%-24s %8s  %s\n", "step", "seconds", "exit" }
      { printf "%-24s %8.1f  %s\n", $1, $2, $3; total += $2 }
      END { printf "%-24s %8.1f\n", "total", total }' "$table"
    ;;
  ''|-*)
    echo "timed_step.sh: expected NAME COMMAND..., --reset or --table" >&2
    exit 2
    ;;
  *)
    name=$1
    shift
    printf '\n== %s: %s\n' "$name" "$*" >&2
    begin=$(date +%s.%N)
    "$@" </dev/null
    status=$?
    end=$(date +%s.%N)
    mkdir -p "$(dirname "$table")"
    awk -v n="$name" -v b="$begin" -v e="$end" -v s="$status" \
      'BEGIN { printf "%s\t%.1f\t%d\n", n, e - b, s }' >>"$table"
    exit $status
    ;;
esac
