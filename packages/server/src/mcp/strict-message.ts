/** A message of a client, as strict as a body of HTTP: large integers and duplicate keys are refused. */
import { strictJson } from '../wire/strict-json.ts'

/** A value that is somewhat too deep is left to the operation, whose result a model can read. */
const MESSAGE_LEVELS = 64

export function strictMessage(text: string): unknown {
  return strictJson(text, MESSAGE_LEVELS)
}
