/**
 * Branches and tags by the entry that they point to.
 *
 * The refs of a store are listed by name only. So they are read once, a part at a time, and then follow the moves that the
 * entries since then record.
 */

import { ask, type Journal, pausePoint, readEntries, type Work } from '../../store/index.ts'
import { branchPrefix, listRefs, tagPrefix } from '../records/ref-names.ts'

interface RefHeads {
  /** The entry up to which moves were followed. */
  until: number
  readonly seqs: Map<string, number>
  readonly refs: Map<number, Set<string>>
}

const known = new WeakMap<Journal, RefHeads>()

/** How many entries are followed; after more of them, all refs are read again. */
const MOST_FOLLOWED = 4096
const ENTRIES_TOGETHER = 256
const REFS_TOGETHER = 1024

/** The names of the branches and tags on each entry that has one. */
export function* refHeads(journal: Journal): Work<ReadonlyMap<number, ReadonlySet<string>>> {
  const { seq: newest } = yield* ask(log => log.head())
  const kept = known.get(journal.opened)
  const heads = kept !== undefined && newest - kept.until <= MOST_FOLLOWED ? kept : yield* readHeads(newest)
  known.set(journal.opened, heads)
  yield* followMoves(heads)
  return heads.refs
}

/** The refs are not read at one moment: whatever moved since an entry is followed afterwards. */
function* readHeads(until: number): Work<RefHeads> {
  const heads: RefHeads = { until, seqs: new Map(), refs: new Map() }
  for (const prefix of [branchPrefix, tagPrefix]) {
    for (let after: string | undefined; ; ) {
      const cells = yield* listRefs(prefix, { after, limit: REFS_TOGETHER })
      for (const { name, seq } of cells) put(heads, name, seq)
      if (cells.length < REFS_TOGETHER) break
      after = cells.at(-1)!.name
      yield pausePoint
    }
  }
  return heads
}

function* followMoves(heads: RefHeads): Work<void> {
  const { seq: newest } = yield* ask(log => log.head())
  while (heads.until < newest) {
    yield pausePoint
    const from = heads.until + 1
    const entries = yield* readEntries(from, Math.min(newest, heads.until + ENTRIES_TOGETHER), ['text'])
    // Another call may have followed them meanwhile.
    if (heads.until + 1 !== from) continue
    for (const { seq, record } of entries) {
      for (const [name, , to] of record.moves) {
        if (name.startsWith(branchPrefix) || name.startsWith(tagPrefix)) put(heads, name, to === 0 ? seq : to)
      }
    }
    heads.until = from + entries.length - 1
  }
}

function put({ seqs, refs }: RefHeads, name: string, to: number | null): void {
  const before = seqs.get(name)
  if (before === to) return
  if (before !== undefined) {
    const names = refs.get(before)!
    names.delete(name)
    if (names.size === 0) refs.delete(before)
  }
  if (to === null) {
    seqs.delete(name)
    return
  }
  seqs.set(name, to)
  const names = refs.get(to)
  if (names === undefined) refs.set(to, new Set([name]))
  else names.add(name)
}
