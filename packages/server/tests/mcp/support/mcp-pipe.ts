/** The official client and our stdio server in one process, with a pipe between them. */
import { PassThrough } from 'node:stream'
import { ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import type { Caller, StoreHost } from '../../../src/host/store-host.ts'
import { elicitationCodec } from '../../../src/mcp/elicitation.ts'
import { serveOverStdio } from '../../../src/mcp/stdio.ts'
import { toolSet } from '../../../src/mcp/tool-set.ts'
import { type Connecting, newClient } from './mcp-connection.ts'

export async function connectOverPipe(host: StoreHost, connecting: Connecting & { readonly caller?: Caller } = {}) {
  const toServer = new PassThrough()
  const toClient = new PassThrough()
  const served = serveOverStdio(
    {
      host,
      tools: toolSet('all'),
      codec: elicitationCodec(),
      onUnexpected(what, error) {
        throw new Error(what, { cause: error })
      },
    },
    connecting.caller ?? {},
    { input: toServer, output: toClient },
  )
  const client = newClient(connecting)
  await client.connect(pipeTransport(toClient, toServer, served))
  return client
}

function pipeTransport(input: PassThrough, output: PassThrough, served: Promise<void>): Transport {
  const buffer = new ReadBuffer()
  const transport: Transport = {
    async start() {
      input.on('data', chunk => {
        buffer.append(chunk)
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage())
          transport.onmessage?.(message)
      })
    },
    async send(message) {
      output.write(serializeMessage(message))
    },
    async close() {
      output.end()
      await served
      transport.onclose?.()
    },
  }
  return transport
}
