/**
 * The stored form of targets, with the payloads of Sends.
 *
 * Sends often share a large value. A value that several of them have is stored once. A field of a payload is encrypted
 * like the field of the state that it lies over.
 */

import { encode, isPlainObject, type Stored, setOwn } from '../../../core/index.ts'
import { encryptedAt } from '../../../tree/index.ts'
import { getOrAdd } from '../../model/get-or-add.ts'
import type { Target } from '../../model/run-protocol.ts'
import type { Encoding } from './encoding.ts'

interface StoredSend {
  readonly node: string
  readonly isSend?: boolean
  readonly join?: string
  /** Pairs, because a field may have any name. */
  readonly fields?: readonly (readonly [string, Stored])[]
  /** The fields with shared values, each with the index of its value. */
  readonly held?: readonly (readonly [string, number])[]
  /** A payload that is not a plain object. */
  readonly payload?: Stored
}

/** The targets, an edge as the name of its node; and the shared values. */
export type StoredTargets = readonly [targets: readonly (string | StoredSend)[], shared?: readonly Stored[]]

/** Shorter texts are not shared. */
const MIN_SHARED_LENGTH = 64

export function storedTargets(targets: readonly Target[], encoding: Encoding): StoredTargets {
  const indexes = indexesOfShared(targets)
  const shared: Stored[] = []
  const stored = targets.map(target => {
    const { node, isSend, join, payload } = target
    const plain = { node, ...(isSend ? { isSend } : {}), ...(join === undefined ? {} : { join }) }
    if (!isSend) return join === undefined ? node : plain
    if (!hasFields(payload)) return { ...plain, payload: encode(payload, encoding) }
    const fields: [string, Stored][] = []
    const held: [string, number][] = []
    for (const [field, value] of Object.entries(payload)) {
      const index = indexes.get(field)?.get(value)
      if (index === undefined) fields.push([field, storedField(field, value, encoding)])
      else {
        shared[index] ??= storedField(field, value, encoding)
        held.push([field, index])
      }
    }
    return { ...plain, fields, ...(held.length === 0 ? {} : { held }) }
  })
  return shared.length === 0 ? [stored] : [stored, shared]
}

/** By field and value, the indexes of the values that more than one Send has in that field. */
function indexesOfShared(targets: readonly Target[]): ReadonlyMap<string, ReadonlyMap<unknown, number | undefined>> {
  const indexes = new Map<string, Map<unknown, number | undefined>>()
  let count = 0
  for (const { isSend, payload } of targets) {
    if (!isSend || !hasFields(payload)) continue
    for (const [field, value] of Object.entries(payload)) {
      if (!isWorthSharing(value)) continue
      const known = getOrAdd(indexes, field, () => new Map<unknown, number | undefined>())
      if (!known.has(value)) known.set(value, undefined)
      else if (known.get(value) === undefined) known.set(value, count++)
    }
  }
  return indexes
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

/** The targets of a stored form; `show` decodes a value. */
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
    for (const [field, index] of held) setOwn(sent, field, values[index])
    return { ...plain, payload: sent }
  })
}
