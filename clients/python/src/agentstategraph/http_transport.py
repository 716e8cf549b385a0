"""
Calls on a running server: each operation is one HTTP request, built from its route.

The server decides by the key who calls.
"""

from __future__ import annotations

import json
import os
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Iterator, cast
from urllib.parse import quote, urlencode, urlsplit

from ._table import OPERATIONS, Operation
from ._version import VERSION
from .connection import closed, dumps, json_of, utf8
from .errors import StateError, error_of, outcome_unknown

TIMEOUT_SECONDS = 60.0
KINDS = {
    400: "usage",
    401: "unauthenticated",
    403: "denied",
    404: "not-found",
    409: "conflict",
    412: "moved",
    413: "too-large",
    415: "unsupported",
    422: "invalid",
    429: "too-many",
    503: "unavailable",
    507: "full",
}


class HttpTransport:
    """A store that a server serves. Connections are kept open, and used by one call at a time."""

    def __init__(self, url: str, token: str | None) -> None:
        self.address = url.rstrip("/")
        self._parts = urlsplit(self.address)
        self._token = token
        self._idle: list[HTTPConnection] = []
        self._pid = os.getpid()
        self.is_closed = False

    def call(self, method: str, params: dict[str, Any], caller: dict[str, Any]) -> Any:
        connection, response = self._asked(method, params, caller, "application/json")
        try:
            text = response.read()
        except (OSError, HTTPException) as error:
            connection.close()
            raise self._broken(OPERATIONS[method], method, params, error) from None
        except BaseException:
            # Interrupted: the rest of the answer would be taken for that of the next call.
            connection.close()
            raise
        if self.is_closed or response.will_close:
            connection.close()
        else:
            self._idle.append(connection)
        if response.status >= 400:
            raise self._refused(response.status, text)
        return json.loads(text) if text else {}

    def stream(self, method: str, params: dict[str, Any], caller: dict[str, Any]) -> Iterator[Any]:
        is_events = method == "watch"
        accept = "text/event-stream" if is_events else "application/jsonl, application/x-ndjson;q=0.9"
        connection, response = self._asked(method, params, caller, accept, is_stream=True)
        if response.status >= 400:
            text = response.read()
            connection.close()
            raise self._refused(response.status, text)
        return self._items(connection, events(response) if is_events else lines(response))

    def _items(self, connection: HTTPConnection, items: Iterator[Any]) -> Iterator[Any]:
        try:
            yield from items
        except (OSError, HTTPException) as error:
            raise self._unreachable(error) from None
        finally:
            connection.close()

    def _asked(
        self, method: str, params: dict[str, Any], caller: dict[str, Any], accept: str, is_stream: bool = False
    ) -> tuple[HTTPConnection, HTTPResponse]:
        if self.is_closed:
            raise closed()
        operation = OPERATIONS[method]
        if operation.takes_session and "session" in caller:
            params.setdefault("session", caller["session"])
        if operation.has_key and "idempotency_key" not in params:
            params["idempotency_key"] = os.urandom(16).hex()
        path, body = request_of(operation, params)
        headers = {"accept": accept, **self._headers(caller)}
        if body is not None:
            headers["content-type"] = "application/json"
        # A connection that was idle may have been closed by the server meanwhile; then the request is repeated once, on a new one.
        while True:
            connection, was_idle = self._connection(is_stream, operation.repeatable)
            is_sent = False
            try:
                if connection.sock is None:
                    connection.connect()
                is_sent = True
                connection.request(operation.verb, self._parts.path + path, body, headers)
                return connection, connection.getresponse()
            except (OSError, HTTPException) as error:
                connection.close()
                if was_idle and operation.repeatable:
                    continue
                if is_sent:
                    raise self._broken(operation, method, params, error) from None
                raise self._unreachable(error) from None
            except BaseException:
                connection.close()
                raise

    def _connection(self, is_stream: bool, may_be_used: bool) -> tuple[HTTPConnection, bool]:
        """A connection, and whether it was used before. A call that cannot be repeated gets a new one."""
        if self._pid != os.getpid():
            # The sockets of the process that this one was forked from stay with it.
            self._idle = []
            self._pid = os.getpid()
        if may_be_used and not is_stream:
            try:
                return self._idle.pop(), True
            except IndexError:
                pass
        made = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        host, port = self._parts.hostname or "", self._parts.port
        return (made(host, port) if is_stream else made(host, port, timeout=TIMEOUT_SECONDS)), False

    def _broken(self, operation: Operation, method: str, params: dict[str, Any], error: BaseException) -> StateError:
        """The connection broke during the call: what can be repeated at will can be, and any other write was done or was not."""
        if operation.repeatable and not operation.has_key:
            return self._unreachable(error)
        return outcome_unknown(method, params.get("idempotency_key"))

    def _headers(self, caller: dict[str, Any]) -> dict[str, str]:
        if "agent" in caller:
            raise error_of(
                "agent-by-key",
                "A server decides by the key who calls.",
                kind="usage",
                hint="Leave out agent, and give each agent a key of its own: sg.add_principal('agent/x').",
            )
        key = caller.get("key", self._token)
        headers = {"user-agent": f"agentstategraph-python/{VERSION}"}
        if key is not None:
            headers["authorization"] = f"Bearer {key}"
        if "trace" in caller:
            headers["traceparent"] = caller["trace"]
        return headers

    def _refused(self, status: int, text: bytes) -> StateError:
        try:
            return problem(json.loads(text), status)
        except (ValueError, KeyError, TypeError):
            message = f"{self.address} answered {status} and does not seem to be an AgentStateGraph server."
            return error_of("server-unknown", message, kind="unavailable")

    def _unreachable(self, error: BaseException) -> StateError:
        return error_of(
            "server-unreachable",
            f"{self.address} does not answer: {error or type(error).__name__}.",
            kind="unavailable",
            hint="Start it with `asg serve`, or check the address.",
        )

    def close(self) -> None:
        self.is_closed = True
        if self._pid == os.getpid():
            while self._idle:
                self._idle.pop().close()


def lines(response: HTTPResponse) -> Iterator[Any]:
    """The lines of an export, or the items of one JSON text a line."""
    is_text = (response.getheader("content-type") or "").startswith("application/jsonl")
    for line in response:
        yield line.decode() if is_text else json.loads(line)


def events(response: HTTPResponse) -> Iterator[Any]:
    """The data of each event. Comments, which keep a connection open, are passed over."""
    data: list[str] = []
    name = ""
    for raw in response:
        line = raw.decode().rstrip("\r\n")
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif line.startswith("event:"):
            name = line[6:].strip()
        elif line == "" and data:
            item = json.loads("\n".join(data))
            if name == "fault":
                raise problem(item, 0)
            yield item
            data, name = [], ""


def request_of(operation: Operation, params: dict[str, Any]) -> tuple[str, bytes | None]:
    """The path with its query, and the body: fields in braces go into the path."""
    utf8(json_of(params))
    left = dict(params)
    parts: list[str] = []
    for part in operation.path.split("/"):
        if part.startswith("{"):
            name = part[1:-1]
            parts.append(quote(str(left.pop(name, operation.defaults.get(name, ""))), safe=""))
        else:
            parts.append(part)
    path = "/".join(parts)
    if operation.verb not in ("GET", "DELETE"):
        return path, utf8(json_of(left))
    query: list[tuple[str, str]] = []
    for name, value in left.items():
        is_many = isinstance(value, list) and name not in operation.json
        for one in cast("list[object]", value if is_many else [value]):
            query.append((name, one if isinstance(one, str) and name not in operation.json else dumps(one)))
    return path + (f"?{urlencode(query)}" if query else ""), None


def problem(said: dict[str, Any], status: int) -> StateError:
    """The error of problem+json."""
    kind = said.get("kind") or KINDS.get(status or said.get("status", 0), "internal")
    return error_of(said["code"], said["detail"], kind=kind, hint=said.get("hint"), data=said.get("data"))
