/**
 * What the command line knows of an operation before it loads one: its words, its fields and its help.
 *
 * `commands.json` at the root of the package holds one entry for each operation of the table, so that `asg --help`, a typo or a
 * completion answers without loading the library. A test writes the file from the table and refuses one that differs.
 */
import { readFileSync } from 'node:fs'

/**
 * How a field's text becomes a value. `value` is JSON, or a string when it is not JSON; `document` is a text that is mostly in a
 * file; `texts`, `numbers` and `values` may be given many times.
 */
export type FieldKind = 'text' | 'document' | 'number' | 'boolean' | 'value' | 'texts' | 'numbers' | 'values'

export interface CommandField {
  /** As the wire names it. */
  readonly name: string
  readonly kind: FieldKind
  readonly required?: true
  readonly about: string
  readonly choices?: readonly string[]
  readonly default?: unknown
}

export interface CommandEntry {
  /** The operation's name. */
  readonly name: string
  readonly group: string
  /** The module that has it. */
  readonly module: string
  readonly words: readonly string[]
  /** The fields that are given by their place, in order. */
  readonly places: readonly string[]
  readonly fields: readonly CommandField[]
  readonly summary: string
  readonly effect: 'read' | 'write' | 'destructive'
  readonly route: string
  readonly stream?: 'events' | 'lines'
  /** Command lines that can be typed as they stand. */
  readonly examples: readonly { readonly title: string; readonly line: string }[]
}

/** Every entry, in the order of the table. */
export function readCommandEntries(): readonly CommandEntry[] {
  return JSON.parse(readFileSync(new URL('../../../commands.json', import.meta.url), 'utf8'))
}

export function optionName(field: string): string {
  return field.replaceAll('_', '-')
}
