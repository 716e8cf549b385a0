/**
 * The PostgreSQL backend: journals in tables of one schema, written under a lock of their namespace.
 *
 * This file joins the parts to the contract. How durable a commit is when it is answered is set on the server
 * (`synchronous_commit`), so the `durability` of a log has no effect.
 */
import { checkOptions, optionsOf } from '../../core/index.ts'
import type { Backend, Log, PartPointer, StoredPart } from '../../store/contract/backend.ts'
import { changeListeners } from '../../store/contract/change-listeners.ts'
import { storeError } from '../../store/errors.ts'
import { backendError } from '../errors.ts'
import { type Appender, appender } from './append.ts'
import { mostHolding, type PostgresPool, poolOf } from './connection.ts'
import { nameBytes, nameOf } from './literals.ts'
import { dropNamespace, dropPacks } from './packs.ts'
import { postgresIndex } from './query-index.ts'
import { cellOf, checkOf, commitsOf, entriesOf, headOf, packBytesOf, partsOf, refsOf } from './read.ts'
import { newSession, type Session } from './session.ts'
import { assertSchema } from './tables.ts'
import { postgresUpkeep } from './upkeep.ts'
import { postgresWatch } from './watch.ts'

/** Options of `postgres`. */
export interface PostgresOptions {
  /** The schema of the tables; `agentstategraph` by default. Each holds namespaces of its own. */
  readonly schema?: string
  /** How often a listener looks for entries of other processes when no notification arrives. 1000 by default. */
  readonly pollMs?: number
  /** Refuses to write, also to the index of queries. For an account that may only read, or a replica. */
  readonly readOnly?: boolean
  /** Whether several processes can use the server at once. Only an embedded one cannot. */
  readonly shared?: boolean
  /**
   * Whether statements are prepared under names. True by default: a pooler that cannot have them is noticed by its first refusal.
   */
  readonly prepared?: boolean
  /** How many connections a pool made for an address has at most; 10 by default. */
  readonly connections?: number
}

const postgresOptions = optionsOf<PostgresOptions>('postgres', {
  schema: true,
  pollMs: true,
  readOnly: true,
  shared: true,
  prepared: true,
  connections: true,
})

/**
 * Opens a PostgreSQL server as a backend, by its address or through a pool of `pg`.
 *
 * A pool made for an address is closed with the backend; one that was given stays open.
 */
export function postgres(server: string | URL | PostgresPool, options: PostgresOptions = {}): Backend {
  checkOptions(postgresOptions, options)
  const { schema = 'agentstategraph', pollMs = 1000, readOnly = false, shared = true, prepared = true } = options
  assertSchema(schema)
  const owned = poolOf(server, options.connections)
  const appends = new Map<string, Appender>()
  let isClosed = false
  let holding = 0

  function assertOpen(): void {
    if (isClosed) throw storeError('closed', { what: 'PostgreSQL store' })
  }

  function assertWritable(): void {
    assertOpen()
    if (readOnly) throw backendError('read-only', { operation: 'Writing to the PostgreSQL store' })
  }

  const session = newSession(owned, { schema, readOnly, prepared, assertOpen })
  const listeners = changeListeners(
    () => shared && watch.start(),
    () => shared && watch.stop(),
  )
  const listened = new Map<string, number>()
  const watch = postgresWatch(session, pollMs, () => [...listened.keys()], listeners.notify)

  function onChange(name: string, listener: () => void): () => void {
    assertOpen()
    listened.set(name, (listened.get(name) ?? 0) + 1)
    const remove = listeners.add(name, listener)
    let isAdded = true
    return () => {
      if (!isAdded) return
      isAdded = false
      const others = listened.get(name)! - 1
      if (others > 0) listened.set(name, others)
      else listened.delete(name)
      remove()
    }
  }

  /** Appends of all handles of a namespace share a queue. */
  function appenderOf(name: string): Appender {
    const known = appends.get(name) ?? appender(session, name, shared)
    appends.set(name, known)
    return known
  }

  /** The parts that are known, and the others from the server. */
  async function partsIn(name: string, pointers: readonly PartPointer[]): Promise<readonly (StoredPart | undefined)[]> {
    const found = pointers.map(pointer => appends.get(name)?.kept.part(pointer))
    const missing = pointers.filter((_, i) => found[i] === undefined)
    const asked = await partsOf(session, nameBytes(name), missing)
    let next = 0
    return found.map(part => part ?? asked[next++])
  }

  async function hold(name: string, ref: string): Promise<(() => void) | undefined> {
    assertOpen()
    if (holding >= mostHolding(owned.pool)) return undefined
    holding++
    const release = await appenderOf(name).hold(ref)
    if (release === undefined) holding--
    return (
      release &&
      (() => {
        holding--
        release()
      })
    )
  }

  function log(name: string): Log {
    const namespace = nameBytes(name)
    return {
      async append(batch) {
        assertWritable()
        const appended = await appenderOf(name).append(batch)
        if (appended.kind === 'done') {
          listeners.notify(name)
          if (shared) watch.hint(name)
        }
        return appended
      },
      ...(shared && !readOnly && { hold: (ref: string) => hold(name, ref) }),
      entries: async (from, to, columns) =>
        appends.get(name)?.kept.entries(from, to, columns) ?? entriesOf(session, namespace, from, to, columns),
      parts: pointers => partsIn(name, pointers),
      find: (prefix, limit) => commitsOf(session, namespace, prefix, limit),
      ref: async ref => appends.get(name)?.kept.ref(ref) ?? cellOf(session, namespace, 'refs', ref),
      key: key => cellOf(session, namespace, 'keys', key),
      refs: (prefix, part) => refsOf(session, namespace, prefix, part),
      head: () => headOf(session, namespace),
      now: () => nowOf(session),
      check: seen => checkOf(session, namespace, seen),
      packBytes: (from, to) => packBytesOf(session, namespace, from, to),
      async packTotal() {
        const text = `SELECT seq::float8, pack_bytes::float8 FROM ${session.tables.heads} WHERE namespace = $1`
        const [row] = await session.read(text, [namespace])
        return { to: (row?.[0] as number | undefined) ?? 0, bytes: (row?.[1] as number | undefined) ?? 0 }
      },
      async dropPacks(seqs, newest) {
        assertWritable()
        appends.get(name)?.kept.clear()
        return dropPacks(session, namespace, seqs, newest)
      },
      onChange: listener => onChange(name, listener),
      sync: undefined,
      index: postgresIndex(session, namespace, readOnly),
      upkeep: postgresUpkeep(session, namespace, () => appends.get(name)?.kept.clear()),
    }
  }

  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    listeners.clear()
    listened.clear()
    await owned.close()
  }

  return {
    capabilities: { durable: true, shared, sync: false },
    async namespaces() {
      const rows = await session.read(`SELECT namespace FROM ${session.tables.heads} WHERE seq > 0`, [])
      return rows.map(([name]) => nameOf(name)).sort()
    },
    namespace(name) {
      assertOpen()
      return log(name)
    },
    async dropNamespace(name) {
      assertWritable()
      appends.get(name)?.kept.clear()
      await dropNamespace(session, name)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The time of the server's clock. */
async function nowOf(session: Session): Promise<number> {
  const [row] = await session.read('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000', [])
  return Math.floor(row![0] as number)
}
