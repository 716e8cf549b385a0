"""Calls on a core process from an event loop: many at once, answered in any order."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from typing import Any

from .child import Child
from .connection import Call, Connection, line_of_notification, position_in
from .core import register_core
from .errors import StateError, error_of

# So many requests are under way at once; the others wait here, where they take less memory than in the core.
MOST_UNDER_WAY = 512


class AsyncCore(Connection):
    """A store on a core process, used in one event loop: that of its first call. It can be made before there is one."""

    _loop: asyncio.AbstractEventLoop

    def __init__(self, address: str | None, agent: str | None, mode: str | None) -> None:
        super().__init__(address, agent, mode)
        self._room = asyncio.Semaphore(MOST_UNDER_WAY)
        self._is_writing = False
        self._is_flushing = False
        register_core(self)

    async def open(self) -> None:
        self._enter_loop()
        opening = self.make_opening()
        try:
            self._flush(self._living())
            await self._answered(opening)
        except BaseException:
            await self.aclose()
            raise

    async def call(self, method: str, params: dict[str, Any], caller: dict[str, Any]) -> Any:
        call = self.make_call(method, params, caller)
        async with self._room:
            self._submit(call)
            await self._answered(call)
        return call.result

    async def stream(self, method: str, params: dict[str, Any], caller: dict[str, Any]) -> AsyncIterator[Any]:
        """The items of a stream, which begins with the first one that is asked for."""
        asked = self.position_fields(method, params)
        newest = None if asked is None else await self.call("query", asked, caller)
        call = self.make_call(method, params, caller, is_stream=True)
        call.began = position_in(newest)
        self._submit(call)
        try:
            await self._answered(call)
            while True:
                if call.items:
                    yield self.next_item(call)
                    self._notify(self.wants_more(call))
                elif call.error is not None:
                    raise call.error
                elif call.ended:
                    return
                else:
                    await self._woken(call)
        finally:
            if self.calls.pop(call.id, None) is not None and not call.ended:
                self._notify(line_of_notification("cancel", {"id": call.id}))

    async def _answered(self, call: Call) -> None:
        try:
            while not call.done:
                await self._woken(call)
        except BaseException:
            self.calls.pop(call.id, None)
            raise
        if call.error is not None:
            raise call.error

    async def _woken(self, call: Call) -> None:
        call.wake = self._loop.create_future()
        await call.wake

    def woken(self, call: Call) -> None:
        wake, call.wake = call.wake, None
        if wake is not None and not wake.done():
            wake.set_result(None)

    def _enter_loop(self) -> None:
        running = asyncio.get_running_loop()
        if not hasattr(self, "_loop"):
            self._loop = running
        if self._loop is not running:
            hint = "Open an AsyncStateGraph in each event loop, or use StateGraph from threads."
            raise error_of("loop-foreign", "This AsyncStateGraph belongs to another event loop.", kind="usage", hint=hint)

    def _submit(self, call: Call) -> None:
        if self.child is not None and self.child.owner != os.getpid():
            self.forget_process()
        self._enter_loop()
        self.calls[call.id] = call
        child = self._living()
        self.send(child, call)
        self._flush_soon()

    def _living(self) -> Child:
        child = self.child
        if child is not None and not self.is_refused:
            return child
        self._unwatch()
        child = self.start()
        os.set_blocking(child.read_fd, False)
        self._loop.add_reader(child.read_fd, self._read, child)
        return child

    def _notify(self, line: bytes | None) -> None:
        if line is not None and self.child is not None and not self.is_closed:
            self.child.put(line)
            self._flush_soon()

    def _flush_soon(self) -> None:
        """Lines of one turn of the loop leave in as few writes as the pipe allows."""
        if not self._is_flushing and not self._is_writing:
            self._is_flushing = True
            self._loop.call_soon(self._flush_now)

    def _flush_now(self) -> None:
        self._is_flushing = False
        if self.child is not None:
            self._flush(self.child)

    def _flush(self, child: Child) -> None:
        try:
            is_done = child.flush_together()
        except OSError:
            self._died(child)
            return
        if is_done and self._is_writing:
            self._loop.remove_writer(child.write_fd)
        elif not is_done and not self._is_writing:
            self._loop.add_writer(child.write_fd, self._flush, child)
        self._is_writing = not is_done

    def _read(self, child: Child) -> None:
        try:
            child.read()
        except BlockingIOError:
            return
        except OSError:
            child.has_ended = True
        self.take_lines(child)
        if child.has_ended:
            self._died(child)

    def _died(self, child: Child) -> None:
        if self.child is not child:
            return
        self._unwatch()
        self.bury(child)
        if self.calls:
            try:
                self._flush(self._living())
            except StateError as error:
                self.fail_all(error)
            except OSError as error:
                self.fail_all(error_of("core-died", f"The core cannot be started: {error}.", kind="unavailable"))

    def _unwatch(self) -> None:
        if self.child is not None:
            self._loop.remove_reader(self.child.read_fd)
            if self._is_writing:
                self._loop.remove_writer(self.child.write_fd)
        self._is_writing = False

    def forget_process(self) -> None:
        """This process was forked from the one that started the core, and so was its event loop, which is not used here."""
        self.forget()

    async def aclose(self) -> None:
        child = self._detach()
        if child is not None:
            await self._loop.run_in_executor(None, child.end)

    def close(self) -> None:
        """At the end of the program."""
        child, self.child = self.child, None
        self.is_closed = True
        if child is not None and child.owner == os.getpid():
            child.end()

    def _detach(self) -> Child | None:
        if self.is_closed:
            return None
        self._unwatch()
        self.is_closed = True
        child, self.child = self.child, None
        for call in list(self.calls.values()):
            call.ended = call.done = True
            self.woken(call)
        return child
