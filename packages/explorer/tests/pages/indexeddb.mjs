/** What the tests of the IndexedDB backend run inside a page. */
import { indexeddb, open } from '/lib/browser/index.js'
import { backendConformance } from '/lib/testing.js'

/** Runs the public suite, some cases at once, each in a database of its own. Returns how many ran, and what failed. */
export async function conform() {
  const cases = backendConformance.filter(({ needs }) => needs !== 'sync')
  const failed = []
  let next = 0
  const runOn = async () => {
    while (next < cases.length) {
      const at = next++
      const { name, run } = cases[at]
      try {
        await run({ open: () => indexeddb(`case ${at}`, { pollMs: 20 }) })
      } catch (error) {
        failed.push(`${name}: ${error.message}`)
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, runOn))
  return { ran: cases.length, failed }
}

/** Adds `count` to a number, one write at a time, and some keys of this tab at once. */
export async function write(store, tab, count) {
  const repo = await open(store)
  for (let n = 0; n < count; n++) {
    await repo.commit(`Tab ${tab} counts`, async tx => tx.set('/sum', ((await tx.find('/sum')) ?? 0) + 1))
  }
  await Promise.all(Array.from({ length: count }, (_, n) => repo.set(`/${tab}/${n}`, n, 'Keep one more')))
  await repo.close()
}

export async function read(store) {
  const repo = await open(store)
  const state = await repo.get('/')
  const commits = (await repo.query({})).length
  const found = (await repo.query({ text: 'one more' })).length
  await repo.close()
  return { state, commits, found }
}

/** Keeps the descriptions of what other tabs write in `globalThis.heard`. */
export async function listen(store) {
  const repo = await open(indexeddb(store, { pollMs: 3_600_000 }))
  globalThis.heard = []
  const events = repo.watch()
  void (async () => {
    for await (const event of events) heard.push(event.commit?.intent.description)
  })()
  return true
}

/** Writes without an end; each number is told when it is answered. */
export async function writeOn(store, durability) {
  const repo = await open(store, { durability })
  for (let n = 0; ; n++) {
    await repo.set('/n', n, 'Count on')
    globalThis.answered = n
  }
}

/** The code, message and data of what opening and filling a store ends with; undefined when nothing ends it. */
export async function fill(store, bytes) {
  const backend = indexeddb(store)
  try {
    const log = backend.namespace('default')
    const parts = Array.from({ length: 16 }, (_, first) => ({ first, bytes: new Uint8Array(65_536) }))
    // Noise, so that nothing of it is stored in less room.
    let noise = 1
    for (const { bytes: part } of parts) {
      for (const at of part.keys()) {
        noise = Math.imul(noise, 48_271)
        part[at] = noise >> 16
      }
    }
    for (let filled = 0; filled <= bytes; filled += 1_048_576) {
      await log.append({ time: 1, entries: [{ text: 'x', leaf: 'x', parts }], moves: [] })
      // The browser counts what is used when it is asked.
      await navigator.storage.estimate()
    }
  } catch ({ code, message, data }) {
    const { seq = 0 } = await backend
      .namespace('default')
      .head()
      .catch(() => ({}))
    return { code, message, data, kept: seq }
  } finally {
    await backend.close()
  }
}
