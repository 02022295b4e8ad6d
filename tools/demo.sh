#!/usr/bin/env bash
# Removes near-duplicates from INPUT (the committed PEP texts without one) and says what came of it.
# Usage: tools/demo.sh [INPUT]
set -euo pipefail
cd "$(dirname "$0")/.."
readonly input=${1:-tests/data/peps/peps.jsonl.zst}
readonly demo=build/demo
readonly lookalike=build/release/bin/lookalike
mkdir -p "$demo"

# 1 and 3 are results too: nothing found; done, but some records were rejected.
run() {
  printf '\n$ lookalike %s\n' "$*" >&2
  local status=0
  "$lookalike" "$@" || status=$?
  ((status == 0 || status == 1 || status == 3)) || exit "$status"
}

run dedup "$input" -o "$demo/out" --overwrite
if [[ -z ${1:-} ]]; then
  run pairs "$input" -o "$demo/pairs.jsonl"
  run eval "$demo/pairs.jsonl" --truth tests/data/peps/peps.truth.jsonl.zst --json \
    >"$demo/eval.json"
  build/venv/bin/python tools/describe_result.py "$demo/out" --evaluation "$demo/eval.json"
else
  build/venv/bin/python tools/describe_result.py "$demo/out"
fi
