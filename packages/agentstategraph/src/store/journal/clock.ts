/**
 * Clocks that differ: that of this process, those that wrote the journal, and that of the store, if it has one.
 *
 * The time of a journal never runs backwards, so one entry of a clock that is far ahead dates all that follow. This file
 * finds that out before it is written, where it can, and says which time holds where it has happened.
 */

import type { StateError } from '../../core/index.ts'
import { ask, type Work } from '../contract/work.ts'
import { type StoreErrors, storeError } from '../errors.ts'

/** How far clocks may differ before one of them counts as wrong. */
export const maxSkewMs: number = 60 * 60 * 1000
/** What is reported, where only the newest entry tells the time: a store is seldom idle for longer. */
const LONG_IDLE_MS = 366 * 24 * 60 * 60 * 1000

/** What is reported of clocks and not thrown. */
export type ClockWarning = { [C in 'clock-ahead' | 'journal-ahead']: StateError<C, StoreErrors[C]> }[
  | 'clock-ahead'
  | 'journal-ahead']

/** What a journal knows of clocks. */
export interface ClockGuard {
  /** The time up to which the clock was checked. */
  checkedUntil: number
  /** How far the clock may be ahead of the newest entry. */
  readonly maxAheadMs: number
  readonly onWarning: (warning: ClockWarning) => void
}

/**
 * Checks the time of an append, which is later than what was checked. Throws `clock-ahead` when it is ahead of the clock of
 * the store or, where that has none, too far ahead of the newest entry.
 */
export function* checkClock(clock: ClockGuard, time: number): Work<void> {
  const head = yield* ask(log => log.head())
  const ownTime = yield* ask(log => ('now' in log ? log.now?.() : undefined))
  if (ownTime !== undefined) {
    if (time > ownTime + maxSkewMs) throw aheadOf('store', ownTime, time)
  } else if (head.seq > 0) {
    const ahead = time - head.time
    if (ahead > clock.maxAheadMs) throw aheadOf('newest entry', head.time, time)
    if (ahead > LONG_IDLE_MS) clock.onWarning(aheadOf('newest entry', head.time, time))
  }
  clock.checkedUntil = time + maxSkewMs
}

/** Takes note of the newest entry's time, which entries of a clock that is behind get, and reports it when that is far ahead. */
export function noteLate(clock: ClockGuard, now: number, newest: number): void {
  if (newest <= clock.checkedUntil) return
  clock.onWarning(storeError('journal-ahead', { newest: isoOf(newest), clock: isoOf(now) }))
  clock.checkedUntil = newest + maxSkewMs
}

function aheadOf(
  of: 'store' | 'newest entry',
  known: number,
  time: number,
): StateError<'clock-ahead', StoreErrors['clock-ahead']> {
  return storeError('clock-ahead', { clock: isoOf(time), of, known: isoOf(known) })
}

function isoOf(time: number): string {
  return new Date(time).toISOString()
}

/**
 * The time of a decision: not before `newest`, so that a slow clock prolongs nothing, unless that lies so far ahead that
 * the clock which wrote it was wrong.
 */
export function momentAfter(now: number, newest: number): number {
  return isWrong(now, newest) ? now : Math.max(now, newest)
}

/** Whether the clock that wrote an entry was wrong. */
export function isWrong(now: number, written: number): boolean {
  return written > now + maxSkewMs
}
