"""check_plan.py accepts a sound tree and names each breach of the plan."""

from __future__ import annotations

import pytest

GOOD = {
    "src/layers.txt": "flow:\nstages/input: flow\n",
    "ARCHITECTURE.md": "| folder | what |\n| `src/flow/` | structs |\n| `src/stages/*/` | steps |\n",
    "src/options/options_table.cc": 'OptionRow{\n    "threads", "see --threshold"};\n',
    "src/io/object_store.cc": "void End() { _exit(2); }\n",
    "cli/command_line.cc": 'ArgumentRow{"--by", "FIELD"};\n',
    "src/flow/d.cc": 'const char* s = "give $<threads=8>, $<by> or $<config>; it costs $<5>";\n',
    "src/flow/a.h": '#include "flow/b.h"\n/// Returns a number.\nint A();\n',
    "src/flow/b.h": '#include "flow/a.h"\n// throw is a word of comments, and "--flag" too.\n',
    "src/flow/a_test.cc": 'const char* flag = "--threads"; void Bad() { throw 1; }\n',
    "src/flow/c.cc": 'const char* line = "a -- b<!--"; const char* dashes = "x--y";\n',
}


def test_a_sound_tree_passes(tool, tree):
    done = tool("check_plan.py", "--root", tree(GOOD))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("path", "content", "message"),
    [
        ("src/flow/b.h", '#include "flow/d.h"\n', "in a circle: flow/a, flow/b, flow/d"),
        ("src/flow/bad.cc", "void F() {\n  throw 1;\n}\n", "src/flow/bad.cc:2: throw"),
        ("src/flow/bad.cc", 'auto x = getenv("HOME");\n', "src/flow/bad.cc:1: getenv"),
        ("src/flow/bad.cc", "void F() { _exit(1); }\n", "src/flow/bad.cc:1: _exit"),
        ("src/flow/bad.cc", '\nconst char* s = "give --threads";\n', "src/flow/bad.cc:2: a string names a flag"),
        ("src/flow/bad.cc", 'const char* s = R"(give --memory)";\n', "src/flow/bad.cc:1: a string names a flag"),
        ("src/flow/bad.cc", 'auto s = "--" + name;', "src/flow/bad.cc:1: a string names a flag"),
        ("src/flow/bad.cc", 'const char* s = "give $<treshold>";\n', "$<treshold> marks no option"),
        ("src/flow/bad.h", "/// Whether it is empty.\n", "src/flow/bad.h:1: the comment begins with a half"),
        ("src/flow/bad.h", "int x;  ///< What it is.\n", "src/flow/bad.h:1: the comment begins with a half"),
        ("ARCHITECTURE.md", "| `src/stages/*/` | steps |\n", "the table of folders lacks src/flow"),
        ("ARCHITECTURE.md", GOOD["ARCHITECTURE.md"] + "| `src/gone/` | x |\n", "has src/gone, which layers.txt has not"),
        ("tests/bad.h", "// Of a run.\n", "tests/bad.h:1: the comment begins with a half"),
    ],
)
def test_each_breach_is_named(tool, tree, path, content, message):
    files = {**GOOD, "src/flow/d.h": '#include "flow/a.h"\n', path: content}
    done = tool("check_plan.py", "--root", tree(files))
    assert done.returncode == 1
    assert message in done.stderr
