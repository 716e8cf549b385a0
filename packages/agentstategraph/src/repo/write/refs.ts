/**
 * Branches and tags: names, and the entries that make, move and delete them.
 *
 * A ref that moves without a commit is an entry of kind `ref` with its agent, so it shows in the journal and can be undone.
 */

import { appendAll, isWellFormed, utf8Length } from '../../core/index.ts'
import {
  ask,
  type EntryRequest,
  type Move,
  pausePoint,
  type Recorded,
  type RefCell,
  readCommit,
  type StoredCommit,
  type Work,
} from '../../store/index.ts'
import { repoError } from '../errors.ts'
import type { Handle } from '../handle.ts'
import type { Accessor } from '../records/accessor.ts'
import type { AccessRequest } from '../records/capability.ts'
import {
  accessRefs,
  branchPrefix,
  branchRef,
  findRef,
  listRefs,
  mainBranch,
  tagPrefix,
  tagRef,
  threadPrefix,
} from '../records/ref-names.ts'
import { readScopeOf } from '../visibility/read-scope.ts'
import { assertMovesNoExposure } from './move-exposure.ts'
import { requestsOfMoves } from './move-requests.ts'
import { recordEntries } from './record-entries.ts'
import { assertSealedStay, isLeaving } from './sealed-refs.ts'

const MAX_NAME_BYTES = 256

/** Gives the name back, or says why no branch or tag can have it. */
export function checkedRefName(name: string): string {
  const refuse = (reason: string): never => {
    throw repoError('ref-name-invalid', { name, reason })
  }
  if (typeof name !== 'string' || name === '') return refuse('it is empty')
  if (!isWellFormed(name)) return refuse('it contains a lone surrogate')
  if (utf8Length(name) > MAX_NAME_BYTES) return refuse(`it has more than ${MAX_NAME_BYTES} bytes`)
  if (/\p{Cc}/u.test(name)) return refuse('it contains a control character')
  if (name.split('/').some(part => part === '' || part === '.' || part === '..'))
    return refuse('a part of it is empty or dots')
  return name
}

/** Gives the name back, or says why nothing new should be called that: it could not be told apart, typed or put in an address. */
export function checkedNewName(name: string): string {
  const refuse = (reason: string): never => {
    throw repoError('ref-name-invalid', { name, reason })
  }
  checkedRefName(name)
  if (/[\s~^:?*[\]\\]|\p{Cf}/u.test(name))
    return refuse('it contains a blank, an invisible character or one of ~^:?*[]\\')
  if (name.includes('..') || name.endsWith('.lock')) return refuse('it contains ".." or ends in ".lock"')
  if (name.startsWith('-') || name === 'HEAD') return refuse('it could be taken for an option or for the head')
  // A name is looked up before an id: under such a name, what a commit id stands for could be changed.
  if (/^[0-9a-f]{64}$/i.test(name)) return refuse('it could be taken for the id of a commit')
  return name
}

/** Gives the name back, or says why no tag can be made with it. */
export function checkedNewTag(name: string): string {
  if (checkedNewBranch(name) !== mainBranch) return name
  throw repoError('ref-name-invalid', { name, reason: 'it is the branch that every repository has' })
}

/** Gives the name back, or says why no branch can be made with it. */
export function checkedNewBranch(name: string): string {
  if (!checkedNewName(name).startsWith(threadPrefix)) return name
  throw repoError('ref-name-invalid', {
    name,
    reason: `names that begin with ${threadPrefix} are the threads of graphs`,
  })
}

/** Refuses to touch the branch that a repository is never without. */
export function assertUnprotected(branch: string): void {
  if (branch === mainBranch) throw repoError('ref-protected', { ref: branch, reason: 'a repository always has it' })
}

/** Who may do what is decided where it is asked for, and nothing that comes from elsewhere decides it. */
function assertMovable(ref: string): void {
  if (!accessRefs.some(prefix => ref.startsWith(prefix))) return
  throw repoError('ref-protected', { ref, reason: 'only decisions about access change it' })
}

/**
 * Refuses refs whose names are taken by the other kind: a name that could mean two commits would mean one of them in silence.
 *
 * What comes together is let through, so that an export of a history from before this rule can be read back. Then, and when two
 * writers make both at the same moment, looking the name up tells of both.
 */
export function* assertNamesFree(created: readonly string[]): Work<void> {
  for (const ref of created) {
    const other = otherKind(ref)
    if (other === undefined || created.includes(other) || (yield* findRef(other)) === null) continue
    throw nameTaken(other)
  }
}

function nameTaken(ref: string): Error {
  const isTag = ref.startsWith(tagPrefix)
  return repoError('ref-exists', { ref: ref.slice(ref.indexOf('/') + 1), as: isTag ? 'tag' : 'branch' })
}

/** Makes an append fail when the name of a new ref is taken by the other kind. */
function nameGuards(moves: readonly Move[]): readonly Move[] {
  const created = moves.filter(({ expect, to }) => expect === null && to !== null).map(({ name }) => name)
  return created.flatMap(ref => {
    const name = otherKind(ref)
    return name === undefined || created.includes(name) ? [] : { name, expect: null, to: null }
  })
}

/** The ref that has the name of another as the other kind: a tag for a branch, and the reverse. */
function otherKind(ref: string): string | undefined {
  if (ref.startsWith(branchPrefix)) return tagRef(ref.slice(branchPrefix.length))
  return ref.startsWith(tagPrefix) ? branchRef(ref.slice(tagPrefix.length)) : undefined
}

interface MoveOptions {
  readonly body?: { readonly [key: string]: string | number } | undefined
  readonly asked?: readonly AccessRequest[] | undefined
  /** The request with a key that the entry answers. */
  readonly request?: EntryRequest | undefined
}

/** Moves refs in one entry of kind `ref`; `moved` tells the ref that was not where it was believed to be. */
export function* moveRefs(
  handle: Handle,
  moves: readonly Move[],
  body?: { readonly [key: string]: string | number },
  asked?: readonly AccessRequest[],
): Work<{ readonly seq: number } | { readonly moved: string; readonly actual: number | null }> {
  const outcome = yield* appendMoves(handle, moves, { body, asked })
  if (outcome.kind === 'done') return { seq: outcome.first }
  if (outcome.kind === 'moved') return { moved: outcome.name, actual: outcome.actual }
  throw new Error(`An entry without a key was answered with ${outcome.kind}`)
}

export function* appendMoves(
  handle: Handle,
  moves: readonly Move[],
  { body, asked, request }: MoveOptions,
): Work<Recorded> {
  const { journal, who, shared } = handle
  for (const { name } of moves) assertMovable(name)
  const guards = nameGuards(moves)
  const record = { kind: 'ref', agent: who.agent, ...(body === undefined ? {} : { body }), request }
  yield* assertMovesNoExposure(handle, moves)
  for (;;) {
    // Whether something sealed would be lost is true of one moment only, so nothing may come in between.
    const after = moves.some(isLeaving) ? (yield* ask(log => log.head())).seq : undefined
    if (after !== undefined) yield* assertSealedStay(journal, moves)
    const outcome = yield* recordEntries(handle, asked ?? (() => requestsOfMoves(handle, moves)), [record], {
      moves: [...moves, ...guards],
      after,
    })
    for (const { name, expect, to } of moves) if (to !== expect) shared.heads.delete(name)
    if (outcome.kind === 'moved' && guards.some(({ name }) => name === outcome.name)) throw nameTaken(outcome.name)
    if (outcome.kind !== 'moved' || outcome.name !== '') return outcome
  }
}

/** A new ref on an entry that is there. */
export function* createRef(handle: Handle, ref: string, shown: string, to: number): Work<void> {
  const outcome = yield* moveRefs(handle, [{ name: ref, expect: null, to }])
  if ('moved' in outcome) throw repoError('ref-exists', { ref: shown })
}

/** A new ref where the handle's branch is. */
export function* createRefAtHead(handle: Handle, ref: string, shown: string): Work<StoredCommit> {
  return yield* atHead(handle, function* (head, guard): Work<StoredCommit | undefined> {
    // A branch that has a head exists, so it cannot be created at its own.
    if (ref === guard.name) throw repoError('ref-exists', { ref: shown })
    const outcome = yield* moveRefs(handle, [{ name: ref, expect: null, to: head.seq }, guard])
    if ('seq' in outcome) return head
    if (outcome.moved !== guard.name) throw repoError('ref-exists', { ref: shown })
    return undefined
  })
}

/**
 * Appends something that belongs to the head of the handle's branch. The head last seen is taken for it without a look at the
 * ref, because the append compares the ref: `append` returns undefined when the guard has failed.
 */
export function* atHead<T>(handle: Handle, append: (head: StoredCommit, guard: Move) => Work<T | undefined>): Work<T> {
  const { heads } = handle.shared
  const name = branchRef(handle.branch)
  for (;;) {
    const known = heads.get(name)?.commit
    const head = known ?? (yield* getBranchHead(handle))
    try {
      const result = yield* append(head, { name, expect: head.seq, to: head.seq })
      if (result !== undefined) return result
    } catch (error) {
      // What is impossible on an old head may be possible on the new one.
      if (known === undefined || (yield* findRef(name)) === head.seq) throw error
    }
    heads.delete(name)
  }
}

export function* deleteRef(handle: Handle, ref: string, shown: string): Work<void> {
  for (;;) {
    const at = yield* findRef(ref)
    if (at === null) throw yield* refNotFound(handle, shown)
    const outcome = yield* moveRefs(handle, [{ name: ref, expect: at, to: null }])
    if ('seq' in outcome) return
  }
}

export function* renameRef(handle: Handle, from: string, to: string, shown: readonly [string, string]): Work<void> {
  for (;;) {
    const at = yield* findRef(from)
    if (at === null) throw yield* refNotFound(handle, shown[0])
    const outcome = yield* moveRefs(handle, [
      { name: from, expect: at, to: null },
      { name: to, expect: null, to: at },
    ])
    if ('seq' in outcome) return
    if (outcome.moved === to) throw repoError('ref-exists', { ref: shown[1] })
  }
}

const SHOWN_REFS = 20

/** The error for a name that is no ref, or was none at a moment, with those that are and that may be known. */
export function* refNotFound(accessor: Accessor, ref: string, at?: string): Work<Error> {
  const scope = yield* readScopeOf(accessor)
  const known: string[] = []
  for (const prefix of [branchPrefix, tagPrefix]) {
    for (let after: string | undefined; known.length < SHOWN_REFS; ) {
      const cells: readonly RefCell[] = yield* listRefs(prefix, { after, limit: SHOWN_REFS })
      const names = cells.map(({ name }) => name.slice(prefix.length))
      appendAll(
        known,
        names.filter(name => scope?.on([name]).isBlank !== true),
      )
      if (cells.length < SHOWN_REFS) break
      after = cells.at(-1)!.name
      yield pausePoint
    }
  }
  return repoError('ref-not-found', { ref, known: known.slice(0, SHOWN_REFS), ...(at === undefined ? {} : { at }) })
}

/** The head of the handle's branch; undefined before the first write. */
export function* findBranchHead({ journal, branch }: Handle): Work<StoredCommit | undefined> {
  const seq = yield* findRef(branchRef(branch))
  return seq === null ? undefined : yield* readCommit(journal, seq)
}

export function* getBranchHead(handle: Handle): Work<StoredCommit> {
  const head = yield* findBranchHead(handle)
  if (head === undefined) throw yield* refNotFound(handle, handle.branch)
  return head
}
