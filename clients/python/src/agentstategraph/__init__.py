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
from .state_graph import StateGraph
from .values import undefined

if TYPE_CHECKING:
    from .async_state_graph import AsyncStateGraph

__all__ = [
    "AsyncStateGraph",
    "Conflict",
    "CoreDied",
    "Denied",
    "Invalid",
    "MergeConflict",
    "Moved",
    "NodeNotFound",
    "NotFound",
    "OutcomeUnknown",
    "StateError",
    "StateGraph",
    "StoreLost",
    "TooLarge",
    "TooMany",
    "Unauthenticated",
    "Unavailable",
    "UsageError",
    "ValueMismatch",
    "ValueNotSendable",
    "VerificationFailed",
    "__version__",
    "undefined",
]


def __getattr__(name: str) -> Any:
    # Loaded when it is asked for, so that a program without an event loop does not load asyncio.
    if name == "AsyncStateGraph":
        from .async_state_graph import AsyncStateGraph

        return AsyncStateGraph
    raise AttributeError(name)
