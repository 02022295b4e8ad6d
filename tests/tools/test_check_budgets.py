"""check_budgets.py measures files and functions, and fails beyond the budgets."""

from __future__ import annotations

import pytest

BOTH = pytest.mark.parametrize("scan", [[], ["--no-ctags"]], ids=["ctags", "braces"])


def function(name: str, lines: int) -> str:
    """A C++ function of so many lines."""
    return f"int {name}(int x) {{\n" + "  if (x) { x += '}'; }  // }\n" * (lines - 2) + "}\n"


@BOTH
def test_small_code_passes_and_is_counted(tool, tree, scan):
    code = (
        "namespace a {\nstruct S {\n  S() : x{1} {}\n  int x;\n};\n"
        'const char* k = R"({{{)";\n' + function("f", 45) + function("g", 3) + "}\n"
    )
    done = tool("check_budgets.py", "--root", tree({"src/a.cc": code}), *scan)
    assert done.returncode == 0, done.stdout
    assert "1 files, 95 % have at most 55 lines" in done.stdout
    assert "3 functions, 95 % have at most 45 lines" in done.stdout


@BOTH
def test_a_function_over_the_budget_fails(tool, tree, scan):
    done = tool("check_budgets.py", "--root", tree({"src/a.cc": "\n" + function("f", 61)}), *scan)
    assert done.returncode == 1
    assert "src/a.cc:2: a function of 61 lines" in done.stdout


@BOTH
def test_three_in_a_hundred_long_functions_fail(tool, tree, scan):
    def code(long: int) -> str:
        return "".join(function(f"f{i}", 61 if i < long else 3) for i in range(100))

    assert tool("check_budgets.py", "--root", tree({"src/a.cc": code(3), "src/b.cc": ""}), *scan).returncode == 1
    small = {f"src/{name}.cc": "" for name in "bcdefghijklmnopqrstu"}
    assert tool("check_budgets.py", "--root", tree({"src/a.cc": code(2), **small}), *scan).returncode == 0


def test_a_file_over_the_budget_fails_and_tables_do_not_count(tool, tree):
    root = tree({"src/table.inc": "1,\n" * 5000, "web/node_modules/x.js": "x\n" * 5000, "src/a.cc": "\n" * 600})
    assert tool("check_budgets.py", "--root", root).returncode == 0
    done = tool("check_budgets.py", "--root", tree({"src/a.cc": "\n" * 601}))
    assert done.returncode == 1
    assert "src/a.cc: 601 lines" in done.stdout


def test_python_functions_count(tool, tree):
    done = tool("check_budgets.py", "--root", tree({"tools/a.py": "def f():\n" + "    x = 1\n" * 60}))
    assert done.returncode == 1
    assert "tools/a.py:1: a function of 61 lines" in done.stdout
