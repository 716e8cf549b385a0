/** `asg serve`: serves the store over HTTP and MCP until it is stopped, and prints its address and first steps. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Signer } from 'agentstategraph'
import { findFile, shownAddress } from '../../host/store-address.ts'
import { Refusal, usageRefusal } from '../../wire/faults/refusal.ts'
import { findStore, storeFile, storeFolder } from '../client/find-store.ts'
import { findSignerFile } from '../client/store-config.ts'
import { commandName } from '../terminal/command-text.ts'
import { ok } from '../terminal/exit-code.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import type { BuiltinCall } from './builtin-command.ts'
import { limitsIn } from './limit-flags.ts'

/** The store that other commands use here, or a new one in this folder. */
function storeToServe({ settings, terminal }: BuiltinCall): string {
  try {
    const place = findStore(settings.store, terminal)
    if (place.kind === 'local') return place.address
  } catch (error) {
    if (!(error instanceof Refusal) || error.fault.code !== 'store-not-found') throw error
    return join(terminal.folder, storeFolder, storeFile)
  }
  throw usageRefusal('A server serves a store of this machine, not another server', 'Name a file with --store.')
}

function portIn(text: unknown): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 2 ** 16) return port
  throw usageRefusal(`--port has to be a number from 0 to 65535, not ${JSON.stringify(text)}`)
}

function portTaken(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') return undefined
  return new Refusal({
    code: 'port-taken',
    kind: 'unavailable',
    message: `Something else listens there: ${error.message}`,
    hint: 'Choose another with --port, or any free one with --port 0.',
  })
}

interface Welcome {
  readonly url: string
  readonly token: string | undefined
  readonly hasOwnToken: boolean
  /** The number of MCP tools. */
  readonly tools: number
  /** The name to type for `asg`. */
  readonly asg: string
}

function welcome({ url, token, hasOwnToken, tools, asg }: Welcome): string {
  const kept = hasOwnToken ? 'the token that you gave' : 'the token shown at the first start; --new-token makes another'
  return [
    `AgentStateGraph listens on ${url}`,
    token === undefined
      ? `  export ASG_TOKEN=…            # ${kept}`
      : `  export ASG_TOKEN=${token}   # shown only now`,
    `  export ASG_STORE=${url}`,
    `  ${asg} set /hello world -m 'Say hello'`,
    `  ${asg} blame /hello`,
    `Explorer: ${url}, in a browser`,
    `HTTP: ${url}/openapi.json   MCP: ${url}/mcp (${tools} tools), with the header "Authorization: Bearer $ASG_TOKEN"`,
    '',
  ].join('\n')
}

function modeIn(options: BuiltinCall['options']): 'write' | 'read-only' | 'propose' {
  const isReadOnly = options['readOnly'] === true
  const proposes = options['propose'] === true
  if (isReadOnly && proposes) {
    throw usageRefusal('A server is read-only or takes proposals, not both', 'Leave out --read-only or --propose.')
  }
  return isReadOnly ? 'read-only' : proposes ? 'propose' : 'write'
}

/** The key that signs what the server seals. */
async function signerOf({ settings, terminal }: BuiltinCall, store: string): Promise<Signer | undefined> {
  const file = findSignerFile(settings.signer, { kind: 'local', address: store }, terminal.folder)
  if (file === undefined) return undefined
  const { keyFileSigner } = await import('agentstategraph/trust')
  return keyFileSigner(file)
}

/** Starts a server. */
export async function serve(call: BuiltinCall): Promise<number> {
  const { options, settings, terminal } = call
  if (settings.token !== undefined && options['newToken'] === true) {
    throw usageRefusal(
      'A server has the token that you give it, or a new one',
      'Leave out --new-token, or --token and ASG_TOKEN.',
    )
  }
  return serveUntilStopped(call, { store: storeToServe(call), token: settings.token }, ({ url, shownToken, tools }) => {
    const hasOwnToken = settings.token !== undefined
    return welcome({ url, token: shownToken, hasOwnToken, tools, asg: commandName(terminal) })
  })
}

interface Served {
  readonly store: string
  /** The operator's key; the one that is kept beside the store when left out. */
  readonly token: string | undefined
}

interface Started {
  readonly url: string
  readonly shownToken: string | undefined
  /** The number of MCP tools. */
  readonly tools: number
}

/** Serves a store with the options of the call, says so, and ends when the terminal stops it. */
export async function serveUntilStopped(
  call: BuiltinCall,
  { store, token }: Served,
  greet: (started: Started) => string,
): Promise<number> {
  const { options, settings, terminal } = call
  const mode = modeIn(options)
  const file = findFile(store)
  if (mode !== 'read-only' && file !== undefined) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const [{ keepHeapSmall }, { serve: start }, { mcpMount }, { toolSet }, { loadApps }] = await Promise.all([
    import('../../host/small-heap.ts'),
    import('../../http/serve.ts'),
    import('../../mcp/http-mount.ts'),
    import('../../mcp/tool-set.ts'),
    import('../client/load-apps.ts'),
  ])
  const apps = settings.app === undefined ? undefined : await loadApps(settings.app, terminal.folder)
  const signer = await signerOf(call, store)
  const tools = toolSet(options['tools'] as string | undefined, { isReadOnly: mode === 'read-only' })
  const limits = limitsIn(options)
  const stopped = terminal.untilStopped()
  const server = await start({
    store,
    port: portIn(options['port']),
    address: options['host'] as string | undefined,
    token,
    renewToken: options['newToken'] === true,
    hosts: options['allowHost'] as readonly string[] | undefined,
    origins: options['allowOrigin'] as readonly string[] | undefined,
    mode,
    storeOptions: { agent: settings.agent, apps, ...(signer === undefined ? {} : { signer }) },
    limits,
    mounts: host => [
      mcpMount({
        host,
        tools,
        limits,
        onUnexpected: (what, error) => terminal.err(`${visibleText(`${what}: ${String(error)}`)}\n`),
      }),
    ],
  }).catch(error => {
    throw portTaken(error) ?? error
  })
  keepHeapSmall()
  const { url, shownToken } = server
  // A key that was made for this server is shown; one that the caller gave is not.
  const shown = token === settings.token ? shownToken : token
  const text = greet({ url, shownToken: shown, tools: tools.length })
  terminal.out(settings.json ? `${visibleJson({ url, store: shownAddress(store), token: shown })}\n` : text)
  if (!stopped.aborted) await new Promise(resolve => stopped.addEventListener('abort', resolve, { once: true }))
  await server.close()
  return ok
}
