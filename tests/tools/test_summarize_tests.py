"""summarize_tests.py adds up runners, and trusts none that ran nothing."""

from __future__ import annotations

import pytest

CASES = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b"><failure message="x"/></testcase>
<testcase name="c"><skipped/></testcase><testcase name="d" status="notrun"/>
</testsuite></testsuites>"""
PASSED = '<testsuite><testcase name="a" status="run"/></testsuite>'


def last_line(done) -> str:
    """What the summary closes with."""
    return done.stdout.splitlines()[-1]


def test_tests_of_all_runners_are_summed(tool, tree):
    root = tree({"cpp/a.xml": CASES, "cpp/b.xml": PASSED, "web/n.xml": PASSED})
    done = tool("summarize_tests.py", root, "cpp:1", "web:0", "checks=0")
    assert last_line(done) == "4 passed, 1 failed, 2 skipped"
    assert done.returncode == 1


def test_all_passed_is_success(tool, tree):
    done = tool("summarize_tests.py", tree({"cpp/b.xml": PASSED}), "cpp:0", "checks=0")
    assert (last_line(done), done.returncode) == ("2 passed, 0 failed", 0)


@pytest.mark.parametrize(
    ("files", "runner", "problem"),
    [
        ({"cpp/a.xml": "<testsuite/>"}, "cpp:0", "ran no test"),
        ({}, "cpp:0", "ran no test"),
        ({"cpp/a.xml": PASSED}, "cpp:139", "ended with code 139"),
        ({"cpp/a.xml": "<testsuite><testca"}, "cpp:0", "a.xml is not readable"),
    ],
)
def test_a_runner_that_cannot_be_trusted_is_a_failure(tool, tree, files, runner, problem):
    done = tool("summarize_tests.py", tree(files), runner)
    assert done.returncode == 1
    assert problem in done.stdout
    assert last_line(done).endswith("1 failed")


def test_a_failed_check_is_a_failure(tool, tree):
    done = tool("summarize_tests.py", tree({}), "checks=1")
    assert (last_line(done), done.returncode) == ("0 passed, 1 failed", 1)
