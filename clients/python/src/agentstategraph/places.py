"""Converts the values of states in the fields and in the result of an operation, and nothing else of them."""

from __future__ import annotations

from typing import Any, Callable, cast

from ._table import PLACES, Operation, Places
from .errors import error_of
from .values import NO_MOMENT, ZONE_HINT, date_text, decode, encode, not_sendable

# Values of these types are sent as they are.
PLAIN = frozenset((str, int, float, bool))


def encoded_fields(operation: Operation, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields that were given, as the protocol has them."""
    places = cast("dict[str, Places]", operation.given or {})
    nullable = operation.nullable
    given = {name: value for name, value in fields.items() if value is not None or name in nullable}
    for name, value in given.items():
        place = places.get(name)
        if place is not None:
            given[name] = encoded(value, place, path_in(given))
        elif type(value) in PLAIN:
            continue
        elif hasattr(value, "astimezone"):
            given[name] = moment_text(value, name)
        elif isinstance(value, (tuple, set, frozenset)):
            given[name] = list(cast("tuple[Any, ...]", value))
    return given


def path_in(fields: dict[str, Any]) -> str:
    """Where in a state the values of these fields are to be, for the error that names the place of one that cannot be stored."""
    path = fields.get("path")
    return path if isinstance(path, str) and path != "/" else ""


def moment_text(value: Any, field: str) -> str:
    if value.tzinfo is None:
        raise error_of("input-invalid", f"{field}: {NO_MOMENT}.", kind="usage", hint=ZONE_HINT)
    return date_text(value)


def encoded(value: Any, places: Places, path: str = "") -> Any:
    """The stored form of the values at these places."""
    try:
        return converted(value, places, encode, path)
    except RecursionError:
        raise not_sendable(path, "it is nested too deep", "Store its inner parts under paths of their own.") from None


def decoded(value: Any, places: Places) -> Any:
    """The Python values at these places."""
    return converted(value, places, lambda part, _: decode(part))


def decoded_result(operation: Operation, result: Any) -> Any:
    return result if operation.result is None else decoded(result, operation.result)


def converted(value: Any, places: Places, convert: Callable[[Any, str], Any], path: str = "") -> Any:
    if places is True:
        return convert(value, path)
    if isinstance(places, str):
        return converted(value, PLACES[places], convert, path)
    if isinstance(places, list):
        if not isinstance(value, (list, tuple)):
            return value
        return [converted(part, places[0], convert, path) for part in cast("list[Any]", value)]
    if not isinstance(places, dict) or not isinstance(value, dict):
        return value
    every = places.get("*")
    parts = cast("dict[str, Any]", value)
    path = path_in(parts) or path
    if every is not None:
        return {key: converted(part, places.get(key, every), convert, path) for key, part in parts.items()}
    for key, place in places.items():
        part = parts.get(key)
        if part is not None and part != []:
            changed = converted(part, place, convert, path)
            if changed is not part:
                parts = {**parts, key: changed}
    return parts
