"""`cmake --install`, then what somebody finds who has the installed tree only."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def output_of(*command: str | Path, cwd: Path | None = None) -> str:
    """Standard output of a command that must succeed."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def prefix(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installed tree that was moved afterwards, as a package is."""
    build = binary.parents[1]
    if not (build / "cmake_install.cmake").is_file():
        pytest.skip(f"{binary} is not inside a build folder")
    made = tmp_path_factory.mktemp("installed") / "made"
    output_of("cmake", "--install", build, "--prefix", made)
    return made.rename(made.with_name("moved"))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two copies, one loner."""
    path = tmp_path / "in.jsonl"
    texts = ["one two three four five six", "one two three four five six", "something else"]
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return path


def libraries_of(program: Path) -> list[str]:
    """Lines of ldd about Arrow."""
    lines = output_of("ldd", program).splitlines()
    return [line for line in lines if "libarrow" in line or "libparquet" in line]


def test_tree_has_what_it_promises_and_nothing_else(prefix: Path) -> None:
    files = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file()}
    headers = {f"include/lookalike/{path.name}" for path in (ROOT / "include/lookalike").iterdir()}
    assert {name for name in files if name.startswith("include/")} == headers
    assert {name for name in files if name.startswith("bin/")} == {"bin/lookalike"}
    for name in (
        "share/man/man1/lookalike.1",
        "share/bash-completion/completions/lookalike",
        "share/zsh/site-functions/_lookalike",
        "share/fish/vendor_completions.d/lookalike.fish",
        "share/doc/lookalike/arrow/NOTICE.txt",
    ):
        assert name in files and (prefix / name).stat().st_size > 0, name
    assert not [name for name in files if "gtest" in name or "/src/" in name]


def test_manual_page_and_completions_are_those_of_the_command(prefix: Path) -> None:
    command = prefix / "bin" / "lookalike"
    for form, name in [
        ("--man", "man/man1/lookalike.1"),
        ("--bash", "bash-completion/completions/lookalike"),
        ("--zsh", "zsh/site-functions/_lookalike"),
        ("--fish", "fish/vendor_completions.d/lookalike.fish"),
    ]:
        assert (prefix / "share" / name).read_text() == output_of(command, "options", form)


def test_command_runs_on_its_own_libraries(prefix: Path, corpus: Path, tmp_path: Path) -> None:
    command = prefix / "bin" / "lookalike"
    text = output_of(command, "dedup", corpus, "-o", "out", cwd=tmp_path)
    assert text.startswith("Kept 2 of 3 documents")
    found = libraries_of(command)
    assert len(found) == 2 and all(str(prefix) in Path(line.split()[2]).resolve().as_posix()
                                   for line in found), found


def test_no_file_of_the_package_names_the_build(prefix: Path) -> None:
    for path in (prefix / "lib" / "cmake").rglob("*.cmake"):
        assert str(ROOT) not in path.read_text(), path.name


def test_a_program_builds_against_it(prefix: Path, corpus: Path, tmp_path: Path) -> None:
    build = tmp_path / "build"
    launcher = shutil.which("ccache")
    output_of(
        "cmake", "-S", ROOT / "tests" / "consumer", "-B", build, "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release",
        *([f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"] if launcher else []),
    )
    output_of("cmake", "--build", build)
    lines = output_of(build / "consumer", corpus, "out", cwd=tmp_path).splitlines()
    assert lines == ["resemblance 1 of 2 features", "features 2 and 0", "estimate 1", "kept 2 of 3"]
    assert (tmp_path / "out" / "manifest.json").is_file()
    assert all(str(prefix) in line for line in libraries_of(build / "consumer"))
