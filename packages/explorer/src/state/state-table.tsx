/** The entries at a path as rows, and their own entries as columns. */
import { Listing } from '../parts/more.tsx'
import { lastKey, segmentOf } from '../parts/path-keys.ts'
import { ShortValue } from '../parts/value.tsx'
import { textOf, visible } from '../parts/value-text.ts'
import { hrefAt } from '../route.ts'
import type { Fields } from '../source/answers.ts'
import type { Page, Place } from '../source/shapes/state.ts'
import { ask } from '../source/source.ts'

const MOST_COLUMNS = 20

interface TableRow {
  readonly path: string
  readonly value: unknown
}

interface TableProps {
  readonly path: string
  readonly place: Place
  readonly head: number
}

export function StateTable({ path, place, head }: TableProps) {
  return (
    <Listing
      name={JSON.stringify(['table', path, place])}
      version={head}
      load={(page, signal) => loadRows({ ...place, path: path || '/', depth: 1, ...page }, place, signal)}
      show={rows => <Rows rows={rows} place={place} />}
      empty={<p class="empty">There are no entries here.</p>}
    />
  )
}

async function loadRows(fields: Fields, place: Place, signal: AbortSignal): Promise<Page<TableRow>> {
  const page = await ask('list_paths', fields, signal)
  const read = async (at: string): Promise<TableRow> => ({
    path: at,
    value: (await ask('get', { ...place, path: at }, signal)).value,
  })
  return { ...page, items: await Promise.all(page.items.map(entry => read(entry.path))) }
}

function Rows({ rows, place }: { readonly rows: readonly TableRow[]; readonly place: Place }) {
  const mapOf = ({ value }: TableRow): Readonly<Record<string, unknown>> | undefined =>
    textOf(value).kind === 'map' ? (value as Readonly<Record<string, unknown>>) : undefined
  const columns = [...new Set(rows.flatMap(row => Object.keys(mapOf(row) ?? {})))].slice(0, MOST_COLUMNS)
  const hasPlain = rows.some(row => mapOf(row) === undefined)
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
                  <a href={hrefAt({ view: 'state', ref: place.ref, path: row.path })}>{visible(lastKey(row.path))}</a>
                </th>
                {hasPlain && <td>{map === undefined && <Cell path={row.path} value={row.value} place={place} />}</td>}
                {columns.map(column => (
                  <td key={column}>
                    {map !== undefined && Object.hasOwn(map, column) && (
                      <Cell path={`${row.path}/${segmentOf(column)}`} value={map[column]} place={place} />
                    )}
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

/** A value that leads to its blame. */
function Cell({ path, value, place }: TableRow & { readonly place: Place }) {
  return (
    <a class="cell" href={hrefAt({ view: 'blame', ref: place.ref, path })} title="Who wrote this, and why">
      <ShortValue value={value} />
    </a>
  )
}
