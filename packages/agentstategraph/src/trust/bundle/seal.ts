/**
 * The seal of a bundle: what it says of the whole range, compared with what came.
 *
 * Everything that a seal counts and lists follows from the entries and commits before it, but for refs that did not move in
 * the epoch, whose places are from before it. A redacted bundle has no commits, so only its entries are counted there.
 */

import { isLanded, leadsToLanded } from '../../repo/index.ts'
import type { CommitRecord, EntryRecord } from '../../store/index.ts'
import { readStrict } from '../strict-text.ts'
import { BundleFault } from './fault.ts'
import { fieldsOf, type HeaderRecord, isInteger, isText, openKinds } from './format.ts'
import { isIdText } from './texts.ts'

export interface SealChecker {
  /** How many entries of each kind came. */
  readonly kinds: ReadonlyMap<string, number>
  /** Counts an entry. What is withheld has neither record nor commit. */
  entry(seq: number, record: EntryRecord | undefined, commit: CommitRecord | undefined): void
  /** Throws unless the last entry seals the epoch and is right about it. `refs` are the places of all that moved. */
  assertRight(refs: ReadonlyMap<string, number | null>): void
}

/** Lists that were too long for the seal, from the entry that begins them. */
interface LongLists {
  readonly seq: number
  readonly texts: string[]
}

export function sealChecker({ epoch, from, to, profile }: HeaderRecord): SealChecker {
  const kinds = new Map<string, number>()
  const agents = new Map<string, number>()
  const categories = new Map<string, number>()
  const commitAt = new Map<number, string>()
  let last: EntryRecord | undefined
  let long: LongLists | undefined

  const fault = (detail: string): BundleFault => new BundleFault('seal', `the last entry ${detail}`)

  function assertCounts(value: unknown): void {
    const counts = new Map(Object.entries(fieldsOf(value) ?? {}))
    const total = [...counts.values()].reduce<number>(
      (sum, count) => sum + (isInteger(count) && count > 0 ? count : Number.NaN),
      0,
    )
    const areKnown = [...kinds].every(([kind, count]) => counts.get(kind) === count)
    // What is withheld has kinds that cannot be counted, and only those.
    const areAll = [...counts.keys()].every(kind => kinds.has(kind) || (profile === 'redacted' && !openKinds.has(kind)))
    if (total !== to - from + 1 || !areKnown || !areAll) throw fault('counts other entries than there are')
  }

  function listsIn(body: Fields): Fields | undefined {
    if (!Object.hasOwn(body, 'facts')) return body
    const isBefore = long !== undefined && long.seq === body['facts'] && long.seq + long.texts.length === to
    return isBefore ? fieldsOf(readStrict(long!.texts.join(''))) : undefined
  }

  function assertRefs(value: unknown, refs: ReadonlyMap<string, number | null>): void {
    const listed = new Map(Object.entries(fieldsOf(value) ?? {}))
    for (const [name, place] of refs) {
      const isDue = place !== null && leadsToLanded(name) && (place < from || commitAt.has(place))
      if (isDue !== listed.has(name)) throw fault(`does not list the ref ${name} as it is`)
    }
    for (const [name, place] of listed) {
      const { seq, commit } = fieldsOf(place) ?? {}
      const isPlace = isInteger(seq) && (refs.has(name) ? seq === refs.get(name) : seq >= 1 && seq < from)
      const isCommit = isIdText(commit) && (!isInteger(seq) || seq < from || commit === commitAt.get(seq))
      if (!leadsToLanded(name) || !isPlace || !isCommit) throw fault(`lists the ref ${name} where it is not`)
    }
  }

  return {
    kinds,
    entry(seq, record, commit) {
      last = record
      if (record === undefined) return
      add(kinds, record.kind)
      if (profile === 'redacted') return
      if (record.commit !== undefined) commitAt.set(seq, record.commit)
      if (commit !== undefined && isLanded(record)) {
        add(agents, record.agent)
        add(categories, commit.intent.category)
      }
      if (record.kind === 'epoch') long = longLists(long, seq, record)
    },
    assertRight(refs) {
      const body = last?.kind === 'epoch' ? fieldsOf(last.body) : undefined
      if (body === undefined || body['status'] !== 'sealed') throw fault('does not seal an epoch')
      if (body['epoch'] !== epoch || body['from'] !== from) throw fault('seals another epoch')
      assertCounts(body['counts'])
      if (profile === 'redacted') return
      const lists = listsIn(body)
      if (lists === undefined) throw fault('lists its facts where they are not')
      const commits = [...agents.values()].reduce((sum, count) => sum + count, 0)
      const isRight = lists['commits'] === commits && isTally(lists['agents'], agents)
      if (!isRight || !isTally(lists['categories'], categories)) throw fault('counts other commits than landed')
      if (fieldsOf(lists['refs']) === undefined) throw fault('lists no refs')
      assertRefs(lists['refs'], refs)
    },
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Begins or goes on with lists, when an entry about an epoch carries a part of them. */
function longLists(before: LongLists | undefined, seq: number, { body }: EntryRecord): LongLists | undefined {
  const { value, part } = fieldsOf(body) ?? {}
  if (!isText(value)) return before
  if (part === undefined) return { seq, texts: [value] }
  if (before === undefined || part !== before.texts.length || seq !== before.seq + part) return undefined
  before.texts.push(value)
  return before
}

/** Whether an object holds exactly these counts. */
function isTally(value: unknown, counts: ReadonlyMap<string, number>): boolean {
  const found = fieldsOf(value)
  if (found === undefined || Object.keys(found).length !== counts.size) return false
  return Object.entries(found).every(([name, count]) => counts.get(name) === count)
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
