/**
 * The JSON text of a result, made in pieces when it is large: others take their turn between two of them.
 *
 * A result is plain JSON, in which undefined fields are absent. One that is longer than it may be is not printed to its end.
 */
import { coreError, eventLoop, keysOf } from 'agentstategraph/internal'
import { isSmall } from '../wire/pace/is-small.ts'

/** The text, which has at most so many bytes; else `too-costly`. */
export async function pacedJson(value: unknown, most: number): Promise<string> {
  let text = ''
  let sincePause = 0
  for (const piece of piecesOf(value)) {
    text += piece
    if (text.length > most) throw tooLong(most)
    if (++sincePause % PIECES_BETWEEN !== 0 && piece.length < LONG_PIECE) continue
    if (eventLoop.isTurnOver()) await eventLoop.nextTurn()
  }
  if (text.length * 3 > most && Buffer.byteLength(text) > most) throw tooLong(most)
  return text
}

const PIECES_BETWEEN = 64
const LONG_PIECE = 2 ** 14

function tooLong(most: number): Error {
  return coreError('too-costly', { limit: 'answer', most, unit: 'bytes' })
}

function* piecesOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || isSmall(value)) {
    yield JSON.stringify(value) ?? 'null'
  } else if (Array.isArray(value)) {
    let before = '['
    for (const part of value) {
      yield before
      yield* piecesOf(part)
      before = ','
    }
    yield before === '[' ? '[]' : ']'
  } else {
    let before = '{'
    for (const key of keysOf(value)) {
      const part = (value as Readonly<Record<string, unknown>>)[key]
      if (part === undefined) continue
      yield `${before}${JSON.stringify(key)}:`
      yield* piecesOf(part)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}
