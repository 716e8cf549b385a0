/**
 * The record of a step in its commit's detail: the next position, what ran, and the numbers of its events.
 *
 * The detail is copied with the commit. Each edit of the state has the number of a draft, which names the node and attempt
 * for blame. Tasks of one node and attempt share a draft, so a thousand Sends to one node need one name.
 */

import { canonicalText, encode, type Stored } from '../../../core/index.ts'
import { decodeValue } from '../../../repo/index.ts'
import type { Journal, StoredCommit, Work } from '../../../store/index.ts'
import { encryptedAt, findEntry, type TreeContext, valueOfChild } from '../../../tree/index.ts'
import type { FailedAttempt, InterruptFact, Position, Step, TaskResult } from '../../model/run-protocol.ts'
import type { Encoding } from './encoding.ts'
import { errorFrom, errorRecord } from './errors.ts'
import { failuresFrom, type StoredFailure, storedFailures } from './failures.ts'
import { type KeptField, type KeptUpdate, keptUpdates } from './kept-update.ts'
import { type StoredTargets, storedTargets, targetsFrom } from './targets.ts'
import { type StoredTrail, storedTrails, trailsFrom } from './trails.ts'

export interface TaskRecord {
  readonly node: string
  readonly attempt: number
  readonly cached: boolean
  readonly reads?: readonly string[] | undefined
  readonly updates: readonly KeptUpdate[]
  readonly retried?: readonly unknown[] | undefined
  /** The number of the event of its first update. */
  readonly event: number
}

export interface StepRecord {
  readonly graph: string
  readonly cause: Step['cause']
  /** Undefined when the run has ended. */
  readonly next: Position | undefined
  readonly tasks: readonly TaskRecord[]
  /** The number of the event of its state: the last of this step. */
  readonly event: number
  /** The version of the graph; absent in old steps. */
  readonly version?: string | undefined
  /** The pause that the step ends with. */
  readonly hold?: InterruptFact | undefined
  /** The failures since the step before. */
  readonly failures?: readonly FailedAttempt[] | undefined
}

export interface DraftName {
  readonly label: string
  readonly node: string
  readonly attempt: number
}

/** The limit of drafts of a step. Edits of further tasks have no draft. */
const MAX_DRAFTS = 4096

export interface Drafts {
  readonly names: readonly DraftName[]
  /** By the index of a task, the number of its draft; 0 for none. */
  readonly numbers: readonly number[]
}

/** The drafts of a step, one for each node and attempt. */
export function draftsOf(tasks: readonly Pick<TaskResult, 'node' | 'attempt'>[]): Drafts {
  const names: DraftName[] = []
  const known = new Map<string, number>()
  const numbers = tasks.map(({ node, attempt }) => {
    const label = attempt === 1 ? node : `${node} (attempt ${attempt})`
    const key = `${attempt} ${node}`
    const number = known.get(key) ?? (names.length < MAX_DRAFTS ? names.push({ label, node, attempt }) : 0)
    known.set(key, number)
    return number
  })
  return { names, numbers }
}

/** The event numbers of a step: the first of each task, and that of the state. */
export interface StepEvents {
  readonly tasks: readonly number[]
  readonly state: number
}

/** What a step records beside its own work. */
export interface StepHistory {
  /** The version of the graph. */
  readonly version: string
  readonly failures: readonly FailedAttempt[]
}

/** A step in stored form: a list instead of an object, because a long run has many. */
type StoredStep = readonly [
  graph: string,
  cause: Step['cause'],
  event: number,
  next: StoredPosition | null,
  tasks: readonly StoredTask[],
  more?: StoredMore,
]
interface StoredMore {
  readonly version: string
  readonly hold?: Stored
  readonly failures?: readonly StoredFailure[]
}
/** `kind` is `joins` when the targets are joins, and empty for those of a fan-out. */
type StoredPosition = readonly [from: string, ...StoredTargets, kind?: 'joins' | '', trails?: readonly StoredTrail[]]
type StoredTask = readonly [
  node: string,
  attempt: number,
  event: number,
  updates: readonly (readonly StoredField[])[],
  more?: { readonly cached?: boolean; readonly reads?: readonly string[]; readonly retried?: readonly Stored[] },
]
/** A list for each field, because a field may have any name. A value that is in the state is not stored again. */
type StoredField =
  | readonly [field: string]
  | readonly [field: string, from: number, count: number]
  | readonly [field: string, value: readonly [Stored]]

/** The detail of a step's commit. */
export function storedStep(
  graph: string,
  step: Step,
  { names }: Drafts,
  events: StepEvents,
  { version, failures }: StepHistory,
  encoding: Encoding,
): Stored {
  const updates = keptUpdates(step)
  const tasks = step.tasks.map(({ node, attempt, cached, reads, retried }, i): StoredTask => {
    const stored = updates[i]!.map(update => storedUpdate(update, encoding))
    const more = {
      ...(cached ? { cached } : {}),
      ...(reads === undefined ? {} : { reads }),
      ...(retried === undefined ? {} : { retried: retried.map(error => encode(errorRecord(error))) }),
    }
    const task = [node, attempt, events.tasks[i]!, stored] as const
    return Object.keys(more).length > 0 ? [...task, more] : task
  })
  const more: StoredMore = {
    version,
    ...(step.hold === undefined ? {} : { hold: encode(step.hold, encoding) }),
    ...(failures.length === 0 ? {} : { failures: storedFailures(failures) }),
  }
  const stored: StoredStep = [graph, step.cause, events.state, storedPosition(step.next, encoding), tasks, more]
  // One text, because it is always read as a whole.
  return { ...storedDrafts(names), ...storedAnswers(step, encoding), step: canonicalText(stored as unknown as Stored) }
}

function storedPosition(next: Position | undefined, encoding: Encoding): StoredPosition | null {
  if (next === undefined) return null
  const [targets, shared] = storedTargets(next.targets, encoding)
  const kind = next.areJoins === true ? 'joins' : ''
  if (next.trails !== undefined) return [next.from, targets, shared ?? [], kind, storedTrails(next.trails)]
  if (next.areJoins === true) return [next.from, targets, shared ?? [], 'joins']
  return shared === undefined ? [next.from, targets] : [next.from, targets, shared]
}

/** The answered interrupts in the detail, where commits show them. */
function storedAnswers({ answers = [] }: Step, encoding: Encoding): { readonly answers?: Stored } {
  if (answers.length === 0) return {}
  return { answers: encode(answers, encoding) }
}

/** The drafts in the detail, where blame reads them. */
export function storedDrafts(names: readonly DraftName[]): { readonly drafts?: Stored } {
  return names.length === 0 ? {} : { drafts: names.map(name => ({ ...name })) }
}

/** A value that is stored a second time is encrypted like the field in the state. */
function storedUpdate(update: KeptUpdate, { limits, encryption, classes }: Encoding): readonly StoredField[] {
  return Object.entries(update).map(([field, kept]): StoredField => {
    if (kept.is === 'state') return [field]
    if (kept.is === 'tail') return [field, kept.from, kept.count]
    const at = [field]
    return [field, [encryptedAt(encryption, at, encode(kept.value, { at, limits, classes }))]]
  })
}

/** The record of a commit that is a step of a graph; undefined for other commits. */
export function* findStepRecord(
  { context }: Journal,
  commit: StoredCommit,
  graph: string,
): Work<StepRecord | undefined> {
  const entry = commit.detail && (yield* findEntry(context, commit.detail, ['step']))
  if (entry === undefined) return undefined
  const text = (yield* valueOfChild(context, entry.child)) as string
  const [itsGraph, cause, event, next, tasks, more] = JSON.parse(text) as StoredStep
  if (itsGraph !== graph) return undefined
  const record = {
    graph,
    cause,
    event,
    next: positionFrom(context, next),
    tasks: tasks.map(task => taskFrom(context, task)),
  }
  if (more === undefined) return record
  const { version, hold, failures } = more
  const show = (stored: Stored): unknown => decodeValue(context, stored)
  return {
    ...record,
    version,
    ...(hold === undefined ? {} : { hold: show(hold) as InterruptFact }),
    ...(failures === undefined ? {} : { failures: failuresFrom(failures, show) }),
  }
}

function positionFrom(context: TreeContext, next: StoredStep[3]): Position | undefined {
  if (next === null) return undefined
  const [from, stored, shared = [], kind, trails] = next
  const targets = targetsFrom([stored, shared], value => decodeValue(context, value))
  return {
    from,
    targets,
    ...(kind === 'joins' ? { areJoins: true } : {}),
    ...(trails === undefined ? {} : { trails: trailsFrom(trails) }),
  }
}

function taskFrom(context: TreeContext, [node, attempt, event, updates, more = {}]: StoredTask): TaskRecord {
  const { cached = false, reads, retried } = more
  const failed = retried === undefined ? {} : { retried: retried.map(error => errorFrom(decodeValue(context, error))) }
  const kept = updates.map(fields => updateFrom(context, fields))
  return { node, attempt, event, cached, reads, ...failed, updates: kept }
}

function updateFrom(context: TreeContext, fields: readonly StoredField[]): KeptUpdate {
  return Object.fromEntries(
    fields.map(([field, where, count]): [string, KeptField] => {
      if (where === undefined) return [field, { is: 'state' }]
      if (typeof where === 'number') return [field, { is: 'tail', from: where, count: count! }]
      return [field, { is: 'value', value: decodeValue(context, where[0]) }]
    }),
  )
}
