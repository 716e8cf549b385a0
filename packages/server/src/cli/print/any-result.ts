/** The default printer: it prints a result by its shape. */

import { greatestOf } from 'agentstategraph/internal'
import { isRecord } from '../../wire/wired.ts'
import { visibleText } from '../terminal/visible-text.ts'
import { commitLine, isCommit, shortId, shortTime } from './commit-line.ts'
import { jsonText } from './json-text.ts'
import { moreLine } from './listings.ts'
import type { Fields, Printer, Show } from './show.ts'
import { type Column, cellText, table } from './table.ts'

/** Names whose value is of the user, and is shown as it is. */
const asStored: readonly string[] = ['value', 'before', 'after', 'payload', 'state', 'data']

/** What a reader looks for first, in this order. */
const leading = ['id', 'name', 'path', 'pattern', 'principal', 'agent', 'from', 'to', 'kind', 'status', 'effect']

/** One value in a line: a hash by its beginning, which every command takes too, a time in the zone of this machine, a list in words. */
function lineOf(name: string, value: unknown): string {
  if (asStored.includes(name)) return cellText(value)
  if (typeof value === 'string') {
    if (/^[0-9a-f]{64}$/.test(value)) return shortId(value)
    return isTime(value) ? shortTime(value) : visibleText(value)
  }
  if (Array.isArray(value) && value.every(isScalar)) return value.map(cellText).join(', ')
  if (isRecord(value) && Object.values(value).every(part => typeof part === 'number'))
    return Object.entries(value)
      .map(([key, count]) => `${visibleText(key)} ${String(count)}`)
      .join(', ')
  return cellText(value)
}

/** A record that is longer has a line for each field. */
const FITS = 60

function isTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/.test(text)
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
  const isLong = (name: string): boolean => greatestOf(rows.map(row => lineOf(name, row[name]).length)) > 40
  const place = (name: string): number => (leading.includes(name) ? leading.indexOf(name) : leading.length)
  const ordered = names.toSorted((a, b) => Number(isLong(a)) - Number(isLong(b)) || place(a) - place(b))
  return table(
    rows,
    ordered.map(name => columnOf(name, rows)),
    show,
  )
}

function columnOf(name: string, rows: readonly Fields[]): Column<Fields> {
  const isWhole = name === 'id' || (!asStored.includes(name) && rows.some(row => isTime(String(row[name]))))
  return { title: name, ...(isWhole ? { isWhole } : {}), text: row => lineOf(name, row[name]) }
}

function printFields(fields: Fields, show: Show): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && !isEmpty(value))
  const width = greatestOf(entries.map(([name]) => name.length))
  return entries
    .map(([name, value]) => {
      const title = show.paint('cyan', name)
      if (Array.isArray(value) && value.length > 0 && value.every(isRecord))
        return `${title}\n${printRows(value, show)}`
      const gap = ' '.repeat(width - name.length + 2)
      const line = lineOf(name, value)
      const isNested = !isScalar(value) && line === cellText(value)
      if (isNested && isRecord(value) && !asStored.includes(name) && line.length > FITS)
        return `${title}\n${printFields(value, show).replace(/^/gm, '  ')}`
      return `${title}${gap}${isNested || asStored.includes(name) ? jsonText(value, show.paint) : line}`
    })
    .join('\n')
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
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
