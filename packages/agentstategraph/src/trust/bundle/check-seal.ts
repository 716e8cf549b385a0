/**
 * Compares the seal of a bundle with the entries that came before it.
 *
 * The entries and commits of the epoch determine all counts and lists of a seal, except for refs that did not move in the
 * epoch: their positions are older than the bundle. A redacted bundle has no commit texts, so there only the counts of
 * entries are compared.
 */

import { isLanded, leadsToLanded } from '../../repo/index.ts'
import type { ScratchRows } from '../../store/contract/scratch.ts'
import type { CommitRecord, EntryRecord } from '../../store/index.ts'
import { readStrict } from '../strict-text.ts'
import { BundleFault } from './fault.ts'
import { fieldsOf, type HeaderRecord, isInteger, isText, openKinds } from './format.ts'
import { isIdText } from './texts.ts'

type Fields = Readonly<Record<string, unknown>>

/** The texts of lists that are too long for the seal, and the entry that begins them. */
interface LongLists {
  readonly seq: number
  readonly texts: string[]
}

/** Counts entries as they come; at the end, compares the seal with the counts. */
export class SealChecker {
  readonly #header: HeaderRecord
  readonly #isRedacted: boolean
  readonly #kinds = new Map<string, number>()
  /** Landed commits by agent, and by category. */
  readonly #agents = new Map<string, number>()
  readonly #categories = new Map<string, number>()
  /** The commit of each entry, empty where it has none, from the first entry of the epoch on. */
  readonly #commits: ScratchRows<string>
  readonly #keys: number[] = []
  #last: EntryRecord | undefined
  #longLists: LongLists | undefined

  constructor(header: HeaderRecord, commits: ScratchRows<string>) {
    this.#commits = commits
    this.#header = header
    this.#isRedacted = header.profile === 'redacted'
  }

  /** How many entries of each kind came, without the withheld ones. */
  get kinds(): ReadonlyMap<string, number> {
    return this.#kinds
  }

  /** Counts an entry. A withheld one has neither record nor commit. */
  add(seq: number, record: EntryRecord | undefined, commit: CommitRecord | undefined): void {
    this.#last = record
    if (record === undefined) return
    increment(this.#kinds, record.kind)
    if (record.kind === 'key') this.#keys.push(seq)
    if (this.#isRedacted) return
    this.#commits.add(record.commit ?? '')
    if (commit !== undefined && isLanded(record)) {
      increment(this.#agents, record.agent)
      increment(this.#categories, commit.intent.category)
    }
    if (record.kind === 'epoch') this.#longLists = extended(this.#longLists, seq, record)
  }

  /** The entries that changed keys, as the seal names them. */
  get keys(): readonly number[] {
    return this.#sealBody()['keys'] as readonly number[]
  }

  /**
   * Throws unless the last entry seals the epoch with the right counts and lists. `refs` holds every ref that moved, `access` is
   * where `system/access` is.
   */
  assertRight(refs: ReadonlyMap<string, number | null>, access: Position | null): void {
    const body = this.#sealBody()
    this.#assertKinds(body['counts'])
    this.#assertKeys(body['keys'])
    if (!isPosition(body['access'])) throw sealFault('does not say where the access state was')
    if (this.#isRedacted) return
    const stated = fieldsOf(body['access'])
    if (stated?.['seq'] !== access?.seq || stated?.['commit'] !== access?.commit)
      throw sealFault('names another access state than there was')
    const lists = this.#listsOf(body)
    this.#assertCommits(lists)
    const listed = fieldsOf(lists['refs'])
    if (listed === undefined) throw sealFault('lists no refs')
    this.#assertMovedRefs(listed, refs)
    for (const [name, position] of Object.entries(listed)) this.#assertListedRef(name, position, refs)
  }

  #sealBody(): Fields {
    const body = this.#last?.kind === 'epoch' ? fieldsOf(this.#last.body) : undefined
    if (body === undefined || body['status'] !== 'sealed') throw sealFault('does not seal an epoch')
    const { epoch, from } = this.#header
    if (body['epoch'] !== epoch || body['from'] !== from) throw sealFault('seals another epoch')
    return body
  }

  #assertKinds(value: unknown): void {
    const counts = new Map(Object.entries(fieldsOf(value) ?? {}))
    const { from, to } = this.#header
    const areSeenRight = [...this.#kinds].every(([kind, count]) => counts.get(kind) === count)
    // Entries that a redacted bundle withholds cannot be counted here, so only their kinds may be counted beyond those seen.
    const isUnseen = (kind: string): boolean => this.#isRedacted && !openKinds.has(kind)
    const areOthersUnseen = [...counts.keys()].every(kind => this.#kinds.has(kind) || isUnseen(kind))
    if (!areSeenRight || !areOthersUnseen || sumOf(counts.values()) !== to - from + 1)
      throw sealFault('counts other entries than there are')
  }

  /** Numbers of entries, ascending; from the first entry of the epoch on, exactly those that changed keys. */
  #assertKeys(keys: unknown): void {
    const { from } = this.#header
    const isRight =
      Array.isArray(keys) &&
      keys.every((seq, i) => isInteger(seq) && seq > (i === 0 ? 0 : (keys[i - 1] as number))) &&
      JSON.stringify(keys.filter(seq => (seq as number) >= from)) === JSON.stringify(this.#keys)
    if (!isRight) throw sealFault('names other changes of keys than there are')
  }

  /** The lists of the seal: in its own body, or in the entries right before it. */
  #listsOf(body: Fields): Fields {
    if (!Object.hasOwn(body, 'facts')) return body
    const long = this.#longLists
    const isRightBefore =
      long !== undefined && long.seq === body['facts'] && long.seq + long.texts.length === this.#header.to
    const lists = isRightBefore ? fieldsOf(readStrict(long.texts.join(''))) : undefined
    if (lists === undefined) throw sealFault('lists its facts where they are not')
    return lists
  }

  #assertCommits(lists: Fields): void {
    const isRight =
      lists['commits'] === sumOf(this.#agents.values()) &&
      holdsCounts(lists['agents'], this.#agents) &&
      holdsCounts(lists['categories'], this.#categories)
    if (!isRight) throw sealFault('counts other commits than landed')
  }

  /** A ref that moved in the epoch is listed exactly when it ends at a commit, or at an entry from before the bundle. */
  #assertMovedRefs(listed: Fields, refs: ReadonlyMap<string, number | null>): void {
    for (const [name, seq] of refs) {
      const isAtCommit = seq !== null && (seq < this.#header.from || this.#commitAt(seq) !== '')
      if ((isAtCommit && leadsToLanded(name)) !== Object.hasOwn(listed, name))
        throw sealFault(`does not list the ref ${name} as it is`)
    }
  }

  #assertListedRef(name: string, position: unknown, refs: ReadonlyMap<string, number | null>): void {
    const { from } = this.#header
    const { seq, commit } = fieldsOf(position) ?? {}
    const isSeq = isInteger(seq) && (refs.has(name) ? seq === refs.get(name) : seq >= 1 && seq < from)
    const isCommit = isIdText(commit) && (!isInteger(seq) || seq < from || commit === this.#commitAt(seq))
    if (!leadsToLanded(name) || !isSeq || !isCommit) throw sealFault(`lists the ref ${name} where it is not`)
  }

  #commitAt(seq: number): string {
    const at = seq - this.#header.from
    return at < this.#commits.count ? this.#commits.at(at) : ''
  }
}

interface Position {
  readonly seq: number
  readonly commit: string
}

/** Whether the value of a seal says where the access state is; null where there is none. */
function isPosition(value: unknown): boolean {
  if (value === null) return true
  const fields = fieldsOf(value)
  if (fields === undefined || Object.keys(fields).length !== 2) return false
  return isInteger(fields['seq']) && fields['seq'] >= 1 && isIdText(fields['commit'])
}

function sealFault(detail: string): BundleFault {
  return new BundleFault('seal', `the last entry ${detail}`)
}

/** Begins or continues lists when an entry about an epoch carries a part of them. */
function extended(lists: LongLists | undefined, seq: number, { body }: EntryRecord): LongLists | undefined {
  const { value, part } = fieldsOf(body) ?? {}
  if (!isText(value)) return lists
  if (part === undefined) return { seq, texts: [value] }
  if (lists === undefined || part !== lists.texts.length || seq !== lists.seq + part) return undefined
  lists.texts.push(value)
  return lists
}

/** Whether an object holds exactly these counts. */
function holdsCounts(value: unknown, counts: ReadonlyMap<string, number>): boolean {
  const found = fieldsOf(value)
  if (found === undefined || Object.keys(found).length !== counts.size) return false
  return Object.entries(found).every(([name, count]) => counts.get(name) === count)
}

/** The sum of positive integers; not a number when something else is among them. */
function sumOf(counts: Iterable<unknown>): number {
  let sum = 0
  for (const count of counts) sum += isInteger(count) && count > 0 ? count : Number.NaN
  return sum
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
