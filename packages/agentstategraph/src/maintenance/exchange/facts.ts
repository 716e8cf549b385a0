/** Imports the facts about commits of an export. Each fact is added once, with the store that first recorded it. */

import {
  type Authorization,
  findBody,
  type Handle,
  type KindAndBody,
  recordEntries,
  type Via,
} from '../../repo/index.ts'
import { ask, type EntryRecord, isContinuation, type NewRecord, readEntries } from '../../store/index.ts'
import { SeqNumbers } from '../seq-numbers.ts'
import type { Fact } from './export-line.ts'
import { originOf } from './transfer.ts'

/** The entry that stages a fact. It names the store that first recorded the fact. */
export function stagedFact({ kind, seq, agent, body }: Fact, origin: string): NewRecord {
  const via = viaIn({ kind, body }) ?? { origin, seq }
  if (typeof via.origin !== 'string' || !Number.isSafeInteger(via.seq) || via.seq < 0)
    throw new RangeError('its field via does not name an entry')
  return { kind, agent, body: { ...body, via: { ...via } } }
}

const BATCH = 256
/** How many facts one append adds. It adds more when a value goes over several entries, which stay together. */
const ADDED = 64

/** Adds the staged facts that this journal lacks. */
export async function takeFacts(handle: Handle, staged: Handle): Promise<void> {
  const here = await originOf(handle)
  const known = await knownFacts(handle)
  // The importing handle is authorized; the entries keep the agents that recorded them first.
  const asked = (): Authorization => ({ agent: handle.who.agent, requests: [{ capability: 'admin' }], changes: [] })
  let waiting: NewRecord[] = []
  const add = async (): Promise<void> => {
    if (waiting.length > 0) await handle.journal.run(recordEntries(handle, asked, waiting))
    waiting = []
  }
  for await (const { record, via } of factsOf(staged)) {
    if (via.origin === here || known.get(via.origin)?.get(via.seq) !== undefined) continue
    if (waiting.length >= ADDED && !isContinuation(record)) await add()
    waiting.push({ kind: record.kind, agent: record.agent, body: record.body })
  }
  await add()
}

/** The facts that this journal has from other stores: by origin, the entries that first recorded them. */
async function knownFacts(handle: Handle): Promise<ReadonlyMap<string, SeqNumbers>> {
  const known = new Map<string, SeqNumbers>()
  for await (const { seq, via } of factsOf(handle)) {
    const seqs = known.get(via.origin) ?? new SeqNumbers()
    known.set(via.origin, seqs)
    seqs.set(via.seq, seq)
  }
  return known
}

/** The entries with facts of other stores. */
async function* factsOf({ journal }: Handle): AsyncGenerator<{ seq: number; record: EntryRecord; via: Via }> {
  const { seq: newest } = await journal.run(ask(log => log.head()))
  for (let from = 1; from <= newest; from += BATCH) {
    const entries = await journal.run(readEntries(from, Math.min(newest, from + BATCH - 1), ['text']))
    for (const { seq, record } of entries) {
      const via = viaIn(record)
      if (via !== undefined) yield { seq, record, via }
    }
  }
}

function viaIn(record: KindAndBody): Via | undefined {
  return findBody(record, 'observe', 'resolve', 'event', 'note')?.via
}
