/** Facts about a commit, one on a line: what, who, why, on whose authority. */
import type { AnsweredQuestion } from 'agentstategraph'
import type { WireBlameChain } from '../../wire/blame.ts'
import type { WireDescribed } from '../../wire/change.ts'
import { localTime } from '../terminal/local-time.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import { confidenceText, shortId } from './commit-line.ts'
import type { Show } from './show.ts'
import { cut } from './table.ts'

/** A name and its text; without a text, it is left out. */
export type Fact = readonly [name: string, text: string | undefined]

const WIDTH = 10
const LINES_AT_MOST = 4

export function factLines(facts: readonly Fact[], show: Pick<Show, 'paint' | 'columns'>): readonly string[] {
  return facts.flatMap(([name, text]) =>
    text === undefined
      ? []
      : [
          `${show.paint('cyan', name.padEnd(WIDTH))} ${cut(visibleText(text), Math.max(40, show.columns * LINES_AT_MOST))}`,
        ],
  )
}

type CommitFacts = Pick<
  WireDescribed & WireBlameChain,
  | 'answers'
  | 'agent'
  | 'principal'
  | 'authority'
  | 'delegation'
  | 'intent'
  | 'reasoning'
  | 'confidence'
  | 'approval'
  | 'expects'
>

/** On whose authority, by name: `operator → agent/billing`. Several chains are separated by commas. */
export function authorityText({ authority, delegation = [] }: CommitFacts): string {
  if (authority.length === 0) return 'operator'
  // An imported commit names grants of another store.
  if (delegation.length === 0) return authority.map(shortId).join(', ')
  return delegation.reduce(
    (text, { from, to }, at) =>
      at > 0 && delegation[at - 1]!.to === from
        ? `${text} → ${to}`
        : `${text === '' ? '' : `${text}, `}${from} → ${to}`,
    '',
  )
}

export function reasonFacts(commit: CommitFacts): readonly Fact[] {
  const { agent, principal, intent, reasoning, confidence, approval } = commit
  return [
    ['agent', agent],
    ['for', principal === agent ? undefined : principal],
    ['authority', authorityText(commit)],
    ['why', intent.description],
    ['category', intent.category],
    ['reasoning', reasoning],
    ['confidence', confidenceText(confidence) || undefined],
    ...(commit.answers ?? []).map(answer => ['answered', answerText(Object(answer))] as const),
    ['approved', approval === undefined ? undefined : `by ${approval.by}: ${approval.reason}`],
    ['tags', intent.tags.length > 0 ? intent.tags.join(', ') : undefined],
  ]
}

/** Who answered a question of a graph, and why. */
function answerText({ node, question, value, by, reason }: Partial<AnsweredQuestion>): string {
  const asked = question === undefined ? node : visibleJson(question)
  const said = value === undefined ? '' : ` ${visibleJson(value)}`
  return `${asked}:${said}${by === undefined ? '' : ` by ${by}`}${reason === undefined ? '' : `, ${reason}`}`
}

/** Where and when, and what it belongs to. */
export function placeFacts(commit: Pick<WireDescribed, 'id' | 'timestamp' | 'session' | 'trace'>): readonly Fact[] {
  return [
    ['commit', shortId(commit.id)],
    ['when', localTime(commit.timestamp)],
    ['session', commit.session],
    ['trace', commit.trace],
  ]
}

/** `/latency_ms ≤ 20` */
export function expectationText(expectation: unknown): string {
  const { path, equals, min, max, text } = expectation as Readonly<Record<string, unknown>>
  const bounds = [
    ...(equals === undefined ? [] : [`= ${visibleJson(equals)}`]),
    ...(min === undefined ? [] : [`≥ ${visibleJson(min)}`]),
    ...(max === undefined ? [] : [`≤ ${visibleJson(max)}`]),
    ...(typeof text === 'string' ? [`“${text}”`] : []),
  ]
  return `${String(path)} ${bounds.join(' and ')}`.trimEnd()
}
