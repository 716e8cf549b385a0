/** A table with headings. On a terminal it fits the width: a cell that is too long ends in `…`. In a pipe nothing is cut. */
import { stripVTControlCharacters } from 'node:util'
import { greatestOf } from 'agentstategraph/internal'
import type { Paint } from '../terminal/terminal.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'

export interface Column<Row> {
  readonly title: string
  /** Of no use when it is cut, such as an id or a time: other columns give way before it. */
  readonly isWhole?: true
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

/** The widths of columns that fit into the room: the widest give way first, and those that are of use only whole at last. */
function fitted(widths: readonly number[], isWhole: readonly boolean[], room: number): readonly number[] {
  const narrowed = narrowedTo(room, widths, isWhole)
  const gaps = 2 * (widths.length - 1)
  return narrowed.reduce((sum, width) => sum + width, gaps) <= room
    ? narrowed
    : narrowedTo(
        room,
        narrowed,
        widths.map(() => false),
      )
}

function narrowedTo(room: number, widths: readonly number[], isKept: readonly boolean[]): readonly number[] {
  const gaps = 2 * (widths.length - 1)
  const limited = (widest: number): readonly number[] =>
    widths.map((width, at) => (isKept[at] ? width : Math.min(width, widest)))
  let widest = greatestOf(widths)
  while (widest > NARROWEST && limited(widest).reduce((sum, width) => sum + width, gaps) > room) widest--
  return limited(widest)
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
    columns.map(({ isWhole }) => isWhole === true),
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
