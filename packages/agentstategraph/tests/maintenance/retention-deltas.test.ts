/** Retention and texts that are stored as deltas of others. */
import { expect, it } from 'vitest'
import { gc, setRetention, verify } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import { type Journal, openJournal } from '../../src/store/index.ts'
import { indexPart, recordAt } from '../../src/store/packs/read-pack.ts'
import { seqOfPointer } from '../../src/tree/index.ts'
import { readParts } from '../store/support/stored-parts.ts'
import { stores } from './support/stores.ts'

it.each(stores)('a text that stays is stored whole when its base goes, in %s', async (_, make) => {
  const backend = make()
  await using repo = await open(backend)
  const wide = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`key ${n}`, { text: 'x'.repeat(140), n }]))
  await repo.set('/', wide, 'Begin')
  for (let n = 0; n < 25; n++) await repo.set(`/key ${n % 3}/n`, -n, `Change ${n}`)
  const journal = await openJournal(backend)
  const before = await deltasIn(journal)
  expect(before.length).toBeGreaterThan(20)
  const state = await repo.get('/')
  await setRetention(repo, { count: 2 })
  const report = await gc(repo, { keepNewerMs: -1 })
  expect(report.trimmed).toBe(24)
  // The newest state is based on the one before, which stays too.
  expect((await deltasIn(journal)).map(({ seq, base }) => seq - base)).toEqual([1])
  await using fresh = await open(backend)
  expect(await fresh.get('/')).toEqual(state)
  expect(await verify(fresh)).toMatchObject({ ok: true })
})

/** The entries of all deltas and of their bases. */
async function deltasIn(journal: Journal): Promise<readonly { seq: number; base: number }[]> {
  const found: { seq: number; base: number }[] = []
  for (let seq = 1; seq <= (await journal.log.head()).seq; seq++) {
    for (const { first, bytes } of await readParts(journal.log, seq)) {
      const part = indexPart(seq, first, bytes)
      for (let i = 0; i < part.offsets.length - 1; i++) {
        const record = recordAt(part, first + i)
        if (record.kind === 'delta') found.push({ seq, base: seqOfPointer(record.base) })
      }
    }
  }
  return found
}
