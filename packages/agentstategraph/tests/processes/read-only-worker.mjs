/**
 * A process that opens a store for reading only and says what it finds, or why not, as a user whom permissions bind.
 *
 * It gets its orders as JSON in its only argument, says "ready", begins when a line comes in, and says one more line.
 */
import { once } from 'node:events'
import { readdirSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { verify } from '../../dist/maintenance/index.js'
import { open } from '../../dist/repository/index.js'

const { file, elsewhere, id } = JSON.parse(process.argv[2])
const say = line => writeSync(1, `${JSON.stringify(line)}\n`)

// Loads the driver while everything can still be read.
await (await open(elsewhere)).close()
const nobody = 65_534
if (process.getuid() === 0) {
  process.setgid(nobody)
  process.setuid(nobody)
}

say('ready')
await once(process.stdin, 'data')
process.stdin.pause()

const list = () => readdirSync(dirname(file)).sort()
const codeOf = async attempt =>
  attempt.then(
    () => undefined,
    ({ code }) => code,
  )
try {
  const repo = await open(file, { readOnly: true })
  const state = await repo.get('/')
  const found = await repo.at(id).get('/n')
  const queried = (await repo.query({ agent: 'agent/other' })).length
  const { ok } = await verify(repo)
  const refused = await codeOf(repo.set('/n', 0, 'No'))
  const during = list()
  await repo.close()
  say({ state, found, queried, ok, refused, during, after: list() })
} catch ({ code, message }) {
  say({ code, message, after: list() })
}
