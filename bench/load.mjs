/** Load on a server: a fixed number of connections, each with one request at a time, and how long each request took. */
import { Agent, request } from 'node:http'

const CONNECTIONS = 16

/** Gives a function that sends `count` requests, made by `make(n)`, and adds their seconds to `latencies`. */
export function loadOn(url, make, headers, latencies) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const { hostname, port } = new URL(url)

  function send(n) {
    const { method, path, body } = make(n)
    const start = performance.now()
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }
      const sent = request({ agent, hostname, port, method, path, headers: { ...headers, ...length } }, response => {
        response.resume()
        response.on('end', () => {
          latencies.push((performance.now() - start) / 1000)
          if (response.statusCode === 200) resolve()
          else reject(new Error(`${method} ${path} was answered with ${response.statusCode}.`))
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  return {
    async run(from, count) {
      let next = from
      const worker = async () => {
        while (next < from + count) await send(next++)
      }
      await Promise.all(Array.from({ length: CONNECTIONS }, worker))
    },
    close: () => agent.destroy(),
  }
}
