/**
 * The bytes of a manifest: which blocks and runs describe a journal up to a segment, and the last block itself.
 *
 * Manifests are numbered without gaps, and each is made from the one before it. This file makes no requests.
 */
import { joinedBytes } from '../../core/index.ts'
import { sha256 } from './segment.ts'

/** An object that a manifest refers to, and how many bytes it has. */
export interface Referred {
  readonly key: string
  readonly bytes: number
}

/** A block: the records of some segments, in an object of its own, or in the manifest when it has no key. */
export interface Block {
  readonly key?: string | undefined
  /** The first and the last segment. */
  readonly from: number
  readonly to: number
  readonly bytes: number
}

export interface Manifest {
  readonly number: number
  readonly namespace: string
  /** The last segment that it describes. */
  readonly segment: number
  /** The segment after which the journal began. */
  readonly began: number
  /** The last segment whose content is in a run; those up to it may be stubs. */
  readonly copied: number
  readonly blocks: readonly Block[]
  readonly runs: readonly Referred[]
}

/** What a journal without a manifest has. */
export function noManifest(namespace: string): Manifest {
  return { number: 0, namespace, segment: 0, began: 0, copied: 0, blocks: [], runs: [] }
}

const countdown = 10 ** 12
const prefix = 'm/'
/** The digest at the end of a manifest and of a block. */
export const digestBytes = 32

/** The first key of a list is that of the newest manifest. */
export function manifestKey(number: number): string {
  return `${prefix}${String(countdown - number).padStart(12, '0')}`
}

/** The number of a manifest, from its key; undefined for the key of something else. */
export function numberOfManifest(key: string): number | undefined {
  const [, left] = /^m\/(\d{12})$/.exec(key) ?? []
  return left === undefined ? undefined : countdown - Number(left)
}

/** The key of an object for manifests from a number on. */
export function objectKey(kind: 'b' | 'r', number: number, id: string): string {
  return `${kind}/${String(number).padStart(12, '0')}-${id}`
}

/** The number of the first manifest that a block or run was made for; undefined for the key of something else. */
export function numberOfObject(key: string): number | undefined {
  const [, number] = /^[br]\/(\d{12})-[0-9a-f]{12}$/.exec(key) ?? []
  return number === undefined ? undefined : Number(number)
}

export function encodeManifest(manifest: Manifest, inline: Uint8Array): Uint8Array {
  const json = Buffer.from(JSON.stringify(manifest))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  const body = joinedBytes([length, json, inline])
  return joinedBytes([body, sha256(body)])
}

/** Reads a manifest and the records in it; undefined when it is not as it was written. */
export function decodeManifest(bytes: Uint8Array): { manifest: Manifest; inline: Uint8Array } | undefined {
  const body = bytes.subarray(0, Math.max(bytes.length - digestBytes, 0))
  if (body.length < 4 || !Buffer.from(bytes.subarray(body.length)).equals(sha256(body))) return undefined
  const length = Buffer.from(body.subarray(0, 4)).readUInt32BE()
  const manifest = JSON.parse(Buffer.from(body.subarray(4, 4 + length)).toString()) as Manifest
  return { manifest, inline: body.subarray(4 + length) }
}
