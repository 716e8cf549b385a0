/**
 * A real PostgreSQL for tests: a cluster in a folder of its own, reached through a socket there, so that no port is taken.
 *
 * PostgreSQL refuses to run as root; then it runs as the account `postgres` that its package makes. What it has acknowledged is on
 * disk, so a test may stop it and start it again on the same folder.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

export interface PostgresServer {
  readonly folder: string
  /** The address of a database. */
  address(database?: string, account?: string): string
  readonly socket: string
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
}

const versions = '/usr/lib/postgresql'

/** The folder of the programs, the newest version there is. */
export function findPrograms(): string | undefined {
  if (!existsSync(versions)) return undefined
  const [newest] = readdirSync(versions).sort((a, b) => Number(b) - Number(a))
  const folder = newest && join(versions, newest, 'bin')
  return folder !== undefined && existsSync(join(folder, 'initdb')) ? folder : undefined
}

export function hasPostgres(): boolean {
  return findPrograms() !== undefined
}

/** Under which account the server runs: our own, unless that is root. */
export function account(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/**
 * Runs the server until the input ends, which it also does when the process of the tests is killed. Immediate shutdown: no checkpoint,
 * and the processes of connections end with it.
 */
const guarded = '"$0" "$@" & read -r line; kill -QUIT $!; wait $!'

let shared: Promise<PostgresServer> | undefined

/** The server that the files of a process share, for tests that neither stop nor configure it. It ends with the process. */
export function sharedPostgres(): Promise<PostgresServer> {
  shared ??= startPostgres(mkdtempSync(join(tmpdir(), 'asg-postgres-')))
  return shared
}

/** Makes a cluster, if the folder has none, and starts it. What is set replaces the settings used here. */
export async function startPostgres(
  folder: string,
  set: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const programs = findPrograms()!
  const data = join(folder, 'data')
  const owner = account()
  const as = { ...owner, cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' } }
  if (!existsSync(data)) {
    mkdirSync(data, { recursive: true })
    if (owner !== undefined) {
      for (const one of [folder, data]) chownSync(one, owner.uid, owner.gid)
      // The other account has to pass through the folder of this run's temporary files.
      chmodSync(dirname(folder), 0o711)
    }
    const args = ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync']
    const made = spawnSync(join(programs, 'initdb'), args, { ...as, encoding: 'utf8' })
    if (made.status !== 0) throw new Error(`initdb failed:\n${made.stdout}\n${made.stderr}`)
    // One account has to have a password.
    const rules = [
      'local all guarded scram-sha-256',
      'local all,replication all trust',
      'host all all 127.0.0.1/32 trust',
    ]
    writeFileSync(join(data, 'pg_hba.conf'), `${rules.join('\n')}\n`)
  }
  const own = {
    listen_addresses: '',
    unix_socket_directories: folder,
    shared_buffers: '32MB',
    max_connections: '200',
    // Tests end processes, not the machine.
    fsync: 'off',
  }
  const settings = Object.entries({ ...own, ...set }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child: ChildProcess = spawn('sh', ['-c', guarded, join(programs, 'postgres'), '-D', data, ...settings], {
    ...as,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  child.unref()
  child.stdin!.on('error', () => {})
  const ended = once(child, 'exit')
  const said: string[] = []
  for await (const line of createInterface({ input: child.stderr! })) {
    said.push(line)
    if (/ready to accept (read-only )?connections/.test(line)) break
  }
  if (child.exitCode !== null) throw new Error(`postgres did not start:\n${said.join('\n')}`)
  child.stderr!.resume()
  for (const pipe of [child.stdin, child.stderr]) (pipe as unknown as Socket).unref()
  return {
    folder,
    socket: join(folder, '.s.PGSQL.5432'),
    address: (database = 'postgres', name = 'postgres') =>
      `postgres://${name}@/${database}?host=${encodeURIComponent(folder)}`,
    async kill() {
      child.ref()
      child.stdin!.end()
      await ended
    },
  }
}
