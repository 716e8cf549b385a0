/** Makes a clock for tests: the first read returns `start`, and each read advances it by `stepMs`. */
export function steppingClock(start = '2026-01-01T00:00:00.000Z', stepMs = 1): () => Date {
  let next = Date.parse(start)
  return () => {
    const now = new Date(next)
    next += stepMs
    return now
  }
}
