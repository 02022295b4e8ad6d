"""Engines from the options of a call, guards among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ..engine import Engine

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Options that keep pairs apart which are alike (decision 69).
GUARDS = ("differ", "same", "not_same")


def make_engine(
    documents: int,
    goal: Literal["keep", "pairs"],
    options: Mapping[str, Any],
    reference_end: int = 0,
) -> Engine:
    """Returns the engine that these options ask for. Raises OptionError."""
    guards = {name: value for name, value in options.items() if name in GUARDS}
    others = {name: value for name, value in options.items() if name not in GUARDS}
    return Engine._guarded(documents, goal == "pairs", reference_end, others, guards)
