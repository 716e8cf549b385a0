/** A long list of commits in lanes, of which only the rows that can be seen are drawn. It is one place for the keyboard. */
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { CommitPages } from './commit-pages.ts'
import { CommitRow, ROW_HEIGHT } from './commit-row.tsx'

/** Rows beyond the visible ones, so that a slow frame shows no gap. */
const SPARE_ROWS = 8

interface CommitListProps {
  readonly pages: CommitPages
  readonly chosenId: string | undefined
  onChoose(id: string): void
  /** A key that moves nothing here; gives whether it was used. */
  onKey(key: string): boolean
}

export function CommitList({ pages, chosenId, onChoose, onKey }: CommitListProps) {
  const box = useRef<HTMLDivElement>(null)
  const top = useSignal(0)
  const height = useSignal(800)
  const seen = useRef({ pages, above: 0 })
  const count = pages.version.value > 0 ? pages.commits.length : 0
  const above = pages.above.value
  const chosenAt = chosenId === undefined ? -1 : pages.indexOf(chosenId)
  const first = Math.max(0, Math.floor(top.value / ROW_HEIGHT) - SPARE_ROWS)
  const last = Math.min(count, Math.ceil((top.value + height.value) / ROW_HEIGHT) + SPARE_ROWS)

  useEffect(() => {
    const measured = new ResizeObserver(() => (height.value = box.current?.clientHeight ?? 800))
    if (box.current !== null) measured.observe(box.current)
    return () => measured.disconnect()
  }, [])

  // Who has scrolled down goes on to see the same rows when commits come above them.
  useLayoutEffect(() => {
    const came = seen.current.pages === pages ? above - seen.current.above : 0
    seen.current = { pages, above }
    if (box.current !== null && came > 0 && box.current.scrollTop > 0) box.current.scrollTop += came * ROW_HEIGHT
  }, [pages, above])

  useEffect(() => {
    if (count > 0 && last >= count - SPARE_ROWS) void pages.more()
  }, [last, count, pages])

  function choose(wanted: number): void {
    const at = Math.max(0, Math.min(wanted, count - 1))
    const commit = pages.commits[at]
    if (commit === undefined || box.current === null) return
    const { scrollTop, clientHeight } = box.current
    const y = at * ROW_HEIGHT
    if (y < scrollTop) box.current.scrollTop = y
    if (y + ROW_HEIGHT > scrollTop + clientHeight) box.current.scrollTop = y + ROW_HEIGHT - clientHeight
    onChoose(commit.id)
  }

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
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
      G: count - 1,
      End: count - 1,
    }
    const at = to[event.key]
    if (at !== undefined) choose(at)
    else if (!onKey(event.key)) return
    event.preventDefault()
  }

  const lanes = pages.lanesTo(last)
  return (
    <div
      ref={box}
      class="rows"
      role="listbox"
      tabIndex={0}
      aria-label="Commits, newest first"
      aria-activedescendant={chosenAt < first || chosenAt >= last ? undefined : `row-${chosenAt}`}
      onKeyDown={press}
      onClick={event => {
        const row = (event.target as Element).closest<HTMLElement>('[data-at]')
        if (row !== null) choose(Number(row.dataset['at']))
      }}
      onScroll={event => (top.value = event.currentTarget.scrollTop)}
    >
      <div class="all-rows" role="presentation" style={{ height: `${count * ROW_HEIGHT}px` }}>
        {pages.commits.slice(first, last).map((commit, nth) => (
          <CommitRow
            key={commit.id}
            commit={commit}
            row={lanes[first + nth]!}
            at={first + nth}
            isChosen={first + nth === chosenAt}
          />
        ))}
      </div>
    </div>
  )
}
