/**
 * A draft that remembers what is done to it: for small edits of a large value.
 *
 * Each change goes to the plain value at once and is kept as a path edit, so nothing else of the value is encoded or
 * compared. What is put in is put in as a copy: nobody may hold a part of a value that is not compared. Maps, sets, dates
 * and instances have no paths inside; when one is read, the whole value is told to be out, and is compared like any other.
 */

import { formatPath, isIndex, isPlainObject, type Stored, setOwn } from '../../core/index.ts'
import type { Edit } from '../../tree/index.ts'
import type { Codec } from '../values/codec.ts'

/** What was done to a draft. */
export interface DraftOutcome {
  readonly edits: readonly Edit[]
  readonly isOut: boolean
}

interface Recording {
  readonly codec: Codec
  readonly edits: Edit[]
  isOut: boolean
  isOver: boolean
  /** The value behind each draft, for those who put a draft back into the value. */
  readonly behind: WeakMap<object, unknown>
}

/** Runs an edit on a draft of a plain object or array. When it throws, what it did until then is done, and kept. */
export function draftOver(
  codec: Codec,
  value: object,
  path: readonly string[],
  edit: (draft: unknown) => void,
  keep: (outcome: DraftOutcome) => void,
): void {
  const recording: Recording = { codec, edits: [], isOut: false, isOver: false, behind: new WeakMap() }
  try {
    edit(draftOf(recording, value, path))
  } finally {
    recording.isOver = true
    keep(recording)
  }
}

function draftOf(recording: Recording, value: unknown, path: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const draft = Array.isArray(value)
    ? new Proxy(value, listHandler(recording, value, path))
    : isPlainObject(value)
      ? new Proxy(value, mapHandler(recording, value as Record<string, unknown>, path))
      : undefined
  if (draft === undefined) {
    recording.isOut = true
    return value
  }
  recording.behind.set(draft, value)
  return draft
}

/** A value that goes in: encoded once, and its copy. */
function taken(recording: Recording, value: unknown, at: readonly string[]): { stored: Stored; copy: unknown } {
  if (recording.isOver) throw new TypeError(`The draft of ${formatPath(at)} was changed after its update had ended.`)
  const inside = typeof value === 'object' && value !== null ? (recording.behind.get(value) ?? value) : value
  const stored = recording.codec.encode(inside, at)
  return { stored, copy: recording.codec.decode(stored) }
}

function mapHandler(
  recording: Recording,
  map: Record<string, unknown>,
  path: readonly string[],
): ProxyHandler<Record<string, unknown>> {
  const put = (key: string | symbol, value: unknown): boolean => {
    if (typeof key === 'symbol') return false
    const at = [...path, key]
    const { stored, copy } = taken(recording, value, at)
    setOwn(map, key, copy)
    recording.edits.push({ op: 'set', path: at, value: stored })
    return true
  }
  return {
    get: (_target, key) =>
      typeof key === 'string' && Object.hasOwn(map, key)
        ? draftOf(recording, map[key], [...path, key])
        : Reflect.get(map, key),
    set: (_target, key, value) => put(key, value),
    defineProperty: (_target, key, { value }) => put(key, value),
    deleteProperty(_target, key) {
      if (typeof key === 'string' && Object.hasOwn(map, key)) {
        delete map[key]
        recording.edits.push({ op: 'delete', path: [...path, key] })
      }
      return true
    },
    getOwnPropertyDescriptor(_target, key) {
      const found = Reflect.getOwnPropertyDescriptor(map, key)
      return found && { ...found, value: draftOf(recording, found.value, [...path, String(key)]) }
    },
  }
}

/** How many elements are handed to one call: more arguments than some ten thousand overflow the stack. */
const AT_ONCE = 10_000

/** Every change of a list is a splice, or an element that is replaced. */
function listHandler(recording: Recording, list: unknown[], path: readonly string[]): ProxyHandler<unknown[]> {
  const { edits } = recording
  const splice = (start: number, count: number, items: readonly unknown[]): unknown[] => {
    const at = [...path, String(start)]
    const added = items.map(item => taken(recording, item, at))
    for (let i = 0; i < count; i++) edits.push({ op: 'delete', path: at })
    for (const [i, { stored: value }] of added.entries()) {
      edits.push({ op: 'insert', path: [...path, String(start + i)], value })
    }
    const removed = list.splice(start, count)
    for (let from = 0; from < added.length; from += AT_ONCE) {
      const copies = added.slice(from, from + AT_ONCE).map(({ copy }) => copy)
      list.splice(start + from, 0, ...copies)
    }
    return removed
  }
  const put = (key: string | symbol, value: unknown): boolean => {
    if (key === 'length') {
      // Longer, it would have holes.
      if (!isIndex(String(value)) || Number(value) > list.length) return false
      if (Number(value) < list.length) splice(Number(value), list.length - Number(value), [])
      return true
    }
    if (typeof key === 'symbol' || !isIndex(key) || Number(key) > list.length) return false
    const index = Number(key)
    if (index === list.length) splice(index, 0, [value])
    else {
      const { stored, copy } = taken(recording, value, [...path, String(index)])
      list[index] = copy
      edits.push({ op: 'set', path: [...path, String(index)], value: stored })
    }
    return true
  }
  const methods: Record<string, unknown> = {
    push: (...items: unknown[]) => splice(list.length, 0, items) && list.length,
    pop: () => splice(list.length - 1, list.length > 0 ? 1 : 0, [])[0],
    shift: () => splice(0, list.length > 0 ? 1 : 0, [])[0],
    unshift: (...items: unknown[]) => splice(0, 0, items) && list.length,
    splice: (...args: [start?: number, count?: number, ...items: unknown[]]) => {
      const [start, count, ...items] = args
      const from = integerOf(start)
      const at = from < 0 ? Math.max(list.length + from, 0) : Math.min(from, list.length)
      // As for any array: a count that is left out means all, one that is undefined means none.
      const most = args.length === 0 ? 0 : args.length === 1 ? Number.POSITIVE_INFINITY : integerOf(count)
      return splice(at, Math.max(0, Math.min(most, list.length - at)), items)
    },
  }
  return {
    get(target, key, receiver) {
      if (typeof key === 'string' && Object.hasOwn(methods, key)) return methods[key]
      const value: unknown = Reflect.get(target, key, receiver)
      return typeof key === 'string' && Object.hasOwn(list, key) && key !== 'length'
        ? draftOf(recording, value, [...path, key])
        : value
    },
    set: (_target, key, value) => put(key, value),
    defineProperty: (_target, key, { value }) => put(key, value),
    deleteProperty: () => false,
    getOwnPropertyDescriptor(_target, key) {
      const found = Reflect.getOwnPropertyDescriptor(list, key)
      if (found === undefined || key === 'length') return found
      return { ...found, value: draftOf(recording, found.value, [...path, String(key)]) }
    },
  }
}

/** A number as the methods of arrays read it. */
function integerOf(value: unknown): number {
  return Math.trunc(Number(value)) || 0
}
