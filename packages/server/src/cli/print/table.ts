/** A table with headings. On a terminal it fits the width: a cell that is too long ends in `…`. In a pipe nothing is cut. */
import { stripVTControlCharacters } from 'node:util'
import { greatestOf } from 'agentstategraph/internal'
import type { Paint } from '../terminal/terminal.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'

export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string
}

/** Any value in one cell. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? visibleText(value) : visibleJson(value)
}

export function cut(text: string, width: number): string {
  if (stripVTControlCharacters(text).length <= width) return text
  return `${stripVTControlCharacters(text).slice(0, Math.max(1, width - 1))}…`
}

const NARROWEST = 8

/** The widths of columns that fit into the room: the widest give way first. */
function fitted(widths: readonly number[], room: number): readonly number[] {
  const gaps = 2 * (widths.length - 1)
  const needed = (widest: number): number => widths.reduce((sum, width) => sum + Math.min(width, widest), gaps)
  let widest = greatestOf(widths)
  while (widest > NARROWEST && needed(widest) > room) widest--
  return widths.map(width => Math.min(width, widest))
}

export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { paint, columns: room }: { readonly paint: Paint; readonly columns: number },
): string {
  const cells = rows.map(row => columns.map(column => column.text(row)))
  const length = (text: string): number => stripVTControlCharacters(text).length
  const widths = fitted(
    columns.map(({ title }, at) => Math.max(title.length, greatestOf(cells.map(row => length(row[at]!))))),
    room,
  )
  const line = (row: readonly string[]): string =>
    row
      .map((text, at) => {
        const shown = cut(text, widths[at]!)
        return at === row.length - 1 ? shown : shown + ' '.repeat(Math.max(0, widths[at]! - length(shown)))
      })
      .join('  ')
      .trimEnd()
  return [paint('bold', line(columns.map(({ title }) => title))), ...cells.map(line)].join('\n')
}
