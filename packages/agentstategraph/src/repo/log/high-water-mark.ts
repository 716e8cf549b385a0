/**
 * The high-water mark: the newest signed head, stored beside the store and not in it.
 *
 * A store cannot detect that its own end is missing; the mark can. It follows the journal, at most once a second, and
 * never goes back. It is neither a secret nor a proof: a process that can change the store can also remove the mark, and
 * then only heads that others hold show the loss. This file decides when a mark is written and what it means, not where
 * it is stored.
 */

import { type Checkpoint, findCheckpoint, findNote, isStateError, toBase64 } from '../../core/index.ts'
import { ask, type Journal } from '../../store/index.ts'
import type { HistoryFault, MarkFollower, MarkPlace } from '../records/signing.ts'
import { rootAt } from './merkle-log.ts'
import { originOf } from './signed-head.ts'

/** The minimum time between two marks. */
const REST_MS = 1000

/** Compares a journal with its mark. */
export async function findHistoryFault(
  journal: Journal,
  { marks, namespace }: MarkPlace,
): Promise<HistoryFault | undefined> {
  const kept = await marks.read(namespace)
  if (kept === undefined) return undefined
  const mark = findMark(kept)
  const expected = mark && { origin: mark.origin, root: toBase64(mark.root), size: mark.size }
  try {
    return await findDifference(journal, mark, expected)
  } catch (error) {
    if (!isStateError(error, 'derived-corrupt')) throw error
    const data = { size: 0, marked: mark?.size ?? 0, reason: 'what is derived from it is damaged; repair it first' }
    return { code: 'history-forked', data, expected, isTolerable: false, isUncompared: true }
  }
}

async function findDifference(
  journal: Journal,
  mark: Checkpoint | undefined,
  expected: HistoryFault['expected'],
): Promise<HistoryFault | undefined> {
  const { seq: size } = await journal.run(ask(log => log.head()))
  const forked = (reason: string): HistoryFault => {
    const data = { size, marked: mark?.size ?? 0, reason }
    return { code: 'history-forked', data, expected, isTolerable: false }
  }
  if (mark === undefined) return forked('the mark is not a signed head')
  if (mark.size > size) {
    return { code: 'history-short', data: { size, marked: mark.size }, expected, isTolerable: false }
  }
  if (mark.origin !== (await originOf(journal))) return forked('it began as another')
  const root = await journal.run(rootAt(journal, mark.size))
  return isSame(root, mark.root) ? undefined : forked('what it holds up to there is not the same')
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

/**
 * Follows a journal with the texts that `textAt` makes, where they may replace the stored one. The first append starts a
 * timer, and those that follow cost nothing. A mark that cannot be written is retried; the last attempt throws.
 */
export function followWithMark(
  journal: Journal,
  { marks, namespace }: MarkPlace,
  textAt: (size: number) => Promise<string>,
  mayReplace: (text: string, kept: string | undefined) => boolean,
): MarkFollower {
  let marked = 0
  let writing: Promise<void> | undefined
  let resting: Timer | undefined

  async function write(): Promise<void> {
    const size = journal.appended
    const text = await textAt(size)
    await marks.replace(namespace, text, kept => mayReplace(text, kept))
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
    journal.onAppend = undefined
    resting = setTimeout(onTimer, REST_MS) as unknown as Timer
    // A pending mark does not keep the process alive; closing writes it.
    if (typeof resting === 'object') resting.unref()
  }

  function onTimer(): void {
    if (marked >= journal.appended) {
      journal.onAppend = rest
      return
    }
    rest()
    writeAlone().catch(() => {})
  }

  async function flush(): Promise<void> {
    await writing?.catch(() => {})
    if (marked < journal.appended) await writeAlone()
  }

  journal.onAppend = rest
  return {
    flush,
    async close() {
      try {
        await flush()
      } finally {
        journal.onAppend = undefined
        clearTimeout(resting as number | undefined)
      }
    },
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
