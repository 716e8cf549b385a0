/** Encodes and decodes the values of one memory, with the limits and classes of its repository. */

import { decode, encode, type Stored } from '../../core/index.ts'
import type { Handle } from '../../repo/index.ts'

export interface Codec {
  /** The stored form of a value for a path. Throws `value-refused` with every part that cannot be stored. */
  encode(value: unknown, at: readonly string[]): Stored
  /** The value of a stored form. An instance without a codec is an error that names its path. */
  decode(stored: Stored, at?: readonly string[]): unknown
  /** The encoded data of an instance; undefined when its class has no codec. Throws what the codec throws. */
  findInstance(value: object): Instance | undefined
}

/** An instance of a registered class, as its codec gives it. */
export interface Instance {
  readonly tag: string
  readonly data: unknown
}

export function codecOf({ shared: { limits }, journal }: Handle): Codec {
  const { classes } = journal.context
  return {
    encode: (value, at) => encode(value, { at, limits, classes }),
    decode: (stored, at) => decode(stored, classes, { at }),
    findInstance(value) {
      const codec = classes?.findFor(value)
      return codec && { tag: codec.tag, data: codec.encode(value) }
    },
  }
}
