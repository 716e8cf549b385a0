/**
 * Who waits to land on a ref, in this process, where the backend answers with promises or the caller can wait.
 *
 * The first to come leads: it lands, and takes along those who wait. Those who could not be taken along stay in their order,
 * and when the leader is done the next one leads. This file knows nothing of landings.
 */

import { eventLoop } from '../store/index.ts'

/** The queue of each ref on which landings are under way. */
export type LandingQueues = Map<string, LandingQueue>

export interface LandingQueue {
  waiting: Waiting[]
  /** Whether the last append took others along. */
  isShared: boolean
  /** Whether those who wait did not fit into one append, and land one by one until none waits. */
  isSplit: boolean
}

/** One who waits: what is to be landed, as the leader knows it, and how to tell what became of it. */
export interface Waiting<L = unknown, O = unknown> {
  readonly landing: L
  readonly resolve: (turn: Turn<O>) => void
  readonly reject: (error: unknown) => void
}

/** The answer to one who entered: it leads, or it was taken along. */
export type Turn<O> = { readonly kind: 'lead' } | { readonly kind: 'landed'; readonly outcome: O }

/**
 * Enters the queue of a ref. One who comes to an empty queue leads: at once, or with `gathers` a turn of the event loop later, so that
 * those who come in this one are taken along.
 */
export function enterQueue<L, O>(
  queues: LandingQueues,
  ref: string,
  landing: L,
  gathers: boolean,
): Turn<O> | Promise<Turn<O>> {
  const queue = queues.get(ref)
  if (queue === undefined) {
    queues.set(ref, { waiting: [], isShared: false, isSplit: false })
    return gathers ? eventLoop.nextTurn().then(() => ({ kind: 'lead' })) : { kind: 'lead' }
  }
  return new Promise((resolve, reject) => {
    queue.waiting.push({ landing, resolve, reject } as Waiting)
  })
}

/**
 * Ends a lead. After an append for several, or where others wait, the next one begins a turn of the event loop later: by then,
 * those whose writes were just answered have come back, and one append takes all of them.
 */
export function leaveQueue(queues: LandingQueues, ref: string): void {
  const queue = queues.get(ref)!
  if (queue.waiting.length === 0 && !queue.isShared) queues.delete(ref)
  else void eventLoop.nextTurn().then(() => lead(queues, ref, queue))
}

function lead(queues: LandingQueues, ref: string, queue: LandingQueue): void {
  const next = queue.waiting.shift()
  queue.isShared = false
  if (next === undefined) queues.delete(ref)
  else next.resolve({ kind: 'lead' })
}
