/** Typed control flow whose every step is a commit. */

export type { GraphErrors } from './errors.ts'
