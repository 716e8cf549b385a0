/** Writes and reads sequences of varints, bytes and UTF-8 text. */

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** A buffer that grows as it is written to. */
export interface ByteWriter {
  readonly length: number
  /** An integer up to 2^53 - 1: seven bits in each byte, the lowest first, the top bit set on all but the last. */
  varint(value: number): void
  raw(bytes: Uint8Array): void
  text(text: string): void
  uint32(value: number): void
  /** A view of what was written; it changes with the next write. */
  view(): Uint8Array
  /** A copy of what was written. */
  copy(): Uint8Array
  /** Drops everything after the first `to` bytes. */
  truncate(to: number): void
}

export function byteWriter(capacity = 1024): ByteWriter {
  let buffer = new Uint8Array(capacity)
  let length = 0
  const reserve = (more: number): void => {
    if (length + more <= buffer.length) return
    const larger = new Uint8Array(Math.max(buffer.length * 2, length + more))
    larger.set(buffer.subarray(0, length))
    buffer = larger
  }
  return {
    get length() {
      return length
    },
    varint(value) {
      reserve(8)
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
    },
    raw(bytes) {
      reserve(bytes.length)
      buffer.set(bytes, length)
      length += bytes.length
    },
    text(text) {
      reserve(text.length * 3)
      length += encoder.encodeInto(text, buffer.subarray(length)).written
    },
    uint32(value) {
      reserve(4)
      buffer[length++] = value >>> 24
      buffer[length++] = value >>> 16
      buffer[length++] = value >>> 8
      buffer[length++] = value
    },
    view: () => buffer.subarray(0, length),
    copy: () => buffer.slice(0, length),
    truncate(to) {
      length = to
    },
  }
}

/** Reads what a `ByteWriter` wrote. Reading past the end throws a RangeError. */
export interface ByteReader {
  position: number
  readonly end: number
  varint(): number
  raw(size: number): Uint8Array
  text(size: number): string
  uint32(): number
}

export function byteReader(bytes: Uint8Array, from = 0, end: number = bytes.length): ByteReader {
  const reader: ByteReader = {
    position: from,
    end,
    varint() {
      let value = 0
      let scale = 1
      for (;;) {
        const byte = next()
        value += (byte & 0x7f) * scale
        if (byte < 0x80) return value
        scale *= 0x80
        if (scale > 2 ** 49) throw new RangeError('a number is too long')
      }
    },
    raw(size) {
      const start = reader.position
      if (start + size > end) throw new RangeError('the bytes end too early')
      reader.position += size
      return bytes.subarray(start, start + size)
    },
    text: size => decoder.decode(reader.raw(size)),
    uint32: () => ((next() << 24) | (next() << 16) | (next() << 8) | next()) >>> 0,
  }
  function next(): number {
    if (reader.position >= end) throw new RangeError('the bytes end too early')
    return bytes[reader.position++]!
  }
  return reader
}
