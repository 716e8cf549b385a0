/** The options of every call of a repository, a state and a speculation, by the name of the call. */

import { type Limits, type OptionNames, type Options, optionsOf, type Path } from '../core/index.ts'
import type * as repo from '../repo/index.ts'

/** What a handle fills in when a write does not say. */
export interface Defaults {
  agent?: string | undefined
  tags?: readonly string[] | undefined
  intent?: string | undefined
  trace?: string | undefined
}

/** Where a new branch or tag begins; where the handle's branch is, unless given. */
export interface FromOptions {
  from?: repo.Revision | undefined
}

/** Options of `branches` and `tags`. */
export interface RefFilter {
  /** How the names begin. */
  prefix?: string | undefined
  limit?: number | undefined
}

/** Options of `diff`: `below` limits it to a place and everything below it. */
export interface DiffOptions {
  /** Only what is at this place or below it. */
  below?: Path | undefined
}

/** Options of `list`: how deep it goes. */
export interface ListOptions {
  /** How many levels; one unless given. */
  depth?: number | undefined
}

/** Options of `search`. */
export interface SearchOptions {
  /** Only what is below this place. */
  below?: Path | undefined
  limit?: number | undefined
}

/** Options of `history`. */
export interface HistoryOptions {
  limit?: number | undefined
}

/** Options of `blame`: with `chain`, the answer is a `BlameChain`. */
export interface BlameOptions {
  chain: true
}

/** Options of `speculate`. */
export interface SpeculateOptions {
  label?: string | undefined
  ttlMs?: number | undefined
}

/** Options of a commit graph: where it starts, and how many commits it has. */
export interface CommitGraphOptions {
  limit?: number | undefined
  from?: repo.Revision | undefined
}

/** A revision at which a test holds, and a later one at which it does not. */
export interface BisectRange {
  good: repo.Revision
  bad: repo.Revision
}

type Considered = repo.Alternative | repo.ConsideredSpeculation | repo.SpeculationInfo

function whyNames(call: string): OptionNames<repo.CommitInfo> {
  return {
    description: true,
    category: true,
    agent: true,
    reasoning: true,
    confidence: true,
    tags: true,
    alternatives: optionsOf<Considered>(`an alternative of ${call}`, {
      label: true,
      whyNot: true,
      speculation: true,
      id: true,
      base: true,
      branchName: true,
      expires: true,
    }),
    expects: optionsOf<repo.Expectation>(`an expectation of ${call}`, {
      path: true,
      equals: true,
      min: true,
      max: true,
      text: true,
    }),
    tools: optionsOf<repo.ToolCall>(`a tool call of ${call}`, {
      name: true,
      args: true,
      result: true,
      started: true,
      ended: true,
    }),
    attached: true,
    intent: optionsOf<NonNullable<repo.CommitInfo['intent']>>(`the intent of ${call}`, { id: true, parent: true }),
    trace: true,
    idempotencyKey: true,
    request: true,
  }
}

/** What a call takes as its why, when it takes nothing more. */
export function whyOptions(call: string): Options<repo.CommitInfo> {
  return optionsOf<repo.CommitInfo>(call, whyNames(call))
}

function writeOptions(call: string): Options<repo.CommitInfo & repo.WriteOptions> {
  return optionsOf<repo.CommitInfo & repo.WriteOptions>(call, {
    ...whyNames(call),
    onlyIf: optionsOf<NonNullable<repo.WriteOptions['onlyIf']>>(`onlyIf of ${call}`, { head: true, value: true }),
    allowEmpty: true,
  })
}

const conflictNames: OptionNames<Pick<repo.MergeOptions, 'policies' | 'resolutions'>> = {
  policies: true,
  resolutions: true,
}

function mergeNames(call: string): OptionNames<repo.CommitInfo & repo.MergeOptions> {
  return {
    ...whyNames(call),
    ...conflictNames,
    fastForward: true,
    onlyIf: optionsOf<NonNullable<repo.MergeOptions['onlyIf']>>(`onlyIf of ${call}`, { head: true }),
  }
}

export function mergeOptions(call: string): Options<repo.CommitInfo & repo.MergeOptions> {
  return optionsOf<repo.CommitInfo & repo.MergeOptions>(call, mergeNames(call))
}

/** A why of a call that settles conflicts too. */
export function conflictOptions(
  call: string,
): Options<repo.CommitInfo & Pick<repo.MergeOptions, 'policies' | 'resolutions'>> {
  return optionsOf<repo.CommitInfo & Pick<repo.MergeOptions, 'policies' | 'resolutions'>>(call, {
    ...whyNames(call),
    ...conflictNames,
  })
}

function landOptions(call: string): Options<repo.CommitInfo & repo.LandOptions> {
  return optionsOf<repo.CommitInfo & repo.LandOptions>(call, { ...mergeNames(call), allowEmpty: true })
}

function filterOptions(call: string): Options<repo.CommitFilter> {
  return optionsOf<repo.CommitFilter>(call, {
    agent: true,
    category: true,
    tags: optionsOf<{ any: readonly string[] }>(`tags of ${call}`, { any: true }),
    text: true,
    confidence: optionsOf<NonNullable<repo.CommitFilter['confidence']>>(`confidence of ${call}`, {
      min: true,
      max: true,
    }),
    since: true,
    until: true,
    path: true,
    exact: true,
    session: true,
    intent: true,
    authority: true,
    epoch: true,
    deviated: true,
    firstParent: true,
    order: true,
    limit: true,
  })
}

const refFilter: OptionNames<RefFilter> = { prefix: true, limit: true }

export const limitNames: OptionNames<Limits> = {
  depth: true,
  segmentBytes: true,
  stringBytes: true,
  valueBytes: true,
  bigintDigits: true,
}

export function resolutionOptions(call: string): Options<repo.Resolution> {
  return optionsOf<repo.Resolution>(call, {
    outcome: true,
    summary: true,
    deviations: optionsOf<NonNullable<repo.Resolution['deviations']>[number]>(`a deviation of ${call}`, {
      description: true,
      reason: true,
      impact: true,
    }),
  })
}

/** What each call takes. */
interface Calls {
  as: Defaults
  set: repo.CommitInfo & repo.WriteOptions
  delete: repo.CommitInfo & repo.WriteOptions
  commit: repo.CommitInfo & repo.WriteOptions
  branch: FromOptions
  branches: RefFilter
  tag: FromOptions
  tags: RefFilter
  diff: DiffOptions
  merge: repo.CommitInfo & repo.MergeOptions
  previewMerge: Pick<repo.MergeOptions, 'policies' | 'resolutions'>
  revert: repo.CommitInfo
  rollback: repo.CommitInfo
  cherryPick: repo.CommitInfo
  undo: repo.UndoOptions
  previewUndo: repo.UndoOptions
  bisect: BisectRange
  watch: repo.WatchFilter
  observe: repo.Observation
  resolveIntent: repo.Resolution
  calibration: repo.CalibrationFilter
  query: repo.CommitFilter
  speculate: SpeculateOptions
  editSpeculation: repo.DraftInfo
  commitSpeculation: repo.CommitInfo & repo.LandOptions
  landSpeculation: repo.CommitInfo & repo.LandOptions
  commitGraph: CommitGraphOptions
  intentTree: repo.IntentTreeOptions
  list: ListOptions
  search: SearchOptions
  log: repo.CommitFilter
  blame: BlameOptions
  history: HistoryOptions
}

export const callOptions: { readonly [Call in keyof Calls]: Options<Calls[Call]> } = {
  as: optionsOf<Defaults>('as', { agent: true, tags: true, intent: true, trace: true }),
  set: writeOptions('set'),
  delete: writeOptions('delete'),
  commit: writeOptions('commit'),
  branch: optionsOf<FromOptions>('branch', { from: true }),
  branches: optionsOf<RefFilter>('branches', refFilter),
  tag: optionsOf<FromOptions>('tag', { from: true }),
  tags: optionsOf<RefFilter>('tags', refFilter),
  diff: optionsOf<DiffOptions>('diff', { below: true }),
  merge: mergeOptions('merge'),
  previewMerge: optionsOf<Pick<repo.MergeOptions, 'policies' | 'resolutions'>>('previewMerge', conflictNames),
  revert: whyOptions('revert'),
  rollback: whyOptions('rollback'),
  cherryPick: whyOptions('cherryPick'),
  undo: optionsOf<repo.UndoOptions>('undo', { on: true }),
  previewUndo: optionsOf<repo.UndoOptions>('previewUndo', { on: true }),
  bisect: optionsOf<BisectRange>('bisect', { good: true, bad: true }),
  watch: optionsOf<repo.WatchFilter>('watch', {
    path: true,
    exact: true,
    branch: true,
    category: true,
    after: true,
    signal: true,
  }),
  observe: optionsOf<repo.Observation>('observe', {
    held: true,
    note: true,
    observed: optionsOf<NonNullable<repo.Observation['observed']>[number]>('what observe observed', {
      path: true,
      value: true,
    }),
    confidence: true,
  }),
  resolveIntent: resolutionOptions('resolveIntent'),
  calibration: optionsOf<repo.CalibrationFilter>('calibration', { agent: true, category: true }),
  query: filterOptions('query'),
  speculate: optionsOf<SpeculateOptions>('speculate', { label: true, ttlMs: true }),
  editSpeculation: optionsOf<repo.DraftInfo>('set or delete of a speculation', {
    description: true,
    reasoning: true,
    confidence: true,
  }),
  commitSpeculation: landOptions('commitSpeculation'),
  landSpeculation: landOptions('commit of a speculation'),
  commitGraph: optionsOf<CommitGraphOptions>('commitGraph', { limit: true, from: true }),
  intentTree: optionsOf<repo.IntentTreeOptions>('intentTree', { intent: true, from: true, limit: true, after: true }),
  list: optionsOf<ListOptions>('list', { depth: true }),
  search: optionsOf<SearchOptions>('search', { below: true, limit: true }),
  log: filterOptions('log'),
  blame: optionsOf<BlameOptions>('blame', { chain: true }),
  history: optionsOf<HistoryOptions>('history', { limit: true }),
}
