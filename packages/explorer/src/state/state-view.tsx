/** A state at a branch, tag, commit or moment: as a tree or a table, with a search of keys and values. */
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Copy } from '../parts/copy.tsx'
import { BlameLink, PathLinks } from '../parts/path-links.tsx'
import { Answered, Fault } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import { useAnswer } from '../parts/use-answer.ts'
import { useHead } from '../parts/use-head.ts'
import { ShortValue } from '../parts/value.tsx'
import { visible } from '../parts/value-text.ts'
import { go, hrefOf, type Route } from '../route.ts'
import type { Place } from '../source/shapes/state.ts'
import { ask } from '../source/source.ts'
import { TimeSlider } from '../time/time-slider.tsx'
import { StateTable } from './state-table.tsx'
import { Branch } from './tree.tsx'

export function StateView({ route }: { readonly route: Route }) {
  const { ref, path, options } = route
  const place: Place = { ref, as_of: options['as_of'] || undefined }
  const isTable = options['as'] === 'table'
  const at = useRef<HTMLInputElement>(null)
  const words = useRef<HTMLInputElement>(null)
  const when = useRef<HTMLInputElement>(null)
  const shown = (changed: Readonly<Record<string, string>>): void =>
    go({ ...route, options: { ...options, ...changed } })
  return (
    <section class="state">
      <form
        class="toolbar"
        onSubmit={event => {
          event.preventDefault()
          const local = when.current?.value ?? ''
          const moment = local === '' ? '' : new Date(local).toISOString()
          go({
            ...route,
            ref: at.current?.value || 'main',
            options: { ...options, on: '', as_of: moment, find: words.current?.value ?? '' },
          })
        }}
      >
        <label>
          At <input ref={at} key={ref} defaultValue={ref} aria-label="A branch, tag or commit" />
        </label>
        <label>
          as of{' '}
          <input ref={when} type="datetime-local" step="1" key={place.as_of} defaultValue={localTime(place.as_of)} />
        </label>
        <input
          ref={words}
          type="search"
          key={options['find']}
          defaultValue={options['find']}
          aria-label="Search keys and values"
          placeholder="search keys and values"
        />
        <button type="submit">Show</button>
        <button type="button" aria-pressed={isTable} onClick={() => shown({ as: isTable ? '' : 'table' })}>
          Table
        </button>
      </form>
      <TimeSlider route={route} />
      <h2>
        <PathLinks path={path} at={ref} /> {path !== '' && <BlameLink path={path} at={ref} />}
      </h2>
      <Answered
        answer={useHead(place)}
        show={head => {
          if (options['find']) return <Found text={options['find']} below={path} place={place} head={head} />
          if (isTable) return <StateTable key={`${path} ${place.ref}`} path={path} place={place} head={head} />
          return (
            <div class="tree">
              <Branch path={path} place={place} head={head} isTop />
            </div>
          )
        }}
      />
      <CopyState path={path} place={place} />
    </section>
  )
}

interface FoundProps {
  readonly text: string
  readonly below: string
  readonly place: Place
  readonly head: number
}

function Found({ text, below, place, head }: FoundProps) {
  const key = JSON.stringify(['search', text, below, place])
  const answer = useAnswer(
    key,
    signal => ask('search', { ...place, text, below: below || '/', limit: 200 }, signal),
    head,
  )
  return (
    <Answered
      answer={answer}
      show={({ items, next_cursor }) => (
        <>
          {items.length === 0 && <p class="empty">No key or value contains “{visible(text)}” here.</p>}
          <ul class="found">
            {items.map(({ path, value }) => (
              <li key={path}>
                <PathLinks path={path} at={place.ref} /> <ShortValue value={value} />{' '}
                <BlameLink path={path} at={place.ref} />
              </li>
            ))}
          </ul>
          {next_cursor !== undefined && <p>There are more. Add a word, or search below a deeper path.</p>}
        </>
      )}
    />
  )
}

/** The value is read when it is asked for: it may be large. */
function CopyState({ path, place }: { readonly path: string; readonly place: Place }) {
  const json = useSignal<string | undefined>(undefined)
  const { isBusy, error, act } = useAct()
  const load = (): Promise<void> =>
    act(async () => {
      json.value = JSON.stringify((await ask('get', { ...place, path: path || '/' })).value, null, 2)
    })
  return (
    <p class="links">
      <Copy text={path || '/'} what="path" />{' '}
      {json.value === undefined ? (
        <button type="button" disabled={isBusy.value} onClick={() => void load()}>
          As JSON
        </button>
      ) : (
        <Copy text={json.value} what="JSON" />
      )}{' '}
      <a href={hrefOf({ view: 'history', ref: place.ref, options: path === '' ? {} : { q: `path:"${path}"` } })}>
        Commits that changed this
      </a>
      {error.value !== undefined && <Fault error={error.value} />}
    </p>
  )
}

/** A moment as a form shows it: in the zone of the reader, without one. */
function localTime(moment: string | undefined): string {
  if (moment === undefined) return ''
  const time = new Date(moment)
  if (Number.isNaN(time.getTime())) return ''
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
