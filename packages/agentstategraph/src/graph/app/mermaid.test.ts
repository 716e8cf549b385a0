import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../define/compile.ts'
import type { DefinedGraph } from '../define/definition.ts'
import { setPlan } from '../model/compiled-plan.ts'
import { END, Send, START } from '../model/targets.ts'
import { mermaidOf } from './mermaid.ts'
import { pictureOf } from './picture.ts'

let parse: (text: string) => Promise<unknown>

beforeAll(async () => {
  // Mermaid cleans labels with the DOM of its page.
  const { JSDOM } = (await import('jsdom' as string)) as { JSDOM: new () => { window: { document: unknown } } }
  const { window } = new JSDOM()
  Object.assign(globalThis, { window, document: window.document })
  const { default: mermaid } = await import('mermaid')
  parse = text => mermaid.parse(text)
})

function planOf(names: readonly string[], more: Partial<DefinedGraph>): ReturnType<typeof compile> {
  const nodes = names.map(name => ({ name, node: () => ({}), options: {} }))
  return compile({ definition: { state: {} }, nodes, edges: [], routes: [], ...more }, {})
}

const edge = (from: string, to: string): DefinedGraph['edges'][number] => ({ from, to, isJoin: false })

describe('the picture of a graph', () => {
  it('is this, for the research loop', async () => {
    const plan = planOf(['plan', 'research', 'write', 'review'], {
      edges: [edge('plan', 'research'), edge('research', 'write'), edge('write', 'review')],
      routes: [{ from: 'review', route: (s: { confidence: number }) => (s.confidence >= 0.85 ? END : 'research') }],
    })
    const text = mermaidOf(pictureOf(plan))
    expect(text).toBe(`flowchart TD
  n0((start))
  n1["plan"]
  n2["research"]
  n3["write"]
  n4["review"]
  n5((end))
  n1 --> n2
  n2 --> n3
  n3 --> n4
  n0 --> n1
  n4 -.-> n2
  n4 -.-> n5`)
    await parse(text)
  })

  it('shows labels, joins, what runs last, Sends, and graphs inside', async () => {
    const inner = planOf(['deep'], {})
    const app = (): object => ({})
    setPlan(app, inner)
    const nodes = [
      { name: 'plan', node: () => ({}), options: { metadata: { owner: 'me' }, goto: ['last'] } },
      { name: 'one', node: () => ({}), options: {} },
      { name: 'inner', node: app, options: {} },
      { name: 'join', node: () => ({}), options: { join: 'any' as const } },
      { name: 'last', node: () => ({}), options: { defer: true } },
    ]
    const plan = compile(
      {
        definition: { state: {} },
        nodes,
        edges: [edge('one', 'join'), edge('join', 'last')],
        routes: [
          { from: 'plan', route: () => [new Send('one', {})] },
          {
            from: 'plan',
            route: () => 'inner',
            targets: new Map([
              ['inner', 'go "in" | now'],
              [END, undefined],
            ]),
          },
        ],
      },
      {},
    )
    const picture = pictureOf(plan)
    expect(picture.edges).toContainEqual({ from: 'plan', to: 'one', conditional: true })
    expect(picture.edges).toContainEqual({ from: 'plan', to: 'inner', conditional: true, label: 'go "in" | now' })
    expect(picture.edges).toContainEqual({ from: 'plan', to: 'last', conditional: true })
    expect(picture.nodes[0]).toEqual({ name: 'plan', metadata: { owner: 'me' }, join: false, defer: false })
    const text = mermaidOf(picture)
    expect(text).toContain('subgraph n3 ["inner"]')
    expect(text).toContain('n3_1["deep"]')
    expect(text).toContain('n4{{"join"}}')
    expect(text).toContain('-.->|"go #34;in#34; #124; now"|')
    await parse(text)
  })

  it('a route that names no node may lead to all of them', () => {
    const plan = planOf(['a', 'b'], { routes: [{ from: START, route: (s: { next: string }) => s.next }] })
    expect(
      pictureOf(plan)
        .edges.filter(({ from }) => from === START)
        .map(({ to }) => to),
    ).toEqual(['a', 'b', END])
  })

  const awkward = [
    'end',
    'graph',
    'subgraph',
    'a"]',
    '-->',
    '%% x',
    'a\nb',
    '`md`',
    '<script>',
    '#quot;',
    'click',
    'style',
    'o--x',
    ';',
    '|x|',
    '__proto__',
    'n1',
    ' ',
    '🦄',
    '\ud800',
    'a&b',
    '[[',
    '{{',
    '@{',
  ]

  it('is one that Mermaid can read when names look like its own words', async () => {
    const routes = awkward.map(name => ({ from: name, route: () => name, targets: new Map([[name, name]]) }))
    await parse(mermaidOf(pictureOf(planOf(awkward, { edges: awkward.map(name => edge(START, name)), routes }))))
  })

  it('is one that Mermaid can read, whatever the names', async () => {
    const nasty = fc.oneof(fc.constantFrom(...awkward), fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }))
    await fc.assert(
      fc.asyncProperty(
        fc
          .uniqueArray(nasty, { minLength: 1, maxLength: 6 })
          .filter(names => !names.some(name => name === START || name === END)),
        fc.array(fc.tuple(fc.nat(), fc.nat(), fc.option(nasty)), { maxLength: 8 }),
        fc.boolean(),
        async (names, ways, nests) => {
          const at = (i: number): string => names[i % names.length]!
          const app = (): object => ({})
          setPlan(app, planOf([names[0]!], {}))
          const nodes = names.map((name, i) => ({ name, node: nests && i === 0 ? app : () => ({}), options: {} }))
          const plan = compile(
            {
              definition: { state: {} },
              nodes,
              edges: [...names.map(name => edge(START, name)), ...ways.map(([from, to]) => edge(at(from), at(to)))],
              routes: ways.map(([from, to, label]) => ({
                from: at(from),
                route: () => at(to),
                targets: new Map([[at(to), label ?? undefined]]),
              })),
            },
            {},
          )
          await parse(mermaidOf(pictureOf(plan)))
        },
      ),
      { numRuns: 20 },
    )
  })
})
