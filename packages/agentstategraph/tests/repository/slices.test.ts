/**
 * Long operations let the event loop turn.
 *
 * The clock of the process is replaced by one that says at every look that the turn is over. So a turn comes wherever an
 * operation looks, and what lies between two turns is counted in rows of the journal and its index, not in time.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sqlite } from '../../src/backends/index.ts'
import { exportRepository, gc, importRepository, pull, reindex, stats, verify } from '../../src/maintenance/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'
import { asyncLog } from '../../src/store/contract/async-log.ts'
import { type Backend, memoryBackend, type SyncLog } from '../../src/store/index.ts'
import { epochs } from '../../src/trust/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'

const COMMITS = 1200
/** More rows than an operation takes in one batch, about half of all there are. */
const MOST_ROWS = 600

let time = 0
beforeAll(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => {
    time += 1000
    return time
  })
})
afterAll(() => {
  vi.restoreAllMocks()
})

interface Counted {
  readonly backend: Backend
  rows(): number
}

/** A backend that counts the rows that its logs give and take. */
function counted(backend: Backend): Counted {
  let rows = 0
  const counting = <A extends unknown[], R>(call: (...args: A) => R, count: (result: R, args: A) => number) => {
    return (...args: A): R => {
      const result = call(...args)
      rows += count(result, args)
      return result
    }
  }
  const seen = (sync: SyncLog): SyncLog => {
    const { index } = sync
    return {
      ...sync,
      append: counting(sync.append, (_, [{ entries }]) => entries.length),
      entries: counting(sync.entries, found => found.length),
      parts: counting(sync.parts, found => found.length),
      dropPacks: counting(sync.dropPacks, (_, [seqs]) => seqs.length),
      index: index && {
        ...index,
        add: counting(index.add, (_, [batch]) => batch.rows.length),
        search: counting(index.search, ({ seqs }) => seqs.length),
      },
    }
  }
  return {
    backend: {
      ...backend,
      namespace(name, options) {
        const log = backend.namespace(name, options)
        return asyncLog(seen(log.sync!), { onChange: log.onChange })
      },
    },
    rows: () => rows,
  }
}

/** The most rows between two turns of the event loop while some work is done. */
async function mostRowsInATurn(rows: () => number, work: () => PromiseLike<unknown>): Promise<number> {
  let before = rows()
  let most = 0
  let isDone = false
  const turn = (): void => {
    most = Math.max(most, rows() - before)
    before = rows()
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  return Math.max(most, rows() - before)
}

async function textOf(repo: Repository): Promise<string[]> {
  const lines: string[] = []
  for await (const line of exportRepository(repo)) lines.push(line)
  return lines
}

const operations: Readonly<Record<string, (repo: Repository) => PromiseLike<unknown>>> = {
  'a query after many commits': repo => repo.query({ agent: 'agent/3', limit: 5 }),
  reindex: repo => reindex(repo),
  'a query that finds nothing': repo => repo.query({ text: 'nowhere' }),
  'a query without an index': repo => repo.query({ path: '/*/nowhere' }),
  verify: repo => verify(repo),
  'export and import': async repo => {
    const lines = await textOf(repo)
    await using other = await open()
    await importRepository(other, lines)
  },
  pull: async repo => {
    await using other = await open()
    await pull(other, repo)
  },
  gc: repo => gc(repo, { keepNewerMs: -1 }),
  'the tree of intents': repo => repo.intentTree(),
  'the log': repo => repo.log(),
  'a filtered log': repo => repo.log({ agent: 'agent/nobody' }),
  'history of a place that never was': repo => repo.history('/none'),
  'the root of a merge': async repo => {
    const side = await repo.branch('side', { from: (await repo.log({ order: 'oldest', limit: 1 }))[0]!.id })
    await side.set('/side', 1, 'Aside')
    await repo.merge('side', 'Bring it')
  },
  calibration: repo => repo.calibration(),
  stats: repo => stats(repo),
  'undo for somebody who did nothing': repo =>
    repo
      .as('agent/nobody')
      .undo()
      .catch(() => {}),
  'an epoch': async repo => {
    await epochs(repo).create('all', 'All of it')
    await epochs(repo).seal('all', 'Done')
  },
}

/** Backends with synchronous calls: these tests are about turns of the event loop. */
const places: readonly (readonly [string, () => Backend])[] = [
  ...(memoryBackend().capabilities.sync ? [['memory', memoryBackend] as const] : []),
  ['SQLite', () => sqlite(newFile())],
]

describe.each(places)('in %s', (_, place) => {
  it('no operation takes more than a batch of rows in one turn of the event loop', async () => {
    const { backend, rows } = counted(place())
    await using repo = await open(backend)
    for (let n = 0; n < COMMITS; n++) {
      await repo
        .as(`agent/${n % 7}`)
        .set(`/area${n % 10}`, n, { description: 'Count', intent: { id: `intent-${n % 300}` } })
    }
    const most: Record<string, number> = {}
    for (const [name, run] of Object.entries(operations)) most[name] = await mostRowsInATurn(rows, () => run(repo))
    const tooMany = Object.entries(most).filter(([, count]) => count > MOST_ROWS)
    expect(tooMany).toEqual([])
  })

  it('watchers that one commit wakes read in turns of their own', async () => {
    const { backend, rows } = counted(place())
    await using repo = await open(backend)
    await repo.set('/n', 0, 'Begin')
    const watchers = Array.from({ length: MOST_ROWS + 1 }, () => repo.watch()[Symbol.asyncIterator]())
    const events = Promise.all(watchers.map(watcher => watcher.next()))
    // A turn resumes one of them, and each has begun, read on and found nothing before it waits.
    for (let n = 0; n < 4 * watchers.length; n++) await new Promise(setImmediate)
    const wake = (): Promise<unknown> => Promise.all([repo.set('/n', 1, 'Wake them'), events])
    expect(await mostRowsInATurn(rows, wake)).toBeLessThan(MOST_ROWS)
    for (const { value } of await events) expect(value).toMatchObject({ kind: 'commit' })
    for (const watcher of watchers) await watcher.return?.()
  })

  it('writes that are not awaited land in the order of the calls, and a read after them sees them', async () => {
    await using repo = await open(place())
    const writes = Array.from({ length: 50 }, (_, n) => repo.set('/n', n, `Write ${n}`))
    const read = repo.get('/n')
    await Promise.all(writes)
    expect(await read).toBe(49)
    const said = (await repo.log({ order: 'oldest' })).map(({ intent }) => intent.description)
    expect(said).toEqual(writes.map((_, n) => `Write ${n}`))
  })

  it('a loop of writes lets timers run, also when they fail', async () => {
    await using repo = await open(place())
    let ticks = 0
    let isRunning = true
    const tick = (): void => {
      ticks++
      if (isRunning) setImmediate(tick)
    }
    setImmediate(tick)
    for (let n = 0; n < 20; n++) await repo.set('/n', n, 'Count')
    const whileWriting = ticks
    for (let n = 0; n < 20; n++) await repo.get('/none').catch(() => {})
    isRunning = false
    expect(whileWriting).toBeGreaterThan(10)
    expect(ticks - whileWriting).toBeGreaterThan(10)
  })

  it('a journal that was replaced while work paused is noticed, also when others appended in between', async () => {
    await using backend = place()
    const lent = { ...backend, close: async () => {} }
    await using repo = await open(lent, { namespace: 'tenant' })
    for (let n = 0; n < 20; n++) await repo.set('/n', n, 'Count')
    const walk = repo.log({ agent: 'agent/nobody' }).count()
    await repo.set('/n', 20, 'Meanwhile')
    await backend.dropNamespace('tenant')
    await expect(walk).rejects.toMatchObject({ code: 'journal-replaced' })
  })
})
