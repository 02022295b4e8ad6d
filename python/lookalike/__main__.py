"""``python -m lookalike`` is the command ``lookalike``."""

from ._command import main

main()
