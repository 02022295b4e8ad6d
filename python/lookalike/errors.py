"""The exceptions. Each says what is wrong, where, and what to do."""

from __future__ import annotations


class LookalikeError(Exception):
    """The base of all errors of this package.

    Attributes:
        what: What is wrong and what to do about it, in one line.
        where: A place that a person can open (``corpus.jsonl:17``); empty if the error is about
            the whole run.
        code: The kind of error, for programs: ``usage``, ``option``, ``input``, ``corrupt``,
            ``memory``, ``disk``, ``cancelled`` or ``bug``.
        option: The keyword that was refused; empty if the error is not about a single keyword.
    """

    code = "usage"

    def __init__(self, what: str, where: str = "", code: str = "", option: str = "") -> None:
        super().__init__(what, where)
        self.what = what
        self.where = where
        self.code = code or type(self).code
        self.option = option

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class OptionError(LookalikeError, ValueError):
    """An option is unknown, has a value that is not allowed, or contradicts another option."""

    code = "option"


class DataError(LookalikeError, TypeError):
    """`data` cannot be read: it is neither paths nor Arrow data."""

    code = "input"


class RunError(LookalikeError, RuntimeError):
    """A run failed: an input cannot be read, a column is missing, the disk is full, ...

    Existing outputs are unchanged.
    """


class RequestError(LookalikeError, RuntimeError):
    """A server refused a request, or cannot be reached.

    Attributes:
        status: The status of its answer, such as 400; 0 if there was none.
    """

    code = "usage"

    def __init__(self, what: str, where: str = "", code: str = "", status: int = 0) -> None:
        super().__init__(what, where, code)
        self.status = status
