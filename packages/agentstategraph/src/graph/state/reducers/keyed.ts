/**
 * Reducers of lists whose elements have an id: `{ unionBy }` and `messages`.
 *
 * An element with an id that is there takes the place of the old one; any other is appended. Messages may also be taken
 * away: `{ remove: id }` takes one, `{ remove: true }` all that came before; an id that is not there (any more) is no
 * error, because two branches may remove the same. An element without an id is never replaced.
 */

import { frozen } from '../frozen.ts'
import { hasSameContent } from '../same-content.ts'
import { assertList, type FieldChange, kindOf, type Reduced, unchanged, whole } from './reduced.ts'

export function replaceBy(field: string, base: unknown, delta: unknown): Reduced {
  return reduceKeyed(`unionBy ${field}`, field, base, delta, () => undefined)
}

export function reduceMessages(base: unknown, delta: unknown): Reduced {
  return reduceKeyed('messages', 'id', base, delta, orderOf)
}

type Order = { readonly remove: unknown } | undefined

function reduceKeyed(
  name: string,
  field: string,
  base: unknown,
  delta: unknown,
  order: (element: unknown) => Order,
): Reduced {
  assertList(name, delta)
  if (base !== undefined && base !== null && !Array.isArray(base)) {
    throw new TypeError(`${name} needs a list in the field, and there is ${kindOf(base)}`)
  }
  const list = new KeyedList(field, base ?? [])
  for (const element of delta) {
    const given = order(element)
    if (given === undefined) list.put(element)
    else if (given.remove === true) list.clear()
    else list.remove(given.remove)
  }
  const value = list.elements()
  if (base === undefined || base === null) return whole(value)
  return list.changes.length === 0 ? unchanged(base) : { value, changes: list.changes }
}

/** Stands where an element was: places stay valid, and removing many costs no new index each. */
const gone = Symbol('gone')

/** A list in the making, which notes what is done to it. */
class KeyedList {
  changes: FieldChange[] = []
  readonly #field: string
  #slots: unknown[]
  #places: Map<unknown, number>
  #goneCount = 0

  constructor(field: string, base: readonly unknown[]) {
    this.#field = field
    this.#slots = [...base]
    this.#places = new Map()
    for (const [place, element] of base.entries()) {
      const id = this.#idOf(element)
      if (id !== undefined) this.#places.set(id, place)
    }
  }

  elements(): readonly unknown[] {
    return this.#goneCount === 0 ? this.#slots : this.#slots.filter(slot => slot !== gone)
  }

  put(element: unknown): void {
    const id = this.#idOf(element)
    const place = id === undefined ? undefined : this.#places.get(id)
    if (place === undefined) {
      if (id !== undefined) this.#places.set(id, this.#slots.length)
      this.#slots.push(element)
      this.changes.push({ op: 'set', path: ['-'], value: element })
    } else if (!hasSameContent(this.#slots[place], element)) {
      this.#slots[place] = element
      this.changes.push({ op: 'set', path: [this.#indexOf(place)], value: element })
    }
  }

  remove(id: unknown): void {
    const place = this.#places.get(id)
    if (place === undefined) return
    this.changes.push({ op: 'delete', path: [this.#indexOf(place)] })
    this.#slots[place] = gone
    this.#places.delete(id)
    this.#goneCount++
  }

  clear(): void {
    this.#slots = []
    this.#places = new Map()
    this.#goneCount = 0
    this.changes = [{ op: 'set', path: [], value: frozen([]) }]
  }

  /** The index that a place has in the list as it is now. */
  #indexOf(place: number): string {
    if (this.#goneCount === 0) return `${place}`
    let index = 0
    for (let i = 0; i < place; i++) if (this.#slots[i] !== gone) index++
    return `${index}`
  }

  #idOf(element: unknown): unknown {
    if (typeof element !== 'object' || element === null) return undefined
    const id = (element as { readonly [key: string]: unknown })[this.#field]
    return id === null ? undefined : id
  }
}

/** An object that says nothing but `remove` is an order; a message may have a part of that name among others. */
function orderOf(element: unknown): Order {
  if (typeof element !== 'object' || element === null || !('remove' in element)) return undefined
  return Object.keys(element).length === 1 ? element : undefined
}
