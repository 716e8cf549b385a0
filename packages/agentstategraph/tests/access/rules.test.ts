/** Rules say what may change, by whom, where, how much: proposed by one, ratified by another, for everybody. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AccessChange, changeAccess } from '../../src/access/change-access.ts'
import { access, type PolicyRule } from '../../src/access/index.ts'
import { assertMay } from '../../src/repo/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { schemas } from '../../src/schema/index.ts'
import type { Work } from '../../src/store/index.ts'
import { office, proposalOf } from './support/office.ts'

type When = PolicyRule['when']
type Write = (repo: Repository) => Promise<unknown>

const big = { a: 1, b: { c: 2, d: [3, 4] } }

/** Each row: a selector, a write that it is about, and one that it is not about. */
const selectors: readonly (readonly [string, When, Write, Write])[] = [
  [
    'paths: a place and all in it',
    { paths: ['/prod'] },
    r => r.set('/prod/replicas', 4, 'x'),
    r => r.set('/production', 4, 'x'),
  ],
  [
    'paths: a whole that is put in place of a place',
    { paths: ['/prod/replicas'] },
    r => r.set('/prod', { image: 'v1' }, 'x'),
    r => r.set('/prod/image', 'v2', 'x'),
  ],
  [
    'paths: everything, by replacing the root',
    { paths: ['/prod/image'] },
    r => r.set('/', { other: 1 }, 'x'),
    r => r.set('/other', 1, 'x'),
  ],
  [
    'branches',
    { branches: ['feature/*'] },
    async r => (await r.branch('feature/a')).set('/x', 1, 'x'),
    async r => (await r.branch('features')).set('/x', 1, 'x'),
  ],
  [
    'categories',
    { categories: ['Explore', 'Fix'] },
    r => r.set('/x', 1, { description: 'x', category: 'Fix' }),
    r => r.set('/x', 1, { description: 'x', category: 'fix' }),
  ],
  ['confidence up to', { confidence: { max: 0.5 } }, r => say(r, 0.5), r => say(r, 0.500001)],
  ['confidence from', { confidence: { min: 0.8 } }, r => say(r, 0.8), r => say(r, 0.799999)],
  ['confidence that nobody gave', { confidence: { max: 0 } }, r => r.set('/x', 1, 'x'), r => say(r, 0.1)],
  [
    'a change that removes a key',
    { change: ['destructive'] },
    r => r.delete('/prod/image', 'x'),
    r => r.set('/prod/more', 1, 'x'),
  ],
  [
    'a change that removes by replacing a parent',
    { change: ['destructive'] },
    r => r.set('/prod', { replicas: 3 }, 'x'),
    r => r.set('/prod', { replicas: 4, image: 'v2' }, 'x'),
  ],
  [
    'a change that puts a value in place of a map',
    { change: ['destructive'] },
    r => r.set('/prod', 5, 'x'),
    r => r.set('/prod/image', 5, 'x'),
  ],
  [
    'a change of the kind of a value',
    { change: ['type'] },
    r => r.set('/prod/replicas', '3', 'x'),
    r => r.set('/prod/replicas', 3.5, 'x'),
  ],
  [
    'a change of the kind of a value beyond JSON',
    { change: ['type'] },
    r => r.set('/prod/replicas', 3n, 'x'),
    r => r.set('/prod/image', 'v9', 'x'),
  ],
  [
    'a change of the schema',
    { change: ['schema'] },
    r => schemas(r).attach('/prod', { type: 'object' }, {}, 'x'),
    r => r.set('/prod/replicas', 1, 'x'),
  ],
  ['more changes than', { maxChanges: 3 }, r => r.set('/big', big, 'x'), r => r.set('/big', { a: 1, b: 2, c: 3 }, 'x')],
  [
    'more changes than, in some places',
    { maxChanges: 1, paths: ['/prod'] },
    r => r.set('/prod', { replicas: 4, image: 'v2' }, 'x'),
    r => r.commit('x', tx => tx.set('/prod/replicas', 4).set('/a', 1).set('/b', 1)),
  ],
  [
    'removals in some places only',
    { change: ['destructive'], paths: ['/prod'] },
    r => r.delete('/prod/image', 'x'),
    r => r.commit('x', tx => tx.set('/prod/image', 'v2').delete('/old')),
  ],
  [
    'what the system keeps, where it is named',
    { paths: ['/_meta'] },
    r => schemas(r).attach('/prod', { type: 'object' }, {}, 'x'),
    r => r.set('/meta', 1, 'x'),
  ],
]

function say(repo: Repository, confidence: number): Promise<unknown> {
  return repo.set('/x', 1, { description: 'x', confidence })
}

describe('a rule', () => {
  it.each(selectors)('selects by %s', async (_, when, meant, other) => {
    await using at = await office()
    await at.repo.set('/old', 1, 'Something to remove')
    await at.rule({ name: 'no', effect: 'deny', when })
    const before = (await at.repo.log())[0]!.id
    await expect(meant(at.agent)).rejects.toMatchObject({ code: 'rule-denied', data: { rule: 'no' } })
    expect((await at.repo.log())[0]!.id).toBe(before)
    await other(at.agent)
  })

  it('selects by agents, and holds for the operator too', async () => {
    await using at = await office()
    await at.rule({ name: 'no', effect: 'deny', when: { agents: ['agent/*', 'anonymous'] } })
    await expect(at.agent.set('/x', 1, 'x')).rejects.toMatchObject({ code: 'rule-denied' })
    await expect(at.repo.set('/x', 1, 'x')).rejects.toMatchObject({ code: 'rule-denied' })
    await at.ann.set('/x', 1, 'x')
    await at.repo.as('somebody').set('/x', 2, 'x')
  })

  it('selects by one link of a chain when it restricts, and by all of them when it allows', async () => {
    await using at = await office()
    const lead = await at.add('agent/lead', ['read', 'commit'])
    await access(at.repo).grant('agent/lead', { capabilities: ['read', 'commit', 'grant'], depth: 2 })
    const { repo } = await access(lead).openSession({ agent: 'agent/lead/helper' })
    const rule = async (name: string, effect: PolicyRule['effect'], agents: readonly string[]): Promise<unknown> =>
      at.rule({ name, effect, when: { agents } })
    await rule('both', 'allow', ['agent/lead/**', 'agent/lead'])
    await rule('one', 'allow', ['agent/lead/*'])
    const { links } = await access(repo).explain('agent/lead/helper', { capability: 'commit', branch: 'main' })
    expect(links.flatMap(link => link.rule ?? [])).toEqual(['both'])
    await rule('asks', 'require-approval', ['agent/lead'])
    await proposalOf(repo.set('/x', 1, 'x'))
    await rule('denies', 'deny', ['agent/lead'])
    await expect(repo.set('/x', 2, 'x')).rejects.toMatchObject({ code: 'rule-denied', data: { rule: 'denies' } })
    await rule('denies', 'deny', ['human/*'])
    await proposalOf(repo.set('/x', 3, 'x'))
  })

  it('needs all of its selectors to match', async () => {
    await using at = await office()
    const when: When = { paths: ['/prod'], categories: ['Fix'], confidence: { max: 0.5 } }
    await at.rule({ name: 'no', effect: 'deny', when })
    const write = (category: string, confidence: number, path: string): Promise<unknown> =>
      at.agent.set(path, confidence, { description: 'x', category, confidence })
    await write('Refine', 0.1, '/prod/x')
    await write('Fix', 0.9, '/prod/x')
    await write('Fix', 0.1, '/x')
    await expect(write('Fix', 0.1, '/prod/x')).rejects.toMatchObject({ code: 'rule-denied' })
  })

  it('denies before it asks for an approval, and asks before it allows, in any order', async () => {
    await using at = await office()
    await at.rule({ name: 'c', effect: 'allow', when: {} })
    await at.agent.set('/x', 1, 'x')
    await at.rule({ name: 'b', effect: 'require-approval', when: {} })
    await proposalOf(at.agent.set('/x', 2, 'x'))
    await at.rule({ name: 'a', effect: 'deny', when: {} })
    await expect(at.agent.set('/x', 3, 'x')).rejects.toMatchObject({ code: 'rule-denied', data: { rule: 'a' } })
    expect(await access(at.ann).proposals()).toHaveLength(1)
  })

  it('gives nothing: what no grant allows stays denied', async () => {
    await using at = await office()
    await at.rule({ name: 'all', effect: 'allow', when: {} })
    const guest = await at.add('agent/guest', ['read'])
    await expect(guest.set('/x', 1, 'x')).rejects.toMatchObject({ code: 'access-denied' })
  })

  it('holds for what is tried in a speculation', async () => {
    await using at = await office()
    await at.rule({ name: 'no', effect: 'deny', when: { paths: ['/prod'] } })
    await using tried = await at.agent.speculate()
    await expect(tried.set('/prod/x', 1)).rejects.toMatchObject({ code: 'rule-denied' })
    await tried.set('/x', 1)
    await tried.commit('Take it')
  })

  it('that cannot be read denies everything, until it is superseded', async () => {
    await using at = await office()
    const id = await at.rule({ name: 'future', effect: 'deny', when: { paths: ['/prod'] } })
    await at.repo.handle.journal.run(
      // What a later version of this library may keep.
      changeAccess(at.repo.handle, function* (state): Work<AccessChange<undefined>> {
        yield* assertMay(at.repo.handle, state, { capability: 'policy' })
        const set = ['rules', 'ratified', 'future', 'rule', 'when', 'moonPhase']
        return { description: 'Later', edits: [{ set, value: 'full' }], result: undefined }
      }),
    )
    await expect(at.agent.set('/x', 1, 'x')).rejects.toMatchObject({
      code: 'rule-unreadable',
      data: { rule: 'future', reason: expect.stringContaining('moonPhase') },
    })
    const explained = await access(at.repo).explain('agent/scaler', { capability: 'commit', branch: 'main' })
    expect(explained.allowed).toBe(false)
    expect(explained.links).toContainEqual(expect.objectContaining({ rule: 'future', allowed: false }))
    await expect(access(at.ann).ratifyPolicy(id, 'x')).rejects.toMatchObject({ code: 'rule-ratified' })
    await at.rule({ name: 'future', effect: 'allow', when: {} })
    await at.agent.set('/x', 1, 'x')
  })

  it('shows in what explains', async () => {
    await using at = await office()
    await at.rule({ name: 'ask', effect: 'require-approval', when: { paths: ['/prod'] }, approvers: ['human/ann'] })
    await at.rule({ name: 'unsure', effect: 'deny', when: { confidence: { max: 0.2 } } })
    const explain = (path: string) =>
      access(at.repo).explain('agent/scaler', { capability: 'commit', branch: 'main', path })
    const prod = await explain('/prod/x')
    expect(prod.allowed).toBe(false)
    expect(prod.links.filter(({ rule }) => rule !== undefined)).toEqual([
      { rule: 'unsure', allowed: true, reason: 'The rule "unsure" denies it, depending on confidence.' },
      { rule: 'ask', allowed: false, reason: 'The rule "ask" asks for an approval of human/ann.' },
    ])
    expect((await explain('/x')).allowed).toBe(true)
  })
})

describe('the life of a rule', () => {
  const rule: PolicyRule = { name: 'r', effect: 'deny', when: { paths: ['/prod'] } }

  it('begins when somebody else ratifies it', async () => {
    await using at = await office()
    const { id, version } = await access(at.ann).proposePolicy(rule)
    expect(version).toBe(1)
    await at.agent.set('/prod/x', 1, 'Not in force yet')
    await expect(access(at.ann).ratifyPolicy(id, 'Mine')).rejects.toMatchObject({ code: 'self-ratified' })
    await expect(access(at.agent).ratifyPolicy(id, 'x')).rejects.toMatchObject({ code: 'access-denied' })
    await expect(access(at.agent).proposePolicy(rule)).rejects.toMatchObject({ code: 'access-denied' })
    await access(at.ben).ratifyPolicy(id, 'We need it')
    await expect(at.agent.set('/prod/x', 2, 'x')).rejects.toMatchObject({ code: 'rule-denied' })
    expect(await access(at.agent).policies()).toMatchObject([
      {
        ...rule,
        id,
        version: 1,
        status: 'ratified',
        by: 'human/ann',
        ratified: { by: 'human/ben', reason: 'We need it' },
      },
    ])
  })

  it('ends when the next version is ratified, which overtakes what still waits', async () => {
    await using at = await office()
    const first = await at.rule(rule)
    const second = await access(at.ann).proposePolicy({ ...rule, effect: 'allow' })
    const third = await access(at.ann).proposePolicy({ ...rule, when: { paths: ['/other'] } })
    expect([second.version, third.version]).toEqual([2, 3])
    await access(at.ben).ratifyPolicy(third.id, 'Better')
    await at.agent.set('/prod/x', 1, 'x')
    for (const id of [first, second.id]) {
      await expect(access(at.ben).ratifyPolicy(id, 'x')).rejects.toMatchObject({ code: 'rule-superseded' })
    }
    await expect(access(at.ben).ratifyPolicy(third.id, 'x')).rejects.toMatchObject({ code: 'rule-ratified' })
    await expect(access(at.ben).ratifyPolicy('none', 'x')).rejects.toMatchObject({ code: 'rule-unknown' })
    const listed = (await access(at.ann).policies()).map(({ version, status }) => [version, status])
    expect(listed).toEqual([
      [3, 'ratified'],
      [2, 'superseded'],
      [1, 'superseded'],
    ])
    expect(await access(at.ann).policies({ status: 'proposed' })).toEqual([])
  })

  it('takes two principals, of whom the operator may be one', async () => {
    await using repo = await open()
    const { id } = await access(repo).proposePolicy(rule)
    await expect(access(repo).ratifyPolicy(id, 'Alone')).rejects.toMatchObject({ code: 'self-ratified' })
    const { key } = await access(repo).addPrincipal('human/ann', 'human')
    await access(repo).grant('human/ann', { capabilities: ['policy'] })
    await access(await access(repo).authenticate(key)).ratifyPolicy(id, 'I agree')
    await expect(repo.set('/prod', 1, 'x')).rejects.toMatchObject({ code: 'rule-denied' })
  })

  const wrong: readonly (readonly [string, unknown, string])[] = [
    ['nothing', undefined, 'it'],
    ['no name', { ...rule, name: ' ' }, 'name'],
    ['an unknown effect', { ...rule, effect: 'maybe' }, 'effect'],
    ['no selectors', { name: 'r', effect: 'deny' }, 'when'],
    ['an unknown field', { ...rule, unless: {} }, 'it'],
    ['a misspelt selector', { ...rule, when: { path: ['/a'] } }, 'when'],
    ['an empty list', { ...rule, when: { paths: [] } }, 'when.paths'],
    ['a list that is none', { ...rule, when: { branches: 'main' } }, 'when.branches'],
    ['too long a list', { ...rule, when: { categories: Array.from({ length: 65 }, String) } }, 'when.categories'],
    ['an item that is no text', { ...rule, when: { agents: [1] } }, 'when.agents'],
    ['a confidence above 1', { ...rule, when: { confidence: { min: 1.1 } } }, 'when.confidence'],
    ['a confidence without ends', { ...rule, when: { confidence: {} } }, 'when.confidence'],
    ['a confidence the wrong way round', { ...rule, when: { confidence: { min: 0.9, max: 0.1 } } }, 'when.confidence'],
    ['an unknown kind of change', { ...rule, when: { change: ['huge'] } }, 'when.change'],
    ['a count below 0', { ...rule, when: { maxChanges: -1 } }, 'when.maxChanges'],
    ['approvers of a rule that denies', { ...rule, approvers: ['human/ann'] }, 'approvers'],
  ]

  it.each(wrong)('does not begin with %s', async (_, given, field) => {
    await using at = await office()
    await expect(access(at.ann).proposePolicy(given as PolicyRule)).rejects.toMatchObject({
      code: 'rule-invalid',
      data: { field },
    })
    expect(await access(at.ann).policies()).toEqual([])
  })

  it('does not begin with a pattern that is none, nor with an approver whom nobody knows', async () => {
    await using at = await office()
    for (const when of [{ paths: ['prod'] }, { paths: ['/a*'] }, { branches: ['a**'] }, { agents: ['agent-*'] }]) {
      await expect(access(at.ann).proposePolicy({ ...rule, when })).rejects.toMatchObject({ code: 'pattern-invalid' })
    }
    const asking: PolicyRule = { ...rule, effect: 'require-approval', approvers: ['human/nobody'] }
    await expect(access(at.ann).proposePolicy(asking)).rejects.toMatchObject({ code: 'principal-unknown' })
  })
})

it('law: what happens to a write is what the strictest rule about it says', async () => {
  const name = fc.constantFrom('a', 'b', 'c')
  const rules = fc.array(
    fc.record({
      effect: fc.constantFrom('allow', 'require-approval', 'deny') as fc.Arbitrary<PolicyRule['effect']>,
      paths: fc.option(fc.array(name, { minLength: 1, maxLength: 2 }), { nil: undefined }),
      category: fc.option(fc.constantFrom('Fix', 'Explore'), { nil: undefined }),
      max: fc.option(fc.constantFrom(0, 0.5, 1), { nil: undefined }),
    }),
    { maxLength: 4 },
  )
  const writes = fc.array(
    fc.record({
      at: name,
      category: fc.constantFrom('Fix', 'Explore', 'Refine'),
      confidence: fc.option(fc.constantFrom(0.2, 0.5, 0.9), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  await fc.assert(
    fc.asyncProperty(rules, writes, async (given, wanted) => {
      await using at = await office()
      for (const [i, { effect, paths, category, max }] of given.entries()) {
        const when: When = {
          ...(paths === undefined ? {} : { paths: paths.map(path => `/${path}`) }),
          ...(category === undefined ? {} : { categories: [category] }),
          ...(max === undefined ? {} : { confidence: { max } }),
        }
        await at.rule({ name: `r${i}`, effect, when })
      }
      let value = 0
      for (const write of wanted) {
        const about = given.filter(
          ({ paths, category, max }) =>
            (paths === undefined || paths.includes(write.at)) &&
            (category === undefined || category === write.category) &&
            (max === undefined || (write.confidence ?? 0) <= max),
        )
        const expected = about.some(({ effect }) => effect === 'deny')
          ? 'rule-denied'
          : about.some(({ effect }) => effect === 'require-approval')
            ? 'approval-required'
            : 'landed'
        const { at: place, ...why } = write
        const happened = await at.agent.set(`/${place}/x`, value++, { description: 'x', ...why }).then(
          () => 'landed',
          (error: { readonly code: string }) => error.code,
        )
        expect(happened).toBe(expected)
      }
    }),
    { numRuns: 40 },
  )
})
