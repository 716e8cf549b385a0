"""What operations list: pages that are fetched when they are needed, and streams that can be closed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Callable, Generic, TypeVar, cast, overload

from .html import table_of

T = TypeVar("T")
Page = Callable[["str | None", "int | None"], "dict[str, Any]"]


class Listing(Sequence[T], Generic[T]):
    """
    A listing that is read page by page.

    Going over it fetches one page after the other and keeps none but the first. Its length, an index and a comparison need all of it,
    which is then kept.
    """

    def __init__(self, page: Page, limit: int | None = None, keep: Callable[[T], bool] | None = None) -> None:
        self._page = page
        self._limit = limit
        self._keep = keep
        self._all: list[T] | None = None
        # Fetched now, so that what is wrong with the call is told by the call.
        self._first = page(None, limit)

    def __iter__(self) -> Iterator[T]:
        if self._all is not None:
            yield from self._all
            return
        left = self._limit
        page: dict[str, Any] | None = self._first
        while page is not None:
            for item in page["items"]:
                if self._keep is not None and not self._keep(item):
                    continue
                yield item
                if left is not None:
                    left -= 1
                    if left == 0:
                        return
            cursor = page.get("next_cursor")
            page = None if cursor is None else self._page(cursor, left)

    def _whole(self) -> list[T]:
        if self._all is None:
            # An iterator, because a list asks a sequence for its length first.
            self._all = list(iter(self))
        return self._all

    def __len__(self) -> int:
        return len(self._whole())

    def __bool__(self) -> bool:
        return any(True for _ in self)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        return self._whole()[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Listing, list)):
            return self._whole() == list(iter(cast("list[T]", other)))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]  # pyright: ignore

    def __repr__(self) -> str:
        return repr(self._whole())

    def _repr_html_(self) -> str:
        return table_of(self._whole())


class Stream(Iterator[T], Generic[T]):
    """Items as they come. Close it, or use it in a with statement, to end it before it ends by itself."""

    def __init__(self, items: Iterator[Any], convert: Callable[[Any], T]) -> None:
        self._items = items
        self._convert = convert

    def __iter__(self) -> Stream[T]:
        return self

    def __next__(self) -> T:
        return self._convert(next(self._items))

    def close(self) -> None:
        close = getattr(self._items, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Stream[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
