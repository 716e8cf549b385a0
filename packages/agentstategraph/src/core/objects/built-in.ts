/**
 * Tells plain objects and instances of built-in classes from all other objects.
 *
 * The test uses internal slots and the shape of the prototype chain, never `instanceof`, so that objects of another realm
 * count and objects of a subclass do not. This file knows nothing of how values are stored.
 */

/** The classes of the language and the platform whose values can be stored, beyond plain objects. */
export type BuiltIn = 'Array' | 'ArrayBuffer' | 'Date' | 'Map' | 'RegExp' | 'Set' | 'URL' | ViewName

/** The kinds of views on bytes. */
export type ViewName = (typeof viewNames)[number]

/** The kinds of views on bytes, `Float16Array` also where the runtime has none. */
export const viewNames = [
  'Uint8Array',
  'Uint8ClampedArray',
  'Int8Array',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'BigUint64Array',
  'BigInt64Array',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'DataView',
] as const

type Getter = (this: unknown) => unknown

// Annotated as pure, so that a bundler leaves out what a page does not use.
const slots = /* @__PURE__ */ slotsByClass()
const typedArrayName = /* @__PURE__ */ getterOf(
  Object.getPrototypeOf(Uint8Array.prototype) as object,
  Symbol.toStringTag,
)

/** Each throws when its receiver is not of that class, whatever it inherits from. */
function slotsByClass(): ReadonlyMap<string, Getter> {
  return new Map<string, Getter>([
    ['ArrayBuffer', getterOf(ArrayBuffer.prototype, 'byteLength')],
    ['DataView', getterOf(DataView.prototype, 'byteLength')],
    ['Date', Date.prototype.getTime],
    ...(typeof DOMException === 'function'
      ? [['DOMException', getterOf(DOMException.prototype, 'name')] as const]
      : []),
    ['Map', getterOf(Map.prototype, 'size')],
    ['RegExp', getterOf(RegExp.prototype, 'source')],
    ['Set', getterOf(Set.prototype, 'size')],
    ['URL', getterOf(URL.prototype, 'href')],
  ])
}

function getterOf(prototype: object, name: PropertyKey): Getter {
  return Object.getOwnPropertyDescriptor(prototype, name)!.get!
}

/** Whether an object is plain: an object literal, or one without a prototype. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || isRootPrototype(prototype as object)
}

/** The class of an object, when it is one that can be stored and not a subclass of it. */
export function findBuiltIn(value: object): BuiltIn | undefined {
  if (Array.isArray(value)) return hasOwnClass(value, 'Array', 1) ? 'Array' : undefined
  const typed = typedArrayName.call(value) as ViewName | undefined
  if (typed !== undefined) {
    const isOne = hasOwnClass(value, typed, 2) || (typed === 'Uint8Array' && hasOwnClass(value, 'Buffer', 3))
    return isOne && viewNames.includes(typed) ? typed : undefined
  }
  const name = Object.prototype.toString.call(value).slice(8, -1)
  return hasSlot(value, name) && hasOwnClass(value, name, 1) ? (name as BuiltIn) : undefined
}

/** The name of an object's class, for messages only. */
export function classNameOf(value: object): string {
  const name: unknown = typeof value.constructor === 'function' ? value.constructor.name : undefined
  return typeof name === 'string' && name !== '' ? name : Object.prototype.toString.call(value).slice(8, -1)
}

/** Whether an object has the internal slots of a class, whatever it inherits from. */
export function hasSlot(value: object, name: string): boolean {
  try {
    const slot = slots.get(name)
    slot?.call(value)
    return slot !== undefined
  } catch {
    return false
  }
}

/** Whether the first prototype is that class's own, with `levels` prototypes before the root of the chain. */
export function hasOwnClass(value: object, name: string, levels: number): boolean {
  let prototype = Object.getPrototypeOf(value) as object | null
  if (prototype?.constructor?.name !== name) return false
  for (let level = 0; level < levels; level++) {
    if (prototype === null) return false
    prototype = Object.getPrototypeOf(prototype) as object | null
  }
  return prototype !== null && isRootPrototype(prototype)
}

/** Whether an object is the `Object.prototype` of some realm. */
function isRootPrototype(value: object): boolean {
  return Object.getPrototypeOf(value) === null && Object.hasOwn(value, 'isPrototypeOf')
}
