/**
 * The body of a request as a JSON object, strictly.
 *
 * The bytes have to be UTF-8, and the text one JSON document without anything that `JSON.parse` would lose silently: duplicate
 * keys, digits of large integers, lone surrogates. The library's strict reader refuses these with line and column, in linear
 * time and before it builds anything deep.
 */
import { isStateError } from 'agentstategraph'
import { defaultLimits, readJson } from 'agentstategraph/internal'
import { serverError } from '../../wire/errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const BYTE_ORDER_MARK = 0xfeff

/** A value may be as deep as the store allows, plus the levels of the body around it. */
const ENVELOPE_LEVELS = 4
const limits = { ...defaultLimits, depth: defaultLimits.depth + ENVELOPE_LEVELS }

export function jsonObjectIn(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const text = textIn(bytes)
  if (text.trim() === '') throw serverError('body-not-an-object', { found: 'empty' })
  const value = parsed(text)
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

function parsed(text: string): unknown {
  try {
    return readJson(text, { limits })
  } catch (error) {
    if (!isStateError(error, 'json-invalid')) throw error
    throw serverError('body-refused', error.data as { line: number; column: number; reason: string })
  }
}
