/**
 * Checks the entries of a bundle one after another, and at the end what only all of them together show.
 *
 * The order of the checks is that of docs/bundle.md, step 9 and steps 12 to 15.
 */

import { appendLeaf, type Frontier, hashText, leafHash, rootOfFrontier, toBase64 } from '../../core/index.ts'
import { accessRef, isLanded } from '../../repo/index.ts'
import type { Scratch } from '../../store/contract/scratch.ts'
import type { CommitRecord, EntryRecord } from '../../store/index.ts'
import { AccessChecker, type Authorities, isDecision } from './authority/check-access.ts'
import { NodeChecker } from './check-nodes.ts'
import type { Preamble } from './check-preamble.ts'
import { SealChecker } from './check-seal.ts'
import { BundleFault } from './fault.ts'
import { type AccessLine, bytesOfHash, type EntryLine, openKinds } from './format.ts'
import { findCommitRecord, findEntryRecord } from './texts.ts'

/** One entry of a bundle, as it came. */
export interface BundleEntry {
  readonly seq: number
  readonly line: EntryLine
  /** Undefined when the text is withheld. */
  readonly record: EntryRecord | undefined
  readonly commit: CommitRecord | undefined
}

/** Receives each entry and node after it was checked by itself. */
export interface EntrySink {
  entry(entry: BundleEntry): void
  node(id: string, text: string): void
}

export interface CheckedEntries {
  /** Where each ref that moved is in the end. */
  readonly refs: ReadonlyMap<string, number>
  /** How many entries of each kind came, without the withheld ones. */
  readonly kinds: ReadonlyMap<string, number>
  readonly withheld: number
  readonly dropped: number
  /** The roots at the requested sizes, in base64. */
  readonly roots: ReadonlyMap<number, string>
  readonly authorities: Authorities
}

export class EntryChecker {
  readonly #preamble: Preamble
  readonly #isRedacted: boolean
  readonly #sink: EntrySink
  /** The sizes of the log at which the root is kept. */
  readonly #sizes: readonly number[]
  readonly #nodes: NodeChecker
  readonly #access = new AccessChecker()
  readonly #seal: SealChecker
  /** The position of each ref that moved; null where it was deleted. */
  readonly #refs = new Map<string, number | null>()
  readonly #keyTexts = new Map<number, string>()
  readonly #roots = new Map<number, string>()
  #frontier: Frontier
  #seq: number
  #takesNodes = false
  #lastTime = Number.NEGATIVE_INFINITY
  #wrongGenesis: number | undefined
  #withheld = 0
  #dropped = 0

  constructor(preamble: Preamble, sink: EntrySink, sizes: readonly number[], scratch: Scratch) {
    const { header, patterns, frontier } = preamble
    this.#preamble = preamble
    this.#isRedacted = header.profile === 'redacted'
    this.#sink = sink
    this.#sizes = sizes
    const fault = (check: BundleFault['check'], detail: string): BundleFault => this.#fault(check, detail)
    this.#nodes = new NodeChecker(header.profile, patterns, this.#access.nodes, fault, scratch)
    this.#seal = new SealChecker(header, scratch.rows())
    this.#frontier = frontier
    this.#seq = header.from - 1
    this.#noteRoot()
  }

  /** Whether all entries of the epoch have come. */
  get isFull(): boolean {
    return this.#seq === this.#preamble.header.to
  }

  /** Whether nodes may follow the last entry. */
  get takesNodes(): boolean {
    return this.#takesNodes
  }

  /** Whether the access state from before the epoch may come. */
  get takesAccess(): boolean {
    return !this.#isRedacted
  }

  access(line: AccessLine): void {
    const { entry, commit } = this.#access.begin(line, this.#frontier)
    this.#lastTime = entry.time
    this.#nodes.needAccess(commit.tree)
    this.#takesNodes = true
  }

  entry(line: EntryLine): void {
    this.assertNoneMissing()
    this.#access.settle()
    this.#seq++
    this.#takesNodes = false
    this.#assertTextOrLeaf(line)
    if (line.entry !== undefined) this.#takeText(line, line.entry)
    else if (line.leaf !== undefined) this.#takeLeaf(line, line.leaf)
  }

  node(text: string): void {
    this.#sink.node(this.#nodes.take(text), text)
  }

  assertNoneMissing(): void {
    this.#nodes.assertNoneMissing()
  }

  /** The checks after the last line. */
  finish(): CheckedEntries {
    if (toBase64(rootOfFrontier(this.#frontier)) !== this.#preamble.signedHead.root)
      throw new BundleFault('root', 'the entries do not lead to the root of the head')
    this.#seal.assertRight(this.#refs, this.#access.position)
    if (this.#wrongGenesis !== undefined)
      throw new BundleFault('genesis', `entry ${this.#wrongGenesis} is where a log begins, or does not begin it`)
    this.#assertKeychain()
    const refs = new Map([...this.#refs].filter((ref): ref is [string, number] => ref[1] !== null))
    return {
      refs,
      kinds: this.#seal.kinds,
      withheld: this.#withheld,
      dropped: this.#dropped,
      roots: this.#roots,
      authorities: this.#access.finish(),
    }
  }

  #takeLeaf(line: EntryLine, leaf: string): void {
    this.#withheld++
    this.#grow(bytesOfHash(leaf))
    this.#seal.add(this.#seq, undefined, undefined)
    this.#sink.entry({ seq: this.#seq, line, record: undefined, commit: undefined })
  }

  #takeText(line: EntryLine, text: string): void {
    const seq = this.#seq
    const record = this.#readEntry(text)
    const commit = this.#readCommit(record, line)
    if (!this.#isRedacted) this.#moveRefs(record)
    this.#grow(leafHash(text))
    this.#seal.add(seq, record, commit)
    if (record.kind === 'key') this.#keyTexts.set(seq, text)
    if ((record.kind === 'genesis') !== (seq === 1)) this.#wrongGenesis ??= seq
    this.#lastTime = record.time
    if (commit !== undefined) {
      this.#access.take(seq, record, commit)
      this.#takesNodes = this.#bringsNodes(record, line)
      if (this.#takesNodes) this.#nodes.need(commit, isDecision(record))
    }
    this.#sink.entry({ seq, line, record, commit })
  }

  #bringsNodes(record: EntryRecord, { dropped }: EntryLine): boolean {
    return isDecision(record) || (this.#preamble.header.profile === 'full' && dropped === undefined)
  }

  #readEntry(text: string): EntryRecord {
    const record = findEntryRecord(text)
    if (record === undefined) throw this.#fault('entry', 'the text is not one that an entry has')
    if (record.time < this.#lastTime) throw this.#fault('entry', 'its time is before that of the one before')
    if (this.#isRedacted && !openKinds.has(record.kind))
      throw this.#fault('withheld', `an entry of kind ${record.kind} is not in a redacted bundle`)
    return record
  }

  #readCommit(entry: EntryRecord, { commit: text, dropped }: EntryLine): CommitRecord | undefined {
    const fault = (detail: string): BundleFault => this.#fault('commit', detail)
    const isDue = entry.commit !== undefined && !this.#isRedacted
    if ((text !== undefined) !== isDue)
      throw fault('it has a commit where it should have none, or none where it should')
    if (dropped !== undefined && (this.#preamble.header.profile !== 'full' || text === undefined))
      throw fault('it has no states to drop')
    if (text === undefined) return undefined
    if (hashText(text) !== entry.commit) throw fault('the commit is not the one that the entry names')
    const commit = findCommitRecord(text)
    if (commit === undefined) throw fault('the text is not one that a commit has')
    if (commit.agent !== entry.agent) throw fault('the commit is of another agent than the entry')
    if (dropped === 1) {
      if (isLanded(entry) || isDecision(entry))
        throw this.#fault('dropped', 'the states of a commit that landed are not there')
      this.#dropped++
    }
    return commit
  }

  #moveRefs(record: EntryRecord): void {
    const { moves } = record
    const isBeyond = (position: number | null): boolean => position !== null && (position < 0 || position > this.#seq)
    for (const [name, from, to] of moves) {
      if (isBeyond(from) || isBeyond(to)) throw this.#fault('moves', `the ref ${name} moves to what is not there`)
      if (this.#refs.has(name) && this.#refs.get(name) !== from)
        throw this.#fault('moves', `the ref ${name} is not where the entry moves it from`)
      if (name === accessRef && !(from === (this.#access.position?.seq ?? null) && to === 0 && isDecision(record)))
        throw this.#fault('moves', 'the access state changes other than by the next decision')
      this.#refs.set(name, to === 0 ? this.#seq : to)
    }
  }

  #grow(leaf: Uint8Array): void {
    this.#frontier = appendLeaf(this.#frontier, leaf)
    this.#noteRoot()
  }

  #noteRoot(): void {
    const { size } = this.#frontier
    if (this.#sizes.includes(size)) this.#roots.set(size, toBase64(rootOfFrontier(this.#frontier)))
  }

  #assertTextOrLeaf({ entry, leaf, commit, dropped }: EntryLine): void {
    const isOne = (entry === undefined) !== (leaf === undefined)
    const isBare = this.#isRedacted && commit === undefined && dropped === undefined
    if (!isOne || (leaf !== undefined && !isBare))
      throw this.#fault('withheld', 'it is withheld where it should not be, or not as it should be')
  }

  /** The keychain has every key change that the seal names, and those within the epoch with the texts of their entries. */
  #assertKeychain(): void {
    const { header, keychain } = this.#preamble
    const named = this.#seal.keys
    if (keychain.length !== named.length || keychain.some(({ seq }, i) => seq !== named[i]))
      throw new BundleFault('keychain', `keys changed at the entries [${named.join(', ')}], and not all are there`)
    for (const { seq, entry } of keychain) {
      if (seq >= header.from && this.#keyTexts.get(seq) !== entry)
        throw new BundleFault('keychain', `entry ${seq} is another than that in the bundle`)
    }
  }

  #fault(check: BundleFault['check'], detail: string): BundleFault {
    return new BundleFault(check, `entry ${this.#seq}: ${detail}`)
  }
}
