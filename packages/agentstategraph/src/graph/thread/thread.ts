/** A thread as its callers hold it. Each method reads the journal or starts a run. */

import { checkOptions, optionsOf } from '../../core/index.ts'
import { type AccessRequest, assertMay, assertReadsBranch, currentAccess, type Handle } from '../../repo/index.ts'
import { type Listing, listing, type Start } from '../../repository/listing.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import type { Answer } from '../engine/facts/answers.ts'
import { graphError } from '../errors.ts'
import type { GraphTypes } from '../model/graph-types.ts'
import { threadEvents } from './events.ts'
import { deleteThread, forkThread } from './fork.ts'
import { type ThreadRefs, threadRefs } from './records/refs.ts'
import { type Running, runOf } from './run/awaitable.ts'
import { findLiveRun, type LiveRun } from './run/live-runs.ts'
import { checkRunOptions, runOptionNames, threadRunOptionNames } from './run/option-faults.ts'
import { type AnyRunOptions, joinRun, type RunEnd, startRun, type ThreadHome } from './start-run.ts'
import { threadHistory } from './state/history.ts'
import type {
  ForkOptions,
  Thread,
  ThreadEventsOptions,
  ThreadHistoryOptions,
  UpdateOptions,
} from './state/public-types.ts'
import { getResumePoint, resumePointAfter } from './state/resume-point.ts'
import { type AnyThreadState, threadState } from './state/snapshot.ts'
import { updateThread } from './update.ts'

type AnyThread = Thread<GraphTypes>

/** Where threads are kept, and the run of this thread that was under way when that was asked for. */
interface Entered {
  readonly found: ThreadHome
  readonly live: LiveRun | undefined
}

const historyOptions = optionsOf<ThreadHistoryOptions>('history', { limit: true })
const updateOptions = optionsOf<UpdateOptions<string>>('update', { as: true })
const forkOptions = optionsOf<ForkOptions>('fork', { from: true })

export function threadOn(graph: string, id: string, open: () => Promise<ThreadHome>): AnyThread {
  const refs = threadRefs(graph, id)
  // Every operation on a thread reveals its content, so it needs permission to read.
  const admit = ({ handle }: ThreadHome): Promise<void> | undefined =>
    handle.identity && handle.journal.run(assertReadsBranch(handle, refs.head))
  const home = async (): Promise<ThreadHome> => {
    const found = await open()
    await admit(found)
    return found
  }
  // As many steps as `home`: a run that was started before has begun when this answers.
  const entered = async (): Promise<Entered> => {
    const found = await open()
    // Looked for before anything that may wait for a turn of the event loop: the run may end in it, and what it remembers is still to be told.
    const live = findLiveRun(found.handle.journal, refs)
    await admit(found)
    return { found, live }
  }
  const state = async (lastStep?: StoredCommit | undefined): Promise<AnyThreadState> => {
    const { plan, handle } = await home()
    const { journal } = handle
    const resumePoint = await journal.run(
      lastStep === undefined ? getResumePoint(handle, refs) : resumePointAfter(handle, refs, lastStep),
    )
    return threadState({ plan, handle, refs }, resumePoint, isLive(await home(), refs))
  }
  const running = (run: Running<RunEnd>): Running<AnyThreadState> => ({
    ...run,
    result: run.result.then(end => state(end?.lastStep)),
  })
  return {
    id,
    branchName: refs.head,
    run: (input: unknown, options: AnyRunOptions = {}) =>
      runOf(running(startRun(home, refs, { input }, options, threadRunOptionNames))),
    resume: (answers?: Answer | readonly Answer[], options: AnyRunOptions = {}) =>
      runOf(running(resumed(entered, home, refs, listOf(answers), options))),
    events: (options: ThreadEventsOptions = {}) => {
      checkRunOptions(options, ['events', 'signal'])
      return threadEvents(home, refs, options)
    },
    state: () => state(),
    history: (options: ThreadHistoryOptions = {}) => historyOf(home, refs, options),
    async update(update: unknown, options: UpdateOptions<string> = {}) {
      checkOptions(updateOptions, options)
      const { plan, handle } = await home()
      if (isLive(await home(), refs)) throw graphError('run-busy', { thread: refs.id })
      await updateThread(plan, handle, refs, update, options.as)
      return state()
    },
    async fork(to: string, options: ForkOptions = {}) {
      checkOptions(forkOptions, options)
      const { plan, handle } = await home()
      await forkThread(plan, handle, refs, threadRefs(graph, to), options.from)
      return threadOn(graph, to, open)
    },
    async delete() {
      const { handle } = await home()
      await handle.journal.run(assertMayChange(handle, refs, 'delete-branch'))
      findLiveRun(handle.journal, refs)?.cancel('the thread was deleted')
      await handle.journal.run(deleteThread(handle, refs))
    },
  } as AnyThread
}

/** Asked before a run of somebody else is stopped or joined, because no write does so that could be refused. */
function* assertMayChange(handle: Handle, { head }: ThreadRefs, capability: AccessRequest['capability']): Work<void> {
  if (handle.identity === undefined) return
  yield* assertMay(handle, yield* currentAccess(handle), { capability, branch: head })
}

function isLive({ handle }: ThreadHome, refs: ThreadRefs): boolean {
  return findLiveRun(handle.journal, refs) !== undefined
}

function listOf(answers: Answer | readonly Answer[] | undefined): readonly Answer[] {
  if (answers === undefined) return []
  return Array.isArray(answers) ? answers : [answers as Answer]
}

/** Resumes the thread, or joins the run of this process that is under way. */
function resumed(
  entered: () => Promise<Entered>,
  home: () => Promise<ThreadHome>,
  refs: ThreadRefs,
  answers: readonly Answer[],
  options: AnyRunOptions,
): Running<RunEnd> {
  // Not async: the run would begin to fail before its result has a listener, which loses its caller in stack traces.
  const chosen = entered().then((before): Running<RunEnd> | Promise<Running<RunEnd>> => {
    checkRunOptions(options, runOptionNames)
    const { handle } = before.found
    const live = before.live ?? findLiveRun(handle.journal, refs)
    if (live === undefined) return startRun(home, refs, { answers }, options, runOptionNames)
    return handle.journal.run(assertMayChange(handle, refs, 'commit')).then(() => {
      if (answers.length > 0) throw graphError('run-busy', { thread: refs.id })
      return joinRun(before.found, refs, live, options)
    })
  })
  // The error is reported by `result`, the only listener unless the run is cancelled or left.
  const ignore = (): void => {}
  return {
    result: chosen.then(({ result }) => result),
    cancel: reason => void chosen.then(running => running.cancel(reason), ignore),
    leave: () => chosen.then(running => running.leave(), ignore),
    async *events() {
      const { events } = await chosen
      for await (const event of { [Symbol.asyncIterator]: events }) {
        await home()
        yield event
      }
    },
  }
}

function historyOf(
  home: () => Promise<ThreadHome>,
  refs: ThreadRefs,
  options: ThreadHistoryOptions,
): Listing<AnyThreadState> {
  const start: Start<AnyThreadState> = async after => {
    const found = await home()
    return threadHistory({ plan: found.plan, handle: found.handle, refs }, () => isLive(found, refs))(after)
  }
  return listing(start, historyOptions, options)
}
