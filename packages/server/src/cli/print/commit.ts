/** `asg show`: one commit, why and on whose authority, and what it changed. */
import type { WireDescribed } from '../../wire/change.ts'
import { visibleText } from '../terminal/visible-text.ts'
import { changeLines } from './changes.ts'
import { shortId } from './commit-line.ts'
import { expectationText, factLines, placeFacts, reasonFacts } from './facts.ts'
import type { Printer } from './show.ts'

export const printCommit: Printer = (result, show) => {
  const commit = result as WireDescribed
  const { parents, alternatives, expects, changes, trimmed } = commit
  const facts = factLines(
    [
      ...placeFacts(commit),
      ['after', parents.length === 0 ? undefined : parents.map(shortId).join(' and ')],
      ...reasonFacts(commit),
      ['expected', expects.length === 0 ? undefined : expects.map(expectationText).join('; ')],
      ...alternatives.map(({ label, why_not }) => ['not done', why_not ? `${label}: ${why_not}` : label] as const),
    ],
    show,
  )
  const found = changeLines(changes ?? [], show)
  const state = trimmed ? ['Retention dropped the states that its changes are read from.'] : ['It changed nothing.']
  return [...facts, '', ...(found.length > 0 ? found : state.map(text => show.paint('dim', visibleText(text))))].join(
    '\n',
  )
}
