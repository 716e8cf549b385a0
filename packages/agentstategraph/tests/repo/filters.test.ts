/** What filters by words, by time and by place in the journal find. */
import { describe, expect, it } from 'vitest'
import { exportRepository, importRepository, pull, verify } from '../../src/maintenance/index.ts'
import { follow, watchStart } from '../../src/repo/index.ts'
import { type JournalEvent, open, type Repository } from '../../src/repository/index.ts'
import { allStores, openNew } from './support/open-stores.ts'

describe.each(allStores)('on $name', store => {
  describe('words', () => {
    const found = async (repo: Repository, text: string): Promise<readonly string[]> =>
      (await repo.query({ text, order: 'oldest' })).map(({ intent }) => intent.description)

    it('of a script without spaces are found by what the text contains', async () => {
      const repo = await openNew(store)
      const texts = [
        '部署了新版本',
        '新的部署 v2',
        '版本回滚',
        'データを更新する',
        'ปรับปรุงระบบ',
        'Ｆｕｌｌ width',
        'naïve café',
      ]
      for (const text of texts) await repo.set('/n', text, text)
      expect(await found(repo, '部署')).toEqual(['部署了新版本', '新的部署 v2'])
      expect(await found(repo, '部')).toEqual(['部署了新版本', '新的部署 v2'])
      expect(await found(repo, '新版')).toEqual(['部署了新版本'])
      expect(await found(repo, '署部')).toEqual([])
      expect(await found(repo, '部署 V2')).toEqual(['新的部署 v2'])
      expect(await found(repo, '更新')).toEqual(['データを更新する'])
      expect(await found(repo, 'ระบบ')).toEqual(['ปรับปรุงระบบ'])
      expect(await found(repo, 'full')).toEqual(['Ｆｕｌｌ width'])
      expect(await found(repo, 'cafe\u0301')).toEqual(['naïve café'])
      expect((await repo.log({ text: '部署' })).length).toBe(2)
    })

    it('that are none find nothing', async () => {
      const repo = await openNew(store)
      await repo.set('/n', 1, 'Why???')
      for (const text of ['???', '', ' ', '—']) {
        expect(await found(repo, text)).toEqual([])
        expect(await repo.log({ text })).toEqual([])
      }
    })
  })

  it('a search looks at values as they are, not as they are stored', async () => {
    const repo = await openNew(store)
    await repo.set(
      '/',
      {
        when: new Date('2026-05-01T00:00:00Z'),
        big: 12345678901234567890n,
        raw: new Uint8Array([100, 97, 116, 101]),
        map: new Map([['inner', 'deep text']]),
        link: new URL('https://example.com/date-of'),
        $price: 3,
        update: 'x',
      },
      'Values',
    )
    const paths = async (text: string) => (await repo.search(text)).map(({ path }) => path)
    expect(await paths('date')).toEqual(['/link', '/update'])
    expect(await paths('2026-05')).toEqual(['/when'])
    expect(await paths('4567')).toEqual(['/big'])
    expect(await paths('DEEP')).toEqual(['/map'])
    expect(await paths('inner')).toEqual(['/map'])
    expect(await paths('bigint')).toEqual([])
    expect(await paths('price')).toEqual(['/$price'])
  })

  it('log and query agree on what is recent, also after a pull from a clock that is ahead', async () => {
    const clock = { now: new Date('2026-01-01T00:00:00Z') }
    const ahead = await open(undefined, { clock: () => new Date(clock.now.getTime() + 86_400_000) })
    await ahead.set('/there', 1, 'from ahead')
    const repo = await openNew(store, { clock: () => clock.now })
    await pull(repo, ahead)
    await ahead.close()
    const tick = async (description: string): Promise<void> => {
      clock.now = new Date(clock.now.getTime() + 3_600_000)
      await repo.set('/here', description, description)
    }
    for (const description of ['a', 'b', 'c']) await tick(description)
    for (const since of ['2026-01-01T02:30:00Z', '2026-01-01T23:00:00Z', '2026-01-03T00:00:00Z']) {
      const ids = async (list: PromiseLike<readonly { id: string }[]>) => (await list).map(({ id }) => id)
      expect(await ids(repo.log({ since }))).toEqual(await ids(repo.query({ since })))
    }
    expect((await repo.log({ since: '2026-01-01T23:00:00Z' })).map(({ intent }) => intent.description)).toEqual([
      'from ahead',
    ])
  })

  it('a watch goes on inside an entry that moved several refs', async () => {
    const source = await open()
    await source.set('/n', 1, 'One')
    for (const name of ['a', 'b', 'c']) await source.branch(name)
    await source.tag('t')
    const lines: string[] = []
    for await (const line of exportRepository(source)) lines.push(line)
    await source.close()
    const repo = await openNew(store)
    await importRepository(repo, lines)
    const eventsAfter = async (after: string | number): Promise<readonly JournalEvent[]> => {
      const { journal } = repo.handle
      const follower = follow(repo.handle, {}, await journal.run(watchStart({ after })))
      const events: JournalEvent[] = []
      for (;;) {
        const found = await journal.run(follower.next())
        if (found === 'end') return events
        if (found !== 'more') events.push(found)
      }
    }
    const isRef = ({ kind }: JournalEvent): boolean => kind === 'ref'
    // The refs of an import move in one entry.
    const all = await eventsAfter(0)
    const moves = all.filter(isRef)
    expect(moves.length).toBeGreaterThan(3)
    expect(new Set(moves.map(({ seq }) => seq)).size).toBe(1)
    expect(new Set(all.map(({ cursor }) => cursor)).size).toBe(all.length)
    for (const [at, { cursor }] of all.entries()) {
      expect(await eventsAfter(cursor)).toEqual(all.slice(at + 1))
    }
  })
})

it('an index that was made by other rules is made anew', async () => {
  const repo = await open()
  await repo.set('/n', 1, '部署')
  expect(await repo.query({ text: '部署' })).toHaveLength(1)
  const { journal } = repo.handle
  const index = journal.log.index!
  // As an earlier version left it: rows that lack what is searched for now, and no word of how they were made.
  await index.clear()
  const { seq } = await journal.log.head()
  await index.add({ from: 0, to: seq, rows: [{ seq, terms: ['landed', 'word 部署'] }], counts: [] })
  const again = await open(repo.handle.shared.backend)
  expect(await again.query({ text: '部', limit: 5 })).toHaveLength(1)
  expect((await verify(again)).damage).toEqual([])
  await repo.close()
})
