/** A scratch that spills to a temporary file, or stays in memory on runtimes without files. */

import { type Scratch, scratchWith } from '../store/contract/scratch.ts'

export async function openScratch(): Promise<Scratch> {
  // Loaded when it is needed, because a browser cannot load it.
  const files = await import('../backends/sqlite/spill.ts').catch(() => undefined)
  return scratchWith(files?.openSpill)
}
