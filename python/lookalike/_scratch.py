"""Temporary folders, which are removed with their owners."""

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
    # A forked child has a copy of the owner, but does not own the folder.
    if os.getpid() == maker:
        shutil.rmtree(path, ignore_errors=True)


class TemporaryFolder:
    """A folder that is removed when its owner is collected, or the interpreter ends."""

    def __init__(self, parent: str | None) -> None:
        """Makes the folder in `parent`; None: in the system's default. Raises RunError."""
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
        """Removes the folder now."""
        self._finalizer()


@contextlib.contextmanager
def folder_for_a_call(parent: str | None) -> Iterator[pathlib.Path]:
    """Makes a folder that exists for the duration of one call."""
    owner = TemporaryFolder(parent)
    try:
        yield owner.path
    finally:
        owner.remove()
