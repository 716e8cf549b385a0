/** What operations do across calls: nothing ties two calls together but what the caller sends again. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openHost, type StoreHost } from '../../src/host/store-host.ts'
import { faultOf } from '../../src/wire/faults/fault.ts'
import { app } from './support/app.ts'
import { getOperation } from './support/fixture.ts'

let host: StoreHost

beforeEach(async () => {
  host = await openHost(undefined, { apps: app })
})

afterEach(() => host.close())

/** A call as a surface makes it: input checked, output as JSON. */
async function call(name: string, input: Record<string, unknown> = {}, agent = 'agent/a') {
  const operation = getOperation(name)
  const given = await operation.run(host.context({ agent }), operation.input.parse(input))
  return operation.output.parse(JSON.parse(JSON.stringify(given))) as Record<string, unknown>
}

async function faultFrom(calling: Promise<unknown>) {
  try {
    await calling
  } catch (error) {
    return faultOf(error)
  }
  throw new Error('It was not refused.')
}

const why = { description: 'Because' }

describe('state', () => {
  it('is empty before the first write, with what to do next; a place in it is not found', async () => {
    const hint = expect.stringMatching(/set/)
    expect(await call('get')).toEqual({ ref: 'main', path: '/', value: {}, hint })
    expect(await call('get_tree')).toEqual({ ref: 'main', path: '/', children: {}, is_cut: false, hint })
    for (const name of ['list_paths', 'log', 'blame_tree']) expect(await call(name), name).toEqual({ items: [], hint })
    expect(await call('search', { text: 'x' })).toEqual({ items: [], hint })
    for (const name of ['get', 'get_tree', 'blame', 'history']) {
      expect(await faultFrom(call(name, { path: '/a' })), name).toMatchObject({ code: 'path-not-found' })
    }
    expect(await faultFrom(call('log', { ref: 'other' }))).toMatchObject({ code: 'ref-not-found' })
  })

  it('is read at a branch, at a commit, and as it was at a moment', async () => {
    const first = await call('set', { path: '/n', value: 1, ...why })
    const second = await call('set', { path: '/n', value: 2, ...why })
    expect(await call('get', { path: '/n' })).toMatchObject({ value: 2, commit: second['id'] })
    expect(await call('get', { path: '/n', ref: first['id'] })).toMatchObject({ value: 1, commit: first['id'] })
    const last = await call('get', { path: '/n', as_of: second['timestamp'] })
    expect(last).toMatchObject({ value: 2 })
    expect(await faultFrom(call('get', { path: '/n', as_of: '2001-01-01T00:00:00Z' }))).toMatchObject({
      code: 'ref-not-found',
    })
  })

  it('is written only if the branch, or the value, is still what the caller saw', async () => {
    const { id } = await call('set', { path: '/n', value: 1, ...why })
    await call('set', { path: '/n', value: 2, ...why, only_if_head: id })
    const moved = { code: 'precondition-failed', kind: 'moved' }
    expect(await faultFrom(call('set', { path: '/n', value: 3, ...why, only_if_head: id }))).toMatchObject(moved)
    expect(await faultFrom(call('set', { path: '/n', value: 3, ...why, only_if_value: 1 }))).toMatchObject(moved)
    await call('set', { path: '/n', value: 3, ...why, only_if_value: 2 })
    await call('set', { path: '/new', value: 1, ...why, only_if_value: { $undefined: true } })
    const both = { only_if_head: id, only_if_value: 3 }
    expect(await faultFrom(call('delete', { path: '/n', ...why, ...both }))).toMatchObject({ kind: 'usage' })
  })

  it('is not changed by deleting what is not there, with a key too; a repetition is answered with the first commit', async () => {
    const keyed = { ...why, idempotency_key: 'once' }
    for (const options of [why, keyed]) {
      expect(await faultFrom(call('delete', { path: '/n', ...options }))).toMatchObject({ code: 'path-not-found' })
    }
    await call('set', { path: '/n', value: 1, ...why })
    const first = await call('delete', { path: '/n', ...keyed })
    expect(await call('delete', { path: '/n', ...keyed })).toMatchObject({ id: first['id'] })
    expect(await faultFrom(call('delete', { path: '/n', ...why, idempotency_key: 'twice' }))).toMatchObject({
      code: 'path-not-found',
    })
    expect((await call('log'))['items']).toHaveLength(2)
  })

  it('takes many edits as one commit, or none of them', async () => {
    await call('set', { path: '/a', value: 1, ...why })
    const edits = [
      { op: 'set', path: '/a', value: 2 },
      { op: 'set', path: '/_meta/version', value: 9 },
    ]
    expect(await faultFrom(call('commit', { edits, ...why }))).toMatchObject({ code: 'path-reserved' })
    expect(await call('get', { path: '/a' })).toMatchObject({ value: 1 })
    const noted = await call('commit', { edits: [{ op: 'set', path: '/a', value: 1 }], ...why, allow_empty: true })
    expect(noted['changed']).toBe(true)
  })

  it('is shown as a tree, with keys of any name', async () => {
    const value = JSON.parse('{"a/b":{"~":[1,{"deep":{"deeper":2}}]},"__proto__":"x"}')
    await call('set', { path: '/t', value, ...why })
    const operation = getOperation('get_tree')
    const given = await operation.run(host.context({}), operation.input.parse({ path: '/t', depth: 3 }))
    expect(JSON.stringify(given)).toContain(
      '"children":{"__proto__":{"kind":"value","size":1,"value":"x"},"a/b":{"kind":"map","size":1,"children":' +
        '{"~":{"kind":"list","size":2,"children":{"0":{"kind":"value","size":1,"value":1},"1":{"kind":"map","size":1}}}}}}',
    )
  })
})

describe('merging', () => {
  it('refuses a conflict with all sides, and takes resolutions', async () => {
    await call('set', { path: '/n', value: 1, ...why })
    await call('branch', { name: 'feature/x' })
    await call('set', { path: '/n', value: 2, ref: 'feature/x', ...why })
    await call('set', { path: '/n', value: 3, ...why })
    const conflict = { path: '/n', base: 1, ours: 3, theirs: 2 }
    const preview = await call('preview_merge', { source: 'feature/x' })
    expect(preview).toMatchObject({ kind: 'conflict', conflicts: [conflict] })
    const refused = await faultFrom(call('merge', { source: 'feature/x' }))
    expect(refused).toMatchObject({ code: 'merge-conflict', kind: 'conflict', data: { conflicts: [conflict] } })
    const merged = await call('merge', { source: 'feature/x', resolutions: { '/n': { value: 9 } } })
    expect(merged).toMatchObject({ kind: 'merged', changed: true, intent: { description: 'Merge feature/x' } })
    expect(await call('get', { path: '/n' })).toMatchObject({ value: 9 })
  })
})

describe('speculations', () => {
  it('live from call to call by their handle, and land once however often that is asked', async () => {
    await call('set', { path: '/n', value: 1, ...why })
    const { id } = await call('speculate', { label: 'two' })
    await call('spec_modify', { id, edits: [{ op: 'set', path: '/n', value: 2 }] }, 'agent/b')
    expect(await call('get', { path: '/n' })).toMatchObject({ value: 1 })
    expect(await call('compare', { speculations: [id] })).toMatchObject({
      columns: [{ changes: [{ op: 'change', path: '/n', before: 1, after: 2 }] }],
    })
    const landing = { id, ...why, idempotency_key: 'once' }
    const landed = await call('commit_spec', landing)
    expect(await call('commit_spec', landing)).toMatchObject({ id: landed['id'] })
    expect(await faultFrom(call('discard', { id }))).toMatchObject({ code: 'speculation-gone' })
  })
})

it('a speculation lands only if it began where the caller says', async () => {
  await call('set', { path: '/n', value: 0, ...why })
  const { id } = await call('speculate', { from: 'main' })
  await call('spec_set', { id, path: '/n', value: 1 })
  const landing = { id, ...why, idempotency_key: 'once' }
  const refused = await faultFrom(call('commit_spec', { ...landing, branch: 'side' }))
  expect(refused).toMatchObject({ code: 'precondition-failed', data: { expected: 'side', actual: 'main' } })
  const landed = await call('commit_spec', { ...landing, branch: 'main' })
  expect(await call('commit_spec', { ...landing, branch: 'main' })).toMatchObject({ id: landed['id'] })
})

it('a key stands for one call: the same call again is answered, another is refused', async () => {
  await call('set', { path: '/n', value: 1, ...why })
  const keyed = { name: 'try', from: 'main', idempotency_key: 'key-1' }
  const made = await call('branch', keyed)
  await call('set', { path: '/n', value: 2, ref: 'main', ...why })
  expect(await call('branch', keyed)).toEqual(made)
  expect(await faultFrom(call('branch', { ...keyed, name: 'other' }))).toMatchObject({ code: 'idempotency-mismatch' })
  expect(await faultFrom(call('tag', keyed))).toMatchObject({ code: 'idempotency-mismatch' })
  expect(await faultFrom(call('branch', { name: 'try' }))).toMatchObject({ code: 'ref-exists' })
  const session = { agent: 'agent/x', branch: 'try/x', intent: 'intent-x', idempotency_key: 'key-2' }
  const opened = await call('create_session', session)
  expect(await call('create_session', session)).toEqual(opened)
  const end = { session: opened['id'], outcome: 'fulfilled', summary: 'Done', idempotency_key: 'key-3' }
  const ended = await call('end_session', end)
  expect(await call('end_session', end)).toEqual(ended)
})

it('intents are shown from one of them down, named by its id or by a commit of it', async () => {
  await call('set', { path: '/a', value: 1, ...why, intent_id: 'above' })
  const { id } = await call('set', { path: '/b', value: 1, ...why, intent_id: 'below', intent_parent: 'above' })
  expect(await call('intent_tree', {})).toMatchObject({ intents: [{ id: 'above' }] })
  const below = await call('intent_tree', { intent: 'below' })
  expect(below).toMatchObject({ intents: [{ id: 'below' }] })
  expect(await call('intent_tree', { commit: id })).toEqual(below)
  const both = await faultFrom(call('intent_tree', { intent: 'below', commit: id }))
  expect(both).toMatchObject({ code: 'option-invalid', kind: 'usage' })
})

it('an expectation is of a value, of a range or in words', async () => {
  const expects = [
    { path: '/n', equals: null },
    { path: '/n', min: 0, max: 9 },
    { path: '/n', text: 'It stays small' },
  ]
  expect(await call('set', { path: '/n', value: 1, ...why, expects })).toMatchObject({ expects })
  const mixed = { path: '/n', value: 1, ...why, expects: [{ path: '/n', equals: 1, text: 'One' }] }
  expect(await faultFrom(call('set', mixed))).toMatchObject({ code: 'input-invalid' })
})

describe('listings', () => {
  it('give every commit once, page by page, whether walked or looked up', async () => {
    for (let i = 0; i < 7; i++) await call('set', { path: '/n', value: i, ...why })
    for (const name of ['log', 'query', 'history']) {
      const seen: string[] = []
      let cursor: unknown
      do {
        const page = await call(name, { limit: 3, cursor, ...(name === 'history' ? { path: '/n' } : {}) })
        seen.push(...(page['items'] as { id: string }[]).map(({ id }) => id))
        cursor = page['next_cursor']
      } while (cursor !== undefined)
      expect(new Set(seen).size, name).toBe(7)
      expect(seen.length, name).toBe(7)
    }
    expect(await faultFrom(call('log', { cursor: 'nonsense' }))).toMatchObject({ kind: 'usage' })
  })

  it('give what is there all the time once, whatever is written between two pages', async () => {
    const kinds: Readonly<
      Record<string, readonly [input: object, nameOf: string, write: (n: number) => Promise<unknown>]>
    > = {
      list_branches: [{}, 'name', n => call('branch', { name: `a${9 - n}` })],
      list_tags: [{}, 'name', n => call('tag', { name: `t${9 - n}` })],
      list_paths: [{ path: '/k', depth: 2 }, 'path', n => call('set', { path: `/k/${9 - n}`, value: 'x', ...why })],
      search: [{ text: 'x' }, 'path', n => call('delete', { path: `/k/${9 - n}`, ...why })],
      blame_tree: [{}, 'path', n => call('set', { path: `/b${9 - n}`, value: n, ...why })],
      history: [{ path: '/k/1' }, 'id', n => call('set', { path: '/k/1', value: n, ...why })],
      log: [{}, 'id', n => call('set', { path: '/n', value: n, ...why })],
      query: [{}, 'id', n => call('set', { path: '/n', value: n + 10, ...why })],
      list_plans: [{}, 'name', n => call('create_plan', { name: `p${9 - n}`, description: 'A plan' })],
      list_epochs: [{}, 'id', n => call('create_epoch', { id: `e${9 - n}`, description: 'An epoch' })],
    }
    for (let n = 1; n < 6; n++) await call('set', { path: `/k/${n}`, value: `x${n}`, ...why })
    for (const [name, [input, nameOf, write]] of Object.entries(kinds)) {
      if (name !== 'search') for (let n = 0; n < 3; n++) await write(n)
      const whole = await call(name, { ...input, limit: 100 })
      const before = (whole['items'] as Record<string, string>[]).map(item => item[nameOf])
      const given: (string | undefined)[] = []
      let cursor: unknown
      let n = 3
      do {
        const page = await call(name, { ...input, limit: 1, cursor })
        given.push(...(page['items'] as Record<string, string>[]).map(item => item[nameOf]))
        cursor = page['next_cursor']
        if (n < 6) await write(n++)
      } while (cursor !== undefined)
      expect(new Set(given).size, name).toBe(given.length)
      for (const item of before) expect(given, name).toContain(item)
    }
  })

  it('search goes on where the page before ended', async () => {
    await call('set', { path: '/', value: { a: 'x1', b: 'x2', c: 'x3', d: 'y' }, ...why })
    const first = await call('search', { text: 'X', limit: 2 })
    expect(first).toEqual({
      items: [
        { path: '/a', value: 'x1' },
        { path: '/b', value: 'x2' },
      ],
      next_cursor: expect.any(String),
    })
    const second = await call('search', { text: 'X', limit: 2, cursor: first['next_cursor'] })
    expect(second).toEqual({ items: [{ path: '/c', value: 'x3' }] })
  })

  it('query looks at every branch, and with a ref only at what led there', async () => {
    await call('set', { path: '/n', value: 1, ...why })
    await call('branch', { name: 'aside' })
    await call('set', { path: '/n', value: 2, ref: 'aside', ...why }, 'agent/b')
    const countOf = async (input: object) => (await call('query', { ...input }))['items']
    expect(await countOf({})).toHaveLength(2)
    expect(await countOf({ ref: 'main' })).toHaveLength(1)
    expect(await countOf({ agent: 'agent/b' })).toHaveLength(1)
  })
})

describe('tasks', () => {
  it('are completed by who holds them, in whatever call', async () => {
    await call('create_plan', { name: 'p' })
    await call('add_task', { plan: 'p', title: 'Do it' })
    const { claim } = await call('claim_task', { plan: 'p' })
    expect(await call('claim_task', { plan: 'p' }, 'agent/b')).toEqual({})
    const done = { plan: 'p', id: 't-1', proof_kind: 'text', proof_value: 'Done' }
    expect(await faultFrom(call('complete_task', done, 'agent/b'))).toMatchObject({ code: 'lease-lost' })
    expect(await call('renew_task', { plan: 'p', id: 't-1', claim })).toMatchObject({ owner: 'agent/a' })
    expect(await call('complete_task', done)).toMatchObject({ status: 'done' })
  })
})

describe('what is code of the user', () => {
  it('is run from the app', async () => {
    const place = { graph: 'review', thread: 'one' }
    const asked = await call('run_thread', { ...place, input: { draft: 'Hi' } })
    expect(asked).toMatchObject({ status: 'paused', interrupts: [{ payload: 'Send Hi?' }] })
    expect(await call('resume_thread', { ...place, answers: [{ value: false }] })).toMatchObject({ status: 'done' })
    expect(await call('run_task', { agent: 'counter', task: 'add', input: 2 })).toEqual({ result: 2 })
    expect(await call('run_task', { agent: 'counter', task: 'add', input: 3 })).toEqual({ result: 5 })
    const [migrated] = (await call('run_migrations'))['reports'] as { steps: unknown[] }[]
    expect(migrated?.steps).toHaveLength(2)
  })

  it('is an error that says who gives an app where there is none, and the names where there are others', async () => {
    const unknown = await faultFrom(call('list_threads', { graph: 'other' }))
    expect(unknown).toMatchObject({ code: 'app-part-not-found', kind: 'not-found', hint: 'It has review.' })
    await using bare = await openBare()
    for (const [name, input] of [
      ['list_threads', { graph: 'review' }],
      ['check_migrations', {}],
      ['run_task', { agent: 'counter', task: 'add' }],
    ] as const) {
      const operation = getOperation(name)
      const fault = await faultFrom(operation.run(bare.context({}), operation.input.parse(input)))
      expect(fault).toMatchObject({ code: 'app-missing', hint: expect.stringContaining('an app') })
    }
  })
})

async function openBare(): Promise<StoreHost & AsyncDisposable> {
  const bare = await openHost(undefined)
  return { ...bare, [Symbol.asyncDispose]: () => bare.close() }
}

it('watch goes on after the last event seen, without a gap', async () => {
  for (let i = 0; i < 3; i++) await call('set', { path: '/n', value: i, ...why })
  const watch = getOperation('watch')
  async function next(after: number): Promise<{ seq: number; changes: unknown }> {
    const leaving = new AbortController()
    const events = await watch.run(host.context({}, leaving.signal), watch.input.parse({ after, path: '/n' }))
    for await (const event of events as AsyncIterable<{ seq: number; changes: unknown }>) return event
    throw new Error('There was no event.')
  }
  let seq = 0
  for (let i = 0; i < 3; i++) {
    const event = await next(seq)
    expect(event.changes).toMatchObject([{ after: i }])
    seq = event.seq
  }
})

describe('explaining access', () => {
  it('names the session that a grant was made for', async () => {
    const { id } = await call('create_session', { agent: 'agent/worker' })
    const explained = await call('explain', { principal: 'agent/worker', capability: 'commit' })
    expect(explained['links']).toMatchObject([{ session: id, allowed: false }])
  })
})
