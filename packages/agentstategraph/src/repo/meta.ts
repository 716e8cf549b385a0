/**
 * What the system keeps under `/_meta`: schemas, merge policies, and the version that migrations count.
 *
 * It says how the state may look, so no ordinary write may change it, nor anything that carries a whole state from one
 * place to another. Only those who say so when they land do. A merge takes it over by three ways, as it takes the state.
 */

import { decode } from '../core/index.ts'
import type { Journal, StoredCommit, Work } from '../store/index.ts'
import { type Child, contentOf, edit, findEntry, type Link, valueOfChild } from '../tree/index.ts'
import { repoError } from './errors.ts'

export const metaKey = '_meta'
const versionPath = [metaKey, 'version']

type System = Pick<StoredCommit, 'system'>

function* findMeta({ context }: Journal, system: Link): Work<Child | undefined> {
  return (yield* findEntry(context, system, [metaKey]))?.child
}

/** Whether two system roots keep the same under `/_meta`. */
export function* isSameMeta(journal: Journal, a: Link | undefined, b: Link | undefined): Work<boolean> {
  if (a?.id === b?.id) return true
  const [x, y] = [a && (yield* findMeta(journal, a)), b && (yield* findMeta(journal, b))]
  return (x && contentOf(x)) === (y && contentOf(y))
}

/** Refuses a landing that changes `/_meta` without being one that may. */
export function* assertMeta(
  journal: Journal,
  parents: readonly System[],
  system: Link,
  mayChange: boolean,
): Work<void> {
  if (mayChange || parents.length > 1 || parents[0]?.system.id === system.id) return
  if (!(yield* isSameMeta(journal, parents[0]?.system, system))) throw repoError('meta-protected', { path: '/_meta' })
}

/** A system root with what another one keeps under `/_meta`. */
export function* withMetaOf(journal: Journal, from: Link, system: Link): Work<Link> {
  if (yield* isSameMeta(journal, from, system)) return system
  const meta = yield* findMeta(journal, from)
  const path = [metaKey]
  const change =
    meta === undefined
      ? ({ op: 'delete', path } as const)
      : ({ op: 'set', path, value: yield* valueOfChild(journal.context, meta) } as const)
  return (yield* edit(journal.context, system, [change])).root
}

/** The version that a state is at, as it is stored: whoever reads it decides what is a version. */
export function* findVersion(journal: Journal, system: Link | undefined): Work<unknown> {
  const entry = system === undefined ? undefined : yield* findEntry(journal.context, system, versionPath)
  return entry === undefined ? undefined : decode(yield* valueOfChild(journal.context, entry.child))
}

/** A system root at a version; without one, at none. */
export function* withVersion(journal: Journal, system: Link, version: number | undefined): Work<Link> {
  const change =
    version === undefined
      ? ({ op: 'delete', path: versionPath } as const)
      : ({ op: 'set', path: versionPath, value: version } as const)
  return (yield* edit(journal.context, system, [change])).root
}

/** Refuses to bring together states of different versions: what one calls a field, the other may call another. */
export function* assertSameVersion(
  journal: Journal,
  sides: { readonly source: string; readonly into: string },
  theirs: System,
  ours: System,
): Work<void> {
  if (theirs.system.id === ours.system.id) return
  const [a, b] = [yield* findVersion(journal, theirs.system), yield* findVersion(journal, ours.system)]
  if (a !== b) throw repoError('versions-differ', { ...sides, theirs: a, ours: b })
}
