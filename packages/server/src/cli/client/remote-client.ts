/**
 * A client for a server, which builds every request from the routes of the table.
 *
 * A failure arrives as problem+json with the same code, kind and message as a local call, so the command ends in the same way.
 * The server derives the caller from the key.
 */
import { Refusal } from '../../wire/faults/refusal.ts'
import type { CommandEntry } from '../parse/command-entry.ts'
import type { Client } from './client.ts'
import { findRefusal } from './problem-refusal.ts'
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
    // A field of any type is sent as JSON, so that the text "3" does not arrive as a number.
    const text = (part: unknown): string =>
      kind === 'value' || kind === 'values' || typeof part !== 'string' ? JSON.stringify(part) : part
    for (const part of kind !== 'value' && Array.isArray(value) ? value : [value]) query.append(name, text(part))
  }
  return query.size === 0 ? '' : `?${query}`
}

/** The request for an input: fields in braces go into the path, the rest into the query or the body. */
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

async function faultIn(response: Response): Promise<Refusal> {
  const text = await response.text()
  try {
    const refusal = findRefusal({ status: response.status, ...JSON.parse(text) })
    if (refusal !== undefined) return refusal
  } catch {
    // The response is from a proxy or another program on that port.
  }
  return new Refusal({
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

/** A stream that breaks off is a failure unless the person stopped it, so a part is never taken for the whole. */
async function* whole(
  items: AsyncIterable<unknown>,
  url: string,
  left: AbortSignal | undefined,
): AsyncGenerator<unknown> {
  try {
    yield* items
  } catch (error) {
    if (left?.aborted) return
    throw error instanceof Refusal ? error : unreachable(url, error)
  }
}

function unreachable(url: string, error: unknown): Refusal {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
  return new Refusal({
    code: 'server-unreachable',
    kind: 'unavailable',
    message: `${url} does not answer: ${cause}`,
    hint: 'Start it with `asg serve`, or name the store itself with --store.',
  })
}
