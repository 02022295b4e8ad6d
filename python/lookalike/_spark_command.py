"""The command ``lookalike-spark`` of the wheel, which needs the package pyspark."""

from __future__ import annotations

import importlib.util
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Runs the command and ends this process with its exit status."""
    if importlib.util.find_spec("pyspark") is None:
        print(
            "lookalike-spark: the package pyspark is missing; pip install 'lookalike[spark]'",
            file=sys.stderr,
        )
        sys.exit(2)
    from .spark._program import main as run

    sys.exit(run())
