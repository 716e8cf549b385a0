"""The first hour of a client in Python, with a package that a generator made from the description of the server."""

import sys

from asg_client import AuthenticatedClient
from asg_client.api.branches import branch, diff, merge
from asg_client.api.history import blame, log
from asg_client.api.speculation import commit_spec, spec_set, speculate
from asg_client.api.state import get, set_
from asg_client.models import BranchBody, CommitSpecBody, MergeBody, Problem, SetBody, SpecSetBody, SpeculateBody

url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key)


def answer(result):
    """The answer to a call that has to succeed."""
    assert result is not None and not isinstance(result, Problem), result
    return result


def write(ref, path, value, description):
    body = SetBody.from_dict({"path": path, "value": value, "description": description})
    return answer(set_.sync(ref, client=client, body=body))


write("main", "/cluster", {"name": "prod", "replicas": 2}, "Initialize cluster")
assert write("main", "/cluster/replicas", 3, "Scale to 3 replicas").intent.description == "Scale to 3 replicas"
answer(branch.sync(client=client, body=BranchBody.from_dict({"name": "feature/net"})))
write("feature/net", "/cluster/replicas", 5, "Try five")
changes = answer(diff.sync(client=client, from_="main", to="feature/net")).changes
assert [change.path for change in changes] == ["/cluster/replicas"]
write("main", "/cluster/replicas", 4, "Four are enough")

wish = {"source": "feature/net", "target": "main", "description": "Adopt five"}
conflict = merge.sync(client=client, body=MergeBody.from_dict(wish))
assert isinstance(conflict, Problem) and conflict.code == "merge-conflict", conflict
decided = MergeBody.from_dict({**wish, "resolutions": {"/cluster/replicas": "theirs"}})
answer(merge.sync(client=client, body=decided))

trial = answer(speculate.sync(client=client, body=SpeculateBody.from_dict({"label": "NFS"}))).id
nfs = SpecSetBody.from_dict({"path": "/cluster/storage", "value": "nfs"})
answer(spec_set.sync(trial, client=client, body=nfs))
answer(commit_spec.sync(trial, client=client, body=CommitSpecBody.from_dict({"description": "Use NFS"})))

assert answer(blame.sync("main", client=client, path="/cluster/replicas")).intent.description == "Try five"
state = answer(get.sync("main", client=client, path="/")).to_dict()
assert state["value"] == {"cluster": {"name": "prod", "replicas": 5, "storage": "nfs"}}, state
assert len(answer(log.sync("main", client=client, limit=3)).items) == 3
print("Python: the flow holds")
