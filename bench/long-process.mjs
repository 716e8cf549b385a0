/**
 * One long call on a store, in a process of its own, so that its peak memory is its own.
 *
 * It takes the name of the work and two files, and sends what the call took: CPU seconds, the bytes of memory that it needed
 * beyond those of an open repository, and the peak of the process.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { exportRepository, gc, importRepository, pull, push, stats, verify } from 'agentstategraph/maintenance'
import { epochs, openBundle } from 'agentstategraph/trust'

const PAGE = 100
const WARMUPS = 4

const [work, file, other] = process.argv.slice(2)

/** Each opens what it needs and returns the call. */
const works = {
  async 'a page of the tree of intents'() {
    const repo = await opened(file)
    let after
    const page = async () => {
      after = (await repo.intentTree({ limit: PAGE, after })).next
    }
    // The first pages are slower, since the code is new.
    for (let i = 0; i < WARMUPS; i++) await page()
    return page
  },
  async statistics() {
    const repo = await opened(file)
    await stats(repo)
    return () => stats(repo)
  },
  async verify() {
    const repo = await opened(file)
    return async () => {
      const { damage } = await verify(repo)
      if (damage.length > 0) throw new Error(JSON.stringify(damage[0]))
    }
  },
  async export() {
    const repo = await opened(file)
    return () => pipeline(exportRepository(repo), createWriteStream(other))
  },
  async import() {
    const repo = await opened(file)
    return () => importRepository(repo, createInterface({ input: createReadStream(other) }))
  },
  async pull() {
    const repo = await opened(file)
    const source = await opened(other)
    return () => pull(repo, source)
  },
  async push() {
    const repo = await opened(other)
    const target = await opened(file)
    return () => push(repo, target)
  },
  async 'export of a bundle'() {
    const repo = await opened(file)
    await epochs(repo).create('all', 'All of it', { since: new Date(0) })
    await epochs(repo).seal('all', 'Enough')
    return () => pipeline(epochs(repo).export('all'), createWriteStream(other))
  },
  async 'opening a bundle'() {
    return async () => {
      const { verdict } = await openBundle(createInterface({ input: createReadStream(file) }))
      if (!verdict.ok) throw new Error(verdict.failed)
    }
  },
  async 'a listing of speculations'() {
    const repo = await opened(file)
    return () => repo.speculations()
  },
  async 'gc beside speculations'() {
    const repo = await opened(file)
    return () => gc(repo, { keepNewerMs: -1 })
  },
}

function opened(path) {
  return open(sqlite(path))
}

const call = await works[work]()
globalThis.gc()
const rss = process.memoryUsage().rss
const before = process.cpuUsage()
const began = performance.now()
await call()
const seconds = (performance.now() - began) / 1000
const { user, system } = process.cpuUsage(before)
const peak = process.resourceUsage().maxRSS * 1024
process.send({ cpu: (user + system) / 1e6, seconds, more: Math.max(0, peak - rss), peak })
process.disconnect()
