/** The steps of a thread, newest first: what each led to, which attempts failed, and ways to go on from there. */
import { Listing } from '../parts/more.tsx'
import { shortId, Time } from '../parts/said.tsx'
import { WholeValue } from '../parts/value.tsx'
import { visible } from '../parts/value-text.ts'
import { hrefOf } from '../route.ts'
import type { ThreadState } from '../source/shapes/work.ts'
import { ask, can } from '../source/source.ts'

interface StepsProps {
  readonly graph: string
  readonly thread: string
  readonly version: number
  fork(from: string, isReplay: boolean): Promise<void>
}

export function Steps({ graph, thread, version, fork }: StepsProps) {
  return (
    <Listing
      name={`steps ${graph} ${thread}`}
      version={version}
      load={(page, signal) => ask('thread_history', { graph, thread, ...page }, signal)}
      show={steps => (
        <ol class="writes">
          {steps.map(step => (
            <Step key={step.commit} step={step} fork={fork} />
          ))}
        </ol>
      )}
    />
  )
}

function Step({ step, fork }: { readonly step: ThreadState } & Pick<StepsProps, 'fork'>) {
  const { commit, timestamp, next = [], failures = [], status } = step
  return (
    <li class="write">
      <p class="by">
        <Time at={timestamp} /> <a href={hrefOf({ view: 'commit', ref: commit })}>{shortId(commit)}</a>{' '}
        {status === 'done' ? 'the end' : next.length > 0 ? `then ${visible(next.join(', '))}` : status}
      </p>
      {failures.map(({ node, attempt, error }) => (
        <p key={`${node} ${attempt}`} class="not-held">
          {visible(node)}, attempt {attempt}: {visible(error.message)}
        </p>
      ))}
      <details>
        <summary>State</summary>
        <WholeValue value={step.state} />
      </details>
      {can('fork_thread') && (
        <p class="links">
          <button type="button" onClick={() => void fork(commit, false)}>
            Fork from here
          </button>{' '}
          {can('resume_thread') && status !== 'done' && (
            <button type="button" onClick={() => void fork(commit, true)}>
              Replay from here
            </button>
          )}
        </p>
      )}
    </li>
  )
}
