#!/usr/bin/env node
/**
 * A witness: it remembers the last signed head of each log that it watches, and signs only heads that extend it.
 *
 * It never signs two histories of a log that diverge. It speaks the C2SP witness protocol
 * (`POST /add-checkpoint`) on this machine only; put a proxy in front of it to reach it from a network. `add` answers one
 * request without a server. It needs Node 20, and verify.mjs in the same folder.
 *
 *   node witness.mjs key FILE NAME                makes a key in a new file, and prints its public part
 *   node witness.mjs serve OPTIONS [--port N]     answers requests (8787)
 *   node witness.mjs add OPTIONS REQUEST          answers one request from a file, or - for standard input
 *
 *   OPTIONS: --key FILE  --state FOLDER  --log ORIGIN KEY (repeatable; several keys for one origin are all trusted)
 */

import { createHash, createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findHead, findKey, isConsistent, linesOf } from './verify.mjs'

const MAX_REQUEST = 64 * 1024
const WITNESS = 4
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const REQUEST = /^old (0|[1-9][0-9]{0,15})\n((?:[A-Za-z0-9+/]{43}=\n){0,63})\n(.*)$/s

// --- Its key -------------------------------------------------------------------------------------------------------

function keyOf(name, seed) {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
  const bytes = Buffer.concat([Buffer.of(WITNESS), publicKey])
  const hash = createHash('sha256').update(`${name}\n`).update(bytes).digest('hex').slice(0, 8)
  return { name, hash, privateKey, verifierKey: `${name}+${hash}+${bytes.toString('base64')}` }
}

/** Makes a key in a new file that only its owner can read. Returns the public key. */
export function makeKey(file, name) {
  const seed = randomBytes(32)
  const { hash, verifierKey } = keyOf(name, seed)
  if (findKey(verifierKey) === undefined) throw new Error(`${name} cannot be the name of a key`)
  const secret = Buffer.concat([Buffer.of(WITNESS), seed]).toString('base64')
  writeFileSync(file, `PRIVATE+KEY+${name}+${hash}+${secret}\n`, { mode: 0o600, flag: 'wx' })
  return verifierKey
}

export function readKey(file) {
  const [, name, hash, secret] =
    /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+(\S+)\n?$/.exec(readFileSync(file, 'utf8')) ?? []
  const bytes = Buffer.from(secret ?? '', 'base64')
  const key = bytes.length === 33 && bytes[0] === WITNESS ? keyOf(name, bytes.subarray(1)) : undefined
  if (key?.hash !== hash) throw new Error(`${file} holds no key of a witness`)
  return key
}

/** The signature line: this witness saw this head at this time, and the head extends all that it signed before. */
function cosignature({ name, hash, privateKey }, body, seconds) {
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(seconds))
  const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${body}`), privateKey)
  return `\u2014 ${name} ${Buffer.concat([Buffer.from(hash, 'hex'), time, signature]).toString('base64')}\n`
}

// --- What it remembers ---------------------------------------------------------------------------------------------

/**
 * The last head of each log: a folder for each origin, with a file named by a running number. A head is added by creating
 * the file of the next number, which succeeds for one of several concurrent writers; only the highest number counts. This
 * is safe between processes, and after a crash either the old head or the new one is there, complete.
 */
export function headsIn(folder) {
  const placeOf = origin => join(folder, createHash('sha256').update(origin).digest('hex'))
  const numbersIn = place =>
    readdirSync(place)
      .filter(name => /^\d+$/.test(name))
      .map(Number)
  const highest = place => Math.max(0, ...numbersIn(place))

  return {
    last(origin) {
      const place = placeOf(origin)
      mkdirSync(place, { recursive: true })
      for (;;) {
        const number = highest(place)
        if (number === 0) return { number, head: undefined }
        const note = readIfThere(join(place, String(number)))
        // A higher number replaced it meanwhile.
        if (note === undefined) continue
        const head = findHead(note)
        // A witness without its last head could sign another history.
        if (head === undefined) throw new Error(`what was kept of ${origin} is damaged`)
        return { number, head }
      }
    },
    /** Whether the head is now the last one: false when another writer added one after the given number. */
    add(origin, number, note) {
      const place = placeOf(origin)
      const fresh = join(place, `new-${randomBytes(8).toString('hex')}`)
      const next = join(place, String(number + 1))
      writeSynced(fresh, note)
      try {
        linkSync(fresh, next)
      } catch (error) {
        if (error.code === 'EEXIST') return false
        throw error
      } finally {
        unlinkSync(fresh)
      }
      // A late writer may reuse a number that was used and removed; a higher one is there then.
      if (highest(place) !== number + 1) {
        unlinkSync(next)
        return false
      }
      syncFolder(place)
      for (const old of numbersIn(place)) if (old <= number) unlinkIfThere(join(place, String(old)))
      return true
    },
  }
}

function writeSynced(file, text) {
  const opened = openSync(file, 'wx', 0o600)
  writeFileSync(opened, text)
  fsyncSync(opened)
  closeSync(opened)
}

function syncFolder(folder) {
  const opened = openSync(folder, 'r')
  fsyncSync(opened)
  closeSync(opened)
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return undefined
  }
}

function unlinkIfThere(file) {
  try {
    unlinkSync(file)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

// --- Its answer ----------------------------------------------------------------------------------------------------

const answer = (status, text, type = 'text/plain; charset=utf-8') => ({ status, text, type })
const stale = size => answer(409, `${size}\n`, 'text/x.tlog.size')

/**
 * Answers one request with the status and text of the protocol. `logs` has the trusted keys of each origin; `now` returns
 * seconds. The head is stored before its signature is returned.
 */
export function addCheckpoint(request, { key, logs, heads, now }) {
  const [, digits, lines, note] = REQUEST.exec(request) ?? []
  const head = note === undefined ? undefined : findHead(note)
  if (head === undefined) return answer(400, 'This is no request to add a checkpoint.\n')
  const trusted = logs.get(head.origin)
  if (trusted === undefined) return answer(404, 'This log is not known here.\n')
  const signatures = trusted.flatMap(each => linesOf(head, each))
  if (signatures.length === 0 || signatures.some(({ isRight }) => !isRight)) {
    return answer(403, 'The head is not signed by a key that is trusted for this log.\n')
  }
  const old = Number(digits)
  if (old > head.size) return answer(400, 'The old size is above that of the head.\n')
  const { number, head: last } = heads.last(head.origin)
  if (old !== (last?.size ?? 0)) return stale(last?.size ?? 0)
  const proof = lines
    .split('\n')
    .slice(0, -1)
    .map(line => Buffer.from(line, 'base64'))
  if (last !== undefined && old === head.size && !last.root.equals(head.root)) return stale(old)
  const isProven =
    old === 0 || old === head.size ? proof.length === 0 : isConsistent(old, head.size, last.root, head.root, proof)
  if (!isProven) return answer(422, 'The proof does not lead from the last head to this one.\n')
  if (!heads.add(head.origin, number, note)) return stale(heads.last(head.origin).head.size)
  return answer(200, cosignature(key, head.body, now()))
}

// --- The command ---------------------------------------------------------------------------------------------------

function serve(witness, port) {
  const server = createServer((request, response) => {
    const reply = ({ status, text, type }) => response.writeHead(status, { 'content-type': type }).end(text)
    if (request.url !== '/add-checkpoint') return reply(answer(404, 'There is only /add-checkpoint here.\n'))
    if (request.method !== 'POST') return reply(answer(405, 'Use POST.\n'))
    const chunks = []
    let length = 0
    request.on('data', chunk => {
      length += chunk.length
      if (length <= MAX_REQUEST) chunks.push(chunk)
    })
    request.on('end', () => {
      if (length > MAX_REQUEST) return reply(answer(413, 'The request is too long.\n'))
      try {
        reply(addCheckpoint(Buffer.concat(chunks).toString('utf8'), witness))
      } catch (error) {
        process.stderr.write(`witness: ${error.message}\n`)
        reply(answer(500, 'The witness could not keep the head, so it did not sign it.\n'))
      }
    })
  })
  server.listen(port, '127.0.0.1', () => {
    process.stdout.write(`witness ${witness.key.verifierKey} on http://127.0.0.1:${server.address().port}\n`)
  })
}

function readOptions(args) {
  const options = { logs: new Map(), port: 8787, rest: [] }
  const left = [...args]
  const next = () => {
    const value = left.shift()
    if (value === undefined) throw new Error('an option has no value')
    return value
  }
  while (left.length > 0) {
    const option = left.shift()
    if (option === '--key') options.key = readKey(next())
    else if (option === '--state') options.heads = headsIn(next())
    else if (option === '--port') options.port = Number(next())
    else if (option === '--log') {
      const [origin, key] = [next(), findKey(next())]
      if (key?.kind !== 1) throw new Error(`the key given for ${origin} is no public key of a log`)
      options.logs.set(origin, [...(options.logs.get(origin) ?? []), key])
    } else options.rest.push(option)
  }
  const isComplete = options.key !== undefined && options.heads !== undefined && options.logs.size > 0
  if (!isComplete) throw new Error('--key, --state and --log are needed')
  return { ...options, now: () => Math.floor(Date.now() / 1000) }
}

function main([command, ...args]) {
  if (command === 'key' && args.length === 2) {
    process.stdout.write(`${makeKey(args[0], args[1])}\n`)
    return 0
  }
  const options = command === 'serve' || command === 'add' ? readOptions(args) : undefined
  if (command === 'serve' && options.rest.length === 0) serve(options, options.port)
  else if (command === 'add' && options.rest.length === 1) {
    const request = readFileSync(options.rest[0] === '-' ? 0 : options.rest[0], 'utf8')
    const { status, text } = addCheckpoint(request, options)
    process[status === 200 ? 'stdout' : 'stderr'].write(status === 200 ? text : `${status}: ${text}`)
    return status === 200 ? 0 : 1
  } else throw new Error('use it as: witness key FILE NAME | serve OPTIONS | add OPTIONS REQUEST')
  return 0
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = main(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`witness: ${error.message}\n`)
    process.exitCode = 2
  }
}
