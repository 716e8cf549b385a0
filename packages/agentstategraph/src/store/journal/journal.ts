/**
 * One namespace, open: its log, its nodes, its clock.
 *
 * Opening only reads. What the journal begins with is in genesis.ts; how entries are added, in append.ts.
 */

import { ClassTable, randomId } from '../../core/index.ts'
import { type Encryption, formatLimits, type TreeContext, type TreeLimits } from '../../tree/index.ts'
import type { Backend, Durability, Log } from '../contract/backend.ts'
import { byteCache } from '../contract/cache.ts'
import { checkedName } from '../contract/names.ts'
import { type Work, work, workSync } from '../contract/work.ts'
import { storeError } from '../errors.ts'
import { type NodeStore, nodeStore } from '../packs/nodes.ts'
import type { StoredCommit } from './commit.ts'
import { readGenesis } from './genesis.ts'
import type { SeenJournal } from './seen-journal.ts'
import { watched, watchedSync } from './watched-run.ts'

export interface JournalOptions {
  readonly namespace?: string
  readonly durability?: Durability
  /** How many bytes of nodes to keep in memory, when the backend brings no cache. 64 MiB unless given. */
  readonly cacheBytes?: number
  readonly clock?: () => Date
  readonly ids?: () => string
  /** For a journal that does not exist yet; one that does has the limits it was made with. */
  readonly treeLimits?: TreeLimits
  /** Which paths are encrypted on write and decrypted on read. */
  readonly encryption?: Encryption | undefined
  /** The classes whose instances can be stored. */
  readonly classes?: ClassTable | undefined
}

export interface Journal extends SeenJournal {
  readonly log: Log
  readonly nodes: NodeStore
  readonly context: TreeContext
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly ids: () => string
  /** Whether the genesis entry is known to be there. */
  hasGenesis: boolean
  /** Told of each entry that this journal added, when somebody wants to know. */
  onAppend: ((seq: number) => void) | undefined
  /** Makes room when the store is full, without what these entries need; says whether there is more room now. */
  makeRoom: ((needed: readonly number[]) => Work<boolean>) | undefined
  /** Commits read or written lately, by seq. */
  readonly recent: Map<number, StoredCommit>
  /** Does work, waiting only where the backend does. */
  run<T>(steps: Work<T>): Promise<T>
  /** Does work at once, or throws when the backend answers with promises only. */
  runSync<T>(steps: Work<T>): T
  /** Does work at once where the backend answers at once, and otherwise gives a promise. */
  perform<T>(steps: Work<T>): T | Promise<T>
}

const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024

export async function openJournal(backend: Backend, options: JournalOptions = {}): Promise<Journal> {
  const { namespace = 'default', durability = 'normal', clock } = options
  const log = backend.namespace(checkedName('namespace', namespace), { durability })
  const nodes = nodeStore(log, backend.newCache?.() ?? byteCache(options.cacheBytes ?? DEFAULT_CACHE_BYTES))
  const { sync } = log
  const { syncLoader } = nodes
  const isSync = sync !== undefined && syncLoader !== undefined
  const seen: SeenJournal = { namespace, seen: undefined, isReplaced: false }
  const runSync = <T>(steps: Work<T>): T => {
    if (!isSync) throw storeError('sync-unsupported', { what: 'Working on this journal' })
    return watchedSync(seen, sync, () => workSync(steps, sync, syncLoader))
  }
  // Appends of a group wait for one another, so only the promises know when they are done.
  const perform = <T>(steps: Work<T>): T | Promise<T> =>
    isSync && durability !== 'group' ? runSync(steps) : watched(seen, log, own => work(steps, own, nodes.loader))
  const run = async <T>(steps: Work<T>): Promise<T> => perform(steps)
  const genesis = await run(readGenesis())
  return Object.assign(seen, {
    log,
    nodes,
    context: {
      nodes,
      limits: genesis?.limits ?? options.treeLimits ?? formatLimits,
      encryption: options.encryption,
      classes: options.classes ?? new ClassTable(),
    },
    now: clock === undefined ? Date.now : () => clock().getTime(),
    ids: options.ids ?? (() => randomId()),
    hasGenesis: genesis !== undefined,
    onAppend: undefined as Journal['onAppend'],
    makeRoom: undefined as Journal['makeRoom'],
    recent: new Map<number, StoredCommit>(),
    run,
    runSync,
    perform,
  })
}
