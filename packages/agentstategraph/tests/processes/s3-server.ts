/**
 * A real S3 server for tests: versitygw over a folder, on a port of this machine. Without Go it is not there, and its tests are skipped.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { versitygwFile } from '../../../../scripts/toolchain/versitygw.mjs'

export interface S3Server {
  readonly port: number
  readonly endpoint: string
  /** The address of a place in the bucket. */
  address(prefix: string, endpoint?: string): string
  /** The folder that holds the objects of the bucket. */
  readonly folder: string
}

export const testKeys = { accessKeyId: 'testkey', secretAccessKey: 'testsecret' }
/** An account that may read the bucket and nothing else. */
export const readerKeys = { accessKeyId: 'reader', secretAccessKey: 'readersecret' }
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

/** Runs the server until the input ends, which it also does when the process of the tests is killed. */
const guarded = '"$0" "$@" & read -r line; kill -KILL $!; wait $!'

let shared: Promise<S3Server> | undefined

/** The server that the files of a process share, with one bucket. Each file has prefixes of its own. It ends with the process. */
export function sharedS3(): Promise<S3Server> {
  shared ??= startS3(mkdtempSync(join(tmpdir(), 'asg-s3-')))
  return shared
}

async function startS3(folder: string): Promise<S3Server> {
  const [buckets, accounts] = [join(folder, 'buckets'), join(folder, 'accounts')]
  mkdirSync(join(buckets, testBucket), { recursive: true })
  mkdirSync(accounts)
  const { accessKeyId: access, secretAccessKey: secret } = readerKeys
  const users = { accessAccounts: { [access]: { access, secret, role: 'user' } } }
  writeFileSync(join(accounts, 'users.json'), JSON.stringify(users))
  const port = await freePort()
  const args = ['--port', `127.0.0.1:${port}`, '--quiet', '--iam-dir', accounts, 'posix', buckets]
  const env = { ...process.env, ROOT_ACCESS_KEY: testKeys.accessKeyId, ROOT_SECRET_KEY: testKeys.secretAccessKey }
  const child = spawn('sh', ['-c', guarded, versitygwFile(), ...args], { env, stdio: ['pipe', 'ignore', 'pipe'] })
  child.unref()
  child.stdin.on('error', () => {})
  let said = ''
  child.stderr.on('data', (text: Buffer) => {
    said += text
  })
  for (const pipe of [child.stdin, child.stderr]) (pipe as unknown as Socket).unref()
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
  await allowReading(endpoint)
  const { accessKeyId, secretAccessKey } = testKeys
  return {
    port,
    endpoint,
    folder: join(buckets, testBucket),
    address: (prefix, at = endpoint) =>
      `s3://${accessKeyId}:${secretAccessKey}@${testBucket}/${prefix}?endpoint=${encodeURIComponent(at)}`,
  }
}

async function allowReading(endpoint: string): Promise<void> {
  const allow = (action: string, resource: string): object => {
    return { Effect: 'Allow', Principal: { AWS: [readerKeys.accessKeyId] }, Action: [action], Resource: [resource] }
  }
  const bucket = `arn:aws:s3:::${testBucket}`
  const statements = [allow('s3:GetObject', `${bucket}/*`), allow('s3:ListBucket', bucket)]
  const root = new AwsClient({ ...testKeys, service: 's3', region: 'us-east-1' })
  const body = JSON.stringify({ Version: '2012-10-17', Statement: statements })
  const { ok, status } = await root.fetch(`${endpoint}/${testBucket}?policy`, { method: 'PUT', body })
  if (!ok) throw new Error(`versitygw did not take the policy: ${status}`)
}
