/** A slider over history that moves the view below it: to the commit that a branch was at then. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Agent, Fault, Time } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import { useAnswer } from '../parts/use-answer.ts'
import { isCommitId } from '../parts/use-head.ts'
import { visible } from '../parts/value-text.ts'
import { go, type Route, replace } from '../route.ts'
import { useChanges } from '../source/changes.ts'
import type { Commit } from '../source/shapes/state.ts'
import { ask } from '../source/source.ts'
import { type Ends, findAt, findEnds, findNeighbour } from './moments.ts'

/** The view is at a branch, or at a commit of the branch that `on` names. */
export function TimeSlider({ route }: { readonly route: Route }) {
  const { ref, options } = route
  const on = options['on'] ?? (isCommitId(ref) ? '*' : ref)
  const changes = useChanges()
  const answer = useAnswer(`ends ${on}`, signal => findEnds(on, signal), changes)
  if (answer.kind !== 'here' || answer.value === undefined) return <div class="time" />
  return <Slider key={on} on={on} ends={answer.value} route={route} />
}

function Slider({ on, ends, route }: { readonly on: string; readonly ends: Ends; readonly route: Route }) {
  const { ref, options } = route
  const moment = options['as_of']
  const isNow = ref === on && moment === undefined
  const place = `${ref} ${moment ?? ''}`
  const here = useAnswer(`at ${place} ${isNow ? ends.newest.id : ''}`, async signal => {
    if (isNow) return ends.newest
    return moment === undefined ? ask('get_commit', { id: ref }, signal) : findAt(on, Date.parse(moment), signal)
  })
  /** What is shown until the answer is here, so that the slider does not jump. */
  const known = useRef<Commit | undefined>(undefined)
  if (here.kind === 'here') known.current = here.value
  const dragged = useSignal<number | undefined>(undefined)
  const asking = useRef<AbortController | undefined>(undefined)
  const { error, act } = useAct()
  useEffect(() => {
    dragged.value = undefined
  }, [place])
  useEffect(() => () => asking.current?.abort(), [])

  const first = Date.parse(ends.oldest.timestamp)
  const last = Math.max(Date.parse(ends.newest.timestamp), first + 1)
  const commit = known.current
  const at = dragged.value ?? (commit === undefined ? last : Date.parse(commit.timestamp))

  function show(found: Commit | undefined, isStep: boolean): void {
    if (found === undefined) return
    asking.current?.abort()
    known.current = found
    const { as_of: _, ...rest } = options
    const isNewest = found.id === ends.newest.id && route.view !== 'commit' && on !== '*'
    const to = { ...route, ref: isNewest ? on : found.id, options: { ...rest, on: isNewest ? '' : on } }
    if (isStep) go(to)
    else replace(to)
  }

  /** The signal of the next question; the one before is given up. */
  function nextSignal(): AbortSignal {
    asking.current?.abort()
    asking.current = new AbortController()
    return asking.current.signal
  }

  /** While the slider moves, only the last place is asked for. */
  function drag(to: number): void {
    dragged.value = to
    findAt(on, to, nextSignal()).then(
      found => show(found ?? ends.oldest, false),
      () => undefined,
    )
  }

  /** A key that is held steps again when the step before is done. */
  const step = (direction: 'before' | 'after'): Promise<void> =>
    act(async () => {
      if (commit === undefined) return
      const signal = nextSignal()
      const found = await findNeighbour(on, commit, direction, signal).catch((caught: unknown) => {
        if (!signal.aborted) throw caught
        return undefined
      })
      show(found, true)
    })

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') void step('before')
    else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') void step('after')
    else if (event.key === 'Home') show(ends.oldest, true)
    else if (event.key === 'End') show(ends.newest, true)
    else return
    event.preventDefault()
  }

  return (
    <fieldset class="time" aria-label="Time">
      <button type="button" aria-label="The commit before" onClick={() => void step('before')}>
        ◀
      </button>
      <input
        type="range"
        aria-label="Moment"
        aria-valuetext={commit === undefined ? '' : `${commit.timestamp}: ${visible(commit.intent.description)}`}
        min={first}
        max={last}
        step="1"
        value={at}
        onInput={event => drag(event.currentTarget.valueAsNumber)}
        onKeyDown={onKey}
      />
      <button type="button" aria-label="The commit after" onClick={() => void step('after')}>
        ▶
      </button>
      <button type="button" disabled={isNow} onClick={() => show(ends.newest, true)}>
        Now
      </button>
      <span class="moment">
        As of <Time at={new Date(at).toISOString()} />
        {commit !== undefined && (
          <>
            , after “{visible(commit.intent.description)}” by <Agent name={commit.agent} />
          </>
        )}
      </span>
      {error.value !== undefined && <Fault error={error.value} />}
    </fieldset>
  )
}
