/** Principals, keys and grants: who is who, what is handed on, and what ends it. */

import { describe, expect, it } from 'vitest'
import { access, type GrantSpec } from '../../src/access/index.ts'
import { open } from '../../src/repository/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { codeOf, person, worker } from './support/people.ts'

const START = Date.parse('2026-04-01T12:00:00Z')

function clockAt(): { now: number; clock: () => Date } {
  const time = { now: START, clock: () => new Date(time.now) }
  return time
}

describe('a principal', () => {
  it('is somebody by a key, may do nothing before it is granted something, and signs what it does', async () => {
    await using repo = await open()
    await repo.set('/', { a: 1, b: 1 }, 'Begin')
    const { key } = await access(repo).addPrincipal('agent/a', 'agent')
    const handle = await access(repo).authenticate(key)
    expect(await codeOf(() => handle.set('/a', 2, 'Try'))).toBe('access-denied')
    const grant = await access(repo).grant('agent/a', { capabilities: ['commit', 'read'], paths: ['/a'] })
    const written = await handle.set('/a', 2, 'Do')
    expect(written).toMatchObject({ agent: 'agent/a', principal: 'agent/a', authority: [grant.id] })
    expect(await repo.blame('/a')).toMatchObject({
      principal: 'agent/a',
      chain: [{ grant: grant.id, from: 'operator', to: 'agent/a' }],
    })
    expect(await repo.blame('/b')).not.toHaveProperty('chain')
  })

  it('has keys that are kept as hashes only, and can be rotated by itself', async () => {
    await using repo = await open()
    const { key } = await access(repo).addPrincipal('agent/a', 'agent')
    expect(key).toMatch(/^asg_[0-9a-z]{12}_[\w-]{49}$/)
    const [, id, secret] = /^asg_(.{12})_(.{43})/.exec(key)!
    const first = await access(repo).authenticate(key)
    await access(repo).grant('agent/a', { capabilities: ['commit', 'read'] })
    const second = await access(first).addKey('agent/a')
    await access(await access(repo).authenticate(second.key)).revokeKey(id!, 'Rotated', { descendants: false })
    expect(await codeOf(() => first.set('/x', 1, 'Late'))).toBe('key-ended')
    expect(await codeOf(() => access(repo).authenticate(key))).toBe('key-refused')
    const keys = await access(repo).keys()
    expect(keys.map(one => [one.principal, one.revoked?.reason, one.parent])).toEqual([
      ['agent/a', 'Rotated', undefined],
      ['agent/a', undefined, id],
    ])
    expect(JSON.stringify(keys)).not.toContain(secret)
    const { journal } = repo.handle
    const { seq } = await journal.log.head()
    const entries = await journal.log.entries(1, seq, ['text', 'commit', 'part'])
    const stored = entries.map(entry => entry.text + new TextDecoder('latin1').decode(entry.part)).join('')
    expect(stored).not.toContain(secret)
  })

  it('is refused with one and the same error, whatever is wrong with its key', async () => {
    const time = clockAt()
    await using repo = await open(undefined, { clock: time.clock })
    const { key } = await access(repo).addPrincipal('agent/a', 'agent')
    const timed = await access(repo).addKey('agent/a', { expires: '2026-04-01T13:00:00Z' })
    const gone = await access(repo).addKey('agent/a')
    await access(repo).revokeKey(gone.id, 'Lost', { descendants: false })
    const handle = await access(repo).authenticate(timed.key)
    time.now += 3_600_000
    const other = (await access(await open()).addPrincipal('agent/a', 'agent')).key
    const swapped = key.slice(0, 17) + other.slice(17)
    const bad = ['', 'x', key.slice(1), key.slice(0, -1), `${key}A`, swapped, other, timed.key, gone.key, undefined, {}]
    const errors = new Set<string>()
    for (const one of bad) {
      await access(repo)
        .authenticate(one as string)
        .catch(error => errors.add(JSON.stringify(error)))
    }
    expect([...errors]).toHaveLength(1)
    expect([...errors][0]).toContain('key-refused')
    expect(await codeOf(() => handle.set('/x', 1, 'Late'))).toBe('key-ended')
  })

  it('cannot be made or given keys by those who may not', async () => {
    await using repo = await open()
    const admin = await person(repo, 'human/admin', { capabilities: ['admin'] })
    const local = await person(repo, 'human/local', { capabilities: ['admin'], branches: ['feature/*'] })
    const none = await person(repo, 'agent/none', { capabilities: [...worker] })
    expect(await codeOf(() => access(none).addPrincipal('agent/x', 'agent'))).toBe('access-denied')
    expect(await codeOf(() => access(local).addPrincipal('agent/x', 'agent'))).toBe('access-denied')
    expect(await codeOf(() => access(admin).addPrincipal('agent/x', 'agent'))).toBe('done')
    expect(await codeOf(() => access(admin).addPrincipal('agent/x', 'agent'))).toBe('principal-exists')
    expect(await codeOf(() => access(admin).addKey('agent/none'))).toBe('key-foreign')
    expect(await codeOf(() => access(repo).addKey('agent/nobody'))).toBe('principal-unknown')
    for (const id of ['', ' ', 'operator', 'a//b', 'a\u202eb', 'a\nb', '\ud800', 'x'.repeat(129)]) {
      expect(await codeOf(() => access(repo).addPrincipal(id, 'agent'))).toBe('principal-invalid')
    }
    expect(await codeOf(() => access(repo).addPrincipal('a', 'robot' as 'agent'))).toBe('principal-invalid')
    expect((await access(none).principals()).map(({ id }) => id)).toEqual(['agent/none'])
    expect(await access(repo).principals()).toHaveLength(4)
  })
})

describe('a grant', () => {
  it('says what is wrong with it', async () => {
    const time = clockAt()
    await using repo = await open(undefined, { clock: time.clock })
    await access(repo).addPrincipal('agent/a', 'agent')
    const attempt = (spec: object, to = 'agent/a') =>
      codeOf(() => access(repo).grant(to, { capabilities: ['commit'], ...spec } as GrantSpec))
    expect(await attempt({ capabilities: [] })).toBe('capabilities-missing')
    expect(await attempt({ capabilities: undefined })).toBe('capabilities-missing')
    expect(await attempt({ capabilities: ['root'] })).toBe('capability-unknown')
    expect(await attempt({ paths: ['no-slash'] })).toBe('pattern-invalid')
    expect(await attempt({ branches: [''] })).toBe('pattern-invalid')
    for (const depth of [-1, 1.5, 16, Number.NaN, '1']) expect(await attempt({ depth })).toBe('depth-invalid')
    const times = [
      '2026-02-30T00:00:00Z',
      '2027-01-01',
      '2027-01-01T00:00:00',
      '2026-04-01T11:59:59Z',
      '+012026-01-01T00:00:00Z',
    ]
    for (const expires of [...times, new Date(Number.NaN), 12, '2027-01-01T25:00:00Z']) {
      expect(await attempt({ expires })).toBe('time-invalid')
    }
    expect(await attempt({ expires: new Date('9999-12-31T00:00:00Z') })).toBe('done')
    for (const limits of [{ commitsPerMinute: 0 }, { bytesPerCommit: 1.5 }]) {
      expect(await attempt({ limits })).toBe('limit-invalid')
    }
    expect(await attempt({ limits: { commits: 1 } })).toBe('option-unknown')
    expect(await attempt({}, 'agent/nobody')).toBe('principal-unknown')
    expect(await attempt({}, 'operator')).toBe('principal-unknown')
    expect(await access(repo).grants()).toHaveLength(1)
  })

  it('handed on is only ever narrower, and says in what it was not', async () => {
    const time = clockAt()
    await using repo = await open(undefined, { clock: time.clock })
    const lead = await person(repo, 'agent/lead', {
      capabilities: ['read', 'commit', 'grant'],
      paths: ['/team/**'],
      branches: ['feature/*'],
      expires: '2026-05-01T00:00:00Z',
      depth: 2,
      limits: { commitsPerMinute: 10, bytesPerCommit: 1000 },
    })
    await person(repo, 'agent/b')
    const attempt = async (spec: object): Promise<unknown> => {
      try {
        return await access(lead).grant('agent/b', { capabilities: ['commit'], ...spec } as GrantSpec)
      } catch (error) {
        return (error as { data: { what: string } }).data.what
      }
    }
    expect(await attempt({ capabilities: ['merge'] })).toBe('capabilities')
    expect(await attempt({ paths: ['/**'] })).toBe('paths')
    expect(await attempt({ paths: ['/team/a', '/other'] })).toBe('paths')
    expect(await attempt({ paths: ['/tea'] })).toBe('paths')
    expect(await attempt({ paths: ['/*'] })).toBe('paths')
    expect(await attempt({ paths: ['/_plans/**'] })).toBe('paths')
    expect(await attempt({ branches: ['**'] })).toBe('branches')
    expect(await attempt({ branches: ['main'] })).toBe('branches')
    expect(await attempt({ depth: 2 })).toBe('depth')
    expect(await attempt({ expires: '2026-05-01T00:00:01Z' })).toBe('expiry')
    expect(await attempt({ limits: { commitsPerMinute: 11 } })).toBe('commitsPerMinute')
    expect(await attempt({ limits: { bytesPerCommit: 1001 } })).toBe('bytesPerCommit')
    expect(await attempt({})).toMatchObject({
      from: 'agent/lead',
      paths: ['/team/**'],
      branches: ['feature/*'],
      expires: '2026-05-01T00:00:00.000Z',
      limits: { commitsPerMinute: 10, bytesPerCommit: 1000 },
      depth: 0,
    })
    expect(await codeOf(() => access(lead).grant('agent/lead', { capabilities: ['commit'] }))).toBe('grant-to-self')
    const b = await access(lead).grant('agent/b', { capabilities: ['commit', 'grant'], depth: 1 })
    expect(b).toMatchObject({ depth: 1 })
  })

  it('cannot go back to those it comes from', async () => {
    await using repo = await open()
    const a = await person(repo, 'a', { capabilities: ['grant', 'commit'], depth: 3 })
    const b = await person(repo, 'b')
    await access(a).grant('b', { capabilities: ['grant', 'commit'], depth: 2 })
    expect(await codeOf(() => access(b).grant('a', { capabilities: ['commit'] }))).toBe('grant-circular')
  })

  it('ends with any link above it, at once, and is taken back by those above or who hold admin', async () => {
    await using repo = await open()
    await repo.set('/x', 0, 'Begin')
    const give = { capabilities: ['read', 'commit', 'grant'] as const, depth: 4 }
    const a = await person(repo, 'a', give)
    const b = await person(repo, 'b')
    const c = await person(repo, 'c')
    const stranger = await person(repo, 'stranger', { capabilities: ['read', 'commit'] })
    const admin = await person(repo, 'admin', { capabilities: ['admin'] })
    const toB = await access(a).grant('b', { ...give, depth: 2 })
    const toC = await access(b).grant('c', { capabilities: ['commit'] })
    const written = await c.set('/x', 1, 'Chain')
    expect(written.authority).toEqual([(await access(repo).grants({ principal: 'a' }))[0]!.id, toB.id, toC.id])
    expect((await repo.blame('/x')).chain?.map(({ from, to }) => `${from}>${to}`)).toEqual(['operator>a', 'a>b', 'b>c'])
    expect(await codeOf(() => access(stranger).revoke(toC.id, 'Meddling'))).toBe('grant-unknown')
    expect(await codeOf(() => access(c).revoke(toB.id, 'From below'))).toBe('access-denied')
    expect(await codeOf(() => access(a).revoke(toC.id, ''))).toBe('option-invalid')
    await access(a).revoke(toB.id, 'Enough')
    expect(await codeOf(() => c.set('/x', 2, 'Late'))).toBe('grant-revoked')
    expect(await codeOf(() => access(a).revoke(toB.id, 'Again'))).toBe('grant-over')
    expect(await codeOf(() => access(admin).revoke(toC.id, 'Clean up'))).toBe('done')
    expect(await codeOf(() => access(admin).revoke('nothing', 'Clean up'))).toBe('grant-unknown')
    expect(await access(stranger).grants()).toHaveLength(1)
  })

  it('ends when its time is over, and a clock set back does not bring it back', async () => {
    const time = clockAt()
    await using repo = await open(undefined, { clock: time.clock })
    await repo.set('/x', 0, 'Begin')
    const a = await person(repo, 'a', { capabilities: ['commit'], expires: '2026-04-01T12:30:00Z' })
    await a.set('/x', 1, 'In time')
    time.now += 1_800_000
    expect(await codeOf(() => a.set('/x', 2, 'Late'))).toBe('grant-expired')
    await access(repo).addPrincipal('b', 'agent')
    time.now = START
    expect(await codeOf(() => a.set('/x', 2, 'Back'))).toBe('grant-expired')
  })

  it('is over for a commit that would get a later time than the clock says, because the journal is ahead of it', async () => {
    const time = clockAt()
    await using repo = await open(undefined, { clock: time.clock })
    await repo.set('/x', 1, 'Begin')
    const { key } = await access(repo).addPrincipal('agent/a', 'agent')
    await access(repo).grant('agent/a', { capabilities: ['commit'], expires: new Date(START + 600_000) })
    const a = await access(repo).authenticate(key)
    time.now += 1_200_000
    await repo.set('/x', 2, 'By a clock that is ahead')
    time.now = START
    expect(await codeOf(() => a.set('/x', 3, 'Too late'))).toBe('grant-expired')
    expect(await repo.get('/x')).toBe(2)
  })
})

describe('a limit', () => {
  it('of commits in a minute counts all that is done under the grant, by whomever', async () => {
    const time = clockAt()
    await using repo = await open(undefined, { clock: time.clock })
    const a = await person(repo, 'a', {
      capabilities: ['read', 'commit', 'grant'],
      depth: 2,
      limits: { commitsPerMinute: 3 },
    })
    const b = await person(repo, 'b')
    await access(a).grant('b', { capabilities: ['commit'] })
    await a.set('/n', 1, 'One')
    time.now += 20_000
    await b.set('/n', 2, 'Two')
    await a.set('/n', 3, 'Three')
    expect(await codeOf(() => a.set('/n', 4, 'Four'))).toBe('rate-exceeded')
    expect(await codeOf(() => b.set('/n', 4, 'Four'))).toBe('rate-exceeded')
    time.now += 40_000
    expect(await codeOf(() => b.set('/n', 4, 'Four'))).toBe('done')
    expect(await codeOf(() => b.set('/n', 5, 'Five'))).toBe('rate-exceeded')
    time.now += 60_001
    expect(await codeOf(() => b.set('/n', 5, 'Five'))).toBe('done')
  })

  it('of bytes keeps a large commit out', async () => {
    await using repo = await open()
    const a = await person(repo, 'a', { capabilities: ['commit'], limits: { bytesPerCommit: 2000 } })
    await a.set('/n', 'small', 'Small')
    expect(await codeOf(() => a.set('/n', 'x'.repeat(4000), 'Large'))).toBe('commit-too-large')
  })
})

it('bytes of a minute are counted exactly, by every handle and process, until the minute is over', async () => {
  const file = newFile()
  const time = { now: Date.parse('2026-04-01T12:00:00Z') }
  const clock = (): Date => new Date(time.now)
  await using repo = await open(file, { clock })
  await using elsewhere = await open(file, { clock })
  const { key } = await access(repo).addPrincipal('a', 'agent')
  await access(repo).grant('a', { capabilities: ['commit'], limits: { bytesPerMinute: 14_000 } })
  const [here, there] = [await access(repo).authenticate(key), await access(elsewhere).authenticate(key)]
  const text = (letter: string): string => letter.repeat(3000)
  await here.set('/n', text('a'), 'One')
  await there.set('/n', text('b'), 'Two')
  await here.set('/n', text('c'), 'Three')
  expect(await codeOf(() => here.set('/n', text('d'), 'Four'))).toBe('rate-exceeded')
  expect(await codeOf(() => there.set('/n', text('d'), 'Four'))).toBe('rate-exceeded')
  expect(await codeOf(() => there.set('/n', 'small', 'Four'))).toBe('done')
  time.now += 60_001
  expect(await codeOf(() => there.set('/n', text('e'), 'Five'))).toBe('done')
})

describe('freezing', () => {
  it('stops a principal, what it handed on, and a branch, until it is thawed', async () => {
    await using repo = await open()
    await repo.set('/x', 0, 'Begin')
    const a = await person(repo, 'a', { capabilities: ['read', 'commit', 'grant'], depth: 1 })
    const b = await person(repo, 'b')
    await access(a).grant('b', { capabilities: ['commit'] })
    const { freeze, thaw } = access(repo)
    await freeze({ principal: 'a' }, 'Odd behaviour')
    expect(await codeOf(() => a.set('/x', 1, 'Frozen'))).toBe('principal-frozen')
    expect(await codeOf(() => access(a).grant('b', { capabilities: ['commit'] }))).toBe('principal-frozen')
    expect(await codeOf(() => b.set('/x', 1, 'Below'))).toBe('access-denied')
    expect(await codeOf(() => freeze({ principal: 'a' }, 'Again'))).toBe('frozen-already')
    await thaw({ principal: 'a' }, 'It was a test')
    expect(await codeOf(() => b.set('/x', 1, 'Below'))).toBe('done')
    await freeze({ branch: 'main' }, 'Release')
    expect(await codeOf(() => repo.set('/x', 2, 'Operator'))).toBe('branch-frozen')
    expect(await codeOf(() => access(a).thaw({ branch: 'main' }, 'I want to'))).toBe('access-denied')
    await thaw({ branch: 'main' }, 'Released')
    expect(await codeOf(() => thaw({ branch: 'main' }, 'Again'))).toBe('not-frozen')
    expect(await codeOf(() => freeze({} as never, 'What'))).toBe('target-invalid')
    expect(await codeOf(() => freeze({ principal: 'z' }, 'Who'))).toBe('principal-unknown')
    expect((await repo.at('main').log()).length).toBeGreaterThan(0)
  })
})

describe('an explanation', () => {
  it('names every link and what is wrong with it', async () => {
    await using repo = await open()
    const a = await person(repo, 'a', { capabilities: ['commit', 'grant'], paths: ['/team'], depth: 1 })
    await person(repo, 'b')
    const link = await access(a).grant('b', { capabilities: ['commit'], paths: ['/team/b'] })
    const { explain } = access(repo)
    expect(await explain('b', { capability: 'commit', branch: 'main', path: '/team/b/x' })).toMatchObject({
      allowed: true,
      links: [{ allowed: true }, { grant: link.id, allowed: true }],
    })
    const refused = await explain('b', { capability: 'commit', path: '/team/c' })
    expect(refused.allowed).toBe(false)
    expect(refused.links.map(({ allowed }) => allowed)).toEqual([true, false])
    expect(refused.links[1]!.reason).toContain('/team/b')
    await access(repo).revoke(link.id, 'Over')
    expect((await explain('b', { capability: 'commit', path: '/team/b' })).links[1]!.reason).toContain('Over')
    expect((await explain('operator', { capability: 'commit' })).allowed).toBe(true)
    expect(await codeOf(() => explain('nobody', { capability: 'commit' }))).toBe('principal-unknown')
    expect(await codeOf(() => access(a).explain('b', { capability: 'commit' }))).toBe('access-denied')
    expect(await codeOf(() => access(a).explain('a', { capability: 'fly' as 'read' }))).toBe('capability-unknown')
  })
})

describe('refusals', () => {
  it('are recorded at once and counted by the minute, without what was to be written', async () => {
    const time = clockAt()
    await using repo = await open(undefined, { clock: time.clock })
    await repo.set('/x', 0, 'Begin')
    const a = await person(repo, 'a', { capabilities: ['commit'], paths: ['/a'] })
    const before = (await repo.handle.journal.log.head()).seq
    for (let i = 0; i < 50; i++) await codeOf(() => a.set('/secret-place', 'secret value', 'Knock'))
    expect((await repo.handle.journal.log.head()).seq).toBe(before + 1)
    time.now += 60_000
    await repo.set('/x', 1, 'Later')
    const { seq } = await repo.handle.journal.log.head()
    expect(seq).toBe(before + 3)
    const entries = await repo.handle.journal.log.entries(before + 1, seq, ['text'])
    expect(entries.map(({ text }) => text).join('')).not.toContain('secret')
    const minute = new Date(START).toISOString()
    expect(await access(repo).refusals()).toEqual([{ principal: 'a', rule: 'access-denied', minute, count: 50 }])
    expect(await access(a).refusals()).toHaveLength(1)
    expect(await access(repo).refusals({ since: new Date(START + 60_001) })).toEqual([])
  })
})
