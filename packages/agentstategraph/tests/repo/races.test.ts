/** No update is lost: several hands in one process, and several processes, on one branch. */
import { describe, expect, it } from 'vitest'
import { open, type Repository, type Transaction } from '../../src/repository/index.ts'
import { memoryBackend } from '../../src/store/index.ts'
import { runWorkers } from '../processes/worker-process.ts'
import { newFile } from '../store/support/sqlite-file.ts'

const hands: readonly (readonly [string, () => Promise<readonly [Repository, Repository]>])[] = [
  [
    'memory',
    async () => {
      const backend = memoryBackend()
      return [await open(backend), await open(backend)]
    },
  ],
  [
    'SQLite',
    async () => {
      const file = newFile()
      return [await open(file), await open(file)]
    },
  ],
]

describe.each(hands)('two hands on a repository in %s', (_name, openBoth) => {
  it('a transaction whose reads changed meanwhile runs again', async () => {
    const [ours, theirs] = await openBoth()
    await ours.set('/counter', 1, 'begin')
    let runs = 0
    const { parents } = await ours.commit('add ten', async tx => {
      const seen = await tx.get<number>('/counter')
      if (runs++ === 0) await theirs.set('/counter', 5, 'meanwhile')
      tx.set('/counter', seen + 10)
    })
    expect([runs, await theirs.get('/counter')]).toEqual([2, 15])
    expect(parents).toEqual([(await theirs.log({ text: 'meanwhile' }))[0]!.id])
    await close(ours, theirs)
  })

  it('a transaction that found nothing runs again when there is something', async () => {
    const [ours, theirs] = await openBoth()
    await ours.set('/a', 1, 'begin')
    const seen: unknown[] = []
    await ours.commit('fill', async tx => {
      seen.push([await tx.find('/b'), await tx.has('/list'), (await tx.list('/')).length])
      if (seen.length === 1) await theirs.commit('meanwhile', edit => edit.set('/b', 2).set('/list', []))
      tx.set('/a', seen.length)
    })
    expect(seen).toEqual([
      [undefined, false, 1],
      [2, true, 3],
    ])
    await close(ours, theirs)
  })

  it('a transaction whose reads are the same is made on the new head without running again', async () => {
    const [ours, theirs] = await openBoth()
    await ours.set('/', { counter: 1, list: [] }, 'begin')
    let runs = 0
    await ours.commit('add ten', async tx => {
      runs++
      tx.set('/counter', (await tx.get<number>('/counter')) + 10).set('/list/-', 'ours')
      await theirs.set('/list/-', 'theirs', 'meanwhile')
    })
    expect([runs, await theirs.get('/')]).toEqual([1, { counter: 11, list: ['theirs', 'ours'] }])
    await close(ours, theirs)
  })

  it('a transaction that reads what it set itself still hangs on what was there', async () => {
    const [ours, theirs] = await openBoth()
    await ours.set('/counter', 1, 'begin')
    let runs = 0
    await ours.commit('set and read', async tx => {
      tx.set('/copy', 'kept')
      const seen = await tx.get<number>('/counter')
      if (runs++ === 0) await theirs.set('/counter', 2, 'meanwhile')
      tx.set('/copy', seen)
    })
    expect([runs, await ours.get('/copy')]).toEqual([2, 2])
    await close(ours, theirs)
  })

  it('a change that comes after a transaction has ended is refused, and not lost silently', async () => {
    const [ours, theirs] = await openBoth()
    let late: Transaction | undefined
    await ours.commit('in time', tx => {
      late = tx.set('/a', 1)
    })
    expect(() => late!.set('/b', 2)).toThrow(expect.objectContaining({ code: 'transaction-over' }))
    expect(() => late!.delete('/a')).toThrow(expect.objectContaining({ code: 'transaction-over' }))
    expect(await ours.get('/')).toEqual({ a: 1 })
    await close(ours, theirs)
  })

  it('a write that was impossible on an old head is made on the new one', async () => {
    const [ours, theirs] = await openBoth()
    await ours.set('/a', 1, 'begin')
    await theirs.set('/a', {}, 'make room')
    await ours.set('/a/b', 2, 'use it')
    expect(await theirs.get('/')).toEqual({ a: { b: 2 } })
    await close(ours, theirs)
  })

  it('a strict write is refused when another was faster, and says what it found', async () => {
    const [ours, theirs] = await openBoth()
    const { id } = await ours.set('/counter', 1, 'begin')
    const now = await theirs.set('/counter', 2, 'meanwhile')
    const strict = { description: 'strict', onlyIf: { head: id } }
    await expect(ours.set('/other', 1, strict)).rejects.toMatchObject({
      code: 'precondition-failed',
      data: { expected: id, actual: now.id },
    })
    await expect(ours.set('/counter', 2, { description: 'strict', onlyIf: { value: 1 } })).rejects.toMatchObject({
      code: 'precondition-failed',
      data: { path: '/counter', expected: 1, actual: 2 },
    })
    await expect(ours.commit(strict, tx => tx.set('/other', 1))).rejects.toMatchObject({ code: 'precondition-failed' })
    await expect(ours.merge('main', strict)).rejects.toMatchObject({ code: 'precondition-failed' })
    expect([(await ours.head()).id, await ours.get('/')]).toEqual([now.id, { counter: 2 }])
    await close(ours, theirs)
  })
})

describe('four processes on one branch', () => {
  const names = ['a', 'b', 'c', 'd']

  it.each([
    ['transaction', 100],
    ['strict', 25],
  ])('counting by %s, lose no count', async (how, count) => {
    const file = newFile()
    const repo = await open(file)
    await repo.set('/counter', 0, 'begin')
    const told = await runWorkers(
      'counter-worker.mjs',
      names.map(name => ({ file, name, count, how })),
    )
    const total = names.length * count
    expect(await repo.get('/counter')).toBe(total)
    expect(await repo.log().count()).toBe(total + 1)
    const said = new Set((await repo.log()).map(({ intent }) => intent.description))
    for (const name of names) for (let n = 1; n <= count; n++) expect(said).toContain(`${name} ${n}`)
    expect(told.map(lines => (lines[0] as { tries: number }).tries >= count)).toEqual([true, true, true, true])
    await repo.close()
  })

  it('appending blindly keep every element, each in its own order', async () => {
    const file = newFile()
    const repo = await open(file)
    await repo.set('/order', [], 'begin')
    const count = 60
    await runWorkers(
      'counter-worker.mjs',
      names.map(name => ({ file, name, count, how: 'blind' })),
    )
    const order = await repo.get<string[]>('/order')
    expect(order).toHaveLength(names.length * count)
    for (const name of names) {
      const own = order.filter(label => label.startsWith(`${name} `))
      expect(own).toEqual(Array.from({ length: count }, (_, n) => `${name} ${n + 1}`))
    }
    await repo.close()
  })
})

async function close(...repos: readonly Repository[]): Promise<void> {
  for (const repo of repos) await repo.close()
}

it('the heads that are remembered for the next write stay few, however many branches are written', async () => {
  await using repo = await open()
  await repo.set('/n', 0, 'Begin')
  for (let n = 1; n <= 300; n++) await (await repo.branch(`branch/${n}`)).set('/n', n, 'Aside')
  expect(repo.handle.shared.heads.size).toBe(256)
  expect(await repo.at('branch/1').get('/n')).toBe(1)
  expect(await repo.on('branch/1').set('/n', 2, 'Again')).toMatchObject({ changed: true })
})
