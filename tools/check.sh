#!/usr/bin/env bash
# The repository checks of `make check`. All run, also after one failed.
set -uo pipefail
cd "$(dirname "$0")/.."
python=build/venv/bin/python
[[ -x $python ]] || python=python3
failed=0

compile_commands=build/release/compile_commands.json
$python tools/check_layers.py || failed=1
$python tools/check_plan.py || failed=1
$python tools/check_budgets.py || failed=1
if [[ -f $compile_commands ]]; then
  $python tools/check_tests.py --compile-commands $compile_commands || failed=1
else
  $python tools/check_tests.py || failed=1
fi
if $python -c 'import mypy, ruff' 2>/dev/null; then
  $python -m mypy --cache-dir build/mypy_cache python/lookalike || failed=1
  $python -m ruff check --quiet --no-cache python/lookalike tests/python tests/spark \
    tools/generate_python_*.py || failed=1
  echo "python: types and style checked"
else
  echo "python: no mypy or no ruff; run 'make setup'" >&2
  failed=1
fi
if command -v clang-format-16 >/dev/null; then
  mapfile -t unformatted < <(
    find src include server cli fuzz tests \( -name '*.cc' -o -name '*.h' \) -type f -print0 | sort -z |
      xargs -0 -P "$(nproc)" -n 20 clang-format-16 --dry-run 2>&1 |
      sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: .*/\1/p' | sort -u
  )
  ((${#unformatted[@]})) && failed=1 && printf '%s: not formatted\n' "${unformatted[@]}" >&2
  echo "format: ${#unformatted[@]} files to format (make format)"
else
  echo "format: no clang-format-16; run 'make setup'" >&2
  failed=1
fi
exit $failed
