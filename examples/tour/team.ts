/** The moves of the tour, each one call on the ground that repositories will stand on. */

import { encode, parsePath } from 'agentstategraph/core'
import { type Writer, write } from 'agentstategraph/repo'
import { appendEntries, findHead, readCommit, type StoredCommit } from 'agentstategraph/store'
import { type Edit, findEntry, seqOfWriter } from 'agentstategraph/tree'

export interface Why {
  readonly agent: string
  readonly description: string
  readonly reasoning?: string
  readonly confidence?: number
}

/** Writes paths on a branch in one commit. */
export async function commit(
  writer: Writer,
  branch: string,
  values: Record<string, unknown>,
  why: Why,
): Promise<StoredCommit> {
  const { agent, description, reasoning, confidence } = why
  const edits = Object.entries(values).map(([path, value]): Edit => {
    const at = parsePath(path)
    return { op: 'set', path: at, value: encode(value, { at }) }
  })
  const intent = { id: writer.journal.ids(), category: 'Refine', description }
  const millionths = confidence === undefined ? undefined : Math.round(confidence * 1e6)
  const written = write(writer, `branch/${branch}`, edits, { agent, intent, reasoning, confidence: millionths })
  return (await writer.journal.run(written)).commit
}

/** Makes a branch: one ref, and one entry that says who made it. */
export async function branch({ journal }: Writer, name: string, from: StoredCommit, agent: string): Promise<void> {
  const move = { name: `branch/${name}`, expect: null, to: from.seq }
  await journal.run(appendEntries(journal, [{ kind: 'ref', agent }], [move]))
}

/** The commit that wrote what a path holds: no search, one path to walk. */
export async function blame({ journal }: Writer, name: string, path: string): Promise<StoredCommit> {
  const head = await journal.run(findHead(journal, `branch/${name}`))
  const entry = await journal.run(findEntry(journal.context, head!.tree, parsePath(path)))
  return journal.run(readCommit(journal, seqOfWriter(entry!.writer)))
}
