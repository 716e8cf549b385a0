/** Verify from a point on: what was checked before is not read again, and nothing that came since is missed. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reindex, verify } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import { asyncLog } from '../../src/store/contract/async-log.ts'
import { type Backend, memoryBackend, type SyncLog } from '../../src/store/index.ts'
import { refusalOf } from '../repo/support/open-stores.ts'
import { history, play } from './support/histories.ts'

const lent = (backend: Backend): Backend => ({ ...backend, close: async () => {} })

/** A backend that is read through `change`. */
function seenThrough(backend: Backend, change: (sync: SyncLog) => Partial<SyncLog>): Backend {
  return {
    ...backend,
    namespace(name, options) {
      const log = backend.namespace(name, options)
      return asyncLog({ ...log.sync!, ...change(log.sync!) }, { onChange: log.onChange })
    },
  }
}

describe('verify after a point', () => {
  it('finds nothing wrong with any history that the library wrote, and ends at the point of a whole check', async () => {
    await fc.assert(
      fc.asyncProperty(history, history, async (before, since) => {
        await using repo = await open()
        await play(repo, before)
        const first = await verify(repo)
        await play(repo.as('agent/later'), since)
        const again = await verify(repo, { after: first.point })
        const whole = await verify(repo)
        expect(again.damage).toEqual([])
        expect(again.point).toBe(whole.point)
        expect(again.checked).toBe(whole.checked - first.checked)
      }),
      { numRuns: 15 },
    )
  })

  it('does not read the entries before it, but for the parents of those after it', async () => {
    const backend = memoryBackend()
    const read = new Set<number>()
    const counted = seenThrough(backend, sync => ({
      entries(from, to, columns) {
        if (columns.includes('part')) for (let seq = from; seq <= to; seq++) read.add(seq)
        return sync.entries(from, to, columns)
      },
    }))
    await using repo = await open(lent(counted))
    for (let n = 0; n < 300; n++) await repo.set('/n', n, 'Count')
    const { point, checked } = await verify(repo)
    for (let n = 0; n < 5; n++) await repo.set('/n', -n - 1, 'Count')
    read.clear()
    expect(await verify(repo, { after: point })).toMatchObject({ ok: true, checked: 5 })
    expect([...read].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5].map(n => checked + n))
  })

  it('finds what was damaged after it, and a ref that was put elsewhere, whenever it was last moved', async () => {
    const backend = memoryBackend()
    await using repo = await open(lent(backend))
    for (let n = 0; n < 5; n++) await repo.set('/n', n, 'Count')
    await repo.tag('old')
    const { point, checked } = await verify(repo)
    await repo.set('/n', 9, 'Since')
    const damaged = async (change: (sync: SyncLog) => Partial<SyncLog>): Promise<readonly string[]> => {
      await using seen = await open(lent(seenThrough(backend, change)))
      return (await verify(seen, { after: point })).damage.map(({ where }) => where)
    }
    const put = (name: string, seq: number): Promise<readonly string[]> =>
      damaged(sync => ({
        refs: prefix => sync.refs(prefix).map(cell => (cell.name === name ? { name, seq } : cell)),
      }))
    expect(await put('branch/main', 3)).toEqual(['ref branch/main'])
    expect(await put('tag/old', 3)).toEqual(['refs'])
    const changed = (at: number): Promise<readonly string[]> =>
      damaged(sync => ({
        entries: (from, to, columns) =>
          sync.entries(from, to, columns).map(row => (row.seq === at ? { ...row, time: row.time + 1 } : row)),
      }))
    expect(await changed(checked + 1)).toEqual([`entry ${checked + 1}`])
    expect(await changed(2)).toEqual([])
    expect(await damaged(() => ({}))).toEqual([])
  })

  it('reports a journal that has another entry there, and refuses what is no point', async () => {
    await using one = await open()
    await using other = await open()
    for (const repo of [one, other]) await repo.set('/n', 1, 'Count')
    const { point } = await verify(one)
    expect((await verify(other, { after: point })).damage).toContainEqual({
      where: 'entry 2',
      what: 'it is not the entry that was checked before',
    })
    expect(await refusalOf(verify(one, { after: 'yesterday' }))).toMatchObject({ code: 'option-invalid' })
  })
})

it('an index that follows the journal while it is checked is not called damaged', async () => {
  const backend = memoryBackend()
  await using writer = await open(lent(backend))
  for (let n = 0; n < 20; n++) await writer.as(`agent/${n % 3}`).set('/n', n, 'Count')
  await reindex(writer)
  let marks = 0
  // The first answer is that of a moment ago.
  const moved = seenThrough(backend, ({ index }) => ({
    index: { ...index!, mark: () => (marks++ === 0 ? index!.mark() - 5 : index!.mark()) },
  }))
  await using repo = await open(moved, { readOnly: true })
  marks = 0
  expect((await verify(repo)).damage).toEqual([])
  expect(marks).toBeGreaterThan(2)
})
