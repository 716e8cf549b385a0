"""Converts the values of states in the fields and in the result of an operation, and nothing else of them."""

from __future__ import annotations

from typing import Any, Callable, cast

from ._table import PLACES, Operation, Places
from .values import date_text, decode, encode


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
            given[name] = encode(value) if place is True else converted(value, place, encode)
        elif type(value) in PLAIN:
            continue
        elif hasattr(value, "astimezone"):
            given[name] = date_text(value)
        elif isinstance(value, (tuple, set, frozenset)):
            given[name] = list(cast("tuple[Any, ...]", value))
    return given


def decoded_result(operation: Operation, result: Any) -> Any:
    return result if operation.result is None else converted(result, operation.result, decode)


def converted(value: Any, places: Places, convert: Callable[[Any], Any]) -> Any:
    if places is True:
        return convert(value)
    if isinstance(places, str):
        places = PLACES[places]
        return converted(value, places, convert)
    if isinstance(places, list):
        if not isinstance(value, (list, tuple)):
            return value
        return [converted(part, places[0], convert) for part in cast("list[Any]", value)]
    if not isinstance(places, dict) or not isinstance(value, dict):
        return value
    every = places.get("*")
    parts = cast("dict[str, Any]", value)
    if every is not None:
        return {key: converted(part, places.get(key, every), convert) for key, part in parts.items()}
    for key, place in places.items():
        part = parts.get(key)
        if part is not None and part != []:
            changed = converted(part, place, convert)
            if changed is not part:
                parts = {**parts, key: changed}
    return parts
