/** What packs consist of, as bytes: varints, text, pointers and writers. */

import {
  draftOfWriter,
  indexOfPointer,
  type Pointer,
  pointerOf,
  seqOfPointer,
  seqOfWriter,
  type Writer,
  writerOf,
} from '../../tree/index.ts'
import { isPending } from './pending-nodes.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Up to this, a loop writes ASCII text faster than the encoder. */
const SHORT_LENGTH = 64

/** A buffer that grows as it is written to. */
export class ByteWriter {
  private buffer: Uint8Array
  length = 0

  constructor(capacity = 1024) {
    this.buffer = new Uint8Array(capacity)
  }

  /** An integer up to 2^53 - 1: seven bits in each byte, the lowest first, the top bit set on all but the last. */
  varint(value: number): void {
    this.reserve(8)
    const { buffer } = this
    let { length } = this
    let rest = value
    // Bit operators work below 2^31 only.
    while (rest >= 0x80000000) {
      buffer[length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    while (rest > 0x7f) {
      buffer[length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    buffer[length++] = rest
    this.length = length
  }

  byte(value: number): void {
    this.reserve(1)
    this.buffer[this.length++] = value
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.buffer.set(bytes, this.length)
    this.length += bytes.length
  }

  text(text: string): void {
    this.reserve(text.length * 3)
    if (text.length <= SHORT_LENGTH && this.hasTakenAscii(text)) return
    this.length += encoder.encodeInto(text, this.buffer.subarray(this.length)).written
  }

  /** Text of ASCII characters only, which is faster for short ones. */
  ascii(text: string): void {
    this.reserve(text.length)
    const { buffer } = this
    let { length } = this
    for (let i = 0; i < text.length; i++) buffer[length++] = text.charCodeAt(i)
    this.length = length
  }

  /** A view of what was written, from a byte on; it changes with the next write. */
  view(from = 0): Uint8Array {
    return this.buffer.subarray(from, this.length)
  }

  /** A copy of what was written. */
  copy(): Uint8Array {
    return this.buffer.slice(0, this.length)
  }

  /** Drops everything after the first `to` bytes. */
  truncate(to: number): void {
    this.length = to
  }

  private reserve(more: number): void {
    if (this.length + more <= this.buffer.length) return
    const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.length + more))
    larger.set(this.buffer.subarray(0, this.length))
    this.buffer = larger
  }

  /** Writes a text if it is all ASCII. */
  private hasTakenAscii(text: string): boolean {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (unit > 0x7f) return false
      this.buffer[this.length + i] = unit
    }
    this.length += text.length
    return true
  }
}

/** Reads what a `ByteWriter` wrote. Reading past the end throws a RangeError. */
export class ByteReader {
  readonly #bytes: Uint8Array
  readonly end: number
  position: number

  constructor(bytes: Uint8Array, from = 0, end: number = bytes.length) {
    this.#bytes = bytes
    this.position = from
    this.end = end
  }

  varint(): number {
    let value = 0
    let scale = 1
    for (;;) {
      if (this.position >= this.end) throw endsEarly()
      const byte = this.#bytes[this.position++]!
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 0x80
      if (scale > 2 ** 49) throw new RangeError('a number is too long')
    }
  }

  skip(size: number): void {
    if (this.position + size > this.end) throw endsEarly()
    this.position += size
  }

  raw(size: number): Uint8Array {
    const start = this.position
    this.skip(size)
    return this.#bytes.subarray(start, start + size)
  }

  /** All that was not read yet. */
  rest(): Uint8Array {
    return this.raw(this.end - this.position)
  }

  text(size: number): string {
    return decoder.decode(this.raw(size))
  }
}

function endsEarly(): RangeError {
  return new RangeError('the bytes end too early')
}

/**
 * The number of an entry: twice its sequence number, and 0 for the entry of the pack itself. An odd number 2n - 1 is the
 * entry n places before it, for commits that were added in one append and were built before they had numbers.
 */
export function writeEntryNumber(into: ByteWriter, seq: number, own: number): void {
  into.varint(numberOf(seq, own))
}

/** `own` is the pending number of the pack where it is one of a chain, and otherwise 0. */
function numberOf(seq: number, own: number): number {
  return own > 0 && isPending(seq) ? (own - seq) * 2 - 1 : seq * 2
}

export function readEntryNumber(reader: ByteReader, own: number): number {
  return entryOf(reader.varint(), own)
}

function entryOf(number: number, own: number): number {
  if (number % 2 === 0) return number === 0 ? own : number / 2
  const seq = own - (number + 1) / 2
  if (seq < 1) throw new RangeError('a pointer leads to before the first entry')
  return seq
}

export function writePointer(into: ByteWriter, pointer: Pointer, own: number): void {
  writeEntryNumber(into, seqOfPointer(pointer), own)
  into.varint(indexOfPointer(pointer))
}

export function readPointer(reader: ByteReader, own: number): Pointer {
  const seq = readEntryNumber(reader, own)
  return pointerOf(seq, reader.varint())
}

/** A commit takes one number, a draft two, because most writers are commits. */
export function writeWriter(into: ByteWriter, writer: Writer, own: number): void {
  const seq = seqOfWriter(writer)
  const number = numberOf(seq, own) * 2
  if (seq === writer) {
    into.varint(number)
    return
  }
  into.varint(number + 1)
  into.varint(draftOfWriter(writer))
}

export function readWriter(reader: ByteReader, own: number): Writer {
  const packed = reader.varint()
  const seq = entryOf(Math.floor(packed / 2), own)
  return writerOf(seq, packed % 2 === 1 ? reader.varint() : 0)
}
