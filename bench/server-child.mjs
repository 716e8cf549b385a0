/** A server in a process of its own (server-process.mjs), as a case uses it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('server-process.mjs', import.meta.url))

export const token = 'token-of-the-benchmark'
export const headers = { authorization: `Bearer ${token}` }

export async function startServer(orders) {
  const child = fork(script, [JSON.stringify({ token, ...orders })], { execArgv: ['--expose-gc'] })
  const [{ url }] = await once(child, 'message')
  return { child, url }
}

/** Asks the process for its `memory` or its longest `gap`. */
export async function ask({ child }, question) {
  child.send(question)
  const [answer] = await once(child, 'message')
  return answer
}

export async function stop({ child }) {
  child.kill()
  await once(child, 'exit')
}

/** Calls of a server, each on a connection of its own: while the server works it may close one that waits. */
export function callsOf(url) {
  return (method, path, fields) =>
    new Promise((resolve, reject) => {
      const body = fields === undefined ? undefined : Buffer.from(JSON.stringify(fields))
      const type = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }
      const sent = request(url + path, { method, agent: false, headers: { ...headers, ...type } }, response => {
        const chunks = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          if (response.statusCode === 200) resolve(text)
          else reject(new Error(`${method} ${path} was answered with ${response.statusCode}: ${text}`))
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
}
