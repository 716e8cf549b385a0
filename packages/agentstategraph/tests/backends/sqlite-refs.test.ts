/** A connection keeps the refs that it has read. What it answers is always what the file has. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { open } from '../../src/repository/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'

const names = ['main', 'side'] as const

const step = fc.record({
  by: fc.nat(1),
  does: fc.constantFrom('set', 'branch', 'delete', 'drop'),
  on: fc.constantFrom(...names),
})

it('refs are those of the file, whichever connection moved, made or deleted them, or dropped their namespace', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async steps => {
      const file = newFile()
      const backends = [sqlite(file), sqlite(file)]
      const fresh = async (name: string): Promise<number | null> => {
        const backend = sqlite(file)
        const seq = await backend.namespace('tenant').ref(`branch/${name}`)
        await backend.close()
        return seq
      }
      for (const [n, { by, does, on }] of steps.entries()) {
        const backend = backends[by]!
        if (does === 'drop') {
          await backend.dropNamespace('tenant')
        } else {
          const lent = { ...backend, close: async () => {} }
          await using repo = await open(lent, { namespace: 'tenant', agent: 'agent/a' })
          if (does === 'set')
            await repo
              .on(on)
              .set('/n', n, 'Set')
              .catch(() => undefined)
          if (does === 'branch') await repo.branch('side').catch(() => undefined)
          if (does === 'delete') await repo.deleteBranch('side').catch(() => undefined)
        }
        for (const name of names) {
          const found = await fresh(name)
          for (const each of backends) expect(await each.namespace('tenant').ref(`branch/${name}`)).toBe(found)
        }
      }
      for (const each of backends) await each.close()
    }),
    { numRuns: 12 },
  )
})

it('a call sees what another connection wrote before it, though no other code ran since the call before', async () => {
  const file = newFile()
  await using reader = await open(sqlite(file), { agent: 'agent/reader' })
  await using writer = await open(sqlite(file), { agent: 'agent/writer' })
  await writer.set('/n', 0, 'Begin')
  await reader.get('/n')
  for (let n = 1; n <= 3; n++) {
    // Each begins when it is called, and nothing is awaited in between.
    const answers = [reader.get('/n'), writer.set('/n', n, 'Count'), reader.get('/n'), reader.head()] as const
    const [before, written, after, head] = await Promise.all(answers)
    expect([before, after, head.id]).toEqual([n - 1, n, written.id])
  }
})
