"""Several changes in one commit, for an event loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import StateError
from .presentation import Speculation
from .transaction import Edits

if TYPE_CHECKING:
    from .async_state_graph import AsyncStateGraph
    from .shapes import Merged


class AsyncTransaction(Edits):
    """Changes that are committed together when the block ends, or not at all. `commit` is then the commit."""

    def __init__(self, graph: AsyncStateGraph, description: str, why: dict[str, Any]) -> None:
        self._graph = graph
        self._description = description
        self._why = why
        super().__init__()
        self.commit: Merged | None = None

    async def get(self, path: str = "/", type: Any = None) -> Any:
        """The value with the changes of this transaction."""
        return await self._graph.spec_get(await self._flushed(), path, type)

    async def _flushed(self) -> Speculation:
        speculation = self._open()
        if self._edits:
            edits, self._edits = self._edits, []
            await self._graph.spec_modify(speculation, edits)
            self._has_edits = True
        return speculation

    async def __aenter__(self) -> AsyncTransaction:
        self._speculation = await self._graph.speculate()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        speculation = self._open()
        try:
            if kind is None:
                await self._flushed()
                if self._has_edits:
                    self.commit = await self._graph.commit_spec(speculation, self._description, **self._why)
                    return
        except BaseException:
            await self._discard(speculation)
            raise
        finally:
            self._speculation = None
        await self._discard(speculation)

    async def _discard(self, speculation: Speculation) -> None:
        """What remains of a failed transaction is seen by nobody; the error that ended it is the one to tell."""
        try:
            await self._graph.discard(speculation)
        except StateError:
            pass
