/**
 * Tells of entries that other processes add.
 *
 * The rows of `heads` are read at intervals while there are listeners; that alone is enough. So that it is soon, a writer also sends a
 * notification, which is a hint: coalesced, outside every transaction, and never needed. One connection listens for all
 * listeners of a backend. Behind a pooler none does: one that hands out connections by transaction would leave the server's
 * connection listening for others, and lose what it hears.
 */
import { createHash } from 'node:crypto'
import type { PostgresConnection, PostgresNotification, PostgresResult, Row } from './connection.ts'
import { bytesArray, eachOf, nameBytes, nameOf } from './literals.ts'
import type { Session } from './session.ts'

/** Hints of so many milliseconds are one notification: a server takes one lock for all that are sent inside it. */
const coalesceMs = 20
/** A notification takes fewer than 8000 bytes. */
const longestPayload = 7000

export interface Watch {
  start(): void
  stop(): void
  /** Tells other processes, soon, that entries were added to a namespace. */
  hint(namespace: string): void
}

/** Whether another process than the one that answers made the connection, which is a pooler. */
async function isPooled(connection: PostgresConnection): Promise<boolean> {
  const answer = await connection.query({ text: 'SELECT pg_backend_pid()', rowMode: 'array' })
  const [row] = (answer as PostgresResult).rows as readonly Row[]
  return typeof connection.processID === 'number' && connection.processID !== row![0]
}

/** `listened` are the namespaces with listeners; `onChange` is told which of them changed. */
export function postgresWatch(
  session: Session,
  pollMs: number,
  listened: () => readonly string[],
  onChange: (namespace: string) => void,
): Watch {
  const channel = `asg_${createHash('sha256').update(session.tables.heads).digest('hex').slice(0, 16)}`
  const seen = new Map<string, number>()
  const hinted = new Set<string>()
  let polling: ReturnType<typeof setInterval> | undefined
  let sending: ReturnType<typeof setTimeout> | undefined
  let listening: PostgresConnection | undefined
  let isConnecting = false
  let canListen = true
  let isAsking = false

  async function look(): Promise<void> {
    if (isAsking) return
    isAsking = true
    try {
      const names = listened()
      const text = `SELECT asked, seq FROM ${eachOf('$1::text::bytea[]', `SELECT seq::float8 FROM ${session.tables.heads} WHERE namespace = asked`)}`
      const rows = await session.read(text, [bytesArray(names.map(nameBytes))])
      const found = new Map(rows.map(([name, seq]) => [nameOf(name), seq as number]))
      for (const name of names) {
        // An entry may have come between the beginning of a listener and its first look.
        const before = seen.get(name) ?? 0
        const now = found.get(name) ?? 0
        seen.set(name, now)
        if (before !== now) onChange(name)
      }
    } catch {
      // The listener's own next read fails too, and has a caller that gets the error.
    } finally {
      isAsking = false
    }
  }

  const onNotification = ({ channel: from, payload = '' }: PostgresNotification): void => {
    if (from !== channel) return
    const names = new Set(listened())
    if (payload === '') for (const name of names) onChange(name)
    for (const coded of payload === '' ? [] : payload.split(',')) {
      const name = Buffer.from(coded, 'base64url').toString()
      if (names.has(name)) onChange(name)
    }
  }

  const onLost = (): void => {
    const lost = listening
    listening = undefined
    lost?.release(true)
  }

  async function listen(): Promise<void> {
    if (isConnecting || listening !== undefined || !canListen) return
    isConnecting = true
    try {
      const connection = await session.connect()
      if (connection?.on === undefined) {
        canListen = false
        return connection?.release()
      }
      listening = connection
      connection.on('error', () => listening === connection && onLost())
      canListen = !(await isPooled(connection))
      if (polling === undefined || !canListen) return onLost()
      connection.on('notification', onNotification)
      await connection.query({ text: `LISTEN ${channel}`, rowMode: 'array' })
    } catch {
      onLost()
    } finally {
      isConnecting = false
    }
  }

  async function send(): Promise<void> {
    sending = undefined
    const payload = [...hinted].map(name => nameBytes(name).toString('base64url')).join(',')
    hinted.clear()
    try {
      await session.read('SELECT pg_notify($1, $2)', [channel, payload.length > longestPayload ? '' : payload])
    } catch {
      // Others find out at their next look.
    }
  }

  return {
    start() {
      seen.clear()
      polling = setInterval(() => {
        void look()
        void listen()
      }, pollMs)
      polling.unref()
      void look()
      void listen()
    },
    stop() {
      clearInterval(polling)
      polling = undefined
      onLost()
    },
    hint(namespace) {
      hinted.add(namespace)
      if (sending !== undefined) return
      sending = setTimeout(() => void send(), coalesceMs)
      sending.unref()
    },
  }
}
