/**
 * Writing a key into an object as data, whatever the key is.
 *
 * Plain assignment to `__proto__` would replace the prototype; every place that builds objects from keys it does not
 * know goes through here.
 */

/** Sets an own property, also for the key `__proto__`. */
export function setOwn<T>(target: { [key: string]: T }, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    target[key] = value
  }
}
