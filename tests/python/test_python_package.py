"""The package as code: its examples run, its types hold, its names are there."""

from __future__ import annotations

import doctest
import importlib
import importlib.metadata
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "python" / "lookalike"
MODULES = sorted(
    {name.name for name in pkgutil.iter_modules(lookalike.__path__)} - {"__main__", "_core"}
)
PROGRAM = """
import pathlib
import lookalike

result = lookalike.dedup("x.jsonl", threshold=0.7, memory="1G", scratch=None, keep="longest")
folder: pathlib.Path = result.save("out", overwrite=True)
number: float = lookalike.resemblance("a", "b", shingle="char:3")
found = lookalike.pairs(["a", pathlib.Path("b")], against="c", yes=True, max_errors="unlimited")
count: int = len(found)
lookalike.pairs("x", verify="sketch", distance=None, method="shingle-merge:500", preset="web")
lookalike.dedup("x", weights=pathlib.Path("weights.tsv"), feature_bits=32, cluster="components")
weighted = lookalike.Sketch.of_weighted([1, 2], [0.5, 2.0], sketch="weighted:64", seed=3)
names: list[pathlib.Path] = result.kept_files
for batch in result.kept_batches():
    print(batch)
try:
    lookalike.plan(b"")
except lookalike.LookalikeError as error:
    where: str = error.where
"""
WRONG = {
    'lookalike.dedup("x", threshold=[1])': "typeddict-item|arg-type",
    'lookalike.dedup("x", treshold=0.5)': "call-arg",
    'lookalike.dedup("x", cluster="leaders")': "typeddict-item|arg-type",
    'lookalike.dedup("x", verify="sketch")': "typeddict-item|arg-type",
    'lookalike.pairs("x", distance="l3")': "typeddict-item|arg-type",
    'lookalike.pairs("x", preset="webb")': "typeddict-item|arg-type",
    'lookalike.Sketch("x", feature_bits=16)': "typeddict-item|arg-type",
    'lookalike.resemblance("x", "y", pages="all")': "typeddict-item|arg-type",
    'lookalike.plan("x", cluster="leader")': "call-arg",
    'x: str = lookalike.resemblance("a", "b")': "assignment",
    'lookalike.dedup("x").nope': "attr-defined",
}


def test_the_installed_package_is_the_one_of_this_tree() -> None:
    installed = Path(lookalike.__file__).parent
    for source in sorted(SOURCES.glob("*.py*")):
        assert (installed / source.name).read_bytes() == source.read_bytes(), (
            f"{source.name} is not what is installed; run make wheel"
        )


@pytest.mark.parametrize("name", ["", *MODULES])
def test_examples(name: str) -> None:
    module = importlib.import_module(f"lookalike.{name}".rstrip("."))
    failed, _ = doctest.testmod(module)
    assert failed == 0


def test_every_public_function_has_an_example() -> None:
    for name in lookalike.__all__:
        function = getattr(lookalike, name)
        if inspect.isfunction(function) and name != "version":
            assert ">>>" in (function.__doc__ or ""), name
            for part in ("Args:", "Example:"):
                assert part in function.__doc__, name
        elif inspect.isclass(function):
            assert function.__doc__, name
            for attribute, value in vars(function).items():
                documented = inspect.isfunction(value) and not attribute.startswith("_")
                assert not documented or value.__doc__ or attribute == "to_arrow", attribute


def test_names() -> None:
    assert len(set(lookalike.__all__)) == len(lookalike.__all__)
    assert set(lookalike.__all__) <= set(dir(lookalike))
    assert importlib.metadata.version("lookalike") == lookalike.__version__


def mypy(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"),
         "--cache-dir", str(ROOT / "build" / "mypy_cache"), *map(str, arguments)],
        capture_output=True, text=True, timeout=300, cwd=ROOT,
    )  # fmt: skip


def test_types_of_the_package() -> None:
    done = mypy(SOURCES)
    assert done.returncode == 0, done.stdout


def test_types_that_users_see(tmp_path: Path) -> None:
    assert (Path(lookalike.__file__).parent / "py.typed").exists()
    good = tmp_path / "good.py"
    good.write_text(PROGRAM)
    bad = tmp_path / "bad.py"
    bad.write_text("import lookalike\n" + "\n".join(WRONG) + "\n")
    done = mypy(good)
    assert done.returncode == 0, done.stdout
    done = mypy(bad)
    for i, (line, code) in enumerate(WRONG.items()):
        found = [text for text in done.stdout.splitlines() if f"bad.py:{i + 2}: error" in text]
        assert found, (line, done.stdout)
        assert any(f"[{one}]" in text for text in found for one in code.split("|")), found


def test_the_sources_are_clean() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", str(SOURCES),
         str(ROOT / "tests" / "python"), *map(str, (ROOT / "tools").glob("generate_python_*.py"))],
        capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
