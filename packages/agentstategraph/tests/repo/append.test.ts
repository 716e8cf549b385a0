/** An append where nothing is makes a list, by every way of writing. */
import { describe, expect, it } from 'vitest'
import { openNew, stores } from './support/open-stores.ts'

describe.each(stores)('on $name', store => {
  it('by set, and the next one appends', async () => {
    const repo = await openNew(store)
    await repo.set('/log/-', 'a', 'First')
    await repo.set('/log/-', 'b', 'Second')
    await repo.set(['deep', 'log', '-'], 'c', 'Third')
    expect(await repo.get('/')).toEqual({ log: ['a', 'b'], deep: { log: ['c'] } })
  })

  it('in a transaction, which reads what it wrote', async () => {
    const repo = await openNew(store)
    const read: unknown[] = []
    await repo.commit('Append', async tx => {
      tx.set('/log/-', 'a')
      read.push(await tx.get('/log'))
      tx.set('/log/-', 'b')
      tx.set('/other/-', { x: 1 })
      tx.set('/other/0/y', 2)
      read.push(await tx.get('/log/1'), await tx.get('/other'))
    })
    expect(read).toEqual([['a'], 'b', [{ x: 1, y: 2 }]])
    expect(await repo.get('/')).toEqual({ log: ['a', 'b'], other: [{ x: 1, y: 2 }] })
  })

  it('in a speculation', async () => {
    const repo = await openNew(store)
    await repo.set('/n', 1, 'Begin')
    const draft = await repo.speculate()
    await draft.set('/log/-', 'a')
    await draft.set('/log/-', 'b')
    await draft.commit('Keep')
    expect(await repo.get('/log')).toEqual(['a', 'b'])
  })

  it('and "-" before the end of a path is refused with its place', async () => {
    const repo = await openNew(store)
    await expect(repo.set('/log/-/a', 1, 'Below')).rejects.toMatchObject({
      code: 'index-invalid',
      data: { path: '/log/-/a', segment: '-', length: 0 },
    })
    expect(await repo.find('/log')).toBeUndefined()
  })
})
