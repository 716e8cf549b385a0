"""
AgentStateGraph: a versioned state for agents, whose history says who, why and how sure.

    from agentstategraph import StateGraph

    with StateGraph("state.db") as sg:
        sg.set("/cluster/replicas", 3, "Scale to 3 replicas", confidence=0.85)
        print(sg.blame("/cluster/replicas"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._version import VERSION as __version__
from .errors import (
    Conflict,
    CoreDied,
    Denied,
    Invalid,
    MergeConflict,
    Moved,
    NodeNotFound,
    NotFound,
    OutcomeUnknown,
    StateError,
    StoreLost,
    TooLarge,
    TooMany,
    Unauthenticated,
    Unavailable,
    UsageError,
    ValueMismatch,
    ValueNotSendable,
    VerificationFailed,
)
from .listing import Listing, Stream
from .presentation import Blame, Changes, Speculation
from .state_graph import StateGraph
from .transaction import Transaction
from .values import undefined

if TYPE_CHECKING:
    from .async_state_graph import AsyncStateGraph
    from .shapes import Change, Commit

__all__ = [
    "AsyncStateGraph",
    "Blame",
    "Change",
    "Changes",
    "Commit",
    "Conflict",
    "CoreDied",
    "Denied",
    "Invalid",
    "Listing",
    "MergeConflict",
    "Moved",
    "NodeNotFound",
    "NotFound",
    "OutcomeUnknown",
    "Speculation",
    "StateError",
    "StateGraph",
    "StoreLost",
    "Stream",
    "TooLarge",
    "TooMany",
    "Transaction",
    "Unauthenticated",
    "Unavailable",
    "UsageError",
    "ValueMismatch",
    "ValueNotSendable",
    "VerificationFailed",
    "__version__",
    "undefined",
]


# Loaded when they are asked for, so that a program without an event loop does not load asyncio.
_LATER = {"AsyncStateGraph": "async_state_graph", "Change": "shapes", "Commit": "shapes"}

# To a type checker a module with this function has every name.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f".{_LATER[name]}", __name__), name)
