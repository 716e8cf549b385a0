/**
 * A compiled graph as its callers hold it: runs, threads and pictures of one plan.
 *
 * It is also a function, so that it can be a node of another graph. With a repository every run is a thread there. Without
 * one a run keeps nothing, and threads are kept in a repository in memory.
 */

import type { Handle } from '../../repo/index.ts'
import type { Repository } from '../../repository/index.ts'
import { open } from '../../repository/open.ts'
import { checkContext } from '../define/context-check.ts'
import { memoryNodeCache, type NodeCache } from '../engine/facts/node-cache.ts'
import { drive } from '../engine/flow/flow.ts'
import { graphError } from '../errors.ts'
import type { CompiledGraphPlan } from '../model/compiled-plan.ts'
import { setPlan } from '../model/compiled-plan.ts'
import type { EventKind } from '../model/event-types.ts'
import type { GraphTypes } from '../model/graph-types.ts'
import { andThen, isPromise, type MaybePromise } from '../model/maybe-promise.ts'
import type { NodeContext } from '../model/node-context.ts'
import type { Outcome } from '../model/run-protocol.ts'
import type { RunOptions } from '../model/run-types.ts'
import { type ThreadFilter, threadListing } from '../thread/listing.ts'
import { repositoryNodeCache } from '../thread/records/node-cache-store.ts'
import { threadRefs } from '../thread/records/refs.ts'
import { type Running, runOf, stopping } from '../thread/run/awaitable.ts'
import { EventHub } from '../thread/run/event-hub.ts'
import { executeRun } from '../thread/run/execute.ts'
import { checkRunOptions, runOptionNames, syncOptionNames } from '../thread/run/option-faults.ts'
import type { RunRequest } from '../thread/run/request.ts'
import { runSources } from '../thread/run/sources.ts'
import { endingWith, eventsOf, followSignal, startRun, type ThreadHome } from '../thread/start-run.ts'
import { threadOn } from '../thread/thread.ts'
import { mermaidOf } from './mermaid.ts'
import { pictureOf } from './picture.ts'
import type { App, CompileOptions } from './public-types.ts'

type AnyApp = App<GraphTypes>
type AnyOptions = RunOptions<GraphTypes, EventKind>

export function appOf(plan: CompiledGraphPlan, { repo }: CompileOptions<string>): AnyApp {
  const own = repo === undefined ? undefined : homeIn(plan, repo.handle)
  const lasting = memoryNodeCache()
  let inMemory: Promise<ThreadHome> | undefined
  const home = (): Promise<ThreadHome> => {
    if (own !== undefined) return Promise.resolve(own)
    inMemory ??= open().then(({ handle }: Repository) => ({ ...homeIn(plan, handle), cache: lasting }))
    return inMemory
  }
  const app = (state: unknown, ctx: NodeContext): Promise<unknown> => ctx.run(app as unknown as AnyApp, state)
  const methods = {
    run(input: unknown, options: AnyOptions = {}) {
      if (own === undefined) return runOf(runUnkept(plan, lasting, input, options))
      const id = own.handle.journal.ids()
      return runOf(
        givingOutput(plan, id, startRun(home, threadRefs(plan.name, id), { input }, options, runOptionNames)),
      )
    },
    runSync(input: unknown, options: Pick<AnyOptions, 'context' | 'maxSteps'> = {}) {
      checkRunOptions(options, syncOptionNames)
      return runAtOnce(plan, own, lasting, input, options)
    },
    thread: (id: string) => threadOn(plan.name, id, home),
    threads: (filter: ThreadFilter = {}) => threadListing(home, filter),
    getGraph: () => pictureOf(plan),
    getMermaid: () => mermaidOf(pictureOf(plan)),
  }
  setPlan(app, plan)
  return Object.assign(app, methods) as unknown as AnyApp
}

function homeIn(plan: CompiledGraphPlan, handle: Handle): ThreadHome {
  return { plan, handle, cache: repositoryNodeCache(handle), sources: runSources(handle.journal) }
}

/** The output of a run that has to end. */
function outputOf(
  { fields }: CompiledGraphPlan,
  thread: string | undefined,
  outcome: Outcome | undefined,
): MaybePromise<unknown> {
  if (outcome?.status === 'done') return fields.output(outcome.state)
  if (outcome?.status === 'paused') throw graphError('run-paused', { thread, interrupts: outcome.interrupts })
  throw outcome?.error
}

function givingOutput(
  plan: CompiledGraphPlan,
  thread: string,
  running: Running<Outcome | undefined>,
): Running<unknown> {
  return { ...running, result: running.result.then(outcome => outputOf(plan, thread, outcome)) }
}

function unkept(
  plan: CompiledGraphPlan,
  cache: NodeCache,
  input: unknown,
  hub: EventHub,
): Omit<RunRequest, 'context' | 'signal'> {
  const nothing = { maxSteps: undefined, maxConcurrency: undefined, durability: undefined }
  return {
    plan,
    home: undefined,
    with: { input },
    ...nothing,
    hub,
    cache,
    sources: runSources(undefined),
    isSync: false,
  }
}

/** A run that keeps nothing. */
function runUnkept(plan: CompiledGraphPlan, cache: NodeCache, input: unknown, options: AnyOptions): Running<unknown> {
  const { maxSteps, maxConcurrency, events = ['updates'], after } = options
  const controller = new AbortController()
  const hub = new EventHub(undefined, 0, options.events ?? [])
  const cancel = (reason: unknown): void => controller.abort(reason)
  const stopListening = followSignal(options.signal, cancel)
  const result = endingWith(hub, stopListening, async () => {
    // It begins asynchronously, so that the caller can listen to its events first.
    await undefined
    checkRunOptions(options, runOptionNames)
    const context = await checkContext(plan, options.context)
    const { signal } = controller
    const request = { ...unkept(plan, cache, input, hub), maxSteps, maxConcurrency, context, signal }
    return await outputOf(plan, undefined, await drive(executeRun(request)))
  })
  const kinds = new Set<EventKind>(events)
  const past = async (): Promise<readonly never[]> => []
  return { result, cancel, leave: stopping(result, cancel), events: () => eventsOf(hub, kinds, after, past) }
}

function runAtOnce(
  plan: CompiledGraphPlan,
  own: ThreadHome | undefined,
  lasting: NodeCache,
  input: unknown,
  { context: given, maxSteps }: Pick<AnyOptions, 'context' | 'maxSteps'>,
): unknown {
  const id = own?.handle.journal.ids()
  const hub = new EventHub(id, 0, [])
  const base = unkept(plan, lasting, input, hub)
  const kept = own === undefined ? {} : { cache: repositoryNodeCache(own.handle, true), sources: own.sources }
  const home = own === undefined ? undefined : { handle: own.handle, refs: threadRefs(plan.name, id!) }
  const result = andThen(checkContext(plan, given), context => {
    const request = { ...base, ...kept, home, maxSteps, context, signal: undefined, isSync: true }
    return andThen(drive(executeRun(request)), outcome => outputOf(plan, id, outcome))
  })
  if (!isPromise(result)) return result
  result.catch(() => {})
  throw graphError('run-async', { what: 'the repository or a schema answers with a promise' })
}
