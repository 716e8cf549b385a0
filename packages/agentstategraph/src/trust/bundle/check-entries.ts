/**
 * The entries of a bundle and the nodes they bring, checked one after another, and what only all of them together show.
 */

import {
  appendLeaf,
  type Frontier,
  findBase64,
  hashText,
  leafHash,
  rootOfFrontier,
  toBase64,
} from '../../core/index.ts'
import { isLanded } from '../../repo/index.ts'
import type { CommitRecord, EntryRecord } from '../../store/index.ts'
import type { BundleHead } from './check-head.ts'
import { BundleFault } from './fault.ts'
import { type EntryLine, openKinds } from './format.ts'
import { findNodeShape } from './node.ts'
import { neededNodes, type Opening, openingOf, openingsBelow } from './openings.ts'
import { sealChecker } from './seal.ts'
import { findCommitRecord, findEntryRecord } from './texts.ts'

/** One entry of a bundle, as it came. */
export interface BundleEntry {
  readonly seq: number
  readonly line: EntryLine
  /** Undefined when the text is withheld. */
  readonly record: EntryRecord | undefined
  readonly commit: CommitRecord | undefined
}

/** Who is told what came, after it was checked by itself. */
export interface EntrySink {
  entry(entry: BundleEntry): void
  node(id: string, text: string): void
}

export interface CheckedEntries {
  /** Where each ref that moved is in the end. */
  readonly refs: ReadonlyMap<string, number>
  /** How many entries of each kind came; those withheld are not among them. */
  readonly kinds: ReadonlyMap<string, number>
  readonly withheld: number
  readonly dropped: number
  /** The roots that were asked for, in base64, by size. */
  readonly roots: ReadonlyMap<number, string>
}

export interface EntryChecker {
  isFull(): boolean
  takesNodes(): boolean
  entry(line: EntryLine): void
  node(text: string): void
  assertNoneMissing(): void
  finish(head: BundleHead): CheckedEntries
}

export function entryChecker(head: BundleHead, sink: EntrySink, sizes: readonly number[]): EntryChecker {
  const { header, patterns } = head
  const { from, to, profile } = header
  const isRedacted = profile === 'redacted'
  const stateOpening = openingOf(patterns)
  const needed = neededNodes()
  const refs = new Map<string, number | null>()
  const encryption = sealChecker(header)
  const keyTexts = new Map<number, string>()
  const wrongGenesis: number[] = []
  const roots = new Map<number, string>()
  let frontier: Frontier = head.frontier
  let seq = from - 1
  let withheld = 0
  let dropped = 0
  let lastTime = Number.NEGATIVE_INFINITY
  let takesNodes = false

  const noteRoot = (): void => {
    if (sizes.includes(frontier.size)) roots.set(frontier.size, toBase64(rootOfFrontier(frontier)))
  }
  noteRoot()

  const grow = (leaf: Uint8Array): void => {
    frontier = appendLeaf(frontier, leaf)
    noteRoot()
  }

  const assertNoneMissing = (): void => {
    if (needed.missing() > 0)
      throw new BundleFault('missing-node', `entry ${seq}: the node ${needed.firstMissing()} is not there`)
  }

  const needRoot = (id: string | undefined, opening: Opening): void => {
    if (id !== undefined) needed.need(id, opening)
  }

  const addCommit = (entry: EntryRecord, { commit: text, dropped: isDropped }: EntryLine): CommitRecord | undefined => {
    const fault = (detail: string): BundleFault => new BundleFault('commit', `entry ${seq}: ${detail}`)
    const isDue = entry.commit !== undefined && !isRedacted
    if ((text !== undefined) !== isDue)
      throw fault('it has a commit where it should have none, or none where it should')
    if (isDropped !== undefined && (profile !== 'full' || text === undefined)) throw fault('it has no states to drop')
    if (text === undefined) return undefined
    if (hashText(text) !== entry.commit) throw fault('the commit is not the one that the entry names')
    const commit = findCommitRecord(text)
    if (commit === undefined) throw fault('the text is not one that a commit has')
    if (commit.agent !== entry.agent) throw fault('the commit is of another agent than the entry')
    if (isDropped === 1) {
      if (isLanded(entry))
        throw new BundleFault('dropped', `entry ${seq}: the states of a commit that landed are not there`)
      dropped++
    }
    return commit
  }

  return {
    isFull: () => seq === to,
    takesNodes: () => takesNodes,
    assertNoneMissing,
    entry(line) {
      assertNoneMissing()
      seq++
      takesNodes = false
      assertTextOrLeaf(line, isRedacted, seq)
      if (line.entry === undefined) {
        withheld++
        grow(findBase64(line.leaf!)!)
        encryption.entry(seq, undefined, undefined)
        sink.entry({ seq, line, record: undefined, commit: undefined })
        return
      }
      const record = findEntryRecord(line.entry)
      if (record === undefined) throw new BundleFault('entry', `entry ${seq}: the text is not one that an entry has`)
      if (record.time < lastTime)
        throw new BundleFault('entry', `entry ${seq}: its time is before that of the one before`)
      if (isRedacted && !openKinds.has(record.kind))
        throw new BundleFault('withheld', `entry ${seq}: an entry of kind ${record.kind} is not in a redacted bundle`)
      const commit = addCommit(record, line)
      if (!isRedacted) move(refs, seq, record)
      grow(leafHash(line.entry))
      encryption.entry(seq, record, commit)
      if (record.kind === 'key') keyTexts.set(seq, line.entry)
      if ((record.kind === 'genesis') !== (seq === 1)) wrongGenesis.push(seq)
      lastTime = record.time
      if (commit !== undefined && profile === 'full' && line.dropped === undefined) {
        takesNodes = true
        needRoot(commit.tree, stateOpening)
        needRoot(commit.system, 'all')
        needRoot(commit.detail, 'all')
      }
      sink.entry({ seq, line, record, commit })
    },
    node(text) {
      const shape = findNodeShape(text)
      if (shape === undefined) throw new BundleFault('node', `entry ${seq}: a text is not one that a node has`)
      const id = hashText(text)
      const opening = needed.take(id)
      if (opening === undefined) throw new BundleFault('unneeded-node', `entry ${seq}: the node ${id} is not needed`)
      const below = openingsBelow(patterns, shape, opening)
      for (const [i, child] of shape.ids.entries()) needed.need(child, below[i]!)
      sink.node(id, text)
    },
    finish({ checkpoint, keychain }) {
      if (toBase64(rootOfFrontier(frontier)) !== checkpoint.root)
        throw new BundleFault('root', 'the entries do not lead to the root of the head')
      encryption.assertRight(refs)
      if (wrongGenesis.length > 0)
        throw new BundleFault('genesis', `entry ${wrongGenesis[0]} is where a log begins, or does not begin it`)
      for (const { seq: at, entry } of keychain) {
        if (at >= from && keyTexts.get(at) !== entry)
          throw new BundleFault('keychain', `entry ${at} is another than that in the bundle`)
      }
      const placed = new Map([...refs].filter((ref): ref is [string, number] => ref[1] !== null))
      return { refs: placed, kinds: encryption.kinds, withheld, dropped, roots }
    },
  }
}

function assertTextOrLeaf({ entry, leaf, commit, dropped }: EntryLine, isRedacted: boolean, seq: number): void {
  const isOne = (entry === undefined) !== (leaf === undefined)
  const isBare = isRedacted && commit === undefined && dropped === undefined
  if (!isOne || (leaf !== undefined && !isBare))
    throw new BundleFault('withheld', `entry ${seq}: it is withheld where it should not be, or not as it should be`)
}

function move(refs: Map<string, number | null>, seq: number, { moves }: EntryRecord): void {
  for (const [name, from, to] of moves) {
    const fault = (detail: string): BundleFault => new BundleFault('moves', `entry ${seq}: the ref ${name} ${detail}`)
    if ([from, to].some(place => place !== null && (place < 0 || place > seq)))
      throw fault('moves to what is not there')
    if (refs.has(name) && refs.get(name) !== from) throw fault('is not where the entry moves it from')
    refs.set(name, to === 0 ? seq : to)
  }
}
