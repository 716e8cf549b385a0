/** A page has no files: what work gathers stays in memory. */

import { type Scratch, scratchWith } from '../../store/contract/scratch.ts'

export async function openScratch(): Promise<Scratch> {
  return scratchWith(undefined)
}
