/** The history: commits in lanes, newest first, live, beside the commit that is chosen. */
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { CommitView } from '../commit/commit-view.tsx'
import { Fault, shortId } from '../parts/said.tsx'
import { useSettled } from '../parts/use-settled.ts'
import { go, type Route, replace } from '../route.ts'
import { useChanges } from '../source/changes.ts'
import { filters } from '../source/source.ts'
import { token } from '../source/token.ts'
import { CommitList } from './commit-list.tsx'
import { commitPages } from './commit-pages.ts'
import { readFilter } from './filter-words.ts'
import { HistoryToolbar } from './history-toolbar.tsx'
import { Keys } from './keys.tsx'
import { loadLabels } from './labels.ts'

export function HistoryView({ route }: { readonly route: Route }) {
  const { ref, options } = route
  const { q = '', commit: chosenId, from: fromId } = options
  const filter = useMemo(() => readFilter(q, filters()), [q])
  const fields = 'fields' in filter ? filter.fields : {}
  const pages = useMemo(() => commitPages({ ref, ...fields }, Object.keys(fields).length === 0), [ref, q, token.value])
  const shownId = useSettled(chosenId)
  const search = useRef<HTMLInputElement>(null)
  const helpOn = useSignal(false)

  useEffect(() => () => pages.close(), [pages])
  const changes = useChanges()
  useEffect(() => {
    const leaving = new AbortController()
    void pages.refresh()
    loadLabels(leaving.signal).catch(() => undefined)
    return () => leaving.abort()
  }, [pages, changes])

  function onKey(key: string): boolean {
    if (key === '/') search.current?.focus()
    else if (key === '?') helpOn.value = !helpOn.value
    else if (chosenId === undefined) return false
    else if (key === 'Escape') replace({ ...route, options: { ...options, commit: '', from: '' } })
    else if (key === 'c') compare(chosenId)
    else if (key === 'Enter') go({ view: 'commit', ref: chosenId })
    else if (key === 's') go({ view: 'state', ref: chosenId })
    else return false
    return true
  }

  /** The first commit is kept in the URL until another is chosen to be compared with it. */
  function compare(id: string): void {
    if (fromId === undefined || fromId === id) replace({ ...route, options: { ...options, from: id } })
    else go({ view: 'compare', ref: fromId, options: { with: id } })
  }

  const isEmpty = pages.version.value > 0 && pages.commits.length === 0
  return (
    <section class="history">
      <HistoryToolbar route={route} search={search} onHelp={() => (helpOn.value = !helpOn.value)} />
      {helpOn.value && <Keys />}
      {'fault' in filter && <Fault error={new Error(filter.fault)} />}
      {pages.error.value !== undefined && <Fault error={pages.error.value} />}
      {fromId !== undefined && (
        <p class="hint" role="status">
          Go to another commit and press c to compare it with {shortId(fromId)}; Esc to stop.
        </p>
      )}
      {isEmpty && <NoCommits isFiltered={q !== ''} />}
      <div class={chosenId === undefined ? 'columns' : 'columns two'}>
        <CommitList
          pages={pages}
          chosenId={chosenId}
          onChoose={id => replace({ ...route, options: { ...options, commit: id } })}
          onKey={onKey}
        />
        {chosenId !== undefined && (
          <aside class="detail" aria-label="The chosen commit">
            <CommitView id={shownId ?? chosenId} />
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
