/**
 * Appends commits of other journals, which `candidate.ts` has rebuilt: several in one append, of which each may build on those
 * before it.
 *
 * Until the append they have pending numbers, as those of a chain, and only this work finds them.
 */

import { hexOfId, type Stored } from '../../core/index.ts'
import { indexOfPointer, type Link, pointerOf, seqOfPointer } from '../../tree/index.ts'
import type { NewEntry } from '../contract/backend.ts'
import type { Work } from '../contract/work.ts'
import type { Bases } from '../packs/deltas.ts'
import { isPending } from '../packs/pending-nodes.ts'
import { type Pack, type Roots, writePack } from '../packs/write-pack.ts'
import { writePartialPack } from '../packs/write-partial-pack.ts'
import { appendSeen, basesOf, begin, newestTime } from './append.ts'
import { type Candidate, isTrimmedNode } from './candidate.ts'
import { remember, type StoredCommit } from './commit.ts'
import { linkTo } from './commits.ts'
import { type EntryRecord, entryText, leafOfEntry } from './entry.ts'
import type { Journal } from './journal.ts'
import { isTrimmedMeanwhile, noteTrims, trimGuard } from './trims.ts'

/** How many commits one append may take. */
export const maxImported = 64

/** Commits that wait to be appended together. */
export interface ImportBatch {
  readonly journal: Journal
  /** The pending number of its first commit. */
  readonly base: number
  readonly held: HeldCommit[]
}

interface HeldCommit {
  readonly candidate: Candidate
  /** Its nodes by index, without those that were trimmed. */
  readonly links: readonly (Link | undefined)[]
  readonly pack: PackBytes
  readonly stored: StoredCommit
}

export function openImport(journal: Journal): ImportBatch {
  return { journal, base: journal.nodes.pending.reserve(), held: [] }
}

/** Adds a candidate at the end, and returns it with its pending number. `body` says where it came from. */
export function addImported({ journal, base, held }: ImportBatch, candidate: Candidate, body: Stored): StoredCommit {
  const { id, record, changed } = candidate
  const seq = base + held.length
  const parents = candidate.parents.map(parent => parent.seq)
  const pack = packOf(candidate, parents, basesOf(journal, candidate.parents), seq)
  const links = candidate.links.map(link => (isTrimmedNode(link) ? undefined : link))
  journal.nodes.pending.hold(links, seq)
  const entry: EntryRecord = {
    kind: 'commit',
    time: 0,
    agent: record.agent,
    moves: [],
    commit: id,
    pack: pack.digest,
    changed,
    body,
  }
  const stored: StoredCommit = { seq, id, record, entry, parents, ...rootsAt(candidate, own => own || seq) }
  journal.unappended.set(seq, stored)
  held.push({ candidate, links, pack, stored })
  return stored
}

/** Appends the batch; undefined when states were trimmed meanwhile, and its commits have to be judged again. No ref moves. */
export function* appendImported(batch: ImportBatch): Work<readonly StoredCommit[] | undefined> {
  const { journal, held } = batch
  let time = journal.now()
  for (;;) {
    yield* begin(journal, held[0]!.stored.record.agent, time)
    const entries = held.map(one => newEntry(one, time))
    const needs = new Set(held.flatMap(({ stored }) => stored.parents.filter(seq => !isPending(seq))))
    const guards = [trimGuard(journal)]
    const appended = yield* appendSeen(journal, { time, entries, needs: [...needs], moves: guards })
    if (appended.kind === 'moved' && isTrimmedMeanwhile(appended)) {
      noteTrims(journal, appended.actual)
      return undefined
    }
    if (appended.kind === 'late') {
      time = yield* newestTime(journal, time, appended.time)
      continue
    }
    if (appended.kind !== 'done') throw new Error(`An append without moves and keys was answered with ${appended.kind}`)
    return landed(batch, appended.first, time)
  }
}

/** Ends a batch. What was not appended is as if it had never been built. */
export function closeImport({ journal, base, held }: ImportBatch): void {
  for (const [place, { links }] of held.entries()) {
    journal.nodes.pending.release(links, base + place)
    journal.unappended.delete(base + place)
  }
  held.length = 0
}

function newEntry({ candidate: { id, text }, pack, stored }: HeldCommit, time: number): NewEntry {
  const line = entryText({ ...stored.entry, time })
  return { text: line, leaf: leafOfEntry(line), commit: { id: hexOfId(id), text }, parts: pack.parts }
}

/** Gives the commits the numbers that they have now. */
function landed({ journal, base, held }: ImportBatch, first: number, time: number): readonly StoredCommit[] {
  const numbered = (seq: number): number => (isPending(seq) ? seq - base + first : seq)
  const commits = held.map(({ candidate, links, stored }): StoredCommit => {
    const { id, record, entry, parents } = stored
    const seq = numbered(stored.seq)
    journal.nodes.landPending(links, stored.seq, base, first)
    journal.unappended.delete(stored.seq)
    const roots = rootsAt(candidate, own => numbered(own) || seq)
    return { seq, id, record, entry: { ...entry, time }, parents: parents.map(numbered), ...roots }
  })
  held.length = 0
  for (const commit of commits) remember(journal, commit)
  return commits
}

type PackBytes = Pick<Pack, 'parts' | 'digest'>

function packOf(candidate: Candidate, parents: readonly number[], bases: Bases | undefined, own: number): PackBytes {
  return candidate.links.some(isTrimmedNode)
    ? writePartialPack(candidate, parents, candidate.links, own)
    : wholePack(candidate, parents, bases, own)
}

/** Later imported commits point into this pack by index, so its order must be the original one. */
function wholePack(candidate: Candidate, parents: readonly number[], bases: Bases | undefined, own: number): PackBytes {
  const pack = writePack(candidate, parents, bases, own)
  const isSame =
    pack.links.length === candidate.links.length && pack.links.every((link, i) => link === candidate.links[i])
  if (!isSame) throw new RangeError('its nodes are not in the order of a pack')
  return pack
}

/** The roots of a commit, with their entries' numbers as `numberOf` has them; 0 is the commit's own. */
function rootsAt({ tree, system, detail }: Candidate, numberOf: (seq: number) => number): Roots {
  const at = (root: Link): Link => {
    const seq = seqOfPointer(root.at)
    const number = numberOf(seq)
    return number === seq ? root : linkTo(root.id, pointerOf(number, indexOfPointer(root.at)))
  }
  return { tree: at(tree), system: at(system), detail: detail && at(detail) }
}
