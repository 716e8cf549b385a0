/** A commit as it leaves a repository: its text, its nodes, and the numbers that only this journal understands. */

import { findBody, type Handle, type Via } from '../repo/index.ts'
import { isLanded } from '../repo/query/landed.ts'
import { type ForeignCommit, type Place, readCommit, readEntry, type Work } from '../store/index.ts'
import { indexOfPointer, type Pointer, seqOfPointer } from '../tree/index.ts'
import { type PackNode, readWholePack } from './pack.ts'

export interface LeavingCommit extends ForeignCommit {
  readonly seq: number
  /** As it is in texts. */
  readonly id: string
  readonly parents: readonly number[]
  /** Whether it never landed on a branch or a thread. */
  readonly isDraft: boolean
  /** Where this journal has it from, when it was not made here. */
  readonly via: Via | undefined
}

/** Reads the commit of an entry; undefined when the entry has none, or nodes of its pack were dropped. */
export function* findLeaving({ journal }: Handle, seq: number): Work<LeavingCommit | undefined> {
  const { record, row } = yield* readEntry(seq, ['text', 'commit'])
  if (record.commit === undefined || row.commit === undefined) return undefined
  const pack = yield* readWholePack(seq)
  if (pack === undefined || !isComplete(pack.nodes)) return undefined
  const { parents } = yield* readCommit(journal, seq)
  const { tree, system, detail } = pack.header
  return {
    seq,
    id: record.commit,
    text: row.commit.text,
    parents,
    roots: (detail === undefined ? [tree, system] : [tree, system, detail]).map(root => placeOf(root, seq)),
    changed: record.changed ?? [],
    nodes: pack.nodes,
    isDraft: !isLanded(record),
    via: findBody(record, 'commit')?.via,
  }
}

/** The entries that a commit's pointers and writers name, beside its own. */
export function seqsIn({ roots, nodes }: ForeignCommit): ReadonlySet<number> {
  const seqs = new Set(roots.map(([seq]) => seq))
  for (const { provenance } of nodes) for (let i = 0; i < provenance.length; i += 2) seqs.add(provenance[i]!)
  seqs.delete(0)
  return seqs
}

function placeOf(pointer: Pointer, own: number): Place {
  const seq = seqOfPointer(pointer)
  return [seq === own ? 0 : seq, indexOfPointer(pointer)]
}

function isComplete(nodes: readonly (PackNode | undefined)[]): nodes is readonly PackNode[] {
  return !nodes.includes(undefined)
}
