/**
 * Sets an own property, also for the key `__proto__`, where plain assignment would replace the prototype. All code that
 * builds objects from unknown keys uses this.
 */
export function setOwn<T>(target: { [key: string]: T }, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    target[key] = value
  }
}
