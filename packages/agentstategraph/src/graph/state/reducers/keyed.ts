/**
 * Reducers of lists whose elements have an id: `{ unionBy }` and `messages`.
 *
 * An element replaces the one with the same id; any other is appended. `{ remove: id }` removes a message and
 * `{ remove: true }` all before it. An id that is not there is no error, because two branches may remove the same message.
 * An element without an id is never replaced.
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

/** Marks a removed element, so that slots keep their indexes and removing many elements does not shift them each time. */
const gone = Symbol('gone')

/** A list under edit, with the changes made to it. */
class KeyedList {
  changes: FieldChange[] = []
  readonly #field: string
  #slots: unknown[]
  #slotOfId: Map<unknown, number>
  #goneCount = 0

  constructor(field: string, base: readonly unknown[]) {
    this.#field = field
    this.#slots = [...base]
    this.#slotOfId = new Map()
    for (const [slot, element] of base.entries()) {
      const id = this.#idOf(element)
      if (id !== undefined) this.#slotOfId.set(id, slot)
    }
  }

  elements(): readonly unknown[] {
    return this.#goneCount === 0 ? this.#slots : this.#slots.filter(slot => slot !== gone)
  }

  put(element: unknown): void {
    const id = this.#idOf(element)
    const slot = id === undefined ? undefined : this.#slotOfId.get(id)
    if (slot === undefined) {
      if (id !== undefined) this.#slotOfId.set(id, this.#slots.length)
      this.#slots.push(element)
      this.changes.push({ op: 'set', path: ['-'], value: element })
    } else if (!hasSameContent(this.#slots[slot], element)) {
      this.#slots[slot] = element
      this.changes.push({ op: 'set', path: [this.#indexOf(slot)], value: element })
    }
  }

  remove(id: unknown): void {
    const slot = this.#slotOfId.get(id)
    if (slot === undefined) return
    this.changes.push({ op: 'delete', path: [this.#indexOf(slot)] })
    this.#slots[slot] = gone
    this.#slotOfId.delete(id)
    this.#goneCount++
  }

  clear(): void {
    this.#slots = []
    this.#slotOfId = new Map()
    this.#goneCount = 0
    this.changes = [{ op: 'set', path: [], value: frozen([]) }]
  }

  /** The current index of the element in a slot. */
  #indexOf(slot: number): string {
    if (this.#goneCount === 0) return `${slot}`
    let index = 0
    for (let i = 0; i < slot; i++) if (this.#slots[i] !== gone) index++
    return `${index}`
  }

  #idOf(element: unknown): unknown {
    if (typeof element !== 'object' || element === null) return undefined
    const id = (element as { readonly [key: string]: unknown })[this.#field]
    return id === null ? undefined : id
  }
}

/** An object with no property but `remove` is an order; a message may have other properties beside it. */
function orderOf(element: unknown): Order {
  if (typeof element !== 'object' || element === null || !('remove' in element)) return undefined
  return Object.keys(element).length === 1 ? element : undefined
}
