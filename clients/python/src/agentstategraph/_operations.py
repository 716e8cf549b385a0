# Made from the table of operations by scripts/clients/python-operations.mjs. Not to be edited.
class Operations:
    __slots__ = ()

    def set(self, path, value, description, *, ref=None, category=None, reasoning=None, confidence=None, tags=None, intent_id=None, intent_parent=None, alternatives=None, expects=None, tools=None, only_if_head=None, idempotency_key=None, only_if_value=None, namespace=None, session=None, agent=None):
        r"""Write a value at a path, and say why.

        Writes one value as one commit on a branch. Say why in description, how you know in reasoning, and how
        sure you are in confidence. Missing parents are created; a path that ends in /- appends to a list.
        With only_if_head or only_if_value the write fails unless that still holds.

        path: A JSON Pointer such as /cluster/replicas
        value: The value; any JSON, or tagged such as {"$date": "…"}
        description: Why, in a sentence
        ref: The branch
        category: Such as Refine, Fix, Explore, Rollback or your own
        reasoning: How you reached this decision
        confidence: How sure you are, from 0 to 1
        tags: Words to find it by
        intent_id: The id of this intent; made when left out
        intent_parent: The id of the parent intent
        alternatives: What was considered and not chosen
        expects: What should come true
        tools: The tool calls that led to it
        only_if_head: The commit that the branch must still be at
        idempotency_key: A retry with the same key is not done again
        only_if_value: The value that the path must still have; {"$undefined": true} for none
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("set", {"path": path, "value": value, "description": description, "ref": ref, "category": category, "reasoning": reasoning, "confidence": confidence, "tags": tags, "intent_id": intent_id, "intent_parent": intent_parent, "alternatives": alternatives, "expects": expects, "tools": tools, "only_if_head": only_if_head, "idempotency_key": idempotency_key, "only_if_value": only_if_value, "namespace": namespace, "session": session}, agent=agent)

    def set_json(self, path, value, description, *, ref=None, category=None, reasoning=None, confidence=None, tags=None, intent_id=None, intent_parent=None, alternatives=None, expects=None, tools=None, only_if_head=None, idempotency_key=None, only_if_value=None, namespace=None, session=None, agent=None):
        r"""Write a value at a path, and say why.

        Writes one value as one commit on a branch. Say why in description, how you know in reasoning, and how
        sure you are in confidence. Missing parents are created; a path that ends in /- appends to a list.
        With only_if_head or only_if_value the write fails unless that still holds.

        path: A JSON Pointer such as /cluster/replicas
        value: The value; any JSON, or tagged such as {"$date": "…"}
        description: Why, in a sentence
        ref: The branch
        category: Such as Refine, Fix, Explore, Rollback or your own
        reasoning: How you reached this decision
        confidence: How sure you are, from 0 to 1
        tags: Words to find it by
        intent_id: The id of this intent; made when left out
        intent_parent: The id of the parent intent
        alternatives: What was considered and not chosen
        expects: What should come true
        tools: The tool calls that led to it
        only_if_head: The commit that the branch must still be at
        idempotency_key: A retry with the same key is not done again
        only_if_value: The value that the path must still have; {"$undefined": true} for none
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("set", {"path": path, "value": value, "description": description, "ref": ref, "category": category, "reasoning": reasoning, "confidence": confidence, "tags": tags, "intent_id": intent_id, "intent_parent": intent_parent, "alternatives": alternatives, "expects": expects, "tools": tools, "only_if_head": only_if_head, "idempotency_key": idempotency_key, "only_if_value": only_if_value, "namespace": namespace, "session": session}, agent=agent)

    def delete(self, path, description, *, ref=None, category=None, reasoning=None, confidence=None, tags=None, intent_id=None, intent_parent=None, only_if_head=None, idempotency_key=None, only_if_value=None, namespace=None, session=None, agent=None):
        r"""Delete the value at a path, and say why.

        Removes a value or a whole subtree in one commit. History keeps it, and undo restores it. A path that
        does not exist is an error.

        path: A JSON Pointer such as /cluster/replicas
        description: Why, in a sentence
        ref: The branch
        category: Such as Refine, Fix, Explore, Rollback or your own
        reasoning: How you reached this decision
        confidence: How sure you are, from 0 to 1
        tags: Words to find it by
        intent_id: The id of this intent; made when left out
        intent_parent: The id of the parent intent
        only_if_head: The commit that the branch must still be at
        idempotency_key: A retry with the same key is not done again
        only_if_value: The value that the path must still have; {"$undefined": true} for none
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("delete", {"path": path, "description": description, "ref": ref, "category": category, "reasoning": reasoning, "confidence": confidence, "tags": tags, "intent_id": intent_id, "intent_parent": intent_parent, "only_if_head": only_if_head, "idempotency_key": idempotency_key, "only_if_value": only_if_value, "namespace": namespace, "session": session}, agent=agent)

    def commit(self, edits, description, *, ref=None, category=None, reasoning=None, confidence=None, tags=None, intent_id=None, intent_parent=None, alternatives=None, expects=None, tools=None, only_if_head=None, idempotency_key=None, allow_empty=None, namespace=None, session=None, agent=None):
        r"""Make many changes in one commit.

        Use it in place of several set and delete calls when the changes belong together: either all of them
        land in one commit with one reason, or none does.

        edits: The edits, in order: {"op": "set", "path": "/a", "value": 1} or {"op": "delete", "path": "/b"}
        description: Why, in a sentence
        ref: The branch
        category: Such as Refine, Fix, Explore, Rollback or your own
        reasoning: How you reached this decision
        confidence: How sure you are, from 0 to 1
        tags: Words to find it by
        intent_id: The id of this intent; made when left out
        intent_parent: The id of the parent intent
        alternatives: What was considered and not chosen
        expects: What should come true
        tools: The tool calls that led to it
        only_if_head: The commit that the branch must still be at
        idempotency_key: A retry with the same key is not done again
        allow_empty: Commit even when nothing changes, to record a note
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("commit", {"edits": edits, "description": description, "ref": ref, "category": category, "reasoning": reasoning, "confidence": confidence, "tags": tags, "intent_id": intent_id, "intent_parent": intent_parent, "alternatives": alternatives, "expects": expects, "tools": tools, "only_if_head": only_if_head, "idempotency_key": idempotency_key, "allow_empty": allow_empty, "namespace": namespace, "session": session}, agent=agent)

    def list_paths(self, path=None, *, depth=None, limit=None, ref=None, as_of=None, namespace=None):
        r"""List the paths of a state.

        Lists what is below a path, with kind and size, without reading values. Begin at the root with a small
        depth, then go deeper where it matters; get reads a value.

        path: Where to begin
        depth: How many levels down
        limit: How many at most
        ref: A branch, a tag or a commit id
        as_of: The branch as it was at this time
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_paths", {"path": path, "depth": depth, "ref": ref, "as_of": as_of, "namespace": namespace}, limit)

    def get_tree(self, path=None, *, depth=None, ref=None, as_of=None, namespace=None):
        r"""Show a state as a tree, some levels deep.

        Returns structure and values together, down to depth; containers below that show only their size. Use
        it for an overview in one call. It shows at most 2000 entries; when is_cut is true there are more:
        call it with a deeper path.

        path: Where to begin
        depth: How many levels to open
        ref: A branch, a tag or a commit id
        as_of: The branch as it was at this time
        namespace: The namespace; the default one when left out
        """
        return self._call("get_tree", {"path": path, "depth": depth, "ref": ref, "as_of": as_of, "namespace": namespace})

    def search(self, text, *, below=None, limit=None, ref=None, as_of=None, namespace=None):
        r"""Find a text in keys and values.

        Searches the keys and values of a state for a text, ignoring case, and returns paths with values. To
        see who wrote one of them use blame.

        text: The text to look for
        below: Only what is below this path
        limit: How many at most
        ref: A branch, a tag or a commit id
        as_of: The branch as it was at this time
        namespace: The namespace; the default one when left out
        """
        return self._listing("search", {"text": text, "below": below, "ref": ref, "as_of": as_of, "namespace": namespace}, limit)

    def branch(self, name, *, from_=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Create a branch.

        Makes a branch that begins at another branch, a tag or a commit; the cost does not depend on the size
        of the state. Write to it with ref, inspect it with diff, and bring it back with merge.

        name: Its name; / makes groups, as in feature/net
        from_: Where it begins: a branch, a tag or a commit id
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("branch", {"name": name, "from": from_, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def list_branches(self, prefix=None, *, limit=None, namespace=None):
        r"""List branches.

        Gives the names of branches with the commit each is at. A prefix such as feature/ shows one group.

        prefix: How the names begin
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_branches", {"prefix": prefix, "namespace": namespace}, limit)

    def rename_branch(self, name, to, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Rename a branch.

        Gives a branch another name; its commits do not change. Calls that use the old name fail afterwards.

        name: Its name; / makes groups, as in feature/net
        to: The new name
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("rename_branch", {"name": name, "to": to, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def delete_branch(self, name, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Delete a branch.

        Removes the name. Until garbage is collected, undo restores the branch. main cannot be deleted.

        name: Its name; / makes groups, as in feature/net
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("delete_branch", {"name": name, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def tag(self, name, *, from_=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Give a commit a permanent name.

        A tag never moves: use it to name a state that others should read, such as release/1. Read it with
        ref.

        name: Its name; / makes groups, as in feature/net
        from_: The commit to name
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("tag", {"name": name, "from": from_, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def list_tags(self, prefix=None, *, limit=None, namespace=None):
        r"""List tags.

        Gives the names of tags with the commit each leads to.

        prefix: How the names begin
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_tags", {"prefix": prefix, "namespace": namespace}, limit)

    def delete_tag(self, name, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Delete a tag.

        Removes the name. The commit stays as long as something else leads to it.

        name: Its name; / makes groups, as in feature/net
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("delete_tag", {"name": name, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def merge(self, source, target=None, *, description=None, category=None, reasoning=None, confidence=None, tags=None, intent_id=None, intent_parent=None, policies=None, resolutions=None, fast_forward=None, only_if_head=None, idempotency_key=None, namespace=None, session=None, agent=None):
        r"""Merge a branch into another.

        Makes a three-way merge with one merge commit. A conflict changes nothing and lists each path with
        base, ours and theirs: call again with resolutions ({"/a": "theirs"} or {"/a": {"value": 3}}) or
        policies.

        source: The branch, tag or commit to take in
        target: The branch to merge into
        description: Why, in a sentence; a default when left out
        category: Such as Refine, Fix, Explore, Rollback or your own
        reasoning: How you reached this decision
        confidence: How sure you are, from 0 to 1
        tags: Words to find it by
        intent_id: The id of this intent; made when left out
        intent_parent: The id of the parent intent
        policies: How values that both sides changed are merged, by path pattern: {"/counters/*": "sum"}
        resolutions: The value for each path in conflict: {"/a": "ours", "/b": {"value": 3}}
        fast_forward: Move the branch without a merge commit where that is possible
        only_if_head: The commit that the branch must still be at
        idempotency_key: A retry with the same key is not done again
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("merge", {"source": source, "target": target, "description": description, "category": category, "reasoning": reasoning, "confidence": confidence, "tags": tags, "intent_id": intent_id, "intent_parent": intent_parent, "policies": policies, "resolutions": resolutions, "fast_forward": fast_forward, "only_if_head": only_if_head, "idempotency_key": idempotency_key, "namespace": namespace, "session": session}, agent=agent)

    def preview_merge(self, source, target=None, *, policies=None, resolutions=None, namespace=None):
        r"""Show what a merge would do.

        Writes nothing. Returns the changes that would land on the target, and the conflicts if there are any.
        Try resolutions and policies here before you merge.

        source: The branch, tag or commit to take in
        target: The branch to merge into
        policies: How values that both sides changed are merged, by path pattern: {"/counters/*": "sum"}
        resolutions: The value for each path in conflict: {"/a": "ours", "/b": {"value": 3}}
        namespace: The namespace; the default one when left out
        """
        return self._call("preview_merge", {"source": source, "target": target, "policies": policies, "resolutions": resolutions, "namespace": namespace})

    def revert(self, commit, *, ref=None, description=None, category=None, reasoning=None, confidence=None, tags=None, intent_id=None, intent_parent=None, idempotency_key=None, namespace=None, session=None, agent=None):
        r"""Take back what one commit changed.

        Makes a new commit that undoes one earlier commit and keeps what came after it. Where later writes
        touched the same paths it is a conflict. To go back as a whole use rollback; for your own last action
        use undo.

        commit: The commit
        ref: The branch
        description: Why, in a sentence; a default when left out
        category: Such as Refine, Fix, Explore, Rollback or your own
        reasoning: How you reached this decision
        confidence: How sure you are, from 0 to 1
        tags: Words to find it by
        intent_id: The id of this intent; made when left out
        intent_parent: The id of the parent intent
        idempotency_key: A retry with the same key is not done again
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("revert", {"commit": commit, "ref": ref, "description": description, "category": category, "reasoning": reasoning, "confidence": confidence, "tags": tags, "intent_id": intent_id, "intent_parent": intent_parent, "idempotency_key": idempotency_key, "namespace": namespace, "session": session}, agent=agent)

    def rollback(self, to, description, *, ref=None, category=None, reasoning=None, confidence=None, tags=None, intent_id=None, intent_parent=None, idempotency_key=None, namespace=None, session=None, agent=None):
        r"""Restore the state of a branch at an earlier commit.

        Makes a new commit with the state of an earlier one. History stays, so a rollback can be undone. Use
        log to find the commit and diff to see what would change.

        to: The commit to go back to
        description: Why, in a sentence
        ref: The branch
        category: Such as Refine, Fix, Explore, Rollback or your own
        reasoning: How you reached this decision
        confidence: How sure you are, from 0 to 1
        tags: Words to find it by
        intent_id: The id of this intent; made when left out
        intent_parent: The id of the parent intent
        idempotency_key: A retry with the same key is not done again
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("rollback", {"to": to, "description": description, "ref": ref, "category": category, "reasoning": reasoning, "confidence": confidence, "tags": tags, "intent_id": intent_id, "intent_parent": intent_parent, "idempotency_key": idempotency_key, "namespace": namespace, "session": session}, agent=agent)

    def cherry_pick(self, commit, *, ref=None, description=None, category=None, reasoning=None, confidence=None, tags=None, intent_id=None, intent_parent=None, idempotency_key=None, namespace=None, session=None, agent=None):
        r"""Apply the change of one commit to another branch.

        Takes one commit of another branch without the rest of that branch. Use merge to take all of it.

        commit: The commit
        ref: The branch
        description: Why, in a sentence; a default when left out
        category: Such as Refine, Fix, Explore, Rollback or your own
        reasoning: How you reached this decision
        confidence: How sure you are, from 0 to 1
        tags: Words to find it by
        intent_id: The id of this intent; made when left out
        intent_parent: The id of the parent intent
        idempotency_key: A retry with the same key is not done again
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("cherry_pick", {"commit": commit, "ref": ref, "description": description, "category": category, "reasoning": reasoning, "confidence": confidence, "tags": tags, "intent_id": intent_id, "intent_parent": intent_parent, "idempotency_key": idempotency_key, "namespace": namespace, "session": session}, agent=agent)

    def undo(self, entry=None, *, ref=None, dry_run=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Undo your last operation.

        The last that is not undone yet, or the journal entry given: it reverts a commit, or moves a branch or
        tag back. An undo can be undone.

        entry: Its seq in the journal
        ref: Change no other branch
        dry_run: Only show it
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("undo", {"entry": entry, "ref": ref, "dry_run": dry_run, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def list_specs(self, *, limit=None, namespace=None):
        r"""List open speculations.

        Returns every speculation of all branches that is not committed, discarded or expired.

        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_specs", {"namespace": namespace}, limit)

    def spec_set(self, id, path, value, *, description=None, reasoning=None, confidence=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Write a value in a speculation.

        Makes one change that is visible only in the speculation. For several at once use spec_modify.

        id: The id that speculate returned, its beginning, or the label
        path: A JSON Pointer such as /cluster/replicas
        value: The value
        description: Why you try it, in a sentence; the label when left out
        reasoning: How you reached this decision
        confidence: How sure you are, from 0 to 1
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("spec_set", {"id": id, "path": path, "value": value, "description": description, "reasoning": reasoning, "confidence": confidence, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def spec_modify(self, id, edits, *, description=None, reasoning=None, confidence=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Make several changes in a speculation.

        Either all of the edits are made or none is. Then compare it with others, or commit_spec or discard
        it.

        id: The id that speculate returned, its beginning, or the label
        edits: The edits, in order: {"op": "set", "path": "/a", "value": 1} or {"op": "delete", "path": "/b"}
        description: Why you try it, in a sentence; the label when left out
        reasoning: How you reached this decision
        confidence: How sure you are, from 0 to 1
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("spec_modify", {"id": id, "edits": edits, "description": description, "reasoning": reasoning, "confidence": confidence, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def compare(self, speculations, *, namespace=None):
        r"""Compare speculations side by side.

        Returns one column for each speculation with its changes, and one row for each path that any of them
        changes, with whether they agree. Choose one, name the others as alternatives in commit_spec, and
        discard them.

        speculations: The ids of the speculations to compare
        namespace: The namespace; the default one when left out
        """
        return self._call("compare", {"speculations": speculations, "namespace": namespace})

    def commit_spec(self, id, description, *, branch=None, category=None, reasoning=None, confidence=None, tags=None, intent_id=None, intent_parent=None, alternatives=None, expects=None, tools=None, attached=None, policies=None, resolutions=None, only_if_head=None, idempotency_key=None, namespace=None, session=None, agent=None):
        r"""Commit a speculation to its branch, and say why.

        Merges its changes into the branch as it is now, in one commit. A conflict changes nothing and the
        speculation stays open: call again with resolutions. Name what you did not choose in alternatives,
        with its id, so that blame can show it.

        id: The id that speculate returned, its beginning, or the label
        description: Why, in a sentence
        branch: The branch that it must have started from
        category: Such as Refine, Fix, Explore, Rollback or your own
        reasoning: How you reached this decision
        confidence: How sure you are, from 0 to 1
        tags: Words to find it by
        intent_id: The id of this intent; made when left out
        intent_parent: The id of the parent intent
        alternatives: What was considered and not chosen
        expects: What should come true
        tools: The tool calls that led to it
        attached: Other facts to store with the commit, by name
        policies: How values that both sides changed are merged, by path pattern: {"/counters/*": "sum"}
        resolutions: The value for each path in conflict: {"/a": "ours", "/b": {"value": 3}}
        only_if_head: The commit that the branch must still be at
        idempotency_key: A retry with the same key is not done again
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("commit_spec", {"id": id, "description": description, "branch": branch, "category": category, "reasoning": reasoning, "confidence": confidence, "tags": tags, "intent_id": intent_id, "intent_parent": intent_parent, "alternatives": alternatives, "expects": expects, "tools": tools, "attached": attached, "policies": policies, "resolutions": resolutions, "only_if_head": only_if_head, "idempotency_key": idempotency_key, "namespace": namespace, "session": session}, agent=agent)

    def commit_speculation(self, id, description, *, branch=None, category=None, reasoning=None, confidence=None, tags=None, intent_id=None, intent_parent=None, alternatives=None, expects=None, tools=None, attached=None, policies=None, resolutions=None, only_if_head=None, idempotency_key=None, namespace=None, session=None, agent=None):
        r"""Commit a speculation to its branch, and say why.

        Merges its changes into the branch as it is now, in one commit. A conflict changes nothing and the
        speculation stays open: call again with resolutions. Name what you did not choose in alternatives,
        with its id, so that blame can show it.

        id: The id that speculate returned, its beginning, or the label
        description: Why, in a sentence
        branch: The branch that it must have started from
        category: Such as Refine, Fix, Explore, Rollback or your own
        reasoning: How you reached this decision
        confidence: How sure you are, from 0 to 1
        tags: Words to find it by
        intent_id: The id of this intent; made when left out
        intent_parent: The id of the parent intent
        alternatives: What was considered and not chosen
        expects: What should come true
        tools: The tool calls that led to it
        attached: Other facts to store with the commit, by name
        policies: How values that both sides changed are merged, by path pattern: {"/counters/*": "sum"}
        resolutions: The value for each path in conflict: {"/a": "ours", "/b": {"value": 3}}
        only_if_head: The commit that the branch must still be at
        idempotency_key: A retry with the same key is not done again
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("commit_spec", {"id": id, "description": description, "branch": branch, "category": category, "reasoning": reasoning, "confidence": confidence, "tags": tags, "intent_id": intent_id, "intent_parent": intent_parent, "alternatives": alternatives, "expects": expects, "tools": tools, "attached": attached, "policies": policies, "resolutions": resolutions, "only_if_head": only_if_head, "idempotency_key": idempotency_key, "namespace": namespace, "session": session}, agent=agent)

    def discard(self, id, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Discard a speculation.

        Ends it without landing anything. Discard what you did not choose, after commit_spec named it as an
        alternative.

        id: The id that speculate returned, its beginning, or the label
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("discard", {"id": id, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def discard_speculation(self, id, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Discard a speculation.

        Ends it without landing anything. Discard what you did not choose, after commit_spec named it as an
        alternative.

        id: The id that speculate returned, its beginning, or the label
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("discard", {"id": id, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def log(self, ref=None, *, agent=None, category=None, path=None, exact=None, since=None, until=None, order=None, first_parent=None, limit=None, as_of=None, namespace=None):
        r"""Show the commits that led to a ref, newest first.

        For the reasoning and confidence of one of them use get_commit; for the writer of one path use blame.

        ref: A branch, a tag or a commit id
        agent: The agent of the commit
        category: The category of the commit
        path: Commits that changed this path or anything below it; with * and **, a path that matches
        exact: Only commits that changed the path itself
        since: Not before this time, ISO 8601
        until: Not after this time, ISO 8601
        order: Which come first
        first_parent: Leave out commits that were merged in
        limit: How many at most
        as_of: The branch as it was at this time
        namespace: The namespace; the default one when left out
        """
        return self._listing("log", {"ref": ref, "agent": agent, "category": category, "path": path, "exact": exact, "since": since, "until": until, "order": order, "first_parent": first_parent, "as_of": as_of, "namespace": namespace}, limit)

    def get_commit(self, id, *, changes=None, namespace=None):
        r"""Show one commit.

        With changes, also what it changed.

        id: A commit id or the beginning of one, a branch or a tag
        changes: Add what it changed, and its grants
        namespace: The namespace; the default one when left out
        """
        return self._call("get_commit", {"id": id, "changes": changes, "namespace": namespace})

    def blame_tree(self, path=None, *, limit=None, ref=None, as_of=None, namespace=None):
        r"""Show who last wrote each value below a path.

        Returns one row for each value below the path, with its commit. For the details of one of them use
        blame.

        path: A JSON Pointer such as /cluster/replicas
        limit: How many at most
        ref: A branch, a tag or a commit id
        as_of: The branch as it was at this time
        namespace: The namespace; the default one when left out
        """
        return self._listing("blame_tree", {"path": path, "ref": ref, "as_of": as_of, "namespace": namespace}, limit)

    def history(self, path, *, limit=None, ref=None, as_of=None, namespace=None):
        r"""Show every write of a path, newest first.

        Returns each value that the path had, with the commit that wrote it and why.

        path: A JSON Pointer such as /cluster/replicas
        limit: How many at most
        ref: A branch, a tag or a commit id
        as_of: The branch as it was at this time
        namespace: The namespace; the default one when left out
        """
        return self._listing("history", {"path": path, "ref": ref, "as_of": as_of, "namespace": namespace}, limit)

    def intent_tree(self, intent=None, *, ref=None, commit=None, limit=None, cursor=None, namespace=None):
        r"""Show intents as a tree, with their commits and outcomes.

        Returns each intent with its commits, its resolutions and its child intents. Give intent to start at
        one of them. A page has the tree of limit commits, so an intent comes on each page that has commits of
        it; for the next page pass next_cursor as cursor. Set intent_parent in writes to build the tree.

        intent: The id of the intent to start at
        ref: A branch, a tag or a commit id; * for every branch
        commit: Or a commit of that intent
        limit: How many at most
        cursor: The next_cursor of the previous page
        namespace: The namespace; the default one when left out
        """
        return self._call("intent_tree", {"intent": intent, "ref": ref, "commit": commit, "limit": limit, "cursor": cursor, "namespace": namespace})

    def resolve_intent(self, id, outcome, summary, *, deviations=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Record how an intent ended.

        Call it when an intent is reached, or will not be: state the outcome in a sentence and name where the
        result deviates from the intent. query with deviated finds such commits later.

        id: The id of the intent
        outcome: The outcome
        summary: What was reached, in a sentence
        deviations: Where the result deviates from the intent
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("resolve_intent", {"id": id, "outcome": outcome, "summary": summary, "deviations": deviations, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def observe(self, commit, held, *, note=None, observed=None, confidence=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Record whether the expectation of a commit came true.

        Call it when you know how an earlier change turned out: held is true or false, and note says what was
        seen. The observation is stored beside the commit, and shown by blame with chain.

        commit: A commit id, or the beginning of one, a branch or a tag
        held: Whether the expectation came true
        note: What was seen, in words
        observed: The measured values, by path
        confidence: How sure you are, from 0 to 1
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("observe", {"commit": commit, "held": held, "note": note, "observed": observed, "confidence": confidence, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def calibration(self, *, agent=None, category=None, namespace=None):
        r"""Show how well stated confidence matched the outcomes.

        Covers commits that have a confidence and an observation. Returns a Brier score (0 is perfect) and,
        for ten bands of confidence, how many expectations held. Use it to learn whether your 0.9 means 0.9.

        agent: Only commits of this agent
        category: Only commits of this category
        namespace: The namespace; the default one when left out
        """
        return self._call("calibration", {"agent": agent, "category": category, "namespace": namespace})

    def commit_graph(self, ref=None, *, limit=None, namespace=None):
        r"""Show the graph of commits, laid out for drawing.

        Returns the newest commits of all branches and tags, or of one ref, with the lanes of a drawing. To
        read commits use log.

        ref: A branch, a tag or a commit id; * for every branch
        limit: How many commits at most
        namespace: The namespace; the default one when left out
        """
        return self._call("commit_graph", {"ref": ref, "limit": limit, "namespace": namespace})

    def activity(self, *, by=None, until=None, limit=None, namespace=None):
        r"""Count commits by day or week, agent and category.

        Returns counts by period, newest first, without reading commits. query finds the commits themselves.

        by: How long a period is
        until: Not after this moment, ISO 8601
        limit: How many periods at most
        namespace: The namespace; the default one when left out
        """
        return self._call("activity", {"by": by, "until": until, "limit": limit, "namespace": namespace})

    def create_epoch(self, id, description, *, root_intents=None, since=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Open an epoch: a named range of history.

        Everything that lands between now and seal_epoch belongs to it. Open one for an incident, a release or
        an audit period. root_intents narrows what query with epoch lists.

        id: The id of the epoch
        description: What it is about
        root_intents: Only commits under these intents are listed
        since: Where it begins, when that is before now: a moment, ISO 8601, or a commit, which belongs to it
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("create_epoch", {"id": id, "description": description, "root_intents": root_intents, "since": since, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def seal_epoch(self, id, summary, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Close an epoch, so that any later change of it can be detected.

        Computes the Merkle root of the whole log and signs it when the store has a key. It cannot be undone.

        id: The id of the epoch
        summary: What was reached
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("seal_epoch", {"id": id, "summary": summary, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def list_epochs(self, *, status=None, limit=None, namespace=None):
        r"""List epochs.

        Returns them in the order in which they were opened, with status, counts and, once sealed, root and
        signature.

        status: Only those
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_epochs", {"status": status, "namespace": namespace}, limit)

    def get_epoch(self, id, *, namespace=None):
        r"""Show one epoch.

        Returns status, counts, agents and, once sealed, the root of the log and its signature.

        id: The id of the epoch
        namespace: The namespace; the default one when left out
        """
        return self._call("get_epoch", {"id": id, "namespace": namespace})

    def sign_epoch(self, id, *, namespace=None, session=None, agent=None):
        r"""Sign a sealed epoch that has no signature.

        Use it for an epoch that was sealed without a key, or while the key was unavailable. The store needs a
        key.

        id: The id of the epoch
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("sign_epoch", {"id": id, "namespace": namespace, "session": session}, agent=agent)

    def archive_epoch(self, id, *, namespace=None, session=None, agent=None):
        r"""Archive a sealed epoch.

        Marks it as no longer current. It can still be read and exported, and its commits stay.

        id: The id of the epoch
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("archive_epoch", {"id": id, "namespace": namespace, "session": session}, agent=agent)

    def export_epoch(self, id, *, profile=None, paths=None, since=None, namespace=None):
        r"""Export a sealed epoch as a bundle that can be verified without the store.

        Returns lines of JSON for a file. The receiver checks them with verify_bundle or a stand-alone
        verifier, and with a public key from a separate channel. profile says how much of the states and texts
        it contains.

        id: The id of the epoch
        profile: full: everything; log: no states; redacted: neither states nor texts of users
        paths: Include only these parts of the states; * is one key
        since: The size of a signed head that the receiver already has
        namespace: The namespace; the default one when left out
        """
        return self._stream("export_epoch", {"id": id, "profile": profile, "paths": paths, "since": since, "namespace": namespace})

    def witness_request(self, id, *, seen=None, namespace=None):
        r"""Create the request with which a witness cosigns an epoch.

        Send the text to the witness (POST /add-checkpoint) and pass its answer to cosign_epoch.

        id: The id of the epoch
        seen: The size of the last head that the witness signed
        namespace: The namespace; the default one when left out
        """
        return self._call("witness_request", {"id": id, "seen": seen, "namespace": namespace})

    def cosign_epoch(self, id, answer, key, *, namespace=None, session=None, agent=None):
        r"""Store the signature of a witness with an epoch.

        The answer is checked with the public key of the witness before it is stored.

        id: The id of the epoch
        answer: What the witness answered
        key: The public key of the witness, name+hash+base64
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("cosign_epoch", {"id": id, "answer": answer, "key": key, "namespace": namespace, "session": session}, agent=agent)

    def verify_bundle(self, bundle, *, keys=None, prior=None):
        r"""Verify an exported bundle.

        Checks every line and returns a verdict by level: integrity, signed, extends, witnessed. Give the
        public keys that you trust, and a head from an earlier time as prior; a level without its key or head
        is reported as not-checked.

        bundle: The text of the bundle
        keys: Trusted public keys, name+hash+base64, from another channel than the text to check
        prior: A signed head from an earlier time; the bundle must extend it
        """
        return self._call("verify_bundle", {"bundle": bundle, "keys": keys, "prior": prior})

    def check_head(self, head, keys):
        r"""Check the signatures of a head.

        Returns which of the given keys signed a head (a receipt, or the signature of an epoch).

        head: The text of the signed head
        keys: Trusted public keys, name+hash+base64, from another channel than the text to check
        """
        return self._call("check_head", {"head": head, "keys": keys})

    def erase(self, subject, reason, *, namespace=None, session=None, agent=None):
        r"""Destroy the encryption keys of a person, so that their values become unreadable.

        The values of this subject at protected paths become unreadable everywhere, in history and exports
        too. History still verifies. It cannot be undone.

        subject: The subject, as it is named in paths
        reason: Why, for the journal
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("erase", {"subject": subject, "reason": reason, "namespace": namespace, "session": session}, agent=agent)

    def list_erasures(self, *, limit=None, namespace=None):
        r"""List what was erased.

        Returns every destroyed key with agent, reason and time, never the erased values.

        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_erasures", {"namespace": namespace}, limit)

    def sessions(self, *, agent=None, status=None, limit=None, namespace=None):
        r"""List the sessions that you opened or work in.

        Finds work that was delegated to you. To act in a session, pass its id as session and its branch as
        ref in a write.

        agent: Only sessions of this agent
        status: Only these
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("sessions", {"agent": agent, "status": status, "namespace": namespace}, limit)

    def get_session(self, session, *, namespace=None):
        r"""Show one session.

        Returns its agent, branch, intent and status. list_grants shows what it may do.

        session: The id of the session
        namespace: The namespace; the default one when left out
        """
        return self._call("get_session", {"session": session, "namespace": namespace})

    def create_session(self, agent, *, branch=None, intent=None, report_to=None, paths=None, capabilities=None, branches=None, expires=None, depth=None, commits_per_minute=None, entries_per_minute=None, branches_per_minute=None, speculations_per_minute=None, bytes_per_minute=None, bytes_per_commit=None, namespace=None, session=None, idempotency_key=None):
        r"""Delegate work to an agent, within limits.

        Opens a session in which the agent has the rights that you name, never more than your own. Writes that
        pass its id as session act in it; pass session here to delegate a part of that work further. A missing
        branch is created. End it with end_session.

        agent: The agent that works in it; a new one is named below you, as agent/you/helper
        branch: The branch that it works on; your own when left out
        intent: The id of the intent that it works on
        report_to: Another principal that gets the report
        paths: Path patterns, such as /cluster or /users/*/name: matching paths and everything below
        capabilities: Its capabilities; when left out, those for work that you hold
        branches: Patterns of branches, such as main or feature/*
        expires: When it expires, such as 2027-01-31T12:00:00Z; never when left out
        depth: How many times it may be delegated further
        commits_per_minute: Commits per minute, counted over all principals that use it
        entries_per_minute: Everything that is appended per minute: commits, refs, speculations, observations
        branches_per_minute: New branches, tags and threads per minute
        speculations_per_minute: New speculations per minute
        bytes_per_minute: Bytes that are appended per minute
        bytes_per_commit: The largest size of a commit
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("create_session", {"agent": agent, "branch": branch, "intent": intent, "report_to": report_to, "paths": paths, "capabilities": capabilities, "branches": branches, "expires": expires, "depth": depth, "commits_per_minute": commits_per_minute, "entries_per_minute": entries_per_minute, "branches_per_minute": branches_per_minute, "speculations_per_minute": speculations_per_minute, "bytes_per_minute": bytes_per_minute, "bytes_per_commit": bytes_per_commit, "namespace": namespace, "session": session, "idempotency_key": idempotency_key})

    def end_session(self, session, outcome, summary, *, deviations=None, namespace=None, idempotency_key=None, agent=None):
        r"""End a session and report what came of it.

        Report the outcome in a sentence. The principal that opened the session gets the report, the rights of
        the session end, and its intent changes status. Sessions that were opened from it have to end first.

        session: The id of the session
        outcome: The outcome
        summary: What was reached, in a sentence
        deviations: Where the result deviates from the intent
        namespace: The namespace; the default one when left out
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("end_session", {"session": session, "outcome": outcome, "summary": summary, "deviations": deviations, "namespace": namespace, "idempotency_key": idempotency_key}, agent=agent)

    def session_reports(self, session=None, *, to=None, limit=None, namespace=None):
        r"""Show what sessions reported when they ended.

        Returns reports to you; with session, those of sessions opened from it; with to, those to another
        principal.

        session: Only reports to this session
        to: Reports to this principal; needs admin
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("session_reports", {"session": session, "to": to, "namespace": namespace}, limit)

    def propose_intent(self, description, *, id=None, parent=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Propose an intent.

        Use it for work that another principal has to authorise first (authorize_intent). Then open a session
        with its id as intent, or start it by hand with start_intent.

        description: The goal, in a sentence
        id: Its id; generated when left out
        parent: The intent that it serves
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("propose_intent", {"description": description, "id": id, "parent": parent, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def authorize_intent(self, id, reason, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Authorise an intent that another principal proposed.

        Needs the capability approve; the principal that proposed it cannot authorise it. Then work can start.

        id: The id of the intent
        reason: Why, in a sentence; it is recorded
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("authorize_intent", {"id": id, "reason": reason, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def start_intent(self, id, reason, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Start or resume work on an intent.

        Allowed from authorized and from blocked. A session that is created with the intent does this by
        itself.

        id: The id of the intent
        reason: Why, in a sentence; it is recorded
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("start_intent", {"id": id, "reason": reason, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def complete_intent(self, id, reason, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Mark an intent as completed.

        Allowed from in-progress, for the principal that proposed it or works on it. end_session does this by
        itself.

        id: The id of the intent
        reason: Why, in a sentence; it is recorded
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("complete_intent", {"id": id, "reason": reason, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def fail_intent(self, id, reason, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Mark an intent as failed.

        Allowed from in-progress, and final; for work that only has to wait use block_intent.

        id: The id of the intent
        reason: Why, in a sentence; it is recorded
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("fail_intent", {"id": id, "reason": reason, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def block_intent(self, id, reason, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Mark an intent as blocked.

        Allowed from in-progress. Give as reason what it waits for; start_intent resumes it.

        id: The id of the intent
        reason: Why, in a sentence; it is recorded
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("block_intent", {"id": id, "reason": reason, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def get_intent(self, id, *, namespace=None):
        r"""Show a delegated intent.

        Returns who proposed and authorised it, its session, its status and the reason for it. intent_tree
        shows its commits.

        id: The id of the intent
        namespace: The namespace; the default one when left out
        """
        return self._call("get_intent", {"id": id, "namespace": namespace})

    def list_intents(self, *, status=None, limit=None, namespace=None):
        r"""List delegated intents.

        Returns intents that were proposed or delegated. Status proposed shows those that wait for
        authorisation.

        status: Only these
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_intents", {"status": status, "namespace": namespace}, limit)

    def add_principal(self, id, kind=None, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Add a principal with its first key.

        Returns the key, which is shown only once: pass it on through a safe channel. Its holder acts as this
        principal, which has no rights until it gets a grant (grant). For more keys, or to replace one, use
        add_key.

        id: A principal such as agent/scaler or human/nerida
        kind: The kind of principal
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("add_principal", {"id": id, "kind": kind, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def list_principals(self, *, limit=None, namespace=None):
        r"""List principals.

        With admin you see all principals, otherwise yourself. list_grants shows what each may do.

        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_principals", {"namespace": namespace}, limit)

    def add_key(self, principal, *, expires=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Add a key for a principal.

        To replace a key, use rotate_key. The operator adds keys for every principal, a principal only for
        itself. The key is shown only once. list_keys shows the key that it was made with.

        principal: A principal such as agent/scaler or human/nerida
        expires: When it expires, such as 2027-01-31T12:00:00Z; never when left out
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("add_key", {"principal": principal, "expires": expires, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def list_keys(self, principal=None, *, limit=None, namespace=None):
        r"""List keys, without their secrets.

        With admin you see all keys, otherwise your own. Revoked keys stay listed, with who revoked them and
        why.

        principal: Only the keys of this principal
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_keys", {"principal": principal, "namespace": namespace}, limit)

    def revoke_key(self, id, reason, descendants, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Revoke a key.

        Calls with this key are refused from now on, including those in progress. Its principal can revoke it
        too. With descendants, the keys that were made with it end too: choose that after a leak, and
        rotate_key to keep a key.

        id: The id of the key, as list_keys shows it
        reason: Why, in a sentence; it is recorded
        descendants: Whether the keys that were made with it end too
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("revoke_key", {"id": id, "reason": reason, "descendants": descendants, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def rotate_key(self, id, reason, descendants, *, expires=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Replace a key by a new one.

        Revokes the key and returns one in its place, which is shown only once. With descendants, the keys
        that were made with the old key end too, and the new one stays. The operator rotates every key, a
        principal its own.

        id: The id of the key, as list_keys shows it
        reason: Why, in a sentence; it is recorded
        descendants: Whether the keys that were made with it end too
        expires: When it expires, such as 2027-01-31T12:00:00Z; never when left out
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("rotate_key", {"id": id, "reason": reason, "descendants": descendants, "expires": expires, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def grant(self, to, capabilities, *, paths=None, branches=None, expires=None, depth=None, commits_per_minute=None, entries_per_minute=None, branches_per_minute=None, speculations_per_minute=None, bytes_per_minute=None, bytes_per_commit=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Grant capabilities to a principal.

        Names capabilities and where they hold; a limit that is left out is that of your own grant. With the
        capability grant you can delegate what you hold, only narrower. Check the effect with explain; undo it
        with revoke_grant.

        to: A principal such as agent/scaler or human/nerida
        capabilities: The capabilities; none implies another
        paths: Path patterns, such as /cluster or /users/*/name: matching paths and everything below
        branches: Patterns of branches, such as main or feature/*
        expires: When it expires, such as 2027-01-31T12:00:00Z; never when left out
        depth: How many times it may be delegated further
        commits_per_minute: Commits per minute, counted over all principals that use it
        entries_per_minute: Everything that is appended per minute: commits, refs, speculations, observations
        branches_per_minute: New branches, tags and threads per minute
        speculations_per_minute: New speculations per minute
        bytes_per_minute: Bytes that are appended per minute
        bytes_per_commit: The largest size of a commit
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("grant", {"to": to, "capabilities": capabilities, "paths": paths, "branches": branches, "expires": expires, "depth": depth, "commits_per_minute": commits_per_minute, "entries_per_minute": entries_per_minute, "branches_per_minute": branches_per_minute, "speculations_per_minute": speculations_per_minute, "bytes_per_minute": bytes_per_minute, "bytes_per_commit": bytes_per_commit, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def revoke_grant(self, id, reason, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Revoke a grant and all grants delegated from it.

        The grantor, a principal above it in the chain of delegation, and an admin can revoke it. Commits made
        under it stay.

        id: The id of the grant
        reason: Why, in a sentence; it is recorded
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("revoke_grant", {"id": id, "reason": reason, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def list_grants(self, principal=None, *, limit=None, namespace=None):
        r"""List grants.

        With admin you see all grants, otherwise those that you gave or hold, and the grants above them.

        principal: Only grants of this principal
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_grants", {"principal": principal, "namespace": namespace}, limit)

    def whoami(self, *, namespace=None):
        r"""Show who you are, and what you may do.

        Returns your principal, the agent of your commits, and the capabilities that your grants give you
        somewhere; explain tells whether they hold at a branch or path. mode is read-only or propose when this
        server lets nobody write directly.

        namespace: The namespace; the default one when left out
        """
        return self._call("whoami", {"namespace": namespace})

    def explain(self, principal, capability, *, branch=None, path=None, namespace=None):
        r"""Explain why a principal may or may not do something.

        Returns every grant, rule, taint and freeze that applies, each with its decision. Use it after
        access-denied to see what is missing. Without admin you can only ask about yourself.

        principal: A principal such as agent/scaler or human/nerida
        capability: The capability to check
        branch: The branch
        path: The path
        namespace: The namespace; the default one when left out
        """
        return self._call("explain", {"principal": principal, "capability": capability, "branch": branch, "path": path, "namespace": namespace})

    def list_refusals(self, principal=None, *, since=None, limit=None, namespace=None):
        r"""List refused calls by principal, rule and minute.

        Returns counts by minute, newest first, never the refused content. With admin you see all of them,
        otherwise your own.

        principal: Only refusals of this principal
        since: Only since this moment
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_refusals", {"principal": principal, "since": since, "namespace": namespace}, limit)

    def freeze(self, reason, principal=None, *, branch=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Stop a principal or a branch at once.

        The quick way to stop harm. A frozen principal can do nothing, and neither can the principals that it
        delegated to; a frozen branch takes no change. Nothing is lost; thaw ends it. Give principal or
        branch, and the reason.

        reason: Why, in a sentence; it is recorded
        principal: The principal
        branch: Or the branch
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("freeze", {"reason": reason, "principal": principal, "branch": branch, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def thaw(self, reason, principal=None, *, branch=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Let a frozen principal or branch go on.

        Ends a freeze. Grants, rules and taints hold as they did before.

        reason: Why, in a sentence; it is recorded
        principal: The principal
        branch: Or the branch
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("thaw", {"reason": reason, "principal": principal, "branch": branch, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def policy_propose(self, name, effect, when, *, approvers=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Propose a rule about changes.

        A rule allows, denies, or requires approval for the changes that its selectors match. It takes effect
        when another principal ratifies it (policy_ratify), and replaces the rule of the same name.

        name: Its name; the version that was ratified last is in force
        effect: The effect on matching changes; the strictest of all rules wins
        when: Which changes it covers: all given selectors have to match
        approvers: Who may approve, with require-approval; every principal with approve when left out
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("policy_propose", {"name": name, "effect": effect, "when": when, "approvers": approvers, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def policy_ratify(self, id, reason, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Ratify a rule that another principal proposed.

        Read it with policy_list first. From then on it applies to every change, and replaces the rule of the
        same name.

        id: The id of the rule
        reason: Why, in a sentence; it is recorded
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("policy_ratify", {"id": id, "reason": reason, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def policy_list(self, *, status=None, limit=None, namespace=None):
        r"""List rules: ratified, proposed and superseded.

        Returns ratified rules first, then proposed ones, then superseded versions. A denial names its rule.

        status: Only these
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("policy_list", {"status": status, "namespace": namespace}, limit)

    def list_proposals(self, *, status=None, limit=None, namespace=None):
        r"""List proposals, with what they would change.

        A write that needs an approval fails with approval-required and the id of its proposal. Call this to
        see its status, or what waits for your approval. The newest come first; a lapsed proposal has to be
        made again.

        status: Only these
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_proposals", {"status": status, "namespace": namespace}, limit)

    def get_proposal(self, id, *, namespace=None):
        r"""Show one proposal and its decision.

        Returns every change that it would make, as far as you may read it, and who decided it.

        id: The id of the proposal
        namespace: The namespace; the default one when left out
        """
        return self._call("get_proposal", {"id": id, "namespace": namespace})

    def approve(self, id, reason, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Approve a proposal of another principal.

        Lands exactly the changes that get_proposal shows, on the head that they were made on, and returns the
        commit. You cannot approve your own proposal. When its branch has moved, a proposal has lapsed and has
        to be made again.

        id: The id of the proposal
        reason: Why; it is stored with the decision
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("approve", {"id": id, "reason": reason, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def reject(self, id, reason, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Reject a proposal.

        The proposal ends without landing. Give the reason for its author. An author withdraws a proposal the
        same way.

        id: The id of the proposal
        reason: Why; it is stored with the decision
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("reject", {"id": id, "reason": reason, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def taint(self, path, effect, reason, *, severity=None, expires=None, quarantine=None, branches=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Mark paths as suspect.

        block: no change is allowed. review: a change needs the approval of another principal. isolate: only
        principals with release change or read them. warn: a change carries a warning. It covers merges and
        speculations, until release_taint.

        path: A path pattern: it covers matching paths and everything below; * is one segment
        effect: The effect on changes and reads
        reason: Why, in a sentence; it is recorded
        severity: How bad it is
        expires: When it expires, such as 2027-01-31T12:00:00Z; never when left out
        quarantine: Hide the values from principals without release, whatever the effect
        branches: The branches that it covers; all when left out
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("taint", {"path": path, "effect": effect, "reason": reason, "severity": severity, "expires": expires, "quarantine": quarantine, "branches": branches, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def release_taint(self, id, reason, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Release a taint.

        Give the reason why the paths are no longer suspect. A principal cannot release what it wrote itself.

        id: The id of the taint
        reason: Why, in a sentence; it is recorded
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("release_taint", {"id": id, "reason": reason, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def list_taints(self, path=None, *, status=None, limit=None, namespace=None):
        r"""List taints.

        Returns taints in force, or released ones. With a path, those that cover it, something below it, or
        something above it.

        path: Only taints that concern this path
        status: released includes expired
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_taints", {"path": path, "status": status, "namespace": namespace}, limit)

    def create_plan(self, name, description=None, *, ref=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Create a plan.

        A plan is a named list of tasks that agents claim and complete with proof. Add tasks with add_task,
        then claim_task.

        name: The name of the plan
        description: What the plan is for
        ref: The branch that the plan is on
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("create_plan", {"name": name, "description": description, "ref": ref, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def list_plans(self, *, status=None, ref=None, limit=None, namespace=None):
        r"""List plans.

        Returns plans by name, with status. list_tasks shows the tasks of one.

        status: Only those
        ref: The branch that the plan is on
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_plans", {"status": status, "ref": ref, "namespace": namespace}, limit)

    def get_plan(self, plan, *, ref=None, namespace=None):
        r"""Show a plan.

        Returns name, description and status of one plan. list_tasks shows its tasks.

        plan: The name of the plan
        ref: The branch that the plan is on
        namespace: The namespace; the default one when left out
        """
        return self._call("get_plan", {"plan": plan, "ref": ref, "namespace": namespace})

    def close_plan(self, plan, summary, *, ref=None, namespace=None, session=None, agent=None):
        r"""Close a plan whose tasks are all done or abandoned.

        Say in summary what was reached. It fails while tasks are open, and names them.

        plan: The name of the plan
        summary: What was reached
        ref: The branch that the plan is on
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("close_plan", {"plan": plan, "summary": summary, "ref": ref, "namespace": namespace, "session": session}, agent=agent)

    def archive_plan(self, plan, *, ref=None, namespace=None, session=None, agent=None):
        r"""Archive a closed plan.

        It can still be read. A plan that is not closed is refused: call close_plan first.

        plan: The name of the plan
        ref: The branch that the plan is on
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("archive_plan", {"plan": plan, "ref": ref, "namespace": namespace, "session": session}, agent=agent)

    def verify_plan(self, plan, *, ref=None, namespace=None):
        r"""Check the proofs of the completed tasks of a plan.

        Returns for each completed task whether its proof still holds: verified, decayed, or unverifiable
        here.

        plan: The name of the plan
        ref: The branch that the plan is on
        namespace: The namespace; the default one when left out
        """
        return self._call("verify_plan", {"plan": plan, "ref": ref, "namespace": namespace})

    def add_task(self, plan, title, *, priority=None, parent=None, blocked_by=None, assignee=None, payload=None, ref=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Add a task to a plan.

        blocked_by names the tasks that have to be done first, parent the task that it is part of.

        plan: The name of the plan
        title: What has to be done
        priority: Higher priorities are claimed first
        parent: The task that this one is part of; a parent waits for its parts
        blocked_by: Tasks that must be done first
        assignee: The only agent that may claim it
        payload: Data for the agent that does it
        ref: The branch that the plan is on
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("add_task", {"plan": plan, "title": title, "priority": priority, "parent": parent, "blocked_by": blocked_by, "assignee": assignee, "payload": payload, "ref": ref, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def add_tasks(self, plan, tasks, *, ref=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Add several tasks to a plan in one commit.

        They may refer to existing tasks. Either all are added or none is.

        plan: The name of the plan
        tasks: The new tasks
        ref: The branch that the plan is on
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("add_tasks", {"plan": plan, "tasks": tasks, "ref": ref, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def list_tasks(self, plan, *, status=None, assignee=None, limit=None, ref=None, namespace=None):
        r"""List the tasks of a plan.

        Returns them by number, with status, holder and blockers. next_task shows the one that you would get.

        plan: The name of the plan
        status: Only those
        assignee: Only those assigned to this agent
        limit: How many at most
        ref: The branch that the plan is on
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_tasks", {"plan": plan, "status": status, "assignee": assignee, "ref": ref, "namespace": namespace}, limit)

    def get_task(self, plan, id, *, ref=None, namespace=None):
        r"""Show a task.

        Returns one task with its payload, its holder and lease, and its proof once it is done.

        plan: The name of the plan
        id: The id of the task, such as t-1
        ref: The branch that the plan is on
        namespace: The namespace; the default one when left out
        """
        return self._call("get_task", {"plan": plan, "id": id, "ref": ref, "namespace": namespace})

    def next_task(self, plan, *, agent=None, ref=None, namespace=None):
        r"""Show the task that an agent would get next.

        Does not claim it: claim_task does. task is absent when none is available now.

        plan: The name of the plan
        agent: The agent; you when left out
        ref: The branch that the plan is on
        namespace: The namespace; the default one when left out
        """
        return self._call("next_task", {"plan": plan, "agent": agent, "ref": ref, "namespace": namespace})

    def assign_task(self, plan, id, assignee=None, *, ref=None, namespace=None, session=None, agent=None):
        r"""Assign a task to an agent.

        Only this agent can claim it then. Without assignee every agent can.

        plan: The name of the plan
        id: The id of the task, such as t-1
        assignee: The agent; when left out, every agent may claim it
        ref: The branch that the plan is on
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("assign_task", {"plan": plan, "id": id, "assignee": assignee, "ref": ref, "namespace": namespace, "session": session}, agent=agent)

    def change_task(self, plan, id, *, ref=None, priority=None, blocked_by=None, namespace=None, session=None, agent=None):
        r"""Change a task's priority or what blocks it.

        A field that is left out does not change. blocked_by replaces the whole list; a cycle is refused.

        plan: The name of the plan
        id: The id of the task, such as t-1
        ref: The branch that the plan is on
        priority: Higher priorities are claimed first
        blocked_by: Tasks that must be done first
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("change_task", {"plan": plan, "id": id, "ref": ref, "priority": priority, "blocked_by": blocked_by, "namespace": namespace, "session": session}, agent=agent)

    def claim_task(self, plan, *, lease_ms=None, ref=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Claim the next task of a plan.

        When many agents call it at once, each task goes to one of them. Do the work, call renew_task while it
        lasts, then complete_task with proof, or release_task. When the lease ends the task is available
        again.

        plan: The name of the plan
        lease_ms: How many milliseconds the claim holds without renew_task
        ref: The branch that the plan is on
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("claim_task", {"plan": plan, "lease_ms": lease_ms, "ref": ref, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def start_task(self, plan, id, *, ref=None, lease_ms=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Claim one task of a plan by its id.

        Fails with the reason when the task is claimed, blocked, done or assigned to another agent. claim_task
        claims the next one.

        plan: The name of the plan
        id: The id of the task, such as t-1
        ref: The branch that the plan is on
        lease_ms: How many milliseconds the claim holds without renew_task
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("start_task", {"plan": plan, "id": id, "ref": ref, "lease_ms": lease_ms, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def renew_task(self, plan, id, *, ref=None, lease_ms=None, claim=None, namespace=None, session=None, agent=None):
        r"""Extend the lease of a task.

        Call it before the lease ends while you work. It fails when another agent holds the task by now: then
        stop.

        plan: The name of the plan
        id: The id of the task, such as t-1
        ref: The branch that the plan is on
        lease_ms: How many milliseconds the claim holds without renew_task
        claim: The id of the claim; your only one when left out
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("renew_task", {"plan": plan, "id": id, "ref": ref, "lease_ms": lease_ms, "claim": claim, "namespace": namespace, "session": session}, agent=agent)

    def release_task(self, plan, id, *, ref=None, claim=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Release a claimed task.

        The task becomes available again. Use it when you cannot continue.

        plan: The name of the plan
        id: The id of the task, such as t-1
        ref: The branch that the plan is on
        claim: The id of the claim; your only one when left out
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("release_task", {"plan": plan, "id": id, "ref": ref, "claim": claim, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def complete_task(self, plan, id, proof_kind, proof_value, *, ref=None, proof_note=None, proof_hash=None, claim=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Complete a task, with proof.

        The proof is stored and can be checked again: a commit (by id), a file (with its SHA-256 in
        proof_hash), a test, or a text. Only the agent that holds the task can complete it.

        plan: The name of the plan
        id: The id of the task, such as t-1
        proof_kind: The kind of proof
        proof_value: The commit's id, the file's name, the test's, or the text
        ref: The branch that the plan is on
        proof_note: What it shows
        proof_hash: SHA-256 of the content in hex; a file needs one
        claim: The id of the claim; your only one when left out
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("complete_task", {"plan": plan, "id": id, "proof_kind": proof_kind, "proof_value": proof_value, "ref": ref, "proof_note": proof_note, "proof_hash": proof_hash, "claim": claim, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def abandon_task(self, plan, id, reason, *, ref=None, namespace=None, session=None, agent=None):
        r"""End a task that will not be done.

        Give the reason. Tasks that it blocks keep waiting until their blocked_by changes. It cannot be
        claimed again.

        plan: The name of the plan
        id: The id of the task, such as t-1
        reason: Why it will not be done
        ref: The branch that the plan is on
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("abandon_task", {"plan": plan, "id": id, "reason": reason, "ref": ref, "namespace": namespace, "session": session}, agent=agent)

    def attach_schema(self, pattern, schema, description, *, enforcement=None, ref=None, category=None, reasoning=None, confidence=None, tags=None, intent_id=None, intent_parent=None, namespace=None, session=None, agent=None):
        r"""Attach a JSON Schema to a path pattern.

        From then on a write to this branch that violates it is refused (strict) or recorded with the commit
        (warn). The current state has to conform: check_schema shows what does not. x-agentstategraph-merge in
        it says how values merge.

        pattern: A path pattern: * is one segment, ** any number
        schema: A JSON Schema of 2020-12
        description: Why, in a sentence
        enforcement: What happens to a write that violates it
        ref: The branch
        category: Such as Refine, Fix, Explore, Rollback or your own
        reasoning: How you reached this decision
        confidence: How sure you are, from 0 to 1
        tags: Words to find it by
        intent_id: The id of this intent; made when left out
        intent_parent: The id of the parent intent
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("attach_schema", {"pattern": pattern, "schema": schema, "description": description, "enforcement": enforcement, "ref": ref, "category": category, "reasoning": reasoning, "confidence": confidence, "tags": tags, "intent_id": intent_id, "intent_parent": intent_parent, "namespace": namespace, "session": session}, agent=agent)

    def detach_schema(self, pattern, description, *, ref=None, category=None, reasoning=None, confidence=None, tags=None, intent_id=None, intent_parent=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Detach a schema from a path pattern.

        Writes are no longer checked against it. list_schemas shows which patterns have a schema.

        pattern: A path pattern: * is one segment, ** any number
        description: Why, in a sentence
        ref: The branch
        category: Such as Refine, Fix, Explore, Rollback or your own
        reasoning: How you reached this decision
        confidence: How sure you are, from 0 to 1
        tags: Words to find it by
        intent_id: The id of this intent; made when left out
        intent_parent: The id of the parent intent
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("detach_schema", {"pattern": pattern, "description": description, "ref": ref, "category": category, "reasoning": reasoning, "confidence": confidence, "tags": tags, "intent_id": intent_id, "intent_parent": intent_parent, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def list_schemas(self, *, ref=None, limit=None, namespace=None):
        r"""List the schemas of a branch.

        Returns each schema with its pattern and enforcement. Call it before you write to a path for the first
        time.

        ref: The branch
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_schemas", {"ref": ref, "namespace": namespace}, limit)

    def get_schema(self, pattern, *, ref=None, namespace=None):
        r"""Show the schema of a pattern.

        Returns the schema that is attached to exactly this pattern.

        pattern: A path pattern: * is one segment, ** any number
        ref: The branch
        namespace: The namespace; the default one when left out
        """
        return self._call("get_schema", {"pattern": pattern, "ref": ref, "namespace": namespace})

    def check_schema(self, value=None, *, ref=None, namespace=None):
        r"""Check the state of a branch, or a proposed state, against the schemas.

        Checks every schema, including those with enforcement warn or off. Give value to check a whole new
        state.

        value: A whole state to check in place of the current one
        ref: The branch
        namespace: The namespace; the default one when left out
        """
        return self._call("check_schema", {"value": value, "ref": ref, "namespace": namespace})

    def check_migrations(self, *, ref=None, namespace=None):
        r"""Show the version of a branch and the pending migrations.

        Needs an app with migrations. run_migrations migrates the branch to the latest version.

        ref: The branch
        namespace: The namespace; the default one when left out
        """
        return self._call("check_migrations", {"ref": ref, "namespace": namespace})

    def run_migrations(self, refs=None, *, dry_run=None, namespace=None, session=None, agent=None):
        r"""Migrate branches to the latest version.

        Each migration lands as its own commit. Try dry_run first: it shows every change and writes nothing.

        refs: The branches
        dry_run: Only show what would change
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("run_migrations", {"refs": refs, "dry_run": dry_run, "namespace": namespace, "session": session}, agent=agent)

    def rollback_migrations(self, to, description, *, ref=None, category=None, reasoning=None, confidence=None, tags=None, intent_id=None, intent_parent=None, namespace=None, session=None, agent=None):
        r"""Undo migrations down to a version.

        Later writes stay where they do not conflict. A conflict changes nothing.

        to: The version to go back to
        description: Why, in a sentence
        ref: The branch
        category: Such as Refine, Fix, Explore, Rollback or your own
        reasoning: How you reached this decision
        confidence: How sure you are, from 0 to 1
        tags: Words to find it by
        intent_id: The id of this intent; made when left out
        intent_parent: The id of the parent intent
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("rollback_migrations", {"to": to, "description": description, "ref": ref, "category": category, "reasoning": reasoning, "confidence": confidence, "tags": tags, "intent_id": intent_id, "intent_parent": intent_parent, "namespace": namespace, "session": session}, agent=agent)

    def stamp_version(self, version, *, ref=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Set the version of a branch that has none.

        Use it for a state that is older than its migrations. A branch that already has a version is refused.

        version: The version
        ref: The branch
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("stamp_version", {"version": version, "ref": ref, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def list_graphs(self):
        r"""List the graphs of the app.

        Returns names for list_threads and run_thread; none when the server has no app.


        """
        return self._call("list_graphs", {})

    def get_graph(self, graph, *, namespace=None):
        r"""Show the nodes and edges of a graph.

        Returns the graph as data and as a Mermaid diagram.

        graph: The name of the graph in the app
        namespace: The namespace; the default one when left out
        """
        return self._call("get_graph", {"graph": graph, "namespace": namespace})

    def list_threads(self, graph, *, prefix=None, status=None, limit=None, namespace=None):
        r"""List the threads of a graph.

        Returns threads by id, with status. A paused thread waits for an answer: get_thread shows the
        question.

        graph: The name of the graph in the app
        prefix: How the ids begin
        status: Only those
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("list_threads", {"graph": graph, "prefix": prefix, "status": status, "namespace": namespace}, limit)

    def get_thread(self, graph, thread, *, namespace=None):
        r"""Show the state of a thread.

        Returns its state after the finished nodes, the nodes that come next and, when it is paused, what it
        asks: answer with resume_thread.

        graph: The name of the graph in the app
        thread: The id of the thread
        namespace: The namespace; the default one when left out
        """
        return self._call("get_thread", {"graph": graph, "thread": thread, "namespace": namespace})

    def thread_history(self, graph, thread, *, limit=None, namespace=None):
        r"""Show the steps of a thread, newest first.

        Returns each step with the state after it and its commit. fork_thread with from starts a new thread at
        one of them.

        graph: The name of the graph in the app
        thread: The id of the thread
        limit: How many at most
        namespace: The namespace; the default one when left out
        """
        return self._listing("thread_history", {"graph": graph, "thread": thread, "namespace": namespace}, limit)

    def watch_thread(self, graph, thread, *, namespace=None):
        r"""Follow the runs of a thread.

        Streams the status of the thread, then what happens in its runs on this server from now on: nodes that
        start, retry, fail, pause and end, their updates, and the messages of models as they come.
        thread_history shows the steps of the past.

        graph: The name of the graph in the app
        thread: The id of the thread
        namespace: The namespace; the default one when left out
        """
        return self._stream("watch_thread", {"graph": graph, "thread": thread, "namespace": namespace})

    def run_thread(self, graph, thread, input, *, max_steps=None, when_busy=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Run a thread with an input until it ends or pauses.

        Starts the thread when there is none with this id. The result is done, paused with a question, or
        failed.

        graph: The name of the graph in the app
        thread: The id of the thread
        input: The input of the graph
        max_steps: More steps than this are an error
        when_busy: When another run is active on the thread: refuse, wait, or run concurrently and merge
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("run_thread", {"graph": graph, "thread": thread, "input": input, "max_steps": max_steps, "when_busy": when_busy, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def resume_thread(self, graph, thread, *, answers=None, namespace=None, session=None, agent=None):
        r"""Resume a thread with answers.

        A single open question needs no id. Without answers it resumes a thread that was interrupted by a
        crash.

        graph: The name of the graph in the app
        thread: The id of the thread
        answers: The answers; id names the interrupt when there are several
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("resume_thread", {"graph": graph, "thread": thread, "answers": answers, "namespace": namespace, "session": session}, agent=agent)

    def update_thread(self, graph, thread, update, *, as_=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Update the state of a thread as if a node had returned it.

        The update goes through the reducers of the graph. as names the node that it counts as; its edges
        decide what comes next. When that node waits together with others, their work is kept.

        graph: The name of the graph in the app
        thread: The id of the thread
        update: The value that a node would return
        as_: The node that it counts as
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("update_thread", {"graph": graph, "thread": thread, "update": update, "as": as_, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def fork_thread(self, graph, thread, to, *, from_=None, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Fork a thread from its current or an earlier state.

        from is a commit of thread_history. The new thread is independent of the old one.

        graph: The name of the graph in the app
        thread: The id of the thread
        to: The id of the new thread
        from_: A commit of the thread; its current state when left out
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("fork_thread", {"graph": graph, "thread": thread, "to": to, "from": from_, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def delete_thread(self, graph, thread, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Delete a thread.

        Removes its name; its commits stay until gc collects them. A run of it in this process is stopped.

        graph: The name of the graph in the app
        thread: The id of the thread
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("delete_thread", {"graph": graph, "thread": thread, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def memory_view(self, *, focus=None, max_chars=None, commit=None, ref=None, namespace=None):
        r"""Show a memory as text: recent changes, or everything.

        Returns text for a person or a prompt: newest first, within a budget of characters, including
        removals. With commit it shows an earlier state. An agent keeps its values at /<agent>/<key>, so get,
        log and blame work on memories too.

        focus: Recent changes, or everything
        max_chars: How long the text may be
        commit: The memory as it was at this commit
        ref: The branch of the memory
        namespace: The namespace; the default one when left out
        """
        return self._call("memory_view", {"focus": focus, "max_chars": max_chars, "commit": commit, "ref": ref, "namespace": namespace})

    def memory_events(self, *, agent=None, kind=None, after=None, limit=None, ref=None, namespace=None):
        r"""List the events of tasks with a memory.

        Returns start, actions, outputs, errors, success or failure, oldest first, each with the commits
        before and after.

        agent: Only those of this agent
        kind: Only those of this kind
        after: The seq of the last event seen
        limit: How many at most
        ref: The branch of the memory
        namespace: The namespace; the default one when left out
        """
        return self._listing("memory_events", {"agent": agent, "kind": kind, "after": after, "ref": ref, "namespace": namespace}, limit)

    def list_agents(self):
        r"""List the agents of the app and their tasks.

        Returns names for run_task; none when the server has no app.


        """
        return self._call("list_agents", {})

    def run_task(self, agent, task, input=None, *, ref=None, namespace=None, session=None, idempotency_key=None):
        r"""Run a task of an agent with its memory.

        Returns the result of the task. Its changes to the memory are committed when it ends, even when it
        fails.

        agent: The name of the agent
        task: The name of the task
        input: The input of the task
        ref: The branch of the memory
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("run_task", {"agent": agent, "task": task, "input": input, "ref": ref, "namespace": namespace, "session": session, "idempotency_key": idempotency_key})

    def stats(self, ref=None, *, namespace=None):
        r"""Count what a store holds.

        Returns commits, branches and bytes of the namespace, commits by agent and by category, the head of
        the ref, and the rules of retention with what they have trimmed.

        ref: A branch, a tag or a commit id
        namespace: The namespace; the default one when left out
        """
        return self._call("stats", {"ref": ref, "namespace": namespace})

    def verify(self, *, after=None, namespace=None):
        r"""Verify a whole store.

        Reads every byte once: entries, commits, values, blame, refs, indexes and the Merkle log. Reports all
        damage. Give the point of an earlier report to check only what was added since.

        after: The point of an earlier report; what it covers is not read again
        namespace: The namespace; the default one when left out
        """
        return self._call("verify", {"after": after, "namespace": namespace})

    def gc_dry_run(self, *, keep_newer_ms=None, namespace=None):
        r"""Show what garbage collection would drop.

        Drops nothing. gc_sweep does.

        keep_newer_ms: Keep what is younger than this many milliseconds, whether or not something needs it
        namespace: The namespace; the default one when left out
        """
        return self._call("gc_dry_run", {"keep_newer_ms": keep_newer_ms, "namespace": namespace})

    def gc_sweep(self, *, keep_newer_ms=None, namespace=None, session=None, agent=None):
        r"""Drop the states of commits that nothing needs.

        Keeps what branches, tags, epochs and threads lead to, and the whole journal. With rules of
        set_retention, also drops old states. Call gc_dry_run first to see the effect.

        keep_newer_ms: Keep what is younger than this many milliseconds, whether or not something needs it
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("gc_sweep", {"keep_newer_ms": keep_newer_ms, "namespace": namespace, "session": session}, agent=agent)

    def set_retention(self, *, newer_ms=None, count=None, categories=None, namespace=None, session=None, agent=None):
        r"""Set which old states garbage collection keeps.

        From then on gc_sweep drops the states that no rule keeps; commits, blame and verification stay. What
        branches, tags, epochs and open speculations lead to is always kept. Needs newer_ms or count; without
        any field, no more states are dropped.

        newer_ms: Keep states that are younger than this many milliseconds
        count: Keep the states of so many of the newest commits of each branch and thread; 1 unless given
        categories: Keep the states of commits of these categories; those of Checkpoint are always kept
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("set_retention", {"newer_ms": newer_ms, "count": count, "categories": categories, "namespace": namespace, "session": session}, agent=agent)

    def compact(self, *, namespace=None, session=None, agent=None):
        r"""Give unused room of the store back to the file system.

        Rewrites the file of all namespaces. Writes wait meanwhile, and it needs room for a copy of the data.
        Call gc_sweep first.

        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("compact", {"namespace": namespace, "session": session}, agent=agent)

    def reindex(self, *, namespace=None, session=None, agent=None):
        r"""Rebuild the indexes from the journal.

        Call it when verify reports damage of an index. Results are the same before and after.

        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("reindex", {"namespace": namespace, "session": session}, agent=agent)

    def repair(self, *, namespace=None, session=None, agent=None):
        r"""Make refs, keys and indexes again from the journal.

        Call it when an error or verify names damage of refs, idempotency keys or an index. Returns what was
        wrong. Refuses, and changes nothing, when the journal itself is damaged.

        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("repair", {"namespace": namespace, "session": session}, agent=agent)

    def export(self, *, namespace=None):
        r"""Export a whole repository as lines of text.

        Returns every commit with its values, later facts and refs, as a backup or for import into another
        store.

        namespace: The namespace; the default one when left out
        """
        return self._stream("export", {"namespace": namespace})

    def import_(self, export, *, namespace=None, session=None, agent=None):
        r"""Import an export into a repository.

        The repository is empty or shares history with the export. Damaged or truncated input changes nothing.

        export: The text of the export
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("import", {"export": export, "namespace": namespace, "session": session}, agent=agent)

    def pull(self, from_namespace, *, branches=None, merge=None, namespace=None, session=None, agent=None):
        r"""Pull branches from another namespace.

        A branch that diverged stays where it is unless merge is true. The other namespace does not change.

        from_namespace: The namespace to pull from
        branches: The branches to pull; all when left out
        merge: Merge branches that diverged
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        """
        return self._call("pull", {"from_namespace": from_namespace, "branches": branches, "merge": merge, "namespace": namespace, "session": session}, agent=agent)

    def accept_history(self, reason, *, namespace=None, session=None, idempotency_key=None, agent=None):
        r"""Accept a history that is shorter than its high-water mark.

        A store becomes read-only when its high-water mark shows that entries are missing. Accept that only
        deliberately.

        reason: Why, for the journal
        namespace: The namespace; the default one when left out
        session: The id of the session to act in
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("accept_history", {"reason": reason, "namespace": namespace, "session": session, "idempotency_key": idempotency_key}, agent=agent)

    def list_namespaces(self):
        r"""List the namespaces that you can see.

        Pass one as namespace in any other call; without it a call uses the default namespace.


        """
        return self._call("list_namespaces", {})

    def create_namespace(self, name, *, idempotency_key=None, agent=None):
        r"""Create a namespace.

        Makes a separate repository in the same store. Nothing in one namespace is visible from another.

        name: Its name: letters, digits, _ and -
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("create_namespace", {"name": name, "idempotency_key": idempotency_key}, agent=agent)

    def delete_namespace(self, name, *, idempotency_key=None, agent=None):
        r"""Delete a namespace with everything in it.

        Its whole history is lost: export it first. The default namespace cannot be deleted.

        name: Its name: letters, digits, _ and -
        idempotency_key: A retry with the same key is not done again
        """
        return self._call("delete_namespace", {"name": name, "idempotency_key": idempotency_key}, agent=agent)


AsyncOperations = Operations
