/**
 * Requests that Node refuses before the app sees them: the client gets a problem like any other, and the connection ends.
 *
 * A connection with an active response is only closed: a second response would be read as part of its body.
 */
import { type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { serverError } from '../../wire/errors.ts'
import { faultOf } from '../../wire/faults/fault.ts'
import { problemOf, problemType, statusOf } from '../problem.ts'

const codes = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'headers-late',
} as const

function isKnown(code: unknown): code is keyof typeof codes {
  return typeof code === 'string' && Object.hasOwn(codes, code)
}

function answerTo(error: NodeJS.ErrnoException): string {
  const fault = faultOf(serverError(isKnown(error.code) ? codes[error.code] : 'request-malformed', {}))
  const body = `${JSON.stringify(problemOf(fault))}\n`
  const status = statusOf(fault)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

export function answerUnparsed(server: Server): void {
  const answering = new WeakSet<Duplex>()
  server.on('request', ({ socket }, response) => {
    answering.add(socket)
    response.once('close', () => answering.delete(socket))
  })
  server.on('clientError', (error, socket) => {
    if (socket.writable && !answering.has(socket)) socket.end(answerTo(error))
    else socket.destroy()
  })
}
