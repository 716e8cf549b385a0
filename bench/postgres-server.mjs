/** A PostgreSQL server of its own for a benchmark, in a folder, reached through a socket there. What it acknowledges is on disk. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

const versions = '/usr/lib/postgresql'

/** Starts a server, or gives undefined where none is installed. */
export async function startPostgres(folder) {
  const [newest] = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : []
  if (newest === undefined) return undefined
  const programs = join(versions, newest, 'bin')
  const data = join(folder, 'data')
  mkdirSync(data, { recursive: true })
  const owner = ownerFor([dirname(folder), folder, data])
  const made = spawnSync(join(programs, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8'], owner)
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    'shared_buffers=128MB',
    'max_connections=200',
  ]
  const child = spawn(join(programs, 'postgres'), ['-D', data, ...settings.flatMap(one => ['-c', one])], {
    ...owner,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.includes('ready to accept connections')) break
  }
  child.stderr.resume()
  return {
    version: newest,
    address: `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}`,
    async close() {
      child.kill('SIGINT')
      await ended
    },
  }
}

/** The server refuses to run as root; then it runs as the account that its package makes. */
function ownerFor([outside, ...folders]) {
  if (process.getuid?.() !== 0) return {}
  const idOf = flag => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  const [uid, gid] = [idOf('-u'), idOf('-g')]
  for (const folder of folders) chownSync(folder, uid, gid)
  chmodSync(outside, 0o711)
  return { uid, gid }
}
