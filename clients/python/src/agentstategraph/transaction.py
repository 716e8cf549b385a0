"""Several changes in one commit, made in a speculation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import StateError, error_of
from .places import encoded
from .presentation import Speculation
from .values import Encoded

if TYPE_CHECKING:
    from .shapes import Merged
    from .state_graph import StateGraph


class Edits:
    """The edits of a transaction that were not sent yet. They are taken inside its block alone: elsewhere nothing would commit them."""

    def __init__(self) -> None:
        self._edits: list[dict[str, object]] = []
        self._speculation: Speculation | None = None
        self._has_edits = False

    def set(self, path: str, value: object) -> None:
        """Writes the value as it is now."""
        self._open()
        self._edits.append({"op": "set", "path": path, "value": Encoded(encoded(value, True, path))})

    def delete(self, path: str) -> None:
        self._open()
        self._edits.append({"op": "delete", "path": path})

    def _open(self) -> Speculation:
        if self._speculation is None:
            hint = "Use it inside its with statement. Nothing was changed."
            raise error_of("transaction-over", "The transaction is not open.", kind="usage", hint=hint)
        return self._speculation


class Transaction(Edits):
    """Changes that are committed together when the block ends, or not at all. `commit` is then the commit."""

    def __init__(self, graph: StateGraph, description: str, why: dict[str, Any]) -> None:
        self._graph = graph
        self._description = description
        self._why = why
        super().__init__()
        self.commit: Merged | None = None

    def get(self, path: str = "/", type: Any = None) -> Any:
        """The value with the changes of this transaction."""
        return self._graph.spec_get(self._flushed(), path, type)

    def _flushed(self) -> Speculation:
        speculation = self._open()
        if self._edits:
            edits, self._edits = self._edits, []
            self._graph.spec_modify(speculation, edits)
            self._has_edits = True
        return speculation

    def __enter__(self) -> Transaction:
        self._speculation = self._graph.speculate()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        speculation = self._open()
        try:
            if kind is None:
                self._flushed()
                if self._has_edits:
                    self.commit = self._graph.commit_spec(speculation, self._description, **self._why)
                    return
        except BaseException:
            self._discard(speculation)
            raise
        finally:
            self._speculation = None
        self._discard(speculation)

    def _discard(self, speculation: Speculation) -> None:
        """What remains of a failed transaction is seen by nobody; the error that ended it is the one to tell."""
        try:
            self._graph.discard(speculation)
        except StateError:
            pass
