"""What can go wrong. Messages are the command's, with keywords for its flags: what, where, and
what to do.
"""

from __future__ import annotations

from . import _wording


class LookalikeError(Exception):
    """The base of all errors of this package.

    Attributes:
        what: What is wrong and what to do about it, in one line.
        where: A place that a person can open (``corpus.jsonl:17``); empty where the whole run is
            meant.
    """

    def __init__(self, what: str, where: str = "") -> None:
        what = _wording.in_python(what)
        super().__init__(what, where)
        self.what = what
        self.where = where

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class OptionError(LookalikeError, ValueError):
    """An option is unknown, has a value that it does not take, or contradicts another one."""


class DataError(LookalikeError, TypeError):
    """`data` is nothing that can be read: neither paths nor Arrow data."""


class RunError(LookalikeError, RuntimeError):
    """A run failed: an input cannot be read, a column is missing, the disk is full, ...

    What it was to write is as it was before.
    """
