/** Intents as a tree: each with its commits and its outcome. */
import type { intentSchema } from '../../wire/intent.ts'
import type { Wire } from '../../wire/wired.ts'
import { localTime } from '../terminal/local-time.ts'
import { visibleText } from '../terminal/visible-text.ts'
import { drawnCommit } from './commit-line.ts'
import { moreLine } from './listings.ts'
import type { Printer, Show } from './show.ts'
import { type Branch, branchLines } from './tree.ts'

type Intent = Wire<typeof intentSchema>

function branchOf({ id, description, commits, resolutions, children }: Intent, show: Show): Branch {
  const ended = resolutions.map(({ outcome, summary, agent, timestamp }) => ({
    text: `${show.paint('magenta', outcome)}: ${visibleText(summary)} (${visibleText(agent)}, ${localTime(timestamp)})`,
    below: [],
  }))
  // Most intents have one commit of the same words.
  const [only] = commits
  const isOne = commits.length === 1 && only!.intent.description === description
  const made = isOne ? [] : commits.map(commit => ({ text: drawnCommit(commit, show), below: [] }))
  const text = isOne ? drawnCommit(only!, show) : visibleText(description ?? 'without a description')
  return {
    text: `${text}  ${show.paint('dim', visibleText(id))}`,
    below: [...made, ...ended, ...children.map(child => branchOf(child, show))],
  }
}

export const printIntents: Printer = (result, show) => {
  const { intents, next_cursor } = result as { readonly intents: readonly Intent[]; readonly next_cursor?: string }
  if (intents.length === 0) return show.paint('dim', 'nothing')
  const lines = branchLines(
    intents.map(intent => branchOf(intent, show)),
    show,
  )
  return lines.join('\n') + moreLine(next_cursor, show.paint)
}
