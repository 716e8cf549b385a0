/** A commit in one line, as `log` and every write show it. */

import type { WireCommit } from '../../wire/commit.ts'
import { isRecord } from '../../wire/wired.ts'
import { localTime } from '../terminal/local-time.ts'
import { visibleText } from '../terminal/visible-text.ts'
import type { Fields, Show } from './show.ts'
import { cut } from './table.ts'

export function isCommit(value: unknown): value is WireCommit & Fields {
  return isRecord(value) && typeof value['id'] === 'string' && isRecord(value['intent']) && 'agent' in value
}

/** As long as every surface shows it. */
const SHORT_ID = 12

export function shortId(id: string): string {
  return visibleText(id.slice(0, SHORT_ID))
}

export function shortTime(timestamp: string): string {
  return visibleText(localTime(timestamp))
}

export function confidenceText(confidence: number | undefined): string {
  return confidence === undefined ? '' : `${Math.round(confidence * 100)}%`
}

export function commitLine(commit: WireCommit, { paint }: Pick<Show, 'paint'>): string {
  return [
    paint('yellow', shortId(commit.id)),
    paint('dim', shortTime(commit.timestamp)),
    paint('cyan', visibleText(commit.agent)),
    paint('magenta', visibleText(commit.intent.category)),
    visibleText(commit.intent.description),
    commit.confidence === undefined ? '' : paint('dim', `(${confidenceText(commit.confidence)} sure)`),
  ]
    .filter(part => part !== '')
    .join('  ')
}

/** The same for a line of a drawing, which is cut at its end: what it is for comes first. */
export function drawnCommit(commit: WireCommit, { paint }: Pick<Show, 'paint'>): string {
  const { id, intent, confidence, agent, timestamp } = commit
  const sure = confidence === undefined ? '' : ` (${confidenceText(confidence)} sure)`
  const who = paint('dim', `${visibleText(agent)}, ${shortTime(timestamp)}`)
  return `${paint('yellow', shortId(id))} ${visibleText(intent.description)}${sure}  ${who}`
}

/** The same with nothing but what it is for. */
export function shortCommitLine(commit: WireCommit, { paint, columns }: Pick<Show, 'paint' | 'columns'>): string {
  return cut(`${paint('yellow', shortId(commit.id))} ${visibleText(commit.intent.description)}`, columns)
}
