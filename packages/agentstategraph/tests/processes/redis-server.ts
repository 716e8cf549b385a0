/**
 * A real Redis for tests: started in a folder of its own, reached through a socket there, so that no port is taken.
 *
 * What it has acknowledged is on disk, so a test may stop it and start it again on the same folder.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface RedisServer {
  readonly socket: string
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
}

export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}

/** Starts a server and waits until it takes connections. What is set replaces the settings used here. */
export async function startRedis(folder: string, set: Readonly<Record<string, string>> = {}): Promise<RedisServer> {
  const socket = join(folder, 'redis.sock')
  const own = { port: '0', unixsocket: socket, dir: folder, save: '', appendonly: 'yes', appendfsync: 'always' }
  const settings = { ...own, ...set }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const child: ChildProcess = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const said: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    said.push(line)
    if (/ready to accept connections/i.test(line)) break
  }
  if (child.exitCode !== null) throw new Error(`redis-server did not start:\n${said.join('\n')}`)
  child.stdout!.resume()
  return {
    socket,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
