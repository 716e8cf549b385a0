/** Writes an answer as the response of a Node server. */
import type { ServerResponse } from 'node:http'
import type { Answer } from './answer.ts'

export async function sendAnswer({ status, headers, body }: Answer, outgoing: ServerResponse): Promise<void> {
  if (body instanceof ReadableStream) {
    outgoing.writeHead(status, headers)
    outgoing.flushHeaders()
    return sendStream(body, outgoing)
  }
  if (body === null) {
    outgoing.writeHead(status, headers)
    outgoing.end()
    return
  }
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  outgoing.end(body)
}

/** Takes a chunk from the stream when the connection has taken the one before. */
async function sendStream(stream: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = stream.getReader()
  let onClose = (): void => {}
  const closed = new Promise<'closed'>(resolve => {
    onClose = () => resolve('closed')
  })
  outgoing.once('close', () => {
    onClose()
    reader.cancel().catch(() => undefined)
  })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (outgoing.destroyed) return
      if (done) break
      if (!outgoing.write(value) && (await Promise.race([drained(outgoing), closed])) === 'closed') return
    }
    outgoing.end()
  } catch {
    // The end of the body would say that it is whole.
    outgoing.destroy()
  }
}

function drained(outgoing: ServerResponse): Promise<'drained'> {
  return new Promise(resolve => outgoing.once('drain', () => resolve('drained')))
}
