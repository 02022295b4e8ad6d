"""Shows the progress of a run, and writes its messages to the log."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable
from typing import Any

#: Lines about records and inputs that were left out, and recall that fell short.
logger = logging.getLogger("lookalike")

#: Messages to log per run; the command prints as many.
MOST_LINES = 100


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    if shell is None:
        return False
    instance = shell.get_ipython()
    return instance is not None and hasattr(instance, "kernel")


def _is_interactive() -> bool:
    # stderr is None if Python runs without a console.
    return _in_notebook() or (sys.stderr is not None and sys.stderr.isatty())


def _tqdm() -> Any:
    """Returns the bar class for terminals or notebooks. Importing it takes a while."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without ipywidgets a notebook has the terminal's
        from tqdm.auto import tqdm
    return tqdm


class ProgressBar:
    """A context manager that shows a bar for each stage of a run, if anybody is watching."""

    def __init__(self, wanted: bool | None, title: str) -> None:
        """Makes a bar. `wanted`: None shows it only in notebooks and terminals."""
        self._shown = _is_interactive() if wanted is None else bool(wanted)
        # Not requested explicitly: in a notebook, very short stages should not leave a line.
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
        """The callback for the engine; None if nothing is shown."""
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
    """A context manager that logs the messages of one run, and in the end how many it left out."""

    def __init__(self) -> None:
        """Makes the log of a run that is about to begin."""
        self._lines = 0

    def __enter__(self) -> RunLog:
        return self

    def __exit__(self, *_: object) -> None:
        if self._lines > MOST_LINES:
            logger.warning("... and %s more", f"{self._lines - MOST_LINES:,}")

    def line(self, line: str) -> None:
        """Logs a message of the engine about a record or input that was left out."""
        self._lines += 1
        if self._lines <= MOST_LINES:
            logger.warning("%s", line)

    def recall(self, audit: dict[str, Any]) -> None:
        """Warns if the measured recall is below the requested recall."""
        if not audit["met"] and audit["high"] is not None:
            logger.warning(
                "the measured recall is at most %.4f, below the requested %s; raise recall=, use "
                "more coordinates (sketch=), or use method='exact'",
                audit["high"],
                audit["asked"],
            )
