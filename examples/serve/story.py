#!/usr/bin/env python3
"""Does with lookalike.Client what story.sh does with curl, on a server that runs.

    lookalike index create notes --keep text
    lookalike serve notes --backups backups
    build/venv/bin/python examples/serve/story.py http://127.0.0.1:8780

LOOKALIKE_TOKEN has the token, if the server wants one.
"""

from __future__ import annotations

import os
import sys

import lookalike

FOX = "The quick brown fox jumps over the lazy dog and runs into the dark forest to sleep."
LIKE = FOX.replace("sleep", "rest")
SHIP = "A ship sails across the wide sea with a load of tea, silk and stories from far away."


def main() -> None:
    url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8780"
    with lookalike.Client(url, token=os.environ.get("LOOKALIKE_TOKEN")) as client:
        print("fox:", client.put("fox", FOX, {"from": "Ada"})["outcome"])
        for outcome in client.add([{"id": "ship", "text": SHIP}]):
            print("ship:", outcome["outcome"])

        # The guard: a document that is like another one is not added.
        guarded = client.put("fox-2", LIKE, unless_similar=0.8)
        print("fox-2:", guarded["outcome"], "to", guarded["like"]["id"])

        for match in client.query(LIKE, top=3)["matches"]:
            print(f"found: {match['id']}, {match['resemblance']:.2f}, {match.get('metadata')}")
        print(f"fox and ship: {client.compare(FOX, SHIP)['resemblance']:.2f}")

        print("backup:", client.backup("second")["state"])
        print("documents:", client.stats()["documents"])


if __name__ == "__main__":
    main()
