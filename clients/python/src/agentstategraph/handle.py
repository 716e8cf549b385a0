"""What StateGraph and AsyncStateGraph share: a transport, the branch or moment that is meant, and who calls."""

from __future__ import annotations

import os
import re
from typing import Any, Literal, cast

from ._table import OPERATIONS, Operation
from .errors import error_of
from .places import decoded_result, encoded_fields, moment_text
from .presentation import with_absent

MOST_ITEMS = 1000
Mode = Literal["write", "read-only", "propose"]
# Given for a value that may be missing, in place of any that a program could mean.
RAISE: Any = object()


class Handle:
    """A view of an open store. It never changes; `on`, `at` and `as_` make others over the same transport."""

    _address: str | None
    _ref: str | None
    _caller: dict[str, Any]
    # Whether the ref is one of the past, given by `at`.
    _is_past = False

    def __repr__(self) -> str:
        parts = [] if self._address is None else [repr(shown(self._address))]
        parts.extend(f"{name}={self._caller[name]!r}" for name in ("agent", "session", "trace") if name in self._caller)
        view = "" if self._ref is None else f".{'at' if self._is_past else 'on'}({self._ref!r})"
        return f"{type(self).__name__}({', '.join(parts)}){view}"

    def _request(self, method: str, fields: dict[str, Any], agent: str | None) -> tuple[Operation, dict[str, Any], dict[str, Any]]:
        operation = OPERATIONS[method]
        params = encoded_fields(operation, fields)
        if self._ref is not None and operation.ref is not None and operation.ref not in params:
            if self._is_past and operation.has_key and operation.ref == "ref":
                hint = "Nothing was changed. Write to a branch, such as sg.on('main')."
                raise error_of("read-only", f"{method} was refused: the past does not change.", kind="denied", hint=hint)
            params[operation.ref] = self._ref
        return operation, params, self._caller if agent is None else {**self._caller, "agent": agent}

    def _answered(self, operation: Operation, result: Any) -> Any:
        return with_absent(decoded_result(operation, result))

    def _page(self, operation: Operation, result: Any) -> dict[str, Any]:
        page: dict[str, Any] = decoded_result(operation, result)
        for item in page["items"]:
            with_absent(item)
        return page

    def _page_fields(self, cursor: str | None, left: int | None) -> dict[str, Any]:
        """Without a limit of the caller pages are as large as they may be, after the first one."""
        limit = min(left, MOST_ITEMS) if left is not None else None if cursor is None else MOST_ITEMS
        fields: dict[str, Any] = {} if limit is None else {"limit": limit}
        return fields if cursor is None else {**fields, "cursor": cursor}

    def _at(self, when: object) -> str:
        """The ref of a commit, or of a branch at a moment."""
        if isinstance(when, dict):
            return str(cast("dict[str, object]", when)["id"])
        if hasattr(when, "astimezone"):
            return f"{self._ref or 'main'}@{{{moment_text(when, 'at')}}}"
        return str(when)

    def _called_as(self, given: dict[str, str | None]) -> dict[str, Any]:
        return {**self._caller, **{name: value for name, value in given.items() if value is not None}}


def address_of(address: str | os.PathLike[str] | None) -> str | None:
    return None if address is None else os.fsdecode(address)


def shown(address: str) -> str:
    """An address without its password."""
    return re.sub(r"(//[^/@:]*):[^/@]*@", r"\1:…@", address)


def is_served(address: str | None) -> bool:
    return address is not None and address.startswith(("http://", "https://"))
