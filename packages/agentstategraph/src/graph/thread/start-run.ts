/**
 * Starts and joins runs on a thread: what happens when another run holds it, and which events the caller gets.
 *
 * The runs of this process are known; those of other processes are seen in the journal.
 */

import { isStateError } from '../../core/index.ts'
import type { Handle } from '../../repo/index.ts'
import { checkContext } from '../define/context-check.ts'
import type { Answer } from '../engine/facts/answers.ts'
import type { NodeCache } from '../engine/facts/node-cache.ts'
import { drive } from '../engine/flow/flow.ts'
import { graphError } from '../errors.ts'
import type { CompiledGraphPlan } from '../model/compiled-plan.ts'
import type { EventKind } from '../model/event-types.ts'
import type { GraphTypes } from '../model/graph-types.ts'
import type { ThreadRefs } from './records/refs.ts'
import { type Running, stopping } from './run/awaitable.ts'
import { type AnyEvent, EventHub } from './run/event-hub.ts'
import { executeRun, type RunOutcome } from './run/execute.ts'
import { addLiveRun, findLiveRun, type LiveRun } from './run/live-runs.ts'
import { checkRunOptions, type RunOptionName } from './run/option-faults.ts'
import type { RunRequest, RunSources } from './run/request.ts'
import { storedEvents } from './run/stored-events.ts'
import { untilFree } from './run/until-free.ts'
import { runBeside } from './run-beside.ts'
import type { ThreadRunOptions } from './state/public-types.ts'

export type AnyRunOptions = ThreadRunOptions<GraphTypes, EventKind>

/** The repository that threads are kept in, and what their runs share. */
export interface ThreadHome {
  readonly plan: CompiledGraphPlan
  readonly handle: Handle
  readonly cache: NodeCache | undefined
  readonly sources: RunSources
}

/** The outcome of a run; undefined for a run that was joined, or merged into the thread. */
export type RunEnd = RunOutcome | undefined

/** Starts a run. It begins asynchronously, so that the caller can listen to its events first. */
export function startRun(
  home: () => Promise<ThreadHome>,
  refs: ThreadRefs,
  what: { readonly input: unknown } | { readonly answers: readonly Answer[] },
  options: AnyRunOptions,
  known: readonly RunOptionName[],
): Running<RunEnd> {
  const { after, events: kinds = ['updates'] } = options
  const controller = new AbortController()
  const hub = new EventHub(refs.id, 0, options.events ?? [])
  const cancel = (reason: unknown): void => controller.abort(reason)
  const stopListening = followSignal(options.signal, cancel)
  const result = endingWith(hub, stopListening, async () => {
    const found = await home()
    checkRunOptions(options, known)
    const request = requestOf(found, refs, what, options, hub, controller.signal)
    return await runWhenFree(found, refs, request, options.whenBusy, cancel)
  })
  const past = async (from: number): Promise<readonly AnyEvent[]> => {
    const { plan, handle } = await home()
    return storedEvents(plan, handle, refs, new Set(kinds), from)
  }
  return { result, cancel, leave: stopping(result, cancel), events: () => eventsOf(hub, new Set(kinds), after, past) }
}

/**
 * Runs something, and ends its events with it.
 *
 * The result has no listener here: a promise with a second listener loses its caller in stack traces.
 */
export async function endingWith<T>(hub: EventHub, stopListening: () => void, run: () => Promise<T>): Promise<T> {
  try {
    const result = await run()
    hub.end({})
    return result
  } catch (error) {
    hub.end({ error })
    throw error
  } finally {
    stopListening()
  }
}

/** Joins a run of this process. One that has ended meanwhile is told from what it remembers. */
export function joinRun(home: ThreadHome, refs: ThreadRefs, live: LiveRun, options: AnyRunOptions): Running<undefined> {
  const kinds = new Set<EventKind>(options.events ?? ['updates'])
  const past = (from: number): Promise<readonly AnyEvent[]> => storedEvents(home.plan, home.handle, refs, kinds, from)
  return {
    result: live.ended.then(() => undefined),
    cancel: live.cancel,
    leave: () => {},
    events: () => eventsOf(live.hub, kinds, options.after ?? live.hub.last, past),
  }
}

function requestOf(
  { plan, handle, cache, sources }: ThreadHome,
  refs: ThreadRefs,
  what: RunRequest['with'],
  options: AnyRunOptions,
  hub: EventHub,
  signal: AbortSignal,
): RunRequest {
  const { context, maxSteps, maxConcurrency, durability } = options
  const home = { handle, refs }
  const asked = { context, maxSteps, maxConcurrency, durability }
  return { plan, home, with: what, ...asked, signal, hub, cache, sources, isSync: false }
}

/** Forwards the abort of a signal until the returned function is called: a signal may outlive many runs. */
export function followSignal(signal: AbortSignal | undefined, abort: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => {}
  const onAbort = (): void => abort(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  return () => signal.removeEventListener('abort', onAbort)
}

async function runWhenFree(
  home: ThreadHome,
  refs: ThreadRefs,
  request: RunRequest,
  whenBusy: AnyRunOptions['whenBusy'],
  cancel: (reason: unknown) => void,
): Promise<RunEnd> {
  const { journal } = home.handle
  for (;;) {
    const other = findLiveRun(journal, refs)
    if (other === undefined) {
      const outcome = await runAlone(home, refs, request, cancel)
      if (outcome !== 'busy') return outcome
    }
    if (whenBusy === undefined || whenBusy === 'reject' || !('input' in request.with))
      throw graphError('run-busy', { thread: refs.id })
    const free = (): Promise<void> => untilFree(home.handle, refs, request.signal)
    if (whenBusy === 'merge') {
      await runBeside(request, { handle: home.handle, refs }, request.with.input, free)
      return undefined
    }
    await free()
  }
}

/** Runs as the only run of this process. Returns `busy` when another process holds the thread and nothing was done. */
async function runAlone(
  { handle }: ThreadHome,
  refs: ThreadRefs,
  request: RunRequest,
  cancel: (reason: unknown) => void,
): Promise<RunOutcome | 'busy'> {
  let hasBegun = false
  let end = (): void => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const over = addLiveRun(handle.journal, refs, { hub: request.hub, ended, cancel })
  const onStep = (): void => {
    hasBegun = true
  }
  try {
    const context = await checkContext(request.plan, request.context)
    return await drive(executeRun({ ...request, context, onStep }))
  } catch (error) {
    if (isStateError(error, 'run-busy') && !hasBegun) return 'busy'
    throw error
  } finally {
    over()
    end()
  }
}

/** The events of a run: earlier ones after the number that the caller gives, and those to come. */
export async function* eventsOf(
  hub: EventHub,
  kinds: ReadonlySet<EventKind>,
  after: number | undefined,
  past: (after: number) => Promise<readonly AnyEvent[]>,
): AsyncGenerator<AnyEvent, void, undefined> {
  const feed = hub.listen(kinds)
  try {
    const given = new Set<number>()
    if (after !== undefined || feed.from > hub.start) {
      const from = after ?? hub.start
      const known = new Map<number, AnyEvent>()
      for (const event of [...(await past(from)), ...hub.remembered(kinds, from)]) known.set(event.seq, event)
      for (const event of [...known.values()].sort((a, b) => a.seq - b.seq)) {
        given.add(event.seq)
        yield event
      }
    }
    for (;;) {
      const next = await feed.next()
      if (next.done === true) return
      if (!given.has(next.value.seq)) yield next.value
    }
  } finally {
    await feed.return?.()
  }
}
