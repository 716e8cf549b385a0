/** Prints changes as lines: `+` added, `-` removed, `~` moved; with `--stat`, their number below each top-level key. */

import { greatestOf } from 'agentstategraph/internal'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import type { Printer, Show } from './show.ts'
import { cut } from './table.ts'

export interface ShownChange {
  readonly op: 'add' | 'remove' | 'change' | 'move'
  readonly path: string
  readonly from?: string
  readonly before?: unknown
  readonly after?: unknown
}

export function changeLines(
  changes: readonly ShownChange[],
  { paint, columns }: Pick<Show, 'paint' | 'columns'>,
): string[] {
  const value = (given: unknown, path: string): string =>
    cut(visibleJson(given), Math.max(20, columns - path.length - 6))
  return changes.flatMap(({ op, path, from, before, after }) => {
    const place = visibleText(path)
    const gone = (): string => paint('red', `- ${place}: ${value(before, path)}`)
    const come = (): string => paint('green', `+ ${place}: ${value(after, path)}`)
    if (op === 'add') return [come()]
    if (op === 'remove') return [gone()]
    if (op === 'move') return [paint('cyan', `~ ${visibleText(from ?? '')} → ${place}`)]
    return [gone(), come()]
  })
}

interface Count {
  added: number
  removed: number
  changed: number
}

const WIDEST_BAR = 40

function statLines(changes: readonly ShownChange[], { paint }: Show): string[] {
  const counts = new Map<string, Count>()
  for (const { op, path } of changes) {
    const part = `/${path.split('/')[1] ?? ''}`
    const count = counts.get(part) ?? { added: 0, removed: 0, changed: 0 }
    if (op === 'add') count.added++
    else if (op === 'remove') count.removed++
    else count.changed++
    counts.set(part, count)
  }
  const all = [...counts.values()].map(({ added, removed, changed }) => added + removed + changed)
  const scale = Math.min(1, WIDEST_BAR / greatestOf(all))
  const width = greatestOf([...counts.keys()].map(part => visibleText(part).length))
  const bar = (count: number, sign: string): string =>
    sign.repeat(count === 0 ? 0 : Math.max(1, Math.round(count * scale)))
  return [...counts].map(([part, { added, removed, changed }]) => {
    const signs = paint('green', bar(added, '+')) + paint('yellow', bar(changed, '~')) + paint('red', bar(removed, '-'))
    return ` ${visibleText(part).padEnd(width)} | ${added + removed + changed} ${signs}`
  })
}

export const printDiff: Printer = (result, show) => {
  const { changes } = result as { readonly changes: readonly ShownChange[] }
  if (changes.length === 0) return show.paint('dim', 'no differences')
  if (show.shortcuts['stat'] !== true) return changeLines(changes, show).join('\n')
  const count = (op: ShownChange['op']): number => changes.filter(change => change.op === op).length
  const changed = count('change') + count('move')
  return [...statLines(changes, show), ` ${count('add')} added, ${changed} changed, ${count('remove')} removed`].join(
    '\n',
  )
}
