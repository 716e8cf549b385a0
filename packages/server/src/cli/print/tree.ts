/** A state as a tree: branches as lines, values beside their keys, and how much is in what was not opened. */
import { isRecord } from '../../wire/wired.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import type { Fields, Printer, Show } from './show.ts'
import { cut } from './table.ts'

/** One place of the tree, as lines below its parent. */
export interface Branch {
  readonly text: string
  readonly below: readonly Branch[]
}

/** A line that is too long for the terminal is cut: where it wrapped, the drawing would be broken. */
export function branchLines(branches: readonly Branch[], show: Pick<Show, 'paint' | 'columns'>, indent = ''): string[] {
  return branches.flatMap(({ text, below }, at) => {
    const isLast = at === branches.length - 1
    return [
      `${show.paint('dim', `${indent}${isLast ? '└─' : '├─'}`)} ${cut(text, show.columns - indent.length - 3)}`,
      ...branchLines(below, show, `${indent}${isLast ? '   ' : '│  '}`),
    ]
  })
}

function sizeText(kind: unknown, size: unknown): string {
  return kind === 'list' ? `[${String(size)}]` : `{${String(size)}}`
}

function branchOf(key: string, tree: Fields, show: Show): Branch {
  const { kind, size, value, children } = tree
  const name = show.paint('cyan', visibleText(key))
  const below = isRecord(children) ? Object.entries(children) : []
  if (kind === 'value') {
    return { text: `${name}  ${visibleJson(value)}`, below: [] }
  }
  const closed = below.length === 0 && Number(size) > 0 ? ' …' : ''
  return {
    text: `${name} ${show.paint('dim', `${sizeText(kind, size)}${closed}`)}`,
    below: below.map(([name, child]) => branchOf(name, child as Fields, show)),
  }
}

export const printTree: Printer = (result, show) => {
  const { path, children, value, is_cut } = result as Fields & { readonly children: Readonly<Record<string, Fields>> }
  const top = Object.entries(children).map(([key, tree]) => branchOf(key, tree, show))
  const isValue = value !== undefined && !(isRecord(value) && Object.keys(value).length === 0)
  return [
    visibleText(String(path)) + (isValue ? `  ${visibleJson(value)}` : ''),
    ...branchLines(top, show),
    ...(is_cut === true ? [show.paint('dim', 'There is more: name a deeper path.')] : []),
  ].join('\n')
}
