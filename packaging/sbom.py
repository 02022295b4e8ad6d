#!/usr/bin/env python3
"""Writes a list of all software in the image, a CycloneDX 1.6 bill of materials.

    sbom.py --debian FILE --compiled-in FILE --python FILE ... --npm LOCK ... -o FILE

It reads what the package managers say: lines `name, version, architecture` with tabs in between
(dpkg-query -W), lines `name==version` (pip freeze), and lock files of npm. It needs only Python,
and writes the same bytes for the same packages.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[1]


def component(kind: str, name: str, version: str, how: str, qualifiers: str = "") -> dict[str, Any]:
    """Returns a component. `kind`: the first part of its package URL; `how` it is in the image."""
    purl = f"pkg:{kind}/{quote(name, safe='/')}@{quote(version, safe='.+-_~')}{qualifiers}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "purl": purl,
        "properties": [{"name": "lookalike:how", "value": how}],
    }


def debian(path: Path, how: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        fields = line.split("\t")
        if len(fields) != 3 or not all(fields):
            raise SystemExit(f"{path}:{number}: expected name, version and architecture: {line!r}")
        name, version, architecture = fields
        qualifiers = f"?arch={architecture}&distro=debian-12"
        yield component("deb/debian", name, version, how, qualifiers)


def python(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text("utf-8").splitlines():
        if pinned := re.match(r"([A-Za-z0-9._-]+)==([^\s;\\]+)", line):
            yield component("pypi", pinned[1].lower().replace("_", "-"), pinned[2], "copied")


def npm(path: Path, bundled: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yields the packages of a lock file that are no tools, and those that pages contain."""
    for place, package in json.loads(path.read_text("utf-8"))["packages"].items():
        name = place.rpartition("node_modules/")[2]
        if name and (not package.get("dev") or name in bundled):
            yield component("npm", name, package["version"], "compiled in")


def bill(version: str, components: Iterable[dict[str, Any]]) -> dict[str, Any]:
    by_reference = {each["bom-ref"]: each for each in components}
    found = [by_reference[reference] for reference in sorted(by_reference)]
    product = {
        "type": "application",
        "bom-ref": f"pkg:generic/lookalike@{version}",
        "name": "lookalike",
        "version": version,
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    }
    content = json.dumps([product, found], sort_keys=True)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}",
        "version": 1,
        "metadata": {"component": product},
        "components": found,
        "dependencies": [
            {"ref": product["bom-ref"], "dependsOn": [each["bom-ref"] for each in found]}
        ],
    }


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--debian", type=Path, nargs="*", default=[], help="of the image")
    parser.add_argument("--compiled-in", type=Path, nargs="*", default=[], help="Debian, as source")
    parser.add_argument("--python", type=Path, nargs="*", default=[], help="name==version")
    parser.add_argument("--npm", type=Path, nargs="*", default=[], help="package-lock.json")
    parser.add_argument("--bundled", nargs="*", default=[], help="tools of npm that pages contain")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args(words)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found: list[dict[str, Any]] = []
    for path in options.debian:
        found += debian(path, "installed")
    for path in options.compiled_in:
        found += debian(path, "compiled in")
    for path in options.python:
        found += python(path)
    for path in options.npm:
        found += npm(path, options.bundled)
    if not found:
        raise SystemExit("no packages; pass at least one of --debian, --python and --npm")
    text = json.dumps(bill(project["version"], found), indent=1, ensure_ascii=False) + "\n"
    options.output.write_text(text, "utf-8")
    print(f"{options.output}: {len(found)} packages", file=sys.stderr)


if __name__ == "__main__":
    main()
