"""
Calls on a core process, from any thread: the caller that waits reads the pipe itself, for all that wait.

One of the waiting callers is the reader. It gives each answer to its call, and when it has its own, the next one reads. So a single
thread needs no other, and an answer takes no switch between threads.
"""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from typing import Any, Callable, Iterator, Protocol

from .child import Child
from .connection import Call, Connection, line_of_notification, position_in



class Closing(Protocol):
    def close(self) -> None: ...
    def forget_process(self) -> None: ...


_open: weakref.WeakSet[Closing] = weakref.WeakSet()


def register_core(core: Closing) -> None:
    """Closes it when the program ends, and takes it from a process that is forked."""
    _open.add(core)


class Core(Connection):
    """A store on a core process."""

    def __init__(self, address: str | None, agent: str | None = None, mode: str | None = None) -> None:
        super().__init__(address, agent, mode)
        self._reset_locks()
        register_core(self)
        try:
            opening = self.make_opening()
            with self._sending:
                self._flush(self._living())
            self._wait(opening, lambda: opening.done)
            if opening.error is not None:
                raise opening.error
        except BaseException:
            self.close()
            raise

    def _reset_locks(self) -> None:
        # Held while lines are put and written, and while a core is started or buried.
        self._sending = threading.RLock()
        # Held for moments: who reads, and who waits.
        self._turns = threading.Lock()
        self._reader: int | None = None

    def call(self, method: str, params: dict[str, Any], caller: dict[str, Any]) -> Any:
        call = self.make_call(method, params, caller)
        self._submit(call)
        self._wait(call, lambda: call.done)
        if call.error is not None:
            raise call.error
        return call.result

    def stream(self, method: str, params: dict[str, Any], caller: dict[str, Any]) -> Iterator[Any]:
        """Begins a stream, and gives an iterator of its items."""
        asked = self.position_fields(method, params)
        newest = None if asked is None else self.call("query", asked, caller)
        call = self.make_call(method, params, caller, is_stream=True)
        call.began = position_in(newest)
        self._submit(call)
        try:
            self._wait(call, lambda: call.done)
        except BaseException:
            self._cancel(call)
            raise
        if call.error is not None:
            raise call.error
        return self._items(call)

    def _items(self, call: Call) -> Iterator[Any]:
        try:
            while True:
                self._wait(call, lambda: bool(call.items) or call.ended)
                if call.items:
                    yield self.next_item(call)
                    self._notify(self.wants_more(call))
                elif call.error is not None:
                    raise call.error
                else:
                    return
        finally:
            self._cancel(call)

    def _cancel(self, call: Call) -> None:
        if self.calls.pop(call.id, None) is not None and not call.ended and not self.is_closed:
            self._notify(line_of_notification("cancel", {"id": call.id}))

    def _notify(self, line: bytes | None) -> None:
        if line is None or self.child is None or self.child.owner != os.getpid():
            return
        with self._sending:
            child = self._living()
            child.put(line)
            self._flush(child)

    def _submit(self, call: Call) -> None:
        with self._sending:
            if self.child is not None and self.child.owner != os.getpid():
                self.forget_process()
            self.calls[call.id] = call
            try:
                child = self._living()
                self.send(child, call)
                self._flush(child)
            except BaseException:
                self.calls.pop(call.id, None)
                raise

    def _living(self) -> Child:
        """A running core; the lock of sending is held."""
        child = self.child
        return self.start() if child is None or self.is_refused else child

    def _flush(self, child: Child) -> None:
        """Writes what waits. While the pipe is full it reads, if nobody else does: the core may be waiting for that."""
        try:
            while not child.flush():
                may_read = self._begin_reading()
                try:
                    if child.wait_ready(may_read) and may_read:
                        self._read(child)
                finally:
                    if may_read:
                        self._end_reading()
        except OSError:
            self._died(child)

    def _wait(self, call: Call, is_ready: Callable[[], bool]) -> None:
        try:
            while not is_ready():
                if self._begin_reading():
                    try:
                        while not is_ready():
                            self._pump()
                    finally:
                        self._end_reading()
                else:
                    self._sleep(call, is_ready)
        except BaseException:
            self.calls.pop(call.id, None)
            raise

    def _begin_reading(self) -> bool:
        me = threading.get_ident()
        with self._turns:
            # A reader that is this thread was interrupted just before it began.
            if self._reader is None or self._reader == me:
                self._reader = me
                return True
            return False

    def _end_reading(self) -> None:
        self._reader = None
        # A call that comes now finds that nobody reads.
        if not self.calls:
            return
        with self._turns:
            for call in list(self.calls.values()):
                if call.wake is not None:
                    self.woken(call)
                    return

    def _sleep(self, call: Call, is_ready: Callable[[], bool]) -> None:
        """Waits until the reader has something for this call, or leaves its place."""
        wake = threading.Lock()
        wake.acquire()
        with self._turns:
            call.wake = wake
            if is_ready() or self._reader is None:
                call.wake = None
                return
        wake.acquire()

    def woken(self, call: Call) -> None:
        if call.wake is None:
            return
        wake, call.wake = call.wake, None
        if wake is not None:
            try:
                wake.release()
            except RuntimeError:
                # It was released a moment ago.
                pass

    def _pump(self) -> None:
        """One step of the reader."""
        child = self.child
        if child is None:
            with self._sending:
                child = self._living()
                self._flush(child)
        if child.lines:
            self.take_lines(child)
        else:
            self._read(child)

    def _read(self, child: Child) -> None:
        try:
            child.read()
            self.take_lines(child)
        except OSError:
            child.has_ended = True
        if child.has_ended:
            self._died(child)

    def _died(self, child: Child) -> None:
        with self._sending:
            self.bury(child)
            if self.calls:
                self._flush(self._living())

    def forget_process(self) -> None:
        """This process was forked from the one that started the core."""
        self._reset_locks()
        self.forget()

    def close(self) -> None:
        """Ends the core after it has finished what it accepted."""
        if self.is_closed:
            return
        self.is_closed = True
        _open.discard(self)
        child, self.child = self.child, None
        if child is not None and child.owner == os.getpid():
            child.end()
        elif child is not None:
            child.abandon()
        for call in list(self.calls.values()):
            call.ended = call.done = True
            self.woken(call)

    def __del__(self) -> None:
        if not getattr(self, "is_closed", True):
            self.close()


def _close_all() -> None:
    for core in list(_open):
        core.close()


def _after_fork() -> None:
    for core in list(_open):
        core.forget_process()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
