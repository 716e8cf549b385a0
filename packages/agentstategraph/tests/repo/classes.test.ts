/** Instances of registered classes and errors, wherever a repository takes or gives values. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { gc, verify } from '../../src/maintenance/index.ts'
import { type ClassCodec, open } from '../../src/repository/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'asg-classes-'))
afterAll(() => rmSync(folder, { recursive: true }))

class Money {
  readonly cents: number
  constructor(cents: number) {
    this.cents = cents
  }
  plus(other: Money): Money {
    return new Money(this.cents + other.cents)
  }
}
const money: ClassCodec<Money> = {
  type: Money,
  tag: 'money',
  encode: ({ cents }) => cents,
  decode: (cents: number) => new Money(cents),
}
const classes = [money]

describe('an instance of a registered class', () => {
  it('is written and read by every call that takes or gives values', async () => {
    await using repo = await open(undefined, { classes })
    const seen: unknown[] = []
    const watching = (async () => {
      for await (const event of repo.watch({ path: '/price' })) {
        if (event.kind !== 'commit') continue
        seen.push(event.changes)
        if (seen.length === 2) break
      }
    })()
    await repo.set('/price', new Money(1), 'Begin')
    await repo.set('/price', new Money(2), { description: 'If it is one', onlyIf: { value: new Money(1) } })
    await expect(
      repo.set('/price', new Money(3), { description: 'If it is one', onlyIf: { value: new Money(1) } }),
    ).rejects.toMatchObject({ code: 'precondition-failed', data: { actual: new Money(2) } })
    await watching
    expect(seen).toEqual([
      [{ op: 'add', path: '/price', after: new Money(1) }],
      [{ op: 'change', path: '/price', before: new Money(1), after: new Money(2) }],
    ])
    await repo.commit('Add', async tx => {
      const price = (await tx.get('/price')) as Money
      tx.set('/price', price.plus(new Money(5))).set('/list', [new Money(1)])
    })
    const price = (await repo.get('/price')) as Money
    expect([price instanceof Money, price.cents]).toEqual([true, 7])
    expect(await repo.get('/')).toEqual({ price: new Money(7), list: [new Money(1)] })
    expect(await repo.find('/list/0')).toEqual(new Money(1))
    expect(await repo.search('money')).toContainEqual({ path: '/price', value: new Money(7) })
    expect((await repo.blame('/price')).value).toEqual(new Money(7))
    expect((await repo.blame('/')).value).toEqual(await repo.get('/'))
    expect((await repo.history('/price')).map(({ value }) => value)).toEqual([new Money(7), new Money(2), new Money(1)])
    const [first] = (await repo.log()).slice(-1)
    const changes = await repo.diff(first!.id, 'main')
    expect(changes).toContainEqual({ op: 'change', path: '/price', before: new Money(1), after: new Money(7) })
    const past = await repo.branch('past', { from: first!.id })
    await past.commit('Apply', tx => tx.apply(changes))
    expect(await past.get('/')).toEqual(await repo.get('/'))
  })

  it('is seen by merge policies, in conflicts and in resolutions', async () => {
    await using repo = await open(undefined, { classes })
    await repo.set('/', { sum: new Money(10), other: new Money(1) }, 'Begin')
    const aside = await repo.branch('aside')
    await aside.set('/', { sum: new Money(13), other: new Money(2) }, 'Aside')
    await repo.set('/', { sum: new Money(11), other: new Money(3) }, 'Here')
    const policies = {
      '/sum': (base: unknown, ours: unknown, theirs: unknown) =>
        new Money((ours as Money).cents + (theirs as Money).cents - (base as Money).cents),
    }
    const conflict = { path: '/other', base: new Money(1), ours: new Money(3), theirs: new Money(2) }
    expect(await repo.previewMerge('aside', { policies })).toMatchObject({ kind: 'conflict', conflicts: [conflict] })
    await expect(repo.merge('aside', { description: 'Merge', policies })).rejects.toMatchObject({
      data: { conflicts: [conflict] },
    })
    await repo.merge('aside', { description: 'Merge', policies, resolutions: { '/other': { value: new Money(9) } } })
    expect(await repo.get('/')).toEqual({ sum: new Money(14), other: new Money(9) })
  })

  it('is kept in speculations, alternatives, expectations and observations', async () => {
    await using repo = await open(undefined, { classes })
    await repo.set('/price', new Money(1), 'Begin')
    const [a, b] = [await repo.speculate(), await repo.speculate()]
    await a.set('/price', new Money(2))
    await b.set('/price', new Money(3))
    expect((await repo.compare([a, b])).rows).toMatchObject([
      { path: '/price', base: new Money(1), values: [new Money(2), new Money(3)] },
    ])
    const { id } = await a.commit({
      description: 'Two',
      alternatives: [b],
      expects: [{ path: '/price', equals: new Money(2) }],
      tools: [{ name: 'ask', args: { limit: new Money(5) } }],
      attached: { quote: new Money(6), ticket: 'OPS-42' },
    })
    await repo.observe(id, { held: true, observed: [{ path: '/price', value: new Money(2) }] })
    const blamed = await repo.blame('/price', { chain: true })
    expect(blamed).toMatchObject({
      expects: [{ equals: new Money(2) }],
      tools: [{ args: { limit: new Money(5) } }],
      attached: { quote: new Money(6), ticket: 'OPS-42' },
      considered: [{ changes: [{ before: new Money(1), after: new Money(3) }] }],
      observed: [{ observed: [{ value: new Money(2) }] }],
    })
  })
})

it('reading without the codec is refused with place, tag and remedy; the store is whole and can be cared for', async () => {
  const file = join(folder, 'a.db')
  {
    await using repo = await open(file, { classes })
    await repo.set(
      '/prices',
      { now: new Money(1) },
      { description: 'Begin', expects: [{ path: '/prices', equals: new Money(1) }] },
    )
    const aside = await repo.branch('aside')
    await aside.set('/prices/now', new Money(2), 'Aside')
    await repo.deleteBranch('aside')
  }
  await using repo = await open(file)
  await expect(repo.get('/')).rejects.toMatchObject({
    code: 'value-unreadable',
    data: { path: '/prices/now', tag: '$class', class: 'money' },
    hint: expect.stringContaining('classes: [{ type, tag: "money", encode, decode }]'),
  })
  expect(await repo.list('/prices')).toEqual([{ path: '/prices/now', kind: 'value', size: 1 }])
  await repo.set('/beside', 1, 'Needs no codec')
  expect(await repo.get('/beside')).toBe(1)
  expect((await verify(repo)).damage).toEqual([])
  expect((await gc(repo, { keepNewerMs: -1 })).removed).toBe(1)
  await using again = await open(file, { classes })
  expect(await again.get('/')).toEqual({ prices: { now: new Money(1) }, beside: 1 })
})

it('an instance without a codec is refused with what to do, and nothing is written', async () => {
  await using repo = await open()
  await expect(repo.set('/a', { price: new Money(1) }, 'Begin')).rejects.toMatchObject({
    code: 'value-refused',
    data: { refused: [{ path: '/a/price', type: 'an instance of Money' }] },
    hint: expect.stringContaining('Register its class with a codec'),
  })
  expect(await repo.find('/a')).toBeUndefined()
})

it('two codecs with one tag are refused before the store is opened', async () => {
  const file = join(folder, 'b.db')
  await expect(open(file, { classes: [money, { ...money, type: class Other {} }] })).rejects.toMatchObject({
    code: 'class-invalid',
    data: { tag: 'money' },
  })
})

it('errors need no codec, and an equal one is no change', async () => {
  await using repo = await open()
  const error = Object.assign(new TypeError('no', { cause: new Error('why') }), { code: 'E1' })
  await repo.set('/failed', { error }, 'Fail')
  const read = (await repo.get('/failed/error')) as typeof error
  expect([read instanceof TypeError, read.message, read.stack, read.code]).toEqual([true, 'no', error.stack, 'E1'])
  expect((read.cause as Error).message).toBe('why')
  expect((await repo.set('/failed/error', read, 'Again')).changed).toBe(false)
})
