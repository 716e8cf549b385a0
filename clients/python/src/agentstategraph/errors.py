"""Every error of this library: one class, its subclasses by kind, and a few by code."""

from __future__ import annotations

from typing import Any


class StateError(Exception):
    """What was asked for did not happen. `code` is stable and the same on every surface; `hint` says what to do."""

    def __init__(self, code: str, message: str, *, kind: str = "internal", hint: str | None = None, data: Any = None):
        super().__init__(message)
        self.code = code
        self.message = message
        self.kind = kind
        self.hint = hint
        self.data = data

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]" + (f"\n{self.hint}" if self.hint else "")

    def __reduce__(self) -> tuple[Any, ...]:
        return (rebuilt, (self.code, self.message, self.kind, self.hint, self.data))


class UsageError(StateError):
    """The call is malformed and can never succeed."""


class Unauthenticated(StateError):
    """The key is not valid."""


class Denied(StateError):
    """The caller may not do this."""


class NotFound(StateError):
    """What was named is not there."""


class Conflict(StateError):
    """The call conflicts with the current state."""


class Moved(StateError):
    """A precondition no longer holds."""


class TooLarge(StateError):
    """The value or the request is too large."""


class Invalid(StateError):
    """The input is well-formed but cannot be stored."""


class TooMany(StateError):
    """A limit is reached; later it may succeed."""


class VerificationFailed(StateError):
    """Stored or imported data fails verification."""


class Unavailable(StateError):
    """The core, the server or the store cannot be reached or used now."""


class MergeConflict(Conflict):
    """Both sides changed the same places. Nothing was written."""

    @property
    def conflicts(self) -> list[dict[str, Any]]:
        """Each place with its sides."""
        data: dict[str, Any] = self.data or {}
        return list(data.get("conflicts", []))


class ValueNotSendable(UsageError, TypeError):
    """A value cannot be stored: a function, a cycle. The message says where it is."""


class ValueMismatch(Invalid):
    """What is stored does not have the type that was asked for."""


class OutcomeUnknown(Unavailable):
    """The core died, or the server went away, during the call: it was done, or it was not."""

    @property
    def key(self) -> str | None:
        """The idempotency key of the call. Repeated with it, the write is made once."""
        data: dict[str, str | None] = self.data or {}
        return data.get("key")


class StoreLost(Unavailable):
    """A store in memory ended with its process."""


class CoreDied(Unavailable):
    """The core ends again and again."""


class NodeNotFound(Unavailable):
    """There is no Node that can run the core."""


BY_KIND: dict[str, type[StateError]] = {
    "usage": UsageError,
    "unauthenticated": Unauthenticated,
    "denied": Denied,
    "not-found": NotFound,
    "conflict": Conflict,
    "moved": Moved,
    "too-large": TooLarge,
    "unsupported": UsageError,
    "invalid": Invalid,
    "too-many": TooMany,
    "verification": VerificationFailed,
    "unavailable": Unavailable,
    "full": Unavailable,
}

BY_CODE: dict[str, type[StateError]] = {
    "merge-conflict": MergeConflict,
    "value-not-sendable": ValueNotSendable,
    "value-mismatch": ValueMismatch,
    "outcome-unknown": OutcomeUnknown,
    "store-lost": StoreLost,
    "core-died": CoreDied,
    "node-not-found": NodeNotFound,
}


def error_of(code: str, message: str, *, kind: str = "internal", hint: str | None = None, data: Any = None) -> StateError:
    """The error of a code: the class of the code, or of its kind."""
    made = BY_CODE.get(code) or BY_KIND.get(kind) or StateError
    return made(code, message, kind=kind, hint=hint, data=data)


def rebuilt(code: str, message: str, kind: str, hint: str | None, data: Any) -> StateError:
    """An error that came from another process, as with multiprocessing."""
    return error_of(code, message, kind=kind, hint=hint, data=data)


def outcome_unknown(method: str, key: object = None) -> StateError:
    hint = "Read whether it is there" + (
        ", or repeat the call with this idempotency_key: it is done once." if key else " before you repeat the call."
    )
    message = f"The core ended during {method}, which was done or was not."
    return error_of("outcome-unknown", message, kind="unavailable", hint=hint, data={"key": key, "method": method})


def store_lost() -> StateError:
    return error_of(
        "store-lost",
        "The store in memory ended with the process that held it.",
        kind="unavailable",
        hint="Give StateGraph a file name to keep a state, and to use it in forked processes.",
    )
