/** Printers of listings, each with its columns. */

import type { WireCommit } from '../../wire/commit.ts'
import { isRecord } from '../../wire/wired.ts'
import { commitLine, shortCommitLine, shortId, shortTime } from './commit-line.ts'
import type { Fields, Printer } from './show.ts'
import { type Column, cellText, table } from './table.ts'

/** A page as a table, followed by how to get the next page. */
export function printPage(columns: readonly Column<Fields>[]): Printer {
  return (result, show) => {
    const { items, next_cursor } = result as { readonly items: readonly Fields[]; readonly next_cursor?: string }
    if (items.length === 0) return show.paint('dim', 'nothing')
    return table(items, columns, show) + moreLine(next_cursor, show.paint)
  }
}

export function moreLine(cursor: unknown, paint: (style: 'dim', text: string) => string): string {
  return typeof cursor === 'string' ? `\n${paint('dim', `more: --cursor ${cellText(cursor)}`)}` : ''
}

function column(title: string, field = title): Column<Fields> {
  return { title, text: row => cellText(row[field]) }
}

function counted(title: string, field: string): Column<Fields> {
  return {
    title,
    text: row => {
      const value = row[field]
      return Array.isArray(value) ? value.map(cellText).join(', ') : cellText(value)
    },
  }
}

const commit: Column<Fields> = { title: 'commit', isWhole: true, text: row => shortId(String(row['id'])) }

export const printRefs: Printer = printPage([column('name'), commit])

export const printEpochs: Printer = printPage([
  column('id'),
  column('status'),
  column('commits'),
  counted('agents', 'agents'),
  column('description'),
])

export const printPlans: Printer = printPage([column('name'), column('status'), column('description')])

export const printTasks: Printer = printPage([
  column('id'),
  column('status'),
  column('priority'),
  { title: 'who', text: row => cellText(row['owner'] ?? row['assignee']) },
  counted('waits for', 'blocked_by'),
  column('title'),
])

export const printSpeculations: Printer = printPage([
  { ...column('id'), isWhole: true },
  column('label'),
  column('branch'),
  { title: 'base', isWhole: true, text: row => shortId(String(row['base'])) },
  column('expires'),
])

export const printBlames: Printer = printPage([
  column('path'),
  column('value'),
  commit,
  { title: 'when', isWhole: true, text: row => shortTime(String(row['timestamp'])) },
  column('agent'),
  { title: 'why', text: row => cellText(isRecord(row['intent']) ? row['intent']['description'] : undefined) },
])

/** `--oneline` leaves only ids and descriptions. */
export const printCommits: Printer = (result, show) => {
  const { items, next_cursor } = result as { readonly items: readonly WireCommit[]; readonly next_cursor?: string }
  if (items.length === 0) return show.paint('dim', 'nothing')
  const line = show.shortcuts['oneline'] === true ? shortCommitLine : commitLine
  return items.map(commit => line(commit, show)).join('\n') + moreLine(next_cursor, show.paint)
}
