/**
 * Notifies a client of changes of the resources that it follows.
 *
 * Each client has one watch of the journal while it follows anything. The watch starts before the client learns that it follows,
 * so no change is missed.
 */
import type { JournalEvent, Repository } from 'agentstategraph'
import { commitTouches } from 'agentstategraph/internal'
import { serverError } from '../../wire/errors.ts'
import { findTarget, type Target } from './uri.ts'

/** Each event is compared with each of them. */
const MAX_FOLLOWED = 100

/** The resources that the parameters of a listen request name. */
export function urisIn(params: unknown): readonly string[] {
  const { notifications } = (params ?? {}) as { notifications?: { resourceSubscriptions?: unknown } }
  const uris = notifications?.resourceSubscriptions
  return Array.isArray(uris) ? uris.filter(uri => typeof uri === 'string') : []
}

export interface ResourceFollower {
  /** Resolves when the watch has started; throws when there are too many. An unknown URI is accepted and never changes. */
  follow(uris: readonly string[]): Promise<void>
  leave(uris: readonly string[]): void
  close(): void
}

export function resourceFollower(
  repo: () => Promise<Repository>,
  onChange: (uri: string) => void,
  onError: (error: unknown) => void,
): ResourceFollower {
  // One URI may be followed by several subscriptions.
  const followed = new Map<string, { readonly target: Target | undefined; count: number }>()
  const left = new AbortController()
  let started: Promise<void> | undefined

  async function start(): Promise<void> {
    const found = await repo()
    const events = found.watch({ signal: left.signal })[Symbol.asyncIterator]()
    // Start the first read before the client gets its response.
    const first = events.next()
    void tell(found, events, first).catch(onError)
  }

  async function tell(
    found: Repository,
    events: AsyncIterator<JournalEvent>,
    first: Promise<IteratorResult<JournalEvent>>,
  ): Promise<void> {
    for (let next = await first; next.done !== true; next = await events.next()) {
      for (const [uri, { target }] of followed) {
        if (target !== undefined && (await isTouched(found, target, next.value))) onChange(uri)
      }
    }
  }

  return {
    async follow(uris) {
      const added = new Set(uris.filter(uri => !followed.has(uri)))
      if (followed.size + added.size > MAX_FOLLOWED)
        throw serverError('too-many-at-once', { limit: MAX_FOLLOWED, what: 'resources followed' })
      for (const uri of uris) {
        const known = followed.get(uri)
        if (known === undefined) followed.set(uri, { target: findTarget(uri), count: 1 })
        else known.count += 1
      }
      started ??= start()
      await started
    },
    leave(uris) {
      for (const uri of uris) {
        const known = followed.get(uri)
        if (known === undefined) continue
        known.count -= 1
        if (known.count === 0) followed.delete(uri)
      }
    },
    close: () => left.abort(),
  }
}

async function isTouched({ handle }: Repository, target: Target, event: JournalEvent): Promise<boolean> {
  switch (target.kind) {
    case 'epoch':
      return event.kind === 'epoch' && event.epoch === target.id
    case 'commit':
      return false
    case 'state':
      if (event.kind === 'ref') return event.name === target.ref || event.from === target.ref
      if (event.kind !== 'commit' || event.branch !== target.ref) return false
      return handle.journal.run(commitTouches(handle, event.seq, event.branch, target.path))
  }
}
