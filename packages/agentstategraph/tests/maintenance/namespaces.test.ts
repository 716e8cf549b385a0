/** Namespaces: one store holds many repositories, and nothing of one shows in another. */
import { describe, expect, it } from 'vitest'
import { access, findKeyHome } from '../../src/access/index.ts'
import { gc, namespaces, push, verify } from '../../src/maintenance/index.ts'
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

describe.each(stores)('the namespaces of %s', (_, make) => {
  it('are made once, listed and deleted by the operator', async () => {
    await using repo = await open(make(), { agent: 'human/ann' })
    const all = namespaces(repo)
    expect(await all.list()).toEqual(['default'])
    await all.create('team-b')
    await expect(all.create('team-b')).rejects.toMatchObject({ code: 'namespace-exists' })
    expect(await all.list()).toEqual(['default', 'team-b'])
    await expect(all.delete('default')).rejects.toMatchObject({ code: 'namespace-kept' })
    await expect(all.delete('nowhere')).rejects.toMatchObject({ code: 'namespace-not-found' })
    await all.delete('team-b')
    expect(await all.list()).toEqual(['default'])
  })

  it('are made by one of many who ask at the same time', async () => {
    await using repo = await open(make())
    const asked = Array.from({ length: 5 }, () => namespaces(repo).create('team'))
    const made = await Promise.allSettled(asked)
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of made)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'namespace-exists' })
  })

  it('are made and deleted once under a key, also when they were made again meanwhile', async () => {
    const store = make()
    await using repo = await open(store)
    const create = () => namespaces(repo.once('make', 'team')).create('team')
    const remove = () => namespaces(repo.once('drop', 'team')).delete('team')
    await Promise.all([create(), create()])
    await create()
    expect(await namespaces(repo).list()).toEqual(['default', 'team'])
    await remove()
    await remove()
    expect(await namespaces(repo).list()).toEqual(['default'])
    await namespaces(repo).create('team')
    await remove()
    expect(await namespaces(repo).list()).toEqual(['default', 'team'])
    await expect(namespaces(repo.once('drop', 'other')).delete('other')).rejects.toMatchObject({
      code: 'idempotency-mismatch',
    })
  })

  it.each(['before', 'after'])(
    'are made once under a key when a repetition lands %s the look at the list',
    async when => {
      const backend = make()
      await using repo = await open(backend)
      const once = repo.once('make', 'team')
      const land = () => namespaces(once).create('team')
      const raced = {
        ...repo.handle.shared,
        backend: {
          ...backend,
          namespaces: async () => {
            if (when === 'before') await land()
            const names = await backend.namespaces()
            if (when === 'after') await land()
            return names
          },
        },
      }
      await namespaces({ handle: { ...once.handle, shared: raced } }).create('team')
      expect(await namespaces(repo).list()).toEqual(['default', 'team'])
    },
  )

  it('are deleted by a repetition where the first call wrote its note and died', async () => {
    const backend = make()
    await using repo = await open(backend)
    await namespaces(repo).create('team')
    const dying = {
      ...repo.handle.shared,
      backend: { ...repo.handle.shared.backend, dropNamespace: () => Promise.reject(new Error('dead')) },
    }
    const once = repo.once('drop', 'team')
    await expect(namespaces({ handle: { ...once.handle, shared: dying } }).delete('team')).rejects.toThrow('dead')
    expect(await namespaces(repo).list()).toEqual(['default', 'team'])
    await namespaces(repo.once('drop', 'team')).delete('team')
    expect(await namespaces(repo).list()).toEqual(['default'])
  })

  it('are one for a principal, which makes and deletes none', async () => {
    const store = make()
    await using repo = await open(store)
    await namespaces(repo).create('team')
    const team = await open(store, { namespace: 'team' })
    const { key } = await access(team).addPrincipal('agent/bob', 'agent')
    await access(team).grant('agent/bob', { capabilities: ['admin'] })
    const bob = await access(team).authenticate(key)
    expect(await namespaces(bob).list()).toEqual(['team'])
    await expect(namespaces(bob).create('x')).rejects.toMatchObject({ code: 'operator-only' })
    await expect(namespaces(bob).delete('team')).rejects.toMatchObject({ code: 'operator-only' })
    await expect(namespaces(team).delete('team')).rejects.toMatchObject({ code: 'namespace-kept' })
    await expect(access(repo).authenticate(key)).rejects.toMatchObject({ code: 'key-refused' })
    expect(await findKeyHome(repo.handle.shared.backend, key)).toBe('team')
  })
})
