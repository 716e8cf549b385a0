/**
 * A long history, made much faster than by committing: entries are built here and appended many at a time.
 *
 * It looks like the work of 50 agents on a shared state: intents in trees, tags, sessions, grants, confidences, changed
 * paths in 100 areas, and one of a hundred intents resolved with deviations. Everything follows from the number.
 */
import {
  appendEntries,
  commitId,
  commitText,
  entryText,
  hexOfId,
  leafOfEntry,
  openJournal,
  rootOf,
  writePack,
} from 'agentstategraph/internal'

const perAppend = 1000
const began = Date.parse('2026-01-01T00:00:00.000Z')
const ref = 'branch/main'

const words =
  'traffic disk memory queue latency budget region cluster tenant schema index backup replica quota cache token'.split(
    ' ',
  )
const categories = ['Refine', 'Fix', 'Explore', 'Checkpoint', 'Plan']
const word = n => words[n % words.length]

/** The moment of the nth commit. */
export const momentOf = n => new Date(began + n * 1000)

/** What the nth commit says. */
export function infoOf(n) {
  return {
    agent: `agent/${n % 50}`,
    intent: {
      id: `intent-${n}`,
      parent: n % 10 === 0 ? undefined : `intent-${n - (n % 10)}`,
      category: categories[(n >> 2) % 5],
      description: `Adjust the ${word(n)} of ${word(n * 7 + 3)} ${n % 1000}`,
      tags: [`team-${n % 12}`, ...(n % 3 === 0 ? ['auto'] : [])],
    },
    authority: [`grant-${n % 20}`],
    session: `session-${Math.floor(n / 500)}`,
    reasoning: `The ${word(n * 3 + 1)} asked for it, and ${word(n * 5)} agreed after ${n % 97} checks`,
    confidence: ((n * 7919) % 1001) * 1000,
  }
}

export const pathOf = n => `/area${n % 100}/item${(n * 31) % 1000}/value`

/** Fills an empty journal with so many commits. */
export async function makeHistory(backend, count) {
  const journal = await openJournal(backend, { clock: () => momentOf(0) })
  await journal.run(appendEntries(journal, [{ kind: 'note', agent: 'agent/maker' }]))
  const { sync } = journal.log
  const system = rootOf(journal.context, {}, 0)
  let parent
  for (let n = 1; n <= count; ) {
    const time = momentOf(n).getTime()
    const entries = []
    const head = parent?.seq ?? null
    const { seq: newest } = sync.head()
    for (const end = Math.min(n + perAppend - 1, count); n <= end; n++) {
      const made = commitOf(journal, system, n, parent, time)
      entries.push(made.entry)
      parent = { id: made.id, seq: newest + entries.length }
      if (n % 100 === 0) entries.push(resolveOf(n, time))
    }
    const moves = [{ name: ref, expect: head, to: { entry: parent.seq - newest - 1 } }]
    const { kind } = sync.append({ time, entries, moves })
    if (kind !== 'done') throw new Error(`Appending ended with ${kind}.`)
  }
}

function commitOf({ context }, system, n, parent, time) {
  const info = infoOf(n)
  const tree = rootOf(context, { n }, 0)
  const pack = writePack({ tree, system, detail: undefined }, parent === undefined ? [] : [parent.seq])
  const parents = parent === undefined ? [] : [parent.id]
  const text = commitText({ ...info, tree: tree.id, system: system.id, parents, time })
  const id = commitId(text)
  const moves = [[ref, parent?.seq ?? null, 0]]
  const record = { kind: 'commit', time, agent: info.agent, moves, commit: id, pack: pack.digest, changed: [pathOf(n)] }
  return { id, entry: entryOf(record, { commit: { id: hexOfId(id), text }, parts: pack.parts }) }
}

function resolveOf(n, time) {
  const body = { intent: `intent-${n}`, outcome: 'partial', summary: 's', deviations: [{ description: 'd' }] }
  return entryOf({ kind: 'resolve', time, agent: 'agent/maker', moves: [], body }, { parts: [] })
}

function entryOf(record, rest) {
  const text = entryText(record)
  return { text, leaf: leafOfEntry(text), ...rest }
}
