/** What the compiler says about a wrong graph can be read by a person, and a long one compiles. */
import { expect, it } from 'vitest'
import { root } from '../architecture/support/source-file.ts'
import { runBlocks } from '../docs/support/run-blocks.ts'

const start = `import { Command, END, Send, StateGraph } from 'agentstategraph/graph'
const graph = new StateGraph({ state: { notes: [] as string[], draft: '' }, reducers: { notes: 'append' } })
  .addNode('plan', s => ({ notes: [s.draft] }))
  .addNode('research', () => ({ draft: '' }))
  .addEdge('plan', 'research')
`

const wrong = [
  ["graph.addNode('typo', async () => ({ draft: 'x', drft: 'y' }))", "'drft' is not a field of the state"],
  ["graph.addNode('typo', { run: () => ({ draft: 'x', drft: 'y' }) })", "'drft' is not a field of the state"],
  ["graph.addNodes({ typo: async () => ({ draft: 'x', drft: 'y' }) })", "'drft' is not a field of the state"],
  ["graph.addNode('typo', () => new Command({ goto: END, update: { draft: '', drft: '' } }))", 'drft'],
  ["graph.addNode('wrong', () => ({ draft: 5 }))", "Argument of type '() => { draft: number; }' is not assignable"],
  [
    "graph.addEdge('plan', 'reserch')",
    `'"reserch"' is not assignable to parameter of type '"__end__" | "plan" | "research"'`,
  ],
  ["graph.addConditionalEdges('plan', () => 'reserch')", `Did you mean '"research"'?`],
  ["graph.addConditionalEdges('plan', () => [new Send('reserch', {})])", '"reserch"'],
  ["graph.compile({ interruptBefore: ['reserch'] })", `Did you mean '"research"'?`],
  [
    "graph.addNode('push', s => ({ draft: String(s.notes.push('x')) }))",
    "Property 'push' does not exist on type 'readonly string[]'",
  ],
  [
    "new StateGraph({ state: { draft: '' }, reducers: { draft: 'append' } })",
    `'"append"' is not assignable to type '"first" | "last"`,
  ],
  [
    "new StateGraph({ state: { draft: '' }, reducers: { draft: 'last', drft: 'last' } })",
    "'drft' is not a field of the state",
  ],
  ["graph.compile().thread('x').update({ drft: '' })", "'drft' does not exist in type"],
] as const

function chain(length: number): string {
  const nodes = Array.from({ length }, (_, i) => `.addNode('n${i}', s => ({ draft: s.draft + 'x' }))`)
  const edges = Array.from({ length: length - 1 }, (_, i) => `.addEdge('n${i}', 'n${i + 1}')`)
  return `import { StateGraph } from 'agentstategraph/graph'
const app = new StateGraph({ state: { draft: '' } })
${[...nodes, ...edges].join('\n')}
.compile()
console.log(app.runSync({}).draft.length)`
}

it('what is wrong is named in the message, and 500 chained nodes compile and run', async () => {
  const programs = [...wrong.map(([line]) => start + line), chain(500)]
  const outcomes = await runBlocks(
    root,
    programs.map(code => ({ language: 'ts', code })),
  )
  for (const [index, [, message]] of wrong.entries()) expect(outcomes[index]!.failure).toContain(message)
  expect(outcomes.at(-1)).toEqual({ printed: '500\n', failure: undefined })
})
