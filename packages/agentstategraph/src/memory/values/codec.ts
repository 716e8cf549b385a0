/** How the values of one memory become their stored form and come back: with the limits and classes of its repository. */

import { decode, encode, type Stored } from '../../core/index.ts'
import type { Handle } from '../../repo/index.ts'

export interface Codec {
  /** The stored form of a value that goes to a path, or `value-refused` with every offending place. */
  encode(value: unknown, at: readonly string[]): Stored
  /** The value; an instance without a codec is an error that names its place, below a path. */
  decode(stored: Stored, at?: readonly string[]): unknown
  /** What the codec of an object's class makes of it; undefined when its class has none. Throws what the codec throws. */
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
