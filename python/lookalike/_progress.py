"""How far a run is, for people who wait, and what it has to say, for the log."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable
from typing import Any

#: Lines about records and inputs that were left out, and recall that fell short.
logger = logging.getLogger("lookalike")

#: Of one run; as the command has it.
MOST_LINES = 100


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    if shell is None:
        return False
    instance = shell.get_ipython()
    return instance is not None and hasattr(instance, "kernel")


def _somebody_looks() -> bool:
    # There is no stderr at all where Python runs without a console.
    return _in_notebook() or (sys.stderr is not None and sys.stderr.isatty())


def _tqdm() -> Any:
    """The bar of terminals or notebooks, loaded only where it is shown: that takes a while."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without ipywidgets a notebook has the terminal's
        from tqdm.auto import tqdm
    return tqdm


class ProgressBar:
    """A bar for each stage of a run. A context; shows nothing where nobody looks."""

    def __init__(self, wanted: bool | None, title: str) -> None:
        """`wanted`: None shows it in notebooks and terminals only."""
        self._shown = _somebody_looks() if wanted is None else bool(wanted)
        # Nobody asked: then a stage of a moment leaves no line behind in a notebook.
        self._delay = 0.5 if wanted is None else 0.0
        self._title = title
        self._stage = ""
        self._bar: Any = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    @property
    def callback(self) -> Callable[[str, int, int, str], None] | None:
        """For the engine; None where nothing is shown."""
        return self._update if self._shown else None

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def _update(self, stage: str, done: int, total: int, unit: str) -> None:
        tqdm = _tqdm()
        if stage != self._stage:
            self._close()
            self._stage = stage
            self._bar = tqdm(
                total=total or None,
                desc=f"{self._title}: {stage}",
                unit="B" if unit == "bytes" else " " + unit,
                unit_scale=True,
                unit_divisor=1024 if unit == "bytes" else 1000,
                leave=False,
                delay=self._delay,
            )
        if self._bar.total != (total or None):
            self._bar.total = total or None
        self._bar.update(done - self._bar.n)


class RunLog:
    """What one run has to say, in the log. A context; says at its end how much it left out."""

    def __init__(self) -> None:
        """Of a run that is about to begin."""
        self._lines = 0

    def __enter__(self) -> RunLog:
        return self

    def __exit__(self, *_: object) -> None:
        if self._lines > MOST_LINES:
            logger.warning("... and %s more", f"{self._lines - MOST_LINES:,}")

    def line(self, line: str) -> None:
        """Takes a message of the engine: a record or an input that is left out."""
        self._lines += 1
        if self._lines <= MOST_LINES:
            logger.warning("%s", line)

    def recall(self, audit: dict[str, Any]) -> None:
        """Warns where the measured recall is below what was asked."""
        if not audit["met"] and audit["high"] is not None:
            logger.warning(
                "the measured recall is at most %.4f, below the requested %s; raise recall=, use "
                "more coordinates (sketch=), or use method='exact'",
                audit["high"],
                audit["asked"],
            )
