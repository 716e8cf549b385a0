/**
 * Checks the Merkle log: the derived hashes against the leaves, and the leaves against the roots that seals and key
 * changes recorded.
 *
 * An entry that was rewritten together with its leaf is consistent in itself, but does not match the roots in later
 * entries. Signatures are not checked here, because the public keys are not in the store. Only signatures reveal a store
 * that was rewritten up to its end.
 */

import { toBase64 } from '../../core/index.ts'
import { findMark, type Handle, keyChanges, listEpochs, rootAt, wrongHashes } from '../../repo/index.ts'
import type { Work } from '../../store/index.ts'
import type { DamageList } from './damage.ts'

export function* checkLog({ journal }: Handle, damage: DamageList): Work<void> {
  const wrong = yield* wrongHashes(journal)
  for (const { level, index } of wrong) {
    damage.add(
      'Merkle log',
      `hash ${index} of level ${level} is not that of the entries below it; reindex makes it anew`,
    )
  }
  // Wrong derived hashes would make every root look wrong.
  if (wrong.length > 0) return
  for (const { id, seal } of yield* listEpochs()) {
    if (seal?.proof === undefined) continue
    const root = toBase64(yield* rootAt(journal, seal.seq))
    const { root: written, signed } = seal.proof
    if (root !== written) damage.add(`epoch ${id}`, `the entries up to ${seal.seq} are not those that were sealed`)
    if (signed !== undefined && !isHeadOf(signed, seal.seq, root)) {
      damage.add(`epoch ${id}`, `its signed head is not that of the entries up to ${seal.seq}`)
    }
  }
  for (const { seq, signed } of yield* keyChanges()) {
    if (signed !== undefined && !isHeadOf(signed.note, seq, toBase64(yield* rootAt(journal, seq)))) {
      damage.add(`key change ${seq}`, `its signed head is not that of the entries up to ${seq}`)
    }
  }
}

function isHeadOf(note: string, size: number, root: string): boolean {
  const head = findMark(note)
  return head?.size === size && toBase64(head.root) === root
}
