/** An app over a store in memory, and requests to it as its operator makes them. */
import { digestOf } from '../../../src/host/operator-token.ts'
import { type HostOptions, openHost, type StoreHost } from '../../../src/host/store-host.ts'
import { makeApp } from '../../../src/http/app.ts'
import type { AppOptions } from '../../../src/http/app-options.ts'

export const token = 'asg_operator_for-tests'

/** JSON of which a test knows what it should be. */
export type Json = { readonly [key: string]: Json } & (string | number | boolean | readonly Json[])

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The JSON of the body, to be looked into. */
  readonly body: Json
}

export interface TestApp {
  readonly host: StoreHost
  fetch(request: Request): Promise<Response>
  /** A request with the operator's token; a body that is no text is sent as JSON. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  close(): Promise<void>
}

export async function openApp(options: AppOptions = {}, hostOptions: HostOptions = {}): Promise<TestApp> {
  const host = await openHost(undefined, { ...hostOptions, token: digestOf(token) })
  const app = makeApp(host, options)
  const fetch = async (request: Request): Promise<Response> => app.fetch(request)
  return {
    host,
    fetch,
    ask: async (method, path, body, headers = {}) => answerOf(await fetch(requestTo(method, path, body, headers))),
    close: () => host.close(),
  }
}

export function requestTo(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Request {
  const isSent = body !== undefined
  return new Request(`http://localhost${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(isSent ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(isSent ? { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) } : {}),
  })
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = /json$/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}

/** A write as most tests need it. */
export function setting(path: string, value: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { path, value, description: 'Because a test says so', ...more }
}
