"""The files of packaging/, as far as they can be tried without systemd and containers running."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from served import Served

Serve = Callable[..., Served]

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
RELEASE = ROOT / "build" / "release"


def read(name: str) -> str:
    return (PACKAGING / name).read_text("utf-8")


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `cmake --install` makes of the release build."""
    if not (RELEASE / "cmake_install.cmake").exists() or shutil.which("cmake") is None:
        pytest.skip("there is no release build to install")
    prefix = tmp_path_factory.mktemp("installed")
    words: list[str | Path] = ["cmake", "--install", RELEASE, "--prefix", prefix]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, timeout=120)
    return prefix


def lists(folder: Path) -> dict[str, Path]:
    """Writes what package managers would say."""
    texts = {
        "shipped.tsv": "libc6\t2.36-9+deb12u13\tamd64\nzlib1g\t1:1.2.13.dfsg-1\tamd64\n",
        "compiled-in.tsv": "libboost1.81-dev\t1.81.0-5+deb12u1\tamd64\n",
        "wheels.txt": "pyarrow==26.0.1\n# a note\nselectolax==1.0.2 \\\n    --hash=sha256:00\n",
        "lock.json": json.dumps(
            {
                "packages": {
                    "": {"version": "0.1.0"},
                    "node_modules/@nozbe/simdjson": {"version": "3.9.4"},
                    "node_modules/uplot": {"version": "1.6.32", "dev": True},
                    "node_modules/vite": {"version": "8.4.0", "dev": True},
                }
            }
        ),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return {name: folder / name for name in texts}


def sbom(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, PACKAGING / "sbom.py", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def bill_of(folder: Path, name: str) -> bytes:
    files = lists(folder)
    done = sbom(
        "--debian", files["shipped.tsv"], "--compiled-in", files["compiled-in.tsv"],
        "--python", files["wheels.txt"], "--npm", files["lock.json"], "--bundled", "uplot",
        "-o", folder / name,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return (folder / name).read_bytes()


def test_a_bill_of_materials_lists_all_packages(tmp_path: Path) -> None:
    bill = json.loads(bill_of(tmp_path, "bill.json"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])
    assert [each["purl"] for each in bill["components"]] == [
        "pkg:deb/debian/libboost1.81-dev@1.81.0-5+deb12u1?arch=amd64&distro=debian-12",
        "pkg:deb/debian/libc6@2.36-9+deb12u13?arch=amd64&distro=debian-12",
        "pkg:deb/debian/zlib1g@1%3A1.2.13.dfsg-1?arch=amd64&distro=debian-12",
        "pkg:npm/%40nozbe/simdjson@3.9.4",
        "pkg:npm/uplot@1.6.32",
        "pkg:pypi/pyarrow@26.0.1",
        "pkg:pypi/selectolax@1.0.2",
    ]
    how = {each["name"]: each["properties"][0]["value"] for each in bill["components"]}
    assert how["libboost1.81-dev"] == "compiled in" and how["libc6"] == "installed"
    assert bill["dependencies"][0]["dependsOn"] == [each["bom-ref"] for each in bill["components"]]


def test_a_bill_of_materials_is_the_same_each_time(tmp_path: Path) -> None:
    assert bill_of(tmp_path, "one.json") == bill_of(tmp_path, "two.json")


def test_a_list_that_is_wrong_makes_no_bill(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("libc6 2.36 amd64\n")
    wrong = sbom("--debian", tmp_path / "list", "-o", tmp_path / "bill.json")
    assert wrong.returncode == 1 and "list:1: expected name, version" in wrong.stderr
    nothing = sbom("-o", tmp_path / "bill.json")
    assert nothing.returncode == 1 and "no packages" in nothing.stderr
    assert not (tmp_path / "bill.json").exists()


def test_a_bill_of_this_machine_has_what_is_compiled_in(tmp_path: Path) -> None:
    locks = [ROOT / folder / "package-lock.json" for folder in ("third_party", "web/report")]
    wheels = ROOT / "tools" / "requirements-lexbor.txt"
    done = sbom(
        "--python", wheels, "--npm", *locks, "--bundled", "uplot", "-o", tmp_path / "bill.json"
    )
    assert done.returncode == 0, done.stderr
    bill = json.loads((tmp_path / "bill.json").read_text())
    names = {each["name"] for each in bill["components"]}
    assert names == {"selectolax", "@nozbe/simdjson", "uplot"}


def lines_of_containerfile() -> list[list[str]]:
    """Returns the instructions, each as its words."""
    text = re.sub(r"(?m)^#.*\n", "", read("Containerfile")).replace("\\\n", " ")
    return [line.split() for line in text.splitlines() if line.strip()]


def test_what_the_image_copies_is_there(installed: Path) -> None:
    stages: set[str] = set()
    copied = 0
    for words in lines_of_containerfile():
        if words[0] == "FROM" and "AS" in words:
            stages.add(words[-1])
        if words[0] != "COPY":
            continue
        options = dict(word[2:].split("=") for word in words[1:] if word.startswith("--"))
        sources = [word for word in words[1:-1] if not word.startswith("--")]
        if "from" in options:
            assert options["from"] in stages
        for source in sources:
            if source.startswith("/install/"):
                assert (installed / source.removeprefix("/install/")).exists(), source
                copied += 1
            elif "from" not in options:
                assert (ROOT / source).exists(), source
    assert copied == 3


def test_scripts_that_the_image_runs_are_there() -> None:
    text = " ".join(word for words in lines_of_containerfile() for word in words)
    for name in re.findall(r"packaging/[\w.]+|tools/[\w.-]+|web/\w+/package-lock.json", text):
        assert (ROOT / name).exists(), name
    for name in ("serve.sh", "healthcheck.sh", "runtime_packages.sh"):
        assert os.access(PACKAGING / name, os.X_OK), name


def test_the_image_runs_as_nobody_special() -> None:
    instructions = {words[0]: words[1:] for words in lines_of_containerfile()}
    assert instructions["USER"] == ["10001:10001"] and instructions["VOLUME"] == ["/data"]
    assert "HEALTHCHECK" in instructions and instructions["STOPSIGNAL"] == ["SIGTERM"]


def test_an_installed_command_needs_few_packages(installed: Path) -> None:
    if shutil.which("dpkg-query") is None:
        pytest.skip("this is no Debian system")
    words: list[str | Path] = [PACKAGING / "runtime_packages.sh", installed]
    found = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    packages = found.stdout.split()
    assert {"libc6", "libstdc++6", "librocksdb7.8", "libfmt9"} <= set(packages)
    assert len(packages) < 30 and packages == sorted(set(packages))
    assert not [name for name in packages if name.endswith("-dev")]


def test_compose_opens_one_port_of_this_machine() -> None:
    compose = yaml.safe_load(read("compose.yaml"))
    service = compose["services"]["serve"]
    assert service["ports"] == ["127.0.0.1:8780:8780"]
    assert service["read_only"] is True and service["cap_drop"] == ["ALL"]
    assert service["secrets"] == ["tokens"] and "tokens" in compose["secrets"]
    (volume,) = service["volumes"]
    name, place = volume.split(":")
    assert name in compose["volumes"] and place == "/data"
    assert (PACKAGING / service["build"]["context"] / service["build"]["dockerfile"]).exists()
    assert service["user"] == "10001:10001"


def unit_lines() -> list[tuple[str, str]]:
    text = read("lookalike.service").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if "=" in line and not line.startswith("#")]
    return [(name, value) for name, _, value in (line.partition("=") for line in lines)]


def test_the_unit_is_one_that_systemd_takes(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd-analyze")
    unit = tmp_path / "lookalike.service"
    script = "/usr/libexec/lookalike/serve.sh"
    unit.write_text(read(unit.name).replace(script, str(PACKAGING / "serve.sh")))
    words: list[str | Path] = ["systemd-analyze", "verify", "--man=no", unit]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_gives_no_privileges() -> None:
    lines = unit_lines()
    for wanted in (
        ("DynamicUser", "yes"),
        ("NoNewPrivileges", "yes"),
        ("ProtectSystem", "strict"),
        ("PrivateTmp", "yes"),
        ("CapabilityBoundingSet", ""),
        ("StateDirectory", "lookalike"),
        ("Restart", "on-failure"),
        ("RestrictAddressFamilies", "AF_INET AF_INET6 AF_UNIX"),
        ("LoadCredential", "tokens:/etc/lookalike/tokens"),
    ):
        assert wanted in lines


def test_what_the_unit_starts_serves_an_index(binary: Path, tmp_path: Path) -> None:
    """Runs the two commands of the unit as systemd would, with its folders in a test's own."""
    folders = {
        "STATE_DIRECTORY": tmp_path / "state",
        "RUNTIME_DIRECTORY": tmp_path / "runtime",
        "CREDENTIALS_DIRECTORY": tmp_path / "credentials",
    }
    for folder in folders.values():
        folder.mkdir()
    token = folders["CREDENTIALS_DIRECTORY"] / "tokens"
    token.write_text("a-token-to-try read,write\n")
    token.chmod(0o440)  # as systemd 254 and later have it
    port = free_port()
    commands = dict(unit_lines())
    before, started = (commands[name] for name in ("ExecStartPre", "ExecStart"))
    for name, folder in folders.items():
        before = before.replace(f"${{{name}}}", str(folder))
        started = started.replace(f"${{{name}}}", str(folder))
    started = started.replace("/usr/libexec/lookalike/", f"{PACKAGING}/").replace("8780", str(port))
    subprocess.run(shlex.split(before), check=True, timeout=20)
    process = start(binary, *shlex.split(started))
    try:
        assert is_healthy(port)
        request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/stats")
        request.add_header("Authorization", "Bearer a-token-to-try")
        with urllib.request.urlopen(request, timeout=20) as answer:
            assert json.load(answer)["documents"] == 0
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    assert process.returncode == 0
    assert sorted(path.name for path in folders["STATE_DIRECTORY"].iterdir()) == [
        "backups",
        "index",
    ]
    assert not is_healthy(port)


def start(binary: Path, *words: str) -> subprocess.Popen[bytes]:
    """Starts serve.sh, and waits until it serves."""
    path = f"{binary.parent}:{os.environ['PATH']}"
    process = subprocess.Popen(
        words,
        env={**os.environ, "PATH": path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if b" is served at " in line:
            return process
    raise AssertionError("it ends at once")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def is_healthy(port: int) -> bool:
    words: list[str | Path] = [PACKAGING / "healthcheck.sh", str(port)]
    return subprocess.run(words, timeout=20).returncode == 0


def test_a_server_that_hangs_is_not_healthy(serve: Serve) -> None:
    served = serve()
    assert is_healthy(served.port)
    served.process.send_signal(signal.SIGSTOP)
    try:
        assert not is_healthy(served.port)
    finally:
        served.process.send_signal(signal.SIGCONT)
    assert is_healthy(served.port)


def test_options_of_a_new_index_can_be_chosen(
    binary: Path, tmp_path: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOKALIKE_CREATE", "--keep none --threshold 0.7")
    script = str(PACKAGING / "serve.sh")
    for _ in range(2):
        process = start(binary, script, str(tmp_path), "--listen", "127.0.0.1:0")
        process.terminate()
        process.communicate(timeout=60)
        assert process.returncode == 0
    stats = run("index", "stats", "index", "--json").json
    assert (stats["threshold"], stats["keep"]) == (0.7, "none")
