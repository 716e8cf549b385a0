/**
 * Chains: commits on one ref that are added in one append, each built on the one before it.
 *
 * A commit of a chain has a pending number until the chain is appended (`packs/pending-nodes.ts`): it can be read and built on
 * in this process, and nothing outside the chain sees it. The append adds all or none. In packs, commits of a chain name each
 * other by distance; in the texts of their entries by number, so those are made by the backend's call, when the numbers
 * are known. Other writers of the namespace therefore cost a chain nothing but what they cost every append.
 */

import type { Append, Move, NewEntry } from '../contract/backend.ts'
import type { Work } from '../contract/work.ts'
import { pausedPack } from '../packs/paused-pack.ts'
import { isPending, maxChained } from '../packs/pending-nodes.ts'
import type { Pack } from '../packs/write-pack.ts'
import {
  appendWithRoom,
  assertNewNames,
  type BuiltCommit,
  basesOf,
  begin,
  buildCommit,
  type CommitOutcome,
  keysAt,
  listedPaths,
  type NewCommit,
  newEntry,
  newestTime,
  type Recorded,
  storedCommit,
} from './append.ts'
import { remember, type StoredCommit } from './commit.ts'
import { type EntryMove, entryText, keysOfEntry } from './entry.ts'
import type { Journal } from './journal.ts'
import { isTrimmedMeanwhile, noteTrims, trimGuard } from './trims.ts'

/** How many bytes of packs one append holds before no other commit joins it. */
const MAX_BYTES = 2 ** 20

export interface Chain {
  readonly journal: Journal
  readonly ref: string
  /** The pending number of its first commit. */
  readonly base: number
  readonly links: ChainLink[]
  readonly keys: Set<string>
  time: number
  bytes: number
}

/** One commit of a chain. */
interface ChainLink {
  readonly commit: NewCommit
  readonly pack: Pack
  readonly salt: string
  readonly changed: readonly string[]
  readonly stored: Writable<StoredCommit>
  built: BuiltCommit
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Opens a chain on a ref for a first commit, which must be one that can be chained. */
export function* openChain(journal: Journal, ref: string, { info }: NewCommit): Work<Chain> {
  const time = journal.now()
  yield* begin(journal, info.agent, time)
  return { journal, ref, base: journal.nodes.pending.reserve(), links: [], keys: new Set(), time, bytes: 0 }
}

/** Whether a commit moves the ref to itself, moves nothing else, and has no limit of its own. */
export function canChain(ref: string, { moves: [move, ...others], checkSize }: NewCommit): boolean {
  if (checkSize !== undefined) return false
  return move?.name === ref && typeof move.to === 'object' && others.every(({ expect, to }) => expect === to)
}

/** Whether a commit lies in a chain that is not appended yet. */
export function isUnappended({ seq }: StoredCommit): boolean {
  return isPending(seq)
}

export function isChainFull({ links, bytes }: Chain): boolean {
  return links.length >= maxChained || bytes >= MAX_BYTES
}

/**
 * Adds a commit at the end; undefined when it has a key of another one, which has to be landed before it is judged. Throws when what
 * it is written under has ended by the time of the chain.
 */
export function* addToChain(chain: Chain, commit: NewCommit): Work<StoredCommit | undefined> {
  const { journal, links } = chain
  const { nodes } = journal
  const keys = keysOfEntry(commit)
  if (keys.some(key => chain.keys.has(key))) return undefined
  assertNewNames(commit.moves)
  commit.checkTime?.(chain.time)
  const seq = chain.base + links.length
  const parents = commit.parents.map(parent => parent.seq)
  const roots = { tree: commit.tree, system: commit.system, detail: commit.detail }
  const changed = yield* listedPaths(nodes, commit.changed)
  const pack = yield* pausedPack(nodes, roots, parents, basesOf(journal, commit.parents), seq)
  const salt = journal.ids()
  const built = buildCommit(commit, changed, pack, chain.time, salt)
  // Its text is made when it has its number; here, one that is too long must be refused alone.
  entryText(built.entry)
  const stored = storedCommit(commit, built, seq)
  nodes.pending.hold(pack.links, seq)
  links.push({ commit, pack, salt, changed, stored, built })
  for (const key of keys) chain.keys.add(key)
  for (const { bytes } of pack.parts) chain.bytes += bytes.length
  return stored
}

/** Appends a chain. Unless the outcome is `done`, its commits are as if they had never been built. */
export function* appendChain(chain: Chain): Work<CommitOutcome> {
  const { journal, base, links } = chain
  let appended: Recorded
  try {
    appended = yield* appendInTime(chain)
  } catch (error) {
    giveUp(chain)
    throw error
  }
  if (appended.kind !== 'done') {
    giveUp(chain)
    if (appended.kind === 'moved' && isTrimmedMeanwhile(appended)) noteTrims(journal, appended.actual)
    return appended
  }
  const { first } = appended
  for (const [place, { pack, stored }] of links.entries()) {
    journal.nodes.landPending(pack.links, base + place, base, first)
    stored.seq = first + place
    stored.parents = stored.parents.map(seq => (isPending(seq) ? seq - base + first : seq))
    stored.entry = numbered(chain, place, first)
    remember(journal, stored)
  }
  return { kind: 'done', commit: links[0]!.stored }
}

function* appendInTime(chain: Chain): Work<Recorded> {
  for (;;) {
    const appended = yield* appendWithRoom(chain.journal, batchOf(chain))
    if (appended.kind !== 'late') return appended
    chain.time = yield* newestTime(chain.journal, chain.time, appended.time)
    rebuild(chain)
  }
}

/** Makes the texts of the commits with the chain's time, which may be too late for one of them. */
function rebuild({ links, time }: Chain): void {
  for (const link of links) {
    link.commit.checkTime?.(time)
    link.built = buildCommit(link.commit, link.changed, link.pack, time, link.salt)
    const { id, record } = link.built
    link.stored.id = id
    link.stored.record = record
  }
}

function giveUp({ journal, base, links }: Chain): void {
  for (const [place, { pack }] of links.entries()) journal.nodes.pending.release(pack.links, base + place)
}

function batchOf(chain: Chain): Omit<Append, 'seen'> {
  const { journal, links, time } = chain
  let made: { readonly first: number; readonly entries: readonly NewEntry[] } | undefined
  const entries = (first: number): readonly NewEntry[] => {
    if (made?.first !== first) {
      const at = ({ built, pack }: ChainLink, place: number): NewEntry =>
        newEntry({ ...built, entry: numbered(chain, place, first) }, pack)
      made = { first, entries: links.map(at) }
    }
    return made.entries
  }
  const needs = links.flatMap(({ commit }) => [...commit.parents.map(({ seq }) => seq), ...(commit.needs ?? [])])
  return {
    time,
    entries,
    moves: movesOf(chain, journal),
    keys: links.flatMap(({ built }, place) => keysAt(built.entry, place)),
    needs: [...new Set(needs)].filter(seq => !isPending(seq)),
  }
}

/** The ref moves from where the first commit found it to the last; guards that are equal are asked once. */
function movesOf({ links }: Chain, journal: Journal): readonly Move[] {
  const [move] = links[0]!.commit.moves
  const guards = new Map<string, Move>()
  const guard = (one: Move): unknown => guards.set(`${one.expect} ${one.name}`, one)
  for (const { commit } of links) {
    for (const one of commit.moves.slice(1)) guard(one)
    if (commit.isPlain !== true) guard(trimGuard(journal))
  }
  return [{ ...move!, to: { entry: links.length - 1 } }, ...guards.values()]
}

/** What the entry of a commit says, once the number of the chain's first is known. */
function numbered({ links, ref, base }: Chain, place: number, first: number): BuiltCommit['entry'] {
  const { entry } = links[place]!.built
  const moves = entry.moves.map((move): EntryMove => {
    const [name, from, to] = move
    return name === ref && from !== null && isPending(from) ? [name, from - base + first, to] : move
  })
  return { ...entry, moves }
}
