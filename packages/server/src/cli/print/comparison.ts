/** Speculations side by side: one column each, one row for each path that any of them changes. */
import type { WireComparison } from '../../wire/speculation.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import type { Printer } from './show.ts'
import { table } from './table.ts'

function isNothing(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '$undefined' in value
}

export const printComparison: Printer = (result, show) => {
  const { columns, rows } = result as WireComparison
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
        text: ({ values }: WireComparison['rows'][number]) => cell(values[at]),
      })),
    ],
    show,
  )
}
