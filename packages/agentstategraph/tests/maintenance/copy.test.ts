/** A whole store copied to another backend is the same store: numbers, ids, refs, writers, epochs, keys, dropped states. */
import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { copyStore, gc, setRetention, verify } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { type Backend, memoryBackend } from '../../src/store/index.ts'
import { createKeyFile, epochs, keyFileSigner } from '../../src/trust/index.ts'
import { startWorker, untilSaid } from '../processes/worker-process.ts'
import { seeded } from '../store/support/seeded.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { around, wrapped } from '../store/support/wrapped-backend.ts'
import { play, type Step } from './support/histories.ts'
import { stores } from './support/stores.ts'

const long = (label: string): string => `${label} `.repeat(400)
const steps: readonly Step[] = Array.from({ length: 40 }, (_, i) => [i % 20, i % 4, (i * 7) % 97, (i * 13) % 89])
/** Keeps a backend open when a repository on it is closed. */
const kept = (backend: Backend): Backend => ({ ...backend, close: async () => {} })

/** Two namespaces: branches, merges, speculations, a large value, a sealed epoch, dropped packs and dropped states. */
async function fill(backend: Backend): Promise<void> {
  await using repo = await open(kept(backend))
  await play(repo, steps)
  await repo.set(
    '/large',
    Array.from({ length: 1500 }, (_, n) => long(`${n}`).slice(0, 100)),
    'More than one part',
  )
  await epochs(repo).create('first', 'The first of them')
  await repo.set('/keyed', 1, { description: 'Once', idempotencyKey: 'key-1' })
  await epochs(repo).seal('first', 'It is over')
  await using other = await open(kept(backend), { namespace: 'other' })
  for (let n = 0; n < 5; n++) await other.set('/text', long(`${n}`), `Step ${n}`)
  await setRetention(other, { count: 2 })
  await gc(other, { keepNewerMs: -1 })
}

async function told(backend: Backend): Promise<unknown> {
  const all: unknown[] = []
  for (const namespace of await backend.namespaces()) {
    await using repo = await open(kept(backend), { namespace, readOnly: true })
    const log = backend.namespace(namespace)
    const leaves = (await log.entries(1, (await log.head()).seq, [])).map(({ leaf }) => leaf)
    all.push(namespace, leaves, await toldOf(repo))
  }
  return all
}

async function toldOf(repo: Repository): Promise<unknown> {
  const log = await repo.log()
  const states = await Promise.all(
    log.map(({ id }) =>
      repo
        .at(id)
        .get('/')
        .catch(({ code }) => code),
    ),
  )
  return [await repo.branches(), await repo.tags(), log, states, await repo.blameTree('/'), await epochs(repo).list()]
}

it.each(stores)(
  'from %s to every other: all is answered as in the source, and a repeated request too',
  async (_, make) => {
    const source = make()
    await fill(source)
    for (const [, makeTarget] of stores) {
      const target = makeTarget()
      const report = await copyStore(source, target)
      expect(report).toMatchObject({ namespaces: ['default', 'other'], copied: report.entries })
      expect(await told(target)).toEqual(await told(source))
      await using repo = await open(target)
      const again = await repo.set('/keyed', 1, { description: 'Once', idempotencyKey: 'key-1' })
      expect((await repo.blame('/keyed')).id).toBe(again.id)
      await repo.set('/after', 2, 'Goes on')
      expect((await verify(repo)).damage).toEqual([])
    }
    await source.close()
  },
)

describe('a copy', () => {
  it('that breaks off goes on where it ended, and copies what came since', async () => {
    const [source, target] = [memoryBackend(), memoryBackend()]
    await fill(source)
    let left = 0
    const failing = wrapped(target, log =>
      around(log, async (name, call) => {
        if (name === 'append' && left-- === 0) throw new Error('The network is gone')
        return call()
      }),
    )
    let copied = 0
    for (const appends of [0, 3, 40]) {
      left = appends
      await expect(copyStore(source, failing)).rejects.toThrow('The network is gone')
      copied += appends
    }
    left = Number.POSITIVE_INFINITY
    const report = await copyStore(source, failing)
    expect(report.copied).toBe(report.entries - copied)
    await using repo = await open(kept(source))
    await repo.set('/later', 1, 'Later')
    expect((await copyStore(source, target)).copied).toBe(1)
    expect(await told(target)).toEqual(await told(source))
  })

  it('changes nothing in a store with another history', async () => {
    const [source, target] = [memoryBackend(), memoryBackend()]
    for (const backend of [source, target]) {
      await using repo = await open(kept(backend))
      await repo.set('/a', 1, 'Its own')
    }
    const before = await told(target)
    await expect(copyStore(source, target)).rejects.toMatchObject({ code: 'copy-diverged', data: { entries: 2 } })
    expect(await told(target)).toEqual(before)
  })

  it('of a source that cannot be read makes no target, and a target that cannot be used is refused also when there is nothing to copy', async () => {
    const unusable: Backend = {
      ...memoryBackend(),
      namespaces: async () => {
        throw new Error('It is not reached')
      },
    }
    const to = newFile()
    await expect(copyStore(unusable, to)).rejects.toThrow('It is not reached')
    expect(existsSync(to)).toBe(false)
    await expect(copyStore(memoryBackend(), unusable)).rejects.toThrow('It is not reached')
  })

  it('has the mark of a signed store, so that an older copy of it is refused there too', async () => {
    const key = `${newFile()}.key`
    await createKeyFile(key, { name: 'example.org/log' })
    const signer = await keyFileSigner(key)
    const [from, to] = [newFile(), newFile()]
    await using repo = await open(from, { signer })
    await repo.set('/a', 1, 'Signed')
    await repo.close()
    await copyStore(from, to)
    const [a, b] = [sqlite(from), sqlite(to)]
    expect(await b.marks!.read('default')).toBe(await a.marks!.read('default'))
    await Promise.all([a.close(), b.close()])
  })

  const kills = process.env['ASG_SOAK'] === '1' ? 40 : 6
  it(`that is killed ${kills} times on its way ends whole`, async () => {
    const [from, to] = [newFile(), newFile()]
    const source = sqlite(from)
    await using repo = await open(kept(source))
    for (let n = 0; n < 300; n++) await repo.set(`/k${n % 30}`, long(`${n}`), `Step ${n}`)
    const random = seeded(5)
    for (let kill = 0; kill < kills; kill++) {
      const worker = await startWorker('copy-worker.mjs', { from, to })
      worker.begin()
      expect(await untilSaid(worker, 2)).toBe(true)
      for (let turn = 0; turn < random() * 60; turn++) await setImmediate()
      worker.child.kill('SIGKILL')
      await worker.ended
    }
    await copyStore(from, to)
    const target = sqlite(to)
    expect(await told(target)).toEqual(await told(source))
    await Promise.all([source.close(), target.close()])
  })
})
