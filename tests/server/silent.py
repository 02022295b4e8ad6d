"""A server whose log goes nowhere, for tests with more requests than a pipe can hold lines of."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

from served import Served


class Silent(Served):
    """A server on a free port that writes its log to /dev/null."""

    def __init__(self, binary: Path, *operands: str | Path):
        self.process = subprocess.Popen(
            [binary, "serve", *operands, "--listen", "127.0.0.1:0"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        assert self.process.stderr is not None
        said = self.process.stderr.readline().decode()
        assert " is served at http://127.0.0.1:" in said, said + self.process.stderr.read().decode()
        self.port = int(said.rsplit(":", 1)[1])

    def end(self) -> tuple[int, str]:
        """Ends the server as systemd does. Returns the exit code, and what it said meanwhile."""
        self.process.send_signal(signal.SIGTERM)
        _, err = self.process.communicate(timeout=60)
        return self.process.returncode, err.decode()

    def kill(self) -> None:
        """Ends the server at once, if it still runs."""
        self.process.kill()
        self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()
