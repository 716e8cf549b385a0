"""
The calls that programs written for the Python binding of the original project make, one after another. They have to run unchanged.

Run as a script with the name of a store file, and the id of an epoch where the store has this one already.
"""

import sys

from agentstategraph_py import StateGraph

sg = StateGraph()

sg = StateGraph(sys.argv[1])

sg.set("/cluster/name", "prod", "Initialize cluster", category="Checkpoint")

name = sg.get("/cluster/name")
assert name == "prod", name

sg.set(
    "/cluster/replicas",
    3,
    "Scale to 3 replicas",
    category="Refine",
    agent="agent/scaler",
    reasoning="Traffic increased 40% over last hour",
    confidence=0.85,
    tags=["scaling", "auto"],
)

sg.set_json(
    "/cluster/network", {"subnet": "10.0.0.0/16", "dns": "1.1.1.1"}, "Configure network", category="Checkpoint"
)
assert sg.get("/cluster/network/dns") == "1.1.1.1"
sg.set("/cluster/nodes", [{"name": "a"}, {"name": "b"}], "Name the nodes", category="Checkpoint")
assert sg.get("/cluster/nodes/1/name") == "b"

sg.delete("/cluster/network", "Remove network config", category="Fix")

sg.branch("feature/new-network")

sg.set("/cluster/network", "flannel", "Try flannel", ref="feature/new-network", category="Explore")

branches = sg.list_branches()
assert {branch["name"] for branch in branches} >= {"main", "feature/new-network"}, branches
branches = sg.list_branches(prefix="feature/")
assert [branch["name"] for branch in branches] == ["feature/new-network"], branches

changes = sg.diff("main", "feature/new-network")
for c in changes:
    print(c["path"], c["op"])
assert [(c["path"], c["op"]) for c in changes] == [("/cluster/network", "add")], changes

sg.merge("feature/new-network", "main", description="Adopt flannel", reasoning="Lower overhead than calico")
assert sg.get("/cluster/network") == "flannel"

sg.delete_branch("feature/new-network")

spec_a = sg.speculate("main", label="approach-nfs")
spec_b = sg.speculate("main", label="approach-ceph")

sg.spec_set(spec_a, "/storage/type", "nfs")
sg.spec_set(spec_b, "/storage/type", "ceph")
sg.spec_set(spec_b, "/storage/replicas", 3)

val = sg.spec_get(spec_a, "/storage/type")
assert val == "nfs", val

sg.commit_speculation(
    spec_a, "Use NFS", category="Checkpoint", reasoning="Only 2 nodes, Ceph needs 3+", confidence=0.9
)
sg.discard_speculation(spec_b)
assert sg.get("/storage") == {"type": "nfs"}

commits = sg.query(agent_id="agent/scaler")
assert commits and all(commit["agent"] == "agent/scaler" for commit in commits)
commits = sg.query(intent_category="Explore")
assert [commit["intent"]["description"] for commit in commits][:1] == ["Try flannel"]
commits = sg.query(tags=["scaling"])
assert commits and all("scaling" in commit["intent"]["tags"] for commit in commits)
commits = sg.query(reasoning_contains="traffic")
assert commits and all("Traffic" in commit["reasoning"] for commit in commits)
commits = sg.query(confidence_min=0.8, confidence_max=1.0)
assert {commit["confidence"] for commit in commits} == {0.85, 0.9}
assert {commit["confidence"] for commit in sg.query(confidence_min=0.87)} == {0.9}
assert {commit["confidence"] for commit in sg.query(confidence_max=0.87)} == {0.85}
commits = sg.query(agent_id="agent/scaler", intent_category="Refine", confidence_min=0.7, limit=5)
assert 0 < len(commits) <= 5

entry = sg.blame("/cluster/replicas")
timestamp = entry.pop("timestamp")
assert entry == {
    "agent": "agent/scaler",
    "intent": {"category": "Refine", "description": "Scale to 3 replicas"},
    "reasoning": "Traffic increased 40% over last hour",
    "confidence": 0.85,
}, entry
assert timestamp.startswith("20") and timestamp.endswith("Z"), timestamp
entry = sg.blame("/cluster/name")
assert entry["reasoning"] is None and entry["confidence"] is None, entry

epoch = sys.argv[2] if len(sys.argv) > 2 else "2026-04-incident"
sg.create_epoch(epoch, "Node3 recovery", root_intents=["intent-001"])
sg.seal_epoch(epoch, "Recovered node3, replicas restored")
epochs = sg.list_epochs()
assert epoch in [each["id"] for each in epochs], epochs

log = sg.log("main", limit=5)
for entry in log:
    print(
        f"{entry['id']}: {entry['intent']['description']} (by {entry['agent']}, confidence: {entry['confidence']})"
    )
assert len(log) == 5
