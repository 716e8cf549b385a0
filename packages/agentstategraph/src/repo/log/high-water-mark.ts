/**
 * The high-water mark: the newest signed head, stored beside the store and not in it.
 *
 * A store cannot detect that its own end is missing; the mark can. It follows the journal, at most once a second, and
 * never goes back. It is neither a secret nor a proof: a process that can change the store can also remove the mark, and
 * then only heads that others hold show the loss. This file decides when a mark is written and what it means, not where
 * it is stored.
 */

import { type Checkpoint, findCheckpoint, findNote } from '../../core/index.ts'
import { ask, type Journal, type Marks } from '../../store/index.ts'
import type { HistoryFault, MarkFollower } from '../records/signing.ts'
import { rootAt } from './merkle-log.ts'
import { originOf } from './signed-head.ts'

/** The minimum time between two marks. */
const REST_MS = 1000

/** Compares a journal with its mark. */
export async function findHistoryFault(
  journal: Journal,
  marks: Marks,
  namespace: string,
): Promise<HistoryFault | undefined> {
  const kept = await marks.read(namespace)
  if (kept === undefined) return undefined
  const { seq: size } = await journal.run(ask(log => log.head()))
  const forked = (marked: number, reason: string): HistoryFault => {
    return { code: 'history-forked', data: { size, marked, reason } }
  }
  const mark = findMark(kept)
  if (mark === undefined) return forked(0, 'the mark is not a signed head')
  if (mark.size > size) return { code: 'history-short', data: { size, marked: mark.size } }
  if (mark.origin !== (await originOf(journal))) return forked(mark.size, 'it began as another')
  const root = await journal.run(rootAt(journal, mark.size))
  return isSame(root, mark.root) ? undefined : forked(mark.size, 'what it holds up to there is not the same')
}

/** The content of a mark; undefined when the text is not a mark. */
export function findMark(text: string): Checkpoint | undefined {
  const note = findNote(text)
  return note === undefined ? undefined : findCheckpoint(note.text)
}

/** Whether a head may replace the stored mark: it belongs to the same log and is larger. */
export function isHigher(head: string, kept: string | undefined): boolean {
  const [now, before] = [findMark(head), kept === undefined ? undefined : findMark(kept)]
  if (now === undefined) return false
  return before === undefined || (before.origin === now.origin && before.size < now.size)
}

/** A timer: a number in browsers, and in Node an object with `unref`. */
type Timer = number | { unref(): void }

/** Follows a journal with heads that `headAt` signs. A mark that cannot be written is retried; the last attempt throws. */
export function followWithMark(
  marks: Marks,
  namespace: string,
  headAt: (size: number) => Promise<string>,
): MarkFollower {
  let newest = 0
  let marked = 0
  let writing: Promise<void> | undefined
  let resting: Timer | undefined

  async function write(): Promise<void> {
    const size = newest
    const head = await headAt(size)
    await marks.replace(namespace, head, kept => isHigher(head, kept))
    marked = Math.max(marked, size)
  }

  /** Marks are written one at a time, so a later one never overtakes an earlier one. */
  function writeAlone(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined
    })
    return writing
  }

  function rest(): void {
    resting = setTimeout(() => {
      resting = undefined
      if (marked < newest) start()
    }, REST_MS) as unknown as Timer
    // A pending mark does not keep the process alive; closing writes it.
    if (typeof resting === 'object') resting.unref()
  }

  function start(): void {
    rest()
    writeAlone().catch(() => {})
  }

  async function flush(): Promise<void> {
    await writing?.catch(() => {})
    if (marked < newest) await writeAlone()
  }

  return {
    grown(size) {
      newest = Math.max(newest, size)
      if (resting === undefined) start()
    },
    flush,
    async close() {
      try {
        await flush()
      } finally {
        clearTimeout(resting as number | undefined)
      }
    },
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
