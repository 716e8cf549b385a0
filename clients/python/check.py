"""
Checks this client: the tests, the types, and the packages as they are installed.

The tools are installed once, into .venv beside this file, in the versions of tools.txt. ASG_NODE and ASG_BUNDLE name the Node and the core
to use; scripts/clients.mjs sets them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
VENV = FOLDER / ".venv"
TOOLS = FOLDER / "tools.txt"
SOAK = os.environ.get("ASG_SOAK") == "1"


def python_of(folder: Path) -> str:
    return str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


def run(*command: str, **env: str) -> None:
    done = subprocess.run(command, cwd=FOLDER, env={**os.environ, **env}, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}.")


def runs(python: str) -> bool:
    """Whether there is such a Python. A version manager may have the name and not the program."""
    found = shutil.which(python)
    return found is not None and subprocess.run([found, "--version"], capture_output=True, check=False).returncode == 0


def tools() -> str:
    """The Python with the tools."""
    mark = VENV / "tools.txt"
    if not mark.exists() or mark.read_bytes() != TOOLS.read_bytes():
        print("Installing the tools of the Python client (once)…", flush=True)
        venv.create(VENV, clear=True, with_pip=True)
        run(python_of(VENV), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(TOOLS))
        shutil.copy(TOOLS, mark)
    return python_of(VENV)


def check_types(python: str) -> None:
    run(python, "-m", "mypy", "--config-file", "pyproject.toml")
    run(python, "-m", "pyright", "--project", "pyproject.toml", PYRIGHT_PYTHON_IGNORE_WARNINGS="1")


def check_tests(python: str) -> None:
    path = os.pathsep.join([str(FOLDER / "src"), str(FOLDER / "tests")])
    for each in [python, "python3.10"] if SOAK and runs("python3.10") else [python]:
        run(each, "-W", "error::ResourceWarning", "-m", "unittest", "discover", "-s", "tests", PYTHONPATH=path)


def check_packages(python: str) -> None:
    """Each package, installed into a fresh environment, does what it is for."""
    with tempfile.TemporaryDirectory(prefix="asg-packages-") as folder:
        built = Path(folder) / "dist"
        built.mkdir()
        sys.path.insert(0, str(FOLDER / "build"))
        import build_backend

        wheel = built / build_backend.build_wheel(str(built))
        slim = built / build_backend.build_slim(str(built))
        sdist = built / build_backend.build_sdist(str(built))
        page = str(FOLDER / "tests" / "first_page.py")
        # With its Node, which is 61 MB to fetch: the long form; else the Node of ASG_NODE.
        own_node = [] if SOAK else ["--no-deps"]
        for package in (wheel, sdist):
            installed = fresh(python, Path(folder) / package.suffix.strip("."), str(package), *own_node)
            env = {"ASG_BUNDLE": "", "PYTHONPATH": "", **({"ASG_NODE": "", "PATH": "/nowhere"} if SOAK else {})}
            subprocess.run(
                [installed, page, f"{folder}/{package.suffix}.db"],
                cwd=folder,
                env={**os.environ, **env},
                check=True,
                stdout=subprocess.DEVNULL,
            )
        installed = fresh(python, Path(folder) / "slim", str(slim))
        code = (
            "from agentstategraph import StateGraph, StateError\n"
            "try:\n    StateGraph()\nexcept StateError as error:\n    assert error.code == 'core-not-found', error\n"
            "assert StateGraph('http://127.0.0.1:9', token='x')"
        )
        subprocess.run([installed, "-c", code], cwd=folder, env={**os.environ, "ASG_BUNDLE": ""}, check=True)


def fresh(python: str, folder: Path, *packages: str) -> str:
    """A new environment with these packages."""
    subprocess.run([python, "-m", "venv", "--without-pip", str(folder)], check=True)
    made = python_of(folder)
    pip = [python, "-m", "pip", "--python", made, "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-build-isolation", *packages], check=True)
    return made


if __name__ == "__main__":
    with_tools = tools()
    check_types(with_tools)
    check_tests(with_tools)
    check_packages(with_tools)
