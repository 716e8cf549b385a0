/**
 * The newest 50 commits that each filter lets through, alone and in pairs, in a long history; opening that store; and
 * how fast its index is built.
 *
 * The history has 100,000 commits, or a million with `--large`.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'agentstategraph'
import { sqlite } from 'agentstategraph/backends'
import { makeHistory, momentOf } from '../made-history.mjs'
import { summarize, takeTurns } from '../measure.mjs'
import { bytes, oursAtMost, rate, span, time } from '../reach.mjs'

export const name = 'queries'

export const reach = {
  query: oursAtMost(0.005, '≤ 5 ms'),
  open: oursAtMost(0.05, '≤ 50 ms'),
}

export async function run({ driver, makeFolder, size, isLarge }) {
  const count = size(isLarge ? 1_000_000 : 100_000)
  const file = join(makeFolder(), 'history.db')
  const backend = sqlite(file, { driver: driver.module })
  await makeHistory(backend, count)
  await backend.close()
  const rows = [await measureIndex(file, count, driver), await measureOpen(file, driver)]
  const repo = await open(sqlite(file, { driver: driver.module }))
  for (const [words, filter] of filtersOf(count)) rows.push(await measureQuery(repo, words, filter))
  await repo.close()
  return { rows, sides: [{ side: 'ours', driver: driver.name }] }
}

function filtersOf(count) {
  const alone = {
    agent: { agent: 'agent/7' },
    category: { category: 'Fix' },
    tag: { tags: ['auto'] },
    'two tags': { tags: ['auto', 'team-3'] },
    text: { text: 'latency agreed' },
    confidence: { confidence: { min: 0.7 } },
    'narrow confidence': { confidence: { min: 0.501, max: 0.519 } },
    since: { since: momentOf(Math.floor(count * 0.9)) },
    until: { until: momentOf(Math.floor(count * 0.1)) },
    path: { path: '/area7' },
    pattern: { path: '/area7/**' },
    session: { session: `session-${Math.floor(count / 1000)}` },
    intent: { intent: `intent-${Math.floor(count / 20) * 10}` },
    authority: { authority: 'grant-3' },
    deviated: { deviated: true },
    'not deviated': { deviated: false },
    'nothing that matches': { agent: 'nobody' },
  }
  const broad = ['category', 'tag', 'text', 'confidence', 'since', 'until', 'not deviated']
  const filters = Object.entries(alone)
  for (const [i, a] of broad.entries()) {
    for (const b of broad.slice(i + 1)) {
      if (a !== 'since' || b !== 'until') filters.push([`${a} and ${b}`, { ...alone[a], ...alone[b] }])
    }
  }
  return filters
}

async function measureQuery(repo, words, filter) {
  const { recent } = repo.handle.journal
  const side = {
    name: 'query',
    count: 1,
    // So that every commit is read from the store.
    prepare: () => recent.clear(),
    run: () => repo.query({ ...filter, limit: 50 }),
  }
  const times = await takeTurns([side], { slices: 9, warmups: 1 })
  return { work: `newest 50 by ${words}`, ours: time(times.query), reach: 'query' }
}

async function measureIndex(file, count, driver) {
  const before = statSync(file).size
  const repo = await open(sqlite(file, { driver: driver.module }))
  const start = performance.now()
  await repo.query({ agent: 'nobody' })
  const seconds = (performance.now() - start) / 1000
  await repo.close()
  const added = bytes((statSync(file).size - before) / count)
  return {
    work: `index ${count.toLocaleString('en-US')} commits (${added.words} each)`,
    ours: rate(summarize([seconds / count])),
  }
}

async function measureOpen(file, driver) {
  const start = performance.now()
  const repo = await open(sqlite(file, { driver: driver.module }))
  await repo.head()
  const seconds = (performance.now() - start) / 1000
  await repo.close()
  return { work: 'open the store and read its head', ours: span(seconds), reach: 'open' }
}
