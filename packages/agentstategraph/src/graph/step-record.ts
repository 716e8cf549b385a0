/**
 * What a step's commit says beside the state: where the run goes next, what ran, and the numbers of its events.
 *
 * It is the commit's detail, so it travels with the commit wherever that is copied. Each edit of the state names, as its
 * draft, the node and attempt behind it, and blame shows them. Tasks of one node and attempt share a draft: a thousand
 * Sends to one node are one name.
 */

import { canonicalText, encode, type Stored } from '../core/index.ts'
import { shownValue } from '../repo/index.ts'
import type { Journal, StoredCommit, Work } from '../store/index.ts'
import { findEntry, sealedAt, type TreeContext, valueOfChild } from '../tree/index.ts'
import type { Encoding } from './fact-record.ts'
import { type KeptField, type KeptUpdate, keptUpdates } from './kept-update.ts'
import type { Position, Step, TaskResult } from './record.ts'

export interface TaskRecord {
  readonly node: string
  readonly attempt: number
  readonly cached: boolean
  readonly reads?: readonly string[] | undefined
  readonly updates: readonly KeptUpdate[]
  /** The number of the event that told its first update. */
  readonly event: number
}

export interface StepRecord {
  readonly graph: string
  readonly cause: Step['cause']
  /** Undefined when the run has ended. */
  readonly next: Position | undefined
  readonly tasks: readonly TaskRecord[]
  /** The number of the event that told the state after it: the last of this step. */
  readonly event: number
}

export interface DraftName {
  readonly label: string
  readonly node: string
  readonly attempt: number
}

/** How many drafts a step names; what further tasks wrote is the step's own. */
const MAX_DRAFTS = 4096

export interface Drafts {
  readonly names: readonly DraftName[]
  /** By the place of a task, the number of its draft; 0 for none. */
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

/** The numbers that a step's events have: the first of each task, and that of the state. */
export interface StepEvents {
  readonly tasks: readonly number[]
  readonly state: number
}

/** A step's detail, as it is stored. */
export function storedStep(
  graph: string,
  step: Step,
  { names }: Drafts,
  events: StepEvents,
  encoding: Encoding,
): Stored {
  const updates = keptUpdates(step)
  const tasks = step.tasks.map(({ node, attempt, cached, reads }, place) => ({
    node,
    attempt,
    event: events.tasks[place]!,
    ...(cached ? { cached } : {}),
    ...(reads === undefined ? {} : { reads }),
    updates: updates[place]!.map(update => storedUpdate(update, encoding)),
  }))
  const stored = {
    graph,
    cause: step.cause,
    event: events.state,
    ...(step.next === undefined ? {} : { next: storedPosition(step.next, encoding) }),
    ...(tasks.length === 0 ? {} : { tasks }),
  } as unknown as Stored
  // One text, because it is only ever read as a whole.
  return { ...storedDrafts(names), step: canonicalText(stored) }
}

/** The names of drafts, where blame looks for them. */
export function storedDrafts(names: readonly DraftName[]): { readonly drafts?: Stored } {
  return names.length === 0 ? {} : { drafts: names.map(name => ({ ...name })) }
}

/** Fields that stand in the state are protected there; what is kept a second time is sealed as it is there. */
function storedUpdate(update: KeptUpdate, { limits, sealing, classes }: Encoding): Stored {
  const fields = Object.entries(update).map(([field, kept]): [string, Stored] => {
    if (kept.is !== 'value') return [field, { ...kept }]
    const at = [field]
    return [field, { is: 'value', value: sealedAt(sealing, at, encode(kept.value, { at, limits, classes })) }]
  })
  // A list of pairs, because a field may be called anything, and a map's keys are escaped.
  return fields as unknown as Stored
}

function storedPosition({ targets, from }: Position, { limits, classes }: Encoding): Stored {
  return {
    from,
    targets: targets.map(({ node, isSend, join, ...rest }) => ({
      node,
      ...(isSend ? { isSend, payload: encode(rest.payload, { limits, classes }) } : {}),
      ...(join === undefined ? {} : { join }),
    })),
  } as unknown as Stored
}

interface StoredDetail {
  readonly graph: string
  readonly cause: Step['cause']
  readonly event: number
  readonly next?: { readonly from: string; readonly targets: readonly StoredTarget[] }
  readonly tasks?: readonly StoredTask[]
}
interface StoredTarget {
  readonly node: string
  readonly isSend?: boolean
  readonly payload?: Stored
  readonly join?: string
}
interface StoredTask {
  readonly node: string
  readonly attempt: number
  readonly event: number
  readonly cached?: boolean
  readonly reads?: readonly string[]
  readonly updates: readonly (readonly (readonly [string, Stored])[])[]
}

/** What a commit says as a step of a graph; undefined when it is none. */
export function* findStepRecord(
  { context }: Journal,
  commit: StoredCommit,
  graph: string,
): Work<StepRecord | undefined> {
  const entry = commit.detail && (yield* findEntry(context, commit.detail, ['step']))
  if (entry === undefined) return undefined
  const detail = JSON.parse((yield* valueOfChild(context, entry.child)) as string) as StoredDetail
  if (detail.graph !== graph) return undefined
  return {
    graph,
    cause: detail.cause,
    event: detail.event,
    next: detail.next === undefined ? undefined : positionFrom(context, detail.next),
    tasks: (detail.tasks ?? []).map(task => ({
      node: task.node,
      attempt: task.attempt,
      event: task.event,
      cached: task.cached === true,
      reads: task.reads,
      updates: task.updates.map(update => updateFrom(context, update)),
    })),
  }
}

function positionFrom(context: TreeContext, { from, targets }: NonNullable<StoredDetail['next']>): Position {
  return {
    from,
    targets: targets.map(({ node, isSend = false, payload, join }) => ({
      node,
      isSend,
      ...(payload === undefined ? {} : { payload: shownValue(context, payload) }),
      ...(join === undefined ? {} : { join }),
    })),
  }
}

function updateFrom(context: TreeContext, fields: readonly (readonly [string, Stored])[]): KeptUpdate {
  return Object.fromEntries(
    fields.map(([field, kept]): [string, KeptField] => {
      const one = kept as unknown as KeptField & { readonly value?: Stored }
      return [field, one.is === 'value' ? { is: 'value', value: shownValue(context, one.value!) } : one]
    }),
  )
}
