/** Prints a journal event as a line, and a commit with its changes. */
import { visibleText } from '../terminal/visible-text.ts'
import { changeLines, type ShownChange } from './changes.ts'
import { commitLine, type ShownCommit, shortId, shortTime } from './commit-line.ts'
import type { Printer, Show } from './show.ts'

type ShownEvent = {
  readonly seq: number
  readonly timestamp: string
  readonly agent: string
  readonly undoes?: number
} & (
  | {
      readonly kind: 'commit'
      readonly branch: string
      readonly commit: ShownCommit
      readonly changes: readonly ShownChange[]
    }
  | {
      readonly kind: 'ref'
      readonly ref: string
      readonly name: string
      readonly from?: string
      readonly after?: string
    }
  | { readonly kind: 'observation'; readonly commit: string }
  | { readonly kind: 'epoch'; readonly epoch: string; readonly status: string }
  | { readonly kind: 'undo'; readonly entry: number }
)

function words(event: ShownEvent): string {
  switch (event.kind) {
    case 'commit':
      return ''
    case 'ref': {
      const was = event.from === undefined ? '' : ` (was ${visibleText(event.from)})`
      const now = event.after === undefined ? 'is gone' : `is at ${shortId(event.after)}`
      return `${event.ref} ${visibleText(event.name)}${was} ${now}`
    }
    case 'observation':
      return `observed what came of ${shortId(event.commit)}`
    case 'epoch':
      return `epoch ${visibleText(event.epoch)} is ${event.status}`
    case 'undo':
      return `undid entry ${event.entry}`
  }
}

function undone({ undoes }: ShownEvent, { paint }: Show): string {
  return undoes === undefined ? '' : paint('dim', ` (undoes entry ${undoes})`)
}

export const printEvent: Printer = (result, show) => {
  const event = result as ShownEvent
  const place = show.paint('dim', `#${event.seq}`)
  if (event.kind !== 'commit') {
    return `${place} ${show.paint('dim', shortTime(event.timestamp))}  ${show.paint('cyan', visibleText(event.agent))}  ${words(event)}${undone(event, show)}`
  }
  const line = `${place} ${show.paint('green', visibleText(event.branch))} ${commitLine(event.commit, show)}${undone(event, show)}`
  return [line, ...changeLines(event.changes, show).map(change => `    ${change}`)].join('\n')
}

export const printUndo: Printer = (result, show) => {
  const { seq } = result as ShownEvent
  return `${printEvent(result, show)}\n${show.paint('dim', `To take this back: asg undo ${seq}`)}`
}
