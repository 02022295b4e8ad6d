#!/usr/bin/env bash
# Runs the fuzz targets of build/fuzz for some time each, as many at once as there are processors.
# What they find new is kept in build/fuzz/found for the next run; an input that breaks a target
# is left in build/fuzz/broken. Exit code 0 only when none was found.
# Usage: tools/fuzz.sh SECONDS [NAME...]     NAME: a fuzz/NAME_fuzzer.cc; all of them without
set -uo pipefail
cd "$(dirname "$0")/.."
readonly seconds=${1:?expected the seconds that each target runs}
readonly folder=build/fuzz
shift
targets=("$@")
if ((!${#targets[@]})); then
  for source in fuzz/*_fuzzer.cc; do
    name=$(basename "$source" _fuzzer.cc)
    targets+=("$name")
  done
fi

# libarrow is not instrumented: containers that it has changed look broken to the sanitizer.
export ASAN_OPTIONS=detect_container_overflow=0:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1
export seconds folder

fuzz() {  # NAME
  local log=$folder/$1.log
  mkdir -p "$folder/found/$1" "$folder/broken"
  if "$folder/bin/$1_fuzzer" -max_total_time="$seconds" -max_len=8192 -rss_limit_mb=3000 -timeout=60 \
    -artifact_prefix="$folder/broken/$1-" "$folder/found/$1" "fuzz/corpus/$1" >"$log" 2>&1; then
    printf '%-12s %s\n' "$1" "$(grep -a 'DONE' "$log" | tail -n 1)"
  else
    printf '%s: broken; the whole log is %s\n' "$1" "$log" >&2
    grep -a 'a law is broken\|ERROR:\|runtime error\|Test unit written' "$log" >&2
    return 1
  fi
}
export -f fuzz

printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz {}'
