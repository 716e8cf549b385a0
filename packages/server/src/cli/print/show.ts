/** What a printer is given beside the result: how to colour, how wide, and what was asked for. */
import type { Paint } from '../terminal/terminal.ts'

export interface Show {
  readonly paint: Paint
  readonly columns: number
  /** What was typed for the shortcuts of the command, by name. */
  readonly shortcuts: Readonly<Record<string, unknown>>
}

/** A result as a person reads it; without a line break at its end. */
export type Printer = (result: unknown, show: Show) => string

export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
