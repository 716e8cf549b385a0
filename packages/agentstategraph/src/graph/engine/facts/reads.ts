/**
 * What a node read of its state, for nodes that cache.
 *
 * The node is handed stand-ins that note each path on the way down, whether or not there is something at its end: that a
 * key is not there is a part of what was read. Only the deepest paths count, because a path also tells what kind of
 * container each one above it is. A node that lists keys, or reads many parts of one container, has read the container. `Map`,
 * `Set`, `Date` and the like are read whole. Nodes that do not cache never meet a stand-in.
 */

import { formatPath, isPlainObject } from '../../../core/index.ts'

/** More parts than this, and the container is what was read. */
const PARTS_AT_MOST = 32

interface Seen {
  isWhole: boolean
  readonly parts: Map<string, Seen>
}

export interface TrackedState<T> {
  readonly state: T
  /** The paths read so far, sorted. */
  reads(): readonly string[]
}

/** What stands behind each stand-in, so that none gets into an update. */
const originals = new WeakMap<object, { readonly value: object; readonly seen: Seen }>()

export function tracked<T extends object>(state: T): TrackedState<T> {
  return newTracker()(state)
}

/** Tracks several copies of one state, and notes what is read of any of them together. */
export function newTracker(): <T extends object>(state: T) => TrackedState<T> {
  const seen = newSeen()
  return <T extends object>(state: T) => ({
    state: proxyOf(state, seen) as T,
    reads: () => pathsOf(seen, []).sort(),
  })
}

function newSeen(): Seen {
  return { isWhole: false, parts: new Map() }
}

/** What has parts that are read one by one. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && (Array.isArray(value) || isPlainObject(value))
}

function partOf(seen: Seen, key: string): Seen {
  let part = seen.parts.get(key)
  if (part === undefined) {
    part = newSeen()
    seen.parts.set(key, part)
    if (seen.parts.size > PARTS_AT_MOST) seen.isWhole = true
  }
  return part
}

function proxyOf(value: object, seen: Seen): object {
  const children = new Map<string, object>()
  const note = (key: PropertyKey): void => {
    if (typeof key !== 'symbol') partOf(seen, key as string)
  }
  const read = (key: PropertyKey, part: unknown): unknown => {
    if (typeof key === 'symbol') return part
    const below = partOf(seen, key as string)
    if (!isContainer(part)) return part
    let child = children.get(key as string)
    if (child === undefined) {
      child = proxyOf(part, below)
      children.set(key as string, child)
    }
    return child
  }
  const refuse = (verb: string, key: PropertyKey): never => {
    throw new TypeError(`Cannot ${verb} property '${String(key)}' of the state`)
  }
  // The target is a blank of the same kind: the language forbids a proxy of a frozen object to answer with stand-ins.
  const blank: object = Array.isArray(value) ? [] : {}
  const proxy = new Proxy(blank, {
    get: (_, key) => {
      const part = Reflect.get(value, key) as unknown
      // The methods of a list are no parts of it. A map may have a key of any name, also one that all objects inherit.
      const isMethod = Array.isArray(value) && part !== undefined && !Object.hasOwn(value, key)
      if (isMethod) return part
      if (Object.hasOwn(value, key)) return read(key, part)
      note(key)
      return part
    },
    has: (_, key) => {
      note(key)
      return Reflect.has(value, key)
    },
    ownKeys: () => {
      seen.isWhole = true
      return Reflect.ownKeys(value)
    },
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(value, key)
      if (found === undefined) return void note(key)
      const isLength = Array.isArray(value) && key === 'length'
      return { ...found, value: read(key, found.value), writable: true, configurable: !isLength }
    },
    getPrototypeOf: () => Reflect.getPrototypeOf(value),
    set: (_, key) => refuse('assign to read only', key),
    defineProperty: (_, key) => refuse('assign to read only', key),
    deleteProperty: (_, key) => refuse('delete', key),
  })
  originals.set(proxy, { value, seen })
  return proxy
}

/** A part counts when nothing deeper was read through it. */
function pathsOf(seen: Seen, path: readonly string[]): string[] {
  if (seen.isWhole) return [formatPath(path)]
  return [...seen.parts].flatMap(([key, part]) => {
    const below = [...path, key]
    return part.parts.size === 0 ? [formatPath(below)] : pathsOf(part, below)
  })
}

/** The same value with the originals in place of stand-ins; each that is found has been read whole. */
export function withoutProxies<T>(value: T): T {
  return original(value, new Set()) as T
}

function original(value: unknown, around: Set<object>): unknown {
  if (typeof value !== 'object' || value === null || around.has(value)) return value
  const known = originals.get(value)
  if (known !== undefined) {
    known.seen.isWhole = true
    return known.value
  }
  if (!isContainer(value)) return value
  around.add(value)
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => [key, original(part, around)])
  around.delete(value)
  const isSame = entries.every(([key, part]) => (value as Readonly<Record<string, unknown>>)[key] === part)
  if (isSame) return value
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries)
}
