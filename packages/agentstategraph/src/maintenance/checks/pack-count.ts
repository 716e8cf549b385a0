/**
 * Compares the total of packs that a backend keeps with the bytes of the packs that were read.
 *
 * Packs may be added and dropped meanwhile, each time with a new entry: then nothing can be said.
 */

import { ask, type PackTotal, type Work } from '../../store/index.ts'
import type { DamageList } from './damage.ts'

export interface PackCount {
  /** Adds the bytes of the pack of an entry. */
  add(seq: number, bytes: number): void
  /** Reports a total that is not what was added. */
  compare(damage: DamageList): Work<void>
}

/** The state of a journal before its packs are read. */
interface Before {
  readonly newest: number
  readonly total: PackTotal | undefined
}

export function* packCount(): Work<PackCount> {
  const before = yield* look()
  let counted = 0
  return {
    add(seq, bytes) {
      if (seq <= (before.total?.to ?? 0)) counted += bytes
    },
    *compare(damage): Work<void> {
      const { total } = before
      if (total === undefined || total.bytes === counted) return
      const { newest } = yield* look()
      if (newest === before.newest)
        damage.add('total of packs', `it is ${total.bytes} bytes, and the packs have ${counted}`)
    },
  }
}

function* look(): Work<Before> {
  const { seq: newest } = yield* ask(log => log.head())
  return { newest, total: yield* ask(log => log.packTotal?.()) }
}
