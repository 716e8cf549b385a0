/** Prints a journal event as a line, and a commit with its changes. */
import type { WireEvent } from '../../wire/journal-event.ts'
import { visibleText } from '../terminal/visible-text.ts'
import { changeLines } from './changes.ts'
import { commitLine, shortId, shortTime } from './commit-line.ts'
import type { Printer, Show } from './show.ts'

function words(event: WireEvent): string {
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
  }
}

function undone(event: WireEvent, { paint }: Show): string {
  return 'undoes' in event && event.undoes !== undefined ? paint('dim', ` (undoes entry ${event.undoes})`) : ''
}

export const printEvent: Printer = (result, show) => {
  const event = result as WireEvent
  const place = show.paint('dim', `#${event.seq}`)
  if (event.kind !== 'commit') {
    return `${place} ${show.paint('dim', shortTime(event.timestamp))}  ${show.paint('cyan', visibleText(event.agent))}  ${words(event)}${undone(event, show)}`
  }
  const line = `${place} ${show.paint('green', visibleText(event.branch))} ${commitLine(event.commit, show)}${undone(event, show)}`
  return [line, ...changeLines(event.changes, show).map(change => `    ${change}`)].join('\n')
}
