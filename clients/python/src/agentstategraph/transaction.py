"""Several changes in one commit, made in a speculation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import StateError
from .presentation import Speculation

if TYPE_CHECKING:
    from .shapes import Merged
    from .state_graph import StateGraph


class Transaction:
    """Changes that are committed together when the block ends, or not at all. `commit` is then the commit."""

    def __init__(self, graph: StateGraph, description: str, why: dict[str, Any]) -> None:
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

    def get(self, path: str = "/", type: Any = None) -> Any:
        """The value with the changes of this transaction."""
        return self._graph.spec_get(self._flushed(), path, type)

    def _flushed(self) -> Speculation:
        assert self._speculation is not None, "a transaction is used in a with statement"
        if self._edits:
            edits, self._edits = self._edits, []
            self._graph.spec_modify(self._speculation, edits)
            self._has_edits = True
        return self._speculation

    def __enter__(self) -> Transaction:
        self._speculation = self._graph.speculate()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        speculation = self._speculation
        assert speculation is not None
        try:
            if kind is None:
                self._flushed()
                if self._has_edits:
                    self.commit = self._graph.commit_spec(speculation, self._description, **self._why)
                    return
        except BaseException:
            self._discard(speculation)
            raise
        self._discard(speculation)

    def _discard(self, speculation: Speculation) -> None:
        """What remains of a failed transaction is seen by nobody; the error that ended it is the one to tell."""
        try:
            self._graph.discard(speculation)
        except StateError:
            pass
