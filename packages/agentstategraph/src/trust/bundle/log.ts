/**
 * The entries of a bundle as a log that can be read like any other: same numbers, same texts, same leaves.
 *
 * What came before the bundle is a row without content for each number, so that whoever walks from the start finds no gap;
 * the last of these rows is a commit that stands for all that was written before, because blame must name somebody. It is
 * no commit of the log, is in no query and no listing, and says so. Nothing here is ever written by a user.
 */

import { hexOfId } from '../../core/index.ts'
import { schemeCount } from '../../repo/query/index-terms.ts'
import { asyncLog } from '../../store/contract/async-log.ts'
import {
  commitId,
  commitText,
  entryText,
  type FoundCommit,
  type Log,
  leafOfEntry,
  type NewPart,
  type StoredEntry,
  type SyncLog,
  writePack,
} from '../../store/index.ts'
import { memoryIndex } from '../../store/memory/memory-index.ts'
import { freshLink, type Link, maxPackNodes } from '../../tree/index.ts'
import { trustError } from '../errors.ts'

/** The index of a pointer to a node that is not in the bundle. */
export const withheldIndex: number = maxPackNodes - 1

/** Who wrote what was there before the first entry of a bundle. */
const beforeBundle = '(before this bundle)'

export interface BundleRow {
  readonly text: string
  readonly time: number
  readonly commit: StoredEntry['commit']
  readonly parts: readonly NewPart[]
}

export interface BundleLog {
  readonly log: Log
  add(row: BundleRow): void
  /** The newest entry with a commit of this id, in hex. */
  findSeq(id: string): number | undefined
  setRefs(refs: ReadonlyMap<string, number>): void
}

/** Makes the log of a bundle whose first entry has this number. */
export function bundleLog(from: number, epoch: string): BundleLog {
  const rows: BundleRow[] = []
  const ids = new Map<string, number[]>()
  let refs: ReadonlyMap<string, number> = new Map()
  const empty = emptyRow()
  const boundary = from > 1 ? boundaryRow(from, epoch) : undefined
  const index = memoryIndex()
  index.add({ from: 0, to: from - 1, rows: [], counts: [schemeCount] })

  const rowAt = (seq: number): BundleRow | undefined => {
    if (seq >= from) return rows[seq - from]
    return seq === from - 1 ? boundary : empty
  }
  const newest = (): number => (rows.length === 0 ? 0 : from - 1 + rows.length)

  const sync: SyncLog = {
    append() {
      throw trustError('bundle-read-only', { epoch })
    },
    entries(first, last, columns) {
      const found: StoredEntry[] = []
      for (let seq = Math.max(first, 1); seq <= Math.min(last, newest()); seq++) {
        const { time, text, commit, parts } = rowAt(seq)!
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
    },
    parts(pointers) {
      return pointers.map(({ seq, index: at }) => {
        if (at === withheldIndex) throw trustError('state-withheld', { epoch })
        const part = rowAt(seq)?.parts.findLast(({ first }) => first <= at)
        return part && { seq, first: part.first, bytes: part.bytes }
      })
    },
    find(prefix, limit) {
      const found: FoundCommit[] = []
      for (const [id, seqs] of prefix.length === 64 ? [[prefix, ids.get(prefix) ?? []] as const] : ids) {
        if (id.startsWith(prefix)) for (const seq of seqs) found.push({ seq, id })
      }
      return found.sort((a, b) => a.seq - b.seq).slice(0, limit)
    },
    ref: name => refs.get(name) ?? null,
    key: () => null,
    // A bundle in memory is never replaced.
    check: seen => ({ kind: 'same', newest: seen }),
    refs(prefix) {
      const names = [...refs.keys()].filter(name => name.startsWith(prefix)).sort()
      return names.map(name => ({ name, seq: refs.get(name)! }))
    },
    head: () => ({ seq: newest(), time: rows.at(-1)?.time ?? 0 }),
    dropPacks() {
      throw trustError('bundle-read-only', { epoch })
    },
    index,
  }

  return {
    log: asyncLog(sync, { onChange: () => () => {} }),
    add(row) {
      rows.push(row)
      if (row.commit !== undefined) ids.set(row.commit.id, [...(ids.get(row.commit.id) ?? []), newest()])
    },
    findSeq: id => ids.get(id)?.at(-1),
    setRefs(found) {
      // Where a ref was before the bundle is not known here.
      refs = new Map([...found].filter(([, seq]) => seq >= from))
    },
  }
}

function emptyRow(): BundleRow {
  const text = entryText({ kind: 'before-bundle', time: 0, agent: beforeBundle, moves: [] })
  return { text, time: 0, commit: undefined, parts: [] }
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
