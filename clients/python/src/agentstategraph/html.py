"""Tables for notebooks: what a log, a diff and a blame look like to people."""

from __future__ import annotations

from typing import Any, Sequence, cast


def escaped(value: object) -> str:
    return str(value).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def rows_table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    head = "".join(f"<th>{escaped(name)}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{escaped(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def table_of(items: Sequence[Any]) -> str:
    """A table of what a listing has: commits as a log, others by their fields."""
    found = [cast("dict[str, Any]", item) for item in items if isinstance(item, dict)]
    if not found:
        return rows_table(["items"], [[repr(item)] for item in items])
    if "intent" in found[0] and "agent" in found[0]:
        heads = ["commit", "when", "agent", "why", "confidence"]
        return rows_table(heads, [commit_row(item) for item in found])
    if "op" in found[0] and "path" in found[0]:
        return rows_table(["op", "path", "before", "after"], [change_row(item) for item in found])
    heads = list(found[0])
    return rows_table(heads, [[text(item.get(name)) for name in heads] for item in found])


def commit_row(item: dict[str, Any]) -> list[object]:
    intent: dict[str, Any] = item.get("intent") or {}
    why = f"{intent.get('category', '')}: {intent.get('description', '')}"
    return [str(item.get("id", ""))[:12], item.get("timestamp", ""), item["agent"], why, text(item.get("confidence"))]


def change_row(item: dict[str, Any]) -> list[object]:
    return [item["op"], item["path"], text(item.get("before", item.get("from"))), text(item.get("after"))]


def text(value: object) -> str:
    return "" if value is None else value if isinstance(value, str) else repr(value)
