/** Opening a repository: the address or thing that holds it, and the first handle. */

import {
  type ClassCodec,
  ClassTable,
  checkOptions,
  copyGiven,
  coreError,
  defaultLimits,
  type Limits,
  optionsOf,
} from '../core/index.ts'
import {
  acceptFault,
  assertWritable,
  faultError,
  findHistoryFault,
  findTailFault,
  followWithIndex,
  followWithTail,
  type Handle,
  type HistoryFault,
  keepPolicies,
  type MarkFollower,
  mainBranch,
  newAccessCache,
  repoError,
  retain,
  type Shared,
  type Signer,
  type Signing,
  stampNew,
  startSigning,
  type Versioning,
  type Warning,
} from '../repo/index.ts'
import {
  type Backend,
  type Durability,
  type Journal,
  type KVStore,
  memoryBackend,
  openJournal,
} from '../store/index.ts'
import type { Encryption, Policies } from '../tree/index.ts'
import { limitNames } from './call-options.ts'
import { Repository } from './repository.ts'

/** A place by address, or anything that keeps the backend or the key-value contract. Nothing means memory. */
export type Store = string | URL | Backend | KVStore

/** Options of `open`. */
export interface OpenOptions {
  /** One store holds many repositories; nothing of one shows in another. */
  namespace?: string | undefined
  /** The agent that writes when no call and no `as` names one. */
  agent?: string | undefined
  /** Refuses every write. A file is then opened for reading only, also on a read-only file system, and must exist. */
  readOnly?: boolean | undefined
  durability?: Durability | undefined
  /**
   * How merges decide, by path pattern. They stand above what the repository keeps and what schemas hint at, and below what is
   * given to a merge. Those that are no functions are kept in the repository for other processes.
   */
  policies?: Policies | undefined
  /** Paths whose values are encrypted, so that they can be erased: made by `protect` of agentstategraph/trust. */
  protect?: Encryption | undefined
  /** How instances of your own classes are stored. Without its codec, an instance is refused, and a stored one not read. */
  classes?: readonly ClassCodec[] | undefined
  /** How large what is written may be. What is not given is as it is without. */
  limits?: Partial<Limits> | undefined
  clock?: (() => Date) | undefined
  /**
   * How far the clock may be ahead of the newest entry before a write is refused with `clock-ahead`. No limit unless given,
   * because a store may be idle for years; a year and more is reported to `onWarning`. A store with a clock of its own,
   * such as Redis, is compared with that.
   */
  maxClockAheadMs?: number | undefined
  ids?: (() => string) | undefined
  /** The key that signs heads. With one, what was written survives a power cut, and a mark beside the store follows it. */
  signer?: Signer | undefined
  /** The migrations of the state: a new store begins at their last version. Made by `migrationRegistry` of agentstategraph/schema. */
  migrations?: Versioning | undefined
  /** Answers every commit with a signed head. Needs a signer. */
  receipts?: boolean | undefined
  /** Told what was noticed and is no reason to fail, such as entries that a power failure took. The library never prints. */
  onWarning?: ((warning: Warning) => void) | undefined
}

const openOptions = optionsOf<OpenOptions>('open', {
  namespace: true,
  agent: true,
  readOnly: true,
  durability: true,
  policies: true,
  protect: true,
  classes: true,
  limits: optionsOf<Partial<Limits>>('the limits of open', limitNames),
  clock: true,
  maxClockAheadMs: true,
  ids: true,
  signer: true,
  migrations: true,
  receipts: true,
  onWarning: true,
})

const DEFAULT_AGENT = 'anonymous'

/**
 * Opens a repository: in memory without an argument, or in a file, a backend or a key-value store.
 *
 * @example
 * ```ts
 * import { open } from 'agentstategraph'
 *
 * const repo = await open() // in memory; open('state.db') keeps it in a file
 * await repo.set('/limit', 5, 'Start small')
 * await repo.close()
 * ```
 */
export async function open<State = unknown>(store?: Store, options: OpenOptions = {}): Promise<Repository<State>> {
  return openAccepting<State>(store, options, undefined)
}

/** Opens a repository and, given a reason, accepts a history that is shorter than its marks say. */
export async function openAccepting<State = unknown>(
  store: Store | undefined,
  options: OpenOptions,
  reason: string | undefined,
): Promise<Repository<State>> {
  checkOptions(openOptions, options)
  const { namespace, agent = DEFAULT_AGENT, readOnly = false, policies = {}, clock, ids, signer } = options
  const { onWarning = () => {}, maxClockAheadMs } = options
  if (maxClockAheadMs !== undefined && !(maxClockAheadMs > 0)) {
    const reason = `${maxClockAheadMs} is not a number of milliseconds above 0`
    throw coreError('option-invalid', { field: 'maxClockAheadMs', reason })
  }
  // A head that left the process must never speak of what a power cut can take back.
  const durability = options.durability ?? (signer === undefined ? 'normal' : 'full')
  const classes = new ClassTable(options.classes)
  const backend = await backendOf(store, readOnly)
  try {
    const journal = await openJournal(backend, {
      ...(namespace === undefined ? {} : { namespace }),
      durability,
      ...(clock === undefined ? {} : { clock }),
      maxClockAheadMs,
      onWarning,
      ...(ids === undefined ? {} : { ids }),
      encryption: options.protect,
      classes,
    })
    const fault = await faultOf(backend, journal, options)
    const signing = await signingOf(backend, journal, options)
    const shared: Shared = {
      backend,
      journal,
      checks: [],
      access: newAccessCache(),
      heads: new Map(),
      queues: new Map(),
      policies: copyGiven(policies),
      isReadOnly: readOnly || fault?.isTolerable === false,
      isOpenedToRead: readOnly,
      onWarning,
      fault: fault?.isTolerable === true ? undefined : fault,
      signing,
      tail: readOnly || signing?.mark !== undefined ? undefined : await tailOf(backend, journal),
      index: undefined,
      limits: limitsOf(options.limits),
      migrations: options.migrations,
      isClosed: false,
      onClose: new Set(),
    }
    if (shared.isReadOnly) journal.assertAppendable = () => assertWritable(shared, 'A write')
    const who = { agent, tags: [], intent: undefined, trace: undefined }
    const handle = { shared, journal, branch: mainBranch, who }
    if (fault !== undefined) await settle(handle, fault, reason)
    if (!shared.isReadOnly) shared.index = followWithIndex(handle)
    if (!shared.isReadOnly && backend.retention !== undefined) retain(handle, backend.retention)
    if (!shared.isReadOnly && options.migrations !== undefined) {
      await journal.run(stampNew(handle, options.migrations.version))
    }
    if (!shared.isReadOnly && Object.keys(policies).length > 0) await journal.run(keepPolicies(handle, policies))
    return new Repository<State>(handle)
  } catch (error) {
    await backend.close()
    throw error
  }
}

/** What the marks beside the store say against the journal. A reader without a key need not compare signed heads. */
async function faultOf(
  { marks, tails }: Backend,
  journal: Journal,
  { signer, readOnly }: OpenOptions,
): Promise<HistoryFault | undefined> {
  const { namespace } = journal
  const isSignedFor = marks !== undefined && (signer !== undefined || readOnly !== true)
  const fault = isSignedFor ? await findHistoryFault(journal, { marks, namespace }) : undefined
  return fault ?? (tails && (await findTailFault(journal, { marks: tails, namespace })))
}

/** Reports what is missing, unless there is a reason. What a power failure may have taken is recorded, and so reported once. */
async function settle(handle: Handle, fault: HistoryFault, reason: string | undefined): Promise<void> {
  const { shared } = handle
  const { data, isTolerable } = fault
  if ((isTolerable || reason !== undefined) && !shared.isOpenedToRead) {
    await acceptFault(
      handle,
      fault,
      reason ?? 'The end of the journal was lost without having been written to the disk',
    )
  }
  if (reason === undefined) shared.onWarning(isTolerable ? repoError('history-lost', data) : faultError(fault))
}

async function tailOf({ tails }: Backend, journal: Journal): Promise<MarkFollower | undefined> {
  if (tails === undefined) return undefined
  return followWithTail(journal, { marks: tails, namespace: journal.namespace })
}

async function signingOf(backend: Backend, journal: Journal, options: OpenOptions): Promise<Signing | undefined> {
  const { signer, receipts = false, readOnly = false } = options
  if (signer === undefined) {
    if (receipts) throw coreError('option-invalid', { field: 'receipts', reason: 'there is no signer to sign them' })
    return undefined
  }
  const { marks } = backend
  return startSigning(
    journal,
    signer,
    receipts,
    readOnly || marks === undefined ? undefined : { marks, namespace: journal.namespace },
  )
}

/** The limits asked for over those there are anyway. */
function limitsOf(limits: Partial<Limits> = {}): Limits {
  const asked = Object.entries(limits).filter(([, value]) => value !== undefined)
  for (const [field, value] of asked) {
    if (typeof value === 'number' && value > 0) continue
    throw coreError('option-invalid', { field: `limits.${field}`, reason: `${String(value)} is not a positive number` })
  }
  return { ...defaultLimits, ...Object.fromEntries(asked) }
}

/** The backend of what `open` takes. */
export async function backendOf(store: Store | undefined, readOnly: boolean): Promise<Backend> {
  if (store === undefined) return memoryBackend()
  if (typeof store === 'string' || store instanceof URL) {
    // Loaded when it is asked for, because a browser cannot load it at all.
    const { backendAt } = await import('../backends/backend-at.ts')
    return backendAt(store, { readOnly })
  }
  if (typeof store === 'object' && store !== null && 'namespace' in store) return store
  const { kvBackend } = await import('../backends/kv/kv-backend.ts')
  return kvBackend(store, { readOnly })
}
