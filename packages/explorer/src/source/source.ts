/**
 * Where the page gets its data: a server, or a file that is already here. Views ask for operations by name and know nothing else.
 */
import type { Answers, Fields, Streams } from './answers.ts'

export interface Source {
  /** Asks for one operation. Throws a `Refusal`. */
  ask<Name extends keyof Answers>(name: Name, fields: Fields, signal?: AbortSignal): Promise<Answers[Name]>
  /** The items of a stream, as they come. Throws a `Refusal`. */
  stream<Name extends keyof Streams>(name: Name, fields: Fields, signal?: AbortSignal): AsyncIterable<Streams[Name]>
  /** Asks for one operation that takes long, and tells the share that is done. */
  work<Name extends keyof Answers>(
    name: Name,
    fields: Fields,
    onProgress: (share: number) => void,
    signal: AbortSignal,
  ): Promise<Answers[Name]>
  /** Calls back after each change, until the signal aborts. */
  follow(onChange: () => void, onState: (isLive: boolean) => void, signal: AbortSignal): Promise<void>
  /** Whether the person who reads may ask for an operation here. What cannot be asked for is not offered. */
  can(name: keyof Answers | keyof Streams): boolean
  /** Words of filters that it understands beside those of `query`. */
  readonly filters?: readonly string[]
}

let current: Source | undefined

/** Called once, before the page is drawn. */
export function setSource(source: Source): void {
  current = source
}

function source(): Source {
  if (current === undefined) throw new Error('setSource has to be called before the page is drawn.')
  return current
}

export const ask: Source['ask'] = (name, fields, signal) => source().ask(name, fields, signal)
export const stream: Source['stream'] = (name, fields, signal) => source().stream(name, fields, signal)
export const work: Source['work'] = (name, fields, onProgress, signal) =>
  source().work(name, fields, onProgress, signal)
export const follow: Source['follow'] = (onChange, onState, signal) => source().follow(onChange, onState, signal)
export const can: Source['can'] = name => source().can(name)
export const filters = (): readonly string[] => source().filters ?? []
