/** The checks of `asg doctor`. A check returns what it found, or throws what is wrong. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Repository } from 'agentstategraph'
import type { SqliteModule } from 'agentstategraph/backends'
import { packageFile } from '../../host/package-file.ts'
import { findFile, shownAddress } from '../../host/store-address.ts'
import { Refusal } from '../../wire/faults/refusal.ts'

export type Check = () => Promise<string>

function wrong(message: string, hint?: string): Refusal {
  return new Refusal({ code: 'doctor', kind: 'unavailable', message, ...(hint === undefined ? {} : { hint }) })
}

const OLDEST = [20, 19] as const

export async function checkNode(): Promise<string> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return process.versions.node
  throw wrong(`Node ${process.versions.node} is too old.`, `Install ${OLDEST.join('.')} or later.`)
}

/** The SQLite driver that stores use here. A driver that is known to lose data does not count as available. */
export async function checkDriver(): Promise<string> {
  const { availableSqliteDrivers } = await import('agentstategraph/backends')
  const [driver] = availableSqliteDrivers()
  if (driver === undefined)
    throw wrong(
      'There is no safe SQLite driver.',
      'Use Node 22.22.3 or 24.15, or `npm install @photostructure/sqlite`.',
    )
  // The library's dependency, and so loaded from where the library is.
  const { DatabaseSync } = createRequire(createRequire(import.meta.url).resolve('agentstategraph/backends'))(
    driver,
  ) as SqliteModule
  const database = new DatabaseSync(':memory:')
  const { version } = database.prepare('SELECT sqlite_version() AS version').get() as { version: string }
  database.close()
  return `${version} by ${driver}`
}

const WRITES = 2

/** Two processes write to one new store at the same time. Each write has its own path, so a lost write is detected. */
export async function checkTwoProcesses(store: string): Promise<string> {
  const asg = fileURLToPath(packageFile('bin/asg.mjs'))
  const run = promisify(execFile)
  const write = async (writer: string): Promise<void> => {
    for (let count = 1; count <= WRITES; count++) {
      const words = ['set', `/${writer}/${count}`, String(count), '-m', 'Check', '--store', store]
      await run(process.execPath, [asg, ...words], { env: { ...process.env, ASG_OUTPUT: 'json' } })
    }
  }
  await Promise.all([write('one'), write('two')])
  const state = (await inStore(store, repo => repo.get('/'))) as Record<string, Record<string, unknown>>
  const kept = Object.values(state).reduce((sum, part) => sum + Object.keys(part).length, 0)
  if (kept !== 2 * WRITES)
    throw wrong(`Of ${2 * WRITES} writes by two processes, ${kept} are there.`, 'Is this a network drive?')
  return `2 processes, ${2 * WRITES} writes, 0 lost`
}

export async function checkStore(address: string): Promise<string> {
  const file = findFile(address)
  const shown = shownAddress(address)
  if (file !== undefined && !existsSync(file)) return `${shown} is not there yet; the first write makes it`
  const { verify } = await import('agentstategraph/maintenance')
  // On a server, opening would make a store that is not there.
  const report = await inStore(address, verify, file === undefined)
  if (!report.ok) throw wrong(`${shown} is damaged.`, 'See `asg verify`.')
  return `${shown} opens and verifies`
}

async function inStore<T>(address: string, look: (repo: Repository) => Promise<T>, readOnly = false): Promise<T> {
  const { openHost } = await import('../../host/store-host.ts')
  const host = await openHost(address, { readOnly })
  try {
    return await look(await host.context({}).repo())
  } finally {
    await host.close()
  }
}

export async function checkServer(url: string, token: string | undefined): Promise<string> {
  const health = await fetch(`${url}/healthz`).catch(() => undefined)
  if (health?.ok !== true) throw wrong(`${url} does not answer.`, 'Start it with `asg serve`.')
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const { status } = await fetch(`${url}/api/branches`, { headers })
  if (status === 401) throw wrong(`${url} answers, and refuses this key.`, 'Set ASG_TOKEN to the token that it showed.')
  return `${url} answers`
}
