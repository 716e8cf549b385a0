/**
 * A repository the simplest way: a list of commits, each with a full copy of the state and a writer for every part of it.
 *
 * What an operation would do is an `Outcome`, computed before anything is asked of the real repository. Commits are
 * numbered by their place in the list, and writers are such numbers. Knows no nodes, no journal, no ids but those it is told.
 */
import type { Policies } from '../../../../src/repository/index.ts'
import type { Edit } from '../../../../src/tree/index.ts'
import { isEqual, type Known, knownOf, newlyKnown, plainOfKnown, settledKnown } from '../../../tree/support/known.ts'
import { editedPlainBatch, PlainRefusal } from '../../../tree/support/plain.ts'
import { ancestorsOf, basesOf } from './ancestry.ts'
import { type Combining, combined, type Resolution } from './combined.ts'

export interface ModelCommit {
  readonly id: string
  readonly description: string
  readonly parents: readonly number[]
  readonly known: Known
  /** What it lands, if anything: blame then names a draft too. */
  readonly lands: Landing
  readonly seq: number
  /** The branch it was made on. */
  readonly on: string
}

export type Landing = 'nothing' | 'a commit' | 'a speculation'

/** A speculation that is open. */
export interface ModelSpeculation {
  readonly id: string
  readonly branch: string
  readonly base: number
  readonly known: Known
}

export interface Model {
  readonly commits: ModelCommit[]
  readonly branches: Map<string, number>
  readonly tags: Map<string, number>
  readonly speculations: Map<string, ModelSpeculation>
}

/** What an operation does. */
export type Outcome =
  | { readonly kind: 'refused'; readonly codes: readonly string[]; readonly conflicts?: readonly string[] }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'moved'; readonly to: number }
  | { readonly kind: 'landed'; readonly known: Known; readonly parents: readonly number[]; readonly lands: Landing }

/** Of several edits that cannot be made, any may be named. */
const pathCodes = ['path-blocked', 'index-invalid', 'index-out-of-range', 'root-not-a-map']

export interface MergeChoices {
  readonly policies: Policies
  /** What is decided wherever there is a conflict. */
  readonly resolution: Resolution | undefined
  readonly fastForward: boolean
}

export function emptyModel(): Model {
  return { commits: [], branches: new Map(), tags: new Map(), speculations: new Map() }
}

export function headOf({ commits, branches }: Model, branch: string): ModelCommit {
  return commits[branches.get(branch)!]!
}

export function edited(model: Model, branch: string, edits: readonly Edit[]): Outcome {
  const { known } = headOf(model, branch)
  const codes = refusalOf(known, edits)
  if (codes !== undefined) return { kind: 'refused', codes }
  return landed(model, branch, knownOf(editedPlainBatch(plainOfKnown(known), edits), model.commits.length))
}

/** The codes of which one is said when edits cannot be made. */
export function refusalOf(known: Known, edits: readonly Edit[]): readonly string[] | undefined {
  try {
    editedPlainBatch(plainOfKnown(known), edits)
  } catch (error) {
    if (!(error instanceof PlainRefusal)) throw error
    return edits.length === 1 ? [error.code] : pathCodes
  }
  return undefined
}

export function merged(model: Model, branch: string, source: number, choices: MergeChoices): Outcome {
  const { commits } = model
  const ours = model.branches.get(branch)!
  const bases = basesOf(commits, ours, source)
  if (bases.includes(source)) return { kind: 'unchanged' }
  if (bases.includes(ours) && choices.fastForward) return { kind: 'moved', to: source }
  const { policies, resolution } = choices
  const combining: Combining = {
    policies,
    resolution,
    later: ours > source ? 'ours' : 'theirs',
    writer: commits.length,
    conflicts: [],
  }
  const base = virtualBase(commits, bases, policies)
  const known = combined(combining, base, commits[ours]!.known, commits[source]!.known, [])!
  if (combining.conflicts.length > 0)
    return { kind: 'refused', codes: ['merge-conflict'], conflicts: combining.conflicts }
  return landedOn(model, known, [ours, source], 'nothing')
}

/** Several bases are merged from the oldest on, by the same policies; where they disagree, their own base stands. */
function virtualBase(commits: readonly ModelCommit[], bases: readonly number[], policies: Policies): Known {
  const [first, ...others] = [...bases].sort((a, b) => a - b)
  let known = commits[first!]!.known
  for (const other of others) {
    const below = basesOf(commits, first!, other)
    const base = below.length === 0 ? newlyKnown({}, 0) : virtualBase(commits, below, policies)
    known = combined({ ...withoutChoices(0), policies, resolution: 'base' }, base, known, commits[other]!.known, [])!
  }
  return known
}

/** What a commit did, done or taken back on a branch. */
export function replayed(model: Model, branch: string, commit: number, direction: 'again' | 'back'): Outcome {
  const after = model.commits[commit]!.known
  const before = stateBefore(model, commit)
  if (direction === 'back') return carried(model, branch, after, before, 'nothing')
  return carried(model, branch, before, after, 'a commit')
}

/** What a speculation changed, on its branch. */
export function spoken(model: Model, { branch, base, known }: ModelSpeculation): Outcome {
  return carried(model, branch, model.commits[base]!.known, known, 'a speculation')
}

/** What leads from one state to another, made on a branch. */
function carried(model: Model, branch: string, from: Known, to: Known, lands: Landing): Outcome {
  const combining = withoutChoices(model.commits.length)
  const known = combined(combining, from, headOf(model, branch).known, to, [])!
  if (combining.conflicts.length > 0)
    return { kind: 'refused', codes: ['merge-conflict'], conflicts: combining.conflicts }
  return landed(model, branch, known, lands)
}

export function rolledBack(model: Model, branch: string, commit: number): Outcome {
  return landed(model, branch, model.commits[commit]!.known)
}

/** The commits that led to one, newest first. */
export function logOf({ commits }: Model, from: number): readonly ModelCommit[] {
  return [...ancestorsOf(commits, from)].sort((a, b) => b - a).map(n => commits[n]!)
}

/** A state as an ordinary write on the branch. */
function landed(model: Model, branch: string, known: Known, lands: Landing = 'nothing'): Outcome {
  if (isEqual(headOf(model, branch).known, known)) return { kind: 'unchanged' }
  return landedOn(model, known, [model.branches.get(branch)!], lands)
}

/** A state as a commit on its parents: who wrote what in it follows from theirs. */
function landedOn({ commits }: Model, wanted: Known, parents: readonly number[], lands: Landing): Outcome {
  const fresh = knownOf(plainOfKnown(wanted), commits.length)
  const befores = parents.map(parent => commits[parent]!.known)
  return { kind: 'landed', known: settledKnown(fresh, befores).known, parents, lands }
}

function stateBefore({ commits }: Model, commit: number): Known {
  const parent = commits[commit]!.parents[0]
  return parent === undefined ? newlyKnown({}, 0) : commits[parent]!.known
}

function withoutChoices(writer: number): Combining {
  return { policies: {}, resolution: undefined, later: 'theirs', writer, conflicts: [] }
}
