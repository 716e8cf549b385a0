/** The steps of a thread, newest first: what each led to, which attempts failed, and ways to go on from there. */
import { Listing } from '../parts/more.tsx'
import { shortId, Time } from '../parts/said.tsx'
import { WholeValue } from '../parts/value.tsx'
import { visible } from '../parts/value-text.ts'
import { hrefOf } from '../route.ts'
import type { Fields } from '../source/answers.ts'
import type { Page } from '../source/shapes/state.ts'
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
      load={(page, signal) => loadSteps({ graph, thread, ...page }, signal)}
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

interface NamedStep extends ThreadState {
  /** What its commit says of it: which nodes ran, in which attempt. */
  readonly name: string
}

async function loadSteps(fields: Fields, signal: AbortSignal): Promise<Page<NamedStep>> {
  const { items, ...more } = await ask('thread_history', fields, signal)
  const [newest] = items
  if (newest === undefined) return { ...more, items: [] }
  const commits = await ask('query', { ref: newest.commit, limit: items.length }, signal)
  const names = new Map(commits.items.map(({ id, intent }) => [id, intent.description]))
  return { ...more, items: items.map(step => ({ ...step, name: names.get(step.commit) ?? shortId(step.commit) })) }
}

function Step({ step, fork }: { readonly step: NamedStep } & Pick<StepsProps, 'fork'>) {
  const { commit, name, timestamp, next = [], failures = [], status } = step
  return (
    <li class="write">
      <p class="by">
        <a href={hrefOf({ view: 'commit', ref: commit })}>{visible(name)}</a> <Time at={timestamp} />{' '}
        <span>{status === 'done' ? 'the end' : next.length > 0 ? `then ${visible(next.join(', '))}` : status}</span>
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
