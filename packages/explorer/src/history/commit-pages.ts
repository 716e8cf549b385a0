/** The commits of the history view: pages that are added below as they are scrolled to, and new commits above. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Fields } from '../source/answers.ts'
import type { Commit } from '../source/shapes/state.ts'
import { ask } from '../source/source.ts'
import { type LaneRow, layLanes } from './lanes.ts'

/** The first page is what is seen at once. */
const FIRST_PAGE = 60
const PAGE = 200

export interface CommitPages {
  /** Another list whenever `version` changes. */
  readonly commits: readonly Commit[]
  readonly version: ReadonlySignal<number>
  /** How many commits came above the first that were loaded. */
  readonly above: ReadonlySignal<number>
  readonly isWhole: ReadonlySignal<boolean>
  readonly error: ReadonlySignal<Error | undefined>
  /** Where a commit is in the list; -1 when it is not loaded. */
  indexOf(id: string): number
  /** The lanes of the rows up to an index: what is below is laid out when it is shown. */
  lanesTo(end: number): readonly LaneRow[]
  /** Loads the next page, unless one is on its way. */
  more(): Promise<void>
  /** Loads what is newer than the first commit shown. */
  refresh(): Promise<void>
  close(): void
}

/** `isGraph` tells that no commit is left out, so that lines lead from each to its parents. */
export function commitPages(fields: Fields, isGraph: boolean): CommitPages {
  let commits: readonly Commit[] = []
  const version = signal(0)
  const above = signal(0)
  const isWhole = signal(false)
  const error = signal<Error | undefined>(undefined)
  /** The index of a commit, less `above`: it stays when others come above. */
  const places = new Map<string, number>()
  const leaving = new AbortController()
  let rows: readonly LaneRow[] = []
  let waiting: (string | undefined)[] = []
  let cursor: string | undefined
  let isLoading = false
  let refreshing: Promise<void> | undefined
  let isStale = false

  function add(found: readonly Commit[], place: number): void {
    for (const [nth, { id }] of found.entries()) places.set(id, place + nth)
  }

  async function guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      error.value = undefined
    } catch (caught) {
      if (!leaving.signal.aborted) error.value = caught as Error
    }
  }

  async function more(): Promise<void> {
    if (isWhole.value || isLoading) return
    isLoading = true
    await guarded(async () => {
      const limit = cursor === undefined ? FIRST_PAGE : PAGE
      const page = await ask('query', { ...fields, limit, cursor }, leaving.signal)
      add(page.items, commits.length - above.value)
      commits = commits.concat(page.items)
      cursor = page.next_cursor
      isWhole.value = cursor === undefined
      version.value += 1
    })
    isLoading = false
  }

  async function newer(): Promise<void> {
    const known = commits[0]?.seq ?? 0
    const found: Commit[] = []
    let at: string | undefined
    do {
      const page = await ask('query', { ...fields, limit: FIRST_PAGE, cursor: at }, leaving.signal)
      const fresh = page.items.filter(({ seq }) => seq > known)
      found.push(...fresh)
      at = fresh.length === page.items.length ? page.next_cursor : undefined
    } while (at !== undefined)
    if (found.length === 0) return
    rows = []
    waiting = []
    commits = found.concat(commits)
    above.value += found.length
    add(found, -above.value)
    version.value += 1
  }

  /** Events that come while commits are loaded are answered by one more look. */
  async function refresh(): Promise<void> {
    isStale = true
    refreshing ??= (async () => {
      while (isStale && !leaving.signal.aborted) {
        isStale = false
        if (commits.length === 0) {
          isWhole.value = false
          await more()
        } else await guarded(newer)
      }
      refreshing = undefined
    })()
    await refreshing
  }

  return {
    get commits() {
      return commits
    },
    version,
    above,
    isWhole,
    error,
    indexOf(id) {
      const place = places.get(id)
      return place === undefined ? -1 : place + above.value
    },
    lanesTo(end) {
      const missing = commits.slice(rows.length, end)
      if (missing.length > 0) rows = rows.concat(layLanes(isGraph ? missing : missing.map(alone), waiting))
      return rows
    },
    more,
    refresh,
    close: () => leaving.abort(),
  }
}

function alone({ id }: Commit): { readonly id: string; readonly parents: readonly string[] } {
  return { id, parents: [] }
}
