/**
 * The assertions of the conformance suites, which therefore run under any test runner.
 *
 * A failed check throws an ordinary error whose message says what was expected and what was found.
 */

/** Fails with a message unless the condition holds. */
export function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

/** Fails unless both are equal in content; bytes are compared as bytes, and a missing property equals an undefined one. */
export function checkEqual(actual: unknown, expected: unknown, what: string): void {
  const found = shown(actual)
  const wanted = shown(expected)
  check(found === wanted, `${what}: expected ${wanted}, found ${found}`)
}

/** Fails unless the call throws, or its promise rejects, with a `StateError` of this code. */
export async function checkRefuses(call: () => unknown, code: string, what: string): Promise<void> {
  let found: unknown
  try {
    await call()
  } catch (e) {
    found = e
  }
  check(found !== undefined, `${what}: expected "${code}", and nothing was thrown`)
  const actual = found instanceof Error && 'code' in found ? found.code : String(found)
  checkEqual(actual, code, what)
}

function shown(value: unknown): string {
  return JSON.stringify(plain(value)) ?? 'undefined'
}

/** A normal form: bytes of any class as one shape, and properties in one order. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Array.from(value) }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([key, part]) => [key, plain(part)]))
}
