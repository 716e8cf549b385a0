/**
 * A pack read the way docs/format.md says, byte by byte, by code that shares nothing with the library.
 *
 * Where the two disagree, one of them is not the format.
 */
import { createHash } from 'node:crypto'

/** `[entry, index]`; entry 0 is this pack. */
export type PlainPointer = readonly [seq: number, index: number]

export interface PlainRecord {
  /** SHA-256 of the text, in hex. */
  readonly id: string
  readonly check: string
  /** What stands beside the text, in hex. */
  readonly provenance: string
  readonly text: string
  /** How the text is stored, when it is not stored whole. */
  readonly delta?: PlainDelta
}

export interface PlainDelta {
  readonly base: PlainPointer
  readonly splices: readonly (readonly [keep: number, drop: number, insert: string])[]
}

export interface PlainPack {
  readonly tree: PlainPointer
  readonly system: PlainPointer
  readonly detail?: PlainPointer
  readonly parents: readonly number[]
  readonly records: readonly PlainRecord[]
  /** In hex. */
  readonly digest: string
}

/** Reads a pack of one part. Throws when a check does not fit or bytes are left over. `textAt` gives the text of a base. */
export function readPlainPack(bytes: Buffer, textAt: (base: PlainPointer) => string): PlainPack {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes.readUInt8(at++)
      value += (byte % 128) * 2 ** shift
      if (byte < 128) return value
    }
  }
  const take = (length: number): Buffer => {
    at += length
    return bytes.subarray(at - length, at)
  }
  const entry = (): number => {
    const number = varint()
    if (number % 2 !== 0) throw new Error('A commit that was appended alone has no relative numbers.')
    return number / 2
  }
  const pointer = (): PlainPointer => [entry(), varint()]
  const deltaUntil = (end: number): PlainDelta => {
    const base = pointer()
    const splices: [number, number, string][] = []
    while (at < end) splices.push([varint(), varint(), take(varint()).toString()])
    return { base, splices }
  }

  const size = varint()
  const end = at + size
  const body = bytes.subarray(at, end)
  if (varint() !== 2) throw new Error('The version is not 2.')
  const roots = varint()
  const tree = pointer()
  const system = pointer()
  const detail = roots === 3 ? pointer() : undefined
  const parents = Array.from({ length: varint() }, entry)
  if (at !== end) throw new Error('The header is longer than what it says.')
  if (take(8).toString() !== leafOf('', body).slice(0, 8)) throw new Error('The check of the header does not fit.')

  const lengths = Array.from({ length: varint() }, varint)
  const leaves: string[] = []
  const records = lengths.map((length): PlainRecord => {
    const start = at
    const kind = varint()
    if (kind > 1) throw new Error('A new record is neither whole nor a delta.')
    const check = take(8).toString()
    const provenance = take(varint())
    const delta = kind === 1 ? deltaUntil(start + length) : undefined
    const text = delta === undefined ? take(start + length - at) : madeText(textAt(delta.base), delta)
    const id = createHash('sha256').update(text).digest()
    const leaf = leafOf(id.toString('base64url'), provenance)
    if (check !== leaf.slice(0, 8)) throw new Error('The check of a record does not fit.')
    leaves.push(leaf)
    const read = { id: id.toString('hex'), check, provenance: provenance.toString('hex'), text: text.toString() }
    return delta === undefined ? read : { ...read, delta }
  })
  if (at !== bytes.length) throw new Error('Bytes are left over.')
  const digest = createHash('sha256').update(Buffer.of(1)).update(body).update(leaves.join('')).digest('hex')
  return { tree, system, ...(detail === undefined ? {} : { detail }), parents, records, digest }
}

function madeText(base: string, { splices }: PlainDelta): Buffer {
  const bytes = Buffer.from(base)
  const made: Buffer[] = []
  let at = 0
  for (const [keep, drop, insert] of splices) {
    made.push(bytes.subarray(at, at + keep), Buffer.from(insert))
    at += keep + drop
  }
  return Buffer.concat([...made, bytes.subarray(at)])
}

/** SHA-256 of a zero byte, an id and what stands beside the text. */
function leafOf(id: string, provenance: Uint8Array): string {
  return createHash('sha256').update(Buffer.of(0)).update(id).update(provenance).digest('base64url')
}
