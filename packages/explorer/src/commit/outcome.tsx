/** What a commit was expected to lead to, beside what was observed, and who observed it. */
import { Agent, Confidence, Time } from '../parts/said.tsx'
import { ShortValue, WholeValue } from '../parts/value.tsx'
import { visible } from '../parts/value-text.ts'
import type { Observation } from '../source/shapes/state.ts'

interface OutcomeProps {
  readonly expects: readonly unknown[]
  readonly observed: readonly Observation[]
}

interface Expectation {
  readonly path?: unknown
  readonly equals?: unknown
  readonly min?: number
  readonly max?: number
  readonly text?: string
}

export function Outcome({ expects, observed }: OutcomeProps) {
  const measured = new Map(
    observed.flatMap(({ observed: values = [] }) => values.map(({ path, value }) => [path, value])),
  )
  const expected = new Set(expects.map(one => (one as Expectation).path))
  const others = [...measured].filter(([path]) => !expected.has(path))
  return (
    <ul>
      {expects.map((one, nth) => (
        <li key={`${nth}`}>
          <Expected expectation={one as Expectation} />
          <Measured measured={measured} path={(one as Expectation).path} />
        </li>
      ))}
      {others.map(([path, value]) => (
        <li key={path}>
          <span class="path">{visible(path)}</span>, observed: <ShortValue value={value} />
        </li>
      ))}
      {observed.map(({ held, note, agent, timestamp, confidence }, nth) => (
        <li key={`${nth}`} class={held ? 'held' : 'not-held'}>
          {held ? 'As expected' : 'Not as expected'}, says <Agent name={agent} /> <Time at={timestamp} />{' '}
          <Confidence value={confidence} />
          {note !== undefined && `: ${visible(note)}`}
        </li>
      ))}
    </ul>
  )
}

function Measured({ measured, path }: { readonly measured: ReadonlyMap<unknown, unknown>; readonly path: unknown }) {
  if (!measured.has(path)) return <span class="hint">: not observed yet</span>
  return (
    <>
      ; observed: <ShortValue value={measured.get(path)} />
    </>
  )
}

function Expected({ expectation }: { readonly expectation: Expectation }) {
  const { path, equals, min, max, text } = expectation
  if (typeof path !== 'string') return <WholeValue value={expectation} />
  return (
    <>
      <span class="path">{visible(path)}</span>
      {equals !== undefined && (
        <>
          {' '}
          becomes <ShortValue value={equals} />
        </>
      )}
      {min !== undefined && ` at least ${min}`}
      {max !== undefined && ` at most ${max}`}
      {text !== undefined && ` ${visible(text)}`}
    </>
  )
}
