/**
 * Journals in tests: written with plain values, read back whole.
 *
 * It knows how states and writers are read, and nothing about where they are kept.
 */
import { parsePath, type Stored } from '../../../src/core/index.ts'
import type { Writer } from '../../../src/repo/write/prepared.ts'
import { type EditsOptions, write } from '../../../src/repo/write/write.ts'
import type { Work } from '../../../src/store/contract/work.ts'
import { type CommitInfo, type Journal, readCommit, readEntry, type StoredCommit } from '../../../src/store/index.ts'
import {
  type Child,
  containerOfChild,
  type Edit,
  entriesOf,
  familyOf,
  type TreeContext,
  valueOfChild,
  type Walk,
} from '../../../src/tree/index.ts'

/** Something for a commit to say. */
export function infoOf(description: string, agent = 'agent/test'): CommitInfo {
  return { agent, intent: { id: 'intent-1', category: 'Refine', description } }
}

/** One `set` for each path; a path that ends in `/-` appends. */
export function setsOf(values: Readonly<Record<string, Stored>>): Edit[] {
  return Object.entries(values).map(([path, value]) => ({ op: 'set', path: parsePath(path), value }))
}

export interface Landed {
  readonly commit: StoredCommit
  readonly changed: boolean
}

/** Writes paths on a ref in one commit. All requests with one key count as the same. */
export async function set(
  writer: Writer,
  ref: string,
  values: Readonly<Record<string, Stored>>,
  { idempotencyKey: key, ...options }: EditsOptions & { readonly idempotencyKey?: string } = {},
): Promise<Landed> {
  const { journal } = writer
  const request = key === undefined ? undefined : { given: key, key, digest: 'digest' }
  const info = infoOf(Object.keys(values).join(' '))
  const outcome = await journal.run(write(writer, ref, setsOf(values), { info }, { ...options, request }))
  if (outcome.kind === 'done') return { commit: outcome.commit, changed: true }
  if (outcome.kind === 'unchanged') return { commit: outcome.head!, changed: false }
  return { commit: await journal.run(readCommit(journal, outcome.seq)), changed: false }
}

/** Two to three trees of one commit, with every writer in them. */
export interface WholeCommit {
  readonly id: string
  readonly trees: readonly WholeTree[]
}

export interface WholeTree {
  readonly value: Stored
  /** The writer beside each path. */
  readonly writers: readonly (readonly [path: string, writer: number])[]
}

/** Everything that an entry leads to, so that it can be compared. */
export function* readWhole(journal: Journal, seq: number): Work<unknown> {
  const { record, row } = yield* readEntry(seq, ['text', 'commit', 'part'])
  if (record.commit === undefined) return { record, leaf: row.leaf }
  return { record, leaf: row.leaf, commit: yield* wholeCommit(journal, yield* readCommit(journal, seq)) }
}

export function* wholeCommit(
  { context }: Journal,
  commit: StoredCommit,
): Work<WholeCommit & Pick<StoredCommit, 'record'>> {
  const { id, record, tree, system, detail } = commit
  const trees: WholeTree[] = []
  for (const root of [tree, system, ...(detail === undefined ? [] : [detail])])
    trees.push(yield* wholeTree(context, root))
  return { id, record, trees }
}

/** A tree's value and writers. */
export function* wholeTree(context: TreeContext, root: Child): Walk<WholeTree> {
  const writers: [string, number][] = []
  yield* collectWriters(context, root, '', writers)
  return { value: yield* valueOfChild(context, root), writers }
}

function* collectWriters(context: TreeContext, child: Child, path: string, into: [string, number][]): Walk<void> {
  const container = yield* containerOfChild(context, child)
  if (container === undefined) return
  const isMap = familyOf(container).leaf === 'map'
  const entries = yield* entriesOf(context, container)
  for (const [i, entry] of entries.entries()) {
    const at = `${path}/${isMap ? entry.key : i}`
    into.push([at, entry.writer])
    yield* collectWriters(context, entry.child, at, into)
  }
}
