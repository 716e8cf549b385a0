/** Wherever a thread stops: it shows all that has finished, a change made there holds, and nothing finished runs again. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { open } from '../../src/repository/index.ts'
import { type Branch, branches, pausedGraph } from './support/paused-graph.ts'

interface Told {
  /** What nodes and people added to the log. */
  readonly lines: string[]
  /** Who wrote a note last. */
  readonly notes: Map<string, string>
}

/** Brings a thread to its end, and changes something at many of its stops. */
async function runWithChanges(shape: readonly Branch[], choices: readonly number[], told: Told): Promise<number> {
  const finished = (id: string): void => {
    told.lines.push(id)
    told.notes.set(id, 'node')
  }
  const thread = pausedGraph(await open(), shape, finished).thread('t')
  let now = await thread.run({})
  for (let stop = 0; now.status !== 'done'; stop++) {
    expect(stop).toBeLessThan(100)
    expect(now.status === 'paused' || now.status === 'failed').toBe(true)
    expectShown(now.state, told)
    if (now.status === 'paused') expect(now.next).not.toContain(undefined)
    const choice = choices[stop % choices.length]!
    const known = [...told.notes.keys()]
    const note = known[choice % Math.max(1, known.length)]
    if (choice % 3 !== 0 && note !== undefined) {
      const person = `person ${stop}`
      told.lines.push(person)
      told.notes.set(note, person)
      const changed = await thread.update({ log: [person], notes: { [note]: person } })
      expectShown(changed.state, told)
      expect([changed.status, 'next' in changed && changed.next]).toEqual([now.status, now.next])
    }
    const answers = now.status === 'paused' ? now.interrupts.map(({ id }) => ({ id, value: 1 })) : []
    now = await thread.resume(answers)
  }
  expectShown(now.state, told)
  expect(now.state.log.at(-1)).toBe('end')
  return told.lines.length
}

function expectShown(
  { log, notes }: { readonly log: readonly string[]; readonly notes: Readonly<Record<string, string>> },
  told: Told,
): void {
  expect([...log].sort()).toEqual([...told.lines].sort())
  expect(notes).toEqual(Object.fromEntries(told.notes))
}

it('the state at any stop is all that has finished, with the changes made since', async () => {
  const choices = fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(branches, choices, async (shape, chosen) => {
      const told: Told = { lines: [], notes: new Map() }
      await runWithChanges(shape, chosen, told)
      const counts = told.lines.filter(line => !line.startsWith('person'))
      expect(counts.length).toBe(new Set(counts).size)
    }),
    { numRuns: 20 },
  )
})
