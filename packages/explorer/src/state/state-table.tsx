/** The entries at a path as rows, and their own entries as columns. */
import { Answered } from '../parts/said.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { ShortValue } from '../parts/value.tsx'
import { textOf, visible } from '../parts/value-text.ts'
import { hrefOf } from '../route.ts'
import type { Place } from '../source/shapes/state.ts'
import { ask } from '../source/source.ts'
import { lastKey } from './tree.tsx'

const ROWS = 100
const MOST_COLUMNS = 20

interface TableRow {
  readonly path: string
  readonly value: unknown
}

export function StateTable({ path, place }: { readonly path: string; readonly place: Place }) {
  const answer = useAnswer(JSON.stringify(['table', path, place]), signal => loadRows(path, place, signal))
  return <Answered answer={answer} show={rows => <Rows rows={rows} place={place} />} />
}

async function loadRows(path: string, place: Place, signal: AbortSignal): Promise<readonly TableRow[]> {
  const { items } = await ask('list_paths', { ...place, path: path || '/', depth: 1, limit: ROWS }, signal)
  const read = async (at: string): Promise<TableRow> => ({
    path: at,
    value: (await ask('get', { ...place, path: at }, signal)).value,
  })
  return Promise.all(items.map(entry => read(entry.path)))
}

function Rows({ rows, place }: { readonly rows: readonly TableRow[]; readonly place: Place }) {
  const mapOf = ({ value }: TableRow): Readonly<Record<string, unknown>> | undefined =>
    textOf(value).kind === 'map' ? (value as Readonly<Record<string, unknown>>) : undefined
  const columns = [...new Set(rows.flatMap(row => Object.keys(mapOf(row) ?? {})))].slice(0, MOST_COLUMNS)
  const hasPlain = rows.some(row => mapOf(row) === undefined)
  if (rows.length === 0) return <p class="empty">There are no entries here.</p>
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            <th scope="col">key</th>
            {hasPlain && <th scope="col">value</th>}
            {columns.map(column => (
              <th key={column} scope="col">
                {visible(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => {
            const map = mapOf(row)
            return (
              <tr key={row.path}>
                <th scope="row">
                  <a href={hrefOf({ view: 'blame', ref: place.ref, path: row.path })}>{visible(lastKey(row.path))}</a>
                </th>
                {hasPlain && <td>{map === undefined && <ShortValue value={row.value} />}</td>}
                {columns.map(column => (
                  <td key={column}>
                    {map !== undefined && Object.hasOwn(map, column) && <ShortValue value={map[column]} />}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
