/**
 * The events of one run: numbered, and given to whoever listens.
 *
 * Numbers only grow. What the journal holds (updates, states) is numbered whether or not somebody listens, and the number
 * is kept with it, so that another process tells it by the same one. Everything else is told to those who are there.
 * Nothing is made or remembered that nobody asked for; what somebody asked for is remembered for those who join later.
 */

import { leastOf } from '../../../core/index.ts'
import type { EngineEvent } from '../../engine/facts/events.ts'
import type { EventKind, GraphEvent } from '../../model/event-types.ts'
import type { GraphTypes } from '../../model/graph-types.ts'

export type AnyEvent = GraphEvent<GraphTypes>
/** An event before it has a number. */
export type NewEvent = EngineEvent

/** How many events are remembered for those who join. */
const REMEMBERED = 4096
/** How far numbers jump when a run begins: one that was killed may have told more than the journal knows. */
const JUMP = 2 ** 20

/** The last number before those of a run that follows on another's last known one. */
export function numbersAfter(last: number): number {
  return Math.ceil((last + 1) / JUMP) * JUMP
}

/** What listens to a run, event after event. */
export interface Feed extends AsyncIterator<AnyEvent, void, undefined> {
  /** The last event that had been told when it began to listen. */
  readonly from: number
}

export class EventHub {
  readonly #thread: string | undefined
  readonly #remembered: AnyEvent[] = []
  readonly #asked = new Set<EventKind>()
  readonly #listeners = new Set<Listener>()
  /** The first of each block of numbers whose events are not told yet. */
  readonly #reserved = new Set<number>()
  /** Events that wait for those before them. */
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

  /** The last number before those of this run. */
  get start(): number {
    return this.#start
  }

  get last(): number {
    return this.#last
  }

  /** Goes on after a number, before anything is told. */
  startAfter(last: number): void {
    this.#start = last
    this.#last = last
  }

  wants(kind: EventKind): boolean {
    return this.#asked.has(kind)
  }

  /**
   * Takes so many numbers for what is about to be kept, and gives the first.
   *
   * Until they are released, whatever has a later number waits: who has seen a number has seen all before it.
   */
  reserve(count: number): number {
    const first = this.#last + 1
    this.#last += count
    this.#reserved.add(first)
    return first
  }

  /** What these numbers were for is told, or never will be. */
  release(first: number): void {
    this.#reserved.delete(first)
    if (this.#held.length === 0) return
    const next = leastOf(this.#reserved)
    const held = this.#held.sort((a, b) => a.seq - b.seq)
    this.#held = held.filter(({ seq }) => seq >= next)
    for (const event of held) if (event.seq < next) this.#give(event)
  }

  /** Tells an event, with a number that was reserved for it or the next one. */
  emit(event: NewEvent, seq: number = ++this.#last): void {
    if (!this.#asked.has(event.kind)) return
    const told = { ...event, seq, ...(this.#thread === undefined ? {} : { thread: this.#thread }) } as AnyEvent
    if (this.#reserved.size > 0) this.#held.push(told)
    else this.#give(told)
  }

  #give(told: AnyEvent): void {
    this.#remembered.push(told)
    if (this.#remembered.length > 2 * REMEMBERED) this.#remembered.splice(0, REMEMBERED)
    for (const listener of this.#listeners) listener.hear(told)
  }

  /** What was remembered of these kinds after a number. */
  remembered(kinds: ReadonlySet<EventKind>, after: number): readonly AnyEvent[] {
    return this.#remembered.filter(event => event.seq > after && kinds.has(event.kind))
  }

  /** Begins to listen; what is told from now on is not missed, however late it is taken. */
  listen(kinds: ReadonlySet<EventKind>): Feed {
    for (const kind of kinds) this.#asked.add(kind)
    const listener = new Listener(kinds, this.#last, one => this.#listeners.delete(one))
    if (this.#end === undefined) this.#listeners.add(listener)
    else listener.end(this.#end)
    return listener
  }

  /** Nothing more comes; with an error when the run failed as a whole. */
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
        // The error is told once; whoever asks again finds nothing.
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
