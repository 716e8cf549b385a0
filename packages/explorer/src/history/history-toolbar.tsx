/** Which commits the history shows: those of a branch, and a filter typed as words. */
import type { RefObject } from 'preact'
import { useMemo } from 'preact/hooks'
import { visible } from '../parts/value-text.ts'
import { go, type Route } from '../route.ts'
import { isLive } from '../source/changes.ts'
import { refNames } from './labels.ts'

interface ToolbarProps {
  readonly route: Route
  readonly search: RefObject<HTMLInputElement | null>
  onHelp(): void
}

export function HistoryToolbar({ route, search, onHelp }: ToolbarProps) {
  const { ref, options } = route
  const { q = '' } = options
  const names = refNames.value
  // There can be a thousand of them.
  const choices = useMemo(
    () =>
      names.map(({ kind, name }) => (
        <option key={`${kind} ${name}`} value={name}>
          {visible(name)}
        </option>
      )),
    [names],
  )
  const isNamed = ref === '*' || names.some(({ name }) => name === ref)
  return (
    <form
      class="toolbar"
      onSubmit={event => {
        event.preventDefault()
        go({ ...route, options: { q: search.current?.value ?? '' } })
      }}
    >
      <label>
        Branch{' '}
        <select value={ref} onChange={event => go({ view: 'history', ref: event.currentTarget.value, options: { q } })}>
          <option value="*">all branches</option>
          {!isNamed && <option value={ref}>{visible(ref)}</option>}
          {choices}
        </select>
      </label>
      <input
        ref={search}
        type="search"
        key={q}
        defaultValue={q}
        aria-label="Filter the commits"
        placeholder="words, or agent:… path:/… confidence:<0.5 since:02:00"
      />
      <button type="submit">Filter</button>
      <button type="button" aria-label="Help" onClick={onHelp}>
        ?
      </button>
      <span class={isLive.value ? 'live on' : 'live'} role="status">
        {isLive.value ? 'live' : 'not live'}
      </span>
    </form>
  )
}
