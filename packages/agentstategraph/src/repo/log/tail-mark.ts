/**
 * The tail mark: the newest entry of a journal, stored beside the store and not in it, without a key.
 *
 * A log that was damaged or lost shortens a journal without a trace in it; the mark tells how long it was. It says under which
 * durability it was written: without waiting for the disk, a power failure may take the end of a journal, and that is no
 * reason to refuse it. A mark that cannot be read is none, because it is replaced without waiting for the disk either.
 */

import { isStateError } from '../../core/index.ts'
import { ask, assertSameJournal, type Journal, type Seen } from '../../store/index.ts'
import type { HistoryFault, MarkFollower, MarkPlace } from '../records/signing.ts'
import { followWithMark } from './high-water-mark.ts'

interface TailMark extends Seen {
  /** Whether the entry was on the disk when it was acknowledged. */
  readonly isDurable: boolean
}

/** Compares a journal with its tail mark. */
export async function findTailFault(
  journal: Journal,
  { marks, namespace }: MarkPlace,
): Promise<HistoryFault | undefined> {
  const mark = findTail(await marks.read(namespace))
  if (mark === undefined) return undefined
  const size = await findSize(journal)
  if (size === undefined) return undefined
  const { seq: marked, leaf, isDurable } = mark
  const common = { expected: { leaf, size: marked }, isTolerable: !isDurable }
  if (marked > size) return { code: 'history-short', data: { size, marked }, ...common }
  const [first] = await journal.run(ask(log => log.entries(1, 1, [])))
  const [entry] = await journal.run(ask(log => log.entries(marked, marked, [])))
  if (first?.leaf === mark.first && entry?.leaf === leaf) return undefined
  const reason = first?.leaf === mark.first ? 'it went another way' : 'it began as another'
  return { code: 'history-forked', data: { size, marked, reason }, ...common }
}

/** Undefined when what is stored about the end of the journal is damaged: calls name it, and the store opens for a repair. */
async function findSize(journal: Journal): Promise<number | undefined> {
  try {
    return (await journal.run(ask(log => log.head()))).seq
  } catch (error) {
    if (isStateError(error, 'derived-corrupt')) return undefined
    throw error
  }
}

/** The text of the mark for what is known of a journal; undefined while it is empty. */
export function tailText({ seen, appended, durability }: Journal): string | undefined {
  if (seen === undefined) return undefined
  const { first, seq, leaf } = seen
  // Another process may have written a newer entry, and without waiting for the disk.
  const isDurable = durability !== 'normal' && seq === appended
  return `${JSON.stringify({ first, isDurable, leaf, seq })}\n`
}

/** Lets the mark follow the journal. A mark that cannot be written fails nothing: the journal is whole without it. */
export async function followWithTail(journal: Journal, place: MarkPlace): Promise<MarkFollower> {
  const textAt = async (): Promise<string> => {
    await journal.run(assertSameJournal(journal))
    return tailText(journal) ?? ''
  }
  // A mark that is gone was deleted with its namespace, perhaps since the journal was last compared. Written again, it would say
  // of the next journal of that name that its beginning is missing.
  let isKept = false
  const mayReplace = (text: string, kept: string | undefined): boolean => {
    if (kept === undefined && isKept) return false
    isKept = true
    return isLater(text, kept)
  }
  const follower = followWithMark(journal, place, textAt, mayReplace)
  return { ...follower, close: () => follower.close().catch(() => {}) }
}

/** Whether a mark may replace the stored text: that is of the same journal and earlier, or not a mark. */
function isLater(text: string, kept: string | undefined): boolean {
  const [now, before] = [findTail(text), findTail(kept)]
  if (now === undefined) return false
  return before === undefined || (before.first === now.first && before.seq < now.seq)
}

function findTail(text: string | undefined): TailMark | undefined {
  try {
    const mark: unknown = JSON.parse(text ?? '')
    return isTail(mark) ? mark : undefined
  } catch {
    return undefined
  }
}

function isTail(mark: unknown): mark is TailMark {
  if (typeof mark !== 'object' || mark === null) return false
  const { first, isDurable, leaf, seq } = mark as Partial<TailMark>
  const isNumbered = typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0
  return typeof first === 'string' && typeof leaf === 'string' && typeof isDurable === 'boolean' && isNumbered
}
