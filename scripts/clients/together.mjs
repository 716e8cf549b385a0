/**
 * All clients at once: the same calls give the same roots, writers on one file and on one server lose nothing, and each reads what
 * the others wrote, with why.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { root } from '../tools.mjs'

const calls = join(root, 'fixtures/clients/calls.txt')
const WRITES = process.env['ASG_SOAK'] === '1' ? 1000 : 40

const typescript = { name: 'typescript', player: [process.execPath, 'scripts/clients/typescript-player.mjs'] }

/** Plays the calls with all clients, and tells whether everything held. */
export async function playTogether(others, env) {
  const clients = [typescript, ...others]
  const folder = mkdtempSync(join(tmpdir(), 'asg-together-'))
  try {
    await sameRoots(clients, folder, env)
    await writersOnFile(clients, folder, env)
    await writersOnServer(clients, folder, env)
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  process.stdout.write(`Together: ${clients.map(({ name }) => name).join(', ')} agree.\n`)
  return true
}

/** The answers of a player, one for each call. */
function play({ name, player: [command, ...args] }, address, file, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, address, file, agentOf(name)], { cwd: root, env })
    const told = { out: '', err: '' }
    child.stdout.on('data', text => (told.out += text))
    child.stderr.on('data', text => (told.err += text))
    child.once('error', reject)
    child.once('close', status => {
      const lines = told.out.split('\n').filter(Boolean)
      if (status === 0) resolve(lines.map(line => JSON.parse(line)))
      else reject(new Error(`The player of ${name} ended with ${status}.\n${told.err}`))
    })
  })
}

const agentOf = name => `agent/${name}`

/** An answer without what differs from run to run: ids, times, who made it and with which program. */
function lasting(answer) {
  return JSON.parse(JSON.stringify(answer), (key, value) =>
    ['id', 'commit', 'parents', 'timestamp', 'agent', 'tags'].includes(key) ? undefined : value,
  )
}

async function sameRoots(clients, folder, env) {
  const expected = (await play(clients[0], join(folder, 'typescript.db'), calls, env)).map(lasting)
  const lines = readFileSync(calls, 'utf8').split('\n').filter(Boolean)
  if (expected.length !== lines.length) throw new Error(`${lines.length} calls have ${expected.length} answers.`)
  for (const client of clients.slice(1)) {
    const answers = (await play(client, join(folder, `${client.name}.db`), calls, env)).map(lasting)
    const at = lines.findIndex((_, at) => !isDeepStrictEqual(answers[at], expected[at]))
    if (at < 0) continue
    const texts = [answers[at], expected[at]].map(answer => JSON.stringify(answer))
    throw new Error(`${client.name} answers ${lines[at]} with\n${texts[0]}\nand typescript with\n${texts[1]}`)
  }
}

/** The calls of one writer. */
function writesOf({ name }) {
  return Array.from({ length: WRITES }, (_, at) => {
    const fields = { path: `/writers/${name}/${at}`, value: at, description: `${name} writes ${at}` }
    return `set ${JSON.stringify(fields)}\n`
  }).join('')
}

/** What everyone reads afterwards: each writer's state, who wrote its last value, and the intents of its agent. */
function readsOf(clients) {
  const ofOne = ({ name }) => [
    ['get', { path: `/writers/${name}` }],
    ['blame', { path: `/writers/${name}/${WRITES - 1}` }],
    ['query', { agent: agentOf(name), limit: 1000 }],
  ]
  const all = [...clients.flatMap(ofOne), ['stats', {}]]
  return all.map(([operation, fields]) => `${operation} ${JSON.stringify(fields)}\n`).join('')
}

async function write(clients, address, folder, envOf) {
  const played = clients.map(client => {
    const file = join(folder, `writes-${client.name}.txt`)
    writeFileSync(file, writesOf(client))
    return play(client, address, file, envOf(client))
  })
  for (const answer of (await Promise.all(played)).flat()) {
    if (answer.root === undefined) throw new Error(`A write on ${address} was answered with ${JSON.stringify(answer)}`)
  }
}

async function read(clients, address, folder, envOf) {
  const file = join(folder, 'reads.txt')
  writeFileSync(file, readsOf(clients))
  for (const reader of clients) {
    const answers = await play(reader, address, file, envOf(reader))
    clients.forEach(({ name }, at) => {
      const [state, blame, found] = answers.slice(3 * at, 3 * at + 3)
      const values = Object.entries(state.value ?? {}).map(([key, value]) => Number(key) === value)
      const descriptions = new Set((found.items ?? []).map(({ intent }) => intent.description))
      const isWhole =
        values.length === WRITES &&
        values.every(Boolean) &&
        descriptions.size === WRITES &&
        blame.agent === agentOf(name)
      if (!isWhole) throw new Error(`${reader.name} does not find everything that ${name} wrote on ${address}.`)
    })
    const { commits } = answers.at(-1)
    if (commits !== clients.length * WRITES) throw new Error(`${reader.name} finds ${commits} commits on ${address}.`)
  }
}

async function writersOnFile(clients, folder, env) {
  const address = join(folder, 'shared.db')
  await write(clients, address, folder, () => env)
  await read(clients, address, folder, () => env)
  await verify(address)
}

async function writersOnServer(clients, folder, env) {
  const { serve } = await serverLibrary()
  const address = join(folder, 'served.db')
  const limits = { readsPerSecond: 1e6, writesPerSecond: 1e6 }
  const server = await serve({ store: address, port: 0, log: () => {}, limits })
  try {
    const keys = new Map()
    for (const { name } of clients) {
      const { key } = await run(server.host, 'add_principal', { id: agentOf(name) })
      await run(server.host, 'grant', { to: agentOf(name), capabilities: ['read', 'commit'] })
      keys.set(name, key)
    }
    const envOf = ({ name }) => ({ ...env, ASG_TOKEN: keys.get(name) })
    await write(clients, server.url, folder, envOf)
    await read(clients, server.url, folder, envOf)
  } finally {
    await server.close()
  }
  await verify(address)
}

async function verify(address) {
  const { openHost } = await serverLibrary()
  const host = await openHost(address)
  const { ok, damage } = await run(host, 'verify', {})
  await host.close()
  if (!ok) throw new Error(`verify of ${address}: ${JSON.stringify(damage)}`)
}

async function run(host, name, fields) {
  const operation = (await serverLibrary()).operations.find(operation => operation.name === name)
  return operation.run(host.context({}), operation.input.parse(fields))
}

/** Loaded late: it is built first. */
function serverLibrary() {
  return import('../../packages/server/lib/index.js')
}
