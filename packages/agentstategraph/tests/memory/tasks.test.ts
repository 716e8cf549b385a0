/** Agents and their tasks: what each kind of memory remembers, what a task's end keeps, and what it says of it. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { agent, events, Live, type MemoryEvent, Versioned } from '../../src/memory/index.ts'
import { allStores, refusalOf } from '../repo/support/open-stores.ts'
import { commitsOf, gate, memoryOn, newMemory, newRepository } from './support/open-memories.ts'

const analyst = agent('analyst', { state: { seen: [] as number[], mean: 0 } })
const build = analyst.task('build-analysis', async (data: number[], { state, emit }) => {
  state.seen.push(...data)
  state.mean = state.seen.reduce((a, b) => a + b, 0) / state.seen.length
  emit({ kind: 'action', thinking: 'a running mean is enough' })
  return { mean: state.mean }
})

describe('without a memory', () => {
  it('a task forgets, and its initial values are never changed', async () => {
    expect(await build([1, 2, 3])).toEqual({ mean: 2 })
    expect(await build([4, 5, 6])).toEqual({ mean: 5 })
  })

  it('any object is allowed', async () => {
    const opener = agent('opener', { state: { close: null as null | (() => string) } })
    const use = opener.task('use', (_: undefined, { state }) => {
      state.close = () => 'closed'
      return state.close()
    })
    expect(await use(undefined)).toBe('closed')
  })

  it('events are heard', async () => {
    const heard: string[] = []
    await build([1], { onEvent: event => heard.push(event.kind) })
    expect(heard).toEqual(['start', 'action', 'success'])
  })
})

describe('Live', () => {
  it('remembers in the process, in the very objects', async () => {
    const live = new Live()
    await build([1, 2, 3], { state: live })
    expect(await build([4, 5, 6], { state: live })).toEqual({ mean: 3.5 })
    expect(live.of(analyst).seen).toEqual([1, 2, 3, 4, 5, 6])
    expect(live.of(analyst)).toBe(live.of(analyst))
  })

  it('holds any object and keeps agents apart', async () => {
    const live = new Live()
    const socket = agent('socket', { state: { open: undefined as undefined | { write(): number } } })
    const connect = socket.task('connect', (_: undefined, { state }) => {
      state.open ??= { write: () => 7 }
    })
    await connect(undefined, { state: live })
    const write = socket.task('write', (_: undefined, { state }) => state.open!.write())
    expect(await write(undefined, { state: live })).toBe(7)
    expect(live.of(analyst).seen).toEqual([])
  })

  it('keeps its events, each once, in order', async () => {
    const live = new Live({ clock: () => new Date(5) })
    await build([1], { state: live })
    const kept = await events(live)
    expect(kept.map(({ seq, kind, timestamp }) => [seq, kind, timestamp])).toEqual(
      ['start', 'action', 'success'].map((kind, i) => [i + 1, kind, '1970-01-01T00:00:00.005Z']),
    )
    expect((await events(live, { after: 1, kind: 'success' }))[0]).toMatchObject({ result: { mean: 1 } })
  })
})

describe.each(allStores)('Versioned on $name', store => {
  it('remembers across tasks and for another process, one commit for each task', async () => {
    const repo = await newRepository(store)
    const memory = await memoryOn(repo)
    await build([1, 2, 3], { state: memory })
    expect(await build([4, 5, 6], { state: await memoryOn(repo) })).toEqual({ mean: 3.5 })
    expect(await commitsOf(memory)).toBe(2)
    expect(await repo.get('/analyst')).toEqual({ mean: 3.5, seen: [1, 2, 3, 4, 5, 6] })
    expect((await memory.of(analyst)).mean).toBe(3.5)
    const head = await repo.head()
    expect(head).toMatchObject({
      agent: 'analyst',
      intent: { category: 'Checkpoint', description: 'analyst/build-analysis: success' },
    })
    expect((await repo.blame('/analyst/seen/0')).id).not.toBe(head.id)
    expect((await repo.blame('/analyst/seen/5')).id).toBe(head.id)
  })

  it('makes no commit when nothing changed, and the events carry the head as both', async () => {
    const memory = await newMemory(store)
    await build([1], { state: memory })
    const look = analyst.task('look', (_: undefined, { state }) => state.seen.length + state.mean)
    expect(await look(undefined, { state: memory })).toBe(2)
    expect(await commitsOf(memory)).toBe(1)
    const { id } = await memory.repo.head()
    const [start] = await events(memory, { kind: 'start', after: (await events(memory)).at(2)!.seq })
    expect(start).toMatchObject({ task: 'look', commitBefore: id, commitAfter: id })
  })

  it('says how long a task took, how it ended and why, and keeps what it did until it failed', async () => {
    let time = 1_700_000_000_000
    const memory = await newMemory(store, { clock: () => new Date(time) })
    const fail = analyst.task('fail', (_: undefined, { state }) => {
      state.seen.push(9)
      time += 250
      throw new TypeError('no such column')
    })
    await expect(fail(undefined, { state: memory })).rejects.toThrow(TypeError)
    const head = await memory.repo.head()
    expect(head.intent.description).toBe('analyst/fail: failed')
    expect(head.reasoning).toBe('TypeError: no such column')
    expect(head.tools[0]).toMatchObject({
      name: 'analyst/fail',
      result: { status: 'failed', durationMs: 250, error: 'TypeError: no such column' },
    })
    expect((await memory.of(analyst)).seen).toEqual([9])
    const told = await events(memory)
    expect(told.map(({ kind }) => kind)).toEqual(['start', 'error', 'fail'])
    expect(told[1]).toMatchObject({ recoverable: false, commitAfter: head.id })
    expect((told[1] as Extract<MemoryEvent, { kind: 'error' }>).error).toBeInstanceOf(TypeError)
    expect(told[2]).toMatchObject({ message: 'no such column' })
  })

  it('rolls a failed task back when that is asked for, and still tells what happened', async () => {
    const memory = await newMemory(store)
    await build([1], { state: memory })
    const { id } = await memory.repo.head()
    const spoil = analyst.task(
      'spoil',
      (_: undefined, { state }) => {
        state.seen.length = 0
        throw new Error('no')
      },
      { onError: 'rollback' },
    )
    await expect(spoil(undefined, { state: memory })).rejects.toThrow('no')
    expect((await memory.of(analyst)).seen).toEqual([1])
    expect((await memory.repo.head()).id).toBe(id)
    expect((await events(memory, { kind: 'fail' }))[0]).toMatchObject({ commitBefore: id, commitAfter: id })
  })

  it.each(['text', 42, null, undefined, { code: 7 }, Symbol('s')])(
    'passes on what is thrown that is no error: %s',
    async thrown => {
      const memory = await newMemory(store)
      const odd = analyst.task('odd', (_: undefined, { state }) => {
        state.mean = 4
        throw thrown
      })
      let caught: unknown = 'nothing'
      await odd(undefined, { state: memory }).catch((error: unknown) => {
        caught = error
      })
      expect(caught).toBe(thrown)
      expect((await memory.of(analyst)).mean).toBe(4)
      expect((await memory.repo.head()).intent.description).toBe('analyst/odd: failed')
    },
  )

  it('keeps what an aborted task did, and ends it at once', async () => {
    const memory = await newMemory(store)
    const controller = new AbortController()
    const waiting = gate()
    let kept: { seen: number[] } | undefined
    const wait = analyst.task('wait', async (_: undefined, { state, signal }) => {
      state.seen.push(1)
      kept = state
      expect(signal).toBe(controller.signal)
      waiting.open()
      await new Promise(() => {})
    })
    const run = wait(undefined, { state: memory, signal: controller.signal })
    await waiting.passed
    controller.abort(new Error('the user left'))
    await expect(run).rejects.toThrow('the user left')
    expect((await memory.repo.head()).intent.description).toBe('analyst/wait: aborted')
    expect((await memory.of(analyst)).seen).toEqual([1])
    expect(() => {
      kept!.seen = []
    }).toThrow(/its task has ended/)
    await expect(wait(undefined, { state: memory, signal: controller.signal })).rejects.toThrow('the user left')
    expect(await commitsOf(memory)).toBe(1)
  })

  it('nests: an inner task shares the fork under its own prefix, and the outermost owns the checkpoint', async () => {
    const memory = await newMemory(store)
    const clerk = agent('clerk', { state: { filed: 0 } })
    const file = clerk.task('file', (n: number, { state }) => (state.filed += n))
    const outer = analyst.task('outer', async (_: undefined, ctx) => {
      ctx.state.mean = 1
      await file(2, { state: ctx.memory })
      expect(await file(3, { state: ctx.memory })).toBe(5)
      expect((await memory.of(clerk)).filed).toBe(0)
      return await commitsOf(memory).catch(() => 0)
    })
    expect(await outer(undefined, { state: memory })).toBe(0)
    expect(await commitsOf(memory)).toBe(1)
    expect(await memory.repo.get('/')).toEqual({ analyst: { mean: 1 }, clerk: { filed: 5 } })
    const { id } = await memory.repo.head()
    const inner = await events(memory, { agent: 'clerk' })
    expect(inner.map(({ kind, task, commitAfter }) => [kind, task, commitAfter])).toEqual(
      ['start', 'success', 'start', 'success'].map(kind => [kind, 'file', id]),
    )
    const live = new Live()
    await analyst.task('live', (_: undefined, ctx) => file(1, { state: ctx.memory }))(undefined, { state: live })
    expect(live.of(clerk).filed).toBe(1)
  })

  it('a nested task that is to roll back leaves what was there before it', async () => {
    const memory = await newMemory(store)
    const clerk = agent('clerk', { state: { filed: [] as string[] } })
    const file = clerk.task('file', (name: string, { state }) => void state.filed.push(name))
    const lose = clerk.task(
      'lose',
      (_: undefined, { state }) => {
        state.filed.pop()
        throw new Error('lost')
      },
      { onError: 'rollback' },
    )
    await analyst.task('outer', async (_: undefined, ctx) => {
      await file('a', { state: ctx.memory })
      await lose(undefined, { state: ctx.memory }).catch(() => {})
      await file('b', { state: ctx.memory })
    })(undefined, { state: memory })
    expect((await memory.of(clerk)).filed).toEqual(['a', 'b'])
  })

  it.each([
    [
      'throws',
      (): never => {
        throw new Error('listener')
      },
    ],
    ['rejects', async (): Promise<void> => Promise.reject(new Error('listener'))],
  ])('gives its result though onEvent %s, and keeps why among its events, once', async (_, onEvent) => {
    const memory = await newMemory(store)
    const result = await build([1], { state: await newMemory(store) })
    expect(await build([1], { state: memory, onEvent })).toEqual(result)
    expect((await memory.of(analyst)).seen).toEqual([1])
    const told = await events(memory)
    expect(told).toHaveLength(4)
    const message = 'onEvent threw at the start event of analyst/build-analysis: listener'
    expect(told.at(-1)).toMatchObject({ kind: 'error', recoverable: true, error: { message } })
  })

  it('gives defaults by a schema, and refuses what does not match it, on load and at the checkpoint', async () => {
    const repo = await newRepository(store)
    const memory = await memoryOn(repo)
    const strict = agent('strict', {
      state: z.object({ notes: z.array(z.string()).default([]), level: z.number().max(9).default(1) }),
    })
    const note = strict.task('note', (text: string, { state }) => void state.notes.push(text))
    await note('one', { state: memory })
    expect({ ...(await memory.of(strict)) }).toEqual({ notes: ['one'], level: 1 })
    const raise = strict.task('raise', (level: number, { state }) => {
      state.level = level
    })
    const refusal = await refusalOf(raise(10, { state: memory }))
    expect(refusal).toMatchObject({ code: 'memory-schema-mismatch', data: { agent: 'strict', when: 'checkpoint' } })
    expect(refusal.message).toContain('level')
    expect(await commitsOf(memory)).toBe(1)
    await repo.set('/strict/notes', 'not a list', 'Spoil it')
    const onLoad = await refusalOf((await memoryOn(repo)).of(strict))
    expect(onLoad).toMatchObject({ code: 'memory-schema-mismatch', data: { when: 'loading' } })
    expect(onLoad.message).toContain('notes')
    expect(await repo.get('/strict/notes')).toBe('not a list')
  })

  it('keeps transient keys in the process, across tasks and out of the store', async () => {
    const repo = await newRepository(store)
    const memory = await memoryOn(repo)
    const reader = agent('reader', {
      state: { cursor: null as null | { next(): number }, count: 0 },
      transient: ['cursor'],
    })
    const read = reader.task('read', (_: undefined, { state }) => {
      state.cursor ??= { next: () => 7 }
      state.count += state.cursor.next()
    })
    await read(undefined, { state: memory })
    await read(undefined, { state: memory })
    expect((await memory.of(reader)).cursor?.next()).toBe(7)
    expect(await repo.get('/reader')).toEqual({ count: 14 })
    expect((await (await memoryOn(repo)).of(reader)).cursor).toBeNull()
  })
})

it('refuses names that cannot be kept', () => {
  for (const name of ['', ' ', 'a\u0000b', '\uD800', 'x'.repeat(300), '_meta', 'a*']) {
    expect(() => agent(name)).toThrow(/is not a name for an agent/)
  }
  expect(() => analyst.task('', () => 1)).toThrow(/agent task/)
})

it('a memory on an unknown branch of a repository is refused, and one on a new repository begins there', async () => {
  await using memory = await Versioned.open(undefined, { branch: 'agents' })
  await build([1], { state: memory })
  expect((await memory.repo.branches()).map(({ name }) => name)).toEqual(['agents'])
})
