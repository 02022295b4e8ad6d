"""Shows options as keyword-only parameters in signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, TypeVar

from ._options import DEFAULTS, MEANINGS

_Callable = TypeVar("_Callable", bound=Callable[..., Any])
#: The docstring entry for all options, with its continuation lines.
_ENTRY = re.compile(r"^( *)\*\*options: .*\n(?:\1 +.*\n)*", re.MULTILINE)


def takes(options: type, **defaults: Any) -> Callable[[_Callable], _Callable]:
    """Shows the keywords of `options`, a TypedDict, instead of ``**options``.

    Decorates a function, or a class for its ``__init__``. Type checkers learn the keywords from
    :pep:`692`; this is for tools that ask at run time: ``help``, :func:`inspect.signature`,
    completion in notebooks and terminals. The function still collects the keywords itself, so that
    an unknown one is an OptionError with a hint. An option whose default is in `defaults`, instead
    of in the options table, must be described in the docstring.
    """
    kinds = {
        name: getattr(kind, "__forward_arg__", kind)
        for name, kind in options.__annotations__.items()
    }

    def shown(target: _Callable) -> _Callable:
        function: Any = target.__init__ if isinstance(target, type) else target  # type: ignore[misc]
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        added = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default={**DEFAULTS, **defaults}[name],
                annotation=kind,
            )
            for name, kind in kinds.items()
            if name not in signature.parameters
        ]
        function.__signature__ = signature.replace(parameters=[*own, *added])
        if target.__doc__:  # there is none with -OO
            listed = [parameter.name for parameter in added if parameter.name not in defaults]
            target.__doc__ = _with_entries(inspect.cleandoc(target.__doc__), listed)
        return target

    return shown


def _with_entries(docstring: str, keywords: list[str]) -> str:
    entries = "".join(MEANINGS[keyword] + "\n" for keyword in keywords)

    def replaced(match: re.Match[str]) -> str:
        return re.sub(r"^(?=.)", match[1], entries, flags=re.MULTILINE)

    return _ENTRY.sub(replaced, docstring + "\n", count=1).rstrip("\n")
