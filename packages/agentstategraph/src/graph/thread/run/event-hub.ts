/**
 * Numbers the events of one run and gives them to listeners.
 *
 * Numbers only grow. Updates and states are numbered with or without listeners, and the numbers are kept in the journal,
 * so that another process gives the same event the same number. All other events reach only the listeners of this
 * process. Events of kinds that were not asked for are neither made nor remembered; the others are remembered for
 * listeners that join later.
 */

import { leastOf } from '../../../core/index.ts'
import type { EngineEvent } from '../../engine/facts/events.ts'
import type { EventKind, GraphEvent } from '../../model/event-types.ts'
import type { GraphTypes } from '../../model/graph-types.ts'

export type AnyEvent = GraphEvent<GraphTypes>

/** How many events are remembered for listeners that join. */
const REMEMBERED = 4096
/** Each run begins at a multiple of this: a killed run may have emitted more events than the journal knows. */
const JUMP = 2 ** 20

/** The number before the first of a run, when the last known number of the thread is given. */
export function numbersAfter(last: number): number {
  return Math.ceil((last + 1) / JUMP) * JUMP
}

/** The events of a run for one listener. */
export interface Feed extends AsyncIterator<AnyEvent, void, undefined> {
  /** The number of the last event before it began to listen. */
  readonly from: number
}

export class EventHub {
  readonly #thread: string | undefined
  readonly #remembered: AnyEvent[] = []
  readonly #asked = new Set<EventKind>()
  readonly #listeners = new Set<Listener>()
  /** The first of each block of reserved numbers. */
  readonly #reserved = new Set<number>()
  /** Events that wait for those with earlier numbers. */
  #held: AnyEvent[] = []
  #start: number
  #last: number
  #end: { readonly error?: unknown } | undefined

  constructor(thread: string | undefined, last: number, asked: readonly EventKind[]) {
    this.#thread = thread
    this.#start = last
    this.#last = last
    for (const kind of asked) this.#asked.add(kind)
  }

  /** The number before the first of this run. */
  get start(): number {
    return this.#start
  }

  get last(): number {
    return this.#last
  }

  /** Sets the number to start after. It is called before the first event. */
  startAfter(last: number): void {
    this.#start = last
    this.#last = last
  }

  wants(kind: EventKind): boolean {
    return this.#asked.has(kind)
  }

  /**
   * Reserves numbers for events whose content is being kept, and returns the first.
   *
   * Events with later numbers wait until these are released, so a listener that has seen a number has seen all before it.
   */
  reserve(count: number): number {
    const first = this.#last + 1
    this.#last += count
    this.#reserved.add(first)
    return first
  }

  /** Releases reserved numbers: their events have been emitted, or never will be. */
  release(first: number): void {
    this.#reserved.delete(first)
    if (this.#held.length === 0) return
    const next = leastOf(this.#reserved)
    const held = this.#held.sort((a, b) => a.seq - b.seq)
    this.#held = held.filter(({ seq }) => seq >= next)
    for (const event of held) if (event.seq < next) this.#give(event)
  }

  /** Emits an event with a reserved number, or with the next one. */
  emit(event: EngineEvent, seq: number = ++this.#last): void {
    if (!this.#asked.has(event.kind)) return
    const numbered = { ...event, seq, ...(this.#thread === undefined ? {} : { thread: this.#thread }) } as AnyEvent
    if (this.#reserved.size > 0) this.#held.push(numbered)
    else this.#give(numbered)
  }

  #give(event: AnyEvent): void {
    this.#remembered.push(event)
    if (this.#remembered.length > 2 * REMEMBERED) this.#remembered.splice(0, REMEMBERED)
    for (const listener of this.#listeners) listener.hear(event)
  }

  /** The remembered events of these kinds after a number. */
  remembered(kinds: ReadonlySet<EventKind>, after: number): readonly AnyEvent[] {
    return this.#remembered.filter(event => event.seq > after && kinds.has(event.kind))
  }

  /** Begins to listen. Events from now on are buffered until they are taken. */
  listen(kinds: ReadonlySet<EventKind>): Feed {
    for (const kind of kinds) this.#asked.add(kind)
    const listener = new Listener(kinds, this.#last, one => this.#listeners.delete(one))
    if (this.#end === undefined) this.#listeners.add(listener)
    else listener.end(this.#end)
    return listener
  }

  /** Ends the events, with an error when the run threw one. */
  end(end: { readonly error?: unknown }): void {
    this.#end ??= end
    for (const listener of this.#listeners) listener.end(this.#end)
    this.#listeners.clear()
  }
}

class Listener implements Feed {
  readonly from: number
  readonly #kinds: ReadonlySet<EventKind>
  readonly #leave: (listener: Listener) => void
  #heard: AnyEvent[] = []
  #taken = 0
  #end: { readonly error?: unknown } | undefined
  #waiting: ((nothing?: undefined) => void) | undefined

  constructor(kinds: ReadonlySet<EventKind>, from: number, leave: (listener: Listener) => void) {
    this.#kinds = kinds
    this.from = from
    this.#leave = leave
  }

  hear(event: AnyEvent): void {
    if (!this.#kinds.has(event.kind)) return
    this.#heard.push(event)
    this.#wake()
  }

  end(end: { readonly error?: unknown }): void {
    this.#end ??= end
    this.#wake()
  }

  #wake(): void {
    this.#waiting?.()
    this.#waiting = undefined
  }

  async next(): Promise<IteratorResult<AnyEvent, void>> {
    for (;;) {
      const event = this.#heard[this.#taken]
      if (event !== undefined) {
        this.#taken++
        if (this.#taken === this.#heard.length) {
          this.#heard = []
          this.#taken = 0
        }
        return { done: false, value: event }
      }
      const end = this.#end
      if (end !== undefined) {
        // The error is thrown once.
        this.#end = {}
        if ('error' in end) throw end.error
        return { done: true, value: undefined }
      }
      await new Promise<void>(resolve => {
        this.#waiting = resolve
      })
    }
  }

  async return(): Promise<IteratorResult<AnyEvent, void>> {
    this.#leave(this)
    this.#heard = []
    this.#end = {}
    this.#wake()
    return { done: true, value: undefined }
  }
}
