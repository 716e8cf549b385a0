/** Reducers of fields with a single value: numbers, texts, dates, and the first or last of several writes. */

import { hasSameContent } from '../same-content.ts'
import { kindOf, type Reduced, unchanged, whole } from './reduced.ts'

/** The last write counts. Unlike a field without a reducer, two branches may write it. */
export function last(_base: unknown, delta: unknown): Reduced {
  return whole(delta)
}

/** The first write counts. A field with its initial value counts as not written. */
export function first(base: unknown, delta: unknown, initial: unknown): Reduced {
  return base === undefined || hasSameContent(base, initial) ? whole(delta) : unchanged(base)
}

export function sum(base: unknown, delta: unknown): Reduced {
  if (typeof delta !== 'number' && typeof delta !== 'bigint') {
    throw new TypeError(`sum takes a number, and was given ${kindOf(delta)}`)
  }
  if (base === undefined || base === null) return whole(delta)
  if (typeof base !== typeof delta) throw new TypeError(`sum cannot add ${kindOf(delta)} to ${kindOf(base)}`)
  return whole((base as number) + (delta as number))
}

export function largest(base: unknown, delta: unknown): Reduced {
  return chosen('max', base, delta, (there, given) => given > there)
}

export function smallest(base: unknown, delta: unknown): Reduced {
  return chosen('min', base, delta, (there, given) => given < there)
}

type Ordered = number | bigint | string | Date

function chosen(
  name: string,
  base: unknown,
  delta: unknown,
  wins: (base: Ordered, delta: Ordered) => boolean,
): Reduced {
  if (!isOrdered(delta)) {
    throw new TypeError(`${name} takes a number, a text or a Date, and was given ${kindOf(delta)}`)
  }
  // NaN cannot be compared, so any other value replaces it.
  if (base === undefined || base === null || Number.isNaN(base)) return whole(delta)
  if (kindOf(base) !== kindOf(delta)) {
    throw new TypeError(`${name} cannot compare ${kindOf(delta)} with ${kindOf(base)}`)
  }
  return wins(base as Ordered, delta) ? whole(delta) : unchanged(base)
}

function isOrdered(value: unknown): value is Ordered {
  return ['number', 'bigint', 'string'].includes(typeof value) || value instanceof Date
}
