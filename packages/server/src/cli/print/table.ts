/** A table with headings. The last column takes the remaining width; a longer cell ends in `…`. */
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

const WIDEST = 48

export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { paint, columns: room }: { readonly paint: Paint; readonly columns: number },
): string {
  const cells = rows.map(row => columns.map(column => column.text(row)))
  const length = (text: string): number => stripVTControlCharacters(text).length
  const widths = columns.map(({ title }, at) =>
    Math.min(WIDEST, Math.max(title.length, greatestOf(cells.map(row => length(row[at]!))))),
  )
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0)
  widths[widths.length - 1] = Math.max(20, room - before)
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
