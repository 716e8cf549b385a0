/**
 * Speculations side by side: what each changes, and where they disagree.
 *
 * Each is held against the commit that it began at itself, so those of different bases can be compared; the base of the
 * comparison is the first one's.
 */

import { coreError, formatPath, parseKnownPath, userKey } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'
import { type Child, type ContainerNode, containerOfChild, contentOf, entriesOf, familyOf } from '../../tree/index.ts'
import type { Handle } from '../handle.ts'
import type { Change } from '../records/change.ts'
import type { SpeculationRef } from '../records/info.ts'
import { reportedChild } from '../state/decode-value.ts'
import { findChild } from '../state/state.ts'
import { commitFrom } from '../visibility/commit.ts'
import { readScopeOf } from '../visibility/read-scope.ts'
import { isReadableCommit } from '../visibility/readable-commit.ts'
import { readableState } from '../visibility/readable-state.ts'
import {
  getKnownSpeculation,
  idOfSpeculation,
  type OpenSpeculation,
  type SpeculationInfo,
  speculationInfo,
} from '../write/speculation.ts'
import { changesOf } from './edit.ts'

/** What several speculations changed, side by side. */
export interface Comparison {
  /** The commit that the first one began at; absent for those who may not read that. */
  readonly base?: string
  readonly columns: readonly ComparedSpeculation[]
  /** One row for each path that any of them changes; `values` in the order of the columns. */
  readonly rows: readonly ComparedPath[]
}

/** A speculation, what it changes, and what its newest write says: why, and how sure its writer is. */
export interface ComparedSpeculation {
  readonly speculation: SpeculationInfo
  readonly changes: readonly Change[]
  /** Absent before the first write. */
  readonly description?: string
  readonly reasoning?: string
  readonly confidence?: number
}

export interface ComparedPath {
  readonly path: string
  readonly base?: unknown
  readonly values: readonly unknown[]
  readonly agree: boolean
}

/** A speculation with no more of its states than the handle may read. */
function* getSeenSpeculation(handle: Handle, id: string): Work<OpenSpeculation> {
  const open = yield* getKnownSpeculation(handle, id)
  const view = (yield* readScopeOf(handle))?.on([open.body.branch])
  const { context } = handle.journal
  return {
    ...open,
    base: yield* readableState(context, open.base, view),
    head: yield* readableState(context, open.head, view),
  }
}

export function* compareSpeculations(handle: Handle, speculations: readonly SpeculationRef[]): Work<Comparison> {
  const compared: OpenSpeculation[] = []
  for (const one of speculations) compared.push(yield* getSeenSpeculation(handle, idOfSpeculation(one)))
  const [first] = compared
  if (first === undefined) throw coreError('option-invalid', { field: 'speculations', reason: 'there are none' })
  const columns: ComparedSpeculation[] = []
  const paths = new Set<string>()
  for (const open of compared) {
    const changes = yield* changesOf(handle, open)
    for (const { path } of changes) paths.add(path)
    columns.push({ speculation: yield* speculationInfo(handle, open), changes, ...(yield* reasonIn(handle, open)) })
  }
  const rows = new Map<string, ComparedPath>()
  for (const path of paths) yield* addRows(handle, compared, parseKnownPath(path), rows)
  const sorted = [...rows.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  const { base } = columns[0]!.speculation
  return { ...(base === undefined ? {} : { base }), columns, rows: sorted }
}

type Told = Pick<ComparedSpeculation, 'description' | 'reasoning' | 'confidence'>

/** What the newest write of a speculation says, if it may be read. */
function* reasonIn(handle: Handle, { head, base, body }: OpenSpeculation): Work<Told> {
  if (head.seq === base.seq) return {}
  const { journal } = handle
  const view = (yield* readScopeOf(handle))?.on([body.branch])
  if (!(yield* isReadableCommit(journal, head, view))) return {}
  const { intent, reasoning, confidence } = yield* commitFrom(journal, head, view)
  return {
    description: intent.description,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(confidence === undefined ? {} : { confidence }),
  }
}

/** Adds the row of a path. Where several hold maps that differ, the rows are those of the keys that differ. */
function* addRows(
  handle: Handle,
  compared: readonly OpenSpeculation[],
  path: readonly string[],
  rows: Map<string, ComparedPath>,
): Work<void> {
  const { context } = handle.journal
  const base = yield* findChild(context, compared[0]!.base, path)
  const children: (Child | undefined)[] = []
  for (const { head } of compared) children.push(yield* findChild(context, head, path))
  const agree = children.every(child => isSame(child, children[0]))
  const keys = agree ? undefined : yield* keysOfMaps(handle, children, base)
  if (keys !== undefined) {
    for (const key of keys) {
      const at = [...path, key]
      if (yield* isChanged(handle, compared, at)) yield* addRows(handle, compared, at, rows)
    }
    return
  }
  const values: unknown[] = []
  for (const child of children) values.push(child === undefined ? undefined : yield* reportedChild(context, child))
  const before = base === undefined ? {} : { base: yield* reportedChild(context, base) }
  rows.set(formatPath(path), { path: formatPath(path), ...before, values, agree })
}

/** The keys of all, when whatever is there is a map and at least two of them differ. */
function* keysOfMaps(
  { journal }: Handle,
  children: readonly (Child | undefined)[],
  base: Child | undefined,
): Work<ReadonlySet<string> | undefined> {
  const present = children.filter(child => child !== undefined)
  if (present.every(child => isSame(child, present[0]))) return undefined
  const keys = new Set<string>()
  for (const child of base === undefined ? present : [...present, base]) {
    const container: ContainerNode | undefined = yield* containerOfChild(journal.context, child)
    if (container === undefined || familyOf(container).leaf !== 'map') return undefined
    for (const { key } of yield* entriesOf(journal.context, container)) keys.add(userKey(key))
  }
  return keys
}

function* isChanged({ journal }: Handle, compared: readonly OpenSpeculation[], path: readonly string[]): Work<boolean> {
  for (const { base, head } of compared) {
    const before = yield* findChild(journal.context, base, path)
    if (!isSame(before, yield* findChild(journal.context, head, path))) return true
  }
  return false
}

function isSame(a: Child | undefined, b: Child | undefined): boolean {
  return a === undefined || b === undefined ? a === b : contentOf(a) === contentOf(b)
}
