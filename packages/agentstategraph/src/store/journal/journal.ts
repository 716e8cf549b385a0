/**
 * An open namespace: its log, its nodes, its clock.
 *
 * Opening only reads. genesis.ts writes the first entry, append.ts all others.
 */

import { ClassTable, millisOf, randomId } from '../../core/index.ts'
import { type Encryption, formatLimits, type TreeContext, type TreeLimits } from '../../tree/index.ts'
import type { Backend, Durability, Log } from '../contract/backend.ts'
import { byteCache, type Cache } from '../contract/cache.ts'
import type { Lock } from '../contract/lock.ts'
import { checkedName, defaultNamespace } from '../contract/names.ts'
import type { Work } from '../contract/work.ts'
import { storeError } from '../errors.ts'
import { type CachedNode, type NodeStore, nodeStore } from '../packs/nodes.ts'
import type { ClockGuard, ClockWarning } from './clock.ts'
import type { StoredCommit } from './commit.ts'
import { readGenesis } from './genesis.ts'
import { asyncRunner, type Runner, type SeenJournal, slicedRunner, syncRunner, unpausedRunner } from './seen-journal.ts'
import { type Budgeted, withBudgets } from './under-budget.ts'

export interface JournalOptions {
  readonly namespace?: string
  readonly durability?: Durability
  /** The size of the node cache in bytes, if the backend brings no cache of its own. 64 MiB by default. */
  readonly cacheBytes?: number
  readonly clock?: () => Date
  /** How far the clock may be ahead of the newest entry; no limit unless given. */
  readonly maxClockAheadMs?: number | undefined
  readonly onWarning?: ((warning: ClockWarning) => void) | undefined
  readonly ids?: () => string
  /** The limits of a new journal; an existing one keeps the limits it was made with. */
  readonly treeLimits?: TreeLimits
  /** Which paths are encrypted on write and decrypted on read. */
  readonly encryption?: Encryption | undefined
  /** The classes whose instances can be stored. */
  readonly classes?: ClassTable | undefined
}

export interface Journal extends SeenJournal, Budgeted<Journal> {
  readonly log: Log
  readonly durability: Durability
  readonly nodes: NodeStore
  readonly context: TreeContext
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly clock: ClockGuard
  readonly ids: () => string
  /** Whether the genesis entry is known to exist. */
  hasGenesis: boolean
  /** Throws when nothing may be appended; undefined where appending is allowed. */
  assertAppendable: (() => void) | undefined
  /** Called after each append, if set. */
  onAppend: (() => void) | undefined
  /** Called after an append with an entry whose number is a multiple of `stretchEntries`, if set. */
  onStretch: (() => void) | undefined
  /** Makes room in a full store, sparing what the given entries need; returns whether there is more room now. */
  makeRoom: ((needed: readonly number[]) => Work<boolean>) | undefined
  /** Where the ref of retention was when the caches were last known to hold no trimmed node. */
  trims: number | null
  /** Recently read or written commits, by seq. */
  readonly recent: Map<number, StoredCommit>
  /** Commits that wait to be appended with others of an import, by their pending numbers. */
  readonly unappended: Map<number, StoredCommit>
  /** Whether appends are answered at once; otherwise several may wait at a time. */
  readonly isSync: boolean
  /** Runs work synchronously, or throws when the backend has no synchronous calls. */
  runSync<T>(steps: Work<T>): T
  /**
   * Runs work synchronously if the backend can, and otherwise returns a promise. Where another process has locked the store,
   * it returns a promise too, unless it may block the thread.
   */
  perform<T>(steps: Work<T>, mayBlock?: boolean): T | Promise<T>
}

function unsupported(): never {
  throw storeError('sync-unsupported', { what: 'Working on this journal' })
}

/**
 * Entries that are indexed together: enough that they share terms, few enough that writers and the event loop hardly wait for the
 * one call that adds them.
 */
export const stretchEntries = 128

const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024

/** The lock of a store that no other process can lock. */
const unlocked: Lock = { mode: 'block', whenFree: async work => work() }

/** Opens the journal of a namespace. */
export async function openJournal(backend: Backend, options: JournalOptions = {}): Promise<Journal> {
  const { namespace = defaultNamespace, durability = 'normal', maxClockAheadMs = Number.POSITIVE_INFINITY } = options
  const { onWarning = () => {} } = options
  const log = backend.namespace(checkedName('namespace', namespace), { durability })
  const cache = backend.newCache?.<CachedNode>() ?? byteCache<CachedNode>(options.cacheBytes ?? DEFAULT_CACHE_BYTES)
  const seen: SeenJournal = { namespace, seen: undefined, appended: 0, isReplaced: false }
  const runners = runnersOn(seen, log, durability, cache)
  const genesis = await runners.run(readGenesis())
  const { run, ...others } = runners
  return withBudgets<Journal>(
    Object.assign(seen, {
      ...others,
      log,
      durability,
      context: {
        nodes: runners.nodes,
        limits: genesis?.limits ?? options.treeLimits ?? formatLimits,
        encryption: options.encryption,
        classes: options.classes ?? new ClassTable(),
      },
      now: millisOf(options.clock),
      clock: { checkedUntil: 0, maxAheadMs: maxClockAheadMs, onWarning },
      ids: options.ids ?? randomId,
      hasGenesis: genesis !== undefined,
      assertAppendable: undefined as Journal['assertAppendable'],
      onAppend: undefined as Journal['onAppend'],
      onStretch: undefined as Journal['onStretch'],
      makeRoom: undefined as Journal['makeRoom'],
      trims: null as Journal['trims'],
      recent: new Map<number, StoredCommit>(),
      unappended: new Map<number, StoredCommit>(),
    }),
    run,
  )
}

/**
 * The same journal with caches of its own, for work that reads or writes everything once.
 *
 * It reads from the store what this process may have cached, and evicts nothing from the caches of others.
 */
export function journalWithCache(journal: Journal, cacheBytes: number): Journal {
  const { namespace, log, durability, context } = journal
  const seen: SeenJournal = { namespace, seen: journal.seen, appended: 0, isReplaced: journal.isReplaced }
  const runners = runnersOn(seen, log, durability, byteCache<CachedNode>(cacheBytes))
  const { run, ...others } = runners
  const own = withBudgets<Journal>(
    Object.assign(seen, {
      ...others,
      log,
      durability,
      context: { ...context, nodes: runners.nodes },
      now: journal.now,
      clock: journal.clock,
      ids: journal.ids,
      hasGenesis: journal.hasGenesis,
      assertAppendable: journal.assertAppendable,
      onAppend() {
        journal.appended = seen.appended
        journal.onAppend?.()
      },
      onStretch: () => journal.onStretch?.(),
      makeRoom: journal.makeRoom,
      trims: null as Journal['trims'],
      recent: new Map<number, StoredCommit>(),
      unappended: new Map<number, StoredCommit>(),
    }),
    run,
  )
  return journal.budget === undefined ? own : own.under(journal.budget)
}

type Runners = Pick<Journal, 'isSync' | 'nodes' | 'runSync' | 'perform'> & { readonly run: Runner }

function runnersOn(seen: SeenJournal, log: Log, durability: Durability, cache: Cache<CachedNode>): Runners {
  const nodes = nodeStore(log, cache)
  const { sync, lock = unlocked } = log
  const { syncLoader } = nodes
  const isSync = sync !== undefined && syncLoader !== undefined
  const runSync = isSync ? syncRunner(seen, sync, syncLoader) : unsupported
  // With group commit, appends wait for one another and are durable only when their promises resolve.
  const sliced = isSync && durability !== 'group' ? { log: sync, loader: syncLoader, nodes, lock } : undefined
  const run: Runner = sliced === undefined ? asyncRunner(seen, log, nodes.loader) : slicedRunner(seen, sliced)
  const runUnpaused = sliced === undefined ? run : unpausedRunner(seen, sliced)
  const runBlocking = sliced === undefined ? run : runSync
  const perform: Journal['perform'] = (steps, mayBlock = false) => (mayBlock ? runBlocking : runUnpaused)(steps)
  return { isSync: sliced !== undefined, nodes, run, runSync, perform }
}
