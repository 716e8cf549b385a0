/**
 * Stores in IndexedDB, in a headless Chromium with a profile on the disk: sets one by one and 1,000 at once, beside a bare append.
 *
 * A bare append is one transaction that puts a row of as many bytes as a set stores, and is awaited as a set is: what IndexedDB
 * itself gives on this machine, at this moment. Both are taken in turns, and each begins when the browser rests: the index of
 * queries is made after the writes that it covers. CPU is that of all processes of the browser.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { median, rateRatio, takeTurns } from '../measure.mjs'
import { oursAtLeast, rate, span } from '../reach.mjs'

export const name = 'indexeddb'

export const reach = {
  relaxed: oursAtLeast(600, '≥ 600/s'),
  strict: oursAtLeast(400, '≥ 400/s'),
  together: oursAtLeast(1500, '≥ 1,500/s'),
}

const library = fileURLToPath(new URL('../../packages/agentstategraph/lib/', import.meta.url))
const executablePath = process.env['ASG_CHROMIUM'] ?? '/usr/bin/chromium'

/** What a set of one value stores, about: an entry of the journal with its commit and its pack. */
const ROW_BYTES = 1500

/** A browser that takes less CPU than that between two looks rests. */
const IDLE_SECONDS = 0.02
const LOOK_MS = 200

export async function run({ driver, makeFolder, size }) {
  if (!existsSync(executablePath)) return { rows: [], sides: [{ side: 'no Chromium is installed', driver: 'none' }] }
  const files = await serveLibrary()
  const context = await chromium.launchPersistentContext(makeFolder(), {
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const page = await context.newPage()
    await page.goto(files.url)
    await page.evaluate(prepare, ROW_BYTES)
    const cpu = await cpuMeter(context, page)
    const side = (work, count, act, ...args) => ({
      name: work,
      count,
      prepare: cpu.rest,
      run: (from, count) => cpu.during(work, count, () => page.evaluate(act, [...args, from, count])),
    })
    const times = await takeTurns(
      [
        side('bare relaxed', size(200), appendBare, 'relaxed'),
        side('set relaxed', size(200), setOneByOne, 'normal'),
        side('bare strict', size(100), appendBare, 'strict'),
        side('set strict', size(100), setOneByOne, 'full'),
        side('set together', size(1000), setTogether),
      ],
      { slices: 9, warmups: 2 },
    )
    const against = (ours, bare) => ({
      ours: rate(times[ours]),
      other: rate(times[bare]),
      ratio: rateRatio(times[ours], times[bare]),
    })
    const cpuOf = (ours, bare) => ({ ours: span(cpu.of(ours)), other: span(cpu.of(bare)) })
    const rows = [
      {
        work: 'sets one by one, `normal`, against bare relaxed appends',
        ...against('set relaxed', 'bare relaxed'),
        reach: 'relaxed',
      },
      { work: 'CPU of the browser for one', ...cpuOf('set relaxed', 'bare relaxed') },
      {
        work: 'sets one by one, `full`, against bare strict appends',
        ...against('set strict', 'bare strict'),
        reach: 'strict',
      },
      { work: 'CPU of the browser for one', ...cpuOf('set strict', 'bare strict') },
      {
        work: '1,000 sets at once, against bare relaxed appends',
        ...against('set together', 'bare relaxed'),
        reach: 'together',
      },
      { work: 'CPU of the browser for one', ...cpuOf('set together', 'bare relaxed') },
    ]
    return {
      rows,
      sides: [{ side: 'ours', driver: `${driver.name}, Chromium ${context.browser()?.version() ?? ''}`.trim() }],
    }
  } finally {
    await context.close()
    await files.close()
  }
}

/** Runs in the page: a store for each durability, and a database for bare appends. */
async function prepare(rowBytes) {
  const { open } = await import('/browser/index.js')
  const newBare = () =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open('bare', 1)
      request.onupgradeneeded = () => request.result.createObjectStore('rows')
      request.onerror = () => reject(request.error)
      request.onsuccess = () => resolve(request.result)
    })
  globalThis.bench = {
    bare: await newBare(),
    row: new Uint8Array(rowBytes).map((_, at) => (at * 31) % 251),
    normal: await open('normal'),
    full: await open('full', { durability: 'full' }),
  }
  for (const repo of [bench.normal, bench.full]) await repo.set('/', { regions: {} }, 'Begin')
}

async function appendBare([durability, from, count]) {
  const { bare, row } = globalThis.bench
  for (let n = from; n < from + count; n++) {
    await new Promise((resolve, reject) => {
      const transaction = bare.transaction('rows', 'readwrite', { durability })
      transaction.objectStore('rows').put({ n, row }, [durability, n])
      transaction.oncomplete = resolve
      transaction.onabort = () => reject(transaction.error)
      transaction.commit()
    })
  }
}

async function setOneByOne([durability, from, count]) {
  const repo = globalThis.bench[durability]
  for (let n = from; n < from + count; n++) await repo.set(`/regions/r${n % 37}`, n, 'Adjust the quota')
}

async function setTogether([from, count]) {
  const repo = globalThis.bench.normal
  const numbers = Array.from({ length: count }, (_, nth) => from + nth)
  await Promise.all(numbers.map(n => repo.set(`/together/r${n % 1000}`, n, 'Adjust the quota')))
}

/** The CPU seconds of the browser for one step, by what was done. */
async function cpuMeter(context, page) {
  const session = await newBrowserSession(context, page)
  const taken = new Map()
  const seconds = async () =>
    (await session.send('SystemInfo.getProcessInfo')).processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
  return {
    async rest() {
      for (let before = await seconds(), now = Infinity; now - before > IDLE_SECONDS; ) {
        before = await seconds()
        await new Promise(resolve => setTimeout(resolve, LOOK_MS))
        now = await seconds()
      }
    },
    async during(work, count, act) {
      const before = await seconds()
      await act()
      const all = taken.get(work) ?? []
      taken.set(work, [...all, ((await seconds()) - before) / count])
    },
    of: work => median(taken.get(work)),
  }
}

function newBrowserSession(context, page) {
  return context.browser()?.newBrowserCDPSession() ?? context.newCDPSession(page)
}

/** An origin with the packed library. */
async function serveLibrary() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    const isScript = pathname.endsWith('.js')
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? readFileSync(join(library, pathname)) : '<!doctype html><title>A store</title>')
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${server.address().port}/`,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
