#!/usr/bin/env bash
# What `make test` and `make test-full` run: install, build, every runner, then where the time went
# and one line 'N passed, N failed'. A failed runner does not keep the next one from running;
# a failed build does. Exit code 0 only when every runner ran tests and none failed.
# Usage: tools/test.sh quick|full
set -uo pipefail
cd "$(dirname "$0")/.."
readonly mode=${1:?expected quick or full}
readonly reports=$PWD/build/junit
readonly step=tools/timed_step.sh
export UBSAN_OPTIONS=print_stacktrace=1
# A report ends a test with exit code 66. A suppression only works if the stacks of both accesses
# can be restored, which takes a long history.
export TSAN_OPTIONS="halt_on_error=0 history_size=7 suppressions=$PWD/tests/tsan.supp"
runners=()

finish() {
  printf '\nWhere the time went\n'
  $step --table
}

must() {  # NAME COMMAND...
  $step "$@" && return
  printf '\n%s failed; nothing after it was run\n' "$1"
  finish
  if [[ -x build/venv/bin/python ]]; then
    build/venv/bin/python tools/summarize_tests.py "$reports" "${runners[@]}" "$1=1"
  else
    echo "0 passed, 1 failed"
  fi
  exit 1
}

run() {  # NAME COMMAND... : a runner that writes JUnit files into build/junit/NAME
  mkdir -p "$reports/$1"
  $step "$@"
  runners+=("$1:$?")
}

replays() {  # NAME PRESET: the fuzz targets of one build over their seeds
  mkdir -p "$reports/$1"
  run "$1" ctest --test-dir "build/$2" -j "$(nproc)" -R '^fuzz_replay_' --output-on-failure --no-tests=error \
    --output-junit "$reports/$1/replays.xml"
}

check() {  # NAME COMMAND... : a runner that only passes or fails
  $step "$@"
  runners+=("$1=$?")
}

gtests() {  # NAME PRESET: the GoogleTest binaries of one build
  run "$1" env GTEST_OUTPUT="xml:$reports/$1/" GTEST_BRIEF=1 \
    ctest --test-dir "build/$2" -j "$(nproc)" -E '^fuzz_replay_' --output-on-failure --no-tests=error
}

rm -rf "$reports"
$step --reset
must install make --no-print-directory setup
must build make --no-print-directory build
must build-tests make --no-print-directory build-tests
must wheel make --no-print-directory wheel
# Sphinx and notebooks: the site and its notebooks are slow tests.
if [[ $mode == full ]]; then must docs-packages make --no-print-directory docs-setup; fi
check checks make --no-print-directory check
gtests cpp release
replays fuzz-replay release
if [[ $mode == full ]]; then
  marks=()
  export LOOKALIKE_LOAD_REQUESTS=1000000 LOOKALIKE_LOAD_DOCUMENTS=10000  # 20 to 45 minutes
else
  marks=(-m "not slow")
fi
run python build/venv/bin/python -m pytest -q -n "$(nproc)" --dist loadfile "${marks[@]}" --junitxml="$reports/python/pytest.xml"
run web make --no-print-directory web-test REPORT="$reports/web/node.xml"
must build-asan make --no-print-directory build-asan
gtests asan asan
if [[ $mode == full ]]; then
  must build-tsan make --no-print-directory build-tsan
  gtests tsan tsan
  must build-fuzz make --no-print-directory build-fuzz
  check fuzz bash tools/fuzz.sh 60
  check neon bash tools/test_neon.sh
fi
finish
build/venv/bin/python tools/summarize_tests.py "$reports" "${runners[@]}"
