/**
 * The entries of a bundle as a log that is read like any other: same numbers, same texts, same leaves. Nothing can be
 * appended to it.
 *
 * Each entry before the bundle is an empty row, so that a walk from the start finds no gap. The last of these rows is a
 * commit that stands for everything written before, because blame must name a commit. It is not part of the log and
 * appears in no query and no listing.
 */

import { hexOfId } from '../../core/index.ts'
import { schemeCount } from '../../repo/query/index-terms.ts'
import { compareNames } from '../../store/contract/names.ts'
import type { Scratch, ScratchIds, ScratchRows } from '../../store/contract/scratch.ts'
import {
  type Checked,
  type Column,
  commitId,
  commitText,
  entryText,
  type FoundCommit,
  type Head,
  leafOfEntry,
  type NewPart,
  type PartPointer,
  type RefCell,
  type RefPart,
  type Seen,
  type StoredEntry,
  type StoredPart,
  type SyncLog,
  type SyncLogIndex,
  writePack,
} from '../../store/index.ts'
import { memoryIndex } from '../../store/memory/memory-index.ts'
import { freshLink, type Link, maxPackNodes } from '../../tree/index.ts'
import { trustError } from '../errors.ts'

/** The index of a pointer to a node that is not in the bundle. */
export const withheldIndex: number = maxPackNodes - 1

/** The agent that blame names for what is older than the bundle. */
const beforeBundle = '(before this bundle)'

export interface BundleRow {
  readonly text: string
  readonly time: number
  readonly commit: StoredEntry['commit']
  readonly parts: readonly NewPart[]
}

const emptyRow: BundleRow = {
  text: entryText({ kind: 'before-bundle', time: 0, agent: beforeBundle, moves: [] }),
  time: 0,
  commit: undefined,
  parts: [],
}

export class BundleLog implements SyncLog {
  readonly index: SyncLogIndex
  readonly #from: number
  readonly #epoch: string
  /** The commit that stands for everything before the bundle; undefined when nothing was before it. */
  readonly #boundary: BundleRow | undefined
  readonly #rows: ScratchRows<BundleRow>
  readonly #seqsOfCommit: ScratchIds
  #time = 0
  #refs: ReadonlyMap<string, number> = new Map()

  /** `from` is the number of the first entry. */
  constructor(from: number, epoch: string, scratch: Scratch) {
    this.#rows = scratch.rows()
    this.#seqsOfCommit = scratch.ids()
    this.#from = from
    this.#epoch = epoch
    this.#boundary = from > 1 ? boundaryRow(from, epoch) : undefined
    this.index = memoryIndex()
    this.index.add({ from: 0, to: from - 1, rows: [], counts: [schemeCount] })
  }

  add(row: BundleRow): void {
    this.#rows.add(row)
    this.#time = row.time
    if (row.commit !== undefined) this.#seqsOfCommit.add(row.commit.id, this.#newest())
  }

  /** The newest entry with a commit of this id, in hex. */
  findSeq(id: string): number | undefined {
    return this.#seqsOfCommit.find(id)
  }

  /** Sets the refs. A position before the bundle is dropped, because its commit is unknown here. */
  setRefs(refs: ReadonlyMap<string, number>): void {
    this.#refs = new Map([...refs].filter(([, seq]) => seq >= this.#from))
  }

  entries(from: number, to: number, columns: readonly Column[]): readonly StoredEntry[] {
    const found: StoredEntry[] = []
    for (let seq = Math.max(from, 1); seq <= Math.min(to, this.#newest()); seq++) {
      const row = this.#rowAt(seq)
      if (row === undefined) continue
      const { time, text, commit, parts } = row
      found.push({
        seq,
        leaf: leafOfEntry(text),
        time,
        text: columns.includes('text') ? text : '',
        commit: columns.includes('commit') ? commit : undefined,
        part: columns.includes('part') ? parts[0]?.bytes : undefined,
      })
    }
    return found
  }

  parts(pointers: readonly PartPointer[]): readonly (StoredPart | undefined)[] {
    return pointers.map(({ seq, index }) => {
      if (index === withheldIndex) throw trustError('state-withheld', { epoch: this.#epoch })
      const part = this.#rowAt(seq)?.parts.findLast(({ first }) => first <= index)
      return part && { seq, first: part.first, bytes: part.bytes }
    })
  }

  find(prefix: string, limit: number): readonly FoundCommit[] {
    return this.#seqsOfCommit.startingWith(prefix, limit).map(({ id, number }) => ({ seq: number, id }))
  }

  ref(name: string): number | null {
    return this.#refs.get(name) ?? null
  }

  refs(prefix: string, { after = '', limit }: RefPart = { limit: Number.POSITIVE_INFINITY }): readonly RefCell[] {
    const found = [...this.#refs].filter(([name]) => name.startsWith(prefix) && compareNames(name, after) > 0)
    return found
      .sort(([a], [b]) => compareNames(a, b))
      .slice(0, limit)
      .map(([name, seq]) => ({ name, seq }))
  }

  key(): null {
    return null
  }

  head(): Head {
    return { seq: this.#newest(), time: this.#time }
  }

  /** A bundle is never replaced. */
  check(seen: Seen | undefined): Checked {
    return { kind: 'same', newest: seen }
  }

  append(): never {
    throw trustError('bundle-read-only', { epoch: this.#epoch })
  }

  dropPacks(): never {
    throw trustError('bundle-read-only', { epoch: this.#epoch })
  }

  #newest(): number {
    return this.#rows.count === 0 ? 0 : this.#from - 1 + this.#rows.count
  }

  #rowAt(seq: number): BundleRow | undefined {
    if (seq < this.#from) return seq === this.#from - 1 ? this.#boundary : emptyRow
    return seq <= this.#newest() ? this.#rows.at(seq - this.#from) : undefined
  }
}

function boundaryRow(from: number, epoch: string): BundleRow {
  const root: Link = freshLink({ kind: 'map', entries: [] })
  const pack = writePack({ tree: root, system: root, detail: undefined }, [])
  const text = commitText({
    agent: beforeBundle,
    intent: {
      id: 'before-bundle',
      category: 'Checkpoint',
      description: `Written before entry ${from}, where the bundle of ${epoch} begins`,
    },
    tree: root.id,
    system: root.id,
    parents: [],
    time: 0,
    salt: '',
  })
  const id = commitId(text)
  const entry = entryText({
    kind: 'before-bundle',
    time: 0,
    agent: beforeBundle,
    moves: [],
    commit: id,
    pack: pack.digest,
    changed: [],
  })
  return { text: entry, time: 0, commit: { id: hexOfId(id), text }, parts: pack.parts }
}
