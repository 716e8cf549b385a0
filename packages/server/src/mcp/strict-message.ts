/** A message of a client, as strict as a body of HTTP: large integers and duplicate keys are refused. */
import { pacedStrictJson, strictJson } from '../wire/strict-json.ts'

/** A value that is somewhat too deep is left to the operation, whose result a model can read. */
const MESSAGE_LEVELS = 64

export function strictMessage(text: string): unknown {
  return strictJson(text, MESSAGE_LEVELS)
}

/** The same, and others take their turn while a long one is read. */
export function pacedStrictMessage(text: string): Promise<unknown> {
  return pacedStrictJson(text, MESSAGE_LEVELS)
}
