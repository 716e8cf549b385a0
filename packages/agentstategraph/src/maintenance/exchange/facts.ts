/** Imports the facts about commits of an export. Each fact is added once, with the store that first recorded it. */

import type { Stored } from '../../core/index.ts'
import {
  type Authorization,
  findBody,
  type Handle,
  type KindAndBody,
  recordEntries,
  type Via,
} from '../../repo/index.ts'
import { ask, type NewRecord, readEntries } from '../../store/index.ts'
import { originOf } from './transfer.ts'

export interface Fact {
  readonly kind: string
  readonly seq: number
  readonly agent: string
  readonly body: { readonly [key: string]: Stored }
}

const BATCH = 256
/** How many facts one append adds. */
const ADDED = 64

/** Adds the facts that this journal lacks. */
export async function takeFacts(handle: Handle, facts: readonly Fact[], origin: string): Promise<void> {
  if (facts.length === 0) return
  const { journal } = handle
  const here = await originOf(handle)
  const known = await knownFacts(handle)
  const records: NewRecord[] = []
  for (const { kind, seq, agent, body } of facts) {
    const via = viaIn({ kind, body }) ?? { origin, seq }
    if (via.origin !== here && !known.has(nameOf(via)))
      records.push({ kind, agent, body: { ...body, via: { ...via } } })
  }
  // The importing handle is authorized; the entries keep the agents that recorded them first.
  const asked = (): Authorization => ({ agent: handle.who.agent, requests: [{ capability: 'admin' }], changes: [] })
  for (let from = 0; from < records.length; from += ADDED) {
    await journal.run(recordEntries(handle, asked, records.slice(from, from + ADDED)))
  }
}

async function knownFacts({ journal }: Handle): Promise<Set<string>> {
  const known = new Set<string>()
  const { seq: newest } = await journal.run(ask(log => log.head()))
  for (let from = 1; from <= newest; from += BATCH) {
    for (const { record } of await journal.run(readEntries(from, Math.min(from + BATCH - 1, newest), ['text']))) {
      const via = viaIn(record)
      if (via !== undefined) known.add(nameOf(via))
    }
  }
  return known
}

function viaIn(record: KindAndBody): Via | undefined {
  return findBody(record, 'observe', 'resolve', 'event', 'note')?.via
}

function nameOf({ origin, seq }: Via): string {
  return `${origin}/${seq}`
}
