"""
The protocol of docs/rpc.md without its waiting: requests as lines, answers to their calls, and what becomes of calls when the core dies.

The two drivers, `core.py` with threads and `async_core.py` with an event loop, share it.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import time
from typing import Any, cast

from ._table import OPERATIONS
from ._version import VERSION
from .child import Child, Outgoing
from .errors import StateError, error_of, outcome_unknown, store_lost

PROTOCOL = 1
LINE_BYTES = 64 * 2**20
# A core that dies so often within these seconds is not started again.
DEATHS = 3
DEATH_SECONDS = 10.0
STREAM_STEP = 64
# One letter and a colon is a drive of Windows.
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
# The id of the call that waits for the store to be opened. It has no line of its own.
OPENING = 0

dumps = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode
raw_decode = json.JSONDecoder().raw_decode


class Call:
    """A request that is not answered yet, or a stream that has not ended."""

    outgoing: Outgoing | None = None
    repeats = 0
    done = False
    result: Any = None
    error: StateError | None = None
    wake: Any = None
    # Of a stream: items by the number of their line, so that a line that is looked at twice counts once.
    items: dict[int, Any] | None = None
    ended = False
    taken = 0
    # Of a watch: the newest commit before it began.
    began: int | None = None

    def __init__(self, id: int, method: str, params: dict[str, Any], head: str) -> None:
        self.id = id
        self.method = method
        self.params = params
        self.head = head
        self.line = b""

    def fail(self, error: StateError) -> None:
        self.error = error
        self.ended = True
        self.done = True

    @property
    def is_sent(self) -> bool:
        """Whether a byte of it may have reached the core."""
        return self.outgoing is not None and bool(self.outgoing.written)


class Connection:
    """The calls of one store on a core that is started when it is needed."""

    def __init__(self, address: str | None, agent: str | None, mode: str | None) -> None:
        self.address = resolved(address)
        self.opening = {k: v for k, v in (("address", self.address), ("agent", agent), ("mode", mode)) if v is not None}
        self.calls: dict[int, Call] = {}
        self.ids = itertools.count(1)
        self.child: Child | None = None
        self.deaths: list[float] = []
        self.has_opened = False
        # Whether the core could not open the store: the next call asks another one.
        self.is_refused = False
        self.is_lost = False
        self.is_closed = False

    def make_call(self, method: str, params: dict[str, Any], caller: dict[str, Any], is_stream: bool = False) -> Call:
        """A call with its line. Raises for what the core would refuse to read."""
        if self.is_closed:
            raise closed()
        if self.is_lost:
            raise store_lost()
        operation = OPERATIONS.get(method)
        if operation is not None and operation.has_key and "idempotency_key" not in params:
            params["idempotency_key"] = os.urandom(16).hex()
        head = f',"method":"{method}"' + (f',"caller":{dumps(caller)}' if caller else "")
        call = Call(next(self.ids), method, params, head)
        if is_stream:
            call.items = {}
        call.line = line_of(call)
        if len(call.line) > LINE_BYTES:
            hint = "Store it in parts, or as a file with its name in the state."
            raise error_of("body-too-large", "The request is larger than 64 MiB.", kind="too-large", hint=hint)
        return call

    def make_opening(self) -> Call:
        """The call that is answered when the store is open."""
        call = Call(OPENING, "open", {}, "")
        self.calls[OPENING] = call
        return call

    def start(self) -> Child:
        """Starts a core, says hello, opens the store and sends what waits. Interrupted, it can be called again."""
        if self.is_closed:
            raise closed()
        if self.has_opened and self.address is None:
            self.is_lost = True
            raise store_lost()
        if self.child is not None:
            self.child.end()
        self.is_refused = False
        child = Child()
        client = {"name": "agentstategraph-python", "version": VERSION}
        hello = {"jsonrpc": "2.0", "id": "hello", "method": "hello", "params": {"protocol": PROTOCOL, "client": client}}
        opening = {"jsonrpc": "2.0", "id": "open", "method": "open", "params": self.opening}
        child.put((dumps(hello) + "\n" + dumps(opening) + "\n").encode())
        for call in list(self.calls.values()):
            call.outgoing = child.put(call.line)
        self.child = child
        return child

    def send(self, child: Child, call: Call) -> None:
        """Puts a call among the lines on their way, unless starting the core has done so."""
        if call.outgoing is None and not call.done:
            call.outgoing = child.put(call.line)

    def take_lines(self, child: Child) -> None:
        """Gives each line to its call. A line that was looked at before, when a signal came in between, changes nothing."""
        while child.lines:
            number, line = child.lines[0]
            self.take(number, raw_decode(line.decode())[0])
            child.lines.popleft()

    def take(self, number: int, message: dict[str, Any]) -> None:
        id = message.get("id")
        if id is None:
            self.take_notification(number, message)
            return
        call = self.calls.get(id)
        if call is not None:
            self.take_answer(call, message)
        elif id == "open" or id == "hello":
            self.take_start(message)

    def take_answer(self, call: Call, message: dict[str, Any]) -> None:
        # A core that answers is one that works: what ended the ones before came from outside.
        if self.deaths:
            self.deaths = []
        error = message.get("error")
        if error is None:
            call.result = message["result"]
            call.done = True
            if call.items is None:
                self.calls.pop(call.id, None)
        else:
            call.fail(fault(error))
            self.calls.pop(call.id, None)
        self.woken(call)

    def take_notification(self, number: int, message: dict[str, Any]) -> None:
        params: dict[str, Any] = message.get("params") or {}
        call = self.calls.get(cast(int, params.get("id")))
        if call is None or call.items is None:
            return
        if message.get("method") == "item":
            call.items[number] = params["item"]
        elif message.get("method") == "end":
            error = params.get("error")
            call.error = None if error is None else fault(error)
            call.ended = True
            self.calls.pop(call.id, None)
        self.woken(call)

    def take_start(self, message: dict[str, Any]) -> None:
        error = message.get("error")
        if error is not None:
            self.is_refused = True
            self.fail_all(fault(error))
        elif message["id"] == "open":
            self.has_opened = True
            self.finish_opening()
        elif message["result"]["protocol"] > PROTOCOL:
            self.fail_all(error_of("protocol-unknown", "The core speaks a newer protocol.", kind="unsupported"))

    def finish_opening(self) -> None:
        opened = self.calls.get(OPENING)
        if opened is not None:
            opened.done = True
            self.calls.pop(OPENING, None)
            self.woken(opened)

    def fail_all(self, error: StateError) -> None:
        for call in list(self.calls.values()):
            call.fail(error)
            self.calls.pop(call.id, None)
            self.woken(call)

    def bury(self, child: Child) -> None:
        """The core is dead: decides for each call whether it is sent again, to the next core, or fails."""
        if self.child is not child:
            return
        child.kill()
        now = time.monotonic()
        self.deaths = [then for then in self.deaths if now - then < DEATH_SECONDS] + [now]
        if len(self.deaths) >= DEATHS:
            hint = f"Its last words:\n{child.notes}" if child.notes else None
            self.fail_all(error_of("core-died", "The core ends again and again.", kind="unavailable", hint=hint))
        elif self.address is None and self.has_opened:
            self.is_lost = True
            self.fail_all(store_lost())
        for call in list(self.calls.values()):
            self.sort(call)
        self.child = None

    def sort(self, call: Call) -> None:
        operation = OPERATIONS.get(call.method)
        if call.items is not None and call.method == "watch":
            self.continue_watch(call)
        elif call.items is None and not call.is_sent:
            call.outgoing = None
        elif operation is not None and operation.repeatable and call.items is None and call.repeats == 0:
            call.repeats = 1
            call.outgoing = None
        else:
            call.fail(outcome_unknown(call.method, call.params.get("idempotency_key")))
            self.calls.pop(call.id, None)
            self.woken(call)

    def continue_watch(self, call: Call) -> None:
        """The next core sends the events behind the last one that came."""
        if call.items:
            call.params["after"] = call.items[max(call.items)]["cursor"]
        elif call.began is not None:
            call.params.setdefault("after", str(call.began))
        call.line = line_of(call)
        call.outgoing = None

    def position_fields(self, method: str, params: dict[str, Any]) -> dict[str, Any] | None:
        """The query for the newest commit, from which a watch goes on when the core dies before its first event."""
        if method != "watch" or "after" in params:
            return None
        return {"limit": 1, **{name: params[name] for name in ("namespace",) if name in params}}

    def next_item(self, call: Call) -> Any:
        """The first item that came, which is there. Asks for more when enough were taken."""
        items = cast("dict[int, Any]", call.items)
        number = min(items)
        item = items[number]
        if call.method == "watch":
            call.params["after"] = item["cursor"]
        call.taken += 1
        del items[number]
        return item

    def wants_more(self, call: Call) -> bytes | None:
        """The line that asks for more items, when as many were taken."""
        if call.ended or call.taken < STREAM_STEP:
            return None
        taken, call.taken = call.taken, 0
        return line_of_notification("more", {"id": call.id, "items": taken})

    def woken(self, call: Call) -> None:
        """Called when a call has its answer, or a stream an item."""

    def forget(self) -> None:
        """In a forked process: the core belongs to the other one, and so do a store in memory and the calls under way."""
        if self.child is not None:
            self.child.abandon()
            self.child = None
        for call in self.calls.values():
            call.fail(outcome_unknown(call.method))
        self.calls = {}
        self.deaths = []
        if self.address is None:
            self.is_lost = True


def resolved(address: str | None) -> str | None:
    """A file by its whole name: another core is started where this process is then."""
    if address is None or address in ("", ":memory:") or SCHEME.match(address):
        return address
    return os.path.abspath(address)


def position_in(newest: dict[str, Any] | None) -> int | None:
    """The sequence number of the newest commit; 0 where there is none."""
    return None if newest is None else newest["items"][0]["seq"] if newest["items"] else 0


def line_of(call: Call) -> bytes:
    return utf8(f'{{"jsonrpc":"2.0","id":{call.id}{call.head},"params":{json_of(call.params)}}}\n')


def utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        hint = "A half of a surrogate pair is no text; replace it, for example with errors='replace'."
        raise error_of("value-not-sendable", f"A text is not valid Unicode: {error.reason}.", kind="usage", hint=hint) from None


def json_of(params: dict[str, Any]) -> str:
    try:
        return dumps(params)
    except (TypeError, ValueError, RecursionError):
        raise unsendable(params) from None


def unsendable(params: dict[str, Any]) -> StateError:
    """The error of the field that is no JSON, such as a confidence that is a Decimal."""
    for name, value in params.items():
        try:
            dumps(value)
        except (TypeError, ValueError, RecursionError) as error:
            hint = "Nothing was sent. Give a str, int, float, bool, list or dict."
            return error_of("input-invalid", f"{name} cannot be sent: {error}.", kind="usage", hint=hint)
    raise AssertionError(params)


def line_of_notification(method: str, params: dict[str, Any]) -> bytes:
    return (dumps({"jsonrpc": "2.0", "method": method, "params": params}) + "\n").encode()


def fault(error: dict[str, Any]) -> StateError:
    """The error of an answer."""
    data: dict[str, Any] = error.get("data") or {}
    return error_of(
        data.get("code", "internal"),
        error.get("message", ""),
        kind=data.get("kind", "internal"),
        hint=data.get("hint"),
        data=data.get("data"),
    )


def closed() -> StateError:
    return error_of("store-closed", "This StateGraph was closed.", kind="usage", hint="Open another one.")
