/** A key leads to its namespace by one hash and one read, whatever else the store holds; a wrong key leads nowhere. */
import { describe, expect, it } from 'vitest'
import { access, findKeyHome } from '../../src/access/index.ts'
import { kvBackend, sqlite } from '../../src/backends/index.ts'
import { open } from '../../src/repository/index.ts'
import { type Backend, memoryBackend } from '../../src/store/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { around } from '../store/support/wrapped-backend.ts'

const homes = ['default', 'tenant', 'größe/ns?', 'a'.repeat(512)]

interface Reading extends Backend {
  /** What was asked of which namespace, since the last look. */
  asked(): readonly string[]
}

function reading(backend: Backend): Reading {
  let calls: string[] = []
  return {
    ...backend,
    namespace: (name, options) =>
      around(backend.namespace(name, options), (call, run) => {
        calls.push(`${call} ${name}`)
        return run()
      }),
    namespaces() {
      calls.push('namespaces')
      return backend.namespaces()
    },
    asked() {
      const asked = calls
      calls = []
      return asked
    },
  }
}

async function keyIn(backend: Backend, namespace: string): Promise<{ id: string; key: string }> {
  const repo = await open(backend, { namespace })
  const { key } = await access(repo).addPrincipal('agent/bob', 'agent')
  const [{ id }] = (await access(repo).keys()) as unknown as readonly [{ id: string }]
  return { id, key }
}

/** The same key with other letters, and a checksum that is right: from another store. */
async function strange(namespace: string): Promise<string> {
  return (await keyIn(memoryBackend(), namespace)).key
}

describe.each([
  ['in memory', () => memoryBackend()],
  ['in a file', () => sqlite(newFile())],
  ['in a key-value store', () => kvBackend(memoryKV())],
])('%s', (_, make) => {
  it.each(homes)('a key of a namespace is found by one read of that namespace: %s', async home => {
    await using backend = make()
    const store = reading(backend)
    const keys = new Map<string, string>()
    for (const name of homes) keys.set(name, (await keyIn(backend, name)).key)
    expect(await findKeyHome(store, keys.get(home)!)).toBe(home)
    expect(store.asked()).toEqual([`key ${home}`])
  })

  it('a wrong key is refused by one read, and one that is no key by none', async () => {
    await using backend = make()
    const store = reading(backend)
    const { key } = await keyIn(backend, 'tenant')
    for (const wrong of [`${key}x`, key.slice(1), 'nonsense', '', key.replace(/.$/, '!')]) {
      expect(await findKeyHome(store, wrong)).toBeUndefined()
    }
    expect(store.asked()).toEqual([])
    for (const name of ['tenant', 'nowhere']) {
      expect(await findKeyHome(store, await strange(name))).toBeUndefined()
      expect(store.asked()).toEqual([`key ${name}`])
    }
    expect(await backend.namespaces()).toEqual(['tenant'])
  })

  it('keys that are added and rotated later are found, and one that was revoked is left to the namespace', async () => {
    await using backend = make()
    const { id } = await keyIn(backend, 'tenant')
    const repo = await open(backend, { namespace: 'tenant' })
    const rotated = await access(repo).rotateKey(id, 'Handed over', { descendants: false })
    const added = await access(repo).addKey('agent/bob')
    await access(repo).revokeKey(added.id, 'Leaked', { descendants: false })
    for (const { key } of [rotated, added]) expect(await findKeyHome(backend, key)).toBe('tenant')
    await expect(access(repo).authenticate(added.key)).rejects.toMatchObject({ code: 'key-refused' })
    await backend.dropNamespace('tenant')
    expect(await findKeyHome(backend, rotated.key)).toBeUndefined()
  })
})
