"""
The core as a child process: how it is started and ended, and the bytes on its two pipes.

Reading and writing lose nothing when a signal handler raises in between, such as that of Ctrl-C: a handler of Python runs between two
byte codes, and each step here that takes bytes from a pipe, or gives some, is one call into C that also keeps what came of it. It knows
nothing of messages but that they are lines.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile
import time
from collections import deque
from operator import methodcaller
from typing import BinaryIO

from .node import find_bundle, find_node

# What a pipe holds. A larger buffer is taken from the system and given back with each answer.
BLOCK = 1 << 16
END_SECONDS = 5.0
# No note about SQLite, and a heap that stays small: docs/rpc.md has the measured difference.
NODE_ARGUMENTS = ("--disable-warning=ExperimentalWarning", "--max-semi-space-size=8", "--heap-growing-percent=100")


class Outgoing:
    """A line on its way, with how many bytes of it each write took."""

    __slots__ = ("line", "written")

    def __init__(self, line: bytes) -> None:
        self.line = line
        self.written: list[int] = []


class Child:
    """One running core."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        bundle = find_bundle()
        command = [find_node(bundle), *NODE_ARGUMENTS, bundle, "--parent", str(self.owner)]
        self._notes: BinaryIO = tempfile.TemporaryFile()
        self._process = start(command, self._notes)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._stdin = self._process.stdin
        self._stdout = self._process.stdout
        self.write_fd = self._stdin.fileno()
        self.read_fd = self._stdout.fileno()
        if sys.platform != "win32":
            os.set_blocking(self.write_fd, False)
        # Blocks that were read; the last ones may be a part of a line. Then complete lines that nobody has taken.
        self._blocks: list[bytes] = []
        self._looked_at = 0
        self.lines: deque[tuple[int, bytes]] = deque()
        self._count = 0
        self._out: deque[Outgoing] = deque()
        self.has_ended = False
        # What it wrote for people, known when it has ended.
        self.notes = ""

    def read(self) -> None:
        """Waits for output and adds its complete lines to `lines`; at the end, says so in `has_ended`."""
        self._blocks.extend(map(os.read, (self.read_fd,), (BLOCK,)))
        blocks = self._blocks
        if blocks[-1] == b"":
            # A line without its end is no message.
            self.has_ended = True
            return
        if not any(map(has_line_end, blocks[self._looked_at :])):
            self._looked_at = len(blocks)
            return
        whole = blocks[0] if len(blocks) == 1 else b"".join(blocks)
        *complete, rest = whole.split(b"\n")
        lines = deque((*self.lines, *enumerate(complete, self._count)))
        # All of it changes together: interrupted before, the same blocks are split again.
        count = self._count + len(complete)
        self.__dict__.update(_blocks=[rest] if rest else [], _looked_at=0, lines=lines, _count=count)

    def put(self, line: bytes) -> Outgoing:
        """Adds a line to those on their way."""
        outgoing = Outgoing(line)
        self._out.append(outgoing)
        return outgoing

    def flush(self) -> bool:
        """Writes as much as the pipe takes, and tells whether everything is written. Raises OSError when it is closed."""
        while self._out:
            outgoing = self._out[0]
            line, done = outgoing.line, sum(outgoing.written)
            if done >= len(line):
                self._out.popleft()
                continue
            try:
                outgoing.written.extend(map(os.write, (self.write_fd,), (memoryview(line)[done:] if done else line,)))
            except BlockingIOError:
                return False
        return True

    def flush_together(self) -> bool:
        """The same with many lines in one write; for a program whose handlers of signals run between its steps."""
        if len(self._out) > 1 and not self._out[0].written:
            parts = list(self._out)
            for part in parts:
                part.written.append(0)
            whole = Outgoing(b"".join(part.line for part in parts))
            self._out = deque([whole])
        return self.flush()

    def wait_ready(self, may_read: bool) -> bool:
        """Waits a moment until the pipe takes more; with `may_read`, or until there is output, and then gives True."""
        poll = select.poll()
        poll.register(self.write_fd, select.POLLOUT)
        if may_read:
            poll.register(self.read_fd, select.POLLIN)
        return any(fd == self.read_fd for fd, _ in poll.poll(50))

    def _last_words(self, most: int = 2000) -> str:
        """The end of its standard error."""
        try:
            size = self._notes.seek(0, os.SEEK_END)
            self._notes.seek(max(0, size - most))
            return self._notes.read().decode("utf-8", "replace").strip()
        except (OSError, ValueError):
            return ""

    def abandon(self) -> None:
        """In a forked process: closes the copies of the pipes, and leaves the core to its owner."""
        self._process.returncode = 0
        self._close_pipes()

    def end(self) -> None:
        """Closes the pipe, so that the core finishes what it accepted; waits for it, and kills it when it takes too long."""
        try:
            self._stdin.close()
        except OSError:
            pass
        try:
            self._drain()
            self._process.wait(END_SECONDS)
        except (subprocess.TimeoutExpired, OSError):
            self._process.kill()
            self._process.wait()
        self._close_pipes()
        if self.notes:
            import logging

            logging.getLogger("agentstategraph").warning("%s", self.notes)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._close_pipes()

    @property
    def pid(self) -> int:
        return self._process.pid

    def _drain(self) -> None:
        """Reads to the end, so that the core can write its last answers."""
        until = time.monotonic() + END_SECONDS
        while sys.platform == "win32" or is_readable(self.read_fd, until - time.monotonic()):
            if os.read(self.read_fd, BLOCK) == b"":
                return

    def _close_pipes(self) -> None:
        self.notes = self._last_words()
        for pipe in (self._stdin, self._stdout, self._notes):
            try:
                pipe.close()
            except OSError:
                pass


has_line_end = methodcaller("__contains__", b"\n")


def is_readable(fd: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(max(0, seconds * 1000)))


def start(command: list[str], notes: BinaryIO) -> subprocess.Popen[bytes]:
    env = {name: value for name, value in os.environ.items() if name != "NODE_OPTIONS"}
    cache = find_cache()
    if cache is not None:
        env["NODE_COMPILE_CACHE"] = cache
    group = 0x00000200 if sys.platform == "win32" else 0
    return subprocess.Popen(
        command,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=notes,
        env=env,
        # Ctrl-C in the terminal is for this program, and not for the core.
        start_new_session=sys.platform != "win32",
        creationflags=group,
    )


def find_cache() -> str | None:
    """A private folder in which Node keeps what it compiled."""
    base = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else os.environ.get("XDG_CACHE_HOME")
    folder = os.path.join(base or os.path.join(os.path.expanduser("~"), ".cache"), "agentstategraph")
    compiled = os.path.join(folder, "compiled")
    return compiled if make_private(folder) and make_private(compiled) else None


def make_private(folder: str) -> bool:
    """Makes a folder that nobody else can read. Whether nobody else can write to it: one that was there may be readable."""
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        stat = os.stat(folder)
    except OSError:
        return False
    return sys.platform == "win32" or (stat.st_uid == os.getuid() and not stat.st_mode & 0o022)
