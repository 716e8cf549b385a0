/** What a view shows as a table for a spreadsheet. Cells that a spreadsheet would take for a formula begin with an apostrophe. */
import { useState } from 'preact/hooks'
import { saveFile } from '../epochs/save-file.ts'
import { readFilter } from '../history/filter-words.ts'
import { type Route, route } from '../route.ts'
import type { Answers, Fields } from '../source/answers.ts'
import type { Commit, Page } from '../source/shapes/state.ts'
import { ask, filters } from '../source/source.ts'

type Row = readonly unknown[]

const PAGE = 1000

export function CsvButton() {
  const [isBusy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      const rows = await rowsOf(route.value)
      saveFile(`${route.value.view}.csv`, csvOf(rows))
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" disabled={isBusy} onClick={() => void save()}>
      CSV of this view
    </button>
  )
}

export function csvOf(rows: readonly Row[]): string {
  return rows.map(row => `${row.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

async function rowsOf({ view, ref, path, options }: Route): Promise<readonly Row[]> {
  const place = { ref, path: path || '/', as_of: options['as_of'] }
  if (view === 'state') {
    const entries = await all('list_paths', { ...place, depth: 64 })
    const values = entries.filter(({ kind }) => kind === 'value')
    const read = async (at: string): Promise<Row> => [at, (await ask('get', { ...place, path: at })).value]
    return [['path', 'value'], ...(await Promise.all(values.map(entry => read(entry.path))))]
  }
  if (view === 'blame') {
    const writes = await all('history', place)
    const rows = writes.map(({ value, deleted, ...commit }) => [...commitRow(commit), deleted ? '(deleted)' : value])
    return [[...commitColumns, 'value'], ...rows]
  }
  const filter = view === 'history' ? readFilter(options['q'] ?? '', filters()) : { fields: {} }
  const fields = 'fields' in filter ? filter.fields : {}
  const commits = await all('query', { ref: view === 'history' ? ref : '*', ...fields })
  return [commitColumns, ...commits.map(commitRow)]
}

const commitColumns: Row = [
  'id',
  'time',
  'agent',
  'principal',
  'category',
  'description',
  'reasoning',
  'confidence',
  'approved by',
]

function commitRow(commit: Commit): Row {
  const { id, timestamp, agent, principal, intent, reasoning, confidence, approval } = commit
  return [id, timestamp, agent, principal, intent.category, intent.description, reasoning, confidence, approval?.by]
}

type Paged = 'query' | 'history' | 'list_paths'
type ItemOf<Name extends Paged> = Answers[Name] extends Page<infer Item> ? Item : never

async function all<Name extends Paged>(name: Name, fields: Fields): Promise<readonly ItemOf<Name>[]> {
  const items: ItemOf<Name>[] = []
  let cursor: string | undefined
  do {
    const page = (await ask(name, { ...fields, limit: PAGE, cursor })) as Page<ItemOf<Name>>
    for (const item of page.items) items.push(item)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return items
}
