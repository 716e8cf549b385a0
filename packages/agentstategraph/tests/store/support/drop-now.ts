/** Dropping packs as the journal is now, whatever refs need. */
import type { Log } from '../../../src/store/index.ts'
import { seenOf } from '../../../src/testing/samples.ts'

export async function dropNow(log: Log, seqs: readonly number[]): Promise<void> {
  if (!(await log.dropPacks(seqs, await seenOf(log)))) throw new Error('An entry was added while packs were dropped')
}
