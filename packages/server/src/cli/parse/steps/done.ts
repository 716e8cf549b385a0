/** What the next step of a command is made from. */
import { isRecord } from '../../../wire/wired.ts'
import { shellWord } from '../../terminal/command-text.ts'

type Fields = Readonly<Record<string, unknown>>

/** What was asked and what was answered. */
export interface Done {
  readonly input: Fields
  readonly result: Fields
}

/** By operation, the command line after `asg`. */
export type Steps = Readonly<Record<string, (done: Done) => string | undefined>>

const SHORT_ID = 12

export function word(value: unknown): string {
  return shellWord(String(value))
}

/** The first row of the list of an answer. */
export function firstOf(result: Fields): Fields | undefined {
  return Object.values(result)
    .flatMap(list => (Array.isArray(list) ? list : []))
    .find(isRecord)
}

export function shortWord(id: unknown): string {
  return word(String(id).slice(0, SHORT_ID))
}

/** The option that keeps a command in the namespace of the last one. */
export function namespaceOf({ namespace }: Fields): string {
  return namespace === undefined ? '' : ` --namespace ${word(namespace)}`
}
