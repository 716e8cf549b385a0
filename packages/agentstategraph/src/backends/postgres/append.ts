/**
 * Appends to a namespace. Those of this process that wait while others hold the lock are one group, which is checked and written
 * under one lock and recorded under one token.
 *
 * The queue is drained once the lock is held. Each append of a group is checked against what the table says and the ones before
 * it in the group say; one that is refused leaves nothing behind and fails no other.
 *
 * A writer that knows of others on its branch takes the lock before it builds (`hold`), so what it builds is not lost.
 *
 * Who was refused because a ref has moved mostly reads where it is and tries again. While others write to the same branch, that
 * would be lost again and again; so the lock is kept for a moment, and the next try finds what was just read. What it reads meanwhile
 * was read ahead, with one statement.
 */
import type { Append, Appended, NewEntry } from '../../store/contract/backend.ts'
import { type AppendOutcome, appendQueue, type WaitingAppend } from '../append-queue.ts'
import { isAnswer } from './failures.ts'
import { addTo, cellsFor, checkAppend, groupState } from './group-state.ts'
import { type KeptRows, keptRows } from './kept-rows.ts'
import { nameBytes } from './literals.ts'
import { storeAnew } from './packs.ts'
import type { Session, Transaction } from './session.ts'
import { writeGroup } from './write-group.ts'

/** How many appends, and about how many bytes, one transaction takes. */
const maxAppends = 256
const maxBytes = 4 * 2 ** 20

/**
 * How long the lock is kept for one that is expected to try again: for as long since its last read, and for as long in all; and how
 * often in one transaction.
 */
const keptMs = 50
const longestKeptMs = 1000
const maxKept = 3

/** One that waits for the lock before it builds its append; it is told how to give the lock up, or that it has none. */
interface Hold {
  readonly ref: string
  resolve(release: (() => void) | undefined): void
}

export interface Appender {
  append(batch: Append): Promise<Appended>
  /** Takes the lock for an append that is about to be built. */
  hold(ref: string): Promise<(() => void) | undefined>
  /** Answers reads of this process while the lock is kept for it. */
  readonly kept: KeptRows
}

/** Returns the append of a namespace. */
export function appender(session: Session, namespace: string, keepsLock: boolean): Appender {
  const name = nameBytes(namespace)
  const queue = appendQueue()
  const holds: Hold[] = []
  /** Those that the lock is held for. */
  const building = new Set<Hold>()
  let isRunning = false
  let onArrival: () => void = () => {}
  let onRead: () => void = () => {}
  const kept = keptRows(() => onRead())

  async function runAll(): Promise<void> {
    isRunning = true
    while (queue.length > 0 || holds.length > 0) await runGroup()
    isRunning = false
  }

  async function runGroup(): Promise<void> {
    let group: WaitingAppend[] = []
    const endReading = holds.length > 0 ? kept.readAhead(session, name) : undefined
    try {
      const outcomes = await session.write(name, 'NO KEY UPDATE', async held => {
        try {
          endReading?.()
          if (holds.length > 0) await waitForBuilt(held)
          for (let tries = 0; ; tries++) {
            group = group.concat(queue.take(maxAppends - group.length))
            if (group.length === 0) return { result: [], isWritten: false }
            const done = await appendGroup(session, name, held, group)
            if (done.isWritten) kept.note(done.seq)
            if (!keepsLock || done.isWritten || tries === maxKept || !done.result.some(isMoved)) return done
            await kept.load(session, held, name, [...done.refs.keys()])
            queue.settle(group, done.result)
            group = []
            if (queue.length === 0) await nextAppend(keptMs)
          }
        } finally {
          kept.close()
        }
      })
      queue.settle(group, outcomes)
    } catch (error) {
      endReading?.()
      // Without the lock, what is built now is built as if nobody else wrote; its append says what is wrong.
      for (const hold of holds.splice(0)) hold.resolve(undefined)
      // What the server refused may be the fault of one. Without the lock nothing was drained, and all have waited in vain.
      if (group.length > 1 && isAnswer((error as Error).cause)) for (const one of group) await runAlone(one)
      else for (const one of group.length > 0 ? group : queue.take(queue.length)) one.reject(error)
    }
  }

  /** Lets those that hold the lock build, and waits for the first append, or until they have given up. */
  async function waitForBuilt(held: Transaction): Promise<void> {
    await kept.load(session, held, name, [...new Set(holds.map(({ ref }) => ref))])
    for (const hold of holds.splice(0)) {
      building.add(hold)
      hold.resolve(() => {
        if (building.delete(hold) && building.size === 0) onArrival()
      })
    }
    await nextAppend(longestKeptMs)
    building.clear()
  }

  /** Waits for an append while the lock is kept: for a time since the last read, and not longer than a second in all. */
  function nextAppend(quietMs: number): Promise<void> {
    return new Promise(resolve => {
      const last = performance.now() + longestKeptMs
      let timer = setTimeout(end, quietMs)
      onArrival = end
      onRead = () => {
        if (performance.now() + quietMs <= last) timer = timer.refresh()
      }
      function end(): void {
        clearTimeout(timer)
        onArrival = () => {}
        onRead = () => {}
        resolve()
      }
    })
  }

  /** What one append of a group caused must not fail the others. */
  async function runAlone(one: WaitingAppend): Promise<void> {
    try {
      queue.settle([one], await session.write(name, 'NO KEY UPDATE', held => appendGroup(session, name, held, [one])))
    } catch (error) {
      one.reject(error)
    }
  }

  return {
    kept,
    append(batch) {
      const appended = queue.add(batch)
      onArrival()
      if (!isRunning) void runAll()
      return appended
    },
    hold: ref =>
      new Promise(resolve => {
        holds.push({ ref, resolve })
        if (!isRunning) void runAll()
      }),
  }
}

/** Whether an append was refused because a ref is elsewhere, and can be made again there. */
function isMoved(outcome: AppendOutcome): boolean {
  if (outcome === undefined || 'error' in outcome) return false
  const { appended } = outcome
  return appended.kind === 'moved' && appended.name !== '' && appended.actual !== null
}

interface GroupDone {
  readonly result: readonly AppendOutcome[]
  readonly isWritten: boolean
  /** The newest entry. */
  readonly seq: number
  /** Where the refs are that the group names. */
  readonly refs: ReadonlyMap<string, number>
}

async function appendGroup(
  session: Session,
  namespace: Uint8Array,
  held: Transaction,
  group: readonly WaitingAppend[],
): Promise<GroupDone> {
  const cells = await cellsFor(
    session,
    held,
    namespace,
    group.map(({ batch }) => batch),
  )
  const state = groupState(held.head, cells)
  const outcomes: AppendOutcome[] = []
  for (const { batch } of group) {
    if (state.bytes > maxBytes) break
    const refused = checkAppend(state, batch)
    if (refused !== undefined) {
      outcomes.push({ appended: refused })
      continue
    }
    const first = state.seq + 1
    let entries: readonly NewEntry[]
    try {
      entries = typeof batch.entries === 'function' ? batch.entries(first) : batch.entries
    } catch (error) {
      outcomes.push({ error })
      continue
    }
    if (batch.repacks !== undefined) state.packBytes += await storeAnew(session, held, namespace, batch.repacks)
    addTo(state, entries, batch)
    outcomes.push({ appended: { kind: 'done', first } })
  }
  const isWritten = state.entries.length > 0
  if (isWritten) await writeGroup(session, held, namespace, state)
  return { result: outcomes, isWritten, seq: state.seq, refs: state.refs }
}
