/**
 * Exports a repository as lines of text: the refs, every commit with its nodes, and later facts about commits.
 *
 * Each line is produced when the store is read, so memory does not grow with the export. docs/export.md has the format.
 * The last line has a hash of all lines before it, so that a truncated or changed export is detected.
 */

import { canonicalText, checkOptions, type Stored } from '../core/index.ts'
import { accessRefs, assertExports, draftPrefix, type Handle, listRefs, proposalIn } from '../repo/index.ts'
import { ask, type JournalEntry, type RefCell, readEntries, readGenesis, type Work } from '../store/index.ts'
import { chained, exportVersion, factKinds } from './exchange/export-line.ts'
import { findLeaving, leavingColumns } from './exchange/foreign.ts'
import { type AnyRepository, type OnProgress, type ProgressOptions, progressOptions, readable } from './repository.ts'
import { scanHandle } from './scan-handle.ts'

/** Entries that are read at once, each with up to 64 KiB of its pack. */
const BATCH = 64

const exportRepositoryOptions = progressOptions('exportRepository')

/** Exports the repository as lines, each with its line break. */
export async function* exportRepository(
  repo: AnyRepository,
  options: ProgressOptions = {},
): AsyncGenerator<string, void, undefined> {
  checkOptions(exportRepositoryOptions, options)
  const given = readable(repo)
  await given.journal.run(assertExports(given))
  const handle = scanHandle(given)
  let chain = ''
  let count = 0
  for await (const line of contentOf(handle, options.onProgress)) {
    const text = canonicalText(line as Stored)
    chain = chained(chain, text)
    count++
    yield `${text}\n`
  }
  yield `${canonicalText({ end: { hash: chain, lines: count } })}\n`
}

async function* contentOf(
  handle: Handle,
  onProgress: OnProgress | undefined,
): AsyncGenerator<unknown, void, undefined> {
  const { journal } = handle
  // Refs are read before the newest entry, so no ref points to an entry that is not exported.
  const refs = await journal.run(commitRefs())
  const { seq: newest } = await journal.run(ask(log => log.head()))
  const genesis = await journal.run(readGenesis())
  yield {
    export: exportVersion,
    limits: genesis?.limits ?? journal.context.limits,
    origin: genesis?.origin ?? '',
    refs: refs.map(({ name, seq }) => [name, seq]),
  }
  for (let from = 1; from <= newest; from += BATCH) {
    const entries = await journal.run(readEntries(from, Math.min(from + BATCH - 1, newest), leavingColumns))
    for (const entry of entries) {
      const { seq, record } = entry
      // What was only proposed is no part of the history, and is decided where it was proposed.
      if (proposalIn(record) !== undefined) continue
      if (record.commit !== undefined) yield* commitLines(handle, entry)
      else if (factKinds.includes(record.kind)) yield factLine(seq, record)
    }
    onProgress?.({ done: Math.min(from + BATCH - 1, newest), total: newest })
  }
}

async function* commitLines({ journal }: Handle, entry: JournalEntry): AsyncGenerator<unknown, void, undefined> {
  const commit = await journal.run(findLeaving(journal, entry))
  if (commit === undefined) return
  const { seq, text, roots, changed, nodes, isDraft } = commit
  yield { changed, commit: text, nodes: nodes.length, roots, seq, ...(isDraft ? { draft: true } : {}) }
  for (const node of nodes) {
    yield 'leaf' in node ? { trimmed: node.leaf } : { node: node.text, provenance: node.provenance }
  }
}

function factLine(
  seq: number,
  { kind, agent, body }: { readonly kind: string; readonly agent: string; readonly body?: Stored | undefined },
): unknown {
  return { agent, fact: kind, seq, ...(body === undefined ? {} : { body }) }
}

/** The refs that point to commits. Speculations and the access state belong to their journal and are not exported. */
function* commitRefs(): Work<readonly RefCell[]> {
  const refs: RefCell[] = []
  for (const ref of yield* listRefs('')) {
    if (ref.name.startsWith(draftPrefix) || accessRefs.some(prefix => ref.name.startsWith(prefix))) continue
    const [entry] = yield* readEntries(ref.seq, ref.seq, ['text'])
    if (entry?.record.commit !== undefined) refs.push(ref)
  }
  return refs
}
