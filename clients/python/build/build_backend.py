"""
Builds the wheel and the sdist (PEP 517) with the standard library alone.

The wheel holds the core, `asg-rpc.mjs`, which is built first: that of this workspace, or the one in an unpacked sdist. `build_slim` makes
the wheel of `agentstategraph-slim`, the same modules without the core and without Node, for programs that only talk to servers.
Files have a fixed time, so that the same sources give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import re
import tarfile
import zipfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent
SOURCES = FOLDER / "src"
IN_SDIST = SOURCES / "agentstategraph" / "core"
IN_WORKSPACE = FOLDER.parent.parent / "packages" / "server" / "lib" / "rpc"
CORE_FILES = ["asg-rpc.mjs", "THIRD-PARTY.txt"]
SLIM = "agentstategraph-slim"
DATE = (2026, 1, 1, 0, 0, 0)


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    files = {**sources(), **core()}
    return write_wheel(wheel_directory, files, metadata())


def build_slim(wheel_directory: str) -> str:
    text = metadata().replace("Name: agentstategraph\n", f"Name: {SLIM}\n")
    return write_wheel(wheel_directory, sources(), re.sub(r"^Requires-Dist: .*\n", "", text, flags=re.MULTILINE))


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    name = f"agentstategraph-{field('version')}"
    own = ["pyproject.toml", "README.md", "build/build_backend.py", *licence_files()]
    files = {f"src/{path}": content for path, content in {**sources(), **core()}.items()}
    files.update({path: read(path) for path in own})
    files["PKG-INFO"] = metadata().encode()
    with tarfile.open(os.path.join(sdist_directory, f"{name}.tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size = len(content)
            entry.mtime = 1767225600
            archive.addfile(entry, io.BytesIO(content))
    return f"{name}.tar.gz"


def field(name: str) -> str:
    """A text of pyproject.toml: tomllib is not in Python 3.10."""
    found = re.search(rf'^{name} = "(.*)"$', project_text(), re.MULTILINE)
    assert found is not None, name
    return found[1]


def project_text() -> str:
    return (FOLDER / "pyproject.toml").read_text(encoding="utf-8")


def listed(name: str) -> list[str]:
    found = re.search(rf"^{name} = \[(.*?)\]$", project_text(), re.MULTILINE | re.DOTALL)
    return re.findall(r'"(.*?)"', found[1]) if found else []


def metadata() -> str:
    lines = [
        "Metadata-Version: 2.4",
        "Name: agentstategraph",
        f"Version: {field('version')}",
        f"Summary: {field('description')}",
        f"License-Expression: {field('license')}",
        *[f"License-File: {Path(name).name}" for name in licence_files()],
        f"Keywords: {','.join(listed('keywords'))}",
        *[f"Classifier: {name}" for name in listed("classifiers")],
        f"Requires-Python: {field('requires-python')}",
        *[f"Requires-Dist: {name}" for name in listed("dependencies")],
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (FOLDER / "README.md").read_text(encoding="utf-8")


def licence_files() -> list[str]:
    return ["LICENSE-APACHE", "LICENSE-MIT"]


def read(path: str) -> bytes:
    """A file of this folder, or of the root of the workspace."""
    own = FOLDER / path
    return (own if own.exists() else FOLDER.parent.parent / path).read_bytes()


def sources() -> dict[str, bytes]:
    kept = {".py", ".pyi", ".typed"}
    found = [path for path in sorted(SOURCES.rglob("*")) if path.suffix in kept or path.name == "py.typed"]
    return {path.relative_to(SOURCES).as_posix(): path.read_bytes() for path in found}


def core() -> dict[str, bytes]:
    place = IN_WORKSPACE if (IN_WORKSPACE / CORE_FILES[0]).exists() else IN_SDIST
    if not (place / CORE_FILES[0]).exists():
        raise SystemExit("The core is not built. Run `npm run build` at the root of the repository first.")
    return {f"agentstategraph/core/{name}": (place / name).read_bytes() for name in CORE_FILES}


def write_wheel(folder: str, files: dict[str, bytes], meta: str) -> str:
    found = re.search(r"^Name: (.*)$", meta, re.MULTILINE)
    assert found is not None
    name = f"{found[1].replace('-', '_')}-{field('version')}"
    info = f"{name}.dist-info"
    all_files = {
        **files,
        **{f"{info}/licenses/{path}": read(path) for path in licence_files()},
        f"{info}/METADATA": meta.encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: agentstategraph\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},sha256={digest(content)},{len(content)}\n" for path, content in all_files.items())
    all_files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in all_files.items():
            entry = zipfile.ZipInfo(path, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return wheel


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    target = FOLDER / "dist"
    target.mkdir(exist_ok=True)
    for build in (build_wheel, build_slim, build_sdist):
        print(target / build(str(target)))
