/**
 * A store of ours on a SQLite file, written and read as an application would, with the settings it has by itself.
 *
 * Work that did nothing is an error here, so that nothing is timed which did not happen.
 */
import { statSync } from 'node:fs'
import { sqlite } from 'agentstategraph/backends'
import {
  encode,
  findEntry,
  findHead,
  openJournal,
  readCommit,
  seqOfWriter,
  write,
  writer,
} from 'agentstategraph/internal'
import { makeState } from './state.mjs'

const ref = 'branch/main'

/** A pack whose first part is near the limit of a part may go on in others, which are not in its row. */
const maxCountedPart = 32 * 1024

/** Opens a store, making it when there is none. */
export async function openOurs(file, { module }) {
  const backend = sqlite(file, { driver: module })
  const journal = await openJournal(backend)
  const writing = writer(journal)

  function commit(edits, { agent = 'agent/keeper', description = 'Follow the load' } = {}) {
    const intent = { id: journal.ids(), category: 'Refine', description }
    const info = { agent, intent, reasoning: 'The last round of checks asked for it.', confidence: 850_000 }
    const written = journal.runSync(write(writing, ref, edits, { info }))
    if (written.kind !== 'done') throw new Error(`Nothing changed at ${JSON.stringify(edits[0]?.path)}.`)
    return written.commit
  }

  return {
    journal,
    commit,
    set: (path, value, why) => commit([{ op: 'set', path, value: encode(value) }], why),
    /** Opens the journal again with nothing of it in memory. */
    openCold: () => openJournal(backend),
    headSeq: () => journal.log.sync.head().seq,
    /** Gives the mean bytes of the rows from one entry to another, both included: all that they hold. */
    rowBytes: (from, to) => meanRowBytes(journal, from, to),
    close: () => backend.close(),
  }
}

/** Makes a store that holds the state of the benchmarks. */
export async function openState(file, driver) {
  const store = await openOurs(file, driver)
  const edits = Object.entries(makeState()).map(([key, value]) => ({ op: 'set', path: [key], value: encode(value) }))
  store.commit(edits, { agent: 'agent/import', description: 'Import the services' })
  return store
}

/** Gives the bytes of a closed store. */
export function bytesOfClosed(file) {
  return statSync(file).size
}

/** Reads the commit that wrote what a path holds: ref, head, the nodes on the path, the writer's commit. */
export function readWriter(journal, path) {
  const head = journal.runSync(findHead(journal, ref))
  const entry = journal.runSync(findEntry(journal.context, head.tree, path))
  return journal.runSync(readCommit(journal, seqOfWriter(entry.writer)))
}

function meanRowBytes(journal, from, to) {
  const rows = journal.log.sync.entries(from, to, ['text', 'commit', 'part'])
  if (rows.length !== to - from + 1) throw new Error(`Entries ${from} to ${to} are not all there.`)
  return rows.reduce((sum, row) => sum + bytesOfRow(row), 0) / rows.length
}

function bytesOfRow({ seq, leaf, text, commit, part }) {
  if (part.length > maxCountedPart) throw new Error(`The pack of entry ${seq} may have parts that are not counted.`)
  return [leaf, text, commit.id, commit.text].reduce((sum, each) => sum + Buffer.byteLength(each), part.length)
}
