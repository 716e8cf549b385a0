/** Whatever was thrown, as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`${String(thrown)} was thrown`, { cause: thrown })
}
