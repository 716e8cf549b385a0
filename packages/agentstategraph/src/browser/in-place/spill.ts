/** A page has no files: what work gathers stays in memory. */

import type { Spill } from '../../store/contract/scratch.ts'

export const openSpill: (() => Spill) | undefined = undefined
