/**
 * What the command line knows of an operation without loading it: its words, fields and help.
 *
 * `commands.json` at the root of the package has one entry for each operation of the table, so that help, usage errors and
 * completion do not load the library. A test writes the file from the table and fails when it differs.
 */
import { readFileSync } from 'node:fs'
import { packageFile } from '../../host/package-file.ts'

/**
 * How a field's text becomes a value. `moment` is a point in time, which may be in words; `value` is JSON, or a string when it is not JSON; `document` is a text that is usually in a
 * file; `texts`, `numbers` and `values` may be given many times.
 */
export type FieldKind = 'text' | 'moment' | 'document' | 'number' | 'boolean' | 'value' | 'texts' | 'numbers' | 'values'

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
  /** The module that defines it. */
  readonly module: string
  readonly words: readonly string[]
  /** The positional fields, in order. */
  readonly places: readonly string[]
  readonly fields: readonly CommandField[]
  readonly summary: string
  readonly effect: 'read' | 'write' | 'destructive'
  readonly route: string
  readonly stream?: 'events' | 'lines'
  /** Complete command lines. */
  readonly examples: readonly { readonly title: string; readonly line: string }[]
}

/** Every entry, in the order of the table. */
export function readCommandEntries(): readonly CommandEntry[] {
  return JSON.parse(readFileSync(packageFile('commands.json'), 'utf8'))
}

export function optionName(field: string): string {
  return field.replaceAll('_', '-')
}
