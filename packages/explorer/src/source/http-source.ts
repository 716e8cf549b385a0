/** Asks the server that the page came from: the operations of the table, with the rights of the key. */
import type { Answers, Fields, Streams } from './answers.ts'
import { followCaller, mayAsk } from './caller.ts'
import { Refusal } from './refusal.ts'
import { type OperationName, routes } from './routes.ts'
import type { Source } from './source.ts'
import { isTokenAsked, token } from './token.ts'
import { turnsOf } from './turns.ts'

/** As many as a browser has connections to one server. */
const MOST_READS = 6
const inTurn = turnsOf(MOST_READS)

function ask<Name extends keyof Answers>(name: Name, fields: Fields, signal?: AbortSignal): Promise<Answers[Name]> {
  const answered = async (): Promise<Answers[Name]> => (await call(name, fields, signal)).json()
  const [, effect] = routes[name]
  return effect === 'read' ? inTurn(answered, signal) : answered()
}

/** The answer comes as the last of some events; the others tell how far the work is. */
async function work<Name extends keyof Answers>(
  name: Name,
  fields: Fields,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Answers[Name]> {
  const response = await call(name, fields, signal, 'text/event-stream')
  for await (const event of eventsOf(response)) {
    if (event.kind === 'result') return event.result as Answers[Name]
    if (event.kind === 'progress' && event.total !== undefined) onProgress(event.done / Math.max(1, event.total))
  }
  throw new Refusal('The work ended without an answer.', 'unreachable', 'Is `asg serve` still running? Try it again.')
}

type WorkEvent =
  | { readonly kind: 'progress'; readonly done: number; readonly total?: number }
  | { readonly kind: 'result'; readonly result: unknown }

/** The data of events. An event `fault` ends them; its data is a problem. */
async function* eventsOf(response: Response): AsyncGenerator<WorkEvent> {
  let name = ''
  for await (const line of linesOf(response)) {
    if (line.startsWith('event:')) name = line.slice('event:'.length).trim()
    if (!line.startsWith('data:')) continue
    const data = JSON.parse(line.slice('data:'.length))
    if (name === 'fault') throw refusalIn(data, response.status)
    yield data
  }
}

async function call(
  name: OperationName,
  fields: Fields,
  signal: AbortSignal | undefined,
  accept?: string,
): Promise<Response> {
  const [method = '', route = ''] = routes[name][0].split(' ')
  const given = new Map(Object.entries(fields).filter(([, value]) => value !== undefined))
  const path = route.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = String(given.get(field))
    given.delete(field)
    return encodeURIComponent(value)
  })
  const rest = Object.fromEntries(given)
  const hasBody = method === 'POST'
  const url = hasBody
    ? path
    : `${path}?${new URLSearchParams(Object.entries(rest).map(([key, value]) => [key, String(value)]))}`
  const body = hasBody ? { body: JSON.stringify(rest) } : {}
  const headers = {
    ...headersOf(),
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...(accept === undefined ? {} : { accept }),
  }
  const response = await reach(url, { method, headers, ...body, ...(signal === undefined ? {} : { signal }) })
  if (response.ok) return response
  throw await refusalOf(response)
}

/** Items come as events or as lines; a line that is no JSON is an item itself. */
async function* stream<Name extends keyof Streams>(
  name: Name,
  fields: Fields,
  signal?: AbortSignal,
): AsyncGenerator<Streams[Name]> {
  const response = await call(name, fields, signal)
  const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  for await (const line of linesOf(response)) {
    if (!isEvents) yield `${line}\n` as Streams[Name]
    else if (line.startsWith('data:')) yield JSON.parse(line.slice('data:'.length)) as Streams[Name]
  }
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  if (response.body === null) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    const lines = (rest + chunk.value).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/**
 * The stream of events is read with `fetch`, because an EventSource cannot carry the key. A stream that ends is opened again.
 */
async function follow(onChange: () => void, onState: (isLive: boolean) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await reach('/api/watch', { headers: headersOf(), signal })
      if (!response.ok) throw await refusalOf(response)
      onState(true)
      // What came between the last answer and the beginning of the stream.
      onChange()
      for await (const line of linesOf(response)) if (line.startsWith('data:')) onChange()
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
  return refusalIn(await response.json().catch(() => ({})), response.status)
}

interface Problem {
  readonly title?: string
  readonly detail?: string
  readonly code?: string
  readonly hint?: string
  readonly data?: Readonly<Record<string, unknown>>
}

function refusalIn({ detail, title, code, hint, data }: Problem, status: number): Refusal {
  return new Refusal(detail ?? title ?? `The server answered ${status}.`, code ?? String(status), hint, data)
}

const httpSource: Source = { ask, stream, work, follow, can: mayAsk }

/** Called once, before the page is drawn. */
export function openHttpSource(): Source {
  followCaller(ask)
  return httpSource
}
