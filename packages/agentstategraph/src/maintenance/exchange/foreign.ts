/** A commit as it leaves a repository: its text, its nodes, and the numbers that only this journal understands. */

import { hexOfId } from '../../core/index.ts'
import { findBody, type Via } from '../../repo/index.ts'
import { isLanded } from '../../repo/query/landed.ts'
import {
  type Column,
  type ForeignCommit,
  type ForeignNode,
  type Journal,
  type JournalEntry,
  type Place,
  storeError,
  type Work,
} from '../../store/index.ts'
import { indexOfPointer, type Pointer, seqOfPointer } from '../../tree/index.ts'
import { readWholePack } from '../checks/pack.ts'

export interface LeavingCommit extends ForeignCommit {
  readonly seq: number
  /** Whether it never landed on a branch or a thread. */
  readonly isDraft: boolean
  /** Where this journal has it from, when it was not made here. */
  readonly via: Via | undefined
}

/** What has to be read of an entry whose commit leaves. */
export const leavingColumns: readonly Column[] = ['text', 'commit', 'part']

/** The commit of an entry; undefined when the entry has none, or its pack was dropped. One whose state was trimmed cannot leave. */
export function* findLeaving(journal: Journal, { seq, record, row }: JournalEntry): Work<LeavingCommit | undefined> {
  if (record.commit === undefined || row.part === undefined) return undefined
  const pack = yield* readWholePack(journal, { seq, digest: record.pack, first: row.part })
  if (!isComplete(pack.nodes)) throw storeError('state-trimmed', { id: hexOfId(record.commit), seq })
  const { tree, system, detail } = pack.header
  return {
    seq,
    text: row.commit!.text,
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

function isComplete(nodes: readonly (ForeignNode | undefined)[]): nodes is readonly ForeignNode[] {
  return !nodes.includes(undefined)
}
