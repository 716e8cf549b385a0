/**
 * What a number has to reach, and quantities in words.
 *
 * A reach looks at one row: at the ratio of ours to the other side, or at our own quantity.
 */

/** Asks for a ratio of at least `limit`. */
export const ratioAtLeast = (limit, words = `≥ ${limit}×`) => ({ words, isMet: ({ ratio }) => ratio >= limit })

/** Asks for a ratio of at most `limit`. */
export const ratioAtMost = (limit, words = `≤ ${limit}×`) => ({ words, isMet: ({ ratio }) => ratio <= limit })

/** Asks for a quantity of ours of at least `limit`, in its own unit. */
export const oursAtLeast = (limit, words) => ({ words, isMet: ({ ours }) => ours.value >= limit })

/** Asks for a quantity of ours of at most `limit`, in its own unit. */
export const oursAtMost = (limit, words) => ({ words, isMet: ({ ours }) => ours.value <= limit })

/** A rate, from the times that `takeTurns` gives. */
export const rate = ({ median, best }) => ({
  value: 1 / median,
  words: `${short(1 / median)}/s (best ${short(1 / best)})`,
})

/** A time for one step, from the times that `takeTurns` gives. */
export const time = ({ median, best }) => ({ value: median, words: `${duration(median)} (best ${duration(best)})` })

/** The CPU time of one step, with the time by the clock, from what `takeTurns` gives. */
export const cpuTime = ({ cpu, median }) => ({
  value: cpu.median,
  words: `${duration(cpu.median)} CPU (best ${duration(cpu.best)}), ${duration(median)} by the clock`,
})

/** A time that was measured once. */
export const span = value => ({ value, words: duration(value) })

/** A number of bytes. */
export const bytes = value => ({ value, words: `${Math.round(value).toLocaleString('en-US')} B` })

/** A number of things. */
export const amount = (value, of = '') => ({ value, words: `${value.toLocaleString('en-US')} ${of}`.trim() })

function short(number) {
  if (number >= 10_000) return `${(number / 1000).toFixed(1)} k`
  return number >= 100 ? number.toFixed(0) : number.toFixed(1)
}

function duration(seconds) {
  if (seconds < 1e-3) return `${(seconds * 1e6).toFixed(1)} µs`
  return seconds < 1 ? `${(seconds * 1e3).toFixed(2)} ms` : `${seconds.toFixed(2)} s`
}

/** Completes a row with its ratio, and with whether its reach is met. */
export function judge({ work, ours, other, ratio = other && ours.value / other.value }, reach) {
  const row = { work, ours, other, ratio }
  return { ...row, reach: reach?.words, met: reach?.isMet(row) }
}
