/**
 * Branches and tags: names, and the entries that make, move and delete them.
 *
 * Every ref that moves by itself is an entry of kind `ref`, with who did it; so it shows in the journal and can be undone.
 */

import { isWellFormed, utf8Length } from '../core/index.ts'
import { appendEntries, ask, type Move, type RefCell, type Work } from '../store/index.ts'
import { repoError } from './errors.ts'
import type { Handle } from './handle.ts'
import { branchPrefix, tagPrefix, threadPrefix } from './ref-kinds.ts'
import { assertSealedStay, isLeaving } from './sealed-refs.ts'

export { branchPrefix, tagPrefix, threadPrefix } from './ref-kinds.ts'
export const mainBranch = 'main'

const MAX_NAME_BYTES = 256

export function branchRef(name: string): string {
  return name.startsWith(threadPrefix) ? name : branchPrefix + name
}
export function tagRef(name: string): string {
  return tagPrefix + name
}

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

/** Gives the name back, or says why no branch can be made with it. */
export function checkedNewBranch(name: string): string {
  if (!checkedRefName(name).startsWith(threadPrefix)) return name
  throw repoError('ref-name-invalid', {
    name,
    reason: `names that begin with ${threadPrefix} are the threads of graphs`,
  })
}

/** Refuses to touch the branch that a repository is never without. */
export function assertUnprotected(branch: string): void {
  if (branch === mainBranch) throw repoError('ref-protected', { ref: branch, reason: 'a repository always has it' })
}

/** Moves refs in one entry of kind `ref`; `moved` tells the ref that was not where it was believed to be. */
export function* moveRefs(
  handle: Handle,
  moves: readonly Move[],
  body?: { readonly [key: string]: string | number },
): Work<{ readonly seq: number } | { readonly moved: string; readonly actual: number | null }> {
  const { journal, who, shared } = handle
  const record = { kind: 'ref', agent: who.agent, ...(body === undefined ? {} : { body }) }
  for (;;) {
    // Whether something sealed would be lost is true of one moment only, so nothing may come in between.
    const after = moves.some(isLeaving) ? (yield* ask(log => log.head())).seq : undefined
    if (after !== undefined) yield* assertSealedStay(journal, moves)
    const outcome = yield* appendEntries(journal, [record], moves, [], after)
    for (const { name } of moves) shared.heads.delete(name)
    if (outcome.kind === 'done') return { seq: outcome.first }
    if (outcome.kind !== 'moved') throw new Error(`An entry without a key was answered with ${outcome.kind}`)
    if (outcome.name !== '') return { moved: outcome.name, actual: outcome.actual }
  }
}

/** The seq that a ref points to. */
export function* findRef(name: string): Work<number | null> {
  return yield* ask(log => log.ref(name))
}

export function* listRefs(prefix: string): Work<readonly RefCell[]> {
  return yield* ask(log => log.refs(prefix))
}

/** A new ref on an entry that is there. */
export function* createRef(handle: Handle, ref: string, shown: string, to: number): Work<void> {
  const outcome = yield* moveRefs(handle, [{ name: ref, expect: null, to }])
  if ('moved' in outcome) throw repoError('ref-exists', { ref: shown })
}

export function* deleteRef(handle: Handle, ref: string, shown: string): Work<void> {
  for (;;) {
    const at = yield* findRef(ref)
    if (at === null) throw yield* refNotFound(shown)
    const outcome = yield* moveRefs(handle, [{ name: ref, expect: at, to: null }])
    if ('seq' in outcome) return
  }
}

export function* renameRef(handle: Handle, from: string, to: string, shown: readonly [string, string]): Work<void> {
  for (;;) {
    const at = yield* findRef(from)
    if (at === null) throw yield* refNotFound(shown[0])
    const outcome = yield* moveRefs(handle, [
      { name: from, expect: at, to: null },
      { name: to, expect: null, to: at },
    ])
    if ('seq' in outcome) return
    if (outcome.moved === to) throw repoError('ref-exists', { ref: shown[1] })
  }
}

const SHOWN_REFS = 20

/** The error for a name that is no ref, with those that are. */
export function* refNotFound(ref: string): Work<Error> {
  const known: string[] = []
  for (const prefix of [branchPrefix, tagPrefix]) {
    for (const { name } of yield* listRefs(prefix)) known.push(name.slice(prefix.length))
  }
  return repoError('ref-not-found', { ref, known: known.slice(0, SHOWN_REFS) })
}
