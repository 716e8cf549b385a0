/**
 * Exports a sealed epoch as the lines of a bundle, while they are read.
 *
 * Entries are read in batches, and each commit is followed by the nodes it needs that did not come before. The ids of these
 * are in a scratch, and nothing else is held. docs/bundle.md has the format; `evidence.ts` makes the proofs around the entries.
 */

import { appendAll, bytesOfId, checkOptions, optionsOf, runningHash, toBase64 } from '../../core/index.ts'
import {
  accessRef,
  assertEpochsKnown,
  assertExports,
  assertMay,
  currentAccess,
  type EpochSeal,
  findRef,
  getEpoch,
  type Handle,
  inclusionProofAt,
  isLanded,
  type OnProgress,
  repoError,
} from '../../repo/index.ts'
import type { Repository } from '../../repository/index.ts'
import { openScratch } from '../../repository/scratch.ts'
import type { Scratch } from '../../store/contract/scratch.ts'
import { type Journal, type JournalEntry, parseCommit, readEntries, readEntry, type Work } from '../../store/index.ts'
import { journalWithCache } from '../../store/journal/journal.ts'
import { readHeader } from '../../store/packs/read-pack.ts'
import { trustError } from '../errors.ts'
import { isDecision } from './authority/check-access.ts'
import { evidenceOf } from './evidence.ts'
import {
  type BundleRecord,
  bundleFormat,
  bundleVersion,
  type EntryLine,
  type HeaderRecord,
  lineOf,
  openKinds,
  type Profile,
  profiles,
} from './format.ts'
import {
  accessOpening,
  accessPatterns,
  findPatterns,
  type NeededNodes,
  neededNodes,
  openingOf,
  type Patterns,
} from './openings.ts'
import { type PackReader, packReader, textsBelow } from './pack-reader.ts'

/** Options of `export` of epochs. */
export interface ExportOptions {
  /** `full` has everything, `log` no states, `redacted` neither states nor the words of users. */
  profile?: Profile | undefined
  /** Opens only this part of the state: patterns in which `*` stands for one key. Only with the profile `full`. */
  paths?: readonly string[] | undefined
  /** The size of a head that the receiver kept from before the epoch: the bundle then proves that it extends that head. */
  since?: number | undefined
  onProgress?: OnProgress | undefined
}

const exportOptions = optionsOf<ExportOptions>('export', { profile: true, paths: true, since: true, onProgress: true })

const BATCH = 256
/** All of the epoch is read once, which evicts nothing that others read often. */
const CACHE_BYTES = 8 * 1024 * 1024

/** Yields a sealed epoch as lines, each with its line feed. */
export async function* exportEpoch(
  { handle }: Pick<Repository, 'handle'>,
  id: string,
  options: ExportOptions = {},
): AsyncGenerator<string, void, undefined> {
  checkOptions(exportOptions, options)
  if (handle.shared.isClosed) throw repoError('closed', { what: 'The repository' })
  await handle.journal.run(assertMayExport(handle, id, options.profile))
  const epoch = await handle.journal.run(getEpoch(id))
  if (epoch.seal === undefined) throw trustError('epoch-open', { epoch: id })
  const digest = runningHash()
  let lines = 0
  const scratch = await openScratch()
  try {
    for await (const records of recordsOf(handle, epoch.fromSeq, id, epoch.seal, options, scratch)) {
      for (const record of records) {
        const line = lineOf(record)
        digest.update(line)
        lines++
        yield line
      }
    }
  } finally {
    scratch.close()
  }
  yield lineOf({ type: 'end', lines, digest: toBase64(bytesOfId(digest.digest())) })
}

/**
 * Authorizes an export. Texts and details name all branches, whatever paths are opened, so the caller must be able to read
 * all of them. A redacted bundle holds no such text.
 */
function* assertMayExport(handle: Handle, id: string, profile: Profile | undefined): Work<void> {
  yield* assertEpochsKnown(handle, id)
  if (profile !== 'redacted') return yield* assertExports(handle)
  if (handle.identity !== undefined) yield* assertMay(handle, yield* currentAccess(handle), { capability: 'export' })
}

/** All records but the last, in batches: first those before the entries, then each entry with its nodes. */
async function* recordsOf(
  handle: Handle,
  from: number,
  epoch: string,
  seal: EpochSeal,
  { profile = 'full', paths, since, onProgress = () => {} }: ExportOptions,
  scratch: Scratch,
): AsyncGenerator<readonly BundleRecord[], void, undefined> {
  const journal = journalWithCache(handle.journal, CACHE_BYTES)
  const to = seal.seq
  const sorted = paths === undefined ? undefined : [...new Set(paths.map(rootAsEmpty))].sort()
  const patterns = checkedPatterns(profile, sorted)
  const { origin, records } = await evidenceOf(handle, from, seal, since)
  const header: HeaderRecord = {
    type: 'header',
    format: bundleFormat,
    version: bundleVersion,
    origin,
    epoch,
    from,
    to,
    profile,
  }
  yield [sorted === undefined ? header : { ...header, paths: sorted }, ...records]
  const walk: Walk = {
    profile,
    patterns,
    reader: packReader(journal.nodes),
    needed: neededNodes(scratch),
    neededOfAccess: neededNodes(scratch),
  }
  if (profile !== 'redacted') yield await journal.run(accessBefore(walk, journal, from))
  const total = to - from + 1
  for (let first = from; first <= to; first += BATCH) {
    onProgress({ done: first - from, total })
    const last = Math.min(first + BATCH - 1, to)
    const columns = profile === 'redacted' ? (['text'] as const) : (['text', 'commit', 'part'] as const)
    for (const entry of await journal.run(readEntries(first, last, columns))) {
      const nodes = profile === 'redacted' ? [] : await journal.run(nodesOf(walk, entry))
      yield [entryLine(entry, profile), ...nodes.map(nodeRecord)]
    }
  }
  onProgress({ done: total, total })
}

/** In the header `/` is the key of no characters, as in JSON Pointers. */
function rootAsEmpty(path: string): string {
  return path === '/' ? '' : path
}

interface Walk {
  readonly profile: Profile
  readonly patterns: Patterns | undefined
  readonly reader: PackReader
  readonly needed: NeededNodes
  /** Access states are needed apart from all other trees. */
  readonly neededOfAccess: NeededNodes
}

/** The access state that was in force when the epoch began, as a record and its nodes; empty when there was none. */
function* accessBefore(walk: Walk, journal: Journal, from: number): Work<readonly BundleRecord[]> {
  const seq = yield* findAccessBefore(from)
  if (seq === null) return []
  const [entry] = yield* readEntries(seq, seq, ['text', 'commit', 'part'])
  const { text, commit } = entry!.row
  const proof = (yield* inclusionProofAt(journal, seq - 1, from - 1)).map(toBase64)
  const record: BundleRecord = { type: 'access', seq, entry: text, commit: commit!.text, proof }
  return [record, ...(yield* accessNodes(walk, entry!)).map(nodeRecord)]
}

/** The newest decision about access before an entry. Each decision names the one before it. */
function* findAccessBefore(from: number): Work<number | null> {
  let seq = yield* findRef(accessRef)
  while (seq !== null && seq >= from) {
    const { record }: JournalEntry = yield* readEntry(seq)
    seq = record.moves.find(([name]) => name === accessRef)![1]
  }
  return seq
}

function nodeRecord(node: string): BundleRecord {
  return { node, type: 'node' }
}

function checkedPatterns(profile: Profile, paths: readonly string[] | undefined): Patterns | undefined {
  const refuse = (reason: string): Error => trustError('export-invalid', { reason })
  if (!profiles.includes(profile)) throw refuse(`${String(profile)} is none of the profiles ${profiles.join(', ')}`)
  if (paths === undefined) return undefined
  if (profile !== 'full') throw refuse(`the profile ${profile} holds no states that paths could open`)
  const patterns = findPatterns(paths)
  if (patterns === undefined) throw refuse(`[${paths.join(', ')}] is no list of paths, in which * may stand for a key`)
  return patterns
}

/** The fields are in canonical order, so that writing them does not sort. */
function entryLine({ seq, record, row }: JournalEntry, profile: Profile): EntryLine {
  const { text: entry, leaf, commit, part } = row
  if (profile === 'redacted') {
    return openKinds.has(record.kind) ? { entry, type: 'entry' } : { leaf: toBase64(bytesOfId(leaf)), type: 'entry' }
  }
  if (commit === undefined) return { entry, type: 'entry' }
  if (profile === 'full' && part === undefined) {
    // An epoch that began before it was opened may reach back to states that were dropped by then.
    if (isLanded(record))
      throw trustError('export-invalid', {
        reason: `the state of entry ${seq} was dropped before; the profile log needs no states`,
      })
    return { commit: commit.text, dropped: 1, entry, type: 'entry' }
  }
  return { commit: commit.text, entry, type: 'entry' }
}

/** The nodes of an access state that did not come before. */
function* accessNodes({ profile, patterns, reader, neededOfAccess }: Walk, { seq, row }: JournalEntry): Work<string[]> {
  const { tree } = parseCommit(row.commit!.text)
  const at = readHeader(row.part!, seq).tree
  reader.offer(seq, row.part!)
  const opening = accessOpening(profile, patterns)
  return yield* textsBelow(reader, neededOfAccess, accessPatterns, { id: tree, at }, opening)
}

/** The nodes that an entry brings. */
function* nodesOf(walk: Walk, entry: JournalEntry): Work<readonly string[]> {
  const { profile, patterns, reader, needed } = walk
  const { seq, row, record } = entry
  const { part } = row
  if (record.commit === undefined || part === undefined) return []
  const texts = isDecision(record) ? yield* accessNodes(walk, entry) : []
  if (profile !== 'full') return texts
  const { tree, system, detail } = parseCommit(row.commit!.text)
  const header = readHeader(part, seq)
  reader.offer(seq, part)
  if (!isDecision(record))
    appendAll(texts, yield* textsBelow(reader, needed, patterns, { id: tree, at: header.tree }, openingOf(patterns)))
  appendAll(texts, yield* textsBelow(reader, needed, patterns, { id: system, at: header.system }, 'all'))
  if (detail !== undefined && header.detail !== undefined)
    appendAll(texts, yield* textsBelow(reader, needed, patterns, { id: detail, at: header.detail }, 'all'))
  return texts
}
