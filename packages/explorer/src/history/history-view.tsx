/** The history: commits in lanes, newest first, live, beside the commit that is chosen. */
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { CommitView } from '../commit/commit-view.tsx'
import { Fault } from '../parts/said.tsx'
import { visible } from '../parts/value-text.ts'
import { go, type Route, replace } from '../route.ts'
import { isLive, useChanges } from '../source/changes.ts'
import { filters } from '../source/source.ts'
import { token } from '../source/token.ts'
import { commitPages } from './commit-pages.ts'
import { CommitRow, ROW_HEIGHT } from './commit-row.tsx'
import { filterNames, readFilter } from './filter-words.ts'
import { loadLabels, refNames } from './labels.ts'

/** Rows beyond the visible ones, so that a slow frame shows no gap. */
const SPARE_ROWS = 8

export function HistoryView({ route }: { readonly route: Route }) {
  const { ref, options } = route
  const { q = '', commit: chosenId } = options
  const filter = useMemo(() => readFilter(q, filters()), [q])
  const fields = 'fields' in filter ? filter.fields : {}
  const pages = useMemo(() => commitPages({ ref, ...fields }, Object.keys(fields).length === 0), [ref, q, token.value])
  const top = useSignal(0)
  const height = useSignal(800)
  const list = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)

  useEffect(() => () => pages.close(), [pages])
  const changes = useChanges()
  useEffect(() => {
    void pages.refresh()
    loadLabels().catch(() => undefined)
  }, [pages, changes])

  useEffect(() => {
    const measured = new ResizeObserver(() => (height.value = list.current?.clientHeight ?? 800))
    if (list.current !== null) measured.observe(list.current)
    return () => measured.disconnect()
  }, [])

  const commits = pages.commits.value
  const rows = pages.rows.value
  const first = Math.max(0, Math.floor(top.value / ROW_HEIGHT) - SPARE_ROWS)
  const last = Math.min(commits.length, Math.ceil((top.value + height.value) / ROW_HEIGHT) + SPARE_ROWS)
  useEffect(() => {
    if (last >= commits.length - SPARE_ROWS && commits.length > 0) void pages.more()
  }, [last, commits.length, pages])

  const chosenAt = commits.findIndex(({ id }) => id === chosenId)
  const choose = (at: number): void => {
    const { id } = commits[Math.max(0, Math.min(at, commits.length - 1))] ?? {}
    if (id === undefined) return
    const box = list.current
    if (box !== null) {
      const y = at * ROW_HEIGHT
      if (y < box.scrollTop) box.scrollTop = y
      if (y + ROW_HEIGHT > box.scrollTop + box.clientHeight) box.scrollTop = y + ROW_HEIGHT - box.clientHeight
    }
    replace({ ...route, options: { ...options, commit: id } })
  }

  function onKey(event: KeyboardEvent): void {
    const page = Math.floor(height.value / ROW_HEIGHT) - 1
    const to: Readonly<Record<string, number>> = {
      j: chosenAt + 1,
      ArrowDown: chosenAt + 1,
      k: chosenAt - 1,
      ArrowUp: chosenAt - 1,
      PageDown: chosenAt + page,
      PageUp: chosenAt - page,
      g: 0,
      Home: 0,
      G: commits.length - 1,
      End: commits.length - 1,
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const at = to[event.key]
    if (at !== undefined) choose(at)
    else if (event.key === 'Enter' && chosenId !== undefined) go({ view: 'commit', ref: chosenId })
    else if (event.key === 's' && chosenId !== undefined) go({ view: 'state', ref: chosenId })
    else if (event.key === '/') search.current?.focus()
    else return
    event.preventDefault()
  }

  return (
    <section class="history">
      <form
        class="toolbar"
        onSubmit={event => {
          event.preventDefault()
          go({ ...route, options: { q: search.current?.value ?? '' } })
        }}
      >
        <label>
          Branch{' '}
          <select
            value={ref}
            onChange={event => go({ view: 'history', ref: event.currentTarget.value, options: { q } })}
          >
            <option value="*">all branches</option>
            {(refNames.value.some(({ name }) => name === ref) || ref === '*') === false && (
              <option value={ref}>{visible(ref)}</option>
            )}
            {refNames.value.map(({ kind, name }) => (
              <option key={`${kind} ${name}`} value={name}>
                {visible(name)}
              </option>
            ))}
          </select>
        </label>
        <input
          ref={search}
          type="search"
          key={q}
          defaultValue={q}
          aria-label="Filter the commits"
          placeholder="words, or agent:… path:/… category:… confidence:<0.5 since:2026-04-01"
          title={`Filters: ${[...filterNames, ...filters()].join(', ')}`}
        />
        <button type="submit">Filter</button>
        <span class={isLive.value ? 'live on' : 'live'} role="status">
          {isLive.value ? 'live' : 'not live'}
        </span>
      </form>
      {'fault' in filter && <Fault error={new Error(filter.fault)} />}
      {pages.error.value !== undefined && <Fault error={pages.error.value} />}
      <div class={chosenId === undefined ? 'columns' : 'columns two'}>
        <div
          ref={list}
          class="rows"
          role="listbox"
          tabIndex={0}
          aria-label="Commits, newest first"
          aria-activedescendant={chosenAt < 0 ? undefined : `row-${chosenAt}`}
          onKeyDown={onKey}
          onClick={event => {
            const row = (event.target as Element).closest<HTMLElement>('[data-at]')
            if (row !== null) choose(Number(row.dataset['at']))
          }}
          onScroll={event => (top.value = event.currentTarget.scrollTop)}
        >
          <div class="all-rows" role="presentation" style={{ height: `${commits.length * ROW_HEIGHT}px` }}>
            {commits.slice(first, last).map((commit, nth) => (
              <CommitRow
                key={commit.id}
                commit={commit}
                row={rows[first + nth]!}
                at={first + nth}
                isChosen={first + nth === chosenAt}
              />
            ))}
          </div>
          {commits.length === 0 && pages.isWhole.value && <NoCommits isFiltered={q !== ''} />}
        </div>
        {chosenId !== undefined && (
          <aside class="detail" aria-label="The chosen commit">
            <CommitView id={chosenId} />
          </aside>
        )}
      </div>
    </section>
  )
}

function NoCommits({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <p class="empty">No commit matches. Remove a word of the filter, or choose all branches.</p>
  return (
    <div class="empty">
      <p>Nothing was written yet. The first commit appears here by itself:</p>
      <pre>asg set /hello '"world"' --description "Say hello"</pre>
    </div>
  )
}
