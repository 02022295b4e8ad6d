"""Lookalike finds documents that are effectively the same, and proves every answer.

>>> import lookalike, pyarrow as pa
>>> texts = ["a rose is a rose is a rose", "a rose is a rose is a rose.", "a daisy is no rose"]
>>> len(lookalike.dedup(pa.table({"text": texts})).kept)
2
"""

import typing as _typing

import pyarrow as _pyarrow  # noqa: F401 - loads libarrow, wherever it is installed

from . import engine
from ._api import (
    compare,
    containment,
    dedup,
    merge_sketches,
    nearest,
    pairs,
    plan,
    resemblance,
    sketch,
    version,
)
from ._compressed_sketches import CompressedSketch
from ._fingerprints import Fingerprinter, Fingerprints, Sketch
from ._line_results import FilterResult, Groups, UrlRules, WordWeights
from ._passages import ContaminationResult, PassagesResult, decontaminate, passages
from ._results import Comparison, DedupResult, NearestResult, PairsResult, Plan, SketchFile
from ._set_sketches import SetSketch
from ._stored_results import StoredDedupResult
from ._uses import (
    Evaluation,
    SyntheticCorpus,
    crumbs,
    evaluate,
    filter,  # noqa: A004 - the command's name
    group,
    synth,
    weights,
)
from .errors import DataError, LookalikeError, OptionError, RequestError, RunError

if _typing.TYPE_CHECKING:
    from ._client import Client
    from ._index import (
        Index,
        IndexAdditions,
        IndexAnswer,
        IndexDocument,
        IndexLoad,
        IndexMatch,
        IndexOutcome,
        IndexRecall,
        IndexStats,
    )

__version__ = version().partition(" ")[0]

__all__ = [
    "Client",
    "Comparison",
    "CompressedSketch",
    "DataError",
    "DedupResult",
    "Evaluation",
    "FilterResult",
    "Fingerprinter",
    "Fingerprints",
    "Groups",
    "Index",
    "IndexAdditions",
    "IndexAnswer",
    "IndexDocument",
    "IndexLoad",
    "IndexMatch",
    "IndexOutcome",
    "IndexRecall",
    "IndexStats",
    "LookalikeError",
    "NearestResult",
    "OptionError",
    "PairsResult",
    "Plan",
    "RequestError",
    "RunError",
    "SetSketch",
    "Sketch",
    "SketchFile",
    "StoredDedupResult",
    "SyntheticCorpus",
    "UrlRules",
    "WordWeights",
    "__version__",
    "compare",
    "containment",
    "crumbs",
    "dedup",
    "engine",
    "evaluate",
    "filter",
    "group",
    "passages",
    "decontaminate",
    "PassagesResult",
    "ContaminationResult",
    "merge_sketches",
    "nearest",
    "pairs",
    "plan",
    "resemblance",
    "sketch",
    "synth",
    "version",
    "weights",
]


if not _typing.TYPE_CHECKING:  # type checkers would believe every name

    def __getattr__(name: str) -> object:
        """Imports what few programs use when it is first used: others do not wait for it."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name == "Client":
            from . import _client as home
        else:
            from . import _index as home

        found = getattr(home, name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
