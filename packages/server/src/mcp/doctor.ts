/**
 * `asg mcp doctor`: checks the server as a client sees it.
 *
 * It starts the server as a client does, in both eras of the protocol, and reports the size of the tool list. Then two servers
 * write to one new store at the same time, and no write may be lost. The user's own store is only read.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasEntry } from './install/edit-config.ts'
import { type Entry, knownClients, type Machine } from './install/known-client.ts'
import { eras, type Probe, startProbe } from './stdio-probe.ts'
import { tokensOf } from './tool-set.ts'

export interface Examination {
  readonly machine: Machine
  /** The command that starts the server, without its store. */
  readonly server: Entry
  readonly store: string
  /** Options that choose the tools. */
  readonly options: readonly string[]
  readonly say: (text: string) => void
}

const WRITERS = 2
const WRITES = 50

/** Returns whether every check passed. */
export async function examine(examination: Examination): Promise<boolean> {
  const { say } = examination
  let isWell = true
  for (const [what, check] of checks) {
    try {
      say(`ok      ${what}: ${await check(examination)}\n`)
    } catch (error) {
      isWell = false
      say(`FAILED  ${what}: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  }
  return isWell
}

const checks: readonly (readonly [string, (examination: Examination) => Promise<string>])[] = [
  ...eras.map(era => [`protocol ${era}`, (examination: Examination) => listTools(examination, era)] as const),
  ['two servers, one store', writeTogether],
  ['clients', findEntries],
]

interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

async function listTools({ server, store, options }: Examination, era: (typeof eras)[number]): Promise<string> {
  const probe = await startProbe(server.command, [...server.args, '--store', store, ...options], era)
  try {
    const { tools } = (await probe.request('tools/list')) as { tools: readonly ListedTool[] }
    if (tools.length === 0) throw new Error('the server lists no tools')
    return `${tools.length} tools, about ${tokensOf(tools)} tokens`
  } finally {
    await probe.close()
  }
}

async function writeTogether({ server }: Examination): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'asg-doctor-'))
  const args = [...server.args, '--store', join(folder, 'state.db')]
  const started = await Promise.allSettled(
    Array.from({ length: WRITERS }, (_, writer) => startProbe(server.command, args, eras[writer % eras.length]!)),
  )
  const probes: readonly Probe[] = started.flatMap(start => (start.status === 'fulfilled' ? [start.value] : []))
  try {
    for (const start of started) if (start.status === 'rejected') throw start.reason
    await Promise.all(probes.map((probe, writer) => writeMany(probe, writer)))
    const { structuredContent } = await call(probes[0]!, 'agentstategraph_get', { path: '/doctor' })
    const { value } = structuredContent as { value: Readonly<Record<string, unknown>> }
    const found = Object.keys(value).length
    const lost = WRITERS * WRITES - found
    if (lost !== 0) throw new Error(`${lost} of ${WRITERS * WRITES} writes were lost`)
    return `${found} writes at the same time, 0 lost`
  } finally {
    await Promise.all(probes.map(probe => probe.close()))
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeMany(probe: Probe, writer: number): Promise<void> {
  for (let count = 0; count < WRITES; count += 1) {
    await call(probe, 'agentstategraph_set', {
      path: `/doctor/${writer}-${count}`,
      value: count,
      description: 'Try out two writers',
    })
  }
}

async function call(probe: Probe, name: string, args: object): Promise<Readonly<Record<string, unknown>>> {
  const result = await probe.request('tools/call', { name, arguments: args })
  if (result['isError'] === true) throw new Error(JSON.stringify(result['content']))
  return result
}

async function findEntries({ machine }: Examination): Promise<string> {
  const found: string[] = []
  for (const client of knownClients) {
    const text = await readFile(client.file(machine), 'utf8').catch(() => '')
    if (hasEntry(text, client)) found.push(client.title)
  }
  return found.length === 0 ? 'none is set up; asg mcp install does it' : `${found.join(', ')} set up`
}
