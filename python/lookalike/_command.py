"""The command ``lookalike`` of the wheel: finds Arrow's libraries and becomes the program."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Replaces this process with the program, and passes the arguments on."""
    package = pathlib.Path(__file__).resolve().parent
    program = package / "bin" / "lookalike"
    spec = importlib.util.find_spec("pyarrow")  # not imported: that would take half a second
    if spec is None or spec.origin is None:
        sys.exit("lookalike: the package pyarrow is missing; pip install pyarrow")
    libraries = pathlib.Path(spec.origin).resolve().parent
    environment = dict(os.environ)
    if libraries.parent != package.parent:  # not beside this package, where the program looks
        earlier = environment.get("LD_LIBRARY_PATH")
        environment["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, [str(libraries), earlier]))
    os.execve(program, [str(program), *sys.argv[1:]], environment)


if __name__ == "__main__":
    main()
