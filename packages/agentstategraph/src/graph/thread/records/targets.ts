/**
 * Where tokens go, as it is stored, with what each Send carries.
 *
 * Sends often carry one large value together. What several of them hold is stored once, so a thousand Sends of it cost one.
 * A field that was sent is protected as the field of the state that it lies over.
 */

import { encode, isPlainObject, type Stored, setOwn } from '../../../core/index.ts'
import { encryptedAt } from '../../../tree/index.ts'
import type { Target } from '../../model/run-protocol.ts'
import type { Encoding } from './encoding.ts'

interface StoredSend {
  readonly node: string
  readonly isSend?: boolean
  readonly join?: string
  /** Pairs, because a field may be called anything. */
  readonly fields?: readonly (readonly [string, Stored])[]
  /** The fields whose values others hold too, each with its place among what is shared. */
  readonly held?: readonly (readonly [string, number])[]
  /** What was sent, when it has no fields. */
  readonly payload?: Stored
}

/** The targets, an edge as the name of its node; and what several of them hold. */
export type StoredTargets = readonly [targets: readonly (string | StoredSend)[], shared?: readonly Stored[]]

/** A shorter text is not worth a place of its own. */
const MIN_SHARED_LENGTH = 64

export function storedTargets(targets: readonly Target[], encoding: Encoding): StoredTargets {
  const places = placesOfShared(targets)
  const shared: Stored[] = []
  const stored = targets.map(target => {
    const { node, isSend, join, payload } = target
    const plain = { node, ...(isSend ? { isSend } : {}), ...(join === undefined ? {} : { join }) }
    if (!isSend) return join === undefined ? node : plain
    if (!hasFields(payload)) return { ...plain, payload: encode(payload, encoding) }
    const fields: [string, Stored][] = []
    const held: [string, number][] = []
    for (const [field, value] of Object.entries(payload)) {
      const place = places.get(field)?.get(value)
      if (place === undefined) fields.push([field, storedField(field, value, encoding)])
      else {
        shared[place] ??= storedField(field, value, encoding)
        held.push([field, place])
      }
    }
    return { ...plain, fields, ...(held.length === 0 ? {} : { held }) }
  })
  return shared.length === 0 ? [stored] : [stored, shared]
}

/** By field and value, the places of those values that more than one Send holds in that field. */
function placesOfShared(targets: readonly Target[]): ReadonlyMap<string, ReadonlyMap<unknown, number | undefined>> {
  const places = new Map<string, Map<unknown, number | undefined>>()
  let count = 0
  for (const { isSend, payload } of targets) {
    if (!isSend || !hasFields(payload)) continue
    for (const [field, value] of Object.entries(payload)) {
      if (!isWorthSharing(value)) continue
      const known = places.get(field) ?? new Map<unknown, number | undefined>()
      places.set(field, known)
      if (!known.has(value)) known.set(value, undefined)
      else if (known.get(value) === undefined) known.set(value, count++)
    }
  }
  return places
}

function isWorthSharing(value: unknown): boolean {
  return typeof value === 'string' ? value.length >= MIN_SHARED_LENGTH : typeof value === 'object' && value !== null
}

function hasFields(payload: unknown): payload is object {
  return typeof payload === 'object' && payload !== null && isPlainObject(payload)
}

function storedField(field: string, value: unknown, encoding: Encoding): Stored {
  const at = [field]
  return encryptedAt(encoding.encryption, at, encode(value, { ...encoding, at }))
}

/** The targets again; `show` makes a value of what is stored. */
export function targetsFrom([targets, shared = []]: StoredTargets, show: (stored: Stored) => unknown): Target[] {
  const values = shared.map(show)
  return targets.map(target => {
    if (typeof target === 'string') return { node: target, isSend: false }
    const { node, isSend = false, join, fields, held = [], payload } = target
    const plain = { node, isSend, ...(join === undefined ? {} : { join }) }
    if (!isSend) return plain
    if (fields === undefined) return { ...plain, payload: show(payload!) }
    const sent: Record<string, unknown> = {}
    for (const [field, value] of fields) setOwn(sent, field, show(value))
    for (const [field, place] of held) setOwn(sent, field, values[place])
    return { ...plain, payload: sent }
  })
}
