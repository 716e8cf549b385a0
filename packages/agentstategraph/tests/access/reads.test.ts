/** Read limits: by every route a principal sees what its grants allow, and nothing else. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plans } from '../../src/plans/index.ts'
import type { Commit, Repository } from '../../src/repository/index.ts'
import { schemas } from '../../src/schema/index.ts'
import { limited, SECRET, told } from './support/limited-reader.ts'
import { codeOf, person } from './support/people.ts'

let repo: Repository
let reader: Repository
let hidden: string

beforeEach(async () => {
  ;({ repo, reader, hidden } = await limited())
})

afterEach(() => repo.close())

async function drained(events: AsyncIterable<unknown>, count: number): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for await (const event of events) {
    found.push(event)
    if (found.length >= count) break
  }
  return found
}

describe('values', () => {
  it('get shows the part that may be read, and refuses the rest alike whether it is there or not', async () => {
    expect(await reader.get('/')).toEqual({ public: { greeting: 'hello', list: [{ open: 1 }, 2] } })
    expect(await reader.get('/public/list/0')).toEqual({ open: 1 })
    const [there, absent] = [
      await told(() => reader.get('/private/token')),
      await told(() => reader.get('/private/absent')),
    ]
    expect(there).toContain('access-denied')
    expect(there.replaceAll('token', 'X')).toBe(absent.replaceAll('absent', 'X'))
    expect(await codeOf(() => reader.find('/private'))).toBe('access-denied')
    expect(await codeOf(() => reader.has('/private/token'))).toBe('access-denied')
    expect(await codeOf(() => reader.get('/public/none'))).toBe('path-not-found')
    expect(await reader.find('/public/none')).toBeUndefined()
  })

  it('list and search count and find only what may be read', async () => {
    expect(await reader.list('/', { depth: 9 })).toEqual(
      (await repo.list('/', { depth: 9 })).filter(({ path }) => path.startsWith('/public')),
    )
    expect(await reader.search('hidden')).toEqual([])
    expect(await reader.search('private')).toEqual([])
    expect(await reader.search('hello')).toHaveLength(1)
    expect(await codeOf(() => reader.list('/private'))).toBe('access-denied')
  })

  it('what is allowed deep inside shows the way there and nothing beside it', async () => {
    await repo.set('/deep', { a: { x: 1, y: SECRET }, b: { x: SECRET }, c: [[{ x: 5 }, SECRET], SECRET] }, 'Deep')
    const narrow = await person(repo, 'agent/narrow', { capabilities: ['read'], paths: ['/deep/a/x', '/deep/c/*/0'] })
    expect(await narrow.get('/')).toEqual({ deep: { a: { x: 1 }, c: [[{ x: 5 }, null], null] } })
    expect(await narrow.list('/deep')).toEqual([
      { path: '/deep/a', kind: 'map', size: 1 },
      { path: '/deep/c', kind: 'list', size: 2 },
    ])
    expect(await codeOf(() => narrow.get('/deep/b'))).toBe('access-denied')
    const nothing = await person(repo, 'agent/nothing', { capabilities: ['read'], paths: ['/**/public'] })
    expect(await nothing.get('/deep').catch((e: unknown) => (e as { code: string }).code)).toBe('path-not-found')
    expect(await nothing.get('/')).toEqual({ public: await repo.get('/public') })
  })

  it('transactions, speculations and snapshots read no more', async () => {
    await reader.commit('Read', async tx => {
      expect(await tx.get('/')).toEqual(await reader.get('/'))
      expect(await codeOf(() => tx.find('/private/token'))).toBe('access-denied')
      expect(await codeOf(() => tx.has('/private/token'))).toBe('access-denied')
      expect(await tx.list('/')).toHaveLength(1)
      tx.set('/public/mine', 1)
    })
    await using trial = await reader.speculate()
    await trial.set('/public/greeting', 'hey')
    expect(await trial.get('/')).toHaveProperty('public.greeting', 'hey')
    expect(await codeOf(() => trial.get('/private/token'))).toBe('access-denied')
    expect(await trial.changes()).toHaveLength(1)
    expect(await reader.at('open/one').get('/')).toHaveProperty('public.greeting', 'hi')
    expect(await codeOf(() => reader.at('open/one').get('/private'))).toBe('access-denied')
    expect(await reader.at(new Date('2999-01-01')).find('/')).not.toHaveProperty('private')
  })

  it('what the system keeps is read by who is granted it by name', async () => {
    await plans(repo).create('rollout', SECRET)
    await schemas(repo).attach('/public', { type: 'object' }, {}, 'Shape')
    expect(await codeOf(() => plans(reader).get('rollout'))).toBe('access-denied')
    expect(await codeOf(() => plans(reader).get('none'))).toBe('access-denied')
    expect(await plans(reader).list()).toEqual([])
    expect(await codeOf(() => schemas(reader).list())).toBe('access-denied')
    expect(await codeOf(() => schemas(reader).check())).toBe('access-denied')
    expect(await codeOf(() => reader.get('/_plans/rollout'))).toBe('access-denied')
    const planner = await person(repo, 'agent/planner', {
      capabilities: ['read'],
      paths: ['/_plans/rollout', '/_meta'],
    })
    expect((await plans(planner).get('rollout')).description).toBe(SECRET)
    expect(await schemas(planner).list()).toHaveLength(1)
    expect(await planner.get('/')).toEqual({})
  })
})

describe('history', () => {
  it('log and query list commits that changed something that may be read', async () => {
    expect((await reader.log()).map(one => one.intent.description)).toEqual(['Both', 'Greet'])
    expect((await reader.query({})).map(one => one.intent.description)).toEqual(['Greet otherwise', 'Both', 'Greet'])
    expect((await reader.log({ order: 'oldest', limit: 1 }))[0]?.intent.description).toBe('Greet')
    expect(await reader.log({ path: '/private/**' })).toEqual([])
    expect(await reader.query({ path: '/private/**' })).toEqual([])
    expect(await reader.query({ text: SECRET })).toEqual([])
    expect(await reader.query({ path: '/public/**' }).count()).toBe(3)
  })

  it('a commit shows what was said of it, but not what it says of places that may not be read', async () => {
    const [both] = await reader.log()
    const [{ root: _, ...whole }] = (await repo.log()) as [Commit]
    expect(both).toEqual({ ...whole, parents: [], expects: [], tools: [{ name: 'vault' }] })
    expect(await reader.head()).toEqual(both)
    await repo.set('/private/token', 'x', 'Hidden head')
    expect((await reader.head()).intent.description).toBe('Both')
  })

  it('a cursor leads nowhere that the log does not', async () => {
    const secret = (await repo.on('secret/plan').head()).seq
    expect(await codeOf(() => reader.log().page({ limit: 5, after: `0:${secret}` }))).toBe('option-invalid')
    const { next } = await reader.log().page({ limit: 1 })
    expect((await reader.log().page({ limit: 5, after: next })).items).toHaveLength(1)
  })

  it('blame names the writer of what may be read as a whole', async () => {
    const { intent, value } = await reader.blame('/public/greeting')
    expect([intent.description, value]).toEqual(['Greet', 'hello'])
    expect(await codeOf(() => reader.blame('/'))).toBe('access-denied')
    expect(await codeOf(() => reader.blame('/private/token', { chain: true }))).toBe('access-denied')
    expect((await reader.blameTree()).map(({ path }) => path)).toEqual([
      '/public/greeting',
      '/public/list/0/open',
      '/public/list/1',
    ])
    expect(await reader.history('/public/greeting')).toHaveLength(1)
    expect(await codeOf(() => reader.history('/private/token'))).toBe('access-denied')
    const chain = await reader.blame('/public/list', { chain: true })
    expect(chain.tools).toEqual([{ name: 'vault' }])
  })

  it('the chain of a blame shows alternatives, observations and what came next as far as they may be read', async () => {
    await using other = await repo.speculate({ label: 'other' })
    await other.set('/private/token', SECRET.toUpperCase())
    await other.set('/public/greeting', 'moin')
    const { id } = await repo.set('/public/greeting', 'hallo', {
      description: 'Choose',
      alternatives: [other],
      expects: [{ path: '/public/greeting', equals: 'hallo' }],
    })
    await repo.observe(id, {
      held: true,
      observed: [
        { path: '/private/token', value: SECRET },
        { path: '/public/greeting', value: 'hallo' },
      ],
    })
    await repo.commit('Both again', tx => tx.set('/private/token', SECRET).set('/public/greeting', 'hallo!'))
    const chain = await reader.at('main').blame('/public/greeting', { chain: true })
    expect(chain.intent.description).toBe('Both again')
    const [before] = (await reader.log()).filter(one => one.id === id)
    expect(before?.expects).toEqual([{ path: '/public/greeting', equals: 'hallo' }])
    const at = await reader.at({ id }).blame('/public/greeting', { chain: true })
    expect(at.considered).toEqual([
      { label: 'other', changes: [{ op: 'change', path: '/public/greeting', before: 'hello', after: 'moin' }] },
    ])
    const observed = [{ path: '/public/greeting', value: 'hallo' }]
    expect(at.observed).toEqual([{ held: true, observed, agent: 'anonymous', timestamp: expect.any(String) }])
    expect(at.next.map(one => one.intent.description)).toEqual(['Both again'])
  })

  it('diff, preview and compare show only what may be read', async () => {
    expect(await reader.diff('main', 'open/one')).toEqual([
      { op: 'change', path: '/public/greeting', before: 'hello', after: 'hi' },
    ])
    expect(await codeOf(() => reader.diff('main', 'open/one', { below: '/private' }))).toBe('access-denied')
    expect(await codeOf(() => reader.diff('main', 'secret/plan'))).toBe('ref-not-found')
    expect((await reader.previewMerge('open/one')).changes).toHaveLength(1)
    await using a = await repo.speculate({ label: 'a' })
    await a.set('/private/token', SECRET)
    await a.set('/public/greeting', 'a')
    const { rows, columns } = await reader.compare([a.id])
    expect(rows.map(({ path }) => path)).toEqual(['/public/greeting'])
    expect(columns[0]?.changes).toHaveLength(1)
  })

  it('graph, intents, branches, tags and speculations are those that may be known', async () => {
    await using hiddenTrial = await repo.on('secret/plan').speculate({ label: SECRET })
    await repo.resolveIntent(`intent/${SECRET}`, { outcome: 'failed', summary: SECRET })
    await repo.resolveIntent('intent/both', { outcome: 'fulfilled', summary: 'Done' })
    expect((await reader.commitGraph()).commits.map(one => one.description)).toEqual([
      'Greet otherwise',
      'Both',
      'Greet',
    ])
    expect(
      (await reader.commitGraph()).commits
        .flatMap(one => one.refs)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['main'])
    const { intents: tree } = await reader.intentTree()
    expect(JSON.stringify(tree)).not.toContain(SECRET)
    expect(tree.find(({ id }) => id === 'intent/both')?.resolutions).toHaveLength(1)
    expect((await reader.branches()).map(({ name }) => name)).toEqual(['main', 'open/one'])
    expect(await reader.tags()).toEqual([])
    expect(await reader.speculations()).toEqual([])
    expect(await told(() => reader.getSpeculation(hiddenTrial.id))).toBe(
      (await told(() => reader.getSpeculation('none'))).replaceAll('none', hiddenTrial.id),
    )
    expect(await codeOf(() => reader.compare([hiddenTrial.id]))).toBe('speculation-gone')
  })

  it('pages of the tree of intents are continued from a commit that was shown, wherever the walk stands', async () => {
    const shown = new Set((await reader.log()).map(({ seq }) => String(seq)))
    let after: string | undefined
    const ids: string[] = []
    do {
      const page = await reader.intentTree({ from: 'main', limit: 1, ...(after === undefined ? {} : { after }) })
      for (const { id } of page.intents) ids.push(id)
      after = page.next
      if (after !== undefined) for (const number of after.match(/\d+/g) ?? []) expect(shown).toContain(number)
    } while (after !== undefined)
    const whole = await reader.intentTree({ from: 'main' })
    expect(ids.sort()).toEqual(whole.intents.map(({ id }) => id).sort())
    await expect(reader.intentTree({ from: 'main', after: 'f1' })).rejects.toMatchObject({ code: 'option-invalid' })
  })

  it('watch tells of what may be read, as it may be read', async () => {
    await repo.observe(hidden, { held: true, note: SECRET })
    await repo.commit('Last', tx => tx.set('/public/end', 1).set('/private/token', `${SECRET}-3`))
    const all = await drained(reader.watch({ after: 0 }), 5)
    expect(JSON.stringify(all)).not.toContain(SECRET)
    expect(all.at(-1)).toMatchObject({ kind: 'commit', changes: [{ op: 'add', path: '/public/end' }] })
    const [first] = await drained(reader.watch({ after: 0, path: '/public/**' }), 1)
    expect(first).toMatchObject({ kind: 'commit', commit: { intent: { description: 'Greet' } } })
  })

  it('calibration counts what may be seen', async () => {
    const seen = await repo.set('/public/x', 1, { description: 'x', confidence: 0.9 })
    const unseen = await repo.set('/private/x', 1, { description: 'x', confidence: 0.9 })
    for (const { id } of [seen, unseen]) await repo.observe(id, { held: true })
    expect((await repo.calibration()).count).toBe(2)
    expect((await reader.calibration()).count).toBe(1)
  })

  it('bisect goes through what may be seen', async () => {
    const [first] = await repo.log({ order: 'oldest', limit: 1 })
    await repo.set('/public/greeting', 'broken', 'Break it')
    await repo.set('/private/token', SECRET.repeat(2), 'Hidden')
    const bad = await reader.bisect(
      { good: first!, bad: 'main' },
      async at => (await at.find('/public/greeting')) === 'hello',
    )
    expect(bad.intent.description).toBe('Break it')
  })
})
