/**
 * Building the index of a plan from all its tasks.
 *
 * Tasks are read in bulk in their stored form, and only indexed fields are parsed: reading each as a record takes several
 * times as long.
 */

import { type Stored, storedKey } from '../core/index.ts'
import { findTaskKey, isFinal } from '../repo/index.ts'
import { nodeTexts, type Work } from '../store/index.ts'
import { entriesOf, type Link, rootOf } from '../tree/index.ts'
import { type IndexedFields, placeIn } from './plan-index.ts'
import { containerBelow, findTask, type PlanRoot } from './plan-root.ts'

export function* newIndex(root: PlanRoot): Work<Link> {
  const tasks = yield* readTasks(root)
  const isDone = (key: string): boolean => tasks.get(key)?.state.get('status') === 'done'
  const index: Branch = {}
  const waiting = new Set<string>()
  let open = 0
  for (const [key, { state, blockedBy, parent }] of tasks) {
    const isOpen = !isFinal(state.get('status'))
    if (isOpen) open++
    if (parent !== undefined) {
      const above = findTaskKey(parent)!
      put(index, ['children', above, key], 1)
      if (isOpen) waiting.add(above)
    }
    for (const id of blockedBy) {
      const blocker = findTaskKey(id)!
      put(index, ['blocks', blocker, key], 1)
      if (!isDone(blocker)) waiting.add(key)
    }
  }
  for (const [key, task] of tasks) {
    const place = placeIn(key, task, waiting.has(key))
    if (place !== undefined) put(index, place, 1)
  }
  put(index, ['open'], open)
  return rootOf({ ...root.context, encryption: undefined }, index, 0)
}

interface Branch {
  [key: string]: Branch | number
}

function put(index: Branch, path: readonly string[], value: number): void {
  let at = index
  for (let i = 0; i < path.length - 1; i++) {
    const key = storedKey(path[i]!)
    at[key] ??= Object.create(null) as Branch
    at = at[key] as Branch
  }
  at[storedKey(path.at(-1)!)] = value
}

/** All tasks, by key. */
function* readTasks(root: PlanRoot): Work<ReadonlyMap<string, IndexedFields>> {
  const map = yield* containerBelow(root, ['tasks'])
  const entries = map === undefined ? [] : yield* entriesOf(root.context, map)
  const texts = yield* nodeTexts(entries.flatMap(({ child }) => (child.kind === 'link' ? [child] : [])))
  const tasks = new Map<string, IndexedFields>()
  let next = 0
  for (const { key, child } of entries) {
    const fields = child.kind === 'link' ? findInline(texts[next++]!) : (JSON.parse(child.text) as StoredFields)
    tasks.set(key, (fields && findTyped(fields)) ?? (yield* findTask(root, key))!)
  }
  return tasks
}

type StoredFields = { readonly [F in keyof IndexedFields]?: Stored }

const indexedFields = [
  'state',
  'priority',
  'assignee',
  'blockedBy',
  'parent',
] as const satisfies (keyof IndexedFields)[]

/** The inline fields of a node; undefined when an indexed field is stored in another node. */
function findInline(text: string): StoredFields | undefined {
  const [, linked, inline] = JSON.parse(text) as [string, object, StoredFields]
  return indexedFields.some(field => Object.hasOwn(linked, field)) ? undefined : inline
}

/** The decoded fields; undefined when one needs a full decode, for example an encrypted one. */
function findTyped({ state, priority, assignee, blockedBy, parent }: StoredFields): IndexedFields | undefined {
  const entries = (state as { readonly $map?: readonly (readonly [string, Stored])[] } | undefined)?.$map
  if (entries === undefined || typeof priority !== 'string' || !Array.isArray(blockedBy)) return undefined
  if (!isTextOrAbsent(assignee) || !isTextOrAbsent(parent)) return undefined
  return { state: new Map(entries), priority, assignee, blockedBy: blockedBy as string[], parent }
}

function isTextOrAbsent(value: Stored | undefined): value is string | undefined {
  return value === undefined || typeof value === 'string'
}
