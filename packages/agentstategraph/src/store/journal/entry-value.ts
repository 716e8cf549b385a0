/**
 * Values in entries without commits, such as the result of a task or the data of an event.
 *
 * A body holds a value as its canonical text, because the only numbers in entry texts are integers. A value that is too
 * long for one entry continues in the entries right after it, in the same append. Those have the same kind and a body with
 * the number of the part, so that listings of a kind can skip them.
 */

import { canonicalText, quote, type Stored, utf8Length } from '../../core/index.ts'
import type { Work } from '../contract/work.ts'
import type { NewRecord } from './append.ts'
import { readEntries } from './entries.ts'
import type { EntryRecord } from './entry.ts'

/** The most bytes that a piece takes in an entry, quoted; the rest of 64 KiB is for the other fields. */
const PIECE_BYTES = 40 * 1024
/** So many characters always fit: the longest escape of one is six bytes. */
const SAFE_LENGTH = PIECE_BYTES / 6

type Body = { readonly [field: string]: Stored }

interface ValueBody {
  readonly value?: string
  /** How many entries after this one belong to the value. */
  readonly more?: number
  /** In an entry that continues a value: the number of the part, from 1. */
  readonly part?: number
}

/** The record with a value in its body, and the records that continue the value. */
export function recordsWithValue(record: NewRecord & { readonly body?: Body }, value: Stored): readonly NewRecord[] {
  const pieces = piecesOf(canonicalText(value))
  const more = pieces.length - 1
  const first = {
    ...record,
    body: { ...(record.body as Body | undefined), value: pieces[0]!, ...(more === 0 ? {} : { more }) },
  }
  const rest = pieces.slice(1).map((piece, index): NewRecord => {
    return { kind: record.kind, agent: record.agent, body: { part: index + 1, value: piece } }
  })
  return [first, ...rest]
}

/** Whether an entry only continues the value of one before it. */
export function isContinuation({ body }: EntryRecord): boolean {
  return (body as ValueBody | undefined)?.part !== undefined
}

/** The value of an entry; undefined when it has none. */
export function* readEntryValue({
  seq,
  record,
}: {
  readonly seq: number
  readonly record: EntryRecord
}): Work<Stored | undefined> {
  const { value, more = 0 } = (record.body ?? {}) as ValueBody
  if (value === undefined) return undefined
  const rest = more === 0 ? [] : yield* readEntries(seq + 1, seq + more, ['text'])
  return JSON.parse([value, ...rest.map(one => (one.record.body as ValueBody).value)].join('')) as Stored
}

function piecesOf(text: string): readonly string[] {
  if (text.length <= SAFE_LENGTH) return [text]
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    let piece = wholeCharacters(text, from, PIECE_BYTES)
    while (piece.length > SAFE_LENGTH && utf8Length(quote(piece)) > PIECE_BYTES) {
      piece = wholeCharacters(text, from, piece.length >> 1)
    }
    pieces.push(piece)
    from += piece.length
  }
  return pieces
}

/** A slice of at most `length` that splits no surrogate pair. */
function wholeCharacters(text: string, from: number, length: number): string {
  const last = text.charCodeAt(from + length - 1)
  return text.slice(from, from + length - (last >= 0xd800 && last < 0xdc00 ? 1 : 0))
}
