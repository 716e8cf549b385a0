/**
 * Keeping the events of one run: entries of the journal, on no commit.
 *
 * Events told in one tick are appended together; `onEvent` hears of each when it is kept, in order. They carry the run's id,
 * and the entry that ends the run has that id for its key: so a reader finds the commit that a run led to by one lookup,
 * without anything being written twice. A value that cannot be stored is never a reason to lose an event of the runner's
 * own; what a task tells by itself is refused like any other value.
 */

import { appendAll, isStateError, type Refusal, type Stored } from '../../core/index.ts'
import { type EventBody, type Handle, recordEntries } from '../../repo/index.ts'
import { type NewRecord, recordsWithValue, type Work } from '../../store/index.ts'
import { type Codec, codecOf } from '../values/codec.ts'
import { errorFrom, type MemoryEvent, type ToldEvent } from './events.ts'

export type Listener = (event: MemoryEvent) => void

/** Whose event it is, and who wants to hear of it. */
export interface Teller {
  readonly agent: string
  readonly task: string
  readonly hear: Listener
}

/** The key of the entry that ends a run. */
export function keyOfRun(run: string): string {
  return `task/${run}`
}

interface Waiting {
  readonly teller: Teller
  readonly event: ToldEvent
  readonly at: number
  readonly value: Stored
  /** For the last of a run that made no commit: the commit that it ends with. */
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

  /** Takes an event with its value as it is now. `end` is told with the last one, when no commit has the run's key. */
  tell(teller: Teller, event: ToldEvent, end?: Waiting['end']): void {
    const { kind, ...value } = event
    const at = this.#handle.journal.now()
    this.#waiting.push({ teller, event, at, value: this.#stored(kind, value), end })
    if (this.#waiting.length > 1) return
    this.#flushed = this.#flushed.then(() => this.#flush())
  }

  /** Waits until all that was told is kept. */
  async kept(): Promise<void> {
    await this.#flushed
    if (this.#failure !== undefined) throw this.#failure
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    try {
      const seqs = await this.#handle.journal.run(this.#append(waiting))
      for (const [i, one] of waiting.entries()) one.teller.hear(this.#heard(one, seqs[i]!))
    } catch (error) {
      this.#failure ??= error
    }
  }

  *#append(waiting: readonly Waiting[]): Work<readonly number[]> {
    const records: NewRecord[] = []
    const places: number[] = []
    const keys: { key: string; entry: number }[] = []
    for (const one of waiting) {
      places.push(records.length)
      if (one.end !== undefined) keys.push({ key: keyOfRun(this.run), entry: records.length })
      const record = { kind: 'event', agent: one.teller.agent, body: { ...this.#body(one) } as { [f: string]: Stored } }
      appendAll(records, recordsWithValue(record, one.value))
    }
    const outcome = yield* recordEntries(
      this.#handle,
      [{ capability: 'commit', branch: this.#handle.branch }],
      records,
      { keys },
    )
    if (outcome.kind !== 'done') throw new Error(`Events without moves were answered with ${outcome.kind}`)
    return places.map(place => outcome.first + place)
  }

  #body({ teller: { agent, task }, event: { kind }, at, end }: Waiting): EventBody {
    const body = { branch: this.#handle.branch, agent, task, kind, run: this.run, at }
    return {
      ...body,
      ...(this.before === undefined ? {} : { before: this.before }),
      ...(end?.after === undefined ? {} : { after: end.after }),
    }
  }

  #heard({ teller: { agent, task }, event, at }: Waiting, seq: number): MemoryEvent {
    const place = { seq, timestamp: new Date(at).toISOString(), agent, task }
    return { ...place, ...(this.before === undefined ? {} : { commitBefore: this.before }), ...event }
  }

  #stored(kind: ToldEvent['kind'], value: object): Stored {
    try {
      return this.#codec.encode(definedOf(value), [])
    } catch (error) {
      const isForeign = kind === 'start' || kind === 'success' || kind === 'error'
      if (!isForeign) throw error
      return this.#codec.encode(kind === 'error' ? withBareError(value) : withoutValue(value, error), [])
    }
  }
}

/** In place of an input or a result that cannot be stored, what in it cannot be. */
function withoutValue(value: object, error: unknown): object {
  const text = `[not stored: ${isStateError(error, 'value-refused') ? refusedPlaces(error.data) : errorFrom(error).message}]`
  return Object.fromEntries(Object.keys(value).map(field => [field, text]))
}

function refusedPlaces(data: unknown): string {
  const { refused } = data as { readonly refused: readonly Refusal[] }
  return refused.map(({ path, type }) => `${path} is ${type}`).join(', ')
}

/** In place of an error that carries something that cannot be stored, one that says the same. */
function withBareError(value: object): object {
  const { error } = value as { readonly error: Error }
  const bare = new Error(`${error.name}: ${error.message}`)
  if (error.stack !== undefined) bare.stack = error.stack
  return { ...value, error: bare }
}

/** Optional fields that were left out stay left out, whatever they were set to. */
function definedOf(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined))
}
