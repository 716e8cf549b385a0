/** A versitygw of its own for a benchmark, over a folder. It is compiled by Go, once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { installVersitygw } from '../scripts/toolchain/versitygw.mjs'

const [key, secret, bucket] = ['benchkey', 'benchsecret', 'bench']

/** Starts a server, or gives undefined where there is no Go. */
export async function startS3(folder) {
  const file = installVersitygw({ say: () => {} })
  if (file === undefined) return undefined
  mkdirSync(join(folder, 'buckets', bucket), { recursive: true })
  mkdirSync(join(folder, 'accounts'))
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  const args = ['--port', `127.0.0.1:${port}`, '--quiet', '--iam-dir', join(folder, 'accounts')]
  const child = spawn(file, [...args, 'posix', join(folder, 'buckets')], {
    env: { ...process.env, ROOT_ACCESS_KEY: key, ROOT_SECRET_KEY: secret },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const endpoint = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) throw new Error('versitygw did not start.')
    if (await fetch(endpoint).catch(() => undefined)) break
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return {
    address: prefix => `s3://${key}:${secret}@${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}`,
    async close() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Counts the requests of this process from now on. */
export function countRequests() {
  const sent = { PUT: 0, GET: 0, LIST: 0, DELETE: 0 }
  const { fetch } = globalThis
  globalThis.fetch = (url, init) => {
    sent[String(url).includes('list-type=') ? 'LIST' : (init?.method ?? 'GET')]++
    return fetch(url, init)
  }
  return {
    /** The requests since they were last taken. */
    taken() {
      const now = { ...sent }
      for (const kind of Object.keys(sent)) sent[kind] = 0
      return now
    },
    end() {
      globalThis.fetch = fetch
    },
  }
}
