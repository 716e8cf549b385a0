/** The story of a value, from the newest write to the oldest: who, when, why, how sure, and what was there before. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Outcome } from '../commit/outcome.tsx'
import { Answers } from '../parts/answers.tsx'
import { PathLinks } from '../parts/path-links.tsx'
import { Agent, Answered, Confidence, Fault, Time } from '../parts/said.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { useHead } from '../parts/use-head.ts'
import { WholeValue } from '../parts/value.tsx'
import { visible } from '../parts/value-text.ts'
import { hrefOf, type Route } from '../route.ts'
import type { Blame, Page } from '../source/shapes/state.ts'
import { ask } from '../source/source.ts'
import { TimeSlider } from '../time/time-slider.tsx'

const PAGE = 20

export function BlameView({ route }: { readonly route: Route }) {
  const { ref, path, options } = route
  const asked = { ref, path: path || '/', as_of: options['as_of'] }
  return (
    <section class="blame">
      <TimeSlider route={route} />
      <h2>
        Who wrote <PathLinks path={path} at={ref} /> on {visible(ref)}
      </h2>
      <Answered answer={useHead(asked)} show={head => <Story asked={asked} head={head} />} />
    </section>
  )
}

function Story({ asked, head }: { readonly asked: Asked; readonly head: number }) {
  const key = JSON.stringify(asked)
  const answer = useAnswer(`history ${key}`, signal => ask('history', { ...asked, limit: PAGE }, signal), head)
  return (
    <Answered
      answer={answer}
      show={first => <Writes key={`${key} ${first.items[0]?.id}`} first={first} asked={asked} />}
    />
  )
}

interface Asked {
  readonly ref: string
  readonly path: string
  readonly as_of: string | undefined
}

function Writes({ first, asked }: { readonly first: Page<Blame>; readonly asked: Asked }) {
  const writes = useSignal(first.items)
  const cursor = useSignal(first.next_cursor)
  const error = useSignal<Error | undefined>(undefined)
  async function more(): Promise<void> {
    try {
      const page = await ask('history', { ...asked, limit: PAGE, cursor: cursor.value })
      writes.value = [...writes.value, ...page.items]
      cursor.value = page.next_cursor
    } catch (caught) {
      error.value = caught as Error
    }
  }
  if (writes.value.length === 0) return <p class="empty">Nothing was ever written there.</p>
  return (
    <>
      <ol class="writes">
        {writes.value.map((write, nth) => (
          <Write key={write.id} write={write} isNewest={nth === 0} asked={asked} />
        ))}
      </ol>
      {error.value !== undefined && <Fault error={error.value} />}
      {cursor.value !== undefined && (
        <button type="button" onClick={() => void more()}>
          Show older writes
        </button>
      )}
    </>
  )
}

function Write({
  write,
  isNewest,
  asked,
}: {
  readonly write: Blame
  readonly isNewest: boolean
  readonly asked: Asked
}) {
  const { intent, reasoning, draft, approval } = write
  return (
    <li class="write">
      <p class="by">
        {isNewest ? 'Now' : 'Before this'}: <Agent name={write.agent} /> {write.deleted ? 'deleted it' : 'wrote'}{' '}
        <Time at={write.timestamp} /> <Confidence value={write.confidence} />
      </p>
      {!write.deleted && <WholeValue value={write.value} />}
      <p class="why">
        <a href={hrefOf({ view: 'commit', ref: write.id })}>{visible(intent.description)}</a>
      </p>
      {reasoning !== undefined && <p class="prose">because {visible(reasoning)}</p>}
      {draft !== undefined && (
        <p>
          through {visible(draft.label)}
          {draft.node !== undefined && `, node ${visible(draft.node)}`}
        </p>
      )}
      {approval !== undefined && (
        <p>
          approved by <Agent name={approval.by} />: {visible(approval.reason)}
        </p>
      )}
      <Answers answers={write.answers} />
      {write.trimmed && <p class="empty">Older writes may be missing: retention dropped the states before this one.</p>}
      {isNewest && !write.deleted && <Around asked={asked} />}
    </li>
  )
}

/** What surrounds the newest write: what was expected and seen, and what it was part of. */
function Around({ asked }: { readonly asked: Asked }) {
  const around = useSignal<Blame | undefined>(undefined)
  useEffect(() => {
    const leaving = new AbortController()
    ask('blame', { ...asked, chain: true }, leaving.signal).then(
      blame => (around.value = blame),
      // The list above has the answer; this only adds to it.
      () => undefined,
    )
    return () => leaving.abort()
  }, [JSON.stringify(asked)])
  if (around.value?.chain === undefined) return null
  const { chain, expects } = around.value
  return (
    <>
      {chain.intents.length > 0 && (
        <p>as part of {visible(chain.intents.map(({ description, id }) => description || id).join(' → '))}</p>
      )}
      {(expects.length > 0 || chain.observed.length > 0) && <Outcome expects={expects} observed={chain.observed} />}
      {chain.considered.length > 0 && (
        <p>instead of {visible(chain.considered.map(({ label }) => label).join(', '))}</p>
      )}
    </>
  )
}
