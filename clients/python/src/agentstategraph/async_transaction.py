"""Several changes in one commit, for an event loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import StateError
from .presentation import Speculation

if TYPE_CHECKING:
    from .async_state_graph import AsyncStateGraph
    from .shapes import Merged


class AsyncTransaction:
    """Changes that are committed together when the block ends, or not at all. `commit` is then the commit."""

    def __init__(self, graph: AsyncStateGraph, description: str, why: dict[str, Any]) -> None:
        self._graph = graph
        self._description = description
        self._why = why
        self._edits: list[dict[str, object]] = []
        self._speculation: Speculation | None = None
        self._has_edits = False
        self.commit: Merged | None = None

    def set(self, path: str, value: object) -> None:
        self._edits.append({"op": "set", "path": path, "value": value})

    def delete(self, path: str) -> None:
        self._edits.append({"op": "delete", "path": path})

    async def get(self, path: str = "/", type: Any = None) -> Any:
        """The value with the changes of this transaction."""
        return await self._graph.spec_get(await self._flushed(), path, type)

    async def _flushed(self) -> Speculation:
        assert self._speculation is not None, "a transaction is used in an async with statement"
        if self._edits:
            edits, self._edits = self._edits, []
            await self._graph.spec_modify(self._speculation, edits)
            self._has_edits = True
        return self._speculation

    async def __aenter__(self) -> AsyncTransaction:
        self._speculation = await self._graph.speculate()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        speculation = self._speculation
        assert speculation is not None
        try:
            if kind is None:
                await self._flushed()
                if self._has_edits:
                    self.commit = await self._graph.commit_spec(speculation, self._description, **self._why)
                    return
        except BaseException:
            await self._discard(speculation)
            raise
        await self._discard(speculation)

    async def _discard(self, speculation: Speculation) -> None:
        """What remains of a failed transaction is seen by nobody; the error that ended it is the one to tell."""
        try:
            await self._graph.discard(speculation)
        except StateError:
            pass
