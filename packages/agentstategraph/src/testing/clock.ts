/** A clock for tests: it starts where it is told and steps each time it is read, so that no two moments are equal. */

/** Makes a clock that gives `start`, then moments `stepMs` apart. */
export function steppingClock(start = '2026-01-01T00:00:00.000Z', stepMs = 1): () => Date {
  let next = Date.parse(start)
  return () => {
    const now = new Date(next)
    next += stepMs
    return now
  }
}
