/** One thread: where it is, what it asks, what it did, and ways to step in. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { tellDone } from '../parts/done.tsx'
import { Answered, Fault, Time } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import { useAnswer } from '../parts/use-answer.ts'
import { WholeValue } from '../parts/value.tsx'
import { visible } from '../parts/value-text.ts'
import { go } from '../route.ts'
import type { ThreadState } from '../source/shapes/work.ts'
import { ask, can } from '../source/source.ts'
import { AnswerForm } from './answer-form.tsx'
import { EditForm } from './edit-form.tsx'
import { GraphPicture } from './graph-picture.tsx'
import { Live } from './live.tsx'
import { Steps } from './steps.tsx'

interface ThreadProps {
  readonly graph: string
  readonly thread: string
  readonly version: number
}

/** How often a thread that runs is looked at: its facts between two steps are no changes of the store. */
const LOOK_MS = 1000

export function ThreadView({ graph, thread, version }: ThreadProps) {
  const looks = useSignal(0)
  const seen = version + looks.value * 1_000_000
  const answer = useAnswer(`thread ${graph} ${thread}`, signal => ask('get_thread', { graph, thread }, signal), seen)
  const isRunning = answer.kind === 'here' && answer.value.status === 'running'
  useEffect(() => {
    if (!isRunning) return
    const looking = setInterval(() => (looks.value += 1), LOOK_MS)
    return () => clearInterval(looking)
  }, [isRunning])
  return (
    <>
      {can('watch_thread') && <Live graph={graph} thread={thread} onStep={() => (looks.value += 1)} />}
      <Answered
        answer={answer}
        show={state => <Shown graph={graph} state={state} version={seen} onDone={() => (looks.value += 1)} />}
      />
    </>
  )
}

interface ShownProps {
  readonly graph: string
  readonly state: ThreadState
  readonly version: number
  onDone(): void
}

function Shown({ graph, state, version, onDone }: ShownProps) {
  const { thread, status, error: fault } = state
  const { isBusy, error, act } = useAct()
  const answer = async (id: string, value: unknown, reason: string | undefined): Promise<void> => {
    await ask('resume_thread', { graph, thread, answers: [{ id, value, ...(reason === undefined ? {} : { reason }) }] })
    tellDone(`Answered ${thread}. To answer otherwise, fork from the step before.`)
    onDone()
  }
  const resume = (): Promise<void> =>
    act(async () => {
      await ask('resume_thread', { graph, thread })
      onDone()
    })
  const fork = (from: string, isReplay: boolean): Promise<void> =>
    act(async () => {
      const { items } = await ask('list_threads', { graph, prefix: `${thread}-`, limit: 1000 })
      const to = freeName(
        `${thread}-${isReplay ? 'replay' : 'fork'}`,
        items.map(({ id }) => id),
      )
      await ask('fork_thread', { graph, thread, to, from })
      const forget = (): Promise<unknown> => {
        go({ view: 'runs', ref: graph, options: { thread } })
        return ask('delete_thread', { graph, thread: to })
      }
      tellDone(`Forked ${thread} as ${to}.`, can('delete_thread') ? forget : undefined)
      go({ view: 'runs', ref: graph, options: { thread: to } })
      if (isReplay) await ask('resume_thread', { graph, thread: to })
    })
  return (
    <article>
      <h2>
        {visible(thread)} <span class={`status ${status}`}>{status}</span>
      </h2>
      <p>
        <Time at={state.timestamp} />
      </p>
      <GraphPicture graph={graph} state={state} />
      {fault !== undefined && (
        <p class="fault">
          {visible(state.node ?? '')}: {visible(fault.message)}
        </p>
      )}
      {state.interrupts?.map(interrupt => (
        <AnswerForm
          key={interrupt.id}
          interrupt={interrupt}
          answer={(value, reason) => answer(interrupt.id, value, reason)}
        />
      ))}
      {error.value !== undefined && <Fault error={error.value} />}
      {can('resume_thread') && (status === 'failed' || status === 'idle') && (
        <p class="links">
          <button type="button" disabled={isBusy.value} onClick={() => void resume()}>
            {status === 'failed' ? 'Try again' : 'Resume'}
          </button>
        </p>
      )}
      {can('update_thread') && status !== 'running' && (
        <EditForm
          graph={graph}
          state={state}
          onDone={said => {
            tellDone(`${said} To have it as it was, fork from an earlier step.`)
            onDone()
          }}
        />
      )}
      {status === 'done' && (
        <>
          <h3>Result</h3>
          <WholeValue value={state.output} />
        </>
      )}
      <h3>Steps</h3>
      <Steps graph={graph} thread={thread} version={version} fork={fork} />
    </article>
  )
}

function freeName(beginning: string, taken: readonly string[]): string {
  let nth = 1
  while (taken.includes(`${beginning}-${nth}`)) nth += 1
  return `${beginning}-${nth}`
}
