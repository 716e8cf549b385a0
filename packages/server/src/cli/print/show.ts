/** What a printer gets beside the result: colours, width and shortcuts. */
import type { Paint } from '../terminal/terminal.ts'

export interface Show {
  readonly paint: Paint
  /** The width of the terminal; in pipes nothing is cut, and there is no limit. */
  readonly columns: number
  /** The typed values of the command's shortcuts, by name. */
  readonly shortcuts: Readonly<Record<string, unknown>>
  /** The fields that were typed, by name. */
  readonly input: Readonly<Record<string, unknown>>
}

/** Formats a result for a person, without a final line break. */
export type Printer = (result: unknown, show: Show) => string

export type Fields = Readonly<Record<string, unknown>>
