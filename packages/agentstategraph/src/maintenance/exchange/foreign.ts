/** A commit as it leaves a repository: its text, its nodes, and the numbers that only this journal understands. */

import { findBody, type Via } from '../../repo/index.ts'
import { isLanded } from '../../repo/query/landed.ts'
import type { Column, ForeignCommit, Journal, JournalEntry, Place, Work } from '../../store/index.ts'
import { indexOfPointer, type Pointer, seqOfPointer } from '../../tree/index.ts'
import { readWholePack } from '../checks/pack.ts'

export interface LeavingCommit extends ForeignCommit {
  readonly seq: number
  /** The entries of its parents. */
  readonly parents: readonly number[]
  /** Whether it never landed on a branch or a thread. */
  readonly isDraft: boolean
  /** Where this journal has it from, when it was not made here. */
  readonly via: Via | undefined
}

/** What has to be read of an entry whose commit leaves. */
export const leavingColumns: readonly Column[] = ['text', 'commit', 'part']

/** The commit of an entry; undefined when the entry has none, or its pack was dropped. */
export function* findLeaving(journal: Journal, { seq, record, row }: JournalEntry): Work<LeavingCommit | undefined> {
  if (record.commit === undefined || row.part === undefined) return undefined
  const pack = yield* readWholePack(journal, { seq, digest: record.pack, first: row.part })
  const { tree, system, detail, parents } = pack.header
  return {
    seq,
    text: row.commit!.text,
    roots: (detail === undefined ? [tree, system] : [tree, system, detail]).map(root => placeOf(root, seq)),
    changed: record.changed ?? [],
    nodes: pack.nodes,
    parents,
    isDraft: !isLanded(record),
    via: findBody(record, 'commit')?.via,
  }
}

/** The entries that a commit's pointers and writers name, beside its own. */
export function seqsIn({ roots, nodes }: ForeignCommit): ReadonlySet<number> {
  const seqs = new Set(roots.map(([seq]) => seq))
  for (const node of nodes) {
    if ('leaf' in node) continue
    for (let i = 0; i < node.provenance.length; i += 2) seqs.add(node.provenance[i]!)
  }
  seqs.delete(0)
  return seqs
}

function placeOf(pointer: Pointer, own: number): Place {
  const seq = seqOfPointer(pointer)
  return [seq === own ? 0 : seq, indexOfPointer(pointer)]
}
