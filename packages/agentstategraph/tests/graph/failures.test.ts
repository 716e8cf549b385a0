/** A store that fails at any append: the run ends with that error, and a resume comes to the same end as if it had not. */
import { expect, it } from 'vitest'
import { Send, START, StateGraph } from '../../src/graph/index.ts'
import { verify } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import { type Backend, memoryBackend } from '../../src/store/index.ts'
import { breaking } from './support/breaking-backend.ts'
import { runToEnd } from './support/run-to-end.ts'

interface Told {
  readonly effects: string[]
}

/** A group with a pause in it, Sends inside, and effects in every node. */
function graph(told: Told) {
  const effect = (label: string) => () => {
    told.effects.push(label)
    return label
  }
  return new StateGraph({ state: { log: [] as string[], sum: 0 }, reducers: { log: 'append', sum: 'sum' } })
    .addNodes({
      begin: async (_s, { once }) => ({ log: [await once('e', effect('begin'))] }),
      ask: async (_s, ctx) => {
        const mail = await ctx.once('mail', effect('mail'))
        return { log: [mail, await ctx.interrupt<string>('ok?'), await ctx.once('sent', effect('sent'))] }
      },
      spread: async (_s, { once }) => ({ log: [await once('e', effect('spread'))] }),
      one: async (s, { once }) => {
        const { item } = s as unknown as { item: number }
        return { sum: item, log: [await once('e', effect(`one ${item}`))] }
      },
      gather: s => ({ log: [`gather ${s.sum}`] }),
      end: s => ({ log: [`end ${s.log.length}`] }),
    })
    .addEdge(START, 'begin')
    .addEdge('begin', 'ask')
    .addEdge('begin', 'spread')
    .addConditionalEdges('spread', () => [1, 2, 3].map(item => new Send('one', { item })), ['one'])
    .addEdge('one', 'gather')
    .addEdge(['ask', 'gather'], 'end')
}

/** Runs a thread to its end over a place, answering what it asks. */
async function runOn(backend: Backend, told: Told): Promise<unknown> {
  const repo = await open(backend)
  return runToEnd(graph(told).compile({ repo }).thread('t'), 'yes')
}

it.each([false, true])(
  'a crash at every append, then a resume, gives the same end (the last append kept: %s)',
  async isLastKept => {
    const calm: Told = { effects: [] }
    const expected = await runOn(memoryBackend(), calm)
    expect(calm.effects.length).toBe(new Set(calm.effects).size)
    let crashes = 0
    for (let appends = 0; ; appends++) {
      const place = memoryBackend()
      const told: Told = { effects: [] }
      const first = await runOn(breaking(place, appends, isLastKept), told).then(
        state => ({ state }),
        (error: Error) => ({ error }),
      )
      if ('state' in first) break
      crashes++
      expect(first.error.message).toMatch(/^The line/)
      const kept = told.effects.length
      expect(await runOn(place, told)).toEqual(expected)
      // An effect is done again only if the journal had not heard of it when the line broke.
      const again = told.effects.length - new Set(told.effects).size
      expect(again).toBeLessThanOrEqual(Math.min(kept, 4))
      if (isLastKept) expect(new Set(told.effects)).toEqual(new Set(calm.effects))
      const repo = await open(place)
      expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
    }
    expect(crashes).toBeGreaterThan(8)
  },
)
