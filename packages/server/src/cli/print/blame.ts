/** Prints who wrote a value and why and, with the chain, the alternatives, observations and later commits. */
import type { AnsweredQuestion } from 'agentstategraph'
import type { WireBlameChain } from '../../wire/blame.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import { changeLines } from './changes.ts'
import { commitLine, confidenceText } from './commit-line.ts'
import type { Printer, Show } from './show.ts'
import { cut } from './table.ts'

function facts(blame: WireBlameChain): readonly (readonly [string, string])[] {
  const all: readonly (readonly [string, string | undefined])[] = [
    ['path', blame.path],
    ['value', visibleJson(blame.value)],
    ['agent', blame.agent],
    ['for', blame.principal],
    ['authority', blame.authority.length === 0 ? undefined : blame.authority.join(' → ')],
    ['why', blame.intent.description],
    ['category', blame.intent.category],
    ['reasoning', blame.reasoning],
    ['confidence', confidenceText(blame.confidence) || undefined],
    ['tags', blame.intent.tags.length > 0 ? blame.intent.tags.join(', ') : undefined],
    ['commit', blame.id],
    ['when', blame.timestamp],
    ['draft', blame.draft?.label],
    ...(blame.answers ?? []).map(answer => ['answered', answerText(Object(answer))] as const),
    ['session', blame.session],
    ['trace', blame.trace],
  ]
  return all.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]))
}

function answerText({ node, question, value, by, reason }: Partial<AnsweredQuestion>): string {
  const asked = question === undefined ? node : visibleJson(question)
  const said = value === undefined ? '' : ` ${visibleJson(value)}`
  return `${asked}:${said}${by === undefined ? '' : ` by ${by}`}${reason === undefined ? '' : `, ${reason}`}`
}

function chainLines(chain: NonNullable<WireBlameChain['chain']>, show: Show): string[] {
  const heading = (text: string): string => show.paint('bold', text)
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', heading(title), ...lines.map(line => `  ${line}`)]
  return [
    ...section(
      'served',
      chain.intents.map(({ id, description }) => `${visibleText(description)} (${visibleText(id)})`),
    ),
    ...section(
      'considered and not done',
      chain.considered.flatMap(({ label, why_not, changes }) => [
        visibleText(why_not === undefined ? label : `${label}: ${why_not}`),
        ...changeLines(changes, show).map(line => `  ${line}`),
      ]),
    ),
    ...section(
      'what came of it',
      chain.observed.map(observation => visibleJson(observation)),
    ),
    ...section(
      'what happened next',
      chain.next.map(commit => commitLine(commit, show)),
    ),
  ]
}

export const printBlame: Printer = (result, show) => {
  const blame = result as WireBlameChain
  const lines = facts(blame).map(
    ([name, text]) =>
      `${show.paint('cyan', name.padEnd(10))} ${cut(visibleText(text), Math.max(40, show.columns * 4))}`,
  )
  return [...lines, ...(blame.chain === undefined ? [] : chainLines(blame.chain, show))].join('\n')
}
