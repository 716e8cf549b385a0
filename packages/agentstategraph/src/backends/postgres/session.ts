/**
 * The session with a server: reads that are tried again, and write transactions under the lock of a namespace.
 *
 * A write transaction first locks the row of its namespace in `heads`, and reads in later statements: a statement sees what was
 * committed before it began, so one that waits for the lock and reads would see the state from before its wait. It records its token
 * in `writers`. When the answer to its COMMIT is lost, the lock is taken again: whoever has it knows that the lost transaction
 * has ended, and the token tells how. A lookup without the lock could come before the end of the transaction.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { backendError, reasonOf } from '../errors.ts'
import {
  hasSpare,
  type OwnedPool,
  type PostgresConnection,
  type PostgresQuery,
  type PostgresResult,
  type Row,
} from './connection.ts'
import { failed, isAnswer, isLockTimeout, isTransient, isUnknownStatement, isUnreachable } from './failures.ts'
import { bytesLiteral, statementName } from './literals.ts'
import { makeReady } from './ready.ts'
import { type Tables, tablesIn } from './tables.ts'

/** A client that stops inside a transaction is cut off by the server after this time, so others wait no longer. */
const stalledMs = 3000
/** How long one try waits for the lock, which is more than one stalled client holds it. */
const lockMs = 5000
/** How long a call is tried again while the server cannot be reached. */
const reachMs = 10_000
/** How long a write waits for its turn, and an answer that was lost is looked for. */
const patienceMs = 30_000
const longestPauseMs = 250

const beginText = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${stalledMs}; SET LOCAL lock_timeout = ${lockMs}`

/** Runs one statement. */
export type Ask = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>

/** The newest entry of a namespace, as its row says. All but the number are as in an empty journal when there is none. */
export interface HeadRow {
  readonly seq: number
  readonly time: number
  readonly first: string | null
  readonly leaf: string | null
  readonly packBytes: number
}

/** A write transaction that holds the lock of its namespace. */
export interface Transaction {
  readonly ask: Ask
  readonly head: HeadRow
  readonly writer: Uint8Array
  /** To be recorded in `writers` by what this transaction writes. */
  readonly token: number
}

/** What a transaction did; without a write it is rolled back. */
export interface Done<T> {
  readonly result: T
  readonly isWritten: boolean
}

/** Who else may have the row: appends keep out appends; a drop also keeps out what builds the index. */
export type LockStrength = 'NO KEY UPDATE' | 'UPDATE'

export interface Session {
  readonly tables: Tables
  readonly place: string
  /** Reads with one statement. */
  readonly read: Ask
  /** Runs a body that holds the lock of a namespace. The body may be run again. */
  write<T>(namespace: Uint8Array, strength: LockStrength, body: (held: Transaction) => Promise<Done<T>>): Promise<T>
  /** Runs a body in a transaction without that lock. The body may be run again, also when it was committed. */
  transact<T>(body: (ask: Ask) => Promise<Done<T>>): Promise<T>
  /** Gives a connection that stays with the caller, if one can be spared. */
  connect(): Promise<PostgresConnection | undefined>
}

export interface SessionOptions {
  readonly schema: string
  readonly readOnly: boolean
  readonly prepared: boolean
  readonly assertOpen: () => void
}

/** Makes a session. Tables are looked for, and made, by the first call. */
export function newSession(owned: OwnedPool, { schema, readOnly, prepared, assertOpen }: SessionOptions): Session {
  const { pool, place } = owned
  const tables = tablesIn(schema)
  const writer = randomBytes(16)
  const turns = new Map<string, Promise<unknown>>()
  let token = 0
  let isNamed = prepared
  let readiness: Promise<void> | undefined
  let wasReady = false

  const lockText = (strength: LockStrength, namespace: string): string =>
    `SELECT seq, time, first_leaf, leaf, pack_bytes FROM ${tables.heads} WHERE namespace = ${namespace} FOR ${strength}`

  const asking =
    (connection: PostgresConnection): Ask =>
    async (text, values) => {
      const query: PostgresQuery = { text, values, rowMode: 'array', ...(isNamed ? { name: statementName(text) } : {}) }
      try {
        return rowsOf(await connection.query(query))
      } catch (error) {
        if (isUnknownStatement(error)) isNamed = false
        throw error
      }
    }

  /** Runs statements without values, and gives the rows of the last. */
  const run = async (connection: PostgresConnection, text: string): Promise<readonly Row[]> =>
    rowsOf(await connection.query({ text, rowMode: 'array' }))

  /** Uses a connection, which is closed when its use did not end with an answer. */
  async function using<T>(use: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    assertOpen()
    const connection = await pool.connect()
    // A connection that is lost while it is in use tells so by the call under way.
    const onError = (): void => {}
    connection.on?.('error', onError)
    let isUsable = false
    try {
      const result = await use(connection)
      isUsable = true
      return result
    } catch (error) {
      isUsable = isAnswer(error)
      throw error
    } finally {
      // One that is closed may tell of its end later.
      if (isUsable) connection.removeListener?.('error', onError)
      connection.release(!isUsable)
    }
  }

  async function ready(): Promise<void> {
    assertOpen()
    readiness ??= trying(reachMs, () =>
      using(connection => makeReady(text => run(connection, text), { schema, tables, place, readOnly })),
    )
    try {
      await readiness
      wasReady = true
    } catch (error) {
      readiness = undefined
      throw error
    }
  }

  /** Tries until it succeeds, fails for good, or has taken too long. */
  async function trying<T>(limitMs: number, attempt: () => Promise<T>): Promise<T> {
    const began = performance.now()
    for (let tries = 1; ; tries++) {
      try {
        return await attempt()
      } catch (error) {
        const waitedMs = performance.now() - began
        // An address that was never reached is most likely a wrong one.
        if (!isTransient(error) || (!wasReady && isUnreachable(error))) throw failed(error, place)
        if (waitedMs >= limitMs) {
          if (!isLockTimeout(error)) throw failed(error, place)
          throw backendError('store-busy', { file: place, waitedMs: Math.round(waitedMs) }, { cause: error })
        }
        await pause(tries)
      }
    }
  }

  async function begin(connection: PostgresConnection, namespace: Uint8Array, strength: LockStrength) {
    const lock = lockText(strength, bytesLiteral(namespace))
    let [row] = await run(connection, `${beginText}; ${lock}`)
    if (row === undefined) {
      const insert = `INSERT INTO ${tables.heads} VALUES (${bytesLiteral(namespace)}, 0, 0, NULL, NULL, 0)`
      row = (await run(connection, `${insert} ON CONFLICT DO NOTHING; ${lock}`))[0]
    }
    // Dropped between two statements: the next try makes it.
    if (row === undefined)
      throw Object.assign(new Error('The namespace was dropped'), { code: '40001', severity: 'ERROR' })
    return headOf(row)
  }

  /** Ends a transaction that is to have no effect. A connection that does not answer has ended it too. */
  async function rolledBack<T>(connection: PostgresConnection, attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt()
    } catch (error) {
      if (isAnswer(error)) await run(connection, 'ROLLBACK')
      throw error
    }
  }

  /** Whether a transaction whose answer was lost is committed. */
  async function isCommitted(namespace: Uint8Array, sought: number): Promise<boolean> {
    return using(connection =>
      rolledBack(connection, async () => {
        await begin(connection, namespace, 'NO KEY UPDATE')
        const text = `SELECT token FROM ${tables.writers} WHERE namespace = $1 AND writer = $2`
        const [row] = await asking(connection)(text, [namespace, writer])
        await run(connection, 'ROLLBACK')
        return row !== undefined && Number(row[0]) === sought
      }),
    )
  }

  async function resolved(namespace: Uint8Array, sought: number, lost: unknown): Promise<boolean> {
    try {
      return await trying(patienceMs, () => isCommitted(namespace, sought))
    } catch (error) {
      const name = Buffer.from(namespace).toString()
      throw backendError('outcome-unknown', { namespace: name, reason: reasonOf(error) }, { cause: lost })
    }
  }

  /**
   * Runs after the writes to the same namespace before it. The row of a writer holds one token, so a second write that ends before
   * the outcome of the first is known would hide it.
   */
  async function inTurn<T>(namespace: Uint8Array, write: () => Promise<T>): Promise<T> {
    const name = bytesLiteral(namespace)
    const turn = (turns.get(name) ?? Promise.resolve()).then(write, write)
    turns.set(name, turn)
    try {
      return await turn
    } finally {
      if (turns.get(name) === turn) turns.delete(name)
    }
  }

  /** One try of a write. `lost` is set when the answer to COMMIT was lost. */
  async function attemptWrite<T>(
    namespace: Uint8Array,
    strength: LockStrength,
    body: (held: Transaction) => Promise<Done<T>>,
  ): Promise<{ readonly result: T; readonly lost?: { readonly token: number; readonly error: unknown } }> {
    return using(async connection => {
      const own = ++token
      const done = await rolledBack(connection, async () => {
        const head = await begin(connection, namespace, strength)
        return body({ ask: asking(connection), head, writer, token: own })
      })
      if (!done.isWritten) {
        await run(connection, 'ROLLBACK')
        return { result: done.result }
      }
      try {
        await run(connection, 'COMMIT')
      } catch (error) {
        if (isAnswer(error)) throw error
        connection.release = closingOf(connection)
        return { result: done.result, lost: { token: own, error } }
      }
      return { result: done.result }
    })
  }

  return {
    tables,
    place,
    async read(text, values) {
      await ready()
      return trying(reachMs, () => using(connection => asking(connection)(text, values)))
    },
    async write(namespace, strength, body) {
      await ready()
      return inTurn(namespace, async () => {
        for (;;) {
          const { result, lost } = await trying(patienceMs, () => attemptWrite(namespace, strength, body))
          if (lost === undefined || (await resolved(namespace, lost.token, lost.error))) return result
        }
      })
    },
    async transact(body) {
      await ready()
      return trying(patienceMs, () =>
        using(connection =>
          rolledBack(connection, async () => {
            await run(connection, beginText)
            const { result, isWritten } = await body(asking(connection))
            await run(connection, isWritten ? 'COMMIT' : 'ROLLBACK')
            return result
          }),
        ),
      )
    },
    async connect() {
      await ready()
      return hasSpare(pool) ? pool.connect() : undefined
    },
  }
}

/** Releases by closing, whatever it is told. */
function closingOf(connection: PostgresConnection): () => void {
  const release = connection.release.bind(connection)
  return () => release(true)
}

function headOf([seq, time, first, leaf, packBytes]: Row): HeadRow {
  return {
    seq: Number(seq),
    time: Number(time),
    first: first as string | null,
    leaf: leaf as string | null,
    packBytes: Number(packBytes),
  }
}

function rowsOf(result: PostgresResult | readonly PostgresResult[]): readonly Row[] {
  const last = Array.isArray(result) ? (result as readonly PostgresResult[]).at(-1) : (result as PostgresResult)
  return (last?.rows ?? []) as readonly Row[]
}

/** Waits longer after each try, for a time that differs between processes. */
function pause(tries: number): Promise<void> {
  const longest = Math.min(longestPauseMs, 2 ** tries)
  return new Promise(resolve => setTimeout(resolve, randomInt(longest)))
}
