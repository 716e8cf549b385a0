/** The verifier of bundles in a browser: an entry of its own, for pages that need nothing else. */

export type { BundleCheck } from '../trust/bundle/fault.ts'
export type { Profile } from '../trust/bundle/format.ts'
export type { Inventory } from '../trust/bundle/inventory.ts'
export { type BundleOptions, verifyBundle } from '../trust/bundle/read.ts'
export type { Level, LevelVerdict, Verdict } from '../trust/bundle/verdict.ts'
