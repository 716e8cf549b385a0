/**
 * JSON from outside, without anything that `JSON.parse` would lose silently: duplicate keys, digits of large integers, lone
 * surrogates. The library's strict reader refuses these with line and column, in linear time and before it builds anything deep.
 */
import { isStateError } from 'agentstategraph'
import { defaultLimits, readJson } from 'agentstategraph/internal'
import { serverError } from './errors.ts'

/** `levels` is how much deeper than a value of the store the text may be. */
export function strictJson(text: string, levels: number): unknown {
  try {
    return readJson(text, { limits: { ...defaultLimits, depth: defaultLimits.depth + levels } })
  } catch (error) {
    if (!isStateError(error, 'json-invalid')) throw error
    throw serverError('body-refused', error.data as { line: number; column: number; reason: string })
  }
}
