"""
Python values as the store has them, and back.

What JSON lacks travels in the tags of the store, such as {"$date": "…"}. A Decimal becomes text. A class instance is stored as a map:
a dataclass with its fields, a pydantic model with what it dumps, an Enum with its value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Callable, cast

from .errors import ValueNotSendable

MOST_EXACT = 2**53 - 1
NO_MOMENT = "a datetime without a time zone is no moment"
ZONE_HINT = "Use datetime.now(timezone.utc) or value.astimezone()."
NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf, "-0": -0.0}


class Undefined:
    """What JavaScript programs store as undefined."""

    _only: Undefined | None = None

    def __new__(cls) -> Undefined:
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __repr__(self) -> str:
        return "undefined"

    def __bool__(self) -> bool:
        return False


undefined = Undefined()


class Encoded:
    """A value that has its stored form already."""

    def __init__(self, form: Any) -> None:
        self.form = form


def encode(value: object, path: str = "", holders: tuple[int, ...] = ()) -> Any:
    """The stored form of a value. Raises ValueNotSendable with the path of what cannot be stored."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is int:
        number = cast(int, value)
        return number if -MOST_EXACT <= number <= MOST_EXACT else {"$bigint": str(number)}
    if kind is float:
        return encode_float(cast(float, value))
    if kind is dict or kind is list or kind is tuple:
        if id(value) in holders:
            raise not_sendable(path, "it contains itself", "Store a copy without the cycle.")
        inside = (*holders, id(value))
        if kind is dict:
            mapping = cast("dict[object, object]", value)
            return {key_of(key, path): encode(part, f"{path}/{key}", inside) for key, part in mapping.items()}
        sequence = cast("list[object]", value)
        return [encode(part, f"{path}/{at}", inside) for at, part in enumerate(sequence)]
    return encode_other(value, path, holders)


def key_of(key: object, path: str) -> str:
    if not isinstance(key, str):
        raise not_sendable(path, f"its key {key!r} is no text", "Use texts as keys, such as str(key).")
    return f"${key}" if key.startswith("$") else str(key)


def encode_float(number: float) -> Any:
    if math.isfinite(number):
        return {"$number": "-0"} if number == 0 and math.copysign(1, number) < 0 else number
    return {"$number": "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"}


def encode_other(value: object, path: str, holders: tuple[int, ...]) -> Any:
    """Everything that is not a plain value: the modules of these types are loaded when they are met."""
    if value is undefined:
        return {"$undefined": True}
    if isinstance(value, Encoded):
        return value.form
    if isinstance(value, (bytes, bytearray, memoryview)):
        import base64

        return {"$bytes": base64.b64encode(bytes(cast(bytes, value))).decode("ascii")}
    if id(value) in holders:
        raise not_sendable(path, "it contains itself", "Store a copy without the cycle.")
    inside = (*holders, id(value))
    if isinstance(value, (set, frozenset)):
        members = cast("frozenset[object]", value)
        return {"$set": [encode(part, f"{path}/{at}", inside) for at, part in enumerate(ordered(members))]}
    found = encode_known(value, path)
    if found is not None:
        return found
    plain = plain_of(value)
    if plain is not None:
        return encode(plain, path, inside)
    fields = fields_of(value)
    if fields is None:
        raise not_sendable(path, f"its type is {type(value).__name__}", hint_for(value))
    return encode(fields, path, inside)


def hint_for(value: object) -> str:
    """What to store in place of a value that cannot be."""
    if isinstance(value, Iterable) and not isinstance(value, type):
        return "Store a list of what it gives: list(value)."
    return "Store None, bool, numbers, str, list, dict, datetime, bytes, set, dataclasses or pydantic models; or its text, str(value)."


def plain_of(value: Any) -> object:
    """The plain value of an instance of a subclass, such as that of IntEnum, a named tuple or an OrderedDict."""
    for base in (str, int, float, dict, list, tuple):
        if isinstance(value, base):
            held = getattr(cast(Any, value), "_value_", None)
            return cast(object, base(cast(Any, value)) if held is None else held)
    return None


def encode_known(value: object, path: str) -> Any:
    from datetime import date, datetime
    from decimal import Decimal

    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise not_sendable(path, NO_MOMENT, ZONE_HINT)
        return {"$date": date_text(value)}
    if isinstance(value, date):
        raise not_sendable(path, "a date without a time cannot be stored", "Store a datetime, or value.isoformat().")
    if isinstance(value, Decimal):
        return str(value)
    return None


def date_text(value: Any) -> str:
    """A moment as the store has it, in milliseconds."""
    from datetime import timezone

    return str(value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z"))


def fields_of(value: object) -> object:
    """What an instance is stored as; None when it is of no known kind."""
    if isinstance(value, type) or callable(value):
        return None
    dump = getattr(value, "model_dump", None)
    if dump is not None:
        return cast("Callable[[], object]", dump)()
    names = getattr(value, "__dataclass_fields__", None)
    if names is not None:
        return {name: getattr(value, name) for name in names}
    return cast(object, getattr(value, "_value_", None))


def ordered(members: frozenset[object]) -> list[object]:
    """Equal sets have equal stored forms: Python's own order differs from run to run."""
    return sorted(members, key=lambda member: (type(member).__name__, repr(member)))


def not_sendable(path: str, reason: str, hint: str) -> ValueNotSendable:
    return ValueNotSendable(
        "value-not-sendable",
        f"The value at {path or '/'} cannot be stored: {reason}.",
        kind="usage",
        hint=hint,
        data={"path": path or "/"},
    )


def decode(value: Any) -> Any:
    """The Python value of a stored form."""
    if isinstance(value, dict):
        parts = cast("dict[str, Any]", value)
        if len(parts) == 1:
            [(key, inside)] = parts.items()
            if key.startswith("$") and not key.startswith("$$"):
                read = TAGS.get(key)
                return parts if read is None else read(inside)
        return {key[1:] if key.startswith("$$") else key: decode(part) for key, part in parts.items()}
    if isinstance(value, list):
        return [decode(part) for part in cast("list[object]", value)]
    return value


def decode_date(text: str | None) -> Any:
    from datetime import datetime, timezone

    if text is None or len(text) != 24:
        # The invalid date of JavaScript, and years that Python has not.
        return {"$date": text}
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)


def decode_bytes(text: str) -> bytes:
    import base64

    return base64.b64decode(text)


def decode_set(members: list[Any]) -> Any:
    """A set; a list where a member, such as a map, cannot be in a set of Python."""
    found = [decode(member) for member in members]
    try:
        return set(found)
    except TypeError:
        return found


def decode_map(pairs: list[Any]) -> Any:
    """A dict; pairs where a key cannot be one of Python."""
    found = [(decode(key), decode(value)) for key, value in pairs]
    try:
        return dict(found)
    except TypeError:
        return found


TAGS: dict[str, Callable[[Any], Any]] = {
    "$undefined": lambda _: undefined,
    "$number": lambda text: NUMBERS[text],
    "$bigint": int,
    "$date": decode_date,
    "$bytes": decode_bytes,
    "$buffer": decode_bytes,
    "$set": decode_set,
    "$map": decode_map,
    "$url": str,
}
