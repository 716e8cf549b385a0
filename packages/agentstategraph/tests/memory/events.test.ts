/** Events: kept as entries in order, found by agent and kind, and each leads to the memory before and after it. */
import { describe, expect, it } from 'vitest'
import { agent, events, type MemoryEvent, view } from '../../src/memory/index.ts'
import { allStores, refusalOf, stores } from '../repo/support/open-stores.ts'
import { memoryOn, newMemory, newRepository } from './support/open-memories.ts'

const analyst = agent('analyst', { state: { n: 0 } })
const count = analyst.task('count', (by: number, { state, emit }) => {
  emit({ kind: 'action', thinking: 'count', code: `n += ${by}` })
  state.n += by
  emit({ kind: 'output', parts: [state.n, new Map([['at', new Date(0)]])] })
  emit({ kind: 'clarify', message: 'sure?' })
  emit({ kind: 'error', error: new RangeError('not fatal') })
  emit({ kind: 'custom', name: 'metric', data: { n: 1n } })
  return state.n
})

describe.each(allStores)('on $name', store => {
  it('every kind is told in order, kept, and read back as it was told', async () => {
    const repo = await newRepository(store, { clock: () => new Date(1000) })
    const memory = await memoryOn(repo)
    await count(1, { state: memory })
    const before = (await repo.head()).id
    const heard: MemoryEvent[] = []
    await count(2, { state: memory, onEvent: event => heard.push(event) })
    const after = (await repo.head()).id
    const kept = await events(await memoryOn(repo), { after: heard[0]!.seq - 1 })
    expect(kept).toEqual(heard.map(event => ({ ...event, commitAfter: after })))
    expect(kept.map(({ kind }) => kind)).toEqual(['start', 'action', 'output', 'clarify', 'error', 'custom', 'success'])
    expect(kept.every(event => event.commitBefore === before && event.timestamp === '1970-01-01T00:00:01.000Z')).toBe(
      true,
    )
    expect(kept[4]).toMatchObject({ recoverable: true, error: new RangeError('not fatal') })
    expect(await view(await memory.checkout(kept[1]!.commitBefore!), { focus: 'full' })).toBe('analyst\n  n = 1')
    expect(await view(await memory.checkout(kept[1]!.commitAfter!), { focus: 'full' })).toBe('analyst\n  n = 3')
    const seqs = kept.map(({ seq }) => seq)
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
  })

  it('are found by agent, kind, place and number, a page at a time', async () => {
    const memory = await newMemory(store)
    const other = agent('other', { state: {} }).task('note', (_: undefined, { emit }) =>
      emit({ kind: 'custom', name: 'x', data: 1 }),
    )
    for (let i = 0; i < 3; i++) {
      await count(1, { state: memory })
      await other(undefined, { state: memory })
    }
    expect(await events(memory, { agent: 'other' })).toHaveLength(9)
    expect(await events(memory, { kind: 'custom' })).toHaveLength(6)
    expect(await events(memory, { kind: 'custom', agent: 'other', limit: 2 })).toHaveLength(2)
    const all = await events(memory)
    expect(await events(memory, { after: all[10]!.seq })).toEqual(all.slice(11))
    const first = await events(memory, { kind: 'action' }).page({ limit: 2 })
    const rest = await events(memory, { kind: 'action' }).page({ limit: 2, after: first.next })
    expect([...first.items, ...rest.items]).toEqual(await events(memory, { kind: 'action' }))
    expect(rest.next).toBeUndefined()
    const fork = await memory.fork('own')
    expect(await events(fork)).toEqual([])
    // @ts-expect-error an action has no result
    expect(first.items[0]!.result).toBeUndefined()
  })

  it('an input or result that cannot be stored does not stop the task; what a task tells by itself is refused', async () => {
    const memory = await newMemory(store)
    const open = analyst.task('open', (_input: { read(): string }) => () => 'handle')
    await open({ read: () => 'x' }, { state: memory })
    const [start, success] = await events(memory)
    expect(start).toMatchObject({ kind: 'start', input: '[not stored: /input/read is a function]' })
    expect(success).toMatchObject({ kind: 'success', result: '[not stored: /result is a function]' })
    const wrong = analyst.task('wrong', (_: undefined, { emit }) => emit({ kind: 'custom', name: 'f', data: () => 1 }))
    expect((await refusalOf(wrong(undefined, { state: memory }))).code).toBe('value-refused')
  })

  it('hold values of any length', async () => {
    const memory = await newMemory(store)
    const long = 'ä'.repeat(200_000)
    await analyst.task('long', (_: undefined, { emit }) => emit({ kind: 'output', parts: [long] }))(undefined, {
      state: memory,
    })
    await count(1, { state: memory })
    expect((await events(memory, { kind: 'output', limit: 1 }))[0]!.parts).toEqual([long])
    expect(await events(memory)).toHaveLength(10)
  })
})

it.each(stores)('many events on $name cost in proportion, and a page costs a page', async store => {
  const memory = await newMemory(store)
  const told = 20_000
  const talk = analyst.task('talk', async (_: undefined, { emit }) => {
    for (let i = 0; i < told; i++) {
      emit({ kind: i % 1000 === 0 ? 'clarify' : 'action', message: `m${i}`, thinking: 't' } as never)
      if (i % 500 === 0) await Promise.resolve()
    }
  })
  await talk(undefined, { state: memory })
  expect(await events(memory, { kind: 'clarify' })).toHaveLength(told / 1000)
  const head = (await memory.repo.handle.journal.log.head()).seq
  const rows = await memory.repo.handle.journal.log.entries(head - 999, head - 2, ['text'])
  const mean = rows.reduce((sum, { text }) => sum + text.length, 0) / rows.length
  expect(mean).toBeLessThan(400)
  let reads = 0
  const { log } = memory.repo.handle.journal
  // Elsewhere nothing tells how many rows a page takes.
  if (log.sync === undefined) return
  const { entries } = log.sync
  log.sync.entries = (...args) => {
    reads++
    return entries.apply(log.sync!, args)
  }
  expect(await events(memory, { kind: 'clarify', after: head - 3000, limit: 2 })).toHaveLength(2)
  expect(reads).toBeLessThan(20)
})
