/**
 * Imports the lines of an export into a repository in memory, and verifies each of them.
 *
 * An error names its line. Commits that are imported without an error are as valid as those of a pull. The target of the
 * import is not changed.
 */

import { canonicalText, isStateError, type Stored } from '../../core/index.ts'
import { type Handle, newAccessCache, repoError } from '../../repo/index.ts'
import { type ForeignCommit, type ForeignNode, memoryBackend, openJournal } from '../../store/index.ts'
import { isMisfit } from '../checks/damage.ts'
import { type CommitLine, chained, type ExportLine, exportVersion, readLine } from './export-line.ts'
import type { Fact } from './facts.ts'
import { receive } from './receive.ts'

export interface StagedExport {
  readonly handle: Handle
  readonly origin: string
  /** The entries of all commits, in memory. */
  readonly commits: readonly number[]
  readonly refs: readonly (readonly [name: string, seq: number])[]
  readonly facts: readonly Fact[]
}

/** A commit whose nodes have not all been read yet. */
interface Open {
  readonly line: number
  readonly head: CommitLine
  readonly nodes: ForeignNode[]
}

interface Staging {
  readonly handle: Handle
  readonly limits: string
  /** By sequence numbers of the export, those of the repository in memory. */
  readonly numbers: Map<number, number>
  readonly facts: Fact[]
  origin: string | undefined
  open: Open | undefined
  refs: readonly (readonly [string, number])[] | undefined
  chain: string
  count: number
  isWhole: boolean
}

export async function stage(target: Handle, lines: AsyncIterable<string> | Iterable<string>): Promise<StagedExport> {
  const staging = await beginStaging(target)
  let line = 0
  try {
    for await (const raw of lines) {
      line++
      const text = raw.replace(/\r?\n$/, '')
      if (text !== '') await takeLine(staging, text, line)
    }
    line++
    if (!staging.isWhole) throw new RangeError('the export ends before its last line')
  } catch (error) {
    await staging.handle.shared.backend.close()
    throw refusalOf(error, staging.open?.line ?? line)
  }
  const { handle, origin = '', numbers, refs = [], facts } = staging
  return { handle, origin, commits: [...numbers.values()], refs, facts }
}

async function beginStaging({ journal: target, shared: around, who, branch }: Handle): Promise<Staging> {
  const { limits } = target.context
  const backend = memoryBackend()
  const clock = (): Date => new Date(target.now())
  const journal = await openJournal(backend, { treeLimits: limits, ids: target.ids, clock })
  const shared = { ...around, backend, journal, checks: [], access: newAccessCache(), heads: new Map() }
  return {
    handle: { shared, journal, branch, who },
    limits: canonicalText(limits as unknown as Stored),
    numbers: new Map(),
    facts: [],
    origin: undefined,
    open: undefined,
    refs: undefined,
    chain: '',
    count: 0,
    isWhole: false,
  }
}

/** The error for a line. An error that is not about the input is returned unchanged. */
function refusalOf(error: unknown, line: number): unknown {
  if (isStateError(error, 'commit-refused')) {
    const { reason } = error.data as { readonly reason: string }
    return repoError('import-refused', { line, reason }, { cause: error })
  }
  return isMisfit(error) ? repoError('import-refused', { line, reason: error.message }, { cause: error }) : error
}

async function takeLine(staging: Staging, text: string, line: number): Promise<void> {
  if (staging.isWhole) throw new RangeError('it comes after the last line')
  const found = readLine(text)
  if (found.kind === 'end') {
    endOf(staging, found)
    return
  }
  staging.chain = chained(staging.chain, text)
  staging.count++
  if ((staging.origin === undefined) !== (found.kind === 'header')) throw new RangeError('it is not where it belongs')
  if ((staging.open !== undefined) !== (found.kind === 'node'))
    throw new RangeError('the nodes of a commit are not whole')
  await takeFound(staging, found, line)
}

async function takeFound(staging: Staging, found: Exclude<ExportLine, { kind: 'end' }>, line: number): Promise<void> {
  switch (found.kind) {
    case 'header':
      if (found.version > exportVersion)
        throw new RangeError(`its format is ${found.version}, newer than is known here`)
      if (canonicalText(found.limits) !== staging.limits)
        throw new RangeError('its trees are cut by other limits than those here')
      staging.origin = found.origin
      break
    case 'commit':
      staging.open = { line, head: found, nodes: [] }
      await closeCommit(staging)
      break
    case 'node':
      staging.open!.nodes.push(found)
      await closeCommit(staging)
      break
    case 'fact':
      staging.facts.push({ ...found.fact })
      break
    case 'refs':
      staging.refs = found.refs.map(([name, seq]) => [name, numberOf(staging, seq)] as const)
  }
}

/** Adds a commit when the last of its nodes has been read. */
async function closeCommit(staging: Staging): Promise<void> {
  const { head, nodes } = staging.open!
  if (nodes.length < head.nodes) return
  const { text, roots, changed, seq, isDraft } = head
  const commit: ForeignCommit = { text, roots, changed, nodes }
  const via = { origin: staging.origin!, seq, ...(isDraft ? { draft: true as const } : {}) }
  const taken = await receive(staging.handle, commit, named => numberOf(staging, named), via)
  staging.numbers.set(seq, taken.seq)
  staging.open = undefined
}

function endOf(staging: Staging, { hash, lines }: { readonly hash: string; readonly lines: number }): void {
  if (staging.open !== undefined) throw new RangeError('the nodes of a commit are not whole')
  if (staging.refs === undefined) throw new RangeError('the line with the refs is missing')
  if (lines !== staging.count) throw new RangeError(`it counts ${lines} lines, and there are ${staging.count}`)
  if (hash !== staging.chain) throw new RangeError('the lines before it are not those that were exported')
  staging.isWhole = true
}

function numberOf({ numbers }: Staging, seq: number): number {
  const number = numbers.get(seq)
  if (number === undefined) throw new RangeError(`it names entry ${seq}, which did not come before it`)
  return number
}
