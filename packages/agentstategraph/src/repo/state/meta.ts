/**
 * What the system keeps under `/_meta`: schemas, merge policies, and the version that migrations count.
 *
 * It says how the state may look, so no ordinary write may change it, nor anything that carries a whole state from one
 * place to another. Only a landing with `changesMeta` may. A merge merges it three ways, like the state.
 */

import { decode } from '../../core/index.ts'
import type { Journal, StoredCommit, Work } from '../../store/index.ts'
import { type Child, contentOf, edit, findEntry, type Link, valueOfChild } from '../../tree/index.ts'
import { repoError } from '../errors.ts'
import { systemKeys } from './state.ts'

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

/** The key in the root of a state that would hide what the system keeps under it; undefined when there is none. */
export function* findReservedKey({ context }: Journal, tree: Link): Work<string | undefined> {
  for (const key of systemKeys) if ((yield* findEntry(context, tree, [key])) !== undefined) return key
  return undefined
}

/** Refuses a state with such a key, whatever made it. Only where something changed under one can there be one. */
export function* assertOwnKeys(journal: Journal, changed: readonly (readonly string[])[], tree: Link): Work<void> {
  if (!changed.some(([key]) => key === undefined || systemKeys.includes(key))) return
  const reserved = yield* findReservedKey(journal, tree)
  if (reserved !== undefined) throw repoError('path-reserved', { path: `/${reserved}` })
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

/** The version of a state as stored; the reader decides whether it is a valid version. */
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

/** The versions of two states where they differ: what one calls a field, the other may call another. */
export interface VersionGap {
  readonly theirs: unknown
  readonly ours: unknown
}

export function* findVersionGap(
  journal: Journal,
  theirs: System | undefined,
  ours: System | undefined,
): Work<VersionGap | undefined> {
  if (theirs?.system.id === ours?.system.id) return undefined
  const gap = { theirs: yield* findVersion(journal, theirs?.system), ours: yield* findVersion(journal, ours?.system) }
  return gap.theirs === gap.ours ? undefined : gap
}

/** Refuses to bring together states of different versions. */
export function* assertSameVersion(
  journal: Journal,
  sides: { readonly source: string; readonly into: string },
  theirs: System,
  ours: System,
): Work<void> {
  const gap = yield* findVersionGap(journal, theirs, ours)
  if (gap !== undefined) throw repoError('versions-differ', { ...sides, ...gap })
}
