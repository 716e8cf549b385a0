/**
 * Exports a sealed epoch as the lines of a bundle, while they are read.
 *
 * Entries are read in batches, and each commit is followed by the nodes it needs that did not come before. Nothing is held
 * but the ids of nodes. docs/bundle.md has the format; `evidence.ts` makes the proofs around the entries.
 */

import { appendAll, bytesOfId, checkOptions, optionsOf, runningHash, toBase64 } from '../../core/index.ts'
import {
  assertEpochsKnown,
  assertExports,
  assertMay,
  currentAccess,
  type EpochSeal,
  getEpoch,
  type Handle,
  type OnProgress,
  repoError,
} from '../../repo/index.ts'
import type { Repository } from '../../repository/index.ts'
import { type JournalEntry, parseCommit, readEntries, type Work } from '../../store/index.ts'
import { readHeader } from '../../store/packs/read-pack.ts'
import { trustError } from '../errors.ts'
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
import { findPatterns, type NeededNodes, neededNodes, openingOf, type Patterns } from './openings.ts'
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
  for await (const records of recordsOf(handle, epoch.fromSeq, id, epoch.seal, options)) {
    for (const record of records) {
      const line = lineOf(record)
      digest.update(line)
      lines++
      yield line
    }
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
): AsyncGenerator<readonly BundleRecord[], void, undefined> {
  const { journal } = handle
  const to = seal.seq
  const sorted = paths === undefined ? undefined : [...new Set(paths)].sort()
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
  const walk: Walk = { profile, patterns, reader: packReader(), needed: neededNodes() }
  const total = to - from + 1
  for (let first = from; first <= to; first += BATCH) {
    onProgress({ done: first - from, total })
    const last = Math.min(first + BATCH - 1, to)
    const columns = profile === 'full' ? (['text', 'commit', 'part'] as const) : (['text', 'commit'] as const)
    for (const entry of await journal.run(readEntries(first, last, columns))) {
      const line = entryLine(entry, profile)
      const hasNodes = profile === 'full' && entry.row.part !== undefined && entry.record.commit !== undefined
      const nodes = hasNodes ? await journal.run(nodesOf(walk, entry, entry.row.part!)) : []
      yield [line, ...nodes.map(node => ({ node, type: 'node' as const }))]
    }
  }
  onProgress({ done: total, total })
}

interface Walk {
  readonly profile: Profile
  readonly patterns: Patterns | undefined
  readonly reader: PackReader
  readonly needed: NeededNodes
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
function entryLine({ record, row }: JournalEntry, profile: Profile): EntryLine {
  const { text: entry, leaf, commit, part } = row
  if (profile === 'redacted') {
    return openKinds.has(record.kind) ? { entry, type: 'entry' } : { leaf: toBase64(bytesOfId(leaf)), type: 'entry' }
  }
  if (commit === undefined) return { entry, type: 'entry' }
  if (profile === 'full' && part === undefined) return { commit: commit.text, dropped: 1, entry, type: 'entry' }
  return { commit: commit.text, entry, type: 'entry' }
}

function* nodesOf(
  { patterns, reader, needed }: Walk,
  { seq, row }: JournalEntry,
  part: Uint8Array,
): Work<readonly string[]> {
  const { tree, system, detail } = parseCommit(row.commit!.text)
  const header = readHeader(part, seq)
  reader.offer(seq, part)
  const texts = yield* textsBelow(reader, needed, patterns, { id: tree, at: header.tree }, openingOf(patterns))
  appendAll(texts, yield* textsBelow(reader, needed, patterns, { id: system, at: header.system }, 'all'))
  if (detail !== undefined && header.detail !== undefined)
    appendAll(texts, yield* textsBelow(reader, needed, patterns, { id: detail, at: header.detail }, 'all'))
  return texts
}
