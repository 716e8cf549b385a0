"""StateGraph: a store, for programs that wait for each answer."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Callable, Protocol, TypeVar

from ._operations import Operations
from .errors import StateError, error_of
from .handle import RAISE, Mode, address_of, is_served
from .listing import Listing, Stream
from .people import People
from .transaction import Transaction

Self = TypeVar("Self", bound="StateGraph")


class Transport(Protocol):
    """Where calls go: a core process, or a server."""

    def call(self, method: str, params: dict[str, Any], caller: dict[str, Any]) -> Any: ...
    def stream(self, method: str, params: dict[str, Any], caller: dict[str, Any]) -> Iterator[Any]: ...
    def close(self) -> None: ...


class StateGraph(People, Operations):
    """
    A versioned state whose history says who, why and how sure.

    `StateGraph()` is in memory, `StateGraph("state.db")` in a file, `StateGraph("https://…", token=…)` on a server; other addresses
    are those of the library, such as `redis://…`. `agent` is who writes when a call does not say. With `mode="read-only"` nothing is
    written; with `mode="propose"` every write becomes a proposal.
    """

    def __init__(
        self,
        address: str | os.PathLike[str] | None = None,
        *,
        token: str | None = None,
        agent: str | None = None,
        mode: Mode | None = None,
    ) -> None:
        try:
            self._address = address_of(address)
            self._transport = open_transport(self._address, token, agent, mode)
        except StateError as error:
            raise error.with_traceback(None) from None
        self._ref = None
        self._caller = {}

    def _call(
        self,
        method: str,
        fields: dict[str, Any],
        *,
        agent: str | None = None,
        then: Callable[[Any], Any] | None = None,
        default: object = RAISE,
    ) -> Any:
        operation, params, caller = self._request(method, fields, agent)
        try:
            result = self._answered(operation, self._transport.call(method, params, caller))
        except StateError as error:
            if default is not RAISE and error.code == "path-not-found":
                return default
            # Where inside the client it was noticed tells a program nothing.
            raise error.with_traceback(None) from None
        return result if then is None else then(result)

    def _listing(
        self,
        method: str,
        fields: dict[str, Any],
        limit: int | None = None,
        *,
        agent: str | None = None,
        keep: Callable[[Any], bool] | None = None,
    ) -> Listing[Any]:
        operation, params, caller = self._request(method, fields, agent)

        def page(cursor: str | None, left: int | None) -> dict[str, Any]:
            asked = {**params, **self._page_fields(cursor, left)}
            return self._page(operation, self._transport.call(method, asked, caller))

        return Listing(page, limit, keep)

    def _stream(self, method: str, fields: dict[str, Any]) -> Stream[Any]:
        operation, params, caller = self._request(method, fields, None)
        items = self._transport.stream(method, params, caller)
        return Stream(items, lambda item: self._answered(operation, item))

    def _view(self: Self, ref: str | None, caller: dict[str, Any], is_past: bool = False) -> Self:
        view = type(self).__new__(type(self))
        view._transport = self._transport
        view._address = self._address
        view._ref = ref
        view._caller = caller
        view._is_past = is_past
        return view

    def transaction(
        self,
        description: str,
        *,
        category: str | None = None,
        reasoning: str | None = None,
        confidence: float | None = None,
        tags: Sequence[str] | None = None,
        intent_id: str | None = None,
        intent_parent: str | None = None,
        alternatives: Sequence[Mapping[str, object]] | None = None,
        expects: Sequence[Mapping[str, object]] | None = None,
        tools: Sequence[Mapping[str, object]] | None = None,
        agent: str | None = None,
    ) -> Transaction:
        """
        Several changes in one commit: `with sg.transaction("why") as tx: tx.set(…)`.

        They are made in a speculation, so they are seen by `tx.get` and by nobody else, and committed when the block ends; when it
        raises, nothing is.
        """
        why = {
            "category": category,
            "reasoning": reasoning,
            "confidence": confidence,
            "tags": tags,
            "intent_id": intent_id,
            "intent_parent": intent_parent,
            "alternatives": alternatives,
            "expects": expects,
            "tools": tools,
            "agent": agent,
        }
        return Transaction(self, description, why)

    def close(self) -> None:
        """Ends the core process, or the connections to the server. Other views of this store are closed too."""
        self._transport.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_transport(address: str | None, token: str | None, agent: str | None, mode: str | None) -> Transport:
    refuse_mixed(address, token, agent, mode)
    if is_served(address):
        from .http_transport import HttpTransport

        return HttpTransport(str(address), token)
    from .core import Core

    return Core(address, agent, mode)


def refuse_mixed(address: str | None, token: str | None, agent: str | None, mode: str | None) -> None:
    if not is_served(address):
        if token is not None:
            hint = "Leave out token, or act with a key: sg.as_(key=…)."
            raise error_of("option-invalid", "A store of this machine needs no token.", kind="usage", hint=hint)
    elif agent is not None or mode is not None:
        hint = "Leave out agent and mode: a key says who calls and what is allowed."
        raise error_of("agent-by-key", "A server decides by the key who calls.", kind="usage", hint=hint)
