"""Temporary folders, which vanish with what they are for."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import tempfile
import weakref
from collections.abc import Iterator

from .errors import RunError


def _remove(path: str, maker: int) -> None:
    # A forked child has a copy of the owner, and not of the folder.
    if os.getpid() == maker:
        shutil.rmtree(path, ignore_errors=True)


class TemporaryFolder:
    """A folder that is removed when its owner is collected, or the interpreter ends."""

    def __init__(self, parent: str | None) -> None:
        """`parent`: where to make it; None: the system's place. Raises RunError."""
        try:
            self.path = pathlib.Path(tempfile.mkdtemp(prefix="lookalike-", dir=parent or None))
        except OSError as error:
            raise RunError(
                f"no temporary folder can be created there: {error.strerror or error}; "
                "choose another with scratch=",
                parent or tempfile.gettempdir(),
            ) from error
        self._finalizer = weakref.finalize(self, _remove, str(self.path), os.getpid())

    def remove(self) -> None:
        """Removes it now."""
        self._finalizer()


@contextlib.contextmanager
def folder_for_a_call(parent: str | None) -> Iterator[pathlib.Path]:
    """A folder for what lives as long as one call."""
    owner = TemporaryFolder(parent)
    try:
        yield owner.path
    finally:
        owner.remove()
