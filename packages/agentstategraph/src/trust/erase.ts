/**
 * Erasure: destroys the keys of a subject, so that its values become unreadable for good while history still verifies.
 *
 * The key is destroyed before the entry about it is added, so an entry never claims more than was done. A ref for each
 * destroyed key points to its entry: erasing again adds only the entries that are missing.
 */

import {
  assertMay,
  assertWritable,
  bodyOf,
  checkedText,
  currentAccess,
  type EraseBody,
  erasedPrefix,
  findRef,
  type Handle,
  listRefs,
  recordEntries,
  repoError,
} from '../repo/index.ts'
import type { Repository } from '../repository/index.ts'
import { readEntry, type Work } from '../store/index.ts'
import { trustError } from './errors.ts'

/** One key that was destroyed, and the entry that records it. */
export interface Erasure {
  readonly subject: string
  /** The id of the key, as encrypted values name it. */
  readonly key: string
  readonly reason: string
  readonly agent: string
  /** ISO 8601. */
  readonly timestamp: string
  readonly seq: number
}

const MAX_REASON_BYTES = 16 * 1024

/**
 * Destroys the keys of a subject and records it in the journal. Returns all erasures of that subject, oldest first; a
 * repeated call changes nothing and returns the same.
 */
export async function erase(
  { handle }: Pick<Repository, 'handle'>,
  subject: string,
  reason: string,
): Promise<readonly Erasure[]> {
  const { journal, shared } = handle
  if (shared.isClosed) throw repoError('closed', { what: 'The repository' })
  assertWritable(shared, 'erase')
  const { encryption } = journal.context
  if (encryption === undefined) throw trustError('protection-missing', { subject })
  const checkedReason = checkedText('reason', reason ?? '', MAX_REASON_BYTES)!
  await journal.run(assertMayErase(handle))
  const destroyed = await encryption.keys.destroy(subject, new Date(journal.now()).toISOString())
  if (destroyed.length === 0) throw trustError('subject-unknown', { subject })
  const erasures: Erasure[] = []
  for (const { id } of destroyed) {
    erasures.push(await journal.run(recorded(handle, { subject, key: id, reason: checkedReason })))
  }
  return erasures
}

/** Authorization comes before the key is destroyed, because that cannot be undone. */
function* assertMayErase(handle: Handle): Work<void> {
  yield* assertMay(handle, yield* currentAccess(handle), { capability: 'erase' })
}

/** The erasures of a repository, in the order of the journal. */
export async function erasures({ handle }: Pick<Repository, 'handle'>): Promise<readonly Erasure[]> {
  return handle.journal.run(listErasures())
}

function* listErasures(): Work<readonly Erasure[]> {
  const found: Erasure[] = []
  for (const { seq } of yield* listRefs(erasedPrefix)) found.push(yield* readErasure(seq))
  return found.sort((a, b) => a.seq - b.seq)
}

/** The erasure of a key; adds its entry when there is none. */
function* recorded(handle: Handle, body: EraseBody): Work<Erasure> {
  const name = erasedPrefix + body.key
  const known = yield* findRef(name)
  if (known !== null) return yield* readErasure(known)
  const record = { kind: 'erase', agent: handle.who.agent, body }
  const outcome = yield* recordEntries(handle, [{ capability: 'erase' }], [record], {
    moves: [{ name, expect: null, to: { entry: 0 } }],
  })
  // Another process added the entry first.
  return yield* readErasure(outcome.kind === 'done' ? outcome.first : (yield* findRef(name))!)
}

function* readErasure(seq: number): Work<Erasure> {
  const { record } = yield* readEntry(seq)
  const { subject, key, reason } = bodyOf(record, 'erase')
  return { subject, key, reason, agent: record.agent, timestamp: new Date(record.time).toISOString(), seq }
}
