/**
 * Reads parts of objects in chunks of a fixed size, several in one request, and keeps what was read.
 *
 * What an object holds never changes, except that a segment may become a stub. So chunks are never wrong, and where one cannot be
 * read any more its reader asks the newest manifest where the content is.
 */

import { inParallel } from './in-parallel.ts'
import type { Bucket } from './requests/bucket.ts'
import { stub } from './segment.ts'

const chunkBytes = 64 * 1024
const keptBytes = 32 * 2 ** 20
/** How many chunks one request reads. */
const together = 128

/** An object whose bytes never change. */
export interface Content {
  readonly key: string
  /**
   * That of the segment; empty where the key is of no other object. After a bucket was restored to an earlier time, other segments get the
   * numbers that were lost.
   */
  readonly token: string
}

/** Some bytes of an object, the end not included. */
export interface Piece extends Content {
  readonly from: number
  readonly to: number
}

/** Where chunks are kept beyond the life of a process. */
export interface ChunkFile {
  find(name: string): Uint8Array | undefined
  keep(name: string, bytes: Uint8Array): void
}

export interface Chunks {
  /** The bytes of each piece; undefined for one whose object does not hold it any more. */
  read(pieces: readonly Piece[]): Promise<readonly (Uint8Array | undefined)[]>
  /** Keeps the bytes of a whole object. */
  keep(content: Content, bytes: Uint8Array): void
}

/** `file` gives the place where chunks outlive the process, if there is one. */
export function chunksOf(bucket: Bucket, file: () => ChunkFile | undefined): Chunks {
  const kept = new Map<string, Uint8Array>()
  const reading = new Map<string, Promise<void>>()
  let size = 0

  function keepChunk(name: string, bytes: Uint8Array, isNew: boolean): void {
    if (kept.has(name)) return
    if (isNew) file()?.keep(name, bytes)
    kept.set(name, bytes)
    size += bytes.length
    while (size > keptBytes) {
      const [oldest, gone] = kept.entries().next().value!
      kept.delete(oldest)
      size -= gone.length
    }
  }

  function findChunk(name: string): Uint8Array | undefined {
    const known = kept.get(name)
    if (known !== undefined) {
      // What was used last is deleted last.
      kept.delete(name)
      kept.set(name, known)
      return known
    }
    const stored = file()?.find(name)
    if (stored !== undefined) keepChunk(name, stored, false)
    return stored
  }

  /** Reads chunks that follow each other, in one request. */
  async function readSpan(of: Content, first: number, last: number, into: Map<string, Uint8Array>): Promise<void> {
    const found = await bucket.get(of.key, { from: first * chunkBytes, to: (last + 1) * chunkBytes })
    if (found === undefined || found.size <= stub.length) return
    for (let i = first; i <= last; i++) {
      const bytes = found.bytes.slice((i - first) * chunkBytes, (i - first + 1) * chunkBytes)
      if (bytes.length === 0) continue
      into.set(nameOf(of, i), bytes)
      keepChunk(nameOf(of, i), bytes, true)
    }
  }

  return {
    async read(pieces) {
      const wanted = new Map<string, { readonly of: Content; readonly indexes: Set<number> }>()
      const have = new Map<string, Uint8Array>()
      const waits: Promise<void>[] = []
      for (const piece of pieces) {
        const whole = nameOf(piece)
        for (let i = Math.floor(piece.from / chunkBytes); i * chunkBytes < piece.to; i++) {
          const name = nameOf(piece, i)
          const known = have.get(name) ?? findChunk(name)
          if (known !== undefined) have.set(name, known)
          else if (reading.has(name)) waits.push(reading.get(name)!)
          else {
            const { of, indexes } = wanted.get(whole) ?? { of: piece, indexes: new Set() }
            wanted.set(whole, { of, indexes: indexes.add(i) })
          }
        }
      }
      const spans = [...wanted.values()].flatMap(({ of, indexes }) => spansOf(indexes).map(span => ({ of, ...span })))
      await inParallel(spans, async ({ of, first, last }) => {
        const read = readSpan(of, first, last, have)
        const names = Array.from({ length: last - first + 1 }, (_, i) => nameOf(of, first + i))
        for (const name of names) reading.set(name, read)
        try {
          await read
        } finally {
          for (const name of names) reading.delete(name)
        }
      })
      // One that fails is read again by those who waited for it.
      await Promise.allSettled(waits)
      return inParallel(pieces, piece => joined(piece, have))
    },
    keep(content, bytes) {
      for (let i = 0; i * chunkBytes < bytes.length; i++) {
        keepChunk(nameOf(content, i), bytes.slice(i * chunkBytes, (i + 1) * chunkBytes), true)
      }
    },
  }

  async function joined(piece: Piece, have: Map<string, Uint8Array>): Promise<Uint8Array | undefined> {
    const { from, to } = piece
    const bytes = new Uint8Array(to - from)
    for (let i = Math.floor(from / chunkBytes); i * chunkBytes < to; i++) {
      const name = nameOf(piece, i)
      if (!have.has(name) && !kept.has(name)) await readSpan(piece, i, i, have)
      const chunk = have.get(name) ?? kept.get(name)
      const start = Math.max(from - i * chunkBytes, 0)
      const end = Math.min(to - i * chunkBytes, chunkBytes)
      if (chunk === undefined || chunk.length < end) return undefined
      bytes.set(chunk.subarray(start, end), i * chunkBytes + start - from)
    }
    return bytes
  }
}

/** The name of a chunk, or of the whole object. */
function nameOf({ key, token }: Content, index?: number): string {
  return `${key}~${token}#${index ?? ''}`
}

function spansOf(indexes: ReadonlySet<number>): { first: number; last: number }[] {
  const spans: { first: number; last: number }[] = []
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const span = spans.at(-1)
    if (span !== undefined && span.last + 1 === index && index - span.first < together) span.last = index
    else spans.push({ first: index, last: index })
  }
  return spans
}
