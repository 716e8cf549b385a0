/**
 * A pack read the way docs/format.md says, byte by byte, by code that shares nothing with the library.
 *
 * Where the two disagree, one of them is not the format.
 */
import { createHash } from 'node:crypto'

/** `[seq, index]`; seq 0 is this pack. */
export type PlainPointer = readonly [seq: number, index: number]

export interface PlainRecord {
  /** SHA-256 of the text, in hex. */
  readonly id: string
  readonly check: string
  /** What stands beside the text, in hex. */
  readonly provenance: string
  readonly text: string
}

export interface PlainPack {
  readonly tree: PlainPointer
  readonly system: PlainPointer
  readonly detail?: PlainPointer
  readonly parents: readonly number[]
  readonly records: readonly PlainRecord[]
}

/** Reads a pack of one part. Throws when a check does not fit or bytes are left over. */
export function readPlainPack(bytes: Buffer): PlainPack {
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
  const pointer = (): PlainPointer => [varint(), varint()]

  const size = varint()
  const end = at + size
  const body = bytes.subarray(at, end)
  if (varint() !== 1) throw new Error('The version is not 1.')
  const roots = varint()
  const tree = pointer()
  const system = pointer()
  const detail = roots === 3 ? pointer() : undefined
  const parents = Array.from({ length: varint() }, varint)
  if (at !== end) throw new Error('The header is longer than what it says.')
  if (take(8).toString('hex') !== checkOf('', body)) throw new Error('The check of the header does not fit.')

  const lengths = Array.from({ length: varint() }, varint)
  const records = lengths.map((length): PlainRecord => {
    const start = at
    const check = take(8).toString('hex')
    const provenance = take(varint())
    const text = take(start + length - at)
    const id = createHash('sha256').update(text).digest()
    if (check !== checkOf(id.toString('base64url'), provenance)) throw new Error('The check of a record does not fit.')
    return { id: id.toString('hex'), check, provenance: provenance.toString('hex'), text: text.toString() }
  })
  if (at !== bytes.length) throw new Error('Bytes are left over.')
  return { tree, system, ...(detail === undefined ? {} : { detail }), parents, records }
}

/** Two numbers of 32 bits over the characters of an id and some bytes. */
function checkOf(id: string, bytes: Uint8Array): string {
  const lanes = [
    [0x811c9dc5n, 0x01000193n],
    [0x9e3779b9n, 0x85ebca6bn],
  ] as const
  const all = Buffer.concat([Buffer.from(id), bytes])
  const numbers = lanes.map(([start, factor]) => {
    let number = start
    for (const byte of all) number = ((number ^ BigInt(byte)) * factor) % 2n ** 32n
    return number.toString(16).padStart(8, '0')
  })
  return numbers.join('')
}
