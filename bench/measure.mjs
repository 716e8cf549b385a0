/**
 * Times several sides in short slices that take turns (A, B, A, B, …).
 *
 * A machine that others use too is slow for seconds at a time. Sides that
 * take turns are slow together, so their ratio holds where their times do
 * not. It knows nothing about what the sides do.
 */

/**
 * Runs the sides in turns and gives a result for each name: seconds, and under `cpu` the CPU seconds of the process.
 *
 * A side is `{ name, count, prepare?(from, count), run(from, count) }`: `run` does `count` steps,
 * numbered from `from`, and may give a promise. What `prepare` does before each slice is not timed.
 */
export async function takeTurns(sides, { slices = 15, warmups = 2 } = {}) {
  const times = new Map(sides.map(side => [side.name, { wall: [], cpu: [] }]))
  for (let slice = 0; slice < slices + warmups; slice++) {
    for (const { name, count, prepare, run } of sides) {
      await prepare?.(slice * count, count)
      const start = performance.now()
      const before = process.cpuUsage()
      await run(slice * count, count)
      const { user, system } = process.cpuUsage(before)
      const seconds = (performance.now() - start) / 1000
      if (slice < warmups) continue
      times.get(name).wall.push(seconds / count)
      times.get(name).cpu.push((user + system) / 1e6 / count)
    }
  }
  return Object.fromEntries([...times].map(([name, { wall, cpu }]) => [name, { ...timed(wall), cpu: timed(cpu) }]))
}

function timed(seconds) {
  return { ...summarize(seconds), seconds }
}

/** Gives median and best of times for one step. */
export function summarize(seconds) {
  return { median: median(seconds), best: Math.min(...seconds) }
}

/** Tells how many times the rate of `other` is reached by `ours`: the median over slices that ran side by side. */
export function rateRatio(ours, other) {
  return median(ours.seconds.map((seconds, slice) => other.seconds[slice] / seconds))
}

/** Gives the middle of some numbers. */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
