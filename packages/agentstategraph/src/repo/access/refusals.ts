/**
 * The record of refusals: which principal was refused by which rule in which minute, and how often. What the caller tried to
 * write or read is not recorded.
 *
 * The first refusal of a minute is written at once. Later ones are counted in memory and written when the minute is over, so
 * a caller that retries forever adds at most two entries a minute. The entries are linked along the ref `system/refusals`.
 */

import { isStateError } from '../../core/index.ts'
import { appendEntries, readEntry, type Work } from '../../store/index.ts'
import { operator } from '../records/access-record.ts'
import type { Accessor, CountedRefusal } from '../records/accessor.ts'
import { bodyOf, type RefusalCount } from '../records/entry-bodies.ts'
import { findRef, refusalsRef } from '../records/ref-names.ts'

const MINUTE_MS = 60_000
/** How many pairs of principal and rule are counted at once. */
const MAX_COUNTED = 1024
/** How many counts one entry holds. */
const MAX_WRITTEN = 64

/** The error codes that are refusals. Other errors are mistakes of the caller and are not recorded. */
const refusing: readonly string[] = [
  'access-denied',
  'principal-unknown',
  'principal-frozen',
  'branch-frozen',
  'grant-expired',
  'grant-revoked',
  'key-ended',
  'rate-exceeded',
  'grant-limited',
  'identity-claimed',
  'session-ended',
  'rule-denied',
  'rule-unreadable',
  'self-ratified',
  'self-approved',
  'self-authorized',
  'approver-unnamed',
  'tainted',
  'quarantined',
  'self-released',
]

/** Records an error when it is a refusal, and returns it to be thrown. */
export function* noteRefusal(accessor: Accessor, error: unknown): Work<unknown> {
  if (accessor.shared.isReadOnly === true || !isStateError(error) || !refusing.includes(error.code)) return error
  const { refused } = accessor.shared.access
  const principal = accessor.identity?.principal ?? operator
  const data = error.data as { readonly rule?: string; readonly taint?: string }
  const rule = data.rule ?? data.taint ?? error.code
  const minute = minuteOf(accessor)
  const place = JSON.stringify([principal, rule])
  const known = refused.get(place)
  if (known?.minute === minute) {
    known.count++
    return error
  }
  const over = takeCounts(accessor, minute, refused.size >= MAX_COUNTED)
  refused.set(place, { principal, rule, minute, count: 0 })
  yield* written(accessor, principal, [...over, { principal, rule, minute, count: 1 }])
  return error
}

/** Writes the counts of past minutes; with `isLast`, of the current one too. */
export function* writeRefusals(accessor: Accessor, isLast = false): Work<void> {
  if (accessor.shared.access.refused.size === 0) return
  yield* written(accessor, operator, takeCounts(accessor, minuteOf(accessor), isLast))
}

function minuteOf({ journal }: Accessor): number {
  return Math.floor(journal.now() / MINUTE_MS) * MINUTE_MS
}

/** Removes and returns the counts of past minutes, or all of them. */
function takeCounts({ shared }: Accessor, minute: number, isAll: boolean): CountedRefusal[] {
  const { refused } = shared.access
  const over: CountedRefusal[] = []
  for (const [place, counted] of refused) {
    if (counted.minute === minute && !isAll) continue
    refused.delete(place)
    if (counted.count > 0) over.push(counted)
  }
  return over
}

/** A store error is dropped here, because it must not replace the refusal that the caller gets. */
function* written(accessor: Accessor, agent: string, counts: readonly CountedRefusal[]): Work<void> {
  try {
    for (let from = 0; from < counts.length; from += MAX_WRITTEN) {
      yield* append(accessor, agent, counts.slice(from, from + MAX_WRITTEN))
    }
  } catch (error) {
    if (!isStateError(error)) throw error
  }
}

function* append({ journal }: Accessor, agent: string, counts: readonly CountedRefusal[]): Work<void> {
  const refusals = counts.map(({ principal, rule, minute, count }) => ({
    principal,
    rule,
    minute: new Date(minute).toISOString(),
    count,
  }))
  const record = { kind: 'refusal', agent, body: { refusals } }
  for (;;) {
    const at = yield* findRef(refusalsRef)
    const outcome = yield* appendEntries(journal, [record], [{ name: refusalsRef, expect: at, to: { entry: 0 } }])
    if (outcome.kind === 'done') return
  }
}

/** Refusals since a time, newest first. Counts of several processes for one minute are added up. */
export function* listRefusals(since: number): Work<readonly RefusalCount[]> {
  const found = new Map<string, RefusalCount>()
  for (let seq = yield* findRef(refusalsRef); seq !== null; ) {
    const { record } = yield* readEntry(seq)
    // A count is written after its minute, so an entry is never older than what it counts.
    if (record.time < since) break
    for (const one of bodyOf(record, 'refusal').refusals) {
      if (Date.parse(one.minute) + MINUTE_MS <= since) continue
      const place = JSON.stringify([one.principal, one.rule, one.minute])
      found.set(place, { ...one, count: one.count + (found.get(place)?.count ?? 0) })
    }
    seq = record.moves.find(([name]) => name === refusalsRef)?.[1] ?? null
  }
  return [...found.values()].sort((a, b) => (a.minute > b.minute ? -1 : a.minute < b.minute ? 1 : 0))
}
