/**
 * Where the commits are that were received or met last, by id. Nearly every parent is among them, and the store need not be
 * asked.
 */

import { hexOfId } from '../../core/index.ts'
import { ask, findCommits, type Work } from '../../store/index.ts'

/** Several entries can hold one commit, when its pack was dropped and the commit was received again. */
const SAME_COMMIT = 16
const KNOWN = 4096

export interface KnownCommits {
  /** The entry of a commit whose nodes are here; undefined when there is none. */
  find(id: string): Work<number | undefined>
  note(id: string, seq: number): void
}

export function knownCommits(): KnownCommits {
  const seqs = new Map<string, number>()
  const note = (id: string, seq: number): void => {
    seqs.set(id, seq)
    if (seqs.size > KNOWN) seqs.delete(seqs.keys().next().value!)
  }
  return {
    *find(id): Work<number | undefined> {
      const seq = seqs.get(id) ?? (yield* findCommit(hexOfId(id)))
      if (seq !== undefined) note(id, seq)
      return seq
    },
    note,
  }
}

/** The entry of a commit, by its id in hex, whose nodes are here; undefined when there is none. */
export function* findCommit(id: string): Work<number | undefined> {
  const found = yield* findCommits(id, SAME_COMMIT)
  for (const { seq } of found) {
    const [row] = yield* ask(log => log.entries(seq, seq, ['part']))
    if (row?.part !== undefined) return seq
  }
  return undefined
}
