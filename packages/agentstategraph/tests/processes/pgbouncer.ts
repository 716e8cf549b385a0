/**
 * PgBouncer for tests, in transaction mode, in front of a server of tests: it is reached through a socket in the server's folder.
 *
 * Debian's is the one that is installed. `ASG_PGBOUNCER` names another program, for a version that can have prepared statements.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { account, type PostgresServer } from './postgres-server.ts'

export interface PgBouncer {
  address(): string
  close(): Promise<void>
}

export interface PgBouncerProgram {
  readonly path: string
  readonly version: string
  /** Whether it keeps statements that were prepared under names, which it does when it is set. */
  readonly canPrepare: boolean
}

export function pgBouncerPrograms(): readonly PgBouncerProgram[] {
  const paths = ['pgbouncer', ...(process.env['ASG_PGBOUNCER'] ? [process.env['ASG_PGBOUNCER']] : [])]
  return paths.flatMap(path => {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
    const version = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '')
    if (version === null) return []
    return [
      { path, version: `${version[1]}.${version[2]}`, canPrepare: Number(version[1]) > 1 || Number(version[2]) >= 21 },
    ]
  })
}

/** Starts one. `settings` are lines of its section. */
export async function startPgBouncer(
  { path }: PgBouncerProgram,
  server: PostgresServer,
  settings: readonly string[] = [],
): Promise<PgBouncer> {
  const folder = mkdtempSync(join(server.folder, 'bouncer-'))
  chmodSync(folder, 0o777)
  writeFileSync(join(folder, 'users.txt'), '"postgres" ""\n')
  const lines = [
    '[databases]',
    `postgres = host=${server.folder} dbname=postgres`,
    '[pgbouncer]',
    'listen_port = 6432',
    `unix_socket_dir = ${folder}`,
    'auth_type = trust',
    `auth_file = ${join(folder, 'users.txt')}`,
    'pool_mode = transaction',
    'default_pool_size = 4',
    'max_client_conn = 200',
    ...settings,
  ]
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(config, `${lines.join('\n')}\n`)
  const child = spawn(path, [config], { ...account(), cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  const said: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line)
    if (line.includes('process up')) break
  }
  if (child.exitCode !== null) throw new Error(`pgbouncer did not start:\n${said.join('\n')}`)
  child.stderr.resume()
  return {
    address: () => `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}&port=6432`,
    async close() {
      child.kill('SIGQUIT')
      await ended
    },
  }
}
