"""The options of a call: those of the engine, and what is done with what it finds."""

from __future__ import annotations

import atexit
import dataclasses
import functools
import hashlib
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from .. import _settings
from ..errors import OptionError
from ._engines import GUARDS, make_engine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession

#: Options that decide which documents are near-duplicates.
OF_ENGINE = (
    "threshold", "recall", "shingle", "normalize", "pages", "segment", "stop_words", "weights",
    "weight_unit", "bag", "hash", "feature_bits", "min_features", "seed", "method", "design",
    "sketch", "preset",
)  # fmt: skip
#: Options that decide what is removed.
OF_REMOVAL = ("keep", "exact_empty", "cluster", "audit_documents")
#: Options whose value may be the path of a file.
TABLES = ("stop_words", "weights")
_FIRST = ("first",)
#: What a criterion of `keep` begins with if it names a column, or inputs.
KEEP_FIELD, KEEP_SOURCE = "field:", "source:"
_MOST_SAMPLED = 10_000  # every task holds the features of all sampled documents


@dataclasses.dataclass(frozen=True)
class Choices:
    """Options that were checked, those of a preset among them."""

    command: str
    engine: dict[str, Any]
    guard_fields: tuple[str, ...] = ()  # whose values guards compare
    keep: tuple[str, ...] = _FIRST
    exact_empty: bool = False
    cluster: str = "leader"
    audit_documents: int = 0

    @property
    def goal(self) -> Literal["keep", "pairs"]:
        """What the engine searches for."""
        return _goal_of(self.command)

    @property
    def as_dict(self) -> dict[str, Any]:
        """For the manifest: what was set, and what is not the default."""
        chosen = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self.engine.items()
        }
        if self.keep != _FIRST:
            chosen["keep"] = self.keep[0] if len(self.keep) == 1 else list(self.keep)
        if self.exact_empty:
            chosen["exact_empty"] = True
        if self.cluster != "leader":
            chosen["cluster"] = self.cluster
        return chosen


def options_of(command: str) -> tuple[str, ...]:
    """The options that a command has on Spark."""
    of_search = (*OF_ENGINE, *GUARDS)
    return (*of_search, *OF_REMOVAL) if command == "dedup" else of_search


def _goal_of(command: str) -> Literal["keep", "pairs"]:
    return "keep" if command == "dedup" else "pairs"


def check(command: str, options: Mapping[str, Any], of_files: bool = False) -> Choices:
    """Returns the options that are not None. Raises OptionError before anything is read.

    `of_files`: the documents are those of input files, which `keep` can name.
    """
    given = {name: value for name, value in options.items() if value is not None}
    known = options_of(command)
    for name in given:
        if name not in known:
            raise OptionError(
                f"{command}() on Spark has no option {name}; it has {', '.join(known)}", option=name
            )
    engine = {name: value for name, value in given.items() if name in OF_ENGINE}
    for name in GUARDS:
        values = given.get(name, ())
        if values:
            engine[name] = (values,) if isinstance(values, str) else tuple(values)
    made_engine = make_engine(0, _goal_of(command), engine)
    if made_engine.design == "exact":
        raise OptionError(
            "method='exact' compares all documents with one another, which is not offered on "
            "Spark; leave method out, or use lookalike.dedup",
            option="method",
        )
    fields = tuple(made_engine._engine.guard_fields)
    if command != "dedup":
        return Choices(command, engine, fields)
    made = _settings.make_options("dedup", given).texts()
    keep = _criteria_in(made["keep"])
    for criterion in () if of_files else keep:
        _check_names_no_input(criterion)
    _refuse("verify", made["verify"], ("exact",))
    sampled = int(made["audit-documents"])
    if sampled > _MOST_SAMPLED:
        raise OptionError(
            f"audit_documents={sampled} is not allowed on Spark; use up to {_MOST_SAMPLED}",
            option="audit_documents",
        )
    empty = made["exact-empty"] == "true"
    return Choices(command, engine, fields, keep, empty, made["cluster"], sampled)


def _criteria_in(text: str) -> tuple[str, ...]:
    """The criteria that the text of the option `keep` has: one, or several in brackets."""
    if not text.startswith("["):
        return (text,)
    return tuple(
        re.sub(r"\\(.)", r"\1", each) for each in re.findall(r"(?:\\.|[^,\\])+", text[1:-1])
    )


def _check_names_no_input(criterion: str) -> None:
    if criterion.startswith(KEEP_SOURCE):
        raise OptionError(
            f"keep={criterion!r} names inputs, which a DataFrame does not have: add a column that "
            "is lower for what you prefer, and pass field:COLUMN; or run lookalike-spark, which "
            "reads files",
            option="keep",
        )


def _refuse(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value in allowed:
        return
    raise OptionError(
        f"{name}={value!r} is not offered on Spark; use {' or '.join(map(repr, allowed))}",
        option=name,
    )


@functools.cache
def _folder() -> Path:
    """A folder for the files that are sent. A name that Spark knows must not come from another."""
    path = tempfile.mkdtemp(prefix="lookalike-")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return Path(path)


@dataclasses.dataclass(frozen=True)
class Tables:
    """The files that options name, as all workers see them."""

    files: tuple[tuple[str, str], ...]  # option, name for SparkFiles

    @classmethod
    def send(cls, spark: SparkSession, options: Mapping[str, Any]) -> Tables:
        """Sends the files to the workers, under names that tell their contents apart."""
        files = []
        for name in TABLES:
            path = str(options.get(name, ""))
            if not set("/.") & set(path):
                continue
            content = Path(path).read_bytes()
            digest = hashlib.blake2b(content, digest_size=8).hexdigest()
            file = f"lookalike-{digest}{Path(path).suffix}"
            copy = _folder() / file
            copy.write_bytes(content)
            spark.sparkContext.addFile(str(copy))
            files.append((name, file))
        return cls(tuple(files))
