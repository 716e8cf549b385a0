/** Speculations side by side: one column each, one row for each path that any of them changes. */
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import type { Printer } from './show.ts'
import { table } from './table.ts'

interface ShownComparison {
  readonly columns: readonly { readonly speculation: { readonly id: string; readonly label?: string } }[]
  readonly rows: readonly {
    readonly path: string
    readonly base?: unknown
    readonly values: readonly unknown[]
    readonly agree: boolean
  }[]
}

function isNothing(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '$undefined' in value
}

export const printComparison: Printer = (result, show) => {
  const { columns, rows } = result as ShownComparison
  const cell = (value: unknown): string => (value === undefined || isNothing(value) ? '–' : visibleJson(value))
  if (rows.length === 0) return show.paint('dim', 'they change nothing')
  return table(
    rows,
    [
      { title: '', text: ({ agree }) => (agree ? '=' : '≠') },
      { title: 'path', text: ({ path }) => visibleText(path) },
      { title: 'base', text: ({ base }) => cell(base) },
      ...columns.map(({ speculation: { id, label } }, at) => ({
        title: visibleText(label ?? id),
        text: ({ values }: ShownComparison['rows'][number]) => cell(values[at]),
      })),
    ],
    show,
  )
}
