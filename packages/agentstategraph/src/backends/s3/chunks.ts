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

/** Some bytes of an object, the end not included. */
export interface Piece {
  readonly key: string
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
  keep(key: string, bytes: Uint8Array): void
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
  async function readSpan(key: string, first: number, last: number, into: Map<string, Uint8Array>): Promise<void> {
    const found = await bucket.get(key, { from: first * chunkBytes, to: (last + 1) * chunkBytes })
    if (found === undefined || found.size <= stub.length) return
    for (let i = first; i <= last; i++) {
      const bytes = found.bytes.slice((i - first) * chunkBytes, (i - first + 1) * chunkBytes)
      if (bytes.length === 0) continue
      into.set(nameOf(key, i), bytes)
      keepChunk(nameOf(key, i), bytes, true)
    }
  }

  return {
    async read(pieces) {
      const wanted = new Map<string, Set<number>>()
      const have = new Map<string, Uint8Array>()
      const waits: Promise<void>[] = []
      for (const { key, from, to } of pieces) {
        for (let i = Math.floor(from / chunkBytes); i * chunkBytes < to; i++) {
          const name = nameOf(key, i)
          const known = have.get(name) ?? findChunk(name)
          if (known !== undefined) have.set(name, known)
          else if (reading.has(name)) waits.push(reading.get(name)!)
          else wanted.set(key, (wanted.get(key) ?? new Set()).add(i))
        }
      }
      const spans = [...wanted].flatMap(([key, indexes]) => spansOf(indexes).map(span => ({ key, ...span })))
      await inParallel(spans, async ({ key, first, last }) => {
        const read = readSpan(key, first, last, have)
        const names = Array.from({ length: last - first + 1 }, (_, i) => nameOf(key, first + i))
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
    keep(key, bytes) {
      for (let i = 0; i * chunkBytes < bytes.length; i++) {
        keepChunk(nameOf(key, i), bytes.slice(i * chunkBytes, (i + 1) * chunkBytes), true)
      }
    },
  }

  async function joined({ key, from, to }: Piece, have: Map<string, Uint8Array>): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(to - from)
    for (let i = Math.floor(from / chunkBytes); i * chunkBytes < to; i++) {
      const name = nameOf(key, i)
      if (!have.has(name) && !kept.has(name)) await readSpan(key, i, i, have)
      const chunk = have.get(name) ?? kept.get(name)
      const start = Math.max(from - i * chunkBytes, 0)
      const end = Math.min(to - i * chunkBytes, chunkBytes)
      if (chunk === undefined || chunk.length < end) return undefined
      bytes.set(chunk.subarray(start, end), i * chunkBytes + start - from)
    }
    return bytes
  }
}

function nameOf(key: string, index: number): string {
  return `${key}#${index}`
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
