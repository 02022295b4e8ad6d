"""check_layers.py accepts what layers.txt allows and names everything else."""

from __future__ import annotations

import pytest

GOOD = {
    "src/layers.txt": "flow: public\nio: public flow\nkernels:\nstages/sketch: flow kernels\nbatch: stages/sketch\n",
    "include/lookalike/status.h": "#include <string>\n",
    "src/flow/batch.h": '#include "lookalike/status.h"\n',
    "src/io/file.h": '#include <arrow/io/api.h>\n#include "flow/batch.h"\n#include "lookalike/status.h"\n',
    "src/kernels/kernels.cc": "#include <hwy/highway.h>\n",
    "src/stages/sketch/sketch.h": '#include "flow/batch.h"\n#include "kernels/kernels.cc"\n',
    "src/stages/sketch/sketch_test.cc": '#include "io/file.h"\n',
    "src/batch/run.cc": '#include "stages/sketch/sketch.h"\n',
    "cli/main.cc": '#include "lookalike/status.h"\n#include "arguments.h"\n#include "server/server.h"\n',
    "server/server.h": '#include "lookalike/status.h"\n',
    "cli/arguments.h": "",
}


def test_a_tree_that_follows_its_layers_passes(tool, tree):
    done = tool("check_layers.py", "--root", tree(GOOD))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("path", "content", "message"),
    [
        ("src/flow/bad.h", '#include "io/file.h"\n', "src/flow/bad.h:1: flow may not include io"),
        ("src/kernels/bad.h", '\n#include "lookalike/status.h"\n', "bad.h:2: kernels may not include the public"),
        ("src/stages/sketch/bad.h", "#include <arrow/api.h>\n", "<arrow/api.h> belongs to"),
        ("src/flow/bad.h", "#include <hwy/highway.h>\n", "<hwy/highway.h> belongs to kernels"),
        ("src/flow/bad.h", "#include <fstream>\n", "<fstream> belongs to"),
        ("src/flow/bad.h", '#include "../io/file.h"\n', "not relative to src/"),
        ("src/flow/bad.h", '#include "nothing.h"\n', "not relative to src/"),
        ("src/flow/bad.h", '#include "lookalike/nothing.h"\n', "is not in include/"),
        ("src/other/new.h", "", "src/other/new.h: its folder is not listed"),
        ("cli/bad.cc", '#include "flow/batch.h"\n', "cli/bad.cc:1: cli may not include flow"),
        ("server/bad.cc", '#include "flow/batch.h"\n', "server/bad.cc:1: server may not include flow"),
        ("server/bad.cc", '#include "cli/arguments.h"\n', "not relative to src/"),
        ("cli/bad.cc", "#include <boost/asio.hpp>\n", "<boost/asio.hpp> belongs to server only"),
        ("include/lookalike/bad.h", '#include "flow/batch.h"\n', "public may not include flow"),
        ("src/layers.txt", GOOD["src/layers.txt"] + "gone: flow\n", "gone is listed but is no folder"),
        ("src/layers.txt", GOOD["src/layers.txt"] + "flow: io\n", "flow is listed twice"),
        ("src/layers.txt", GOOD["src/layers.txt"].replace("flow: public", "flow: public io"), "cycle flow -> io -> flow"),
        ("src/layers.txt", GOOD["src/layers.txt"].replace("batch:", "batch: nowhere"), "allows 'nowhere'"),
        (
            "src/layers.txt",
            GOOD["src/layers.txt"].replace("batch:", "batch: uses/toy") + "uses/toy:\n",
            "batch allows uses/toy; only api/ and uses/ may include a use",
        ),
        (
            "src/layers.txt",
            GOOD["src/layers.txt"].replace("kernels:", "kernels: flow", 1),
            "layers.txt: kernels allows flow, which nothing in it includes",
        ),
        (
            "src/batch/run.cc",
            '// #include "stages/sketch/sketch.h"\n',
            "layers.txt: batch allows stages/sketch, which nothing in it includes",
        ),
    ],
)
def test_each_breach_is_named(tool, tree, path, content, message):
    done = tool("check_layers.py", "--root", tree({**GOOD, path: content}))
    assert done.returncode == 1
    assert message in done.stderr
