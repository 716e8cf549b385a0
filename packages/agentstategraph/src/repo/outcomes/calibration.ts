/**
 * How well confidence predicts: how often commits with confidence 0.9 held.
 *
 * Only commits that gave a confidence and were observed count, each with its latest observation. It reads the journal's
 * entries and the texts of those commits; no state is read.
 */

import { hexOfId } from '../../core/index.ts'
import { ask, findCommits, parseCommit, readEntry, scanEntries, type Work } from '../../store/index.ts'
import type { Handle } from '../handle.ts'
import { findBody } from '../records/entry-bodies.ts'
import type { Category } from '../records/info.ts'
import { findReadableObservation } from '../visibility/redact-observation.ts'

/** How often an agent's expectations held, by the confidence it gave. */
export interface Calibration {
  /** How many commits were counted. */
  readonly count: number
  /** The mean square of confidence minus outcome: 0 for one who is always right and sure of it, and when none counts. */
  readonly brier: number
  /** Ten bands of confidence. Each takes its lower end, and the last both. */
  readonly bands: readonly Band[]
}

export interface Band {
  readonly min: number
  readonly max: number
  readonly count: number
  /** How many of them held. */
  readonly held: number
}

export interface CalibrationFilter {
  agent?: string | undefined
  category?: Category | undefined
}

const BANDS = 10
const MILLION = 1_000_000

/** Counts the commits that the handle may see. */
export function* calibration(handle: Handle, { agent, category }: CalibrationFilter): Work<Calibration> {
  const counts = Array.from({ length: BANDS }, () => ({ count: 0, held: 0 }))
  let count = 0
  let squares = 0
  for (const [id, held] of yield* latestObservations()) {
    const record = yield* commitRecord(id)
    if (record?.confidence === undefined) continue
    const told = { commit: hexOfId(id), observation: { held } }
    if ((yield* findReadableObservation(handle, told)) === undefined) continue
    if (agent !== undefined && record.agent !== agent) continue
    if (category !== undefined && record.intent.category !== category) continue
    const band = counts[Math.min(BANDS - 1, Math.floor((record.confidence * BANDS) / MILLION))]!
    band.count++
    if (held) band.held++
    count++
    squares += (record.confidence / MILLION - (held ? 1 : 0)) ** 2
  }
  const bands = counts.map((band, i) => ({ min: i / BANDS, max: (i + 1) / BANDS, ...band }))
  return { count, brier: count === 0 ? 0 : squares / count, bands }
}

/** Whether each observed commit held, by its id. */
function* latestObservations(): Work<ReadonlyMap<string, boolean>> {
  const latest = new Map<string, boolean>()
  const { seq: last } = yield* ask(log => log.head())
  yield* scanEntries(1, last, ['text'], ({ record }) => {
    const observed = findBody(record, 'observe')
    if (observed !== undefined) latest.set(observed.commit, observed.held)
  })
  return latest
}

function* commitRecord(id: string): Work<ReturnType<typeof parseCommit> | undefined> {
  const [found] = yield* findCommits(hexOfId(id), 1)
  if (found === undefined) return undefined
  const { row } = yield* readEntry(found.seq, ['text', 'commit'])
  return row.commit === undefined ? undefined : parseCommit(row.commit.text)
}
