/** A store that is full or damaged, and a repository that may not be written: a clear error, and no work lost. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { disk } from '../../src/backends/index.ts'
import { exportRepository, gc, importRepository, verify } from '../../src/maintenance/index.ts'
import { agent, events, Versioned, view } from '../../src/memory/index.ts'
import { open, UnreadInstance } from '../../src/repository/index.ts'
import { refusalOf } from '../repo/support/open-stores.ts'
import { newFile, openRaw } from '../store/support/sqlite-file.ts'

const keeper = agent('keeper', { state: { text: '', n: 0 } })

it('a full disk refuses the checkpoint, and the task’s work is held', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentstategraph-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await using memory = await Versioned.open(disk(folder, { maxBytes: 2 ** 20 }))
  const write = keeper.task('write', (length: number, { state }) => {
    state.text = Array.from({ length }, (_, i) => String.fromCharCode(97 + ((i * i) % 23) + (i % 3))).join('')
    state.n++
  })
  await write(10, { state: memory })
  const error = (await write(2_000_000, { state: memory }).catch((thrown: unknown) => thrown)) as {
    code: string
    hint: string
  }
  expect(error.code).toBe('store-full')
  expect(error.hint).not.toBe('')
  expect((await memory.of(keeper)).n).toBe(1)
  expect((await refusalOf(memory.checkpoint())).code).toBe('store-full')
})

it('what a full disk refused is kept by a later checkpoint, when what nobody needs has gone', async () => {
  await using memory = await Versioned.open(disk(dirname(newFile()), { maxBytes: 2 ** 20 }))
  const write = keeper.task('write', (text: string, { state }) => {
    state.text = text
    state.n++
  })
  await write('first', { state: memory })
  const aside = await memory.repo.branch('aside')
  const fill = async (): Promise<void> => {
    for (let i = 0; ; i++) await aside.set(['aside', String(i)], `${i} `.repeat(4000), 'Fill')
  }
  expect((await refusalOf(fill())).code).toBe('store-full')
  const long = 'second '.repeat(20_000)
  expect((await refusalOf(write(long, { state: memory }))).code).toBe('store-full')
  expect(await memory.repo.get('/keeper')).toEqual({ text: 'first', n: 1 })
  await memory.repo.deleteBranch('aside')
  await gc(memory.repo, { keepNewerMs: -1 })
  expect(await memory.checkpoint('Now there is room')).toMatchObject({ changed: true })
  expect(await memory.repo.get('/keeper')).toEqual({ text: long, n: 2 })
  expect(await memory.checkpoint()).toBeUndefined()
})

it('a task that fails and cannot be kept either says both, and its work is held', async () => {
  await using memory = await Versioned.open()
  const work = keeper.task('work', (_: undefined, { state }) => {
    state.n = 7
    Object.assign(state, { text: () => 1 })
    throw new RangeError('too far')
  })
  const error = await work(undefined, { state: memory }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AggregateError)
  const { errors, message } = error as AggregateError
  expect(errors).toMatchObject([new RangeError('too far'), { code: 'checkpoint-refused' }])
  expect(message).toMatch(/^too far; and then: The memory cannot be stored: \/keeper\/text is a function/)
  errors[1].data.states.keeper.text = 'mended'
  await memory.checkpoint('Mended')
  expect(await memory.repo.get('/keeper')).toEqual({ text: 'mended', n: 7 })
  expect(await events(memory, { kind: 'fail' })).toMatchObject([{ message: 'too far' }])
})

it('whatever a task throws is thrown on as it is, and its commit and its events say it in words', async () => {
  await using memory = await Versioned.open()
  const cycle: { self?: object } = {}
  cycle.self = cycle
  const hostile = new Proxy(
    {},
    {
      get() {
        throw new Error('hands off')
      },
    },
  )
  const odd: readonly [unknown, string][] = [
    [undefined, 'undefined thrown: undefined'],
    [null, 'object thrown: null'],
    [10n, 'bigint thrown: 10n'],
    [Symbol('s'), 'symbol thrown: Symbol(s)'],
    ['a text', 'a text'],
    [cycle, 'object thrown: {self: (itself)}'],
    [hostile, 'object thrown: {}'],
    [Object.assign(new Error('with more'), { later: () => 1 }), 'with more'],
  ]
  for (const [thrown, words] of odd) {
    const fail = keeper.task('fail', (_: undefined, { state }) => {
      state.n++
      throw thrown
    })
    const outcome = await fail(undefined, { state: memory }).then(
      () => ({ thrown: 'nothing' }),
      (error: unknown) => ({ thrown: error }),
    )
    expect(Object.is(outcome.thrown, thrown)).toBe(true)
    expect((await memory.repo.log({ limit: 1 }))[0]!.reasoning).toContain(words)
  }
  expect((await events(memory, { kind: 'fail' })).map(({ message }) => message)).toEqual(odd.map(([, words]) => words))
  expect(await memory.repo.get('/keeper/n')).toBe(odd.length)
})

it('an input that cannot even be read does not stop a task', async () => {
  await using memory = await Versioned.open()
  const input = {
    get x(): number {
      throw new Error('not now')
    },
  }
  expect(await keeper.task('take', (_: typeof input) => 1)(input, { state: memory })).toBe(1)
  expect(await events(memory, { kind: 'start' })).toMatchObject([{ input: '[not stored: not now]' }])
})

it('a store with instances can be looked at without their classes; only the instances are not read', async () => {
  class Money {
    cents: number
    constructor(cents: number) {
      this.cents = cents
    }
  }
  const money = {
    type: Money,
    tag: 'money',
    encode: ({ cents }: Money) => ({ cents }),
    decode: ({ cents }: { cents: number }) => new Money(cents),
  }
  const file = newFile()
  const shop = agent('shop', { state: { n: 0, price: undefined as Money | undefined } })
  const raise = shop.task('raise', (cents: number, { state, emit }) => {
    state.n++
    state.price = new Money(cents)
    emit({ kind: 'output', parts: [state.price] })
  })
  {
    await using memory = await Versioned.open(file, { classes: [money] })
    for (const cents of [100, 250]) await raise(cents, { state: memory })
  }
  await using memory = await Versioned.open(file)
  const { repo } = memory
  const unread = (cents: number): UnreadInstance => new UnreadInstance('money', { cents })
  expect(await view(memory)).toContain('~ /shop/price: money {cents: 100} → money {cents: 250}')
  expect(await view(memory, { focus: 'full' })).toContain('price = money {cents: 250}')
  const [second, first] = await repo.log()
  expect(await repo.diff(first!.id, second!.id)).toContainEqual({
    op: 'change',
    path: '/shop/price',
    before: unread(100),
    after: unread(250),
  })
  expect(await repo.search('money')).toEqual([{ path: '/shop/price', value: unread(250) }])
  expect((await repo.blame('/shop/price')).value).toEqual(unread(250))
  expect((await repo.list('/shop')).map(({ path }) => path)).toEqual(['/shop/n', '/shop/price'])
  expect((await events(memory, { kind: 'output' })).map(({ parts }) => parts)).toEqual([[unread(100)], [unread(250)]])
  expect((await verify(repo)).damage).toEqual([])
  const lines: string[] = []
  for await (const line of exportRepository(repo)) lines.push(String(line))
  await using copy = await open(undefined, { classes: [money] })
  await importRepository(copy, lines)
  expect(await copy.get('/shop')).toEqual({ n: 2, price: new Money(250) })
  const state = await memory.of(shop)
  expect(Object.keys(state)).toEqual(['n', 'price'])
  expect(() => state.price).toThrow(
    expect.objectContaining({ code: 'value-unreadable', data: expect.objectContaining({ path: '/shop/price' }) }),
  )
  state.n++
  await memory.checkpoint('Needs no classes')
  expect((await refusalOf(repo.set('/copy', unread(1), 'A report is no value'))).code).toBe('value-refused')
})

it('a damaged store is an error that says so, never an empty memory', async () => {
  const file = newFile()
  {
    await using memory = await Versioned.open(file)
    ;(await memory.of(keeper)).text = 'x'.repeat(500)
    await memory.checkpoint('Keep')
  }
  const raw = openRaw(file)
  raw.exec("UPDATE entries SET part = CAST(replace(CAST(part AS TEXT), 'xxxx', 'xyyx') AS BLOB) WHERE part IS NOT NULL")
  raw.close()
  const look = async (): Promise<string> => {
    await using memory = await Versioned.open(file)
    return (await memory.of(keeper)).text
  }
  expect((await refusalOf(look())).code).toBe('object-corrupt')
})

it('a repository that was opened to read can be looked at and not be written', async () => {
  const file = newFile()
  {
    await using memory = await Versioned.open(file)
    ;(await memory.of(keeper)).n = 3
    await memory.checkpoint('Keep')
  }
  await using repo = await open(file, { readOnly: true })
  const memory = await Versioned.open(repo)
  const state = await memory.of(keeper)
  expect(state.n).toBe(3)
  state.n = 4
  expect((await refusalOf(memory.checkpoint())).code).toBe('read-only')
  expect((await refusalOf(memory.rollback('main', 'Go back'))).code).toBe('read-only')
  expect((await refusalOf(keeper.task('t', () => 1)(undefined, { state: memory }))).code).toBe('read-only')
})

it('a branch that is not there, and what is not an agent, are named', async () => {
  await using repo = await open()
  await repo.set('/a', 1, 'Begin')
  expect(await refusalOf(Versioned.open(repo, { branch: 'mian' }))).toMatchObject({
    code: 'ref-not-found',
    data: { ref: 'mian' },
  })
  const memory = await Versioned.open(repo)
  expect((await refusalOf(memory.of({ name: 'keeper' }))).code).toBe('agent-name-invalid')
  await memory.close()
  expect(await repo.get('/a')).toBe(1)
})
