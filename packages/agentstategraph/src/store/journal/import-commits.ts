/** Appends commits of other journals, which `candidate.ts` has rebuilt. */

import { hexOfId, type Stored } from '../../core/index.ts'
import { indexOfPointer, type Link, pointerOf, seqOfPointer } from '../../tree/index.ts'
import type { NewEntry } from '../contract/backend.ts'
import type { Work } from '../contract/work.ts'
import type { Bases } from '../packs/deltas.ts'
import { type Pack, type Roots, writePack } from '../packs/write-pack.ts'
import { writePartialPack } from '../packs/write-partial-pack.ts'
import { appendSeen, basesOf, begin, newestTime } from './append.ts'
import { type Candidate, isTrimmedNode } from './candidate.ts'
import { remember, type StoredCommit } from './commit.ts'
import { linkTo } from './commits.ts'
import { type EntryRecord, entryText, leafOfEntry } from './entry.ts'
import type { Journal } from './journal.ts'
import { assertLinksStored, isTrimmedMeanwhile, noteTrims, trimGuard } from './trims.ts'

/** Appends a candidate to the journal. `body` says where it came from. No ref moves. */
export function* importCommits(journal: Journal, candidate: Candidate, body: Stored): Work<StoredCommit> {
  const { id, text, record } = candidate
  const parents = candidate.parents.map(parent => parent.seq)
  const own = candidate.links.filter((link): link is Link => !isTrimmedNode(link))
  const isWhole = own.length === candidate.links.length
  const packed = (bases: Bases | undefined): PackBytes =>
    isWhole ? wholePack(candidate, parents, bases) : writePartialPack(candidate, parents, candidate.links)
  let pack = packed(basesOf(journal, candidate.parents))
  let time = journal.now()
  for (;;) {
    yield* begin(journal, record.agent, time)
    const entry: EntryRecord = {
      kind: 'commit',
      time,
      agent: record.agent,
      moves: [],
      commit: id,
      pack: pack.digest,
      changed: candidate.changed,
      body,
    }
    const line = entryText(entry)
    const added: NewEntry = {
      text: line,
      leaf: leafOfEntry(line),
      commit: { id: hexOfId(id), text },
      parts: pack.parts,
    }
    const guards = [trimGuard(journal)]
    const appended = yield* appendSeen(journal, { time, entries: [added], needs: parents, moves: guards })
    if (appended.kind === 'moved' && isTrimmedMeanwhile(appended)) {
      noteTrims(journal, appended.actual)
      yield* assertLinksStored(journal, isWhole ? [candidate.tree, candidate.system] : [], own)
      pack = packed(undefined)
      continue
    }
    if (appended.kind === 'late') {
      time = yield* newestTime(journal, time, appended.time)
      continue
    }
    if (appended.kind !== 'done') throw new Error(`An append without moves and keys was answered with ${appended.kind}`)
    if (isWhole) journal.nodes.land(own, appended.first)
    const { tree, system, detail } = rootsAt(candidate, appended.first)
    const commit: StoredCommit = { seq: appended.first, id, record, entry, parents, tree, system, detail }
    remember(journal, commit)
    return commit
  }
}

type PackBytes = Pick<Pack, 'parts' | 'digest'>

/** Later imported commits point into this pack by index, so its order must be the original one. */
function wholePack(candidate: Candidate, parents: readonly number[], bases: Bases | undefined): PackBytes {
  const pack = writePack(candidate, parents, bases)
  const isSame =
    pack.links.length === candidate.links.length && pack.links.every((link, i) => link === candidate.links[i])
  if (!isSame) throw new RangeError('its nodes are not in the order of a pack')
  return pack
}

/** The roots of a commit that has its number now. */
function rootsAt({ tree, system, detail }: Candidate, seq: number): Roots {
  const at = (root: Link): Link =>
    seqOfPointer(root.at) === 0 ? linkTo(root.id, pointerOf(seq, indexOfPointer(root.at))) : root
  return { tree: at(tree), system: at(system), detail: detail && at(detail) }
}
