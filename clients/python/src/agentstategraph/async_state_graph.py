"""AsyncStateGraph: a store, for programs with an event loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Generator, Mapping, Sequence
from typing import Any, Callable, Protocol, TypeVar

from ._operations import AsyncOperations
from .async_core import AsyncCore
from .async_listing import AsyncListing, AsyncStream
from .async_transaction import AsyncTransaction
from .errors import StateError
from .handle import RAISE, Mode, address_of, is_served
from .http_transport import HttpTransport
from .people import AsyncPeople
from .state_graph import refuse_mixed

Self = TypeVar("Self", bound="AsyncStateGraph")


class AsyncTransport(Protocol):
    async def open(self) -> None: ...
    async def call(self, method: str, params: dict[str, Any], caller: dict[str, Any]) -> Any: ...
    def stream(self, method: str, params: dict[str, Any], caller: dict[str, Any]) -> AsyncIterator[Any]: ...
    async def aclose(self) -> None: ...


class AsyncStateGraph(AsyncPeople, AsyncOperations):
    """
    A StateGraph whose calls are awaited: `async with AsyncStateGraph("state.db") as sg: await sg.set(…)`.

    `await AsyncStateGraph(…)` opens one without a block; a program may also make one before it has an event loop, and its first call opens it.
    It belongs to the event loop of that call.
    """

    def __init__(
        self,
        address: str | os.PathLike[str] | None = None,
        *,
        token: str | None = None,
        agent: str | None = None,
        mode: Mode | None = None,
    ) -> None:
        self._address = place = address_of(address)
        refuse_mixed(place, token, agent, mode)
        self._transport: AsyncTransport = (
            AsyncHttp(HttpTransport(str(place), token)) if is_served(place) else AsyncCore(place, agent, mode)
        )
        self._ref = None
        self._caller = {}

    async def _call(
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
            result = self._answered(operation, await self._transport.call(method, params, caller))
        except StateError as error:
            if default is not RAISE and error.code == "path-not-found":
                return default
            raise
        return result if then is None else then(result)

    def _listing(
        self,
        method: str,
        fields: dict[str, Any],
        limit: int | None = None,
        *,
        agent: str | None = None,
        keep: Callable[[Any], bool] | None = None,
    ) -> AsyncListing[Any]:
        operation, params, caller = self._request(method, fields, agent)

        async def page(cursor: str | None, left: int | None) -> dict[str, Any]:
            asked = {**params, **self._page_fields(cursor, left)}
            return self._page(operation, await self._transport.call(method, asked, caller))

        return AsyncListing(page, limit, keep)

    def _stream(self, method: str, fields: dict[str, Any]) -> AsyncStream[Any]:
        operation, params, caller = self._request(method, fields, None)
        items = self._transport.stream(method, params, caller)
        return AsyncStream(items, lambda item: self._answered(operation, item))

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
    ) -> AsyncTransaction:
        """Several changes in one commit: `async with sg.transaction("why") as tx: tx.set(…)`."""
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
        return AsyncTransaction(self, description, why)

    async def aclose(self) -> None:
        """Ends the core process, or the connections to the server. Other views of this store are closed too."""
        await self._transport.aclose()

    async def _opened(self: Self) -> Self:
        await self._transport.open()
        return self

    def __await__(self: Self) -> Generator[Any, None, Self]:
        return self._opened().__await__()

    async def __aenter__(self: Self) -> Self:
        return await self._opened()

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class AsyncHttp:
    """A server, called from threads."""

    def __init__(self, transport: HttpTransport) -> None:
        self._transport = transport

    async def open(self) -> None:
        """A server is open already."""

    async def call(self, method: str, params: dict[str, Any], caller: dict[str, Any]) -> Any:
        return await asyncio.to_thread(self._transport.call, method, params, caller)

    async def stream(self, method: str, params: dict[str, Any], caller: dict[str, Any]) -> AsyncIterator[Any]:
        items = await asyncio.to_thread(self._transport.stream, method, params, caller)
        end = object()
        while True:
            item = await asyncio.to_thread(next, items, end)
            if item is end:
                return
            yield item

    async def aclose(self) -> None:
        self._transport.close()
