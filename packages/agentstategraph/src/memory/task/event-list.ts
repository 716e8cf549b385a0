/** Lists the events of one memory in order, by the index where the store has one. */

import { hexOfId, optionsOf, type Stored } from '../../core/index.ts'
import {
  assertReadsBranch,
  bodyOf,
  eventTerms,
  findBody,
  type Handle,
  indexUntil,
  reportedValue,
} from '../../repo/index.ts'
import { badCursor, type Listing, listing, type Start } from '../../repository/listing.ts'
import {
  ask,
  isContinuation,
  type JournalEntry,
  readEntries,
  readEntry,
  readEntryValue,
  type Work,
} from '../../store/index.ts'
import { type Versioned, versionedParts } from '../branch/versioned.ts'
import { keyOfRun } from '../events/event-log.ts'
import type { EventContent, MemoryEvent } from '../events/events.ts'
import { Live, liveParts } from './live.ts'

/** Options of `events`. */
export interface EventFilter<K> {
  agent?: string | undefined
  kind?: K | undefined
  /** The number of the last event seen. */
  after?: number | undefined
  limit?: number | undefined
}

type Kind = MemoryEvent['kind']
type OfKind<K extends Kind> = Extract<MemoryEvent, { readonly kind: K }>

/** The events of a memory, oldest first. */
export function events<const K extends Kind = Kind>(
  state: Live | Versioned,
  filter: EventFilter<K> = {},
): Listing<OfKind<K>> {
  const source = state instanceof Live ? liveSource(state) : storedSource(versionedParts(state).handle)
  const start: Start<OfKind<K>> = async cursor => {
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw badCursor(cursor)
    let seen = cursor === undefined ? (filter.after ?? 0) : Number(cursor)
    const next = source(filter, seen)
    return {
      async next() {
        const event = await next()
        if (event !== undefined) seen = event.seq
        return event as OfKind<K> | undefined
      },
      cursor: () => String(seen),
    }
  }
  return listing<OfKind<K>, EventFilter<Kind>>(start, eventsOptions, filter)
}

const eventsOptions = optionsOf<EventFilter<Kind>>('events', { agent: true, kind: true, after: true, limit: true })

type Source = (filter: EventFilter<Kind>, after: number) => () => Promise<MemoryEvent | undefined>

function liveSource(live: Live): Source {
  return ({ agent, kind }, after) => {
    const { events: kept } = liveParts(live)
    let at = after
    return async () => {
      for (; at < kept.length; ) {
        const event = kept[at++]!
        if ((agent === undefined || event.agent === agent) && (kind === undefined || event.kind === kind)) return event
      }
      return undefined
    }
  }
}

const PAGE_ENTRIES = 256

function storedSource(handle: Handle): Source {
  const { journal } = handle
  return (filter, after) => {
    const ends = new Map<string, string | undefined>()
    let waiting: JournalEntry[] = []
    let edge = after
    let newest: number | undefined
    return async () => {
      if (newest === undefined) await journal.run(assertReadsBranch(handle, handle.branch))
      newest ??= (await journal.run(ask(log => log.head()))).seq
      while (waiting.length === 0 && edge < newest) {
        const page = await journal.run(pageAfter(handle, filter, edge, newest))
        edge = page.edge
        waiting = page.entries.reverse()
      }
      const entry = waiting.pop()
      return entry === undefined ? undefined : journal.run(eventFrom(handle, entry, ends))
    }
  }
}

interface EventPage {
  readonly edge: number
  readonly entries: JournalEntry[]
}

function* pageAfter(handle: Handle, filter: EventFilter<Kind>, edge: number, newest: number): Work<EventPage> {
  const place = { branch: handle.branch, agent: filter.agent, kind: filter.kind }
  if (!(yield* indexUntil(handle, newest))) {
    const to = Math.min(newest, edge + PAGE_ENTRIES)
    const entries = yield* readEntries(edge + 1, to, ['text'])
    return { edge: to, entries: entries.filter(entry => matchesFilter(entry, place)) }
  }
  const all = eventTerms(place).map(term => [term])
  const search = { from: edge + 1, to: newest, all, none: [], order: 'oldest' as const, limit: PAGE_ENTRIES }
  const { seqs, mark: indexed } = yield* ask(log => log.index!.search(search))
  // The index was cleared since it was built: the next page builds it again.
  if (indexed < newest) return { edge, entries: [] }
  const entries: JournalEntry[] = []
  for (const seq of seqs) entries.push(yield* readEntry(seq))
  return { edge: seqs.length < PAGE_ENTRIES ? newest : seqs.at(-1)!, entries }
}

interface Place {
  readonly branch: string
  readonly agent: string | undefined
  readonly kind: Kind | undefined
}

function matchesFilter({ record }: JournalEntry, { branch, agent, kind }: Place): boolean {
  if (isContinuation(record)) return false
  const body = findBody(record, 'event')
  if (body?.branch !== branch) return false
  return (agent === undefined || body?.agent === agent) && (kind === undefined || body?.kind === kind)
}

function* eventFrom(handle: Handle, entry: JournalEntry, ends: Map<string, string | undefined>): Work<MemoryEvent> {
  const { agent, task, kind, run, at, before } = bodyOf(entry.record, 'event')
  const value = reportedValue(handle.journal.context, (yield* readEntryValue(entry)) as Stored) as object
  if (!ends.has(run)) ends.set(run, yield* endOfRun(run))
  const after = ends.get(run)
  const event = {
    seq: entry.seq,
    timestamp: new Date(at).toISOString(),
    agent,
    task,
    ...(before === undefined ? {} : { commitBefore: before }),
    ...(after === undefined ? {} : { commitAfter: after }),
  }
  return { ...event, ...({ kind, ...value } as EventContent) }
}

/** The commit at the end of a run; undefined while the run has not ended. */
function* endOfRun(run: string): Work<string | undefined> {
  const seq = yield* ask(log => log.key(keyOfRun(run)))
  if (seq === null) return undefined
  const { record } = yield* readEntry(seq)
  return record.commit === undefined ? bodyOf(record, 'event').after : hexOfId(record.commit)
}
