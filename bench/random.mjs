/** Numbers that look random and are the same on every run. */

/** Creates a source of whole numbers below a limit; equal seeds give equal numbers. */
export function randomSource(seed) {
  let state = seed
  return limit => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return Math.floor((((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32) * limit)
  }
}
