/**
 * Running work on a journal, and making sure that it still is the journal that this process has read and cached.
 *
 * Caches are keyed by entry number, and a namespace that was dropped and made again has the same numbers for other entries.
 * So what was seen of the journal is compared inside every append, and after every run that appended nothing. Entries never
 * change, so another journal never becomes this one again: one that is the same at the end was the same all along.
 */

import { isStateError } from '../../core/index.ts'
import { isPausePoint, type Loader, type Nodes, type SyncLoader } from '../../tree/index.ts'
import type { Checked, Log, Seen, SyncLog } from '../contract/backend.ts'
import { type Budget, isSpent, spentError } from '../contract/budget.ts'
import { type Lock, StoreLocked, withMode } from '../contract/lock.ts'
import { ask, eventLoop, isWait, type Unanswered, type Work, work, workSlice, workSync } from '../contract/work.ts'
import { storeError } from '../errors.ts'
import { type Meter, meterOf } from './meter.ts'
import { withTrimRule } from './trimmed-error.ts'

export interface SeenJournal {
  readonly namespace: string
  /** Undefined while the journal is empty. */
  seen: Seen | undefined
  /** The number of the newest entry that was appended here; 0 before the first. */
  appended: number
  /** Whether the journal was replaced by another. Then nothing is read or written any more. */
  isReplaced: boolean
}

function assertNotReplaced(journal: SeenJournal): void {
  if (journal.isReplaced) throw replacedError(journal)
}

/** Records what the backend found: the newest entry, or that the journal was replaced. */
function noteChecked(journal: SeenJournal, checked: Checked): void {
  if (checked.kind === 'replaced') throw noteReplaced(journal)
  if (checked.newest !== undefined) noteNewest(journal, checked.newest)
}

export function noteAppended(journal: SeenJournal, seq: number, leaf: string): void {
  journal.appended = seq
  noteNewest(journal, { first: journal.seen?.first ?? leaf, seq, leaf })
}

/** Asynchronous answers may arrive out of order, so an older entry does not replace a newer one. */
function noteNewest(journal: SeenJournal, newest: Seen): void {
  if (journal.seen === undefined || newest.seq > journal.seen.seq) journal.seen = newest
}

export function noteReplaced(journal: SeenJournal): Error {
  journal.isReplaced = true
  return replacedError(journal)
}

/** Throws when the journal was replaced, before an operation that must not touch another journal. */
export function* assertSameJournal(journal: SeenJournal): Work<void> {
  noteChecked(journal, yield* ask(log => log.check(journal.seen)))
}

function replacedError({ namespace, seen }: SeenJournal): Error {
  return storeError('journal-replaced', { namespace, seq: seen?.seq ?? 0 })
}

/** Makes what runs work at once, on a backend that answers at once. */
export function syncRunner(journal: SeenJournal, log: SyncLog, loader: SyncLoader): <T>(steps: Work<T>) => T {
  return <T>(steps: Work<T>): T => {
    assertNotReplaced(journal)
    const { seen } = journal
    let result: T
    try {
      result = workSync(steps, log, loader)
    } catch (error) {
      throw checkedError(journal, log, loader, error)
    }
    // Nothing else runs meanwhile, so only an append of its own can have changed `seen`.
    if (journal.seen === seen) checkEnd(journal, log)
    return result
  }
}

/** The error of a run. In another journal, old pointers lead nowhere: then it is the replacement that is reported. */
function checkedError(journal: SeenJournal, log: SyncLog, loader: SyncLoader, error: unknown): unknown {
  if (isClosed(error)) return error
  noteChecked(journal, log.check(journal.seen))
  return workSync(withTrimRule(error), log, loader)
}

/** Whether the journal is still the same after a run. A backend that was closed meanwhile was the same while it was open. */
function checkEnd(journal: SeenJournal, log: SyncLog): void {
  try {
    noteChecked(journal, log.check(journal.seen))
  } catch (error) {
    openOnly(error)
  }
}

/** A log that answers at once, and how to wait for it where others lock it. */
export interface SlicedLog {
  readonly log: SyncLog
  readonly loader: SyncLoader
  readonly nodes: Nodes
  readonly lock: Lock
}

/** Runs work, under the budget of the operation that it belongs to, if that has one. */
export type Runner = <T>(steps: Work<T>, budget?: Budget | undefined) => Promise<T>

/**
 * Makes what runs work in slices: it lets the event loop turn where it may pause, and where another process has locked the
 * store. Work that does neither is done when it is called; it takes the short way here, which most work does.
 */
export function slicedRunner(journal: SeenJournal, sliced: SlicedLog): Runner {
  const { log, loader, lock, nodes } = sliced
  return async <T>(steps: Work<T>, budget?: Budget | undefined): Promise<T> => {
    assertNotReplaced(journal)
    eventLoop.begin()
    try {
      const { seen } = journal
      const { mode } = lock
      const meter = budget === undefined ? undefined : meterOf(journal, nodes, budget)
      let step: Step<T>
      lock.mode = 'try'
      try {
        step =
          meter === undefined
            ? workSlice(steps, log, loader, eventLoop.isTurnOver)
            : meter(steps, () => workSlice(steps, log, loader, eventLoop.isTurnOver))
      } catch (error) {
        lock.mode = mode
        throw checkedError(journal, log, loader, error)
      }
      lock.mode = mode
      return step.done === true
        ? ended(journal, log, seen, step.value)
        : await restOf(journal, sliced, steps, step.value, meter)
    } finally {
      // Without this, a loop that awaits one short call after the other would never let a timer run.
      if (eventLoop.isTurnOver()) await eventLoop.nextTurn()
    }
  }
}

/** Makes what runs work without pauses, and returns a promise only where the store is locked. */
export function unpausedRunner(journal: SeenJournal, sliced: SlicedLog): <T>(steps: Work<T>) => T | Promise<T> {
  const { log, loader, lock } = sliced
  return <T>(steps: Work<T>): T | Promise<T> => {
    assertNotReplaced(journal)
    const { seen } = journal
    let step: Step<T>
    try {
      step = withMode(lock, 'try', () => workSlice(steps, log, loader, isNeverOver))
    } catch (error) {
      throw checkedError(journal, log, loader, error)
    }
    return step.done === true
      ? ended(journal, log, seen, step.value)
      : restOf(journal, sliced, steps, step.value, undefined)
  }
}

type Step<T> = IteratorResult<Unanswered, T>

function isNeverOver(): boolean {
  return false
}

/** The result of work. An append has compared what was seen of the journal; work without one has not. */
function ended<T>(journal: SeenJournal, log: SyncLog, seen: Seen | undefined, result: T): T {
  if (journal.seen === seen) checkEnd(journal, log)
  return result
}

/** Runs work from where a slice of it ended: at a pause that was due, at a promise, or at a call that found the store locked. */
async function restOf<T>(
  journal: SeenJournal,
  { log, loader, lock }: SlicedLog,
  steps: Work<T>,
  from: Unanswered,
  meter: Meter | undefined,
): Promise<T> {
  let at = from
  let seen: Seen | undefined
  const slice = (): Step<T> => {
    // Others may have appended meanwhile, which says nothing about what this work reads from now on.
    seen = journal.seen
    const unanswered = isLockedOut(at) ? at : undefined
    const next = (): Step<T> => workSlice(steps, log, loader, eventLoop.isTurnOver, unanswered)
    const step = meter === undefined ? next() : meter(steps, next)
    if (step.done !== true) at = step.value
    return step
  }
  const sliceWhenFree = (): Step<T> => {
    const step = slice()
    if (step.done !== true && isLockedOut(step.value)) throw new StoreLocked()
    return step
  }
  for (;;) {
    if (isPausePoint(at)) await eventLoop.nextTurn()
    else if (isWait(at)) await at.until
    let step: Step<T>
    try {
      step = isLockedOut(at) ? await lock.whenFree(sliceWhenFree) : withMode(lock, 'try', slice)
    } catch (error) {
      throw checkedError(journal, log, loader, error)
    }
    if (step.done === true) return ended(journal, log, seen, step.value)
  }
}

/** Whether work stopped at a call that found the store locked. */
function isLockedOut(at: Unanswered): boolean {
  return !isPausePoint(at) && !isWait(at)
}

/** The log of one run on a backend that answers with promises. */
export interface RunLog extends Log {
  /** Notes that an append which was made for this run has compared what was seen of the journal. */
  noteAppended(): void
}

/** Whether the work that asks can wait for other work, because its answers are promises. */
export function isRunLog(log: Log | SyncLog): log is RunLog {
  return 'noteAppended' in log
}

/**
 * Makes what runs work on a backend that answers with promises. A budget is looked at when work begins, and the time that the
 * backend takes to answer counts.
 */
export function asyncRunner(journal: SeenJournal, log: Log, loader: Loader): Runner {
  const run = async <T>(steps: Work<T>, budget: Budget | undefined): Promise<T> => {
    let hasAppended = false
    const own: RunLog = {
      ...log,
      noteAppended() {
        hasAppended = true
        if (budget !== undefined) budget.hasWritten = true
      },
      async append(batch) {
        const appended = await log.append(batch)
        if (appended.kind === 'done') own.noteAppended()
        else hasAppended = false
        return appended
      },
    }
    let result: T
    try {
      result = await work(steps, own, loader)
    } catch (error) {
      // When the check fails too, the first error is the one to report: it may say that an outcome is unknown.
      const checked = await log.check(journal.seen).catch(() => undefined)
      if (checked !== undefined) noteChecked(journal, checked)
      throw await work(withTrimRule(error), log, loader)
    }
    if (hasAppended) return result
    const checked = await log.check(journal.seen).catch(openOnly)
    if (checked !== undefined) noteChecked(journal, checked)
    return result
  }
  return async <T>(steps: Work<T>, budget?: Budget | undefined): Promise<T> => {
    assertNotReplaced(journal)
    if (budget !== undefined && isSpent(budget)) throw spentError(budget)
    eventLoop.begin()
    const began = performance.now()
    try {
      return await run(steps, budget)
    } finally {
      if (budget !== undefined) budget.spentMs += performance.now() - began
      if (eventLoop.isTurnOver()) await eventLoop.nextTurn()
    }
  }
}

function openOnly(error: unknown): undefined {
  if (!isClosed(error)) throw error
}

function isClosed(error: unknown): boolean {
  return isStateError(error, 'closed')
}
