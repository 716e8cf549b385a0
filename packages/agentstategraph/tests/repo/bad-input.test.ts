/** Bad input: each kind has its own code, names the thing, and leaves everything as it was. */
import { describe, expect, it } from 'vitest'
import { canonicalText } from '../../src/core/index.ts'
import { write } from '../../src/repo/index.ts'
import { open, type Repository, type Revision } from '../../src/repository/index.ts'
import { leafOfEntry, memoryBackend } from '../../src/store/index.ts'
import { steppingClock } from '../../src/testing/index.ts'
import { newFile, openRaw } from '../store/support/sqlite-file.ts'
import { openNew, refusalOf, stores } from './support/open-stores.ts'

const state = { text: 'a', list: [1, 2], map: { key: 1 } }

/** A state, a branch that is elsewhere, and a tag. */
async function prepared(repo: Repository): Promise<void> {
  await repo.set('/', state, 'Begin')
  const side = await repo.branch('side')
  await side.set('/map/key', 2, 'On the side')
  await repo.set('/map/key', 3, 'On main')
  await repo.tag('v1')
}

/** All that must not change. */
async function everything(repo: Repository): Promise<unknown> {
  const { log } = repo.handle.journal
  return {
    head: await log.head(),
    refs: await log.refs(''),
    main: await repo.get('/'),
    side: await repo.on('side').get('/'),
    log: await repo.log(),
  }
}

const deep = `/${'d/'.repeat(64)}d`
const refused: readonly (readonly [
  title: string,
  code: string,
  named: string,
  ask: (repo: Repository) => Promise<unknown>,
])[] = [
  ['an unknown branch to read', 'ref-not-found', '"nowhere"', repo => repo.at('nowhere').get('/')],
  ['an unknown branch to merge', 'ref-not-found', '"nowhere"', repo => repo.merge('nowhere')],
  ['the head of a branch that is not there', 'ref-not-found', 'gone', repo => repo.on('gone').head()],
  ['an unknown commit', 'ref-not-found', 'abcdef0123', repo => repo.revert('abcdef0123')],
  ['too few digits of a commit', 'ref-not-found', '"abc"', repo => repo.at('abc').get('/')],
  ['a moment before the beginning', 'ref-not-found', '1970-01-01', repo => repo.at(new Date(0)).get('/')],
  ['a moment that is none', 'option-invalid', 'Invalid Date', repo => repo.at(new Date('x')).get('/')],
  [
    'a moment in words',
    'option-invalid',
    '"yesterday" in main@{yesterday}',
    repo => repo.at('main@{yesterday}').get('/'),
  ],
  ['such a moment of a branch that is not there', 'option-invalid', '"soon"', repo => repo.at('gone@{soon}').get('/')],
  ['an unknown tag to delete', 'ref-not-found', '"v2"', repo => repo.deleteTag('v2')],
  ['an unknown branch to rename', 'ref-not-found', '"nowhere"', repo => repo.renameBranch('nowhere', 'x')],
  ['a branch that is there', 'ref-exists', '"side"', repo => repo.branch('side')],
  ['a tag that is there', 'ref-exists', '"v1"', repo => repo.tag('v1')],
  ['a new name that is taken', 'ref-exists', '"main"', repo => repo.renameBranch('side', 'main')],
  ['deleting main', 'ref-protected', '"main"', repo => repo.deleteBranch('main')],
  ['renaming main', 'ref-protected', '"main"', repo => repo.renameBranch('main', 'x')],
  ['an empty name', 'ref-name-invalid', 'empty', repo => repo.branch('')],
  ['a name with dots', 'ref-name-invalid', '"a/../b"', repo => repo.tag('a/../b')],
  ['a name with a control character', 'ref-name-invalid', 'control', repo => repo.branch('a\nb')],
  ['a name that is too long', 'ref-name-invalid', '256', repo => repo.branch('x'.repeat(257))],
  ['a branch called like a commit', 'ref-name-invalid', 'id', async repo => repo.branch((await repo.head()).id)],
  ['a tag called like a commit', 'ref-name-invalid', 'id', repo => repo.tag('0'.repeat(64))],
  ['a path that is absent', 'path-not-found', '"/none"', repo => repo.get('/none')],
  ['a path that is absent in the past', 'path-not-found', '"/none"', repo => repo.at('v1').get('/none')],
  ['blame of a path that is absent', 'path-not-found', '"/none"', repo => repo.blame('/none')],
  ['a path without a slash', 'path-invalid', '"text"', repo => repo.get('text')],
  ['a path with a bad escape', 'path-invalid', '"/a~2"', repo => repo.set('/a~2', 1, 'x')],
  ['a path that is too deep', 'path-invalid', '65', repo => repo.set(deep, 1, 'x')],
  ['a negative index', 'path-invalid', '-1', repo => repo.set(['list', -1], 1, 'x')],
  ['a path into a text', 'path-blocked', '"/text"', repo => repo.set('/text/x', 1, 'x')],
  ['an index out of range', 'index-out-of-range', '7', repo => repo.set('/list/7', 1, 'x')],
  ['a word as an index', 'index-invalid', '"first"', repo => repo.set('/list/first', 1, 'x')],
  ['a root that is no map', 'root-not-a-map', 'list', repo => repo.set('/', [], 'x')],
  ['a path of the system', 'path-reserved', '/_meta/x', repo => repo.set('/_meta/x', 1, 'x')],
  ['a root with a key of the system', 'path-reserved', '/_plans', repo => repo.set('/', { _plans: 1 }, 'x')],
  ['deleting a path of the system', 'path-reserved', '/_meta', repo => repo.delete('/_meta', 'x')],
  ['a function', 'value-refused', '/f/g', repo => repo.set('/f', { g: () => 1 }, 'x')],
  ['a list with a property', 'value-refused', '/l', repo => repo.set('/l', Object.assign([1], { '': 1 }), 'x')],
  [
    'a list with a property that is attached',
    'value-refused',
    '/attached/l',
    repo => repo.set('/a', 1, { description: 'x', attached: { l: Object.assign([1], { '-1': 1 }) } }),
  ],
  ['a cycle', 'value-refused', '/c/self', repo => repo.set('/c', cycle(), 'x')],
  ['an empty description', 'option-invalid', 'description', repo => repo.set('/a', 1, '')],
  ['a blank description', 'option-invalid', 'description', repo => repo.set('/a', 1, { description: ' \n' })],
  ['a long description', 'option-invalid', '1024', repo => repo.set('/a', 1, 'é'.repeat(513))],
  [
    'a long reasoning',
    'option-invalid',
    'reasoning',
    repo => repo.set('/a', 1, { description: 'x', reasoning: long() }),
  ],
  ['a broken text', 'option-invalid', 'surrogate', repo => repo.set('/a', 1, '\ud800')],
  [
    'attached without names',
    'option-invalid',
    'attached',
    repo => repo.set('/a', 1, { description: 'x', attached: [1] as never }),
  ],
  ['confidence above 1', 'option-invalid', '1.1', repo => repo.set('/a', 1, { description: 'x', confidence: 1.1 })],
  ['confidence below 0', 'option-invalid', '-0.1', repo => repo.set('/a', 1, { description: 'x', confidence: -0.1 })],
  [
    'no confidence at all',
    'option-invalid',
    'NaN',
    repo => repo.set('/a', 1, { description: 'x', confidence: Number.NaN }),
  ],
  ['an empty tag', 'option-invalid', 'tag', repo => repo.set('/a', 1, { description: 'x', tags: [''] })],
  ['too many tags', 'option-invalid', '65', repo => repo.set('/a', 1, { description: 'x', tags: numbers(65) })],
  ['an empty agent', 'option-invalid', 'agent', repo => repo.set('/a', 1, { description: 'x', agent: '' })],
  ['why is missing in a merge', 'option-invalid', 'description', repo => repo.merge('side', '')],
  ['a confidence to search for', 'option-invalid', '2', async repo => await repo.log({ confidence: { min: 2 } })],
  ['a moment to search for', 'option-invalid', 'since', async repo => await repo.log({ since: 'soon' })],
  ['a pattern', 'pattern-invalid', '"a/*b"', async repo => await repo.log({ path: 'a/*b' })],
  ['a conflict', 'merge-conflict', '/map/key', repo => repo.merge('side')],
  ['a policy', 'policy-invalid', 'loudest', repo => repo.merge('side', withPolicy('loudest'))],
  [
    'another head',
    'precondition-failed',
    'abc',
    repo => repo.set('/a', 1, { description: 'x', onlyIf: { head: 'abc' } }),
  ],
  [
    'another value',
    'precondition-failed',
    '/text',
    repo => repo.set('/text', 1, { description: 'x', onlyIf: { value: 'b' } }),
  ],
  [
    'a range the wrong way round',
    'histories-unrelated',
    'no commit in common',
    repo => repo.bisect({ good: 'main', bad: 'side' }, () => true),
  ],
]

function cycle(): unknown {
  const value: { self?: unknown } = {}
  value.self = value
  return value
}
function long(): string {
  return 'x'.repeat(1024 * 1024 + 1)
}
function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `tag ${i}`)
}
function withPolicy(policy: string): { description: string; policies: Record<string, 'manual'> } {
  return { description: 'x', policies: { '/map/key': policy as 'manual' } }
}

async function expectRefused(repo: Repository, [title, code, named, ask]: (typeof refused)[number]): Promise<void> {
  const before = await everything(repo)
  const refusal = await refusalOf(ask(repo))
  expect(refusal.code, title).toBe(code)
  expect(refusal.message, title).toContain(named)
  expect(await everything(repo), title).toEqual(before)
}

it.each(refused)('%s: %s', async (...refusal) => {
  await using repo = await open()
  await prepared(repo)
  await expectRefused(repo, refusal)
})

it('all of that is refused in a file as well, one after the other', async () => {
  await using repo = await open(newFile())
  await prepared(repo)
  for (const refusal of refused) await expectRefused(repo, refusal)
})

describe.each(stores)('on $name', store => {
  it('a prefix that begins several commits is refused with them, and a branch of that name wins', async () => {
    let made = 0
    const repo = await openNew(store, { clock: steppingClock(), ids: () => `id-${made++}` })
    const ids: string[] = []
    for (let n = 0; prefixOfTwo(ids) === undefined; n++) ids.push((await repo.set('/n', n, `Write ${n}`)).id)
    const prefix = prefixOfTwo(ids)!
    const { code, data } = await refusalOf(repo.at(prefix).get('/'))
    expect(code).toBe('revision-ambiguous')
    expect(data).toEqual({ prefix, matches: expect.arrayContaining(ids.filter(id => id.startsWith(prefix))) })
    await repo.branch(prefix)
    expect(await repo.at(prefix).get('/')).toEqual({ n: ids.length - 1 })
  })

  it('histories that have nothing in common are not merged', async () => {
    const repo = await openNew(store)
    await prepared(repo)
    const info = { agent: 'a', intent: { id: 'i', category: 'Refine', description: 'Elsewhere' } }
    const { journal } = repo.handle
    await journal.run(write(repo.handle, 'branch/island', [{ op: 'set', path: ['a'], value: 1 }], { info }))
    const before = await everything(repo)
    const refusal = await refusalOf(repo.merge('island'))
    expect(refusal).toMatchObject({ code: 'histories-unrelated', data: { source: 'island', into: 'main' } })
    expect(await everything(repo)).toEqual(before)
  })

  it('a branch that is not there is not made by writing to it', async () => {
    const repo = await openNew(store)
    await prepared(repo)
    await repo.branch('short-lived')
    const gone = repo.on('short-lived')
    await gone.set('/b', 1, 'Write')
    await repo.deleteBranch('short-lived')
    const before = await everything(repo)
    for (const attempt of [
      () => gone.set('/b', 2, 'Write on'),
      () => repo.on('typo').set('/a', 1, 'Write'),
      () => repo.on('typo').delete('/a', 'Delete'),
      () => repo.on('typo').commit('Write', tx => tx.set('/a', 1)),
    ]) {
      expect(await refusalOf(attempt())).toMatchObject({ code: 'ref-not-found' })
    }
    expect(await everything(repo)).toEqual(before)
  })

  it('what callers without types get wrong is refused in words too', async () => {
    const repo = await openNew(store)
    await prepared(repo)
    const before = await everything(repo)
    const untyped = repo as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
    const attempts: [string, () => Promise<unknown>][] = [
      ['option-invalid', () => untyped['set']!('/a', 1)],
      ['option-invalid', () => untyped['set']!('/a', 1, { description: 'Write', tags: 'abc' })],
      ['path-invalid', () => untyped['get']!(null)],
      ['ref-not-found', () => repo.at(undefined as unknown as string).get('/')],
      ['option-invalid', () => repo.log().page({ limit: 1, after: 'garbage' })],
      ['option-invalid', () => repo.query({}).page({ limit: 1, after: 'garbage' })],
      ['option-invalid', () => repo.branches().page({ limit: 1, after: 'garbage' })],
    ]
    for (const [code, attempt] of attempts) expect(await refusalOf(attempt())).toMatchObject({ code })
    expect(await everything(repo)).toEqual(before)
  })

  it('a finished speculation says how it ended', async () => {
    const repo = await openNew(store)
    await prepared(repo)
    const kept = await repo.speculate()
    await kept.set('/a', 1)
    await kept.commit('Keep it')
    const dropped = await repo.speculate()
    await dropped.discard()
    const before = await everything(repo)
    for (const [speculation, status] of [
      [kept, 'committed'],
      [dropped, 'discarded'],
    ] as const) {
      const told = { code: 'speculation-gone', data: { id: speculation.id, status } }
      expect(await refusalOf(speculation.set('/a', 2))).toMatchObject(told)
      expect(await refusalOf(speculation.commit('Again'))).toMatchObject(told)
    }
    expect(await everything(repo)).toEqual(before)
  })

  it('a transaction that fails leaves nothing', async () => {
    const repo = await openNew(store)
    await prepared(repo)
    const before = await everything(repo)
    const failing = repo.commit('Half', tx => {
      tx.set('/a', 1)
      throw new Error('Enough')
    })
    await expect(failing).rejects.toThrow('Enough')
    expect(await refusalOf(repo.commit('Blocked', tx => tx.set('/a', 1).set('/text/x', 1)))).toMatchObject({
      code: 'path-blocked',
    })
    expect(await everything(repo)).toEqual(before)
  })

  it('a closed repository says so to every call', async () => {
    const repo = await openNew(store)
    await prepared(repo)
    const reading = repo.at('v1')
    await repo.close()
    const asked: (() => Promise<unknown>)[] = [
      () => repo.get('/'),
      () => repo.set('/a', 1, 'x'),
      () => repo.commit('x', () => undefined),
      () => repo.head(),
      async () => await repo.log(),
      async () => await repo.branches(),
      () => repo.undo(),
      () => repo.observe('main', { held: true }),
      () => repo.calibration(),
      () => repo.as('agent/x').on('side').get('/'),
      () => reading.get('/'),
    ]
    for (const ask of asked) expect(await refusalOf(ask())).toMatchObject({ code: 'closed' })
    await repo.close()
  })

  it('a revision of a wrong kind is refused like an unknown one', async () => {
    const repo = await openNew(store)
    await prepared(repo)
    for (const revision of ['', 'side/', 'main~99', '~1', { id: 'side' }, { id: '' }] as Revision[]) {
      expect(await refusalOf(repo.at(revision).get('/'))).toMatchObject({ code: 'ref-not-found' })
    }
  })
})

function prefixOfTwo(ids: readonly string[]): string | undefined {
  const seen = new Set<string>()
  for (const id of ids) {
    const prefix = id.slice(0, 4)
    if (seen.has(prefix)) return prefix
    seen.add(prefix)
  }
  return undefined
}

it('a repository opened to read refuses to write, and says what', async () => {
  const file = newFile()
  await using writable = await open(file)
  await prepared(writable)
  const before = await everything(writable)
  await using repo = await open(file, { readOnly: true })
  const asked: Record<string, () => Promise<unknown>> = {
    set: () => repo.set('/a', 1, 'x'),
    delete: () => repo.delete('/text', 'x'),
    commit: () => repo.commit('x', () => undefined),
    branch: () => repo.branch('new'),
    tag: () => repo.tag('v2'),
    merge: () => repo.merge('side'),
    undo: () => repo.undo(),
    observe: () => repo.observe('main', { held: true }),
    resolveIntent: () => repo.resolveIntent('i', { outcome: 'failed', summary: 'x' }),
  }
  for (const [operation, ask] of Object.entries(asked)) {
    expect(await refusalOf(ask())).toMatchObject({ code: 'read-only', data: { operation } })
  }
  expect(await repo.get('/text')).toBe('a')
  expect(await everything(writable)).toEqual(before)
})

it.each([1, 3])('a store of format %d is refused, and stays as it was', async found => {
  const backend = memoryBackend()
  const time = Date.parse('2026-01-01T00:00:00.000Z')
  const body = { format: found, limits: {}, origin: 'x' }
  const text = canonicalText({ agent: 'a', body, kind: 'genesis', moves: [], time: '2026-01-01T00:00:00.000Z', v: 2 })
  const log = backend.namespace('default')
  await log.append({ time, entries: [{ text, leaf: leafOfEntry(text), parts: [] }], moves: [] })
  const head = await log.head()
  const refusal = await refusalOf(open({ ...backend, close: async () => {} }))
  expect(refusal).toMatchObject({ code: 'format-unsupported', data: { found, supported: 2 } })
  expect(await log.head()).toEqual(head)
})

it('a damaged row is named, and what does not need it can still be read', async () => {
  const file = newFile()
  const repo = await open(file)
  const first = await repo.set('/a', 1, 'First')
  const second = await repo.set('/b', 2, 'Second')
  await repo.close()
  const raw = openRaw(file)
  raw.prepare("UPDATE entries SET text = replace(text, 'anonymous', 'anonymoux') WHERE commit_id = ?").run(second.id)
  raw.close()
  await using damaged = await open(file)
  const refusal = await refusalOf(damaged.get('/b'))
  expect(refusal).toMatchObject({ code: 'object-corrupt', data: { seq: second.seq } })
  expect(await damaged.at({ id: first.id }).get('/a')).toBe(1)
})

describe('limits', () => {
  it('can be set when a repository is opened, smaller and larger', async () => {
    await using small = await open(undefined, { limits: { depth: 2, stringBytes: 4 } })
    await small.set('/a/b', 'abcd', 'Write')
    expect(await refusalOf(small.set('/a/b/c', 1, 'Write'))).toMatchObject({ code: 'path-invalid' })
    expect(await refusalOf(small.set('/a', { b: { c: 1 } }, 'Write'))).toMatchObject({ code: 'value-refused' })
    expect(await refusalOf(small.set('/a/b', 'abcde', 'Write'))).toMatchObject({ code: 'value-refused' })
    expect(await refusalOf(small.commit('Write', tx => tx.set('/a/b', 'abcde')))).toMatchObject({
      code: 'value-refused',
    })
    await using large = await open(undefined, { limits: { depth: 100 } })
    const path = '/d'.repeat(100)
    await large.set(path, 1, 'Write')
    expect(await large.get(path)).toBe(1)
    expect((await large.blame(path)).value).toBe(1)
    await large.revert('main')
    expect(await large.find(path)).toBeUndefined()
    expect(await refusalOf(open(undefined, { limits: { depth: -1 } }))).toMatchObject({ code: 'option-invalid' })
  })
})
