/**
 * Seals an epoch: reads all of it once, and ends it with an entry that holds the counts and lists.
 *
 * Every entry is compared with its leaf, so a damaged range is not sealed. The seal is added only if no entry came after
 * those counted; otherwise the new ones are counted too. The root of the log at the seal is a separate entry, because a
 * seal cannot contain it, and because nothing may be signed that is not in the store.
 */

import { canonicalText, type Frontier, setOwn, toBase64, utf8Length } from '../core/index.ts'
import {
  accessRef,
  type EpochRecord,
  findRef,
  frontierAt,
  getEpoch,
  grownBy,
  type Handle,
  isLanded,
  keyChanges,
  type LandedTally,
  landedTally,
  leadsToLanded,
  listRefs,
  recordEntries,
  rootAt,
  type SealBody,
  type SealLists,
} from '../repo/index.ts'
import { ask, type Journal, pausePoint, readEntries, readEntry, recordsWithValue, type Work } from '../store/index.ts'
import { recordEpoch } from './epoch.ts'
import { trustError } from './errors.ts'

const BATCH = 256
/** Longer lists go into entries of their own before the seal. */
const MAX_LIST_BYTES = 32 * 1024

/** The counts of an epoch so far. */
interface Counted {
  until: number
  /** The frontier of the log at `until`, from leaves that were compared with their entries. */
  frontier: Frontier
  readonly kinds: Map<string, number>
  readonly landed: LandedTally
}

/** Adds the seal of an open epoch. */
export function* appendSeal(handle: Handle, id: string, summary: string): Work<void> {
  const { journal } = handle
  const epoch = yield* getEpoch(id)
  if (epoch.seal !== undefined) throw trustError('epoch-sealed', { epoch: id })
  const until = epoch.fromSeq - 1
  const frontier = yield* frontierAt(journal, until)
  const counted: Counted = { until, frontier, kinds: new Map(), landed: landedTally() }
  let facts: { readonly seq: number; readonly until: number } | undefined
  for (;;) {
    const { seq: newest } = yield* ask(log => log.head())
    yield* count(journal, counted, newest)
    const lists = yield* listsOf(counted)
    const isLong = utf8Length(canonicalText(lists)) > MAX_LIST_BYTES
    if (isLong && facts?.until !== newest) {
      facts = yield* appendLists(handle, id, lists, newest)
      continue
    }
    const counts = recordOf(counted.kinds)
    const body: SealBody = {
      epoch: id,
      status: 'sealed',
      summary,
      from: epoch.fromSeq,
      counts: { ...counts, epoch: (counts['epoch'] ?? 0) + 1 },
      access: yield* accessPosition(),
      keys: (yield* keyChanges()).map(({ seq }) => seq),
      ...(isLong ? { facts: facts!.seq } : lists),
    }
    const outcome = yield* recordEpoch(handle, epoch.at, body, newest)
    if (outcome.kind === 'done') return
    if (outcome.kind === 'moved' && outcome.name !== '') throw trustError('epoch-sealed', { epoch: id })
  }
}

/** Where the access state is; null when there is none. */
function* accessPosition(): Work<SealBody['access']> {
  const seq = yield* findRef(accessRef)
  return seq === null ? null : { seq, commit: (yield* readEntry(seq)).record.commit! }
}

/** Adds lists that are too long for a seal as entries right before it. */
function* appendLists(
  handle: Handle,
  id: string,
  lists: SealLists,
  newest: number,
): Work<{ readonly seq: number; readonly until: number } | undefined> {
  const record = { kind: 'epoch', agent: handle.who.agent, body: { epoch: id } }
  const records = recordsWithValue(record, lists)
  const outcome = yield* recordEntries(handle, [{ capability: 'seal' }], records, { after: newest })
  return outcome.kind === 'done' ? { seq: outcome.first, until: newest + records.length } : undefined
}

function* count(journal: Journal, counted: Counted, to: number): Work<void> {
  const { kinds, landed } = counted
  while (counted.until < to) {
    yield pausePoint
    const last = Math.min(to, counted.until + BATCH)
    const entries = yield* readEntries(counted.until + 1, last, ['text', 'commit'])
    for (const { record, row } of entries) {
      kinds.set(record.kind, (kinds.get(record.kind) ?? 0) + 1)
      if (isLanded(record)) landed.add(record.agent, row.commit!.text)
    }
    const leaves = entries.map(({ row }) => row.leaf)
    counted.frontier = grownBy(journal, counted.frontier, leaves)
    counted.until = last
  }
}

function* listsOf({ landed }: Counted): Work<SealLists> {
  const refs: Record<string, { readonly seq: number; readonly commit: string }> = {}
  for (const { name, seq } of yield* listRefs('')) {
    if (!leadsToLanded(name)) continue
    const { commit } = (yield* readEntry(seq)).record
    if (commit !== undefined) setOwn(refs, name, { seq, commit })
  }
  const { commits, agents, categories } = landed
  return { commits, agents: recordOf(agents), categories: recordOf(categories), refs }
}

function recordOf(counts: ReadonlyMap<string, number>): Record<string, number> {
  const record: Record<string, number> = {}
  for (const [name, count] of counts) setOwn(record, name, count)
  return record
}

/** Adds the root of the log at an epoch's seal, signed when the repository has a key. */
export async function appendProof(handle: Handle, id: string): Promise<EpochRecord> {
  const { journal, shared } = handle
  for (;;) {
    const epoch = await journal.run(getEpoch(id))
    const { proof, seq: size } = epoch.seal!
    if (proof !== undefined && (proof.signed !== undefined || shared.signing === undefined)) return epoch
    const signed = await shared.signing?.headAt(size)
    const root = toBase64(await journal.run(rootAt(journal, size)))
    const body = { epoch: id, size, root, ...(signed === undefined ? {} : { signed }) }
    await journal.run(recordEpoch(handle, epoch.at, body))
    // The signed head is about to leave the process, so the high-water mark has to reach it first.
    await shared.signing?.mark?.flush()
  }
}
