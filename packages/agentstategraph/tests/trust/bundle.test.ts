/** Bundles: how a sealed epoch is handed over, and what its receiver can and cannot read. */
import { describe, expect, it } from 'vitest'
import { gc } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { KEPT_ROWS } from '../../src/store/contract/scratch.ts'
import { EncryptedValue, epochs, erase, openBundle, verifyBundle } from '../../src/trust/index.ts'
import { linesOf, recordOf } from './support/bundle-lines.ts'
import { counter } from './support/clock.ts'
import { newFolder, openProtected } from './support/protected-store.ts'

/** An epoch that begins after a first state, with two agents, a branch, a merge and an observation in it. */
async function sample(): Promise<Repository> {
  const repo = await open(undefined, { agent: 'agent/a', clock: counter() })
  await repo.set('/customers', { ann: { note: 'secret '.repeat(40), level: 1 }, bob: { level: 2 } }, 'Before')
  await epochs(repo).create('q1', 'First quarter')
  await repo.set(
    '/refunds',
    { limit: 100, rules: { text: 'Up to a hundred. '.repeat(20) } },
    {
      description: 'Set the limit',
      reasoning: 'Asked by finance',
    },
  )
  const side = await repo.branch('side')
  await side.as('agent/b').set('/refunds/limit', 200, { description: 'Raise the limit', confidence: 0.8 })
  await repo.set('/customers/bob/level', 3, { description: 'Promote bob', idempotencyKey: 'promote-bob' })
  await repo.merge('side')
  await repo.observe('main', { held: true, note: 'It holds' })
  await epochs(repo).seal('q1', 'Limits are settled')
  await repo.set('/refunds/limit', 999, 'After the seal')
  return repo
}

describe('a full bundle', () => {
  it('is read like a short one when most of it is not in memory', async () => {
    await using repo = await open(undefined, { agent: 'agent/a', clock: counter() })
    await epochs(repo).create('long', 'Many commits')
    const ids: string[] = []
    for (let n = 0; n < 5 * KEPT_ROWS; n++) {
      const { id } = await repo.set(`/at/${n % 7}`, { n, note: `${n % 5}`.repeat(150) }, `Write ${n}`)
      ids.push(id)
    }
    await epochs(repo).seal('long', 'Enough')
    await using bundle = await openBundle(await linesOf(repo, 'long'))
    expect(bundle.verdict.ok).toBe(true)
    for (const [n, id] of ids.entries()) {
      if (n % 20 > 0) continue
      expect(await bundle.at({ id: id.slice(0, 12) }).get('/')).toEqual(await repo.at({ id }).get('/'))
      expect((await bundle.at({ id }).blame(`/at/${n % 7}`)).id).toBe(id)
    }
    expect((await bundle.query({ limit: 3, order: 'oldest' })).map(({ id }) => id)).toEqual(ids.slice(0, 3))
  })
  it('is read as the state at the seal, with log, query and blame', async () => {
    await using repo = await sample()
    await using bundle = await openBundle(await linesOf(repo, 'q1'))
    expect(bundle.verdict.ok).toBe(true)
    expect(bundle.verdict.checks.map(({ name, status }) => `${name}: ${status}`)).toEqual([
      'integrity: passed',
      'signed: not-checked',
      'extends: not-checked',
      'witnessed: not-checked',
      'authorised: not-checked',
    ])
    expect(await bundle.get('/refunds/limit')).toBe(200)
    expect(await bundle.get('/customers/bob')).toEqual({ level: 3 })
    expect((await bundle.log()).map(({ intent }) => intent.description)).toEqual([
      'Merge side',
      'Promote bob',
      'Raise the limit',
      'Set the limit',
    ])
    expect((await bundle.query({ agent: 'agent/b' })).map(({ intent }) => intent.description)).toEqual([
      'Raise the limit',
    ])
    expect(await bundle.blame('/refunds/limit')).toMatchObject({ agent: 'agent/b', value: 200, confidence: 0.8 })
    expect(await bundle.blame('/refunds/rules')).toMatchObject({ agent: 'agent/a', reasoning: 'Asked by finance' })
    expect((await bundle.blame('/refunds/limit', { chain: true })).value).toBe(200)
    expect(await bundle.at('side').get('/customers/bob/level')).toBe(2)
    expect(bundle.inventory).toMatchObject({
      epoch: 'q1',
      profile: 'full',
      kinds: { commit: 4, epoch: 2, observe: 1, ref: 1 },
      agents: { 'agent/a': 3, 'agent/b': 1 },
      withheld: 0,
      dropped: 0,
      encrypted: 0,
    })
  })

  it('keeps the numbers and ids of the log it comes from', async () => {
    await using repo = await sample()
    await using bundle = await openBundle(await linesOf(repo, 'q1'))
    const { toSeq } = (await epochs(repo).get('q1')) as { toSeq: number }
    const here = (await repo.query({ epoch: 'q1' })).map(({ id, seq }) => ({ id, seq }))
    expect((await bundle.query()).map(({ id, seq }) => ({ id, seq }))).toEqual(here)
    expect(bundle.inventory?.to).toBe(toSeq)
  })

  it('says that what was there before the epoch was written before it', async () => {
    await using repo = await sample()
    await using bundle = await openBundle(await linesOf(repo, 'q1'))
    const { agent, intent } = await bundle.blame('/customers/ann/note')
    expect(agent).toBe('(before this bundle)')
    expect(intent.description).toBe('Written before entry 3, where the bundle of q1 begins')
    expect((await bundle.history('/customers/bob/level')).map(({ value }) => value)).toEqual([3, 2])
    expect((await bundle.query()).some(commit => commit.agent === agent)).toBe(false)
  })

  it('is read-only, closes itself, and takes lines with or without line feeds', async () => {
    await using repo = await sample()
    const lines = await linesOf(repo, 'q1')
    const bundle = await openBundle(lines.map(line => line.trimEnd()))
    expect(await bundle.get('/refunds/limit')).toBe(200)
    await bundle.close()
    await expect(bundle.get('/refunds/limit')).rejects.toMatchObject({ code: 'closed' })
  })

  it('has each node once, and only those that its commits need', async () => {
    await using repo = await sample()
    const nodes = (await linesOf(repo, 'q1')).map(recordOf).filter(({ type }) => type === 'node')
    expect(new Set(nodes.map(({ node }) => node)).size).toBe(nodes.length)
  })

  it('says which drafts have no states any more, and holds all that landed', async () => {
    await using repo = await open(undefined, { clock: counter() })
    await epochs(repo).create('e', 'With drafts')
    await repo.set('/n', 1, 'One')
    await using dropped = await repo.speculate({ label: 'dropped' })
    await dropped.set('/n', 2)
    await dropped.discard()
    await using kept = await repo.speculate({ label: 'kept' })
    await kept.set('/n', 3)
    await kept.commit('Keep it')
    await epochs(repo).seal('e', 'Done')
    await gc(repo, { keepNewerMs: -1 })
    await using bundle = await openBundle(await linesOf(repo, 'e'))
    expect(bundle.verdict.failed).toBeUndefined()
    expect(bundle.inventory?.dropped).toBeGreaterThan(0)
    expect((await bundle.blame('/n')).intent.description).toBe('Keep it')
    expect((await bundle.log()).map(({ intent }) => intent.description)).toEqual(['Keep it', 'One'])
  })

  it('counts encrypted values, and those that were erased', async () => {
    await using repo = await openProtected(newFolder())
    await epochs(repo).create('e', 'With subjects')
    await repo.set('/users', { ann: { profile: 'Ann' }, bob: { profile: 'Bob' } }, 'Begin')
    await erase(repo, 'ann', 'Asked for it')
    await epochs(repo).seal('e', 'Done')
    const lines = await linesOf(repo, 'e')
    for (const name of ['Ann', 'Bob']) expect(lines.join('')).not.toContain(name)
    const { inventory, failed } = await verifyBundle(lines)
    expect(failed).toBeUndefined()
    expect(inventory).toMatchObject({ encrypted: 2, erased: 1 })
    await using bundle = await openBundle(lines)
    expect(await bundle.get('/users/bob/profile')).toBeInstanceOf(EncryptedValue)
  })

  it('is the same each time it is exported', async () => {
    await using repo = await sample()
    expect(await linesOf(repo, 'q1')).toEqual(await linesOf(repo, 'q1'))
  })
})

describe('a smaller bundle', () => {
  it('of the profile log tells who did what and why, and no values', async () => {
    await using repo = await sample()
    const lines = await linesOf(repo, 'q1', { profile: 'log' })
    expect(lines.some(line => recordOf(line).type === 'node')).toBe(false)
    expect(lines.join('')).not.toContain('Up to a hundred')
    await using bundle = await openBundle(lines)
    expect(bundle.verdict.ok).toBe(true)
    expect((await bundle.log()).map(({ reasoning }) => reasoning).filter(Boolean)).toEqual(['Asked by finance'])
    expect((await bundle.query({ agent: 'agent/b' })).length).toBe(1)
    await expect(bundle.get('/refunds/limit')).rejects.toMatchObject({ code: 'state-withheld' })
  })

  it('of the profile redacted tells who, when and where, and no words', async () => {
    await using repo = await sample()
    const lines = await linesOf(repo, 'q1', { profile: 'redacted' })
    const text = lines.join('')
    for (const word of ['Asked by finance', 'Raise the limit', 'It holds']) expect(text).not.toContain(word)
    for (const word of ['agent/b', '/refunds/limit', 'Limits are settled']) expect(text).toContain(word)
    await using bundle = await openBundle(lines)
    expect(bundle.verdict.ok).toBe(true)
    expect(bundle.inventory).toMatchObject({ withheld: 1, agents: { 'agent/a': 3, 'agent/b': 1 } })
    await expect(bundle.get('/refunds/limit')).rejects.toMatchObject({ code: 'state-withheld' })
    await expect(bundle.log()).rejects.toMatchObject({ code: 'state-withheld' })
  })

  it('with paths opens those, and what lies beside them in long values stays closed', async () => {
    await using repo = await sample()
    const lines = await linesOf(repo, 'q1', { paths: ['/refunds'] })
    expect(lines.join('')).not.toContain('secret')
    await using bundle = await openBundle(lines)
    expect(bundle.verdict.ok).toBe(true)
    expect(bundle.inventory?.paths).toEqual(['/refunds'])
    expect(await bundle.get('/refunds')).toEqual({ limit: 200, rules: { text: 'Up to a hundred. '.repeat(20) } })
    expect(await bundle.blame('/refunds/limit')).toMatchObject({ agent: 'agent/b' })
    await expect(bundle.get('/customers/ann/note')).rejects.toMatchObject({ code: 'state-withheld' })
  })

  it('with a star opens the same part of every entry of a map', async () => {
    await using repo = await open()
    const person = (name: string): unknown => ({ mail: `${name} `.repeat(60), photo: `${name} photo `.repeat(60) })
    await epochs(repo).create('e', 'People')
    const people = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`person ${i}`, person(`p${i}`)]))
    await repo.set('/people', people, 'All of them')
    await epochs(repo).seal('e', 'Done')
    const star = await linesOf(repo, 'e', { paths: ['/people/*/mail'] })
    expect(star.join('')).not.toContain('photo p')
    await using all = await openBundle(star)
    expect(await all.get(['people', 'person 42', 'mail'])).toBe('p42 '.repeat(60))
    const one = await linesOf(repo, 'e', { paths: ['/people/person 42'] })
    expect(one.length).toBeLessThan(20)
    await using single = await openBundle(one)
    expect(await single.get(['people', 'person 42'])).toEqual(person('p42'))
    await expect(single.get(['people', 'person 7', 'mail'])).rejects.toMatchObject({ code: 'state-withheld' })
  })
})

describe('an export', () => {
  it('of an epoch that is open or unknown, or with options that make no sense, is an error', async () => {
    await using repo = await sample()
    await epochs(repo).create('q2', 'Second quarter')
    await expect(linesOf(repo, 'q2')).rejects.toMatchObject({ code: 'epoch-open' })
    await expect(linesOf(repo, 'q9')).rejects.toMatchObject({ code: 'epoch-not-found' })
    await expect(linesOf(repo, 'q1', { profile: 'log', paths: ['/a'] })).rejects.toMatchObject({
      code: 'export-invalid',
    })
    await expect(linesOf(repo, 'q1', { paths: [] })).rejects.toMatchObject({ code: 'export-invalid' })
    await expect(linesOf(repo, 'q1', { paths: ['/a/**'] })).rejects.toMatchObject({ code: 'export-invalid' })
    await expect(linesOf(repo, 'q1', { profile: 'all' as 'full' })).rejects.toMatchObject({ code: 'export-invalid' })
    await expect(linesOf(repo, 'q1', { since: 0 })).rejects.toMatchObject({ code: 'export-invalid' })
  })

  it('tells how far it is', async () => {
    await using repo = await sample()
    const told: unknown[] = []
    const lines = await linesOf(repo, 'q1', { onProgress: progress => told.push(progress) })
    expect(told.at(-1)).toEqual({ done: 8, total: 8 })
    told.length = 0
    await openBundle(lines, { onProgress: progress => told.push(progress) })
    await verifyBundle(lines, { onProgress: progress => told.push(progress) })
    expect(told).toEqual([
      { done: 8, total: 8 },
      { done: 8, total: 8 },
    ])
  })

  it('gives lines as they are read, and stops when nobody takes them', async () => {
    await using repo = await sample()
    const told: number[] = []
    for await (const line of epochs(repo).export('q1', { onProgress: ({ done }) => told.push(done) })) {
      if (recordOf(line).type === 'entry') break
    }
    expect(told).toEqual([0])
  })
})
