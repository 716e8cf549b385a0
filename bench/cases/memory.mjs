/**
 * An agent's memory: what a checkpoint costs, beside hashing all of the state as JSON and beside full copies in SQLite.
 *
 * The other sides do what is usual: JSON of everything, SHA-256 over it to see whether it changed, and a row with all of it
 * when it did.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { agent, Versioned } from 'agentstategraph/memory'
import { rateRatio, takeTurns } from '../measure.mjs'
import { bytes, cpuTime, oursAtMost, ratioAtMost, time } from '../reach.mjs'

export const name = 'memory'

export const reach = {
  touched: oursAtMost(0.8e-3, '≤ 0.8 ms CPU'),
  plain: oursAtMost(15e-3, '≤ 15 ms per MB'),
  rich: oursAtMost(45e-3, '≤ 45 ms per MB'),
  keys: ratioAtMost(5),
  growth: ratioAtMost(0.1, '≤ 0.1×'),
}

export async function run({ driver, makeFolder, size }) {
  const folder = makeFolder()
  const rows = [
    ...(await touchedKey(folder, driver)),
    ...(await nothingChanged('plain JSON', 'plain', folder, driver, plainKey)),
    ...(await nothingChanged('Map, Date and instances', 'rich', folder, driver, richKey)),
    ...(await oneOfMany(folder, driver, size(10_000))),
  ]
  return {
    rows,
    sides: [
      { side: 'ours', driver: driver.name },
      { side: 'full copies', driver: driver.name },
    ],
  }
}

const keeper = agent('keeper', { state: {} })

class Visit {
  constructor(page, seconds) {
    this.page = page
    this.seconds = seconds
  }
}
const visits = {
  type: Visit,
  tag: 'visit',
  encode: ({ page, seconds }) => ({ page, seconds }),
  decode: ({ page, seconds }) => new Visit(page, seconds),
}

async function openMemory(folder, driver, file) {
  const repo = await open(sqlite(join(folder, file), { driver: driver.module }), { classes: [visits] })
  return { repo, memory: await Versioned.open(repo) }
}

/** About 20 KB of JSON. */
function plainKey(n) {
  return Array.from({ length: 170 }, (_, i) => ({
    id: `row-${n}-${i}`,
    state: i % 3 === 0 ? 'open' : 'done',
    score: i / 7,
    tags: ['alpha', 'beta', `t${i % 9}`],
    owner: { name: `agent ${i % 5}`, active: i % 2 === 0 },
  }))
}

function richKey(n) {
  return new Map(
    Array.from({ length: 200 }, (_, i) => [
      `row-${n}-${i}`,
      { at: new Date(1.7e12 + i * 1000), visit: new Visit(`/page/${i}`, i), tags: new Set(['alpha', `t${i % 9}`]) },
    ]),
  )
}

const keysOfMegabyte = 50

async function filled(folder, driver, file, makeKey, count = keysOfMegabyte) {
  const { repo, memory } = await openMemory(folder, driver, file)
  const state = await memory.of(keeper)
  for (let i = 0; i < count; i++) state[`key${i}`] = makeKey(i)
  await memory.checkpoint('Fill')
  await repo.close()
  return openMemory(folder, driver, file)
}

async function touchedKey(folder, driver) {
  const { repo, memory } = await filled(folder, driver, 'touched.db', plainKey)
  const state = await memory.of(keeper)
  const rows = state.key7
  const everything = Object.fromEntries(Array.from({ length: keysOfMegabyte }, (_, i) => [`key${i}`, plainKey(i)]))
  const copies = fullCopies(join(folder, 'copies.db'), driver)
  const before = (await repo.handle.journal.log.head()).seq
  const ours = {
    name: 'ours',
    count: 20,
    async run(from, count) {
      for (let step = 0; step < count; step++) {
        rows[(from + step) % rows.length].score = from + step + 0.5
        if ((await memory.checkpoint('Follow the score')) === undefined) throw new Error('Nothing was kept.')
      }
    },
  }
  const other = {
    name: 'copies',
    count: 20,
    run(from, count) {
      for (let step = 0; step < count; step++) {
        everything.key7[(from + step) % everything.key7.length].score = from + step + 0.5
        if (!copies.checkpoint(everything)) throw new Error('Nothing was kept.')
      }
    },
  }
  const times = await takeTurns([ours, other])
  const last = (await repo.handle.journal.log.head()).seq
  const mean = await meanBytes(repo, before + 1, last)
  const copied = copies.meanBytes()
  await repo.close()
  copies.close()
  return [
    {
      work: 'checkpoint, one touched key of 20 KB in 1 MB, against a full copy',
      ours: cpuTime(times.ours),
      other: cpuTime(times.copies),
      ratio: 1 / rateRatio(times.ours, times.copies),
      reach: 'touched',
    },
    { work: 'its growth', ours: bytes(mean), other: bytes(copied), ratio: mean / copied, reach: 'growth' },
  ]
}

async function nothingChanged(words, goal, folder, driver, makeKey) {
  const { repo, memory } = await filled(folder, driver, `${goal}.db`, makeKey)
  const state = await memory.of(keeper)
  const everything = { ...state }
  // JSON has no maps and sets: the other side writes them as lists.
  const listed = (_key, value) => (value instanceof Map || value instanceof Set ? [...value] : value)
  const megabytes = JSON.stringify(everything, listed).length / 1e6
  let hash = ''
  const ours = {
    name: 'ours',
    count: 3,
    async run(_from, count) {
      for (let i = 0; i < count; i++) if ((await memory.checkpoint()) !== undefined) throw new Error('It changed.')
    },
  }
  const other = {
    name: 'hash',
    count: 3,
    run(_from, count) {
      for (let i = 0; i < count; i++)
        hash = createHash('sha256')
          .update(JSON.stringify(everything, goal === 'rich' ? listed : undefined))
          .digest('hex')
    },
  }
  const times = await takeTurns([ours, other])
  await repo.close()
  if (hash === '') throw new Error('Nothing was hashed.')
  const perMegabyte = ({ median, best }) => ({ median: median / megabytes, best: best / megabytes })
  return [
    {
      work: `checkpoint after reading everything, nothing changed, ${words}, per MB, against JSON + SHA-256`,
      ours: time(perMegabyte(times.ours)),
      other: time(perMegabyte(times.hash)),
      reach: goal,
    },
  ]
}

async function oneOfMany(folder, driver, many) {
  const small = await filled(folder, driver, 'few.db', i => ({ n: i, note: `note of ${i}` }), 100)
  const large = await filled(folder, driver, 'many.db', i => ({ n: i, note: `note of ${i}` }), many)
  const sideOf = async (name, { memory }, count) => {
    const state = await memory.of(keeper)
    return {
      name,
      count: 30,
      async run(from, steps) {
        for (let step = 0; step < steps; step++) {
          state[`key${(count - 1) >> 1}`].n = -(from + step + 1)
          if ((await memory.checkpoint('Count')) === undefined) throw new Error('Nothing was kept.')
        }
      },
    }
  }
  const times = await takeTurns([await sideOf('large', large, many), await sideOf('small', small, 100)])
  await small.repo.close()
  await large.repo.close()
  return [
    {
      work: `checkpoint, one changed key of ${many.toLocaleString('en-US')}, against 100`,
      ours: time(times.large),
      other: time(times.small),
      ratio: 1 / rateRatio(times.large, times.small),
      reach: 'keys',
    },
  ]
}

async function meanBytes(repo, from, to) {
  const rows = await repo.handle.journal.log.entries(from, to, ['text', 'commit', 'part'])
  const sizes = rows.map(({ text, commit, part }) => text.length + commit.text.length + part.length)
  return sizes.reduce((sum, one) => sum + one, 0) / rows.length
}

/** A table with all of the state in each row, written when its hash is another. */
function fullCopies(file, driver) {
  const database = driver.open(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE copies (hash TEXT, state TEXT)')
  const insert = database.prepare('INSERT INTO copies VALUES (?, ?)')
  let last = ''
  let total = 0
  let count = 0
  return {
    checkpoint(state) {
      const text = JSON.stringify(state)
      const hash = createHash('sha256').update(text).digest('hex')
      if (hash === last) return false
      insert.run(hash, text)
      last = hash
      total += text.length
      count++
      return true
    },
    meanBytes: () => total / count,
    close: () => database.close(),
  }
}
