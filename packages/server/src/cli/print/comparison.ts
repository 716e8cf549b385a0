/** Speculations side by side: one column each, its reason and confidence, then one row for each path that any of them changes. */
import type { WireComparison } from '../../wire/speculation.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import { confidenceText } from './commit-line.ts'
import type { Printer } from './show.ts'
import { table } from './table.ts'

interface Row {
  readonly sign: string
  readonly title: string
  readonly base: string
  readonly cells: readonly string[]
}

function isNothing(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '$undefined' in value
}

export const printComparison: Printer = (result, show) => {
  const { columns, rows } = result as WireComparison
  const cell = (value: unknown): string => (value === undefined || isNothing(value) ? '–' : visibleJson(value))
  const about = (title: string, text: (column: WireComparison['columns'][number]) => string | undefined): Row => ({
    sign: '',
    title,
    base: '',
    cells: columns.map(column => visibleText(text(column) ?? '–')),
  })
  const all: readonly Row[] = [
    about('why', ({ description }) => description),
    about('confidence', ({ confidence }) => confidenceText(confidence) || undefined),
    ...(columns.some(({ reasoning }) => reasoning !== undefined)
      ? [about('reasoning', ({ reasoning }) => reasoning)]
      : []),
    ...rows.map(({ path, base, values, agree }) => ({
      sign: agree ? '=' : '≠',
      title: visibleText(path),
      base: cell(base),
      cells: values.map(cell),
    })),
  ]
  const sides = table(
    all,
    [
      { title: '', text: ({ sign }) => sign },
      { title: 'path', text: ({ title }) => title },
      { title: 'base', text: ({ base }) => base },
      ...columns.map(({ speculation: { id, label } }, at) => ({
        title: visibleText(label ?? id),
        text: ({ cells }: Row) => cells[at] ?? '',
      })),
    ],
    show,
  )
  return rows.length === 0 ? `${sides}\n${show.paint('dim', 'They change nothing.')}` : sides
}
