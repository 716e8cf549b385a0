"""Listings and streams for an event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Generator
from typing import Any, Callable, Generic, TypeVar

T = TypeVar("T")
AsyncPage = Callable[["str | None", "int | None"], "Awaitable[dict[str, Any]]"]


class AsyncListing(Generic[T]):
    """A listing that is read page by page: `async for item in …`, or `await …` for a list of all."""

    def __init__(self, page: AsyncPage, limit: int | None = None, keep: Callable[[T], bool] | None = None) -> None:
        self._page = page
        self._limit = limit
        self._keep = keep

    async def __aiter__(self) -> AsyncIterator[T]:
        left = self._limit
        cursor: str | None = None
        while True:
            page = await self._page(cursor, left)
            for item in page["items"]:
                if self._keep is not None and not self._keep(item):
                    continue
                yield item
                if left is not None:
                    left -= 1
                    if left == 0:
                        return
            cursor = page.get("next_cursor")
            if cursor is None:
                return

    async def _whole(self) -> list[T]:
        return [item async for item in self]

    def __await__(self) -> Generator[Any, None, list[T]]:
        return self._whole().__await__()


class AsyncStream(AsyncIterator[T], Generic[T]):
    """Items as they come. Close it, or use it in an async with statement, to end it before it ends by itself."""

    def __init__(self, items: AsyncIterator[Any], convert: Callable[[Any], T]) -> None:
        self._items = items
        self._convert = convert

    def __aiter__(self) -> AsyncStream[T]:
        return self

    async def __anext__(self) -> T:
        return self._convert(await self._items.__anext__())

    async def aclose(self) -> None:
        close = getattr(self._items, "aclose", None)
        if close is not None:
            await close()

    async def __aenter__(self) -> AsyncStream[T]:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
