/**
 * A proxy that records what `update` does to a value: for small edits of a large value.
 *
 * Each change is applied to the plain value and recorded as a path edit, so nothing else of the value is encoded or compared.
 * Values are put in as copies, because a program must not hold a part of a value that is not compared. Maps, sets, dates and
 * instances have no paths inside: once one of them is read, the whole value has to be compared like any other.
 */

import { formatPath, isIndex, isPlainObject, type Stored, setOwn } from '../../core/index.ts'
import type { Edit } from '../../tree/index.ts'
import type { Codec } from '../values/codec.ts'

export interface RecordedUpdate {
  readonly edits: readonly Edit[]
  /** Whether something without paths inside was handed out, so that the edits may not be all that changed. */
  readonly isHandedOut: boolean
}

interface Recording {
  readonly codec: Codec
  readonly edits: Edit[]
  isHandedOut: boolean
  isOver: boolean
  /** The value behind each proxy, for an edit that puts a proxy back into the value. */
  readonly behind: WeakMap<object, unknown>
}

/** A container behind a proxy, and its path. */
interface Recorded<T> {
  readonly recording: Recording
  readonly target: T
  readonly path: readonly string[]
}

/** Runs an edit on a proxy of a plain object or array. If it throws, the changes it made until then are kept. */
export function updateByProxy(
  codec: Codec,
  value: object,
  path: readonly string[],
  edit: (value: unknown) => void,
  keep: (update: RecordedUpdate) => void,
): void {
  const recording: Recording = { codec, edits: [], isHandedOut: false, isOver: false, behind: new WeakMap() }
  try {
    edit(proxyOf(recording, value, path))
  } finally {
    recording.isOver = true
    keep(recording)
  }
}

function proxyOf(recording: Recording, value: unknown, path: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  let proxy: object
  if (Array.isArray(value)) proxy = new Proxy(value, listHandler({ recording, target: value, path }))
  else if (isPlainObject(value)) {
    const target = value as Record<string, unknown>
    proxy = new Proxy(target, mapHandler({ recording, target, path }))
  } else {
    recording.isHandedOut = true
    return value
  }
  recording.behind.set(proxy, value)
  return proxy
}

/** A value that is put in: its stored form, and a copy made from that. */
function copyIn(recording: Recording, value: unknown, at: readonly string[]): { stored: Stored; copy: unknown } {
  if (recording.isOver) throw new TypeError(`The value at ${formatPath(at)} was changed after its update had ended.`)
  const inside = typeof value === 'object' && value !== null ? (recording.behind.get(value) ?? value) : value
  const stored = recording.codec.encode(inside, at)
  return { stored, copy: recording.codec.decode(stored) }
}

function replace({ recording, path }: Recorded<unknown>, key: string, value: unknown): unknown {
  const at = [...path, key]
  const { stored, copy } = copyIn(recording, value, at)
  recording.edits.push({ op: 'set', path: at, value: stored })
  return copy
}

function mapHandler(map: Recorded<Record<string, unknown>>): ProxyHandler<Record<string, unknown>> {
  const { recording, target, path } = map
  const put = (key: string | symbol, value: unknown): boolean => {
    if (typeof key === 'symbol') return false
    setOwn(target, key, replace(map, key, value))
    return true
  }
  return {
    get: (_target, key) =>
      typeof key === 'string' && Object.hasOwn(target, key)
        ? proxyOf(recording, target[key], [...path, key])
        : Reflect.get(target, key),
    set: (_target, key, value) => put(key, value),
    defineProperty: (_target, key, { value }) => put(key, value),
    deleteProperty(_target, key) {
      if (typeof key === 'string' && Object.hasOwn(target, key)) {
        delete target[key]
        recording.edits.push({ op: 'delete', path: [...path, key] })
      }
      return true
    },
    getOwnPropertyDescriptor(_target, key) {
      const found = Reflect.getOwnPropertyDescriptor(target, key)
      return found && { ...found, value: proxyOf(recording, found.value, [...path, String(key)]) }
    },
  }
}

function listHandler(list: Recorded<unknown[]>): ProxyHandler<unknown[]> {
  const { recording, path } = list
  const methods = listMethods(list)
  return {
    get(target, key, receiver) {
      if (typeof key === 'string' && Object.hasOwn(methods, key)) return methods[key]
      const value: unknown = Reflect.get(target, key, receiver)
      return typeof key === 'string' && Object.hasOwn(target, key) && key !== 'length'
        ? proxyOf(recording, value, [...path, key])
        : value
    },
    set: (_target, key, value) => putElement(list, key, value),
    defineProperty: (_target, key, { value }) => putElement(list, key, value),
    deleteProperty: () => false,
    getOwnPropertyDescriptor(target, key) {
      const found = Reflect.getOwnPropertyDescriptor(target, key)
      if (found === undefined || key === 'length') return found
      return { ...found, value: proxyOf(recording, found.value, [...path, String(key)]) }
    },
  }
}

/** The methods that change the length. All others work through `get` and `set`. */
function listMethods(list: Recorded<unknown[]>): Readonly<Record<string, unknown>> {
  const { target } = list
  return {
    push(...items: unknown[]) {
      splice(list, target.length, 0, items)
      return target.length
    },
    pop: () => splice(list, target.length - 1, target.length > 0 ? 1 : 0, [])[0],
    shift: () => splice(list, 0, target.length > 0 ? 1 : 0, [])[0],
    unshift(...items: unknown[]) {
      splice(list, 0, 0, items)
      return target.length
    },
    splice(...args: [start?: number, count?: number, ...items: unknown[]]) {
      const [start, count, ...items] = args
      const from = integerOf(start)
      const at = from < 0 ? Math.max(target.length + from, 0) : Math.min(from, target.length)
      // As in Array.prototype.splice: an omitted count removes the rest, an undefined one removes nothing.
      const most = args.length === 0 ? 0 : args.length === 1 ? Number.POSITIVE_INFINITY : integerOf(count)
      return splice(list, at, Math.max(0, Math.min(most, target.length - at)), items)
    },
  }
}

/** Sets an element or the length. False for what would leave a hole or is not an index. */
function putElement(list: Recorded<unknown[]>, key: string | symbol, value: unknown): boolean {
  const { target } = list
  if (key === 'length') {
    if (!isIndex(String(value)) || Number(value) > target.length) return false
    if (Number(value) < target.length) splice(list, Number(value), target.length - Number(value), [])
    return true
  }
  if (typeof key === 'symbol' || !isIndex(key) || Number(key) > target.length) return false
  const index = Number(key)
  if (index === target.length) splice(list, index, 0, [value])
  else target[index] = replace(list, key, value)
  return true
}

/** How many elements are passed to one call: tens of thousands of arguments overflow the stack. */
const MAX_ARGUMENTS = 10_000

function splice(
  { recording, target, path }: Recorded<unknown[]>,
  start: number,
  count: number,
  items: readonly unknown[],
): unknown[] {
  const at = [...path, String(start)]
  const added = items.map(item => copyIn(recording, item, at))
  for (let i = 0; i < count; i++) recording.edits.push({ op: 'delete', path: at })
  for (const [i, { stored: value }] of added.entries()) {
    recording.edits.push({ op: 'insert', path: [...path, String(start + i)], value })
  }
  const removed = target.splice(start, count)
  for (let from = 0; from < added.length; from += MAX_ARGUMENTS) {
    const copies = added.slice(from, from + MAX_ARGUMENTS).map(({ copy }) => copy)
    target.splice(start + from, 0, ...copies)
  }
  return removed
}

/** A number as the methods of arrays read it. */
function integerOf(value: unknown): number {
  return Math.trunc(Number(value)) || 0
}
