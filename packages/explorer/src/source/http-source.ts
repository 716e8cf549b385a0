/** Asks the server that the page came from: the operations of the table, with the rights of whoever reads. */
import type { Answers, Fields } from './shapes.ts'
import { isTokenAsked, token } from './token.ts'

/** What the server answered in place of a result. */
export class Refusal extends Error {
  readonly code: string
  readonly hint: string | undefined

  constructor(message: string, code: string, hint: string | undefined) {
    super(message)
    this.code = code
    this.hint = hint
  }
}

const routes: Readonly<Record<keyof Answers, readonly ['GET' | 'POST', string]>> = {
  query: ['POST', '/api/query/{ref}'],
  get_commit: ['GET', '/api/commits/{id}'],
  diff: ['GET', '/api/diff'],
  list_branches: ['GET', '/api/branches'],
  list_tags: ['GET', '/api/tags'],
  list_paths: ['GET', '/api/state/{ref}/paths'],
  get: ['GET', '/api/state/{ref}'],
  search: ['GET', '/api/state/{ref}/search'],
  blame: ['GET', '/api/blame/{ref}'],
  history: ['GET', '/api/history/{ref}'],
}

/** Asks for one operation. */
export async function ask<Name extends keyof Answers>(
  name: Name,
  fields: Fields,
  signal?: AbortSignal,
): Promise<Answers[Name]> {
  const [method, route] = routes[name]
  const given = new Map(Object.entries(fields).filter(([, value]) => value !== undefined))
  const path = route.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = String(given.get(field))
    given.delete(field)
    return encodeURIComponent(value)
  })
  const rest = Object.fromEntries(given)
  const isRead = method === 'GET'
  const url = isRead
    ? `${path}?${new URLSearchParams(Object.entries(rest).map(([key, value]) => [key, String(value)]))}`
    : path
  const body = isRead ? {} : { body: JSON.stringify(rest) }
  const headers = isRead ? headersOf() : { ...headersOf(), 'content-type': 'application/json' }
  const response = await reach(url, { method, headers, ...body, ...(signal === undefined ? {} : { signal }) })
  if (response.ok) return (await response.json()) as Answers[Name]
  throw await refusalOf(response)
}

/**
 * Calls back after each change of the store, until the signal aborts. The stream of events is read with `fetch`, because an
 * EventSource cannot carry the key. A stream that ends is opened again.
 */
export async function follow(
  onChange: () => void,
  onState: (isLive: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await reach('/api/watch', { headers: headersOf(), signal })
      if (!response.ok || response.body === null) throw await refusalOf(response)
      onState(true)
      // What came between the last answer and the beginning of the stream.
      onChange()
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        if (chunk.value.includes('data:')) onChange()
      }
    } catch {
      // The next request says what is wrong; here it is only not live.
    }
    onState(false)
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
}

const RETRY_MS = 2000

function headersOf(): Record<string, string> {
  return token.value === undefined ? {} : { authorization: `Bearer ${token.value}` }
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: 'omit', cache: 'no-store' })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new Refusal(
      'The server cannot be reached.',
      'unreachable',
      'Is `asg serve` still running? The page tries again when you do.',
    )
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  if (response.status === 401) isTokenAsked.value = true
  const problem = await response.json().catch(() => ({}))
  return new Refusal(
    problem.detail ?? problem.title ?? `The server answered ${response.status}.`,
    problem.code ?? String(response.status),
    problem.hint,
  )
}
