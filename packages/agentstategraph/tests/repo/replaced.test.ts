/** A namespace that was dropped and made again is another one: nothing of the old is read, and nothing old is written to it. */
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { sqlite } from '../../src/backends/index.ts'
import { kvBackend } from '../../src/backends/kv/kv-backend.ts'
import { gc, verify } from '../../src/maintenance/index.ts'
import { plans } from '../../src/plans/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { schemas } from '../../src/schema/index.ts'
import { type Backend, memoryBackend } from '../../src/store/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { startWorker } from '../processes/worker-process.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { refusalOf } from './support/open-stores.ts'

const secret = 'the old tenant’s secret'

/** Everything that a handle can be asked for. */
const reads: Readonly<Record<string, (repo: Repository) => PromiseLike<unknown>>> = {
  get: repo => repo.get('/'),
  find: repo => repo.find('/secret'),
  list: repo => repo.list('/'),
  head: repo => repo.head(),
  at: repo => repo.at('main').get('/secret'),
  log: repo => repo.log(),
  query: repo => repo.query({ text: 'tenant' }),
  blame: repo => repo.blame('/secret'),
  branches: repo => repo.branches(),
  diff: repo => repo.diff('first', 'main'),
  grants: repo => access(repo).grants(),
  plans: repo => plans(repo).list(),
  schemas: repo => schemas(repo).list(),
  verify: repo => verify(repo),
}

const writes: Readonly<Record<string, (repo: Repository) => PromiseLike<unknown>>> = {
  set: repo => repo.set('/note', 1, 'Go on'),
  commit: repo => repo.commit('Go on', async tx => tx.set('/copy', await tx.get('/secret'))),
  merge: repo => repo.merge('side', 'Bring it'),
  revert: repo => repo.revert('main'),
  branch: repo => repo.branch('again'),
  observe: repo => repo.observe('main', { held: true }),
  grant: repo => access(repo).addPrincipal('agent/x', 'agent'),
  plan: repo => plans(repo).create('p', 'A plan'),
  schema: repo => schemas(repo).attach('/a', true, {}, 'Attach'),
  gc: repo => gc(repo, { keepNewerMs: -1 }),
  speculate: repo => repo.speculate(),
}

async function begin(repo: Repository): Promise<void> {
  await repo.set('/', { secret, list: ['x'.repeat(300)] }, 'The old tenant')
  await repo.tag('first')
  await (await repo.branch('side')).set('/side', 1, 'Aside')
  await repo.set('/more', 'y'.repeat(300), 'Go on')
  await access(repo).addPrincipal('agent/old', 'agent')
  for (const read of Object.values(reads)) await read(repo)
}

const lent = (backend: Backend): Backend => ({ ...backend, close: async () => {} })

/** How long the new history is: shorter than the old one, about as long, longer, or none at all. */
const allLengths = [0, 1, 6, 20]

/** What notices a new history stands above the backends: all lengths in one place, and in the others the two ends. */
const someLengths = process.env['ASG_SOAK'] === '1' ? allLengths : [0, 20]

const places: readonly (readonly [string, readonly number[], () => Backend])[] = [
  ['memory', someLengths, memoryBackend],
  ['SQLite', allLengths, () => sqlite(newFile())],
  ['a key-value store', someLengths, () => kvBackend(memoryKV())],
]

describe.each(places)('in %s', (_, lengths, place) => {
  it.each(lengths)('nothing is read or written through an old handle when there are %i new commits', async count => {
    await using backend = place()
    for (const [name, attempt] of [...Object.entries(reads), ...Object.entries(writes)]) {
      const old = await open(lent(backend), { namespace: 'tenant' })
      await begin(old)
      await backend.dropNamespace('tenant')
      const fresh = await open(lent(backend), { namespace: 'tenant' })
      for (let n = 1; n <= count; n++) await fresh.set('/', { n, mine: 'z'.repeat(300) }, `New ${n}`)
      const { seq } = await fresh.handle.journal.log.head()
      const refusal = await refusalOf(Promise.resolve(attempt(old)))
      expect([name, refusal.code]).toEqual([name, 'journal-replaced'])
      // It stays so, and does not become the new one's handle by and by.
      expect([name, (await refusalOf(old.get('/'))).code]).toEqual([name, 'journal-replaced'])
      expect((await fresh.handle.journal.log.head()).seq).toBe(seq)
      if (count > 0) expect(await fresh.get('/')).toEqual({ n: count, mine: 'z'.repeat(300) })
      await old.close()
      const again = await open(lent(backend), { namespace: 'tenant' })
      if (count > 0) expect(await again.set('/ok', 1, 'Opened again')).toMatchObject({ changed: true })
      await backend.dropNamespace('tenant')
    }
  })
})

describe('between processes on SQLite', () => {
  it.each([
    [0, 'dropped'],
    [1, 'made again, shorter'],
    [2, 'made again, as long'],
    [7, 'made again, longer'],
  ])('a namespace that another process dropped, with %i new commits (%s)', async count => {
    const file = newFile()
    const old = await open(file, { namespace: 'tenant' })
    await old.set('/secret', secret, 'The old tenant')
    await old.set('/more', 1, 'Go on')
    expect(await old.get('/secret')).toBe(secret)
    const values = Array.from({ length: count }, (_, n) => ({ n }))
    const worker = await startWorker('replace-worker.mjs', { file, namespace: 'tenant', values })
    worker.begin()
    await worker.ended
    expect(await refusalOf(old.set('/note', 1, 'Go on'))).toMatchObject({
      code: 'journal-replaced',
      data: { namespace: 'tenant', seq: 3 },
    })
    expect(await refusalOf(old.get('/secret'))).toMatchObject({ code: 'journal-replaced' })
    await old.close()
    const now = await open(file, { namespace: 'tenant' })
    expect(JSON.stringify(await now.find('/'))).toBe(count === 0 ? undefined : JSON.stringify({ n: count - 1 }))
    expect(await now.handle.journal.log.head()).toMatchObject({ seq: count === 0 ? 0 : count + 1 })
    await now.close()
  })
})
