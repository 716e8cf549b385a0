/** Prints changes as lines: `+` added, `-` removed, `~` moved; with `--stat`, their number below each top-level key. */

import { greatestOf } from 'agentstategraph/internal'
import type { WireChange } from '../../wire/change.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import type { Printer, Show } from './show.ts'
import { cut } from './table.ts'

export function changeLines(
  changes: readonly WireChange[],
  { paint, columns }: Pick<Show, 'paint' | 'columns'>,
): string[] {
  const value = (given: unknown, path: string): string =>
    cut(visibleJson(given), Math.max(20, columns - path.length - 6))
  return changes.flatMap(change => {
    const { op, path } = change
    const place = visibleText(path)
    if (op === 'move') return [paint('cyan', `~ ${visibleText(change.from)} → ${place}`)]
    const gone = op === 'add' ? [] : [paint('red', `- ${place}: ${value(change.before, path)}`)]
    const come = op === 'remove' ? [] : [paint('green', `+ ${place}: ${value(change.after, path)}`)]
    return [...gone, ...come]
  })
}

interface Count {
  added: number
  removed: number
  changed: number
}

const WIDEST_BAR = 40

function statLines(changes: readonly WireChange[], { paint }: Show): string[] {
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
  const { changes } = result as { readonly changes: readonly WireChange[] }
  if (changes.length === 0) return show.paint('dim', 'no differences')
  if (show.shortcuts['stat'] !== true) return changeLines(changes, show).join('\n')
  const count = (op: WireChange['op']): number => changes.filter(change => change.op === op).length
  const changed = count('change') + count('move')
  return [...statLines(changes, show), ` ${count('add')} added, ${changed} changed, ${count('remove')} removed`].join(
    '\n',
  )
}
