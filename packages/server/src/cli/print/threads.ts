/** Graphs and their threads: nodes with what follows them, and the steps of a thread. */
import type { pictureSchema, threadStateSchema } from '../../wire/thread.ts'
import type { Wire } from '../../wire/wired.ts'
import { localTime } from '../terminal/local-time.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import { shortId } from './commit-line.ts'
import { type Fact, factLines } from './facts.ts'
import { printPage } from './listings.ts'
import type { Printer, Show } from './show.ts'
import { type Branch, branchLines } from './tree.ts'

// The library's names for where a graph begins and ends.
const START = '__start__'
const END = '__end__'

type Picture = Wire<typeof pictureSchema>
type Thread = Wire<typeof threadStateSchema>

function nodesOf({ nodes, edges }: Picture, show: Show): readonly Branch[] {
  const next = (name: string): string =>
    edges
      .filter(({ from }) => from === name)
      .map(
        ({ to, conditional, label }) =>
          `${to === END ? 'end' : to}${conditional ? ' ?' : ''}${label === undefined ? '' : ` (${label})`}`,
      )
      .join(', ')
  const begins = next(START)
  return [
    ...(begins === '' ? [] : [{ text: `start → ${visibleText(begins)}`, below: [] }]),
    ...nodes
      .filter(({ name }) => name !== START && name !== END)
      .map(({ name, join, subgraph }) => {
        const after = next(name)
        return {
          text: `${show.paint('cyan', visibleText(name))}${join ? ' (joins)' : ''}${after === '' ? '' : ` → ${visibleText(after)}`}`,
          below: subgraph === undefined ? [] : nodesOf(subgraph, show),
        }
      }),
  ]
}

export const printGraphPicture: Printer = (result, show) => {
  const { graph, picture } = result as { readonly graph: string; readonly picture: Picture }
  const isConditional = picture.edges.some(({ conditional }) => conditional)
  return [
    visibleText(graph),
    ...branchLines(nodesOf(picture, show), show),
    ...(isConditional ? [show.paint('dim', '? is decided when it runs. --json has it as a Mermaid diagram.')] : []),
  ].join('\n')
}

function statusText(thread: Thread): string {
  switch (thread.status) {
    case 'paused':
      return `paused: ${thread.interrupts.map(({ node, payload }) => `${node} asks ${visibleJson(payload)}`).join('; ')}`
    case 'failed':
      return `failed at ${thread.node}: ${thread.error.message}`
    case 'done':
      return `done: ${visibleJson(thread.output)}`
    default:
      return thread.status
  }
}

export const printThread: Printer = (result, show) => {
  const thread = result as Thread
  const next = 'next' in thread && thread.next.length > 0 ? thread.next.join(', ') : undefined
  const facts: readonly Fact[] = [
    ['thread', thread.thread],
    ['status', statusText(thread)],
    ['next', next],
    ['when', localTime(thread.timestamp)],
    ['commit', shortId(thread.commit)],
    ['state', visibleJson(thread.state)],
  ]
  return factLines(facts, show).join('\n')
}

export const printSteps: Printer = printPage([
  { title: 'commit', isWhole: true, text: row => shortId(String(row['commit'])) },
  { title: 'when', isWhole: true, text: row => localTime(String(row['timestamp'])) },
  { title: 'status', text: row => visibleText(String(row['status'])) },
  { title: 'next', text: row => visibleText(((row['next'] ?? []) as readonly string[]).join(', ')) },
  { title: 'state', text: row => visibleJson(row['state']) },
])
