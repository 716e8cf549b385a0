/**
 * A long history, made much faster than by committing: entries are built here and appended many at a time.
 *
 * It looks like the work of 50 agents: intents in trees, tags, sessions, grants, confidences, ten commits in each of 100
 * areas in turn, and one of a hundred intents resolved with deviations. The state holds the area under work alone, so that
 * commits are small; writers and changed paths are as `verify` and every receiver compute them. Everything follows from the
 * number.
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

/** The area that the nth commit writes. */
const areaOf = n => `area${Math.floor(n / 10) % 100}`

/** What the nth commit changes: its area, and the one before it, which it removes. */
const changedBy = n => [...new Set([areaOf(Math.max(1, n - 1)), areaOf(n)])].sort().map(area => `/${area}`)

/** The same without sessions and grants, which the access state of a made history does not have. */
export function infoWithoutAuthority(n) {
  return { ...infoOf(n), authority: undefined, session: undefined }
}

/** Fills an empty journal with so many commits, which say what `info` returns for their numbers. */
export async function makeHistory(backend, count, info = infoOf) {
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
      const made = commitOf(journal, system, n, info(n), parent, time)
      entries.push(made.entry)
      parent = { id: made.id, seq: newest + entries.length }
      if (n % 100 === 0) entries.push(resolveOf(n, time))
    }
    const moves = [{ name: ref, expect: head, to: { entry: parent.seq - newest - 1 } }]
    const { kind } = sync.append({ time, entries, moves })
    if (kind !== 'done') throw new Error(`Appending ended with ${kind}.`)
  }
}

function commitOf({ context }, system, n, info, parent, time) {
  const tree = rootOf(context, { [areaOf(n)]: n }, 0)
  const pack = writePack({ tree, system, detail: undefined }, parent === undefined ? [] : [parent.seq])
  const parents = parent === undefined ? [] : [parent.id]
  const text = commitText({ ...info, tree: tree.id, system: system.id, parents, time, salt: `salt-${n}` })
  const id = commitId(text)
  const moves = [[ref, parent?.seq ?? null, 0]]
  const record = {
    kind: 'commit',
    time,
    agent: info.agent,
    moves,
    commit: id,
    pack: pack.digest,
    changed: changedBy(n),
  }
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
