import { readFileSync } from 'node:fs'

/** How long the main thread was on a processor: what other processes take does not count. Linux tells it. */
export function threadSeconds() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9
  } catch {
    return Number.NaN
  }
}
