/** Tasks that run at the same time on one memory: each works on its own fork, all land, and nobody's work is lost. */
import { describe, expect, it } from 'vitest'
import { verify } from '../../src/maintenance/index.ts'
import { agent, type Versioned } from '../../src/memory/index.ts'
import { allStores } from '../repo/support/open-stores.ts'
import { commitsOf, gate, memoryOn, newMemory, newRepository } from './support/open-memories.ts'

const team = agent('team', {
  state: { total: 0, log: [] as string[], best: '', notes: {} as Record<string, string>, tags: new Set<string>() },
  policies: {
    total: 'sum',
    log: 'append',
    tags: (_base, ours, theirs) => new Set([...(ours as Set<string>), ...(theirs as Set<string>)]),
  },
})

interface Work {
  readonly id: string
  readonly meet: Promise<void>
  readonly best?: string
}

const work = team.task('work', async ({ id, meet, best }: Work, { state }) => {
  state.total += id === 'b' ? 2 : 1
  state.log.push(id)
  state.notes[id] = `note of ${id}`
  state.tags.add(id)
  if (best !== undefined) state.best = best
  await meet
})

async function begin(memory: Versioned): Promise<void> {
  await team.task('begin', (_: undefined, { state }) =>
    Object.assign(state, { total: 10, log: ['begin'], best: 'none', tags: new Set(['t']) }),
  )(undefined, { state: memory })
}

describe.each(allStores)('on $name', store => {
  it('ten tasks at once all land, key by key, by the policies', async () => {
    const memory = await newMemory(store)
    await begin(memory)
    const { passed, open } = gate()
    const ids = Array.from({ length: 10 }, (_, i) => `w${i}`)
    const runs = ids.map(id => work({ id, meet: passed }, { state: memory }))
    open()
    await Promise.all(runs)
    const state = await memory.of(team)
    expect(state.total).toBe(20)
    expect([...state.log].sort()).toEqual(['begin', ...ids])
    expect(Object.keys(state.notes).sort()).toEqual(ids)
    expect([...state.tags].sort()).toEqual(['t', ...ids])
    expect(await commitsOf(memory)).toBe(11)
  })

  it('equal changes of two tasks count twice where the policy adds, also over initial values that nobody stored', async () => {
    const memory = await newMemory(store)
    const counter = agent('counter', { state: { n: 10, lines: ['first'] }, policies: { n: 'sum', lines: 'append' } })
    const { passed, open } = gate()
    const count = counter.task('count', async (_: undefined, { state }) => {
      state.n += 1
      state.lines.push('same')
      await passed
    })
    const runs = [1, 2, 3].map(() => count(undefined, { state: memory }))
    open()
    await Promise.all(runs)
    expect({ ...(await memory.of(counter)) }).toEqual({ n: 13, lines: ['first', 'same', 'same', 'same'] })
  })

  it('a task sees neither what is pending elsewhere nor what lands while it runs', async () => {
    const memory = await newMemory(store)
    await begin(memory)
    ;(await memory.of(team)).best = 'pending'
    const { passed, open } = gate()
    const started = gate()
    const look = team.task('look', async (_: undefined, { state }) => {
      started.open()
      await passed
      return [state.best, state.total]
    })
    const run = look(undefined, { state: memory })
    await started.passed
    await work({ id: 'other', meet: Promise.resolve() }, { state: memory })
    open()
    expect(await run).toEqual(['none', 10])
  })

  it('the same change on both sides is no conflict', async () => {
    const memory = await newMemory(store)
    await begin(memory)
    const { passed, open } = gate()
    const runs = ['a', 'b'].map(id => work({ id, meet: passed, best: 'same' }, { state: memory }))
    open()
    await Promise.all(runs)
    expect((await memory.of(team)).best).toBe('same')
  })

  it('a conflict carries base, ours and theirs; the work is on a branch that merge takes with a resolution', async () => {
    const memory = await newMemory(store)
    await begin(memory)
    const { passed, open } = gate()
    const first = work({ id: 'a', meet: Promise.resolve(), best: 'A' }, { state: memory })
    const second = work({ id: 'b', meet: passed, best: 'B' }, { state: memory })
    await first
    open()
    const error = (await second.catch((thrown: unknown) => thrown)) as { data: { source: string } }
    expect(error).toMatchObject({
      code: 'merge-conflict',
      data: { into: 'main', conflicts: [{ path: '/team/best', base: 'none', ours: 'A', theirs: 'B' }] },
    })
    expect((await memory.of(team)).best).toBe('A')
    expect(await memory.repo.at(error.data.source).get('/team/notes/b')).toBe('note of b')
    await memory.merge(error.data.source, { description: 'B was better', resolutions: { '/team/best': 'theirs' } })
    const state = await memory.of(team)
    expect([state.best, state.total, [...state.log].sort(), Object.keys(state.notes)]).toEqual([
      'B',
      13,
      ['a', 'b', 'begin'],
      ['a', 'b'],
    ])
  })

  it.each([
    ['stored values', true],
    ['initial values', false],
  ])('work that lost counts as work that landed: equal additions over %s are all there', async (_, isStored) => {
    const memory = await newMemory(store)
    const vote = agent('vote', {
      state: { n: 10, lines: ['first'], best: '' },
      policies: { n: 'sum', lines: 'append' },
    })
    const cast = vote.task('cast', async (best: string, { state }) => {
      state.n += 1
      state.lines.push('same')
      if (best !== '') state.best = best
    })
    if (isStored) await cast('', { state: memory })
    const { passed, open } = gate()
    const run = vote.task('run', async (best: string, { state }) => {
      state.n += 1
      state.lines.push('same')
      state.best = best
      await passed
    })
    const runs = ['A', 'B', 'C'].map(best => run(best, { state: memory }))
    open()
    const lost = (await Promise.allSettled(runs)).filter(one => one.status === 'rejected')
    expect(lost).toHaveLength(2)
    for (const { reason } of lost) {
      await memory.merge(reason.data.source, { description: 'All', resolutions: { '/vote/best': 'ours' } })
      await memory.merge(reason.data.source, 'Again, which changes nothing')
    }
    const votes = isStored ? 4 : 3
    const { n, lines } = await memory.of(vote)
    expect([n, [...lines]]).toEqual([10 + votes, ['first', ...Array(votes).fill('same')]])
    expect(await verify(memory.repo)).toMatchObject({ ok: true })
  })

  it('the first tasks of a new memory can conflict and be merged too', async () => {
    const memory = await newMemory(store)
    const { passed, open } = gate()
    const runs = ['A', 'B'].map(best => work({ id: best, meet: passed, best }, { state: memory }))
    open()
    const [lost] = (await Promise.allSettled(runs)).filter(run => run.status === 'rejected')
    const { source, conflicts } = lost!.reason.data
    expect(conflicts).toEqual([{ path: '/team/best', base: '', ours: expect.any(String), theirs: expect.any(String) }])
    await memory.merge(source, { description: 'Both', resolutions: { '/team/best': 'theirs' } })
    expect(Object.keys((await memory.of(team)).notes).sort()).toEqual(['A', 'B'])
    expect(await verify(memory.repo)).toMatchObject({ ok: true })
  })

  it('what tasks land shows in the objects of of, in the very objects, and pending changes stay', async () => {
    const memory = await newMemory(store)
    await begin(memory)
    const state = await memory.of(team)
    const { log, notes, tags } = state
    notes['mine'] = 'pending'
    state.total += 5
    await work({ id: 'w', meet: Promise.resolve() }, { state: memory })
    expect(state.log).toBe(log)
    expect(log).toEqual(['begin', 'w'])
    expect(notes).toEqual({ mine: 'pending', w: 'note of w' })
    expect([...tags]).toEqual(['t', 'w'])
    expect(state.total).toBe(16)
    expect(await memory.repo.get('/team/total')).toBe(11)
    log.push('still tracked')
    await memory.checkpoint('Mine')
    expect(await memory.repo.get('/team')).toMatchObject({
      total: 16,
      log: ['begin', 'w', 'still tracked'],
      notes: { mine: 'pending' },
    })
  })

  it('pending changes that conflict stay pending, the checkpoint says so, and a resolution keeps them', async () => {
    const memory = await newMemory(store)
    await begin(memory)
    const state = await memory.of(team)
    state.best = 'mine'
    await work({ id: 'w', meet: Promise.resolve(), best: 'theirs' }, { state: memory })
    expect(state.best).toBe('mine')
    await expect(memory.checkpoint('Mine')).rejects.toMatchObject({
      code: 'merge-conflict',
      data: { conflicts: [{ path: '/team/best', base: 'none', ours: 'theirs', theirs: 'mine' }] },
    })
    expect(state.best).toBe('mine')
    await memory.checkpoint({ description: 'Mine after all', resolutions: { '/team/best': 'theirs' } })
    expect(await memory.repo.get('/team/best')).toBe('mine')
    expect(state.log).toEqual(['begin', 'w'])
  })

  it('two memories on one branch meet at their checkpoints', async () => {
    const repo = await newRepository(store)
    const [one, other] = [await memoryOn(repo), await memoryOn(repo)]
    await begin(one)
    const [a, b] = [await one.of(team), await other.of(team)]
    a.total += 1
    b.total += 2
    a.notes['a'] = '1'
    b.notes['b'] = '2'
    await Promise.all([one.checkpoint('One'), other.checkpoint('Other')])
    expect((await one.of(team)).total).toBe(13)
    expect(a).toBe(await one.of(team))
    expect({ ...a.notes }).toEqual({ a: '1', b: '2' })
    expect((await other.of(team)).total).toBe(13)
  })

  it('a checkpoint inside a task lands what there is so far, and the rest lands at its end', async () => {
    const memory = await newMemory(store)
    await team.task('steps', async (_: undefined, ctx) => {
      ctx.state.total = 1
      if ('checkpoint' in ctx.memory) await ctx.memory.checkpoint('Half way')
      expect(await memory.repo.get('/team/total')).toBe(1)
      ctx.state.log.push('end')
    })(undefined, { state: memory })
    expect(await memory.repo.get('/team')).toEqual({ total: 1, log: ['end'] })
    expect(await commitsOf(memory)).toBe(2)
  })

  it('forks go their own way and merge back', async () => {
    const memory = await newMemory(store)
    await begin(memory)
    ;(await memory.of(team)).notes['before'] = 'the fork'
    const fork = await memory.fork('try/other')
    const tried = await fork.of(team)
    expect(tried.notes['before']).toBe('the fork')
    tried.total += 3
    tried.notes['tried'] = 'yes'
    const state = await memory.of(team)
    state.total += 1
    await memory.checkpoint('Here')
    expect(state.notes['tried']).toBeUndefined()
    expect(await memory.merge(fork)).toMatchObject({ kind: 'merged' })
    expect([state.total, state.notes['tried']]).toEqual([14, 'yes'])
    const stranger = await newMemory(store)
    await expect(memory.merge(stranger)).rejects.toMatchObject({ code: 'memory-foreign' })
    const empty = await (await newMemory(store)).fork('of/nothing')
    expect({ ...(await empty.of(team)) }).toMatchObject({ total: 0 })
  })
})
