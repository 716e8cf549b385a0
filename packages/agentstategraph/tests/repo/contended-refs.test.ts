/** A writer beside others on one ref: it looks where the ref is before it prepares, for as long as others move the ref. */
import { expect, it } from 'vitest'
import { memory } from '../../src/backends/index.ts'
import { open, type Repository } from '../../src/repository/index.ts'

/** The kinds of the outcomes of all appends of a repository from here on. */
function outcomesOf(repo: Repository): string[] {
  const kinds: string[] = []
  const log = repo.handle.journal.log.sync!
  const { append } = log
  log.append = batch => {
    const appended = append(batch)
    kinds.push(appended.kind)
    return appended
  }
  return kinds
}

// What is counted are the calls that a store answers at once.
it.skipIf(!memory().capabilities.sync)(
  'loses one race against another writer and then none, and lands at once again when it is alone',
  async () => {
    const backend = memory()
    const [one, other] = [await open(backend), await open(backend)]
    await one.set('/n', 0, 'Begin')
    await other.set('/n', 1, 'Come')
    const kinds = outcomesOf(one)
    for (let n = 2; n < 10; n += 2) {
      await one.set('/n', n, 'Write')
      await other.set('/n', n + 1, 'Write beside')
    }
    expect(kinds).toEqual(['moved', 'done', 'done', 'done', 'done'])

    const reads = countedRefs(one)
    for (let n = 10; n < 14; n++) await one.set('/n', n, 'Write alone')
    // The first finds what the other wrote, the second that nobody did; the others need no look.
    expect(reads.count).toBe(2)
    expect(kinds.filter(kind => kind !== 'done')).toHaveLength(1)
    expect(await one.get('/n')).toBe(13)
  },
)

function countedRefs(repo: Repository): { count: number } {
  const reads = { count: 0 }
  const log = repo.handle.journal.log.sync!
  const { ref } = log
  log.ref = name => {
    if (name === 'branch/main') reads.count++
    return ref(name)
  }
  return reads
}
