/**
 * `asg mcp`: serves over stdio, configures the clients of this machine, or checks the setup.
 *
 * While it serves, standard output carries the protocol; messages for a person go to standard error.
 */
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { CallLimits } from '../host/call-limits.ts'
import { callLimitNames, type LimitName, limitIn } from '../host/limit-text.ts'
import { packageFile } from '../host/package-file.ts'
import { openHost } from '../host/store-host.ts'
import { faultOf } from '../wire/faults/fault.ts'
import { usageRefusal } from '../wire/faults/refusal.ts'
import { plainLine } from './answer/plain-line.ts'
import { elicitationCodec } from './elicitation.ts'
import type { Entry, Machine } from './install/known-client.ts'
import { serverInfo } from './server-info.ts'
import { serveOverStdio } from './stdio.ts'
import { toolSet } from './tool-set.ts'

/** The streams of the command; those of the process by default. */
export interface McpIo {
  err(text: string): void
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folder: string
  /** From now on, the first interrupt only aborts this signal. */
  readonly untilStopped?: (() => AbortSignal) | undefined
  readonly input?: Readable | undefined
  readonly output?: Writable | undefined
  readonly home?: string | undefined
  readonly platform?: NodeJS.Platform | undefined
  /** The store that other commands use here. */
  readonly findStore?: ((named: string | undefined) => string | undefined) | undefined
  /** Asks the person; without it, on the terminal. */
  readonly agrees?: ((question: string) => Promise<boolean>) | undefined
}

const help = `asg mcp: AgentStateGraph for MCP clients

  asg mcp                     serve over stdio
  asg mcp install             set up the clients of this machine, after showing each change
  asg mcp doctor              start the server as a client would, and try it out

  --store <file>              the store (ASG_STORE; else .asg here or above; else ~/.asg/state.db)
  --tools <set>               core, standard (default), all, or names with commas between
  --read-only                 only tools that read
  --propose                   writes become proposals
  --work <time>               how long the work of one call may take, without waiting (10s)
  --maintenance <time>        the same for verify, gc, export, import and the like (30m)
  --answer <size>             the largest answer to a call that reads (1mb, at most)
  --agent <name>              who writes; else the client's name. A key comes from ASG_KEY
  --client <id>               install: claude-code, claude-desktop, cursor, vscode or codex; may be repeated
  --dry-run, --yes            install: only show; do not ask
`

const options = {
  store: { type: 'string' },
  tools: { type: 'string' },
  'read-only': { type: 'boolean' },
  propose: { type: 'boolean' },
  work: { type: 'string' },
  maintenance: { type: 'string' },
  answer: { type: 'string' },
  agent: { type: 'string' },
  client: { type: 'string', multiple: true },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
} as const

type Values = ReturnType<typeof parsed>['values']

export async function mcpCommand(args: readonly string[], io: McpIo): Promise<number> {
  try {
    const { values, positionals } = parsed(args)
    const [what = 'serve', ...more] = positionals
    if (values.help) {
      io.err(help)
      return 0
    }
    if (more.length > 0) throw usageRefusal(`asg mcp takes nothing after ${JSON.stringify(what)}.`, 'asg mcp --help')
    switch (what) {
      case 'serve':
        await serve(values, io)
        return 0
      case 'install':
        await setUp(values, io)
        return 0
      case 'doctor':
        return (await tryOut(values, io)) ? 0 : 1
      default:
        throw usageRefusal(`There is no asg mcp ${JSON.stringify(what)}.`, 'There are install and doctor.')
    }
  } catch (error) {
    const { code, kind, message, hint } = faultOf(error)
    // The person at this terminal may see the details.
    const words = kind === 'internal' && error instanceof Error ? error.message : message
    io.err(
      `${plainLine(`asg mcp: ${code}: ${words}`, MAX_TOLD)}\n${hint === undefined ? '' : `${plainLine(hint, MAX_TOLD)}\n`}`,
    )
    return kind === 'usage' ? 2 : 1
  }
}

const MAX_TOLD = 4000

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    // What Node goes on with is about arguments, which there are none of.
    const [said = ''] = (error instanceof Error ? error.message : String(error)).split('. To specify')
    throw usageRefusal(`${said.replace(/\.$/, '')}.`, 'asg mcp --help lists the options.')
  }
}

async function serve(values: Values, io: McpIo): Promise<void> {
  if (values['read-only'] && values.propose)
    throw usageRefusal('A server is --read-only or takes proposals (--propose), not both.')
  const tools = toolSet(values.tools, { isReadOnly: values['read-only'] })
  const limits = limitsIn(values)
  const store = storeOf(values, io)
  const mode = values['read-only'] ? 'read-only' : values.propose ? 'propose' : 'write'
  const host = await openHost(store, {
    mode,
    onWarning: ({ code, message }) =>
      io.err(`${plainLine(`${code}: ${message}`)}
`),
  })
  try {
    io.err(`${serverInfo.name} ${serverInfo.version} over stdio: ${store}, ${tools.length} tools\n`)
    const key = io.env['ASG_KEY'] || undefined
    await serveOverStdio(
      {
        host,
        tools,
        codec: elicitationCodec(),
        limits,
        onUnexpected: (what, error) => io.err(`${plainLine(`${what} ${String(error)}`)}\n`),
      },
      {
        ...(key === undefined ? { agent: values.agent } : { key }),
        mode,
      },
      { input: io.input ?? process.stdin, output: io.output ?? process.stdout, signal: io.untilStopped?.() },
    )
  } finally {
    await host.close()
  }
}

/** The limits that were given. */
function limitsIn(values: Values): Partial<CallLimits> {
  return Object.fromEntries(givenLimits(values).map(({ limit, name, text }) => [limit, limitIn(name, text)]))
}

function givenLimits(
  values: Values,
): readonly { readonly limit: string; readonly name: LimitName; readonly text: string }[] {
  return Object.entries(callLimitNames).flatMap(([limit, name]) => {
    const text = values[name.flag as 'work' | 'maintenance' | 'answer']
    return text === undefined ? [] : [{ limit, name, text }]
  })
}

async function setUp(values: Values, io: McpIo): Promise<void> {
  const { install } = await import('./install/install.ts')
  const { command, args } = ownServer()
  await install({
    machine: machineOf(io),
    entry: { command, args: [...args, '--store', storeOf(values, io), ...servingOptions(values)] },
    clients: values.client ?? [],
    isDryRun: values['dry-run'] ?? false,
    say: text => io.err(text),
    agrees: values.yes ? async () => true : (io.agrees ?? askOnTerminal),
  })
}

async function tryOut(values: Values, io: McpIo): Promise<boolean> {
  const { examine } = await import('./doctor.ts')
  return examine({
    machine: machineOf(io),
    server: ownServer(),
    store: storeOf(values, io),
    options: servingOptions(values),
    say: text => io.err(text),
  })
}

function servingOptions(values: Values): readonly string[] {
  return [
    ...(values.tools === undefined ? [] : ['--tools', values.tools]),
    ...(values['read-only'] ? ['--read-only'] : []),
    ...(values.propose ? ['--propose'] : []),
    ...givenLimits(values).flatMap(({ name, text }) => [`--${name.flag}`, text]),
    ...(values.agent === undefined ? [] : ['--agent', values.agent]),
  ]
}

/** The command that starts this server. Under npx it is npx itself, because its cache may be cleared. */
function ownServer(): Entry {
  const file = fileURLToPath(packageFile('bin/agentstategraph-mcp.mjs'))
  if (/[\\/]_npx[\\/]/.test(file))
    return {
      command: 'npx',
      args: ['-y', `--package=@agentstategraph/server@${serverInfo.version}`, 'agentstategraph-mcp'],
    }
  return { command: process.execPath, args: [file] }
}

function storeOf(
  { store, 'read-only': isReadOnly }: Values,
  { findStore, env, folder, home = homedir() }: McpIo,
): string {
  const named = store ?? (env['ASG_STORE'] || undefined)
  if (named !== undefined && /^https?:/.test(named))
    throw usageRefusal(
      'A running server speaks MCP by itself.',
      `Give clients the address ${named.replace(/\/+$/, '')}/mcp with the header "Authorization: Bearer <key>".`,
    )
  const found = findStore?.(named) ?? (named === undefined ? undefined : resolve(folder, named))
  if (found !== undefined) return found
  // Clients start the server in any folder, and the first conversation should need no preparation.
  const own = join(home, '.asg')
  if (!isReadOnly) mkdirSync(own, { recursive: true, mode: 0o700 })
  return join(own, 'state.db')
}

function machineOf({ home = homedir(), platform = process.platform, env }: McpIo): Machine {
  return { home, platform, env }
}

async function askOnTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw usageRefusal('There is no terminal to ask on.', 'Add --yes to write, or --dry-run to see.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}
