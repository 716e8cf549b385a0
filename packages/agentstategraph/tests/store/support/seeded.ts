/** Chance that can be repeated: the same seed gives the same numbers. */

/** Makes a source of numbers from 0 to below 1. Another seed of the run gives others. */
export function seeded(seed: number): () => number {
  let state = (seed + Math.imul(Number(process.env['ASG_SEED']), 0x9e3779b1)) >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
}
