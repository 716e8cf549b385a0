/**
 * A store behind a server: one client for every operation, made from the routes of the table.
 *
 * A failure comes back as problem+json with the same code, kind and words that a local call gives, so it ends the command in the
 * same way. The server decides who the caller is; nothing here says it.
 */
import { type FaultCode, type FaultKind, faultKinds } from '../../wire/faults/fault-kind.ts'
import type { CommandEntry } from '../parse/command-entry.ts'
import { CommandFault } from '../terminal/command-fault.ts'
import type { Client } from './client.ts'
import { readItems } from './stream-items.ts'

type Input = Readonly<Record<string, unknown>>

interface RemoteRequest {
  readonly url: string
  readonly method: string
  readonly body?: string
}

function queryOf(entry: CommandEntry, fields: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of fields) {
    const kind = entry.fields.find(field => field.name === name)?.kind
    // What may be anything goes as JSON, so that the text "3" does not arrive as a number.
    const text = (part: unknown): string =>
      kind === 'value' || kind === 'values' || typeof part !== 'string' ? JSON.stringify(part) : part
    for (const part of kind !== 'value' && Array.isArray(value) ? value : [value]) query.append(name, text(part))
  }
  return query.size === 0 ? '' : `?${query}`
}

/** The request that an input becomes: fields in braces in the path, the rest in the query or the body. */
export function requestOf(base: string, entry: CommandEntry, input: Input): RemoteRequest {
  const [method = 'GET', path = '/'] = entry.route.split(' ')
  const left = new Map(Object.entries(input))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name) ?? entry.fields.find(field => field.name === name)?.default
    left.delete(name)
    return encodeURIComponent(String(value ?? ''))
  })
  if (method === 'GET' || method === 'DELETE') return { url: base + filled + queryOf(entry, left), method }
  return { url: base + filled, method, body: JSON.stringify(Object.fromEntries(left)) }
}

/** The kind of a problem: by its code, which says more than a status; by the status for a code of a newer server. */
function kindOf(code: string, status: number): FaultKind {
  if (Object.hasOwn(faultKinds, code)) return faultKinds[code as FaultCode]
  return kindOfStatus.get(status) ?? 'internal'
}

const kindOfStatus: ReadonlyMap<number, FaultKind> = new Map([
  [400, 'usage'],
  [401, 'unauthenticated'],
  [403, 'denied'],
  [404, 'not-found'],
  [409, 'conflict'],
  [412, 'moved'],
  [413, 'too-large'],
  [415, 'unsupported'],
  [422, 'invalid'],
  [429, 'too-many'],
  [503, 'unavailable'],
  [507, 'full'],
])

async function faultIn(response: Response): Promise<CommandFault> {
  const text = await response.text()
  try {
    const { code, detail, hint, data } = JSON.parse(text)
    if (typeof code === 'string' && typeof detail === 'string') {
      return new CommandFault({ code, kind: kindOf(code, response.status), message: detail, hint, data })
    }
  } catch {
    // Not ours: a proxy, or another program on that port.
  }
  return new CommandFault({
    code: 'server-unknown',
    kind: 'unavailable',
    message: `${response.url} answered ${response.status} and does not seem to be an AgentStateGraph server`,
  })
}

export interface RemoteClientOptions {
  readonly url: string
  readonly token: string | undefined
  readonly entry: CommandEntry
  readonly signal: AbortSignal | undefined
}

export function openRemoteClient({ url, token, entry, signal }: RemoteClientOptions): Client {
  const leave = new AbortController()
  return {
    async call(input) {
      const { url: address, method, body } = requestOf(url, entry, input)
      const headers: Record<string, string> = {
        accept: entry.stream === 'events' ? 'text/event-stream' : 'application/json, application/x-ndjson, */*;q=0.1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      }
      const response = await fetch(address, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.any(signal === undefined ? [leave.signal] : [signal, leave.signal]),
      }).catch(error => {
        throw unreachable(url, error)
      })
      if (!response.ok) throw await faultIn(response)
      if (entry.stream !== undefined) return whole(readItems(response), url, signal)
      return response.status === 204 ? {} : response.json()
    },
    async close() {
      leave.abort()
    },
  }
}

/** A stream ends when the person leaves; one that breaks off by itself is a failure, so that no part is taken for the whole. */
async function* whole(
  items: AsyncIterable<unknown>,
  url: string,
  left: AbortSignal | undefined,
): AsyncGenerator<unknown> {
  try {
    yield* items
  } catch (error) {
    if (left?.aborted) return
    throw error instanceof CommandFault ? error : unreachable(url, error)
  }
}

function unreachable(url: string, error: unknown): CommandFault {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
  return new CommandFault({
    code: 'server-unreachable',
    kind: 'unavailable',
    message: `${url} does not answer: ${cause}`,
    hint: 'Start it with `asg serve`, or name the store itself with --store.',
  })
}
