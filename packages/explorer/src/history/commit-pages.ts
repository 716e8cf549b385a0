/** The commits of the history view: pages that are added below as they are scrolled to, and new commits above. */
import { batch, type Signal, signal } from '@preact/signals'
import type { Fields } from '../source/answers.ts'
import type { Commit } from '../source/shapes/state.ts'
import { ask } from '../source/source.ts'
import { type LaneRow, layLanes } from './lanes.ts'

const PAGE = 200

export interface CommitPages {
  readonly commits: Signal<readonly Commit[]>
  readonly rows: Signal<readonly LaneRow[]>
  readonly isWhole: Signal<boolean>
  readonly isLoading: Signal<boolean>
  readonly error: Signal<Error | undefined>
  /** Loads the next page, unless one is on its way. */
  more(): Promise<void>
  /** Loads what is newer than the first commit shown. */
  refresh(): Promise<void>
  close(): void
}

/** `isGraph` tells that no commit is left out, so that lines lead from each to its parents. */
export function commitPages(fields: Fields, isGraph: boolean): CommitPages {
  const commits = signal<readonly Commit[]>([])
  const rows = signal<readonly LaneRow[]>([])
  const isWhole = signal(false)
  const isLoading = signal(false)
  const error = signal<Error | undefined>(undefined)
  const leaving = new AbortController()
  let cursor: string | undefined
  let waiting: (string | undefined)[] = []
  let refreshing: Promise<void> | undefined
  let isStale = false

  const laid = (items: readonly Commit[]): LaneRow[] => layLanes(isGraph ? items : items.map(alone), waiting)

  async function guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      error.value = undefined
    } catch (caught) {
      if (!leaving.signal.aborted) error.value = caught as Error
    }
  }

  async function more(): Promise<void> {
    if (isWhole.value || isLoading.value) return
    isLoading.value = true
    await guarded(async () => {
      const page = await ask('query', { ...fields, limit: PAGE, cursor }, leaving.signal)
      batch(() => {
        rows.value = [...rows.value, ...laid(page.items)]
        commits.value = [...commits.value, ...page.items]
        cursor = page.next_cursor
        isWhole.value = cursor === undefined
      })
    })
    isLoading.value = false
  }

  async function newer(): Promise<void> {
    const known = commits.value[0]?.seq ?? 0
    const found: Commit[] = []
    let at: string | undefined
    do {
      const page = await ask('query', { ...fields, limit: PAGE, cursor: at }, leaving.signal)
      const fresh = page.items.filter(({ seq }) => seq > known)
      found.push(...fresh)
      at = fresh.length === page.items.length ? page.next_cursor : undefined
    } while (at !== undefined)
    if (found.length === 0) return
    batch(() => {
      waiting = []
      commits.value = [...found, ...commits.value]
      rows.value = laid(commits.value)
    })
  }

  /** Events that come while commits are loaded are answered by one more look. */
  async function refresh(): Promise<void> {
    isStale = true
    refreshing ??= (async () => {
      while (isStale && !leaving.signal.aborted) {
        isStale = false
        if (commits.value.length === 0) {
          isWhole.value = false
          await more()
        } else await guarded(newer)
      }
      refreshing = undefined
    })()
    await refreshing
  }

  return { commits, rows, isWhole, isLoading, error, more, refresh, close: () => leaving.abort() }
}

function alone({ id }: Commit): { readonly id: string; readonly parents: readonly string[] } {
  return { id, parents: [] }
}
