/**
 * JSON from outside, without anything that `JSON.parse` would lose silently: duplicate keys, digits of large integers, lone
 * surrogates. The library's strict reader refuses these with line and column, in linear time and before it builds anything deep.
 */
import { isStateError } from 'agentstategraph'
import { defaultLimits, eventLoop, type JsonOptions, readJson, readJsonSteps } from 'agentstategraph/internal'
import { serverError } from './errors.ts'

/** `levels` is how much deeper than a value of the store the text may be. */
export function strictJson(text: string, levels: number): unknown {
  try {
    return readJson(text, optionsFor(levels))
  } catch (error) {
    throw refusalOf(error)
  }
}

/** The same, and others take their turn while a long text is read. */
export async function pacedStrictJson(text: string, levels: number): Promise<unknown> {
  if (text.length < LONG_TEXT) return strictJson(text, levels)
  const steps = readJsonSteps(text, optionsFor(levels))
  try {
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
      if (eventLoop.isTurnOver()) await eventLoop.nextTurn()
    }
  } catch (error) {
    throw refusalOf(error)
  }
}

const LONG_TEXT = 2 ** 14

function optionsFor(levels: number): JsonOptions {
  return { limits: { ...defaultLimits, depth: defaultLimits.depth + levels } }
}

function refusalOf(error: unknown): unknown {
  if (!isStateError(error, 'json-invalid')) return error
  return serverError('body-refused', error.data as { line: number; column: number; reason: string })
}
