/**
 * The next step after a failure, in words that every surface can translate.
 *
 * Hints of the library name its calls. Those are replaced here by hints that name operations and fields in backticks; each
 * surface then writes them in its own words (`inWords`).
 */

type Data = Readonly<Record<string, unknown>>

const operator = 'Ask the operator of the store'

const hints: Readonly<Record<string, (data: Data, ofLibrary: string | undefined) => string | undefined>> = {
  'access-denied': () => 'Nothing was changed. `explain` says which grant would be needed.',
  'answer-malformed': () => 'Answer with {"value": …}, and with the id of the interrupt where several wait.',
  'approval-required': ({ proposal, approvers }) =>
    `Do not send it again. ${Array.isArray(approvers) ? approvers.join(' or ') : 'Another principal with the capability approve'} ` +
    `can approve ${String(proposal)}; \`get_proposal\` shows what became of it.`,
  'app-missing': () => `They are code that comes with an app. ${operator} to give it one.`,
  'clock-ahead': () => 'The time of a journal never runs backwards. Set the clock. Nothing was written.',
  'derived-corrupt': () => 'Nothing was changed. It is derived from the journal: `repair` makes it again.',
  'disk-full': () => roomHint('on the disk'),
  'epoch-unsigned': () => `The store needs its key; then \`sign_epoch\` signs the epoch. ${operator}.`,
  'grant-unknown': () => '`list_grants` shows those that you can see.',
  'history-forked': () => `Restore a backup of the right history; or, if this one is right, ${acceptHint}.`,
  'history-short': () => `Restore a backup that reaches the mark; or, to go on without what is lost, ${acceptHint}.`,
  'key-file-invalid': () => 'Restore the file from a backup, or make another key.',
  'key-invalid': () => 'One looks like name+0a1b2c3d+base64. Whoever signs the log gives it.',
  'key-refused': () => 'A principal with admin can list the keys with `list_keys`.',
  'key-retired': () => `It was replaced. ${operator} to use the key that took its place.`,
  'key-unknown': () => '`list_keys` shows the ids of all keys.',
  'lease-lost': () =>
    'Stop working on it. Renew in time, or claim with a longer `lease_ms`; claim it again with `claim_task` to go on.',
  'limit-invalid': () =>
    'A limit is a whole number of at least 1: commits, entries, branches, speculations or bytes per minute, or bytes of a commit.',
  'meta-protected': () =>
    '`attach_schema` and `detach_schema` change schemas, `run_migrations` and `rollback_migrations` the version.',
  'node-timeout': () =>
    'Nothing of the attempt is kept. The graph decides how long a node may take and whether it is tried again.',
  'outcome-unknown': () =>
    'Read whether it is there, or repeat it with the same `idempotency_key`, under which it is done once.',
  'path-invalid': (_, ofLibrary) => ofLibrary?.replace(', or an array of its segments', ''),
  'path-not-found': () => '`list_paths` shows what is there.',
  // What a program may pass to `open`, nobody can type.
  'postgres-missing': withoutObjects,
  'policy-invalid': () =>
    'Use manual, ours, theirs, latest, max, min, sum, union, {"union_by": "field"}, append or text.',
  'principal-exists': () => '`add_key` adds another key for it.',
  'principal-unknown': () => '`add_principal` makes one, and gives its key.',
  'proposal-impossible': () => 'Nothing was changed. It needs a principal that may do it without approval.',
  'proposal-unknown': () => '`list_proposals` shows those there are.',
  'protection-missing': () => `${operator}: it has to be opened with the keys that its values were encrypted with.`,
  quarantined: ({ taint }) =>
    `A principal with release can read it, and can release ${String(taint)} with \`release_taint\`.`,
  'read-only': () => 'Nothing was written: what is here can only be read.',
  'redis-missing': withoutObjects,
  'rule-denied': () =>
    'Nothing was changed. `policy_list` shows the rule; another version of it has to be ratified to lift it.',
  'rule-unknown': () => '`policy_list` shows those there are.',
  'run-busy': () =>
    'Wait for it, or run with `when_busy` queue or merge. If its process has ended, `resume_thread` takes the thread over.',
  'run-step-limit': () =>
    'If the graph is not in an endless loop, raise `max_steps`. The thread can be resumed from here with `resume_thread`.',
  'scheme-unknown': withoutObjects,
  'schema-violation': () => 'Nothing was written. `list_schemas` shows what is attached.',
  'segment-torn': () =>
    `Nothing is read past it. ${operator} to restore the object from a version or a copy of the bucket.`,
  'session-foreign': ({ agent }) => `${String(agent)} can resume it.`,
  'session-unknown': () => '`sessions` shows those that you opened or work in.',
  'signer-invalid': () => `The key of the store cannot sign. ${operator}.`,
  'signer-missing': () => `${operator} to open it with its key.`,
  'store-full': () => roomHint('in the store'),
  'taint-unknown': () => '`list_taints` shows those there are.',
  tainted: ({ taint }) =>
    `Nothing was changed. A principal with release can release ${String(taint)} with \`release_taint\`.`,
  'target-invalid': () => 'Name one thing: a principal or a branch.',
  'task-not-found': () => 'Ids are t-1, t-2 and so on; `list_tasks` shows them.',
  'time-invalid': () => 'Give a time such as 2026-04-11T09:30:00Z.',
  'too-costly': ({ limit }) =>
    'Nothing is half written. Ask for less at once: a page (`limit`, `cursor`), a narrower path or filter, fewer edits. ' +
    `The operator of the server can raise the limit of ${String(limit)}.`,
  // Limits are set by the program that opens the store.
  'value-refused': (_, ofLibrary) => ofLibrary?.replaceAll(/, or raise limits\.\w+/g, ''),
  'value-unreadable': ({ class: name }) =>
    name === undefined
      ? 'Read it with the version that wrote it, or write the value again.'
      : 'Only a program that has the class can read it.',
}

function withoutObjects(_: Data, ofLibrary: string | undefined): string | undefined {
  return ofLibrary?.replace(/, or (?:pass )?a [a-z -]+ of your own/, '')
}

const acceptHint = '`accept_history` accepts it'

function roomHint(where: string): string {
  return (
    `Make room ${where}, or drop what no branch and no tag reaches with \`gc_sweep\`. ` +
    'Nothing was changed, and all of it can be read.'
  )
}

export function hintOf(code: string, data: unknown, ofLibrary: string | undefined): string | undefined {
  return Object.hasOwn(hints, code) ? hints[code]!((data ?? {}) as Data, ofLibrary) : ofLibrary
}

/** A hint with each name in backticks as a surface writes it; undefined leaves the name as it is. */
export function inWords(hint: string, wordsOf: (name: string) => string | undefined): string {
  return hint.replace(/`([a-z]+(?:_[a-z]+)*)`/g, (whole, name: string) => wordsOf(name) ?? whole)
}

/** What a path after the branch looks like to a server: a branch that is not there. */
export const inUrls = ' (In a URL, a path goes into the query: GET /api/state/main?path=/a)'

/** A hint without what concerns those who write URLs. */
export function withoutUrls(hint: string): string {
  return hint.replace(inUrls, '')
}
