"""The documentation site: `make docs` builds it into build/site, without the network."""

import pathlib
import re
import tomllib
from typing import Any

_ROOT = pathlib.Path(__file__).resolve().parents[1]

project = "Lookalike"
author = "the authors of Lookalike"
copyright = "the authors of Lookalike, Apache-2.0"  # noqa: A001: Sphinx's name
version = release = tomllib.loads((_ROOT / "pyproject.toml").read_text())["project"]["version"]

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["**/.ipynb_checkpoints"]

# The reference is made from the docstrings of the installed package.
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_type_aliases = {"Data": "Data", "Path": "Path"}
python_use_unqualified_type_names = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
add_module_names = False
toc_object_entries_show_parents = "hide"

# Headings are link targets under the names that they have on the pages of a repository.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
# Lines of JSON with an ellipsis, and the like; two results have an attribute of one name.
suppress_warnings = ["misc.highlighting_failure", "ref.python"]

# Notebooks are stored without outputs: every build runs them, and one that fails fails the build.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_output_stderr = "remove"  # bars of progress

html_theme = "furo"
html_title = "Lookalike"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "monokai"


def _name_aliases(*signature: Any) -> tuple[str | None, str | None]:
    """Sphinx writes aliases of types as the objects that stand for them; their names are meant."""
    texts = (re.sub(r"TypeAliasForwardRef\('(\w+)'\)", r"\1", text or "") for text in signature[-2:])
    parameters, returned = texts
    return parameters or None, returned or None


def _no_type_in_front(*event: Any) -> None:
    """In "What is compared: runs of words" napoleon would take the front for a type.

    It looks at the first line only: an empty comment.
    """
    what, lines = event[1], event[-1]
    if what in ("attribute", "property"):
        lines[:0] = ["..", ""]


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", _no_type_in_front, priority=400)  # before napoleon
    app.connect("autodoc-process-signature", _name_aliases)
