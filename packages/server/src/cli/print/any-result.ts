/** The default printer: it prints a result by its shape. */

import { greatestOf } from 'agentstategraph/internal'
import { isRecord } from '../../wire/wired.ts'
import { visibleText } from '../terminal/visible-text.ts'
import { commitLine, isCommit, shortId } from './commit-line.ts'
import { jsonText } from './json-text.ts'
import { moreLine } from './listings.ts'
import type { Fields, Printer, Show } from './show.ts'
import { cellText, table } from './table.ts'

/** A hash by its beginning: every command takes that too. */
function shortened(value: unknown): unknown {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? shortId(value) : value
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function printRows(rows: readonly unknown[], show: Show): string {
  if (rows.length === 0) return show.paint('dim', 'nothing')
  if (rows.every(isCommit)) return rows.map(row => commitLine(row, show)).join('\n')
  if (!rows.every(isRecord))
    return rows.map(row => (isScalar(row) ? cellText(row) : jsonText(row, show.paint))).join('\n')
  const names = [...new Set(rows.flatMap(row => Object.keys(row)))]
  // Long and nested columns go last, where there is room.
  const weight = (name: string): number => greatestOf(rows.map(row => cellText(row[name]).length))
  const ordered = names.toSorted((a, b) => Number(weight(a) > 40) - Number(weight(b) > 40))
  return table(
    rows,
    ordered.map(name => ({ title: name, text: (row: Fields) => cellText(shortened(row[name])) })),
    show,
  )
}

function printFields(fields: Fields, show: Show): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  const width = greatestOf(entries.map(([name]) => name.length))
  return entries
    .map(([name, value]) => {
      const title = show.paint('cyan', name)
      if (Array.isArray(value) && value.length > 0 && value.every(isRecord))
        return `${title}\n${printRows(value, show)}`
      const gap = ' '.repeat(width - name.length + 2)
      if (typeof value === 'string') return `${title}${gap}${visibleText(String(shortened(value)))}`
      return `${title}${gap}${jsonText(value, show.paint)}`
    })
    .join('\n')
}

export const printAny: Printer = (result, show) => {
  if (isCommit(result)) {
    const words = result.changed === false ? show.paint('dim', '  nothing changed') : ''
    return commitLine(result, show) + words
  }
  if (Array.isArray(result)) return printRows(result, show)
  if (!isRecord(result)) return isScalar(result) ? cellText(result) : ''
  // A hint is printed beside the answer.
  const entries = Object.entries(result).filter(([name, value]) => value !== undefined && name !== 'hint')
  const lists = entries.filter(([, value]) => Array.isArray(value))
  // For a page of a listing, print its list.
  const [list, ...more] = lists
  if (list !== undefined && more.length === 0 && entries.length <= 2) {
    const rest = entries.filter(([name]) => name !== list[0] && name !== 'next_cursor')
    const lines = rest.map(([name, value]) => show.paint('dim', `${name}: ${cellText(value)}`))
    return (
      [printRows(list[1] as readonly unknown[], show), ...lines].join('\n') +
      moreLine(result['next_cursor'], show.paint)
    )
  }
  return entries.length === 0 ? show.paint('dim', 'done') : printFields(Object.fromEntries(entries), show)
}
