/** Gathers commits until there are enough of them for one append. */

import { maxImported } from '../../store/index.ts'
import type { SeqNumbers } from '../seq-numbers.ts'
import { type Incoming, type Receiver, receive } from './receive.ts'

/** The characters of texts after which no other commit is added: what is gathered is in memory. */
const MAX_LENGTH = 2 ** 18

export interface Batches {
  /** Whether a commit waits to be received, by its entry in the source. */
  has(seq: number): boolean
  /** Adds a commit; whether those that wait have to be received before another one is added. */
  add(incoming: Incoming): boolean
  /** Receives those that wait. */
  flush(): Promise<void>
}

/** `numbers` gets the sequence number of each received commit, by that of its entry in the source. */
export function batches(receiver: Receiver, numbers: SeqNumbers, seqHere: (seq: number) => number): Batches {
  let waiting: Incoming[] = []
  let waitingSeqs = new Set<number>()
  let length = 0
  return {
    has: seq => waitingSeqs.has(seq),
    add(incoming) {
      waiting.push(incoming)
      waitingSeqs.add(incoming.seq)
      length += lengthOf(incoming)
      return waiting.length === maxImported || length >= MAX_LENGTH
    },
    async flush() {
      if (waiting.length === 0) return
      const received = waiting
      waiting = []
      waitingSeqs = new Set()
      length = 0
      const seqs = await receiver.handle.journal.run(receive(receiver, received, seqHere))
      for (const [i, { seq }] of received.entries()) numbers.set(seq, seqs[i]!)
    },
  }
}

function lengthOf({ commit: { text, nodes } }: Incoming): number {
  return nodes.reduce((sum, node) => sum + ('leaf' in node ? node.leaf : node.text).length, text.length)
}
