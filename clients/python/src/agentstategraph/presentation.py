"""Results in the form that a Python user expects, made from those of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List, cast

from .html import rows_table, table_of, text

if TYPE_CHECKING:
    from .shapes import Change as Item
else:
    Item = dict


class Changes(List[Item]):
    """What differs between two states: a dict with `op` and `path` for each place."""

    def _repr_html_(self) -> str:
        return table_of(self)


class Blame(dict[str, Any]):
    """Who wrote a value last, and why. `commit` has all that is known of it."""

    commit: dict[str, Any]

    def _repr_html_(self) -> str:
        intent = self["intent"]
        rows = [
            ["agent", self["agent"]],
            ["why", f"{intent['category']}: {intent['description']}"],
            ["reasoning", text(self["reasoning"])],
            ["confidence", text(self["confidence"])],
            ["when", self["timestamp"]],
            ["commit", str(self.commit.get("id", ""))[:12]],
        ]
        return rows_table(["", ""], rows)


class Speculation(str):
    """The id of a speculation, with what is known of it."""

    branch: str
    label: str | None
    base: str | None
    expires: str | None


def changes_of(result: dict[str, Any]) -> Changes:
    return Changes(result["changes"])


def value_of(result: dict[str, Any]) -> Any:
    return result["value"]


def blame_of(result: dict[str, Any]) -> Blame:
    intent = result["intent"]
    blame = Blame(
        agent=result["agent"],
        intent={"category": intent["category"], "description": intent["description"]},
        reasoning=result.get("reasoning"),
        confidence=result.get("confidence"),
        timestamp=result["timestamp"],
    )
    blame.commit = result
    return blame


def speculation_of(result: dict[str, Any]) -> Speculation:
    speculation = Speculation(result["id"])
    speculation.branch = result["branch"]
    speculation.label = result.get("label")
    speculation.base = result.get("base")
    speculation.expires = result.get("expires")
    return speculation


# Members of results that are commits, or have some.
WITH_COMMITS = ("commit", "commits", "chain", "next", "steps")


def with_absent(item: Any) -> Any:
    """A commit has `reasoning` and `confidence` always: None where it has none."""
    if isinstance(item, dict):
        parts = cast("dict[str, Any]", item)
        if "intent" in parts and "agent" in parts and "timestamp" in parts:
            parts.setdefault("reasoning", None)
            parts.setdefault("confidence", None)
        for name in WITH_COMMITS:
            inside = parts.get(name)
            if isinstance(inside, list):
                for each in cast("list[object]", inside):
                    with_absent(each)
            else:
                with_absent(inside)
    return cast(Any, item)


def reasoned(words: str | None) -> Callable[[Any], bool] | None:
    """Whether a commit has these words in its reasoning."""
    if words is None:
        return None
    wanted = words.casefold().split()

    def has(item: Any) -> bool:
        reasoning = (item.get("reasoning") or "").casefold()
        return all(word in reasoning for word in wanted)

    return has
