"""The name under which programs know StateGraph from elsewhere. It is that of `agentstategraph`."""

from agentstategraph import StateError, StateGraph, __version__

__all__ = ["StateError", "StateGraph", "__version__"]
