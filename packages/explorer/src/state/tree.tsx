/** A tree of a state that loads each level when it is opened, and long levels page by page. */
import { useSignal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { lastKey } from '../parts/path-keys.ts'
import { BlameLink } from '../parts/path-links.tsx'
import { Fault } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import { useAnswer } from '../parts/use-answer.ts'
import { ShortValue, WholeValue } from '../parts/value.tsx'
import { SHORT_TEXT, textOf, visible } from '../parts/value-text.ts'
import { hrefAt } from '../route.ts'
import type { Entry, Place } from '../source/shapes/state.ts'
import { ask } from '../source/source.ts'

const PAGE = 100

interface BranchProps {
  readonly path: string
  readonly place: Place
  /** Another one when the branch has moved. */
  readonly head: number
  readonly isTop?: boolean
}

export function Branch({ path, place, head, isTop = false }: BranchProps) {
  const key = JSON.stringify([path, place])
  const entries = useSignal<readonly Entry[]>([])
  const cursor = useSignal<string | undefined>(undefined)
  const error = useSignal<Error | undefined>(undefined)
  const isHere = useSignal(false)
  const { isBusy, act } = useAct()

  async function load(after: string | undefined, limit: number, signal?: AbortSignal): Promise<void> {
    try {
      const page = await ask('list_paths', { ...place, path: path || '/', depth: 1, limit, cursor: after }, signal)
      entries.value = after === undefined ? page.items : [...entries.value, ...page.items]
      cursor.value = page.next_cursor
      error.value = undefined
    } catch (caught) {
      if (signal?.aborted) return
      error.value = caught as Error
    }
    isHere.value = true
  }

  useEffect(() => {
    const leaving = new AbortController()
    // What was shown is shown again when the branch has moved.
    void load(undefined, Math.min(Math.max(PAGE, entries.value.length), 10 * PAGE), leaving.signal)
    return () => leaving.abort()
  }, [key, head])

  if (error.value !== undefined) return <Fault error={error.value} />
  if (!isHere.value) return <p class="waiting">Loading…</p>
  if (entries.value.length === 0)
    return isTop ? <Leaf path={path} place={place} head={head} /> : <p class="empty">empty</p>
  return (
    <ul>
      {entries.value.map(entry => (
        <Twig key={entry.path} entry={entry} place={place} head={head} />
      ))}
      {cursor.value !== undefined && (
        <li>
          <button type="button" disabled={isBusy.value} onClick={() => void act(() => load(cursor.value, PAGE))}>
            Show {PAGE} more
          </button>
        </li>
      )}
    </ul>
  )
}

interface TwigProps extends Pick<BranchProps, 'place' | 'head'> {
  readonly entry: Entry
}

function Twig({ entry: { path, kind, size }, place, head }: TwigProps) {
  const [isOpen, open] = useState(false)
  const name = visible(lastKey(path))
  if (kind === 'value') {
    return (
      <li>
        <a class="key" href={hrefAt({ view: 'state', ref: place.ref, path })}>
          {name}
        </a>{' '}
        <Preview path={path} place={place} head={head} /> <BlameLink path={path} at={place.ref} />
      </li>
    )
  }
  return (
    <li>
      <button type="button" class="twig" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {name}{' '}
        <span class="size">
          {kind} of {size.toLocaleString()}
        </span>
      </button>{' '}
      <a class="aside" href={hrefAt({ view: 'state', ref: place.ref, path })} aria-label={`Open ${name} alone`}>
        open
      </a>
      <BlameLink path={path} at={place.ref} />
      {isOpen && <Branch path={path} place={place} head={head} />}
    </li>
  )
}

function Preview({ path, place, head }: Omit<BranchProps, 'isTop'>) {
  const answer = useAnswer(JSON.stringify(['get', path, place]), signal => ask('get', { ...place, path }, signal), head)
  if (answer.kind === 'waiting') return <span class="waiting">…</span>
  if (answer.kind === 'failed') return <span class="fault">{visible(answer.error.message)}</span>
  const { kind, text } = textOf(answer.value.value)
  const isLong = text.length > SHORT_TEXT || kind === 'bytes'
  if (!isLong) return <ShortValue value={answer.value.value} />
  return (
    <details>
      <summary>
        <ShortValue value={answer.value.value} />
      </summary>
      <WholeValue value={answer.value.value} />
    </details>
  )
}

/** A path that leads to a value, or to an empty state. */
function Leaf({ path, place, head }: Omit<BranchProps, 'isTop'>) {
  const answer = useAnswer(
    JSON.stringify(['get', path, place]),
    signal => ask('get', { ...place, path: path || '/' }, signal),
    head,
  )
  if (answer.kind === 'waiting') return <p class="waiting">Loading…</p>
  if (answer.kind === 'failed') return <Fault error={answer.error} />
  const { value } = answer.value
  const { kind } = textOf(value)
  if (kind === 'map' || kind === 'list') return <p class="empty">This {kind} is empty.</p>
  return <WholeValue value={value} />
}
