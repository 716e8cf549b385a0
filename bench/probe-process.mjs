/**
 * Probes of `/healthz` from a process of their own, one every 10 milliseconds to each address, whether or not the ones before were
 * answered. Each address is probed in the same moment, so that a slow machine is slow for all.
 *
 * It takes the addresses as JSON in its argument. Between the messages `start` and `stop` it probes; when the last probe is
 * answered, it sends the seconds that each took, by address.
 */
import { Agent, get } from 'node:http'

const EVERY_MS = 10
const CONNECTIONS = 16

const targets = JSON.parse(process.argv[2]).map(url => ({
  url: `${url}/healthz`,
  agent: new Agent({ keepAlive: true, maxSockets: CONNECTIONS }),
}))

let stop
process.on('message', order => {
  if (order === 'start') stop = start()
  else stop()
})
process.send('ready')

function start() {
  const seconds = targets.map(() => [])
  const probes = []
  let next = performance.now()
  const timer = setInterval(() => {
    for (; next <= performance.now(); next += EVERY_MS) {
      for (const [place, target] of targets.entries()) {
        probes.push(probe(target, next).then(took => seconds[place].push(took)))
      }
    }
  }, EVERY_MS)
  return async () => {
    clearInterval(timer)
    await Promise.all(probes)
    process.send(seconds)
  }
}

/** A probe that waits for a connection waits since it was due. */
function probe({ url, agent }, due) {
  return new Promise((resolve, reject) => {
    const sent = get(url, { agent }, response => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200) resolve((performance.now() - due) / 1000)
        else reject(new Error(`/healthz was answered with ${response.statusCode}.`))
      })
    })
    sent.on('error', error => {
      // The server may close a connection just when it is used again.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(probe({ url, agent }, due))
      else reject(error)
    })
  })
}
