/**
 * Connections to a PostgreSQL server: the part of `pg` that is used, and a pool of our own for an address.
 *
 * `pg` is loaded when an address is opened. This file knows no tables.
 */
import { createRequire } from 'node:module'
import { backendError, reasonOf } from '../errors.ts'

/** One statement, or several without values, as `pg` takes it. Rows are asked for as arrays. */
export interface PostgresQuery {
  readonly text: string
  readonly values?: readonly unknown[]
  /** Names the statement, so that a connection parses it once. */
  readonly name?: string
  readonly rowMode: 'array'
}

/** What a statement gave. */
export interface PostgresResult {
  readonly rows: readonly unknown[]
}

/** A row, as an array. */
export type Row = readonly unknown[]

/** What a connection says without being asked. */
export interface PostgresNotification {
  readonly channel: string
  readonly payload?: string | undefined
}

/** A connection that belongs to one user until it is released; released with an error, it is closed. */
export interface PostgresConnection {
  /** Several statements give one result each. */
  query(query: PostgresQuery): Promise<PostgresResult | readonly PostgresResult[]>
  release(error?: Error | boolean): void
  /** The server's process for this connection, as it was told when the connection was made. */
  readonly processID?: number | null
  on?(event: 'notification', listener: (notification: PostgresNotification) => void): unknown
  on?(event: 'error', listener: (error: Error) => void): unknown
  removeListener?(event: 'error', listener: (error: Error) => void): unknown
}

/** What a pool was made with. */
export interface PoolSettings {
  readonly max?: number | undefined
}

/** What the backend needs of a pool. A `Pool` of `pg` has it. */
export interface PostgresPool {
  connect(): Promise<PostgresConnection>
  /** With a single connection, none is kept for notifications. */
  readonly options?: PoolSettings
}

/** A pool, what it is called in errors, and how to close it, if it is ours. */
export interface OwnedPool {
  readonly pool: PostgresPool
  /** Without name and password. */
  readonly place: string
  close(): Promise<void>
}

/** Whether a connection can be kept without leaving none for others. */
export function hasSpare({ options }: PostgresPool): boolean {
  return options?.max !== 1
}

/** How many connections may hold a lock while something is built, which reads with others. */
export function mostHolding({ options }: PostgresPool): number {
  return Math.floor((options?.max ?? defaultConnections) / 3)
}

/** A connection that is not made, or gives no answer, for so long is given up. Without it a call would wait for ever. */
const connectMs = 10_000
const answerMs = 30_000

/** Enough for writes, reads beside them, and the connection that listens. */
const defaultConnections = 10

interface OwnPool extends PostgresPool {
  on(event: 'error', listener: (error: Error) => void): unknown
  end(): Promise<void>
}

type Pg = { readonly Pool: new (options: object) => OwnPool }

/** Makes a pool for an address, or takes the one given, which stays open. */
export function poolOf(server: string | URL | PostgresPool, connections: number = defaultConnections): OwnedPool {
  if (typeof server === 'object' && 'connect' in server) {
    return { pool: server, place: 'postgres', close: async () => {} }
  }
  const { Pool } = loadPg()
  const pool = new Pool({
    connectionString: String(server),
    max: connections,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
    allowExitOnIdle: true,
  })
  // Without a listener, a connection that is lost while nobody uses it would end the process. The calls report it.
  pool.on('error', () => {})
  return { pool, place: placeOf(String(server)), close: () => pool.end() }
}

/** Host, port and database of an address. */
function placeOf(address: string): string {
  try {
    const { protocol, host, pathname } = new URL(address)
    return `${protocol}//${host}${pathname}`
  } catch {
    return 'postgres'
  }
}

function loadPg(): Pg {
  try {
    return createRequire(import.meta.url)('pg') as Pg
  } catch (cause) {
    throw backendError('postgres-missing', { reason: reasonOf(cause) }, { cause })
  }
}
