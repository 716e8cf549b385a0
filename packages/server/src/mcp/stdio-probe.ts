/**
 * A minimal client of this server: starts it as a client would, and speaks one era of the protocol over its standard input and
 * output.
 *
 * It is for `asg mcp doctor`, which has to work where only this package is installed.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { serverInfo } from './server-info.ts'

export type Era = '2026-07-28' | '2025-11-25'

export const eras: readonly Era[] = ['2026-07-28', '2025-11-25']

export interface Probe {
  /** The version that the server speaks. */
  readonly version: string
  request(method: string, params?: Readonly<Record<string, unknown>>): Promise<Result>
  close(): Promise<void>
}

type Result = Readonly<Record<string, unknown>>

interface Reply {
  readonly id?: number
  readonly result?: Result
  readonly error?: { readonly message: string }
}

const client = { name: 'asg-doctor', version: serverInfo.version }

export async function startProbe(command: string, args: readonly string[], era: Era): Promise<Probe> {
  const child = spawn(command, args, { stdio: 'pipe' })
  const { ask, send } = conversation(child)
  const isModern = era === '2026-07-28'
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': era,
    'io.modelcontextprotocol/clientInfo': client,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const request: Probe['request'] = (method, params = {}) =>
    ask(method, isModern ? { ...params, _meta: envelope } : params)
  const close = async () => {
    child.stdin.end()
    if (child.exitCode === null && child.signalCode === null) await new Promise(resolve => child.once('exit', resolve))
  }
  try {
    if (isModern) {
      const { supportedVersions } = await request('server/discover')
      return { version: Array.isArray(supportedVersions) ? supportedVersions.join(', ') : '', request, close }
    }
    const { protocolVersion } = await request('initialize', {
      protocolVersion: era,
      capabilities: {},
      clientInfo: client,
    })
    send({ method: 'notifications/initialized' })
    return { version: String(protocolVersion), request, close }
  } catch (error) {
    child.kill()
    throw error
  }
}

function conversation(child: ChildProcessWithoutNullStreams) {
  const waiting = new Map<number, { resolve: (result: Result) => void; reject: (error: Error) => void }>()
  let said = ''
  let count = 0
  let gone: Error | undefined
  child.stderr.setEncoding('utf8').on('data', text => {
    said = `${said}${text}`.slice(-KEPT)
  })
  createInterface(child.stdout).on('line', line => {
    const { id, result, error } = JSON.parse(line) as Reply
    const asker = waiting.get(id ?? -1)
    if (asker === undefined) return
    waiting.delete(id ?? -1)
    if (error === undefined) asker.resolve(result ?? {})
    else asker.reject(new Error(error.message))
  })
  const end = (reason: string) => {
    gone = new Error(`The server ended: ${reason}. ${said.trim()}`)
    for (const { reject } of waiting.values()) reject(gone)
  }
  child.once('error', error => end(error.message))
  child.once('close', code => end(`exit code ${code}`))
  // The pipe is broken: the exit of the process tells why.
  child.stdin.on('error', () => undefined)

  const send = (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  return {
    send,
    ask: (method: string, params: object) =>
      new Promise<Result>((resolve, reject) => {
        if (gone !== undefined) return reject(gone)
        count += 1
        waiting.set(count, { resolve, reject })
        send({ id: count, method, params })
      }),
  }
}

const KEPT = 2000
