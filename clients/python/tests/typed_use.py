"""A program as a user writes it, for the type checkers: what it uses has the types that it says. It is not run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Optional

from agentstategraph import AsyncStateGraph, Blame, Commit, MergeConflict, StateGraph


@dataclass
class Cluster:
    name: str
    replicas: int


def use(sg: StateGraph) -> str:
    commit = sg.set("/cluster", Cluster("prod", 3), "Begin", confidence=0.5, tags=["a"], agent="agent/x")
    identity: str = commit["id"]
    cluster: Cluster = sg.get("/cluster", Cluster)
    perhaps: Cluster | None = sg.get("/cluster", Cluster, default=None)
    optional: int | None = sg.get("/replicas", Optional[int])
    assert perhaps == cluster and optional is None
    past = sg.at(commit).get("/cluster", dict[str, object])
    assert list(past) == ["name", "replicas"]
    for entry in sg.log("main", limit=5):
        identity += f"{entry['id']}: {entry['intent']['description']} (by {entry['agent']}, confidence: {entry['confidence']})"
    blame: Blame = sg.blame("/cluster")
    written: Commit = sg.log()[0]
    identity += str(blame.commit) + written["id"]
    names: list[str] = [branch["name"] for branch in sg.list_branches("feature/")]
    descriptions: list[str] = [entry["intent"]["description"] for entry in sg.log(limit=5)]
    changes: list[str] = [change["path"] for change in sg.on("x").diff("main", "x")]
    with sg.transaction("Both", confidence=0.5) as tx:
        tx.set("/a", 1)
    try:
        sg.merge("x", "main", description="Adopt")
    except MergeConflict as conflict:
        changes.extend(str(each["path"]) for each in conflict.conflicts)
    other: StateGraph = sg.at(datetime.now()).as_("agent/y")
    for event in other.watch("/a"):
        if event["kind"] == "commit":
            sure: float | None = event["commit"]["confidence"]
            assert sure is None
        identity += event["cursor"]
    return identity + cluster.name + str(names + descriptions)


async def use_async(sg: AsyncStateGraph) -> str:
    commit = await sg.set("/cluster", Cluster("prod", 3), "Begin")
    cluster: Cluster = await sg.get("/cluster", Cluster)
    descriptions: list[str] = [entry["intent"]["description"] async for entry in sg.log()]
    branches = await sg.list_branches()
    async with sg.transaction("Both") as tx:
        tx.set("/a", 1)
    return commit["id"] + cluster.name + str(descriptions) + branches[0]["name"]
