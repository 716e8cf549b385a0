/** What a plain value can hide: it is stored as it is, or refused with its place, and never lost. */
import { describe, expect, it } from 'vitest'
import { agent } from '../../src/memory/index.ts'
import { refusalOf, stores } from '../repo/support/open-stores.ts'
import { newMemory } from './support/open-memories.ts'

/** What a test changes in ways that the compiler would refuse. */
type Loose = ReturnType<typeof JSON.parse>

const keeper = agent('keeper', { state: {} as Record<string, Loose> })

describe.each(stores)('on $name', store => {
  it('what hides in a value is refused and never lost: symbols, hidden fields, holes, extra fields', async () => {
    const memory = await newMemory(store)
    const state = await memory.of(keeper)
    const hide: readonly ((value: Loose) => void)[] = [
      value => {
        value.map[Symbol('s')] = 1
      },
      value => Object.defineProperty(value.map, 'h', { value: 1, enumerable: false }),
      value => {
        value.list.length = 3
      },
      value => {
        value.list.extra = 1
      },
      value => {
        value.list[''] = 1
      },
      value => {
        value.list['-1'] = 1
      },
      value => {
        value.list['01'] = 1
      },
      value => {
        value.date.extra = 1
      },
      value => {
        value.m.extra = 1
      },
      value => {
        value.map.self = value.map
      },
    ]
    for (const [i, change] of hide.entries()) {
      state[`k${i}`] = { map: {}, list: [1], date: new Date(0), m: new Map() }
      await memory.checkpoint('Begin')
      change(state[`k${i}`])
      expect((await refusalOf(memory.checkpoint())).code).toBe('checkpoint-refused')
      delete state[`k${i}`]
    }
  })

  it('a key that is renamed to its own stored form is seen, also in a list', async () => {
    const memory = await newMemory(store)
    const state = await memory.of(keeper)
    state['list'] = [{ $x: 1 }, { when: new Date(0) }]
    state['map'] = { $x: 1 }
    await memory.checkpoint('Begin')
    state['list'][0] = { $$x: 1 }
    state['list'][1].when = { $date: new Date(0).toISOString() }
    state['map'] = { $$x: 1 }
    await memory.checkpoint('Rename')
    expect(await memory.repo.get('/keeper')).toEqual({
      list: [{ $$x: 1 }, { when: { $date: new Date(0).toISOString() } }],
      map: { $$x: 1 },
    })
  })

  it('an initial list with properties is refused, not stored without them', async () => {
    const odd = agent('odd', { state: { list: Object.assign([new Date(0)], { total: 1 }), n: 0 } })
    const memory = await newMemory(store)
    const state = await memory.of(odd)
    state.n++
    await expect(
      (async () => {
        state.list.push(new Date(1))
        await memory.checkpoint('Grow')
      })(),
    ).rejects.toMatchObject({ code: expect.stringMatching(/refused/) })
  })
})
