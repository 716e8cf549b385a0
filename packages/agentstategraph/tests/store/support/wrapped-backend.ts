/**
 * Backends seen through something: answers that come later, calls that are counted, calls that fail.
 *
 * It changes how a log answers and never what a log means.
 */
import { setImmediate } from 'node:timers/promises'
import type { Backend, Log } from '../../../src/store/index.ts'

/** A backend whose logs are seen through `wrap`. */
export function wrapped(backend: Backend, wrap: (log: Log) => Log): Backend {
  return { ...backend, namespace: (name, options) => wrap(backend.namespace(name, options)) }
}

export type CallName = 'append' | 'entries' | 'parts' | 'find' | 'ref' | 'key' | 'refs' | 'head' | 'check' | 'dropPacks'

/** Runs a call of a log, or does not. */
export type Around = (name: CallName, call: () => Promise<unknown>, args: readonly unknown[]) => Promise<unknown>

/** A log without synchronous calls, each of whose calls goes through `around`. */
export function around(log: Log, run: Around): Log {
  const through =
    <A extends unknown[], R>(name: CallName, call: (...args: A) => Promise<R>): ((...args: A) => Promise<R>) =>
    (...args) =>
      run(name, () => call(...args), args) as Promise<R>
  return {
    append: through('append', log.append),
    entries: through('entries', log.entries),
    parts: through('parts', log.parts),
    find: through('find', log.find),
    ref: through('ref', log.ref),
    key: through('key', log.key),
    refs: through('refs', log.refs),
    head: through('head', log.head),
    check: through('check', log.check),
    dropPacks: through('dropPacks', log.dropPacks),
    onChange: log.onChange,
    sync: undefined,
  }
}

/** A log that answers after up to three turns of the event loop, and is asked after as many. */
export function slow(log: Log, random: () => number): Log {
  return around(log, async (_, call) => {
    for (let turns = Math.floor(random() * 4); turns > 0; turns--) await setImmediate()
    const answer = await call()
    for (let turns = Math.floor(random() * 4); turns > 0; turns--) await setImmediate()
    return answer
  })
}
