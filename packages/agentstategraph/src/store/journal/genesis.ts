/**
 * The first entry of a journal: its format, the limits its trees are cut by, and a random origin.
 *
 * It is written right before the first other entry. It creates a ref, so that only one of two processes can write it.
 */

import type { Stored } from '../../core/index.ts'
import type { TreeLimits } from '../../tree/index.ts'
import type { NewEntry } from '../contract/backend.ts'
import { ask, type Work } from '../contract/work.ts'
import { storeError } from '../errors.ts'
import { readEntries } from './entries.ts'
import { entryText, leafOfEntry } from './entry.ts'

/** The format that this version reads and writes. */
export const formatVersion = 2

/** The ref that the genesis entry creates and nothing moves. */
const genesisRef = 'system/genesis'

export interface Genesis {
  readonly format: number
  readonly limits: TreeLimits
  /** A random id that distinguishes this journal from every other. */
  readonly origin: string
}

/** Reads the genesis entry; undefined when the journal is empty. Throws for another format. */
export function* readGenesis(): Work<Genesis | undefined> {
  const [first] = yield* readEntries(1, 1, ['text'])
  if (first === undefined) return undefined
  const { record } = first
  const genesis = record.body as unknown as Genesis
  if (record.kind !== 'genesis' || genesis?.format !== formatVersion) {
    throw storeError('format-unsupported', { found: genesis?.format ?? 0, supported: formatVersion })
  }
  return genesis
}

/** Writes the genesis entry, unless another process just did. */
export function* writeGenesis(genesis: Genesis, agent: string, time: number): Work<void> {
  const moves = [{ name: genesisRef, expect: null, to: { entry: 0 } }]
  const text = entryText({
    kind: 'genesis',
    time,
    agent,
    moves: [[genesisRef, null, 0]],
    body: genesis as unknown as Stored,
  })
  const entry: NewEntry = { text, leaf: leafOfEntry(text), parts: [] }
  const appended = yield* ask(log => log.append({ time, entries: [entry], moves }))
  if (appended.kind === 'late') yield* writeGenesis(genesis, agent, appended.time)
}
