/**
 * A network that fails, in front of an S3 server: it passes requests on, counts them, and lets a fault hit one when it is told to.
 *
 * A request keeps its headers, so its signature stays valid.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to a request on its way. */
export type S3Fault =
  /** The server does not get it, and the answer is an error. */
  | 'error-500'
  | 'slow-down'
  | 'conflict-409'
  /** The server gets it, and the answer is an error. */
  | 'error-after'
  /** The connection is cut, before or after the server got it. */
  | 'cut'
  | 'reply-lost'
  /** Half of the body is passed on, or half of the answer, and then the connection is cut. */
  | 'half-sent'
  | 'half-reply'
  /** Body and answer are passed on in small pieces. */
  | 'slow'
  /** The connection is cut, and the server gets it after the next request. */
  | 'late'

export const s3Faults: readonly S3Fault[] = [
  'error-500',
  'slow-down',
  'conflict-409',
  'error-after',
  'cut',
  'reply-lost',
  'half-sent',
  'half-reply',
  'slow',
  'late',
]

export interface PassedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
}

export interface S3Proxy {
  readonly endpoint: string
  /** The requests since the start or since they were last taken. */
  taken(): readonly PassedRequest[]
  readonly met: ReadonlyMap<S3Fault, number>
  close(): Promise<void>
}

/** An answer in place of the server's. */
export interface OwnAnswer {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Starts a proxy. `next` says which fault a request meets, gives an answer in place of the server's, or a promise that the request waits for. */
export async function startS3Proxy(
  port: number,
  next: (request: PassedRequest) => S3Fault | OwnAnswer | Promise<void> | undefined = () => undefined,
): Promise<S3Proxy> {
  const met = new Map<S3Fault, number>()
  let requests: PassedRequest[] = []
  const late: (() => void)[] = []

  async function handle(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const passed = { method: from.method!, path: from.url!, headers: from.headers }
    requests.push(passed)
    const parts: Buffer[] = []
    for await (const part of from) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const told = next(passed)
    const fault = told instanceof Promise ? ((await told) as undefined) : told
    if (typeof fault === 'object') return void to.writeHead(fault.status, fault.headers).end(fault.body)
    if (fault !== undefined) met.set(fault, (met.get(fault) ?? 0) + 1)
    if (fault === 'error-500') return answer(to, 500, 'InternalError')
    if (fault === 'slow-down') return answer(to, 503, 'SlowDown')
    if (fault === 'conflict-409') return answer(to, 409, 'ConditionalRequestConflict')
    if (fault === 'cut') return void to.destroy()
    if (fault === 'late') {
      late.push(() => void pass(from, body).catch(() => {}))
      return void to.destroy()
    }
    if (fault === 'half-sent') {
      const half = await sendHalf(from, body)
      half.destroy()
      return void to.destroy()
    }
    const reply = await pass(from, body)
    for (const one of late.splice(0)) one()
    if (fault === 'reply-lost') return void to.destroy()
    if (fault === 'error-after') return answer(to, 500, 'InternalError')
    to.writeHead(reply.status, reply.headers)
    if (fault === 'half-reply') {
      to.write(reply.body.subarray(0, Math.floor(reply.body.length / 2)), () => to.destroy())
      return
    }
    if (fault === 'slow') {
      for (let at = 0; at < reply.body.length; at += 100) {
        to.write(reply.body.subarray(at, at + 100))
        await new Promise(setImmediate)
      }
      return void to.end()
    }
    to.end(reply.body)
  }

  function optionsOf({ method, url, headers }: IncomingMessage): object {
    return { host: '127.0.0.1', port, method, path: url, headers, agent: false }
  }

  async function pass(from: IncomingMessage, body: Buffer) {
    const request = send(optionsOf(from))
    request.end(body)
    const [reply] = (await once(request, 'response')) as [IncomingMessage]
    const parts: Buffer[] = []
    for await (const part of reply) parts.push(part as Buffer)
    return { status: reply.statusCode!, headers: reply.headers, body: Buffer.concat(parts) }
  }

  async function sendHalf(from: IncomingMessage, body: Buffer) {
    const request = send(optionsOf(from))
    request.on('error', () => {})
    await new Promise(resolve => request.write(body.subarray(0, Math.floor(body.length / 2)), resolve))
    return request
  }

  const server = createServer((from, to) => {
    handle(from, to).catch(() => to.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    met,
    taken() {
      const all = requests
      requests = []
      return all
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answer(to: ServerResponse, status: number, code: string): void {
  to.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>Injected</Message></Error>`)
}
