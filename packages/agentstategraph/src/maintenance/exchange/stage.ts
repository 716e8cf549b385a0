/**
 * Imports the lines of an export into a temporary repository, and verifies each of them.
 *
 * An error names its line. Commits that are imported without an error are as valid as those of a pull. The target of the
 * import is not changed. Of each commit only its sequence numbers are kept in memory.
 */

import { canonicalText, coreError, hexOfId, isStateError, type Stored } from '../../core/index.ts'
import { type Handle, newAccessCache, repoError } from '../../repo/index.ts'
import { stagingBackend } from '../../repository/staging-backend.ts'
import {
  appendEntries,
  assertStateStored,
  commitId,
  type ForeignCommit,
  type ForeignNode,
  openJournal,
  scratchBudget,
  type TrimmedNode,
} from '../../store/index.ts'
import { isMisfit } from '../checks/damage.ts'
import type { OnProgress } from '../repository.ts'
import { SeqNumbers } from '../seq-numbers.ts'
import { type Batches, batches } from './batches.ts'
import { type CommitLine, chained, type ExportLine, exportVersion, readLine } from './export-line.ts'
import { stagedFact } from './facts.ts'
import { knownCommits } from './known-commits.ts'

export interface StagedExport {
  readonly handle: Handle
  /** The refs, with the staged entries that they point to. */
  readonly refs: readonly (readonly [name: string, seq: number])[]
  readonly hasFacts: boolean
  /** Deletes the temporary repository. */
  end(): Promise<void>
}

/** What the target of the import checks while an export is staged. */
export interface Admitting {
  /** Throws when the import may not move these refs. */
  refs(names: readonly string[]): Promise<void>
  /** Throws when the import may not add facts. */
  facts(): Promise<void>
}

/** A commit whose nodes have not all been read yet. */
interface Open {
  readonly line: number
  readonly head: CommitLine
  readonly nodes: (ForeignNode | TrimmedNode)[]
}

interface Staging {
  readonly handle: Handle
  readonly batches: Batches
  readonly admitting: Admitting
  readonly onProgress: OnProgress | undefined
  readonly limits: string
  /** By sequence numbers of the export, those of the temporary repository. */
  readonly numbers: SeqNumbers
  header: Extract<ExportLine, { kind: 'header' }> | undefined
  hasFacts: boolean
  open: Open | undefined
  /** The commits that wait to be received, with their lines, in their order. */
  waiting: { readonly text: string; readonly line: number }[]
  chain: string
  count: number
  isWhole: boolean
}

/** The size of the node cache of the temporary repository. */
const CACHE_BYTES = 8 * 1024 * 1024

export async function stage(
  target: Handle,
  lines: AsyncIterable<string> | Iterable<string>,
  admitting: Admitting,
  onProgress: OnProgress | undefined,
): Promise<StagedExport> {
  // Some streams emit their lines at once: those before the first read would be lost.
  const given = opened(lines)
  const staging = await beginStaging(target, admitting, onProgress)
  const end = (): Promise<void> => staging.handle.shared.backend.close()
  let line = 0
  try {
    for await (const raw of given) {
      line++
      if (typeof raw !== 'string') throw new RangeError('it is not text')
      const text = raw.replace(/\r?\n$/, '')
      const taken = text === '' ? undefined : takeLine(staging, text, line)
      if (taken !== undefined) await taken
    }
    line++
    if (!staging.isWhole) throw new RangeError('the export ends before its last line')
    await flush(staging)
    const refs = refsOf(staging)
    await assertStates(staging, refs)
    return { handle: staging.handle, refs, hasFacts: staging.hasFacts, end }
  } catch (error) {
    // What is wrong with a commit that waits comes before what is wrong with a later line.
    const first = isMisfit(error)
      ? await flush(staging).then(
          () => error,
          earlier => earlier,
        )
      : error
    await end()
    throw refusalOf(first, staging.open?.line ?? line)
  }
}

function opened(lines: AsyncIterable<string> | Iterable<string>): AsyncIterable<string> | Iterable<string> {
  if (lines === null || typeof lines !== 'object') {
    throw coreError('option-invalid', { field: 'lines', reason: 'it is no sequence of lines' })
  }
  if (!(Symbol.asyncIterator in lines)) return lines
  const iterator = lines[Symbol.asyncIterator]()
  return { [Symbol.asyncIterator]: () => iterator }
}

async function beginStaging(
  { journal: target, shared: around, who, branch, identity }: Handle,
  admitting: Admitting,
  onProgress: OnProgress | undefined,
): Promise<Staging> {
  const { limits } = target.context
  const backend = await stagingBackend(around.backend)
  const clock = (): Date => new Date(target.now())
  const { ids, budget } = target
  const own = await openJournal(backend, { treeLimits: limits, ids, clock, cacheBytes: CACHE_BYTES })
  const journal = budget === undefined ? own : own.under(scratchBudget(budget))
  const shared = {
    ...around,
    backend,
    journal,
    checks: [],
    access: newAccessCache(),
    heads: new Map(),
    queues: new Map(),
  }
  const handle = { shared, journal, branch, who, identity }
  const numbers = new SeqNumbers()
  return {
    handle,
    batches: batches({ handle, known: knownCommits() }, numbers, seq => numberOf({ numbers }, seq)),
    admitting,
    onProgress,
    limits: canonicalText(limits as unknown as Stored),
    numbers,
    header: undefined,
    hasFacts: false,
    open: undefined,
    waiting: [],
    chain: '',
    count: 0,
    isWhole: false,
  }
}

/** The error for a line. An error that is not about the input is returned unchanged. */
function refusalOf(error: unknown, line: number): unknown {
  return isMisfit(error) ? repoError('import-refused', { line, reason: error.message }, { cause: error }) : error
}

/** Takes a line; returns a promise for one that completes a commit or has to be admitted. */
function takeLine(staging: Staging, text: string, line: number): Promise<void> | undefined {
  if (staging.isWhole) throw new RangeError('it comes after the last line')
  const found = readLine(text)
  if (found.kind === 'end') {
    endOf(staging, found)
    return undefined
  }
  staging.chain = chained(staging.chain, text)
  staging.count++
  if ((staging.header === undefined) !== (found.kind === 'header')) throw new RangeError('it is not where it belongs')
  if ((staging.open !== undefined) !== (found.kind === 'node'))
    throw new RangeError('the nodes of a commit are not whole')
  if (found.kind === 'header' || found.kind === 'fact') return takeAdmitted(staging, found)
  if (found.kind === 'commit') staging.open = { line, head: found, nodes: [] }
  else staging.open!.nodes.push(found)
  const { head, nodes } = staging.open!
  return nodes.length < head.nodes ? undefined : closeCommit(staging)
}

async function takeAdmitted(staging: Staging, found: Extract<ExportLine, { kind: 'header' | 'fact' }>): Promise<void> {
  const { journal } = staging.handle
  switch (found.kind) {
    case 'header':
      if (found.version !== exportVersion)
        throw new RangeError(`its format is ${found.version}; only ${exportVersion} is known here`)
      if (canonicalText(found.limits) !== staging.limits)
        throw new RangeError('its trees are cut by other limits than those here')
      await staging.admitting.refs(found.refs.map(([name]) => name))
      staging.header = found
      break
    case 'fact':
      if (!staging.hasFacts) await staging.admitting.facts()
      staging.hasFacts = true
      await journal.run(appendEntries(journal, [stagedFact(found.fact, staging.header!.origin)]))
  }
}

/** Adds a commit of which all nodes have been read. */
function closeCommit(staging: Staging): Promise<void> | undefined {
  const { header, waiting } = staging
  const { line, head, nodes } = staging.open!
  const { text, roots, changed, seq, isDraft } = head
  const commit: ForeignCommit = { text, roots, changed, nodes }
  const via = { origin: header!.origin, seq, ...(isDraft ? { draft: true as const } : {}) }
  staging.open = undefined
  waiting.push({ text, line })
  return staging.batches.add({ seq, commit, via, isChecked: false }) ? flush(staging) : undefined
}

/** Receives the commits that wait. The error for one of them names its line. */
async function flush(staging: Staging): Promise<void> {
  const { batches, numbers, waiting, onProgress } = staging
  staging.waiting = []
  try {
    await batches.flush()
  } catch (error) {
    if (!isStateError(error, 'commit-refused')) throw error
    const { id, reason } = error.data as { readonly id: string; readonly reason: string }
    const { line } = waiting.find(({ text }) => hexOfId(commitId(text)) === id)!
    throw repoError('import-refused', { line, reason }, { cause: error })
  }
  if (waiting.length > 0) onProgress?.({ done: 0, total: numbers.count })
}

function endOf(staging: Staging, { hash, lines }: { readonly hash: string; readonly lines: number }): void {
  if (staging.open !== undefined) throw new RangeError('the nodes of a commit are not whole')
  if (staging.header === undefined) throw new RangeError('the first line is missing')
  if (lines !== staging.count) throw new RangeError(`it counts ${lines} lines, and there are ${staging.count}`)
  if (hash !== staging.chain) throw new RangeError('the lines before it are not those that were exported')
  staging.isWhole = true
}

function refsOf(staging: Staging): StagedExport['refs'] {
  return staging.header!.refs.map(([name, seq]) => [name, numberOf(staging, seq)] as const)
}

/** What a ref leads to has its state, whatever else retention dropped. */
async function assertStates({ handle: { journal } }: Staging, refs: StagedExport['refs']): Promise<void> {
  for (const [name, seq] of refs) {
    try {
      await journal.run(assertStateStored(journal, seq))
    } catch (error) {
      if (!isStateError(error, 'state-trimmed')) throw error
      throw new RangeError(`${name} leads to a state that was dropped`, { cause: error })
    }
  }
}

function numberOf({ numbers }: Pick<Staging, 'numbers'>, seq: number): number {
  const number = numbers.get(seq)
  if (number === undefined) throw new RangeError(`it names entry ${seq}, which did not come before it`)
  return number
}
