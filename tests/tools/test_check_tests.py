"""check_tests.py finds tests that nothing runs."""

from __future__ import annotations

import json

import pytest

CMAKE = """
file(GLOB core_tests CONFIGURE_DEPENDS
  ${CMAKE_SOURCE_DIR}/src/kernels/*_test.cc oracle/*_test.cc)
add_executable(core_tests ${core_tests})
file(GLOB forgotten CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/forgotten/*_test.cc)
"""
GOOD = {
    "tests/CMakeLists.txt": CMAKE,
    "src/kernels/a_test.cc": "",
    "tests/oracle/b_test.cc": "",
    "tests/cli/test_c.py": "def test_c(): pass\n",
    "tests/cli/conftest.py": "def helper(): pass\n",
    "web/report/package.json": '{"scripts": {"test": "node --test"}}',
    "web/report/test/d.test.mjs": "",
    "web/report/node_modules/e.test.ts": "",
}


def test_a_tree_whose_tests_all_run_passes(tool, tree):
    done = tool("check_tests.py", "--root", tree(GOOD))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("path", "content", "message"),
    [
        ("src/io/x_test.cc", "", "src/io/x_test.cc: in no target"),
        ("src/kernels/deep/x_test.cc", "", "src/kernels/deep/x_test.cc: in no target"),
        ("src/forgotten/x_test.cc", "", "src/forgotten/x_test.cc: in no target"),
        ("tools/test_x.py", "", "pytest looks only below tests/"),
        ("tests/other/test_c.py", "", "has the same name"),
        ("tests/cli/checks.py", "def test_x(): pass\n", "test_x is never run"),
        ("web/report/test/x.test.ts", "", "x.test.ts: not run by 'node --test'"),
        ("web/report/package.json", '{"scripts": {}}', "d.test.mjs: not run by"),
    ],
)
def test_each_orphan_is_named(tool, tree, path, content, message):
    done = tool("check_tests.py", "--root", tree({**GOOD, path: content}))
    assert done.returncode == 1
    assert message in done.stderr


def test_a_build_that_does_not_compile_a_test_is_named(tool, tree):
    root = tree(GOOD)
    commands = root / "commands.json"
    entries = [{"directory": str(root), "file": "src/kernels/a_test.cc"}]
    commands.write_text(json.dumps(entries))
    done = tool("check_tests.py", "--root", root, "--compile-commands", commands)
    assert done.returncode == 1
    assert "tests/oracle/b_test.cc: not compiled" in done.stderr
    assert "a_test.cc" not in done.stderr
