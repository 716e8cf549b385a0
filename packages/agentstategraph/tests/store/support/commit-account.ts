/**
 * Accounting for what `processes/commit-worker.mjs` wrote: every commit in its place, each state what its history says.
 *
 * It goes from entry to entry, does to a plain state what each commit says it did, and holds what is stored against that.
 */
import { expect } from 'vitest'
import { checkPack } from '../../../src/maintenance/checks/pack.ts'
import type { Work } from '../../../src/store/contract/work.ts'
import {
  type Journal,
  type JournalEntry,
  readCommit,
  readEntries,
  type StoredCommit,
} from '../../../src/store/index.ts'
import { containerOfChild, countOf, entryAt, findEntry, valueOfChild, writerOf } from '../../../src/tree/index.ts'
import { wholeTree } from './journals.ts'

/** What a worker's commit says it wrote. */
interface Said {
  readonly label: string
  readonly name: string
  readonly n: number
  readonly slot: string
  readonly length: number
}

export interface Account {
  /** How far the journal was read. */
  seq: number
  time: number
  head: StoredCommit | undefined
  readonly slots: Map<string, string>
  readonly counts: Map<string, number>
  readonly writers: Map<string, number>
  /** What each commit appended, in order, with its seq and id. */
  readonly order: { readonly label: string; readonly seq: number; readonly id: string }[]
}

export function newAccount(): Account {
  return { seq: 0, time: 0, head: undefined, slots: new Map(), counts: new Map(), writers: new Map(), order: [] }
}

/** Reads on from where the account ends, and fails at the first thing that is not as it must be. */
export async function readOn(journal: Journal, account: Account): Promise<void> {
  const refs = await journal.log.refs('')
  const { seq: newest } = await journal.log.head()
  const entries = await journal.run(readEntries(account.seq + 1, newest, ['text', 'part']))
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => account.seq + 1 + i))
  for (const entry of entries) await readOne(journal, account, entry)
  // Others may be writing: the refs were read first, so they point to what has been read by now.
  for (const { seq } of refs) expect(seq).toBeLessThanOrEqual(account.seq)
}

async function readOne(journal: Journal, account: Account, { seq, record, row }: JournalEntry): Promise<void> {
  expect(record.time).toBeGreaterThanOrEqual(account.time)
  expect(record.kind).toBe(seq === 1 ? 'genesis' : 'commit')
  account.time = record.time
  account.seq = seq
  if (seq === 1) return
  const pack = { seq, digest: record.pack, first: row.part! }
  expect((await journal.run(checkPack(journal, pack))).hasDigest).toBe(true)
  const commit = await journal.run(readCommit(journal, seq))
  expect(commit.record.parents).toEqual(account.head === undefined ? [] : [account.head.id])
  expect(record.moves).toEqual([['branch/main', account.head?.seq ?? null, 0]])
  account.head = commit
  const { description } = commit.record.intent
  if (seq === 2) expect(description).toBe('begin')
  else await checkState(journal, account, commit, JSON.parse(description) as Said)
}

async function checkState(journal: Journal, account: Account, commit: StoredCommit, said: Said): Promise<void> {
  const { label, name, n, slot, length } = said
  expect(n).toBe((account.counts.get(name) ?? 0) + 1)
  account.slots.set(slot, label.padEnd(length, `, ${label}`))
  account.counts.set(name, n)
  account.order.push({ label, seq: commit.seq, id: commit.id })
  for (const path of ['/slots', `/slots/${slot}`, '/counts', `/counts/${name}`, '/order']) {
    account.writers.set(path, writerOf(commit.seq, 0))
  }
  const found = await journal.run(smallState(journal, commit))
  expect(found.state).toEqual([Object.fromEntries(account.slots), Object.fromEntries(account.counts)])
  expect(found.writers).toEqual([...account.writers].sort())
  expect(found.last).toEqual([account.order.length, label, writerOf(commit.seq, 0)])
}

/** The state without its long list, of which only the length and the last element are read. */
function* smallState(
  { context }: Journal,
  { tree }: StoredCommit,
): Work<{
  readonly state: readonly unknown[]
  readonly writers: readonly (readonly [string, number])[]
  readonly last: readonly unknown[]
}> {
  const state: unknown[] = []
  const writers: [string, number][] = []
  for (const key of ['slots', 'counts']) {
    const { child, writer } = (yield* findEntry(context, tree, [key]))!
    const whole = yield* wholeTree(context, child)
    state.push({ ...(whole.value as object) })
    writers.push([`/${key}`, writer])
    for (const [path, one] of whole.writers) writers.push([`/${key}${path}`, one])
  }
  const order = (yield* findEntry(context, tree, ['order']))!
  writers.push(['/order', order.writer])
  const list = (yield* containerOfChild(context, order.child))!
  const last = (yield* entryAt(context, list, countOf(list) - 1))!
  return {
    state,
    writers: writers.sort(),
    last: [countOf(list), yield* valueOfChild(context, last.child), last.writer],
  }
}

/**
 * When nobody writes any more: holds the refs against the chain, and the whole list in its head, element by element and
 * writer by writer, against all that was appended.
 */
export async function checkEnd(journal: Journal, { head, order }: Account): Promise<void> {
  const main = { name: 'branch/main', seq: head!.seq }
  expect(await journal.log.refs('')).toEqual([main, { name: 'system/genesis', seq: 1 }])
  const entry = await journal.run(findEntry(journal.context, head!.tree, ['order']))
  const { value, writers } = await journal.run(wholeTree(journal.context, entry!.child))
  expect(value).toEqual(order.map(({ label }) => label))
  expect(writers).toEqual(order.map(({ seq }, i) => [`/${i}`, writerOf(seq, 0)]))
}
