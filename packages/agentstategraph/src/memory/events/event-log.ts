/**
 * Appends the events of one run to the journal, as entries without a commit.
 *
 * Events of one tick are appended together; `onEvent` is called for each once it is stored, in order. Each event carries the
 * run's id, and the entry that ends the run is named by it, so a reader finds the commit of a run by one lookup.
 * An input, result or error that cannot be stored is replaced by a text, so that its event is not lost. Events that a task
 * emits itself are refused like any other value that cannot be stored.
 */

import { appendAll, isStateError, type Refusal, type Stored } from '../../core/index.ts'
import { type EventBody, type Handle, recordEntries } from '../../repo/index.ts'
import { type NewRecord, recordsWithValue, type Work } from '../../store/index.ts'
import { type Codec, codecOf } from '../values/codec.ts'
import { type EventContent, errorFrom, type MemoryEvent } from './events.ts'

export type Listener = (event: MemoryEvent) => void

/** The task that an event belongs to, and its listener. */
export interface Emitter {
  readonly agent: string
  readonly task: string
  readonly onEvent: Listener
}

/** The key of the entry that ends a run. */
export function keyOfRun(run: string): string {
  return `task/${run}`
}

interface Waiting {
  readonly emitter: Emitter
  readonly event: EventContent
  readonly at: number
  readonly value: Stored
  /** For the last event of a run without a commit: the commit that the run ends with. */
  readonly end?: { readonly after: string | undefined } | undefined
}

export class EventLog {
  readonly run: string
  readonly before: string | undefined
  readonly #handle: Handle
  readonly #codec: Codec
  #waiting: Waiting[] = []
  #flushed: Promise<void> = Promise.resolve()
  #failure: unknown

  constructor(handle: Handle, run: string, before: string | undefined) {
    this.#handle = handle
    this.#codec = codecOf(handle)
    this.run = run
    this.before = before
  }

  /** Adds an event with its value as it is now. `end` is given with the last one, when no commit has the run's key. */
  add(emitter: Emitter, event: EventContent, end?: Waiting['end']): void {
    const { kind, ...value } = event
    const at = this.#handle.journal.now()
    this.#waiting.push({ emitter, event, at, value: this.#stored(kind, value), end })
    if (this.#waiting.length > 1) return
    this.#flushed = this.#flushed.then(() => this.#flush())
  }

  /** Waits until all events are stored. */
  async stored(): Promise<void> {
    await this.#flushed
    if (this.#failure !== undefined) throw this.#failure
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    try {
      const seqs = await this.#handle.journal.run(this.#append(waiting))
      for (const [i, one] of waiting.entries()) one.emitter.onEvent(this.#eventOf(one, seqs[i]!))
    } catch (error) {
      this.#failure ??= error
    }
  }

  *#append(waiting: readonly Waiting[]): Work<readonly number[]> {
    const records: NewRecord[] = []
    const places: number[] = []
    for (const one of waiting) {
      places.push(records.length)
      const record = {
        kind: 'event',
        agent: one.emitter.agent,
        name: one.end === undefined ? undefined : keyOfRun(this.run),
        body: { ...this.#body(one) } as { [f: string]: Stored },
      }
      appendAll(records, recordsWithValue(record, one.value))
    }
    const asked = [{ capability: 'commit', branch: this.#handle.branch }] as const
    const outcome = yield* recordEntries(this.#handle, asked, records)
    if (outcome.kind !== 'done') throw new Error(`Events without moves were answered with ${outcome.kind}`)
    return places.map(place => outcome.first + place)
  }

  #body({ emitter: { agent, task }, event: { kind }, at, end }: Waiting): EventBody {
    const body = { branch: this.#handle.branch, agent, task, kind, run: this.run, at }
    return {
      ...body,
      ...(this.before === undefined ? {} : { before: this.before }),
      ...(end?.after === undefined ? {} : { after: end.after }),
    }
  }

  #eventOf({ emitter: { agent, task }, event, at }: Waiting, seq: number): MemoryEvent {
    const place = { seq, timestamp: new Date(at).toISOString(), agent, task }
    return { ...place, ...(this.before === undefined ? {} : { commitBefore: this.before }), ...event }
  }

  #stored(kind: EventContent['kind'], value: object): Stored {
    try {
      return this.#codec.encode(definedOf(value), [])
    } catch (error) {
      const isOfRunner = kind === 'start' || kind === 'success' || kind === 'error'
      if (!isOfRunner) throw error
      return this.#codec.encode(kind === 'error' ? withBareError(value) : withoutValue(value, error), [])
    }
  }
}

/** Replaces an input or a result that cannot be stored by a text that says why. */
function withoutValue(value: object, error: unknown): object {
  const text = `[not stored: ${isStateError(error, 'value-refused') ? refusedPlaces(error.data) : errorFrom(error).message}]`
  return Object.fromEntries(Object.keys(value).map(field => [field, text]))
}

function refusedPlaces(data: unknown): string {
  const { refused } = data as { readonly refused: readonly Refusal[] }
  return refused.map(({ path, type }) => `${path} is ${type}`).join(', ')
}

/** Replaces an error that carries something that cannot be stored by one with the same text. */
function withBareError(value: object): object {
  const { error } = value as { readonly error: Error }
  const bare = new Error(`${error.name}: ${error.message}`)
  if (error.stack !== undefined) bare.stack = error.stack
  return { ...value, error: bare }
}

/** The fields that are not undefined: an undefined optional field counts as left out. */
function definedOf(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined))
}
