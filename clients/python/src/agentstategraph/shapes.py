# Made from the table of operations by scripts/clients/python-operations.mjs. Not to be edited.

"""The shapes of results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired


__all__ = ["AcceptHistoryResult", "ActivityResult", "ActivityResultPeriodsItem", "AddKeyResult", "AddPrincipalResult", "AddTasksResult", "AttachedSchema", "AttachedSchemaOpaque", "Blame", "BlameAlternativesItem", "BlameApproval", "BlameDelegationItem", "BlameDraft", "BlameIntent", "BlameWarningsItem", "CalibrationResult", "CalibrationResultBandsItem", "ChainedBlame", "ChainedBlameAlternativesItem", "ChainedBlameApproval", "ChainedBlameChain", "ChainedBlameChainConsideredItem", "ChainedBlameChainIntentsItem", "ChainedBlameDelegationItem", "ChainedBlameDraft", "ChainedBlameIntent", "ChainedBlameWarningsItem", "Change", "ChangeAdd", "ChangeChange", "ChangeMove", "ChangeRemove", "CheckHeadResult", "ClaimTaskResult", "Commit", "CommitAlternativesItem", "CommitApproval", "CommitGraphResult", "CommitIntent", "CommitWarningsItem", "CompactResult", "Comparison", "ComparisonColumnsItem", "ComparisonRowsItem", "Conflict", "CreateNamespaceResult", "DelegatedIntent", "DeleteBranchResult", "DeleteNamespaceResult", "DeleteTagResult", "DeleteThreadResult", "DescribedCommit", "DescribedCommitAlternativesItem", "DescribedCommitApproval", "DescribedCommitDelegationItem", "DescribedCommitIntent", "DescribedCommitWarningsItem", "DiffResult", "DiscardResult", "EndSessionResult", "Ended", "Entry", "Epoch", "EpochOpen", "EpochSealed", "EraseResult", "Erasure", "Explanation", "ExplanationLinksItem", "FreezeResult", "GcDryRunResult", "GcSweepResult", "GetGraphResult", "GetResult", "GetTreeResult", "Grant", "GraphCommit", "GraphCommitRefsItem", "GraphPicture", "GraphPictureEdgesItem", "GraphPictureNodesItem", "ImportResult", "Intent", "IntentResolutionsItem", "IntentResolutionsItemDeviationsItem", "IntentTreeResult", "Interrupt", "JournalEvent", "JournalEventCommit", "JournalEventEpoch", "JournalEventObservation", "JournalEventRef", "Key", "ListAgentsResult", "ListAgentsResultAgentsItem", "ListGraphsResult", "ListNamespacesResult", "ListThreads", "MemoryEvent", "MemoryEventAction", "MemoryEventClarify", "MemoryEventCustom", "MemoryEventError", "MemoryEventErrorError", "MemoryEventFail", "MemoryEventOutput", "MemoryEventStart", "MemoryEventSuccess", "MemoryViewResult", "MergePreview", "Merged", "MergedAlternativesItem", "MergedApproval", "MergedIntent", "MergedWarningsItem", "MigrationReport", "MigrationReportStepsItem", "NextTaskResult", "Observation", "ObservationObservedItem", "ObserveResult", "Observed", "ObservedObservedItem", "Plan", "Policy", "PolicyProposeResult", "PolicyRatifyResult", "Principal", "ProofReport", "Proposal", "ProposalDecision", "PullResult", "PullResultRefsItem", "Ref", "Refusals", "ReindexResult", "RejectResult", "ReleaseTaintResult", "RepairResult", "RepairResultChangedItem", "Report", "ReportDeviationsItem", "ResolveIntentResult", "RevokeGrantResult", "RevokeKeyResult", "RotateKeyResult", "RuleSelectors", "RuleSelectorsConfidence", "RunMigrationsResult", "RunTaskResult", "SchemaReport", "SchemaReportViolationsItem", "Search", "Session", "SetRetentionResult", "SpecGetResult", "SpecModifyResult", "SpecSetResult", "Speculation", "StartTaskResult", "StatsResult", "StatsResultRetention", "StatsResultRetentionKeep", "Taint", "Task", "TaskError", "TaskLow", "ThawResult", "ThreadEvent", "ThreadEventCustom", "ThreadEventMessages", "ThreadEventStatus", "ThreadEventTasks", "ThreadEventUpdates", "ThreadState", "ThreadStateDone", "ThreadStateDoneFailuresItem", "ThreadStateFailed", "ThreadStateFailedFailuresItem", "ThreadStateIdle", "ThreadStateIdleFailuresItem", "ThreadStatePaused", "ThreadStatePausedFailuresItem", "Tree", "Undone", "UndoneRefsItem", "Verdict", "VerdictChecksItem", "VerdictInventory", "VerifyPlanResult", "VerifyResult", "VerifyResultDamageItem", "VersionCheck", "WhoamiResult", "WitnessRequestResult"]


class GetResult(TypedDict):
    ref: str
    commit: NotRequired[str]
    path: str
    value: Any
    hint: NotRequired[str]

class Commit(TypedDict):
    id: str
    seq: int
    parents: list[str]
    root: NotRequired[str]
    timestamp: str
    agent: str
    principal: NotRequired[str]
    authority: list[str]
    session: NotRequired[str]
    intent: CommitIntent
    reasoning: str | None
    confidence: float | None
    alternatives: list[CommitAlternativesItem]
    expects: list[Any]
    tools: list[Any]
    attached: NotRequired[Any]
    trace: NotRequired[str]
    schema: NotRequired[str]
    warnings: NotRequired[list[CommitWarningsItem]]
    approval: NotRequired[CommitApproval]
    answers: NotRequired[list[Any]]
    changed: NotRequired[bool]
    receipt: NotRequired[str]

class CommitIntent(TypedDict):
    id: str
    parent: NotRequired[str]
    category: str
    description: str
    tags: list[str]

class CommitAlternativesItem(TypedDict):
    label: str
    why_not: NotRequired[str]
    root: NotRequired[str]

class CommitWarningsItem(TypedDict):
    path: str
    rule: str
    message: str
    pattern: str

class CommitApproval(TypedDict):
    by: str
    reason: str
    proposal: str

class Entry(TypedDict):
    path: str
    kind: Literal["map", "list", "value"]
    size: int

class GetTreeResult(TypedDict):
    ref: str
    commit: NotRequired[str]
    path: str
    children: dict[str, Tree]
    value: NotRequired[Any]
    is_cut: bool
    hint: NotRequired[str]

class Tree(TypedDict):
    kind: Literal["map", "list", "value"]
    size: int
    value: NotRequired[Any]
    children: NotRequired[dict[str, Tree]]

class Search(TypedDict):
    path: str
    value: NotRequired[Any]

class Ref(TypedDict):
    name: str
    id: NotRequired[str]

class DeleteBranchResult(TypedDict):
    name: str
    deleted: Literal[True]

class DeleteTagResult(TypedDict):
    name: str
    deleted: Literal[True]

DiffResult = TypedDict("DiffResult", {
    "from": "str",
    "to": "str",
    "changes": "list[Change]",
})

Change = Union["ChangeAdd", "ChangeRemove", "ChangeChange", "ChangeMove"]
class ChangeAdd(TypedDict):
    op: Literal["add"]
    path: str
    after: Any

class ChangeRemove(TypedDict):
    op: Literal["remove"]
    path: str
    before: Any

class ChangeChange(TypedDict):
    op: Literal["change"]
    path: str
    before: Any
    after: Any

ChangeMove = TypedDict("ChangeMove", {
    "op": "Literal[\"move\"]",
    "path": "str",
    "from": "str",
    "after": "Any",
})

class Merged(TypedDict):
    id: str
    seq: int
    parents: list[str]
    root: NotRequired[str]
    timestamp: str
    agent: str
    principal: NotRequired[str]
    authority: list[str]
    session: NotRequired[str]
    intent: MergedIntent
    reasoning: str | None
    confidence: float | None
    alternatives: list[MergedAlternativesItem]
    expects: list[Any]
    tools: list[Any]
    attached: NotRequired[Any]
    trace: NotRequired[str]
    schema: NotRequired[str]
    warnings: NotRequired[list[MergedWarningsItem]]
    approval: NotRequired[MergedApproval]
    answers: NotRequired[list[Any]]
    changed: NotRequired[bool]
    receipt: NotRequired[str]
    kind: Literal["merged", "fast-forward", "up-to-date"]

class MergedIntent(TypedDict):
    id: str
    parent: NotRequired[str]
    category: str
    description: str
    tags: list[str]

class MergedAlternativesItem(TypedDict):
    label: str
    why_not: NotRequired[str]
    root: NotRequired[str]

class MergedWarningsItem(TypedDict):
    path: str
    rule: str
    message: str
    pattern: str

class MergedApproval(TypedDict):
    by: str
    reason: str
    proposal: str

class MergePreview(TypedDict):
    kind: Literal["merged", "fast-forward", "up-to-date", "conflict"]
    changes: list[Change]
    conflicts: list[Conflict]

class Conflict(TypedDict):
    path: str
    base: NotRequired[Any]
    ours: NotRequired[Any]
    theirs: NotRequired[Any]

class Undone(TypedDict):
    entry: int
    seq: NotRequired[int]
    refs: list[UndoneRefsItem]
    commit: NotRequired[Commit]
    changes: list[Change]

class UndoneRefsItem(TypedDict):
    ref: Literal["branch", "tag"]
    name: str

class Speculation(TypedDict):
    id: str
    label: NotRequired[str]
    base: NotRequired[str]
    branch: str
    expires: NotRequired[str]

class SpecGetResult(TypedDict):
    id: str
    path: str
    value: Any

class SpecSetResult(TypedDict):
    id: str
    edits: int

class SpecModifyResult(TypedDict):
    id: str
    edits: int

class Comparison(TypedDict):
    base: NotRequired[str]
    columns: list[ComparisonColumnsItem]
    rows: list[ComparisonRowsItem]

class ComparisonColumnsItem(TypedDict):
    speculation: Speculation
    changes: list[Change]
    description: NotRequired[str]
    reasoning: NotRequired[str]
    confidence: NotRequired[float]

class ComparisonRowsItem(TypedDict):
    path: str
    base: NotRequired[Any]
    values: list[Any]
    agree: bool

class DiscardResult(TypedDict):
    id: str
    label: NotRequired[str]
    discarded: Literal[True]

class DescribedCommit(TypedDict):
    id: str
    seq: int
    parents: list[str]
    root: NotRequired[str]
    timestamp: str
    agent: str
    principal: NotRequired[str]
    authority: list[str]
    session: NotRequired[str]
    intent: DescribedCommitIntent
    reasoning: str | None
    confidence: float | None
    alternatives: list[DescribedCommitAlternativesItem]
    expects: list[Any]
    tools: list[Any]
    attached: NotRequired[Any]
    trace: NotRequired[str]
    schema: NotRequired[str]
    warnings: NotRequired[list[DescribedCommitWarningsItem]]
    approval: NotRequired[DescribedCommitApproval]
    answers: NotRequired[list[Any]]
    delegation: NotRequired[list[DescribedCommitDelegationItem]]
    changes: NotRequired[list[Change]]
    trimmed: NotRequired[Literal[True]]

class DescribedCommitIntent(TypedDict):
    id: str
    parent: NotRequired[str]
    category: str
    description: str
    tags: list[str]

class DescribedCommitAlternativesItem(TypedDict):
    label: str
    why_not: NotRequired[str]
    root: NotRequired[str]

class DescribedCommitWarningsItem(TypedDict):
    path: str
    rule: str
    message: str
    pattern: str

class DescribedCommitApproval(TypedDict):
    by: str
    reason: str
    proposal: str

DescribedCommitDelegationItem = TypedDict("DescribedCommitDelegationItem", {
    "grant": "str",
    "from": "str",
    "to": "str",
})

class ChainedBlame(TypedDict):
    id: str
    seq: int
    parents: list[str]
    root: NotRequired[str]
    timestamp: str
    agent: str
    principal: NotRequired[str]
    authority: list[str]
    session: NotRequired[str]
    intent: ChainedBlameIntent
    reasoning: str | None
    confidence: float | None
    alternatives: list[ChainedBlameAlternativesItem]
    expects: list[Any]
    tools: list[Any]
    attached: NotRequired[Any]
    trace: NotRequired[str]
    schema: NotRequired[str]
    warnings: NotRequired[list[ChainedBlameWarningsItem]]
    approval: NotRequired[ChainedBlameApproval]
    answers: NotRequired[list[Any]]
    path: str
    value: NotRequired[Any]
    deleted: NotRequired[Literal[True]]
    trimmed: NotRequired[Literal[True]]
    draft: NotRequired[ChainedBlameDraft]
    delegation: NotRequired[list[ChainedBlameDelegationItem]]
    chain: NotRequired[ChainedBlameChain]

class ChainedBlameIntent(TypedDict):
    id: str
    parent: NotRequired[str]
    category: str
    description: str
    tags: list[str]

class ChainedBlameAlternativesItem(TypedDict):
    label: str
    why_not: NotRequired[str]
    root: NotRequired[str]

class ChainedBlameWarningsItem(TypedDict):
    path: str
    rule: str
    message: str
    pattern: str

class ChainedBlameApproval(TypedDict):
    by: str
    reason: str
    proposal: str

class ChainedBlameDraft(TypedDict):
    label: str
    node: NotRequired[str]
    attempt: NotRequired[int]

ChainedBlameDelegationItem = TypedDict("ChainedBlameDelegationItem", {
    "grant": "str",
    "from": "str",
    "to": "str",
})

class ChainedBlameChain(TypedDict):
    considered: list[ChainedBlameChainConsideredItem]
    observed: list[Observed]
    intents: list[ChainedBlameChainIntentsItem]
    next: list[Commit]

class ChainedBlameChainConsideredItem(TypedDict):
    label: str
    why_not: NotRequired[str]
    changes: list[Change]
    trimmed: NotRequired[Literal[True]]

class Observed(TypedDict):
    held: bool
    note: NotRequired[str]
    observed: NotRequired[list[ObservedObservedItem]]
    confidence: NotRequired[float]
    agent: str
    timestamp: str

class ObservedObservedItem(TypedDict):
    path: str
    value: Any

class ChainedBlameChainIntentsItem(TypedDict):
    id: str
    description: str

class Blame(TypedDict):
    id: str
    seq: int
    parents: list[str]
    root: NotRequired[str]
    timestamp: str
    agent: str
    principal: NotRequired[str]
    authority: list[str]
    session: NotRequired[str]
    intent: BlameIntent
    reasoning: str | None
    confidence: float | None
    alternatives: list[BlameAlternativesItem]
    expects: list[Any]
    tools: list[Any]
    attached: NotRequired[Any]
    trace: NotRequired[str]
    schema: NotRequired[str]
    warnings: NotRequired[list[BlameWarningsItem]]
    approval: NotRequired[BlameApproval]
    answers: NotRequired[list[Any]]
    path: str
    value: NotRequired[Any]
    deleted: NotRequired[Literal[True]]
    trimmed: NotRequired[Literal[True]]
    draft: NotRequired[BlameDraft]
    delegation: NotRequired[list[BlameDelegationItem]]

class BlameIntent(TypedDict):
    id: str
    parent: NotRequired[str]
    category: str
    description: str
    tags: list[str]

class BlameAlternativesItem(TypedDict):
    label: str
    why_not: NotRequired[str]
    root: NotRequired[str]

class BlameWarningsItem(TypedDict):
    path: str
    rule: str
    message: str
    pattern: str

class BlameApproval(TypedDict):
    by: str
    reason: str
    proposal: str

class BlameDraft(TypedDict):
    label: str
    node: NotRequired[str]
    attempt: NotRequired[int]

BlameDelegationItem = TypedDict("BlameDelegationItem", {
    "grant": "str",
    "from": "str",
    "to": "str",
})

class IntentTreeResult(TypedDict):
    intents: list[Intent]
    next_cursor: NotRequired[str]

class Intent(TypedDict):
    id: str
    description: NotRequired[str]
    parent: NotRequired[str]
    commits: list[Commit]
    resolutions: list[IntentResolutionsItem]
    children: list[Intent]

class IntentResolutionsItem(TypedDict):
    outcome: Literal["fulfilled", "partial", "failed", "deferred"]
    summary: str
    deviations: NotRequired[list[IntentResolutionsItemDeviationsItem]]
    agent: str
    timestamp: str

class IntentResolutionsItemDeviationsItem(TypedDict):
    description: str
    reason: NotRequired[str]
    impact: NotRequired[Literal["low", "medium", "high"]]

class ResolveIntentResult(TypedDict):
    id: str
    outcome: str

class ObserveResult(TypedDict):
    commit: str
    held: bool

class CalibrationResult(TypedDict):
    count: int
    brier: float
    bands: list[CalibrationResultBandsItem]

class CalibrationResultBandsItem(TypedDict):
    min: float
    max: float
    count: int
    held: int

JournalEvent = Union["JournalEventCommit", "JournalEventRef", "JournalEventObservation", "JournalEventEpoch"]
class JournalEventCommit(TypedDict):
    seq: int
    cursor: str
    timestamp: str
    agent: str
    kind: Literal["commit"]
    branch: str
    commit: Commit
    changes: list[Change]
    trimmed: NotRequired[Literal[True]]
    undoes: NotRequired[int]

JournalEventRef = TypedDict("JournalEventRef", {
    "seq": "int",
    "cursor": "str",
    "timestamp": "str",
    "agent": "str",
    "kind": "Literal[\"ref\"]",
    "ref": "Literal[\"branch\", \"tag\"]",
    "name": "str",
    "from": "NotRequired[str]",
    "before": "NotRequired[str]",
    "after": "NotRequired[str]",
    "undoes": "NotRequired[int]",
})

class JournalEventObservation(TypedDict):
    seq: int
    cursor: str
    timestamp: str
    agent: str
    kind: Literal["observation"]
    commit: str
    observation: Observation

class Observation(TypedDict):
    held: bool
    note: NotRequired[str]
    observed: NotRequired[list[ObservationObservedItem]]
    confidence: NotRequired[float]

class ObservationObservedItem(TypedDict):
    path: str
    value: Any

class JournalEventEpoch(TypedDict):
    seq: int
    cursor: str
    timestamp: str
    agent: str
    kind: Literal["epoch"]
    epoch: str
    status: Literal["open", "sealed", "archived"]

class CommitGraphResult(TypedDict):
    commits: list[GraphCommit]
    lanes: int

class GraphCommit(TypedDict):
    id: str
    seq: int
    parents: list[str]
    lane: int
    parent_lanes: list[int]
    refs: list[GraphCommitRefsItem]
    agent: str
    category: str
    description: str
    timestamp: str

class GraphCommitRefsItem(TypedDict):
    kind: Literal["branch", "tag"]
    name: str

class ActivityResult(TypedDict):
    periods: list[ActivityResultPeriodsItem]

class ActivityResultPeriodsItem(TypedDict):
    start: str
    commits: int
    by_agent: dict[str, int]
    by_category: dict[str, int]

Epoch = Union["EpochOpen", "EpochSealed"]
class EpochOpen(TypedDict):
    id: str
    description: str
    root_intents: list[str]
    from_seq: int
    commits: int
    agents: list[str]
    categories: dict[str, int]
    status: Literal["open"]

class EpochSealed(TypedDict):
    id: str
    description: str
    root_intents: list[str]
    from_seq: int
    commits: int
    agents: list[str]
    categories: dict[str, int]
    status: Literal["sealed", "archived"]
    to_seq: int
    summary: str
    sealed_at: str
    counts: dict[str, int]
    refs: dict[str, str]
    root: str
    signature: NotRequired[str]

class WitnessRequestResult(TypedDict):
    id: str
    request: str

class Verdict(TypedDict):
    ok: bool
    checks: list[VerdictChecksItem]
    failed: NotRequired[str]
    inventory: NotRequired[VerdictInventory]

class VerdictChecksItem(TypedDict):
    name: Literal["integrity", "signed", "extends", "witnessed", "authorised"]
    status: Literal["passed", "failed", "not-checked"]
    detail: NotRequired[str]

VerdictInventory = TypedDict("VerdictInventory", {
    "origin": "str",
    "epoch": "str",
    "from": "int",
    "to": "int",
    "profile": "Literal[\"full\", \"log\", \"redacted\"]",
    "paths": "NotRequired[list[str]]",
    "kinds": "dict[str, int]",
    "agents": "dict[str, int]",
    "chains": "dict[str, int]",
    "withheld": "int",
    "dropped": "int",
    "encrypted": "int",
    "erased": "int",
})

class CheckHeadResult(TypedDict):
    origin: str
    size: int
    root: str
    good: list[str]
    wrong: list[str]

class EraseResult(TypedDict):
    erasures: list[Erasure]

class Erasure(TypedDict):
    subject: str
    key: str
    reason: str
    agent: str
    timestamp: str
    seq: int

class Session(TypedDict):
    id: str
    agent: str
    branch: str
    parent: NotRequired[str]
    intent: NotRequired[str]
    status: Literal["open", "ended"]

class EndSessionResult(TypedDict):
    session: str
    status: Literal["ended"]
    outcome: str

class Report(TypedDict):
    session: str
    agent: str
    time: str
    outcome: Literal["fulfilled", "partial", "failed", "deferred"]
    summary: str
    deviations: NotRequired[list[ReportDeviationsItem]]

class ReportDeviationsItem(TypedDict):
    description: str
    reason: NotRequired[str]
    impact: NotRequired[Literal["low", "medium", "high"]]

class DelegatedIntent(TypedDict):
    id: str
    description: NotRequired[str]
    parent: NotRequired[str]
    status: Literal["proposed", "authorized", "in-progress", "completed", "failed", "blocked"]
    by: str
    actors: NotRequired[list[str]]
    time: str
    authorized: NotRequired[Ended]
    session: NotRequired[str]
    agent: NotRequired[str]
    reason: NotRequired[str]

class Ended(TypedDict):
    by: str
    reason: str
    time: str

class AddPrincipalResult(TypedDict):
    id: str
    key: str

class Principal(TypedDict):
    id: str
    kind: Literal["human", "agent", "service"]
    by: str
    time: str

class AddKeyResult(TypedDict):
    id: str
    key: str

class Key(TypedDict):
    id: str
    principal: str
    time: str
    expires: NotRequired[str]
    parent: NotRequired[str]
    replaces: NotRequired[str]
    revoked: NotRequired[Ended]

class RevokeKeyResult(TypedDict):
    id: str
    revoked: Literal[True]

class RotateKeyResult(TypedDict):
    id: str
    key: str

Grant = TypedDict("Grant", {
    "id": "str",
    "from": "str",
    "to": "str",
    "parent": "NotRequired[str]",
    "capabilities": "list[str]",
    "branches": "NotRequired[list[str]]",
    "paths": "NotRequired[list[str]]",
    "expires": "NotRequired[str]",
    "depth": "int",
    "commits_per_minute": "NotRequired[int]",
    "entries_per_minute": "NotRequired[int]",
    "branches_per_minute": "NotRequired[int]",
    "speculations_per_minute": "NotRequired[int]",
    "bytes_per_minute": "NotRequired[int]",
    "bytes_per_commit": "NotRequired[int]",
    "session": "NotRequired[str]",
    "time": "str",
    "revoked": "NotRequired[Ended]",
})

class RevokeGrantResult(TypedDict):
    id: str
    revoked: Literal[True]

class WhoamiResult(TypedDict):
    principal: str
    agent: str
    mode: Literal["write", "read-only", "propose"]
    capabilities: list[str]

class Explanation(TypedDict):
    allowed: bool
    links: list[ExplanationLinksItem]

class ExplanationLinksItem(TypedDict):
    grant: NotRequired[str]
    rule: NotRequired[str]
    taint: NotRequired[str]
    session: NotRequired[str]
    allowed: bool
    reason: str

class Refusals(TypedDict):
    principal: str
    rule: str
    minute: str
    count: int

class FreezeResult(TypedDict):
    principal: NotRequired[str]
    branch: NotRequired[str]
    frozen: bool

class ThawResult(TypedDict):
    principal: NotRequired[str]
    branch: NotRequired[str]
    frozen: bool

class PolicyProposeResult(TypedDict):
    id: str
    version: int

class PolicyRatifyResult(TypedDict):
    id: str
    status: Literal["ratified"]

class Policy(TypedDict):
    id: str
    name: str
    effect: Literal["allow", "require-approval", "deny"]
    when: RuleSelectors
    approvers: NotRequired[list[str]]
    version: int
    status: Literal["ratified", "proposed", "superseded"]
    by: str
    actors: NotRequired[list[str]]
    timestamp: str
    ratified: NotRequired[Ended]

class RuleSelectors(TypedDict):
    paths: NotRequired[list[str]]
    branches: NotRequired[list[str]]
    categories: NotRequired[list[str]]
    agents: NotRequired[list[str]]
    confidence: NotRequired[RuleSelectorsConfidence]
    change: NotRequired[list[Literal["destructive", "schema", "type"]]]
    max_changes: NotRequired[int]

class RuleSelectorsConfidence(TypedDict):
    min: NotRequired[float]
    max: NotRequired[float]

class Proposal(TypedDict):
    id: str
    by: str
    actors: NotRequired[list[str]]
    timestamp: str
    into: str
    description: str
    reasoning: NotRequired[str]
    confidence: NotRequired[float]
    commit: str
    changes: list[Change]
    rule: NotRequired[str]
    approvers: NotRequired[list[str]]
    status: Literal["open", "approved", "rejected", "lapsed"]
    decision: NotRequired[ProposalDecision]

class ProposalDecision(TypedDict):
    by: str
    reason: NotRequired[str]
    commit: NotRequired[str]

class RejectResult(TypedDict):
    id: str
    status: Literal["rejected"]

class Taint(TypedDict):
    id: str
    path: str
    effect: Literal["block", "review", "isolate", "warn"]
    reason: str
    severity: NotRequired[Literal["low", "medium", "high"]]
    expires: NotRequired[str]
    quarantine: NotRequired[bool]
    branches: NotRequired[list[str]]
    by: str
    timestamp: str
    authors: list[str]
    released: NotRequired[Ended]

class ReleaseTaintResult(TypedDict):
    id: str
    released: Literal[True]

class Plan(TypedDict):
    name: str
    description: NotRequired[str]
    status: Literal["active", "completed", "archived"]

class VerifyPlanResult(TypedDict):
    reports: list[ProofReport]

class ProofReport(TypedDict):
    id: str
    status: Literal["verified", "decayed", "unverifiable"]
    detail: NotRequired[str]

Task = Union["TaskLow"]
class TaskLow(TypedDict):
    id: str
    title: str
    priority: Literal["low", "medium", "high", "critical"]
    parent: NotRequired[str]
    blocked_by: list[str]
    assignee: NotRequired[str]
    payload: NotRequired[Any]
    derived: NotRequired[Literal["pending", "in-progress", "done", "abandoned"]]
    status: Literal["pending"]

class AddTasksResult(TypedDict):
    tasks: list[Task]

class NextTaskResult(TypedDict):
    task: NotRequired[Task]

class ClaimTaskResult(TypedDict):
    task: NotRequired[Task]
    claim: NotRequired[str]

class StartTaskResult(TypedDict):
    task: Task
    claim: str

class AttachedSchema(TypedDict):
    pattern: str
    enforcement: Literal["strict", "warn", "off"]
    schema: NotRequired[Any]
    opaque: NotRequired[AttachedSchemaOpaque]

class AttachedSchemaOpaque(TypedDict):
    vendor: str
    is_known: bool

class SchemaReport(TypedDict):
    ok: bool
    violations: list[SchemaReportViolationsItem]
    unchecked: list[str]

class SchemaReportViolationsItem(TypedDict):
    path: str
    rule: str
    value: Any
    message: str
    pattern: str
    enforcement: Literal["strict", "warn", "off"]

class VersionCheck(TypedDict):
    ref: str
    status: Literal["up-to-date", "upgrade-available", "downgrade", "unversioned", "corrupt"]
    found: NotRequired[Any]
    latest: int
    pending: list[str]

class RunMigrationsResult(TypedDict):
    reports: list[MigrationReport]

class MigrationReport(TypedDict):
    ref: str
    is_dry_run: bool
    steps: list[MigrationReportStepsItem]

MigrationReportStepsItem = TypedDict("MigrationReportStepsItem", {
    "name": "str",
    "from": "int",
    "to": "int",
    "changes": "list[Change]",
    "commit": "NotRequired[Commit]",
})

class ListGraphsResult(TypedDict):
    graphs: list[str]

class GetGraphResult(TypedDict):
    graph: str
    mermaid: str
    picture: GraphPicture

class GraphPicture(TypedDict):
    nodes: list[GraphPictureNodesItem]
    edges: list[GraphPictureEdgesItem]

class GraphPictureNodesItem(TypedDict):
    name: str
    metadata: dict[str, Any]
    join: bool
    defer: bool
    subgraph: NotRequired[GraphPicture]

GraphPictureEdgesItem = TypedDict("GraphPictureEdgesItem", {
    "from": "str",
    "to": "str",
    "conditional": "bool",
    "label": "NotRequired[str]",
})

class ListThreads(TypedDict):
    id: str
    status: Literal["idle", "running", "paused", "failed", "done"]

ThreadState = Union["ThreadStateIdle", "ThreadStatePaused", "ThreadStateFailed", "ThreadStateDone"]
class ThreadStateIdle(TypedDict):
    thread: str
    commit: str
    timestamp: str
    state: Any
    failures: NotRequired[list[ThreadStateIdleFailuresItem]]
    status: Literal["idle", "running"]
    next: list[str]

class ThreadStateIdleFailuresItem(TypedDict):
    node: str
    attempt: float
    error: TaskError

class TaskError(TypedDict):
    name: str
    message: str
    code: NotRequired[Any]
    properties: NotRequired[dict[str, Any]]

class ThreadStatePaused(TypedDict):
    thread: str
    commit: str
    timestamp: str
    state: Any
    failures: NotRequired[list[ThreadStatePausedFailuresItem]]
    status: Literal["paused"]
    next: list[str]
    interrupts: list[Interrupt]

class ThreadStatePausedFailuresItem(TypedDict):
    node: str
    attempt: float
    error: TaskError

class Interrupt(TypedDict):
    id: str
    node: str
    payload: Any
    schema: NotRequired[Any]

class ThreadStateFailed(TypedDict):
    thread: str
    commit: str
    timestamp: str
    state: Any
    failures: NotRequired[list[ThreadStateFailedFailuresItem]]
    status: Literal["failed"]
    next: list[str]
    node: str
    error: TaskError

class ThreadStateFailedFailuresItem(TypedDict):
    node: str
    attempt: float
    error: TaskError

class ThreadStateDone(TypedDict):
    thread: str
    commit: str
    timestamp: str
    state: Any
    failures: NotRequired[list[ThreadStateDoneFailuresItem]]
    status: Literal["done"]
    output: Any

class ThreadStateDoneFailuresItem(TypedDict):
    node: str
    attempt: float
    error: TaskError

ThreadEvent = Union["ThreadEventStatus", "ThreadEventUpdates", "ThreadEventTasks", "ThreadEventMessages", "ThreadEventCustom"]
class ThreadEventStatus(TypedDict):
    kind: Literal["status"]
    status: Literal["idle", "running", "paused", "failed", "done"]

class ThreadEventUpdates(TypedDict):
    seq: int
    node: str
    kind: Literal["updates"]
    update: Any

class ThreadEventTasks(TypedDict):
    seq: int
    node: str
    kind: Literal["tasks"]
    phase: Literal["start", "retry", "end", "fail", "pause"]
    attempt: int
    error: NotRequired[TaskError]

class ThreadEventMessages(TypedDict):
    seq: int
    node: str
    kind: Literal["messages"]
    chunk: Any

class ThreadEventCustom(TypedDict):
    seq: int
    node: str
    kind: Literal["custom"]
    data: Any

class DeleteThreadResult(TypedDict):
    thread: str
    deleted: Literal[True]

class MemoryViewResult(TypedDict):
    text: str

MemoryEvent = Union["MemoryEventStart", "MemoryEventAction", "MemoryEventOutput", "MemoryEventClarify", "MemoryEventError", "MemoryEventCustom", "MemoryEventSuccess", "MemoryEventFail"]
class MemoryEventStart(TypedDict):
    seq: int
    timestamp: str
    agent: str
    task: str
    commit_before: NotRequired[str]
    commit_after: NotRequired[str]
    kind: Literal["start"]
    input: Any

class MemoryEventAction(TypedDict):
    seq: int
    timestamp: str
    agent: str
    task: str
    commit_before: NotRequired[str]
    commit_after: NotRequired[str]
    kind: Literal["action"]
    thinking: NotRequired[str]
    code: NotRequired[str]

class MemoryEventOutput(TypedDict):
    seq: int
    timestamp: str
    agent: str
    task: str
    commit_before: NotRequired[str]
    commit_after: NotRequired[str]
    kind: Literal["output"]
    parts: list[Any]

class MemoryEventClarify(TypedDict):
    seq: int
    timestamp: str
    agent: str
    task: str
    commit_before: NotRequired[str]
    commit_after: NotRequired[str]
    kind: Literal["clarify"]
    message: str

class MemoryEventError(TypedDict):
    seq: int
    timestamp: str
    agent: str
    task: str
    commit_before: NotRequired[str]
    commit_after: NotRequired[str]
    kind: Literal["error"]
    error: MemoryEventErrorError
    recoverable: bool

class MemoryEventErrorError(TypedDict):
    name: str
    message: str

class MemoryEventCustom(TypedDict):
    seq: int
    timestamp: str
    agent: str
    task: str
    commit_before: NotRequired[str]
    commit_after: NotRequired[str]
    kind: Literal["custom"]
    name: str
    data: Any

class MemoryEventSuccess(TypedDict):
    seq: int
    timestamp: str
    agent: str
    task: str
    commit_before: NotRequired[str]
    commit_after: NotRequired[str]
    kind: Literal["success"]
    result: Any

class MemoryEventFail(TypedDict):
    seq: int
    timestamp: str
    agent: str
    task: str
    commit_before: NotRequired[str]
    commit_after: NotRequired[str]
    kind: Literal["fail"]
    message: str

class ListAgentsResult(TypedDict):
    agents: list[ListAgentsResultAgentsItem]

class ListAgentsResultAgentsItem(TypedDict):
    name: str
    tasks: list[str]

class RunTaskResult(TypedDict):
    result: NotRequired[Any]

class StatsResult(TypedDict):
    ref: str
    head: NotRequired[str]
    commits: int
    branches: int
    stored_bytes: int
    by_agent: dict[str, int]
    by_category: dict[str, int]
    retention: NotRequired[StatsResultRetention]
    hint: NotRequired[str]

class StatsResultRetention(TypedDict):
    keep: NotRequired[StatsResultRetentionKeep]
    trimmed_states: int
    trimmed_bytes: int

class StatsResultRetentionKeep(TypedDict):
    newer_ms: NotRequired[int]
    count: NotRequired[int]
    categories: NotRequired[list[str]]

class VerifyResult(TypedDict):
    ok: bool
    checked: int
    damage: list[VerifyResultDamageItem]
    point: NotRequired[str]

class VerifyResultDamageItem(TypedDict):
    where: str
    what: str

class GcDryRunResult(TypedDict):
    freed_bytes: int
    kept: int
    removed: int
    trimmed: int

class GcSweepResult(TypedDict):
    freed_bytes: int
    kept: int
    removed: int
    trimmed: int

class SetRetentionResult(TypedDict):
    pass

class CompactResult(TypedDict):
    bytes_before: int
    bytes_after: int

class ReindexResult(TypedDict):
    reindexed: Literal[True]

class RepairResult(TypedDict):
    entries: int
    changed: list[RepairResultChangedItem]

RepairResultChangedItem = TypedDict("RepairResultChangedItem", {
    "kind": "Literal[\"ref\", \"key\", \"commit\"]",
    "name": "str",
    "from": "int | None | Literal[\"unreadable\"]",
    "to": "int | None",
})

class ImportResult(TypedDict):
    imported: Literal[True]

class PullResult(TypedDict):
    refs: list[PullResultRefsItem]

class PullResultRefsItem(TypedDict):
    name: str
    kind: Literal["created", "fast-forward", "merged", "up-to-date", "diverged"]

class AcceptHistoryResult(TypedDict):
    accepted: Literal[True]

class ListNamespacesResult(TypedDict):
    namespaces: list[str]

class CreateNamespaceResult(TypedDict):
    name: str

class DeleteNamespaceResult(TypedDict):
    name: str
    deleted: Literal[True]

