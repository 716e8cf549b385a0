/** What the viewer of bundles needs; for this workspace alone, and may change in any version. */

export { encode, isStateError } from '../core/index.ts'
export type { Blame, CommitFilter } from '../repo/index.ts'
export { type Bundle, openBundle } from '../trust/bundle/open.ts'
export { verifyBundle } from '../trust/bundle/read.ts'
