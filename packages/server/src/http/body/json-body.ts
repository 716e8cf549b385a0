/**
 * The body of a request as a JSON object, strictly.
 *
 * The bytes have to be UTF-8, and the text one JSON document as `strictJson` takes it. Others take their turn while a large one is
 * read.
 */
import { serverError } from '../../wire/errors.ts'
import { pacedStrictJson } from '../../wire/strict-json.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const BYTE_ORDER_MARK = 0xfeff

/** The levels of a body around a value. */
const ENVELOPE_LEVELS = 4

export async function jsonObjectIn(bytes: Uint8Array): Promise<Readonly<Record<string, unknown>>> {
  const text = textIn(bytes)
  if (text.trim() === '') throw serverError('body-not-an-object', { found: 'empty' })
  const value = await pacedStrictJson(text, ENVELOPE_LEVELS)
  if (value === null) throw serverError('body-not-an-object', { found: 'null' })
  if (Array.isArray(value)) throw serverError('body-not-an-object', { found: 'a list' })
  if (typeof value !== 'object') throw serverError('body-not-an-object', { found: `a ${typeof value}` })
  return value as Record<string, unknown>
}

function textIn(bytes: Uint8Array): string {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw serverError('body-not-utf8', { reason: 'some bytes of it are no UTF-8' })
  }
  if (text.charCodeAt(0) === BYTE_ORDER_MARK)
    throw serverError('body-not-utf8', { reason: 'it begins with a byte order mark' })
  return text
}
