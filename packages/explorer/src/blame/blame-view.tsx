/** The story of a value, from the newest write to the oldest: who, when, why, how sure, and what was there before. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { findAuthority } from '../commit/authority.ts'
import { Outcome } from '../commit/outcome.tsx'
import { Answers } from '../parts/answers.tsx'
import { PathLinks } from '../parts/path-links.tsx'
import { Agent, Answered, Confidence, Fault, shortId, Time } from '../parts/said.tsx'
import { durationOf } from '../parts/until.tsx'
import { useAct } from '../parts/use-act.ts'
import { useAnswer } from '../parts/use-answer.ts'
import { isCommitId, useHead } from '../parts/use-head.ts'
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
        Who wrote <PathLinks path={path} at={ref} /> on {isCommitId(ref) ? shortId(ref) : visible(ref)}, and why
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
  const { isBusy, error, act } = useAct()
  const more = (): Promise<void> =>
    act(async () => {
      const page = await ask('history', { ...asked, limit: PAGE, cursor: cursor.value })
      writes.value = [...writes.value, ...page.items]
      cursor.value = page.next_cursor
    })
  if (writes.value.length === 0) return <p class="empty">Nothing was ever written there.</p>
  return (
    <>
      <ol class="writes">
        {writes.value.map((write, nth) => (
          <Write key={write.id} write={write} replaced={writes.value[nth - 1]?.timestamp} asked={asked} />
        ))}
      </ol>
      {error.value !== undefined && <Fault error={error.value} />}
      {cursor.value !== undefined && (
        <button type="button" disabled={isBusy.value} onClick={() => void more()}>
          Show older writes
        </button>
      )}
    </>
  )
}

interface WriteProps {
  readonly write: Blame
  /** When the write after this one replaced the value; undefined for the newest. */
  readonly replaced: string | undefined
  readonly asked: Asked
}

function Write({ write, replaced, asked }: WriteProps) {
  const { reasoning, draft, approval } = write
  const isNewest = replaced === undefined
  const authority = findAuthority(write)
  return (
    <li class="write">
      <p class="by">
        {isNewest ? 'Now' : 'Before this'}: <Agent name={write.agent} /> {write.deleted ? 'deleted it' : 'wrote'}{' '}
        <Time at={write.timestamp} /> <Confidence value={write.confidence} />
        {replaced !== undefined && <Stood from={write.timestamp} to={replaced} />}
      </p>
      {!write.deleted && <WholeValue value={write.value} />}
      <p class="why">
        <a href={hrefOf({ view: 'commit', ref: write.id })}>{visible(write.intent.description)}</a>
      </p>
      <dl class="facts">
        {reasoning !== undefined && <Fact name="because">{visible(reasoning)}</Fact>}
        {isNewest && !write.deleted ? (
          <Around write={write} asked={asked} />
        ) : (
          <InsteadOf others={write.alternatives} />
        )}
        {authority !== undefined && <Fact name="on the authority of">{authority}</Fact>}
        {approval !== undefined && (
          <Fact name="approved by">
            <Agent name={approval.by} />: {visible(approval.reason)}
          </Fact>
        )}
        {draft !== undefined && (
          <Fact name="through">
            {visible(draft.label)}
            {draft.node !== undefined && `, node ${visible(draft.node)}`}
          </Fact>
        )}
      </dl>
      <Answers answers={write.answers} />
      {write.trimmed && <p class="empty">Older writes may be missing: retention dropped the states before this one.</p>}
    </li>
  )
}

/** How long a value was there. */
function Stood({ from, to }: { readonly from: string; readonly to: string }) {
  return <span class="category">stood for {durationOf(Date.parse(to) - Date.parse(from))}</span>
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt> <dd class="prose">{children}</dd>
    </div>
  )
}

function InsteadOf({ others }: { readonly others: Blame['alternatives'] }) {
  return others.map(({ label, why_not }) => (
    <Fact key={label} name="instead of">
      {visible(label)}
      {why_not !== undefined && `: ${visible(why_not)}`}
    </Fact>
  ))
}

/** What surrounds the newest write: what was expected and seen, and what it was part of. */
function Around({ write, asked }: Pick<WriteProps, 'write' | 'asked'>) {
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
  if (around.value?.chain === undefined) return <InsteadOf others={write.alternatives} />
  const { chain, expects } = around.value
  return (
    <>
      <InsteadOf others={chain.considered} />
      {(expects.length > 0 || chain.observed.length > 0) && (
        <Fact name="expected">
          <Outcome expects={expects} observed={chain.observed} />
        </Fact>
      )}
      {chain.intents.length > 0 && (
        <Fact name="as part of">
          {visible(chain.intents.map(({ description, id }) => description || id).join(' → '))}
        </Fact>
      )}
    </>
  )
}
