/** Schemas of a branch: attaching, asking, warning, and what other libraries' schemas become. */

import { type } from 'arktype'
import * as v from 'valibot'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { branchRef, getBranchHead, reasonOf } from '../../src/repo/index.ts'
import { jsonSchema, open, type Repository } from '../../src/repository/index.ts'
import { schemas } from '../../src/schema/index.ts'
import { appendCommit, memoryBackend } from '../../src/store/index.ts'
import { edit } from '../../src/tree/index.ts'
import { erase } from '../../src/trust/index.ts'
import { openProtected } from '../trust/support/protected-store.ts'

const user = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 1 }, age: { type: 'integer', minimum: 0 } },
  required: ['name'],
  additionalProperties: false,
}

let repo: Repository
beforeEach(async () => {
  repo = await open()
  onTestFinished(() => repo.close())
})

describe('a schema of a branch', () => {
  it('is kept beside the state, and every commit names the schemas in force', async () => {
    expect(await repo.set('/users/ann', { name: 'Ann' }, 'Ann')).not.toHaveProperty('schema')
    const attached = await schemas(repo).attach('/users/*', user, {}, 'Users have names')
    expect(attached).toMatchObject({ changed: true, intent: { category: 'Migrate', description: 'Users have names' } })
    const { schema } = await repo.set('/users/bob', { name: 'Bob' }, 'Bob')
    expect(schema).toBe(attached.schema)
    expect(schema).toMatch(/^[0-9a-f]{64}$/)
    expect(await repo.get('/')).toEqual({ users: { ann: { name: 'Ann' }, bob: { name: 'Bob' } } })
    expect(await schemas(repo).list()).toEqual([{ pattern: '/users/*', enforcement: 'strict', schema: user }])
    await schemas(repo).detach('/users/*', 'No more')
    expect(await repo.set('/users/eve', 1, 'Eve')).not.toHaveProperty('schema')
  })

  it('tells all that is wrong at once, with path, rule and value', async () => {
    await schemas(repo).attach('/users/*', user, {}, 'Users have names')
    const write = repo.set('/users', { ann: { name: '', age: -1, tall: true }, bob: {} }, 'Wrong')
    await expect(write).rejects.toMatchObject({
      code: 'schema-violation',
      data: {
        violations: [
          { path: '/users/ann/age', rule: 'minimum', value: -1, pattern: '/users/*' },
          { path: '/users/ann/name', rule: 'minLength', value: '' },
          { path: '/users/ann/tall', rule: 'additionalProperties', value: true },
          { path: '/users/bob', rule: 'required', value: {} },
        ],
      },
    })
    await expect(write).rejects.toThrow('/users/ann/age (minimum) has to be at least 0, found -1')
    expect(await repo.has('/users')).toBe(false)
  })

  it('is not attached to a state that does not fit it, unless it only warns', async () => {
    await repo.set('/users/ann', {}, 'Ann')
    const refused = { data: { violations: [{ path: '/users/ann', rule: 'required' }] } }
    await expect(schemas(repo).attach('/users/*', user, {}, 'Now')).rejects.toMatchObject(refused)
    expect(await schemas(repo).find('/users/*')).toBeUndefined()
    const { warnings } = await schemas(repo).attach('/users/*', user, { enforcement: 'warn' }, 'Soon')
    expect(warnings).toEqual([
      { path: '/users/ann', rule: 'required', message: "has to have 'name'", pattern: '/users/*' },
    ])
    const bob = await repo.set('/users/bob', { name: 'Bob', age: 'old' }, 'Bob')
    expect(bob.warnings).toMatchObject([{ path: '/users/bob/age', rule: 'type' }])
    expect((await repo.log({ limit: 1 }))[0]!.warnings).toEqual(bob.warnings)
    expect(await repo.set('/users/bob/age', 3, 'Right')).not.toHaveProperty('warnings')
    await expect(schemas(repo).attach('/users/*', user, {}, 'Now')).rejects.toMatchObject(refused)
  })

  it('reports on the present state and on one that might be, also when it is off', async () => {
    await schemas(repo).attach('/users/*', user, { enforcement: 'off' }, 'Later')
    expect(await repo.set('/users/ann', {}, 'Ann')).not.toHaveProperty('warnings')
    expect((await schemas(repo).check()).violations).toMatchObject([{ path: '/users/ann', enforcement: 'off' }])
    expect(await schemas(repo).check({ users: { ann: { name: 'Ann' } } })).toEqual({ violations: [], unchecked: [] })
  })

  it('reports on no state that cannot be one', async () => {
    await expect(schemas(repo).check([1])).rejects.toMatchObject({ code: 'root-not-a-map' })
  })

  it('belongs to its branch and to those made from it', async () => {
    await repo.set('/a', 1, 'Begin')
    const free = await repo.branch('free')
    await schemas(repo).attach('/a', { type: 'integer' }, {}, 'Numbers')
    const bound = await repo.branch('bound')
    await free.set('/a', 'text', 'Free')
    await expect(bound.set('/a', 'text', 'Bound')).rejects.toMatchObject({ code: 'schema-violation' })
    await schemas(bound).attach('/a', { type: 'string' }, { enforcement: 'off' }, 'Texts')
    await bound.set('/a', 'text', 'Free')
    await expect(repo.merge('bound')).resolves.toMatchObject({ kind: 'merged' })
  })

  it('holds for another process, which never saw it attached', async () => {
    const backend = memoryBackend()
    await using first = await open(backend)
    await schemas(first).attach('/n', { type: 'integer' }, {}, 'Numbers')
    await using second = await open(backend)
    await expect(second.set('/n', 'x', 'Wrong')).rejects.toMatchObject({ code: 'schema-violation' })
  })

  it('reads what is protected, and lets be what was erased', async () => {
    await using safe = await openProtected()
    const profile = { required: ['profile'], properties: { profile: user } }
    await schemas(safe).attach('/users/*', profile, {}, 'Users have names')
    await safe.set('/users/ann', { profile: { name: 'Ann' } }, 'Ann')
    const nameless = safe.set('/users/ann/profile', {}, 'No name')
    await expect(nameless).rejects.toMatchObject({
      data: { violations: [{ path: '/users/ann/profile', rule: 'required' }] },
    })
    await erase(safe, 'ann', 'Asked for')
    await safe.set('/users/ann/seen', true, 'The rest can still be written')
    expect((await schemas(safe).check()).violations).toEqual([])
  })
})

it('a schema that cannot be read here refuses all writes but the one that detaches it', async () => {
  await schemas(repo).attach('/a', true, {}, 'Known')
  const { handle } = repo
  const { journal } = handle
  const head = await journal.run(getBranchHead(handle))
  const value = { enforcement: 'strict', schema: { $$schema: 'https://example.org/a-later-dialect' } }
  const path = ['_meta', 'schemas', '/b']
  const { root } = await journal.run(edit(journal.context, head.system, [{ op: 'set', path, value }]))
  const moves = [{ name: branchRef('main'), expect: head.seq, to: { entry: 0 } }]
  const { info } = reasonOf(handle, 'By a later program', 'Migrate')
  await journal.run(
    appendCommit(journal, { parents: [head], tree: head.tree, system: root, info, changed: [path], moves }),
  )
  const unreadable = { code: 'schema-unreadable', data: { pattern: '/b' } }
  await expect(repo.set('/c', 1, 'x')).rejects.toMatchObject(unreadable)
  await schemas(repo).detach('/b', 'Not for this program')
  await repo.set('/c', 1, 'x')
})

describe('refused when it is attached is', () => {
  const cases: readonly [string, unknown, object][] = [
    ['a dynamic reference', { $dynamicRef: '#x' }, { code: 'schema-invalid', data: { path: '/$dynamicRef' } }],
    ['a remote reference', { $ref: 'https://example.org/x' }, { code: 'schema-invalid', data: { path: '/$ref' } }],
    ['a merge hint that is no policy', { 'x-merge': 'most' }, { code: 'policy-invalid' }],
    ['a merge hint that no path leads to', { anyOf: [{ 'x-merge': 'sum' }] }, { code: 'schema-invalid' }],
    ['what is no schema', 'object', { code: 'schema-invalid' }],
  ]
  it.each(cases)('%s', async (_name, schema, error) => {
    await expect(schemas(repo).attach('/', schema as object, {}, 'x')).rejects.toMatchObject(error)
    expect(await repo.branches()).toEqual([])
  })

  it('a pattern that is none, an enforcement that is none, and detaching what is not there', async () => {
    const all = schemas(repo)
    for (const pattern of ['a', '/_meta', '/_meta/version']) {
      await expect(all.attach(pattern, true, {}, 'x')).rejects.toMatchObject({ code: 'pattern-invalid' })
    }
    const hinted = all.attach('/_plans/*/tasks/*/payload', { properties: { count: { 'x-merge': 'sum' } } }, {}, 'x')
    await expect(hinted).rejects.toMatchObject({ code: 'schema-invalid', data: { path: '/properties/count/x-merge' } })
    const wrong = { enforcement: 'loud' as 'warn' }
    await expect(all.attach('/a', true, wrong, 'x')).rejects.toMatchObject({ code: 'schema-enforcement-invalid' })
    await all.attach('/a', true, {}, 'x')
    const known = { code: 'schema-not-found', data: { pattern: '/b', known: ['/a'] } }
    await expect(all.detach('/b', 'x')).rejects.toMatchObject(known)
    await expect(all.get('/b')).rejects.toMatchObject(known)
    await expect(schemas(repo.on('none')).attach('/', true, {}, 'x')).rejects.toMatchObject({ code: 'ref-not-found' })
  })
})

describe('the schema of a library', () => {
  const told: readonly [string, object][] = [
    ['zod', z.object({ n: z.int().min(1) })],
    ['arktype', type({ n: 'number.integer >= 1' })],
    ['jsonSchema', jsonSchema({ properties: { n: { type: 'integer', minimum: 1 } } })],
  ]
  it.each(told)('of %s is stored as JSON Schema', async (_name, schema) => {
    await schemas(repo).attach('/a', schema, {}, 'Attach')
    expect(await schemas(repo).get('/a')).toMatchObject({ schema: { properties: { n: { type: 'integer' } } } })
    await expect(repo.set('/a', { n: 0 }, 'Wrong')).rejects.toMatchObject({ code: 'schema-violation' })
    await repo.set('/a', { n: 1 }, 'Right')
  })

  it('that makes no JSON Schema is opaque: asked where it was attached, and elsewhere not', async () => {
    const backend = memoryBackend()
    await using first = await open(backend)
    const even = v.object({
      n: v.pipe(
        v.number(),
        v.check(n => n % 2 === 0, 'is odd'),
      ),
    })
    await schemas(first).attach('/a', even, {}, 'Even')
    expect(await schemas(first).get('/a')).toEqual({
      pattern: '/a',
      enforcement: 'strict',
      opaque: { vendor: 'valibot', isKnown: true },
    })
    await expect(first.set('/a/n', 1, 'Odd')).rejects.toMatchObject({
      data: { violations: [{ path: '/a/n', rule: 'valibot', value: 1, message: 'is odd' }] },
    })
    await using second = await open(backend)
    await second.set('/a/n', 1, 'Nobody asks here')
    expect(await schemas(second).check()).toEqual({ violations: [], unchecked: ['/a'] })
    await expect(schemas(second).attach('/a', even, {}, 'Even')).rejects.toMatchObject({ code: 'schema-violation' })
    await second.set('/a/n', 2, 'Right')
    expect(await schemas(second).attach('/a', even, {}, 'Even')).toMatchObject({ changed: false })
    await expect(second.set('/a/n', 1, 'Odd')).rejects.toMatchObject({ code: 'schema-violation' })
  })

  it('that answers later is refused', async () => {
    const later = v.pipeAsync(
      v.number(),
      v.checkAsync(async () => true),
    )
    await schemas(repo).attach('/a', later as unknown as object, {}, 'Later')
    await expect(repo.set('/a', 1, 'x')).rejects.toMatchObject({ code: 'schema-async', data: { vendor: 'valibot' } })
  })
})

describe('a merge hint', () => {
  it('is the merge policy of its place', async () => {
    const hits = { type: 'integer', 'x-merge': 'sum' }
    const shape = {
      properties: { hits },
      additionalProperties: { $ref: '#/$defs/page' },
      $defs: { page: { items: { properties: { hits } } } },
    }
    await schemas(repo).attach('/', shape, {}, 'Hits add up')
    await repo.set('/', { hits: 1, pages: [{ hits: 1 }] }, 'Begin')
    const branch = await repo.branch('other')
    for (const [one, by] of [
      [repo, 2],
      [branch, 5],
    ] as const) {
      await one.set('/hits', 1 + by, 'More')
      await one.set('/pages/0/hits', 1 + by, 'More')
    }
    await repo.merge('other')
    expect(await repo.get('/')).toEqual({ hits: 8, pages: [{ hits: 8 }] })
  })

  it('gives way to a policy of the repository and of the call', async () => {
    await schemas(repo).attach('/', { properties: { n: { 'x-merge': 'sum' } } }, {}, 'Add up')
    await repo.set('/n', 1, 'Begin')
    const branch = await repo.branch('other')
    await repo.set('/n', 3, 'More')
    await branch.set('/n', 2, 'More')
    await repo.merge('other', { description: 'Merge', policies: { '/n': 'max' } })
    expect(await repo.get('/n')).toBe(3)
  })
})
