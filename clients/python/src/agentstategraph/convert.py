"""Values as the type that a program asks for: dataclasses, pydantic models, Decimal, Enum, and collections of them."""

from __future__ import annotations

import types
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints, is_typeddict

from .errors import ValueMismatch, error_of


MANY = (list, tuple, set)
COLLECTIONS = frozenset((list, tuple, set, frozenset))
# Of these a value is one or is none: str(3) and bytes(3) make something of everything.
PLAIN = frozenset((str, bool, bytes, dict))


def typed(value: Any, kind: Any, path: str = "/") -> Any:
    """The value as this type. Raises ValueMismatch with the path where it is something else."""
    if kind is Any or kind is object:
        return value
    if hasattr(kind, "model_validate"):
        return validated(value, kind, path)
    origin = get_origin(kind)
    if origin is Annotated:
        return typed(value, get_args(kind)[0], path)
    if origin is not None:
        return typed_generic(value, origin, get_args(kind), kind, path)
    if hasattr(kind, "__supertype__"):
        return typed(value, kind.__supertype__, path)
    if kind is None or kind is type(None):
        return matched(value, value is None, kind, path)
    if hasattr(kind, "__dataclass_fields__"):
        return built(value, kind, path)
    if is_typeddict(kind):
        return matched(value, isinstance(value, dict), kind, path)
    if kind is float:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return float(matched(value, is_number, kind, path))
    if kind is int:
        return matched(value, isinstance(value, int) and not isinstance(value, bool), kind, path)
    if not isinstance(kind, type):
        hint = "Give a type, such as int or list[Disk]; default= is what to give where there is nothing."
        raise error_of("option-invalid", f"{kind!r} is no type.", kind="usage", hint=hint)
    if isinstance(value, kind):
        return value
    if kind in COLLECTIONS:
        return kind(matched(value, isinstance(value, MANY), kind, path))
    matched(value, kind not in PLAIN, kind, path)
    return converted(value, kind, path)


def typed_generic(value: Any, origin: Any, args: tuple[Any, ...], kind: Any, path: str) -> Any:
    if origin is Union or origin is getattr(types, "UnionType", None):
        return first_of(value, args, kind, path)
    if origin is Literal:
        return matched(value, value in args, kind, path)
    if issubclass(origin, dict) or origin.__name__ == "Mapping":
        parts = cast("dict[str, Any]", matched(value, isinstance(value, dict), kind, path))
        return {key: typed(part, args[1], below(path, key)) for key, part in parts.items()}
    many = list(cast("list[Any]", matched(value, isinstance(value, MANY), kind, path)))
    if issubclass(origin, tuple) and not (len(args) == 2 and args[1] is Ellipsis):
        matched(value, len(many) == len(args), kind, path)
        return tuple(typed(part, each, below(path, at)) for at, (part, each) in enumerate(zip(many, args)))
    inside = [typed(part, args[0], below(path, at)) for at, part in enumerate(many)]
    return cast(Any, origin)(inside) if origin in (list, tuple, set, frozenset) else inside


def first_of(value: Any, kinds: tuple[Any, ...], kind: Any, path: str) -> Any:
    for each in kinds:
        try:
            return typed(value, each, path)
        except ValueMismatch:
            continue
    raise mismatch(value, kind, path)


def built(value: Any, kind: Any, path: str) -> Any:
    """An instance of a dataclass."""
    parts = cast("dict[str, Any]", matched(value, isinstance(value, dict), kind, path))
    hints = get_type_hints(kind)
    names = [name for name, field in kind.__dataclass_fields__.items() if field.init]
    fields = {name: typed(parts[name], hints[name], below(path, name)) for name in names if name in parts}
    try:
        return kind(**fields)
    except (TypeError, ValueError) as error:
        raise mismatch(value, kind, path, str(error)) from None


def validated(value: Any, kind: Any, path: str) -> Any:
    """An instance of a pydantic model."""
    try:
        return kind.model_validate(value)
    except ValueError as error:
        raise mismatch(value, kind, path, str(error)) from None


def converted(value: Any, kind: Any, path: str) -> Any:
    """A Decimal of a text, an Enum of its value, a UUID, and other types that are made from one value."""
    try:
        return kind(value)
    except (TypeError, ValueError, ArithmeticError):
        raise mismatch(value, kind, path) from None


def matched(value: Any, is_so: bool, kind: Any, path: str) -> Any:
    if not is_so:
        raise mismatch(value, kind, path)
    return value


def below(path: str, key: object) -> str:
    return f"{path.rstrip('/')}/{key}"


def mismatch(value: Any, kind: Any, path: str, reason: str | None = None) -> ValueMismatch:
    name = getattr(kind, "__name__", str(kind))
    message = f"What is at {path} is no {name}: " + (reason or f"it is {type(value).__name__}") + "."
    hint = "Read it without a type to see what is there."
    return ValueMismatch("value-mismatch", message, kind="invalid", hint=hint, data={"path": path, "type": name})
