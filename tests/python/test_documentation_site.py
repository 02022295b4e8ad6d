"""The documentation site builds without a warning, has the whole package, and loads nothing."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import lookalike
import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
# A page loads what these name; links that a reader may follow are no matter.
LOADED = re.compile(
    r"<(?:script|img|iframe)\b[^>]*\bsrc=\"([^\"]+)\"|<link\b[^>]*\bhref=\"([^\"]+)\""
)
NAMED_FILE = re.compile(r"`((?:tests|src|tools|bench|fuzz|include|python|docs)/[\w./*-]+)`")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site; its notebooks are not run, test_notebooks.py does that."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-D", "nb_execution_mode=off",
         "-d", str(folder / "doctrees"), str(DOCS), str(folder / "html")],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"bash tools/bootstrap.sh docs installs Sphinx\n{done.stderr}"
    return folder / "html"


@pytest.mark.slow
def test_every_page_is_there(site: Path) -> None:
    sources = [*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")]
    assert len(sources) > 40
    for source in sources:
        page = site / source.relative_to(DOCS).with_suffix(".html")
        assert page.exists(), f"no page of {source}"
        assert "<h1>" in page.read_text(encoding="utf-8")


@pytest.mark.slow
def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        for found in LOADED.findall(page.read_text(encoding="utf-8")):
            target = found[0] or found[1]
            assert not re.match(r"(\w+:)?//", target), f"{page.name} loads {target}"
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert not re.search(r"url\([\"']?(https?:)?//", text), style.name


@pytest.mark.slow
def test_the_reference_has_every_public_name(site: Path) -> None:
    page = (site / "reference" / "python.html").read_text(encoding="utf-8")
    for name in lookalike.__all__:
        if name != "__version__":
            kind = "module-" if inspect.ismodule(getattr(lookalike, name)) else ""
            assert f'id="{kind}lookalike.{name}"' in page, f"docs/reference/python.md lacks {name}"


@pytest.mark.slow
def test_the_reference_has_every_member_of_results(site: Path) -> None:
    page = (site / "reference" / "python.html").read_text(encoding="utf-8")
    for kind in (lookalike.DedupResult, lookalike.PairsResult, lookalike.Plan):
        for name in dir(kind):
            if not name.startswith("_"):
                assert f'id="lookalike.{kind.__name__}.{name}"' in page, f"{kind.__name__}.{name}"


@pytest.mark.slow
def test_texts_of_options_are_whole(site: Path) -> None:
    """A colon in one is no end of a type."""
    page = (site / "reference" / "python.html").read_text(encoding="utf-8")
    assert "nfkc: compatibility forms" in page


@pytest.mark.parametrize("page", ["promises.md", "dependencies.md"])
def test_files_that_a_page_names_exist(page: str) -> None:
    names = NAMED_FILE.findall((DOCS / page).read_text(encoding="utf-8"))
    assert names
    absent = [name for name in names if not any(ROOT.glob(name)) and not name.startswith("build")]
    assert not absent
