"""
The methods whose result a Python user expects in another form than the table gives it.

One body serves both classes, as in `_operations.py`: `_call` gives the result, or something to await. `people.pyi` has the types.
"""

from .convert import typed
from .handle import RAISE, Handle
from .presentation import blame_of, changes_of, reasoned, speculation_of, value_of


class People(Handle):
    def call(self, method, /, **fields):
        """Call any operation by its name. Its fields and its result are those of docs/operations.md."""
        return self._call(method, fields)

    def get(self, path="/", type=None, *, default=RAISE, ref=None, as_of=None, namespace=None):
        """
        Read the value at a path. Where there is nothing, it raises NotFound, or gives the default.

        With a type, such as a dataclass, a pydantic model, `list[int]` or `datetime`, the value is made into one.
        `ref` is a branch, a tag or a commit id; with `as_of`, the branch as it was at that time.
        """

        def then(result):
            value = result["value"]
            return value if type is None else typed(value, type, path)

        fields = {"path": path, "ref": ref, "as_of": as_of, "namespace": namespace}
        return self._call("get", fields, then=then, default=default)

    def diff(self, from_, to, *, below=None, namespace=None):
        """Show what differs between two refs: a list of changes, each with its `op` and `path`."""
        fields = {"from": from_, "to": to, "below": below, "namespace": namespace}
        return self._call("diff", fields, then=changes_of)

    def blame(self, path, *, ref=None, as_of=None, namespace=None):
        """Show who last wrote a path, and why. `commit` of the result has all that is known of it."""
        fields = {"path": path, "ref": ref, "as_of": as_of, "namespace": namespace}
        return self._call("blame", fields, then=blame_of)

    def query(
        self,
        ref=None,
        *,
        agent_id=None,
        intent_category=None,
        tags=None,
        reasoning_contains=None,
        text=None,
        confidence_min=None,
        confidence_max=None,
        path=None,
        exact=None,
        since=None,
        until=None,
        order=None,
        authority=None,
        deviated=None,
        session=None,
        intent=None,
        epoch=None,
        limit=None,
        namespace=None,
    ):
        """
        Find commits. All filters have to hold.

        Without a ref it looks at every branch. `text` is words in the description or the reasoning, `reasoning_contains` words in the
        reasoning alone. `path` finds commits that changed it or anything below it.
        """
        if reasoning_contains is not None:
            text = reasoning_contains if text is None else f"{text} {reasoning_contains}"
        fields = {
            "ref": ref,
            "agent": agent_id,
            "category": intent_category,
            "tags": tags,
            "text": text,
            "confidence_min": confidence_min,
            "confidence_max": confidence_max,
            "path": path,
            "exact": exact,
            "since": since,
            "until": until,
            "order": order,
            "authority": authority,
            "deviated": deviated,
            "session": session,
            "intent": intent,
            "epoch": epoch,
            "namespace": namespace,
        }
        return self._listing("query", fields, limit, keep=reasoned(reasoning_contains))

    def speculate(self, from_=None, *, label=None, ttl_ms=None, namespace=None, session=None, agent=None):
        """Start a private copy of a branch to try something. The result is its id, with `label`, `branch` and `base`."""
        fields = {"from": from_, "label": label, "ttl_ms": ttl_ms, "namespace": namespace, "session": session}
        return self._call("speculate", fields, agent=agent, then=speculation_of)

    def spec_get(self, id, path="/", type=None, *, namespace=None):
        """Read a value in a speculation: its base with its changes."""

        def then(result):
            value = value_of(result)
            return value if type is None else typed(value, type, path)

        return self._call("spec_get", {"id": id, "path": path, "namespace": namespace}, then=then)

    def watch(self, path=None, *, branch=None, exact=None, category=None, after=None, namespace=None):
        """
        Follow changes: an iterator of events that waits for the next one.

        With `after`, the `cursor` of an event, it continues behind that event without a gap.
        """
        fields = {
            "path": path,
            "branch": branch,
            "exact": exact,
            "category": category,
            "after": None if after is None else str(after),
            "namespace": namespace,
        }
        return self._stream("watch", fields)

    def on(self, branch):
        """The same store, with another branch than main for calls that name none."""
        return self._view(branch, self._caller)

    def at(self, when):
        """The state at a commit, its id, a tag, or the time of a datetime: for reading."""
        return self._view(self._at(when), self._caller, True)

    def as_(self, agent=None, *, key=None, session=None, trace=None):
        """The same store, acting as another agent, with the key of a principal, in a session, or for a trace."""
        given = {"agent": agent, "key": key, "session": session, "trace": trace}
        return self._view(self._ref, self._called_as(given), self._is_past)


AsyncPeople = People
