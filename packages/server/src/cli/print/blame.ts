/**
 * Prints who wrote a value and why, and what surrounds that: what was expected beside what was observed, the alternatives, the
 * intents above and later commits. Surroundings that nobody asked for are shown when they fit.
 */
import type { WireBlameChain } from '../../wire/blame.ts'
import { shellWord } from '../terminal/command-text.ts'
import { localTime } from '../terminal/local-time.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import { changeLines } from './changes.ts'
import { commitLine, confidenceText } from './commit-line.ts'
import { expectationText, factLines, placeFacts, reasonFacts } from './facts.ts'
import type { Printer, Show } from './show.ts'

type Chain = NonNullable<WireBlameChain['chain']>

/** So many lines fit beside the facts. */
const FITS = 12

/** Each expectation with what was measured there, then who observed it, when and how sure. */
function outcomeLines({ expects }: WireBlameChain, { observed }: Chain): readonly string[] {
  const measured = observed.flatMap(({ observed: values = [] }) => values)
  const pathOf = (expectation: unknown): string => String((expectation as { readonly path: unknown }).path)
  const seenAt = (path: string): string => {
    const last = measured.filter(value => value.path === path).at(-1)
    return last === undefined ? 'not observed yet' : `observed ${visibleJson(last.value)}`
  }
  const others = measured.filter(({ path }) => !expects.some(expectation => pathOf(expectation) === path))
  return [
    ...expects.map(each => `${visibleText(expectationText(each))}: ${seenAt(pathOf(each))}`),
    ...others.map(({ path, value }) => `${visibleText(path)}: observed ${visibleJson(value)}`),
    ...observed.map(({ held, note, agent, timestamp, confidence }) => {
      const sure = confidence === undefined ? '' : `, ${confidenceText(confidence)} sure`
      const words = note === undefined ? '' : `: ${note}`
      return visibleText(`${held ? 'held' : 'did not hold'}, says ${agent} on ${localTime(timestamp)}${sure}${words}`)
    }),
  ]
}

function chainLines(blame: WireBlameChain, chain: Chain, show: Show): readonly string[] {
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [show.paint('bold', title), ...lines.map(line => `  ${line}`)]
  return [
    ...section('expected and observed', outcomeLines(blame, chain)),
    ...section(
      'served',
      chain.intents.map(({ id, description }) => visibleText(description === '' ? id : `${description} (${id})`)),
    ),
    ...section(
      'considered and not done',
      chain.considered.flatMap(({ label, why_not, changes }) => [
        visibleText(why_not === undefined ? label : `${label}: ${why_not}`),
        ...changeLines(changes, show).map(line => `  ${line}`),
      ]),
    ),
    ...section(
      'what happened next',
      chain.next.map(commit => commitLine(commit, show)),
    ),
  ]
}

export const printBlame: Printer = (result, show) => {
  const blame = result as WireBlameChain
  const facts = factLines(
    [
      ['path', blame.path],
      ['value', visibleJson(blame.value)],
      ...reasonFacts(blame),
      ...placeFacts(blame),
      ['draft', blame.draft?.label],
    ],
    show,
  )
  const around = blame.chain === undefined ? [] : chainLines(blame, blame.chain, show)
  if (around.length <= FITS || show.input['chain'] === true) return [...facts, ...around].join('\n')
  const more = `${around.length} more lines: asg blame ${shellWord(blame.path)} --chain`
  return [...facts, show.paint('dim', visibleText(more))].join('\n')
}
