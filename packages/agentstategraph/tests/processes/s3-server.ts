/**
 * A real S3 server for tests: versitygw over a folder, on a port of this machine. Without Go it is not there, and its tests are skipped.
 *
 * What it has acknowledged is in files, so a test may stop it and start it again on the same folder.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { versitygwFile } from '../../../../scripts/versitygw.mjs'

export interface S3Server {
  readonly port: number
  readonly endpoint: string
  /** The address of a place in the bucket. */
  address(prefix: string, endpoint?: string): string
  /** The folder that holds the objects of the bucket. */
  readonly folder: string
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
}

export const testKeys = { accessKeyId: 'testkey', secretAccessKey: 'testsecret' }
export const testBucket = 'states'

export function hasS3(): boolean {
  return existsSync(versitygwFile())
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a server on a folder, with one bucket, and waits until it answers. */
export async function startS3(folder: string): Promise<S3Server> {
  const buckets = join(folder, 'buckets')
  mkdirSync(join(buckets, testBucket), { recursive: true })
  const port = await freePort()
  const args = [
    '--port',
    `127.0.0.1:${port}`,
    '--quiet',
    '--iam-dir',
    mkdir(join(folder, 'accounts')),
    'posix',
    buckets,
  ]
  const env = { ...process.env, ROOT_ACCESS_KEY: testKeys.accessKeyId, ROOT_SECRET_KEY: testKeys.secretAccessKey }
  const child: ChildProcess = spawn(versitygwFile(), args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  let said = ''
  child.stderr!.on('data', (text: Buffer) => {
    said += text
  })
  const endpoint = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`versitygw did not start:\n${said}`)
    const isUp = await fetch(endpoint).then(
      () => true,
      () => false,
    )
    if (isUp) break
    await new Promise(resolve => setImmediate(resolve))
  }
  const { accessKeyId, secretAccessKey } = testKeys
  return {
    port,
    endpoint,
    folder: join(buckets, testBucket),
    address: (prefix, at = endpoint) =>
      `s3://${accessKeyId}:${secretAccessKey}@${testBucket}/${prefix}?endpoint=${encodeURIComponent(at)}`,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function mkdir(folder: string): string {
  mkdirSync(folder, { recursive: true })
  return folder
}
