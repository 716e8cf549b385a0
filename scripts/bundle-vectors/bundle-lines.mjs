/**
 * Bundles as lists of records, for those who take them apart: read, written anew, and made again after a change so that
 * every hash, root and count of lines fits. What a forger without the key can do is `remade`; with a key it signs too.
 */
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'

export const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
export const idOf = text => sha256(text).toString('base64url')
export const leafOf = text => sha256(Buffer.of(0), text)

/** A text in canonical form. Values here hold no numbers that would need care. */
export function canonical(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const fields = Object.keys(value).sort()
  return `{${fields.map(field => `${JSON.stringify(field)}:${canonical(value[field])}`).join(',')}}`
}

export const recordsOf = text =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

/** The text of records, with a last line that fits those before it. */
export function ended(records) {
  const before = records.filter(({ type }) => type !== 'end').map(record => `${canonical(record)}\n`)
  return endedLines(before)
}

/** Lines as they are, with a last one that fits. */
export function endedLines(before) {
  const digest = sha256(before.join('')).toString('base64')
  return `${before.join('')}${canonical({ type: 'end', lines: before.length, digest })}\n`
}

/** An Ed25519 key made of a number, so that everything signed with it comes out the same again. */
export function keyOf(number, name, kind = 1) {
  const seed = sha256(`vector key ${number}`)
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
  const bytes = Buffer.concat([Buffer.of(kind), publicKey])
  const keyId = sha256(name, '\n', bytes).toString('hex', 0, 4)
  const verifierKey = `${name}+${keyId}+${bytes.toString('base64')}`
  return { name, keyId, verifierKey, sign: async message => new Uint8Array(sign(null, message, privateKey)) }
}

export async function signatureLine(key, body) {
  const bytes = Buffer.concat([Buffer.from(key.keyId, 'hex'), await key.sign(Buffer.from(body))])
  return `\u2014 ${key.name} ${bytes.toString('base64')}\n`
}

export async function cosignatureLine(key, body, seconds) {
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(seconds))
  const signature = await key.sign(Buffer.from(`cosignature/v1\ntime ${seconds}\n${body}`))
  return `\u2014 ${key.name} ${Buffer.concat([Buffer.from(key.keyId, 'hex'), time, signature]).toString('base64')}\n`
}

export const bodyOf = head => head.slice(0, head.indexOf('\n\n') + 1)

/** The frontier of a tree grown by leaves. */
function grown(frontier, size, leaves) {
  const hashes = [...frontier]
  let count = size
  for (const leaf of leaves) {
    let hash = leaf
    for (let rest = count; rest % 2 === 1; rest = Math.floor(rest / 2)) hash = sha256(Buffer.of(1), hashes.pop(), hash)
    hashes.push(hash)
    count++
  }
  return hashes
}

/**
 * Makes a bundle again after its entries and commits were changed: new ids of commits in all that follows, a new root, a
 * new head. `keys` sign it; without any it has no signature.
 */
export async function remade(records, change = () => {}, keys = []) {
  let copies = structuredClone(records)
  for (let i = 0; i < copies.length; i++) {
    const record = copies[i]
    if (record.type !== 'entry' || record.entry === undefined) continue
    const entry = JSON.parse(record.entry)
    const commit = record.commit === undefined ? undefined : JSON.parse(record.commit)
    change(entry, commit, i)
    if (commit !== undefined) {
      record.commit = canonical(commit)
      const [before, after] = [entry.commit, idOf(record.commit)]
      entry.commit = after
      const rest = JSON.stringify(copies.slice(i + 1)).replaceAll(before, after)
      copies = [...copies.slice(0, i + 1), ...JSON.parse(rest)]
    }
    record.entry = canonical(entry)
  }
  return withHead(copies, keys)
}

/** Records in which a node has another text, with the new ids in all nodes and commits above it. */
export function withNode(records, at, text) {
  const copies = structuredClone(records)
  const changed = [[at, text]]
  for (let next = changed.pop(); next !== undefined; next = changed.pop()) {
    const [place, now] = next
    const before = copies[place].node
    if (before === now) continue
    copies[place].node = now
    for (const [i, record] of copies.entries()) {
      if (record.node?.includes(idOf(before))) changed.push([i, record.node.replaceAll(idOf(before), idOf(now))])
      if (record.type === 'entry' && record.commit !== undefined)
        record.commit = record.commit.replaceAll(idOf(before), idOf(now))
    }
  }
  return copies
}

/** Records with a head that fits their entries. */
export async function withHead(records, keys = []) {
  const [header, prior] = records
  const entries = records.filter(({ type }) => type === 'entry')
  const leaves = entries.map(({ entry, leaf }) => (entry === undefined ? Buffer.from(leaf, 'base64') : leafOf(entry)))
  const hashes = grown(
    prior.hashes.map(hash => Buffer.from(hash, 'base64')),
    header.from - 1,
    leaves,
  )
  const root = hashes.reduceRight((right, left) => sha256(Buffer.of(1), left, right))
  const body = `${header.origin}\n${header.to}\n${root.toString('base64')}\n`
  const lines = await Promise.all(keys.map(key => signatureLine(key, body)))
  const head = `${body}\n${lines.join('')}`
  return records.map(record => (record.type === 'checkpoint' ? { ...record, head } : record))
}
