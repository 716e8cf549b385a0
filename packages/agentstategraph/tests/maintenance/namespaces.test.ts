/** Namespaces: one store holds many repositories, and nothing of one shows in another. */
import { describe, expect, it } from 'vitest'
import { gc, push, verify } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import { stores } from './support/stores.ts'

describe.each(stores)('two namespaces in %s', (_, make) => {
  it('have their own branches, commits and sequence numbers', async () => {
    const store = make()
    const one = await open(store, { namespace: 'one' })
    await using two = await open(store, { namespace: 'two' })
    const { id, seq } = await one.set('/a', 1, 'One')
    expect(await two.branches()).toEqual([])
    await expect(two.at(id).get('/a')).rejects.toMatchObject({ code: 'ref-not-found' })
    const other = await two.set('/a', 2, 'Two')
    expect(other.seq).toBe(seq)
    expect(await one.get('/')).toEqual({ a: 1 })
    expect((await two.query({})).map(commit => commit.id)).toEqual([other.id])
  })

  it('are collected and checked apart', async () => {
    const store = make()
    const one = await open(store, { namespace: 'one' })
    await using two = await open(store, { namespace: 'two' })
    await one.set('/a', 1, 'One')
    await (await one.branch('aside')).set('/b', 2, 'Not kept')
    await two.set('/a', 1, 'One')
    await (await two.branch('aside')).set('/b', 2, 'Kept')
    await one.deleteBranch('aside')
    expect((await gc(one, { keepNewerMs: -1 })).removed).toBe(1)
    expect(await two.on('aside').get('/')).toEqual({ a: 1, b: 2 })
    expect([(await verify(one)).ok, (await verify(two)).ok]).toEqual([true, true])
  })

  it('can be pushed to each other', async () => {
    const store = make()
    const one = await open(store, { namespace: 'one' })
    await using two = await open(store, { namespace: 'two' })
    await two.set('/else', true, 'Something else')
    await one.set('/a', 1, 'One')
    expect(await push(one.on('main'), two)).toEqual({ refs: [{ name: 'main', kind: 'diverged' }] })
    expect(await two.get('/')).toEqual({ else: true })
  })
})
