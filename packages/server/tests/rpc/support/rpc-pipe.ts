/** A client of `asg rpc` on pipes of this process. */
import { PassThrough } from 'node:stream'
import { operations } from '../../../src/operations/table.ts'
import { type RpcConnection, serveRpc } from '../../../src/rpc/connection.ts'
import { defaultRpcLimits, type RpcLimits } from '../../../src/rpc/limits.ts'

export interface Message {
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: {
    readonly code: number
    readonly message: string
    readonly data: { readonly code: string; readonly kind: string; readonly hint?: string }
  }
}

export interface RpcPipe {
  /** Sends a text as it is. */
  write(text: string): void
  send(message: Readonly<Record<string, unknown>>): void
  /** Sends a request and waits for its answer. */
  ask(method: string, params?: unknown, rest?: Readonly<Record<string, unknown>>): Promise<Message>
  /** The next message that passes. */
  next(passes: (message: Message) => boolean): Promise<Message>
  readonly messages: readonly Message[]
  readonly notes: readonly string[]
  readonly input: PassThrough
  readonly output: PassThrough
  readonly connection: RpcConnection
}

export function rpcPipe(limits: Partial<RpcLimits> = {}): RpcPipe {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const messages: Message[] = []
  const notes: string[] = []
  const waiting = new Set<() => void>()
  let rest = ''
  let count = 0
  output.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) messages.push(JSON.parse(line))
    for (const look of waiting) look()
  })
  const connection = serveRpc({
    input,
    output,
    operations,
    limits: { ...defaultRpcLimits, ...limits },
    version: '1.2.3',
    onNote: text => notes.push(text),
  })

  function next(passes: (message: Message) => boolean): Promise<Message> {
    return new Promise(resolve => {
      function look(): void {
        const at = messages.findIndex(passes)
        if (at < 0) return
        waiting.delete(look)
        resolve(messages.splice(at, 1)[0]!)
      }
      waiting.add(look)
      look()
    })
  }
  function send(message: Readonly<Record<string, unknown>>): void {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  return {
    write: text => input.write(text),
    send,
    ask(method, params = {}, rest = {}) {
      const id = ++count
      send({ id, method, params, ...rest })
      return next(message => message.id === id)
    },
    next,
    messages,
    notes,
    input,
    output,
    connection,
  }
}

/** A pipe whose client has said hello and opened a store in memory. */
export async function openedPipe(limits: Partial<RpcLimits> = {}): Promise<RpcPipe> {
  const pipe = rpcPipe(limits)
  await pipe.ask('hello', { protocol: 1 })
  await pipe.ask('open', {})
  return pipe
}
